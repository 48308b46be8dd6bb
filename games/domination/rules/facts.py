"""Facts of Domination: the sentences about what happened, with the marks on the map.

A turn takes at most five lines: cards and armies, battles, beaten seats, goals, the last move. The seat that
acted is shown in front of them and isn't named again. Since there may be twenty battles, countries are
written as their codes and opponents as their colours. Single rolls and long lists are details.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, Literal

from games.domination.maps.atlas import ANY, Atlas, Mission
from games.domination.rules.cards import WILD
from games.domination.rules.position import NEUTRAL, OngoingAttack, Position, map_tables, reinforcements
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Ink, Mark

INKS: Final[tuple[Ink, ...]] = ("red", "blue", "yellow", "green", "purple", "orange")
"""The colour of each seat: the first three are told apart by all kinds of colour vision."""
ARMIES_LINE, BATTLE_LINE, FALLEN_LINE, GOALS_LINE, LAST_LINE = range(5)
"""The lines of a turn's report."""


_MAX_MARKED: Final = 12
"""Maximum number of claims at once that are marked on the map."""
_MAX_LISTED: Final = 24
"""Maximum number of claims at once that are listed outside the details."""


def army_name(seat: int) -> Msg:
    """Return the colour of a seat as its name, or the name of the neutral army."""
    if seat == NEUTRAL:
        return msg("domination.seat.neutral")
    return msg(f"domination.seat.{INKS[seat]}")


def holder_name(by: int) -> Value:
    """Return who holds a country: a person, or the neutral army."""
    return army_name(by) if by == NEUTRAL else Who(by)


def display_code(atlas: Atlas, at: int) -> str:
    """Return the displayed code of a country."""
    return map_tables(atlas).display_codes[at]


@lru_cache(maxsize=1 << 14)
def placed(atlas: Atlas, at: int, n: int) -> tuple[Fact, ...]:
    """Report armies placed openly."""
    said = msg("domination.fact.place", at=display_code(atlas, at), n=n)
    return (Fact(said, (Mark("to", atlas.countries[at].code),), line=ARMIES_LINE),)


def secret(atlas: Atlas, seat: int, key: str, at: int, n: int = 0) -> tuple[Fact, ...]:
    """Report a secret decision to its seat only: `domination.fact.{key}`."""
    values: dict[str, Value] = {"at": display_code(atlas, at)}
    if n:
        values["n"] = n
    marks = (Mark("changed", atlas.countries[at].code),)
    return (Fact(msg(f"domination.fact.{key}", **values), marks, frozenset((Seat(seat),))),)


@lru_cache(maxsize=8)
def ready(seat: int) -> tuple[Fact, ...]:
    """Report that a seat has decided where all decide at once."""
    return (Fact(msg("domination.fact.ready", who=Who(seat))),)


def claimed(position: Position, claims: Iterable[tuple[int, int]]) -> tuple[Fact, ...]:
    """Report claims, given as (seat, country) in order, by one fact for each seat; count long lists."""
    atlas = position.info.law.atlas
    by: dict[int, list[int]] = {}
    for seat, at in claims:
        by.setdefault(seat, []).append(at)
    total = sum(map(len, by.values()))
    counted = (Fact(msg("domination.fact.claims", n=total), line=ARMIES_LINE),) if total > _MAX_LISTED else ()
    return counted + tuple(
        Fact(
            msg("domination.fact.claimed", who=Who(seat), at=tuple(display_code(atlas, at) for at in row)),
            tuple(Mark("to", atlas.countries[at].code) for at in row) if total <= _MAX_MARKED else (),
            line=BATTLE_LINE,
            detail=total > _MAX_LISTED,
        )
        for seat, row in by.items()
    )


def dealt(position: Position) -> tuple[Fact, ...]:
    """Report that the countries are dealt; as details, each seat's countries."""
    found = _each(position, "dealt", lambda at: display_code(position.info.law.atlas, at))
    return found + neutral(position, "holds")[1:]


