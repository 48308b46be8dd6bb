"""Finding finished matches, beside a literal reading of what is asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import product

from matches.ports import Store
from matches.store.archive import ArchiveMark, ArchiveQuery
from matches.store.rows import Commit, MatchRow, Place, SeatRow
from tests.fakes import START
from tests.storage.rows import lobby

ANN, BEN, CLEO = 100, 200, 300
HOUR = timedelta(hours=1)
RANKS: tuple[list[int], ...] = ([1, 2], [2, 1], [1, 1], [1, 1, 3], [])


def match(number: int) -> MatchRow:
    """One of many matches that differ in all that can be asked for."""
    people = ((ANN, BEN), (BEN, ANN), (ANN, CLEO), (CLEO, BEN))[number % 4]
    ranks = RANKS[number % 5]
    seats = [SeatRow(seat, "person", user, "X") for seat, user in enumerate(people)]
    if len(ranks) == 3:
        seats.append(SeatRow(2, "computer", None, "", "hard"))
    return lobby(
        f"F-{number:03}",
        status="over" if number % 7 else "aborted",
        source="study" if number % 11 == 3 else "played",
        game="dominance" if number % 3 else "focus",
        place=Place(1 + number % 2, 20),
        host=ANN,
        seats=tuple(seats),
        updated=START + HOUR * (number // 2),  # two at a time
        result={"how": "outcome", "ranks": ranks},
    )


def outcome(row: MatchRow, user: int) -> str | None:
    """How a match ended for someone."""
    ranks = row.result["ranks"] if row.result else []
    mine = next((ranks[seat.seat] for seat in row.seats if seat.user == user and ranks), None)
    if mine is None:
        return None
    return "drawn" if ranks == [1] * len(ranks) else "won" if mine == 1 else "lost"


class Archive:
    """Finished matches, filtered and page by page."""

    async def test_all_that_was_asked_for_is_found_the_latest_first(self, store: Store) -> None:
        rows = [match(number) for number in range(60)]
        for row in rows:
            await store.create(Commit(replace(row, status="lobby", result=None), START))
            await store.commit(Commit(replace(row, revision=1), START))
        over = [
            replace(row, revision=1)
            for row in rows
            if (row.status, row.provenance.source) == ("over", "played")
        ]
        over.sort(key=lambda row: (row.updated, row.id), reverse=True)
        late = START + 12 * HOUR
        for user, guild, game, opponent, result, since, until in product(
            (None, ANN), (None, 1), (None, "focus"), (None, BEN), (None, "won", "lost", "drawn"),
            (None, late), (None, late + 9 * HOUR),
        ):  # fmt: skip
            if user is None and result is not None:
                continue
            query = ArchiveQuery(user, guild, game, opponent, result, since, until)  # type: ignore[arg-type]
            expected = [
                row.id
                for row in over
                if user in (None, *(seat.user for seat in row.seats))
                and guild in (None, row.place.guild)
                and game in (None, row.game)
                and opponent in (None, *(seat.user for seat in row.seats))
                and (result is None or outcome(row, ANN) == result)
                and (since is None or row.updated >= since)
                and (until is None or row.updated < until)
            ]
            assert [row.id for row in await store.finished(query, 100)] == expected, query

    async def test_pages_there_and_back(self, store: Store) -> None:
        for number in range(30):
            row = match(number)
            await store.create(Commit(replace(row, status="lobby", result=None), START))
            await store.commit(Commit(replace(row, revision=1), START))
        query = ArchiveQuery(ANN)
        whole = await store.finished(query, 100)
        assert len(whole) > 12
        seen, mark = list[MatchRow](), None
        while page := await store.finished(query, 4, mark):
            seen += page
            mark = ArchiveMark.of(page[-1])
        assert tuple(seen) == whole
        back = await store.finished(query, 4, ArchiveMark.of(whole[9]), newer=True)
        assert back == whole[5:9]
        assert await store.finished(query, 4, ArchiveMark.of(whole[0]), newer=True) == ()

    async def test_ones_own_are_suggested_whatever_they_are(self, store: Store) -> None:
        for number in range(60):
            row = match(number)
            host = CLEO if number == 1 else ANN
            await store.create(Commit(replace(row, host=host, status="lobby", result=None), START))
            await store.commit(Commit(replace(row, host=host, revision=1), START))
        rows = [replace(match(number), revision=1) for number in range(60)]
        over = sorted(
            (row for row in rows if row.status == "over"), key=lambda row: row.updated, reverse=True
        )
        mine = [row.id for row in over if CLEO in (seat.user for seat in row.seats) or row.id == "F-001"]
        found = await store.over_of(CLEO, "", 100)
        assert {row.id for row in found} == set(mine)
        assert [row.updated for row in found] == sorted((row.updated for row in found), reverse=True)
        assert await store.over_of(CLEO, "", 3) == found[:3]
        assert [row.id for row in await store.over_of(CLEO, "f001", 25)] == ["F-001"]
        assert {row.id for row in await store.over_of(CLEO, "02", 25)} == {one for one in mine if "02" in one}
        assert await store.over_of(CLEO, "x", 25) == ()
        assert await store.over_of(BEN + 1, "", 25) == ()
