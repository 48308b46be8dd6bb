"""`dominium perft`: count the positions of a game's tree, to test its move generator.

A node of depth D is a sequence of D decisions of seats. Chance isn't a ply: it draws by a fixed secret,
chosen so that the requested seat begins. With `--chance` only the draws before the first decision are made
like that; after it, each possible draw is a ply of its own. A match that is over has no further nodes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import click

from cli.table import GameName, find_seat, make_setup
from cli.terminal import Sorry, out, progress
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat, Setup

_TRIES = 10_000


def settled(game: AnyGame, state: Any, secret: bytes) -> Any:
    """Return the state after chance has made all draws that are due."""
    draws = 0
    while CHANCE in game.to_act(state):
        state = game.apply(state, CHANCE, game.draw(state, Dice(secret, "perft", draws, ""))).state
        draws += 1
    return state


def root(game: AnyGame, setup: Setup, first: Seat | None) -> tuple[Any, bytes]:
    """Return the position to count from, with `first` (or the first possible seat) to act."""
    start = game.start(setup).state
    wanted = range(setup.seats) if first is None else [int(first)]
    tried = [index.to_bytes(4, "big") for index in range(_TRIES)]
    for seat in wanted:
        for secret in tried:
            state = settled(game, start, secret)
            if seat in game.to_act(state):
                return state, secret
    raise Sorry("That seat never begins.")


def count(game: AnyGame, state: Any, depth: int, secret: bytes | None) -> int:
    """Return the number of nodes exactly `depth` plies below the state; the last ply is only counted.

    Without a secret nothing is drawn: every possible draw is counted.
    """
    if depth == 0:
        return 1
    nodes = 0
    for seat in game.to_act(state):
        for action in game.actions(game.view(state, seat), seat):
            if depth == 1:
                nodes += 1
            else:
                after = game.apply(state, seat, action).state
                if secret is not None:
                    after = settled(game, after, secret)
                nodes += count(game, after, depth - 1, secret)
    return nodes


def first_moves(game: AnyGame, state: Any, secret: bytes | None) -> Iterator[tuple[str, Any]]:
    """Yield each ply of each seat to act, in its typed form, with the state after it."""
    for seat in sorted(game.to_act(state)):
        view = game.view(state, seat)
        for action in game.actions(view, seat):
            after = game.apply(state, seat, action).state
            if secret is not None:
                after = settled(game, after, secret)
            yield game.format(view, action), after


@click.command()
@click.argument("game", type=GameName())
@click.option("--seats", type=int, help="Number of players; by default, the fewest.")
@click.option(
    "--depth", type=click.IntRange(1, 20), default=3, show_default=True, help="Decisions to look ahead."
)
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; repeatable."
)
@click.option("--first", metavar="SEAT", help="Who begins: 1, g, green; by default, the first seat.")
@click.option("--chance", is_flag=True, help="Count every possible random draw as a ply.")
@click.option("--divide", is_flag=True, help="Also the count below each first move.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    game: AnyGame,
    seats: int | None,
    depth: int,
    options: tuple[str, ...],
    first: str | None,
    *,
    chance: bool,
    divide: bool,
    as_json: bool,
) -> None:
    """Count the move tree of GAME, depth by depth."""
    setup = make_setup(game, seats, options)
    state: Any
    secret: bytes | None
    state, secret = root(game, setup, find_seat(game, setup, first) if first else None)
    if chance:
        secret = None
    console = out()
    rows: list[dict[str, int | float]] = []
    split: list[tuple[str, int]] = []
    if not as_json:
        console.print(f"{'depth':>5}  {'nodes':>14}  {'seconds':>8}  {'nodes/s':>10}")
    with progress() as bar:
        moves = list(first_moves(game, state, secret))
        for ply in range(1, depth + 1):
            begun = perf_counter()
            task = bar.add_task(f"depth {ply}", total=len(moves))
            total = 0
            split = []
            for text, after in moves:
                below = count(game, after, ply - 1, secret)
                total += below
                split.append((text, below))
                bar.advance(task)
            bar.remove_task(task)
            took = perf_counter() - begun
            rows.append({"depth": ply, "nodes": total, "seconds": round(took, 3)})
            if not as_json:
                speed = f"{total / took:,.0f}" if took >= 0.001 else "-"
                console.print(f"{ply:>5}  {total:>14,}  {took:>8.3f}  {speed:>10}")
    if as_json:
        result = {"game": game.key, "seats": setup.seats, "options": dict(setup.options), "depths": rows}
        console.print(json.dumps(result | ({"divide": split} if divide else {})))
    elif divide:
        for text, nodes in split:
            console.print(f"  {text:<12} {nodes:>14,}")
