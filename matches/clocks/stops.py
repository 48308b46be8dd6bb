"""What stops clocks besides pauses: downtimes and outages for everyone, vacations for who has taken them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.clocks.control import TimeControl
from matches.ports import Store
from matches.spans import END_OF_TIME, Span
from matches.store.clocks import Outage
from matches.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class Stops:
    """What stopped clocks: all of them, or those of a seat. A span that goes on has no end."""

    everyone: tuple[Span, ...] = ()
    seats: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)

    def of(self, seat: int) -> tuple[Span, ...]:
        """Return what stopped the clock of a seat; spans may overlap."""
        return (*self.everyone, *self.seats.get(seat, ()))

    def with_pauses(self, pauses: tuple[Span, ...]) -> Stops:
        """Return these stops and the pauses of a match."""
        return replace(self, everyone=(*self.everyone, *pauses)) if pauses else self

    def ended(self, now: datetime) -> Stops:
        """Return these stops, with whatever goes on for everyone ended now."""
        ended = (replace(span, end=now) if span.end == END_OF_TIME else span for span in self.everyone)
        return replace(self, everyone=tuple(ended))


class KnownStops:
    """Reads from the store what has stopped the clocks of a match, and keeps what is the same for all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._downtimes: tuple[Span, ...] | None = None
        self._outages: tuple[Outage, ...] = ()

    async def of(self, row: MatchRow, control: TimeControl) -> Stops:
        """Return what has stopped the clocks of a match, vacations where it honours them."""
        shared = await self.shared(row)
        holders = {seat.user: seat.seat for seat in row.seats if seat.user is not None}
        unseen, vacations = await self._store.stops(row.id, holders if control.vacations else ())
        away: dict[int, list[Span]] = {}
        for vacation in vacations:
            away.setdefault(holders[vacation.user], []).append(vacation.span)
        return Stops((*shared, *unseen), {seat: tuple(spans) for seat, spans in away.items()})

    async def shared(self, row: MatchRow) -> tuple[Span, ...]:
        """Return the downtimes since a match was opened, and the outages of its server."""
        if self._downtimes is None:
            self._outages, self._downtimes = await self._store.outages(), await self._store.downtimes()
        outages = (each.span for each in self._outages if each.guild == row.place.guild)
        return tuple(span for span in (*self._downtimes, *outages) if span.end > row.created)

    def is_out(self, row: MatchRow) -> bool:
        """Return whether the server of a match is out, as far as `of` has read it."""
        return any(each.guild == row.place.guild and each.span.end == END_OF_TIME for each in self._outages)

    def forget(self) -> None:
        """Read downtimes and outages from the store again."""
        self._downtimes = None
