"""The course of a match: throw, Sergeants, then in turn a move, its consequences, Fate, the next team.

`play` accepts every action that the judge accepts.
"""

from __future__ import annotations

from typing import Literal

from games.dominion import consequences, endings, facts, fate
from games.dominion.actions import NO, Action
from games.dominion.position import (
    EMPEROR,
    PEASANT,
    PRINCE,
    SERGEANT,
    Law,
    Phase,
    Position,
    State,
    array,
    controllers,
    find,
    kind_of,
    owner,
    piece,
    sandwiched,
)
from games.engine.game import Fact, Step

_Facts = tuple[Fact, ...]
_CHOICES = frozenset(fate.CHOICES.values())


def begin(law: Law) -> State:
    """Return the initial state: the starting throw is due, unless the sandwiched team begins."""
    seats = len(law.sides)
    board = array(law)
    given = law.sandwiched == "first" and seats == 3
    first = sandwiched(law) if given else 0
    phase: Phase = "sergeants" if given else "throw"
    place = Position(
        law, board, controllers(board), phase, first, first, 1, 0, False, (), frozenset(),
        (0,) * seats, (False,) * seats, None,
    )  # fmt: skip
    return State(place, (None,) * seats)


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the state after a legal action, and the facts."""
    place, kind = state.position, action.kind
    if kind == "move":
        crowned = place.phase == "heir"
        after, said = _move(place, seat, action, crowned)
    elif kind == "fate":
        after, said = _fate(place, action.a)
    elif kind == "pass":
        after, said = place._replace(phase="fate"), facts.PASSED
    elif kind == "sergeants":
        return _choose(state, seat, (action.a, action.b))
    elif kind == "throw":
        first = fate.winner_of(place.law, place.living(), action.rounds)
        after = place._replace(phase="sergeants", turn=first, first=first)
        said = (facts.thrown(action.rounds, first),)
    elif kind == "stay":
        after, said = _stay(place, seat)
    else:
        after, said = _answer(place, seat, action)
    return Step(State(after, state.chosen), said)


# --- Sergeants -------------------------------------------------------------------------------------------


def _choose(state: State, seat: int, pair: tuple[int, int]) -> Step[State]:
    place = state.position
    chosen = (*state.chosen[:seat], pair, *state.chosen[seat + 1 :])
    ready = (*place.ready[:seat], True, *place.ready[seat + 1 :])
    last = all(ready[each] for each in place.living())
    return _reveal(State(place._replace(ready=ready), chosen), () if last else facts.chosen(seat, pair))


def _reveal(state: State, said: _Facts) -> Step[State]:
    """Promote all chosen Sergeants at once when every team that still plays has chosen."""
    place, chosen = state
    if not all(place.ready[seat] for seat in place.living()):
        return Step(state, said)
    board = bytearray(place.board)
    for seat in place.living():
        pair = chosen[seat]
        if pair is not None:
            for at in pair:
                board[at] = piece(seat, SERGEANT)
            said += (facts.promoted_sergeants(seat, pair),)
    turn = place.turn if place.turn not in place.out else _next(place)[0]
    place = place._replace(board=bytes(board), phase="move", turn=turn, first=turn)
    return Step(State(place, (None,) * len(chosen)), said)


# --- a turn ----------------------------------------------------------------------------------------------


def _move(place: Position, seat: int, action: Action, crowned: bool) -> tuple[Position, _Facts]:
    src, dst = action.a, action.b
    code, there = place.board[src], place.board[dst]
    work = bytearray(place.board)
    swap = there and there >> 4 == code >> 4
    work[dst] = piece(seat, EMPEROR) if crowned else code
    work[src] = there if swap else 0
    board = bytes(work)
    said = facts.moved(code, src, dst, there)
    after = place._replace(board=board, phase="fate")
    if there and not swap:
        after, more = _struck(after._replace(stirred=True), seat, there)
        said += more
    if board is not after.board or consequences.touches(place, board, src, dst):
        after, more = consequences.rest(after, seat, place.board)
        said += more
    if crowned:
        after = after._replace(pending=after.pending - {seat})
        said += (facts.of_throne("crowned", seat),)
    if after.out is not place.out:
        after = endings.won(after)
    return _finish(after, said) if crowned else (after, said)


def _struck(place: Position, seat: int, victim: int) -> tuple[Position, _Facts]:
    """Apply an elimination to the victim's team: nothing, an heir in waiting, or the end."""
    loser, kind = owner(victim), kind_of(victim)
    if kind == EMPEROR:
        heir = consequences.has_prince(place.board, loser)
        seals = tuple(n + (each == seat) for each, n in enumerate(place.seals))
        place = place._replace(seals=seals)
        said: _Facts = (facts.fell(place.law, loser, heir),)
        if heir:
            return place._replace(pending=place.pending | {loser}), said
        place, more = consequences.eliminate(place, loser)
        return place, said + more
    if kind == PRINCE and loser in place.pending:
        return consequences.eliminate(place, loser)
    return place, ()


