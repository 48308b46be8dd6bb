"""People and servers that the operators exclude from the whole bot.

An exclusion is a row of the moderators' log (who, when, why), with `WHOLE_BOT` or `EXCLUDED_SERVERS` in place
of a server. `Admission` asks the store each time, so it holds in all processes at once, and one that has an
end stops on its own. Matches in progress go on, so that opponents lose nothing; lobbies are left or closed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypeAlias

from matches.core import Core
from matches.lobby.lobbies import Lobbies
from matches.results import Refused
from matches.store.moderation import EXCLUDED_SERVERS, MAX_REASON, WHOLE_BOT, Action, ModerationRow
from matches.store.rows import MatchRow

Kind: TypeAlias = Literal["person", "server"]
"""What is excluded."""
SCOPES: dict[Kind, int] = {"person": WHOLE_BOT, "server": EXCLUDED_SERVERS}
"""What stands in place of the server in the rows about each kind."""
OPERATOR = 0
"""Who did it, if it was done by command line."""
MAX_DAYS = 3650
"""Maximum number of days of an exclusion that has an end."""
MAX_ID = 2**63 - 1
"""The highest id of a person or server that a store can hold."""
_MAX_LOBBIES = 10_000


class Exclusions:
    """Excludes people and servers, and lifts that."""

    def __init__(self, core: Core, lobbies: Lobbies) -> None:
        self._core = core
        self._lobbies = lobbies

    async def exclude(
        self, kind: Kind, who: int, by: int, reason: str, lasts: timedelta | None = None
    ) -> tuple[str, ...]:
        """Exclude a person or a server, in place of an earlier exclusion; return the lobbies that changed.

        The reason is shown to those who are concerned. Raises ValueError if it is empty, too long or has
        controls, or if the exclusion would last no time.
        """
        if not reason.strip() or len(reason) > MAX_REASON or not reason.isprintable():
            raise ValueError(f"the reason must be one line of at most {MAX_REASON} characters")
        if lasts is not None and lasts <= timedelta():
            raise ValueError("an exclusion must last some time")
        until = "" if lasts is None else str(int((self._core.now() + lasts).timestamp()))
        row = self._row(kind, who, by, "forbid", reason, until)
        while not await self._core.store.moderate(row):
            await self.lift(kind, who, by, reason)
        return await self._leave_lobbies(kind, who, f"exclude:{row.at.timestamp()}")

    async def lift(self, kind: Kind, who: int, by: int, reason: str = "") -> bool:
        """End an exclusion; return whether there was one, even if its time was over."""
        return await self._core.store.moderate(self._row(kind, who, by, "lift", reason))

    async def log(self, kind: Kind, limit: int = 10) -> tuple[ModerationRow, ...]:
        """Return who was excluded and readmitted, the latest first."""
        return await self._core.store.moderated(SCOPES[kind], limit=limit)

    def _row(
        self, kind: Kind, who: int, by: int, action: Action, reason: str, until: str = ""
    ) -> ModerationRow:
        return ModerationRow(SCOPES[kind], by, action, reason, self._core.now(), person=who, detail=until)

    async def _leave_lobbies(self, kind: Kind, who: int, request: str) -> tuple[str, ...]:
        store = self._core.store
        if kind == "person":
            rows = await store.by_user(who, ("lobby",))
        else:
            found = await store.by_status("lobby", _MAX_LOBBIES)
            rows = tuple(row for row in found if row.place.guild == who)
        return tuple([row.id for row in rows if await self._leave(kind, row, who, f"{request}:{row.id}")])

    async def _leave(self, kind: Kind, row: MatchRow, who: int, request: str) -> bool:
        if kind == "person":
            return await self._lobbies.leave_or_close(row.id, who, request=request)
        return not isinstance(await self._lobbies.close(row.id, row.host, request=request), Refused)
