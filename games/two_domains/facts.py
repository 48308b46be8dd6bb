"""The facts of Two Domains: what is reported about each action. They are cached.

They don't name the acting player, whom the host puts in front.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias

from games.engine.game import Fact, Outcome
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark
from games.two_domains.domain import Scenario, domain

Reason: TypeAlias = Literal["emptied", "civil_war", "limit", "dice", "even", "left"]
"""How a game ends. `limit` is the limit of actions; in version 1 of the rules it is decided by the number of
dice, `dice` or `even`. `left` means that a player resigned or ran out of time."""
DRAWS: Final[frozenset[Reason]] = frozenset(("limit", "even"))
"""The endings that are draws."""


def reasons(rules: int) -> tuple[Reason, ...]:
    """Return how a game can end under a version of the rules."""
    if rules > 1:
        return ("emptied", "civil_war", "limit", "left")
    return ("emptied", "civil_war", "dice", "even", "left")


FACE_KEYS: Final = dict(zip("123456", ("king", "village", "town", "city", "capital", "army"), strict=True))
"""The keys of the faces' names."""
FACE_NAME: Final = {face: msg(f"two_domains.face.{name}") for face, name in FACE_KEYS.items()}
A_FACE: Final = {face: msg(f"two_domains.a.{name}") for face, name in FACE_KEYS.items()}
"""The names of the faces, with an article."""
SEAT_NAMES: Final = (msg("two_domains.seat.red"), msg("two_domains.seat.blue"))

Facts: TypeAlias = tuple[Fact, ...]


def place(seat: int, at: int) -> str:
    """Return the name of a place on the board: `a1` is the first seat's Home."""
    return f"{'ab'[seat]}{at}"


def _report(key: str, *marks: Mark, **values: Value) -> Facts:
    return (Fact(msg(f"two_domains.fact.{key}", **values), marks),)


FIRST: Final = tuple(_report("first", who=Who(seat)) for seat in (0, 1))
GATHERS: Final = tuple(_report("gather", Mark("to", place(seat, 2))) for seat in (0, 1))
SKIPPED: Final = tuple(_report("skip", who=Who(seat)) for seat in (0, 1))


@cache
def grows(seat: int, at: int, face: str) -> Facts:
    """Return the facts of growth; `face` is the die's face before."""
    into = FACE_NAME[str(int(face) + 1)]
    return _report("grow", Mark("to", place(seat, at)), at=at, face=FACE_NAME[face], into=into)


@lru_cache(maxsize=4096)
def mobilises(seat: int, dice: str) -> Facts:
    """Return the facts of mobilisation; `dice` is the domain before."""
    after = domain(dice).ordered
    moved = [at for at, (old, new) in enumerate(zip(dice, after, strict=True), 1) if old != new]
    marks = (Mark("to", place(seat, at)) for at in moved)
    return _report("mobilise", *marks, dice=tuple(FACE_NAME[face] for face in after))


@cache
def gathers(seat: int, face: str, roll: int) -> Facts:
    """Return the facts of a roll at the Gathering Place; `face` is the die's face before."""
    mark = Mark("to", place(seat, 2))
    if str(roll) == face:
        return _report("stays", mark, n=roll, face=FACE_NAME[face])
    return _report("gathered", mark, n=roll, face=FACE_NAME[face], into=A_FACE[str(roll)])


@cache
def attacks(seat: int, size: int, target: str) -> Facts:
    """Return the facts of a battle before its roll; `size` is the number of the attacker's dice."""
    return _report("attack", Mark("from", place(seat, size)), face=FACE_NAME[target], who=Who(1 - seat))


@cache
def overruns(seat: int, size: int, against: int, target: str) -> Facts:
    """Return the facts of a battle with Cultural Consensus; `against` counts the defender's dice."""
    start, goal = Mark("from", place(seat, size)), place(1 - seat, against)
    face, who = FACE_NAME[target], Who(1 - seat)
    if target == "6":
        return _report("converted", start, Mark("to", goal), face=face, who=who)
    return _report("overrun", start, Mark("captured", goal), face=face, who=who)


@cache
def battles(seat: int, size: int, against: int, target: str, after: str, roll: int) -> Facts:
    """Return the facts of a battle's roll; `after` is the target's new face, empty if it was removed."""
    start, goal = Mark("from", place(seat, size)), place(1 - seat, against)
    face, own = FACE_NAME[target], A_FACE[str(roll)]
    if after == target:
        return _report("holds", start, n=roll, face=face, own=own)
    if after:
        return _report("beaten", start, Mark("to", goal), n=roll, face=face, into=A_FACE[after], own=own)
    return _report("removed", start, Mark("captured", goal), n=roll, face=face, own=own)


@cache
def kills(seat: int, size: int, roll: int) -> Facts:
    """Return the facts of a battle in which the last king falls."""
    return _report("kill", Mark("from", place(seat, size)), Mark("captured", place(1 - seat, 1)), n=roll)


@cache
def pledges(seat: int, size: int, roll: int) -> Facts:
    """Return the facts of a battle in which the attacking army joins the last king."""
    marks = Mark("from", place(seat, size)), Mark("to", place(1 - seat, 2))
    return _report("pledge", *marks, n=roll, who=Who(1 - seat))


@cache
def endures(seat: int, face: str) -> Facts:
    """Return the facts of the beginning of Kingly Endurance; `face` is the last die's face before."""
    marks = () if face == "1" else (Mark("to", place(seat, 1)),)
    return _report("endurance", *marks, who=Who(seat))


# --- scenarios ------------------------------------------------------------------------------------------

SCENARIO: Final = {
    name: msg(f"two_domains.scenario.{name}")
    for name in ("authority", "turmoil", "vigilance", "consensus", "dissonance", "civil_war", "endurance")
}
_PAIRS: Final = (frozenset(("authority", "turmoil")), frozenset(("consensus", "dissonance")))
"""Pairs of scenarios that replace each other: only the beginning of the new one is reported."""


@cache
def scenario_changes(old: tuple[Scenario, ...], new: tuple[Scenario, ...]) -> tuple[Msg, ...]:
    """Return messages for the scenarios that begin and end, except Kingly Endurance, which has its own."""
    messages = [
        msg("two_domains.fact.begins", what=SCENARIO[each])
        for each in new
        if each not in old and each != "endurance"
    ]
    for gone in old:
        replaced = any(gone in pair and pair & set(new) for pair in _PAIRS)
        if gone not in new and not replaced:
            messages.append(msg("two_domains.fact.ends", what=SCENARIO[gone]))
    return tuple(messages)


@cache
def scenario_facts(old: tuple[Scenario, ...], new: tuple[Scenario, ...]) -> Facts:
    """Return `scenario_changes` as facts."""
    return tuple(map(Fact, scenario_changes(old, new)))


# --- the end --------------------------------------------------------------------------------------------


def ending(reason: Reason, names: tuple[Value, Value], winner: int | None) -> Msg:
    """Return the sentence for the ending, with the names of the two seats; no winner means a draw."""
    if winner is None:
        return msg(f"two_domains.outcome.{reason}", who=names)
    if reason in ("civil_war", "emptied"):
        return msg(f"two_domains.outcome.{reason}", who=names[winner], other=names[1 - winner])
    return msg(f"two_domains.outcome.{reason}", who=names[winner])


@cache
def outcome(reason: Reason, winner: int | None) -> Outcome:
    """Return the result; no winner means a draw."""
    ranks = (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
    return Outcome(ranks, ending(reason, (Who(0), Who(1)), winner))
