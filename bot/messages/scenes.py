"""Build what a viewer may see of a position, once: boards, mirrors, buttons and questions share it.

What is costly of a scene follows from the game, the state and the viewer alone. These are the cache's key, so
that a state that was only tried is never taken for a played one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from cachetools import LRUCache, cached

import render
from bot.messages.geography import crop_scene
from bot.messages.outgoing import File
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.game import AnyGame, Fact, Seat
from games.engine.match import Match
from games.engine.message import msg
from games.engine.scene import Mark, PanelState, Scene

MAX_CACHED = 64
"""Maximum number of cached scenes, about 10 kB each."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """The state of a private view, kept in its buttons: the overlays shown, and the part of the board."""

    overlays: tuple[str, ...] = ()
    part: str = ""
    """Two corners such as `a7-g13`, or a part of a map (see `crop`); empty for the whole board."""

    def toggled(self, key: str) -> ViewState:
        """Return the state with one overlay switched on or off."""
        on = self.overlays
        return replace(self, overlays=tuple(k for k in on if k != key) if key in on else (*on, key))


def base_scene(match: Match, viewer: Seat | None) -> Scene:
    """Return a position's scene for a viewer (None: a spectator), without the marks of what happened."""
    return _as_ended(_scene_of(match.game, match.state, viewer), match)


@cached(LRUCache(MAX_CACHED), key=lambda game, state, viewer: (game.key, state, viewer), lock=Lock())
def _scene_of(game: AnyGame, state: Any, viewer: Seat | None) -> Scene:
    return game.scene(game.view(state, viewer), viewer)


def _as_ended(scene: Scene, match: Match) -> Scene:
    """Return a scene in which nobody is to act once a match is over, though its game could go on.

    So it is after a draw by agreement or a moderator's decision: the state of the game has nothing of them.
    """
    ending = match.ending
    if ending is None or ending.how == "outcome":
        return scene
    if (outcome := ending.outcome) is None:
        idle = tuple(replace(one, state="waiting") if one.state == "to_act" else one for one in scene.panels)
        return replace(scene, panels=idle, headline=msg("match.outcome.none"))
    teams = {match.setup.teams[seat] for seat, rank in enumerate(outcome.ranks) if rank == 1}
    first: PanelState = "won" if len(teams) == 1 else "drawn"
    panels = tuple(
        replace(one, state=first if outcome.ranks[one.seat] == 1 else "lost") if one.state != "out" else one
        for one in scene.panels
    )
    return replace(scene, panels=panels, headline=outcome.why)


def scene_for(
    match: Match,
    viewer: Seat | None,
    facts: Sequence[Fact] = (),
    look: ViewState | None = None,
    marks: tuple[Mark, ...] = (),
) -> Scene:
    """Return a position's scene for a viewer, with the marks of the facts, overlays and zoom of `look`."""
    marks += _marks_of(facts, viewer)
    if look is not None and look.overlays:
        view = match.game.view(match.state, viewer)
        marks += tuple(mark for key in look.overlays for mark in match.game.overlay(view, key))
    scene = _marked(base_scene(match, viewer), marks)
    return scene if look is None or not look.part else crop_scene(scene, look.part)


def frame(match: Match, facts: Sequence[Fact], viewer: Seat | None) -> Scene:
    """Return the scene of a past position, uncached, with the marks of what led to it."""
    scene = match.game.scene(match.game.view(match.state, viewer), viewer)
    return _marked(_as_ended(scene, match), _marks_of(facts, viewer))


@cached(LRUCache(MAX_CACHED), key=lambda match: match.id, lock=Lock())
def side_turns(match: Match) -> dict[Seat | None, int]:
    """Return the quarter turns of the board for each seat's side, and for the public one (None)."""
    game, view = match.game, match.game.view(match.state, None)
    seats = (None, *map(Seat, range(match.setup.seats)))
    return {seat: game.scene(view, seat).turns for seat in seats}


def sides_of_board(match: Match) -> tuple[Seat | None, ...]:
    """Return the seats from whose sides a board looks different, beginning with the public side (None)."""
    found: dict[int, Seat | None] = {}
    for seat, turns in side_turns(match).items():
        found.setdefault(turns, seat)
    return tuple(found.values())


def turned(scene: Scene, match: Match, side: Seat | None) -> Scene:
    """Return a scene of a match as it is seen from a seat's side, with nothing that only the seat knows."""
    turns = side_turns(match)[side]
    return scene if scene.turns == turns else replace(scene, turns=turns)


def _marks_of(facts: Sequence[Fact], viewer: Seat | None) -> tuple[Mark, ...]:
    """Return the marks of the facts that a viewer may know."""
    return tuple(mark for fact in facts if fact.to is None or viewer in fact.to for mark in fact.marks)


def _marked(scene: Scene, marks: tuple[Mark, ...]) -> Scene:
    return replace(scene, marks=scene.marks + marks) if marks else scene


def with_text_board(scene: Scene, reader: Reader, rest: str) -> tuple[str, tuple[File, ...]]:
    """Return a text below a board as text, narrow enough for a phone.

    Where both don't fit into a message, the board is a file beside the text.
    """
    board = render.text_board(scene, reader.say, narrow=True)
    content = "\n".join(filter(None, (f"```\n{board}\n```", rest)))
    if len(content) <= MAX_CONTENT:
        return content, ()
    return rest, (("board.txt", board.encode("utf-8-sig"), reader.say(msg("bot.board.text"))),)


def numbers_file(scene: Scene, reader: Reader) -> tuple[File, ...]:
    """Return a text file that explains the numbers on a crowded map; nothing for other boards."""
    listed = render.legend(scene.board)
    return (("countries.txt", listed.encode("utf-8-sig"), reader.say(msg("maps.numbers"))),) if listed else ()
