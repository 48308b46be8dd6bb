"""What people do on the page, through the WebSocket, with a bot that answers."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from tests.sandbox.page import RefusedError, Sandbox


async def test_the_greeting_names_people_channels_and_the_time(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    assert [one["name"] for one in ann.hello["people"]] == ["ann", "ben", "cleo", "dan", "eve"]
    assert ann.hello["me"]["shown"] == "Ann"
    assert [c["name"] for c in ann.channels] == ["general", "games", "spectators", "Dominium"]
    assert [c["kind"] for c in ann.channels].count("direct") == 1


async def test_a_message_and_its_answer_reach_both_tabs(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
    bot = ann.hello["bot"]["id"]
    await ann.ask("send", channel=ann.channel("general"), text=f"hello <@{bot}>")
    assert (await ben.wait_for("hello"))["author"]["name"] == "ann"
    answer = await ben.wait_for("You called?")
    assert answer["author"]["bot"] is True


async def test_a_picture_comes_with_its_alt_text_and_its_bytes(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    await ann.ask("send", channel=ann.channel("games"), text="board")
    message = await ann.wait_for("as it stands")
    [file] = message["attachments"]
    assert file["description"] == "Eight red pieces face eight green pieces."
    async with sandbox.http.get(sandbox.url.rstrip("/") + file["url"]) as response:
        assert response.content_type == "image/png"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert (await response.read()).startswith(b"\x89PNG")
    async with sandbox.http.get(f"{sandbox.url}attachments/1/2/none.png") as response:
        assert response.status == 404


async def test_a_reply_pings_and_quotes(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    games = ann.channel("games")
    await ann.ask("send", channel=games, text="board")
    board = await ann.wait_for("as it stands")
    await ann.ask("send", channel=games, text="e4-e6", reply=board["id"])
    answer = await ann.wait_for("You replied: e4-e6")
    assert answer["replied"]["content"] == "e4-e6"
    assert answer["replied"]["author"]["name"] == "ann"


async def test_edit_and_delete_are_for_the_author(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
    games = ann.channel("games")
    await ben.ask("send", channel=games, text="frist")
    message = await ben.wait_for("frist")
    await ben.ask("edit", channel=games, message=message["id"], text="first")
    assert (await ann.wait_for("first"))["edited_timestamp"] is not None
    with pytest.raises(RefusedError, match="own messages"):
        await ann.ask("edit", channel=games, message=message["id"], text="mine")
    await ben.ask("delete", channel=games, message=message["id"])
    await ann.until(lambda: message["id"] not in ann.messages)


@pytest.mark.parametrize(
    ("text", "why"), [("", "nothing to send"), ("   ", "nothing to send"), ("x" * 2001, "The limit is 2000")]
)
async def test_what_discord_would_not_take_is_refused(sandbox: Sandbox, text: str, why: str) -> None:
    ann = await sandbox.page("ann")
    with pytest.raises(RefusedError, match=why):
        await ann.ask("send", channel=ann.channel("games"), text=text)


async def test_commands_come_with_their_options(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    commands = await ann.ask("commands", channel=ann.channel("games"))
    assert [command["name"] for command in commands] == ["echo", "fail", "pick", "play"]
    echo = {option["name"]: option for option in commands[0]["options"]}
    assert echo["text"]["required"] is True
    assert (echo["times"]["min_value"], echo["times"]["max_value"]) == (1, 3)
    assert commands[2]["options"][0]["autocomplete"] is True


async def test_every_kind_of_option_arrives(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    games = ann.channel("games")
    ben = next(one["id"] for one in ann.hello["people"] if one["name"] == "ben")
    role = next(one["id"] for one in ann.hello["roles"] if one["name"] == "Moderators")
    options = {"text": "hey", "times": "2", "quiet": "false", "who": ben, "where": games, "which": role}
    await ann.ask("slash", channel=games, name="echo", options=options)
    message = await ann.wait_for("hey hey")
    assert message["content"] == f"hey hey <@{ben}> <#{games}> <@&{role}>"
    assert message["interaction"]["name"] == "echo"
    file = {"name": "pond.map", "data": b64encode(b"name The Pond").decode()}
    await ann.ask("slash", channel=games, name="echo", options={"text": "Look,", "file": file})
    message = await ann.wait_for("Look,")
    assert message["content"] == "Look, pond.map: name The Pond"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "requires option"),
        ({"text": "x", "times": "9"}, "≤ 3"),
        ({"text": "x", "times": "two"}, "doesn't fit"),
        ({"text": "x", "colour": "red"}, "no option colour"),
        ({"text": "x", "who": "12"}, "Nobody here"),
        ({"text": "x", "which": "12"}, "doesn't fit"),
        ({"text": "x", "file": "pond.map"}, "doesn't fit"),
        ({"text": "x", "file": {"name": "pond.map", "data": "?"}}, "doesn't fit"),
    ],
)
async def test_wrong_options_are_refused(sandbox: Sandbox, options: dict[str, str], why: str) -> None:
    ann = await sandbox.page("ann")
    with pytest.raises(RefusedError, match=why):
        await ann.ask("slash", channel=ann.channel("games"), name="echo", options=options)


async def test_autocomplete_asks_the_bot(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    what: dict[str, Any] = {"channel": ann.channel("games"), "name": "pick", "option": "fruit", "options": {}}
    assert await ann.ask("autocomplete", **what, value="ap") == [
        {"name": "Apple", "value": "apple"},
        {"name": "Apricot", "value": "apricot"},
    ]
    assert await ann.ask("autocomplete", **what, value="zz") == []


async def test_an_ephemeral_answer_is_its_readers_alone(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
    games = ann.channel("games")
    await ann.ask("slash", channel=games, name="echo", options={"text": "psst", "quiet": "true"})
    message = await ann.wait_for("psst")
    await ann.ask("send", channel=games, text="aloud")
    await ben.wait_for("aloud")
    assert ben.saying("psst") is None
    history = await ben.ask("history", channel=games)
    assert "psst" not in str(history)
    await ben.ask("dismiss", channel=games, message=message["id"])
    assert "psst" in str(await ann.ask("history", channel=games))
    await ann.ask("dismiss", channel=games, message=message["id"])
    assert "psst" not in str(await ann.ask("history", channel=games))


async def test_buttons_menus_and_a_form(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    games = ann.channel("games")
    await ann.ask("send", channel=games, text="desk")
    desk = await ann.wait_for("desk is open")
    where = {"channel": games, "message": desk["id"]}
    await ann.ask("click", **where, custom_id="tiny:count:0")
    await ann.until(lambda: "Count 1" in str(ann.messages[desk["id"]]["components"]))
    with pytest.raises(RefusedError, match="No matching component"):
        await ann.ask("click", **where, custom_id="tiny:count:0")

    await ann.ask("send", channel=games, text="desk")
    desk = await ann.until(lambda: next((m for m in ann.messages.values() if "Count 0" in str(m)), None))
    where = {"channel": games, "message": desk["id"]}
    with pytest.raises(RefusedError, match="disabled"):
        await ann.ask("click", **where, custom_id="tiny:closed")
    await ann.ask("select", **where, custom_id="tiny:fruit", values=["apple", "cherry"])
    await ann.wait_for("Chosen: apple and cherry")
    me = ann.hello["me"]["id"]
    await ann.ask("select", **where, custom_id="tiny:friend", values=[me])
    await ann.wait_for(f"Friend: <@{me}>")

    await ann.ask("click", **where, custom_id="tiny:form")
    shown = await ann.until(lambda: next((n for n in ann.news if n["what"] == "modal"), None))
    fields = [part["component"]["custom_id"] for part in shown["modal"]["components"]]
    filled = dict(zip(fields, ["Ann", "long", ["Red"], "Fast"], strict=True))
    with pytest.raises(RefusedError, match="max_length"):
        await ann.ask("submit", interaction=shown["interaction"], values={**filled, fields[0]: "x" * 30})
    await ann.ask("submit", interaction=shown["interaction"], values=filled)
    await ann.wait_for("Ann plays Red: long, Fast")
    with pytest.raises(RefusedError, match="no longer open"):
        await ann.ask("submit", interaction=shown["interaction"], values=filled)


async def test_a_thread_appears_and_can_be_written_in(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
    games = ann.channel("games")
    await ann.ask("slash", channel=games, name="play", options={"game": "focus"})
    thread = (await ben.until(lambda: [c for c in ben.channels if c["kind"] == "thread"]))[0]
    assert (thread["name"], thread["parent"]) == ("focus: Ann", games)
    assert "Your move." in str(await ben.ask("history", channel=thread["id"]))
    await ben.ask("send", channel=thread["id"], text="mine")
    await ann.wait_for("mine")


async def test_direct_messages_are_private(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
    direct = ann.channel("direct")
    assert direct != ben.channel("direct")
    await ann.ask("send", channel=direct, text="between us")
    await ann.wait_for("You said: between us")
    assert ben.saying("between us") is None
    with pytest.raises(RefusedError, match="can't see"):
        await ben.ask("history", channel=direct)
    with pytest.raises(RefusedError, match="can't see"):
        await ben.ask("send", channel=direct, text="me too")


@pytest.mark.slow
async def test_history_comes_in_pages(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    general = ann.channel("general")
    for number in range(53):
        await ann.ask("send", channel=general, text=f"line {number}")
    newest = await ann.ask("history", channel=general)
    assert newest["more"] is True
    assert [m["content"] for m in newest["messages"]] == [f"line {n}" for n in range(3, 53)]
    oldest = await ann.ask("history", channel=general, before=newest["messages"][0]["id"])
    assert oldest["more"] is False
    assert [m["content"] for m in oldest["messages"]] == ["line 0", "line 1", "line 2"]


async def test_nonsense_is_answered_and_the_line_stays(sandbox: Sandbox) -> None:
    ann = await sandbox.page("ann")
    games = ann.channel("games")
    for what in ({}, {"channel": "x"}, {"channel": games}, {"channel": games, "message": "1"}):
        with pytest.raises(RefusedError):
            await ann.ask("fly", **what)
    with pytest.raises(RefusedError, match="no longer exists"):
        await ann.ask("click", channel=games, message="1", custom_id="x")
    await ann.ask("send", channel=games, text="still here")
    await ann.wait_for("still here")
