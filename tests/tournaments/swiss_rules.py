"""The rules of a Swiss, checked from the pairings alone, and the best pairing found by trying all of them.

Nothing here is shared with the product but the values it returns.
"""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.event import Event, Pairing


class Past:
    """What the checker knows of everyone before a round."""

    def __init__(self, event: Event) -> None:
        self.score = {one.number: 0 for one in event.entrants}
        self.sides: dict[int, str] = dict.fromkeys(self.score, "")
        self.met: set[frozenset[int]] = set()
        self.free: set[int] = set()
        for pairing in event.pairings:
            assert pairing.points is not None
            for number, points in zip(pairing.seats, pairing.points, strict=True):
                self.score[number] += points
                if not pairing.played and points > 0:
                    self.free.add(number)
            if len(pairing.seats) == 2:
                self.met.add(frozenset(pairing.seats))
                if pairing.played:
                    self.sides[pairing.seats[0]] += "w"
                    self.sides[pairing.seats[1]] += "b"

    def must(self, number: int) -> str:
        """Return the side that someone must have next; empty if either will do."""
        had = self.sides[number]
        more = had.count("w") - had.count("b")
        if abs(more) > 1:
            return "b" if more > 0 else "w"
        return {"ww": "b", "bb": "w"}.get(had[-2:], "")

    def would(self, number: int) -> str:
        """Return the side that someone would like next."""
        had = self.sides[number]
        more = had.count("w") - had.count("b")
        if self.must(number):
            return self.must(number)
        if more:
            return "b" if more > 0 else "w"
        return {"w": "b", "b": "w", "": ""}[had[-1:]]

    def quality(self, pairs: list[tuple[int, ...]], present: list[int]) -> tuple[int, ...]:
        """Return what a better pairing has less of, the most important first."""
        ranked = sorted(present, key=lambda one: (-self.score[one], one))
        lowest = self.score[ranked[-1]]
        clashes = free = apart = like = fold = 0
        for pair in pairs:
            if len(pair) == 1:
                free += (self.score[pair[0]] - lowest) ** 2
                fold += len(ranked) - 1 - ranked.index(pair[0])
                continue
            a, b = pair
            clashes += self.must(a) != "" and self.must(a) == self.must(b)
            like += self.would(a) != "" and self.would(a) == self.would(b)
            apart += (self.score[a] - self.score[b]) ** 2
            distance = abs(ranked.index(a) - ranked.index(b))
            if self.score[a] == self.score[b]:
                level = sum(self.score[one] == self.score[a] for one in ranked)
                distance = abs(distance - max(1, level // 2))
            fold += distance
        return clashes, free, apart, like, fold

    def legal(self, present: list[int]) -> Iterator[list[tuple[int, ...]]]:
        """Yield every pairing in which nobody meets twice and nobody has a second bye."""
        if not present:
            yield []
            return
        first, rest = present[0], present[1:]
        for other in rest:
            if frozenset((first, other)) not in self.met:
                for more in self.legal([one for one in rest if one != other]):
                    yield [(first, other), *more]
        if len(present) % 2 and first not in self.free:
            for more in self.legal(rest):
                yield [(first,), *more]


def present_in(event: Event, number: int) -> list[int]:
    """Return who is to be paired in a round."""
    return [one.number for one in event.entrants if not one.left and one.joined <= number]


def check_round(event: Event, made: tuple[Pairing, ...]) -> None:
    """Hold the pairings of a round against the rules."""
    number = event.round + 1
    past, present = Past(event), present_in(event, number)
    assert sorted(one for pairing in made for one in pairing.seats) == present
    assert all(pairing.round == number for pairing in made)
    assert len({pairing.table for pairing in made}) == len(made)
    alone = [pairing for pairing in made if len(pairing.seats) == 1]
    assert len(alone) == len(present) % 2
    for pairing in alone:
        assert pairing.seats[0] not in past.free, "a second bye"
        assert (pairing.points, pairing.played) == ((2,), False)
    for pairing in made:
        if len(pairing.seats) == 2:
            a, b = pairing.seats
            assert frozenset((a, b)) not in past.met, "a rematch"
            assert pairing.points is None
            if past.would(a) != past.would(b):
                assert past.must(a) != "b", "a third time on one side"
                assert past.must(b) != "w", "a third time on one side"
                assert (past.would(a), past.would(b)) != ("b", "w"), "both would like the other side"
    if len(present) <= 8:
        pairs = [pairing.seats for pairing in made]
        best = min(past.quality(other, present) for other in past.legal(present))
        assert past.quality(pairs, present) == best
