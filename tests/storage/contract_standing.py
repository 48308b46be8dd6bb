"""What every store does with the results of matches and the ratings that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from games.engine.game import Seat
from games.engine.match import Kind
from matches.ports import StaleError, Store
from matches.standing.ratings import START as NEW
from matches.standing.ratings import WAVE, Ledger, in_order, is_provisional
from matches.store.archive import AnalysedSeat
from matches.store.rows import Commit, SeatRow
from matches.store.standing import (
    LEAST_LENGTHS,
    PRIVATE,
    STANDING,
    ComputerResult,
    GameRecord,
    Ladder,
    MatchLength,
    MatchResult,
    Opponent,
    PersonResult,
    Ranked,
    Reliability,
)
from tests.fakes import START
from tests.soak import SOAK, sampled
from tests.storage.rows import ANN, BEN, after, entry, over

MINUTE = timedelta(minutes=1)
CYD = 180_000_000_000_000_003
FOCUS = Ladder("focus", "2", 0)
HERE = Ladder("focus", "2", 1)


def ended_as(match: str = "F-1", *users: int, minute: float = 0, **changes: object) -> MatchResult:
    """A match of people, the first of whom has won."""
    people = tuple(
        PersonResult(user, seat, seat, seat + 1, moves=3, pace=1000, last_move=START)
        for seat, user in enumerate(users or (ANN, BEN))
    )
    made = MatchResult(match, START + minute * MINUTE, "focus", "2", 1, len(people), "", people)
    return replace(made, **changes)  # type: ignore[arg-type] # any of its fields


async def ended(store: Store, *results: MatchResult) -> None:
    """Matches that have ended, in the order of their commits."""
    for one in results:
        live = over(one.match, status="live", version=0)
        await store.create(replace(live, entries=(entry(0),), holders=()))
        row = replace(after(live.row, 1), status="over")
        await store.commit(Commit(row, one.at, (entry(1, at=one.at),), result=one))


async def agrees(store: Store, results: Sequence[MatchResult]) -> None:
    """The store has what follows from these results, and nothing else."""
    ledger = Ledger()
    for one, found in ledger.count_all(in_order(results)):
        assert await store.match_result(one.match) == (one, found)
    users = {person.user for one in results for person in one.people}
    ratings = {
        (ladder, user): rating for user in users for ladder, rating in (await store.ratings_of(user)).items()
    }
    assert ratings == {(ladder, user): rating for ladder, user, rating, _ in ledger.ratings()}


async def near_each_other(store: Store, board: Sequence[Ranked]) -> None:
    """Each person of a whole leaderboard has the neighbours that they have there."""
    for number, one in enumerate(board):
        near = board[max(0, number - 1) : number + 2]
        assert await store.neighbours(FOCUS, one) == tuple(each for each in near if each != one)


LATE = 60 if SOAK else 30
"""Results that come in no order, each of which changes what came before it."""


def season(seed: int) -> list[MatchResult]:
    """Matches of a few people over some days: ties, waves of timeouts, substitutes, several games."""
    dice = Random(seed)
    made = []
    for number in range(60):
        users = dice.sample((ANN, BEN, CYD, 4, 5), dice.choice((2, 2, 3)))
        minute = dice.randrange(60 * 24 * 4)
        at = START + minute * MINUTE
        one = ended_as(f"F-{number}", *users, minute=minute, family=str(len(users)))
        people = []
        for person in one.people:
            moved = at - dice.randrange(3000) * MINUTE
            late = at if dice.random() < 0.2 else None
            share, why = dice.choice((("both", ""), ("both", ""), ("none", "unmoved"), ("loss", "left")))
            place = dice.randrange(1, len(users) + 1)
            kept = replace(person, place=place, last_move=moved, timed_out=late)
            people.append(replace(kept, share=share, why=why))  # type: ignore[arg-type] # literals
        guild = dice.choice((None, 1, 2))
        game = dice.choice(("focus", "dominion"))
        unrated = dice.choice(("", "", "", "hint"))
        more = (ComputerResult(9, 9, dice.randrange(1, 4), 1_700_000, 60_000),) * (dice.random() < 0.2)
        one = replace(one, people=tuple(people), guild=guild, game=game, computers=more)
        made.append(replace(one, unrated=unrated))  # type: ignore[arg-type] # a literal
    return made


async def seated(store: Store, one: MatchResult, first: str) -> None:
    """A match that has ended, of people with names, whose first seat has begun with a move."""
    seats = tuple(SeatRow(each.seat, "person", each.user, f"P{each.user}") for each in one.people)
    live = over(one.match, status="live", version=0, seats=seats)
    await store.create(replace(live, entries=(entry(0),), holders=()))
    row = replace(after(live.row, 1), status="over")
    move = entry(1, at=one.at)
    move = replace(move, entry=replace(move.entry, kind=Kind.PLAY, seat=Seat(0), data=first))
    await store.commit(Commit(row, one.at, (move,), result=one))


class Standing:
    """Results, what they change, and ratings."""

    async def test_a_profile_has_opponents_best_wins_streaks_and_first_moves(self, store: Store) -> None:
        drawn = tuple(replace(one, place=1, tied=True) for one in ended_as().people)
        for n, (first, second, move) in enumerate(
            ((ANN, BEN, "a"), (ANN, BEN, "a"), (ANN, CYD, "b"), (BEN, ANN, "c"), (ANN, BEN, "a"))
        ):
            made = ended_as(f"F-{n}", first, second, minute=2000 * n)
            await seated(store, replace(made, people=drawn) if n == 1 else made, move)
        assert await store.outcomes(ANN, 10) == ("won", "lost", "won", "drawn", "won")
        assert await store.outcomes(ANN, 2) == ("won", "lost")
        met = await store.opponents(ANN, 10, everyone=False)
        assert met == (
            Opponent(BEN, f"P{BEN}", GameRecord(2, 1, 1)),
            Opponent(CYD, f"P{CYD}", GameRecord(1, 0, 0)),
        )
        assert await store.opponents(ANN, 1, everyone=False) == met[:1]
        (begun,) = await store.first_moves(ANN, 10)
        assert (begun.data, begun.played, begun.won) == ("a", 3, 2)
        assert await store.best_wins(ANN, 10, everyone=True) == (), "all of them are provisional"
        await store.save_settings("user", BEN, dict(PRIVATE))
        assert await store.opponents(ANN, 10, everyone=False) == met[1:]
        assert await store.opponents(ANN, 10, everyone=True) == met
        await store.begin_erasure(CYD, -4, START)
        assert await store.erase(CYD, START, even_playing=True)
        assert await store.opponents(ANN, 10, everyone=True) == met[:1]

    async def test_the_best_wins_are_against_the_highest_known_ratings(self, store: Store) -> None:
        pairs = [(BEN if n % 4 else CYD, CYD if n % 4 else BEN) for n in range(40)]
        made = [ended_as(f"F-{n}", *pair, minute=2000 * n) for n, pair in enumerate(pairs)]
        made += [ended_as("F-98", ANN, CYD, minute=2e5), ended_as("F-99", ANN, BEN, minute=3e5)]
        for one in made:
            await seated(store, one, "a")
        wins = await store.best_wins(ANN, 10, everyone=True)
        assert [(one.match, one.user, one.name) for one in wins] == [
            ("F-99", BEN, f"P{BEN}"),
            ("F-98", CYD, f"P{CYD}"),
        ]
        assert wins[0].rating.mu > wins[1].rating.mu
        assert wins[0].rating.matches == 40
        assert len(await store.best_wins(ANN, 1, everyone=True)) == 1
        await ended(store, ended_as("G-4", 4, 5, minute=99_000), ended_as("G-6", 6, 7, minute=99_000))
        board = await store.leaderboard(FOCUS, 9)
        assert [is_provisional(one.rating) for one in board] == [False] * 2 + [True] * 5
        assert len({one.rating.mu for one in board}) == 5, "some are equal"
        await near_each_other(store, board)

    async def test_a_time_lists_those_with_a_match_that_counted_since(self, store: Store) -> None:
        await ended(store, ended_as("F-1", ANN, BEN), ended_as("F-2", CYD, BEN, minute=5000))
        since = START + 4000 * MINUTE
        listed = await store.leaderboard(FOCUS, 9, since=since)
        assert [(one.place, one.user) for one in listed] == [(1, CYD), (2, BEN)]
        assert await store.ranked(FOCUS, ANN, since) is None
        assert await store.ranked(FOCUS, BEN, since) == listed[1]
        assert await store.ladders(0, 9, since) == ((FOCUS, 2),)
        assert await store.ladders(0, 9) == ((FOCUS, 3),)
        await ended(store, ended_as("F-0", ANN, CYD, minute=4500))
        assert {one.user for one in await store.leaderboard(FOCUS, 9, since=since)} == {ANN, BEN, CYD}
        assert await store.ladders(0, 9, START + 4800 * MINUTE) == ((FOCUS, 2),), "late results stay in place"

    async def test_places_leave_out_those_who_are_on_no_leaderboard(self, store: Store) -> None:
        for n in range(6):
            await ended(
                store, *(ended_as(f"F-{n}{m}", 100 + n, 200 + n, minute=2000 * m + n) for m in range(n))
            )
        full = await store.leaderboard(FOCUS, 20)
        await store.save_settings("user", full[0].user, {STANDING: "unlisted"})
        await store.save_settings("user", full[3].user, dict(PRIVATE))
        left = await store.leaderboard(FOCUS, 20)
        assert [one.user for one in left] == [one.user for one in full if one not in (full[0], full[3])]
        for one in left:
            assert await store.ranked(FOCUS, one.user) == one
        await near_each_other(store, left)
        assert await store.ranked(FOCUS, full[0].user) is None
        await store.save_settings("user", full[0].user, {STANDING: "ratings"})
        assert (await store.leaderboard(FOCUS, 1))[0].user == full[0].user

    async def test_a_result_changes_ratings_with_the_end_of_its_match(self, store: Store) -> None:
        await ended(store, ended_as())
        ratings = await store.ratings_of(ANN)
        assert set(ratings) == {FOCUS, HERE}
        assert ratings[FOCUS].mu > NEW.mu > (await store.ratings_of(BEN))[FOCUS].mu
        assert ratings[FOCUS].matches == 1
        found = await store.match_result("F-1")
        assert found is not None
        assert found[0] == ended_as()
        assert [(one.scope, one.user) for one in found[1]] == [(0, ANN), (0, BEN), (1, ANN), (1, BEN)]
        assert [one.after for one in found[1] if one.user == ANN] == [ratings[FOCUS], ratings[HERE]]

    async def test_a_commit_that_fails_changes_no_rating(self, store: Store) -> None:
        live = over("F-1", status="live", version=0)
        await store.create(replace(live, entries=(entry(0),), holders=()))
        row = replace(after(live.row, 1), status="over", revision=7)
        with pytest.raises(StaleError):
            await store.commit(Commit(row, START, (entry(1),), result=ended_as()))
        assert await store.ratings_of(ANN) == {}
        assert await store.match_result("F-1") is None

    async def test_an_unrated_result_is_kept_and_changes_nothing(self, store: Store) -> None:
        await ended(store, ended_as(unrated="hint"))
        assert await store.match_result("F-1") == (ended_as(unrated="hint"), ())
        assert await store.ratings_of(ANN) == {}

    @pytest.mark.parametrize("seed", sampled(range(4), range(2)))
    async def test_many_results_give_what_a_ledger_gives(self, store: Store, seed: int) -> None:
        results = in_order(season(seed))
        await ended(store, *results)
        await agrees(store, results)

    @pytest.mark.parametrize("seed", sampled(range(4), range(1)))
    async def test_a_result_that_comes_late_is_counted_in_its_place(self, store: Store, seed: int) -> None:
        results = season(seed)[:LATE]
        await ended(store, *results)
        await agrees(store, results)

    async def test_results_of_one_moment_count_by_the_ids_of_their_matches(self, store: Store) -> None:
        results = [ended_as("F-2"), ended_as("F-1", BEN, ANN), ended_as("F-3", CYD, ANN)]
        await ended(store, *results)
        await agrees(store, results)

    @pytest.mark.parametrize("minute", [WAVE / MINUTE, WAVE / MINUTE + 1])
    async def test_a_wave_of_timeouts_goes_on_for_exactly_as_long_as_it_may(
        self, store: Store, minute: float
    ) -> None:
        results = [ended_as("F-1"), ended_as("F-2", ANN, CYD, minute=minute)]
        for number, one in enumerate(results):
            ann, other = one.people
            results[number] = replace(one, people=(replace(ann, timed_out=one.at), other))
        await ended(store, *results)
        await agrees(store, results)
        in_wave = minute * MINUTE <= WAVE
        assert (await store.ratings_of(ANN))[FOCUS].matches == (1 if in_wave else 2)

    async def test_a_rebuild_replaces_everything(self, store: Store) -> None:
        results = in_order(season(9))
        await ended(store, *results)
        assert await store.replace_standing(results[:20]) == 20
        await agrees(store, results[:20])
        assert await store.match_result(results[30].match) is None
        assert await store.replace_standing(results) == 60
        await agrees(store, results)
        with pytest.raises(ValueError, match="comes after it"):
            await store.replace_standing(results[::-1])
        await agrees(store, results)

    async def test_ratings_of_others_stay_when_someone_is_forgotten(self, store: Store) -> None:
        results = season(5)[:LATE]
        await ended(store, *results)
        ben = await store.ratings_of(BEN)
        await store.begin_erasure(ANN, -77, START)
        assert await store.erase(ANN, START)
        assert await store.ratings_of(ANN) == {}
        assert await store.ratings_of(BEN) == ben
        without = [
            replace(
                one,
                people=tuple(replace(who, user=-77) if who.user == ANN else who for who in one.people),
            )
            for one in results
        ]
        await agrees(store, without)


class Leaderboards:
    """What profiles and leaderboards show."""

    async def test_people_are_listed_by_rating_with_their_places(self, store: Store) -> None:
        await ended(store, *in_order(season(7)))
        for ladder, people in await store.ladders(0, 25):
            ranked = await store.leaderboard(ladder, 100)
            assert len(ranked) == people
            assert [one.place for one in ranked] == list(range(1, people + 1))
            order = [(one.rating.sigma > 210_000, -one.rating.mu, one.user) for one in ranked]
            assert order == sorted(order)
            assert await store.leaderboard(ladder, 2, 1) == ranked[1:3]
            for one in ranked:
                assert await store.ranked(ladder, one.user) == one
                assert (await store.ratings_of(one.user))[ladder] == one.rating
        assert await store.ranked(FOCUS, 999) is None
        assert await store.leaderboard(Ladder("focus", "9", 0), 10) == ()

    async def test_ladders_are_those_of_a_scope_the_largest_first(self, store: Store) -> None:
        await ended(
            store, ended_as("F-1"), ended_as("F-2", ANN, CYD), ended_as("F-3", family="4", guild=None)
        )
        assert await store.ladders(0, 9) == ((FOCUS, 3), (Ladder("focus", "4", 0), 2))
        assert await store.ladders(1, 9) == ((HERE, 3),)
        assert await store.ladders(0, 1) == ((FOCUS, 3),)
        assert await store.ladders(5, 9) == ()

    async def test_names_are_those_of_the_latest_match(self, store: Store) -> None:
        await ended(store, ended_as("F-1"), ended_as("F-2", minute=5))
        later = await store.match("F-2")
        assert later is not None
        seats = tuple(replace(seat, name=f"{seat.name}2") for seat in later.seats)
        await store.commit(Commit(replace(later, seats=seats, revision=later.revision + 1), START))
        assert [one.name for one in await store.leaderboard(FOCUS, 9)] == ["Ann2", "Ben2"]

    async def test_private_and_forgotten_people_are_on_no_leaderboard(self, store: Store) -> None:
        await ended(store, ended_as("F-1"), ended_as("F-2", CYD, BEN), ended_as("F-3", 4, 5))
        await store.save_settings("user", CYD, {"theme": "dark", **PRIVATE, "zone": "UTC"})
        await store.save_settings("user", BEN, {"standing": "public"})
        await store.begin_erasure(ANN, -77, START)
        assert await store.erase(ANN, START)
        listed = await store.leaderboard(FOCUS, 9)
        assert [(one.place, one.user) for one in listed] == [(1, 4), (2, 5), (3, BEN)]
        assert await store.leaderboard(FOCUS, 9, 1) == listed[1:]
        assert await store.ranked(FOCUS, CYD) is None
        assert await store.ranked(FOCUS, -77) is None
        ben = await store.ranked(FOCUS, BEN)
        assert ben is not None
        assert ben.place == 3

    async def test_records_are_by_game_and_count_what_was_left_as_lost(self, store: Store) -> None:
        people = ended_as().people
        tied = tuple(replace(one, place=1, tied=True) for one in people)
        left = (replace(people[0], share="loss", why="left"), people[1])
        await ended(
            store,
            ended_as("F-1"),
            ended_as("F-2", unrated="computer"),
            ended_as("F-3", people=tied),
            ended_as("F-4", people=left),
            ended_as("F-5", game="dominion"),
            ended_as("F-6", BEN, ANN),
        )
        records = await store.game_records(ANN)
        assert records == {"focus": GameRecord(2, 1, 2), "dominion": GameRecord(1, 0, 0)}
        assert list(records) == ["focus", "dominion"]
        assert await store.game_records(CYD) == {}

    async def test_reliability_counts_what_was_abandoned(self, store: Store) -> None:
        assert await store.reliability(ANN) == Reliability(0, 0, None)
        ann, ben = ended_as().people
        for number, changes in enumerate(
            ({}, {"timed_out": START}, {"why": "left"}, {"why": "unmoved", "pace": None}, {"pace": 50})
        ):
            one = replace(ann, **changes)  # type: ignore[arg-type] # any of its fields
            await ended(store, ended_as(f"F-{number}", people=(one, ben)))
        assert await store.reliability(ANN) == Reliability(5, 2, 1000)
        assert await store.reliability(BEN) == Reliability(5, 0, 1000)

    async def test_the_pace_is_that_of_the_latest_matches(self, store: Store) -> None:
        ann, ben = ended_as().people
        results = [
            ended_as(f"F-{n}", minute=n, people=(replace(ann, pace=9 if n < 30 else n), ben))
            for n in range(80)
        ]
        await store.replace_standing([])
        await ended(store, *results)
        assert (await store.reliability(ANN)).pace == 54

    async def test_the_length_of_matches_is_the_median_of_the_latest(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        latest = 2 * LEAST_LENGTHS
        monkeypatch.setattr("storage.leaderboards.LENGTHS", latest)
        ann, ben = ended_as().people
        for n in range(LEAST_LENGTHS):
            assert await store.match_length("focus", "2") is None, n
            people = (replace(ann, moves=n), replace(ben, moves=n + 3))
            await ended(store, ended_as(f"F-{n}", minute=n, people=people))
        usual = MatchLength(LEAST_LENGTHS, 7, 4 * 60)
        assert await store.match_length("focus", "2") == usual
        one = replace(ann, moves=999)
        await ended(
            store,
            ended_as("F-fork", minute=500, people=(one,), unrated="fork"),
            ended_as("F-fast", minute=500, people=(one,), family="2 fast=true"),
            ended_as("F-other", minute=500, people=(one,), game="dominance"),
        )
        assert await store.match_length("focus", "2") == usual
        for n in range(latest):
            people = (replace(ann, moves=40), ben)
            await ended(store, ended_as(f"F-late-{n}", minute=600, people=people))
        assert await store.match_length("focus", "2") == MatchLength(LEAST_LENGTHS, 40, 600 * 60)

    async def test_latest_results_come_first(self, store: Store) -> None:
        await ended(
            store,
            ended_as("F-1"),
            ended_as("F-3", minute=9),
            ended_as("F-2", minute=5),
            ended_as("F-4", 4, 5),
        )
        assert await store.latest_results(ANN, 9) == ("F-3", "F-2", "F-1")
        assert await store.latest_results(ANN, 2) == ("F-3", "F-2")

    async def test_the_history_of_a_rating_begins_before_its_first_match(self, store: Store) -> None:
        await ended(store, ended_as("F-1"), ended_as("F-3", minute=9), ended_as("F-2", minute=5))
        whole = await store.rating_history(FOCUS, ANN, 9)
        assert [one.matches for one in whole] == [0, 1, 2, 3]
        assert whole[-1] == (await store.ratings_of(ANN))[FOCUS]
        for number, match in enumerate(("F-1", "F-2", "F-3"), 1):
            found = await store.match_result(match)
            assert found is not None
            (mine,) = [one for one in found[1] if (one.user, one.scope) == (ANN, 0)]
            assert (whole[number - 1], whole[number]) == (mine.before, mine.after)
        assert await store.rating_history(FOCUS, ANN, 2) == whole[1:]
        assert await store.rating_history(Ladder("focus", "4", 0), ANN, 9) == ()

    async def test_analysed_matches_are_found_by_the_ratings_of_their_people(self, store: Store) -> None:
        results = [ended_as(f"F-{n}", minute=n) for n in range(1, 5)]
        await ended(store, *results, ended_as("F-5", minute=5, unrated="hint"))
        for n in (1, 2, 3, 5):
            await store.save_analysis(f"F-{n}", "old" if n == 3 else "s", {"n": n}, START)
        before = [
            (n, change.user, change.before.mu)
            for n in (2, 1)
            for change in (await store.match_result(f"F-{n}") or ((), ()))[1]
            if change.scope == FOCUS.scope
        ]
        everyone = (0, 9_000_000)
        for low, high in (everyone, (NEW.mu, NEW.mu), (NEW.mu + 1, 9_000_000)):
            wanted = [
                AnalysedSeat(user, int(user == BEN), {"n": n}) for n, user, mu in before if low <= mu <= high
            ]
            assert wanted
            assert await store.analysed_seats(FOCUS, "s", (low, high), 9) == tuple(wanted)
        assert await store.analysed_seats(FOCUS, "s", everyone, 1) == (), "the latest has another source"
        assert [one.analysis for one in await store.analysed_seats(FOCUS, "s", everyone, 2)] == [{"n": 2}] * 2
        assert await store.analysed_seats(replace(FOCUS, family="3"), "s", everyone, 9) == ()
