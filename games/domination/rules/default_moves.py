"""The default actions of a seat that doesn't act: harmless ones, without attacks.

Cards are traded only if they must be; armies are placed where the border is most threatened.
"""

from __future__ import annotations

from games.domination.rules import battles, move_generator
from games.domination.rules.actions import DONE, END, KEEP, STOP, Action, move, place, with_code
from games.domination.rules.goals import claimable
from games.domination.rules.position import NEUTRAL, Position, Secrets, View, map_tables
from games.domination.rules.turns import must_trade


def default(view: View, seat: int) -> Action | None:
    """Return a legal action, always the same, for a seat that is to act; None if `view` isn't a seat's."""
    position, own = view
    if own is None:
        return None
    codes = map_tables(position.info.law.atlas).codes
    match position.phase:
        case "place" if must_trade(position, own):
            return _best_trade(position, own)
        case "place" if not position.pool:
            return KEEP
        case "place":
            return place(codes[most_threatened(position, seat)], position.pool)
        case "setup":
            return place(codes[most_threatened(position, seat)], own.pool)
        case "claim":
            return DONE if own.wishes else with_code("claim", codes[_best_claim(position, seat)])
        case "capital":
            safest = min(position.held(seat), key=lambda at: (threat(position, seat, at), at))
            return with_code("capital", codes[safest])
        case "attack":
            return END
        case "move":
            return move(battles.move_in_range(position)[0])
        case "vote":
            return STOP
        case _:
            return None


def threat(position: Position, seat: int, country: int) -> int:
    """Return the armies that may attack a country of the seat, less those that defend it.

    The neutral army never attacks.
    """
    owner, armies = position.owner, position.armies
    into = map_tables(position.info.law.atlas).into[country]
    near = sum(armies[n] for n in into if owner[n] not in (seat, NEUTRAL))
    return near - armies[country] if near else -armies[country] - 10**6


def most_threatened(position: Position, seat: int) -> int:
    """Return the seat's most threatened country."""
    return max(position.held(seat), key=lambda country: (threat(position, seat, country), -country))


def _best_claim(position: Position, seat: int) -> int:
    """Return the free country with the most neighbours of the seat's own."""
    borders, owner = map_tables(position.info.law.atlas).borders, position.owner
    return max(claimable(position), key=lambda n: (sum(owner[m] == seat for m in borders[n]), -n))


def _best_trade(position: Position, own: Secrets) -> Action:
    """Return the trade that brings the most armies."""
    trades = move_generator.trades(position, own.hand)
    return max(trades, key=lambda action: (move_generator.trade_value(position, action), bool(action.b)))
