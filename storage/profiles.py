"""Opponents, best wins and first moves for profiles, in statements that every database takes."""

from __future__ import annotations

from typing import Final

from matches.standing.weng_lin import PROVISIONAL_ABOVE
from matches.store.standing_rows import EVERYWHERE, Rating
from matches.store.standing_store import BestWin, FirstMove, GameRecord, Opponent, Outcome
from storage.leaderboards import NAME, NOT_PRIVATE
from storage.parts import StorePart
from storage.rows import from_ms

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
