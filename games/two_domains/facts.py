"""What Two Domains has to say about what happened. Sentences that come again are built once.

Nothing here names who acted: the host puts that in front.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias

from games.engine.game import Fact, Outcome
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark
from games.two_domains.domain import Scenario, domain

Reason: TypeAlias = Literal["emptied", "civil_war", "limit", "dice", "even", "left"]
"""How a game ends. At the limit it is `limit`, by version 1 of the rules the count of dice: `dice` or `even`.
`left` is that somebody gave up."""
DRAWN: Final[frozenset[Reason]] = frozenset(("limit", "even"))
"""Those that are a draw."""


def reasons(rules: int) -> tuple[Reason, ...]:
    """How a game may end by a version of the rules."""
    if rules > 1:
        return ("emptied", "civil_war", "limit", "left")
    return ("emptied", "civil_war", "dice", "even", "left")


NAMES: Final = dict(zip("123456", ("king", "village", "town", "city", "capital", "army"), strict=True))
"""A face and the key of its name."""
FACE: Final = {face: msg(f"two_domains.face.{name}") for face, name in NAMES.items()}
A: Final = {face: msg(f"two_domains.a.{name}") for face, name in NAMES.items()}
"""The same with an article."""
SEAT_NAMES: Final = (msg("two_domains.seat.red"), msg("two_domains.seat.blue"))

Facts: TypeAlias = tuple[Fact, ...]


def place(seat: int, at: int) -> str:
    """The name of a place of the board: `a1` is the first seat's Home."""
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
    """A die grew; `face` is what it was."""
    said = msg("two_domains.fact.grow", at=at, face=FACE[face], into=FACE[str(int(face) + 1)])
    return (Fact(said, (Mark("to", place(seat, at)),)),)


@lru_cache(maxsize=4096)
def mobilises(seat: int, dice: str) -> Facts:
    """A line was put in order; the dice are those before."""
    after = domain(dice).ordered
    marks = [Mark("to", place(seat, at)) for at in range(1, len(dice) + 1) if dice[at - 1] != after[at - 1]]
    said = msg("two_domains.fact.mobilise", dice=tuple(FACE[face] for face in after))
    return (Fact(said, tuple(marks)),)


@cache
def gathers(seat: int, face: str, roll: int) -> Facts:
    """The die at the Gathering Place was rolled; `face` is what it was."""
    into, marks = str(roll), (Mark("to", place(seat, 2)),)
    if into == face:
        return (Fact(msg("two_domains.fact.stays", n=roll, face=FACE[face]), marks),)
    return (Fact(msg("two_domains.fact.gathered", n=roll, face=FACE[face], into=A[into]), marks),)


@cache
def attacks(seat: int, size: int, target: str) -> Facts:
    """A battle begins in which the die at the own Front, of so many, is rolled."""
    said = msg("two_domains.fact.attack", face=FACE[target], who=Who(1 - seat))
    return (Fact(said, (Mark("from", place(seat, size)),)),)


@cache
def overruns(seat: int, size: int, against: int, target: str) -> Facts:
    """A battle with Cultural Consensus."""
    key = "two_domains.fact.converted" if target == "6" else "two_domains.fact.overrun"
    kind: Literal["to", "captured"] = "to" if target == "6" else "captured"
    marks = (Mark("from", place(seat, size)), Mark(kind, place(1 - seat, against)))
    return (Fact(msg(key, face=FACE[target], who=Who(1 - seat)), marks),)


@cache
def battles(seat: int, size: int, against: int, target: str, after: str, roll: int) -> Facts:
    """A battle was rolled; `after` is what the target became, nothing if it was removed."""
    own, target_place = A[str(roll)], place(1 - seat, against)
    marks = [Mark("from", place(seat, size))]
    if after == target:
        return (Fact(msg("two_domains.fact.holds", n=roll, face=FACE[target], own=own), tuple(marks)),)
    if after:
        said = msg("two_domains.fact.beaten", n=roll, face=FACE[target], into=A[after], own=own)
        return (Fact(said, (*marks, Mark("to", target_place))),)
    said = msg("two_domains.fact.removed", n=roll, face=FACE[target], own=own)
    return (Fact(said, (*marks, Mark("captured", target_place))),)


@cache
def kills(seat: int, size: int, roll: int) -> Facts:
    """The last king fell."""
    marks = (Mark("from", place(seat, size)), Mark("captured", place(1 - seat, 1)))
    return (Fact(msg("two_domains.fact.kill", n=roll), marks),)


@cache
def pledges(seat: int, size: int, roll: int) -> Facts:
    """The attacking army went over to the last king."""
    marks = (Mark("from", place(seat, size)), Mark("to", place(1 - seat, 2)))
    return (Fact(msg("two_domains.fact.pledge", n=roll, who=Who(1 - seat)), marks),)


@cache
def endures(seat: int, face: str) -> Facts:
    """Only one die is left, which is a king now; `face` is what it was."""
    marks = () if face == "1" else (Mark("to", place(seat, 1)),)
    return (Fact(msg("two_domains.fact.endurance", who=Who(seat)), marks),)


# --- scenarios ------------------------------------------------------------------------------------------

SCENARIO: Final = {
    name: msg(f"two_domains.scenario.{name}")
    for name in ("authority", "turmoil", "vigilance", "consensus", "dissonance", "civil_war", "endurance")
}
_PAIRS: Final = (frozenset(("authority", "turmoil")), frozenset(("consensus", "dissonance")))
"""Of each pair one takes the other's place: only its beginning is told."""


@cache
def turns(old: tuple[Scenario, ...], new: tuple[Scenario, ...]) -> tuple[Msg, ...]:
    """Which scenarios begin and end in a domain; not Kingly Endurance, of which more is to be said."""
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
def changes(old: tuple[Scenario, ...], new: tuple[Scenario, ...]) -> Facts:
    """The same as facts."""
    return tuple(map(Fact, turns(old, new)))


# --- the end --------------------------------------------------------------------------------------------


def ending(reason: Reason, names: tuple[Value, Value], winner: int | None) -> Msg:
    """The sentence for how it ended, with what the two seats are called; no winner is a draw."""
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
    """The result with its sentence."""
    ranks = (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
    return Outcome(ranks, ending(reason, (Who(0), Who(1)), winner))