def _stay(place: Position, seat: int) -> tuple[Position, _Facts]:
    work = bytearray(place.board)
    work[find(place.board, seat, PRINCE)] = piece(seat, EMPEROR)
    after = place._replace(board=bytes(work), pending=place.pending - {seat})
    return _finish(after, (facts.of_throne("crowned", seat),))


def _fate(place: Position, n: int) -> tuple[Position, _Facts]:
    if place.phase == "succession":
        return _succession(place, n)
    if n == NO:
        return _finish(place, facts.FATE_NO)
    event = fate.CHOICES.get(n)
    possible = event is not None and bool(fate.choices(place, event, place.turn))
    said = (facts.sticks(n, possible),)
    if event is not None and possible:
        return place._replace(phase=event), said
    return _finish(place, said)


def _succession(place: Position, n: int) -> tuple[Position, _Facts]:
    """Apply the only throw for an heir: six succeeds, with a kind succession also five."""
    if n == 6 or (n == 5 and place.law.succession == "kind"):
        return place._replace(phase="heir"), (facts.of_throne("heir", place.turn),)
    after, said = consequences.eliminate(place, place.turn)
    after, more = consequences.rest(after, place.turn, place.board)
    return _finish(endings.won(after), (facts.of_throne("no_heir", place.turn), *said, *more))


def _answer(place: Position, seat: int, action: Action) -> tuple[Position, _Facts]:
    """Apply a promotion, a demotion or a new Peasant with all consequences."""
    work = bytearray(place.board)
    if action.kind == "peasant":
        work[action.a] = PEASANT
        said = facts.placed(action.a)
    else:
        up: Literal["promote", "demote"] = "promote" if action.kind == "promote" else "demote"
        said = facts.ranked(up, action.a, kind_of(work[action.a]), action.b)
        work[action.a] = piece(seat, action.b)
    after, more = consequences.rest(place._replace(board=bytes(work)), seat, place.board)
    return _finish(after, (said, *more))


def _next(place: Position) -> tuple[int, bool]:
    """Return the next living seat clockwise, and whether the first seat is reached or passed."""
    seats = len(place.law.sides)
    seat, passed = place.turn, False
    while True:
        seat = (seat + 1) % seats
        passed |= seat == place.first
        if seat not in place.out:
            return seat, passed


def _finish(place: Position, said: _Facts) -> tuple[Position, _Facts]:
    """End the turn: count it, then continue with the next team, its heir's throw, or the ending."""
    if place.phase == "over":
        return place, said
    turn, passed = _next(place)
    quiet = 0 if place.stirred else place.quiet + 1
    phase: Phase = "move"
    if place.pending and turn in place.pending:
        phase = "heir" if place.law.succession == "sure" else "succession"
    after = place._replace(phase=phase, turn=turn, round=place.round + passed, quiet=quiet, stirred=False)
    return (endings.adjudicate(after) if endings.due(after) else after), said


# --- giving up -------------------------------------------------------------------------------------------


def forfeit(state: State, seat: int) -> Step[State]:
    """Take a seat out at once, as if its Emperor fell without an heir; no throw follows its own turn.

    Raises ValueError if the match is over or the seat doesn't play.
    """
    place = state.position
    if place.phase == "over" or seat not in place.living():
        raise ValueError(f"seat {seat} can't resign")
    before = place.phase
    after, said = consequences.eliminate(place, seat)
    after, more = consequences.rest(after, place.turn, place.board)
    said += more
    after = endings.won(after)
    if before == "throw" or after.phase == "over":
        return Step(State(after, state.chosen), said)
    if before == "sergeants":
        chosen = (*state.chosen[:seat], None, *state.chosen[seat + 1 :])
        return _reveal(State(after, chosen), said)
    idle = before in _CHOICES and place.turn != seat and not fate.choices(after, before, place.turn)
    if place.turn == seat or idle:
        after, said = _finish(after, said)
    return Step(State(after, state.chosen), said)
