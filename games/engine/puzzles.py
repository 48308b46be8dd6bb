"""Puzzles: positions in which one move is clearly best, as the lines of a file in the game's folder.

The first line records how they were found, each other one is a puzzle: a JSON object a line. A file counts as
a whole: if one line is damaged, none of its puzzles is used. A puzzle is answered like a step of a lesson; a
move with the same idea as the best one, such as the same attack with another limit, is right as well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from games.engine.fields import Fields, Json, one_of, text, whole
from games.engine.game import AnyGame, Seat
from games.engine.reasons import Reason, reasons
from games.engine.teaching import LessonStep

FILE_NAME: Final = "puzzles.jsonl"
HARDEST: Final = 5
"""The difficulty of what is found last."""
MAX_LINE: Final = 20_000
"""Maximum length of a line of the file, in characters."""
_EXPECTED: Final = (0.9, 0.3)
"""The shares of people who are expected to solve the easiest and the hardest puzzles at once."""
_EXPECTATION: Final = 20
"""How many answers the expectation weighs as much as."""
_UNIT: Final = 1000
"""Margins are kept as whole numbers of this part."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and the one best move in it."""

    position: Json
    """As the game's `dump` writes it: what the seat to act can know."""
    rules: int
    """The version of the game's rules under which it was found."""
    seat: Seat
    """The seat to act."""
    seats: int
    best: str
    """The best move, as the log writes it."""
    rival: str
    """The best move with another idea."""
    kind: str
    """What sets the two apart most: a kind of effect of the game."""
    difficulty: int
    """From 1 to `HARDEST`: how far one has to look ahead, or how late one thinks of the move."""
    margin: float
    """The share of the match that the rival gives away, at most 1."""
    source: str
    """The match and the decision in which the position arose."""

    @property
    def key(self) -> str:
        """Return its name, which follows from the position alone: people's results are kept by it."""
        spelled = json.dumps([self.position, self.seat, self.rules], sort_keys=True)
        return hashlib.sha256(spelled.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class PuzzleRun:
    """How the puzzles of a file were found: the same again gives the same puzzles."""

    game: str
    seed: str
    work: int
    """Moves made by the first search of each position; the second made ten times as many."""
    matches: int = 0
    """Number of matches looked through so far."""


def expected_share(difficulty: int, tries: int = 0, solves: int = 0) -> float:
    """Return the share of people who are expected to solve a puzzle at once, from what `tries` people did.

    Without answers it follows from the difficulty that the search has found. That weighs as much as
    twenty answers: a few people say little.
    """
    easiest, hardest = _EXPECTED
    first = easiest + (hardest - easiest) * (difficulty - 1) / (HARDEST - 1)
    return (solves + _EXPECTATION * first) / (tries + _EXPECTATION)


def played_difficulty(difficulty: int, tries: int, solves: int) -> int:
    """Return the difficulty, from 1 to `HARDEST`, whose expected share is nearest to that of a puzzle."""
    share = expected_share(difficulty, tries, solves)
    return min(range(1, HARDEST + 1), key=lambda each: abs(expected_share(each) - share))


class PuzzleFileError(ValueError):
    """A file of puzzles can't be used: the reason names the line."""


def step_of(game: AnyGame, puzzle: Puzzle) -> LessonStep:
    """Return the puzzle as a step that `lessons.answer` judges.

    Raises ValueError if it doesn't fit the game.
    """
    state = game.load(puzzle.position, puzzle.rules)
    if game.to_act(state) != {puzzle.seat}:
        raise ValueError("another seat is to act")
    best = game.decode(puzzle.best)
    if game.refuse(state, puzzle.seat, best) is not None:
        raise ValueError(f"{puzzle.best} isn't legal")
    if game.refuse(state, puzzle.seat, game.decode(puzzle.rival)) is not None:
        raise ValueError(f"{puzzle.rival} isn't legal")
    accepts = alike(game, state, puzzle.seat, puzzle.best)
    return LessonStep(puzzle.key, puzzle.position, puzzle.seat, puzzle.seats, accepts, rules=puzzle.rules)


def alike(game: AnyGame, state: Any, seat: Seat, best: str) -> tuple[str, ...]:
    """Return the legal moves with the same idea as the best one, that one first, as the log writes them."""
    idea = game.idea(game.decode(best))
    found = (each for each in game.actions(game.view(state, seat), seat) if game.idea(each) == idea)
    return tuple(dict.fromkeys((best, *map(game.encode, found))))


def why(game: AnyGame, puzzle: Puzzle) -> tuple[Reason, ...]:
    """Return why the best move of a puzzle is better than its rival, the weightiest reason first."""
    view = game.view(game.load(puzzle.position, puzzle.rules), puzzle.seat)
    return reasons(game, view, puzzle.seat, game.decode(puzzle.best), game.decode(puzzle.rival))


def write_puzzles(origin: PuzzleRun, puzzles: Iterable[Puzzle]) -> str:
    """Return the text of a file."""
    head = {"game": origin.game, "seed": origin.seed, "work": origin.work, "matches": origin.matches}
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in (head, *map(_dumped, puzzles)))


