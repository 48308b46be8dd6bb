"""What puzzles ask in Domination: the attack, or the country for all armies, that serves an aim best.

Parts of a turn can be done in nearly any order, so that hardly any is clearly best for the match as the next
one. So a puzzle names the aim: a continent of one's own or of a rival's, or a card. Chances are exact. Where
another move serves a continent better, or beats a rival, there is no puzzle: the aim isn't clear there.
"""

from __future__ import annotations

from typing import Final

from games.domination.rules import actions, move_generator
from games.domination.rules.actions import Action
from games.domination.rules.position import NEUTRAL, NOBODY, Position, View, map_tables
from games.domination.rules.turns import FRESH
from games.domination.view.attack_odds import odds_of
from games.domination.view.reasons import effects
from games.engine.message import Msg, Who, msg
from games.engine.teaching import PuzzleChoice

_LEAST: Final = 3
"""Moves that a puzzle has at least: one in two is guessed."""
_AIMS: Final = frozenset(("completes", "breaks", "beats", "aims", "threatens", "guards"))
"""The kinds of effects that may count more than what a puzzle asks."""


def puzzle_choice(view: View, seat: int) -> PuzzleChoice | None:
    """Return what a puzzle asks of the seat to act at the beginning of a phase of its turn, if anything."""
    position, own = view
    if own is None or position.step != FRESH or position.taken:
        return None
    found: PuzzleChoice | None = None
    if position.phase == "attack":
        found = _battle(position, seat)
    elif position.phase == "place" and position.pool and not move_generator.trades(position, own.hand):
        found = _placement(position, seat)
    return found if found is not None and _is_clear(view, seat, found) else None


def _is_clear(view: View, seat: int, choice: PuzzleChoice) -> bool:
    """Return whether no other move serves any aim better than the best one."""
    aims = [
        {each.kind: each.amount for each in effects(view, seat, move) if each.kind in _AIMS}
        for move in sorted(choice.moves, key=choice.chance, reverse=True)
    ]
    return all(n <= aims[0].get(kind, 0) for other in aims[1:] for kind, n in other.items())


def _battle(position: Position, seat: int) -> PuzzleChoice | None:
    """Return the question for the likeliest attack on a rival's continent, or else for a card."""
    tables = map_tables(position.info.law.atlas)
    every = [
        (src, dst)
        for src in position.held(seat)
        if position.armies[src] > 1
        for dst in tables.borders[src]
        if position.owner[dst] != seat
    ]
    kind, task, rival = "card", msg("domination.puzzle.task.card"), _dearest(position, seat)
    if rival is not None:
        kind, task = "breaks", msg("domination.puzzle.task.breaks", **rival[0])
        every = [pair for pair in every if pair[1] in rival[1]]
    pairs = {_attack(position, *pair): pair for pair in every}
    if len(pairs) < _LEAST:
        return None
    return PuzzleChoice(kind, task, tuple(pairs), lambda action: _wins(position, *pairs[action]))


def _attack(position: Position, src: int, dst: int) -> Action:
    codes = map_tables(position.info.law.atlas).codes
    return actions.attack(codes[src], codes[dst], "until", 1)


def _placement(position: Position, seat: int) -> PuzzleChoice | None:
    """Return the question where all armies serve an attack that completes or breaks a continent."""
    tables, pool = map_tables(position.info.law.atlas), position.pool
    kind, task, targets = "", msg(""), frozenset[int]()
    if (rival := _dearest(position, seat)) is not None:
        kind, task = "place_breaks", msg("domination.puzzle.task.place_breaks", **rival[0])
        targets = rival[1]
    for row, continent in zip(tables.countries_of, position.info.law.atlas.continents, strict=True):
        missing = [at for at in row if position.owner[at] != seat]
        if len(missing) == 1 < len(row) and continent.value:
            names = {"at": tables.display_codes[missing[0]], "continent": continent.name}
            kind, task = "place_completes", msg("domination.puzzle.task.place_completes", **names)
            targets = frozenset(missing)
    near = {
        actions.place(tables.codes[at], pool): (at, [n for n in tables.borders[at] if n in targets])
        for at in position.held(seat)
        if targets.intersection(tables.borders[at])
    }
    if len(near) < _LEAST:
        return None

    def chance(action: Action) -> float:
        at, foes = near[action]
        return max(_wins(position, at, dst, pool) for dst in foes)

    return PuzzleChoice(kind, task, tuple(near), chance)


def _dearest(position: Position, seat: int) -> tuple[dict[str, Msg | Who | str], frozenset[int]] | None:
    """Return whose continent is the dearest that a rival holds, with its name, and its countries."""
    tables, atlas = map_tables(position.info.law.atlas), position.info.law.atlas
    found: list[tuple[int, int]] = []
    for number, row in enumerate(tables.countries_of):
        holders = {position.owner[at] for at in row}
        if tables.values[number] and len(holders) == 1 and not holders & {seat, NEUTRAL, NOBODY}:
            found.append((tables.values[number], number))
    if not found:
        return None
    number = max(found)[1]
    row = tables.countries_of[number]
    names: dict[str, Msg | Who | str] = {
        "who": Who(position.owner[row[0]]),
        "continent": atlas.continents[number].name,
    }
    return names, frozenset(row)


def _wins(position: Position, src: int, dst: int, more: int = 0) -> float:
    """Return the exact chance that an attack with some more armies takes a country, if it never stops."""
    armies, defence = position.armies, position.info.law.defence
    return odds_of(armies[src] + more, armies[dst], "until", 1, defence).wins
