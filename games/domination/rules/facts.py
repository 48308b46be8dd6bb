"""Facts of Domination: the sentences about what happened, with the marks on the map.

A turn takes at most five lines: cards and armies, battles, beaten seats, goals, the last move. The seat that
acted is shown in front of them and isn't named again. Since there may be twenty battles, countries are
written as their codes and opponents as their colours. Single rolls and long lists are details.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.domination.maps.atlas import ANY, Atlas, Mission
from games.domination.rules.cards import WILD
from games.domination.rules.position import (
    NEUTRAL,
    NOBODY,
    OngoingAttack,
    Position,
    map_tables,
    reinforcements,
)
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Ink, Mark, MarkKind

INKS: Final[tuple[Ink, ...]] = ("red", "blue", "yellow", "green", "purple", "orange")
"""The colour of each seat: all kinds of colour vision distinguish the first three."""
ARMIES_LINE, BATTLE_LINE, FALLEN_LINE, GOALS_LINE, LAST_LINE = range(5)
"""The lines of a turn's report."""
_MAX_MARKED: Final = 12
"""Maximum number of claims at once that are marked on the map."""
_MAX_LISTED: Final = 24
"""Maximum number of claims at once that are listed outside the details."""
_Facts: TypeAlias = tuple[Fact, ...]


def report(
    key: str,
    line: int = 0,
    marks: tuple[Mark, ...] = (),
    *,
    to: int | None = None,
    detail: bool = False,
    **values: Value,
) -> _Facts:
    """Return the one fact `domination.fact.{key}`, for everyone or for one seat."""
    hearers = None if to is None else frozenset((Seat(to),))
    return (Fact(msg(f"domination.fact.{key}", **values), marks, hearers, line, detail),)


def army_name(seat: int) -> Msg:
    """Return the colour of a seat as its name, or the name of the neutral army."""
    return msg(f"domination.seat.{'neutral' if seat == NEUTRAL else INKS[seat]}")


def holder_name(by: int) -> Value:
    """Return who holds a country: a person, or the neutral army."""
    return army_name(by) if by == NEUTRAL else Who(by)


def display_code(atlas: Atlas, at: int) -> str:
    """Return the displayed code of a country."""
    return map_tables(atlas).display_codes[at]


@lru_cache(maxsize=1 << 14)
def placed(atlas: Atlas, at: int, n: int) -> _Facts:
    """Report armies placed openly."""
    return report("place", ARMIES_LINE, (_mark("to", atlas, at),), at=display_code(atlas, at), n=n)


def _mark(kind: MarkKind, atlas: Atlas, at: int) -> Mark:
    return Mark(kind, atlas.countries[at].code)


def secret(atlas: Atlas, seat: int, key: str, at: int, **values: Value) -> _Facts:
    """Report a secret decision to its seat only: `domination.fact.{key}`."""
    what = msg(f"domination.fact.{key}", at=display_code(atlas, at), **values)
    return (Fact(what, (_mark("changed", atlas, at),), frozenset((Seat(seat),))),)


@lru_cache(maxsize=8)
def ready(seat: int) -> _Facts:
    """Report that a seat has decided where all decide at once."""
    return report("ready", who=Who(seat))


def claimed(position: Position, claims: Sequence[tuple[int, int]]) -> _Facts:
    """Report claims, given as (seat, country) in order, by one fact for each seat; count long lists.

    While countries are free, one more reports how far everyone is.
    """
    atlas, total = position.info.law.atlas, len(claims)
    by: dict[int, list[int]] = {}
    for seat, at in claims:
        by.setdefault(seat, []).append(at)
    found = report("claims", ARMIES_LINE, n=total) if total > _MAX_LISTED else ()
    for seat, row in by.items():
        marks = tuple(_mark("to", atlas, at) for at in row) if total <= _MAX_MARKED else ()
        names = tuple(display_code(atlas, at) for at in row)
        found += report("claimed", BATTLE_LINE, marks, detail=total > _MAX_LISTED, who=Who(seat), at=names)
    if total and (free := position.owner.count(NOBODY)):
        seats = position.living()
        shares = tuple(
            msg("domination.fact.share", who=Who(seat), n=position.owner.count(seat)) for seat in seats
        )
        found += report("left", FALLEN_LINE, n=free, shares=shares)
    return found


def lists_empty(seats: Sequence[int]) -> _Facts:
    """Report whose lists of countries to claim are used up: who is asked again shows it in any case."""
    return report("list_empty", who=tuple(Who(seat) for seat in seats), n=len(seats)) if seats else ()


def dealt(position: Position) -> _Facts:
    """Report that the countries are dealt; as details, each seat's countries."""
    found = _each(position, "dealt", lambda at: display_code(position.info.law.atlas, at))
    return found + neutral(position, "holds")[1:]


def neutral(position: Position, key: Literal["holds", "armed"]) -> _Facts:
    """Report what the neutral army got: a sentence, and as a detail its countries or armies."""
    codes, armies = map_tables(position.info.law.atlas).display_codes, position.armies
    held = [at for at, by in enumerate(position.owner) if by == NEUTRAL]
    if not held:
        return ()
    rows = tuple(f"{codes[at]} {armies[at]}" if key == "armed" else codes[at] for at in held)
    if key == "holds":
        reported = report("neutral_holds", ARMIES_LINE, n=len(held))
    else:
        whole = msg("domination.item.armies", n=sum(armies[at] for at in held))
        reported = report("neutral_armed", ARMIES_LINE, n=len(held), armies=whole)
    return reported + report(f"neutral_{key}_at", BATTLE_LINE, detail=True, at=rows)


