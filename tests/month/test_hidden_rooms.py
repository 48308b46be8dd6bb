"""What was written where the bot couldn't see it counts as soon as the bot can."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from tests.month.month import Month
from tests.month.stories import move, tell
from tests.month.tables import Table

pytestmark = pytest.mark.slow


def hide_from_guests(month: Month, room: ChannelHandle) -> int:
    """Hide a channel from a new role that nobody has yet, and return the role."""
    backend = month.stage.server.world.backend
    role = backend.create_role(month.guilds[0].id, "Guests")
    hidden = discord.Permissions(view_channel=True).value
    backend.set_overwrite(room.id, Overwrite(role.id, OverwriteType.ROLE, deny=hidden))
    return role.id


async def write_unseen(month: Month, table: Table) -> None:
    """Let the one who is to move write a move, of which the bot hears nothing."""
    before = len(month.stage.records.entries(table.id))
    person, text = move(table)
    person.send(table.place_of(person), text, mention=True)
    await month.stage.settle()
    assert len(month.stage.records.entries(table.id)) == before


def test_a_move_counts_once_a_role_that_hid_the_channel_is_taken() -> None:
    async def story(month: Month, table: Table) -> None:
        backend, bot = month.stage.server.world.backend, month.stage.server.bot_id
        role = hide_from_guests(month, table.room)
        backend.add_member_role(month.guilds[0].id, bot, role)
        await write_unseen(month, table)
        backend.remove_member_role(month.guilds[0].id, bot, role)
        await month.stage.settle()
        month.check_log(table)

    tell(story)


def test_a_move_counts_once_a_role_that_hid_the_channel_is_deleted() -> None:
    async def story(month: Month, table: Table) -> None:
        backend = month.stage.server.world.backend
        role = hide_from_guests(month, table.room)
        backend.add_member_role(month.guilds[0].id, month.stage.server.bot_id, role)
        await write_unseen(month, table)
        backend.delete_role(month.guilds[0].id, role)
        await month.stage.settle()
        month.check_log(table)

    tell(story)


@pytest.mark.parametrize("known", [True, False])
def test_a_move_counts_once_the_bot_is_added_to_a_private_thread_again(known: bool) -> None:
    async def story(month: Month, table: Table) -> None:
        server, host = month.stage.server, table.seats[0]
        thread = server.world.forums.thread_of(host.id, month.rooms[month.guilds[0].id], "den", private=True)
        for person in (server.bot_id, *(one.id for one in month.people)):
            server.world.backend.add_thread_member(thread.id, person)
        den = await month.open_table("focus", "channel", thread)
        server.world.backend.remove_thread_member(thread.id, server.bot_id)
        if not known:  # a new session isn't told of the thread
            await month.stage.stop()
            await month.stage.start()
        await write_unseen(month, den)
        server.world.backend.add_thread_member(thread.id, server.bot_id)
        await month.stage.settle()
        month.check_log(den)

    tell(story)


@pytest.mark.parametrize("right", ["read_message_history", "view_channel"])
def test_a_missed_move_counts_once_its_channel_can_be_read(right: str) -> None:
    async def story(month: Month, table: Table) -> None:
        server = month.stage.server
        server.forbid(table.room, right)
        async with server.gateway_outage(resume=False):
            await write_unseen(month, table)
        await month.stage.settle(10)
        month.talk(table.room, table.seats)  # of which the bot hears, unless the channel is hidden from it
        await month.stage.settle(10)
        server.allow(table.room)
        await month.calm_down()
        month.check_log(table)

    tell(story)
