"""What every store does with maps that servers brought along."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from matches.ports import Store
from matches.store.rows import MAX_MAP_BYTES, MAX_MAP_TEXT, MapInfo, MapRow
from tests.fakes import START


def brought(key: str = "lakes", guild: int = 1, game: str = "toy", **changes: Any) -> MapRow:
    """A map with a picture and a mask."""
    info = MapInfo(guild, game, key, f"The {key}", by=7, at=START)
    return replace(MapRow(info, '{"v":1}', b"\x89PNG\x00", b"\xff\x00"), **changes)


class Maps:
    """Maps by server, game and key."""

    async def test_a_map_comes_back_whole(self, store: Store) -> None:
        assert await store.stored_map(1, "toy", "lakes") is None
        bare = brought("bare", picture=None, mask=None)
        assert await store.save_map(brought())
        assert await store.save_map(bare)
        assert await store.stored_map(1, "toy", "lakes") == brought()
        assert await store.stored_map(1, "toy", "bare") == bare

    async def test_a_list_is_of_one_server_and_game_by_key(self, store: Store) -> None:
        rows = [brought("m"), brought("b"), brought("z"), brought("b", guild=2), brought("b", game="other")]
        for row in rows:
            assert await store.save_map(row)
        assert [info.key for info in await store.maps(1, "toy")] == ["b", "m", "z"]
        assert await store.maps(2, "toy") == (rows[3].info,)
        assert await store.maps(1, "other") == (rows[4].info,)
        assert await store.maps(3, "toy") == ()

    async def test_a_map_of_the_same_key_is_replaced(self, store: Store) -> None:
        await store.save_map(brought())
        info = replace(brought().info, title="New", by=8, at=START + timedelta(hours=1))
        new = MapRow(info, "[]")
        assert await store.save_map(new)
        assert await store.stored_map(1, "toy", "lakes") == new
        assert await store.maps(1, "toy") == (info,)

    async def test_pictures_are_found_by_their_key(self, store: Store) -> None:
        await store.save_map(brought(ground="ab"))
        await store.save_map(brought("b", guild=2, ground="cd", mask=None))
        await store.save_map(brought("c"))
        assert await store.map_images("ab") == (b"\x89PNG\x00", b"\xff\x00")
        assert await store.map_images("cd") == (b"\x89PNG\x00", None)
        assert await store.stored_map(1, "toy", "lakes") == brought(ground="ab")
        await store.save_map(brought(ground="ef"))
        assert await store.map_images("ab") is None
        assert await store.map_images("") is None

    async def test_a_time_is_kept_in_milliseconds(self, store: Store) -> None:
        info = replace(brought().info, at=START + timedelta(microseconds=1999))
        await store.save_map(brought(info=info))
        assert (await store.maps(1, "toy"))[0].at == START + timedelta(milliseconds=1)

    async def test_a_server_has_room_for_so_many(self, store: Store) -> None:
        assert await store.save_map(brought("a"), most=2)
        assert await store.save_map(brought("b"), most=2)
        assert not await store.save_map(brought("c"), most=2)
        assert await store.save_map(brought("b", data="[]"), most=2)
        assert await store.save_map(brought("c", guild=2), most=2)
        assert await store.save_map(brought("c", game="other"), most=2)
        assert await store.drop_map(1, "toy", "a")
        assert await store.save_map(brought("c"), most=2)
        assert [info.key for info in await store.maps(1, "toy")] == ["b", "c"]

    async def test_a_dropped_map_is_gone(self, store: Store) -> None:
        await store.save_map(brought())
        await store.save_map(brought(guild=2))
        assert await store.drop_map(1, "toy", "lakes")
        assert not await store.drop_map(1, "toy", "lakes")
        assert await store.stored_map(1, "toy", "lakes") is None
        assert await store.stored_map(2, "toy", "lakes") is not None

    @pytest.mark.parametrize(
        "changes",
        [
            {"data": "{"},
            {"data": f'"{"x" * MAX_MAP_TEXT}"'},
            {"picture": bytes(MAX_MAP_BYTES + 1)},
            {"mask": bytes(MAX_MAP_BYTES + 1)},
            {"info": replace(brought().info, key="")},
            {"info": replace(brought().info, key="k" * 33)},
            {"info": replace(brought().info, title="")},
            {"info": replace(brought().info, title="t" * 101)},
        ],
        ids=["no-json", "long", "picture", "mask", "keyless", "key", "untitled", "title"],
    )
    async def test_what_is_too_large_or_no_map_is_refused(self, store: Store, changes: Any) -> None:
        await store.save_map(brought())
        with pytest.raises(ValueError, match=r".+"):
            await store.save_map(brought(**changes))
        assert await store.maps(1, "toy") == (brought().info,)
        assert await store.stored_map(1, "toy", "lakes") == brought()

    async def test_the_largest_are_kept(self, store: Store) -> None:
        large = brought(
            data=f'"{"x" * (MAX_MAP_TEXT - 2)}"', picture=bytes(MAX_MAP_BYTES), mask=bytes(MAX_MAP_BYTES)
        )
        assert await store.save_map(large)
        assert await store.stored_map(1, "toy", "lakes") == large
