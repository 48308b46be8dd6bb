"""Drawing and encoding a board, against the usual way, for the same positions; and the size of what is sent.

Both draw the positions of one match after warming up on another one, as a bot does that has been running.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from io import BytesIO
from random import Random
from statistics import median
from time import perf_counter

from PIL import Image

import render
from cli.bench import reference
from cli.bench.measure import Line, Work, compare, limit
from cli.bench.playouts import setups
from cli.words import sayer
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Setup
from games.engine.scene import Mark, Scene, Token

PICTURES = 8
"""Pictures a round."""
SAMPLE = 4
"""The usual way draws one picture in this many: it keeps nothing, so none is quicker for the last."""
TYPICAL, FULL, VAST = 40_000, 64_000, 120_000
"""Bytes: of a typical and the fullest picture of a board, and of any picture of a large one or a map."""


def scenes(game: AnyGame, setup: Setup, seed: int) -> list[Scene]:
    """Positions of one random game, a few moves apart, with the marks of the last move.

    An empty board is none of them, nor one that looks like the one before: secret choices are not seen.
    """
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
        if seat != CHANCE and moves % 5 == 4:
            marks = tuple(mark for fact in step.facts for mark in fact.marks)
            scene = game.scene(game.view(state, None), None)
            if scene.tokens and (not found or scene.tokens != found[-1].tokens):
                found.append(replace(scene, marks=scene.marks + marks))
    return found


def crowded(scene: Scene, seed: int, *, guarded: bool = False) -> Scene:
    """Return the same board with something on every place: a pile of five where pieces are piled.

    The pieces are those of this scene; of dice, each line keeps its own. `guarded` also marks every
    place as guarded by every seat.
    """
    random = Random(seed)  # noqa: S311
    height = 5 if any(token.level for token in scene.tokens) else 1
    line = slice(1 if any(token.pips for token in scene.tokens) else 0)
    kinds: dict[str, list[Token]] = {}
    for token in scene.tokens:
        kinds.setdefault(token.at[line], []).append(token)
    tokens = tuple(
        replace(random.choice(kinds[place[line]]), at=place, level=level)
        for place in sorted(scene.board.places)
        for level in range(height)
    )
    guards = tuple(
        Mark("guard", place, panel.ink)
        for place in sorted(scene.board.places)
        for panel in scene.panels
        if guarded
    )
    return replace(scene, tokens=tokens, marks=scene.marks + guards)


def looks() -> Iterator[tuple[str, AnyGame, Setup]]:
    """Yield a named setup for each look that a game's picture may have, by its board and its seats."""
    seen: set[Hashable] = set()
    for game, setup in setups():
        board = game.scene(game.view(game.start(setup).state, None), None).board
        look = (game.key, reference.look_of(board), setup.seats, setup.teams)
        if look not in seen:
            seen.add(look)
            usual = game.setup(setup.seats).options
            changed = (
                key if value is True else str(value)
                for key, value in setup.options.items()
                if value != usual[key]
            )
            yield ", ".join((f"{game.key} {setup.seats}", *changed)), game, setup


def lines(rounds: int) -> Iterator[Line]:
    """Time for each look; then, of each game, the median and the largest picture of each theme."""
    typical: dict[tuple[str, str], list[int]] = {}
    fullest: dict[tuple[str, str], list[int]] = {}
    vast: set[str] = set()
    for name, game, setup in looks():
        say = sayer(game, setup)
        warm, match = scenes(game, setup, 1), scenes(game, setup, 2)
        if match[0].board.large or match[0].board.armies:
            vast.add(game.key)
        size = Image.open(BytesIO(render.draw(match[0], say))).size

        def ours(
            number: int, warm: list[Scene] = warm, match: list[Scene] = match, say: render.Say = say
        ) -> float:
            drawn = warm if number < 0 else match
            begun = perf_counter()
            for scene in drawn:
                render.draw(scene, say)
            return (perf_counter() - begun) * 1000 / len(drawn)

        def theirs(
            number: int, match: list[Scene] = match, say: render.Say = say, size: tuple[int, int] = size
        ) -> float:
            drawn = match[::SAMPLE]
            begun = perf_counter()
            for scene in drawn:
                reference.draw(scene, say, size)
            return (perf_counter() - begun) * 1000 / len(drawn)

        works: tuple[Work, Work] = (ours, theirs)
        yield compare(
            f"picture, {name}, v usual way", "ms", *works, rounds=rounds, target=0.25, better="less"
        )
        for theme in render.THEMES:
            sizes = (len(render.draw(scene, say, theme=theme)) for scene in match)
            typical.setdefault((game.key, theme), []).extend(sizes)
            full = crowded(match[-1], 3, guarded=bool(game.overlays))
            fullest.setdefault((game.key, theme), []).append(len(render.draw(full, say, theme=theme)))
    for (key, theme), found in typical.items():
        yield limit(
            f"typical picture, {key}, {theme}", "bytes", median(found), VAST if key in vast else TYPICAL
        )
        most = max(fullest[key, theme])
        yield limit(f"fullest picture, {key}, {theme}", "bytes", most, VAST if key in vast else FULL)
