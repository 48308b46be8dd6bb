"""Positions as JSON that people can read and write; invalid ones are refused with a reason.

Only `seats`, `piles` and `turn` are required: all else defaults to the start, with nothing in reserve.
"""

from __future__ import annotations

from typing import Final, cast

from games.engine.fields import (
    Fields,
    Json,
    by_name,
    canonical,
    dict_of,
    flag,
    list_of,
    lookup,
    nothing,
    one_of,
    optional,
    text,
    whole,
)
from games.engine.game import CHANCE
from games.focus.board import (
    CHAR,
    INDEX,
    PIECES,
    PILE,
    SPACES,
    Variant,
    controlled,
    from_piles,
    get_variant,
    to_piles,
)
from games.focus.facts import DRAWS, REASONS
from games.focus.rules import State, can_play, conclude, fast_goal, position_key

_PARTS: Final = (
    *("seats", "fast", "partners", "piles", "reserve", "captured", "thirteenth"),
    *("turn", "resigned", "quiet", "past", "ended"),
)
_NUMBER: Final = whole(999)


def dump(state: State) -> Json:
    """Return the position with everything that affects its future; `load` is the inverse."""
    colours = state.variant.colours
    return {
        "seats": state.variant.seats,
        "fast": state.variant.fast,
        "partners": state.variant.partners,
        "piles": cast("dict[str, Json]", to_piles(state.board)),
        "reserve": {c: n for c, n in zip(colours, state.reserve, strict=True) if n},
        "captured": {
            colour: {c: n for c, n in zip(colours, row, strict=True) if n}
            for colour, row in zip(colours, state.captured, strict=True)
            if any(row)
        },
        "thirteenth": "".join(c for c, left in zip(colours, state.thirteenth, strict=True) if left),
        "turn": "chance" if state.turn == CHANCE else colours[state.turn],
        "resigned": "".join(c for seat, c in enumerate(colours) if seat in state.resigned),
        "quiet": state.quiet,
        "past": [_write_past(state.variant, here) for here in state.past],
        "ended": state.ended,
    }


def load(data: Json, rules: int) -> State:
    """Return the position. Raises ValueError with a reason for anything invalid."""
    part = Fields(data, _PARTS)
    variant = get_variant(part("seats", _NUMBER), part("fast", flag, False), part("partners", flag, False))
    pile = text(
        f"pile of one to five of {variant.colours}",
        lambda p: p and p in CHAR and set(p) <= set(variant.colours),
    )
    letters = text(
        "set of colours of this game", lambda c: set(c) <= set(variant.colours) and len(set(c)) == len(c)
    )
    none = (0,) * variant.seats
    counts = by_name(variant.colours, _NUMBER, none)
    board = from_piles(part("piles", dict_of(INDEX, pile)))
    reserve = part("reserve", counts, none)
    captured = part(
        "captured", by_name(variant.colours, counts, (none,) * variant.seats), (none,) * variant.seats
    )
    thirteenth = tuple(colour in part("thirteenth", letters, "") for colour in variant.colours)
    turn = part("turn", lookup({**variant.seat_of, "chance": CHANCE}, "colour of this game, or chance"))
    ended = part("ended", optional(one_of(REASONS)), None)
    here = None if turn == CHANCE else position_key(board, turn, reserve, thirteenth)
    state = State(
        variant=variant,
        board=board,
        reserve=reserve,
        captured=captured,
        thirteenth=thirteenth,
        turn=turn,
        resigned=frozenset(variant.seat_of[colour] for colour in part("resigned", letters, "")),
        controls=tuple(controlled(board, colour) for colour in variant.colours),
        quiet=part("quiet", _NUMBER, 0),
        past=_past(variant, part, here, ended),
        ended=ended,
        outcome=None,
    )
    _check_pieces(state)
    return _check_course(state)


# --- earlier positions --------------------------------------------------------------------------------


def _write_past(variant: Variant, here: str) -> str:
    # "piles reserves thirteenth turn", the piles separated by commas in the order of the spaces.
    board, numbers = here[: len(SPACES)], here[len(SPACES) :].encode("latin-1")
    turn, reserve, waiting = numbers[0], numbers[1 : variant.seats + 1], numbers[variant.seats + 1 :]
    piles = ",".join(PILE[char] for char in board)
    hands = ",".join(map(str, reserve))
    left = "".join(c for c, flag in zip(variant.colours, waiting, strict=True) if flag)
    return f"{piles} {hands} {left or '-'} {variant.colours[turn]}"


