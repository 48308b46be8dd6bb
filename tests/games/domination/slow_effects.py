"""What an order of Domination leads to, found out slowly from positions as people read them."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from games.engine.game import AnyGame, Seat

NEUTRAL = 254


@cache
def rolls(ours: int, theirs: int) -> dict[tuple[int, int], float]:
    """Return the chance of each pair of losses, by throwing all dice."""
    found: dict[tuple[int, int], float] = {}
    for dice in product(range(1, 7), repeat=ours + theirs):
        pairs = zip(sorted(dice[:ours])[::-1], sorted(dice[ours:])[::-1], strict=False)
        won = [a > b for a, b in pairs]
        key = (won.count(False), won.count(True))
        found[key] = found.get(key, 0.0) + 6.0 ** -(ours + theirs)
    return found


@cache
def chance(ours: int, theirs: int, how: str, n: int, defence: int, done: int = 0) -> float:
    """Return the chance that an attack takes the country."""
    if not theirs:
        return 1.0
    over = {"until": ours <= n, "x": done >= n, "dice": done > 0, "lead": ours - theirs < n}[how]
    if ours < 2 or (done and over):
        return 0.0
    thrown = min(n if how == "dice" else 3, ours - 1)
    after = 1 if how in ("until", "lead") else done + 1
    return sum(
        part * chance(ours - lost, theirs - killed, how, n, defence, after)
        for (lost, killed), part in rolls(thrown, min(defence, theirs)).items()
    )


def in_percent(wins: float) -> int:
    """Return a chance as it is told: only what is certain is 0 or 100."""
    return round(100 * wins) if wins in (0, 1) else min(99, max(1, round(100 * wins)))


class Look:
    """A position as JSON, with its map."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        found: Any = game.dump(state)
        self.atlas = state.position.info.law.atlas
        self.found = found
        self.by = {code.lower(): row[0] for code, row in found["countries"].items()}
        self.armies = {code.lower(): row[1] for code, row in found["countries"].items()}
        codes = [country.code for country in self.atlas.countries]
        self.to = {a: {codes[n] for n in row} - {a} for a, row in zip(codes, self.atlas.borders, strict=True)}
        self.of = {c.code: self.atlas.continents[c.continent] for c in self.atlas.countries}

    def rest(self, at: str) -> set[str]:
        """Return the other countries of a country's continent."""
        return {code for code in self.to if self.of[code].code == self.of[at].code} - {at}

    def holds_rest(self, seat: int, at: str) -> bool:
        return all(self.by[code] == seat for code in self.rest(at))

    def near(self, seat: int, at: str) -> set[str]:
        """Return the countries of others that touch a country either way, unclaimed ones apart."""
        touching = {code for code in self.to if at in self.to[code] or code in self.to[at]}
        return {code for code in touching if self.by[code] not in (None, seat)}

    def enemies(self, seat: int, at: str, but: str = "") -> int:
        """Return the armies that can attack a country, those of one country left out."""
        near = self.near(seat, at) - {but}
        return sum(self.armies[code] for code in near if at in self.to[code] and self.plays(code))

    def plays(self, at: str) -> bool:
        return self.by[at] not in (None, NEUTRAL, "neutral", -2)


