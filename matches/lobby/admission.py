"""Who may sit down with whom: operators may exclude people and servers from the whole bot, a server's
moderators may forbid people to play there, and people may block others.

Someone who is blocked learns only that a seat isn't available.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from games.engine import registry
from games.engine.message import Msg, msg
from matches.ports import Clock, Store
from matches.standing.ratings import START
from matches.store.moderation import EXCLUDED_SERVERS, WHOLE_BOT, ModerationRow
from matches.store.rows import MatchRow, SeatRow
from matches.store.standing import EVERYWHERE, Ladder


class Admission:
    """Decides why people can't join or be invited."""

    def __init__(
        self, store: Store, clock: Clock, support: str = "", escape: Callable[[str], str] = str
    ) -> None:
        """`support` is a link for those who are excluded, if there is one; `escape` makes texts of people
        safe to show."""
        self._store = store
        self._escape = escape
        self._support = support
        self._clock = clock

    async def why_excluded(self, guild: int | None, user: int) -> Msg | None:
        """Return why a person can't begin anything new in a place: they or its server are excluded."""
        for row in await self._excluded(WHOLE_BOT, (user,)):
            return self._exclusion("match.refuse.excluded", row)
        for row in await self._excluded(EXCLUDED_SERVERS, () if guild is None else (guild,)):
            return self._exclusion("match.refuse.excluded_server", row)
        return None

    def _exclusion(self, key: str, row: ModerationRow) -> Msg:
        reason = self._escape(row.reason)
        why = msg(key, reason=reason)
        if row.until is not None:
            why = msg(f"{key}_until", reason=reason, until=f"<t:{int(row.until.timestamp())}:f>")
        return msg("match.refuse.excluded_support", why=why, link=self._support) if self._support else why

    async def _excluded(self, scope: int, ids: Collection[int]) -> tuple[ModerationRow, ...]:
        """Return the exclusions in force; those that have ended stay in the store and no longer count."""
        if not ids:
            return ()
        now = self._clock.now()
        found = await self._store.forbidden(scope, ids)
        return tuple(row for row in found if row.until is None or row.until > now)

    async def why_not_join(
        self, guild: int | None, user: int, others: Iterable[int] = (), *, live: bool = False
    ) -> Msg | None:
        """Return why a person can't sit down with others in a server, or in direct messages (None).

        A `live` match goes on in an excluded server, and can still be given new players.
        """
        if (why := await self.why_excluded(None if live else guild, user)) is not None:
            return why
        if guild is not None and await self._store.forbidden(guild, (user,)):
            return msg("match.refuse.forbidden")
        return msg("match.refuse.unavailable") if await self._blocked((user,), others) else None

    async def barred(self, guild: int, users: Collection[int]) -> frozenset[int]:
        """Return those of some people who may no longer play in a server, not even on."""
        rows = (*await self._excluded(WHOLE_BOT, users), *await self._store.forbidden(guild, users))
        return frozenset(row.person for row in rows if row.person is not None)

    async def why_not_invite(
        self, guild: int | None, guests: Iterable[int], others: Iterable[int]
    ) -> Msg | None:
        """Return why guests can't be invited to sit down with others, and with each other."""
        guests = tuple(guests)
        if await self._excluded(WHOLE_BOT, guests):
            return msg("match.refuse.guest_unavailable")
        if guests and guild is not None and (found := await self._store.forbidden(guild, guests)):
            return msg("match.refuse.guest_forbidden", who=tuple(f"<@{one.person}>" for one in found))
        blocked = bool(guests) and await self._blocked(guests, others)
        return msg("match.refuse.guest_unavailable") if blocked else None

    async def why_not_open(self, guild: int | None, host: int, seats: Iterable[SeatRow]) -> Msg | None:
        """Return why a person can't open a lobby with these seats, some of them for guests."""
        guests = [seat.user for seat in seats if seat.user is not None and seat.user != host]
        return await self.why_not_join(guild, host) or await self.why_not_invite(guild, guests, (host,))

    async def why_not_join_lobby(self, match_id: str, user: int) -> Msg | None:
        """Return why a person can't join a lobby; None if it isn't one.

        Whom it is for counts for those who come uninvited.
        """
        row = await self._store.match(match_id)
        if row is None or row.status != "lobby":
            return None
        there = seated(row) | {row.host}
        why = await self.why_not_join(row.place.guild, user, there - {user})
        return why if why is not None or user in there else await self._why_not_fit(row, user)

    async def _why_not_fit(self, row: MatchRow, user: int) -> Msg | None:
        """Return why a person isn't one of those for whom a lobby is."""
        terms = row.lobby.terms
        if terms.kept and (kept := (await self._store.reliability(user)).percent) < terms.kept:
            return msg("lobby.refuse.kept_too_few", percent=kept, least=terms.kept)
        if not terms.least and not terms.most:
            return None
        ladder = Ladder(row.game, registry.get(row.game).family(len(row.seats), row.options), EVERYWHERE)
        points = round((await self._store.ratings_of(user)).get(ladder, START).points)
        if points < terms.least:
            return msg("lobby.refuse.rating_low", points=points, least=terms.least)
        return (
            msg("lobby.refuse.rating_high", points=points, most=terms.most)
            if 0 < terms.most < points
            else None
        )

    async def why_not_call(self, match_id: str, host: int, guests: Iterable[int]) -> Msg | None:
        """Return why the host of a lobby can't invite guests; None if it isn't one, or theirs."""
        row = await self._store.match(match_id)
        if row is None or row.status != "lobby" or row.host != host:
            return None
        return await self.why_not_invite(row.place.guild, guests, seated(row) | {host})

    async def _blocked(self, new: Iterable[int], others: Iterable[int]) -> bool:
        """Return whether one of the new people blocks anyone there, or is blocked by them."""
        new = frozenset(new)
        people = new | frozenset(others)
        return len(people) > 1 and any(
            not new.isdisjoint(pair) for pair in await self._store.blocks_among(people)
        )


def seated(row: MatchRow) -> frozenset[int]:
    """Return the people who have a seat, or are invited to one."""
    return frozenset(seat.user for seat in row.seats if seat.user is not None)
