"""What a move of Focus leads to, found out slowly from positions as people read them."""

from __future__ import annotations

from typing import Any

from games.engine.game import AnyGame, Seat
from games.engine.message import Who
from games.focus.board import SEAT_COLOURS


class Look:
    """A position as JSON, by seats."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state = game, state
        found: Any = game.dump(state)
        self.piles: dict[str, str] = found["piles"]
        self.letters = SEAT_COLOURS[found["seats"]]
        self.hand = [found["reserve"].get(letter, 0) for letter in self.letters]
        self.captures = [sum(found["captured"].get(letter, {}).values()) for letter in self.letters]
        self.teams = [seat % 2 if found["partners"] else seat for seat in range(len(self.letters))]
        self.gone = {self.letters.index(letter) for letter in found["resigned"]}

    def holder(self, at: str) -> int | None:
        pile = self.piles.get(at)
        return self.letters.index(pile[-1]) if pile else None

    def foe(self, seat: int, at: str) -> bool:
        other = self.holder(at)
        return other is not None and self.teams[other] != self.teams[seat] and other not in self.gone

    def winners(self) -> set[int]:
        outcome = self.game.outcome(self.state)
        if outcome is None or (outcome.ranks.count(1) > 1 and len(set(self.teams)) == len(self.teams)):
            return set()
        return (
            {seat for seat, rank in enumerate(outcome.ranks) if rank == 1}
            if len(set(outcome.ranks)) > 1
            else set()
        )


def after(game: AnyGame, state: Any, seat: int, action: Any) -> Look:
    return Look(game, game.apply(state, Seat(seat), action).state)


def amounts(game: AnyGame, state: Any, seat: Seat, action: Any) -> dict[str, float]:
    was, now = Look(game, state), after(game, state, seat, action)
    if game.outcome(now.state) is not None:
        return {"wins": 1} if seat in now.winners() else {}
    text = game.encode(action)
    target, first = text[-2:], state.thirteenth[seat]
    spent = text.startswith("+") and not first
    found: dict[str, float] = {
        "captures": now.captures[seat] - was.captures[seat],
        "keeps": now.hand[seat] - was.hand[seat] + spent,
        "spends": spent,
        "covers": len(was.piles[target]) if was.foe(seat, target) else 0,
    }
    if not text.startswith("+"):
        found["leaves"] = len(now.piles[text[:2]]) if now.foe(seat, text[:2]) else 0
    if len(was.letters) == 2:
        other = 1 - seat
        left = sum(now.holder(at) == other for at in now.piles) + now.hand[other]
        found["confines"] = max(0, 5 - left)
    (acting,) = game.to_act(now.state)
    if now.teams[acting] != now.teams[seat]:
        replies = [
            (game.encode(each), after(game, now.state, acting, each))
            for each in game.actions(now.state, acting)
        ]
        if any(acting in each.winners() for _, each in replies):
            found["loses"] = 1
        else:
            found["exposes"] = max(
                (len(now.piles[move[-2:]]) for move, _ in replies if now.holder(move[-2:]) == seat), default=0
            )
    mine = now.state._replace(turn=seat, past=())
    again = [after(game, mine, seat, each) for each in game.actions(mine, seat)]
    if any(seat in each.winners() for each in again):
        found["threatens_win"] = 1
    else:
        found["threatens"] = max((each.captures[seat] - now.captures[seat] for each in again), default=0)
    return {kind: float(n) for kind, n in found.items() if n}


def is_true(
    game: AnyGame, state: Any, seat: Seat, action: Any, kind: str, n: float, said: dict[str, Any]
) -> bool:
    was, now = Look(game, state), after(game, state, seat, action)
    at, who = str(said.get("at")), said.get("who", Who(-1))
    if kind == "confines":
        return bool(said["n"] == 5 - n and who.seat == 1 - seat)
    if kind == "covers":
        return bool(was.holder(at) == who.seat and len(was.piles[at]) == n and now.holder(at) == seat)
    if kind == "leaves":
        return bool(now.holder(at) == who.seat and len(now.piles[at]) == n)
    if kind == "exposes":
        (acting,) = game.to_act(now.state)
        texts = [game.encode(each)[-2:] for each in game.actions(now.state, acting)]
        return bool(who.seat == acting and now.holder(at) == seat and at in texts and len(now.piles[at]) == n)
    if kind == "loses":
        (acting,) = game.to_act(now.state)
        return acting in after(game, now.state, acting, game.decode(said["reply"])).winners()
    if kind in ("threatens", "threatens_win"):
        then = after(game, now.state._replace(turn=seat, past=()), seat, game.decode(said["move"]))
        return (
            seat in then.winners()
            if kind == "threatens_win"
            else then.captures[seat] - now.captures[seat] == n
        )
    return True
