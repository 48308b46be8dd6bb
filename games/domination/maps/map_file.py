"""The `.map` file of a map made for Domination, as text, becomes an Atlas; or errors, each at its line.

The format is described in docs/maps.md. Nothing is read from anywhere: texts come by their names, pictures by
their sizes. Errors are values, and several come at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from games.domination.maps import card_file, file_borders, map_json
from games.domination.maps.atlas import Atlas, Continent, Country
from games.domination.maps.card_file import SHIPPED, Deck
from games.domination.maps.file_lines import Line, Report, lines, number_of, said, shown
from games.domination.maps.map_names import clean, codes, key_of
from games.engine.message import Msg, msg

Size: TypeAlias = tuple[int, int]
"""Width and height of a picture in pixels."""

FEWEST: Final = 6
MOST: Final = 254
"""Countries; a mask's pixel has no more values."""
MOST_CONTINENTS: Final = 40
MOST_TEXT: Final = 200_000
"""Characters of a file."""
WIDEST: Final = 2000
"""Pixels each way."""
DEAREST: Final = 99
"""Armies for a continent."""
MARGIN: Final = 60
"""Pixels around a map that has no picture."""
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
"""The colours of Java's java.awt.Color, which the format takes by name."""
_OTHERS: Final = ("#d9a441", "#c86b4a", "#5b7fb5", "#a9743f", "#6f9e5b", "#9a6fb0", "#4f9a94", "#b0607c")
"""By turns, where a colour is not known."""
_HEX: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ParsedMapFile:
    """A map that can be played, and the files that its author drew for it (empty names for none)."""

    atlas: Atlas
    picture: str
    mask: str
    notes: tuple[Msg, ...]
    """What is odd but does no harm."""

    @property
    def key(self) -> str:
        """What the map goes by."""
        return self.atlas.key

    @property
    def title(self) -> str:
        """What it is called."""
        return self.atlas.title

    @property
    def places(self) -> tuple[tuple[str, int, int], ...]:
        """The countries by number from 1, each with its name and where its armies stand."""
        return tuple((country.name, *country.at) for country in self.atlas.countries)

    def to_json(self, ground: str = "") -> str:
        """The map as JSON, to be kept, with the key of its picture and mask."""
        return map_json.dump(replace(self.atlas, ground=ground))


@dataclass(slots=True)
class _Draft:
    """What the lines of a .map file say, before it is known whether they fit each other."""

    file: str
    head: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[Line, str]] = field(default_factory=dict)
    continents: list[tuple[Line, Continent]] = field(default_factory=list)
    countries: list[tuple[Line, str, int | None, tuple[int, int]]] = field(default_factory=list)
    """With the continent's number from 1, None where it can't be read."""
    next: int = 1
    """The number of the next country."""
    borders: list[tuple[Line, tuple[str, ...]]] = field(default_factory=list)
    sections: set[str] = field(default_factory=set)


def parse(
    files: Mapping[str, str], pictures: Mapping[str, Size] | None = None
) -> ParsedMapFile | tuple[Msg, ...]:
    """The map that texts describe (one `.map`, its `.cards`), or what is wrong with it. Never raises.

    `pictures` are the sizes of what comes along. Names are compared in any case, without folders.
    """
    report = Report()
    texts = {_bare(name): (name, text) for name, text in files.items()}
    maps = sorted(name for name in texts if name.endswith(".map"))
    if len(maps) != 1:
        names = tuple(shown(texts[name][0]) for name in maps)
        return (msg("domination.map.several", files=names) if maps else msg("domination.map.none"),)
    for name, text in texts.values():
        if len(text) > MOST_TEXT:
            report.error(name, msg("domination.map.long", n=len(text), most=MOST_TEXT))
    if report.errors:
        return said(report.errors)
    draft = _read(*texts[maps[0]], report)
    sizes = {_bare(name): size for name, size in (pictures or {}).items()}
    picture, size = _drawn("pic", draft, sizes, report)
    mask, outline = _drawn("map", draft, sizes, report)
    if size and outline and size != outline:
        line = draft.files["map"][0]
        report.error(line, msg("domination.map.sizes", picture=_by(size), mask=_by(outline)))
    borders = file_borders.borders(draft.borders, len(draft.countries), report)
    deck = _deck(draft, texts, report)
    _counts(draft, report)
    size = size or outline or _moved(draft)
    for line, _, _, (x, y) in draft.countries:
        if not (x < size[0] and y < size[1]):
            report.error(line, msg("domination.map.outside", at=f"{x},{y}", size=_by(size)))
    if report.errors:
        return said(report.errors)
    atlas = _atlas(draft, size, borders, deck)
    file_borders.remark(draft.file, atlas, report)
    return ParsedMapFile(atlas, picture, mask, said(report.notes))