def neutral(position: Position, key: Literal["holds", "armed"]) -> tuple[Fact, ...]:
    """Report what the neutral army got: a sentence, and as a detail its countries or armies."""
    codes, armies = map_tables(position.info.law.atlas).display_codes, position.armies
    held = [at for at, by in enumerate(position.owner) if by == NEUTRAL]
    if not held:
        return ()
    rows = (f"{codes[at]} {armies[at]}" if key == "armed" else codes[at] for at in held)
    total = sum(armies[at] for at in held)
    return (
        Fact(msg(f"domination.fact.neutral_{key}", n=len(held), armies=total), line=ARMIES_LINE),
        Fact(msg(f"domination.fact.neutral_{key}_at", at=tuple(rows)), line=BATTLE_LINE, detail=True),
    )


def armed(position: Position) -> tuple[Fact, ...]:
    """Report that all armies are placed; as details, where each seat has more than one."""
    armies, law = position.armies, position.info.law
    found = _each(
        position, "armed", lambda at: f"{display_code(law.atlas, at)} {armies[at]}" if armies[at] > 1 else ""
    )
    return found + neutral(position, "armed")[1:] if law.setup == "auto" else found


def _each(position: Position, key: str, write: Callable[[int], str]) -> tuple[Fact, ...]:
    found = [Fact(msg(f"domination.fact.all_{key}"), line=ARMIES_LINE)]
    for seat in range(position.info.law.seats):
        words = [write(at) for at, by in enumerate(position.owner) if by == seat]
        if any(words):
            said = msg(f"domination.fact.{key}", who=Who(seat), at=tuple(word for word in words if word))
            found.append(Fact(said, line=BATTLE_LINE, detail=True))
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def ordered(src: str, dst: str, how: str, n: int) -> tuple[Fact, ...]:
    """Report an attack order, as a detail, since its result has a fact of its own."""
    said = msg(f"domination.fact.attack_{how}", src=src.upper(), dst=dst.upper(), n=n)
    return (Fact(said, line=BATTLE_LINE, detail=True),)


