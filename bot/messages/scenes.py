"""Build what a viewer may see of a position, once: boards, mirrors, buttons and questions share it.

A scene follows from the game, the state and the viewer alone. These are the cache's key, so that a state that
was only tried is never taken for a played one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from cachetools import LRUCache, cached

from bot.messages.kinds import crop_scene
from games.engine.game import AnyGame, Fact, Seat
from games.engine.match import Match, walk
from games.engine.scene import Mark, Scene

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
    return _scene_of(match.game, match.state, viewer)


@cached(LRUCache(MAX_CACHED), key=lambda game, state, viewer: (game.key, state, viewer), lock=Lock())
def _scene_of(game: AnyGame, state: Any, viewer: Seat | None) -> Scene:
    return game.scene(game.view(state, viewer), viewer)


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


def frames_of(match: Match, viewer: Seat | None) -> list[Scene]:
    """Return a scene for each entry of a match's log, uncached: takes as long as replaying the match."""
    return [frame(past, facts, viewer) for past, facts in walk(match.log)]


def frame(match: Match, facts: Sequence[Fact], viewer: Seat | None) -> Scene:
    """Return the scene of a past position, uncached, with the marks of what led to it."""
    scene = match.game.scene(match.game.view(match.state, viewer), viewer)
    return _marked(scene, _marks_of(facts, viewer))


def _marks_of(facts: Sequence[Fact], viewer: Seat | None) -> tuple[Mark, ...]:
    """Return the marks of the facts that a viewer may know."""
    return tuple(mark for fact in facts if fact.to is None or viewer in fact.to for mark in fact.marks)


def _marked(scene: Scene, marks: tuple[Mark, ...]) -> Scene:
    return replace(scene, marks=scene.marks + marks) if marks else scene
