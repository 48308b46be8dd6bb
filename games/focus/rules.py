"""The rules of Focus: what a position is, what may be done in it, and what follows from that.

`refuse` is the only judge; `play` is total for what it lets pass. A position changes in one place, `_after`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from games.engine.game import CHANCE, Fact, Outcome, Step, ranks
from games.engine.message import Msg, msg
from games.focus import facts
from games.focus.actions import MOVES, RESERVES, Action, First, Move, Reserve
from games.focus.board import (
    BITS,
    EMPTY,
    HEIGHT_UNDER,
    INDEX,
    MISSING,
    PILE,
    SIGN,
    TALLEST,
    controlled,
    members,
    to_piles,
)
from games.focus.facts import DRAWS, Reason
from games.focus.setups import FAST_EACH, FAST_TEN, Variant


class State(NamedTuple):
    """A position, with what the draw rules must remember. All of it is open to everybody.

    A named tuple, because a frozen dataclass of this size costs four times as much to make.
    """

    variant: Variant
    board: str
    """One sign a space, see `board`."""
    reserve: tuple[int, ...]
    """Pieces in hand by seat."""
    captured: tuple[tuple[int, ...], ...]
    """`captured[seat][other]`: pieces of another seat that a seat took out of play."""
    thirteenth: tuple[bool, ...]
    """Seats that still have to place their 13th piece; with three players only."""
    turn: int
    """The seat to act, or CHANCE; once it is over, the winner who moved last or who would be to act."""
    resigned: frozenset[int]
    controls: tuple[int, ...]
    """For each seat the set of spaces on which its piece is on top; follows from the board."""
    quiet: int
    """Turns since the last capture, passes not counted."""
    past: tuple[str, ...]
    """Every position (as `identity`) since the last capture, this one included: none before can recur."""
    ended: Reason | None
    outcome: Outcome | None

    def __repr__(self) -> str:
        """Short and readable; `position.dump` has everything."""
        colours = self.variant.colours
        piles = " ".join(f"{space}={pile}" for space, pile in to_piles(self.board).items())
        to_act = self.ended or ("chance" if self.turn == CHANCE else colours[self.turn])
        return f"State({piles!r}, turn={to_act!r}, reserve={self.reserve}, captured={self.captured})"


def identity(board: str, turn: int, reserve: tuple[int, ...], thirteenth: tuple[bool, ...]) -> str:
    """What makes two positions with equal captures the same, as one text that is compared exactly."""
    return board + _numbers(turn, reserve, thirteenth)


@lru_cache(maxsize=4096)
def _numbers(turn: int, reserve: tuple[int, ...], thirteenth: tuple[bool, ...]) -> str:
    return bytes((turn, *reserve, *thirteenth)).decode("latin-1")


def start(variant: Variant) -> State:
    """The set-up, before chance has named who plays first."""
    return State(
        variant=variant,
        board=variant.board,
        reserve=(0,) * variant.seats,
        captured=((0,) * variant.seats,) * variant.seats,
        thirteenth=(variant.seats == 3,) * variant.seats,
        turn=CHANCE,
        resigned=frozenset(),
        controls=tuple(controlled(variant.board, colour) for colour in variant.colours),
        quiet=0,
        past=(),
        ended=None,
        outcome=None,
    )


def can_play(state: State, seat: int) -> bool:
    """Whether a seat has a pile to move or a piece to place; each space has a neighbour to move to."""
    return bool(state.controls[seat] or state.reserve[seat] or state.thirteenth[seat])


def actions(state: State, seat: int) -> Iterator[Action]:
    """Every legal action: moves by space from the bottom left, then reserve moves likewise."""
    if seat != state.turn or state.ended is not None:
        return iter(())
    if seat == CHANCE:
        return iter([First(other) for other in range(state.variant.seats) if other not in state.resigned])
    board = state.board
    if state.thirteenth[seat]:
        return iter([action for action, sign in zip(RESERVES, board, strict=True) if sign == EMPTY])
    heights = HEIGHT_UNDER[state.variant.colours[seat]]
    found: list[tuple[Action, ...]]
    found = [MOVES[index][heights[board[index]]] for index in members(state.controls[seat])]
    if state.reserve[seat]:
        found.append(RESERVES)
    return chain.from_iterable(found)


def legal(state: State, seat: int) -> list[Action]:
    """The same as a list."""
    return list(actions(state, seat))


# --- the judge ----------------------------------------------------------------------------------------


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Why the seat may not do this now; None if it may."""
    if seat != state.turn or state.ended is not None:
        return _not_now(state)
    if isinstance(action, Move):
        src, count = action.src, action.count
        if count and seat >= 0 and not state.thirteenth[seat]:
            height = HEIGHT_UNDER[state.variant.colours[seat]].get(state.board[src], 0)
            if count <= height:
                return None
        return _why_no_move(state, seat, action)
    if isinstance(action, Reserve):
        return _why_no_reserve(state, seat, action)
    if seat != CHANCE:
        return msg("focus.refuse.first")
    if action.seat in range(state.variant.seats) and action.seat not in state.resigned:
        return None
    return msg("focus.refuse.seat")


