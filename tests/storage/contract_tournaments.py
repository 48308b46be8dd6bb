"""What every store does with tournaments."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from matches.ports import StaleError, Store
from matches.store.moderation import ModerationRow
from matches.store.rows import Commit
from matches.store.tournaments import EntrantRow, TournamentEntry
from tests.fakes import START
from tests.storage.rows import ANN, BEN, after, lobby, move
from tests.storage.tournament_rows import CREATED, CUP, PEOPLE, with_people

MINUTE = timedelta(minutes=1)


class Tournaments:
    """Tournaments, their entrants and logs."""

    async def test_they_are_kept_with_entrants_pairings_and_log(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        assert await store.tournament(made.id) == made == replace(CUP, id=made.id)
        new = with_people(made)
        joined = TournamentEntry(START, BEN, "joined", {"number": 2})
        await store.save_tournament(new, (joined, TournamentEntry(START, None, "round", {"round": 1})))
        assert await store.tournament(made.id) == new
        assert [one.kind for one in await store.tournament_log(made.id)] == ["created", "joined", "round"]
        assert (await store.tournament_log(made.id))[1] == joined
        assert await store.tournament(made.id + 1) is None

    async def test_teams_and_the_sides_on_which_they_meet_are_kept(self, store: Store) -> None:
        cup = replace(CUP, plan=replace(CUP.plan, seats=4, teams=("Reds", "Blues"), sides=(0, 1, 0, 1)))
        made = await store.create_tournament(cup, CREATED)
        assert await store.tournament(made.id) == replace(cup, id=made.id)
        new = replace(with_people(made), entrants=(EntrantRow(1, ANN, "Ann", team=2),))
        await store.save_tournament(new, ())
        assert await store.tournament(made.id) == new

    async def test_a_change_of_what_was_read_before_is_refused_as_a_whole(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        await store.save_tournament(with_people(made), ())
        with pytest.raises(StaleError):
            await store.save_tournament(replace(with_people(made), entrants=()), (CREATED,))
        assert await store.tournament(made.id) == with_people(made)
        assert await store.tournament_log(made.id) == (CREATED,)

    async def test_the_next_season_opens_with_the_end_of_the_last_or_not_at_all(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        following = replace(CUP, entrants=PEOPLE, deadline=START + MINUTE)
        with pytest.raises(StaleError):
            await store.save_tournament(replace(made, status="over", revision=5), (), following)
        assert len(await store.tournaments_in(1, 9)) == 1
        await store.save_tournament(replace(made, status="over", revision=1), (), following)
        new, old = await store.tournaments_in(1, 9)
        assert (old.id, old.status) == (made.id, "over")
        assert new == replace(following, id=new.id)
        assert [one.kind for one in await store.tournament_log(new.id)] == ["season"]
        assert new.id in await store.claim_tournaments(START, START + MINUTE), "it is looked after at once"

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

    async def test_each_is_looked_after_once_and_again_when_it_changes(self, store: Store) -> None:
        made = await store.create_tournament(CUP, CREATED)
        assert await store.claim_tournaments(START, START + MINUTE) == (made.id,)
        assert await store.claim_tournaments(START, START + MINUTE) == ()
        crashed = START + MINUTE
        assert await store.claim_tournaments(crashed, crashed + MINUTE) == (made.id,)
        await store.rest_tournament(made.id, crashed + MINUTE, crashed + 5 * MINUTE)
        assert await store.claim_tournaments(crashed + 4 * MINUTE, crashed) == ()
        again = crashed + 6 * MINUTE
        assert await store.claim_tournaments(crashed + 5 * MINUTE, again) == (made.id,)
        await store.save_tournament(with_people(made), ())
        await store.rest_tournament(made.id, again, None)  # what has changed meanwhile isn't slept through
        assert await store.claim_tournaments(START, again) == (made.id,)
        await store.rest_tournament(made.id, again, None)
        assert await store.claim_tournaments(again + 99 * MINUTE, again) == ()

    async def test_the_end_of_a_match_and_a_bar_wake_those_they_are_about(self, store: Store) -> None:
        cups = [await store.create_tournament(CUP, CREATED) for _ in range(2)]
        row = lobby()
        await store.create(Commit(row, START))
        for cup, match in zip(cups, ("F-001", None), strict=True):
            new = replace(with_people(cup), matches=(None, None, match))
            await store.save_tournament(replace(new, entrants=PEOPLE if match else PEOPLE[1:]), ())

        async def woken() -> tuple[int, ...]:
            found = await store.claim_tournaments(START, START + MINUTE)
            for each in found:
                await store.rest_tournament(each, START + MINUTE, None)
            return found

        assert await woken() == (cups[0].id, cups[1].id)
        live = move(row)
        await store.commit(live)
        assert await woken() == ()
        assert await store.ended_in_tournament(cups[0].id) == ()
        await store.commit(Commit(after(live.row, status="over"), START))
        assert await woken() == (cups[0].id,)
        assert await store.ended_in_tournament(cups[0].id) == ("F-001",)
        assert await store.ended_in_tournament(cups[1].id) == ()
        assert await store.moderate(ModerationRow(1, 9, "forbid", "spam", START, person=ANN))
        assert await woken() == (cups[0].id,)
        for number, user in ((-9, ANN), (-8, BEN)):
            await store.begin_erasure(user, number, START)
            await store.erase(user, START, even_playing=True)
        assert await woken() == (cups[0].id, cups[1].id)
        known = await store.tournament(cups[0].id)
        assert known is not None
        done = replace(known.pairings[2], points=(2, 0))
        settled = replace(known, pairings=(*known.pairings[:2], done), revision=known.revision + 1)
        await store.save_tournament(settled, ())
        assert await store.ended_in_tournament(cups[0].id) == ()

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
