"""Results of matches and the ratings that follow from them, in statements that every database takes.

Results count in the order of their ends. A commit that comes late, because two matches ended at the same
moment in different processes, undoes what later results have changed, and counts them again after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from datetime import datetime
from itertools import islice
from typing import Any, Final

from matches.standing.ratings import DAY, WAVE, Known, Ledger, changes, is_provisional
from matches.store.standing import (
    EVERYWHERE,
    ComputerResult,
    Ladder,
    MatchResult,
    PersonResult,
    Rating,
    RatingChange,
)
from storage.rows import Value, from_ms, insert, marks, ms_or_none, time_or_none, to_json, to_ms
from storage.transactions import StorePart, Transaction

RESULT_COLUMNS: Final = (
    'match, seat, "user", at, game, family, guild, sides, unrated, side, place, tied, share, why, since, '
    "moves, pace, last_move, timed_out, computers"
)
CHANGE_COLUMNS: Final = 'match, scope, "user", mu, sigma, matches, new_mu, new_sigma, new_matches, why, nth'
RATING_COLUMNS: Final = 'game, family, scope, "user", mu, sigma, matches, provisional, latest'

_AT_ONCE: Final = 1000
"""Number of results that a rebuild writes at once."""
_ADD_RESULT = insert("match_results", RESULT_COLUMNS)
_ADD_CHANGE = insert("rating_changes", CHANGE_COLUMNS)
_PUT_RATING = f"""{insert("ratings", RATING_COLUMNS)}
ON CONFLICT (game, family, scope, "user") DO UPDATE
SET mu = excluded.mu, sigma = excluded.sigma, matches = excluded.matches,
    provisional = excluded.provisional, latest = excluded.latest
