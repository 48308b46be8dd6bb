"""What Domination has to say about what happened, and where to point.

A turn is told in at most five lines: cards and armies, battles, who fell, what was won, the last move. Who
acted stands in front of it and isn't named again. Countries are written as their codes, and whom a battle was
fought against goes by their colour: there may be twenty battles. Single rolls and long lists are details.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, Literal

from games.domination.maps.atlas import ANY, Atlas, Mission
from games.domination.rules.cards import WILD
from games.domination.rules.position import NEUTRAL, Order, Position, chart, reinforcements
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Ink, Mark

INKS: Final[tuple[Ink, ...]] = ("red", "blue", "yellow", "green", "purple", "orange")
"""The colour of each seat: the first three are told apart by all kinds of colour vision."""
ARMIES, BATTLE, FALLEN, GOALS, LAST = range(5)
"""The lines of a turn's story."""


_SHOWN: Final = 12
"""So many claims at once are pointed at."""
_LISTED: Final = 24
"""So many claims at once are listed without being asked for."""


def army(seat: int) -> Msg:
    """The colour of a seat as its name; the neutral army's name in a sentence."""
    if seat == NEUTRAL:
        return msg("domination.seat.neutral")
    return msg(f"domination.seat.{INKS[seat]}")


def holder(by: int) -> Value:
    """Return who holds a country: a person, or the neutral army."""
    return army(by) if by == NEUTRAL else Who(by)


def name(atlas: Atlas, at: int) -> str:
    """How a country is written."""
    return chart(atlas).names[at]


@lru_cache(maxsize=1 << 14)
def placed(atlas: Atlas, at: int, n: int) -> tuple[Fact, ...]:
    """Armies were placed where all see it."""
    said = msg("domination.fact.place", at=name(atlas, at), n=n)
    return (Fact(said, (Mark("to", atlas.countries[at].code),), line=ARMIES),)


def secret(atlas: Atlas, seat: int, key: str, at: int, n: int = 0) -> tuple[Fact, ...]:
    """Something was decided that only its seat is told yet: `domination.fact.{key}`."""
    values: dict[str, Value] = {"at": name(atlas, at)}
    if n:
        values["n"] = n
    marks = (Mark("changed", atlas.countries[at].code),)
    return (Fact(msg(f"domination.fact.{key}", **values), marks, frozenset((Seat(seat),))),)


@lru_cache(maxsize=8)
def ready(seat: int) -> tuple[Fact, ...]:
    """A seat has decided what all decide at once."""
    return (Fact(msg("domination.fact.ready", who=Who(seat))),)


def claimed(position: Position, claims: Iterable[tuple[int, int]]) -> tuple[Fact, ...]:
    """Who took which countries, in order; one fact for each seat. Many at once are only counted."""
    atlas = position.table.law.atlas
    by: dict[int, list[int]] = {}
    for seat, at in claims:
        by.setdefault(seat, []).append(at)
    total = sum(map(len, by.values()))
    counted = (Fact(msg("domination.fact.claims", n=total), line=ARMIES),) if total > _LISTED else ()
    return counted + tuple(
        Fact(
            msg("domination.fact.claimed", who=Who(seat), at=tuple(name(atlas, at) for at in row)),
            tuple(Mark("to", atlas.countries[at].code) for at in row) if total <= _SHOWN else (),
            line=BATTLE,
            detail=total > _LISTED,
        )
        for seat, row in by.items()
    )


def dealt(position: Position) -> tuple[Fact, ...]:
    """That the countries are dealt; as details, which ones to whom."""
    found = _each(position, "dealt", lambda at: name(position.table.law.atlas, at))
    return found + neutral(position, "holds")[1:]


def neutral(position: Position, key: Literal["holds", "armed"]) -> tuple[Fact, ...]:
    """Return what the neutral army got: a sentence, and as a detail which countries or armies."""
    codes, armies = chart(position.table.law.atlas).names, position.armies
    held = [at for at, by in enumerate(position.owner) if by == NEUTRAL]
    if not held:
        return ()
    rows = (f"{codes[at]} {armies[at]}" if key == "armed" else codes[at] for at in held)
    total = sum(armies[at] for at in held)
    return (
        Fact(msg(f"domination.fact.neutral_{key}", n=len(held), armies=total), line=ARMIES),
        Fact(msg(f"domination.fact.neutral_{key}_at", at=tuple(rows)), line=BATTLE, detail=True),
    )


def armed(position: Position) -> tuple[Fact, ...]:
    """That all armies stand; as details, where each seat has more than one."""
    armies, law = position.armies, position.table.law
    found = _each(
        position, "armed", lambda at: f"{name(law.atlas, at)} {armies[at]}" if armies[at] > 1 else ""
    )
    return found + neutral(position, "armed")[1:] if law.setup == "auto" else found


def _each(position: Position, key: str, write: Callable[[int], str]) -> tuple[Fact, ...]:
    found = [Fact(msg(f"domination.fact.all_{key}"), line=ARMIES)]
    for seat in range(position.table.law.seats):
        words = [write(at) for at, by in enumerate(position.owner) if by == seat]
        if any(words):
            said = msg(f"domination.fact.{key}", who=Who(seat), at=tuple(word for word in words if word))
            found.append(Fact(said, line=BATTLE, detail=True))
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def ordered(src: str, dst: str, how: str, n: int) -> tuple[Fact, ...]:
    """An attack is ordered, a detail: what came of it is told and shown."""
    said = msg(f"domination.fact.attack_{how}", src=src.upper(), dst=dst.upper(), n=n)
    return (Fact(said, line=BATTLE, detail=True),)


