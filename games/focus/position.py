"""A position as JSON that people can read and tests can write; every wrong one is refused with a reason.

Needed are `seats`, `piles` and `turn` only: what is left out is as at the start, with nothing in hand.
"""

from __future__ import annotations

from typing import Any, Final, cast

from games.engine.game import CHANCE, Json
from games.focus.board import INDEX, PILE, SIGN, SPACES, controlled, from_piles, to_piles
from games.focus.facts import DRAWS, REASONS, Reason
from games.focus.rules import State, can_play, identity
from games.focus.setups import PIECES, Variant, variant
from games.focus.turns import conclude, fast_goal

_SET_UP: Final = ("seats", "fast", "partners", "piles", "reserve", "captured", "thirteenth")
_COURSE: Final = ("turn", "resigned", "quiet", "past", "ended")


def dump(state: State) -> Json:
    """The position with everything that its future depends on; `load` gives it back."""
    colours = state.variant.colours
    chance = state.turn == CHANCE
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
        "turn": "chance" if chance else colours[state.turn],
        "resigned": "".join(c for seat, c in enumerate(colours) if seat in state.resigned),
        "quiet": state.quiet,
        "past": [_write_past(state.variant, here) for here in state.past],
        "ended": state.ended,
    }


def load(data: Json) -> State:
    """Build the position. Raises ValueError with a reason for anything that is none."""
    fields = _fields(data)
    way = _variant(fields)
    board = _board(way, fields.get("piles"))
    reserve = _counts(way, fields.get("reserve", {}), "reserve")
    captured = _captured(way, fields.get("captured", {}))
    waiting = _letters(way, fields.get("thirteenth", ""), "thirteenth")
    if waiting and way.seats != 3:
        raise ValueError("thirteenth: only three players have 13th pieces")
    turn = _turn(way, fields.get("turn"))
    resigned = _letters(way, fields.get("resigned", ""), "resigned")
    ended = fields.get("ended")
    if ended is not None and ended not in REASONS:
        raise ValueError(f"ended: {ended!r} is no way to end")
    thirteenth = tuple(seat in waiting for seat in range(way.seats))
    here = None if turn == CHANCE else identity(board, turn, reserve, thirteenth)
    past = _past(way, fields.get("past"), here, ended)
    state = State(
        variant=way,
        board=board,
        reserve=reserve,
        captured=captured,
        thirteenth=thirteenth,
        turn=turn,
        resigned=resigned,
        controls=tuple(controlled(board, colour) for colour in way.colours),
        quiet=_number(fields.get("quiet", 0), "quiet"),
        past=past,
        ended=cast("Reason | None", ended),
        outcome=None,
    )
    _check_pieces(state)
    return _check_course(state)


def _fields(data: Json) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError("a position is an object")
    if unknown := sorted(set(data).difference(_SET_UP, _COURSE)):
        raise ValueError(f"{unknown[0]}: no part of a position")
    return data


def _variant(fields: dict[str, Any]) -> Variant:
    fast, partners = fields.get("fast", False), fields.get("partners", False)
    if not isinstance(fast, bool) or not isinstance(partners, bool):
        raise ValueError("fast and partners are true or false")
    return variant(_number(fields.get("seats"), "seats"), fast, partners)


def _number(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1000:
        raise ValueError(f"{name}: {value!r} is no number from 0 to 999")
    return value


def _board(way: Variant, piles: object) -> str:
    if not isinstance(piles, dict):
        raise ValueError("piles: an object of spaces is needed")
    for space, pile in piles.items():
        if space not in INDEX:
            raise ValueError(f"piles: {space!r} is no space")
        if not isinstance(pile, str) or not pile or pile not in SIGN or set(pile) - set(way.colours):
            raise ValueError(f"piles: {pile!r} on {space} is no pile of one to five of {way.colours}")
    return from_piles(piles)


def _counts(way: Variant, counts: object, name: str) -> tuple[int, ...]:
    if not isinstance(counts, dict):
        raise ValueError(f"{name}: an object of colours is needed")
    if unknown := set(counts) - set(way.colours):
        raise ValueError(f"{name}: {min(unknown)!r} is no colour of this game")
    return tuple(_number(counts.get(colour, 0), name) for colour in way.colours)


def _captured(way: Variant, captured: object) -> tuple[tuple[int, ...], ...]:
    if not isinstance(captured, dict) or set(captured) - set(way.colours):
        raise ValueError("captured: an object of colours is needed")
    rows = tuple(_counts(way, captured.get(colour, {}), "captured") for colour in way.colours)
    for seat, row in enumerate(rows):
        if any(count and way.teams[other] == way.teams[seat] for other, count in enumerate(row)):
            raise ValueError(f"captured: {way.colours[seat]} can't capture pieces of its own side")
    return rows


def _letters(way: Variant, letters: object, name: str) -> frozenset[int]:
    if not isinstance(letters, str) or set(letters) - set(way.colours) or len(set(letters)) < len(letters):
        raise ValueError(f"{name}: {letters!r} is no set of colours of this game")
    return frozenset(way.seat_of[colour] for colour in letters)


def _turn(way: Variant, turn: object) -> int:
    if turn == "chance":
        return CHANCE
    if not isinstance(turn, str) or turn not in way.seat_of:
        raise ValueError(f"turn: {turn!r} is neither a colour of this game nor chance")
    return way.seat_of[turn]


# --- the positions before -----------------------------------------------------------------------------


def _write_past(way: Variant, here: str) -> str:
    # "piles reserves thirteenth turn": piles by commas in the order of the spaces.
    board, numbers = here[: len(SPACES)], here[len(SPACES) :].encode("latin-1")
    turn, reserve, waiting = numbers[0], numbers[1 : way.seats + 1], numbers[way.seats + 1 :]
    piles = ",".join(PILE[sign] for sign in board)
    hands = ",".join(map(str, reserve))
    left = "".join(c for c, flag in zip(way.colours, waiting, strict=True) if flag)
    return f"{piles} {hands} {left or '-'} {way.colours[turn]}"


def _read_past(way: Variant, line: object) -> str:
    try:
        if not isinstance(line, str):
            raise TypeError(line)
        piles, hands, left, turn = line.split(" ")
        board = "".join(SIGN[pile] for pile in piles.split(","))
        reserve = tuple(map(int, hands.split(",")))
        here = identity(board, way.seat_of[turn], reserve, tuple(c in left for c in way.colours))
        if _write_past(way, here) != line or len(board) != len(SPACES):
            raise ValueError(line)
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"past: {line!r} is no position") from error
    return here