def _not_now(state: State) -> Msg:
    if state.ended is not None:
        return msg("focus.refuse.over")
    if state.turn == CHANCE:
        return msg("focus.refuse.chance")
    return msg("focus.refuse.turn", who=facts.colour_name(state.variant.colours[state.turn]))


def _why_no_space(space: str) -> Msg | None:
    if space in INDEX:
        return None
    return msg("focus.refuse.corner" if space in MISSING else "focus.refuse.space", space=space)


def _why_no_move(state: State, seat: int, action: Move) -> Msg:
    if seat == CHANCE:
        return msg("focus.refuse.chance")
    if (why := _why_no_space(action.source) or _why_no_space(action.target)) is not None:
        return why
    if state.thirteenth[seat]:
        return msg("focus.refuse.thirteenth")
    pile = PILE[state.board[action.src]]
    own = state.variant.colours[seat]
    if not pile:
        return msg("focus.refuse.empty", space=action.source)
    if pile[-1] != own:
        partner = state.variant.teams[state.variant.seat_of[pile[-1]]] == state.variant.teams[seat]
        key = "focus.refuse.partner" if partner else "focus.refuse.top"
        return msg(key, space=action.source, who=facts.colour_name(pile[-1]))
    if action.source == action.target:
        return msg("focus.refuse.stay", space=action.source)
    if not action.count:
        return msg("focus.refuse.straight", space=action.source, target=action.target)
    return msg("focus.refuse.height", space=action.source, n=action.count, height=len(pile))


def _why_no_reserve(state: State, seat: int, action: Reserve) -> Msg | None:
    if seat == CHANCE:
        return msg("focus.refuse.chance")
    if (why := _why_no_space(action.target)) is not None:
        return why
    if state.thirteenth[seat]:
        free = state.board[action.dst] == EMPTY
        return None if free else msg("focus.refuse.occupied", space=action.target)
    return None if state.reserve[seat] else msg("focus.refuse.reserve")


# --- what follows -------------------------------------------------------------------------------------


def play(state: State, seat: int, action: Action) -> Step[State]:
    """The position after a legal action, and what happened."""
    if isinstance(action, First):
        return _begin(state, action)
    variant, board, dst = state.variant, state.board, action.dst
    under = PILE[board[dst]]
    controls = list(state.controls)
    reserve, thirteenth, captured, kind = state.reserve, state.thirteenth, state.captured, facts.MOVED
    if isinstance(action, Move):
        src, count = action.src, action.count
        pile = PILE[board[src]]
        joined, uncovered = under + pile[-count:], pile[:-count]
        board = board[:src] + SIGN[uncovered] + board[src + 1 :]
        controls[seat] ^= BITS[src]
        if uncovered:
            controls[variant.seat_of[uncovered[-1]]] |= BITS[src]
    else:
        joined = under + variant.colours[seat]
        if thirteenth[seat]:
            kind = facts.PLACED
            thirteenth = (*thirteenth[:seat], False, *thirteenth[seat + 1 :])
        else:
            kind = facts.PLAYED
            reserve = (*reserve[:seat], reserve[seat] - 1, *reserve[seat + 1 :])
    if under:
        controls[variant.seat_of[under[-1]]] ^= BITS[dst]
    controls[seat] |= BITS[dst]
    if len(joined) > TALLEST:
        removed, joined = joined[:-TALLEST], joined[-TALLEST:]
        reserve, captured, excess = _share_out(variant, seat, removed, reserve, captured)
        what = facts.turned(action.text, kind, TALLEST, excess)
    else:
        what = facts.turned(action.text, kind, len(joined), ())
    board = board[:dst] + SIGN[joined] + board[dst + 1 :]
    return _after(state, seat, board, reserve, captured, thirteenth, tuple(controls), what)


def _share_out(
    variant: Variant,
    seat: int,
    removed: str,
    reserve: tuple[int, ...],
    captured: tuple[tuple[int, ...], ...],
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], facts.Excess]:
    """Hand out what left the bottom: own pieces to the reserve, the partner's to theirs, others are taken."""
    hands, taken = list(reserve), list(captured[seat])
    said: list[tuple[str, int | str, int]] = []
    for other in (*variant.others[seat], seat):
        colour = variant.colours[other]
        count = removed.count(colour)
        if not count:
            continue
        if other == seat:
            hands[seat] += count
            said.append(("reserve", "", count))
        elif variant.teams[other] == variant.teams[seat]:
            hands[other] += count
            said.append(("partner", other, count))
        else:
            taken[other] += count
            said.append(("captured", colour, count))
    if taken != list(captured[seat]):
        captured = (*captured[:seat], tuple(taken), *captured[seat + 1 :])
    return tuple(hands), captured, tuple(said)


def _begin(state: State, action: First) -> Step[State]:
    past = (identity(state.board, action.seat, state.reserve, state.thirteenth),)
    return Step(state._replace(turn=action.seat, past=past), (facts.begins(action),))