def amounts(game: AnyGame, state: Any, seat: Seat, action: Any) -> dict[str, float]:
    look = Look(game, state)
    wire = game.encode(action).split(" ")
    kind, found = wire[0], dict[str, float]()
    if kind == "attack":
        src, dst = wire[1], wire[2]
        wins = chance(look.armies[src], look.armies[dst], wire[3], int(wire[4]), look.found["law"]["defence"])
        if wins <= 0:
            return {}
        odds = in_percent(wins)
        found["odds" if odds >= 50 else "fails"] = odds if odds >= 50 else 100 - odds
        victim, value = look.by[dst], look.of[dst].value
        found["completes"] = value if look.holds_rest(seat, dst) else 0
        if look.plays(dst):
            found["breaks"] = value if look.holds_rest(victim, dst) else 0
            found["beats"] = list(look.by.values()).count(victim) == 1
        left = len(look.found["deck"]) if "deck" in look.found else state.position.info.left
        found["earns"] = not look.found["taken"] and left > 0
        beside = [code for code in look.to[dst] if look.by[code] == seat]
        found["relieves"] = sum(look.enemies(seat, c) > 0 == look.enemies(seat, c, dst) for c in beside)
    elif kind == "place":
        at = wire[1]
        near = look.near(seat, at)
        if not near:
            touching = {code for code in look.to if at in look.to[code] or code in look.to[at]}
            return {} if any(look.by[code] is None for code in touching) else {"idles": 1}
        found["defends"] = look.enemies(seat, at)
        if look.found["phase"] == "place":
            ours, law = look.armies[at] + int(wire[2]), look.found["law"]["defence"]
            wins = max((chance(ours, look.armies[c], "until", 1, law) for c in near & look.to[at]), default=0)
            found["strikes"] = best if (best := in_percent(wins)) >= 60 else 0
        found["guards"] = look.of[at].value if look.by[at] == seat and look.holds_rest(seat, at) else 0
        goals = [code for code in look.to[at] if look.by[code] != seat]
        found["aims"] = max((look.of[c].value for c in goals if look.holds_rest(seat, c)), default=0)
        whole = [c for c in goals if look.plays(c) and look.holds_rest(look.by[c], c)]
        found["threatens"] = max((look.of[c].value for c in whole), default=0)
    elif kind in ("move", "fortify"):
        n = int(wire[-1])
        src, dst = wire[1:3] if kind == "fortify" else battle(state, look)
        here, there = look.enemies(seat, src), look.enemies(seat, dst)
        if bool(here) != bool(there):
            found["fronts" if there else "bares"] = n
        elif there and look.armies[src] > n:
            more = here > there
            found["keeps" if more else "masses"] = look.armies[src] - n if more else look.armies[dst] + n
    elif kind == "trade":
        then: Any = game.dump(game.apply(state, seat, action).state)
        both = (then, look.found)
        armies = [each["pool"] + sum(n for _, n in each["countries"].values()) for each in both]
        found["trades"] = armies[0] - armies[1]
    elif kind == "claim":
        at = wire[1]
        found["adjoins"] = sum(look.by[code] == seat for code in look.to[at])
        found["share"] = (sum(look.by[c] == seat for c in look.rest(at)) + 1) / (len(look.rest(at)) + 1)
    return {each: float(n) for each, n in found.items() if n}


def battle(state: Any, look: Look) -> tuple[str, str]:
    """Return where the armies come from that are to move in, and where they go."""
    order = state.position.attack
    codes = [country.code for country in look.atlas.countries]
    return codes[order.src], codes[order.dst]


def is_true(
    game: AnyGame, state: Any, seat: Seat, action: Any, kind: str, n: float, said: dict[str, Any]
) -> bool:
    look = Look(game, state)
    at = str(said.get("at", "")).lower()
    if kind in ("completes", "breaks", "guards", "aims", "threatens"):
        named = said["continent"] == look.of[at].name and look.of[at].value == n
        who = said.get("who")
        return bool(named and (who is None or look.by[at] == who.seat))
    if kind == "beats":
        return bool(
            look.by[at] == said["who"].seat and said["n"] == state.position.info.cards[said["who"].seat]
        )
    if kind == "share":
        return bool(said["n"] / said["of"] == n)
    if kind in ("idles", "earns"):
        return True
    if kind == "defends":
        return bool(said["n"] == n and said["own"] == look.armies[at])
    if kind == "strikes":
        least = min(look.armies[c] for c in look.near(seat, at) & look.to[at])
        return bool(said["n"] == n and look.armies[str(said["dst"]).lower()] == least)
    return bool(said["n"] == n)
