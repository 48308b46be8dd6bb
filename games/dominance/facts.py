"""The facts of Dominance: which pair took which piece, and why an attacker fell. They are cached."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.dominance.actions import MOVE, Action, Move
from games.dominance.board import BOARDS, NAME, Pair, iter_bits
from games.engine.game import Fact
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark

Reason: TypeAlias = Literal["nine", "ninth", "lock", "resigned", "repetition", "quiet", "stuck"]
"""How a game ends: nine pieces lost, the ninth lost by attacking, locked out, resigned; then the draws."""
REASONS: Final[tuple[Reason, ...]] = ("nine", "ninth", "lock", "resigned", "repetition", "quiet", "stuck")
DRAWS: Final = frozenset[Reason](("repetition", "quiet", "stuck"))
_COUNTED: Final = frozenset[Reason](("nine", "ninth", "quiet"))
SEAT_KEYS: Final = ("red", "black")


def seat_name(seat: int) -> Msg:
    """Return the name of a seat."""
    return msg(f"dominance.seat.{SEAT_KEYS[seat]}")


def pair_name(pair: Pair) -> Msg:
    """Return a text for the two pieces of a pair and how they stand to each other."""
    key = "dominance.pair.opposite" if pair.opposite else "dominance.pair.beside"
    return msg(key, first=NAME[pair.first], second=NAME[pair.second])


def _moved(action: Move) -> tuple[Fact, ...]:
    marks = (Mark("from", action.source), Mark("to", action.target))
    return (Fact(msg("dominance.fact.move", move=action.text), marks),)


@lru_cache(maxsize=256)
def spawn(text: str, pool: int) -> tuple[Fact, ...]:
    """Return the facts of a spawn, as typed, without captures; `pool` is the number of pieces left in it."""
    return (Fact(msg("dominance.fact.spawn", move=text, n=pool), (Mark("to", text[1:]),)),)


MOVED: Final = {action.text: _moved(action) for action in MOVE.values()}
"""The facts of each move without captures, by its text."""


def attack(
    key: str, action: Action, own: int, taken: int, guards: Pair | None, revenge: Pair | None
) -> tuple[Fact, ...]:
    """Return the facts of an attack.

    `own` are the attacking side's pieces, `taken` the ones they took. `guards` is a pair that had dominated
    the space before, `revenge` one that took the attacker in turn.
    """
    board = BOARDS[key]
    marks = [Mark("from", action.source)] if isinstance(action, Move) else []
    marks.append(Mark("to", action.target))
    blows: list[Value] = []
    for victim in iter_bits(taken):
        pair = board.pair(own, victim, action.dst)
        if pair is not None:
            blows.append(_capture(pair, NAME[victim]))
            marks.append(Mark("captured", NAME[victim]))
    message = msg("dominance.fact.attack", move=action.text, blows=tuple(blows))
    if revenge is not None:
        marks.append(Mark("captured", action.target))
        message = msg("dominance.fact.fallen", attack=message, pair=pair_name(revenge), space=action.target)
    elif guards is not None:
        message = msg("dominance.fact.safe", attack=message, space=action.target)
    return (Fact(message, tuple(marks)),)


def _capture(pair: Pair, victim: str) -> Msg:
    key = "dominance.blow.opposite" if pair.opposite else "dominance.blow.beside"
    return msg(key, first=NAME[pair.first], second=NAME[pair.second], space=victim)


PASSES: Final = tuple(Fact(msg("dominance.fact.pass", who=Who(seat), other=Who(1 - seat))) for seat in (0, 1))
"""By seat: it has no legal action, and its turn is skipped."""


@lru_cache(maxsize=64)
def lock_warning(seat: int, pieces: int, held: int) -> Fact:
    """Return the warning for a seat with at most one piece in play when the other holds 3 or 4 spawns."""
    key = "dominance.fact.warning" if held < 4 else "dominance.fact.last_warning"
    return Fact(msg(key, who=Who(seat), other=Who(1 - seat), n=pieces))


def ending(reason: Reason, names: Iterable[Value], number: int) -> Msg:
    """Return the sentence for the ending; `names` are the winner, or those who share the draw.

    `number` is the number of pieces lost or of quiet actions, if one of these is the reason.
    """
    if reason in _COUNTED:
        return msg(f"dominance.outcome.{reason}", who=tuple(names), n=number)
    return msg(f"dominance.outcome.{reason}", who=tuple(names))
