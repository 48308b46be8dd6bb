"""The catalogue turns a message into text in a language, falling back to English and then to the key.

Values are inserted unchanged; callers escape them for Discord first.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.lists import format_list

from games.engine.message import Msg, Value, Who
from locales.files import CatalogueError, load
from locales.template import COUNT, Plural, Template

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
