"""Normalise what people type: the characters of phones, keyboards of other scripts, and copied texts.

Two texts that look the same are read the same. Compatibility forms go by NFKC (unicode.org/reports/tr15),
what can't be seen by Default_Ignorable_Code_Point (tr44), letters that look Latin by confusables.txt (tr39).
Pictures are blanks, unless they name a number. What is typed is read in this form, and shown as it was typed:
positions lead back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, combining, decimal, name, normalize, numeric

from games.engine.confusable_characters import LOOKALIKES

MAX_LENGTH: Final = 2000
"""Maximum length of a text that is read, in characters: that of a Discord message."""


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalised text, and where each of its characters was typed."""

    text: str
    spans: tuple[tuple[int, int], ...] | None = None
    """For each character the span of what it was made from; None if nothing was changed."""
    typed: str = ""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the typed text of a span in the normalised one."""
        if self.spans is None:
            return start, end
        start, end = min(start, len(self.text)), min(end, len(self.text))
        if start >= end:
            at = self.spans[start][0] if start < len(self.spans) else len(self.typed)
            return at, at
        return self.spans[start][0], self.spans[end - 1][1]


def normalized(text: str) -> Normalized:
    """Return a text in the form in which it is read. What is behind MAX_LENGTH stays as it is."""
    if text.isascii():
        return Normalized(text, None, text)
    signs: list[_Sign] = []
    read, at = text[:MAX_LENGTH], 0
    while at < len(read):
        end, form = _segment(read, at)
        if form:
            signs += [_Sign(char, at, end) for char in form]
        elif signs and signs[-1].char.strip():
            signs[-1].end = end  # what can't be seen belongs to what is before it
        at = end
    _read_numbers(signs)
    _read_dashes(signs)
    _read_lookalikes(signs)
    signs += [_Sign(char, n, n + 1) for n, char in enumerate(text[MAX_LENGTH:], MAX_LENGTH)]
    return Normalized("".join(sign.char for sign in signs), tuple((s.start, s.end) for s in signs), text)


def folded(text: str) -> str:
    """Return a text for comparison: normalised, without case, with single blanks and none around it."""
    return " ".join(normalized(text).text.casefold().split())


@dataclass(slots=True)
class _Sign:
    """A character and the span that it was made from."""

    char: str
    start: int
    end: int


# --- what can't be seen -------------------------------------------------------------------------------

_INVISIBLE: Final = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""Default_Ignorable_Code_Point, from the Unicode Character Database's DerivedCoreProperties."""


@lru_cache(maxsize=1 << 12)
def is_invisible(char: str) -> bool:
    """Return whether a character shows nothing, not even a gap: marks of direction, joiners, selectors."""
    if char.isspace():
        return False
    return any(first <= ord(char) <= last for first, last in _INVISIBLE) or category(char) in ("Cc", "Cf")


def _vanishes(char: str) -> bool:
    """Return whether a character is left out. ASCII stays in every text, as it does in a text of its own."""
    return not char.isascii() and is_invisible(char)


def _segment(text: str, at: int) -> tuple[int, str]:
    """Return where the characters end that are shown as one with the one at a position, and their form."""
    char = text[at]
    if char.isascii() and (at + 1 == len(text) or text[at + 1].isascii()):
        return at + 1, char
    if _is_flag_letter(char):
        end = at
        while end < len(text) and (_is_flag_letter(text[end]) or _vanishes(text[end])):
            end += 1
        letters = [each for each in text[at:end] if _is_flag_letter(each)]
        return (end, " ") if len(letters) > 1 else (end, name(char)[-1])
    shown = "" if _vanishes(char) else char
    end = at + 1
    while end < len(text):
        mark = text[end]
        if _vanishes(mark) or category(mark) == "Me":
            pass
        elif shown and combining(mark):
            shown += mark
        elif shown and (one := _composed(shown[-1], mark)):
            shown = shown[:-1] + one
        else:
            break
        end += 1
    return end, _form(shown) if len(shown) < 2 else _with_marks(normalize("NFC", shown))


def _composed(before: str, char: str) -> str:
    """Return what two characters become that aren't marks, as Korean letters do; "" if they stay two."""
    one = "" if char.isascii() else normalize("NFC", before + char)
    return one if len(one) == 1 else ""


def _with_marks(text: str) -> str:
    """Return the form of a letter with marks. Marks that its font adds go; one that strikes it out stays."""
    form = ""
    for char in text:
        plain = form[-1:].isascii() and form[-1:].isalnum()
        if combining(char) > 1 and plain:
            continue
        form += _form(char)
    return form


# --- single characters --------------------------------------------------------------------------------