def _read(file: str, text: str, report: Report) -> _Draft:
    """Each line to its section."""
    draft = _Draft(file)
    for line in lines(file, text, _SECTIONS, draft.sections, report):
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
    """`key value`. The size of circles is ours; borders are always tested."""
    key, *rest = line.words
    key = key.lower()
    if not rest and key != "test":
        report.error(line, msg("domination.map.pair", what=shown(line.text)))
    elif key not in _HEAD:
        report.note(line, msg("domination.map.unknown", what=shown(key)))
    else:
        draft.head[key] = " ".join(rest)


def _file(line: Line, draft: _Draft, report: Report) -> None:
    key, *rest = line.words
    key = key.lower()
    if key not in _FILES:
        report.error(line, msg("domination.map.key", what=shown(line.words[0]), known=tuple(sorted(_FILES))))
    elif not rest:
        report.error(line, msg("domination.map.pair", what=shown(line.text)))
    elif key in draft.files:
        report.error(line, msg("domination.map.twice", what=key))
    else:
        draft.files[key] = (line, " ".join(rest))


def _continent(line: Line, draft: _Draft, report: Report) -> None:
    """A line that can't be read counts all the same, so that the numbers of those below stay right."""
    words = line.words
    other = _OTHERS[len(draft.continents) % len(_OTHERS)]
    if len(words) != 3:
        report.error(line, msg("domination.map.words", shape="id armies colour", want=3, found=len(words)))
        draft.continents.append((line, Continent("", "", 0, other)))
        return
    value = number_of(words[1])
    if value is None or value > DEAREST:
        report.error(line, msg("domination.map.armies", what=shown(words[1]), most=DEAREST))
    colour = words[2].lower()
    colour = _COLOURS.get(colour, colour)
    if not _HEX.fullmatch(colour):
        report.note(line, msg("domination.map.colour", what=shown(words[2])))
        colour = other
    draft.continents.append((line, Continent("", _named(line, words[0], report), value or 0, colour)))


def _country(line: Line, draft: _Draft, report: Report) -> None:
    words = line.words
    number = number_of(words[0])
    wanted, draft.next = draft.next, (draft.next if number is None else number) + 1
    if number != wanted:
        report.error(line, msg("domination.map.number", what=shown(words[0]), want=wanted))
    if len(words) != 5:
        shape = "number id continent x y"
        report.error(line, msg("domination.map.words", shape=shape, want=5, found=len(words)))
        draft.countries.append((line, "", None, (0, 0)))
        return
    x, y = number_of(words[3]), number_of(words[4])
    if x is None or y is None or x > WIDEST or y > WIDEST:
        report.error(line, msg("domination.map.at", what=shown(f"{words[3]} {words[4]}"), most=WIDEST))
        x = y = 0
    continent = number_of(words[2])
    if continent is None:
        report.error(line, msg("domination.map.whole", what=shown(words[2])))
    draft.countries.append((line, _named(line, words[1], report), continent, (x, y)))


