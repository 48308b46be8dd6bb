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
    TRAIL,
    Law,
    Phase,
    Position,
    State,
    controllers,
    find_piece,
    kind_of,
    owner,
    piece,
    put,
    sandwiched_seat,
    start_board,
    with_board,
    with_turn,
)
from games.engine.game import Fact, Step, Why

_Facts = tuple[Fact, ...]


def begin(law: Law) -> State:
    """Return the initial state: the starting throw is due, unless the sandwiched team begins."""
    seats = len(law.sides)
    board = start_board(law)
    given = law.sandwiched == "first" and seats == 3
    first = sandwiched_seat(law) if given else 0
    phase: Phase = "sergeants" if given else "throw"
    position = Position(
        law, board, controllers(board), phase, first, first, 1, 0, False, (), frozenset(),
        (0,) * seats, (False,) * seats, None,
    )  # fmt: skip
    return State(position, (None,) * seats)


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the state after a legal action, and the facts."""
    position, kind = state.position, action.kind
    if kind == "move":
        after, reported = _move(position, seat, action)
    elif kind == "fate":
        after, reported = _fate(position, action.a)
    elif kind == "pass":
        after, reported = position._replace(phase="fate"), facts.PASSED
    elif kind == "sergeants":
        return _choose(state, seat, (action.a, action.b))
    elif kind == "throw":
        first = fate.winner_of(position.law, position.living(), action.rounds)
        after = position._replace(phase="sergeants", turn=first, first=first)
        reported = (facts.thrown(action.rounds, first),)
    elif kind == "stay":
        after, reported = _stay(position, seat)
    else:
        after, reported = _answer(position, seat, action)
    return Step(State(after, state.chosen), reported)


# --- Sergeants -------------------------------------------------------------------------------------------


def _choose(state: State, seat: int, pair: tuple[int, int]) -> Step[State]:
    position = state.position
    chosen = (*state.chosen[:seat], pair, *state.chosen[seat + 1 :])
    ready = (*position.ready[:seat], True, *position.ready[seat + 1 :])
    last = all(ready[each] for each in position.living())
    return _reveal(State(position._replace(ready=ready), chosen), () if last else facts.chosen(seat, pair))


def _reveal(state: State, reported: _Facts) -> Step[State]:
    """Promote all chosen Sergeants at once when every team that still plays has chosen."""
    position, chosen = state
    if not all(position.ready[seat] for seat in position.living()):
        return Step(state, reported)
    board = position.board
    for seat in position.living():
        pair = chosen[seat]
        if pair is not None:
            board = put(board, dict.fromkeys(pair, piece(seat, SERGEANT)))
            reported += (facts.promoted_sergeants(seat, pair),)
    turn = position.turn if position.turn not in position.out else next_seat(position)[0]
    position = position._replace(board=board, phase="move", turn=turn, first=turn)
    return Step(State(position, (None,) * len(chosen)), reported)


# --- a turn ----------------------------------------------------------------------------------------------


def _move(position: Position, seat: int, action: Action) -> tuple[Position, _Facts]:
    src, dst, crowned = action.a, action.b, position.phase == "heir"
    code, there = position.board[src], position.board[dst]
    swap = there and there >> 4 == code >> 4
    moved = piece(seat, EMPEROR) if crowned else code
    board = put(position.board, {dst: moved, src: there if swap else 0})
    reported = facts.moved(code, src, dst, there)
    eliminates = bool(there) and not swap
    trail = () if eliminates or crowned else (*position.trail[1 - TRAIL :], src * len(board) + dst)
    after = with_board(position, board, "fate", trail, stirred=position.stirred or eliminates)
    if eliminates:
        after, more = _after_elimination(after, seat, there)
        reported += more
    if board is not after.board or consequences.may_have_consequences(position, board, src, dst):
        after, more = consequences.settle_position(after, seat, position.board)
        reported += more
    if crowned:
        after = after._replace(pending=after.pending - {seat})
        reported += (facts.dynasty_fact("crowned", seat),)
    if after.out is not position.out:
        after = endings.won(after)
    return _end_turn(after, reported) if crowned else (after, reported)


def _after_elimination(position: Position, seat: int, victim: int) -> tuple[Position, _Facts]:
    """Apply an elimination to the victim's team: nothing, an heir in waiting, or the end."""
    loser, kind = owner(victim), kind_of(victim)
    if kind == EMPEROR:
        heir = find_piece(position.board, loser, PRINCE) >= 0
        seals = tuple(n + (each == seat) for each, n in enumerate(position.seals))
        position = position._replace(seals=seals)
        reported: _Facts = (facts.emperor_taken(position.law, loser, heir),)
        if heir:
            return position._replace(pending=position.pending | {loser}), reported
        position, more = consequences.eliminate(position, loser)
        return position, reported + more
    if kind == PRINCE and loser in position.pending:
        return consequences.eliminate(position, loser)
    return position, ()


