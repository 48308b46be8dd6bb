"""What Dominance has to say about what happened: which pair took which piece, and why an attacker fell.

Sentences that come again are built once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.dominance.actions import MOVE, Action, Move
from games.dominance.boards import BOARDS, NAME, Pair, each
from games.engine.game import Fact
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark

Reason: TypeAlias = Literal["nine", "ninth", "lock", "resigned", "repetition", "quiet", "stuck"]
"""How a game ends: nine pieces taken, the ninth lost by attacking, locked out, given up; then the draws."""
REASONS: Final[tuple[Reason, ...]] = ("nine", "ninth", "lock", "resigned", "repetition", "quiet", "stuck")
DRAWS: Final = frozenset[Reason](("repetition", "quiet", "stuck"))
_COUNTED: Final = frozenset[Reason](("nine", "ninth", "quiet"))
SEAT_KEYS: Final = ("red", "black")


def seat_name(seat: int) -> Msg:
    """How a seat is named."""
    return msg(f"dominance.seat.{SEAT_KEYS[seat]}")


def pair_name(pair: Pair) -> Msg:
    """The two pieces of a pair and how they support each other."""
    first, second = NAME[pair.first], NAME[pair.second]
    if pair.opposite:
        return msg("dominance.pair.opposite", first=first, second=second)
    return msg("dominance.pair.beside", first=first, second=second)


def _moved(action: Move) -> tuple[Fact, ...]:
    marks = (Mark("from", action.source), Mark("to", action.target))
    return (Fact(msg("dominance.fact.move", move=action.text), marks),)


@lru_cache(maxsize=256)
def spawned(text: str, pool: int) -> tuple[Fact, ...]:
    """A spawn, as typed, that took nothing; `pool` is what is left to spawn."""
    return (Fact(msg("dominance.fact.spawn", move=text, n=pool), (Mark("to", text[1:]),)),)


MOVED: Final = {action.text: _moved(action) for action in MOVE.values()}
"""Each move, as typed, that took nothing."""


def attacked(
    key: str, action: Action, own: int, taken: int, guards: Pair | None, revenge: Pair | None
) -> tuple[Fact, ...]:
    """An attack.

    `own` are the attacker's pieces when it struck, `taken` what they took; `guards` the pair that had
    guarded the space before, `revenge` the one that took the attacker in turn.
    """
    board = BOARDS[key]
    marks = [Mark("from", action.source)] if isinstance(action, Move) else []
    marks.append(Mark("to", action.target))
    blows: list[Value] = []
    for victim in each(taken):
        pair = board.pair(own, victim, action.dst)
        if pair is not None:
            blows.append(_blow(pair, NAME[victim]))
            marks.append(Mark("captured", NAME[victim]))
    said = msg("dominance.fact.attack", move=action.text, blows=tuple(blows))
    if revenge is not None:
        marks.append(Mark("captured", action.target))
        said = msg("dominance.fact.fallen", attack=said, pair=pair_name(revenge), space=action.target)
    elif guards is not None:
        said = msg("dominance.fact.safe", attack=said, space=action.target)
    return (Fact(said, tuple(marks)),)


def _blow(pair: Pair, victim: str) -> Msg:
    first, second = NAME[pair.first], NAME[pair.second]
    if pair.opposite:
        return msg("dominance.blow.opposite", first=first, second=second, space=victim)
    return msg("dominance.blow.beside", first=first, second=second, space=victim)


PASSES: Final = tuple(Fact(msg("dominance.fact.pass", who=Who(seat), other=Who(1 - seat))) for seat in (0, 1))
"""A seat without a legal action is passed over."""


@lru_cache(maxsize=64)
def warning(seat: int, pieces: int, held: int) -> Fact:
    """The seat has at most one piece in play, and the other one holds three spawns, or all four."""
    who, other = Who(seat), Who(1 - seat)
    if held < 4:
        return Fact(msg("dominance.fact.warning", who=who, other=other, n=pieces))
    return Fact(msg("dominance.fact.last_warning", who=who, other=other, n=pieces))


def ending(reason: Reason, names: Iterable[Value], number: int) -> Msg:
    """The sentence for how it ended; `names` are the winner, or who shares the draw.

    `number` counts the pieces taken, or the quiet actions, where one of these is the reason.
    """
    if reason in _COUNTED:
        return msg(f"dominance.outcome.{reason}", who=tuple(names), n=number)
    return msg(f"dominance.outcome.{reason}", who=tuple(names))
