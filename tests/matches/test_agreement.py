"""How often someone's moves agree with analyses, beside what is usual for their rating."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.messages.tournaments import agreement_text
from bot.platform.reader_settings import Reader
from games.ai.analysis import Analysis, SeatReport
from games.ai.analysis_json import dump_analysis
from games.engine.game import Seat
from matches.lookback.agreement import LEAST_COMPARED, NEAR, Agreement, Compared, compare
from matches.results import Played
from matches.store.rows import MatchRow
from matches.store.standing import EVERYWHERE, Ladder
from matches.store.tournaments import EntrantRow
from tests.matches.world import ANN, BOB, CYD, World, catalogue, played

TOY = Ladder("toy", "2", EVERYWHERE)


def analysis(world: World, row: MatchRow, best: Sequence[int], moves: int) -> Analysis:
    """An analysis in which each seat has made so many moves, some of them the best."""
    seats = tuple(SeatReport(Seat(n), moves, count, 50.0, (), None, 0.0) for n, count in enumerate(best))
    source = world.service.analyses.source(row.game)
    return Analysis((0, 1), ((0.5, 0.5), (1.0, 0.0)), (0.1, 0.0), seats, source)


async def ended(world: World, best: Sequence[int] = (), moves: int = 60) -> MatchRow:
    """A rated match that Bob gives up, analysed unless `best` is empty."""
    begun = await world.match(ANN, BOB, rated=True)
    for who in (ANN, BOB):
        await world.move(begun.row.id, who)
    done: Played = played(await world.play.resign(begun.row.id, BOB.id, request=world.new))
    world.clock.advance(timedelta(days=2))
    if best:
        found = analysis(world, done.row, best, moves)
        await world.store.save_analysis(done.row.id, found.source, dump_analysis(found), world.clock.now())
    return done.row


async def asked(world: World, rows: Sequence[MatchRow], user: int = ANN.id) -> Compared:
    return await compare(world.store, world.service.analyses, rows, user, TOY, CYD.id)


async def test_matches_of_the_person_are_added_up_beside_those_of_people_near_them(world: World) -> None:
    rows = [await ended(world, (30, 12)), await ended(world, (45, 24))]
    found = await asked(world, rows)
    assert found.own == Agreement(2, 120, 75)
    assert (found.missing, found.started) == (0, False)
    assert found.points == round((await world.store.ratings_of(ANN.id))[TOY].points)
    before = [one for row in rows for one in (await world.store.match_result(row.id) or ((), ()))[1]]
    near = [
        one
        for one in before
        if (one.user, one.scope) == (BOB.id, EVERYWHERE) and abs(one.before.points - found.points) <= NEAR
    ]
    assert (found.usual.matches, found.people) == (len(near), bool(near))
    of_bob = await asked(world, rows, BOB.id)
    assert of_bob.own == Agreement(2, 120, 36)
    of_cyd = await asked(world, (), CYD.id)
    assert (of_cyd.usual, of_cyd.people) == (Agreement(2, 120, 42), 2), "both were new in the first match"
    text = agreement_text(EntrantRow(1, ANN.id, "Ann"), found, Reader(catalogue()))
    assert text.startswith("Ann: 75 of 120 moves (62 %) in 2 analysed matches agree")
    assert "This can't show that someone had help" in text.splitlines()[-1]


async def test_what_is_not_analysed_is_said_and_begun(world: World) -> None:
    rows = [await ended(world), await ended(world)]
    found = await asked(world, rows)
    assert (found.own, found.missing, found.started) == (Agreement(), 2, True)
    text = agreement_text(EntrantRow(1, ANN.id, "Ann"), found, Reader(catalogue()))
    assert text.splitlines()[0] == "Ann: no match of theirs in this tournament has been analysed yet."
    assert "2 matches aren't analysed yet. I'm analysing one: ask again in some minutes." in text
    await world.service.analyses.close()


def test_little_is_not_called_usual() -> None:
    reader = Reader(catalogue())
    for moves, said in (
        (LEAST_COMPARED - 1, "isn't known"),
        (LEAST_COMPARED, "Usual for ratings from 1500 to 1700"),
    ):
        found = Compared(Agreement(1, 10, 5), 1, False, 1600, Agreement(3, moves, moves // 2), 2)
        text = agreement_text(EntrantRow(1, ANN.id, "Ann"), found, reader)
        assert said in text
        assert "One match isn't analysed yet." in text
