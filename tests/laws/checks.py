"""Assertions that hold for every message, scene, fact and outcome of any game."""

from __future__ import annotations

from functools import cache
from typing import Any

from games.engine.game import AnyGame, Fact, Outcome, Rejected, Seat, Setup
from games.engine.message import Msg, msg, seats_in
from games.engine.scene import Hexes, Lines, Mark, Scene
from locales import Catalogue


@cache
def catalogue() -> Catalogue:
    """Return the strict catalogue of all games' texts."""
    return Catalogue(strict=True)


_said: set[tuple[str, frozenset[str]]] = set()


def can_be_said(message: Msg) -> None:
    """Assert that a message has a text with exactly these values in every language; cached by its shape."""
    assert len(str(message)) < 10_000
    shape = (message.key, frozenset(name for name, _ in message.values))
    nested = any(isinstance(value, Msg | tuple) for _, value in message.values)
    if nested or shape not in _said:
        assert list(message.values) == sorted(message.values, key=lambda pair: pair[0])
        for language in catalogue().languages:
            assert catalogue().say(message, language)
        _said.add(shape)


def can_be_drawn(message: Msg) -> None:
    """Assert that a message can stand in a picture, which knows no names of seats: it says "Seat 1" there."""
    can_be_said(message)
    assert not [*seats_in(message)], f"{message.key} has a Who: use the seat's look"


def on_board(scene: Scene, places: frozenset[str]) -> None:
    """Assert that everything in a scene is on its board, and that all glyphs and texts it names exist."""
    levels: dict[str, list[int]] = {}
    for token in scene.tokens:
        assert token.at in places
        assert token.glyph in scene.glyphs
        assert 1 <= len(token.code) <= 2
        if token.name is not None:
            can_be_drawn(token.name)
        levels.setdefault(token.at, []).append(token.level)
    for at, found in levels.items():
        assert sorted(found) == list(range(len(found))), f"the pieces on {at} have gaps"
    marks_on_board(scene.marks, places)
    assert 0 <= scene.turns < 4
    assert not isinstance(scene.board, Hexes | Lines) or scene.turns in (0, 2)
    assert [panel.seat for panel in scene.panels] == list(range(len(scene.panels)))
    can_be_drawn(scene.headline)
    for panel in scene.panels:
        assert panel.glyph in scene.glyphs
        can_be_drawn(panel.name)
        for badge in panel.badges:
            can_be_drawn(badge.label)
        for row in panel.rows:
            can_be_drawn(row.label)
            for item in row.items:
                assert item.count > 0
                assert item.glyph in scene.glyphs


def marks_on_board(marks: tuple[Mark, ...], places: frozenset[str]) -> None:
    """Assert that all marks are at places of the board."""
    assert all(mark.at in places for mark in marks)


def board(scene: Scene) -> frozenset[str]:
    """Return the names of the places of a scene's board."""
    return scene.board.places


def offers_hold(game: AnyGame, view: Any, seat: Seat, places: frozenset[str]) -> None:
    """Assert that buttons type valid texts, odds sum to 1, and overlays fit the board and have names."""
    shortcuts = game.shortcuts(view, seat)
    assert len(shortcuts) <= 10
    assert len({shortcut.text for shortcut in shortcuts}) == len(shortcuts)
    for shortcut in shortcuts:
        can_be_said(shortcut.label)
        assert 0 < len(shortcut.text) <= 40
        assert ":" not in shortcut.text
        assert not isinstance(game.parse(view, seat, shortcut.text), Rejected), shortcut.text
    odds = game.odds(view, seat, "")
    assert not isinstance(odds, Rejected)
    legal = {game.format(view, action) for action in game.actions(view, seat)}
    for each in odds:
        assert each.text in legal
        assert sum(chance for chance, _ in each.chances) == 1
        assert all(chance > 0 for chance, _ in each.chances)
        for _, what in each.chances:
            can_be_said(what)
        assert game.odds(view, seat, each.text) == (each,)
    for key in game.overlays:
        can_be_said(msg(f"{game.key}.overlay.{key}"))
        marks_on_board(game.overlay(view, key), places)


def facts_hold(facts: tuple[Fact, ...], setup: Setup, places: frozenset[str]) -> None:
    """Assert that facts have texts, mark places of the board, and are for existing seats."""
    for fact in facts:
        can_be_said(fact.msg)
        marks_on_board(fact.marks, places)
        assert fact.to is None or fact.to <= set(range(setup.seats))
        assert 0 <= fact.line < 5


def outcome_holds(outcome: Outcome, setup: Setup) -> None:
    """Assert that all seats have ranks, as in a race of teams, and that team mates share theirs."""
    assert len(outcome.ranks) == setup.seats
    of_team = dict(zip(setup.teams, outcome.ranks, strict=True))
    assert outcome.ranks == tuple(of_team[team] for team in setup.teams)
    for rank in of_team.values():
        assert rank == 1 + sum(other < rank for other in of_team.values())
    can_be_said(outcome.why)
    assert catalogue().say(outcome.why, "en")[-1] not in ".!", "hosts go on after it, or end the sentence"


def rejection_holds(game: AnyGame, text: str, found: Rejected) -> None:
    """Assert that a rejection has a text and a span within the typed one."""
    can_be_said(found.why)
    start, end = found.span
    assert 0 <= start <= end <= len(text), f"{game.key} points at {found.span} of {text!r}"
