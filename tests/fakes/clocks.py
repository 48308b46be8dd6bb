"""Deadlines, vacations, and when nobody could play, in the store in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.spans import END_OF_TIME, Span
from matches.store.clock_store import LOOK_AGAIN, Outage, Vacation
from tests.fakes.base import MemoryBase, in_ms


def _ms(span: Span) -> Span:
    return Span(in_ms(span.start), END_OF_TIME if span.end == END_OF_TIME else in_ms(span.end))


@dataclass
class MemoryClocks(MemoryBase):
    """The ClockStore protocol over dictionaries."""

    _unseen: dict[str, list[Span]] = field(default_factory=dict)
    _beat: datetime | None = None
    _downtimes: dict[datetime, Span] = field(default_factory=dict)
    _outages: list[Outage] = field(default_factory=list)
    _vacations: dict[tuple[int, datetime], Vacation] = field(default_factory=dict)

    async def deadlines(self, match_id: str) -> Mapping[int, datetime]:
        """Deadlines by seat."""
        self._open()
        return {seat: at for seat, at in sorted(self._due.get(match_id, {}).items()) if seat >= 0}

    async def set_deadlines(self, match_id: str, due: Mapping[int, datetime]) -> None:
        """Other deadlines."""
        self._change()
        self._replace_deadlines(match_id, due)

    def _replace_deadlines(self, match_id: str, due: Mapping[int, datetime]) -> None:
        self._due[match_id] = {seat: in_ms(at) for seat, at in due.items()}

    async def overdue(self, now: datetime, limit: int = 100) -> tuple[str, ...]:
        """Matches that are due, the earliest first."""
        self._open()
        found = sorted((at, match) for match, due in self._due.items() for at in due.values())
        return tuple(dict.fromkeys([match for at, match in found if at <= in_ms(now)][:limit]))

    async def unseen(self, match_id: str) -> tuple[Span, ...]:
        """When a match couldn't be seen."""
        self._open()
        return tuple(self._unseen.get(match_id, ()))

    def _hide(self, match_id: str, at: datetime) -> None:
        spans, at = self._unseen.setdefault(match_id, []), in_ms(at)
        if not any(span.end == END_OF_TIME or span.start == at for span in spans):
            spans.append(Span(at))

    def _show(self, match_id: str, at: datetime) -> None:
        for index, span in enumerate(spans := self._unseen.get(match_id, [])):
            if span.end == END_OF_TIME:
                spans[index] = Span(span.start, max(span.start, in_ms(at)))
                self._begin_beating(at)
                self._mark(match_id, at)

    def _mark(self, match_id: str, at: datetime) -> None:
        due = self._due.setdefault(match_id, {})
        due[LOOK_AGAIN] = min(due.get(LOOK_AGAIN, in_ms(at)), in_ms(at))

    async def beat(self, now: datetime) -> datetime | None:
        """People can play now."""
        self._open()
        if not any(self._due.values()):
            return None
        self._change()
        last, self._beat = self._beat, in_ms(now)
        return last

    def _begin_beating(self, at: datetime) -> None:
        if not any(self._due.values()):
            self._beat = in_ms(at) if self._beat is None else max(self._beat, in_ms(at))

    async def add_downtime(self, span: Span) -> None:
        """Nobody could play."""
        self._change()
        span = _ms(span)
        known = self._downtimes.get(span.start, span)
        self._downtimes[span.start] = Span(span.start, max(known.end, span.end))

    async def downtimes(self) -> tuple[Span, ...]:
        """All downtimes, in order."""
        self._open()
        return tuple(sorted(self._downtimes.values()))

    async def note_outages(self, away: Collection[int], since: datetime, now: datetime) -> bool:
        """Which servers are away."""
        self._change()
        known = {each.guild for each in self._outages if each.span.end == END_OF_TIME}
        for index, each in enumerate(self._outages):
            if each.guild in known - set(away):
                start = each.span.start
                self._outages[index] = Outage(each.guild, Span(start, max(start, in_ms(now))))
        self._outages += [Outage(guild, Span(in_ms(since))) for guild in set(away) - known]
        if changed := known ^ set(away):
            self._begin_beating(now)
        for row in self.rows.values():
            if row.status == "live" and row.clock is not None and row.place.guild in changed:
                self._mark(row.id, now)
        return bool(changed)

    async def outages(self) -> tuple[Outage, ...]:
        """All outages, in order."""
        self._open()
        return tuple(sorted(self._outages, key=lambda each: (each.span.start, each.guild)))

    async def add_vacation(self, vacation: Vacation) -> None:
        """A person is away."""
        self._change()
        vacation = replace(vacation, span=_ms(vacation.span))
        self._vacations[vacation.user, vacation.span.start] = vacation
        self._look_again(vacation.user, vacation.span.start)

    async def end_vacation(self, user: int, now: datetime) -> None:
        """A person is back."""
        self._change()
        now = in_ms(now)
        for key, vacation in list(self._vacations.items()):
            if key[0] != user:
                continue
            if vacation.span.start >= now:
                del self._vacations[key]
            elif vacation.span.end > now:
                self._vacations[key] = replace(vacation, span=Span(vacation.span.start, now))
        self._look_again(user, now)

    async def vacations(self, users: Iterable[int]) -> tuple[Vacation, ...]:
        """Vacations of some people, in order."""
        self._open()
        wanted = set(users)
        found = (vacation for (user, _), vacation in self._vacations.items() if user in wanted)
        return tuple(sorted(found, key=lambda each: (each.span.start, each.user)))

    def _look_again(self, user: int, at: datetime) -> None:
        for row in self.rows.values():
            if row.status == "live" and row.clock is not None and any(s.user == user for s in row.seats):
                self._mark(row.id, at)
