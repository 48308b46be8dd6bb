"""The parser of `.map` files made for Domination: it returns an Atlas, or errors with their lines.

The format is described in docs/maps.md. Nothing is read from disk: the caller passes texts and the sizes of
pictures by file name. Errors are values, and all are returned at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from games.domination.maps import card_file, file_borders, map_json
from games.domination.maps.atlas import Atlas, Continent, Country
from games.domination.maps.card_file import BUILT_IN_DECKS, CardFile
from games.domination.maps.file_lines import Line, Report, messages, number_of, printable, section_lines
from games.domination.maps.map_names import display_name, key_of, short_codes
from games.engine.message import Msg, msg

Size: TypeAlias = tuple[int, int]
"""Width and height of a picture in pixels."""

MIN_COUNTRIES: Final = 6
MAX_COUNTRIES: Final = 254
"""Maximum number of countries; a mask's pixel can't tell more apart."""
MAX_CONTINENTS: Final = 40
MAX_FILE_LENGTH: Final = 200_000
"""Maximum length of a file, in characters."""
MAX_COORDINATE: Final = 2000
"""Maximum coordinate of a country, in pixels."""
MAX_CONTINENT_ARMIES: Final = 99
"""Maximum number of armies for a continent."""
MARGIN: Final = 60
"""Margin around a map that has no picture, in pixels."""
_SECTIONS: Final = frozenset({"files", "continents", "countries", "borders"})
_FILES: Final = frozenset({"pic", "map", "crd", "prv"})
_HEAD: Final = frozenset({"name", "ver", "circle", "test"})
_COLOURS: Final = {
    "black": "#000000",
    "blue": "#0000ff",
    "cyan": "#00ffff",
    "darkgray": "#404040",
    "gray": "#808080",
    "green": "#00ff00",
    "lightgray": "#c0c0c0",
    "magenta": "#ff00ff",
    "orange": "#ffc800",
    "pink": "#ffafaf",
    "red": "#ff0000",
    "white": "#ffffff",
    "yellow": "#ffff00",
}
"""The colours of `java.awt.Color`, which the format accepts by name."""
_FALLBACK_COLOURS: Final = (
    "#d9a441",
    "#c86b4a",
    "#5b7fb5",
    "#a9743f",
    "#6f9e5b",
    "#9a6fb0",
    "#4f9a94",
    "#b0607c",
)
"""Replacements for unknown colours, used in turn."""
_HEX: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ParsedMapFile:
    """A playable map, and the names of its author's picture and mask (empty for none)."""

    atlas: Atlas
    picture: str
    mask: str
    notes: tuple[Msg, ...]
    """Harmless oddities."""

    @property
    def key(self) -> str:
        """The map's key."""
        return self.atlas.key

    @property
    def title(self) -> str:
        """The map's title."""
        return self.atlas.title

    @property
    def places(self) -> tuple[tuple[str, int, int], ...]:
        """Name and position (x, y) of each country, in the order of their numbers."""
        return tuple((country.name, *country.at) for country in self.atlas.countries)

    def to_json(self, ground: str = "") -> str:
        """Return the map as JSON to be stored, with the key of its picture and mask."""
        return map_json.dump(replace(self.atlas, ground=ground))


@dataclass(slots=True)
class _Draft:
    """The parsed lines of a .map file, before they are checked against each other."""

    file: str
    head: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[Line, str]] = field(default_factory=dict)
    continents: list[tuple[Line, Continent]] = field(default_factory=list)
    countries: list[tuple[Line, str, int | None, tuple[int, int]]] = field(default_factory=list)
    """Line, name, continent's number from 1 (None if unreadable), position."""
    next: int = 1
    """The number of the next country."""
    borders: list[tuple[Line, tuple[str, ...]]] = field(default_factory=list)
    sections: set[str] = field(default_factory=set)


