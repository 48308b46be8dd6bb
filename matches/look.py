"""Looking at matches: nothing here writes. What a viewer may know of them is for the presenter's views."""

from __future__ import annotations

from itertools import islice

from games.engine import registry
from games.engine.game import Fact, Partial, Seat
from games.engine.match import Match
from matches import lobby, texts
from matches.desk import Desk, Hot
from matches.ids import read_id
from matches.match_cache import CachedMatch
from matches.ports import Logged, MatchRow
from matches.replay import replay_log, replay_range
from matches.results import Refused, Seen

_LOOKED_AT = 4096
"""Legal moves that autocomplete looks through."""


class Look(Desk):
    """What anybody may ask."""

    async def row(self, match_id: str) -> MatchRow | None:
        """A match by its exact id."""
        return await self.store.match(match_id)

    async def find(self, text: str) -> MatchRow | None:
        """A match by its id as people type it: `f7k2`, `F-7K2`, `#F 7k2`."""
        match_id = read_id(text)
        if match_id is None or match_id[0] not in {game.code for game in registry.all_games()}:
            return None  # `c7-c6` looks like an id as well: most of that costs nothing here
        return await self.store.match(match_id)

    async def seen(self, match_id: str) -> Seen | Refused:
        """A match as it stands."""
        hot = await self._open(match_id)
        return hot if isinstance(hot, Refused) else Seen(hot.row, hot.match)

    async def at(self, match_id: str, version: int) -> Match:
        """Return the match as it was after an entry. Raises LookupError, CorruptLogError as `facts` does."""
        newest = await self._as_far_as(match_id, version)
        if newest.match.seq == version:
            return newest.match
        return (await replay_range(newest.match.log, version, version))[0]

    async def facts(self, match_id: str, first: int, last: int) -> tuple[Match, tuple[Fact, ...]]:
        """Return the match after entry `last`, and what happened from entry `first` to it.

        Of the match as it stands, whole changes since the position last changed cost nothing; other ranges
        are replayed. Raises LookupError for missing entries, CorruptLogError for a log that can't be read.
        """
        newest = await self._as_far_as(match_id, last)
        if newest.match.seq == last and (facts := newest.facts(first)) is not None:
            return newest.match, facts
        return await replay_range(newest.match.log, first, last)

    async def _as_far_as(self, match_id: str, last: int) -> CachedMatch:
        """Return the match as it stands, entry `last` in its log. Raises as `facts` does."""
        newest = self._cache.newest(match_id)
        if newest is None or newest.match.seq < last:
            log = await self.store.log(match_id)
            if not log or log[-1].entry.seq < last:
                raise LookupError(f"there is no entry {last} of {match_id!r}")
            newest = await replay_log(log, log[-1].entry.seq)
            self._cache.put(newest)
        return newest

    async def present(self, match_id: str) -> tuple[Match, tuple[Fact, ...]]:
        """A match as it stands, and what its last change was; talk of a draw changes nothing.

        Raises LookupError if there is no such match on a board.
        """
        row = await self.store.match(match_id)
        if row is None or row.version < 0:
            raise LookupError(match_id)
        return await self.facts(match_id, await self.last_change(row), row.version)

    async def last_change(self, row: MatchRow) -> int:
        """The first entry of the last change that the position saw: from there the present board tells."""
        return (await self._cached(row)).changes[0].first

    async def legal(self, match_id: str, who: int, prefix: str = "", limit: int = 25) -> tuple[str, ...]:
        """Legal moves of a person that begin, spelling aside, as the prefix does; none out of turn.

        What the game itself offers after such a text comes first.
        """
        hot = await self._open(match_id)
        if isinstance(hot, Refused):
            return ()
        seat = lobby.seat_of(hot.row, who)
        if seat is None or seat not in hot.match.to_act:
            return ()
        game, view = hot.match.game, hot.match.game.view(hot.match.state, Seat(seat))
        actions = islice(game.actions(view, Seat(seat)), _LOOKED_AT)
        read = game.parse(view, Seat(seat), prefix)
        offered = read.choices if isinstance(read, Partial) else ()
        found = texts.beginning(prefix, (game.format(view, action) for action in actions), limit)
        return tuple(dict.fromkeys((*offered, *found)))[:limit]

    async def mine(self, who: int) -> tuple[Seen, ...]:
        """The matches in which a person plays, those that wait for them first, then the latest change."""
        found: list[tuple[bool, Seen]] = []
        for row in await self.store.by_user(who, ("live",)):
            seat = lobby.seat_of(row, who)
            hot = await self._hot(row) if seat is not None else None
            if isinstance(hot, Hot):
                found.append((seat not in hot.match.to_act, Seen(hot.row, hot.match)))
        return tuple(seen for _, seen in sorted(found, key=lambda pair: pair[0]))

    async def live_in(self, channel: int) -> tuple[MatchRow, ...]:
        """Matches that are played in a channel or thread, newest first."""
        return await self.store.by_place(channel, ("live",))

    async def log(self, match_id: str) -> tuple[Logged, ...]:
        """The whole log, hidden things included: not for players' eyes before the end."""
        return await self.store.log(match_id)

    @staticmethod
    def seat_of(row: MatchRow, user: int) -> int | None:
        """The seat that a person holds in a match; None for those invited and for spectators."""
        return lobby.seat_of(row, user)
