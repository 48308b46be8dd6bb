"""What an action of Dominance leads to, found out slowly from positions as people read them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from games.dominance.board import PLANS
from games.engine.game import AnyGame, Seat


class Look:
    """A position as JSON, by seats."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state = game, state
        found: Any = game.dump(state)
        self.men = [set(found["pieces"][code]) for code in "RB"]
        self.lost = [found["lost"][code] for code in "RB"]
        plan = self.plan = PLANS[found["board"]]
        pairs = [(a, b, between) for a, between, b in plan.opposite]
        for at, near in plan.adjacent.items():
            pairs += [(a, b, at) for a, b in combinations(near, 2) if b in plan.adjacent[a]]
        self.dominated = [{at for a, b, at in pairs if a in men and b in men} for men in self.men]
        self.held = [
            {at for at in plan.spawns if at in men or (at in owned and at not in self.men[1 - seat])}
            for seat, (men, owned) in enumerate(zip(self.men, self.dominated, strict=True))
        ]

    def won(self, seat: int) -> bool:
        outcome = self.game.outcome(self.state)
        return outcome is not None and outcome.ranks[seat] == 1 and outcome.ranks[1 - seat] != 1


def after(game: AnyGame, state: Any, seat: int, action: Any) -> Look:
    return Look(game, game.apply(state, Seat(seat), action).state)


def free_blows(game: AnyGame, state: Any, seat: int) -> dict[str, int]:
    """Return by action how many pieces it takes without a loss."""
    now, found = Look(game, state), {}
    for action in game.actions(state, Seat(seat)):
        then = after(game, state, seat, action)
        if then.lost[seat] == now.lost[seat]:
            found[game.encode(action)] = then.lost[1 - seat] - now.lost[1 - seat]
    return found


def amounts(game: AnyGame, state: Any, seat: Seat, action: Any) -> dict[str, float]:
    was, now, other = Look(game, state), after(game, state, seat, action), Seat(1 - seat)
    if game.outcome(now.state) is not None:
        return {"wins": 1} if now.won(seat) else {"gives_up": 1} if now.won(other) else {}
    near = 0
    if len(now.men[seat]) < 2 and len(now.held[other]) > 2:
        near = 2 * len(now.held[other]) + (not now.men[seat])
    found: dict[str, float] = {
        "takes": now.lost[other] - was.lost[other],
        "falls": now.lost[seat] - was.lost[seat],
        "enters": max(0, len(now.men[seat]) - len(was.men[seat])),
        "holds": len(now.held[seat]),
        "dominates": len(now.dominated[seat]),
        "lock": near,
        "threatens": max(free_blows(game, now.state._replace(turn=seat), seat).values(), default=0),
    }
    if game.to_act(now.state) == {other}:
        if any(after(game, now.state, other, each).won(other) for each in game.actions(now.state, other)):
            found["loses"] = 1
        else:
            found["exposes"] = max(free_blows(game, now.state, other).values(), default=0)
    return {kind: float(n) for kind, n in found.items() if n}


def is_true(
    game: AnyGame, state: Any, seat: Seat, action: Any, kind: str, n: float, said: dict[str, Any]
) -> bool:
    now, other = after(game, state, seat, action), 1 - seat
    if kind == "loses":
        return after(game, now.state, other, game.decode(said["reply"])).won(other)
    if kind == "exposes":
        return bool(free_blows(game, now.state, other)[said["reply"]] == n and said["who"].seat == other)
    if kind == "threatens":
        return bool(free_blows(game, now.state._replace(turn=seat), seat)[said["move"]] == n)
    if kind == "lock":
        return bool(said["n"] == len(now.held[other]) and said["who"].seat == other)
    return True