def _named(line: Line, word: str, report: Report) -> str:
    name = clean(word)
    if not name:
        report.error(line, msg("domination.map.nameless", what=shown(word)))
    return name


def _drawn(key: str, draft: _Draft, sizes: Mapping[str, Size], report: Report) -> tuple[str, Size | None]:
    """The file that is named for a purpose, and its size, if it has come along."""
    if key not in draft.files:
        return "", None
    line, name = draft.files[key]
    if _bare(name) not in sizes:
        report.note(line, msg("domination.map.undrawn", what=shown(name)))
        return "", None
    return _bare(name), sizes[_bare(name)]


def _deck(draft: _Draft, texts: Mapping[str, tuple[str, str]], report: Report) -> Deck:
    """The cards that the map names: a file that came along, else one of ours."""
    if "crd" not in draft.files:
        return Deck((), ())
    line, name = draft.files["crd"]
    countries, continents = len(draft.countries), len(draft.continents)
    if _bare(name) in texts and _bare(name).endswith(".cards"):
        deck = card_file.parse(*texts[_bare(name)], countries, continents, report)
        if not deck.missions:
            report.note(texts[_bare(name)][0], msg("domination.map.missionless"))
        return deck
    if _bare(name) in SHIPPED:
        report.note(line, msg("domination.map.ours", what=_bare(name)))
        return card_file.shipped(_bare(name), countries, continents)
    report.error(line, msg("domination.map.lost", what=shown(name)))
    return Deck((), ())


def _counts(draft: _Draft, report: Report) -> None:
    """Few enough, enough, and no continent without a country."""
    count, continents = len(draft.countries), len(draft.continents)
    if "countries" in draft.sections and not FEWEST <= count <= MOST:
        report.error(draft.file, msg("domination.map.countries", n=count, least=FEWEST, most=MOST))
    if continents > MOST_CONTINENTS:
        report.error(draft.file, msg("domination.map.continents", n=continents, most=MOST_CONTINENTS))
    used = {continent for _, _, continent, _ in draft.countries}
    for line, _, continent, _ in draft.countries:
        if draft.continents and continent is not None and not 1 <= continent <= continents:
            report.error(line, msg("domination.map.continent", what=str(continent), n=continents))
    if draft.countries and None not in used:
        for number, (line, land) in enumerate(draft.continents, 1):
            if number not in used:
                report.error(line, msg("domination.map.empty", what=land.name))


def _atlas(draft: _Draft, size: Size, borders: tuple[tuple[int, ...], ...], deck: Deck) -> Atlas:
    stem = _bare(draft.file).removesuffix(".map")
    names = [name for _, name, _, _ in draft.countries]
    lands = [continent for _, continent in draft.continents]
    countries = zip(codes(names), draft.countries, strict=True)
    return Atlas(
        key_of(stem),
        clean(draft.head.get("name", "")) or clean(stem) or key_of(stem),
        size,
        tuple(
            Continent(code, one.name, one.value, one.colour)
            for code, one in zip(codes([one.name for one in lands]), lands, strict=True)
        ),
        tuple(Country(code, name, (land or 0) - 1, at) for code, (_, name, land, at) in countries),
        borders,
        deck.cards,
        deck.missions,
    )


def _moved(draft: _Draft) -> Size:
    """The size of a map without a picture: its countries are moved so that all have a margin around them."""
    points = [at for _, _, _, at in draft.countries] or [(0, 0)]
    left, top = (min(line) - MARGIN for line in zip(*points, strict=True))
    draft.countries = [
        (line, name, land, (x - left, y - top)) for line, name, land, (x, y) in draft.countries
    ]
    return max(x for x, _ in points) - left + MARGIN, max(y for _, y in points) - top + MARGIN


def _bare(name: str) -> str:
    """A file's name without folders, in lower case."""
    return re.split(r"[\\/]", name)[-1].strip().lower()


def _by(size: Size) -> str:
    return f"{size[0]}x{size[1]}"
