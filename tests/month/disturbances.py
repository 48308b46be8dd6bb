"""What happens to the bot and its servers in a month. People go on writing meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from simcord.builders import ChannelHandle

from tests.loopback import Drop
from tests.month.clocks import away_since
from tests.month.month import Month
from tests.month.stage import call_of
from tests.month.tables import Table
from tests.month.virtual_time import OWNER

Disturbance: TypeAlias = Callable[[Month], Awaitable[None]]
HOUR = 3600.0


async def some_steps(month: Month, most: int = 80) -> None:
    """Let the bot take a few steps, and stand wherever it is then."""
    for _ in range(month.dice.randrange(most)):
        await asyncio.sleep(0)


async def hours_go_by(month: Month, hours: float = 8) -> None:
    """Let up to some hours pass, with or without the bot."""
    began = month.stage.clock.now()
    month.stage.server.advance(month.dice.uniform(0, hours) * HOUR)
    away_since(began, month)


async def downtime(month: Month) -> None:
    """The bot is stopped, and started again hours later."""
    began = month.stage.clock.now()
    await month.stage.stop()
    await month.live(month.dice.randrange(6), calm=False)
    await hours_go_by(month)
    await month.live(month.dice.randrange(10), calm=False)
    await month.stage.start()
    away_since(began, month)


async def crash(month: Month) -> None:
    """The bot dies between any two steps while people write, and is started again."""
    await month.live(month.dice.randrange(1, 8), calm=False)
    await some_steps(month)
    await month.stage.crash()
    if month.dice.random() < 0.5:
        await hours_go_by(month)
        await month.live(month.dice.randrange(6), calm=False)
    await month.stage.start()


# --- the gateway ------------------------------------------------------------------------------------------


async def reconnect(month: Month, *, resume: bool) -> None:
    """The connection to the gateway ends, and the session is resumed, or lost; perhaps that of one shard."""
    shards = month.stage.shards
    if shards > 1 and month.dice.random() < 0.7:
        month.stage.server.gateway.drop_shard(month.dice.randrange(shards), resume=resume)
    else:
        month.stage.server.drop_gateway(resume=resume, how=month.dice.choice(list(Drop)))
    await month.live(month.dice.randrange(1, 4), calm=False)


async def a_drop(month: Month) -> None:
    """The connection to the gateway ends while people write; the session is resumed, or lost."""
    await month.live(month.dice.randrange(3), calm=False)
    await reconnect(month, resume=month.dice.random() < 0.5)
    await month.live(month.dice.randrange(3), calm=False)


async def an_outage(month: Month) -> None:
    """No gateway for a while; then the session is resumed, or lost."""
    resume = month.dice.random() < 0.5
    month.stage.online = False
    async with month.stage.server.gateway_outage(resume=resume, how=month.dice.choice(list(Drop))):
        await month.live(month.dice.randrange(1, 10), calm=False)
        await hours_go_by(month, 1)
        await month.live(month.dice.randrange(4), calm=False)
    month.stage.online = True


async def an_invalid_session(month: Month) -> None:
    """The gateway declares the session invalid, or closes with a code."""
    gateway = month.stage.server.gateway
    await month.live(month.dice.randrange(3), calm=False)
    if month.dice.random() < 0.5:
        gateway.invalidate(resumable=month.dice.random() < 0.5)
    else:
        gateway.close_with(month.dice.choice((4000, 4009)))
    await month.live(month.dice.randrange(1, 6), calm=False)


async def a_dead_socket(month: Month) -> None:
    """Nothing arrives any more, until the bot's missing heartbeats make it connect anew."""
    month.stage.server.gateway.mute()
    await month.live(month.dice.randrange(1, 6), calm=False)
    OWNER.set(f"bot {month.stage.launches}")
    bot = month.stage.bot
    sockets = [one._parent.ws for one in bot.shards.values()] if month.stage.shards > 1 else [bot.ws]
    noticed = [asyncio.create_task(one.close(4000)) for one in sockets]
    OWNER.set("")
    await asyncio.gather(*noticed)
    await month.live(month.dice.randrange(3), calm=False)


