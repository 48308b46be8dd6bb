"""Split the text of a plan into steps; the game reads the moves in them later.

    e4-e6: c3-c5; d4-d5: b2-b3        if they play e4-e6, c3-c5; if they then play d4-d5, b2-b3
    e4-e6, f1-f2: c3-c5               if one of them plays e4-e6 and the next one f1-f2
    e4-e6, any: c3-c5                 if one of them plays e4-e6, whatever comes after that
    any: place ukr 3; end             whatever they play; the reply has two orders

The first colon of a step ends its condition. Steps are separated by semicolons or new lines; a part without a
colon belongs to the reply before it, since the moves of some games have semicolons of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.message import Msg, msg
from games.engine.normalization import normalized
from matches.store.plans import Line

MAX_TEXT = 1000
"""Maximum length of a line of a plan, in characters."""
MAX_STEPS = 10
"""Maximum number of replies in a line of a plan."""
ANY = "any"
_ANY = frozenset((ANY, "anything", "else", "otherwise", "*"))
_COLONS = ":："
_COMMAS = ",，、"
_ENDS = ";；\r\n"


@dataclass(frozen=True, slots=True)
class TypedStep:
    """One step as typed: the moves of the others, whether anything may follow them, and the reply."""

    moves: tuple[str, ...]
    rest: bool
    reply: str


@dataclass(frozen=True, slots=True)
class Beginning:
    """A line that is still being typed: whole steps, and what the last word of the text may become."""

    steps: tuple[TypedStep, ...]
    moves: tuple[str, ...]
    """The moves of the next condition that are written out already."""
    rest: bool
    head: str
    """The text before the last word."""
    word: str
    replying: bool
    """Whether the word is a reply; if not, it belongs to a condition."""


def read_line(text: str) -> tuple[TypedStep, ...] | Msg:
    """Return the steps of a line, never none, or why it can't be split. Moves aren't judged here."""
    bare = normalized(text).text.replace("`", "").strip()
    if len(bare) > MAX_TEXT:
        return msg("plan.refuse.long", limit=MAX_TEXT)
    steps: list[TypedStep] = []
    for part in _split(bare, _ENDS):
        at = _colon(part)
        if at < 0 and steps:
            last = steps[-1]
            steps[-1] = TypedStep(last.moves, last.rest, f"{last.reply}; {part}")
            continue
        if at < 0:
            return msg("plan.refuse.colon")
        named = _condition(part[:at])
        reply = _without(part[at + 1 :], "then")
        if isinstance(named, Msg):
            return named
        if not reply:
            return msg("plan.refuse.no_reply", condition=part[:at].strip())
        steps.append(TypedStep(*named, reply))
    if not steps:
        return msg("plan.refuse.colon")
    return tuple(steps) if len(steps) <= MAX_STEPS else msg("plan.refuse.steps", limit=MAX_STEPS)


def read_beginning(text: str) -> Beginning | None:
    """Return what a text begins, to suggest how it goes on; None if it can't be split."""
    ends = _ENDS + _COLONS + _COMMAS
    cut = max(text.rfind(char) for char in ends) + 1
    head, word = text[:cut], text[cut:].strip()
    start = max(text.rfind(char, 0, cut) for char in _ENDS) + 1
    steps = read_line(head[:start]) if head[:start].strip(_ENDS + " ") else ()
    part = head[start:]
    at = _colon(part)
    named = _condition(part if at < 0 else part[:at]) if part.strip() else ((), False)
    if isinstance(steps, Msg) or isinstance(named, Msg):
        return None
    return Beginning(steps, *named, head, word, at >= 0)


def written(line: Line) -> str:
    """Return a checked line as people would type it."""
    steps = []
    for step in line:
        names = [move.text for move in step.moves] + [ANY] * step.rest
        steps.append(f"{', '.join(names)}: {step.reply}")
    return "; ".join(steps)


def _colon(part: str) -> int:
    return next((at for at, char in enumerate(part) if char in _COLONS), -1)


def _split(text: str, marks: str) -> list[str]:
    for mark in marks[1:]:
        text = text.replace(mark, marks[0])
    return [part.strip() for part in text.split(marks[0]) if part.strip()]


def _without(text: str, word: str) -> str:
    """Return a text without blanks and without a leading word."""
    head, _, tail = text.strip().partition(" ")
    return tail.strip() if head.casefold() == word else text.strip()


def _condition(text: str) -> tuple[tuple[str, ...], bool] | Msg:
    """Return the moves that a condition names, and whether it ends with `any`."""
    names = _split(_without(text, "if"), _COMMAS)
    if not names:
        return msg("plan.refuse.no_condition")
    open_end = names[-1].casefold() in _ANY
    named = tuple(names[:-1] if open_end else names)
    if any(name.casefold() in _ANY for name in named):
        return msg("plan.refuse.any")
    return named, open_end
