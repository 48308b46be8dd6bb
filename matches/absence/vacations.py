"""Vacations of people: days of a year on which their clocks stand, in matches that honour vacations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from games.engine.message import msg
from matches.core import Core
from matches.results import Refused
from matches.spans import Span, measure, union
from matches.store.clocks import Vacation

DAYS_A_YEAR: Final = 30
"""Days of vacation that a person has in a calendar year."""
DAY: Final = timedelta(days=1)
_AUTOMATIC = "vacation_automatic"
"""The setting of a person that lets vacations begin when their time would run out."""


class Vacations:
    """Begins and ends vacations."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def left(self, user: int, now: datetime | None = None) -> timedelta:
        """Return what a person has left of this year's vacation; what is planned counts as used."""
        year = (now or self._core.now()).astimezone(UTC).year
        taken = await self._core.store.vacations((user,))
        return max(timedelta(), DAYS_A_YEAR * DAY - _within_year((each.span for each in taken), year))

    async def current(self, user: int) -> Vacation | None:
        """Return the vacation on which a person is now, or else their next."""
        now = self._core.now()
        return next((v for v in await self._core.store.vacations((user,)) if v.span.end > now), None)

    async def begin(self, user: int, days: int, *, after: timedelta = timedelta()) -> Vacation | Refused:
        """Begin a vacation of a number of days, now or after a while; one that goes on ends then instead."""
        async with self._core.locks.hold(f"user/{user}"):
            now = self._core.now()
            there = await self.current(user)
            start = now + after
            if there is not None and there.span.start <= start <= there.span.end:
                start = there.span.start
            span = Span(start, now + after + days * DAY)
            why = await self._why_not(user, span, days)
            if why is not None:
                return why
            vacation = Vacation(user, span)
            await self._core.store.add_vacation(vacation)
            await self._compute_again(user)
            return vacation

    async def _why_not(self, user: int, span: Span, days: int) -> Refused | None:
        if days < 1:
            return Refused(msg("match.refuse.vacation_days"))
        taken = [each.span for each in await self._core.store.vacations((user,))]
        for year in range(span.start.year, span.end.year + 1):
            if _within_year((*taken, span), year) > DAYS_A_YEAR * DAY:
                left = max(timedelta(), DAYS_A_YEAR * DAY - _within_year(taken, year))
                return Refused(msg("match.refuse.vacation_left", n=left // DAY, year=str(year)))
        return None

    async def end(self, user: int) -> bool:
        """End a person's vacation and drop those to come; return whether there was one."""
        async with self._core.locks.hold(f"user/{user}"):
            there = await self.current(user)
            if there is None:
                return False
            await self._core.store.end_vacation(user, self._core.now())
            await self._compute_again(user)
            return True

    async def _compute_again(self, user: int) -> None:
        """Have the clocks of a person's matches computed again: a vacation may have stopped them before."""
        for row in await self._core.store.by_user(user):
            self._core.timekeeper.forget(row.id)

    # --- automatic ones -----------------------------------------------------------------------------------

    async def is_automatic(self, user: int) -> bool:
        """Return whether a vacation begins when a person's time would run out."""
        return (await self._core.store.settings("user", user)).get(_AUTOMATIC) is True

    async def set_automatic(self, user: int, automatic: bool) -> None:
        """Set whether a vacation begins when a person's time would run out."""
        async with self._core.locks.hold(f"user/{user}"):
            settings = await self._core.store.settings("user", user)
            await self._core.store.save_settings("user", user, settings | {_AUTOMATIC: automatic})

    async def begin_automatically(self, user: int, span: Span) -> bool:
        """Begin a vacation for a person whose time would run out, if they want that and have it left."""
        if not await self.is_automatic(user) or await self._why_not(user, span, 1) is not None:
            return False
        await self._core.store.add_vacation(Vacation(user, span, automatic=True))
        await self._compute_again(user)
        return True


def _within_year(spans: Iterable[Span], year: int) -> timedelta:
    begins, ends = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return measure(union(spans), begins, ends)
