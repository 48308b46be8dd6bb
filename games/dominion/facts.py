"""What Dominion has to say about what happened, and where to point."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.dominion.board import NAMES, SIDES
from games.dominion.moves import piece_name
from games.dominion.position import kind_of, owner
from games.engine.game import Fact
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark

Change: TypeAlias = Literal["recruited", "contested", "released", "armed", "turned"]


@lru_cache(maxsize=4096)
def moved(code: int, src: int, dst: int, there: int) -> tuple[Fact, ...]:
    """A move to an empty square (`there` 0), a swap, or an elimination of the piece that stood there."""
    what: dict[str, Value] = {"piece": piece_name(kind_of(code)), "move": f"{NAMES[src]}-{NAMES[dst]}"}
    marks = [Mark("from", NAMES[src]), Mark("to", NAMES[dst])]
    if not there:
        said = msg("dominion.fact.move", **what)
    elif there >> 4 == code >> 4:
        said = msg("dominion.fact.swap", **what)
    else:
        marks.append(Mark("captured", NAMES[dst]))
        victim = piece_name(kind_of(there))
        if owner(there) < 0:
            said = msg("dominion.fact.kill_free", victim=victim, **what)
        else:
            said = msg("dominion.fact.kill", victim=victim, who=Who(owner(there)), **what)
    return (Fact(said, tuple(marks)),)


def changed(what: Change, seat: int, squares: Iterable[int]) -> Fact:
    """Peasants recruited, contested or released, units armed or turned; by the seat, if by any."""
    names = [NAMES[at] for at in squares]
    values: dict[str, Value] = {"squares": tuple(names), "n": len(names)}
    if seat >= 0:
        values["who"] = Who(seat)
    kind: Literal["contested", "changed"] = "contested" if what == "contested" else "changed"
    return Fact(msg(f"dominion.fact.{what}", **values), tuple(Mark(kind, at) for at in names))


def controls(side: int, seat: int, before: int) -> Fact:
    """A Territory came under control, or slipped from it."""
    name = msg(f"dominion.side.{SIDES[side]}")
    if seat < 0:
        return Fact(msg("dominion.fact.neutral", side=name, who=Who(before)))
    return Fact(msg("dominion.fact.control", side=name, who=Who(seat)))


def of_seat(key: str, seat: int) -> Fact:
    """Something about a seat: `dominion.fact.{key}`."""
    return Fact(msg(f"dominion.fact.{key}", who=Who(seat)))


def fell(seat: int, by: int, heir: bool) -> Fact:
    """An Emperor was taken."""
    key = "dominion.fact.fell_heir" if heir else "dominion.fact.fell"
    return Fact(msg(key, who=Who(seat), by=Who(by)))


FATE_NO: Final = (Fact(msg("dominion.fact.fate_no")),)
EVENTS: Final = (
    "nothing",
    "demote_upper",
    "demote_lower",
    "peasant",
    "nothing",
    "promote_lower",
    "promote_upper",
)
"""What each number of the sticks asks for."""


def sticks(n: int, possible: bool) -> Fact:
    """Fate said yes, and the sticks showed a number; `possible` whether what they ask for can be done."""
    event = msg(f"dominion.event.{EVENTS[n]}")
    if possible:
        return Fact(msg("dominion.fact.sticks", n=n, event=event))
    return Fact(msg("dominion.fact.sticks_idle", n=n, event=event))


def ranked(kind: Literal["promote", "demote"], seat: int, at: int, old: int, new: int) -> Fact:
    """A unit was promoted or demoted."""
    key = f"dominion.fact.{kind}"
    said = msg(key, who=Who(seat), square=NAMES[at], old=piece_name(old), new=piece_name(new))
    return Fact(said, (Mark("changed", NAMES[at]),))


def placed(at: int) -> Fact:
    """A new Peasant came."""
    return Fact(msg("dominion.fact.placed", square=NAMES[at]), (Mark("to", NAMES[at]),))


def thrown(rounds: tuple[tuple[int, ...], ...], first: int) -> Fact:
    """The starting throw."""
    text = "; ".join(" ".join(map(str, each)) for each in rounds)
    return Fact(msg("dominion.fact.throw", who=Who(first), throws=text))


def promoted_sergeants(seat: int, pair: tuple[int, int]) -> Fact:
    """A seat's two Sergeants are revealed."""
    names = tuple(NAMES[at] for at in pair)
    return Fact(
        msg("dominion.fact.sergeants", who=Who(seat), squares=names),
        tuple(Mark("changed", at) for at in names),
    )


def ending(reason: str, winners: Iterable[int]) -> Msg:
    """The sentence for how it ended: `last`, `points` or `draw`."""
    return msg(f"dominion.outcome.{reason}", who=tuple(Who(seat) for seat in winners))
