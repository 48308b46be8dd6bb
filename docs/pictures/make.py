"""Draws the pictures of the documents with the program's own renderer; the same pictures every time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import render
from cli.words import sayer
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Setup
from games.engine.scene import Mark, Scene

HERE = Path(__file__).parent
SETUPS: dict[str, tuple[int, dict[str, bool]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "partners": (4, {"partners": True}),
}


def scene(game: AnyGame, state: Any, marks: tuple[Mark, ...] = ()) -> Scene:
    """What a spectator sees."""
    return replace(game.scene(game.view(state, None), None), marks=marks)


def begun(game: AnyGame, setup: Setup) -> Any:
    """The start, with the first player drawn."""
    state = game.start(setup).state
    return game.apply(state, CHANCE, game.draw(state, Dice(b"pictures", game.key, 0, ""))).state


def played(game: AnyGame, setup: Setup, moves: int, seed: int) -> Scene:
    """The middle of a match in which everybody takes the best of a few moves at random."""
    random = Random(seed)  # noqa: S311 - the same picture every time
    state = begun(game, setup)
    marks: tuple[Mark, ...] = ()
    for _ in range(moves):
        (seat,) = game.to_act(state)
        actions = list(game.actions(game.view(state, seat), seat))
        steps = [game.apply(state, seat, action) for action in random.sample(actions, min(9, len(actions)))]
        best = max(steps, key=lambda step: game.evaluate(game.view(step.state, seat), seat))
        state = best.state
        marks = tuple(mark for fact in best.facts for mark in fact.marks)
    return scene(game, state, marks)


def main() -> None:
    """Write every picture."""
    game = registry.get("focus")
    for name, (seats, options) in SETUPS.items():
        setup = game.setup(seats, options)
        save(f"focus-{name}", render.draw(scene(game, begun(game, setup)), sayer(game, setup)))
    setup = game.setup(4)
    save("focus-hero", render.draw(played(game, setup, 38, 3), sayer(game, setup)))


def save(name: str, data: bytes) -> None:
    """Write one picture."""
    path = HERE / f"{name}.png"
    path.write_bytes(data)
    print(f"{path.name}: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
