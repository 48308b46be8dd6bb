"""Facts of Dominion: the sentences about what happened, with the marks on the board.

A turn takes at most five lines: the move, what it changed, Territories, thrones, Fate. The seat that acted is
shown in front of them and isn't named again.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from games.dominion.actions import MOVES
from games.dominion.board import NAMES, SIDES
from games.dominion.moves import PIECE_NAMES, piece_name
from games.dominion.position import NOBODY, Law, owner, sandwiched_seat
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark

Change: TypeAlias = Literal["recruited", "contested", "released", "armed", "turned"]
MOVE_LINE, CHANGES_LINE, CONTROL_LINE, DYNASTY_LINE, FATE_LINE = range(5)
"""The lines of a turn's report."""


_LEFT: Final = tuple(Mark("from", square) for square in NAMES)
_REACHED: Final = tuple(Mark("to", square) for square in NAMES)


def moved(code: int, src: int, dst: int, there: int) -> tuple[Fact, ...]:
    """Report a move to an empty square (`there` 0), a swap, or the elimination of the piece there."""
    marks: tuple[Mark, ...] = (_LEFT[src], _REACHED[dst])
    move, mover = ("move", MOVES[src][dst].text), ("piece", PIECE_NAMES[code & 15])
    # Placeholders are sorted by name, as `msg` would do: this runs for every move, seldom twice for the same.
    if not there:
        return (Fact(Msg("dominion.fact.move", (move, mover)), marks),)
    if there >> 4 == code >> 4:
        return (Fact(Msg("dominion.fact.swap", (move, mover)), marks),)
    marks = (*marks, Mark("captured", NAMES[dst]))
    victim = ("victim", PIECE_NAMES[there & 15])
    if owner(there) < 0:
        return (Fact(Msg("dominion.fact.kill_free", (move, mover, victim)), marks),)
    who = ("who", Who(owner(there)))
    return (Fact(Msg("dominion.fact.kill", (move, mover, victim, who)), marks),)


def changed(what: Change, seat: int, squares: Iterable[int]) -> Fact:
    """Report Peasants recruited, contested or released, units armed or turned; by the seat, if any."""
    names = [NAMES[at] for at in squares]
    values: dict[str, Value] = {"squares": tuple(names)}
    if seat >= 0:
        values["who"] = Who(seat)
    kind: Literal["contested", "changed"] = "contested" if what == "contested" else "changed"
    marks = tuple(Mark(kind, at) for at in names)
    return Fact(msg(f"dominion.fact.{what}", **values), marks, line=CHANGES_LINE)


