"""What Domination has to say about what happened, and where to point.

A turn is told in at most five lines: cards and armies, battles, who fell, what was won, the last move. Who
acted stands in front of it and isn't named again. Countries are written as their codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from games.domination.atlas import ANY, Atlas, Mission
from games.domination.position import Order, Position, chart
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark

ARMIES, BATTLE, FALLEN, GOALS, LAST = range(5)
"""The lines of a turn's story."""


def name(atlas: Atlas, at: int) -> str:
    """How a country is written."""
    return chart(atlas).names[at]


@lru_cache(maxsize=1 << 14)
def placed(atlas: Atlas, at: int, n: int) -> tuple[Fact, ...]:
    """Armies were placed where all see it."""
    said = msg("domination.fact.place", at=name(atlas, at), n=n)
    return (Fact(said, (Mark("changed", atlas.countries[at].code),), line=ARMIES),)


def secret(atlas: Atlas, seat: int, key: str, at: int, n: int = 0) -> tuple[Fact, ...]:
    """Something was decided that only its seat is told yet: `domination.fact.{key}`."""
    values: dict[str, Value] = {"at": name(atlas, at)}
    if n:
        values["n"] = n
    marks = (Mark("changed", atlas.countries[at].code),)
    return (Fact(msg(f"domination.fact.{key}", **values), marks, frozenset((Seat(seat),))),)


READY: Final = (Fact(msg("domination.fact.ready")),)


def claimed(position: Position, claims: Iterable[tuple[int, int]]) -> tuple[Fact, ...]:
    """Who took which countries, in order; one fact for each seat."""
    atlas = position.table.law.atlas
    by: dict[int, list[int]] = {}
    for seat, at in claims:
        by.setdefault(seat, []).append(at)
    return tuple(
        Fact(
            msg("domination.fact.claimed", who=Who(seat), at=tuple(name(atlas, at) for at in row)),
            tuple(Mark("to", atlas.countries[at].code) for at in row),
            line=BATTLE,
        )
        for seat, row in by.items()
    )


def dealt(position: Position) -> tuple[Fact, ...]:
    """Who was dealt which countries."""
    return _each(position, "dealt", lambda at: name(position.table.law.atlas, at))


def armed(position: Position) -> tuple[Fact, ...]:
    """Where each seat's armies stand at the start: those countries that have more than one."""
    armies, atlas = position.armies, position.table.law.atlas
    return _each(position, "armed", lambda at: f"{name(atlas, at)} {armies[at]}" if armies[at] > 1 else "")


def _each(position: Position, key: str, write: Callable[[int], str]) -> tuple[Fact, ...]:
    found = []
    for seat in range(position.table.law.seats):
        words = [write(at) for at, by in enumerate(position.owner) if by == seat]
        if any(words):
            said = msg(f"domination.fact.{key}", who=Who(seat), at=tuple(word for word in words if word))
            found.append(Fact(said, line=BATTLE))
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def ordered(src: str, dst: str, how: str, n: int) -> tuple[Fact, ...]:
    """An attack is ordered."""
    said = msg(f"domination.fact.attack_{how}", src=src.upper(), dst=dst.upper(), n=n)
    return (Fact(said, _arrow(src, dst, False), line=BATTLE),)


