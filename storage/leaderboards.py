"""What profiles and leaderboards show, in statements that every database takes.

Forgotten people have ids below zero, and are never on a leaderboard; nor are those who want to be private.
"""

from __future__ import annotations

from datetime import datetime
from statistics import median_low
from typing import Any, Final

from matches.standing.ratings import PROVISIONAL_ABOVE, is_provisional
from matches.store.standing import (
    EVERYWHERE,
    LEAST_LENGTHS,
    LENGTHS,
    PACES,
    BestWin,
    FirstMove,
    GameRecord,
    Ladder,
    MatchLength,
    Opponent,
    Outcome,
    Ranked,
    Rating,
    Reliability,
)
from storage.rows import Value, from_ms, ms_or_none
from storage.transactions import StorePart

NOT_PRIVATE: Final = """
NOT EXISTS (SELECT 1 FROM settings AS s WHERE s.private = 1 AND s.scope = 'user' AND s.id = r."user")
"""
"""The condition that the person of a row `r` is on leaderboards."""
_ON: Final = 'r.scope = ? AND r.game = ? AND r.family = ? AND +r."user" > 0 AND +r.latest >= ?'
"""The plus keeps SQLite from reading people by their ids instead of in order."""
_LISTED: Final = f"{_ON} AND {NOT_PRIVATE}"
NAME: Final = """
coalesce((
    SELECT s.name FROM match_results AS m
    JOIN seats AS s ON s.match = m.match AND s.seat = m.seat AND s."user" = m."user"
    WHERE m."user" = r."user" ORDER BY m.at DESC, m.match DESC LIMIT 1
), '')
"""
"""The latest name of the person of a row `r`."""
_PERSON: Final = f'r."user", {NAME}, r.mu, r.sigma, r.matches'
_DOWN: Final = 'r.provisional, r.mu DESC, r."user"'
_UP: Final = 'r.provisional DESC, r.mu, r."user" DESC'
"""The order of a leaderboard, and the opposite one."""
_TOP: Final = f"""
SELECT {_PERSON} FROM ratings AS r WHERE {_LISTED}
ORDER BY {_DOWN} LIMIT ? OFFSET ?
"""  # noqa: S608 - our own text
_NEXT: Final = f"""
SELECT {_PERSON} FROM ratings AS r WHERE {_LISTED} AND {{condition}} ORDER BY {{order}} LIMIT 1
"""  # noqa: S608 - our own text
_ONE: Final = f'SELECT {_PERSON}, r.provisional FROM ratings AS r WHERE {_LISTED} AND r."user" = ?'  # noqa: S608 - our own text
_BEFORE: Final = (
    "r.provisional < ?",
    "r.provisional = ? AND r.mu > ?",
    'r.provisional = ? AND r.mu = ? AND +r."user" < ?',
)
"""Who comes before someone, in three ranges of the index."""
_NEAR: Final = (
    (_UP, 'r.provisional = ? AND r.mu >= ? AND (r.mu > ? OR +r."user" < ?)', "r.provisional < ?"),
    (_DOWN, 'r.provisional = ? AND r.mu <= ? AND (r.mu < ? OR +r."user" > ?)', "r.provisional > ?"),
)
"""Who comes right before someone, and right after: the first of a range of the index, else of the next."""
_AHEAD: Final = " + ".join(
    f"(SELECT count(*) FROM ratings AS r WHERE {_ON} AND {before})"  # noqa: S608 - our own text
    for before in _BEFORE
)
_HIDDEN_AHEAD: Final = f"""
SELECT count(*) FROM settings AS s CROSS JOIN ratings AS r
WHERE s.private = 1 AND coalesce(s.scope, '') = 'user' AND r."user" = s.id AND {_ON}
    AND ({" OR ".join(f"({one})" for one in _BEFORE)})
"""  # noqa: S608 - our own text
"""How many of them are private. Those are few, and so they are read first, by their index."""
_LADDERS: Final = """
SELECT game, family, count(*) FROM ratings AS r WHERE scope = ? AND +"user" > 0 AND +latest >= ?
GROUP BY game, family ORDER BY 3 DESC, 1, 2 LIMIT ?
"""
_RECORDS: Final = """
SELECT game, sum(CASE WHEN place = 1 AND tied = 0 AND share NOT IN ('loss', 'none') THEN 1 ELSE 0 END),
    sum(CASE WHEN place = 1 AND tied = 1 AND share NOT IN ('loss', 'none') THEN 1 ELSE 0 END), count(*)
FROM match_results WHERE "user" = ? GROUP BY game ORDER BY 4 DESC, 1
"""
_COUNT: Final = """
SELECT count(*), sum(CASE WHEN timed_out IS NOT NULL OR why IN ('left', 'removed') THEN 1 ELSE 0 END)
FROM match_results WHERE "user" = ?
"""
_PACES: Final = """
SELECT pace FROM match_results WHERE "user" = ? AND pace IS NOT NULL ORDER BY at DESC, match DESC LIMIT ?
"""
_LATEST: Final = """
SELECT match, max(at) FROM match_results WHERE "user" = ? GROUP BY match ORDER BY 2 DESC, 1 DESC LIMIT ?
"""
_LENGTHS: Final = """
SELECT n.match, n.moves, n.at - e.at FROM (
    SELECT match, moves, at FROM match_results WHERE game = ? AND family = ? AND unrated <> 'fork'
    ORDER BY at DESC, match DESC LIMIT ?
) AS n JOIN entries AS e ON e.match = n.match AND e.seq = 0
"""

