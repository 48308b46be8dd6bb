"""What a takeback brings back and what stays, after any entries: a literal model remembers every moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.log import in_force
from games.engine.match import Change, Kind, Match, fold
from tests.soak import SEED, examples

SEALED = Sealed(b"s" * 32, "T-AAA", "1:2,3")


@dataclass(frozen=True)
class Moment:
    """What comes back with a position. Offers and lateness are of a person: the n-th holder of a seat."""

    state: Any
    plays: int
    gone: frozenset[Seat]
    offers: frozenset[tuple[Seat, int, int]] = frozenset()
    """With the number of rulings before them."""
    late: tuple[tuple[Seat, int], ...] = ()
    """Once for each time that it was up."""


@dataclass
class Memory:
    """All moments of a match, by entry, and what no takeback changes."""

    moments: list[Moment]
    holders: list[int]
    rulings: int = 0
    stand_ins: set[Seat] = field(default_factory=set)
    pausing: set[Seat] = field(default_factory=set)
    paused: bool = False
    hints: dict[Seat, list[int]] = field(default_factory=dict)
    coach: list[tuple[Seat, int, str]] = field(default_factory=list)

    def enter(self, match: Match) -> None:
        """Remember the moment after the newest entry of a match."""
        entry, now = match.log[-1], self.moments[-1]
        seat, who = entry.seat, (entry.seat or Seat(0), self.holders[entry.seat or 0])
        if entry.kind is Kind.TAKEBACK:
            now = self.moments[int(entry.data)]
            now = replace(now, offers=frozenset(o for o in now.offers if self.valid(o)), late=self.still(now))
        elif entry.kind in (Kind.PLAY, Kind.DEFAULT, Kind.CHANCE, Kind.RESIGN, Kind.TIMEOUT):
            now = replace(now, state=match.state, plays=match.plays, gone=match.seats.gone)
            if entry.kind is not Kind.CHANCE:
                now = replace(now, offers=frozenset())
            if entry.kind in (Kind.PLAY, Kind.DEFAULT):
                self.pausing, self.paused = set(), False
            if entry.kind is Kind.PLAY:
                now = replace(now, late=tuple(each for each in now.late if each[0] != seat))
        elif entry.kind is Kind.OFFER:
            now = replace(now, offers=now.offers | {(*who, self.rulings)})
        elif entry.kind is Kind.DECLINE:
            now = replace(now, offers=frozenset())
        elif entry.kind is Kind.FLAG:
            now = replace(now, late=(*now.late, who))
        elif entry.kind is Kind.SUBSTITUTE:
            self.holders[who[0]] += 1
            (self.stand_ins.add if entry.data == "computer" else self.stand_ins.discard)(who[0])
            self.pausing.discard(who[0])
            now = replace(now, offers=frozenset(o for o in now.offers if self.valid(o)), late=self.still(now))
        elif entry.kind is Kind.PAUSE:
            self.paused = entry.data == "on"
            self.pausing = set() if self.paused else self.pausing | {who[0]}
        elif entry.kind is Kind.RESUME:
            self.pausing, self.paused = set(), False
        elif entry.kind is Kind.RULING:
            self.rulings += 1
            self.pausing, self.paused = set(), False
            now = replace(now, offers=frozenset())
        elif entry.kind is Kind.HINT:
            self.hints.setdefault(who[0], [0, 0, 0])[int(entry.data) - 1] += 1
        elif entry.kind is Kind.COACH:
            self.coach.append((who[0], entry.seq, entry.data))
        self.moments.append(now)

    def valid(self, offer: tuple[Seat, int, int]) -> bool:
        """Whether who has made an offer holds the seat still, and no moderator has come between."""
        return self.holders[offer[0]] == offer[1] and self.rulings == offer[2]

    def still(self, moment: Moment) -> tuple[tuple[Seat, int], ...]:
        """The times at which present holders were late at a moment."""
        return tuple(each for each in moment.late if self.holders[each[0]] == each[1])

    def compare(self, match: Match) -> None:
        """A match is what is remembered of it."""
        now = self.moments[-1]
        assert (match.state, match.plays, match.seats.gone) == (now.state, now.plays, now.gone)
        if not match.ending:
            assert match.talk.offers == {offer[0] for offer in now.offers}
        assert match.seats.late == {s: sum(each[0] == s for each in now.late) for s, _ in now.late}
        assert (set(match.seats.stand_ins), set(match.talk.pausing), match.talk.paused) == (
            self.stand_ins,
            self.pausing,
            self.paused,
        )
        assert {seat: list(times) for seat, times in match.help.hints.items()} == self.hints
        switched = {seat: data for seat, _, data in self.coach if data in ("on", "off")}
        assert match.help.coach == {seat for seat, data in switched.items() if data == "on"}
        spoken = [(seat, seq) for seat, seq, data in self.coach if data not in ("on", "off")]
        assert [(seat, seq) for seat in match.help.coached for seq in match.help.coached[seat]] == sorted(
            spoken
        )
        assert match.talk.asked is None or match.log[-1].kind is not Kind.TAKEBACK


def _play(match: Match, rng: Random) -> Change | Any:
    seat = rng.choice(sorted(match.to_act or {Seat(0)}))
    actions = list(match.game.actions(match.game.view(match.state, seat), seat))
    return engine.play(match, seat, rng.choice(actions[:20]), SEALED) if actions else None


def _take_back(match: Match, rng: Random) -> Change | Any:
    chain = [entry for entry in in_force(match.log, match.seq) if entry.kind is Kind.PLAY]
    if not chain:
        return None
    entry = rng.choice(chain[-4:])
    return engine.take_back(match, entry.seat or Seat(0), entry.seq - 1, SEALED)


def _said(match: Match, rng: Random) -> str:
    return rng.choice(("on", "off", f"{rng.randint(1, match.seq + 1)} 25 a1"))


def _anyone(match: Match, rng: Random) -> Seat:
    return Seat(rng.randrange(match.setup.seats))


ACTS: dict[str, tuple[int, Callable[[Match, Random], Any]]] = {
    "play": (6, _play),
    "take back": (4, _take_back),
    "substitute": (
        3,
        lambda m, r: engine.substitute(m, _anyone(m, r), r.choice(("person", "person", "computer")), SEALED),
    ),
    "offer": (3, lambda m, r: engine.offer_draw(m, _anyone(m, r), SEALED)),
    "flag": (2, lambda m, r: engine.flag(m, _anyone(m, r), SEALED)),
    "default": (1, lambda m, r: engine.play_default(m, _anyone(m, r), SEALED)),
    "decline": (1, lambda m, r: engine.decline(m, _anyone(m, r), SEALED)),
    "ask": (1, lambda m, r: engine.ask_takeback(m, _anyone(m, r), r.randrange(m.seq + 1), SEALED)),
    "pause": (1, lambda m, r: engine.ask_pause(m, _anyone(m, r), SEALED)),
    "stop": (1, lambda m, r: engine.pause(m, _anyone(m, r), SEALED)),
    "resume": (1, lambda m, r: engine.resume(m, _anyone(m, r), SEALED)),
    "hint": (1, lambda m, r: engine.hint(m, _anyone(m, r), r.randint(1, 3), SEALED)),
    "coach": (2, lambda m, r: engine.coach(m, _anyone(m, r), _said(m, r), SEALED)),
    "rule": (1, lambda m, r: engine.rule(m, r.choice(("pause", "resume", "end")), SEALED)),
    "note": (1, lambda m, r: engine.note_downtimes(m, [r.randint(1, 9)], SEALED)),
}


@pytest.mark.parametrize(("game", "seats"), [("toy", 3), ("focus", 2), ("focus", 4), ("two_domains", 2)])
def test_a_takeback_restores_the_position_and_nothing_of_former_holders(game: str, seats: int) -> None:
    found = registry.get(game)
    names, weights = list(ACTS), [weight for weight, _ in ACTS.values()]
    restored = 0
    for number in range(examples(40)):
        rng = Random(f"{SEED}/{number}")
        match = engine.begin(found, found.setup(seats), SEALED).match
        first = fold(match.log[:1])
        memory = Memory([Moment(first.state, 0, first.seats.gone)], [0] * seats)
        for seq in range(2, match.seq + 2):
            memory.enter(fold(match.log[:seq]))
        for _ in range(60):
            if match.ending:
                break
            name = rng.choices(names, weights)[0]
            if match.hosting.held and rng.random() < 0.5:
                change = engine.rule(match, "resume", SEALED)
            else:
                change = ACTS[name][1](match, rng)
            if not isinstance(change, Change):
                continue
            before = match
            for entry in change.entries:
                match, _ = engine.advance(match, entry)
                memory.enter(match)
            memory.compare(match)
            restored += change.entries[0].kind is Kind.TAKEBACK and match.talk.offers != before.talk.offers
        assert fold(match.log) == match
    assert restored, "offers came back with a position, or lapsed"
