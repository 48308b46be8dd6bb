"""How strong a game's computer players are: contests between them, in the game's folder, and a fit of them.

Each line of the file is what one contest found, as `dominium contest --keep` adds it. From all contests of a
family of set-ups follow the strengths of everyone in them, by maximum likelihood in the model of Bradley and
Terry (with several opponents alike: of Luce), on the scale of ratings: who is 200 points stronger gets 76 of
100 points. Benchmarks and bare searches that took part connect levels which are too far apart to be compared
by matches of their own.

Contests measure differences only. ANCHOR stands where people begin, which is chosen: so that a level can be
suggested to someone of whom nothing is known. Each pair that met counts one more match, shared as between
equals, so that no difference is infinite.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from math import exp, log, sqrt
from typing import Final

from games.engine import registry

FILE_NAME: Final = "contests.jsonl"
ANCHOR: Final = "easy"
"""The level whose strength is START."""
START: Final = 1500
"""Points at which people begin."""
SCALE: Final = 400 / log(10)
"""Points by which the odds of a side grow by the factor e: those of Elo."""
_CLOSE: Final = 1e-9
_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class LevelContest:
    """What a contest found: the points that `first` got in `matches` against `rivals` sides of `second`.

    Raises ValueError for more points than matches.
    """

    family: str
    first: str
    second: str
    matches: int
    points: float
    rivals: int = 1
    seed: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.points <= self.matches:
            raise ValueError(f"{self.points} points of {self.matches} matches")


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a player is: points on the scale of ratings, and the standard error of them."""

    points: float
    error: float


def spelled(contest: LevelContest) -> str:
    """Return a contest as a line of the file."""
    return json.dumps(asdict(contest))


@cache
def contests(game: str) -> tuple[LevelContest, ...]:
    """Return the contests of a game; none if it has no file. Raises ValueError for a damaged one."""
    file = files(registry.package(game)) / FILE_NAME
    if not file.is_file():
        return ()
    return tuple(LevelContest(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines())


@cache
def strengths(game: str) -> Mapping[str, Mapping[str, Strength]]:
    """Return the strengths of a game's computer players by family; those without contests are missing."""
    by_family: defaultdict[str, list[LevelContest]] = defaultdict(list)
    for one in contests(game):
        by_family[one.family].append(one)
    return {family: fit(found) for family, found in by_family.items()}


def fit(found: Iterable[LevelContest]) -> dict[str, Strength]:
    """Return the strengths of all players of contests of one family, the weakest first.

    Raises ValueError if some of them are connected to ANCHOR by no contests.
    """
    pairs = _pairs(found)
    names = sorted({name for first, second, _ in pairs for name in (first, second)} - {ANCHOR})
    index = {name: number for number, name in enumerate(names)}
    at = [0.0] * len(names)
    for _ in range(_STEPS):
        slope, matrix = _derivatives(pairs, index, at)
        inverse = _inverse(matrix)
        step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in inverse]
        size = max(map(abs, step), default=0.0)
        at = [value + change / max(1.0, size) for value, change in zip(at, step, strict=True)]
        if size < _CLOSE:
            break
    else:
        raise ValueError("the strengths don't converge")
    made = {ANCHOR: Strength(float(START), 0.0)} | {
        name: Strength(START + SCALE * at[n], SCALE * sqrt(inverse[n][n])) for name, n in index.items()
    }
    return dict(sorted(made.items(), key=lambda one: one[1].points))


def _pairs(found: Iterable[LevelContest]) -> dict[tuple[str, str, int], tuple[float, float]]:
    """Return points and matches of each pair, with one more match between equals."""
    pairs: dict[tuple[str, str, int], tuple[float, float]] = {}
    for one in found:
        key = one.first, one.second, one.rivals
        points, matches = pairs.get(key, (1 / (1 + one.rivals), 1.0))
        pairs[key] = points + one.points, matches + one.matches
    return pairs


def _derivatives(
    pairs: Mapping[tuple[str, str, int], tuple[float, float]], index: Mapping[str, int], at: list[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the logarithm of the likelihood, and its negative second derivatives."""
    slope = [0.0] * len(at)
    matrix = [[0.0] * len(at) for _ in at]
    for (first, second, rivals), (points, matches) in pairs.items():
        signs = [(index[name], sign) for name, sign in ((first, 1), (second, -1)) if name in index]
        expected = 1 / (1 + rivals * exp(-sum(sign * at[n] for n, sign in signs)))
        for n, sign in signs:
            slope[n] += sign * (points - matches * expected)
            for m, other in signs:
                matrix[n][m] += sign * other * matches * expected * (1 - expected)
    return slope, matrix


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a symmetric positive definite matrix. Raises ValueError if it isn't."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        if rows[n][n] < _CLOSE:
            raise ValueError("some players are connected to the others by no contests")
        rows[n] = [value / rows[n][n] for value in rows[n]]
        for m in range(size):
            if m != n and rows[m][n]:
                factor = rows[m][n]
                rows[m] = [a - factor * b for a, b in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
