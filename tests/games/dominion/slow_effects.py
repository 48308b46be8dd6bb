"""What a move of Dominion leads to, found out slowly from positions as people read them."""

from __future__ import annotations

from typing import Any

from games.engine.game import AnyGame, Seat
from games.engine.message import Who, msg

POINTS = {"E": 0.0, "P": 9.0, "G": 5.0, "A": 3.0, "W": 3.0, "X": 4.0, "R": 2.0, "S": 1.0, "p": 0.5}
ARMY = "EPGAWXRS"
NAMES = dict(
    zip(
        "EPGAWXRSp",
        ("emperor", "prince", "general", "admiral", "warrior", "assassin", "sergeant", "soldier", "peasant"),
        strict=True,
    )
)
STRONGHOLDS = (("e12", "g12", "i12"), ("l5", "l7", "l9"), ("e2", "g2", "i2"), ("b5", "b7", "b9"))


class Look:
    """A position as JSON, by seats and squares."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state = game, state
        found: Any = game.dump(state)
        self.on = {
            text[1:]: (int(seat), text[0])
            for seat, row in found["pieces"].items()
            if seat != "free"
            for text in row
        }
        self.camps, self.pending = found["law"]["camps"], found["pending"]
        self.living = [seat for seat in range(len(self.camps)) if seat not in found["out"]]
        self.admiral = 5.0 if state.position.law.rules == 1 else 3.0

    def points(self, letter: str) -> float:
        return self.admiral if letter == "A" else POINTS[letter]

    def army(self, seat: int) -> int:
        return sum(by == seat and letter in ARMY for by, letter in self.on.values())

    def peasants(self, seat: int) -> int:
        return sum(each == (seat, "p") for each in self.on.values())

    def land(self) -> list[int]:
        """Return who holds each Territory that is held."""
        held = []
        for forts in STRONGHOLDS:
            by = [self.on[at][0] for at in forts if at in self.on and self.on[at][1] in ARMY]
            held += [seat for seat in set(by) if by.count(seat) > 1]
        return held

    def due(self, seat: int) -> Look:
        """Return the position as if the seat were to move."""
        position = self.state.position._replace(phase="move", turn=seat)
        return Look(self.game, self.state._replace(position=position))

    def moves(self, seat: int) -> dict[str, str]:
        """Return the moves of a seat that is to move, with their targets."""
        view = self.game.view(self.state, Seat(seat))
        texts = [self.game.encode(each) for each in self.game.actions(view, Seat(seat))]
        return {text: text.split("-")[1] for text in texts if "-" in text}

    def after(self, seat: int, move: str) -> Look:
        return Look(self.game, self.game.apply(self.state, Seat(seat), self.game.decode(move)).state)

    def foes(self, seat: int) -> list[int]:
        return [by for by in self.living if self.camps[by] != self.camps[seat] and by not in self.pending]

    def captures(self, by: int, victim: int) -> dict[str, float]:
        """Return by target the best gain of a seat's captures of another's army, the Emperor apart."""
        due, best = self.due(by), dict[str, float]()
        for move, at in due.moves(by).items():
            whose, letter = self.on.get(at, (-1, ""))
            if whose != victim or letter in "Ep":
                continue
            gain = self.points(letter)
            then = due.after(by, move)
            if at in then.due(victim).moves(victim).values():
                gain -= self.points(self.on[move.split("-")[0]][1])
            best[at] = max(best.get(at, 0.0), gain)
        return {at: gain for at, gain in best.items() if gain > 0}

    def throne(self, seat: int) -> str:
        return next((at for at, each in self.on.items() if each == (seat, "E")), "")


def amounts(game: AnyGame, state: Any, seat: Seat, action: Any) -> dict[str, float]:
    wire = game.encode(action)
    if wire.startswith(("sergeants", "throw", "fate")):
        return {}
    was, now = Look(game, state), Look(game, game.apply(state, seat, action).state)
    outcome = game.outcome(now.state)
    if outcome is not None:
        return {"wins": 1} if outcome.ranks[seat] == 1 and len(set(outcome.ranks)) > 1 else {}
    found: dict[str, float] = {
        "recruits": max(0, now.peasants(seat) - was.peasants(seat)),
        "musters": max(0, now.army(seat) - was.army(seat)),
        "controls": max(0, now.land().count(seat) - was.land().count(seat)),
        "abandons": max(0, was.land().count(seat) - now.land().count(seat)),
    }
    others = [sum(was.camps[by] != was.camps[seat] for by in each.land()) for each in (was, now)]
    found["loosens"] = max(0, others[0] - others[1])
    if "-" in wire:
        by, letter = was.on.get(wire.split("-")[1], (seat, ""))
        if was.camps[by] != was.camps[seat]:
            found["topples" if letter == "E" else "takes"] = 1 if letter == "E" else was.points(letter)
    if wire.startswith(("promote", "demote")):
        at, new = wire.split(" ")[1].split("=")
        gain = was.points(new) - was.points(was.on[at][1])
        found["promotes"] = max(0.0, gain) if wire.startswith("promote") else 0.0
        found["demotes"] = max(0.0, -gain) if wire.startswith("demote") else 0.0
    foes = now.foes(seat)
    throne = now.throne(seat)
    if any(throne and throne in now.due(by).moves(by).values() for by in foes):
        found["hangs"] = 1
    else:
        found["exposes"] = max((n for by in foes for n in now.captures(by, seat).values()), default=0.0)
    thrones = [at for by in foes if (at := now.throne(by))]
    found["checks"] = any(at in thrones for at in now.due(seat).moves(seat).values())
    found["threatens"] = max((n for by in foes for n in now.captures(seat, by).values()), default=0.0)
    return {kind: float(n) for kind, n in found.items() if n}


def is_true(
    game: AnyGame, state: Any, seat: Seat, action: Any, kind: str, n: float, said: dict[str, Any]
) -> bool:
    was, now = Look(game, state), Look(game, game.apply(state, seat, action).state)
    at, who = str(said.get("at")), said.get("who", Who(-1))
    unit = said.get("unit", msg(""))
    if kind == "takes":
        return bool(was.on[at][0] == who.seat and unit.key.endswith(NAMES[was.on[at][1]]))
    if kind == "topples":
        return bool(was.throne(who.seat) == game.encode(action).split("-")[1])
    if kind == "hangs":
        return bool(now.due(who.seat).moves(who.seat)[said["reply"]] == now.throne(seat))
    if kind == "exposes":
        return bool(now.captures(who.seat, seat)[at] == n and unit.key.endswith(NAMES[now.on[at][1]]))
    if kind == "checks":
        return now.throne(who.seat) in now.due(seat).moves(seat).values()
    if kind == "threatens":
        return bool(now.captures(seat, who.seat)[at] == n and unit.key.endswith(NAMES[now.on[at][1]]))
    if kind == "controls":
        return bool(said["n"] == now.land().count(seat))
    return "n" not in said or said["n"] == n
