"""What wins: every country, or to be the last one; all capitals or one's mission, in one's own turn."""

from __future__ import annotations

from games.domination.maps.atlas import ANY, Atlas, Mission
from games.domination.rules.position import NOBODY, NONE, Position, continents


def missions_for(atlas: Atlas, seats: int) -> tuple[int, ...]:
    """The numbers of the missions for so many seats: those against a seat that isn't there are left out."""
    return tuple(n for n, mission in enumerate(atlas.missions) if mission.player <= seats)


def conquered(position: Position, seat: int) -> bool:
    """Whether the seat holds every country."""
    return position.owner.count(seat) == len(position.owner)


def alone(position: Position, seat: int) -> bool:
    """Return whether the seat is the last one that plays. By version 1 of the rules that decides nothing."""
    return position.table.law.rules > 1 and position.living() == (seat,)


def all_capitals(position: Position, seat: int) -> bool:
    """Whether the seat holds all capitals, its own among them."""
    capitals, owner = position.table.capitals, position.owner
    chosen = [at for at in capitals if at != NONE]
    return capitals[seat] != NONE and all(owner[at] == seat for at in chosen)


def target(position: Position, seat: int, mission: Mission) -> int:
    """The seat that the mission wants beaten; NONE if it asks for none, or if countries count instead.

    They do when the holder is the one who is to be beaten, or somebody else has beaten that seat.
    """
    aim = mission.player - 1
    if aim < 0 or aim == seat or position.table.killers[aim] not in (NONE, seat):
        return NONE
    return aim


def accomplished(position: Position, seat: int, mission: Mission) -> bool:
    """Whether the seat has done what its mission asks: beaten a seat; else countries, continents."""
    aim = target(position, seat, mission)
    if aim != NONE:
        return position.table.killers[aim] == seat
    if mission.countries:
        pairs = zip(position.owner, position.armies, strict=True)
        if sum(by == seat and n >= mission.armies for by, n in pairs) < mission.countries:
            return False
    if mission.continents:
        held = continents(position, seat)
        named = [n for n in mission.continents if n != ANY]
        least = max((at + 1 for at, n in enumerate(mission.continents) if n == ANY), default=0)
        return len(held) >= least and all(n in held for n in named)
    return mission.countries > 0


def reached(position: Position, seat: int, mission: int) -> str:
    """How the seat has won now: `all`, `last`, `capitals` or `mission`; empty if it hasn't."""
    if conquered(position, seat):
        return "all"
    if alone(position, seat):
        return "last"
    mode = position.table.mode
    if mode == "capital" and all_capitals(position, seat):
        return "capitals"
    if mode == "mission" and mission != NONE:
        goal = position.table.law.atlas.missions[mission]
        return "mission" if accomplished(position, seat, goal) else ""
    return ""


def claimable(position: Position) -> list[int]:
    """The countries that nobody has."""
    return [at for at, by in enumerate(position.owner) if by == NOBODY]


def claimants(position: Position) -> tuple[int, ...]:
    """Return the seats that still get a country, in the order in which they claim.

    By version 1 of the rules all who play are asked, even if fewer countries are left.
    """
    living, seats = position.living(), position.table.law.seats
    order = [seat for n in range(seats) if (seat := (position.turn + n) % seats) in living]
    if position.table.law.rules < 2:
        return tuple(order)
    return tuple(order[: position.owner.count(NOBODY)])
