"""Drawing and encoding a board, against the usual way, for the same positions; and the size of what is sent.

Both draw the positions of one match after warming up on another one, as a bot does that has been running.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from random import Random
from statistics import median
from time import perf_counter

from PIL import Image

import render
from cli.bench import reference
from cli.bench.measure import Line, Work, compare, limit
from cli.bench.playouts import SETUPS
from cli.words import sayer
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Setup
from games.engine.scene import Scene, Token

PICTURES = 8
"""Pictures a round."""
TYPICAL, FULL = 40_000, 64_000
"""Bytes."""


def scenes(game: AnyGame, setup: Setup, seed: int) -> list[Scene]:
    """Positions of one random game, a few moves apart, with the marks of the last move."""
    random = Random(seed)  # noqa: S311 - a benchmark wants the same games every time
    state = game.start(setup).state
    found: list[Scene] = []
    moves = 0
    while (acting := game.to_act(state)) and len(found) < PICTURES:
        seat = next(iter(acting))
        if seat == CHANCE:
            step = game.apply(state, seat, game.draw(state, Dice(random.randbytes(32), "bench", 0, "")))
        else:
            step = game.apply(state, seat, random.choice(list(game.actions(game.view(state, seat), seat))))
            moves += 1
        state = step.state
        if moves % 5 == 4:
            marks = tuple(mark for fact in step.facts for mark in fact.marks)
            found.append(replace(game.scene(game.view(state, None), None), marks=marks))
    return found


def crowded(scene: Scene, seed: int) -> Scene:
    """The same board with a pile of five on every space."""
    random = Random(seed)  # noqa: S311
    looks = {(token.glyph, token.ink, token.code) for token in scene.tokens}
    kinds = sorted(looks)
    board = scene.board
    tokens = (
        Token(square, *random.choice(kinds), level) for square in sorted(board.places) for level in range(5)
    )
    return replace(scene, tokens=tuple(tokens))


def lines(rounds: int) -> Iterator[Line]:
    """Time for each set-up; then the median and the largest picture of each theme."""
    game = registry.get("focus")
    typical: dict[str, list[int]] = {theme: [] for theme in render.THEMES}
    fullest: dict[str, list[int]] = {theme: [] for theme in render.THEMES}
    for name, seats, options in SETUPS:
        setup = game.setup(seats, options)
        say = sayer(game, setup)
        warm, match = scenes(game, setup, 1), scenes(game, setup, 2)
        size = Image.open(BytesIO(render.draw(match[0], say))).size

        def ours(
            number: int, warm: list[Scene] = warm, match: list[Scene] = match, say: render.Say = say
        ) -> float:
            begun = perf_counter()
            for scene in warm if number < 0 else match:
                render.draw(scene, say)
            return (perf_counter() - begun) * 1000 / PICTURES

        def theirs(
            number: int, match: list[Scene] = match, say: render.Say = say, size: tuple[int, int] = size
        ) -> float:
            begun = perf_counter()
            for scene in match:
                reference.draw(scene, say, size)
            return (perf_counter() - begun) * 1000 / PICTURES

        works: tuple[Work, Work] = (ours, theirs)
        yield compare(
            f"picture, {name}, v usual way", "ms", *works, rounds=rounds, target=0.25, better="less"
        )
        for theme in render.THEMES:
            typical[theme] += (len(render.draw(scene, say, theme=theme)) for scene in match)
            fullest[theme].append(len(render.draw(crowded(match[-1], 3), say, theme=theme)))
    for theme in render.THEMES:
        yield limit(f"typical picture, {theme}", "bytes", median(typical[theme]), TYPICAL)
        yield limit(f"fullest picture, {theme}", "bytes", max(fullest[theme]), FULL)
