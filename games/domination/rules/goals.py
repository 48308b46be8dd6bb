"""The goals: every country, or to be the last seat; all capitals or one's mission, in one's own turn."""

from __future__ import annotations

from games.domination.maps.atlas import ANY, Atlas, Mission
from games.domination.rules.position import NOBODY, NONE, Position


def missions_for(atlas: Atlas, seats: int) -> tuple[int, ...]:
    """Return the numbers of the missions for `seats` seats, without those against further seats."""
    return tuple(n for n, mission in enumerate(atlas.missions) if mission.player <= seats)


def holds_everything(position: Position, seat: int) -> bool:
    """Return whether the seat holds every country."""
    return position.owner.count(seat) == len(position.owner)


def is_last(position: Position, seat: int) -> bool:
    """Return whether the seat is the last one that plays. Always False by version 1 of the rules."""
    return position.info.law.rules > 1 and position.living() == (seat,)


def all_capitals(position: Position, seat: int) -> bool:
    """Return whether the seat holds all capitals, its own among them."""
    capitals, owner = position.info.capitals, position.owner
    chosen = [at for at in capitals if at != NONE]
    return capitals[seat] != NONE and all(owner[at] == seat for at in chosen)


def target(position: Position, seat: int, mission: Mission) -> int:
    """Return the seat that the mission wants beaten; NONE if it names none or countries count instead.

    They count if the seat itself is the target, or another seat has beaten the target.
    """
    aim = mission.player - 1
    if aim < 0 or aim == seat or position.info.killers[aim] not in (NONE, seat):
        return NONE
    return aim


def accomplished(position: Position, seat: int, mission: Mission) -> bool:
    """Return whether the seat has fulfilled its mission: beaten a seat, or held countries, or continents.

    If a mission has several aims, any of them is enough, as in the original program. Up to version 2 of the
    rules nothing else counted while a seat could be beaten, and countries and continents were both needed.
    """
    aim = target(position, seat, mission)
    if aim != NONE and (position.info.killers[aim] == seat or position.info.law.rules < 3):
        return position.info.killers[aim] == seat
    held = [_holds_continents(position, seat, mission)] if mission.continents else []
    if mission.countries and aim == NONE:
        pairs = zip(position.owner, position.armies, strict=True)
        held.append(sum(by == seat and n >= mission.armies for by, n in pairs) >= mission.countries)
    return any(held) if position.info.law.rules > 2 else bool(held) and all(held)


def _holds_continents(position: Position, seat: int, mission: Mission) -> bool:
    held = position.continents_of(seat)
    named = [n for n in mission.continents if n != ANY]
    least = max((at + 1 for at, n in enumerate(mission.continents) if n == ANY), default=0)
    return len(held) >= least and all(n in held for n in named)


def reached(position: Position, seat: int, mission: int) -> str:
    """Return how the seat wins now: `all`, `last`, `capitals` or `mission`; empty if it doesn't."""
    if holds_everything(position, seat):
        return "all"
    if is_last(position, seat):
        return "last"
    mode = position.info.mode
    if mode == "capital" and all_capitals(position, seat):
        return "capitals"
    if mode == "mission" and mission != NONE:
        goal = position.info.law.atlas.missions[mission]
        return "mission" if accomplished(position, seat, goal) else ""
    return ""


def claimable(position: Position) -> list[int]:
    """Return the unclaimed countries."""
    return [at for at, by in enumerate(position.owner) if by == NOBODY]


def claimants(position: Position) -> tuple[int, ...]:
    """Return the seats that still get a country, in the order in which they claim.

    By version 1 of the rules these are all seats that play, even if fewer countries are left.
    """
    living, seats = position.living(), position.info.law.seats
    order = [seat for n in range(seats) if (seat := (position.turn + n) % seats) in living]
    if position.info.law.rules < 2:
        return tuple(order)
    return tuple(order[: position.owner.count(NOBODY)])
