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
from games.engine.game import CHANCE, AnyGame, Json, Setup
from games.engine.scene import Mark, Scene

HERE = Path(__file__).parent
SETUPS: dict[str, tuple[int, dict[str, bool]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "partners": (4, {"partners": True}),
}


def _pieces(red: str, black: str) -> Json:
    return {"pieces": {"R": list(red.split()), "B": list(black.split())}, "turn": "R"}


POSITIONS: dict[str, tuple[str, Json, tuple[str, ...], str]] = {
    "dominance-start": ("dominance", None, (), ""),
    "dominance-guards": ("dominance", _pieces("c3 c4 f3", "d6 e6 b2 b1"), (), "guards"),
    "dominance-attack": ("dominance", _pieces("e4 b2", "c3 c4"), ("e4-d4",), ""),
    "dominance-trade": ("dominance", _pieces("d5 b2", "c3 c4 d3 e3"), ("d5-d4",), ""),
    "dominance-lock": ("dominance", _pieces("a1 a4 f4", "d1"), ("+g1",), ""),
    "two-domains-start": ("two_domains", {"red": "22222", "blue": "22222", "turn": "red"}, (), ""),
    "two-domains-battle": (
        "two_domains",
        {"red": "12436", "blue": "13562", "turn": "red"},
        ("battle", "roll 4"),
        "",
    ),
    "two-domains-endurance": ("two_domains", {"red": "14356", "blue": "25", "turn": "red"}, ("battle",), ""),
}
"""Name of a picture: game, position (None: the start), what is played on it, and the overlay shown."""


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


def shown(key: str, data: Json, wires: tuple[str, ...], overlay: str) -> bytes:
    """A position, what is played on it, and what is laid over it."""
    game = registry.get(key)
    setup = game.setup(2)
    state = game.start(setup).state if data is None else game.load(data, game.rules)
    marks: tuple[Mark, ...] = ()
    for wire in wires:
        (seat,) = game.to_act(state)
        step = game.apply(state, seat, game.decode(wire))
        state = step.state
        marks += tuple(mark for fact in step.facts for mark in fact.marks)
    if overlay:
        marks += game.overlay(game.view(state, None), overlay)
    return render.draw(scene(game, state, marks), sayer(game, setup))


def main() -> None:
    """Write every picture."""
    game = registry.get("focus")
    for name, (seats, options) in SETUPS.items():
        setup = game.setup(seats, options)
        save(f"focus-{name}", render.draw(scene(game, begun(game, setup)), sayer(game, setup)))
    setup = game.setup(4)
    for name, position in POSITIONS.items():
        save(name, shown(*position))
    save("focus-hero", render.draw(played(game, setup, 38, 3), sayer(game, setup)))


def save(name: str, data: bytes) -> None:
    """Write one picture."""
    path = HERE / f"{name}.png"
    path.write_bytes(data)
    print(f"{path.name}: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
