"""Read-only queries about matches. They return whole states; callers restrict them with the game's views."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from games.engine import registry
from games.engine.game import Fact, Partial, Seat
from games.engine.match import Kind, Match
from matches import occupants
from matches.core import Core, LoadedMatch
from matches.ids import read_id
from matches.log.changes import is_current
from matches.log.replay import replay_range
from matches.play import typed_text
from matches.results import CurrentMatch, LastChange, Refused
from matches.store.rows import Logged, MatchRow
from matches.store.standing import LEAST_KEPT, PRIVATE, STANDING, MatchLength
from matches.watching import visible_entry

_MAX_ACTIONS = 4096
"""Maximum number of legal moves that autocomplete searches."""
_LENGTH_HOLDS = timedelta(hours=1)
_MAX_NEWS = 400
"""Maximum number of entries since someone's own last move that an overview covers."""


class Queries:
    """Read-only queries."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lengths: dict[tuple[str, str], tuple[datetime, MatchLength | None]] = {}
        """By game and family: when it was read, and what."""

    async def row(self, match_id: str) -> MatchRow | None:
        """Return a match by its exact id."""
        return await self._core.store.match(match_id)

    async def find(self, text: str) -> MatchRow | None:
        """Return a match by its id as people type it: `f7k2`, `F-7K2`, `#F 7k2`."""
        match_id = read_id(text)
        if match_id is None or match_id[0] not in {game.code for game in registry.all_games()}:
            return None  # `c7-c6` looks like an id too: this saves most of these queries
        return await self._core.store.match(match_id)

    async def current(self, match_id: str) -> CurrentMatch | Refused:
        """Return a match in its current position, or why it has none."""
        loaded = await self._core.load(match_id)
        return loaded if isinstance(loaded, Refused) else CurrentMatch(loaded.row, loaded.match)

    async def at(self, match_id: str, version: int) -> Match:
        """Return the match after log entry `version`. Raises as `facts`."""
        newest = await self._core.newest(match_id, version)
        if newest.match.seq == version:
            return newest.match
        return (await replay_range(newest.match.log, version, version))[0]

    async def is_current(self, row: MatchRow, entry: int) -> bool:
        """Return whether a log entry is still current at the row's version, as `is_current` of its log."""
        if entry == row.version:
            return True
        return entry >= 0 and is_current((await self.at(row.id, row.version)).log, entry)

    async def facts(self, match_id: str, first: int, last: int) -> tuple[Match, tuple[Fact, ...]]:
        """Return the match after entry `last`, and the facts of the entries from `first` to `last`.

        The changes since the position last changed are cached; for other ranges the log is replayed. Raises
        LookupError for missing entries, CorruptLogError for a log that can't be read.
        """
        newest = await self._core.newest(match_id, last)
        if newest.match.seq == last and (facts := newest.facts(first)) is not None:
            return newest.match, facts
        return await replay_range(newest.match.log, first, last)

    async def news_of(self, match: Match, seat: Seat) -> tuple[Fact, ...]:
        """Return what has happened since a seat's own last move, in the latest entries. Raises as `facts`."""
        recent = match.log[-_MAX_NEWS:]
        own = (entry.seq for entry in reversed(recent) if entry.kind is Kind.PLAY and entry.seat == seat)
        first = min(next(own, recent[0].seq - 1) + 1, match.seq)
        return (await self.facts(match.id, first, match.seq))[1]

    async def seen_elsewhere(self, row: MatchRow) -> MatchRow:
        """Return a match as those see it who don't play and watch elsewhere: at the version they may know."""
        if not row.conditions.delay or row.status != "live":
            return row
        log = (await self._core.newest(row.id, row.version)).match.log
        return replace(row, version=visible_entry(log[: row.version + 1], row.conditions.delay))

    async def seen_by(self, row: MatchRow, user: int, channel: int | None) -> MatchRow:
        """Return a match as a person sees it in a channel: as it stands if they play, or if it is its own."""
        if channel == row.place.home or occupants.seat_of(row, user) is not None:
            return row
        return await self.seen_elsewhere(row)

    async def is_late(self, row: MatchRow) -> bool:
        """Return whether a row is that of a delayed view, with something newer that it doesn't show."""
        if not row.conditions.delay or row.status != "live":
            return False
        return (await self._core.newest(row.id, row.version)).match.seq > row.version

    async def last_change(self, row: MatchRow) -> LastChange:
        """Return the match of a row with the last change of its position, and any talk of a draw since then.

        Raises LookupError if the match hasn't started, otherwise as `facts`.
        """
        if row.version < 0:
            raise LookupError(row.id)
        cached = await self._core.position(row)
        first = cached.changes[0].first
        return LastChange(cached.match, cached.facts(first) or (), first)

    async def legal(self, match_id: str, who: int, prefix: str = "", limit: int = 25) -> tuple[str, ...]:
        """Return at most `limit` legal moves of a person that begin with `prefix` in any spelling.

        Choices that the game suggests after this text come first. Empty if it isn't their turn.
        """
        loaded = await self._core.load(match_id)
        if isinstance(loaded, Refused):
            return ()
        seat = occupants.seat_of(loaded.row, who)
        if seat is None or seat not in loaded.match.to_act:
            return ()
        game, view = loaded.match.game, loaded.match.game.view(loaded.match.state, Seat(seat))
        actions = islice(game.actions(view, Seat(seat)), _MAX_ACTIONS)
        read = game.parse(view, Seat(seat), prefix)
        offered = read.choices if isinstance(read, Partial) else ()
        found = typed_text.completions(prefix, (game.format(view, action) for action in actions), limit)
        return tuple(dict.fromkeys((*offered, *found)))[:limit]

    async def mine(self, who: int) -> tuple[CurrentMatch, ...]:
        """Return a person's live matches: those waiting for them first, then by latest change."""
        found: list[tuple[bool, CurrentMatch]] = []
        for row in await self._core.store.by_user(who, ("live",)):
            seat = occupants.seat_of(row, who)
            loaded = await self._core.load_row(row) if seat is not None else None
            if isinstance(loaded, LoadedMatch):
                found.append((seat not in loaded.match.to_act, CurrentMatch(row, loaded.match)))
        return tuple(seen for _, seen in sorted(found, key=lambda pair: pair[0]))

    async def length(self, row: MatchRow) -> MatchLength | None:
        """Return how long matches like a lobby's take, as of the last hour; None if too few are over."""
        now, key = self._core.now(), (row.game, registry.get(row.game).family(len(row.seats), row.options))
        known = self._lengths.get(key)
        if known is None or not known[0] <= now < known[0] + _LENGTH_HOLDS:
            known = self._lengths[key] = now, await self._core.store.match_length(*key)
        return known[1]

    async def kept(self, row: MatchRow) -> dict[int, int]:
        """Return the share of matches that the people in a lobby have played to their end, in percent.

        Those who have had few, and those whose profile is private, are left out.
        """
        found: dict[int, int] = {}
        if row.status != "lobby":
            return found
        for user in {seat.user for seat in row.seats if seat.occupant == "person" and seat.user is not None}:
            known = await self._core.store.reliability(user)
            if known.matches < LEAST_KEPT:
                continue
            if (await self._core.store.settings("user", user)).get(STANDING) != PRIVATE[STANDING]:
                found[user] = known.percent
        return found

    async def live_in(self, channel: int) -> tuple[MatchRow, ...]:
        """Return the live matches in a channel or thread, newest first."""
        return await self._core.store.by_place(channel, ("live",))

    async def log(self, match_id: str) -> tuple[Logged, ...]:
        """Return the whole log, including hidden information: don't show it to players before the end."""
        return await self._core.store.log(match_id)

    @staticmethod
    def seat_of(row: MatchRow, user: int) -> int | None:
        """Return the seat that a person holds in a match; None for those invited and for spectators."""
        return occupants.seat_of(row, user)
