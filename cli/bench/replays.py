"""Looking back: a step of a replay, and a frame of an animation, against a board of the same positions.

A step is found in the log, from the positions that are kept, and drawn. It is measured beside boards of the
same positions, all of whose tiles have been drawn before: how many new ones a match needs differs, by up to
three times the cost of a board. Frames and their boards are measured on new matches in each round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import process_time

import render
from bot.platform.discord_limits import MAX_FILE_BYTES
from cli.bench.measure import Line, compare
from cli.words import sayer
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Seat
from games.engine.match import Change, Match, begin, play
from matches.lookback.playback import Timeline, Track
from render import FilmFrame

_ENTRIES = 240
"""Entries of a match."""
_SHOWN = 24
"""Positions a round."""
Drawn = Callable[[object], None]
STEP = 1.3
"""How much a step may cost, in boards."""
FRAME, MAP_FRAME = 3.5, 2.0
"""The same for a frame, on tiles and on maps. Pillow compresses GIF several times slower than we do PNG."""


def match_of(game: AnyGame, seed: int) -> Match:
    """Return a random match of a game's fewest seats."""
    sealed = Sealed(bytes([seed % 256]), f"{game.code}-BENCH{seed}", "bench")
    match, random = begin(game, game.setup(game.seats[0]), sealed).match, Random(seed)  # noqa: S311
    while match.seq < _ENTRIES and match.ending is None:
        seat = min(match.to_act)
        actions = list(game.actions(game.view(match.state, seat), seat))
        change = play(match, Seat(seat), random.choice(actions), sealed)
        if not isinstance(change, Change):
            raise TypeError("a legal action is refused")
        match = change.match
    return match


def _opened(game: AnyGame, number: int) -> tuple[Track, Timeline]:
    track = Track()
    return track, track.timeline(match_of(game, number + 2))


def lines(rounds: int) -> Iterator[Line]:
    """Compare steps and frames with boards, for each game."""
    for game in registry.all_games():
        say = sayer(game, game.setup(game.seats[0]))
        armies = game.scene(game.view(game.start(game.setup(game.seats[0])).state, None), None).board.armies

        def boards(number: int, game: AnyGame = game, say: render.Say = say) -> float:
            track, line = _opened(game, number)
            shown = list(track.positions(line, line.turns[-_SHOWN:]))
            begun = process_time()
            for moment in shown:
                scene = game.scene(game.view(moment.match.state, None), None)
                render.draw(scene, say)
                render.alt_text(scene, say)
            return (process_time() - begun) * 1000 / len(shown)

        def drawn(state: object, game: AnyGame = game, say: render.Say = say) -> None:
            scene = game.scene(game.view(state, None), None)
            render.draw(scene, say)
            render.alt_text(scene, say)

        def same_boards(number: int, game: AnyGame = game, drawn: Drawn = drawn) -> float:
            track, line = _opened(game, number + 100)
            shown = [moment.match.state for moment in track.positions(line, line.turns[-_SHOWN:])]
            for state in shown:
                drawn(state)
            begun = process_time()
            for state in shown:
                drawn(state)
            return (process_time() - begun) * 1000 / len(shown)

        def steps(number: int, game: AnyGame = game, drawn: Drawn = drawn) -> float:
            track, line = _opened(game, number + 100)
            turns = line.turns[-_SHOWN:]
            for moment in track.positions(line, turns):
                drawn(moment.match.state)
            begun = process_time()
            for step in turns:
                drawn(track.position(line, step).match.state)
            return (process_time() - begun) * 1000 / len(turns)

        def frames(number: int, game: AnyGame = game, say: render.Say = say) -> float:
            track, line = _opened(game, number + 200)
            begun = process_time()
            made = []
            for moment in track.positions(line, line.turns[-_SHOWN:]):
                scene = game.scene(game.view(moment.match.state, None), None)
                made.append(FilmFrame(scene, 400, f"{moment.match.plays}. {game.key}", 0))
            render.film(made, say, max_bytes=MAX_FILE_BYTES)
            return (process_time() - begun) * 1000 / len(made)

        for name, work, beside, target in (
            ("step of a replay", steps, same_boards, STEP),
            ("frame of a film", frames, boards, MAP_FRAME if armies else FRAME),
        ):
            title = f"{name}, {game.key}, v board"
            yield compare(title, "ms", work, beside, rounds=rounds, target=target, better="less")