def parse(
    files: Mapping[str, str], pictures: Mapping[str, Size] | None = None
) -> ParsedMapFile | tuple[Msg, ...]:
    """Return the map of the texts (one `.map`, its `.cards`), or its errors. Never raises.

    `pictures` are the sizes of the attached pictures. File names are compared in any case, without folders.
    """
    report = Report()
    texts = {_base_name(name): (name, text) for name, text in files.items()}
    maps = sorted(name for name in texts if name.endswith(".map"))
    if len(maps) != 1:
        names = tuple(printable(texts[name][0]) for name in maps)
        return (msg("domination.map.several", files=names) if maps else msg("domination.map.none"),)
    for name, text in texts.values():
        if len(text) > MAX_FILE_LENGTH:
            report.error(name, msg("domination.map.long", n=len(text), most=MAX_FILE_LENGTH))
    if report.errors:
        return messages(report.errors)
    draft = _read(*texts[maps[0]], report)
    sizes = {_base_name(name): size for name, size in (pictures or {}).items()}
    picture, size = _picture_file("pic", draft, sizes, report)
    mask, outline = _picture_file("map", draft, sizes, report)
    if size and outline and size != outline:
        line = draft.files["map"][0]
        report.error(line, msg("domination.map.sizes", picture=_size_text(size), mask=_size_text(outline)))
    borders = file_borders.borders(draft.borders, len(draft.countries), report)
    deck = _deck(draft, texts, report)
    _check_counts(draft, report)
    size = size or outline or _fitted_size(draft)
    for line, _, _, (x, y) in draft.countries:
        if not (x < size[0] and y < size[1]):
            report.error(line, msg("domination.map.outside", at=f"{x},{y}", size=_size_text(size)))
    if report.errors:
        return messages(report.errors)
    atlas = _atlas(draft, size, borders, deck)
    file_borders.note_oddities(draft.file, atlas, report)
    return ParsedMapFile(atlas, picture, mask, messages(report.notes))


def _read(file: str, text: str, report: Report) -> _Draft:
    """Parse each line by its section."""
    draft = _Draft(file)
    for line in section_lines(file, text, _SECTIONS, draft.sections, report):
        match line.section:
            case "":
                _header(line, draft, report)
            case "files":
                _file(line, draft, report)
            case "continents":
                _continent(line, draft, report)
            case "countries":
                _country(line, draft, report)
            case _:
                draft.borders.append((line, line.words))
    missing = sorted({"continents", "countries", "borders"} - draft.sections)
    for section in missing:
        report.error(file, msg("domination.map.absent", section=f"[{section}]"))
    if "crd" not in draft.files:
        report.error(file, msg("domination.map.cardless"))
    return draft


def _header(line: Line, draft: _Draft, report: Report) -> None:
    """Parse `key value`. Known keys other than `name` have no effect."""
    key, *rest = line.words
    key = key.lower()
    if not rest and key != "test":
        report.error(line, msg("domination.map.pair", what=printable(line.text)))
    elif key not in _HEAD:
        report.note(line, msg("domination.map.unknown", what=printable(key)))
    else:
        draft.head[key] = " ".join(rest)


def _file(line: Line, draft: _Draft, report: Report) -> None:
    key, *rest = line.words
    key = key.lower()
    if key not in _FILES:
        report.error(
            line, msg("domination.map.key", what=printable(line.words[0]), known=tuple(sorted(_FILES)))
        )
    elif not rest:
        report.error(line, msg("domination.map.pair", what=printable(line.text)))
    elif key in draft.files:
        report.error(line, msg("domination.map.twice", what=key))
    else:
        draft.files[key] = (line, " ".join(rest))


def _continent(line: Line, draft: _Draft, report: Report) -> None:
    """Parse a continent; an unreadable line counts too, to keep the numbers of the following ones."""
    words = line.words
    other = _FALLBACK_COLOURS[len(draft.continents) % len(_FALLBACK_COLOURS)]
    if len(words) != 3:
        report.error(line, msg("domination.map.words", shape="id armies colour", want=3, found=len(words)))
        draft.continents.append((line, Continent("", "", 0, other)))
        return
    value = number_of(words[1])
    if value is None or value > MAX_CONTINENT_ARMIES:
        report.error(line, msg("domination.map.armies", what=printable(words[1]), most=MAX_CONTINENT_ARMIES))
    colour = words[2].lower()
    colour = _COLOURS.get(colour, colour)
    if not _HEX.fullmatch(colour):
        report.note(line, msg("domination.map.colour", what=printable(words[2])))
        colour = other
    draft.continents.append((line, Continent("", _named(line, words[0], report), value or 0, colour)))


def _country(line: Line, draft: _Draft, report: Report) -> None:
    words = line.words
    number = number_of(words[0])
    wanted, draft.next = draft.next, (draft.next if number is None else number) + 1
    if number != wanted:
        report.error(line, msg("domination.map.number", what=printable(words[0]), want=wanted))
    if len(words) != 5:
        shape = "number id continent x y"
        report.error(line, msg("domination.map.words", shape=shape, want=5, found=len(words)))
        draft.countries.append((line, "", None, (0, 0)))
        return
    x, y = number_of(words[3]), number_of(words[4])
    if x is None or y is None or x > MAX_COORDINATE or y > MAX_COORDINATE:
        report.error(
            line, msg("domination.map.at", what=printable(f"{words[3]} {words[4]}"), most=MAX_COORDINATE)
        )
        x = y = 0
    continent = number_of(words[2])
    if continent is None:
        report.error(line, msg("domination.map.whole", what=printable(words[2])))
    draft.countries.append((line, _named(line, words[1], report), continent, (x, y)))