def _read_past(variant: Variant, line: str) -> str:
    piles, hands, left, turn = line.split(" ")
    board = "".join(CHAR[pile] for pile in piles.split(","))
    if len(board) != len(SPACES):
        raise ValueError(line)
    reserve = tuple(map(int, hands.split(",")))
    return position_key(board, variant.seat_of[turn], reserve, tuple(c in left for c in variant.colours))


def _past(variant: Variant, part: Fields, here: str | None, ended: object) -> tuple[str, ...]:
    """Read the positions that can recur, the current one the last of them."""
    if here is None or (ended is not None and ended not in DRAWS):
        return part("past", nothing, ())
    line = canonical(
        "position", lambda text: _read_past(variant, text), lambda there: _write_past(variant, there)
    )
    past = part("past", optional(list_of(line, 1)), None) or (here,)
    if past[-1] != here:
        raise ValueError("past: the last position is not this one")
    if len({tuple(_pieces(variant, there)) for there in past}) > 1:
        raise ValueError("past: pieces come and go without a capture")
    return past


def _pieces(variant: Variant, here: str) -> list[int]:
    """Return the number of pieces of each seat on the board, in reserve and waiting beside the board."""
    numbers = here[len(SPACES) :].encode("latin-1")
    piles = "".join(PILE[char] for char in here[: len(SPACES)])
    return [
        piles.count(colour) + numbers[1 + seat] + numbers[1 + variant.seats + seat]
        for seat, colour in enumerate(variant.colours)
    ]


# --- checks ----------------------------------------------------------------------------------------------


def _check_pieces(state: State) -> None:
    variant = state.variant
    if any(state.thirteenth) and variant.seats != 3:
        raise ValueError("thirteenth: only three players have 13th pieces")
    for seat, row in enumerate(state.captured):
        if any(count and variant.teams[other] == variant.teams[seat] for other, count in enumerate(row)):
            raise ValueError(f"captured: {variant.colours[seat]} can't capture pieces of its own side")
    here = position_key(state.board, 0, state.reserve, state.thirteenth)
    for seat, count in enumerate(_pieces(variant, here)):
        if count + sum(row[seat] for row in state.captured) > PIECES[variant.seats]:
            raise ValueError(f"there are more than {PIECES[variant.seats]} pieces of {variant.colours[seat]}")


def _check_course(state: State) -> State:
    """Check that a seat can be to act, or that the game has ended as claimed; return it with the result."""
    variant, ended = state.variant, state.ended
    playing = [seat for seat in range(variant.seats) if seat not in state.resigned]
    able = frozenset(seat for seat in playing if can_play(state, seat))
    sides = {variant.teams[seat] for seat in able}
    limit, most = variant.quiet_limit, max(map(state.past.count, state.past), default=0)
    if variant.partners and state.resigned and ended != "standing":
        raise ValueError("resigned: a pair is beaten when one of it resigns")
    if len(state.past) > state.quiet + len(state.resigned) + 1:
        raise ValueError("quiet: fewer turns than remembered positions")
    if ended is None or ended in DRAWS:
        if len(sides) < 2:
            raise ValueError("turn: one side alone can play, so that the game is over")
        if state.turn != CHANCE and state.turn not in able:
            raise ValueError(f"turn: {variant.colours[state.turn]} has nothing to play")
    if ended is None and (state.quiet >= limit or most >= 3):
        raise ValueError("ended: the game is drawn")
    if ended is None:
        return state
    alone = sides == {variant.teams[state.turn]}
    goal = None if state.turn == CHANCE else fast_goal(state, state.turn)
    fair = {
        "quiet": state.quiet >= limit,
        "repetition": most >= 3,
        "standing": bool(state.resigned) and (variant.partners or alone),
        "domination": alone,
        "captures": goal == ended,
        "ten": goal == ended,
    }
    if not fair[ended] or state.turn == CHANCE or state.turn in state.resigned:
        raise ValueError(f"ended: the game does not end like this: {ended}")
    return state._replace(outcome=conclude(state, ended))
