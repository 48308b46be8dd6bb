"""The rules of Focus: positions, legal actions, the effects of turns and resignations, and the end.

`play` accepts every action that `refuse` allows. Every turn is completed in one place, `_complete`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.game import CHANCE, Fact, Outcome, Step, Why, ranks
from games.engine.message import Msg, Who, msg
from games.focus import facts
from games.focus.actions import MOVES, RESERVES, Action, FirstPlayer, Move, Reserve
from games.focus.board import (
    BITS,
    CHAR,
    CONTROLLED_HEIGHTS,
    EMPTY,
    FAST_CAPTURES_EACH,
    FAST_TOTAL,
    INDEX,
    MAX_HEIGHT,
    MISSING,
    PILE,
    Variant,
    controlled,
    indices,
    to_piles,
)
from games.focus.facts import DRAWS, Reason


class State(NamedTuple):
    """A position, including what the draw rules need. Nothing is hidden.

    A named tuple, because a frozen dataclass of this size takes four times as long to create.
    """

    variant: Variant
    board: str
    """One character per space, see `board`."""
    reserve: tuple[int, ...]
    """Pieces in reserve by seat."""
    captured: tuple[tuple[int, ...], ...]
    """`captured[seat][other]`: number of another seat's pieces that a seat has captured."""
    thirteenth: tuple[bool, ...]
    """By seat, whether the 13th piece is still to be placed; only with three players."""
    turn: int
    """The seat to act, or CHANCE. Once it is over: the winner who moved last, else the next to act."""
    resigned: frozenset[int]
    controls: tuple[int, ...]
    """By seat, the set of spaces whose top piece is its own; derived from the board."""
    quiet: int
    """Turns since the last capture, not counting passes."""
    past: tuple[str, ...]
    """Every `position_key` since the last capture, the current one included: no earlier one can recur."""
    ended: Reason | None
    outcome: Outcome | None

    def __repr__(self) -> str:
        """Return a short form; `position_json.dump` has everything."""
        colours = self.variant.colours
        piles = " ".join(f"{space}={pile}" for space, pile in to_piles(self.board).items())
        to_act = self.ended or ("chance" if self.turn == CHANCE else colours[self.turn])
        return f"State({piles!r}, turn={to_act!r}, reserve={self.reserve}, captured={self.captured})"


def position_key(board: str, turn: int, reserve: tuple[int, ...], thirteenth: tuple[bool, ...]) -> str:
    """Return a string that is equal for two positions with equal captures exactly if they are the same."""
    return board + _numbers(turn, reserve, thirteenth)


@lru_cache(maxsize=4096)
def _numbers(turn: int, reserve: tuple[int, ...], thirteenth: tuple[bool, ...]) -> str:
    return bytes((turn, *reserve, *thirteenth)).decode("latin-1")


def start(variant: Variant) -> State:
    """Return the set-up, before chance has chosen the first player."""
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
    """Return whether a seat has a pile to move or a piece to place; every pile has at least one move."""
    return bool(state.controls[seat] or state.reserve[seat] or state.thirteenth[seat])


def legal(state: State, seat: int) -> list[Action]:
    """Return every legal action: moves by space from the bottom left, then reserve moves likewise."""
    found: list[Action] = []
    if seat != state.turn or state.ended is not None:
        return found
    if seat == CHANCE:
        found += [FirstPlayer(other) for other in range(state.variant.seats) if other not in state.resigned]
        return found
    board = state.board
    if state.thirteenth[seat]:
        found += [action for action, char in zip(RESERVES, board, strict=True) if char == EMPTY]
        return found
    heights = CONTROLLED_HEIGHTS[state.variant.colours[seat]]
    for index in indices(state.controls[seat]):
        found += MOVES[index][heights[board[index]]]
    if state.reserve[seat]:
        found += RESERVES
    return found