def _named(line: Line, word: str, report: Report) -> str:
    name = display_name(word)
    if not name:
        report.error(line, msg("domination.map.nameless", what=printable(word)))
    return name


def _picture_file(
    key: str, draft: _Draft, sizes: Mapping[str, Size], report: Report
) -> tuple[str, Size | None]:
    """Return the file named under a key, and its size if it is attached."""
    if key not in draft.files:
        return "", None
    line, name = draft.files[key]
    if _base_name(name) not in sizes:
        report.note(line, msg("domination.map.undrawn", what=printable(name)))
        return "", None
    return _base_name(name), sizes[_base_name(name)]


def _deck(draft: _Draft, texts: Mapping[str, tuple[str, str]], report: Report) -> CardFile:
    """Return the deck that the map names: an attached file, else a built-in deck."""
    if "crd" not in draft.files:
        return CardFile((), ())
    line, name = draft.files["crd"]
    countries, continents = len(draft.countries), len(draft.continents)
    if _base_name(name) in texts and _base_name(name).endswith(".cards"):
        deck = card_file.parse(*texts[_base_name(name)], countries, continents, report)
        if not deck.missions:
            report.note(texts[_base_name(name)][0], msg("domination.map.missionless"))
        return deck
    if _base_name(name) in BUILT_IN_DECKS:
        report.note(line, msg("domination.map.ours", what=_base_name(name)))
        return card_file.built_in_deck(_base_name(name), countries, continents)
    report.error(line, msg("domination.map.lost", what=printable(name)))
    return CardFile((), ())


def _check_counts(draft: _Draft, report: Report) -> None:
    """Check the numbers of countries and continents, and that no continent is empty."""
    count, continents = len(draft.countries), len(draft.continents)
    if "countries" in draft.sections and not MIN_COUNTRIES <= count <= MAX_COUNTRIES:
        report.error(
            draft.file, msg("domination.map.countries", n=count, least=MIN_COUNTRIES, most=MAX_COUNTRIES)
        )
    if continents > MAX_CONTINENTS:
        report.error(draft.file, msg("domination.map.continents", n=continents, most=MAX_CONTINENTS))
    used = {continent for _, _, continent, _ in draft.countries}
    for line, _, continent, _ in draft.countries:
        if draft.continents and continent is not None and not 1 <= continent <= continents:
            report.error(line, msg("domination.map.continent", what=str(continent), n=continents))
    if draft.countries and None not in used:
        for number, (line, land) in enumerate(draft.continents, 1):
            if number not in used:
                report.error(line, msg("domination.map.empty", what=land.name))


def _atlas(draft: _Draft, size: Size, borders: tuple[tuple[int, ...], ...], deck: CardFile) -> Atlas:
    stem = _base_name(draft.file).removesuffix(".map")
    names = [name for _, name, _, _ in draft.countries]
    lands = [continent for _, continent in draft.continents]
    countries = zip(short_codes(names), draft.countries, strict=True)
    return Atlas(
        key_of(stem),
        display_name(draft.head.get("name", "")) or display_name(stem) or key_of(stem),
        size,
        tuple(
            Continent(code, one.name, one.value, one.colour)
            for code, one in zip(short_codes([one.name for one in lands]), lands, strict=True)
        ),
        tuple(Country(code, name, (land or 0) - 1, at) for code, (_, name, land, at) in countries),
        borders,
        deck.cards,
        deck.missions,
    )


def _fitted_size(draft: _Draft) -> Size:
    """Return the size of a map without a picture, after moving its countries so that all have a margin."""
    points = [at for _, _, _, at in draft.countries] or [(0, 0)]
    left, top = (min(line) - MARGIN for line in zip(*points, strict=True))
    draft.countries = [
        (line, name, land, (x - left, y - top)) for line, name, land, (x, y) in draft.countries
    ]
    return max(x for x, _ in points) - left + MARGIN, max(y for _, y in points) - top + MARGIN


def _base_name(name: str) -> str:
    """Return a file's name without folders, in lower case."""
    return re.split(r"[\\/]", name)[-1].strip().lower()


def _size_text(size: Size) -> str:
    return f"{size[0]}x{size[1]}"
