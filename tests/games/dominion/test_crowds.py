"""Crowded positions at random: what one decision changes, compared with the literal course of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from games.dominion import actions, endings, judge, turns
from games.dominion.board import NAMES
from games.dominion.position import Law, Position, State
from games.engine.game import CHANCE, Seat
from tests.games.dominion import literal, literal_course
from tests.games.dominion.helpers import lawful, position
from tests.games.dominion.literal import FORTS, SLANTED, STRAIGHT, Board, go
from tests.games.dominion.test_against_literal import board_of, rules_of
from tests.rows import rows
from tests.soak import SOAK

LAWS = {
    "two": lawful(2),
    "two by version 1": lawful(2, rules=1),
    "three": lawful(3),
    "three, orthogonal": lawful(3, "north", straddle="orth", succession="sure"),
    "four": lawful(4, succession="kind"),
    "allied": lawful(4, allied=True),
}
CROWDS, FEW = (300, 6) if SOAK else (40, 3)
"""Crowds for each law."""
HALF_POINTS = {"P": 18, "G": 10, "X": 8, "A": 6, "W": 6, "R": 4, "S": 2, "p": 1}
"""Half points as in the table of the rules; version 1 gave an Admiral as much as a General."""


@dataclass(frozen=True)
class Crowd:
    """A position, and the literal board before anything followed from it."""

    raw: Board
    state: State

    @property
    def place(self) -> Position:
        return self.state.position


def army(rng: Random, size: int) -> list[str]:
    """Return units within the limits of their kinds, Soldiers for what is too much; most of them low."""
    found: list[str] = []
    for kind in rng.choices("PGAWXRSp", (1, 2, 2, 2, 2, 3, 5, 3), k=size):
        most = {"P": 1, "G": 2, "A": 2, "W": 2, "X": 2, "R": 3}.get(kind, 99)
        found.append(kind if found.count(kind) < most else "S")
    return found


def scattered(rng: Random, law: Law, out: list[int], pending: list[int]) -> Board:
    """Return a board on which armies and Peasants stand close together, and some of them in full rings."""
    size = rng.choice((6, 7, 9))
    left, low = rng.randrange(14 - size), rng.randrange(1, 15 - size)
    area = [f"{literal.FILES[left + x]}{low + y}" for x in range(size) for y in range(size)]
    if rng.random() < 0.5:
        area += [fort for fort in FORTS[rng.choice("NESW")].split() if fort not in area]
    rng.shuffle(area)
    pieces = []
    for seat in set(range(len(law.sides))).difference(out):
        units = [kind for kind in army(rng, rng.choice((4, 7, 11))) if kind != "P" or seat not in pending]
        pieces += [f"{seat}{kind}" for kind in ("P" if seat in pending else "E", *units)]
    rng.shuffle(pieces)
    royal = [each for each in pieces if each[1] == "E" or (int(each[0]) in pending and each[1] == "P")]
    pieces = [*royal, *(each for each in pieces if each not in royal), *["p"] * rng.choice((3, 8))]
    board = dict(zip(area, pieces, strict=False))
    if rng.random() < 0.3:
        ring(rng, board)
    if rng.random() < 0.3:
        settlers(rng, board)
    if len(law.sides) > 2 and rng.random() < 0.5:
        crossroads(rng, board)
    return board


def ring(rng: Random, board: Board) -> None:
    """Put Soldiers of one seat around a piece, except where an Emperor or a Prince stands."""
    middle, seat = (
        rng.choice(list(board)),
        rng.choice([there[0] for there in board.values() if len(there) > 1]),
    )
    for dx, dy in STRAIGHT + SLANTED:
        at = go(middle, dx, dy)
        if at and board.get(at, "")[1:] not in ("E", "P"):
            board[at] = f"{seat}S"


def crossroads(rng: Random, board: Board) -> None:
    """Put a Peasant between Soldiers, those on each axis of one seat, except where royals stand."""
    middle, seats = rng.choice(NAMES), sorted({there[0] for there in board.values() if len(there) > 1})
    royal = {at for at, there in board.items() if there[1:] in ("E", "P")}
    if middle not in royal:
        board[middle] = "p"
    for dx, dy in literal_course.AXES["all"]:
        ends = go(middle, dx, dy), go(middle, -dx, -dy)
        if None not in ends and not royal & set(ends):
            board |= dict.fromkeys(filter(None, ends), f"{rng.choice(seats)}S")


def settlers(rng: Random, board: Board) -> None:
    """Let one seat hold a Territory with Peasants in it, some of whom stand between those who are armed."""
    side, seat = rng.choice("NESW"), rng.choice([there[0] for there in board.values() if len(there) > 1])
    for at in (at for at in NAMES if literal.land(at) == side and board.get(at, "")[1:] not in ("E", "P")):
        if at in FORTS[side].split():
            board[at] = f"{seat}S"
        elif rng.random() < 0.6:
            board[at] = rng.choice(("p", f"{seat}p"))


def loaded(board: Board, law: Law, **more: Any) -> State:
    """Return the position with these pieces."""
    rows: dict[str, Any] = {f"p{seat}": "" for seat in range(len(law.sides))}
    for at, there in board.items():
        if len(there) == 2:
            rows[f"p{there[0]}"] += f" {there[1]}{at}"
    free = " ".join(at for at, there in board.items() if there == "p")
    return position(law=law, free=free, **rows, **more)


@cache
def crowds(name: str) -> list[Crowd]:
    """Return the crowds of a law, some with teams that are out or wait for an heir."""
    law, rng, found = LAWS[name], Random(f"{name} 1"), list[Crowd]()
    seats = range(len(law.sides))
    while len(found) < CROWDS:
        out = rng.sample(seats, rng.randrange(len(seats) - 1))
        living = [seat for seat in seats if seat not in out]
        pending = [seat for seat in living if rng.random() < 0.2]
        turn = rng.choice(living)
        if len({law.camps[seat] for seat in living}) < 2 or turn in pending:
            continue
        more = {"turn": turn, "out": out, "pending": pending, "first": rng.choice(seats)}
        more |= {"quiet": rng.randrange(20), "round": rng.randrange(1, 9)}
        board = scattered(rng, law, out, pending)
        found.append(Crowd(board, loaded(board, law, **more)))
    return found


def after_turn(before: Position, after: Position, event: bool) -> None:
    """Check what the end of a turn changes, when the match goes on."""
    order = [(before.turn + n) % len(before.law.sides) for n in range(1, len(before.law.sides) + 1)]
    steps = next(n for n, seat in enumerate(order) if seat not in after.out)
    assert after.turn == order[steps]
    assert after.round == before.round + (before.first in order[: steps + 1])
    assert after.quiet == (0 if event else before.quiet + 1)
    due = "heir" if before.law.succession == "sure" else "succession"
    assert after.phase == (due if after.turn in after.pending else "move")


def teams(before: Position, after: Position) -> None:
    """Check who is out or waits for an heir, by the board alone, who holds what, and whether it is over."""
    board, seats = board_of(after), range(len(before.law.sides))
    pieces = set(board.values())
    emperors = {seat for seat in seats if f"{seat}E" in pieces}
    heirs = {seat for seat in seats if f"{seat}P" in pieces} - emperors
    assert set(after.out) == set(seats) - emperors - heirs
    assert after.out[: len(before.out)] == before.out
    assert after.pending == (set() if after.phase == "over" else heirs)
    assert not {f"{seat}{kind}" for seat in after.out for kind in "EPGAWXRSp"} & pieces
    for side, seat in zip("NESW", after.control, strict=True):
        holders = [each for each in seats if literal.controls(board, str(each), side)]
        assert [seat] == (holders or [-1])
    camps = {after.law.camps[seat] for seat in emperors | heirs}
    assert (after.phase == "over") == (len(camps) == 1)
    if after.outcome is not None:
        assert list(after.outcome.ranks) == race(after, camps), "all of the last camp win"


def race(after: Position, winners: set[int]) -> list[int]:
    """Return the ranks by seat: the winners, others who play, then who fell, the last camp first."""
    seats, camps = range(len(after.law.sides)), after.law.camps
    falls = [*after.out, *(seat for seat in seats if seat not in after.out)]
    lasted = {camp: max(falls.index(seat) for seat in seats if camps[seat] == camp) for camp in camps}
    level = {camp: (camp in winners, min(lasted[camp], len(after.out))) for camp in camps}
    return [1 + sum(other > level[camp] for other in level.values()) for camp in camps]


def happened(begun: Board, after: Board) -> bool:
    """Return whether pieces were recruited, armed or turned after a change on the board."""
    return any(len(there) == 2 and there != begun.get(at) for at, there in after.items())


@pytest.mark.parametrize("name", LAWS)
def test_consequences_are_repeated_until_nothing_changes(name: str) -> None:
    rules, again = rules_of(LAWS[name]), 0
    for crowd in crowds(name):
        found = board_of(crowd.place)
        assert found == literal_course.settled(crowd.raw, str(crowd.place.turn), rules)
        again += found != literal_course.settled_once(crowd.raw, str(crowd.place.turn), rules)
    assert again, "in some of them something follows from what follows"


@pytest.mark.parametrize("name", LAWS)
def test_what_a_move_changes(name: str) -> None:
    rules, rng = rules_of(LAWS[name]), Random(5)
    for crowd in crowds(name):
        before = crowd.place
        board = board_of(before)
        found = judge.legal(before, before.turn)
        assert {action.text for action in found} == (
            literal.moves(board, rules.camps, str(before.turn)) or {"pass"}
        )
        attacks = [action for action in found if before.board[action.b]]
        some = (action for of in (attacks, found) for action in rng.sample(of, min(FEW, len(of))))
        for action in set(some):
            if action.text == "pass":
                continue
            moved = turns.play(crowd.state, before.turn, action).state
            expected = literal_course.moved(board, action.text, rules)
            assert board_of(moved.position) == expected, action.text
            teams(before, moved.position)
            src, dst = action.text.split("-")
            victim = board.get(dst, "")
            seals = [n + (seat == before.turn and victim[1:] == "E") for seat, n in enumerate(before.seals)]
            assert list(moved.position.seals) == seals
            if moved.position.phase != "over":
                begun = {**board, dst: board[src], src: victim}
                event = happened(begun, expected) or len(expected) < len(board)
                after_turn(before, turns.play(moved, CHANCE, actions.FATE[actions.NO]).state.position, event)


@pytest.mark.parametrize("name", LAWS)
def test_what_an_answer_to_fate_changes(name: str) -> None:
    rules = rules_of(LAWS[name])
    for crowd, n in ((crowd, n) for crowd in crowds(name) for n in (1, 2, 3, 5, 6)):
        before, board = crowd.place, board_of(crowd.place)
        asked = turns.play(State(before._replace(phase="fate"), crowd.state.chosen), CHANCE, actions.FATE[n])
        listed = dict(literal_course.answers(board, str(before.turn), n, rules))
        if not listed:
            after_turn(before, asked.state.position, False)
            continue
        assert {action.text for action in judge.legal(asked.state.position, before.turn)} == set(listed)
        for wire in sorted(listed)[:: max(1, len(listed) // (4 if SOAK else 2))]:
            after = turns.play(asked.state, before.turn, actions.decode(wire)).state.position
            assert board_of(after) == listed[wire], wire
            teams(before, after)
            at = wire.split()[1][:3].rstrip("=")
            changed = {**board, at: f"{before.turn}{wire[-1]}" if n != 3 else "p"}
            after_turn(before, after, happened(changed, listed[wire]))


def test_an_heir_s_throw_saves_his_team_or_takes_it_out() -> None:
    for name in ("two", "three", "four", "allied"):
        rules, law = rules_of(LAWS[name]), LAWS[name]
        for crowd in crowds(name):
            for heir in crowd.place.pending:
                before = crowd.place._replace(phase="succession", turn=heir)
                saved = (5, 6) if law.succession == "kind" else (6,)
                for n in (actions.NO, *range(1, 7)):
                    after = turns.play(State(before, crowd.state.chosen), CHANCE, actions.FATE[n]).state
                    if n in saved:
                        assert after.position == before._replace(phase="heir")
                        continue
                    fallen = literal_course.disbanded(board_of(before), str(heir))
                    assert board_of(after.position) == literal_course.settled(fallen, str(heir), rules)
                    teams(before, after.position)
                    if after.position.phase != "over":
                        after_turn(before, after.position, True)


def test_an_heir_moves_or_stays_and_is_crowned() -> None:
    for name in ("three", "three, orthogonal", "allied"):
        rules = rules_of(LAWS[name])
        for crowd in crowds(name):
            for heir in crowd.place.pending:
                before = crowd.place._replace(phase="heir", turn=heir)
                for action in judge.legal(before, heir)[::3]:
                    board = {
                        at: f"{heir}E" if there == f"{heir}P" else there
                        for at, there in board_of(before).items()
                    }
                    after = turns.play(State(before, crowd.state.chosen), heir, action).state.position
                    if action.kind == "move":
                        board = literal_course.moved(board, action.text, rules)
                    assert board_of(after) == board
                    teams(before, after)


@pytest.mark.parametrize("name", LAWS)
def test_who_gives_up_is_out_at_once(name: str) -> None:
    rules = rules_of(LAWS[name])
    for crowd in crowds(name):
        before = crowd.place
        for seat in before.living():
            after = turns.forfeit(crowd.state, Seat(seat)).state.position
            fallen = literal_course.disbanded(board_of(before), str(seat))
            assert board_of(after) == literal_course.settled(fallen, str(before.turn), rules)
            teams(before, after)
            if after.phase != "over" and seat == before.turn:
                after_turn(before, after, True)
            elif after.phase != "over":
                assert (after.turn, after.quiet, after.stirred) == (before.turn, before.quiet, True)


@pytest.mark.parametrize("name", ["three", "four", "allied"])
def test_whoever_gives_up_while_fate_asks_someone_has_an_action(name: str) -> None:
    for crowd, n in ((crowd, n) for crowd in crowds(name) for n in (1, 2, 5)):
        asked = turns.play(
            State(crowd.place._replace(phase="fate"), crowd.state.chosen), CHANCE, actions.FATE[n]
        )
        for seat in asked.state.position.living():
            after = turns.forfeit(asked.state, Seat(seat)).state.position
            (due,) = judge.to_act(after) or {CHANCE}
            assert after.phase == "over" or judge.legal(after, due)


def test_fate_no_longer_asks_about_a_unit_that_is_turned_when_another_team_falls() -> None:
    """East may recruit and arm k4 when north is out, so that the Sergeant is in a full ring."""
    asked = position(
        law=lawful(3),
        turn=2,
        phase="demote_lower",
        p0="Sj3 Sl5",
        p1="Sl7 Sl9 Sl4 Si4 Si5 Si6 Sj4 Sj6 Sk5 Sk6",
        p2="Rj5",
        free="k4",
    )
    after = turns.forfeit(asked, Seat(0)).state.position
    assert board_of(after)["j5"] == "1S"
    after_turn(asked.position, after, True)


# --- the points ------------------------------------------------------------------------------------------


def literal_points(place: Position) -> dict[int, float]:
    """Return the points of each camp that still plays, counted on the board."""
    board = board_of(place)
    worth = HALF_POINTS | ({"A": 10} if place.law.rules == 1 else {})
    found = {place.law.camps[seat]: 0.0 for seat in place.living()}
    for seat in place.living():
        own = [there[1] for there in board.values() if len(there) == 2 and there[0] == str(seat)]
        lands = [side for side in FORTS if literal.controls(board, str(seat), side)]
        found[place.law.camps[seat]] += sum(worth.get(kind, 0) for kind in own) / 2 + 3 * len(lands)
    return found


@rows("name", LAWS)
def test_thirty_quiet_turns_for_each_team_that_plays_and_the_points_decide(name: str) -> None:
    reasons = set()
    for crowd in crowds(name):
        place = crowd.place._replace(phase="fate", stirred=False)
        limit = 30 * len(place.living())
        for quiet in (limit - 2, limit - 1):
            state = State(place._replace(quiet=quiet), crowd.state.chosen)
            after = turns.play(state, CHANCE, actions.FATE[actions.NO]).state.position
            assert (after.phase == "over") == (quiet == limit - 1)
        points = literal_points(place)
        best, second, *_ = sorted(points.values(), reverse=True)
        first = {camp for camp, found in points.items() if best < 1.25 * second + 2 or found == best}
        assert after.outcome is not None
        assert list(after.outcome.ranks) == race(place, first)
        reasons.add(after.outcome.why.key)
    assert reasons == {"dominion.outcome.points", "dominion.outcome.draw"}


@rows("name", LAWS)
def test_the_last_round_is_played_to_its_end(name: str) -> None:
    last = endings.max_rounds(len(LAWS[name].sides))
    assert last == (150 if len(LAWS[name].sides) == 2 else 120)
    for crowd in crowds(name):
        state = State(crowd.place._replace(phase="fate", round=last), crowd.state.chosen)
        order = [(crowd.place.turn + n) % len(crowd.place.law.sides) for n in range(1, 5)]
        reached = next(n for n, seat in enumerate(order) if seat not in crowd.place.out)
        after = turns.play(state, CHANCE, actions.FATE[actions.NO]).state.position
        assert (after.phase == "over") == (crowd.place.first in order[: reached + 1])