"""
_DROP_RATING = 'DELETE FROM ratings WHERE game = ? AND family = ? AND scope = ? AND "user" = ?'
_LATER = """
SELECT DISTINCT at, match FROM match_results WHERE at >= ? AND (at > ? OR match > ?) ORDER BY at, match
"""
RESULT = f"SELECT {RESULT_COLUMNS} FROM match_results WHERE match = ? ORDER BY seat, since"  # noqa: S608
CHANGES = f"SELECT {CHANGE_COLUMNS} FROM rating_changes WHERE match = ? ORDER BY scope"  # noqa: S608 - our own columns
_LATEST = """
SELECT r.at FROM match_results AS r
JOIN rating_changes AS c ON c.match = r.match AND c."user" = r."user" AND c.scope = ?
WHERE r."user" = ? AND r.game = ? AND r.family = ? AND c.new_matches > c.matches
ORDER BY r.at DESC LIMIT 1
"""
_COUNTED = f"c.scope = {EVERYWHERE} AND c.new_matches > c.matches"
_TIMEOUT = f"""
SELECT max(r.timed_out) FROM match_results AS r
JOIN rating_changes AS c ON c.match = r.match AND c."user" = r."user" AND {_COUNTED}
WHERE r."user" = ? AND r.at >= ? AND r.timed_out IS NOT NULL
"""  # noqa: S608 - our own text
"""The latest timeout that counted, of matches that ended after a time: no match ends before its timeouts."""
_TOGETHER = """
SELECT c.match, c."user" FROM rating_changes AS c WHERE {counted} AND c.match IN (
    SELECT r.match FROM match_results AS r
    WHERE r."user" IN ({users}) AND r.at > ? AND r.at <= ? AND r.game = ? AND r.family = ?
)
"""
_KNOWN = """
SELECT scope, "user", mu, sigma, matches FROM ratings
WHERE game = ? AND family = ? AND scope IN ({scopes}) AND "user" IN ({users})
"""


class StandingPart(StorePart):
    """The statements about standing that every database takes."""

    async def ratings_of(self, user: int) -> dict[Ladder, Rating]:
        """Return all ratings of a person."""
        query = 'SELECT game, family, scope, mu, sigma, matches FROM ratings WHERE "user" = ?'
        return {
            Ladder(game, family, scope): Rating(*values)
            for game, family, scope, *values in await self._fetch_all(query, user)
        }

    async def match_result(self, match_id: str) -> tuple[MatchResult, tuple[RatingChange, ...]] | None:
        """Return the result of a match and what it changed."""
        rows = await self._fetch_all(RESULT, match_id)
        if not rows:
            return None
        result = to_result(rows)
        place = {one.user: number for number, one in enumerate(result.people)}
        found = map(to_change, await self._fetch_all(CHANGES, match_id))
        return result, tuple(sorted(found, key=lambda one: (one.scope, place[one.user])))

    async def replace_standing(self, results: Iterable[MatchResult]) -> int:
        """Replace all results and ratings.

        Raises ValueError if results don't come in their order.
        """

        def work(tx: Transaction) -> int:
            tx.lock("standing", 0)
            ledger, count = Ledger(), 0
            counted = ledger.count_all(results)
            with tx.bulk("match_results", "rating_changes", "ratings"):
                while some := tuple(islice(counted, _AT_ONCE)):
                    results_of, changed = _rows(some)
                    tx.stream("match_results", RESULT_COLUMNS, results_of)
                    tx.stream("rating_changes", CHANGE_COLUMNS, changed)
                    count += len(some)
                tx.stream("ratings", RATING_COLUMNS, (_rating_values(*one) for one in ledger.ratings()))
            return count

        return await self._transaction(work)


def record_result(tx: Transaction, result: MatchResult) -> None:
    """Write the result of a match within the transaction of its end, and change ratings by it."""
    tx.lock("standing", 0)
    at = to_ms(result.at)
    later = [match for _, match in tx.execute(_LATER, at, at, result.match).fetchall()]
    ended_later = [to_result(tx.execute(RESULT, match).fetchall()) for match in later]
    for other in reversed(ended_later):
        _undo(tx, other)
    _count(tx, result)
    for other in ended_later:
        _count(tx, other)


def _count(tx: Transaction, result: MatchResult) -> None:
    """Write a result, unless it is there, with what it changes after all earlier ones."""
    found = () if result.unrated else changes(result, _known(tx, result))
    results, changed = _rows(((result, found),))
    tx.execute_many(_ADD_RESULT, results)
    tx.execute_many(_ADD_CHANGE, changed)
    for change in found:
        if change.counted:
            _put(tx, _ladder(result, change), change.user, change.after, result.at)


def _rows(
    counted: Iterable[tuple[MatchResult, Sequence[RatingChange]]],
) -> tuple[list[tuple[Value, ...]], list[tuple[Value, ...]]]:
    """Return results as RESULT_COLUMNS, and what they changed as CHANGE_COLUMNS."""
    results, changed = [], []
    for result, found in counted:
        results += [result_values(result, one) for one in result.people]
        changed += [change_values(result.match, change) for change in found]
    return results, changed


def _undo(tx: Transaction, result: MatchResult) -> None:
    """Take away the latest of all results."""
    changed = [to_change(row) for row in tx.execute(CHANGES, result.match).fetchall()]
    for table in ("rating_changes", "match_results"):
        tx.execute(f"DELETE FROM {table} WHERE match = ?", result.match)  # noqa: S608 - our own names
    for change in changed:
        if change.counted:
            ladder = _ladder(result, change)
            key = (ladder.scope, change.user, ladder.game, ladder.family)
            (latest,) = tx.execute(_LATEST, *key).fetchone() or (0,)
            _put(tx, ladder, change.user, change.before, from_ms(latest))


def _put(tx: Transaction, ladder: Ladder, user: int, rating: Rating, latest: datetime) -> None:
    """Write a rating, and when the last match ended that counted for it; one without matches isn't kept."""
    if rating.matches:
        tx.execute(_PUT_RATING, *_rating_values(ladder, user, rating, latest))
    else:
        tx.execute(_DROP_RATING, ladder.game, ladder.family, ladder.scope, user)