@lru_cache(maxsize=1 << 13)
def rolled(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[Fact, ...]:
    """Dice of both sides, highest first, a detail."""
    ours, theirs = (" ".join(map(str, sorted(row, reverse=True))) for row in (attack, defence))
    return (Fact(msg("domination.fact.roll", attack=ours, defence=theirs), line=BATTLE, detail=True),)


def capital(atlas: Atlas, seat: int, at: int) -> Fact:
    """A capital is revealed."""
    return Fact(msg("domination.fact.capital", who=Who(seat), at=name(atlas, at)), line=GOALS)


def task(atlas: Atlas, mission: Mission) -> Msg:
    """What a mission asks for, in our words; the author's of an imported one."""
    if mission.text:
        return msg("domination.mission.text", text=mission.text)
    countries, armies = mission.countries, mission.armies
    if mission.player:
        return msg("domination.mission.beat", who=Who(mission.player - 1), n=countries)
    if countries and armies > 1:
        return msg("domination.mission.hold_armies", n=countries, armies=armies)
    if countries:
        return msg("domination.mission.hold", n=countries)
    named: tuple[Value, ...] = tuple(atlas.continents[n].name for n in mission.continents if n != ANY)
    if more := len(mission.continents) - len(named):
        return msg("domination.mission.more", continents=named, n=more)
    return msg("domination.mission.continents", continents=named)


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
    values: dict[str, Value] = {"cards": tuple(map(_card, cards)), "n": armies + extra}
    if bonus < 0:
        return (Fact(msg("domination.fact.trade", **values), line=ARMIES),)
    marks = (Mark("to", atlas.countries[bonus].code),)
    return (Fact(msg("domination.fact.trade_bonus", at=name(atlas, bonus), **values), marks, line=ARMIES),)


def _card(names: str) -> Value:
    return msg("domination.card.wild") if names == WILD else names.upper()


def battle(atlas: Atlas, order: Order, left: int, against: int, seat: int, victim: int) -> tuple[Fact, ...]:
    """A seat's attack is over, with so many armies left on both sides; the country is taken if none are."""
    a, b = atlas.countries[order.src].code, atlas.countries[order.dst].code
    key = "held" if against else "taken"
    said = msg(
        f"domination.fact.{key}",
        src=a.upper(),
        dst=b.upper(),
        armies=order.armies,
        against=order.against,
        n=order.rolls,
        lost=order.armies - left,
        killed=order.against - against,
        who=army(victim),
    )
    return (Fact(said, _arrow(a, b, INKS[seat], not against), line=BATTLE),)


@lru_cache(maxsize=1 << 13)
def _arrow(src: str, dst: str, ink: Ink, taken: bool) -> tuple[Mark, ...]:
    arrow = Mark("arrow", src, ink, dst)
    return (arrow, Mark("changed", dst)) if taken else (arrow,)


@lru_cache(maxsize=1 << 13)
def moved(atlas: Atlas, at: int, n: int) -> tuple[Fact, ...]:
    """Armies moved into a country that was taken."""
    return (Fact(msg("domination.fact.move", at=name(atlas, at), n=n), line=BATTLE),)


@lru_cache(maxsize=1 << 14)
def fortified(atlas: Atlas, src: int, dst: int, n: int) -> tuple[Fact, ...]:
    """The last move of a turn."""
    a, b = atlas.countries[src].code, atlas.countries[dst].code
    said = msg("domination.fact.fortify", src=a.upper(), dst=b.upper(), n=n)
    return (Fact(said, (Mark("from", a), Mark("to", b)), line=LAST),)


def standing(position: Position, seat: int) -> tuple[Fact, ...]:
    """What a seat has at the end of its turn, and what its next one will bring."""
    armies = sum(n for by, n in zip(position.owner, position.armies, strict=True) if by == seat)
    countries, more = position.owner.count(seat), reinforcements(position, seat)
    said = msg(
        "domination.fact.standing",
        land=msg("domination.item.land", n=countries),
        armies=msg("domination.item.armies", n=armies),
        income=msg("domination.item.income", n=more),
    )
    return (Fact(said, line=LAST),)


def beaten(seat: int, cards: int) -> tuple[Fact, ...]:
    """A seat lost its last country, and its cards."""
    if cards:
        return (Fact(msg("domination.fact.beaten", who=Who(seat), n=cards), line=FALLEN),)
    return (Fact(msg("domination.fact.fell", who=Who(seat)), line=FALLEN),)


NEUTRAL_FELL: Final = (Fact(msg("domination.fact.neutral_fell"), line=FALLEN),)
"""The neutral army lost its last country."""


def resigned(seat: int) -> tuple[Fact, ...]:
    """A seat gave up; what it holds defends itself."""
    return (Fact(msg("domination.fact.resigned", who=Who(seat)), line=FALLEN),)


@lru_cache(maxsize=1 << 11)
def drew(seat: int, names: str) -> tuple[Fact, ...]:
    """A card was drawn; which one only its seat is told."""
    own = msg("domination.fact.own_card", card=_card(names))
    return Fact(msg("domination.fact.card"), line=LAST), Fact(own, (), frozenset((Seat(seat),)), LAST)


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
