"""Read which stretch of a match someone means, such as "last turn", and plan its animation.

Numbers are those of moves, as boards count them. A short stretch shows every decision, a longer one every
turn, and a very long one some of the turns: those of the moments that mattered, and others at even distances.
An animation never takes longer than `MAX_LENGTH`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
MAX_LENGTH: Final = 40_000
"""Maximum length of an animation, with its first picture and its end, in milliseconds."""
OPENING: Final = 1_000
"""How long the position before the stretch is shown, in milliseconds."""
CLOSING: Final = 4_000
"""How long the last position, or the card with the result, is shown at the end, in milliseconds."""
_USUAL: Final = 1_200
_SHORTEST: Final = 350
"""How long a position is shown at most, and at least, in milliseconds."""
_KEY: Final = 2
"""How many times longer a moment that mattered is shown."""
_MAX_SINGLE: Final = 40
"""Maximum number of single decisions; more are shown by turns."""
_MAX_SHOWN: Final = (MAX_LENGTH - OPENING - CLOSING) // _SHORTEST
"""How many positions there is time for, if one that mattered counts as `_KEY`."""


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


@dataclass(frozen=True, slots=True)
class PlannedFrame:
    """A step that is shown once it has happened, for a number of milliseconds; `key` if it mattered."""

    step: ReplayStep
    milliseconds: int
    key: bool = False


def plan_film(
    steps: Sequence[ReplayStep], turns: Sequence[ReplayStep], keys: Collection[int]
) -> tuple[PlannedFrame, ...]:
    """Return the frames of a stretch, given by its single decisions and by the turns that they make up.

    `keys` are log entries of moments that mattered. With `OPENING` and `CLOSING` the frames take at most
    `MAX_LENGTH`. Raises ValueError for an empty stretch.
    """
    if not steps or not turns:
        raise ValueError("a stretch has a step")
    shown = steps if len(steps) <= _MAX_SINGLE else turns
    marked = [any(step.first <= entry <= step.last for entry in keys) for step in shown]
    return _timed(_thinned(shown, marked))


def _thinned(shown: Sequence[ReplayStep], marked: list[bool]) -> list[tuple[ReplayStep, bool]]:
    """Return the steps for which there is time, and whether each mattered; the last is always among them."""
    most = len(shown)
    keys = {at for at, key in enumerate(marked) if key}
    while len(keys) * _KEY > _MAX_SHOWN // 2:  # the others get half of the time
        keys = set(sorted(keys)[::2])
    if most + len(keys) * (_KEY - 1) > _MAX_SHOWN:
        most = _MAX_SHOWN - len(keys) * _KEY
        kept = keys | {(nth + 1) * len(shown) // most - 1 for nth in range(most)}
    else:
        kept = set(range(most))
    return [(shown[at], at in keys) for at in sorted(kept)]


def _timed(shown: Sequence[tuple[ReplayStep, bool]]) -> tuple[PlannedFrame, ...]:
    weights = sum(_KEY if key else 1 for _, key in shown)
    each = min(_USUAL, (MAX_LENGTH - OPENING - CLOSING) // weights)
    each = each // 10 * 10  # GIF counts in hundredths of a second
    return tuple(PlannedFrame(step, each * (_KEY if key else 1), key) for step, key in shown)
