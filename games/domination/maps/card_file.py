"""The parser of a map's `.cards` file (deck and missions), and the default decks for maps without one.

Format: `[cards]` with lines `Infantry|Cavalry|Cannon country` or `wildcard`, optionally `[missions]` with
lines `player countries armies continent continent continent text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from games.domination.maps.atlas import ANY, KINDS, NOWHERE, Card, Kind, Mission
from games.domination.maps.file_lines import Line, Report, number_of, printable, section_lines
from games.domination.maps.world import WORLD

MAX_CARDS: Final = 500
MAX_MISSIONS: Final = 100
MAX_MISSION_TEXT: Final = 200
"""Maximum length of a mission's text, in characters."""
MAX_SEATS: Final = 6
BUILT_IN_DECKS: Final = ("risk.cards", "nomission.cards")
"""File names of decks that map files may refer to; the built-in ones suit any map."""
_SECTIONS: Final = frozenset({"cards", "missions"})
_PLAYER = re.compile(r"\{?PLAYER([1-9])\}?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardFile:
    """The content of a card file."""

    cards: tuple[Card, ...]
    missions: tuple[Mission, ...]


def plain_deck(countries: int) -> CardFile:
    """Return a deck that suits any map: a card for each country and two wild ones, no missions.

    The kinds take turns. If the map has at least as many countries as the standard one, its first ones get
    the standard cards.
    """
    standard = [card.kind for card in WORLD.cards if card.kind != "wild"]
    known = standard if countries >= len(standard) else []
    kinds = [*known, *(KINDS[n % 3] for n in range(len(known), countries))]
    wild = (card for card in WORLD.cards if card.kind == "wild")
    return CardFile((*(Card(kind, n) for n, kind in enumerate(kinds)), *wild), ())


def built_in_deck(name: str, countries: int, continents: int) -> CardFile:
    """Return our deck for a name in BUILT_IN_DECKS: the plain one, for `risk.cards` with missions.

    Missions are those of the standard map: for continents only if the map has as many; numbers of countries
    are reduced in proportion on smaller maps.
    """
    plain = plain_deck(countries)
    if name == "nomission.cards":
        return plain
    alike = continents >= len(WORLD.continents)
    missions = (one for one in WORLD.missions if alike or not one.continents)
    return CardFile(
        plain.cards,
        tuple(replace(one, countries=_scaled_count(one.countries, countries)) for one in missions),
    )


def _scaled_count(count: int, countries: int) -> int:
    """Return a number of countries, reduced in proportion (at least to 1) if the map is small."""
    least = 1 if count else 0
    return min(count, max(least, round(count * countries / len(WORLD.countries))))


def parse(file: str, text: str, countries: int, continents: int, report: Report) -> CardFile:
    """Parse the deck of a map with these numbers of countries and continents; add errors to the report."""
    cards: list[Card] = []
    missions: list[Mission] = []
    sections = set[str]()
    for line in section_lines(file, text, _SECTIONS, sections, report):
        if line.section == "":
            report.error(line, "early", what=printable(line.text))
        elif line.section == "cards":
            cards.extend(_card(line, countries, report))
        else:
            missions.extend(_mission(line, countries, continents, report))
    if "cards" not in sections:
        report.error(file, "absent", section="[cards]")
    if len(cards) > MAX_CARDS:
        report.error(file, "many_cards", n=len(cards), most=MAX_CARDS)
    if len(missions) > MAX_MISSIONS:
        report.error(file, "many_missions", n=len(missions), most=MAX_MISSIONS)
    return CardFile(tuple(cards), tuple(missions))


def _card(line: Line, countries: int, report: Report) -> Iterable[Card]:
    kind, *rest = line.words
    kind = kind.lower()
    if kind == "wildcard":
        if rest:
            report.error(line, "wild", what=printable(" ".join(rest)))
        return (Card("wild", NOWHERE),)
    known: Kind | None = next((one for one in KINDS[:3] if one == kind), None)
    if known is None:
        report.error(line, "kind", what=printable(line.words[0]))
        return ()
    if len(rest) != 1 or (number := number_of(rest[0])) is None:
        report.error(line, "card", what=printable(line.text))
        return ()
    if not 1 <= number <= countries:
        report.error(line, "country", what=rest[0], n=countries)
        return ()
    return (Card(known, number - 1),)


def _mission(line: Line, countries: int, continents: int, report: Report) -> Iterable[Mission]:
    """Parse a mission; the last `*` gives the number of continents it takes, the named ones included."""
    head = line.words[:6]
    counts = [number_of(word) for word in head[:3]]
    places = [ANY if word == "*" else number_of(word) for word in head[3:]]
    if len(head) < 6 or None in counts or None in places:
        report.error(line, "mission", what=printable(line.text))
        return ()
    player, held, armies = (count or 0 for count in counts)
    named = list(dict.fromkeys(place - 1 for place in places if place is not None and place > 0))
    wanted = max((n for n, place in enumerate(places, 1) if place == ANY), default=0)
    wrong = [place + 1 for place in named if place >= continents]
    if wrong or wanted > continents:
        found = wrong[0] if wrong else wanted
        report.error(line, "continent", what=str(found), n=continents)
        return ()
    if held > countries:
        report.error(line, "held", found=held, n=countries)
        return ()
    if armies > 99:
        report.error(line, "armies", what=str(armies), most=99)
        return ()
    aims = (*named, *(ANY for _ in range(wanted - len(named))))
    if not (player or held or aims):
        report.error(line, "aimless")
        return ()
    if player > MAX_SEATS:
        report.note(line, "seat", player=player, most=MAX_SEATS)
        return ()
    if player and not held and not aims:
        held = _scaled_count(WORLD.missions[-1].countries, countries)
        report.note(line, "instead", n=held)
    if aims and (player or held):
        report.note(line, "either")
    return (Mission(player, held, max(armies, 1) if held else 0, aims, _words(line)),)


def _words(line: Line) -> str:
    """Return the text behind the six numbers, its seats written `{PLAYERk}`."""
    text = " ".join(line.words[6:])
    text = "".join(char for char in text if char.isprintable())[:MAX_MISSION_TEXT]
    return _PLAYER.sub(lambda found: f"{{PLAYER{found[1]}}}", text)
