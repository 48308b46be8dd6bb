"""The rules of Focus, second half: the effects of turns and resignations, and the end of the game.

`play` accepts every action that `rules.refuse` allows. Every turn is completed in one place, `_complete`.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.game import Fact, Outcome, Step, Why, ranks
from games.engine.message import Who
from games.focus import facts
from games.focus.actions import Action, Move, Reserve
from games.focus.board import BITS, CHAR, FAST_CAPTURES_EACH, FAST_TOTAL, MAX_HEIGHT, PILE, Variant
from games.focus.facts import DRAWS, Reason
from games.focus.rules import State, can_play, position_key


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