def control_changes(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[Fact, ...]:
    """Report changes of control; `before` and `after` hold the controller of each Territory by side."""
    if before == after:
        return ()
    gained: dict[tuple[str, int], list[Value]] = {}
    for side, (was, seat) in enumerate(zip(before, after, strict=True)):
        if was != seat:
            key = ("control", seat) if seat >= 0 else ("neutral", was)
            gained.setdefault(key, []).append(msg(f"dominion.side.{SIDES[side]}"))
    return tuple(
        Fact(msg(f"dominion.fact.{key}", who=Who(seat), sides=tuple(sides)), line=CONTROL_LINE)
        for (key, seat), sides in gained.items()
    )


PASSED: Final = (Fact(msg("dominion.fact.pass")),)


def chosen(seat: int, pair: tuple[int, int]) -> tuple[Fact, ...]:
    """Report that Sergeants were chosen; which ones, to their player only."""
    names = tuple(NAMES[at] for at in pair)
    own = msg("dominion.fact.chosen", squares=names)
    marks = tuple(Mark("changed", at) for at in names)
    return Fact(msg("dominion.fact.ready")), Fact(own, marks, frozenset((Seat(seat),)))


def dynasty_fact(key: Literal["fell", "fell_sure", "out", "heir", "no_heir", "crowned"], seat: int) -> Fact:
    """Report the fate of a dynasty: `dominion.fact.{key}`."""
    return Fact(msg(f"dominion.fact.{key}", who=Who(seat)), line=DYNASTY_LINE)


def emperor_taken(law: Law, seat: int, heir: bool) -> Fact:
    """Report that an Emperor was taken; with the chance of the heir, if there is one."""
    if not heir or law.succession == "sure":
        return dynasty_fact("fell_sure" if heir else "fell", seat)
    chance = succession_chance(law)
    percent = f"{float(100 * chance):.1f}"
    message = msg("dominion.fact.fell_heir", odds=str(chance), percent=percent, who=Who(seat))
    return Fact(message, line=DYNASTY_LINE)


def succession_chance(law: Law) -> Fraction:
    """Return an heir's chance: Fate says yes and the sticks show six; a kind succession needs 5 or 6."""
    if law.succession == "sure":
        return Fraction(1)
    if law.succession == "kind":
        return sticks_chance(law, 5) + sticks_chance(law, 6)
    return sticks_chance(law, 6) / law.fate


_STICK_COMBINATIONS: Final = (1, 6, 15, 20, 15, 6, 1)


def sticks_chance(law: Law, n: int) -> Fraction:
    """Return the chance that a throw of the sticks shows a number."""
    if law.sticks == "sticks":
        return Fraction(_STICK_COMBINATIONS[n], 64)
    return Fraction(1, 6) if n else Fraction(0)


def sandwiched_fact(law: Law) -> tuple[Fact, ...]:
    """Report which of three teams is between the others; its way to the Peasants is longer."""
    seat = sandwiched_seat(law)
    return () if seat == NOBODY else (Fact(msg("dominion.fact.between", who=Who(seat)), line=CONTROL_LINE),)


FATE_NO: Final = (Fact(msg("dominion.fact.fate_no"), line=FATE_LINE),)
EVENTS: Final = (
    *("nothing", "demote_upper", "demote_lower", "peasant"),
    *("nothing", "promote_lower", "promote_upper"),
)
"""The event of each number of the sticks."""


def sticks(n: int, possible: bool) -> Fact:
    """Report the number of the sticks; `possible` is whether its event has a legal answer."""
    event = msg(f"dominion.event.{EVENTS[n]}")
    plain = possible or EVENTS[n] == "nothing"
    key = "dominion.fact.sticks" if plain else "dominion.fact.sticks_idle"
    return Fact(msg(key, n=n, event=event), line=FATE_LINE)


def ranked(kind: Literal["promote", "demote"], at: int, old: int, new: int) -> Fact:
    """Report a promotion or demotion."""
    message = msg(f"dominion.fact.{kind}", square=NAMES[at], old=piece_name(old), new=piece_name(new))
    return Fact(message, (Mark("changed", NAMES[at]),), line=FATE_LINE)


def placed(at: int) -> Fact:
    """Report a new Peasant."""
    return Fact(msg("dominion.fact.placed", square=NAMES[at]), (Mark("to", NAMES[at]),), line=FATE_LINE)


def thrown(rounds: tuple[tuple[int, ...], ...], first: int) -> Fact:
    """Report the starting throw."""
    text = "; ".join(" ".join(map(str, each)) for each in rounds)
    return Fact(msg("dominion.fact.throw", who=Who(first), throws=text))


def promoted_sergeants(seat: int, pair: tuple[int, int]) -> Fact:
    """Reveal a seat's two Sergeants."""
    names = tuple(NAMES[at] for at in pair)
    message = msg("dominion.fact.sergeants", who=Who(seat), squares=names)
    return Fact(message, tuple(Mark("changed", at) for at in names), line=CHANGES_LINE)


def ending(reason: str, winners: Iterable[int]) -> Msg:
    """Return the sentence for the ending: `last`, `points` or `draw`."""
    return msg(f"dominion.outcome.{reason}", who=tuple(Who(seat) for seat in winners))
