"""Messages that stand: when they are edited, deleted and posted anew, whatever Discord refuses."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.components import Call
from bot.outbound.posting import Poster, keep_posted
from bot.outbound.thread_care import unarchive
from matches.outbox.messages import LobbyMessage, Thread
from matches.outbox.queue import Draft, OutboxRow
from tests.bot.stage import Stage, allow
from tests.bot.test_posting import INHERITED, MATCH, SHARED, TEXT, asked, put, refusing, room, row
from tests.bot.test_remedies import error

pytestmark = pytest.mark.slow
OLD = discord.RateLimited(3000.0)
"""As the library raises 30046, which comes with a long wait."""
FAILURES = (discord.HTTPException, discord.RateLimited)
ALL = discord.Permissions.all()
"""SimCord opens threads only for those who manage channels."""


@pytest.mark.parametrize("code", [10003, 10008, None])
async def test_a_kept_message_is_posted_anew_only_if_it_is_gone_or_too_old(
    stage: Stage, code: int | None
) -> None:
    channel = room(stage)
    put(stage, channel, 20)
    with refusing(stage, edit=[OLD if code is None else error(404, code)]):
        if code == 10003:
            with pytest.raises(discord.NotFound):
                await keep_posted(stage.bot.context, channel, 20, TEXT, ("panel", ""))
        else:
            assert await keep_posted(stage.bot.context, channel, 20, TEXT, ("panel", "")) != 20
    assert asked(stage, channel) == {10003: [], 10008: ["send"], None: ["delete", "send"]}[code]


@SHARED
@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.none() | st.tuples(st.sampled_from(("cup", "panel")), st.sampled_from(("", "9"))),
        ),
        max_size=6,
    ),
    st.booleans(),
)
async def test_a_kept_message_without_a_record_is_found_by_its_mark(
    stage: Stage, standing: list[tuple[bool, tuple[str, str] | None]], far: bool
) -> None:
    channel, found = room(stage), []
    for n, (ours, mark) in enumerate(standing, 100):
        put(stage, channel, n, [] if mark is None else [Call(mark[0], "-", 0, mark[1])], ours=ours)
        if ours and mark == ("cup", "9"):
            found.append(n)
    since = 100 + len(standing) - 1 - found[-1] if found else 0
    for n in range(49 + far - since):  # it is the last one that is looked at, or the next
        put(stage, channel, 200 + n, ours=False)
    stands = await keep_posted(stage.bot.context, channel, None, TEXT, ("cup", "9"))
    known = bool(found) and not far
    assert asked(stage, channel) == ["search", "edit" if known else "send"]
    assert (stands == found[-1]) if known else (stands not in found)


EDITS: list[tuple[list[BaseException], discord.HTTPException | None, bool | None, list[str]]] = [
    ([], None, True, ["edit"]),
    ([error(404, 10008)], None, False, []),
    ([error(404, 10003)], None, None, []),
    ([error(403, 50001)], None, None, []),
    ([error(400, 50083)], None, True, ["wake", "edit"]),
    ([error(400, 50083), error(404, 10008)], None, False, ["wake"]),
    ([error(400, 50083)], error(403, 50013), False, ["delete"]),
    ([error(400, 50083)], error(404, 10003), None, []),
    ([error(400, 50083)], error(503), None, []),
]


@pytest.mark.parametrize("unremovable", [False, True])
async def test_an_edit_wakes_its_thread(stage: Stage, unremovable: bool) -> None:
    allow(stage.env, stage.guild, ALL)
    for refused, asleep, there, done in EDITS:
        made = await stage.bot.http.start_thread_without_message(
            stage.channel.id, name="A match", auto_archive_duration=10080, type=11
        )
        channel = stage.bot.get_partial_messageable(int(made["id"]), guild_id=stage.guild.id)
        put(stage, channel, 20)
        edit = Poster(stage.bot.context, INHERITED).edit
        delete: list[BaseException] = [error(403, 50083)] if unremovable else []
        wakes: list[BaseException] = [asleep] if asleep else []
        with refusing(stage, edit=[*refused], wake=wakes, delete=delete):
            if there is None:
                with pytest.raises(discord.HTTPException):
                    await edit(channel, 20, TEXT)
            else:
                assert await edit(channel, 20, TEXT) is there, refused
        assert asked(stage, channel) == [each for each in done if not (unremovable and each == "delete")]


async def test_a_thread_that_is_not_to_be_opened_stays_closed(stage: Stage) -> None:
    allow(stage.env, stage.guild, ALL)
    _, thread = await stage.open(stage.ann, stage.ben)
    ctx, stored = stage.bot.context, stage.env.backend.get_channel(thread.id)
    for status in (400, 403):
        with refusing(stage, wake=[error(status)]):
            assert not await unarchive(ctx, thread.id)
    for status in (404, 500):
        with refusing(stage, wake=[error(status)]), pytest.raises(discord.HTTPException):
            await unarchive(ctx, thread.id)
    assert stored.thread_metadata is not None
    stored.thread_metadata.archived = True
    assert await unarchive(ctx, thread.id)
    assert not stored.thread_metadata.archived


async def test_what_a_later_row_edits_again_is_not_edited(stage: Stage) -> None:
    ctx = stage.bot.context
    due = ctx.clock.now() + timedelta(days=1)  # nothing is delivered before

    async def queued(message: LobbyMessage | Thread, lane: str) -> OutboxRow:
        number = await ctx.store.outbox_add(Draft(message, MATCH, lane), due)
        return next(each for each in await ctx.store.outbox_pending(MATCH) if each.id == number)

    await queued(LobbyMessage(), MATCH)
    mine = await queued(LobbyMessage(), MATCH)
    for message, lane, edited in (
        (LobbyMessage(), "elsewhere", True),
        (Thread(), MATCH, True),
        (LobbyMessage(), MATCH, False),
    ):
        await queued(message, lane)
        channel, poster = room(stage), Poster(ctx, INHERITED)
        put(stage, channel, 20)
        assert await poster.bring_up_to_date(mine, channel, 20, TEXT)
        assert asked(stage, channel) == ["edit"] * edited
        assert poster.is_confirmed(mine) is edited
        assert not poster.was_posted(mine)


RENEWED: list[tuple[BaseException | None, bool, bool | None, list[str]]] = [
    (None, False, True, ["edit"]),
    (error(404, 10008), True, False, []),
    (OLD, True, False, ["delete"]),
    (OLD, False, None, []),
    (error(429, 30046), True, False, ["delete"]),
    (error(429, 30046), False, None, []),
    (error(403, 50001), True, None, []),
    (error(404, 10003), True, None, []),
]


async def test_a_standing_message_is_brought_up_to_date(stage: Stage) -> None:
    for refused, renew, there, done in RENEWED:
        channel = room(stage)
        put(stage, channel, 20)
        poster, of = Poster(stage.bot.context, INHERITED), row(11, LobbyMessage())
        update = poster.bring_up_to_date
        with refusing(stage, edit=[refused] if refused else []):
            if there is None:
                with pytest.raises(FAILURES):
                    await update(of, channel, 20, TEXT, renew=renew)
            else:
                assert await update(of, channel, 20, TEXT, renew=renew) is there, refused
        assert asked(stage, channel) == done
        assert poster.is_confirmed(of) is (there is True)
        if there:
            assert await update(of, channel, 20, TEXT)
            assert asked(stage, channel) == done, "an edit that only has to be recorded isn't repeated"
        if there is False:
            await poster.post(of, channel, TEXT)
            assert not await update(of, channel, 20, TEXT), "its record is missing"
            assert asked(stage, channel) == [*done, "send"]