@lru_cache(maxsize=1 << 13)
def rolled(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[Fact, ...]:
    """Dice of both sides, highest first."""
    ours, theirs = (" ".join(map(str, sorted(row, reverse=True))) for row in (attack, defence))
    return (Fact(msg("domination.fact.roll", attack=ours, defence=theirs), line=BATTLE),)


def capital(atlas: Atlas, seat: int, at: int) -> Fact:
    """A capital is revealed."""
    said = msg("domination.fact.capital", who=Who(seat), at=name(atlas, at))
    return Fact(said, (Mark("changed", atlas.countries[at].code),), line=GOALS)


def task(atlas: Atlas, mission: Mission) -> Msg:
    """What a mission asks for, in our words; the author's of an imported one."""
    if mission.text:
        return msg("domination.mission.text", text=mission.text)
    instead = mission.countries
    if mission.player:
        return msg("domination.mission.beat", who=Who(mission.player - 1), n=instead)
    if mission.countries:
        return msg("domination.mission.hold", n=instead, armies=mission.armies)
    named: tuple[Value, ...] = tuple(atlas.continents[n].name for n in mission.continents if n != ANY)
    more = len(mission.continents) - len(named)
    return msg("domination.mission.continents", continents=named, more=more)


def missions(atlas: Atlas, dealt: Iterable[int]) -> tuple[Fact, ...]:
    """Each seat is told its own mission."""
    return tuple(
        Fact(
            msg("domination.fact.mission", mission=task(atlas, atlas.missions[n])),
            (),
            frozenset((Seat(seat),)),
        )
        for seat, n in enumerate(dealt)
    )


def revealed(atlas: Atlas, held: Iterable[int]) -> tuple[Fact, ...]:
    """At the end everybody is told all missions."""
    return tuple(
        Fact(
            msg("domination.fact.had_mission", who=Who(seat), mission=task(atlas, atlas.missions[n])),
            line=GOALS,
        )
        for seat, n in enumerate(held)
        if n >= 0
    )


def traded(atlas: Atlas, cards: tuple[str, ...], armies: int, bonus: int, extra: int) -> tuple[Fact, ...]:
    """Three cards were traded in; `bonus` is the country that got two armies, negative for none."""
    values: dict[str, Value] = {"cards": tuple(card.upper() for card in cards), "n": armies + extra}
    if bonus < 0:
        return (Fact(msg("domination.fact.trade", **values), line=ARMIES),)
    marks = (Mark("changed", atlas.countries[bonus].code),)
    return (Fact(msg("domination.fact.trade_bonus", at=name(atlas, bonus), **values), marks, line=ARMIES),)


def battle(atlas: Atlas, order: Order, left: int, against: int, victim: int) -> tuple[Fact, ...]:
    """An attack is over, with so many armies left on both sides; the country is taken if none are."""
    a, b = atlas.countries[order.src].code, atlas.countries[order.dst].code
    key = "held" if against else "taken"
    said = msg(
        f"domination.fact.{key}",
        src=a.upper(),
        dst=b.upper(),
        armies=order.armies,
        against=order.against,
        rolls=order.rolls,
        lost=order.armies - left,
        killed=order.against - against,
        who=Who(victim),
    )
    return (Fact(said, _arrow(a, b, not against), line=BATTLE),)


@lru_cache(maxsize=1 << 13)
def _arrow(src: str, dst: str, taken: bool) -> tuple[Mark, ...]:
    return Mark("from", src), Mark("captured" if taken else "to", dst)


@lru_cache(maxsize=1 << 13)
def moved(atlas: Atlas, at: int, n: int) -> tuple[Fact, ...]:
    """Armies moved into a country that was taken."""
    return (Fact(msg("domination.fact.move", at=name(atlas, at), n=n), line=BATTLE),)


@lru_cache(maxsize=1 << 14)
def fortified(atlas: Atlas, src: int, dst: int, n: int) -> tuple[Fact, ...]:
    """The last move of a turn."""
    a, b = atlas.countries[src].code, atlas.countries[dst].code
    said = msg("domination.fact.fortify", src=a.upper(), dst=b.upper(), n=n)
    return (Fact(said, _arrow(a, b, False), line=LAST),)


def beaten(seat: int, cards: int) -> tuple[Fact, ...]:
    """A seat lost its last country, and its cards."""
    return (Fact(msg("domination.fact.beaten", who=Who(seat), cards=cards), line=FALLEN),)


def resigned(seat: int) -> tuple[Fact, ...]:
    """A seat gave up; what it holds defends itself."""
    return (Fact(msg("domination.fact.resigned", who=Who(seat)), line=FALLEN),)


@lru_cache(maxsize=1 << 11)
def drew(seat: int, names: str) -> tuple[Fact, ...]:
    """A card was drawn; which one only its seat is told."""
    own = msg("domination.fact.own_card", card=names.upper())
    public = msg("domination.fact.card", who=Who(seat))
    return Fact(public, line=LAST), Fact(own, (), frozenset((Seat(seat),)), LAST)


def gained(atlas: Atlas, before: Iterable[int], after: Iterable[int]) -> tuple[Fact, ...]:
    """Continents that came to be held as a whole."""
    held = set(before)
    new: tuple[Value, ...] = tuple(atlas.continents[n].name for n in after if n not in held)
    return (Fact(msg("domination.fact.continent", continents=new), line=FALLEN),) if new else ()


def won(seat: int, how: str) -> tuple[Fact, ...]:
    """A mission is accomplished, or all the capitals are held: `domination.fact.won_{how}`."""
    return (Fact(msg(f"domination.fact.won_{how}", who=Who(seat)), line=GOALS),)


VOTED: Final = {
    "continue": (Fact(msg("domination.fact.continue")),),
    "stop": (Fact(msg("domination.fact.stop")),),
}
ONWARD: Final = Fact(msg("domination.fact.onward"), line=GOALS)


def ending(reason: str, winners: Iterable[int]) -> Msg:
    """Why it is over: `all`, `last`, `capitals`, `mission`, `points` or `draw`, and who won."""
    return msg(f"domination.outcome.{reason}", who=tuple(Who(seat) for seat in winners))