@lru_cache(maxsize=1 << 13)
def rolled(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[Fact, ...]:
    """Report the dice of both sides, highest first, as a detail."""
    ours, theirs = (" ".join(map(str, sorted(row, reverse=True))) for row in (attack, defence))
    return (Fact(msg("domination.fact.roll", attack=ours, defence=theirs), line=BATTLE_LINE, detail=True),)


def capital(atlas: Atlas, seat: int, at: int) -> Fact:
    """Reveal a capital."""
    return Fact(msg("domination.fact.capital", who=Who(seat), at=display_code(atlas, at)), line=GOALS_LINE)


def mission_text(atlas: Atlas, mission: Mission) -> Msg:
    """Return what a mission asks for, in our words, or in the author's if the map has them."""
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
    """Tell each seat its own mission."""
    return tuple(
        Fact(
            msg("domination.fact.mission", mission=mission_text(atlas, atlas.missions[n])),
            (),
            frozenset((Seat(seat),)),
        )
        for seat, n in enumerate(dealt)
    )


def revealed(atlas: Atlas, held: Iterable[int]) -> tuple[Fact, ...]:
    """Reveal all missions at the end; `held` are their numbers by seat, negative for none."""
    return tuple(
        Fact(
            msg("domination.fact.had_mission", who=Who(seat), mission=mission_text(atlas, atlas.missions[n])),
            line=GOALS_LINE,
        )
        for seat, n in enumerate(held)
        if n >= 0
    )


def traded(atlas: Atlas, cards: tuple[str, ...], armies: int, bonus: int, extra: int) -> tuple[Fact, ...]:
    """Report a trade; `bonus` is the country that got two armies, negative for none."""
    values: dict[str, Value] = {"cards": tuple(map(_card, cards)), "n": armies + extra}
    if bonus < 0:
        return (Fact(msg("domination.fact.trade", **values), line=ARMIES_LINE),)
    marks = (Mark("to", atlas.countries[bonus].code),)
    return (
        Fact(
            msg("domination.fact.trade_bonus", at=display_code(atlas, bonus), **values),
            marks,
            line=ARMIES_LINE,
        ),
    )


def _card(names: str) -> Value:
    return msg("domination.card.wild") if names == WILD else names.upper()


def battle(
    atlas: Atlas, attack: OngoingAttack, left: int, against: int, seat: int, victim: int
) -> tuple[Fact, ...]:
    """Report a finished attack, with `left` and `against` armies left; with 0 against, it is a conquest."""
    a, b = atlas.countries[attack.src].code, atlas.countries[attack.dst].code
    key = "held" if against else "taken"
    said = msg(
        f"domination.fact.{key}",
        src=a.upper(),
        dst=b.upper(),
        armies=attack.armies,
        against=attack.against,
        n=attack.rolls,
        lost=attack.armies - left,
        killed=attack.against - against,
        who=army_name(victim),
    )
    return (Fact(said, _arrow(a, b, INKS[seat], not against), line=BATTLE_LINE),)


@lru_cache(maxsize=1 << 13)
def _arrow(src: str, dst: str, ink: Ink, taken: bool) -> tuple[Mark, ...]:
    arrow = Mark("arrow", src, ink, dst)
    return (arrow, Mark("changed", dst)) if taken else (arrow,)


@lru_cache(maxsize=1 << 13)
def moved(atlas: Atlas, at: int, n: int) -> tuple[Fact, ...]:
    """Report armies moved into a conquered country."""
    return (Fact(msg("domination.fact.move", at=display_code(atlas, at), n=n), line=BATTLE_LINE),)


@lru_cache(maxsize=1 << 14)
def fortified(atlas: Atlas, src: int, dst: int, n: int) -> tuple[Fact, ...]:
    """Report the last move of a turn."""
    a, b = atlas.countries[src].code, atlas.countries[dst].code
    said = msg("domination.fact.fortify", src=a.upper(), dst=b.upper(), n=n)
    return (Fact(said, (Mark("from", a), Mark("to", b)), line=LAST_LINE),)


def holdings(position: Position, seat: int) -> tuple[Fact, ...]:
    """Report what a seat has at the end of its turn, and its next reinforcements."""
    armies = sum(n for by, n in zip(position.owner, position.armies, strict=True) if by == seat)
    countries, more = position.owner.count(seat), reinforcements(position, seat)
    said = msg(
        "domination.fact.standing",
        land=msg("domination.item.land", n=countries),
        armies=msg("domination.item.armies", n=armies),
        income=msg("domination.item.income", n=more),
    )
    return (Fact(said, line=LAST_LINE),)


def beaten(seat: int, cards: int) -> tuple[Fact, ...]:
    """Report that a seat lost its last country, and its cards."""
    if cards:
        return (Fact(msg("domination.fact.beaten", who=Who(seat), n=cards), line=FALLEN_LINE),)
    return (Fact(msg("domination.fact.fell", who=Who(seat)), line=FALLEN_LINE),)


NEUTRAL_FELL: Final = (Fact(msg("domination.fact.neutral_fell"), line=FALLEN_LINE),)
"""The neutral army lost its last country."""


def resigned(seat: int) -> tuple[Fact, ...]:
    """Report that a seat gave up; its countries still defend themselves."""
    return (Fact(msg("domination.fact.resigned", who=Who(seat)), line=FALLEN_LINE),)


@lru_cache(maxsize=1 << 11)
def card_drawn(seat: int, names: str) -> tuple[Fact, ...]:
    """Report a drawn card; which one is told to its seat only."""
    own = msg("domination.fact.own_card", card=_card(names))
    return Fact(msg("domination.fact.card"), line=LAST_LINE), Fact(
        own, (), frozenset((Seat(seat),)), LAST_LINE
    )


def gained(atlas: Atlas, before: Iterable[int], after: Iterable[int]) -> tuple[Fact, ...]:
    """Report newly held continents; `before` and `after` are the numbers of all held ones."""
    held = set(before)
    new: tuple[Value, ...] = tuple(atlas.continents[n].name for n in after if n not in held)
    return (Fact(msg("domination.fact.continent", continents=new), line=FALLEN_LINE),) if new else ()


def won(seat: int, how: str) -> tuple[Fact, ...]:
    """Report an accomplished mission, or that a seat holds all capitals: `domination.fact.won_{how}`."""
    return (Fact(msg(f"domination.fact.won_{how}", who=Who(seat)), line=GOALS_LINE),)


VOTED: Final = {
    "continue": (Fact(msg("domination.fact.continue")),),
    "stop": (Fact(msg("domination.fact.stop")),),
}
ONWARD: Final = Fact(msg("domination.fact.onward"), line=GOALS_LINE)


def ending(reason: str, winners: Iterable[int]) -> Msg:
    """Return the sentence for the ending: `all`, `last`, `capitals`, `mission`, `points` or `draw`."""
    return msg(f"domination.outcome.{reason}", who=tuple(Who(seat) for seat in winners))
