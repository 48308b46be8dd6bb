"""What every store does to show what is kept about a person, and to forget them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from matches.ports import StaleError, Store
from matches.spans import Span
from matches.store.clocks import Vacation
from matches.store.erasures import ERASED_NAME, Erasure
from matches.store.follows import FollowRow
from matches.store.moderation import ModerationRow
from matches.store.plans import PlanRow
from matches.store.rows import Commit, ImportRow, SeatRow, Watch
from matches.store.seats import SeatOffer
from matches.store.servers import Showcase
from tests.fakes import START
from tests.storage.contract_maps import brought
from tests.storage.rows import ANN, BEN, SEATS, after, draft, entry, over

TOKEN = -77


async def erased(store: Store) -> None:
    """Ann is forgotten."""
    await store.begin_erasure(ANN, TOKEN, START)
    assert await store.erase(ANN, START)


class Erasing:
    """People who are forgotten."""

    async def test_a_token_takes_their_place_and_the_log_stays_true(self, store: Store) -> None:
        await store.create(over())
        await erased(store)
        row = await store.match("F-1")
        assert row is not None
        assert (row.host, row.publicity.agreed) == (TOKEN, (TOKEN, BEN))
        assert row.seats == (SeatRow(0, "person", TOKEN, ERASED_NAME), SEATS[1])
        log = await store.log("F-1")
        assert [one.entry for one in log] == [entry(0).entry, entry(1).entry]
        assert [one.user for one in log] == [None, TOKEN]
        (holder,) = await store.holders("F-1")
        assert (holder.user, holder.name) == (TOKEN, ERASED_NAME)
        assert await store.by_user(ANN, ("over",)) == ()
        assert await store.erasures() == ()

    async def test_whoever_read_the_match_before_cannot_write_the_name_back(self, store: Store) -> None:
        await store.create(over())
        before = await store.match("F-1")
        assert before is not None
        await erased(store)
        with pytest.raises(StaleError):
            await store.commit(Commit(after(before, public=True), START))

    @pytest.mark.parametrize("status", ["lobby", "live"])
    async def test_while_they_play_nothing_changes(self, store: Store, status: str) -> None:
        await store.create(over(status=status))
        await store.save_settings("user", ANN, {"zone": "UTC"})
        await store.begin_erasure(ANN, TOKEN, START)
        assert not await store.erase(ANN, START)
        assert await store.settings("user", ANN) == {"zone": "UTC"}
        assert await store.erasures() == (Erasure(ANN, TOKEN),)
        assert await store.erase(ANN, START, even_playing=True)
        row = await store.match("F-1")
        assert row is not None
        assert row.seats[0].user == TOKEN

    async def test_it_begins_once_and_is_done_once(self, store: Store) -> None:
        assert await store.begin_erasure(ANN, TOKEN, START) == Erasure(ANN, TOKEN)
        assert await store.begin_erasure(ANN, -78, START) == Erasure(ANN, TOKEN)
        for wrong in (TOKEN, 5):
            with pytest.raises(ValueError, match=r"."):
                await store.begin_erasure(BEN, wrong, START)
        assert await store.erase(ANN, START)
        with pytest.raises(LookupError):
            await store.erase(ANN, START)
        assert await store.clean_up(START)
        assert not await store.clean_up(START)
        assert await store.begin_erasure(ANN, -79, START) == Erasure(ANN, -79), "they came back"

    async def test_what_is_theirs_alone_is_removed(self, store: Store) -> None:
        await store.create(over())
        for who in (ANN, BEN):
            await store.save_settings("user", who, {"zone": "UTC"})
            await store.add_vacation(Vacation(who, Span(START, START + timedelta(days=1)), False))
            await store.follow(FollowRow("F-1", who, "daily", START, 0), 50)
            await store.watch(Watch("F-1", who % 10, who))
        await store.create(over("F-2", status="live", seats=SEATS[1:], host=BEN))
        await store.save_plan(PlanRow("F-2", 0, ANN, 1, ()))
        await store.offer_seat(SeatOffer("F-2", 0, BEN, 1, ANN), draft("F-2"), START)
        await erased(store)
        assert await store.settings("user", ANN) == {}
        assert await store.settings("user", BEN) == {"zone": "UTC"}
        assert [one.user for one in await store.vacations((ANN, BEN))] == [BEN]
        assert await store.follows_of(ANN) == ()
        assert len(await store.follows_of(BEN)) == 1
        assert [one.by for one in await store.watches("F-1")] == [BEN]
        assert await store.plans("F-2") == ()
        assert await store.seat_offers("F-2") == ()

    async def test_what_belongs_to_a_server_stays_without_them(self, store: Store) -> None:
        card = brought(guild=7)
        await store.save_map(replace(card, info=replace(card.info, by=ANN)))
        await store.save_showcase(Showcase(1, 2, ANN, START))
        await store.moderate(ModerationRow(1, ANN, "end", f"asked by {ANN}", START, person=BEN))
        await erased(store)
        (info,) = await store.maps(7, card.info.game)
        assert info.by == TOKEN
        case = await store.showcase(1)
        assert case is not None
        assert case.by == TOKEN
        (act,) = await store.moderated(1)
        assert (act.moderator, act.person, act.reason) == (TOKEN, BEN, f"asked by {TOKEN}")

    async def test_what_protects_others_stays(self, store: Store) -> None:
        await store.moderate(ModerationRow(1, BEN, "forbid", "spam", START, person=ANN))
        await store.moderate(ModerationRow(2, BEN, "forbid", "spam", START, person=ANN))
        await store.moderate(ModerationRow(2, BEN, "lift", "sorry", START, person=ANN))
        await store.block(BEN, ANN, START, 50)
        await store.block(ANN, BEN, START, 50)
        await erased(store)
        assert [one.person for one in await store.forbidden(1, (ANN,))] == [ANN]
        assert [one.person for one in await store.moderated(2)] == [TOKEN, TOKEN]
        assert await store.blocked_by(BEN) == (ANN,)
        assert await store.blocked_by(ANN) == ()

    async def test_messages_lose_them_and_their_own_are_not_sent(self, store: Store) -> None:
        await store.create(over())
        for each in (
            draft("F-1", payload={"first": 0, "ping": [ANN, BEN], "text": f"<@{ANN}> and {ANN}"}),
            draft("F-1", "a", user=ANN),
            draft("F-1", f"F-1/ping/{ANN}"),
            draft("F-1", f"F-1/ping/{BEN}", payload={"long": ANN * 10}),
        ):
            await store.outbox_add(each, START)
            await store.outbox_drop(await store.outbox_add(each, START), "x")
        parked = await store.outbox_add(draft("F-1", "b"), START)
        await store.outbox_park(parked, f"user/{ANN}", "x")
        await erased(store)
        assert [one.draft.message.to_json() for one in await store.outbox_pending()] == [
            {"first": 0, "ping": [BEN], "text": f"{ERASED_NAME} and {TOKEN}"},
            {"long": ANN * 10},
        ]
        assert (await store.outbox_state(START)).dropped == 2
        assert await store.outbox_awaited() == frozenset()

    async def test_texts_of_messages_lose_the_name_however_it_is_shown(self, store: Store) -> None:
        name = "*Ann*  of_the\x07 A.B"
        text = "▲ Zhao (\\*Ann\\* of\\_the A\\.B): Soldier e11, Annual"
        seats = (SeatRow(0, "person", ANN, name), SeatRow(1, "person", BEN, "Ben"))
        await store.create(over(seats=seats))
        await store.create(
            over("F-2", seats=(SeatRow(0, "person", ANN, "Ann"), SeatRow(1, "person", BEN, "Ben")))
        )
        payload = {"text": text, "plan": {"what": name}, "reason": "*Ann* of_the A.B, Ann; Anna"}
        waiting = await store.outbox_add(draft("F-1", payload=payload), START)
        dropped, parked = [
            await store.outbox_add(draft("F-1", f"l{n}", payload=payload), START) for n in (1, 2)
        ]
        other = await store.outbox_add(draft("F-9", payload={"text": "Ann"}), START)
        none = await store.outbox_add(draft("", "x", payload={"text": "Ann"}), START)
        await store.outbox_drop(dropped, "x")
        await store.outbox_park(parked, "F-1", "x")
        await erased(store)
        await store.outbox_revive("F-1", START)
        found = {row.id: row.draft.message.to_json() for row in await store.outbox_pending()}
        said = f"{ERASED_NAME}, {ERASED_NAME}; Anna"
        shown = {
            "text": f"▲ Zhao ({ERASED_NAME}): Soldier e11, Annual",
            "plan": {"what": name},
            "reason": said,
        }
        assert found == {
            waiting: shown,
            parked: shown,
            other: {"text": "Ann"},  # no match of theirs
            none: {"text": ERASED_NAME},
        }

    async def test_imported_records_lose_all_names(self, store: Store) -> None:
        came = ImportRow(ANN, "sum", {"Site": "Ann's"})
        names = (SeatRow(0, "person", None, "Ann"), SeatRow(1, "computer", level="weak"))
        await store.create(replace(over(source="import", seats=names, host=ANN), imported=came))
        await erased(store)
        assert await store.import_of("F-1") == ImportRow(TOKEN, "sum", {})
        row = await store.match("F-1")
        assert row is not None
        assert [seat.name for seat in row.seats] == [ERASED_NAME, ""]


class Exporting:
    """What is kept about a person."""

    async def test_it_has_their_rows_and_nobody_elses(self, store: Store) -> None:
        assert await store.personal_data(ANN, 10) == {}
        await store.create(over())
        await store.create(over("F-2", host=BEN))
        await store.create(over("F-3", host=BEN, seats=SEATS[1:]))
        await store.save_settings("user", ANN, {"zone": "UTC"})
        await store.block(ANN, BEN, START, 50)
        await store.follow(FollowRow("F-3", ANN, "daily", START, 0), 50)
        found = await store.personal_data(ANN, 10)
        assert [row["id"] for row in found["matches"]] == ["F-1"]
        seats = [(row["match"], row["seat"], row["name"]) for row in found["seats"]]
        assert seats == [("F-1", 0, "Ann"), ("F-2", 0, "Ann")]
        assert [row["other"] for row in found["blocks"]] == [BEN]
        assert [row["match"] for row in found["follows"]] == ["F-3"]
        assert found["settings"] == ({"settings": {"zone": "UTC"}},)
        assert len((await store.personal_data(ANN, 1))["seats"]) == 1