async def a_guild_away(month: Month) -> None:
    """Discord loses a server for a while: no events, no replay."""
    guild = month.dice.choice(month.guilds)
    month.stage.server.gateway.withhold(guild)
    await month.live(month.dice.randrange(1, 8), calm=False, at=month.tables_in(guild))
    await hours_go_by(month, 2)
    month.stage.server.gateway.restore(guild)


async def late_events(month: Month) -> None:
    """The messages of a server are told late."""
    guild = month.dice.choice(month.guilds)
    held = month.stage.server.gateway.interference.hold(
        "MESSAGE_CREATE", times=None, fits=lambda one: one.get("guild_id") == str(guild.id)
    )
    await month.live(month.dice.randrange(1, 8), calm=False, at=month.tables_in(guild))
    held.release()


async def doubled_events(month: Month) -> None:
    """Messages are told twice."""
    interference = month.stage.server.gateway.interference
    interference.double("MESSAGE_CREATE", times=None)
    await month.live(month.dice.randrange(1, 8), calm=False)
    await some_steps(month)
    interference._doubled.clear()


# --- requests ---------------------------------------------------------------------------------------------

_MESSAGES = r"/channels/\d+/messages.*"


async def rate_limits(month: Month) -> None:
    """Discord answers 429, for a moment or for longer than the library waits."""
    for _ in range(month.dice.randrange(1, 4)):
        month.stage.server.faults.rate_limit(
            month.dice.choice((0.3, 2.0, 12.0, 45.0)),
            path=_MESSAGES,
            times=month.dice.randrange(1, 4),
            scope=month.dice.choice(("user", "shared", "global")),
        )
    await month.live(month.dice.randrange(2, 8), calm=False)
    await month.stage.settle()
    month.stage.server.faults.clear()


async def server_errors(month: Month) -> None:
    """Discord fails before or after it has done what was asked."""
    for _ in range(month.dice.randrange(1, 4)):
        month.stage.server.faults.error(
            month.dice.choice((500, 502, 503, 504)),
            path=_MESSAGES,
            times=month.dice.randrange(1, 7),
            after_handling=month.dice.random() < 0.5,
        )
    await month.live(month.dice.randrange(2, 8), calm=False)
    await month.stage.settle()
    month.stage.server.faults.clear()


async def cut_connections(month: Month) -> None:
    """Connections end without an answer, before or after Discord has done what was asked."""
    month.stage.server.faults.reset(
        path=_MESSAGES,
        times=month.dice.randrange(1, 5),
        after_handling=month.dice.random() < 0.5,
        orderly=month.dice.random() < 0.5,
    )
    await month.live(month.dice.randrange(2, 8), calm=False)
    await month.stage.settle()
    month.stage.server.faults.clear()


# --- threads, rights and servers --------------------------------------------------------------------------


async def archived_threads(month: Month) -> None:
    """Moderators archive threads."""
    tables = month.threads()
    for table in month.dice.sample(tables, min(3, len(tables))):
        month.stage.server.archive(_home(table))
    await month.live(month.dice.randrange(1, 6), calm=False, at=tables)


async def a_locked_thread(month: Month) -> None:
    """A thread is locked for some hours, perhaps just before a board is posted; it may be archived, too."""
    if not (tables := month.threads()):
        return
    table = month.dice.choice(tables)
    home = _home(table)
    await month.move(table, calm=False)
    await some_steps(month, 40)
    if month.dice.random() < 0.5:
        month.stage.server.lock(home)
    else:
        month.stage.server.archive(home, locked=True)
    month.hushed.add(home.id)
    await month.live(month.dice.randrange(5), calm=False)
    await month.stage.pass_time(month.dice.uniform(60, 7200))
    month.stage.server.world.threads.set(home._channel, {"archived": False, "locked": False})
    month.hushed.discard(home.id)
    await month.stage.pass_time(700)


