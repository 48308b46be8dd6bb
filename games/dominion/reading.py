"""The parser of typed texts; it doesn't check legality.

A text consists of squares, kinds of pieces, verbs and a few filler words; standing orders for Fate follow the
first `!`. A single unknown word makes the whole text conversation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.dominion.position import EMPEROR, PEASANT, PRINCE, SOLDIER
from games.engine import space_notation
from games.engine.notation import Span, Word
from games.engine.space_notation import DECORATION, LINK_CHARACTERS, LINKS, Part, Parts, is_space, space_part

Request: TypeAlias = Literal["promote", "demote", "peasant"]

_NAMES: Final = (
    *("e emp emperor king", "p pri prince queen", "g gen general rook castle chariot"),
    *("a adm admiral bishop", "w war warrior knight horse", "x asn assassin cannon"),
    *("r sgt sgts serg sergeant sergeants", "s sol soldier soldiers pawn", "pea peasant recruit"),
)
"""The words for each kind of piece, from the Emperor on, in the order of `position.LETTERS`."""
KINDS: Final = {word: kind for kind, names in enumerate(_NAMES, EMPEROR) for word in names.split()}
"""The kind of piece that each word names."""
_REQUESTS: Final[dict[str, Request]] = {
    "+": "promote",
    "promote": "promote",
    "promotion": "promote",
    "-": "demote",
    "demote": "demote",
    "demotion": "demote",
    "@": "peasant",
    "place": "peasant",
}
_ALONE: Final = {"pass": "pass", "skip": "pass", "stay": "stay", "auto": "auto", "default": "auto"}
_MOVES: Final = frozenset(("move", "moves", "mv"))
_LINKS: Final = LINKS | {"as", "and"}
_LINK_SYMBOLS: Final = LINK_CHARACTERS | frozenset("+&@")
_FILLERS: Final = frozenset(
    ("my", "the", "from", "i", "please", "pls", "play", "unit", "piece", "recruited", "with", "make")
)
_DECORATION: Final = DECORATION | {";"}
_FILES: Final = frozenset("abcdefghijklm")


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """An answer prepared for Fate: the square, and the new kind or 0 for any."""

    request: Request
    square: str
    kind: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DominionReading(space_notation.ParsedText):
    """The parts of a text: `k` a kind of piece, `v` a verb, `m` the verb move; and its standing orders."""

    orders: tuple[StandingOrder, ...] = ()
    wrong: tuple[int, int] | None = None
    """The span of an order that can't be read."""

    @property
    def covered(self) -> tuple[Span, ...]:
        """The spans of the text that have a meaning, or are known to have none."""
        parts = tuple((part.start, part.end) for part in self.parts)
        return (*parts, *((order.start, order.end) for order in self.orders), *self.ignored)

    @property
    def shape(self) -> str:
        """The kinds of the parts without links, and without a leading dash or `move`."""
        kinds = "".join(part.kind for part in self.parts if part.kind != "l")
        return kinds[1:] if self._dashed or (kinds[0:1] == "m" and len(kinds) > 1) else kinds

    @property
    def _dashed(self) -> bool:
        """Whether a move begins with a dash, like a list item."""
        return len(self.spaces) == 2 and self.parts[0].text == "-"

    @property
    def complete(self) -> bool:
        """Whether the text is a whole action, legal or not; a square alone may be a remark."""
        return "s" in self.shape and len(self.shape) > 1

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs, each once: `promote`, `demote`, `peasant`, `pass`, `stay`, `auto`."""
        typed = (part.text for part in self.parts[self._dashed :] if part.kind == "v")
        return tuple(dict.fromkeys(_REQUESTS.get(verb) or _ALONE.get(verb, "") for verb in typed))

    @property
    def verb(self) -> str:
        """The first verb; empty if there is none."""
        return next(iter(self.verbs), "")

    def kinds(self, *, behind: bool) -> list[Part]:
        """Return the kinds of pieces named before the first square, or behind it."""
        first = next((n for n, part in enumerate(self.parts) if part.kind == "s"), len(self.parts))
        return [part for n, part in enumerate(self.parts) if part.kind == "k" and (n > first) is behind]


def read(text: str) -> DominionReading | None:
    """Parse a text; None for conversation. An empty text has no parts."""
    found = space_notation.stripped_words(text)
    mark = next((n for n, word in enumerate(found) if word.text == "!"), len(found))
    tail = tuple(word for word in found[mark:] if word.text not in _DECORATION)
    head = found[:mark]
    scanned = space_notation.scan(head, _FILES, _part)
    if scanned is None:
        return None
    parts, ignored = scanned
    if (head and not parts) or _chatty(parts, head):
        return None
    if not tail:
        return DominionReading(tuple(parts), ignored=ignored) if head or not found else None
    if tail[0].text not in _ORDER_STARTS or any(word.text.isalpha() and not _in_order(word) for word in tail):
        return None  # an exclamation
    orders, wrong = _orders(tail)
    between = tuple((word.start, word.end) for word in tail if word.text in _BETWEEN)
    return DominionReading(tuple(parts), tuple(orders), wrong, ignored=(*ignored, *between))


def _chatty(parts: list[Part], head: tuple[Word, ...]) -> bool:
    """Return whether the parts are conversation: a single character, "+1", "pass on that"."""
    shape = "".join(part.kind for part in parts)
    if len(head) == 1 and len(head[0].text) == 1:
        return True
    if shape in ("vh", "kh", "mh", "vl", "kl") or shape[0:1] in ("h", "l"):
        return True
    return len(parts) > 1 and any(part.text in _ALONE for part in parts)


def _part(word: Word, follower: Word | None, before: list[Part]) -> Parts:
    """Return the parts that begin with a word and the number of words they take; None for unknown words."""
    text = word.text
    here = (word.start, word.end)
    on_square = bool(before) and before[-1].kind == "s"
    if text in _REQUESTS and (not before or len(text) > 1):
        return [Part("v", text, *here)], 1
    if text in _LINK_SYMBOLS or (text in _LINKS and (text != "x" or (on_square and follower is not None))):
        return [Part("l", text, *here)], 1
    if text in KINDS:
        return [Part("k", text, *here)], 1
    if text in _ALONE or text in _MOVES:
        return [Part("v" if text in _ALONE else "m", text, *here)], 1
    if text in _DECORATION or (text in _FILLERS and not (text in _FILES and before)):
        return [], 1
    if before and (text in _FILES or (text.isdecimal() and len(text) < 3)):
        return [Part("h", text, *here)], 1
    return _glued(word, follower, on_square)


def _glued(word: Word, follower: Word | None, on_square: bool) -> Parts:
    """Parse a link or a kind of piece right before a square: `xf4`, `gf2`, `sole4`."""
    head = word.text[:-1]
    if head in ("x", "to") and on_square:
        return space_notation.prefixed_space(word, follower, {head: "l"}, _FILES)
    if head in KINDS and follower is not None and word.end == follower.start:
        return space_notation.prefixed_space(word, follower, {head: "k"}, frozenset())
    return None, 1


# --- standing orders -------------------------------------------------------------------------------------


_ORDER_STARTS: Final = {*_REQUESTS, *(word for word, kind in KINDS.items() if kind == PEASANT)}
_BETWEEN: Final = ("and", "/", "|")
_INTO: Final = ("=", ">", "to", "as")


def _in_order(word: Word) -> bool:
    """Return whether a word may be part of standing orders."""
    return (
        len(word.text) == 1 or word.text in KINDS or word.text in _REQUESTS or word.text in _BETWEEN + _INTO
    )


def _orders(found: tuple[Word, ...]) -> tuple[list[StandingOrder], tuple[int, int] | None]:
    """Return the standing orders in a text's tail, and the span of the first unreadable one."""
    orders: list[StandingOrder] = []
    at = 0
    while at < len(found):
        word = found[at]
        if word.text in _BETWEEN:
            at += 1
            continue
        request: Request | None = "peasant" if KINDS.get(word.text) == PEASANT else _REQUESTS.get(word.text)
        file, rank = (*found[at + 1 : at + 3], None, None)[:2]
        if request is None or file is None or rank is None or not is_space(file, rank):
            return orders, (word.start, word.end)
        where, end, kind = space_part(file, rank), rank.end, 0
        at += 3
        if at < len(found) and found[at].text in _INTO:
            named = found[at + 1] if at + 1 < len(found) else None
            kind = KINDS.get(named.text, 0) if named is not None else 0
            if named is None or request == "peasant" or not PRINCE <= kind <= SOLDIER:
                return orders, (found[at].start, found[at].end if named is None else named.end)
            end = named.end
            at += 2
        orders.append(StandingOrder(request, where.text, kind, word.start, end))
    return orders, None