def read_puzzles(game: AnyGame, content: str) -> tuple[PuzzleRun, tuple[Puzzle, ...]]:
    """Return what `write_puzzles` wrote; each puzzle has been tried on the game.

    Raises PuzzleFileError for anything else.
    """
    lines = content.splitlines()
    origin: PuzzleRun | None = None
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(lines, 1):
        try:
            data = _parsed(line)
            if origin is None:
                origin = _origin(game, data)
                continue
            puzzle = _puzzle(game, data)
            step_of(game, puzzle)
            if found.setdefault(puzzle.key, puzzle) is not puzzle:
                raise ValueError("the puzzle is there twice")
        except (ValueError, RecursionError) as error:
            raise PuzzleFileError(f"line {number}: {error}") from error
    if origin is None:
        raise PuzzleFileError("line 1: is missing")
    return origin, tuple(found.values())


def _parsed(line: str) -> Any:
    if len(line) > MAX_LINE:
        raise ValueError(f"at most {MAX_LINE} characters are expected")
    return json.loads(line)


def _dumped(puzzle: Puzzle) -> dict[str, Json]:
    return {
        "kind": puzzle.kind,
        "difficulty": puzzle.difficulty,
        "margin": round(puzzle.margin * _UNIT),
        "best": puzzle.best,
        "rival": puzzle.rival,
        "seat": puzzle.seat,
        "seats": puzzle.seats,
        "rules": puzzle.rules,
        "source": puzzle.source,
        "position": puzzle.position,
    }


_SHORT: Final = text("text", lambda value: 0 < len(value) <= 100 and value.isprintable())


def _origin(game: AnyGame, data: object) -> PuzzleRun:
    part = Fields(data, ("game", "seed", "work", "matches"))
    return PuzzleRun(
        part("game", one_of((game.key,))),
        part("seed", _SHORT),
        part("work", whole(10**9, 1)),
        part("matches", whole(10**9)),
    )


def _puzzle(game: AnyGame, data: object) -> Puzzle:
    names = ("kind", "difficulty", "margin", "best", "rival", "seat", "seats", "rules", "source", "position")
    part = Fields(data, names)
    seats = part("seats", one_of(game.seats))
    return Puzzle(
        part("position", _anything),
        part("rules", whole(game.rules, 1)),
        Seat(part("seat", whole(seats - 1))),
        seats,
        part("best", _SHORT),
        part("rival", _SHORT),
        part("kind", text("kind", str.isidentifier)),
        part("difficulty", whole(HARDEST, 1)),
        part("margin", whole(_UNIT)) / _UNIT,
        part("source", _SHORT),
    )


def _anything(value: object, path: str) -> Any:
    return value
