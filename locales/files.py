"""Find and read the text files: TOML whose table names, joined by dots, are the keys of the catalogue.

General texts are in `locales/texts/<language>/*.toml`. Those of a game are in `texts/<language>.toml` of its
package; their keys get the game's key as a prefix. A key may only be given once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from games.engine import registry
from locales.template import CATEGORIES, Plural, Template, read

Texts = dict[str, Template | Plural]


class CatalogueError(ValueError):
    """Raised for a text file that can't be used; names the file and the key."""


def load(games: Iterable[str] | None = None) -> dict[str, Texts]:
    """Return all texts by language and key. `games` has the keys of games, by default of all."""
    keys = [game.key for game in registry.all_games()] if games is None else list(games)
    found: dict[str, Texts] = {}
    for language, source in _sources(files("locales") / "texts"):
        _merge(found, language, source, "")
    for key in keys:
        for language, source in _sources(files(registry.package(key)) / "texts"):
            _merge(found, language, source, f"{key}.")
    return found


def _sources(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield each text file in a folder with its language: `en.toml`, or any TOML file in `en/`."""
    for item in sorted(folder.iterdir() if folder.is_dir() else (), key=lambda item: item.name):
        if item.is_dir() and not item.name.startswith("_"):
            inner = sorted(item.iterdir(), key=lambda part: part.name)
            yield from ((item.name.lower(), part) for part in inner if part.name.endswith(".toml"))
        elif item.name.endswith(".toml"):
            yield item.name.removesuffix(".toml").lower(), item


def _merge(found: dict[str, Texts], language: str, source: Traversable, prefix: str) -> None:
    texts = found.setdefault(language, {})
    for key, text in parse(source.read_text("utf-8"), str(source)).items():
        if prefix + key in texts:
            raise CatalogueError(f"{source}: {prefix}{key} is given twice")
        texts[prefix + key] = text


@cache  # of bots in one process, as in tests
def parse(content: str, source: str) -> Texts:
    """Return the texts of one file by key. Raises CatalogueError, naming the source and the key."""
    try:
        return dict(_flat(tomllib.loads(content), ""))
    except ValueError as error:
        raise CatalogueError(f"{source}: {error}") from error


def _flat(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, Template | Plural]]:
    for name, value in table.items():
        if not name or not all(part.isalnum() for part in name.split("_") if part):
            raise ValueError(f"{prefix}{name}: a key has letters, digits and underscores")
        key = prefix.removesuffix(".") if name == "_" else prefix + name
        if isinstance(value, str):
            yield key, _read(key, value)
        elif not isinstance(value, dict):
            raise ValueError(f"{key} is neither a text nor a table")
        elif "other" in value and value.keys() <= CATEGORIES:
            yield key, Plural({form: _read(f"{key}.{form}", text) for form, text in value.items()})
        else:
            yield from _flat(value, f"{key}.")


def _read(key: str, text: object) -> Template:
    if not isinstance(text, str):
        raise ValueError(f"{key} isn't a text")
    try:
        return read(text)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from error
