"""How phones, keyboards of other scripts, and copying write a text that means the same to its author."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from unicodedata import normalize

_KEYCAP: Final = "\ufe0f\u20e3"
_CYRILLIC: Final = dict(zip("ABCEHKMOPTXaceopxyijs", "АВСЕНКМОРТХасеорхуіјѕ", strict=True))
_GREEK: Final = dict(zip("ABEHIKMNOPTXYZ", "ΑΒΕΗΙΚΜΝΟΡΤΧΥΖ", strict=True))


def _shifted(first: int, *, upper: int | None = None, digits: int | None = None) -> Callable[[str], str]:
    """Return a change of small letters, and perhaps capitals and digits, into a row of other characters."""

    def change(text: str) -> str:
        table = {ord("a") + n: first + n for n in range(26)}
        table |= {ord("A") + n: upper + n for n in range(26) if upper is not None}
        table |= {ord("0") + n: digits + n for n in range(10) if digits is not None}
        return text.translate(table)

    return change


def _each(text: str, change: dict[str, str]) -> str:
    return "".join(change.get(char, char) for char in text)


def _in_words(text: str, sign: str) -> str:
    """Put a sign between all letters and digits that stand side by side."""
    return "".join(
        char + (sign if char.isalnum() and text[at + 1 : at + 2].isalnum() else "")
        for at, char in enumerate(text)
    )


SPELLINGS: Final[dict[str, Callable[[str], str]]] = {
    **{f"U+{ord(sign):04X} before": f"{sign}{{}}".format for sign in "\u200e\u200f\u202a\u2068\ufeff\u3164"},
    **{f"U+{ord(sign):04X} behind": f"{{}}{sign}".format for sign in "\u200e\u200b\u2069\u202c\ufe0f"},
    **{
        f"U+{ord(sign):04X} within": lambda text, sign=sign: _in_words(text, sign)  # type: ignore[misc]
        for sign in "\u00ad\u200b\u200c\u200d\u2060\ufeff\u034f\u180e\u200e"
    },
    "keycaps": lambda text: "".join(char + _KEYCAP * char.isdecimal() for char in text),
    "full width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "bold": _shifted(0x1D41A, upper=0x1D400, digits=0x1D7CE),
    "sans-serif": _shifted(0x1D5EE, upper=0x1D5D4, digits=0x1D7EC),
    "monospaced": _shifted(0x1D68A, upper=0x1D670, digits=0x1D7F6),
    "double-struck digits": _shifted(ord("a"), digits=0x1D7D8),
    "circled letters": _shifted(0x24D0, upper=0x24B6),
    "Arabic digits": _shifted(ord("a"), digits=0x0660),
    "Persian digits": _shifted(ord("a"), digits=0x06F0),
    "Indian digits": _shifted(ord("a"), digits=0x0966),
    "Thai digits": _shifted(ord("a"), digits=0x0E50),
    "Cyrillic": lambda text: _each(text, _CYRILLIC),
    "Greek capitals": lambda text: _each(text.upper(), _GREEK),
    "capitals": str.upper,
    "Turkish capitals": lambda text: text.upper().replace("I", "İ"),
    "Turkish small letters": lambda text: text.lower().replace("i", "ı"),
    "a dot above": lambda text: text.replace("i", "i\u0307"),
    "decomposed": lambda text: normalize("NFD", text),
    "underlined": lambda text: "".join(f"{char}\u0332" if char.isalnum() else char for char in text),
    "blanks that don't break": lambda text: text.replace(" ", "\u00a0"),
    "blanks of a phone": lambda text: f"\u2009{text.replace(' ', chr(0x202F))} \u3000",
    "a picture behind": "{} 😀".format,
    "a picture at once": "{}👍🏽".format,
    "a family before": "👨\u200d👩\u200d👧 {}".format,
    "a flag": "{} 🇩🇪".format,
    "an ideographic stop": "{}。".format,
    "a half-width stop": "{}｡".format,
    "an Arabic stop": "{}۔".format,
    "a danda": "{}।".format,
    "an ellipsis": "{}…".format,
    "a bullet": "• {}".format,
    "corner brackets": "「{}」".format,
    "quotation marks": "„{}“".format,
    "dashes": lambda text: text.replace("-", "—"),
    "a dash that doesn't break": lambda text: text.replace("-", "\u2011"),
    "a minus": lambda text: text.replace("-", "−"),
    "a heavy minus": lambda text: text.replace("-", "➖"),
    "a long vowel": lambda text: text.replace("-", "ー") if _between_latin(text) else text,
    "an arrow": lambda text: text.replace("-", "➡️") if _between_latin(text) else text,
    "a pointing hand": lambda text: text.replace("-", "👉") if _between_latin(text) else text,
}  # fmt: skip
"""Changes after which a text still means the same to its author."""


def _between_latin(text: str) -> bool:
    at = text.find("-")
    return 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()


def spellings(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name of a change, and the changed text if it is another."""
    for called, change in SPELLINGS.items():
        if (changed := change(text)) != text:
            yield called, changed
