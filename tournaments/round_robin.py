"""Everyone meets everyone once, by the tables of Berger (FIDE C.05, annex 1)."""

from __future__ import annotations

from tournaments.event import Event, Pairing


def schedule(event: Event) -> tuple[Pairing, ...]:
    """Return all pairings of a round robin; with an odd number each has one round free, without points.

    Members of a team don't meet.
    """
    team = {one.number: one.team for one in event.entrants}
    numbers = sorted(one.number for one in event.entrants)
    size = len(numbers) + len(numbers) % 2
    made = []
    for number in range(1, size):
        table = 0
        for a, b in _round(size, number):
            if a > len(numbers) or b > len(numbers):
                continue
            seats = numbers[a - 1], numbers[b - 1]
            if not team[seats[0]] or team[seats[0]] != team[seats[1]]:
                made.append(Pairing(number, table, seats))
                table += 1
    return tuple(made)


def _round(size: int, number: int) -> list[tuple[int, int]]:
    """Return who meets in a round, 1 to `size`, the first side first.

    In round r those meet whose numbers add up to r + 1, modulo size - 1; the one who would meet themselves
    meets the last one.
    """
    pairs = []
    for a in range(1, size):
        b = (number + 1 - a) % (size - 1) or size - 1
        if a == b:
            pairs.append((a, size) if a <= size // 2 else (size, a))
        elif a < b:
            pairs.append((a, b) if (a + b) % 2 else (b, a))
    return pairs
