"""Matches in which a game's computers play themselves, as samples for tuning evaluations.

A search plays itself from a random opening, with a random move now and then, so that most matches have a
winner; chance draws as in a match. For each decision the search's value is kept, with the features of the
evaluation if nothing can be taken at a profit, and for some of them the value with ten times the work. A game
whose computers don't search is played by one of its levels, and what its evaluation expects is kept. The seed
and the number of a match determine all of it.

Each match is appended to a file as soon as it has ended: a line on how they are played, then one for
each match. So a run that was killed goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol, cast

from games.ai.players import search
from games.ai.players_by_level import Levels
from games.ai.win_shares import shares_of_evaluations
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat, Setup
from games.engine.levels import Budget
from games.engine.search import MOVE_BITS, SearchState
from games.engine.search import shares as final_shares
from solve.match_lines import load_lines

STRAY: Final = 0.1
"""Share of random moves."""
DEEPER: Final = 10
"""How many times the work is done for the second value of a position."""
LOGIT: Final = 1000.0
"""Value that multiplies the odds by e, where values are made from expected shares."""
_OPENING: Final = 16
"""A match begins with fewer random moves than this, and at least two."""
_DEEPER_SHARE: Final = 1 / 40
"""Share of the decisions at which the second value is found."""
_GLANCES: Final = 1 / 8
"""Share of the decisions at which the evaluation of a game without a search is kept."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What is kept of a match. All values and features are seen from seat 0."""

    number: int
    share: float
    """Seat 0's share of the match."""
    values: tuple[int, ...]
    """By decision: the value that the search found, or the expected log odds by `LOGIT`."""
    features: tuple[tuple[int, ...] | None, ...]
    """By decision: the features; None where something can be taken at a profit, or there are none."""
    deeper: tuple[tuple[int, int], ...]
    """Some values, each with that of ten times the work."""


class _Tunable(Protocol):
    """A search state that returns what its evaluation adds up."""

    def features(self) -> tuple[int, ...]: ...


def play_match(game: AnyGame, setup: Setup, work: int, seed: str, number: int) -> PlayedMatch:
    """Play one match of a search that makes `work` moves for a decision, for two teams."""
    random = Random(f"{seed} {number}")  # noqa: S311 - to be the same each time
    secret = f"{seed} {number}".encode()
    state = _first_position(game, setup, random, Dice(secret, "tune", 0, "guess"))
    budget, deeper_budget = Budget("alpha-beta", work), Budget("alpha-beta", DEEPER * work)
    opening = random.randrange(2, _OPENING)
    values: list[int] = []
    features: list[tuple[int, ...] | None] = []
    deeper: list[tuple[int, int]] = []
    moves = 0
    while (result := state.result()) is None:
        moves += 1
        if state.turn == CHANCE:
            draws, weights = zip(*state.chances(), strict=True)
            state.make(random.choices(draws, weights)[0])
            continue
        if moves <= opening:
            state.make(random.choice(state.moves()))
            continue
        sign = 1 if state.teams[state.turn] == state.teams[0] else -1
        thought = search(state, budget, Dice(secret, "tune", moves, "move"))
        quiet = all(packed >> MOVE_BITS <= 0 for packed in state.noisy())
        values.append(sign * thought.value)
        features.append(cast("_Tunable", state).features() if quiet else None)
        if random.random() < _DEEPER_SHARE:
            second = search(state, deeper_budget, Dice(secret, "tune", moves, "deeper"))
            deeper.append((sign * thought.value, sign * second.value))
        state.make(random.choice(state.moves()) if random.random() < STRAY else thought.move)
    return PlayedMatch(number, result[0], tuple(values), tuple(features), tuple(deeper))


def _first_position(game: AnyGame, setup: Setup, random: Random, dice: Dice) -> SearchState:
    """Return the first position that can be searched; random choices lead there, such as of Sergeants."""
    state: Any = game.start(setup).state
    while True:
        seat = min(game.to_act(state))
        view = game.view(state, None if seat == CHANCE else seat)
        if seat != CHANCE and (found := game.search_state(view, seat, dice)) is not None:
            return found
        state = game.apply(state, seat, random.choice(list(game.actions(view, seat)))).state


def play_level(game: AnyGame, setup: Setup, level: str, seed: str, number: int) -> PlayedMatch:
    """Play one match of a level against itself, and keep what the game's evaluation expects of positions."""
    player = Levels().player(game.key, level)
    secret = f"{seed} {number}".encode()
    random = Random(f"{seed} {number}")  # noqa: S311 - to be the same each time
    state: Any = game.start(setup).state
    values: list[int] = []
    moves = 0
    while (outcome := game.outcome(state)) is None:
        seat, dice = min(game.to_act(state)), Dice(secret, "tune", moves, "move")
        moves += 1
        if seat == CHANCE:
            action = game.draw(state, dice)
        else:
            if random.random() < _GLANCES:
                values.append(_expected(game, state, setup.teams))
            action = player.choose(game, game.view(state, seat), seat, dice)
        state = game.apply(state, seat, action).state
    return PlayedMatch(
        number, final_shares(outcome.ranks, setup.teams)[0], tuple(values), (None,) * len(values), ()
    )


def _expected(game: AnyGame, state: Any, teams: Sequence[int]) -> int:
    """Return the log odds of seat 0 by the game's evaluation, as a value."""
    seats = [Seat(seat) for seat in range(len(teams))]
    values = [game.evaluate(game.view(state, seat), seat) for seat in seats]
    share = min(0.999, max(0.001, shares_of_evaluations(values, teams)[0]))
    return round(LOGIT * log(share / (1 - share)))


_BEGIN: Final = '{"match":'
"""How the line of a match begins."""


class SampleFile:
    """The matches of one run, in the order in which they are played."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """`about` determines the matches: those that were played otherwise aren't mixed with these."""
        self.path = path
        self._about = json.dumps(dict(about), sort_keys=True)

    def begin(self) -> None:
        """Create the file, without matches. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self._about + "\n", encoding="utf-8")

    def load(self) -> list[PlayedMatch]:
        """Return the matches that were played, and remove half a line at the end.

        Raises OSError, and ValueError if the file holds something else, which stays as it is.
        """
        found = load_lines(self.path, self._read, _BEGIN, self._about)
        if found is None:
            self.begin()
        return found or []

    def _read(self, lines: list[str]) -> list[PlayedMatch] | None:
        """Return the matches of a file's lines, None without lines. Raises ValueError."""
        if not lines:
            return None
        about, *lines = lines
        if about != self._about:
            raise ValueError("its matches were played with other settings or weights")
        found = [_match_of(line) for line in lines]
        if [match.number for match in found] != list(range(len(found))):
            raise ValueError("its matches aren't in order")
        return found

    def append(self, match: PlayedMatch) -> None:
        """Add a match. Raises OSError."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line_of(match) + "\n")


def _line_of(match: PlayedMatch) -> str:
    fields = {
        "match": match.number,
        "share": match.share,
        "values": match.values,
        "features": match.features,
        "deeper": match.deeper,
    }
    return json.dumps(fields, separators=(",", ":"))


def _match_of(line: str) -> PlayedMatch:
    """Return the match of a line. Raises ValueError."""
    try:
        fields = json.loads(line)
        return PlayedMatch(
            fields["match"],
            fields["share"],
            tuple(fields["values"]),
            tuple(None if each is None else tuple(each) for each in fields["features"]),
            tuple((first, second) for first, second in fields["deeper"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("a line isn't a match") from error
