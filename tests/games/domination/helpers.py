"""Short notation for positions, and actions in their wire form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.domination.game import Domination
from games.domination.maps.world import WORLD
from games.domination.rules import actions, judge, position_json, turns
from games.domination.rules.actions import Action
from games.domination.rules.position import State
from games.engine.dice import Sealed
from games.engine.game import CHANCE, Done, Partial, Player, Rejected, Seat, SeatLook, Setup, Step
from games.engine.message import msg
from games.engine.scene import Scene


class Bare(Domination):
    """The game with the log's notation and without a scene."""

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        return SeatLook(msg("bare"), "red", "disc", "B", "b")

    def read(self, view: Any, seat: int, text: str) -> Done[Any] | Partial | Rejected:
        return Done(self.decode(text), spans=((0, len(text)),))

    def format(self, view: Any, action: actions.Action) -> str:
        return action.text

    def scene(self, view: Any, viewer: int | None) -> Scene:
        raise LookupError("there is no scene here")


GAME = Bare()
SEALED = Sealed(b"players" * 5, "C-1", "salt")
CODES = tuple(country.code for country in WORLD.countries)


def position(
    holds: dict[int, str],
    law: dict[str, Any] | None = None,
    hands: dict[int, str] | None = None,
    **parts: Any,
) -> State:
    """Return a position in which each seat holds countries such as `ala 5 kam`; the first seat gets the rest.

    A country without a number has one army. Hands look like `ala kam *1`. The other parts are those of a
    position in JSON.
    """
    seats = max(2, 1 + max(holds))
    rest = next(iter(holds))
    countries: dict[str, Any] = {code: [rest, 1] for code in CODES}
    for seat, text in holds.items():
        code = ""
        for word in text.split():
            if word.isdigit():
                countries[code][1] = int(word)
            else:
                code = word
                countries[code] = [seat, 1]
    own: list[dict[str, Any]] = parts.pop("own", [{} for _ in range(seats)])
    for seat, cards in (hands or {}).items():
        own[seat]["hand"] = cards.split()
    if "phase" not in parts:
        parts["phase"] = "attack"
    whole: Any = {"law": {"seats": seats, **(law or {})}, "countries": countries, "own": own, **parts}
    return position_json.load(whole)


def actor(state: State) -> Seat:
    """Return who acts: chance, the seat whose turn it is, or the first of several seats."""
    return min(judge.to_act(state.position))


def acted(state: State, players: Sequence[Player], seq: int, seat: Seat | None = None) -> tuple[Seat, Action]:
    """Return who acts next, and the action: drawn by chance, or chosen by a computer from its own view."""
    by = min(judge.to_act(state.position)) if seat is None else seat
    dice = SEALED.dice(seq)
    if by == CHANCE:
        return by, GAME.draw(state, dice)
    return by, players[by].choose(GAME, judge.view(state, by), by, dice)


def step(state: State, wire: str, seat: int | None = None) -> Step[State]:
    """Carry out a legal action."""
    by = actor(state) if seat is None else Seat(seat)
    action = actions.decode(wire)
    refused = judge.refuse(state, by, action)
    assert refused is None, f"{wire}: {refused}"
    if by != CHANCE:
        assert action in judge.legal(judge.view(state, by), by)
    return turns.play(state, by, action)


def act(state: State, *wires: str) -> State:
    """Return the state after some legal actions."""
    for wire in wires:
        state = step(state, wire).state
    return state


def why(state: State, wire: str, seat: int | None = None) -> str:
    """Return why an action is refused, without `domination.refuse.`; empty for a legal one."""
    by = actor(state) if seat is None else Seat(seat)
    action = actions.decode(wire)
    refused = judge.refuse(state, by, action)
    if by != CHANCE:
        assert (action in judge.legal(judge.view(state, by), by)) == (refused is None), wire
    return "" if refused is None else refused.key.removeprefix("domination.refuse.")


def armies(state: State, code: str) -> int:
    """Return the number of armies on a country."""
    return state.position.armies[WORLD.index[code]]


def owner(state: State, code: str) -> int:
    """Return who holds a country."""
    return state.position.owner[WORLD.index[code]]


def keys(facts: Any) -> list[str]:
    """Return the facts' keys, without `domination.fact.`."""
    return [fact.msg.key.rpartition(".")[2] for fact in facts]
