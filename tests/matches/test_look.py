"""Looking: by id, by person, by channel; any moment of a match; legal moves for autocomplete."""

from __future__ import annotations

import pytest

from matches.folds import Folds, change_start, stretch
from matches.ports import Store
from matches.results import Refused, Seen
from tests.fakes import MemoryStore
from tests.matches.world import ANN, BOB, CYD, World, played, refused


async def test_ids_are_found_however_they_are_typed(world: World) -> None:
    row = await world.table(ANN)
    code = row.id.removeprefix("W-")
    for text in (row.id, row.id.lower(), f"w{code}", f" #W {code}", f"`{row.id}`", f"**{row.id}**!"):
        assert await world.service.find(text) == row
    for text in ("", "W", "W-", "W-ZZZ", "nobody", "7777", "é" * 4000, "W-0OIL", row.id * 9):
        assert await world.service.find(text) is None
    assert await world.service.row(row.id) == row
    assert await world.service.row(code) is None


async def test_every_moment_of_a_match_can_be_seen_again(world: World) -> None:
    begun = await world.match(ANN, BOB)
    changes = [begun, await world.move(begun.row.id, ANN), await world.move(begun.row.id, BOB)]
    changes.append(played(await world.service.resign(begun.row.id, 1, request="a")))
    for hot in (True, False):
        if not hot:
            world.restart()
        for change in changes:
            assert await world.service.at(begun.row.id, change.last) == change.match
            facts = await world.service.facts(begun.row.id, change.first, change.last)
            assert facts == (change.match, change.facts)
    assert (await world.service.at(begun.row.id, 2)).seq == 2
    every = sum((change.facts for change in changes), ())
    assert (await world.service.facts(begun.row.id, 0, changes[-1].last))[1] == every
    for missing in (99, -1):
        with pytest.raises(LookupError):
            await world.service.at(begun.row.id, missing)
    with pytest.raises(LookupError):
        await world.service.at("W-ZZZ", 0)


async def test_a_match_is_folded_from_its_log_alone(world: World) -> None:
    begun = await world.match(ANN, BOB, CYD)
    done = await world.move(begun.row.id, BOB)
    world.restart()
    assert await world.service.seen(begun.row.id) == Seen(done.row, done.match)


async def test_legal_moves_begin_like_what_is_typed(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    id_, mover = begun.row.id, next(iter(begun.match.to_act)) + 1
    every = await world.service.legal(id_, mover, limit=1000)
    assert len(every) == 68
    assert len(await world.service.legal(id_, mover)) == 25
    first = every[0]
    file = first[0]
    for prefix in (first, first.upper(), first.replace("-", " "), first.replace("-", ""), f" {first[:3]}"):
        assert first in await world.service.legal(id_, mover, prefix)
    assert all(move[0] == file for move in await world.service.legal(id_, mover, file, limit=3))
    goal = first.split("-")[1]
    contained = await world.service.legal(id_, mover, goal, limit=1000)
    assert first in contained
    assert [move.startswith(goal) for move in contained] == sorted(
        (move.startswith(goal) for move in contained), reverse=True
    )
    assert await world.service.legal(id_, mover, "z9") == ()


async def test_who_is_not_to_move_has_no_legal_moves(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    lobby = (await world.table(ANN)).id
    for match, who in ((id_, 1), (id_, 3), (lobby, 1), ("W-ZZZ", 1)):
        assert await world.service.legal(match, who) == ()


async def test_my_matches_come_with_those_first_that_wait_for_me(world: World) -> None:
    waiting = (await world.match(ANN, BOB)).row.id
    world.clock.advance(minutes=1)
    done = (await world.match(BOB, ANN)).row.id
    world.clock.advance(minutes=1)
    await world.move(done, ANN)
    await world.table(ANN)
    over = (await world.match(ANN, BOB)).row.id
    await world.service.resign(over, 1, request="a")
    assert [seen.row.id for seen in await world.service.mine(ANN.id)] == [waiting, done]
    assert await world.service.mine(CYD.id) == ()


async def test_a_host_without_a_seat_does_not_play(world: World) -> None:
    row = (await world.match(ANN, BOB)).row
    assert world.service.seat_of(row, 1) == 0
    assert world.service.seat_of(row, 3) is None
    invited = await world.table(ANN, seats=3, invited=(CYD,))
    assert world.service.seat_of(invited, 3) is None


async def test_a_log_that_can_not_be_read_is_named_and_hides_no_other() -> None:
    store = MemoryStore()
    world = World(store)
    bad, good = (await world.match(ANN, BOB)).row.id, (await world.match(ANN, BOB)).row.id
    store.logs[bad][1:] = store.logs[good][:1]
    world.restart()
    answer = await world.service.submit(bad, 1, "card 1", request="a")
    assert isinstance(answer, Refused)
    assert answer.why.values == (("entry", 0), ("id", bad))
    assert refused(await world.service.seen(bad)) == "match.refuse.corrupt"
    assert [seen.row.id for seen in await world.service.mine(1)] == [good]
    store.logs[bad].clear()
    assert refused(await world.service.seen(bad)) == "match.refuse.corrupt"


async def test_resting_matches_hold_no_memory(world: World) -> None:
    world.settings = {"cache": 3, "max_open_per_user": 99}
    world.restart()
    await world.service.tick()
    for _ in range(12):
        id_ = (await world.match(ANN, BOB)).row.id
        await world.move(id_, ANN)
    desk = world.service
    assert (len(desk._folds), len(desk._locks), desk._due) == (3, 0, set())
    assert len(await desk.mine(1)) == 12
    assert (len(desk._folds), len(desk._locks)) == (3, 0)
    assert not any(len(value) > 3 for value in vars(desk).values() if isinstance(value, dict | list | set))


async def test_the_cache_keeps_what_was_used_last(world: World) -> None:
    ids = [(await world.match(ANN, BOB)).row.id for _ in range(3)]
    stored = {id_: [one.entry for one in await world.store.log(id_)] for id_ in ids}
    folds = Folds(2)
    for id_ in ids[:2]:
        folds.put(stretch(stored[id_], 0, 1))
    assert folds.get(ids[0], 1) is not None
    folds.put(stretch(stored[ids[2]], 0, 1))
    assert [folds.get(id_, 1) is not None for id_ in ids] == [True, False, True]
    assert folds.get(ids[0], 0) is None, "another version is another match"
    folds.drop(ids[0])
    folds.drop("W-ZZZ")
    assert len(folds) == 1


async def test_a_move_on_a_hot_match_reads_no_log(world: World) -> None:
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
    await world.service.facts(end.row.id, end.first, end.last)
    assert counting.logs == 0
    assert change_start(await world.service.log(end.row.id), end.last) == end.first