async def a_deleted_thread(month: Month) -> None:
    """A thread is deleted; somebody goes on with the match in the channel."""
    taken = {table.home.id for table in month.tables if table.home is not None and not table.over}
    tables = [table for table in month.threads() if table.room.id not in taken]
    if not tables:
        return
    table = month.dice.choice(tables)
    await month.calm_down()
    home = _home(table)
    month.stage.server.delete_channel(home)
    table.gone.add(home.id)
    await month.stage.settle()
    person = month.dice.choice(table.holders)
    month.note(f"{table.id}: its thread is deleted, {person.name} goes on in {table.room.name}")
    await person.slash(table.room, "match continue", answered=False, match=table.id)
    await month.stage.settle()
    table.homes.append(table.room)
    await month.live(2, calm=False, at=[table])


async def a_deleted_board(month: Month) -> None:
    """A moderator deletes the board of the current position: it comes back."""
    tables = [one for one in month.playable() if one.home is not None and one.model.seq not in one.restored]
    if not tables:
        return
    table = month.dice.choice(tables)
    await month.calm_down()
    for message in reversed(month.stage.posts_by_bot(_home(table).id)):
        call = call_of(message)
        if call is not None and call[1:] == (table.id, table.model.seq) and message.attachments:
            month.note(f"{table.id}: the board of entry {table.model.seq} is deleted")
            month.stage.server.world.backend.delete_message(message.channel_id, message.id)
            table.restored.add(table.model.seq)
            break
    await month.stage.settle()


_RIGHTS = (
    ("send_messages", "send_messages_in_threads"),
    ("send_messages_in_threads",),
    ("attach_files",),
    ("read_message_history",),
    ("view_channel",),
)


async def rights_taken(month: Month) -> None:
    """The bot loses rights in a channel for some hours."""
    guild = month.dice.choice(month.guilds)
    tables = month.tables_in(guild)
    room = month.dice.choice(tables).room if tables else month.rooms[guild.id]
    rights = month.dice.choice(_RIGHTS)
    month.note(f"no {', '.join(rights)} in {room.name} of {guild.name}")
    month.stage.server.forbid(room, *rights)
    if {"view_channel", "read_message_history"} & {*rights}:
        month.unseen.add(room.id)
    await month.live(month.dice.randrange(1, 8), calm=False, at=tables)
    if month.dice.random() < 0.3:
        await reconnect(month, resume=month.dice.random() < 0.5)
    await hours_go_by(month, 2)
    await month.stage.settle()
    month.stage.server.allow(room)
    month.unseen.discard(room.id)
    await month.stage.pass_time(700)


async def thrown_out(month: Month) -> None:
    """The bot is thrown out of a server, and invited again."""
    guild = month.dice.choice(month.guilds)
    month.stage.server.kick_bot(guild)
    await month.live(month.dice.randrange(1, 8), calm=False, at=month.tables_in(guild))
    await hours_go_by(month)
    await month.stage.settle()
    month.stage.server.invite_bot(guild)
    await month.stage.pass_time(700)


async def people_leave(month: Month) -> None:
    """Somebody leaves a server, and comes back."""
    guild = month.dice.choice(month.guilds)
    person = month.dice.choice(month.members(guild))
    person.leave(guild)
    await month.live(month.dice.randrange(1, 6), calm=False, at=month.tables_in(guild))
    await hours_go_by(month, 30)
    person.join(guild)


def _home(table: Table) -> ChannelHandle:
    assert table.home is not None
    return table.home


ALL: dict[str, Disturbance] = {
    one.__name__: one
    for one in (
        downtime, crash, a_drop, an_outage, an_invalid_session, a_dead_socket, a_guild_away, late_events,
        doubled_events, rate_limits, server_errors, cut_connections, archived_threads, a_locked_thread,
        a_deleted_thread, a_deleted_board, rights_taken, thrown_out, people_leave,
    )
}  # fmt: skip
"""All of them; a month chooses among them every few hours."""