def _past(way: Variant, lines: object, here: str | None, ended: object) -> tuple[str, ...]:
    if here is None or (ended is not None and ended not in DRAWS):
        if lines:
            raise ValueError("past: nothing is to be remembered here")
        return ()
    if lines is None:
        return (here,)
    if not isinstance(lines, list) or not lines:
        raise ValueError("past: a list of positions is needed")
    past = tuple(_read_past(way, line) for line in lines)
    if past[-1] != here:
        raise ValueError("past: the last position is not this one")
    totals = {tuple(_pieces(way, there)) for there in past}
    if len(totals) > 1:
        raise ValueError("past: pieces come and go without a capture")
    return past


def _pieces(way: Variant, here: str) -> list[int]:
    """Pieces of each seat on the board, in hand and waiting beside the board."""
    numbers = here[len(SPACES) :].encode("latin-1")
    piles = "".join(PILE[sign] for sign in here[: len(SPACES)])
    return [
        piles.count(colour) + numbers[1 + seat] + numbers[1 + way.seats + seat]
        for seat, colour in enumerate(way.colours)
    ]


# --- what can't be -------------------------------------------------------------------------------------


def _check_pieces(state: State) -> None:
    way = state.variant
    here = identity(state.board, 0, state.reserve, state.thirteenth)
    for seat, count in enumerate(_pieces(way, here)):
        if count + sum(row[seat] for row in state.captured) > PIECES[way.seats]:
            raise ValueError(f"there are more than {PIECES[way.seats]} pieces of {way.colours[seat]}")


def _check_course(state: State) -> State:
    """Check that this can be somebody's turn, or the end that it claims to be, and add the result."""
    way, ended = state.variant, state.ended
    playing = [seat for seat in range(way.seats) if seat not in state.resigned]
    able = frozenset(seat for seat in playing if can_play(state, seat))
    sides = {way.teams[seat] for seat in able}
    limit, most = way.quiet_limit, max(map(state.past.count, state.past), default=0)
    if way.partners and state.resigned and ended != "standing":
        raise ValueError("resigned: a pair is beaten when one of it resigns")
    if len(state.past) > state.quiet + len(state.resigned) + 1:
        raise ValueError("quiet: fewer turns than remembered positions")
    if ended is None or ended in DRAWS:
        if len(sides) < 2:
            raise ValueError("turn: one side alone can play, so that the game is over")
        if state.turn != CHANCE and state.turn not in able:
            raise ValueError(f"turn: {way.colours[state.turn]} has nothing to play")
    if ended is None and (state.quiet >= limit or most >= 3):
        raise ValueError("ended: the game is drawn")
    if ended is None:
        return state
    alone = sides == {way.teams[state.turn]}
    goal = (
        state.turn != CHANCE
        and way.fast
        and fast_goal(way, state.turn, state.captured[state.turn], state.reserve[state.turn], state.resigned)
    )
    fair = {
        "quiet": state.quiet >= limit,
        "repetition": most >= 3,
        "standing": bool(state.resigned) and (way.partners or alone),
        "domination": alone,
        "captures": goal == ended,
        "ten": goal == ended,
    }
    if not fair[ended] or state.turn == CHANCE or state.turn in state.resigned:
        raise ValueError(f"ended: this is no {ended}")
    return state._replace(outcome=conclude(way, ended, state.turn, able, state.resigned, state.quiet))
