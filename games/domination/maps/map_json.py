"""Maps as JSON, the form in which they are stored and in which records of matches contain them.

`load` trusts nothing: it returns a complete map with every value in its range, or raises ValueError.
"""

from __future__ import annotations

import json
import re
from typing import Final

from games.domination.maps.atlas import ANY, KINDS, NOWHERE, Atlas, Card, Continent, Country, Mission
from games.engine.fields import Fields, Reader, list_of, one_of, text, tuple_of, whole, wrong

VERSION: Final = 1
MAX_LENGTH: Final = 400_000
"""Maximum length of a map's JSON, in characters."""
_PARTS: Final = (
    *("v", "key", "title", "size", "continents", "countries", "borders", "cards", "missions", "ground"),
)


def _pattern(what: str, pattern: str) -> Reader[str]:
    return text(what, re.compile(pattern, re.ASCII).fullmatch)


def _printable(what: str, most: int, least: int = 0) -> Reader[str]:
    return text(
        f"{what} of {least} to {most} characters", lambda s: least <= len(s) <= most and s.isprintable()
    )


_CODE: Final = _pattern("code", r"[a-z][a-z0-9]{0,7}")
_KEY: Final = _pattern("key", r"[a-z0-9][a-z0-9-]{0,31}")
_GROUND: Final = _pattern("key of a picture", r"[0-9a-f]{32}")
_HEX: Final = _pattern("colour", r"#[0-9a-f]{6}")
_NAME: Final = _printable("name", 60, least=1)


def dump(atlas: Atlas) -> str:
    """Return the map on one line, the same bytes for the same map."""
    value: dict[str, object] = {
        "v": VERSION,
        "key": atlas.key,
        "title": atlas.title,
        "size": atlas.size,
        "continents": [[one.code, one.name, one.value, one.colour] for one in atlas.continents],
        "countries": [[one.code, one.name, one.continent, *one.at] for one in atlas.countries],
        "borders": atlas.borders,
        "cards": [[KINDS.index(one.kind), one.country] for one in atlas.cards],
        "missions": [[m.player, m.countries, m.armies, m.continents, m.text] for m in atlas.missions],
    }
    if atlas.ground:
        value["ground"] = atlas.ground
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def load(text: str) -> Atlas:
    """Return the map. Raises ValueError with a reason for anything that `dump` doesn't write."""
    if len(text) > MAX_LENGTH:
        raise ValueError(f"a map of {len(text)} characters")
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("no map: too deep") from error
    part = Fields(value, _PARTS, "map")
    part("v", one_of((VERSION,)))
    continents = tuple(
        Continent(*each)
        for each in part("continents", list_of(tuple_of(_CODE, _NAME, whole(99), _HEX), 1, 40))
    )
    spot = whole(4000)
    country = tuple_of(_CODE, _NAME, whole(len(continents) - 1), spot, spot)
    countries = tuple(
        Country(code, name, continent, (x, y))
        for code, name, continent, x, y in part("countries", list_of(country, 6, 254))
    )
    count = len(countries)
    if len({one.code for one in countries}) != count:
        wrong("map.countries", "a code is given twice")
    if {one.continent for one in countries} != set(range(len(continents))):
        wrong("map.continents", "a continent has no country")
    borders = part("borders", list_of(list_of(whole(count - 1)), count, count))
    for start, near in enumerate(borders):
        if list(near) != sorted({*near} - {start}):
            wrong(f"map.borders.{start}", "not in order, or a country beside itself")
    return Atlas(
        part("key", _KEY),
        part("title", _NAME),
        part("size", tuple_of(whole(4000, least=1), whole(4000, least=1))),
        continents,
        countries,
        borders,
        part("cards", list_of(_card(count), 0, 500)),
        part("missions", list_of(_mission(count, len(continents)), 0, 100)),
        part("ground", _GROUND, ""),
    )


def _card(countries: int) -> Reader[Card]:
    def read(value: object, path: str) -> Card:
        kind, country = tuple_of(whole(len(KINDS) - 1), whole(countries - 1, least=NOWHERE))(value, path)
        if (KINDS[kind] == "wild") != (country == NOWHERE):
            wrong(path, "a country is shown by all but wild cards")
        return Card(KINDS[kind], country)

    return read


def _mission(countries: int, continents: int) -> Reader[Mission]:
    places = list_of(whole(continents - 1, least=ANY), 0, continents)
    whole_row = tuple_of(whole(6), whole(countries), whole(99), places, _printable("text", 400))

    def read(value: object, path: str) -> Mission:
        mission = Mission(*whole_row(value, path))
        named = [one for one in mission.continents if one != ANY]
        if len(set(named)) != len(named):
            wrong(path, "a continent is named twice")
        return mission

    return read
