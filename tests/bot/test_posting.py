"""Posting exactly once: what is searched, what is taken for ours, and what happens to what can't be sent."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import discord
import pytest
from discord.http import Route
from discord.utils import time_snowflake
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.messages.components import PREFIX, Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.outbound import posting
from bot.outbound.posting import AwayError, GoneError, NotOursError, Poster, keep_posted
from matches.outbox.base import Message
from matches.outbox.messages import BoardMessage, LogNotice
from matches.outbox.queue import Draft, OutboxRow
from matches.ports import StoreError
from tests.bot.stage import Stage, row_of
from tests.bot.test_remedies import error
from tests.fakes import START
from tests.soak import examples

MATCH = "F-7K2"
INHERITED = 10
TEXT = Outgoing("It's your move.")
BOARD = BoardMessage(3, 4)
SHARED = settings(
    max_examples=examples(50),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""All examples are played on one stage, each in a channel of its own."""


def row(
    number: int = INHERITED + 1,
    message: Message = BOARD,
    *,
    tries: int = 0,
    user: int | None = None,
    lane: str = MATCH,
) -> OutboxRow:
    """A row of the outbox, by default one that this process tries for the first time."""
    draft = Draft(message, MATCH, lane, user)  # type: ignore[arg-type] # of every kind
    return OutboxRow(number, draft, f"nonce {number}", START, START, tries)


def room(stage: Stage) -> discord.PartialMessageable:
    """A new channel, as a poster sees it."""
    made = stage.guild.create_text_channel("room")
    return stage.bot.get_partial_messageable(made.id, guild_id=stage.guild.id)


def put(
    stage: Stage,
    channel: discord.PartialMessageable,
    number: int,
    calls: Iterable[Call] = (),
    content: str = "A word",
    *,
    ours: bool = True,
) -> int:
    """A message that stands in a channel under that id; return it."""
    backend = stage.env.backend
    author = backend.bot_user.id if ours else stage.ann.id
    rows = [row_of(f"{PREFIX}b:{call.custom_id}") for call in calls]
    made = backend.create_message(channel.id, author, content, components=rows, broadcast=False)
    standing = backend.messages[channel.id]
    del standing[made.id]
    made.id = number
    standing[number] = made
    return number


def _verb(method: str, path: str) -> str:
    if method == "PATCH":
        return "edit" if "/messages/" in path else "wake"
    return {"GET": "search", "POST": "send", "DELETE": "delete"}[method]


def asked(stage: Stage, channel: discord.PartialMessageable) -> list[str]:
    """What was asked of Discord in a channel, in order, without what `refusing` has refused."""
    path = f"/channels/{channel.id}"
    return [
        _verb(one.method, one.path)
        for one in stage.env.http_requests
        if one.path == path or one.path.startswith(f"{path}/")
    ]


@contextmanager
def refusing(stage: Stage, **refusals: list[BaseException]) -> Iterator[None]:
    """Let the next requests fail as the library raises it: edit, wake, send or delete."""
    real = stage.bot.http.request

    def request(route: Route, **how: Any) -> Awaitable[Any]:
        if waiting := refusals.get(_verb(route.method, route.url)):
            raise waiting.pop(0)
        return real(route, **how)

    with mock.patch.object(stage.bot.http, "request", request):
        yield


def with_call(call: Call) -> Outgoing:
    """A message to send, that is known by a call."""
    tap = Call("tap", MATCH, 99)
    return Outgoing("A board", items=(CallButton.make(tap, "1"), CallButton.make(call, "2")))


CALLS = st.builds(
    Call,
    st.sampled_from(("view", "moves")),
    st.sampled_from((MATCH, "F-2AB")),
    st.integers(4, 5),
    st.sampled_from(("", "mirror", "showcase", "more")),
)


@pytest.mark.slow
@SHARED
@given(CALLS, CALLS, st.booleans())
async def test_a_message_is_known_by_its_match_and_entry_and_by_what_sort_it_is(
    stage: Stage, wanted: Call, there: Call, ours: bool
) -> None:
    channel = room(stage)
    stands = put(stage, channel, time_snowflake(START) + 1, (Call("tap", MATCH, 3), there), ours=ours)
    posted = await Poster(stage.bot.context, INHERITED).post(row(tries=1), channel, with_call(wanted))
    sort = [each.arg if each.arg in ("mirror", "showcase") else "board" for each in (wanted, there)]
    entries = {wanted.seq, there.seq} if wanted.arg != "mirror" else {0}
    same = ours and wanted.match == there.match and len(set(sort)) == len(entries) == 1
    assert (posted.id == stands) is same
    assert ("send" in asked(stage, channel)) is not same


MINUTES = st.integers(-60, 60)
"""When something was written, from the time of the row on."""