def armed(position: Position) -> _Facts:
    """Report that all armies are placed; as details, where each seat has more than one."""
    armies, law = position.armies, position.info.law
    found = _each(
        position, "armed", lambda at: f"{display_code(law.atlas, at)} {armies[at]}" if armies[at] > 1 else ""
    )
    return found + neutral(position, "armed")[1:] if law.setup == "auto" else found


def _each(position: Position, key: str, write: Callable[[int], str]) -> _Facts:
    found = report(f"all_{key}", ARMIES_LINE)
    for seat in range(position.info.law.seats):
        words = tuple(word for at, by in enumerate(position.owner) if by == seat and (word := write(at)))
        if words:
            found += report(key, BATTLE_LINE, detail=True, who=Who(seat), at=words)
    return found


@lru_cache(maxsize=1 << 13)
def ordered(src: str, dst: str, how: str, n: int) -> _Facts:
    """Report an attack order, as a detail, since its result has a fact of its own."""
    return report(f"attack_{how}", BATTLE_LINE, detail=True, src=src.upper(), dst=dst.upper(), n=n)


@lru_cache(maxsize=1 << 13)
def rolled(attack: tuple[int, ...], defence: tuple[int, ...]) -> _Facts:
    """Report the dice of both sides, highest first, as a detail."""
    ours, theirs = (" ".join(map(str, sorted(row, reverse=True))) for row in (attack, defence))
    return report("roll", BATTLE_LINE, detail=True, attack=ours, defence=theirs)


def capital(atlas: Atlas, seat: int, at: int) -> _Facts:
    """Reveal a capital."""
    return report("capital", GOALS_LINE, who=Who(seat), at=display_code(atlas, at))


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


def mission(atlas: Atlas, seat: int, n: int) -> _Facts:
    """Tell a seat its mission."""
    return report("mission", to=seat, mission=mission_text(atlas, atlas.missions[n]))


def had_mission(atlas: Atlas, seat: int, n: int) -> _Facts:
    """Reveal a seat's mission at the end."""
    return report("had_mission", GOALS_LINE, who=Who(seat), mission=mission_text(atlas, atlas.missions[n]))


def traded(atlas: Atlas, cards: tuple[str, ...], armies: int, bonus: int, extra: int) -> _Facts:
    """Report a trade; `bonus` is the country that got two armies, negative for none."""
    shown, n = tuple(map(_card, cards)), armies + extra
    if bonus < 0:
        return report("trade", ARMIES_LINE, cards=shown, n=n)
    marks = (_mark("to", atlas, bonus),)
    return report("trade_bonus", ARMIES_LINE, marks, at=display_code(atlas, bonus), cards=shown, n=n)


def _card(names: str) -> Value:
    return msg("domination.card.wild") if names == WILD else names.upper()


def battle(atlas: Atlas, attack: OngoingAttack, left: int, against: int, seat: int, victim: int) -> _Facts:
    """Report a finished attack, with `left` and `against` armies left; with 0 against, it is a conquest."""
    a, b = atlas.countries[attack.src].code, atlas.countries[attack.dst].code
    return report(
        "held" if against else "taken",
        BATTLE_LINE,
        _arrow(a, b, INKS[seat], not against),
        src=a.upper(),
        dst=b.upper(),
        armies=attack.armies,
        against=attack.against,
        n=attack.rolls,
        lost=attack.armies - left,
        killed=attack.against - against,
        who=army_name(victim),
    )


@lru_cache(maxsize=1 << 13)
def _arrow(src: str, dst: str, ink: Ink, taken: bool) -> tuple[Mark, ...]:
    arrow = Mark("arrow", src, ink, dst)
    return (arrow, Mark("changed", dst)) if taken else (arrow,)


@lru_cache(maxsize=1 << 13)
def moved(atlas: Atlas, at: int, n: int) -> _Facts:
    """Report armies moved into a conquered country."""
    return report("move", BATTLE_LINE, at=display_code(atlas, at), n=n)


@lru_cache(maxsize=1 << 14)
def fortified(src: str, dst: str, n: int) -> _Facts:
    """Report the last move of a turn."""
    return report(
        "fortify", LAST_LINE, (Mark("from", src), Mark("to", dst)), src=src.upper(), dst=dst.upper(), n=n
    )


def holdings(position: Position, seat: int) -> _Facts:
    """Report what a seat has at the end of its turn, and its next reinforcements."""
    return report(
        "standing",
        LAST_LINE,
        land=msg("domination.item.land", n=position.owner.count(seat)),
        armies=msg("domination.item.armies", n=position.force(seat)),
        income=msg("domination.item.income", n=reinforcements(position, seat)),
    )


def beaten(seat: int, cards: int) -> _Facts:
    """Report that a seat lost its last country, and its cards."""
    if cards:
        return report("beaten", FALLEN_LINE, who=Who(seat), n=cards)
    return report("fell", FALLEN_LINE, who=Who(seat))


@lru_cache(maxsize=1 << 11)
def card_drawn(seat: int, names: str) -> _Facts:
    """Report a drawn card; which one, to its seat only."""
    return report("card", LAST_LINE) + report("own_card", LAST_LINE, to=seat, card=_card(names))


def gained(atlas: Atlas, before: Sequence[int], after: Iterable[int]) -> _Facts:
    """Report newly held continents; `before` and `after` are the numbers of all held ones."""
    new: tuple[Value, ...] = tuple(atlas.continents[n].name for n in after if n not in before)
    return report("continent", FALLEN_LINE, continents=new) if new else ()


def ending(reason: str, winners: Iterable[int]) -> Msg:
    """Return the sentence for the ending: `all`, `last`, `capitals`, `mission`, `points` or `draw`."""
    return msg(f"domination.outcome.{reason}", who=tuple(Who(seat) for seat in winners))