_PUNCTUATION: Final = {
    **dict.fromkeys("−➖〜∼⁃", "-"),
    **dict.fromkeys("．·।۔", "."),
    **dict.fromkeys("。｡︒", ". "),
    **dict.fromkeys("，、､︐﹐﹑", ", "),
    **dict.fromkeys("；︔﹔", "; "),
    **dict.fromkeys("،٫٬", ","),
    "؛": ";",
    **dict.fromkeys("∶﹕։", ":"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("؟﹖⸮", "?"),
    **dict.fromkeys("∗٭⁎", "*"),
    **dict.fromkeys("➕", "+"),
    **dict.fromkeys("‹›「」『』《》〈〉", '"'),
    **dict.fromkeys("【〔〖", "("),
    **dict.fromkeys("】〕〗", ")"),
    **dict.fromkeys("´ʼʹ′ꞌ", "'"),
    **dict.fromkeys("•‣◦∙🏻🏼🏽🏾🏿", " "),
    **dict.fromkeys("\u2028\u2029\u0085", "\n"),
    "İ": "I",
    "ı": "i",
    "🔟": "10",
    "💯": "100",
}
"""Symbols of other keyboards for those of ASCII, some as wide as a blank more; Turkish letters; numbers."""
_DOUBTS: Final = frozenset("❌❎✖✗✘🚫⛔🛑🙅👎❓❔🤔🤷↩🔙🗑✋")
"""Pictures that may take back what is beside them."""
_NUMBER_WORDS: Final = frozenset(
    "one two three four five six seven eight nine ten eleven twelve hundred first second third half "
    "digit number letter latin".upper().split()
)


@lru_cache(maxsize=1 << 12)
def _form(char: str) -> str:
    """Return what a single character is read as; "" for one that can't be seen."""
    if char.isascii():
        return char
    if char in _PUNCTUATION:
        return _PUNCTUATION[char]
    if char in LOOKALIKES and not char.isalpha():
        return LOOKALIKES[char]
    kind = category(char)
    if kind == "Nd":
        return str(decimal(char))
    if kind == "No":
        return char  # as it depends on what is beside it
    if kind == "Pd":
        return "-"
    if kind in ("So", "Sm", "Sk"):
        return _symbol(char)
    form = normalize("NFKC", char)
    return form if form == char else "".join(map(_form, form))


def _symbol(char: str) -> str:
    """Return an arrow to the right, the letter of a symbol, a blank for a picture, or else the symbol."""
    called = name(char, "")
    words = called.replace("-", " ").split()
    if "RIGHT" in called and not ("LEFT" in called or "RIGHT HALF" in called) and (
        "ARROW" in words or "POINTING" in words or "ARROWHEAD" in words
    ):  # fmt: skip
        return "→"
    if called.startswith(("NEGATIVE CIRCLED LATIN", "NEGATIVE SQUARED LATIN")):
        return words[-1]
    form = normalize("NFKC", char)
    if form != char:
        return "".join(map(_form, form))
    named = any(each.isdecimal() for each in called) or _NUMBER_WORDS.intersection(words)
    is_picture = category(char) == "So" and not named and char not in _DOUBTS
    return " " if is_picture and "ARROW" not in called else char


def _is_flag_letter(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


# --- what depends on what is beside it ----------------------------------------------------------------


def _read_numbers(signs: list[_Sign]) -> None:
    """Read ① and ² as digits, but not beside others: `1½` isn't 11/2, and `5²` isn't 52."""
    found = []
    for at, sign in enumerate(signs):
        if category(sign.char) != "No":
            continue
        beside = [signs[n].char for n in (at - 1, at + 1) if 0 <= n < len(signs)]
        value = numeric(sign.char)
        if value == int(value) and not any(char.isnumeric() for char in beside):
            found.append((at, str(int(value))))
    for at, digits in reversed(found):
        one = signs[at]
        signs[at : at + 1] = [_Sign(digit, one.start, one.end) for digit in digits]


_LONG: Final = frozenset("ー一ᅳ")
"""Letters that keyboards give for a dash, between Latin letters and digits."""


def _read_dashes(signs: list[_Sign]) -> None:
    shown = [sign for sign in signs if not sign.char.isspace()]
    for before, sign, after in zip(shown, shown[1:], shown[2:], strict=False):
        if sign.char in _LONG and all(n.char.isascii() and n.char.isalnum() for n in (before, after)):
            sign.char = "-"


_LATIN: Final = {
    **{like: char for like, char in LOOKALIKES.items() if char.isalpha()},
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True)),
    **dict(zip("κȷ", "kj", strict=True)),
}
"""Letters that look Latin, and small capitals."""


def _read_lookalikes(signs: list[_Sign]) -> None:
    """Read words of which each letter looks Latin as Latin ones: names in other scripts stay."""
    at = 0
    while at < len(signs):
        end = at
        while end < len(signs) and signs[end].char.isalpha():
            end += 1
        word = signs[at:end]
        if all(sign.char.isascii() or sign.char in _LATIN for sign in word):
            for sign in word:
                sign.char = _LATIN.get(sign.char, sign.char)
        at = max(end, at + 1)
