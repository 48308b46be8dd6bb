"""One text of a catalogue: literal runs and `{name}` placeholders, or one such text per plural form.

A text is read once, when the catalogue is loaded; whatever is wrong with it shows there, never at a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})
"""The plural categories of Unicode CLDR."""
COUNT = "n"
"""The placeholder whose number selects the plural form."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text: literal runs and placeholders alternating, beginning and ending with a literal run."""

    literals: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that must be given."""
        return frozenset(self.names)

    def fill(self, value: Callable[[str], str]) -> str:
        """Return the text with its placeholders filled."""
        parts = [self.literals[0]]
        for name, literal in zip(self.names, self.literals[1:], strict=True):
            parts += (value(name), literal)
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class Plural:
    """One text per plural category; `other` is for every number without a form of its own."""

    forms: Mapping[str, Template]

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that must be given; the number that selects is one of them."""
        return frozenset({COUNT}).union(*(form.placeholders for form in self.forms.values()))


def read(text: str) -> Template:
    """Read a text; `{{` and `}}` are the braces themselves. Raises ValueError for any other brace."""
    literals, names, run, at = [], [], "", 0
    while at < len(text):
        sign = text[at]
        if sign not in "{}":
            run, at = run + sign, at + 1
        elif text[at : at + 2] == sign * 2:
            run, at = run + sign, at + 2
        else:
            end = text.find("}", at)
            name = text[at + 1 : end]
            if sign == "}" or end < 0 or not name.isidentifier():
                raise ValueError(f"no placeholder at column {at + 1}")
            literals.append(run)
            names.append(name)
            run, at = "", end + 1
    return Template((*literals, run), tuple(names))