def _stay(position: Position, seat: int) -> tuple[Position, _Facts]:
    crowned = {find_piece(position.board, seat, PRINCE): piece(seat, EMPEROR)}
    after = position._replace(board=put(position.board, crowned), pending=position.pending - {seat})
    return _end_turn(after, (facts.dynasty_fact("crowned", seat),))


def _fate(position: Position, n: int) -> tuple[Position, _Facts]:
    if position.phase == "succession":
        return _succession(position, n)
    if n == NO:
        return _end_turn(position, facts.FATE_NO)
    event = fate.CHOICE_BY_STICKS.get(n)
    possible = event is not None and bool(fate.choices(position, event, position.turn))
    reported = (facts.sticks(n, possible),)
    if event is not None and possible:
        return position._replace(phase=event), reported
    return _end_turn(position, reported)


def _succession(position: Position, n: int) -> tuple[Position, _Facts]:
    """Apply the only throw for an heir: six succeeds, with a kind succession also five."""
    if n == 6 or (n == 5 and position.law.succession == "kind"):
        return position._replace(phase="heir"), (facts.dynasty_fact("heir", position.turn),)
    after, reported = consequences.eliminate(position, position.turn)
    after, more = consequences.settle_position(after, position.turn, position.board)
    return _end_turn(endings.won(after), (facts.dynasty_fact("no_heir", position.turn), *reported, *more))


def _answer(position: Position, seat: int, action: Action) -> tuple[Position, _Facts]:
    """Apply a promotion, a demotion or a new Peasant with all consequences."""
    code = PEASANT if action.kind == "peasant" else piece(seat, action.b)
    if action.kind == "peasant":
        fact = facts.placed(action.a)
    else:
        up: Literal["promote", "demote"] = "promote" if action.kind == "promote" else "demote"
        fact = facts.ranked(up, action.a, kind_of(position.board[action.a]), action.b)
    after = position._replace(board=put(position.board, {action.a: code}))
    after, more = consequences.settle_position(after, seat, position.board)
    return _end_turn(after, (fact, *more))


def next_seat(position: Position) -> tuple[int, bool]:
    """Return the next living seat clockwise, and whether the first seat is reached or passed."""
    seats = len(position.law.sides)
    seat, passed = position.turn, False
    while True:
        seat = (seat + 1) % seats
        passed |= seat == position.first
        if seat not in position.out:
            return seat, passed


def _end_turn(position: Position, reported: _Facts) -> tuple[Position, _Facts]:
    """End the turn: count it, then continue with the next team, its heir's throw, or the ending."""
    if position.phase == "over":
        return position, reported
    turn, passed = next_seat(position)
    quiet = 0 if position.stirred else position.quiet + 1
    phase: Phase = "move"
    if position.pending and turn in position.pending:
        phase = "heir" if position.law.succession == "sure" else "succession"
    after = with_turn(position, phase, turn, position.round + passed, quiet)
    return (endings.adjudicate(after) if endings.due(after) else after), reported


# --- giving up -------------------------------------------------------------------------------------------


def forfeit(state: State, seat: int, why: Why = "resign") -> Step[State]:
    """Take a seat out at once, as if its Emperor fell without an heir; no throw follows its own turn.

    Raises ValueError if the match is over or the seat doesn't play.
    """
    position = state.position
    if position.phase == "over" or seat not in position.living():
        raise ValueError(f"seat {seat} can't resign")
    before = position.phase
    after, reported = consequences.eliminate(position, seat)
    after, more = consequences.settle_position(after, position.turn, position.board)
    reported += more
    after = endings.won(after)
    if before == "throw" or after.phase == "over":
        return Step(State(after, state.chosen), reported)
    if before == "sergeants":
        chosen = (*state.chosen[:seat], None, *state.chosen[seat + 1 :])
        return _reveal(State(after, chosen), reported)
    idle = before in fate.CHOICE_PHASES and not fate.choices(after, before, position.turn)
    if position.turn == seat or idle:
        after, reported = _end_turn(after, reported)
    return Step(State(after, state.chosen), reported)
