"""Read which stretch of a match someone means: "from 40", "40-60", "last turn", "the last three rounds".

Numbers are those of moves, as boards count them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.lookback.steps import ReplayStep, rounds_before, step_at, step_of_move
from matches.results import Refused

MAX_STRETCH: Final = 40
"""Maximum length of the text, in characters."""
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WHOLE: Final = frozenset(("", "all", "whole", "everything", "match", "game"))
_FILLERS: Final = frozenset(("the", "a", "of", "and", "move", "moves", "order", "orders", "whole", "play"))
_FROM: Final = frozenset(("from", "since", "after", "begin", "start"))
_TO: Final = frozenset(("to", "until", "till", "up", "-", "through"))
_UNITS: Final = {
    **dict.fromkeys(("turn", "turns"), "turn"),
    **dict.fromkeys(("round", "rounds"), "round"),
    **dict.fromkeys(("move", "moves", "order", "orders", "step", "steps"), "move"),
}
_MOST_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a match: the indices of its first and last step among the single decisions."""

    first: int
    last: int


def read_stretch(text: str, steps: Sequence[ReplayStep], turns: Sequence[ReplayStep]) -> Stretch | Refused:
    """Return the stretch that a text names, the whole match for an empty one; or why there is none."""
    if len(steps) < 2:
        return Refused(msg("match.stretch.nothing"))
    if len(text) > MAX_STRETCH:
        return _unclear(text)
    words = _tokens(text)
    if set(words) <= _WHOLE | _FILLERS and not any(word.isdecimal() for word in words):
        return Stretch(1, len(steps) - 1)
    if "last" in words or "first" in words:
        return _at_an_end(text, words, steps, turns)
    return _between(text, [word for word in words if word not in _FILLERS], steps)


def _tokens(text: str) -> list[str]:
    """Return words, numbers in digits, and hyphens, in lower case."""
    plain = folded(text).strip(".,!?\"'`")
    plain = plain.replace("...", "-").replace("..", "-")
    words = plain.replace("-", " - ").replace("#", " ").split()
    return [str(_WORDS.index(word) + 1) if word in _WORDS else word for word in words]


def _at_an_end(
    text: str, words: list[str], steps: Sequence[ReplayStep], turns: Sequence[ReplayStep]
) -> Stretch | Refused:
    """Read "last turn", "last 3 rounds", "first 10 moves"."""
    numbers = [word for word in words if word.isdecimal()]
    units = [_UNITS[word] for word in words if word in _UNITS]
    rest = set(words) - set(numbers) - _UNITS.keys() - {"last", "first", "the", "of", "match"}
    if rest or len(numbers) > 1 or len(units) > 1 or ("last" in words) == ("first" in words):
        return _unclear(text)
    count, unit = _number(numbers[0]) if numbers else 1, units[0] if units else "move"
    if count == 0:
        return _unclear(text)
    end = len(steps) - 1
    if "last" in words:
        if unit == "move":
            return Stretch(max(1, end - count + 1), end)
        first = rounds_before(turns, count) if unit == "round" else max(1, len(turns) - count)
        return Stretch(step_at(steps, turns[first].first), end)
    if unit == "move":
        return Stretch(1, min(count, end))
    if unit == "round":
        return Stretch(1, step_at(steps, turns[_end_of_rounds(turns, count)].last))
    return Stretch(1, step_at(steps, turns[min(count, len(turns) - 1)].last))


def _end_of_rounds(turns: Sequence[ReplayStep], count: int) -> int:
    """Return the index of the turn with which the first `count` rounds end."""
    seen: set[int] = set()
    for index in range(1, len(turns)):
        seat = turns[index].by
        if seat is not None and seat in seen:
            count -= 1
            if not count:
                return index - 1
            seen = set()
        if seat is not None:
            seen.add(seat)
    return len(turns) - 1


def _between(text: str, words: list[str], steps: Sequence[ReplayStep]) -> Stretch | Refused:
    """Read "from 40", "to 60", "40-60", "from 40 to 60", "40"."""
    numbers = [word for word in words if word.isdecimal()]
    signs = [word for word in words if not word.isdecimal()]
    if not numbers or len(numbers) > 2 or not set(signs) <= _FROM | _TO | {"on", "onwards", "end"}:
        return _unclear(text)
    low, high = _number(numbers[0]), _number(numbers[-1])
    most = max(step.plays for step in steps)
    if len(numbers) == 1:
        until = bool(signs) and words[0] in _TO
        low, high = (1, high) if until else (low, most)
    if low > high:
        if low > most:
            return Refused(msg("match.stretch.beyond", at=low, n=most))
        return Refused(msg("match.stretch.order", first=low, last=high))
    first, last = step_of_move(steps, max(1, low)), step_of_move(steps, high)
    if first is None or (last is None and len(numbers) > 1) or not high:
        return Refused(msg("match.stretch.beyond", at=high if first is not None else low, n=most))
    if len(numbers) == 1 and high == most and not (signs and words[0] in _TO):
        last = len(steps) - 1  # with what came after the last move
    return _unclear(text) if last is None else Stretch(min(first, last), max(first, last))


def _number(word: str) -> int:
    return int(word[:_MOST_DIGITS])


def _unclear(text: str) -> Refused:
    quoted = " ".join(text.split())[:MAX_STRETCH].replace("`", "'")
    why: Msg = msg("match.stretch.unclear", text=quoted)
    return Refused(why)
