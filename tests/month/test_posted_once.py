"""A board stands once, also when Discord has long forgotten the nonce that it was posted with."""

from __future__ import annotations

import pytest

from tests.month.month import Month
from tests.month.stage import call_of
from tests.month.stories import POSTS, move, tell
from tests.month.tables import Table


@pytest.mark.slow
def test_a_board_that_an_earlier_process_has_posted_is_found_without_its_nonce() -> None:
    async def story(month: Month, table: Table) -> None:
        person, text = move(table)
        month.stage.server.faults.hold(method="POST", path=POSTS, after_handling=True)
        person.send(table.room, text, mention=True)
        await month.stage.settle(1)
        await month.stage.crash()
        month.stage.server.faults.clear()
        month.stage.server.advance(3600)
        await month.stage.start()
        await month.calm_down()
        month.check_log(table)
        boards = [call_of(one) for one in month.stage.posts_by_bot(table.room.id) if one.attachments]
        assert [call[2] for call in boards if call is not None] == [1, 2]

    tell(story)
