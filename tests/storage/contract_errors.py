"""What every store does with groups of errors."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.ports import Store
from matches.store.operation import ErrorGroup
from tests.fakes import START

HOUR = timedelta(hours=1)
ONE = ErrorGroup("bot.app:close:12", "KeyError", 1, START, START, "1.0")


class Errors:
    """Errors are counted by place and kind, and the latest groups are kept."""

    async def test_the_same_place_and_kind_are_one_group(self, store: Store) -> None:
        await store.note_errors(
            (ONE, replace(ONE, kind="ValueError"), replace(ONE, place="bot.app:close:13"))
        )
        later = replace(ONE, count=3, since=START + HOUR, latest=START + 2 * HOUR, version="1.1")
        await store.note_errors((later,))
        found = await store.error_groups()
        assert found[0] == replace(later, count=4, since=START)
        assert [(one.place, one.kind) for one in found[1:]] == [
            (ONE.place, "ValueError"),
            ("bot.app:close:13", ONE.kind),
        ]

    async def test_the_groups_seen_longest_ago_are_dropped(self, store: Store) -> None:
        groups = [replace(ONE, place=f"bot.app:f:{n}", latest=START + n * HOUR) for n in range(6)]
        await store.note_errors(groups[:4], most=3)
        assert [one.place for one in await store.error_groups()] == [f"bot.app:f:{n}" for n in (3, 2, 1)]
        await store.note_errors((*groups[4:], replace(groups[1], latest=START + 9 * HOUR)), most=3)
        assert [one.place for one in await store.error_groups()] == [f"bot.app:f:{n}" for n in (1, 5, 4)]

    async def test_operators_are_told_once(self, store: Store) -> None:
        await store.note_errors((ONE, replace(ONE, kind="ValueError")))
        await store.errors_told((ONE, replace(ONE, kind="OSError")), START + HOUR)
        await store.note_errors((replace(ONE, latest=START + HOUR),))
        told = {one.kind: one.told for one in await store.error_groups()}
        assert told == {"KeyError": START + HOUR, "ValueError": None}

    async def test_they_can_be_cleared(self, store: Store) -> None:
        assert await store.clear_errors() == 0
        await store.note_errors((ONE, replace(ONE, kind="ValueError")))
        assert await store.clear_errors() == 2
        assert await store.error_groups() == ()