@pytest.mark.slow
@SHARED
@given(
    st.lists(st.tuples(MINUTES, st.integers(0, 4)), max_size=12),
    st.none() | MINUTES,
    st.none() | MINUTES,
    st.booleans(),
)
async def test_what_an_earlier_try_has_sent_is_found_wherever_it_stands(
    stage: Stage, others: list[tuple[int, int]], ours: int | None, recorded: int | None, called: bool
) -> None:
    channel, own = room(stage), Call("view", MATCH, 4)
    sorts: tuple[tuple[bool, list[Call], str], ...] = (
        (False, [own], "A board"),
        (True, [Call("view", MATCH, 3)], "Another board"),
        (True, [Call("view", "F-2AB", 4)], "Another match"),
        (True, [], "A word"),
        (False, [], "A board"),
    )

    def at(minutes: int, more: int) -> int:
        return time_snowflake(START + timedelta(minutes=minutes)) + more

    for n, (minutes, sort) in enumerate(others):
        of_us, calls, content = sorts[sort]
        put(stage, channel, at(minutes, n + 2), calls, content, ours=of_us)
    mine = None if ours is None else put(stage, channel, at(ours, 0), [own] if called else [], "A board")
    posts = [(8, at(90, 0)), (channel.id, 5)]
    if recorded is not None:  # an earlier one that reads the same
        posts.append((channel.id, put(stage, channel, at(recorded, -1), [own], "A board")))
    known = [SimpleNamespace(channel=there, message=message) for there, message in posts]
    outgoing = with_call(own) if called else Outgoing("A board")
    with mock.patch.object(stage.bot.context.store, "posts", mock.AsyncMock(return_value=known)):
        posted = await Poster(stage.bot.context, INHERITED).post(row(tries=1), channel, outgoing)
    if ours is not None and (recorded is None or ours >= recorded):
        assert posted.id == mine
        assert set(asked(stage, channel)) == {"search"}
    else:
        assert asked(stage, channel)[-1] == "send"
        sent = stage.env.http_requests[-1].json
        assert isinstance(sent, dict)
        assert sent["nonce"] == "nonce 11"


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(499, 700), (700, 499)])
async def test_five_hundred_messages_are_searched_each_way(stage: Stage, before: int, after: int) -> None:
    """Ours is among the first five hundred since the row was made, or among the last five hundred before."""
    channel, own = room(stage), Call("view", MATCH, 4)
    start = time_snowflake(START - timedelta(minutes=5))
    mine = start + 500 if after > before else start - 500
    for each in (*range(start - before, start), *range(start + 1, start + after)):
        if each != mine:
            put(stage, channel, each, ours=False)
    put(stage, channel, mine, [own])
    found = await Poster(stage.bot.context, INHERITED).find_board(row(tries=1), 4, channel)
    assert found is not None
    assert found.id == mine
    further = mine + 2 if after > before else mine - 2
    standing = stage.env.backend.messages[channel.id]
    del standing[mine]
    standing.pop(further, None)
    put(stage, channel, mine, ours=False)
    put(stage, channel, further, [own])
    assert await Poster(stage.bot.context, INHERITED).find_board(row(tries=1), 4, channel) is None


@pytest.mark.slow
async def test_only_what_may_have_been_sent_is_searched(stage: Stage) -> None:
    for number, tries, searched in (
        (INHERITED + 1, 0, False),
        (INHERITED + 1, 1, True),
        (INHERITED, 0, True),
        (INHERITED - 1, 0, True),
    ):
        channel, poster = room(stage), Poster(stage.bot.context, INHERITED)
        await poster.find_board(row(number, tries=tries), 4, channel)
        search = ["search", "search"] if searched else []
        assert asked(stage, channel) == search
        await poster.post(row(number, tries=tries), channel, TEXT)
        assert asked(stage, channel) == [*search, *search, "send"]


@pytest.mark.slow
async def test_a_nonce_spares_the_search_unless_it_is_unknown_what_became_of_the_message(
    stage: Stage,
) -> None:
    channel, poster = room(stage), Poster(stage.bot.context, INHERITED)
    with refusing(stage, send=[error(403, 50001), error(503), OSError("reset")]):
        for tries, searches in enumerate((0, 0, 2)):
            with pytest.raises((discord.HTTPException, OSError)):
                await poster.post(row(tries=tries), channel, TEXT)
            assert asked(stage, channel) == ["search"] * searches
        assert not poster.is_confirmed(row())
        posted = await poster.post(row(tries=3), channel, TEXT)
    done = asked(stage, channel)
    assert done == [*["search"] * 4, "send"]
    assert (poster.is_confirmed(row()), poster.was_posted(row())) == (True, True)
    assert await poster.post(row(tries=4), channel, TEXT) is posted
    assert asked(stage, channel) == done
    poster.done(row())
    assert (poster.is_confirmed(row()), poster.was_posted(row())) == (False, False)


@pytest.mark.slow
async def test_after_another_process_everything_is_searched(stage: Stage) -> None:
    channel, poster = room(stage), Poster(stage.bot.context, INHERITED)
    with refusing(stage, send=[error(403), error(403)]):
        for searches in (0, 2):
            with pytest.raises(discord.Forbidden):
                await poster.post(row(tries=searches), channel, TEXT)
            assert asked(stage, channel) == ["search"] * searches
            poster.forget_begun()
    assert not poster.begin(row())
    assert poster.begin(row())
    poster.done(row())
    assert not poster.begin(row())


