"""Choose the moments of a match that mattered, from facts that every game has.

They are captures, seats that are out of the match, changes of the lead, and mistakes if the match has been
analysed. Everything comes from what the viewer may know: facts for everyone, and how their own view judges
positions, which for a spectator is the public one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.engine.game import CHANCE, Fact, Seat
from games.engine.log import Kind, Match
from matches.lookback.steps import ReplayStep

MOST_MOMENTS: Final = 25
"""Maximum number of moments: as many as a menu of Discord's has entries."""
_MOST_CAPTURES: Final = 10
_LEAD: Final = 0.15
"""By how much a side must be ahead of all others to have the lead, of the 2.0 between lost and won."""
_TAKEN: Final = frozenset(("captured", "changed"))
"""The kinds of marks on what was captured or conquered."""

MomentKind: TypeAlias = Literal["capture", "out", "left", "lead", "mistake"]


@dataclass(frozen=True, slots=True)
class EntryNote:
    """What an entry of the log brought: places taken, seats out or gone by then, and how sides stand.

    `values` are `Game.evaluate` for each seat from the spectator's view, only after the end of a turn; `own`
    has what each seat knows of itself: its value from its own view, if the game has hidden things.
    """

    taken: int = 0
    out: frozenset[Seat] = frozenset()
    gone: frozenset[Seat] = frozenset()
    values: tuple[float, ...] = ()
    own: tuple[float, ...] = ()

    def seen_by(self, viewer: Seat | None) -> tuple[float, ...]:
        """Return how sides stand as far as a seat may know, or a spectator for None."""
        if viewer is None or not self.own:
            return self.values
        return (*self.values[:viewer], self.own[viewer], *self.values[viewer + 1 :])


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A moment that mattered: the entry after which it shows, what it was, and whom it is about.

    `n` is the number of places taken, or the percentage points that a mistake cost; else 0.
    """

    entry: int
    kind: MomentKind
    seat: Seat | None
    n: int = 0
    weight: float = 0.0


def note_of(match: Match, facts: Iterable[Fact], by: Seat | None) -> EntryNote:
    """Return the note of a match's last entry; `by` is the seat that decided last."""
    taken = {mark.at for fact in facts if fact.to is None for mark in fact.marks if mark.kind in _TAKEN}
    game = match.game
    values: tuple[float, ...] = ()
    own: tuple[float, ...] = ()
    turned = by is not None and by not in match.to_act and CHANCE not in match.to_act
    if turned and match.ending is None and match.log[-1].kind in (Kind.PLAY, Kind.DEFAULT, Kind.CHANCE):
        view, seats = game.view(match.state, None), tuple(map(Seat, range(match.setup.seats)))
        values = tuple(game.evaluate(view, seat) for seat in seats)
        if game.hidden:
            own = tuple(game.evaluate(game.view(match.state, seat), seat) for seat in seats)
    return EntryNote(len(taken), game.eliminated(match.state), match.seats.gone, values, own)


def key_moments(
    turns: Sequence[ReplayStep],
    notes: Sequence[EntryNote],
    teams: Sequence[int],
    mistakes: Mapping[int, tuple[Seat, float]] | None = None,
    most: int = MOST_MOMENTS,
    viewer: Seat | None = None,
) -> tuple[KeyMoment, ...]:
    """Return at most `most` moments of a match in order, one for each turn; the heaviest are chosen.

    `notes` has the note of each entry, `mistakes` the seat and the loss (0.0 to 1.0) of entries. Who leads is
    judged by the view of `viewer`.
    """
    found: dict[int, KeyMoment] = {}

    def add(turn: int, moment: KeyMoment) -> None:
        if turn not in found or moment.weight > found[turn].weight:
            found[turn] = moment

    for turn, moment in (
        *_captures(turns, notes),
        *_departures(turns, notes),
        *_leads(turns, notes, teams, viewer),
    ):
        add(turn, moment)
    for entry, (seat, loss) in (mistakes or {}).items():
        within = [at for at, each in enumerate(turns) if each.first <= entry <= each.last]
        if within:
            add(within[0], KeyMoment(entry, "mistake", seat, round(100 * loss), 60 + 40 * loss))
    chosen = sorted(found.values(), key=lambda each: (-each.weight, each.entry))[:most]
    return tuple(sorted(chosen, key=lambda each: each.entry))


def _captures(turns: Sequence[ReplayStep], notes: Sequence[EntryNote]) -> list[tuple[int, KeyMoment]]:
    """Return the turns that took most; those that took one place only if none took more."""
    taken = [sum(note.taken for note in notes[turn.first : turn.last + 1]) for turn in turns]
    largest = max(taken, default=0)
    least = min(largest, 2) or 1
    listed = sorted(
        (at for at, n in enumerate(taken) if n >= least and turns[at].by is not None),
        key=lambda at: (-taken[at], at),
    )
    return [
        (at, KeyMoment(turns[at].last, "capture", turns[at].by, taken[at], 10 + 30 * taken[at] / largest))
        for at in listed[:_MOST_CAPTURES]
    ]


def _departures(turns: Sequence[ReplayStep], notes: Sequence[EntryNote]) -> list[tuple[int, KeyMoment]]:
    """Return the turns in which seats were eliminated, resigned or ran out of time."""
    found: list[tuple[int, KeyMoment]] = []
    out: frozenset[Seat] = frozenset()
    gone: frozenset[Seat] = frozenset()
    for at, turn in enumerate(turns):
        note = notes[turn.last]
        left, beaten = sorted(note.gone - gone), sorted(note.out - out - note.gone)
        found += ((at, KeyMoment(turn.last, "left", seat, 0, 110)) for seat in left)
        found += ((at, KeyMoment(turn.last, "out", seat, 0, 120)) for seat in beaten)
        out, gone = note.out, note.gone  # a takeback may bring a seat back
    return found


def _leads(
    turns: Sequence[ReplayStep], notes: Sequence[EntryNote], teams: Sequence[int], viewer: Seat | None
) -> list[tuple[int, KeyMoment]]:
    """Return the turns after which another side was clearly ahead than before."""
    found: list[tuple[int, KeyMoment]] = []
    leader: int | None = None
    for at, turn in enumerate(turns):
        values = next(
            (n.seen_by(viewer) for n in reversed(notes[turn.first : turn.last + 1]) if n.values), ()
        )
        if not values:
            continue
        best = max(range(len(values)), key=lambda seat: values[seat])
        others = [value for seat, value in enumerate(values) if teams[seat] != teams[best]]
        margin = values[best] - max(others, default=values[best])
        if margin < _LEAD or teams[best] == leader:
            continue
        if leader is not None:
            found.append((at, KeyMoment(turn.last, "lead", Seat(best), 0, 50 + min(20.0, 10 * margin))))
        leader = teams[best]
    return found