def _rating_values(ladder: Ladder, user: int, rating: Rating, latest: datetime) -> tuple[Value, ...]:
    """Return a rating as RATING_COLUMNS."""
    values = (rating.mu, rating.sigma, rating.matches, int(is_provisional(rating)), to_ms(latest))
    return (ladder.game, ladder.family, ladder.scope, user, *values)


def _ladder(result: MatchResult, change: RatingChange) -> Ladder:
    return Ladder(result.game, result.family, change.scope)


def _known(tx: Transaction, result: MatchResult) -> Known:
    """Return what a result is judged by. What is later has been undone."""
    users = sorted({one.user for one in result.people})
    ladder = (result.game, result.family)
    query = _KNOWN.format(scopes=marks(result.scopes), users=marks(users))
    rows = tx.execute(query, *ladder, *result.scopes, *users).fetchall()
    ratings = {(scope, user): Rating(*values) for scope, user, *values in rows}
    timeouts = {}
    for user, late in sorted((one.user, one.timed_out) for one in result.people if one.timed_out is not None):
        (latest,) = tx.execute(_TIMEOUT, user, to_ms(late - WAVE)).fetchone()
        if latest is not None:
            timeouts[user] = from_ms(latest)
    query = _TOGETHER.format(counted=_COUNTED, users=marks(users))
    since, until = to_ms(result.at - DAY), to_ms(result.at)
    together: dict[str, set[int]] = {}
    for match, user in tx.execute(query, *users, since, until, *ladder).fetchall():
        together.setdefault(match, set()).add(user)
    return Known(ratings, timeouts, Counter(map(frozenset, together.values())))


def result_values(result: MatchResult, one: PersonResult) -> tuple[Value, ...]:
    """Return a person's result of a match as RESULT_COLUMNS."""
    of_match = (result.game, result.family, result.guild, result.sides, result.unrated)
    what = (one.side, one.place, int(one.tied), one.share, one.why, one.since, one.moves, one.pace)
    times = (ms_or_none(one.last_move), ms_or_none(one.timed_out))
    computers = to_json([astuple(each) for each in result.computers]) if result.computers else "[]"
    return (result.match, one.seat, one.user, to_ms(result.at), *of_match, *what, *times, computers)


def to_result(rows: Sequence[Sequence[Any]]) -> MatchResult:
    """From RESULT_COLUMNS of all people of a match."""
    match, _, _, at, game, family, guild, sides, unrated, *_ = rows[0]
    people = tuple(map(_to_person, rows))
    computers = tuple(ComputerResult(*one) for one in json.loads(rows[0][-1]))
    return MatchResult(match, from_ms(at), game, family, guild, sides, unrated, people, computers)


def _to_person(row: Sequence[Any]) -> PersonResult:
    _, seat, user, _, _, _, _, _, _, *what, last_move, timed_out, _ = row
    side, place, tied, share, why, since, moves, pace = what
    return PersonResult(
        user=user,
        seat=seat,
        side=side,
        place=place,
        tied=bool(tied),
        share=share,
        why=why,
        since=since,
        moves=moves,
        pace=pace,
        last_move=time_or_none(last_move),
        timed_out=time_or_none(timed_out),
    )


def change_values(match: str, change: RatingChange) -> tuple[Value, ...]:
    """Return a change as CHANGE_COLUMNS."""
    old, new = change.before, change.after
    values = (old.mu, old.sigma, old.matches, new.mu, new.sigma, new.matches)
    return (match, change.scope, change.user, *values, change.why, change.nth)


def to_change(row: Sequence[Any]) -> RatingChange:
    """From CHANGE_COLUMNS."""
    _, scope, user, mu, sigma, matches, new_mu, new_sigma, new_matches, why, nth = row
    return RatingChange(
        user, scope, Rating(mu, sigma, matches), Rating(new_mu, new_sigma, new_matches), why, nth
    )
