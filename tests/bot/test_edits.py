"""Messages that stand: when they are edited, deleted and posted anew, whatever Discord refuses."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.components import Call
from bot.outbound.posting import Poster, keep_posted, wake
from matches.outbox.base import Message
from matches.outbox.messages import LobbyMessage, Thread
from tests.bot.wall import INHERITED, MATCH, ME, SOMEONE, TEXT, Wall, World, refusal, row

OLD = discord.RateLimited(3000.0)
"""As the library raises 30046, which comes with a long wait."""
KEPT: list[tuple[BaseException | None, list[str] | None]] = [
    (None, ["edit"]),
    (refusal(404, 10008), ["send"]),
    (refusal(404, 10003), None),
    (refusal(400, 30046), ["delete", "send"]),
    (OLD, ["delete", "send"]),
    (refusal(403, 50013), None),
    (refusal(503), None),
]


@pytest.mark.parametrize(("refused", "done"), KEPT)
async def test_a_message_that_is_kept_current(refused: BaseException | None, done: list[str] | None) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    wall.put(20, ME)
    wall.refusals["edit"] = [refused] if refused else []
    if done is None:
        with pytest.raises((discord.HTTPException, discord.RateLimited)):
            await keep_posted(world.ctx, channel, 20, TEXT, ("panel", ""))
        assert wall.done == []
        return
    stands = await keep_posted(world.ctx, channel, 20, TEXT, ("panel", ""))
    assert [verb for verb, _ in wall.done] == done
    assert stands == (21 if "send" in done else 20)
    assert wall.searches == 0


@given(
    st.lists(
        st.tuples(
            st.sampled_from((ME, SOMEONE)),
            st.none() | st.tuples(st.sampled_from(("cup", "panel")), st.sampled_from(("", "9"))),
        ),
        max_size=6,
    ),
    st.booleans(),
)
async def test_a_kept_message_without_a_record_is_found_by_its_mark(
    standing: list[tuple[int, tuple[str, str] | None]], far: bool
) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    ours = []
    for n, (author, mark) in enumerate(standing, 100):
        wall.put(n, author, [] if mark is None else [Call(mark[0], "-", 0, mark[1])])
        if (author, mark) == (ME, ("cup", "9")):
            ours.append(n)
    since = 100 + len(standing) - 1 - ours[-1] if ours else 0
    for n in range(49 + far - since):  # it is the last one that is looked at, or the next
        wall.put(200 + n, SOMEONE)
    stands = await keep_posted(world.ctx, channel, None, TEXT, ("cup", "9"))
    if ours and not far:
        assert wall.done == [("edit", ours[-1])]
        assert stands == ours[-1]
    else:
        assert wall.done == [("send", stands)]


EDITS: list[tuple[list[BaseException], discord.HTTPException | None, bool | None, list[str]]] = [
    ([], None, True, ["edit"]),
    ([refusal(404, 10008)], None, False, []),
    ([refusal(404, 10003)], None, None, []),
    ([refusal(403, 50001)], None, None, []),
    ([refusal(400, 50083)], None, True, ["wake", "edit"]),
    ([refusal(400, 50083), refusal(404, 10008)], None, False, ["wake"]),
    ([refusal(400, 50083)], refusal(403, 50013), False, ["delete"]),
    ([refusal(400, 50083)], refusal(404, 10003), None, []),
    ([refusal(400, 50083)], refusal(503), None, []),
]


@pytest.mark.parametrize("unremovable", [False, True])
@pytest.mark.parametrize(("refused", "asleep", "there", "done"), EDITS)
async def test_an_edit_wakes_its_thread(
    refused: list[BaseException],
    asleep: discord.HTTPException | None,
    there: bool | None,
    done: list[str],
    unremovable: bool,
) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    wall.refusals["edit"] = list(refused)
    wall.refusals["delete"] = [refusal(403, 50083)] if unremovable else []
    world.wake_fails = asleep
    edited = Poster(world.ctx, INHERITED).edit(channel, 20, TEXT)
    if there is None:
        with pytest.raises(discord.HTTPException):
            await edited
    else:
        assert await edited is there
    happened = [*("wake" for _ in world.woken), *(verb for verb, _ in wall.done)]
    assert happened == [each for each in done if not (unremovable and each == "delete")]
    assert world.woken == [(wall.id, False)] * ("wake" in done)


async def test_a_thread_that_is_not_to_be_opened_stays_closed() -> None:
    world = World()
    assert await wake(world.ctx, 7)
    assert world.woken == [(7, False)]
    for status in (400, 403):
        world.wake_fails = refusal(status)
        assert not await wake(world.ctx, 7)
    for status in (404, 500):
        world.wake_fails = refusal(status)
        with pytest.raises(discord.HTTPException):
            await wake(world.ctx, 7)


@pytest.mark.parametrize(
    ("number", "message", "lane", "edited"),
    [
        (12, LobbyMessage(), MATCH, False),
        (11, LobbyMessage(), MATCH, True),
        (10, LobbyMessage(), MATCH, True),
        (12, LobbyMessage(), "elsewhere", True),
        (12, Thread(), MATCH, True),
    ],
)
async def test_what_a_later_row_edits_again_is_not_edited(
    number: int, message: Message, lane: str, edited: bool
) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    world.waiting = (row(number, message, lane=lane),)
    poster = Poster(world.ctx, INHERITED)
    assert await poster.bring_up_to_date(row(11, LobbyMessage()), channel, 20, TEXT)
    assert wall.done == [("edit", 20)] * edited
    assert poster.is_confirmed(row(11)) is edited
    assert not poster.was_posted(row(11))


RENEWED: list[tuple[BaseException | None, bool, bool | None, list[str]]] = [
    (None, False, True, ["edit"]),
    (refusal(404, 10008), True, False, []),
    (OLD, True, False, ["delete"]),
    (OLD, False, None, []),
    (refusal(429, 30046), True, False, ["delete"]),
    (refusal(429, 30046), False, None, []),
    (refusal(403, 50001), True, None, []),
    (refusal(404, 10003), True, None, []),
]


@pytest.mark.parametrize(("refused", "renew", "there", "done"), RENEWED)
async def test_a_standing_message_is_brought_up_to_date(
    refused: BaseException | None, renew: bool, there: bool | None, done: list[str]
) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    wall.refusals["edit"] = [refused] if refused else []
    poster, of = Poster(world.ctx, INHERITED), row(11, LobbyMessage())
    updated = poster.bring_up_to_date(of, channel, 20, TEXT, renew=renew)
    if there is None:
        with pytest.raises((discord.HTTPException, discord.RateLimited)):
            await updated
    else:
        assert await updated is there
    assert [verb for verb, _ in wall.done] == done
    assert poster.is_confirmed(of) is (there is True)
    if there:
        assert await poster.bring_up_to_date(of, channel, 20, TEXT)
        assert [verb for verb, _ in wall.done] == done, "an edit that only has to be recorded isn't repeated"
    if there is False:
        await poster.post(of, channel, TEXT)
        assert not await poster.bring_up_to_date(of, channel, 20, TEXT), "its record is missing"
        assert [verb for verb, _ in wall.done] == [*done, "send"]
