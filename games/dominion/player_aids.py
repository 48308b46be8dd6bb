"""Buttons, default actions, warnings and exact odds of Dominion."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.dominion import facts, fate, judge, turns
from games.dominion.actions import PASS, STAY, Action, sergeants
from games.dominion.answers import request_of, write
from games.dominion.board import DEFAULT_SERGEANTS, NAMES
from games.dominion.moves import piece_name
from games.dominion.position import (
    EMPEROR,
    NOBODY,
    PRINCE,
    SOLDIER,
    Position,
    State,
    View,
    find_piece,
    kind_of,
    owner,
    piece,
)
from games.engine.game import Odds, Shortcut
from games.engine.message import Msg, Value, Who, msg

MAX_BUTTONS: Final = 10
"""Maximum number of buttons."""
AUTO: Final = "auto"
"""The typed word for the safe answer."""


def default(position: Position, seat: int) -> Action | None:
    """Return the default action of a seat that is to act; None for a move, which only it can decide."""
    if position.phase == "sergeants":
        code = piece(seat, SOLDIER)
        a, b = DEFAULT_SERGEANTS[position.law.sides[seat]]
        if position.board[a] == position.board[b] == code:
            return sergeants(a, b)
        first, second, *_ = (at for at, there in enumerate(position.board) if there == code)
        return sergeants(first, second)
    if position.phase == "heir":
        return STAY
    if position.phase in fate.CHOICE_PHASES:
        return fate.safe_choice(position, seat)
    return PASS if judge.legal(position, seat) == [PASS] else None


# --- buttons ---------------------------------------------------------------------------------------------


def shortcuts(view: View, seat: int) -> tuple[Shortcut, ...]:
    """Return buttons for Sergeants, answers to Fate, an heir, a pass; none for the many ordinary moves."""
    position = view.position
    legal = judge.legal(position, seat)
    safe = default(position, seat) if legal else None
    if safe is None:
        return ()
    if position.phase == "sergeants":
        pair = msg("dominion.button.pair", first=NAMES[safe.a], second=NAMES[safe.b])
        return Shortcut(pair, AUTO), Shortcut(msg("dominion.button.two"), "sgt")
    if position.phase == "heir":
        stay = Shortcut(msg("dominion.button.stay"), "stay")
        return stay, Shortcut(msg("dominion.button.prince"), "prince")
    if position.phase == "move":
        return (Shortcut(msg("dominion.button.pass"), "pass"),)
    auto = Shortcut(msg("dominion.button.auto", what=_label(position, safe)), AUTO)
    if len(legal) > MAX_BUTTONS:
        request = request_of(position)
        return Shortcut(msg(f"dominion.button.{request}"), "place" if request == "peasant" else request), auto
    found = [Shortcut(_label(position, action), write(position, action)) for action in legal]
    return (*found, auto) if 1 < len(found) < MAX_BUTTONS else tuple(found)


def _label(position: Position, action: Action) -> Msg:
    """Return the button label of an answer to Fate."""
    if action.kind == "peasant":
        return msg("dominion.button.place", square=NAMES[action.a])
    old = piece_name(kind_of(position.board[action.a]))
    return msg("dominion.button.rank", new=piece_name(action.b), old=old, square=NAMES[action.a])


# --- warnings --------------------------------------------------------------------------------------------


def caution(view: View, seat: int, action: Action) -> Msg | None:
    """Warn if an enemy could take the mover's Emperor right after a move; None for other actions.

    Of several enemies, name the next to move. One whose Emperor fell can only move its Prince.
    """
    position = view.position
    if action.kind not in ("move", "stay"):
        return None
    after = _after(position, seat, action)
    at = find_piece(after.board, seat, EMPEROR)
    if after.outcome is not None or at == NOBODY:
        return None
    seats = len(position.law.sides)
    able = [
        src
        for src in judge.threats(after, seat, at)
        if owner(after.board[src]) not in after.pending or kind_of(after.board[src]) == PRINCE
    ]
    src = min(able, key=lambda each: (owner(after.board[each]) - seat) % seats, default=NOBODY)
    if src == NOBODY:
        return None
    code = after.board[src]
    return msg(
        "dominion.caution.emperor",
        at=NAMES[at],
        piece=piece_name(kind_of(code)),
        square=NAMES[src],
        who=Who(owner(code)),
    )


def _after(position: Position, seat: int, action: Action) -> Position:
    return turns.play(State(position, (None,) * len(position.law.sides)), seat, action).state.position


# --- chances ---------------------------------------------------------------------------------------------


def odds(position: Position, seat: int, action: Action) -> Odds:
    """Return the chances of Fate at the end of a turn with this move; an heir's turn has no throw."""
    text = write(position, action)
    after = _after(position, seat, action)
    if after.phase != "fate":
        what = "over" if after.phase == "over" else "none"
        return Odds(text, ((Fraction(1), msg(f"dominion.odds.{what}")),))
    law = position.law
    yes = Fraction(1, law.fate)
    chances: dict[Msg, Fraction] = {msg("dominion.odds.no"): 1 - yes}
    for n in fate.faces(law):
        what_follows = _result(after, n)
        chances[what_follows] = chances.get(what_follows, Fraction(0)) + yes * facts.sticks_chance(law, n)
    ranked = sorted(chances.items(), key=lambda item: -item[1])
    return Odds(text, tuple((chance, message) for message, chance in ranked))


def _result(position: Position, n: int) -> Msg:
    """Return the event of a number of the sticks, with the squares to choose from."""
    event = fate.CHOICE_BY_STICKS.get(n)
    if event is None:
        return msg("dominion.odds.nothing")
    if event == "peasant":
        return msg("dominion.odds.peasant")
    named = msg(f"dominion.event.{event}")
    squares: tuple[Value, ...] = tuple(
        dict.fromkeys(NAMES[each.a] for each in fate.choices(position, event, position.turn))
    )
    if not squares:
        return msg("dominion.odds.idle", event=named)
    return msg("dominion.odds.event", event=named, squares=squares)
