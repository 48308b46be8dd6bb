"""Texts: read from TOML files, and rendered in a language, falling back to English and then to the key.

Values are inserted unchanged; callers escape them for Discord first.

General texts are in `locales/texts/<language>/*.toml`. Those of a game are in `texts/<language>.toml` of its
package; their keys get the game's key as a prefix. A key may only be given once.

Texts are parsed when the catalogue is loaded, so that a mistake in one shows up then.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.lists import format_list

from games.engine import registry
from games.engine.message import Msg, Value, Who

CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})
"""The plural categories of Unicode CLDR."""
COUNT = "n"
"""The placeholder whose number selects the plural form."""

_PLAIN = re.compile("[^{}]+")


@dataclass(frozen=True, slots=True)
class Template:
    """A text: literals and placeholders alternating, beginning and ending with a literal."""

    literals: tuple[str, ...]
    names: tuple[str, ...]
    choices: frozenset[str] = frozenset()
    """The names whose lists are alternatives, written `{name|or}`: joined by "or" instead of "and"."""

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the values it needs."""
        return frozenset(self.names)

    def fill(self, value: Callable[[str, bool], str]) -> str:
        """Return the text filled by what a placeholder's name gives, and whether it lists choices."""
        parts = [self.literals[0]]
        for name, literal in zip(self.names, self.literals[1:], strict=True):
            parts += (value(name, name in self.choices), literal)
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class Plural:
    """One text per plural category; `other` is used for numbers whose category has none."""

    forms: Mapping[str, Template]

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the values it needs, including the number that selects the form."""
        return frozenset({COUNT}).union(*(form.placeholders for form in self.forms.values()))


def read(text: str) -> Template:
    """Parse a text; `{{` and `}}` are literal braces. Raises ValueError for any other lone brace."""
    literals, names, choices, run, at = [], [], set(), "", 0
    while at < len(text):
        if plain := _PLAIN.match(text, at):
            run, at = run + plain[0], plain.end()
            continue
        char = text[at]
        if text[at : at + 2] == char * 2:
            run, at = run + char, at + 2
            continue
        end = text.find("}", at)
        name, _, join = text[at + 1 : end].partition("|")
        if join == "or":
            choices.add(name)
        elif join:
            raise ValueError(f"lists aren't joined by {join!r}")
        if char == "}" or end < 0 or not name.isidentifier():
            raise ValueError(f"no placeholder at column {at + 1}")
        literals.append(run)
        names.append(name)
        run, at = "", end + 1
    return Template((*literals, run), tuple(names), frozenset(choices))


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


DEFAULT = "en"
"""The language that has every text."""

Names = Callable[[int], str]
_log = logging.getLogger(__name__)


class Catalogue:
    """All texts of the packages and the registered games, read when it is made.

    A strict catalogue, as in tests, raises KeyError for an unknown key and a missing or unused value; any
    other logs the problem and falls back. Raises CatalogueError if a text file can't be used.
    """

    def __init__(self, *, strict: bool = False, games: Iterable[str] | None = None) -> None:
        self._strict = strict
        self._texts = load(games)
        if DEFAULT not in self._texts:
            raise CatalogueError(f"there are no texts in {DEFAULT}")
        self._locales: dict[str, Locale] = {}
        for language in self._texts:
            try:
                self._locales[language] = Locale.parse(language, sep="-")
            except (ValueError, UnknownLocaleError) as error:
                raise CatalogueError(f"{language} isn't a known language: {error}") from error

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that have texts, English first."""
        return (DEFAULT, *sorted(self._texts.keys() - {DEFAULT}))

    def language(self, requested: str) -> str | None:
        """Return the best language we have for a requested one (`de` for `de-AT`), or None."""
        return next((found for found in self._chain(requested) if requested.lower().startswith(found)), None)

    def keys(self, lang: str = DEFAULT) -> frozenset[str]:
        """Return a language's own keys, without its fallbacks. Raises KeyError if it has no texts."""
        return frozenset(self._texts[lang.lower()])

    def placeholders(self, key: str, lang: str = DEFAULT) -> frozenset[str]:
        """Return the names of a text's placeholders. Raises KeyError if the language lacks the key."""
        return self._texts[lang.lower()][key].placeholders

    def say(self, message: Msg, lang: str = DEFAULT, names: Names | None = None) -> str:
        """Return the text of a message. `names` gives the names of seats, which are numbered by default."""
        values = dict(message.values)
        for language in self._chain(lang):
            text = self._texts[language].get(message.key)
            if text is None:
                continue
            if missing := text.placeholders - values.keys():
                self._complain(f"{message.key} in {language} lacks {', '.join(sorted(missing))}")
                continue
            if unused := values.keys() - text.placeholders:
                self._complain(f"{message.key} in {language} does not use {', '.join(sorted(unused))}")
            template = self._form(text, values, language)
            return template.fill(
                lambda name, choice: self._value(values[name], language, names, choice=choice)  # noqa: B023
            )
        self._complain(f"{message.key} can't be said")
        return message.key

    def speaker(self, lang: str = DEFAULT, names: Names | None = None) -> Callable[[Msg], str]:
        """Return `say` for one language, as pictures and text boards need it."""
        return partial(self.say, lang=lang, names=names)

    def _chain(self, lang: str) -> Iterable[str]:
        """Yield the languages to try: de-AT, de, en."""
        wanted = lang.lower().replace("_", "-")
        tried = set()
        while wanted:
            if wanted in self._texts:
                tried.add(wanted)
                yield wanted
            wanted = wanted.rpartition("-")[0]
        if DEFAULT not in tried:
            yield DEFAULT

    def _form(self, text: Template | Plural, values: dict[str, Value], language: str) -> Template:
        if isinstance(text, Template):
            return text
        count = values[COUNT]
        form = self._locales[language].plural_form(count) if isinstance(count, int) else "other"
        return text.forms.get(form) or text.forms["other"]

    def _value(self, value: Value, language: str, names: Names | None, *, choice: bool = False) -> str:
        match value:
            case str():
                return value
            case Msg():
                return self.say(value, language, names)
            case Who(seat):
                numbered = Msg("match.seat", ((COUNT, seat + 1),))
                return names(seat) if names else self.say(numbered, language)
            case tuple():
                items = [self._value(item, language, names) for item in value]
                style: Literal["or", "standard"] = "or" if choice else "standard"
                return format_list(items, style=style, locale=self._locales[language])
            case _:
                return str(value)

    def _complain(self, text: str) -> None:
        if self._strict:
            raise KeyError(text)
        _log.error("catalogue: %s", text)
