"""What every store does with tournaments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches.ports import StaleError, Store
from matches.store.tournament_rows import TournamentEntry
from tests.fakes import START
from tests.storage.rows import ANN, BEN
from tests.storage.tournament_rows import CREATED, CUP, PEOPLE, with_people


class Tournaments:
    """Tournaments, their entrants and logs."""

    async def test_they_are_kept_with_entrants_pairings_and_log(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        assert await store.tournament(made.id) == made == replace(CUP, id=made.id)
        after = with_people(made)
        joined = TournamentEntry(START, BEN, "joined", {"number": 2})
        await store.save_tournament(after, (joined, TournamentEntry(START, None, "round", {"round": 1})))
        assert await store.tournament(made.id) == after
        assert [one.kind for one in await store.tournament_log(made.id)] == ["created", "joined", "round"]
        assert (await store.tournament_log(made.id))[1] == joined
        assert await store.tournament(made.id + 1) is None

    async def test_a_change_of_what_was_read_before_is_refused_as_a_whole(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        await store.save_tournament(with_people(made), ())
        with pytest.raises(StaleError):
            await store.save_tournament(replace(with_people(made), entrants=()), (CREATED,))
        assert await store.tournament(made.id) == with_people(made)
        assert await store.tournament_log(made.id) == (CREATED,)

    async def test_what_a_message_tells_of_is_noted_apart_from_changes(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        assert await store.tournaments_to_show() == (made,)
        await store.note_tournament_shown(made.id, 0, 77)
        assert await store.tournaments_to_show() == ()
        await store.save_tournament(with_people(made), ())
        (due,) = await store.tournaments_to_show()
        assert (due.message, due.shown, due.revision) == (77, 0, 1)

    async def test_a_server_has_those_that_go_on_first(self, store: Store) -> None:
        rows = [await store.create_tournament(CUP, CREATED) for _ in range(3)]
        await store.create_tournament(replace(CUP, guild=2), CREATED)
        await store.save_tournament(replace(rows[2], status="over", revision=1), ())
        await store.save_tournament(replace(rows[1], status="paused", revision=1), ())
        assert [row.id for row in await store.tournaments_in(1, 9)] == [rows[1].id, rows[0].id, rows[2].id]
        assert [row.id for row in await store.tournaments_in(1, 1)] == [rows[1].id]
        assert rows[2].id not in await store.tournaments_to_run()
        assert {rows[0].id, rows[1].id} <= set(await store.tournaments_to_run())

    async def test_who_is_forgotten_stays_as_a_number_and_a_server_takes_its_own_along(
        self, store: Store
    ) -> None:
        made = await store.create_tournament(CUP, CREATED)
        await store.save_tournament(with_people(made), ())
        assert set(await store.personal_data(ANN, 9)) >= {
            "tournaments",
            "tournament_entrants",
            "tournament_log",
        }
        await store.begin_erasure(ANN, -9, START)
        assert await store.erase(ANN, START)
        row = await store.tournament(made.id)
        assert row is not None
        assert (row.organiser, row.entrants[0].user) == (-9, -9)
        assert row.entrants[0].name not in ("Ann", "")
        assert row.entrants[1] == PEOPLE[1]
        assert [one.user for one in await store.tournament_log(made.id)] == [-9]
        with pytest.raises(StaleError):  # prepared before, it would write the id back
            await store.save_tournament(replace(with_people(with_people(made)), entrants=PEOPLE), ())
        await store.forget_server(1)
        assert await store.tournament(made.id) is None
