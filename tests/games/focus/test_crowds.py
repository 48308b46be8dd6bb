"""Crowded positions at random: turns compared with the literal game; the laws of draws and resignations."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from games.engine.game import Done, Seat
from games.focus import GAME
from games.focus.rules import State
from tests.games.focus import literal
from tests.games.focus.helpers import VARIANTS, after, legal, position, result, seat_to_act, turn
from tests.games.focus.test_against_literal import assert_same, twin
from tests.soak import SOAK

CROWDS = 600 if SOAK else 45
"""Crowds for each variant."""
PIECES = {2: 18, 3: 12, 4: 13}
"""Pieces of each colour, but for the thirteenth ones of three players."""
MANY = [name for name, (seats, options) in VARIANTS.items() if seats > 2 and not options.get("partners")]
"""The variants in which a resignation doesn't end the game."""


def crowd(rng: Random, variant: str) -> State | None:
    """Return a position with piles of any height; None if no game can be there."""
    seats, options = VARIANTS[variant]
    colours, spaces = literal.PLAYERS[seats], literal.spaces()
    deck = [colour for colour in colours for _ in range(PIECES[seats])]
    weights = [rng.choice((0, 1, 4)) for _ in colours]
    board: dict[str, list[str]] = {}
    for space in rng.sample(spaces, rng.choice((2, 5, 12))):
        for _ in range(rng.choice((1, 2, 4, 5, 5))):
            top = rng.choices(colours, weights if any(weights) else None)[0]
            if top in deck:
                deck.remove(top)
                board.setdefault(space, []).append(top)
    taken: dict[str, list[str]] = {colour: [] for colour in colours}
    reserve = dict.fromkeys(colours, 0)
    while deck:
        piece, by = deck.pop(), rng.choice(colours)
        friends = piece == by or (options.get("partners") and literal.PARTNER[piece] == by)
        if friends:
            reserve[piece] += rng.random() < 0.2
        elif rng.random() < (0.1 if options.get("fast") else 0.8):
            taken[by].append(piece)
    piles = " ".join(f"{space}={''.join(pile)}" for space, pile in board.items())
    aside = "".join(colour for colour in colours if seats == 3 and rng.random() < 0.2)
    more: dict[str, Any] = {
        "reserve": {colour: n for colour, n in reserve.items() if n},
        "captured": {by: {c: row.count(c) for c in colours if c in row} for by, row in taken.items() if row},
        "thirteenth": aside,
    }
    over = [
        literal.LiteralState(
            colours, False, False, {s: board.get(s, []) for s in spaces}, c, reserve, taken, list(aside)
        )
        for c in colours
    ]
    able = [table.mover for table in over if not literal.stuck(table, table.mover)]
    sides = {c if not options.get("partners") else "".join(sorted((c, literal.PARTNER[c]))) for c in able}
    if len(sides) < 2:
        return None
    return position(piles, rng.choice(able), seats, **options, **more)


@cache
def crowds(variant: str) -> list[State]:
    """Return the crowds of a variant."""
    rng, found = Random(f"{variant} 1"), list[State]()
    while len(found) < CROWDS:
        if (state := crowd(rng, variant)) is not None:
            found.append(state)
    return found


def again(state: State, line: str, times: int, **more: Any) -> State:
    """Return the position as if another one, given as in JSON, had been there before."""
    data: Any = GAME.dump(state)
    return GAME.load(data | {"past": [line] * times + data["past"][-1:], "quiet": times} | more, 1)


def line_of(state: State) -> str:
    """Return a position as it is remembered in JSON."""
    data: Any = GAME.dump(state)
    return str(data["past"][-1])


def marks(state: State, text: str) -> set[tuple[str, str]]:
    """Return what the board marks after a move."""
    seat = seat_to_act(state)
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done)
    return {(mark.kind, mark.at) for mark in GAME.apply(state, seat, read.action).facts[0].marks}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_turn_does_what_the_literal_game_does(variant: str) -> None:
    rng = Random(variant)
    for state in crowds(variant):
        table = twin(state)
        assert sorted(legal(state)) == sorted(literal.moves(table))
        texts = legal(state)
        for text in rng.sample(texts, min(25, len(texts))):
            played, expected = after(state, text), literal.play(table, text)
            assert_same(played, expected)
            assert (played.ended is None) == (expected.winner is None)
            assert (played.variant.colours[played.turn]) == (expected.winner or expected.mover)
            calm = expected.taken == table.taken
            captured = set() if calm else {("captured", text[-2:])}
            moved = {("from", text[:2])} if "-" in text else set()
            assert marks(state, text) == {("to", text[-2:]), *moved, *captured}
            if expected.winner is None:
                assert played.quiet == (state.quiet + 1 if calm else 0)
            else:
                winners = [literal.friends(table, c, expected.winner) for c in table.players]
                assert [rank == 1 for rank in result(played)[1]] == winners


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_turn_without_capture_draws_the_third_time_or_after_thirty_for_each_seat(variant: str) -> None:
    rng, limit = Random(variant), 30 * VARIANTS[variant][0]
    for state in crowds(variant):
        text = rng.choice(legal(state))
        played = after(state, text)
        if played.ended is not None:
            continue
        if played.captured != state.captured:
            assert after(again(state, line_of(state), 0, quiet=limit - 1), text).ended is None
            continue
        for times in (0, 1, 2):
            if not any(state.thirteenth):
                ended = after(again(state, line_of(played), times), text).ended
                assert ended == ("repetition" if times == 2 else None)
        for quiet in (limit - 2, limit - 1):
            ended = after(again(state, line_of(state), 0, quiet=quiet), text).ended
            assert ended == ("quiet" if quiet == limit - 1 else None)


@pytest.mark.parametrize("variant", MANY)
def test_who_resigns_hands_the_turn_on_and_the_third_time_is_a_draw(variant: str) -> None:
    drawn = 0
    for state in crowds(variant):
        table = twin(state)
        players, mover = table.players, table.mover
        for leaver, colour in enumerate(players):
            step = GAME.forfeit(state, Seat(leaver), "resign").state
            order = [players[(leaver + n) % len(players)] for n in range(1, len(players))]
            able = [each for each in order if not literal.stuck(table, each)]
            if len(able) == 1:
                assert result(step)[0] == "standing"
                assert [rank == 1 for rank in result(step)[1]] == [each == able[0] for each in players]
                continue
            assert turn(step) == (able[0] if colour == mover else mover)
            assert {players[seat] for seat in step.resigned} == {colour}
            if colour != mover:
                assert step.past == state.past
                continue
            for times in (0, 1, 2):
                found = GAME.forfeit(again(state, line_of(step), times), Seat(leaver), "resign").state
                assert found.ended == ("repetition" if times == 2 else None)
            assert [rank == 1 for rank in result(found)[1]] == [each in able for each in players]
            drawn += 1
    assert drawn


@pytest.mark.parametrize("variant", MANY)
def test_who_resigned_is_passed_over_and_wins_nothing(variant: str) -> None:
    rng = Random(variant)
    for state in crowds(variant):
        leaver = rng.randrange(len(state.variant.colours))
        played = GAME.forfeit(state, Seat(leaver), "resign").state
        for _ in range(8):
            if played.ended is not None:
                assert result(played)[1][leaver] == max(result(played)[1])
                break
            assert seat_to_act(played) != leaver
            played = after(played, rng.choice(legal(played)))
