"""The directed borders of a map file, and notes about oddities of its graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.domination.maps.atlas import Atlas
from games.domination.maps.file_lines import Line, Report, number_of, printable
from games.engine.message import msg

MAX_NAMED: Final = 8
"""Maximum number of names that a note lists."""


def borders(
    rows: Sequence[tuple[Line, tuple[str, ...]]], countries: int, report: Report
) -> tuple[tuple[int, ...], ...]:
    """Return the targets of each country; lines of one country add up, borders to itself are dropped."""
    found: list[set[int]] = [set() for _ in range(countries)]
    for line, words in rows:
        numbers = []
        for word in words:
            number = number_of(word)
            if number is None:
                report.error(line, msg("domination.map.whole", what=printable(word)))
            elif not 1 <= number <= countries:
                report.error(line, msg("domination.map.country", what=word, n=countries))
            else:
                numbers.append(number - 1)
        if len(numbers) < len(words):
            continue
        start, *ends = numbers
        if start in ends:
            report.note(line, msg("domination.map.itself", what=words[0]))
        found[start].update(end for end in ends if end != start)
    return tuple(tuple(sorted(row)) for row in found)


def note_oddities(file: str, atlas: Atlas, report: Report) -> None:
    """Note one-way borders, unreachable countries, and countries that share a name or a spot."""
    names = [country.name for country in atlas.countries]
    one_way = [
        f"{names[start]} > {names[end]}"
        for start, row in enumerate(atlas.borders)
        for end in row
        if start not in atlas.borders[end]
    ]
    if one_way:
        report.note(file, msg("domination.map.one_way", n=len(one_way), which=_first_names(one_way)))
    rest = _outside_main_group(atlas.borders)
    if rest:
        apart = [names[number] for number in rest]
        report.note(file, msg("domination.map.apart", n=len(apart), which=_first_names(apart)))
    called: dict[str, list[str]] = {}
    for country in atlas.countries:
        called.setdefault(country.name.lower(), []).append(country.code)
    for name, same in called.items():
        if len(same) > 1:
            report.note(
                file, msg("domination.map.namesakes", n=len(same), what=name, which=_first_names(same))
            )
    spots: dict[tuple[int, int], list[str]] = {}
    for country in atlas.countries:
        spots.setdefault(country.at, []).append(country.name)
    for at, here in spots.items():
        if len(here) > 1:
            report.note(file, msg("domination.map.spot", at=f"{at[0]},{at[1]}", which=_first_names(here)))


def _outside_main_group(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return the countries outside the largest strongly connected component."""
    back: list[list[int]] = [[] for _ in rows]
    for start, row in enumerate(rows):
        for end in row:
            back[end].append(start)
    left, largest = set(range(len(rows))), set[int]()
    while left:
        start = min(left)
        group = _reachable(rows, start) & _reachable(back, start)
        left -= group
        largest = max(largest, group, key=len)
    return sorted(set(range(len(rows))) - largest)


def _reachable(rows: Sequence[Sequence[int]], start: int) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for end in rows[waiting.pop()]:
            if end not in seen:
                seen.add(end)
                waiting.append(end)
    return seen


def _first_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the first MAX_NAMED names, with an ellipsis if there are more."""
    every = tuple(names)
    return every if len(every) <= MAX_NAMED else (*every[:MAX_NAMED], "…")
