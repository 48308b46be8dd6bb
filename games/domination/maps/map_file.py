"""The parser of `.map` files made for Domination: it returns an Atlas, or errors with their lines.

The format is described in docs/maps.md. Nothing is read from disk: the caller passes texts and the sizes of
pictures by file name. Errors are values, and all are returned at once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from games.domination.maps import card_file, map_json
from games.domination.maps.atlas import Atlas, Continent, Country
from games.domination.maps.card_file import BUILT_IN_DECKS, CardFile
from games.domination.maps.file_lines import Line, Report, messages, number_of, printable, section_lines
from games.domination.maps.map_names import display_name, key_of, short_codes
from games.engine.maps import PLAIN_DECK
from games.engine.message import Msg, msg

Size: TypeAlias = tuple[int, int]
"""Width and height of a picture in pixels."""

MIN_COUNTRIES: Final = 6
MAX_COUNTRIES: Final = 254
"""Maximum number of countries; a mask's pixel can't distinguish more."""
MAX_CONTINENTS: Final = 40
MAX_FILE_LENGTH: Final = 200_000
"""Maximum length of a file, in characters."""
MAX_COORDINATE: Final = 2000
"""Maximum coordinate of a country, in pixels."""
MAX_CONTINENT_ARMIES: Final = 99
"""Maximum number of armies for a continent."""
_MAX_NAMED: Final = 8
"""Maximum number of names that a note lists."""
MAX_WHOLE_NAME: Final = 24
"""Length of a continent's name from which on a map may show only its beginning, in characters."""
MARGIN: Final = 60
"""Margin around a map that has no picture, in pixels."""
_OF_CONQUEST: Final = re.compile(r"^\s*\[territories\]", re.IGNORECASE | re.MULTILINE)
"""The section that only maps of the program Conquest have."""
_SECTIONS: Final = frozenset({"files", "continents", "countries", "borders"})
_FILES: Final = frozenset({"pic", "map", "crd", "prv"})
_HEAD: Final = frozenset({"name", "ver", "circle", "test"})
_COLOURS: Final = {
    "black": "#000000", "blue": "#0000ff", "cyan": "#00ffff", "darkgray": "#404040", "gray": "#808080",
    "green": "#00ff00", "lightgray": "#c0c0c0", "magenta": "#ff00ff", "orange": "#ffc800",
    "pink": "#ffafaf", "red": "#ff0000", "white": "#ffffff", "yellow": "#ffff00",
}  # fmt: skip
"""The colours of `java.awt.Color`, which the format accepts by name."""
_FALLBACK_COLOURS: Final = (
    "#d9a441", "#c86b4a", "#5b7fb5", "#a9743f", "#6f9e5b", "#9a6fb0", "#4f9a94", "#b0607c",
)  # fmt: skip
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
    report: Report
    head: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[Line, str]] = field(default_factory=dict)
    continents: list[tuple[Line, Continent]] = field(default_factory=list)
    countries: list[tuple[Line, str, int | None, tuple[int, int]]] = field(default_factory=list)
    """Line, name, continent's number from 1 (None if unreadable), position."""
    next: int = 1
    """The number of the next country."""
    borders: list[tuple[Line, tuple[str, ...]]] = field(default_factory=list)
    sections: set[str] = field(default_factory=set)

    def read(self, text: str) -> None:
        """Parse each line by its section."""
        for line in section_lines(self.file, text, _SECTIONS, self.sections, self.report):
            match line.section:
                case "":
                    self._header(line)
                case "files":
                    self._file(line)
                case "continents":
                    self._continent(line)
                case "countries":
                    self._country(line)
                case _:
                    self.borders.append((line, line.words))
        for section in sorted({"continents", "countries", "borders"} - self.sections):
            self.report.error(self.file, "absent", section=f"[{section}]")

    def _header(self, line: Line) -> None:
        """Parse `key value`. Known keys other than `name` have no effect."""
        key, *rest = line.words
        key = key.lower()
        if not rest and key != "test":
            self.report.error(line, "pair", what=printable(line.text))
        elif key not in _HEAD:
            self.report.note(line, "unknown", what=printable(key))
        else:
            self.head[key] = " ".join(rest)

    def _file(self, line: Line) -> None:
        key, *rest = line.words
        key = key.lower()
        if key not in _FILES:
            self.report.error(line, "key", what=printable(line.words[0]), known=tuple(sorted(_FILES)))
        elif not rest:
            self.report.error(line, "pair", what=printable(line.text))
        elif key in self.files:
            self.report.error(line, "twice", what=key)
        else:
            self.files[key] = (line, " ".join(rest))

    def _continent(self, line: Line) -> None:
        """Parse a continent; an unreadable line counts too, to keep the numbers of the following ones."""
        words = line.words
        other = _FALLBACK_COLOURS[len(self.continents) % len(_FALLBACK_COLOURS)]
        if len(words) != 3:
            self.report.error(line, "words", shape="id armies colour", want=3, found=len(words))
            self.continents.append((line, Continent("", "", 0, other)))
            return
        value = number_of(words[1])
        if value is None or value > MAX_CONTINENT_ARMIES:
            self.report.error(line, "armies", what=printable(words[1]), most=MAX_CONTINENT_ARMIES)
        colour = words[2].lower()
        colour = _COLOURS.get(colour, colour)
        if not _HEX.fullmatch(colour):
            self.report.note(line, "colour", what=printable(words[2]))
            colour = other
        name = self._named(line, words[0])
        if len(name) > MAX_WHOLE_NAME:
            self.report.note(line, "long_name", what=printable(name))
        self.continents.append((line, Continent("", name, value or 0, colour)))

    def _country(self, line: Line) -> None:
        words = line.words
        number = number_of(words[0])
        wanted, self.next = self.next, (self.next if number is None else number) + 1
        if number != wanted:
            self.report.error(line, "number", what=printable(words[0]), want=wanted)
        if len(words) != 5:
            shape = "number id continent x y"
            self.report.error(line, "words", shape=shape, want=5, found=len(words))
            self.countries.append((line, "", None, (0, 0)))
            return
        x, y = number_of(words[3]), number_of(words[4])
        if x is None or y is None or x > MAX_COORDINATE or y > MAX_COORDINATE:
            self.report.error(line, "at", what=printable(f"{words[3]} {words[4]}"), most=MAX_COORDINATE)
            x = y = 0
        continent = number_of(words[2])
        if continent is None:
            self.report.error(line, "whole", what=printable(words[2]))
        self.countries.append((line, self._named(line, words[1]), continent, (x, y)))

    def _named(self, line: Line, word: str) -> str:
        name = display_name(word)
        if not name:
            self.report.error(line, "nameless", what=printable(word))
        return name

    def picture(self, key: str, sizes: Mapping[str, Size]) -> tuple[str, Size | None]:
        """Return the file named under a key, and its size if it is attached."""
        if key not in self.files:
            return "", None
        line, name = self.files[key]
        if _base_name(name) not in sizes:
            self.report.note(line, "undrawn", what=printable(name))
            return "", None
        return _base_name(name), sizes[_base_name(name)]

    def deck(self, texts: Mapping[str, tuple[str, str]], chosen: str) -> CardFile:
        """Return the chosen deck, else the one that the map names: an attached file, or a built-in deck."""
        countries, continents = len(self.countries), len(self.continents)
        if chosen == PLAIN_DECK:
            return card_file.plain_deck(countries)
        decks = {name: file for name, (file, _) in texts.items() if name.endswith(".cards")}
        if chosen:
            at: Line | str = self.file
            name = wanted = f"{chosen.removesuffix('.cards')}.cards"
        elif "crd" in self.files:
            at, wanted = self.files["crd"]
            name = _base_name(wanted)
        else:
            self.report.error(self.file, "cardless")
            return CardFile((), ())
        if name in decks:
            deck = card_file.parse(*texts[name], countries, continents, self.report)
            if not deck.missions:
                self.report.note(decks.pop(name), "missionless")
            if others := tuple(printable(file) for key, file in sorted(decks.items()) if key != name):
                self.report.note(at, "decks", n=len(others), used=printable(name), which=others)
            return deck
        if name in BUILT_IN_DECKS:
            self.report.note(at, "ours", what=name)
            return card_file.built_in_deck(name, countries, continents)
        self.report.error(at, "lost", what=printable(wanted))
        return CardFile((), ())

    def check_counts(self) -> None:
        """Check the numbers of countries and continents, and that no continent is empty."""
        count, continents = len(self.countries), len(self.continents)
        if "countries" in self.sections and not MIN_COUNTRIES <= count <= MAX_COUNTRIES:
            self.report.error(self.file, "countries", n=count, least=MIN_COUNTRIES, most=MAX_COUNTRIES)
        if continents > MAX_CONTINENTS:
            self.report.error(self.file, "continents", n=continents, most=MAX_CONTINENTS)
        used = {continent for _, _, continent, _ in self.countries}
        for line, _, continent, _ in self.countries:
            if self.continents and continent is not None and not 1 <= continent <= continents:
                self.report.error(line, "continent", what=str(continent), n=continents)
        if self.countries and None not in used:
            for number, (line, land) in enumerate(self.continents, 1):
                if number not in used and land.name:  # a nameless one has been refused
                    self.report.error(line, "empty", what=land.name)

    def atlas(self, size: Size, borders: tuple[tuple[int, ...], ...], deck: CardFile) -> Atlas:
        stem = _base_name(self.file).removesuffix(".map")
        names = [name for _, name, _, _ in self.countries]
        lands = [continent for _, continent in self.continents]
        countries = zip(short_codes(names), self.countries, strict=True)
        return Atlas(
            key_of(stem),
            display_name(self.head.get("name", "")) or display_name(stem) or key_of(stem),
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

    def fitted_size(self) -> Size:
        """Return the size of a map without a picture, its countries moved so that all have a margin."""
        points = [at for _, _, _, at in self.countries] or [(0, 0)]
        left, top = (min(line) - MARGIN for line in zip(*points, strict=True))
        self.countries = [
            (line, name, land, (x - left, y - top)) for line, name, land, (x, y) in self.countries
        ]
        return max(x for x, _ in points) - left + MARGIN, max(y for _, y in points) - top + MARGIN


def parse(
    files: Mapping[str, str], pictures: Mapping[str, Size] | None = None, deck: str = ""
) -> ParsedMapFile | tuple[Msg, ...]:
    """Return the map of the texts (one `.map`, its `.cards`), or its errors. Never raises.

    `pictures` are the sizes of the attached pictures. `deck` is the name of the `.cards` file to use, with or
    without its ending, PLAIN_DECK for none, or empty for the one that the map names. File names are compared
    in any case, without folders.
    """
    report = Report()
    texts = {_base_name(name): (name, text) for name, text in files.items()}
    maps = sorted(name for name in texts if name.endswith(".map"))
    if len(maps) != 1:
        names = tuple(printable(texts[name][0]) for name in maps)
        return (msg("domination.map.several", files=names) if maps else msg("domination.map.none"),)
    for name, text in texts.values():
        if len(text) > MAX_FILE_LENGTH:
            report.error(name, "long", n=len(text), most=MAX_FILE_LENGTH)
    if report.errors:
        return messages(report.errors)
    file, text = texts[maps[0]]
    if _OF_CONQUEST.search(text):
        report.error(file, "conquest")
        return messages(report.errors)
    draft = _Draft(file, report)
    draft.read(text)
    sizes = {_base_name(name): size for name, size in (pictures or {}).items()}
    picture, size = draft.picture("pic", sizes)
    mask, outline = draft.picture("map", sizes)
    if size and outline and size != outline:
        line = draft.files["map"][0]
        report.error(line, "sizes", picture=_size_text(size), mask=_size_text(outline))
    borders = _borders(draft.borders, len(draft.countries), report)
    cards = draft.deck(texts, _base_name(deck))
    draft.check_counts()
    size = size or outline or draft.fitted_size()
    for line, _, _, (x, y) in draft.countries:
        if not (x < size[0] and y < size[1]):
            report.error(line, "outside", at=f"{x},{y}", size=_size_text(size))
    if report.errors:
        return messages(report.errors)
    atlas = draft.atlas(size, borders, cards)
    _note_oddities(draft.file, atlas, report)
    return ParsedMapFile(atlas, picture, mask, messages(report.notes))


# --- the graph -------------------------------------------------------------------------------------------


def _borders(
    rows: Sequence[tuple[Line, tuple[str, ...]]], countries: int, report: Report
) -> tuple[tuple[int, ...], ...]:
    """Return the targets of each country; lines of one country add up, borders to itself are dropped."""
    found: list[set[int]] = [set() for _ in range(countries)]
    for line, words in rows:
        numbers = []
        for word in words:
            number = number_of(word)
            if number is None:
                report.error(line, "whole", what=printable(word))
            elif not 1 <= number <= countries:
                report.error(line, "country", what=word, n=countries)
            else:
                numbers.append(number - 1)
        if len(numbers) < len(words):
            continue
        start, *ends = numbers
        if start in ends:
            report.note(line, "itself", what=words[0])
        found[start].update(end for end in ends if end != start)
    return tuple(tuple(sorted(row)) for row in found)


def _note_oddities(file: str, atlas: Atlas, report: Report) -> None:
    """Note one-way borders, unreachable countries, and countries that share a name or a spot."""
    names = [country.name for country in atlas.countries]
    if one_way := [f"{names[start]} > {names[end]}" for start, end in atlas.one_way]:
        report.note(file, "one_way", n=len(one_way), which=_first_names(one_way))
    if apart := [names[number] for number in atlas.apart]:
        report.note(file, "apart", n=len(apart), which=_first_names(apart))
    called, spots = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for country in atlas.countries:
        called[country.name.lower()].append(country.code)
        spots[f"{country.at[0]},{country.at[1]}"].append(country.name)
    for name, same in called.items():
        if len(same) > 1:
            report.note(file, "namesakes", n=len(same), what=name, which=_first_names(same))
    for at, here in spots.items():
        if len(here) > 1:
            report.note(file, "spot", at=at, which=_first_names(here))


def _first_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the first _MAX_NAMED names, with an ellipsis if there are more."""
    return (*names[:_MAX_NAMED], *(["…"] if len(names) > _MAX_NAMED else []))


def _base_name(name: str) -> str:
    """Return a file's name without folders, in lower case."""
    return re.split(r"[\\/]", name)[-1].strip().lower()


def _size_text(size: Size) -> str:
    return f"{size[0]}x{size[1]}"
