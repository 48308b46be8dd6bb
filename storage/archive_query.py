"""The question for a page of finished matches: the same parts on both databases, in the words of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from matches.store.archive_store import ArchiveMark, ArchiveQuery
from matches.store.rows import Logged, MatchRow, SeatHolder
from storage.rows import Value, to_ms


@dataclass(frozen=True, slots=True)
class ArchiveWords:
    """Conditions as one of the databases takes them, each with a `place` for its value."""

    place: str
    player: str
    """That someone had a seat; `{result}` takes how it ended for them."""
    opponent: str
    results: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match with its log, and who held those seats that have changed hands."""

    row: MatchRow
    log: tuple[Logged, ...]
    holders: tuple[SeatHolder, ...]


def archive_tail(
    words: ArchiveWords,
    query: ArchiveQuery,
    limit: int | None = None,
    mark: ArchiveMark | None = None,
    *,
    newer: bool = False,
) -> tuple[str, list[Value]]:
    """Return what follows `SELECT ... FROM matches`, and its values; `newer` ones come in reverse order."""
    where, values = ["status = 'over'", "source = 'played'"], list[Value]()
    if query.user is not None:
        result = "" if query.result is None else f" AND {words.results[query.result]}"
        where.append(words.player.format(result=result))
        values.append(query.user)
    if query.opponent is not None:
        where.append(words.opponent)
        values.append(query.opponent)
    bounds = (
        ("guild =", query.guild),
        ("game =", query.game),
        ("updated >=", None if query.since is None else to_ms(query.since)),
        ("updated <", None if query.until is None else to_ms(query.until)),
    )
    for condition, value in bounds:
        if value is not None:
            where.append(f"{condition} {words.place}")
            values.append(value)
    if mark is not None:
        where.append(f"(updated, id) {'>' if newer else '<'} ({words.place}, {words.place})")
        values += [to_ms(mark.at), mark.match]
    order = "updated, id" if newer else "updated DESC, id DESC"
    tail = f"WHERE {' AND '.join(where)} ORDER BY {order}"
    return (tail, values) if limit is None else (f"{tail} LIMIT {words.place}", [*values, limit])
