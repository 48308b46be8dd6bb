"""Posting exactly once: what is searched, what is taken for ours, and what happens to what can't be sent."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.utils import time_snowflake
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.outbound import posting
from bot.outbound.posting import AwayError, GoneError, NotOursError, Poster, keep_posted
from matches.outbox.messages import LogNotice
from matches.ports import StoreError
from tests.bot.wall import INHERITED, MATCH, ME, SOMEONE, TEXT, Wall, World, refusal, row
from tests.fakes.hand_set import START


def item(call: Call) -> Any:
    """A button of a message to send."""
    return SimpleNamespace(call=call)


def with_call(call: Call) -> Any:
    """A message to send, that is known by a call."""
    found: Any = Outgoing("A board", items=(item(Call("tap", MATCH, 99)), item(call)))
    return SimpleNamespace(content="A board", items=found.items, fields=lambda: {"content": "A board"})


CALLS = st.builds(
    Call,
    st.sampled_from(("view", "moves")),
    st.sampled_from((MATCH, "F-2AB")),
    st.integers(4, 5),
    st.sampled_from(("", "mirror", "showcase", "more")),
)


@given(CALLS, CALLS, st.sampled_from((ME, SOMEONE)))
async def test_a_message_is_known_by_its_match_and_entry_and_by_what_sort_it_is(
    wanted: Call, there: Call, author: int
) -> None:
    world, wall = World(), Wall()
    stands = wall.put(time_snowflake(START) + 1, author, (Call("tap", MATCH, 3), there))
    posted = await Poster(world.ctx, INHERITED).post(row(tries=1), wall, with_call(wanted))  # type: ignore[arg-type]
    sort = [each.arg if each.arg in ("mirror", "showcase") else "board" for each in (wanted, there)]
    entries = {wanted.seq, there.seq} if wanted.arg != "mirror" else {0}
    same = author == ME and wanted.match == there.match and len(set(sort)) == len(entries) == 1
    assert (posted is stands) is same
    assert [verb for verb, _ in wall.done] == ([] if same else ["send"])


MINUTES = st.integers(-60, 60)
"""When something was written, from the time of the row on."""


@given(
    st.lists(st.tuples(MINUTES, st.integers(0, 4)), max_size=12),
    st.none() | MINUTES,
    st.none() | MINUTES,
    st.booleans(),
)
async def test_what_an_earlier_try_has_sent_is_found_wherever_it_stands(
    others: list[tuple[int, int]], ours: int | None, recorded: int | None, called: bool
) -> None:
    world, wall = World(), Wall()
    own = Call("view", MATCH, 4)
    sorts: tuple[tuple[int, list[Call], str], ...] = (
        (SOMEONE, [own], "A board"),
        (ME, [Call("view", MATCH, 3)], "Another board"),
        (ME, [Call("view", "F-2AB", 4)], "Another match"),
        (ME, [], "A word"),
        (SOMEONE, [], "A board"),
    )

    def at(minutes: int, more: int) -> int:
        return time_snowflake(START + timedelta(minutes=minutes)) + more

    for n, (minutes, sort) in enumerate(others):
        author, calls, content = sorts[sort]
        wall.put(at(minutes, n + 2), author, calls, content)
    mine = None if ours is None else wall.put(at(ours, 0), ME, [own] if called else [], "A board")
    world.posts = [SimpleNamespace(channel=8, message=at(90, 0)), SimpleNamespace(channel=7, message=5)]
    if recorded is not None:
        world.posts.append(SimpleNamespace(channel=7, message=at(recorded, -1)))
        wall.put(at(recorded, -1), ME, [own], "A board")  # an earlier one that reads the same
    outgoing: Any = with_call(own) if called else Outgoing("A board")
    channel: Any = wall
    posted = await Poster(world.ctx, INHERITED).post(row(tries=1), channel, outgoing)
    if ours is not None and (recorded is None or ours >= recorded):
        assert posted is mine
        assert wall.done == []
    else:
        assert wall.done == [("send", posted.id)]
        assert wall.nonces == ["nonce 11"]


@pytest.mark.parametrize(("before", "after"), [(499, 3000), (3000, 499)])
async def test_five_hundred_messages_are_searched_each_way(before: int, after: int) -> None:
    """Ours is among the first five hundred since the row was made, or among the last five hundred before."""
    world, wall, own = World(), Wall(), Call("view", MATCH, 4)
    start = time_snowflake(START - timedelta(minutes=5))
    for n in range(1, 4):
        wall.put(start - 5000 - n, SOMEONE)
    mine: Any = wall.put(start + 500 if after > before else start - 500, ME, [own])
    crowd = [*range(start - before, start), *range(start + 1, start + after)]
    wall.messages += [
        SimpleNamespace(id=each, author=SimpleNamespace(id=SOMEONE)) for each in crowd if each != mine.id
    ]
    wall.messages.sort(key=lambda each: each.id)
    channel: Any = wall
    further = mine.id + 2 if after > before else mine.id - 2
    assert await Poster(world.ctx, INHERITED).find_board(row(tries=1), 4, channel) is mine
    wall.messages.remove(mine)
    wall.put(further, ME, [own])
    assert await Poster(world.ctx, INHERITED).find_board(row(tries=1), 4, channel) is None


@pytest.mark.parametrize(
    ("number", "tries", "searched"),
    [(INHERITED + 1, 0, 0), (INHERITED + 1, 1, 2), (INHERITED, 0, 2), (INHERITED - 1, 0, 2)],
)
async def test_only_what_may_have_been_sent_is_searched(number: int, tries: int, searched: int) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    poster = Poster(world.ctx, INHERITED)
    await poster.find_board(row(number, tries=tries), 4, channel)
    assert wall.searches == searched
    await poster.post(row(number, tries=tries), channel, TEXT)
    assert wall.searches == 2 * searched


async def test_a_nonce_spares_the_search_unless_it_is_unknown_what_became_of_the_message() -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    poster = Poster(world.ctx, INHERITED)
    wall.refusals["send"] = [refusal(403, 50001), refusal(503), OSError("reset")]
    for tries, searches in enumerate((0, 0, 2)):
        with pytest.raises((discord.HTTPException, OSError)):
            await poster.post(row(tries=tries), channel, TEXT)
        assert wall.searches == searches
    assert not poster.is_confirmed(row())
    posted = await poster.post(row(tries=3), channel, TEXT)
    assert wall.searches == 4
    assert (poster.is_confirmed(row()), poster.was_posted(row())) == (True, True)
    assert await poster.post(row(tries=4), channel, TEXT) is posted
    assert wall.done == [("send", posted.id)]
    poster.done(row())
    assert (poster.is_confirmed(row()), poster.was_posted(row())) == (False, False)


async def test_after_another_process_everything_is_searched() -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    poster = Poster(world.ctx, INHERITED)
    wall.refusals["send"] = [refusal(403), refusal(403)]
    for searches in (0, 2):
        with pytest.raises(discord.Forbidden):
            await poster.post(row(tries=searches), channel, TEXT)
        assert wall.searches == searches
        poster.forget_begun()
    assert not poster.begin(row())
    assert poster.begin(row())
    poster.done(row())
    assert not poster.begin(row())


async def test_nothing_is_sent_once_another_process_may_serve_the_shard() -> None:
    world, wall, own = World(), Wall(), Call("view", MATCH, 4)
    channel: Any = wall
    world.shards.in_time = False
    with pytest.raises(NotOursError):
        await Poster(world.ctx, INHERITED).post(row(tries=1), channel, with_call(own))
    assert wall.done == []
    mine = wall.put(time_snowflake(START), ME, [own])
    assert await Poster(world.ctx, INHERITED).post(row(tries=1), channel, with_call(own)) is mine


async def test_before_the_library_knows_us_nothing_is_ours() -> None:
    world, wall, own = World(), Wall(), Call("view", MATCH, 4)
    channel: Any = wall
    wall.put(time_snowflake(START), ME, [own])
    world.ctx.discord.client.user = None
    assert await Poster(world.ctx, INHERITED).find_board(row(tries=1), 4, channel) is None
    found = await keep_posted(world.ctx, channel, None, TEXT, ("view", ""))
    assert wall.done == [("send", found)]


async def test_how_long_posting_takes_is_counted_and_where_people_are_written_to_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, wall = World(), Wall()
    channel: Any = wall
    times = iter((10.0, 12.5, 20.0, 20.5))
    monkeypatch.setattr(posting, "perf_counter", lambda: next(times))
    await Poster(world.ctx, INHERITED).post(row(), channel, TEXT)
    assert world.noted == []
    await Poster(world.ctx, INHERITED).post(row(user=5), channel, TEXT)
    assert world.noted == [(5, wall.id)]
    assert world.took == [("post", 2.5), ("post", 0.5)]


async def test_where_a_row_goes() -> None:
    world = World()
    poster = Poster(world.ctx, INHERITED)
    here: Any = SimpleNamespace(place=SimpleNamespace(home=30, guild=3))
    assert await poster.channel(row(user=5), here) == (1005, None)
    assert await poster.channel(row(user=5), None) == (1005, None)
    assert await poster.channel(row(), here) == (30, 3)
    with pytest.raises(GoneError):
        await poster.channel(row(), None)
    world.left = frozenset({3})
    with pytest.raises(AwayError):
        await poster.channel(row(), here)
    assert await poster.channel(row(user=5), here) == (1005, None)


@given(
    st.sets(st.integers(1, 4)),
    st.lists(st.integers(1, 4), unique=True),
    st.none() | st.integers(1, 4),
    st.sampled_from((None, "server", "direct")),
    st.booleans(),
)
async def test_nobody_is_called_who_wants_no_pings(
    wants: set[int], ping: list[int], user: int | None, place: str | None, silent: bool
) -> None:
    world = World()
    world.callable = frozenset(wants)
    current: Any = place and SimpleNamespace(
        host=4, place=SimpleNamespace(guild=None if place == "direct" else 3)
    )
    said = await Poster(world.ctx, INHERITED).gated(
        Outgoing("Look", ping=tuple(ping), silent=silent), current, user
    )
    reader = user if user is not None else 4 if place == "direct" else None
    called = wants & ({reader} if reader is not None else set(ping))
    assert said.ping == tuple(each for each in ping if each in called)
    assert said.silent is (silent or (reader is not None and reader not in wants))
    assert said.content == "Look"


PICTURE, WORDS = Outgoing("p", files=(("a.png", b"", ""),)), Outgoing("w", files=(("a.txt", b"", ""),))


async def test_what_cannot_be_drawn_is_text_and_what_is_refused_has_no_files() -> None:
    world = World()
    poster = Poster(world.ctx, INHERITED)
    failures: list[Exception] = []

    async def make(picture: bool) -> Outgoing:
        if picture and failures:
            raise failures[-1]
        return PICTURE if picture else WORDS

    assert await poster.drawn(row(), make) is PICTURE
    failures.append(StoreError("locked"))
    with pytest.raises(StoreError):
        await poster.drawn(row(), make)
    assert world.counted == []
    failures.append(ValueError("no colours left"))
    assert await poster.drawn(row(), make) is WORDS
    assert world.counted == ["messages: fallback (board, picture)"]
    failures.clear()
    assert await poster.drawn(row(), make) is WORDS, "the failure is remembered"
    assert poster.may_be_plainer(row())
    poster.send_plainer(row())
    assert not poster.may_be_plainer(row())
    assert await poster.drawn(row(), make) == Outgoing("w")
    assert await poster.drawn(row(12), make) is PICTURE
    assert poster.may_be_plainer(row(12))
    assert not poster.may_be_plainer(row(12, LogNotice(3, 4))), "it has no picture"


def test_what_a_delivery_has_queued_is_told_once() -> None:
    poster = Poster(World().ctx, INHERITED)
    assert not poster.take_queued()
    poster.note_queued()
    assert poster.take_queued()
    assert not poster.take_queued()
