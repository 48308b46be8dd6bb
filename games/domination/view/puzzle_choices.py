"""What puzzles ask in Domination: where all armies go, the only attack of a turn, or its last move.

Parts of a turn can be done in nearly any order, so that hardly any of them is clearly best as the next one.
So a puzzle asks about one part as if it were the only one of its kind.
"""

from __future__ import annotations

from games.domination.rules import actions, battles, default_moves, judge, move_generator
from games.domination.rules.actions import END, Action
from games.domination.rules.position import NOBODY, Position, View, map_tables
from games.domination.rules.turns import FRESH
from games.domination.view.reasons import enemies_at
from games.engine.puzzle_choice import NO_CHOICE, PuzzleChoice


def puzzle_choice(view: View, seat: int) -> PuzzleChoice:
    """Return what a puzzle asks of the seat to act: at the beginning of a phase of its turn, or nothing."""
    position, own = view
    if own is None or position.step != FRESH:
        return NO_CHOICE
    if position.phase == "place" and not move_generator.trades(position, own.hand):
        tables = map_tables(position.info.law.atlas)
        border = [
            at
            for at in position.held(seat)
            if any(position.owner[n] not in (seat, NOBODY) for n in tables.borders[at])
        ]
        return PuzzleChoice("place", tuple(actions.place(tables.codes[at], position.pool) for at in border))
    if position.phase != "attack":
        return NO_CHOICE
    if not position.taken:
        return PuzzleChoice("battle", (*_battles(position, seat), END), rest)
    return PuzzleChoice("last", (*_furthest(view, seat), END))


def rest(view: View, seat: int) -> Action:
    """Return what follows the only attack: all move in where more enemies are near, and the turn ends."""
    position = view.position
    if position.phase == "attack":
        return END
    if position.attack is None:
        return default_moves.default(view, seat) or END
    low, high = battles.move_in_range(position)
    here, there = (enemies_at(position, seat, at) for at in (position.attack.src, position.attack.dst))
    return actions.move(high if there >= here else low)


def _battles(position: Position, seat: int) -> list[Action]:
    """Return the attacks with more armies than they meet, each to the last army or until three are left."""
    codes, borders, *_ = map_tables(position.info.law.atlas)
    armies = position.armies
    return [
        actions.attack(codes[src], codes[dst], "until", left)
        for src in position.held(seat)
        for dst in borders[src]
        if position.owner[dst] != seat and armies[src] > armies[dst]
        for left in (1, 3)
        if armies[src] > left
    ]


def _furthest(view: View, seat: int) -> list[Action]:
    """Return the last moves of as many armies as possible."""
    rows = judge.legal_rows(view, seat)
    return [row[-1] for row in rows if row and row[-1].kind == "fortify"]
