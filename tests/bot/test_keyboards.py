"""What phones and keyboards write is played, and the player to move never gets silence for a legal move."""

from __future__ import annotations

import pytest

from tests.bot.acts import move_by
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow

FORMS = (
    "\u200e{}", "\u2068{}\u2069", "{}\u200b", "{} 😀", "{}👍🏽", "{}。", "「{}」", "• {}",
    "{} <:yay:123456789012345678>",
    "\ufeff**{}**\u200e", "{} 🇩🇪", "{}\ufe0f",
)  # fmt: skip
BESIDE = (
    "I think {}", "{} I think...", "maybe {}?", "{} don't you think?", "ok {} then", "{} 🤔", "{} ❌",
    "so... {} :D",
    "{}, my friend!", "{} <@&123>",
)  # fmt: skip
TALK = (
    "I have thought about {} a lot since yesterday", "if you had played {} I would have won that match",
    "what a nice day", "gg 😀", "👍", "🤔",
)  # fmt: skip


@pytest.mark.parametrize("route", ["reply", "mention", "bare", "dm"])
async def test_what_phones_write_is_played(open_stage: Stage, route: str) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    for form in FORMS:
        before = await stage.match(match)
        mover = await stage.mover(match)
        await move_by(stage, route, match, thread, mover, form.format(legal(before)[0]))
        assert (await stage.match(match)).plays == before.plays + 1, form
        if (await stage.match(match)).ending:
            break


@pytest.mark.parametrize("route", ["reply", "mention", "bare"])
async def test_a_move_with_a_few_words_is_asked_about(open_stage: Stage, route: str) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    before = await stage.match(match)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    move = legal(before)[0]
    for form in BESIDE:
        text = form.format(move)
        (said,) = await stage.hears(thread, move_by(stage, route, match, thread, mover, text))
        assert "nothing was played yet" in said.content, (text, said.content)
    assert (await stage.match(match)).seq == before.seq
    if route == "bare":
        for form in (*BESIDE, *TALK):
            for person in (waiting, stage.cleo):
                text = form.format(move)
                assert not await stage.hears(thread, move_by(stage, route, match, thread, person, text)), text
        for form in TALK:
            text = form.format(move)
            assert not await stage.hears(thread, move_by(stage, route, match, thread, mover, text)), text
    result = await mover.click(said, label=move)
    assert (await stage.match(match)).plays == before.plays + 1, text_of(shown(result))
