"""How a message is meant for the bot: by a reply, its name, its role, in direct messages, or as bare text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest import mock

import discord
import pytest

from bot.actions.play.typed_message import TypedMessage
from bot.inbound import messages
from bot.inbound.messages import read_typed

ROLE = SimpleNamespace(mention="<@&9>")


def message(content: str, **more: Any) -> Any:
    """A message in a server."""
    values = {"content": content, "guild": SimpleNamespace(self_role=ROLE), "role_mentions": []}
    return SimpleNamespace(**values | {"reference": None} | more)


def reply(number: int, *, author: int = 1) -> Any:
    """A reply to a message of which the library knows the rest."""
    resolved = mock.Mock(spec=discord.Message, author=SimpleNamespace(id=author), components=[])
    return SimpleNamespace(message_id=number, resolved=resolved)


async def read(given: Any, *, content: bool = True, me: bool = True) -> TypedMessage | None:
    posts = {
        20: (SimpleNamespace(kind="board", seq=4), SimpleNamespace(id="F-1")),
        21: (SimpleNamespace(kind="notice", seq=4), SimpleNamespace(id="F-1")),
    }

    async def post_and_match(number: int) -> Any:
        return posts.get(number)

    ctx: Any = SimpleNamespace(
        discord=SimpleNamespace(client=SimpleNamespace(user=SimpleNamespace(id=1) if me else None)),
        store=SimpleNamespace(post_and_match=post_and_match),
        config=SimpleNamespace(message_content=content),
    )
    return await read_typed(ctx, given)


@pytest.mark.parametrize(
    ("given", "route", "text"),
    [
        (message("<@1> e4"), "mention", "e4"),
        (message(" e4 <@!1>"), "mention", "e4"),
        (message("<@&9>e4"), "mention", "e4"),
        (message("<@1>"), "mention", ""),
        (message("<@2> e4"), "bare", "<@2> e4"),
        (message("e4 "), "bare", "e4"),
        (message("", role_mentions=[ROLE]), "role", ""),
        (message("e4", role_mentions=[ROLE]), "bare", "e4"),
        (message("<@1> e4", guild=SimpleNamespace(self_role=None)), "mention", "e4"),
        (message("<@1> e4", guild=None), "dm", "e4"),
        (message("e4", guild=None), "dm", "e4"),
        (message("e4", guild=None, reference=reply(99, author=2)), "dm", "e4"),
    ],
)
async def test_routes(given: Any, route: str, text: str) -> None:
    assert await read(given) == TypedMessage(route, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["?", "…", "", "  "])
async def test_signs_alone_are_talk(text: str) -> None:
    assert await read(message(text)) is None


async def test_bare_text_is_only_read_where_the_operator_wants_it() -> None:
    assert await read(message("e4"), content=False) is None
    assert await read(message("<@1> e4"), content=False) == TypedMessage("mention", "e4")


async def test_a_reply_is_about_the_match_that_it_answers() -> None:
    board = await read(message("e4", reference=reply(20)))
    assert board is not None
    assert (board.route, board.text, board.match, board.version) == ("reply", "e4", "F-1", 4)
    assert board.row is not None
    notice = await read(message("<@1> e4", reference=reply(21)))
    assert notice is not None
    assert (notice.route, notice.text, notice.match, notice.version) == ("reply", "e4", "F-1", None)


@pytest.mark.parametrize(
    ("verb", "arg", "author", "known"),
    [("moves", "", 1, True), ("moves", "mirror", 1, False), ("join", "", 1, False), ("moves", "", 2, False)],
)
async def test_a_board_that_isnt_recorded_yet_says_itself_of_which_match_it_is(
    verb: str, arg: str, author: int, *, known: bool
) -> None:
    call = SimpleNamespace(verb=verb, arg=arg, match="F-2", seq=7)
    with mock.patch.object(messages, "find_identifying_call", return_value=call):
        found = await read(message("e4", reference=reply(99, author=author)))
    assert found == (TypedMessage("reply", "e4", "F-2", 7) if known else TypedMessage("bare", "e4"))


async def test_before_the_library_knows_us_no_message_is_ours() -> None:
    call = SimpleNamespace(verb="moves", arg="", match="F-2", seq=7)
    with mock.patch.object(messages, "find_identifying_call", return_value=call):
        found = await read(message("e4", reference=reply(99)), me=False)
    assert found == TypedMessage("bare", "e4")
