"""What every store does with servers that the bot has left."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.ports import Store
from matches.store.moderation import ModerationRow
from matches.store.rows import Commit, Place
from matches.store.servers import Departure, ServerUse, Showcase
from tests.fakes import START
from tests.storage.contract_maps import brought
from tests.storage.rows import lobby, move

DAY = timedelta(days=1)
FORBID = ModerationRow(4, 7, "forbid", "spam", START, person=2)


class Departures:
    """Servers are noted when they are left, and forgotten on request."""

    async def test_a_server_is_left_from_the_first_look_on_until_it_is_back(self, store: Store) -> None:
        for guild in (1, 2, 3):
            await store.save_settings("guild", guild, {"theme": "dark"})
        await store.save_settings("user", 99, {"theme": "dark"})
        await store.save_settings("guild", 0, {"commands": "what the bot notes for itself"})
        assert await store.note_servers({1, 2, 3, 50}, START) == ()
        assert await store.note_servers({1, 50}, START) == (Departure(2, START), Departure(3, START))
        again = await store.note_servers({1, 3}, START + DAY)
        assert again == (Departure(2, START),)
        assert await store.note_servers({1}, START + 2 * DAY) == (
            Departure(2, START),
            Departure(3, START + 2 * DAY),
        )

    async def test_each_kind_of_row_makes_a_server_known(self, store: Store) -> None:
        await store.save_settings("guild", 1, {})
        await store.save_showcase(Showcase(2, 20, 100, START))
        await store.save_map(brought(guild=3))
        await store.moderate(FORBID)
        await store.claim_greeting(6, START)
        await store.create(Commit(lobby(place=Place(guild=5, channel=50)), START))
        found = await store.note_servers((), START)
        assert [one.guild for one in found] == [1, 2, 3, 4, 6]

    async def test_a_server_is_greeted_once(self, store: Store) -> None:
        assert [await store.claim_greeting(guild, START + DAY) for guild in (1, 2, 1, 2)] == [
            True,
            True,
            False,
            False,
        ]

    async def test_all_of_a_server_is_forgotten_and_nothing_of_others(self, store: Store) -> None:
        for guild in (4, 8):
            await store.save_settings("guild", guild, {"theme": "dark"})
            await store.save_showcase(Showcase(guild, 20, 100, START))
            await store.save_map(brought(guild=guild))
            await store.moderate(replace(FORBID, guild=guild))
            await store.note_outages({guild}, START, START)
            await store.claim_greeting(guild, START)
        row = lobby(place=Place(guild=4, channel=40))
        await store.create(Commit(row, START))
        await store.commit(move(row))
        await store.note_servers({8}, START)
        await store.forget_server(4)
        await store.forget_server(4)
        assert await store.note_servers({8}, START) == ()
        assert await store.settings("guild", 4) == {}
        assert await store.showcase(4) is None
        assert await store.maps(4, "toy") == ()
        assert await store.moderated(4) == ()
        assert await store.forbidden(4, (2,)) == ()
        assert await store.settings("guild", 8) == {"theme": "dark"}
        assert await store.showcase(8) is not None
        assert len(await store.maps(8, "toy")) == 1
        assert len(await store.forbidden(8, (2,))) == len(await store.moderated(8)) == 1
        assert await store.claim_greeting(4, START)
        assert not await store.claim_greeting(8, START)
        kept = await store.match(row.id)
        assert kept is not None
        assert len(await store.log(row.id)) == kept.version + 1
        assert await store.moderate(FORBID), "a server that comes back begins anew"

    async def test_how_servers_use_the_bot(self, store: Store) -> None:
        assert await store.server_use() == ()
        for n, (guild, status, days) in enumerate(
            (
                (4, "over", 9),
                (4, "live", 1),
                (5, "over", 3),
                (6, "live", 0),
                (6, "live", 2),
                (None, "live", 8),
            )
        ):
            at = START + days * DAY
            row = lobby(f"M-{n}", status=status, place=Place(guild=guild, channel=50))
            await store.create(Commit(replace(row, created=at, updated=at), START))
        assert await store.server_use() == (
            ServerUse(6, 2, START, START + 2 * DAY),
            ServerUse(4, 1, START + DAY, START + 9 * DAY),
            ServerUse(5, 0, START + 3 * DAY, START + 3 * DAY),
        )
