"""What happened in all of one's matches since the last visit: in one list, and in digests alike."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.outbound.overviews import MAX_FIRST, visible_length
from tests.bot.lobby_acts import labels
from tests.bot.ping_acts import direct, moves, wants
from tests.bot.stage import Stage, shown, text_of, words_of

pytestmark = pytest.mark.slow


async def turn_of_ann(stage: Stage) -> str:
    """A match in which Ann has moved and is to move again: its id."""
    match, _ = await stage.open(stage.ann, stage.ben)
    for _ in range(3 if await stage.mover(match) is stage.ben else 2):
        await moves(stage, match)
    assert await stage.mover(match) is stage.ann
    return match


async def listed(stage: Stage) -> list[str]:
    """The lines of Ann's list."""
    return text_of(await stage.ann.slash(stage.channel, "matches mine")).splitlines()


async def test_turns_moves_and_results_since_the_last_visit(stage: Stage) -> None:
    turn = await turn_of_ann(stage)
    lost, thread = await stage.open(stage.ann, stage.ben)
    left, elsewhere = await stage.open(stage.ann, stage.ben)
    assert (await listed(stage))[0] == "Your matches, your turn first:"
    visit = int(stage.bot.context.clock.now().timestamp())
    await stage.later(hours=1)
    for who, where in ((stage.ben, thread), (stage.ann, elsewhere)):
        await who.click(shown(await who.slash(where, "match resign")), label="Yes, I resign")
    lines = await listed(stage)
    assert lines[0] == f"Since your last visit, <t:{visit}:R>: **your move** in one match and one result."
    assert lines[1].startswith(f"▶ `{turn}` Focus against Ben: **your move** · [the board](<")
    assert re.match(r"-# . Green \(Ben\): |-# . Red \(Ben\): ", lines[2]), "since her own move"
    assert lines[3].startswith(f"· `{lost}` Focus against Ben: ")
    assert "Ann" in lines[3]
    assert left not in "\n".join(lines), "she has ended it herself"
    await stage.restart()
    assert await listed(stage) == lines, "a visit lasts a while"
    await stage.later(hours=1)
    later = await listed(stage)
    assert later[0].endswith(": **your move** in one match.")
    assert lost not in "\n".join(later)
    await moves(stage, turn)
    assert (await listed(stage))[0].endswith(": nothing waits for you.")


async def test_what_has_no_room_on_a_phone_is_behind_a_button(stage: Stage) -> None:
    matches = [await turn_of_ann(stage) for _ in range(10)]
    first = shown(await stage.ann.slash(stage.channel, "matches mine"))
    assert visible_length(words_of(first)) <= MAX_FIRST
    told = [match for match in matches if match in words_of(first)]
    assert 2 < len(told) < len(matches)
    assert re.search(r"\nAnd (one|\d) more\.$", words_of(first))
    assert labels(first) == {"All my matches"}
    whole = shown(await stage.ann.click(first, label="All my matches"))
    assert all(match in words_of(whole) for match in matches)
    assert labels(whole) == set()


async def test_a_digest_says_the_same(stage: Stage) -> None:
    at = (stage.bot.context.clock.now() + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    await wants(stage, stage.ann, style="digest", digests=(at,))
    await turn_of_ann(stage)
    await stage.later(hours=2.5)
    (digest,) = direct(stage.ann)
    assert words_of(digest).splitlines()[1:] == (await listed(stage))[1:]
    assert "Since your last visit" not in words_of(digest)
    assert words_of(shown(await stage.ann.user.click(digest, label="My matches"))).startswith("Your match:")


def test_links_count_by_their_words() -> None:
    assert visible_length("a · [the board](<https://discord.com/channels/1/2/3>)") == len("a · [the board]")
