"""The facts of Two Domains: what players are told about each action. They are cached.

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


FIRST: Final[tuple[Facts, ...]] = tuple(
    (Fact(msg("two_domains.fact.first", who=Who(seat))),) for seat in (0, 1)
)
GATHERS: Final[tuple[Facts, ...]] = tuple(
    (Fact(msg("two_domains.fact.gather"), (Mark("to", place(seat, 2)),)),) for seat in (0, 1)
)
SKIPPED: Final[tuple[Facts, ...]] = tuple(
    (Fact(msg("two_domains.fact.skip", who=Who(seat))),) for seat in (0, 1)
)


@cache
def grows(seat: int, at: int, face: str) -> Facts:
    """Return the facts of growth; `face` is the die's face before."""
    said = msg("two_domains.fact.grow", at=at, face=FACE_NAME[face], into=FACE_NAME[str(int(face) + 1)])
    return (Fact(said, (Mark("to", place(seat, at)),)),)


@lru_cache(maxsize=4096)
def mobilises(seat: int, dice: str) -> Facts:
    """Return the facts of mobilisation; `dice` is the domain before."""
    after = domain(dice).ordered
    marks = [Mark("to", place(seat, at)) for at in range(1, len(dice) + 1) if dice[at - 1] != after[at - 1]]
    said = msg("two_domains.fact.mobilise", dice=tuple(FACE_NAME[face] for face in after))
    return (Fact(said, tuple(marks)),)


@cache
def gathers(seat: int, face: str, roll: int) -> Facts:
    """Return the facts of a roll at the Gathering Place; `face` is the die's face before."""
    into, marks = str(roll), (Mark("to", place(seat, 2)),)
    if into == face:
        return (Fact(msg("two_domains.fact.stays", n=roll, face=FACE_NAME[face]), marks),)
    return (
        Fact(
            msg("two_domains.fact.gathered", n=roll, face=FACE_NAME[face], into=A_FACE[into]),
            marks,
        ),
    )


@cache
def attacks(seat: int, size: int, target: str) -> Facts:
    """Return the facts of a battle before its roll; `size` is the number of the attacker's dice."""
    said = msg("two_domains.fact.attack", face=FACE_NAME[target], who=Who(1 - seat))
    return (Fact(said, (Mark("from", place(seat, size)),)),)


@cache
def overruns(seat: int, size: int, against: int, target: str) -> Facts:
    """Return the facts of a battle with Cultural Consensus; `against` counts the defender's dice."""
    key = "two_domains.fact.converted" if target == "6" else "two_domains.fact.overrun"
    kind: Literal["to", "captured"] = "to" if target == "6" else "captured"
    marks = (Mark("from", place(seat, size)), Mark(kind, place(1 - seat, against)))
    return (Fact(msg(key, face=FACE_NAME[target], who=Who(1 - seat)), marks),)


@cache
def battles(seat: int, size: int, against: int, target: str, after: str, roll: int) -> Facts:
    """Return the facts of a battle's roll; `after` is the target's new face, empty if it was removed."""
    own, target_place = A_FACE[str(roll)], place(1 - seat, against)
    marks = [Mark("from", place(seat, size))]
    if after == target:
        return (Fact(msg("two_domains.fact.holds", n=roll, face=FACE_NAME[target], own=own), tuple(marks)),)
    if after:
        said = msg("two_domains.fact.beaten", n=roll, face=FACE_NAME[target], into=A_FACE[after], own=own)
        return (Fact(said, (*marks, Mark("to", target_place))),)
    said = msg("two_domains.fact.removed", n=roll, face=FACE_NAME[target], own=own)
    return (Fact(said, (*marks, Mark("captured", target_place))),)


@cache
def kills(seat: int, size: int, roll: int) -> Facts:
    """Return the facts of a battle in which the last king falls."""
    marks = (Mark("from", place(seat, size)), Mark("captured", place(1 - seat, 1)))
    return (Fact(msg("two_domains.fact.kill", n=roll), marks),)


@cache
def pledges(seat: int, size: int, roll: int) -> Facts:
    """Return the facts of a battle in which the attacking army joins the last king."""
    marks = (Mark("from", place(seat, size)), Mark("to", place(1 - seat, 2)))
    return (Fact(msg("two_domains.fact.pledge", n=roll, who=Who(1 - seat)), marks),)


@cache
def endures(seat: int, face: str) -> Facts:
    """Return the facts of the beginning of Kingly Endurance; `face` is the last die's face before."""
    marks = () if face == "1" else (Mark("to", place(seat, 1)),)
    return (Fact(msg("two_domains.fact.endurance", who=Who(seat)), marks),)


# --- scenarios ------------------------------------------------------------------------------------------

SCENARIO: Final = {
    name: msg(f"two_domains.scenario.{name}")
    for name in ("authority", "turmoil", "vigilance", "consensus", "dissonance", "civil_war", "endurance")
}
_PAIRS: Final = (frozenset(("authority", "turmoil")), frozenset(("consensus", "dissonance")))
"""Pairs of scenarios that replace each other: only the beginning of the new one is told."""


@cache
def scenario_changes(old: tuple[Scenario, ...], new: tuple[Scenario, ...]) -> tuple[Msg, ...]:
    """Return messages for the scenarios that begin and end, except Kingly Endurance, which has its own."""
    said = [
        msg("two_domains.fact.begins", what=SCENARIO[each])
        for each in new
        if each not in old and each != "endurance"
    ]
    for gone in old:
        replaced = any(gone in pair and pair & set(new) for pair in _PAIRS)
        if gone not in new and not replaced:
            said.append(msg("two_domains.fact.ends", what=SCENARIO[gone]))
    return tuple(said)


@cache
def scenario_facts(old: tuple[Scenario, ...], new: tuple[Scenario, ...]) -> Facts:
    """Return `scenario_changes` as facts."""
    return tuple(map(Fact, scenario_changes(old, new)))


# --- the end --------------------------------------------------------------------------------------------


def ending(reason: Reason, names: tuple[Value, Value], winner: int | None) -> Msg:
    """Return the sentence for the ending, with the names of the two seats; no winner means a draw."""
    if winner is None:
        return msg(f"two_domains.outcome.{reason}", who=names)
    if reason == "civil_war":
        return msg("two_domains.outcome.civil_war", who=names[winner], other=names[1 - winner])
    if reason == "emptied":
        return msg("two_domains.outcome.emptied", who=names[winner], other=names[1 - winner])
    if reason == "dice":
        return msg("two_domains.outcome.dice", who=names[winner])
    return msg("two_domains.outcome.left", who=names[winner])


@cache
def outcome(reason: Reason, winner: int | None) -> Outcome:
    """Return the result; no winner means a draw."""
    ranks = (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
    return Outcome(ranks, ending(reason, (Who(0), Who(1)), winner))