def _after(
    before: State,
    seat: int,
    board: str,
    reserve: tuple[int, ...],
    captured: tuple[tuple[int, ...], ...],
    thirteenth: tuple[bool, ...],
    controls: tuple[int, ...],
    what: tuple[Fact, ...],
) -> Step[State]:
    """Judge the ends after a completed turn, and find who acts next."""
    variant, resigned = before.variant, before.resigned
    if 0 in before.controls:
        what += _returned(before, seat, controls, reserve)
    turn, passes, teams = seat, what, variant.teams
    for other in variant.others[seat]:
        if other in resigned:
            continue
        if controls[other] or reserve[other] or thirteenth[other]:
            if turn == seat:
                turn = other
            if teams[other] != teams[seat]:
                break
        elif turn == seat:
            passes += (facts.PASSES[other],)
    else:
        after = State(
            variant, board, reserve, captured, thirteenth, seat, resigned, controls, 0, (), None, None
        )
        return Step(_finish(after, _goal(after, seat) or "domination", seat), what)
    if captured is before.captured:
        quiet = before.quiet + 1
        here = identity(board, turn, reserve, thirteenth)
        past: tuple[str, ...] = (*before.past, here)
        drawn = quiet >= variant.quiet_limit or past.count(here) >= 3
    else:
        quiet, drawn = 0, False
        past = (identity(board, turn, reserve, thirteenth),)
    after = State(
        variant, board, reserve, captured, thirteenth, turn, resigned, controls, quiet, past, None, None
    )
    if variant.fast and (reason := _goal(after, seat)) is not None:
        return Step(_finish(after, reason, seat), what)
    return Step(_drawn(after) if drawn else after, passes)


def _goal(state: State, seat: int) -> Reason | None:
    if not state.variant.fast:
        return None
    return fast_goal(state.variant, seat, state.captured[seat], state.reserve[seat], state.resigned)


def _returned(
    before: State, seat: int, controls: tuple[int, ...], reserve: tuple[int, ...]
) -> tuple[Fact, ...]:
    """What is to be said of seats that had nothing to play before this turn and now have."""
    return tuple(
        facts.BACK[other]
        for other in before.variant.others[seat]
        if other not in before.resigned
        and not can_play(before, other)
        and (controls[other] or reserve[other])
    )


def _drawn(state: State) -> State:
    reason: Reason = "repetition" if state.past.count(state.past[-1]) >= 3 else "quiet"
    return _finish(state, reason, state.turn)


def _finish(state: State, reason: Reason, turn: int) -> State:
    able = frozenset(s for s in range(state.variant.seats) if can_play(state, s))
    outcome = conclude(state.variant, reason, turn, able, state.resigned, state.quiet)
    past = state.past if reason in DRAWS else ()
    return state._replace(turn=turn, past=past, ended=reason, outcome=outcome)


def fast_goal(
    variant: Variant, seat: int, taken: tuple[int, ...], hand: int, resigned: frozenset[int]
) -> Reason | None:
    """Whether a seat reached what ends a fast game."""
    each = FAST_EACH[variant.seats]
    others = [other for other in variant.others[seat] if other not in resigned]
    if all(taken[other] >= each for other in others):
        return "captures"
    return "ten" if variant.seats > 2 and sum(taken) + hand >= FAST_TEN else None


def conclude(
    variant: Variant,
    reason: Reason,
    turn: int,
    able: frozenset[int],
    resigned: frozenset[int],
    quiet: int,
) -> Outcome:
    """The result: the winner's side, or the sides that can play, before the rest, before who resigned."""
    teams, seats = variant.teams, range(variant.seats)
    if reason in DRAWS:
        first = frozenset(teams[seat] for seat in able - resigned)
    else:
        first = frozenset((teams[turn],))
    stayed = frozenset(teams[seat] for seat in seats if seat not in resigned) - first
    names = facts.whose(seat for seat in seats if teams[seat] in first)
    return Outcome(ranks(variant.setup, first, stayed), facts.ending(reason, names, quiet))


def resign(state: State, seat: int) -> Step[State]:
    """A seat leaves: its pieces stay as obstacles, it is skipped, and it is nobody's opponent any more.

    Raises ValueError if the game is over or the seat has left already, which no match lets happen.
    """
    variant = state.variant
    if state.ended is not None or seat in state.resigned or seat not in range(variant.seats):
        raise ValueError(f"seat {seat} can't resign")
    state = state._replace(resigned=state.resigned | {seat})
    if variant.partners:
        return Step(_finish(state, "standing", variant.after[seat][0]))
    able = [s for s in variant.after[seat] if s not in state.resigned and can_play(state, s)]
    if len(able) == 1:
        return Step(_finish(state, "standing", able[0]))
    happened = [facts.STAYS[seat]]
    if state.turn == seat:
        for other in variant.after[seat]:
            if other == able[0]:
                break
            if other not in state.resigned:
                happened.append(facts.PASSES[other])
        here = identity(state.board, able[0], state.reserve, state.thirteenth)
        state = state._replace(turn=able[0], past=(*state.past, here))
        if state.past.count(here) >= 3:
            state = _drawn(state)
    return Step(state, tuple(happened))
