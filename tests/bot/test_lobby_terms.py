"""Whom a lobby is for, as people see it: the host's form, the lobby's message, and why one can't join."""

from __future__ import annotations

import pytest

from matches.standing.ratings import START
from tests.bot.lobby_acts import panel
from tests.bot.stage import Stage, text_of, words_of
from tests.bot.test_standing import beaten

pytestmark = pytest.mark.slow


async def test_the_host_says_whom_it_is_for_and_others_read_why_they_do_not_fit(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="dominance", start=False)
    form = await stage.ann.click(await panel(stage, match), label="Who may join")
    assert "a rating" not in words_of(await stage.lobby(match))
    await stage.ann.submit_modal(form, {"kept": "90 %", "least": "1600", "most": "1800"})
    text = words_of(await stage.lobby(match))
    assert "For people with 90 % of their matches played to the end; a rating from 1600 to 1800." in text
    why = text_of(await stage.ben.click(await stage.lobby(match), label="Join"))
    assert why.startswith("This lobby is for ratings from 1600 on, and yours for this kind of match is 1500.")
    form = await stage.ann.click(await panel(stage, match), label="Who may join")
    refused = await stage.ann.submit_modal(form, {"kept": "", "least": "many", "most": ""})
    assert "two numbers, the lower one first" in text_of(refused)
    form = await stage.ann.click(await panel(stage, match), label="Who may join")
    await stage.ann.submit_modal(form, {"kept": "", "least": "", "most": f"{START.points:.0f}"})
    assert "For people with a rating of 1500 or less." in words_of(await stage.lobby(match))
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert "Ben" in words_of(await stage.lobby(match))
    panel_of = await panel(stage, match)
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert "no longer open" in text_of(await stage.ann.click(panel_of, label="Who may join"))


async def test_who_no_longer_hosts_reads_who_does(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, game="dominance", start=False)
    old = await panel(stage, match)
    await stage.ann.click(await stage.lobby(match), label="Leave")
    assert (await stage.row(match)).host == stage.ben.id
    said = text_of(await stage.ann.click(old, label="Who may join"))
    assert said == f"Only {stage.ben.mention}, who opened this lobby, can change its options."


async def test_the_lobby_has_a_word_on_who_plays_matches_to_their_end(stage: Stage) -> None:
    for _ in range(5):
        await beaten(stage, stage.ann, stage.ben)
    match, _ = await stage.open(stage.ann, game="dominance", start=False)
    await stage.cleo.click(await stage.lobby(match), label="Join")
    text = words_of(await stage.lobby(match))
    (line,) = [line for line in text.splitlines() if "of matches played to the end" in line]
    assert "Ann" in line
    assert line.endswith("host · 100 % of matches played to the end")
    await stage.ann.slash(stage.channel, "settings me", standing="private")
    other, _ = await stage.open(stage.ann, game="dominance", start=False)
    assert "played to the end" not in words_of(await stage.lobby(other))
