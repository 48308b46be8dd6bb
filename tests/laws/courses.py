"""Matches for the laws: every game, number of seats and option, played out by deterministic players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest

from games.engine import registry
from games.engine.dice import Dice, Sealed
from games.engine.game import AnyGame, Fact, Json, Seat, Setup
from games.engine.match import Change, Entry, Match, begin, play, walk
from tests.laws.covering import covering
from tests.soak import QUICK, SOAK


@dataclass(frozen=True)
class Case:
    """A setup of a game."""

    key: str
    seats: int
    options: tuple[tuple[str, Json], ...]
    rules: int = 0
    """An earlier version of the rules; 0 is the newest."""

    @property
    def game(self) -> AnyGame:
        return registry.get(self.key)

    @property
    def setup(self) -> Setup:
        setup = self.game.setup(self.seats, dict(self.options))
        return replace(setup, rules=self.rules) if self.rules else setup

    @property
    def printed(self) -> Setup:
        return self.game.setup(self.seats)

    def __str__(self) -> str:
        version = [f"rules={self.rules}"] if self.rules else []
        options = (f"{key}={value}" for key, value in self.options)
        return "-".join([self.key, str(self.seats), *version, *options])


@dataclass(frozen=True)
class Stop:
    """A match after one entry, and the facts of that entry."""

    match: Match
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Course:
    """A whole match, as the match after each of its entries."""

    case: Case
    sealed: Sealed
    stops: tuple[Stop, ...] = field(repr=False)

    @property
    def final(self) -> Match:
        return self.stops[-1].match

    @property
    def log(self) -> tuple[Entry, ...]:
        return self.final.log

    def some(self, count: int) -> Iterator[Stop]:
        """Yield stops at which seats are to act, spread evenly over the match, including the first.

        `make check` looks at a third of them.
        """
        count = max(2, count // 3) if QUICK else count
        live = [stop for stop in self.stops if min(stop.match.to_act, default=-1) >= 0]
        step = max(1, len(live) // count)
        yield from live[::step]


MAX_COMBINATIONS = 1000 if SOAK else 16
"""Up to this many combinations of options, all are played; of more, some.

A sample has each choice once; a soak has every combination of three choices with each number of seats.
"""


SHORT: Mapping[str, Mapping[str, Json]] = {"domination": {"cap": 10}}
"""Options that keep the matches of a game short: used in all its cases instead of the defaults."""
WHOLE: Mapping[str, Mapping[str, Json]] = {"domination": {"map": "islands", "even": False}}
"""Options of one more case, with the fewest seats, that plays a game to its natural end."""
ENDLESS = 5000
"""Entries after which a match counts as one that its players never end, for want of skill."""


def every_case() -> list[Case]:
    """Return each game with each number of seats and its options; earlier rules only with the defaults."""
    cases = []
    for game in registry.all_games():
        printed = tuple(game.setup(game.seats[0]).options.items())
        cases += [shortened(Case(game.key, game.seats[0], printed, rules)) for rules in range(1, game.rules)]
        if (whole := WHOLE.get(game.key)) is not None:
            cases.append(Case(game.key, game.seats[0], tuple({**dict(printed), **whole}.items())))
        keys = [option.key for option in game.options]
        for seats in game.seats:
            for choice in choices(game, seats):
                case = Case(game.key, seats, tuple(zip(keys, choice, strict=True)))
                case = shortened(case)
                if game.refuse_setup(case.setup) is None:
                    cases.append(case)
    return cases


def shortened(case: Case) -> Case:
    """Return the case with the options of SHORT in place of defaults."""
    short, printed = SHORT.get(case.key, {}), case.printed.options
    options = (
        (key, short.get(key, value) if value == printed[key] else value) for key, value in case.options
    )
    return replace(case, options=tuple(options))


def choices(game: AnyGame, seats: int) -> list[tuple[Json, ...]]:
    """Return combinations of options: all of them, or a few.

    The few are distributed over the numbers of seats; together they include each choice, and the defaults
    with the fewest seats.
    """
    open_to = [
        (option.default, *(choice for choice in option.choices if choice != option.default))
        if not option.seats or seats in option.seats
        else (option.usual(seats),)
        for option in game.options
    ]
    if prod(map(len, open_to)) <= MAX_COMBINATIONS:
        return list(product(*open_to))
    if SOAK:
        return covering(open_to)
    tables, nth = len(game.seats), game.seats.index(seats)
    most = max(map(len, open_to))
    own = [len(each) for each, option in zip(open_to, game.options, strict=True) if option.seats]
    settings = [] if nth else [tuple(each[0] for each in open_to)]
    for number in range(1, max(-(-(most - 1) // tables) + 1, *own, 1)):
        row = 1 + nth + (number - 1) * tables
        settings.append(
            tuple(
                each[(number if option.seats else row) % len(each)]
                for each, option in zip(open_to, game.options, strict=True)
            )
        )
    return settings


def parameters() -> list[Any]:
    """Return every case as a parameter; the quick tests only use the defaults with the fewest seats."""
    return [
        pytest.param(
            case, id=str(case), marks=() if is_quick(case) and is_shipped(case) else pytest.mark.slow
        )
        for case in every_case()
    ]


def is_quick(case: Case) -> bool:
    """Return whether a case has the defaults and the fewest seats."""
    return case == shortened(Case(case.key, case.game.seats[0], tuple(case.printed.options.items())))


def is_shipped(case: Case) -> bool:
    """Return whether a case is of a game that people can play, not of the tests alone."""
    return case.key in registry.KEYS


def courses() -> list[Any]:
    """Return cases with players as parameters: the default ones with both, the others in turn with one.

    A soak has all with both. The quick tests only use the random player, and no games of the tests.
    """
    return [
        pytest.param(
            (case, player),
            id=f"{player}-{case}",
            marks=() if is_quick(case) and is_shipped(case) and player == "random" else pytest.mark.slow,
        )
        for number, case in enumerate(every_case())
        for player in (
            ("random", "greedy") if SOAK or is_quick(case) else (("random", "greedy")[number % 2],)
        )
    ]


@cache
def course(case: Case, player: str) -> Course:
    """Play a match: `random` actions, mostly the best of a few (`greedy`), or always the `best`."""
    game = case.game
    sealed = Sealed(f"{case} {player}".encode(), f"{game.code}-LAW", player)
    dice = Dice(b"law", str(case), 0, player)
    change = begin(game, case.setup, sealed)
    while not change.match.ending:
        match = change.match
        seat = dice.pick(sorted(match.to_act))
        action = _choice(match, seat, dice, player)
        after = play(match, seat, action, sealed)
        assert isinstance(after, Change), f"{action} is refused: {after}"
        assert after.match.seq < ENDLESS, f"{case}, {player}: give it options with which its matches end"
        change = after
    return Course(case, sealed, tuple(Stop(match, facts) for match, facts in walk(change.match.log)))


def _choice(match: Match, seat: Seat, dice: Dice, player: str) -> Any:
    game = match.game
    legal = list(game.actions(game.view(match.state, seat), seat))
    if player == "random" or (player == "greedy" and dice.below(8) == 0):
        return dice.pick(legal)
    few = dice.shuffled(legal) if player == "best" else [dice.pick(legal) for _ in range(12)]

    def value(action: Any) -> float:
        return game.evaluate(game.view(game.apply(match.state, seat, action).state, seat), seat)

    return max(few, key=value)
