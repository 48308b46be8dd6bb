"""The bot answers what people write: default messages and replies, and no other kind that Discord documents.

Source: https://discord.com/developers/docs/resources/message#message-object-message-types
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import discord
import pytest
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle

from tests.bot.acts import last_board
from tests.bot.stage import Stage

pytestmark = pytest.mark.slow

WRITTEN = (discord.MessageType.default.value, discord.MessageType.reply.value)
UNKNOWN = 99
"""A type that Discord may add."""
TYPES = (*(each.value for each in discord.MessageType), UNKNOWN)
WEBHOOK = {"webhook_id": "1456074443980800001"}
POLL = {
    "question": {"text": "Draw?"},
    "answers": [{"answer_id": 1, "poll_media": {"text": "Yes"}}],
    "expiry": "2027-01-01T00:00:00+00:00",
    "allow_multiselect": False,
    "layout_type": 1,
}


async def receive(
    stage: Stage, home: ChannelHandle, model: discord.Message, changes: Mapping[str, Any]
) -> list[discord.Message]:
    """What the bot says to a message like another one, but for some changes of its JSON."""
    backend = stage.env.backend
    stored = copy.copy(backend.messages[home.id][model.id])
    stored.id = backend.messages[home.id][max(backend.messages[home.id])].id + (1 << 22)
    backend.messages[home.id][stored.id] = stored
    payload = dict(message_payload(backend, stored)) | dict(changes)

    async def arrives() -> None:
        backend.emit("MESSAGE_CREATE", payload)
        await stage.env.settle()

    return await stage.hears(home, arrives())


async def test_only_what_people_write_is_answered(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    model = stage.post(await stage.mover(match), thread, f"{stage.mention} zz99", reply_to=board)
    await stage.env.settle()
    version = (await stage.row(match)).version
    answered = [kind for kind in TYPES if await receive(stage, thread, model, {"type": kind})]
    assert tuple(answered) == WRITTEN
    assert not await receive(stage, thread, model, WEBHOOK), "a followed channel's crosspost"
    assert (await stage.row(match)).version == version


async def test_a_forwarded_board_is_not_a_reply(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    for home in (stage.channel, thread):
        assert await stage.hears(home, stage.ann.forward(board, home)) == []
    direct = stage.ann.user.dm_channel
    assert await stage.hears(direct, stage.ann.forward(board, direct)) == []


async def test_a_poll_is_talk_even_in_direct_messages(stage: Stage) -> None:
    direct = stage.ann.user.dm_channel
    model = await stage.ann.user.send_dm("hm")
    assert await receive(stage, direct, model, {"content": ""})
    assert not await receive(stage, direct, model, {"content": "", "poll": POLL})
