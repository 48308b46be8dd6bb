"""Queries: by id, by person, by channel; any moment of a match; legal moves for autocomplete."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

import pytest

from games.engine import match as engine
from games.engine.game import Fact
from games.engine.match import Entry, Match, walk
from matches.log import replay
from matches.log.changes import change_spans
from matches.log.match_cache import MatchCache
from matches.log.replay import replay_log
from matches.ports import Store
from matches.results import CurrentMatch, Refused
from tests.fakes import MemoryStore
from tests.matches.world import ANN, BOB, CYD, World, played, refused

PARTS = ("lobbies", "play", "computers", "channels", "housekeeping", "queries")


async def test_ids_are_found_however_they_are_typed(world: World) -> None:
    row = await world.open_lobby(ANN)
    code = row.id.removeprefix("W-")
    for text in (row.id, row.id.lower(), f"w{code}", f" #W {code}", f"`{row.id}`", f"**{row.id}**!"):
        assert await world.queries.find(text) == row
    for text in ("", "W", "W-", "W-ZZZ", "nobody", "7777", "é" * 4000, "W-0OIL", row.id * 9):
        assert await world.queries.find(text) is None
    assert await world.queries.row(row.id) == row
    assert await world.queries.row(code) is None


async def test_every_moment_of_a_match_can_be_seen_again(world: World) -> None:
    begun = await world.match(ANN, BOB)
    changes = [begun, await world.move(begun.row.id, ANN), await world.move(begun.row.id, BOB)]
    changes.append(played(await world.play.resign(begun.row.id, 1, request="a")))
    for cached in (True, False):
        if not cached:
            world.restart()
        for change in changes:
            assert await world.queries.at(begun.row.id, change.last) == change.match
            facts = await world.queries.facts(begun.row.id, change.first, change.last)
            assert facts == (change.match, change.facts)
    assert (await world.queries.at(begun.row.id, 2)).seq == 2
    every = sum((change.facts for change in changes), ())
    assert (await world.queries.facts(begun.row.id, 0, changes[-1].last))[1] == every
    for missing in (99, -1):
        with pytest.raises(LookupError):
            await world.queries.at(begun.row.id, missing)
    with pytest.raises(LookupError):
        await world.queries.at("W-ZZZ", 0)


async def test_a_match_is_folded_from_its_log_alone(world: World) -> None:
    begun = await world.match(ANN, BOB, CYD)
    done = await world.move(begun.row.id, BOB)
    world.restart()
    assert await world.queries.current(begun.row.id) == CurrentMatch(done.row, done.match)


async def test_legal_moves_begin_like_what_is_typed(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    id_, mover = begun.row.id, next(iter(begun.match.to_act)) + 1
    every = await world.queries.legal(id_, mover, limit=1000)
    assert len(every) == 68
    assert len(await world.queries.legal(id_, mover)) == 25
    first = every[0]
    file = first[0]
    for prefix in (first, first.upper(), first.replace("-", " "), first.replace("-", ""), f" {first[:3]}"):
        assert first in await world.queries.legal(id_, mover, prefix)
    assert all(move[0] == file for move in await world.queries.legal(id_, mover, file, limit=3))
    goal = first.split("-")[1]
    contained = await world.queries.legal(id_, mover, goal, limit=1000)
    assert first in contained
    assert [move.startswith(goal) for move in contained] == sorted(
        (move.startswith(goal) for move in contained), reverse=True
    )
    assert await world.queries.legal(id_, mover, "z9") == ()


async def test_who_is_not_to_move_has_no_legal_moves(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    lobby = (await world.open_lobby(ANN)).id
    for match, who in ((id_, 1), (id_, 3), (lobby, 1), ("W-ZZZ", 1)):
        assert await world.queries.legal(match, who) == ()


async def test_my_matches_come_with_those_first_that_wait_for_me(world: World) -> None:
    waiting = (await world.match(ANN, BOB)).row.id
    world.clock.advance(minutes=1)
    done = (await world.match(BOB, ANN)).row.id
    world.clock.advance(minutes=1)
    await world.move(done, ANN)
    await world.open_lobby(ANN)
    over = (await world.match(ANN, BOB)).row.id
    await world.play.resign(over, 1, request="a")
    assert [seen.row.id for seen in await world.queries.mine(ANN.id)] == [waiting, done]
    assert await world.queries.mine(CYD.id) == ()


async def test_a_host_without_a_seat_does_not_play(world: World) -> None:
    row = (await world.match(ANN, BOB)).row
    assert world.queries.seat_of(row, 1) == 0
    assert world.queries.seat_of(row, 3) is None
    invited = await world.open_lobby(ANN, seats=3, invited=(CYD,))
    assert world.queries.seat_of(invited, 3) is None


async def test_a_log_that_can_not_be_read_is_named_and_hides_no_other() -> None:
    store = MemoryStore()
    world = World(store)
    bad, good = (await world.match(ANN, BOB)).row.id, (await world.match(ANN, BOB)).row.id
    store.db.execute("DROP TRIGGER entries_last")
    store.db.execute("DELETE FROM entries WHERE match = ? AND seq > 0", (bad,))
    store.db.execute(
        "INSERT INTO entries SELECT ?, 1, kind, seat, data, at, user FROM entries "
        "WHERE match = ? AND seq = 0",
        (bad, good),
    )
    world.restart()
    answer = await world.play.submit(bad, 1, "card 1", request="a")
    assert isinstance(answer, Refused)
    assert answer.why.values == (("entry", 1), ("id", bad))
    assert refused(await world.queries.current(bad)) == "match.refuse.corrupt"
    assert [seen.row.id for seen in await world.queries.mine(1)] == [good]
    store.db.execute("DELETE FROM entries WHERE match = ?", (bad,))
    assert refused(await world.queries.current(bad)) == "match.refuse.corrupt"


async def test_resting_matches_hold_no_memory(world: World) -> None:
    world.settings = {"cache": 3, "max_open_per_user": 99}
    world.restart()
    await world.housekeeping.tick()
    for _ in range(12):
        id_ = (await world.match(ANN, BOB)).row.id
        await world.move(id_, ANN)
    core = world.queries._core
    assert (len(core.cache), len(core.locks)) == (3, 0)
    assert await world.computers.waiting() == ()
    assert len(await world.queries.mine(1)) == 12
    assert (len(core.cache), len(core.locks)) == (3, 0)
    parts = [core, *(vars(world.service)[part] for part in PARTS)]
    each = [
        (type(part).__name__, name)
        for part in parts
        for name, value in vars(part).items()
        if isinstance(value, dict | list | set) and len(value) >= 12
    ]
    assert each == [], "something is kept for each match"


async def test_the_cache_keeps_what_was_used_last(world: World) -> None:
    ids = [(await world.match(ANN, BOB)).row.id for _ in range(3)]
    older, *_ = at_start = [await replay_log(await world.store.log(id_), 1) for id_ in ids]
    cache = MatchCache(2)
    for cached in at_start[:2]:
        cache.put(cached)
    assert cache.get(ids[0], 1) == older
    cache.put(at_start[2])
    assert [cache.get(id_, 1) is not None for id_ in ids] == [True, False, True]
    assert cache.get(ids[0], 0) is None, "another version is another match"
    await world.move(ids[0], ANN)
    newer = await replay_log(await world.store.log(ids[0]), 2)
    cache.put(newer)
    cache.put(older)
    assert cache.newest(ids[0]) == newer, "a match never goes back"
    cache.drop(ids[0])
    cache.drop("W-ZZZ")
    assert len(cache) == 1


async def test_what_is_cached_is_what_the_log_tells(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    ask: list[Callable[[], Awaitable[object]]] = [
        lambda: world.move(id_, ANN),
        lambda: world.play.offer_draw(id_, 1, request=world.new),
        lambda: world.play.decline_draw(id_, 2, request=world.new),
        lambda: world.move(id_, BOB),
        lambda: world.play.offer_draw(id_, 2, request=world.new),
        lambda: world.play.offer_draw(id_, 1, request=world.new),
    ]
    for change in ask:
        await change()
        row = await world.queries.row(id_)
        assert row is not None
        cached = world.queries._core.cache.get(id_, row.version)
        assert cached is not None
        assert cached == await replay_log(await world.store.log(id_), row.version)
        assert (await world.queries.last_change(row)).first == cached.changes[0].first


async def test_a_long_match_is_replayed_once_however_often_it_is_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[int] = []

    def counting(entries: Iterable[Entry]) -> Iterable[tuple[Match, tuple[Fact, ...]]]:
        walks.append(1)
        return walk(entries)

    monkeypatch.setattr(replay, "walk", counting)
    monkeypatch.setattr(engine, "walk", counting)
    id_ = (await world.match(ANN, BOB, CYD)).row.id
    for _ in range(150):
        await world.play.offer_draw(id_, 1, request=world.new)
        await world.play.decline_draw(id_, 2, request=world.new)
    for who in (ANN, BOB, CYD, ANN):
        await world.move(id_, who)
    await world.play.offer_draw(id_, 1, request=world.new)
    assert walks == [], "what was just played is cached"

    async def look() -> None:
        row = await world.queries.row(id_)
        assert row is not None
        assert row.version > 300
        match = await world.queries.at(id_, row.version)
        last = await world.queries.last_change(row)
        first = last.first
        assert last.match is match
        assert first < row.version, "the offer is no change of the position"
        assert (await world.queries.facts(id_, first, row.version))[0] is match
        assert (await world.queries.facts(id_, row.version, row.version))[0] is match

        seen = await world.queries.current(id_)
        assert isinstance(seen, CurrentMatch)
        assert seen.match is match
        assert [mine.match is match for mine in await world.queries.mine(BOB.id)] == [True]
        await world.queries.legal(id_, BOB.id)
        late = await world.play.offer_draw(id_, 2, request=world.new, version=row.version - 1)
        assert refused(late) == "match.refuse.stale"
        assert refused(await world.play.submit(id_, 2, "card 99", request=world.new))

    for _ in range(5):
        await look()
    assert walks == []
    world.restart()
    for _ in range(5):
        await look()
    assert len(walks) == 1
    await world.queries.at(id_, 300)
    await world.queries.facts(id_, 200, 250)
    assert len(walks) == 3, "an earlier moment is replayed"


async def test_a_move_in_a_cached_match_reads_no_log(world: World) -> None:
    class Counting:
        """Counts how often a log is read."""

        def __init__(self, store: Store) -> None:
            self.store, self.logs = store, 0

        def __getattr__(self, name: str) -> object:
            self.logs += name == "log"
            return getattr(self.store, name)

    counting = Counting(world.store)
    world.store = counting  # type: ignore[assignment]  # passes everything on
    world.restart()
    end = await world.play_out((await world.match(ANN, BOB)).row.id, ANN, BOB)
    await world.queries.facts(end.row.id, end.first, end.last)
    assert counting.logs == 1, "only the end reads it, for what it says about its people"
    spans = change_spans(await world.queries.log(end.row.id), end.last)
    assert (spans[-1].first, spans[-1].last) == (end.first, end.last)
