"""What people type, by every route: moves, partial moves, nonsense and tricks. At most one short answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.messages.components import walk_components
from tests.bot.acts import answers, last_board, move_by, rows_of
from tests.bot.stage import Stage, best, legal, shown, text_of

pytestmark = pytest.mark.slow

WRONG = (
    "e4-e9", "z9-z8", "a1-a2", "b7-c6", "b7-b7", "b7-f7", "9:b7-c7", "+c4", "d4", "e4-", "-e4", "e4 e5 e6",
    "resign e4", "first 1", "c4-c4-c4", "e4e5e6e7", "reserve", "r", "place z1",
)  # fmt: skip
CHAT = (
    "hello everybody", "what a move!", "gg", "lol", "I think e4 is strong, isn't it?", "🙂", "…", "?", "??",
    "!", "no", "a", "1", "12", "nice day at the e4 crossing",
)  # fmt: skip
TRICKS = (
    "@everyone", "@here", "**e4**-`@everyone`", "||e4-e6||", "```e4-e6", "> e4-e9", "# e4-e9", "-# e4",
    "[e4-e6](https://evil.example)", "https://evil.example/e4-e6", "</play:1>", "<#1>", "<:e4:123>",
    "<t:0:R>",
    "\u200be4\u200d-\u2060e9", "\u202ee4-e9", "\ufeff", "e4\u0000-e6", "e\u03014-e6", "４e-ｅ９",
    "e4-e9\n@everyone",
    "{match}", "{0} %s %(x)s {who}", "\\e4", "`e4", "e" * 120, "e4-" * 41, "4" * 1900, "@everyone " * 190,
    "<" * 1900, "```" * 630, "e4-e5 " * 310,
)  # fmt: skip


def texts(stage: Stage) -> Iterator[str]:
    """Return many texts that aren't legal moves, some of them put together at random."""
    yield from WRONG
    yield from CHAT
    yield from TRICKS
    yield stage.cleo.mention
    yield f"<@&{stage.guild.id}>"
    rng = random.Random(7)
    pieces = (*WRONG, *CHAT, "@everyone", "**", "`", "\n", " ", "-", "+", "x", "to", "٤", "ⅷ", "\u200f")
    for _ in range(25):
        yield "".join(rng.choice(pieces) for _ in range(rng.randrange(2, 9)))[:4000]


def judge(text: str, route: str, said: list[discord.Message]) -> None:
    """At most one answer, short, without anything that Discord would make into a ping."""
    assert len(said) <= 1, (route, text)
    for message in said:
        assert 0 < len(message.content) <= 600, (route, text, message.content)


@pytest.mark.parametrize("route", ["reply", "mention", "bare", "dm"])
async def test_messages_that_are_no_moves(open_stage: Stage, route: str) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    before = await stage.match(match)
    home = mover.user.dm_channel if route == "dm" else thread
    for text in texts(stage):
        said = await stage.hears(home, move_by(stage, route, match, thread, mover, text))
        judge(text, route, said)
        if text in WRONG[:10]:
            assert said, (route, text)
            assert "`" in said[0].content, (text, said[0].content)
        if text in CHAT and route == "bare":
            assert not said, text
    for text in ("hello", "e4-e9", legal(before)[0], "@everyone"):
        for person in (waiting, stage.cleo):
            at = person.user.dm_channel if route == "dm" else thread
            said = await stage.hears(at, move_by(stage, route, match, thread, person, text))
            judge(text, route, said)
            if person is waiting and text == legal(before)[0]:
                assert "n't your turn" in said[0].content
                assert mover.name in said[0].content
            if route == "bare" and person is stage.cleo:
                assert not said
    assert (await stage.match(match)).seq == before.seq


async def test_four_thousand_characters(open_stage: Stage) -> None:
    """As long as Discord lets some people write; the simulation's own limit is lower."""
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)

    async def arrives(longer: dict[str, Any]) -> None:
        stage.env.backend.emit("MESSAGE_CREATE", longer)
        await stage.env.settle()

    for route in ("reply", "mention", "bare", "dm"):
        await move_by(stage, route, match, thread, mover, "e4-e9")
        payload = stage.last_payload(mover)
        home = mover.user.dm_channel if route == "dm" else thread
        for number, text in enumerate(("e4 " * 1333, "@everyone " * 400, "٤" * 4000, "`" * 4000, "(" * 4000)):
            longer = {
                **payload,
                "id": str(int(payload["id"]) + 1 + number),
                "content": (payload["content"] + text)[:4000],
            }
            judge(text, route, await stage.hears(home, arrives(longer)))
    assert (await stage.match(match)).plays == 0