@pytest.mark.slow
async def test_nothing_is_sent_once_another_process_may_serve_the_shard(stage: Stage) -> None:
    ctx, channel, own = stage.bot.context, room(stage), Call("view", MATCH, 4)
    with mock.patch.object(type(ctx.discord.guilds.shards), "in_time", False):
        with pytest.raises(NotOursError):
            await Poster(ctx, INHERITED).post(row(tries=1), channel, with_call(own))
        assert asked(stage, channel) == ["search"] * 2
        mine = put(stage, channel, time_snowflake(START), [own])
        posted = await Poster(ctx, INHERITED).post(row(tries=1), channel, with_call(own))
    assert posted.id == mine


@pytest.mark.slow
async def test_before_the_library_knows_us_nothing_is_ours(stage: Stage) -> None:
    ctx, channel, own = stage.bot.context, room(stage), Call("view", MATCH, 4)
    put(stage, channel, time_snowflake(START), [own])
    with mock.patch.object(stage.bot._connection, "user", None):
        assert await Poster(ctx, INHERITED).find_board(row(tries=1), 4, channel) is None
        await keep_posted(ctx, channel, None, TEXT, ("view", ""))
    assert asked(stage, channel)[-1] == "send"


@pytest.mark.slow
async def test_how_long_posting_takes_is_counted_and_where_people_are_written_to_is_kept(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.open(stage.ann, stage.ben)
    ctx, channel, took = stage.bot.context, room(stage), mock.Mock()
    poster, times = Poster(ctx, INHERITED), iter((10.0, 12.5, 20.0, 20.5))
    monkeypatch.setattr(posting, "perf_counter", lambda: next(times))
    monkeypatch.setattr(ctx.operation.counters, "took", took)
    await poster.post(row(), channel, TEXT)
    posted = await poster.post(row(12, user=stage.ann.id), channel, TEXT)
    assert (await ctx.preferences.get("user", stage.ann.id))["direct"] == [channel.id, posted.id]
    assert "direct" not in await ctx.preferences.get("user", stage.ben.id)
    assert took.mock_calls == [mock.call("post", 2.5), mock.call("post", 0.5)]


@pytest.mark.slow
async def test_where_a_row_goes(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    poster, here = Poster(stage.bot.context, INHERITED), await stage.row(match)
    away = replace(here, place=replace(here.place, guild=5))
    assert (await poster.channel(row(), here)).id == thread.id
    for known in (here, None, away):
        direct = await poster.channel(row(user=stage.ann.id), known)
        assert direct.id == stage.ann.user.dm_channel.id
    with pytest.raises(GoneError):
        await poster.channel(row(), None)
    with pytest.raises(AwayError):
        await poster.channel(row(), away)


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
    async def may_be_called(users: Iterable[int]) -> set[int]:
        return wants & set(users)

    pings = SimpleNamespace(may_be_called=may_be_called)
    ctx: Any = SimpleNamespace(service=SimpleNamespace(pings=pings))
    current: Any = place and SimpleNamespace(
        host=4, place=SimpleNamespace(guild=None if place == "direct" else 3)
    )
    said = await Poster(ctx, INHERITED).gated(
        Outgoing("Look", ping=tuple(ping), silent=silent), current, user
    )
    reader = user if user is not None else 4 if place == "direct" else None
    called = wants & ({reader} if reader is not None else set(ping))
    assert said.ping == tuple(each for each in ping if each in called)
    assert said.silent is (silent or (reader is not None and reader not in wants))
    assert said.content == "Look"


PICTURE, WORDS = Outgoing("p", files=(("a.png", b"", ""),)), Outgoing("w", files=(("a.txt", b"", ""),))


async def test_what_cannot_be_drawn_is_text_and_what_is_refused_has_no_files() -> None:
    counted: list[str] = []
    counters = SimpleNamespace(add=counted.append)
    ctx: Any = SimpleNamespace(operation=SimpleNamespace(counters=counters))
    poster = Poster(ctx, INHERITED)
    failures: list[Exception] = []

    async def make(picture: bool) -> Outgoing:
        if picture and failures:
            raise failures[-1]
        return PICTURE if picture else WORDS

    assert await poster.drawn(row(), make) is PICTURE
    failures.append(StoreError("locked"))
    with pytest.raises(StoreError):
        await poster.drawn(row(), make)
    assert counted == []
    failures.append(ValueError("no colours left"))
    assert await poster.drawn(row(), make) is WORDS
    assert counted == ["messages: fallback (board, picture)"]
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
    ctx: Any = None
    poster = Poster(ctx, INHERITED)
    assert not poster.take_queued()
    poster.note_queued()
    assert poster.take_queued()
    assert not poster.take_queued()
