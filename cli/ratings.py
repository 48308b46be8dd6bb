"""`dominium ratings rebuild`: compute all ratings again from the logs, and compare or replace them."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import click

from bot.platform.real_clock import DiscordClock
from cli.opening import database_option, in_store, store_of
from cli.terminal import Sorry, out, progress
from games.engine import registry
from games.engine.game import AnyGame
from matches.standing.simulation import calibrated, simulate
from matches.store.standing import MatchResult
from storage import StoreError, standing_of

SHOWN = 10
"""Differences named one by one."""
SHOWN_EACH = 100
"""Matches after which the progress is shown again."""


@click.group()
def command() -> None:
    """Ratings follow from the logs of finished matches, and can be computed again at any time."""


@command.command(short_help="Compute them again, and compare or replace those that are stored.")
@click.option("--write", is_flag=True, help="Replace what is stored, while the bot is stopped.")
@database_option
def rebuild(write: bool, database: str | None) -> None:
    """Compute all results and ratings again, from a copy, and compare them with those that are stored.

    With --write they are replaced instead. Otherwise the bot may run meanwhile.
    """
    where = store_of(database)
    try:
        with standing_of(where, DiscordClock()) as reader:
            if write:
                count = in_store(where, lambda store: store.replace_standing(_shown(reader.results())))
                out().print(f"{count:,} results were counted again, and all ratings replaced")
                return
            found = reader.compare(_shown)
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
    out().print(f"{found.results:,} results, {found.ratings:,} ratings: {_difference(found.wrong)}")
    if found.wrong:
        raise Sorry("`dominium ratings rebuild --write` replaces them, while the bot is stopped.")


@command.command(short_help="Rate simulated people of known strength.")
@click.option("--people", type=click.IntRange(10, 1000), default=60, show_default=True)
@click.option(
    "--matches", type=click.IntRange(2, 1000), default=40, show_default=True, help="Of each person."
)
@click.option("--seed", type=int, default=1, show_default=True)
def calibrate(people: int, matches: int, seed: int) -> None:
    """Let people of known strength play, for each number of seats and teams that a game has, and rate them.

    Prints how well ratings find their order, and what share of the predicted winners won in the second half.
    """
    games: dict[tuple[int, int], list[str]] = {}
    for game in registry.all_games():
        for sides in game_sides(game):
            games.setdefault(sides, []).append(game.key)
    for (seats, team), keys in sorted(games.items(), key=lambda one: (one[0][1], one[0][0])):
        found = simulate(seats, team, people, matches, seed)
        what = f"{seats} seats" if team == 1 else f"{seats} seats in teams of {team}"
        out().print(f"{what} ({', '.join(keys)}): rank correlation {found.correlation:.3f}")
        for low in (0.5, 0.6, 0.7, 0.8, 0.9):
            if (one := calibrated(found.pairs, low, low + 0.1)) is not None:
                out().print(
                    f"  predicted {one.predicted:4.0%}  came true {one.observed:4.0%} ± {one.error:.0%}"
                    f"  of {one.pairs:,}"
                )


def game_sides(game: AnyGame) -> set[tuple[int, int]]:
    """Return the numbers of seats of a game, each with the size of its teams, as far as those are equal."""
    found = set()
    for option in (None, *(one for one in game.options if True in one.choices)):
        for seats in game.seats:
            options = dict(game.setup(seats).options)
            if option is not None:
                options[option.key] = True
            if game.refuse_setup(game.setup(seats, options)) is None:
                sizes = set(Counter(game.teams(seats, options)).values())
                found |= {(seats, size) for size in sizes if len(sizes) == 1}
    return found


def _shown(results: Iterable[MatchResult]) -> Iterator[MatchResult]:
    """Hand results on, and show how many there were."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)  # what is read has few cycles, and isn't looked through again and again
    try:
        with progress() as bar:
            task = bar.add_task("matches", total=None)
            for number, result in enumerate(results):
                if not number % SHOWN_EACH:
                    bar.update(task, completed=number)
                yield result
    finally:
        gc.set_threshold(*usual)


def _difference(wrong: Sequence[str]) -> str:
    if not wrong:
        return "as the logs give them"
    more = f" and {len(wrong) - SHOWN:,} more" if len(wrong) > SHOWN else ""
    return f"{len(wrong):,} differ from what the logs give: {', '.join(wrong[:SHOWN])}{more}"