async def test_interactions_that_are_no_moves(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    before = await stage.match(match)
    seen = len(thread.history())
    panel = shown(await mover.click(await last_board(stage, match), label="Moves"))
    for text in texts(stage):
        if not text.strip():
            continue
        result = await mover.slash(thread, "move", move=text)
        assert 0 < len(text_of(result)) <= 600, text
        assert result.ephemeral
        form = await mover.click(panel, label="Type a move")
        result = await mover.submit_modal(form, {"move": text[:100]})
        assert 0 < len(text_of(result)) <= 600, text
        assert result.ephemeral
    for person in (waiting, stage.cleo):
        said = text_of(await person.slash(thread, "move", move=legal(before)[0]))
        assert ("n't your turn" if person is waiting else "welcome to watch") in said
    assert (await stage.match(match)).seq == before.seq
    assert len([m for m in thread.history() if not m.flags.ephemeral]) == seen


async def test_nearest_moves_and_half_moves(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    text = legal(await stage.match(match))[0]
    start = text.split("-")[0]

    async def ask(words: str) -> discord.Message:
        (said,) = answers(thread, await mover.send(thread, f"{stage.mention} {words}"))
        return said

    half = await ask(start)
    assert f"Where to from {start}?" in half.content
    assert text in rows_of(half)[0]
    wrong = await ask(f"{start}-{start[0]}9")
    assert "no space" in wrong.content
    tries = await ask(f"?{text}")
    assert f"`{text}` would do this (nothing was played):" in tries.content
    assert tries.attachments[0].description
    assert (await stage.match(match)).plays == 0
    empty = await mover.send(thread, stage.mention)
    assert "Mention me with a move" in answers(thread, empty)[0].content


async def test_attachments_and_remarks_stay_unanswered(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    waiting, mover = await stage.waiting(match), await stage.mover(match)
    picture = (("cat.png", b"no picture"),)
    for person in (waiting, mover, stage.cleo):
        for text, files in (("", picture), ("wow, that was a move", ())):
            if person is mover and text:
                continue
            message = await person.send(thread, text, reply_to=board, attachments=files)
            assert [m.content for m in answers(thread, message)] == [], (person.name, text)
    message = await stage.ann.send(stage.channel, "just talking", attachments=picture)
    assert not answers(stage.channel, message)
    assert (await stage.match(match)).plays == 0


async def test_a_reply_without_its_ping(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    said = {}
    for person in (await stage.mover(match), await stage.waiting(match), stage.cleo):
        message = stage.post(person, thread, "e4-e6", reply_to=board, ping=False)
        await stage.env.settle()
        said[person.name] = [m.content for m in answers(thread, message)]
    mover = (await stage.mover(match)).name
    assert said.pop(mover) == [
        "I can't read a reply that is sent without a ping. Leave the @ on, mention me, or use `/move`."
    ]
    assert not any(said.values()), "to others it is a remark"


async def test_several_matches_need_a_name(stage: Stage) -> None:
    first, one = await stage.open(stage.ann, stage.ben)
    second, _ = await stage.open(stage.ann, stage.cleo)
    for match in (first, second):
        if await stage.mover(match) != stage.ann:
            await move_by(
                stage, "dm", match, one, await stage.mover(match), legal(await stage.match(match))[0]
            )
    text = best(await stage.match(second))
    home = stage.ann.user.dm_channel
    (said,) = await stage.hears(home, stage.ann.send_dm(text))
    assert first in said.content
    assert second in said.content
    assert f" {text}`" in said.content
    for spelt in (second.replace("-", "").lower(), f"`{second}`:"):
        (said,) = await stage.hears(home, stage.ann.send_dm(f"{spelt} z9"))
        assert "no space" in said.content
    await stage.ann.send_dm(f"{second.lower()} {text}")
    assert await stage.mover(second) == stage.cleo
    assert await stage.mover(first) == stage.ann
    which = text_of(await stage.ann.slash(stage.channel, "move", move="e4"))
    assert "Which match do you mean" in which
    await stage.ann.send_dm(legal(await stage.match(first))[0])
    assert await stage.mover(first) == stage.ben, "only one waits: that one is meant"


async def test_no_match_at_all(stage: Stage) -> None:
    for person, text in ((stage.ann, "e4-e6"), (stage.ben, "hello there")):
        home = person.user.dm_channel
        (said,) = await stage.hears(home, person.send_dm(text))
        assert "`/play` starts one" in said.content
    told = text_of(await stage.ann.slash(stage.channel, "move", move="e4-e6"))
    assert told == "You have no match here. `/play` starts one."
    told = text_of(await stage.ann.slash(stage.channel, "ask board", match="F-`@x"))
    assert told.startswith("There is no match `F-'@X`")
    message = await stage.ann.send(stage.channel, f"{stage.mention} e4-e6")
    assert len(answers(stage.channel, message)) == 1


async def test_an_edited_move_counted_as_it_was(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    one, other = legal(await stage.match(match))[:2]
    message = await mover.send(thread, f"{stage.mention} {one}")
    await mover.edit(message, f"{stage.mention} {other}")
    assert [m.content for m in answers(thread, message)] == [
        f"The move in `{match}` counts as first written. The edit changes nothing."
    ]
    await mover.edit(message, "never mind")
    assert len(answers(thread, message)) == 1, "said once"
    assert (await stage.match(match)).plays == 1
    talk = await mover.send(thread, "hello")
    await mover.edit(talk, "hello!")
    assert not answers(thread, talk)


async def test_the_same_message_twice_counts_once(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    for restarted in (False, True):
        mover = await stage.mover(match)
        text = legal(await stage.match(match))[0]
        await mover.send(thread, f"{stage.mention} {text}")
        payload = stage.last_payload(mover)
        plays, posts = (await stage.match(match)).plays, len(thread.history())
        if restarted:
            await stage.restart()
        stage.env.backend.emit("MESSAGE_CREATE", payload)
        await stage.env.settle()
        assert (await stage.match(match)).plays == plays
        assert len(thread.history()) == posts


async def test_a_reply_to_an_old_board(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    old = await last_board(stage, match)
    for _ in range(2):
        await move_by(
            stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
    mover = await stage.mover(match)
    message = await mover.send(thread, legal(await stage.match(match))[0], reply_to=old)
    (said,) = answers(thread, message)
    assert "The position has moved on" in said.content
    assert str((await last_board(stage, match)).id) in said.content
    assert (await stage.match(match)).plays == 2


async def test_two_moves_at_once(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    moves = legal(await stage.match(match))[:2]
    sent = [stage.post(mover, thread, f"{stage.mention} {text}") for text in moves]
    await stage.env.settle()
    assert (await stage.match(match)).plays == 1
    said = [message.content for message in sent for message in answers(thread, message)]
    assert len(said) == 1
    assert "It isn't your turn" in said[0]
    assert len(await stage.boards(match)) == 2


async def test_old_buttons_and_double_clicks(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    board = await last_board(stage, match)
    panel = shown(await mover.click(board, label="Moves"))
    form = await mover.click(panel, label="Type a move")
    text = legal(await stage.match(match))[0]
    await move_by(stage, "menu", match, thread, mover, text)
    for late in (
        await mover.submit_modal(form, {"move": text}),
        await mover.select(panel, [text], custom_id=menu_of(panel)),
    ):
        assert "The position has moved on" in text_of(late)
        assert shown(late).attachments[0].description, "with the present board"
    seen = await stage.ben.click(board, label="My view")
    assert "moved on since that board" in text_of(seen)
    fresh = await last_board(stage, match)
    sure = shown(await stage.ann.click(fresh, label="Resign or draw"))
    results = await stage.press_all((stage.ann, sure, "resign_yes"), (stage.ann, sure, "resign_yes"))
    assert (await stage.row(match)).status == "over"
    assert any("This match is over." in text_of(result) for result in results)
    assert len([m for m in thread.history() if "resigns" in m.content]) == 1


def menu_of(panel: discord.Message) -> str:
    """The first menu of a panel."""
    return next(
        str(child.custom_id)
        for child in walk_components(panel.components)
        if isinstance(child, discord.SelectMenu)
    )


async def test_other_bots_are_not_heard(open_stage: Stage) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    robot: MemberActor = stage.guild.add_member(stage.env.create_user("Robot", bot=True))
    text = legal(await stage.match(match))[0]
    for words in (f"{stage.mention} {text}", text):
        message = await robot.send(thread, words, reply_to=await last_board(stage, match))
        assert not answers(thread, message)
    assert (await stage.match(match)).plays == 0