# --- legality -----------------------------------------------------------------------------------------


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Return why the action is illegal for the seat now; None if it is legal."""
    if seat != state.turn or state.ended is not None:
        return _not_now(state)
    if isinstance(action, FirstPlayer):
        if seat != CHANCE:
            return msg("focus.refuse.first")
        return None if action in legal(state, seat) else msg("focus.refuse.seat")
    if seat == CHANCE:
        return msg("focus.refuse.chance")
    if isinstance(action, Reserve):
        return _why_no_reserve(state, seat, action)
    height = CONTROLLED_HEIGHTS[state.variant.colours[seat]].get(state.board[action.src], 0)
    if 0 < action.count <= height and not state.thirteenth[seat]:
        return None
    return _why_no_move(state, seat, action)


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
    if (why := _why_no_space(action.target)) is not None:
        return why
    if state.thirteenth[seat]:
        free = state.board[action.dst] == EMPTY
        return None if free else msg("focus.refuse.occupied", space=action.target)
    return None if state.reserve[seat] else msg("focus.refuse.reserve")


@lru_cache(maxsize=16384)
def _stack(pile: str, count: int, under: str) -> tuple[str, str, str, str, str, int]:
    """Put the top `count` pieces of a pile on another one; piles are given as characters.

    Return the pile that stays behind and the new pile; the colours uncovered and covered, empty if none;
    the pieces that leave the bottom; and the height of the new pile.
    """
    whole, below = PILE[pile], PILE[under]
    rest, joined = whole[:-count], below + whole[-count:]
    removed, joined = joined[:-MAX_HEIGHT], joined[-MAX_HEIGHT:]
    return CHAR[rest], CHAR[joined], rest[-1:], below[-1:], removed, len(joined)


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the position after a legal action, and what happened."""
    variant, board, controls = state.variant, state.board, list(state.controls)
    reserve, thirteenth, captured, kind = state.reserve, state.thirteenth, state.captured, facts.MOVED
    if isinstance(action, Move):
        src, dst = action.src, action.dst
        rest, joined, bare, covered, removed, height = _stack(board[src], action.count, board[dst])
        board = board[:src] + rest + board[src + 1 :]
        controls[seat] ^= BITS[src]
        if bare:
            controls[variant.seat_of[bare]] |= BITS[src]
    elif isinstance(action, Reserve):
        dst = action.dst
        own = CHAR[variant.colours[seat]]
        _, joined, _, covered, removed, height = _stack(own, 1, board[dst])
        if thirteenth[seat]:
            kind = facts.PLACED
            thirteenth = (*thirteenth[:seat], False, *thirteenth[seat + 1 :])
        else:
            kind = facts.PLAYED
            reserve = (*reserve[:seat], reserve[seat] - 1, *reserve[seat + 1 :])
    else:
        past = (position_key(board, action.seat, reserve, thirteenth),)
        return Step(state._replace(turn=action.seat, past=past), (facts.first_player(action),))
    if covered:
        controls[variant.seat_of[covered]] ^= BITS[dst]
    controls[seat] |= BITS[dst]
    excess: facts.Excess = ()
    if removed:
        reserve, captured, excess = _distribute(variant, seat, removed, reserve, captured)
    board = board[:dst] + joined + board[dst + 1 :]
    held, resigned = tuple(controls), state.resigned
    # Like State(...) and _replace, but faster (a sixth of `play`): both run once for every turn.
    after = tuple.__new__(
        State, (variant, board, reserve, captured, thirteenth, seat, resigned, held, 0, (), None, None)
    )
    return _complete(state, after, facts.turn_facts(action.text, kind, height, excess))


def _distribute(
    variant: Variant,
    seat: int,
    removed: str,
    reserve: tuple[int, ...],
    captured: tuple[tuple[int, ...], ...],
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], facts.Excess]:
    """Distribute the removed pieces: own ones to the reserve, a partner's to theirs; capture the others.

    Return the new reserves and captures, and what happened.
    """
    hands, taken = list(reserve), list(captured[seat])
    excess: list[tuple[str, int | str, int]] = []
    for other in (*variant.others[seat], seat):
        colour = variant.colours[other]
        count = removed.count(colour)
        if not count:
            continue
        if other == seat:
            hands[seat] += count
            excess.append(("reserve", "", count))
        elif variant.teams[other] == variant.teams[seat]:
            hands[other] += count
            excess.append(("partner", other, count))
        else:
            taken[other] += count
            excess.append(("captured", colour, count))
    if taken != list(captured[seat]):
        captured = (*captured[:seat], tuple(taken), *captured[seat + 1 :])
    return tuple(hands), captured, tuple(excess)


