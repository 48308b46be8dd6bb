"""A map as JSON and back: what is kept of it, and what a record of a match on it carries.

Reading trusts nothing: whatever comes back is a whole map with every number in its place, or ValueError.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from games.domination.atlas import ANY, KINDS, NOWHERE, Atlas, Card, Continent, Country, Mission

VERSION: Final = 1
LONGEST: Final = 400_000
"""Characters."""
_CODE: Final = re.compile(r"[a-z][a-z0-9]{0,7}", re.ASCII)
_KEY: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}", re.ASCII)
_GROUND: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_HEX: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)


def dump(atlas: Atlas) -> str:
    """The map on one line, the same bytes for the same map."""
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
    """The map. ValueError, saying what is wrong, for anything that `dump` doesn't write."""
    if len(text) > LONGEST:
        raise ValueError(f"a map of {len(text)} characters")
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("no map: too deep") from error
    if not isinstance(value, dict) or value.get("v") != VERSION:
        raise ValueError(f"no map of version {VERSION}")
    try:
        return _atlas(value)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no map: {error!r}") from error


def _atlas(value: dict[str, Any]) -> Atlas:
    width, height = value["size"]
    continents = tuple(
        Continent(_like(_CODE, code), _text(name, 60), _number(worth, 0, 99), _like(_HEX, colour))
        for code, name, worth, colour in _rows(value["continents"], 1, 40)
    )
    count = len(value["countries"])
    countries = tuple(
        Country(
            _like(_CODE, code),
            _text(name, 60),
            _number(continent, 0, len(continents) - 1),
            (_number(x, 0, 4000), _number(y, 0, 4000)),
        )
        for code, name, continent, x, y in _rows(value["countries"], 6, 254)
    )
    if len({one.code for one in countries}) != count:
        raise ValueError("a code is given twice")
    if {one.continent for one in countries} != set(range(len(continents))):
        raise ValueError("a continent has no country")
    borders = tuple(
        tuple(_number(end, 0, count - 1) for end in row) for row in _rows(value["borders"], count, count)
    )
    for start, row in enumerate(borders):
        if list(row) != sorted(set(row) - {start}):
            raise ValueError(f"the borders of country {start} are not in order")
    return Atlas(
        _like(_KEY, value["key"]),
        _text(value["title"], 60),
        (_number(width, 1, 4000), _number(height, 1, 4000)),
        continents,
        countries,
        borders,
        tuple(_card(kind, country, count) for kind, country in _rows(value["cards"], 0, 500)),
        tuple(_mission(row, count, len(continents)) for row in _rows(value["missions"], 0, 100)),
        _like(_GROUND, value["ground"]) if "ground" in value else "",
    )


def _card(kind: Any, country: Any, countries: int) -> Card:
    shown = KINDS[_number(kind, 0, len(KINDS) - 1)]
    if shown == "wild":
        return Card(shown, _number(country, NOWHERE, NOWHERE))
    return Card(shown, _number(country, 0, countries - 1))


def _mission(row: list[Any], countries: int, continents: int) -> Mission:
    player, held, armies, wanted, text = row
    places = tuple(_number(one, ANY, continents - 1) for one in _rows([wanted], 1, 1)[0])
    named = [one for one in places if one != ANY]
    if len(places) > continents or len(set(named)) != len(named):
        raise ValueError("a mission wants continents that aren't there")
    if not isinstance(text, str) or len(text) > 400 or not text.isprintable():
        raise ValueError("a mission's text is too long, or can't be shown")
    return Mission(_number(player, 0, 6), _number(held, 0, countries), _number(armies, 0, 99), places, text)


def _rows(value: Any, least: int, most: int) -> list[list[Any]]:
    """A list of lists."""
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise ValueError("a list of lists is wanted")
    if not least <= len(value) <= most:
        raise ValueError(f"{len(value)} rows, where {least} to {most} are possible")
    return value


def _number(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is no number from {least} to {most}")
    return value


def _like(pattern: re.Pattern[str], value: Any) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"{value!r} has another form")
    return value


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= most or not value.isprintable():
        raise ValueError("a name is wanted")
    return value
