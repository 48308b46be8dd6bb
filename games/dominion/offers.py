"""Buttons, default actions, warnings and exact odds of Dominion."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.dominion import facts, fate, judge, turns
from games.dominion.actions import PASS, STAY, Action, sergeants
from games.dominion.answers import sort_of, write
from games.dominion.board import DEFAULT_SERGEANTS, NAMES
from games.dominion.moves import piece_name
from games.dominion.position import (
    EMPEROR,
    NOBODY,
    PRINCE,
    SOLDIER,
    Position,
    State,
    find,
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
_CHOICES: Final = frozenset(fate.CHOICES.values())


def default(place: Position, seat: int) -> Action | None:
    """Return the default action of a seat that is to act; None for a move, which only it can decide."""
    if place.phase == "sergeants":
        code = piece(seat, SOLDIER)
        a, b = DEFAULT_SERGEANTS[place.law.sides[seat]]
        if place.board[a] == place.board[b] == code:
            return sergeants(a, b)
        first, second, *_ = (at for at, there in enumerate(place.board) if there == code)
        return sergeants(first, second)
    if place.phase == "heir":
        return STAY
    if place.phase in _CHOICES:
        return fate.safe_choice(place, seat)
    return PASS if judge.legal(place, seat) == [PASS] else None


# --- buttons ---------------------------------------------------------------------------------------------


def shortcuts(place: Position, seat: int) -> tuple[Shortcut, ...]:
    """Return buttons for Sergeants, answers to Fate, an heir, a pass; none for the many ordinary moves."""
    legal = judge.legal(place, seat)
    safe = default(place, seat) if legal else None
    if safe is None:
        return ()
    if place.phase == "sergeants":
        pair = msg("dominion.button.pair", first=NAMES[safe.a], second=NAMES[safe.b])
        return Shortcut(pair, AUTO), Shortcut(msg("dominion.button.two"), "sgt")
    if place.phase == "heir":
        return Shortcut(msg("dominion.button.stay"), "stay"), Shortcut(
            msg("dominion.button.prince"), "prince"
        )
    if place.phase == "move":
        return (Shortcut(msg("dominion.button.pass"), "pass"),)
    auto = Shortcut(msg("dominion.button.auto", what=_label(place, safe)), AUTO)
    if len(legal) > MAX_BUTTONS:
        sort = sort_of(place)
        return Shortcut(msg(f"dominion.button.{sort}"), "place" if sort == "peasant" else sort), auto
    found = [Shortcut(_label(place, action), write(place, action)) for action in legal]
    return (*found, auto) if 1 < len(found) < MAX_BUTTONS else tuple(found)


def _label(place: Position, action: Action) -> Msg:
    """Return the button label of an answer to Fate."""
    if action.kind == "peasant":
        return msg("dominion.button.place", square=NAMES[action.a])
    old = piece_name(kind_of(place.board[action.a]))
    return msg("dominion.button.rank", new=piece_name(action.b), old=old, square=NAMES[action.a])


# --- warnings --------------------------------------------------------------------------------------------


def caution(place: Position, seat: int, action: Action) -> Msg | None:
    """Warn if an enemy could take the mover's Emperor right after a move; None for other actions.

    Of several enemies, name the next to move. One whose Emperor fell can only move its Prince.
    """
    if action.kind not in ("move", "stay"):
        return None
    after = _after(place, seat, action)
    at = find(after.board, seat, EMPEROR)
    if after.outcome is not None or at == NOBODY:
        return None
    seats = len(place.law.sides)
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


def _after(place: Position, seat: int, action: Action) -> Position:
    return turns.play(State(place, (None,) * len(place.law.sides)), seat, action).state.position


# --- chances ---------------------------------------------------------------------------------------------


def odds(place: Position, seat: int, action: Action) -> Odds:
    """Return the chances of Fate at the end of a turn with this move; an heir's turn has no throw."""
    text = write(place, action)
    after = _after(place, seat, action)
    if after.phase != "fate":
        what = "over" if after.phase == "over" else "none"
        return Odds(text, ((Fraction(1), msg(f"dominion.odds.{what}")),))
    law = place.law
    yes = Fraction(1, law.fate)
    chances: dict[Msg, Fraction] = {msg("dominion.odds.no"): 1 - yes}
    for n in fate.faces(law):
        what_follows = _result(after, n)
        chances[what_follows] = chances.get(what_follows, Fraction(0)) + yes * facts.sticks_chance(law, n)
    ranked = sorted(chances.items(), key=lambda item: -item[1])
    return Odds(text, tuple((chance, said) for said, chance in ranked))


def _result(place: Position, n: int) -> Msg:
    """Return the event of a number of the sticks, with the squares to choose from."""
    event = fate.CHOICES.get(n)
    if event is None:
        return msg("dominion.odds.nothing")
    if event == "peasant":
        return msg("dominion.odds.peasant")
    named = msg(f"dominion.event.{event}")
    squares: tuple[Value, ...] = tuple(
        dict.fromkeys(NAMES[each.a] for each in fate.choices(place, event, place.turn))
    )
    if not squares:
        return msg("dominion.odds.idle", event=named)
    return msg("dominion.odds.event", event=named, squares=squares)