def _complete(before: State, after: State, what: tuple[Fact, ...]) -> Step[State]:
    """Complete the turn of the seat in `after`: check the ends of the game, and find who acts next."""
    variant, seat, resigned = after.variant, after.turn, after.resigned
    if 0 in before.controls:
        what += _returned(before, after)
    turn, passes, teams = seat, what, variant.teams
    for other in variant.others[seat]:
        if other in resigned:
            continue
        if can_play(after, other):
            if turn == seat:
                turn = other
            if teams[other] != teams[seat]:
                break
        elif turn == seat:
            passes += (facts.PASSES[other],)
    else:
        return Step(_finish(after, fast_goal(after, seat) or "domination", seat), what)
    here = position_key(after.board, turn, after.reserve, after.thirteenth)
    calm = after.captured is before.captured
    quiet, past = (before.quiet + 1, (*before.past, here)) if calm else (0, (here,))
    _, board, reserve, captured, thirteenth, _, _, held, *_ = after
    after = tuple.__new__(
        State,
        (variant, board, reserve, captured, thirteenth, turn, resigned, held, quiet, past, None, None),
    )
    if variant.fast and (reason := fast_goal(after, seat)) is not None:
        return Step(_finish(after, reason, seat), what)
    drawn = calm and (quiet >= variant.quiet_limit or past.count(here) >= 3)
    return Step(_drawn(after) if drawn else after, passes)


def _returned(before: State, after: State) -> tuple[Fact, ...]:
    """Return the facts about seats that had nothing to play before this turn and now have."""
    return tuple(
        facts.RETURNS[other]
        for other in before.variant.others[after.turn]
        if other not in before.resigned and not can_play(before, other) and can_play(after, other)
    )


def _drawn(state: State) -> State:
    return _finish(state, "repetition" if state.past.count(state.past[-1]) >= 3 else "quiet", state.turn)


def _finish(state: State, reason: Reason, turn: int) -> State:
    past = state.past if reason in DRAWS else ()
    ended = state._replace(turn=turn, past=past, ended=reason)
    return ended._replace(outcome=conclude(ended, reason))


def fast_goal(state: State, seat: int) -> Reason | None:
    """Return the goal of a fast game that a seat has reached, if any; None in other games."""
    variant, taken, hand = state.variant, state.captured[seat], state.reserve[seat]
    each = FAST_CAPTURES_EACH[variant.seats]
    if not variant.fast or sum(taken) + hand < each:
        return None  # the usual case, cheap to detect
    if all(taken[other] >= each for other in variant.others[seat] if other not in state.resigned):
        return "captures"
    return "ten" if variant.seats > 2 and sum(taken) + hand >= FAST_TOTAL else None


def conclude(state: State, reason: Reason) -> Outcome:
    """Return the result: winning or drawing teams first, then the rest, then those who resigned."""
    teams, stayed = state.variant.teams, [s for s in range(state.variant.seats) if s not in state.resigned]
    if reason in DRAWS:
        first = frozenset(teams[seat] for seat in stayed if can_play(state, seat))
    else:
        first = frozenset((teams[state.turn],))
    rest = frozenset(teams[seat] for seat in stayed) - first
    names = (Who(seat) for seat, team in enumerate(teams) if team in first)
    return Outcome(ranks(state.variant.setup, first, rest), facts.ending(reason, names, state.quiet))


def resign(state: State, seat: int, why: Why) -> Step[State]:
    """Let a seat leave: its pieces stay as obstacles, and it is skipped and no longer counts as an opponent.

    Raises ValueError if the game is over or the seat has already left; no match lets that happen.
    """
    variant = state.variant
    if state.ended is not None or seat in state.resigned or seat not in range(variant.seats):
        raise ValueError(f"seat {seat} can't resign")
    state = state._replace(resigned=state.resigned | {seat})
    if variant.partners:
        return Step(_finish(state, "standing", variant.order_after[seat][0]))
    able = [s for s in variant.order_after[seat] if s not in state.resigned and can_play(state, s)]
    if len(able) == 1:
        return Step(_finish(state, "standing", able[0]))
    happened = [facts.STAYS[seat]]
    if state.turn == seat:
        for other in variant.order_after[seat]:
            if other == able[0]:
                break
            if other not in state.resigned:
                happened.append(facts.PASSES[other])
        here = position_key(state.board, able[0], state.reserve, state.thirteenth)
        state = state._replace(turn=able[0], past=(*state.past, here))
        if state.past.count(here) >= 3:
            state = _drawn(state)
    return Step(state, tuple(happened))
