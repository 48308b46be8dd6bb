"""Moves as people type them: `e4-e6` moves as many pieces as spaces, `+c4` plays a reserve piece.

A text is split into parts, which are matched with the legal actions; only `rules.refuse` decides legality.
Parts are spaces, links between them, verbs of the reserve and a few ignored words. Any other word or
character makes the whole text chat: a remark about e4 is not a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine import grid, space_notation
from games.engine.game import CHANCE, Done, Partial, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import Word, too_long
from games.engine.space_notation import (
    DECORATION,
    LINK_CHARACTERS,
    LINKS,
    Part,
    Parts,
    mentioned_spaces,
    precedes,
    prefixed_space,
)
from games.focus import rules
from games.focus.actions import Action, FirstPlayer, Move, Reserve, move, reserve
from games.focus.board import INDEX
from games.focus.rules import State

_VERBS: Final = ("reserve", "place", "put", "add", "drop")
_FILLERS: Final = frozenset(
    ("i", "my", "the", "a", "from", "move", "moves", "play", "plays", "please", "pls", "piece", "pile")
)
_PREFIXES: Final = {"x": "l", "to": "l", "r": "v"}
"""Words that may be joined to a file, and their kind of part: `e4xe6`, `rc4`."""
_NONE: Final[frozenset[str]] = frozenset()
_FILES: Final = frozenset("abcdefgh")
_RANKS: Final = frozenset("12345678")


@dataclass(frozen=True, slots=True)
class FocusText(space_notation.ParsedText):
    """A scanned text; kind `v` is a verb of the reserve. `count` is the number of pieces, if stated."""

    count: int | None = None
    count_span: tuple[int, int] = (0, 0)


def read(text: str) -> FocusText | None:
    """Return the parts of a text; None for chat. An empty text has no parts."""
    found = space_notation.stripped_words(text)
    count: Word | None = None

    def parts_at(word: Word, follower: Word | None, before: list[Part]) -> Parts:
        nonlocal count
        if word.text.isdecimal() and not before and count is None and follower is not None:
            count = word
            return [], 2 if follower.text == ":" else 1
        return _part(word, follower, before)

    scanned = space_notation.scan(found, _FILES, parts_at)
    if scanned is None:
        return None
    parts, ignored = scanned
    if found and (not parts or parts[0].kind == "h" or (count and len(count.text) > 3)):
        return None
    if len(parts) == 1 and parts[0].kind == "v" and parts[0].text == "r":
        return None
    if len(parts) == 2 and parts[0].kind == "v" and parts[1].text.isdecimal():
        return None  # "+1" is a way to agree in chat
    if count is None:
        return FocusText(tuple(parts), ignored=ignored)
    return FocusText(tuple(parts), int(count.text), (count.start, count.end), ignored=ignored)


def _part(word: Word, follower: Word | None, before: list[Part]) -> Parts:
    """Return the parts that begin at a word (None if it is not a part), and the number of words they take."""
    text = word.text
    if follower is not None and word.end == follower.start:
        whole = prefixed_space(word, follower, _PREFIXES, _NONE)
        if whole[0] is not None:
            return whole  # before the verbs: `re4` is a reserve piece on e4, though "re" begins "reserve"
    if text in LINK_CHARACTERS or text in LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text == "+" or text == "r" or (len(text) > 1 and any(verb.startswith(text) for verb in _VERBS)):
        return [Part("v", text, word.start, word.end)], 1
    if text in DECORATION or (text in _FILLERS and (text not in _FILES or precedes(follower))):
        return [], 1
    if text.isdecimal():
        return ([Part("h", text, word.start, word.end)], 1) if text in _RANKS and before else (None, 1)
    if text in _FILES:
        return [Part("h", text, word.start, word.end)], 1
    return prefixed_space(word, follower, _PREFIXES, _FILES)


MAX_NEAR: Final = 4
"""Maximum number of nearest legal moves in a refusal."""


def write(view: State, action: Action) -> str:
    """Return the action as a person would type it."""
    if isinstance(action, FirstPlayer):
        return f"first {view.variant.colours[action.seat]}"
    return action.text


def parse(view: State, seat: int, text: str) -> Done[Action] | Partial | Rejected:
    """Parse a text as an action of the seat. Never raises; returns Done only for a legal action."""
    if seat == CHANCE:
        return _chance(view, text)
    found = None if too_long(text) else read(text)
    if view.ended is not None or view.turn != seat:
        why = rules.refuse(view, seat, move("", "")) or msg("focus.refuse.over")
        return Rejected(why, (0, len(text)), chat=found is None or not found.complete)
    if found is None:
        return _chat(view, seat, text)
    if found.shape == "":
        return Partial(_instructions(view, seat), tuple(a.text for a in rules.legal(view, seat)))
    if found.shape in ("ss", "sls"):
        return _judge(view, seat, move(found.parts[0].text, found.parts[-1].text), found)
    if found.shape in ("vs", "vls"):
        return _judge(view, seat, reserve(found.parts[-1].text), found)
    if found.shape == "s":
        return _one_space(view, seat, found)
    if found.shape in ("sl", "slh", "sh"):
        return _from(view, seat, found)
    if found.shape in ("v", "vl", "vh", "vlh"):
        return _half_reserve(view, seat, found)
    return Rejected(msg("focus.refuse.single"), found.span, chat=found.shape.count("s") < 3)


def _chance(view: State, text: str) -> Done[Action] | Rejected:
    typed = text.strip().casefold()
    meant = [a for a in rules.legal(view, CHANCE) if typed in (a.text, write(view, a).casefold())]
    return Done(meant[0]) if meant else Rejected(msg("focus.refuse.chance"), (0, len(text)), chat=True)


def _instructions(view: State, seat: int) -> Msg:
    legal, n = rules.legal(view, seat), view.reserve[seat]
    example = next((action.text for action in legal if isinstance(action, Move)), "")
    played = next((action.text for action in legal if isinstance(action, Reserve)), "")
    if view.thirteenth[seat]:
        return msg("focus.ask.thirteenth", reserve=played)
    if not view.controls[seat]:
        return msg("focus.ask.reserve_only", n=n, reserve=played)
    return (
        msg("focus.ask.turn", move=example, n=n, reserve=played) if n else msg("focus.ask.move", move=example)
    )


def _chat(view: State, seat: int, text: str) -> Rejected:
    """Reject a text that is no move; near moves are those with the spaces that it mentions."""
    named = [] if too_long(text) else [space for space in mentioned_spaces(text) if space in INDEX]
    near: tuple[str, ...] = ()
    if len(named) > 1:
        near = _near(view, seat, move(named[0], named[1]))
    elif named and view.thirteenth[seat]:
        near = _near(view, seat, reserve(named[0]))
    elif named:
        near = tuple(a.text for a in rules.legal(view, seat) if isinstance(a, Move) and a.source == named[0])
    why = msg("focus.refuse.unreadable", move=rules.legal(view, seat)[0].text)
    return Rejected(why, (0, len(text)), near[:MAX_NEAR], chat=True)


# --- whole moves --------------------------------------------------------------------------------------


def _judge(view: State, seat: int, action: Move | Reserve, found: FocusText) -> Done[Action] | Rejected:
    why = rules.refuse(view, seat, action)
    steps = action.count if isinstance(action, Move) else 1
    legal_but_for_height = why is None or why.key == "focus.refuse.height"
    if found.count is not None and found.count != steps and legal_but_for_height:
        why = msg("focus.refuse.count", count=found.count, move=action.text, n=steps)
        return Rejected(why, found.count_span, _near(view, seat, action))
    if why is None:
        return Done(action, spans=found.covered)
    return Rejected(why, _blamed(action, why, found), _near(view, seat, action))


_BLAMES_TARGET: Final = frozenset(f"focus.refuse.{key}" for key in ("stay", "straight", "height", "occupied"))
_BLAMES_SOURCE: Final = frozenset(f"focus.refuse.{key}" for key in ("empty", "top", "partner"))


def _blamed(action: Move | Reserve, why: Msg, found: FocusText) -> tuple[int, int]:
    """Return the span of the text that the reason is about."""
    first, last = found.spaces[0], found.spaces[-1]
    if why.key in _BLAMES_TARGET:
        return last.start, last.end
    if why.key in _BLAMES_SOURCE:
        return first.start, first.end
    wrong = dict(why.values).get("space")
    for space in found.spaces:
        if space.text == wrong:
            return space.start, space.end
    return found.span


def _near(view: State, seat: int, wanted: Move | Reserve) -> tuple[str, ...]:
    """Return the legal moves most like the wanted one: same pile, else same target, else nearest pile."""
    legal, goal = rules.legal(view, seat), wanted.target
    start = wanted.source if isinstance(wanted, Move) else goal
    hand = sorted((a for a in legal if isinstance(a, Reserve)), key=lambda a: _apart(a.target, goal))
    moves = sorted(
        (a for a in legal if isinstance(a, Move)),
        key=lambda a: (_apart(a.source, start), _apart(a.target, goal)),
    )
    choice: Sequence[Move | Reserve] = (
        (hand if isinstance(wanted, Reserve) else [])
        or [a for a in moves if a.source == start]
        or [a for a in moves if a.target == goal]
        or moves
        or hand
    )
    return tuple(a.text for a in choice[:MAX_NEAR])


def _apart(one: str, other: str) -> int:
    (file, rank), (to_file, to_rank) = grid.coordinates(one), grid.coordinates(other)
    return abs(file - to_file) + abs(rank - to_rank)


# --- half moves ---------------------------------------------------------------------------------------


def _one_space(view: State, seat: int, found: FocusText) -> Done[Action] | Partial | Rejected:
    """Handle a single space: moves of its pile, a reserve piece there, or the 13th piece."""
    space = found.parts[0].text
    if view.thirteenth[seat]:
        return _judge(view, seat, reserve(space), found)
    away = _matching(view, seat, found, "")
    drop = reserve(space)
    if found.count in (None, 1) and rules.refuse(view, seat, drop) is None:
        prompt = msg("focus.ask.either" if away else "focus.ask.only_reserve", space=space)
        return Partial(prompt, (*away, drop.text))
    return _offer(view, seat, found, away)


def _from(view: State, seat: int, found: FocusText) -> Done[Action] | Partial | Rejected:
    """Handle a pile and perhaps half a target; if only one move fits, that is the move."""
    last = found.parts[-1]
    prefix = last.text if last.kind == "h" else ""
    choices = _matching(view, seat, found, prefix)
    if len(choices) == 1 and found.shape == "slh":
        return Done(move(*choices[0].split("-")), spans=found.covered)
    return _offer(view, seat, found, choices)


def _matching(view: State, seat: int, found: FocusText, prefix: str) -> tuple[str, ...]:
    return tuple(
        a.text
        for a in rules.legal(view, seat)
        if isinstance(a, Move)
        and a.source == found.parts[0].text
        and prefix in a.target
        and found.count in (None, a.count)
    )


def _offer(view: State, seat: int, found: FocusText, choices: tuple[str, ...]) -> Partial | Rejected:
    first = found.parts[0]
    if choices:
        return Partial(msg("focus.ask.from", space=first.text), choices)
    stay = move(first.text, first.text)
    why = rules.refuse(view, seat, stay)
    if why is None or why.key == "focus.refuse.stay":
        why = msg("focus.refuse.nowhere", space=first.text)
    stray = found.shape == "sh" or (found.shape == "s" and first.text[0] > "h")
    return Rejected(why, _blamed(stay, why, found), _near(view, seat, stay), chat=stray)


def _half_reserve(view: State, seat: int, found: FocusText) -> Partial | Rejected:
    last: Part = found.parts[-1]
    prefix = last.text if last.kind == "h" else ""
    places = [a for a in rules.legal(view, seat) if isinstance(a, Reserve)]
    fitting = tuple(a.text for a in places if a.target.startswith(prefix))
    if fitting:
        return Partial(
            _instructions(view, seat) if view.thirteenth[seat] else msg("focus.ask.place"), fitting
        )
    why = msg("focus.refuse.occupied_file", file=prefix) if places else msg("focus.refuse.reserve")
    near = tuple(a.text for a in rules.legal(view, seat)[:MAX_NEAR])
    return Rejected(why, found.span, near)
