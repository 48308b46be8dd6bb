"""One text of the catalogue: literals and placeholders, `{name}` or `{name|or}`, or one per plural form.

Texts are parsed when the catalogue is loaded, so that a mistake in one shows up then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