_HISTORY: Final = """
SELECT DISTINCT c.new_mu, c.new_sigma, c.new_matches, c.mu, c.sigma, c.matches, r.at, r.match
FROM match_results AS r JOIN rating_changes AS c ON c.match = r.match AND c."user" = ? AND c.scope = ?
WHERE r."user" = ? AND r.game = ? AND r.family = ? AND c.new_matches > c.matches
ORDER BY r.at DESC, r.match DESC LIMIT ?
"""


class LeaderboardsPart(StorePart):
    """The statements about profiles and leaderboards that every database takes."""

    async def game_records(self, user: int) -> dict[str, GameRecord]:
        """Return a person's results by game, most matches first."""
        rows = await self._fetch_all(_RECORDS, user)
        return {game: GameRecord(won, drawn, all_ - won - drawn) for game, won, drawn, all_ in rows}

    async def reliability(self, user: int) -> Reliability:
        """Return how reliable a person is."""
        row = await self._fetch_one(_COUNT, user)
        matches, abandoned = (0, 0) if row is None else (row[0], row[1] or 0)
        paces = sorted(pace for (pace,) in await self._fetch_all(_PACES, user, PACES))
        return Reliability(matches, abandoned, paces[(len(paces) - 1) // 2] if paces else None)

    async def latest_results(self, user: int, limit: int) -> tuple[str, ...]:
        """Return a person's latest matches that have a result."""
        return tuple(match for match, _ in await self._fetch_all(_LATEST, user, limit))

    async def match_length(self, game: str, family: str) -> MatchLength | None:
        """Return how long the latest matches of a game and family took; None if there are too few."""
        found: dict[str, tuple[int, int]] = {}
        for match, moves, took in await self._fetch_all(_LENGTHS, game, family, LENGTHS):
            found[match] = (max(moves, found.get(match, (0, 0))[0]), took)
        if len(found) < LEAST_LENGTHS:
            return None
        moves, times = zip(*found.values(), strict=True)
        return MatchLength(len(found), median_low(moves), median_low(times) // 1000)

    async def rating_history(self, ladder: Ladder, user: int, limit: int) -> tuple[Rating, ...]:
        """Return a person's ratings before the latest matches that changed one, and after each of them."""
        rows = await self._fetch_all(_HISTORY, user, ladder.scope, user, ladder.game, ladder.family, limit)
        if not rows:
            return ()
        return (Rating(*rows[-1][3:6]), *(Rating(*row[:3]) for row in reversed(rows)))

    async def ladders(
        self, scope: int, limit: int, since: datetime | None = None
    ) -> tuple[tuple[Ladder, int], ...]:
        """Return the ladders of a scope with the number of people on each."""
        rows = await self._fetch_all(_LADDERS, scope, ms_or_none(since) or 0, limit)
        return tuple((Ladder(game, family, scope), people) for game, family, people in rows)

    async def leaderboard(
        self, ladder: Ladder, limit: int, offset: int = 0, since: datetime | None = None
    ) -> tuple[Ranked, ...]:
        """Return people by rating."""
        rows = await self._fetch_all(_TOP, *_values(ladder, since), limit, offset)
        return tuple(_ranked(place, row) for place, row in enumerate(rows, offset + 1))

    async def ranked(self, ladder: Ladder, user: int, since: datetime | None = None) -> Ranked | None:
        """Return a person's place on a leaderboard."""
        board = _values(ladder, since)
        row = await self._fetch_one(_ONE, *board, user)
        if row is None:
            return None
        _, _, mu, *_, provisional = row
        before: tuple[tuple[Value, ...], ...] = (
            (provisional,),
            (provisional, mu),
            (provisional, mu, user),
        )
        ahead = await self._fetch_one(
            f"SELECT {_AHEAD}", *(value for one in before for value in (*board, *one))
        )
        hidden = await self._fetch_one(_HIDDEN_AHEAD, *board, *(value for one in before for value in one))
        assert ahead is not None and hidden is not None  # noqa: S101, PT018 - a count is always there
        return _ranked(1 + int(ahead[0]) - int(hidden[0]), row)

    async def neighbours(
        self, ladder: Ladder, one: Ranked, since: datetime | None = None
    ) -> tuple[Ranked, ...]:
        """Return who stands right before and right after someone on a leaderboard."""
        board, found = _values(ladder, since), []
        mu, provisional = one.rating.mu, int(is_provisional(one.rating))
        for place, (order, *ranges) in zip((one.place - 1, one.place + 1), _NEAR, strict=True):
            for condition, key in zip(ranges, ((provisional, mu, mu, one.user), (provisional,)), strict=True):
                query = _NEXT.format(condition=condition, order=order)
                if (row := await self._fetch_one(query, *board, *key)) is not None:
                    found.append(_ranked(place, row))
                    break
        return tuple(found)


def _values(ladder: Ladder, since: datetime | None) -> tuple[Value, ...]:
    return (ladder.scope, ladder.game, ladder.family, ms_or_none(since) or 0)


def _ranked(place: int, row: tuple[Any, ...]) -> Ranked:
    user, name, mu, sigma, matches, *_ = row
    return Ranked(place, user, name, Rating(mu, sigma, matches))


_CAN_WIN: Final = "a.share NOT IN ('loss', 'none')"
"""Someone who made no move or left their seat has lost, as in the results by game."""
_WON: Final = f"a.place = 1 AND a.tied = 0 AND {_CAN_WIN}"
_DRAWN: Final = f"a.place = 1 AND a.tied = 1 AND {_CAN_WIN}"
_OUTCOMES: Final = f"""
SELECT CASE WHEN {_WON} THEN 'won' WHEN {_DRAWN} THEN 'drawn' ELSE 'lost' END FROM match_results AS a
WHERE a."user" = ? ORDER BY a.at DESC, a.match DESC LIMIT ?
"""  # noqa: S608 - our own text
_AGAINST: Final = """
FROM match_results AS a
JOIN match_results AS r ON r.match = a.match AND r.side <> a.side AND r."user" > 0 AND r."user" <> a."user"
"""
_OPPONENTS: Final = f"""
SELECT r."user", {NAME}, sum(CASE WHEN a.place < r.place AND {_CAN_WIN} THEN 1 ELSE 0 END),
    sum(CASE WHEN a.place = r.place AND {_CAN_WIN} THEN 1 ELSE 0 END), count(*)
{_AGAINST}
WHERE a."user" = ? {{seen}} GROUP BY r."user" ORDER BY 5 DESC, 1 LIMIT ?
"""
_BEST: Final = f"""
SELECT a.match, a.at, r."user", {NAME}, c.mu, c.sigma, c.matches
{_AGAINST}
JOIN rating_changes AS c ON c.match = r.match AND c."user" = r."user" AND c.scope = {EVERYWHERE}
WHERE a."user" = ? AND a.sides = 2 AND {_WON} AND c.new_matches > c.matches AND c.sigma <= {PROVISIONAL_ABOVE}
    {{seen}} ORDER BY c.mu DESC, a.at DESC, 3 LIMIT ?
"""
_FIRST_MOVES: Final = f"""
SELECT a.game, max(a.match), e.data, count(*), sum(CASE WHEN {_WON} THEN 1 ELSE 0 END)
FROM match_results AS a
JOIN entries AS e ON e.match = a.match AND e.seq = 1 AND e.kind = 'play' AND e.seat = a.seat
WHERE a."user" = ? AND a.since = 0 AND a.unrated <> 'fork'
GROUP BY a.game, a.family, e.data HAVING count(*) > 1 ORDER BY 4 DESC, 5 DESC, 1, 3 LIMIT ?
"""  # noqa: S608 - our own text


class ProfilesPart(StorePart):
    """The statements about profiles that every database takes."""

    async def outcomes(self, user: int, limit: int) -> tuple[Outcome, ...]:
        """Return how a person's latest matches ended for them, the latest first."""
        return tuple(how for (how,) in await self._fetch_all(_OUTCOMES, user, limit))

    async def opponents(self, user: int, limit: int, *, everyone: bool) -> tuple[Opponent, ...]:
        """Return those whom a person has met most often."""
        query = _OPPONENTS.format(seen="" if everyone else f"AND {NOT_PRIVATE}")
        return tuple(
            Opponent(other, name, GameRecord(won, drawn, met - won - drawn))
            for other, name, won, drawn, met in await self._fetch_all(query, user, limit)
        )

    async def best_wins(self, user: int, limit: int, *, everyone: bool) -> tuple[BestWin, ...]:
        """Return a person's wins against those with the highest ratings."""
        query = _BEST.format(seen="" if everyone else f"AND {NOT_PRIVATE}")
        return tuple(
            BestWin(match, from_ms(at), other, name, Rating(mu, sigma, matches))
            for match, at, other, name, mu, sigma, matches in await self._fetch_all(query, user, limit)
        )

    async def first_moves(self, user: int, limit: int) -> tuple[FirstMove, ...]:
        """Return the moves with which a person has begun most often."""
        return tuple(FirstMove(*row) for row in await self._fetch_all(_FIRST_MOVES, user, limit))
