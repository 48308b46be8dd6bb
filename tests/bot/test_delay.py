"""A table that lets others see its match late: wherever they watch, and only until it is over."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from tests.bot.acts import move_by, rows_of
from tests.bot.ping_acts import direct
from tests.bot.stage import Stage, shown, text_of
from tests.bot.test_follow import follow, resigned
from tests.bot.test_showcase import choose, minute, the_list
from tests.bot.test_watch import mirrors

pytestmark = pytest.mark.slow

LOOKS = (
    *("match claim", "match pause", "match resume", "match undo", "match draw", "match share"),
    *("ask hint", "ask hand", "ask moves", "ask board"),
    *(f"replay {name}" for name in ("steps", "film", "fork", "story", "dice", "verify", "analysis")),
)
"""The commands by which anyone can ask about a match."""


async def agreed(stage: Stage, presses: int, game: str = "focus") -> str:
    """A match whose host has pressed the button so often before the start."""
    match, _ = await stage.open(stage.ann, stage.ben, start=False, game=game)
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    for now in ("Watching: live", "Watching: one turn late", "Watching: 3 turns late")[:presses]:
        panel = shown(await stage.ann.click(panel, label=now))
    await stage.ann.click(await stage.lobby(match), label="Start")
    return match


async def play(stage: Stage, match: str) -> str:
    """One move in the match's own thread; what it was."""
    row, now = await stage.row(match), await stage.match(match)
    seat = min(now.to_act)
    view = now.game.view(now.state, seat)
    text = now.game.format(view, next(iter(now.game.actions(view, seat))))
    await move_by(stage, "slash", match, stage.home(row), stage.who(row.seats[seat].user), text)
    return text


async def seen(stage: Stage, who: MemberActor, command: str, match: str) -> str:
    """What a person is shown in another channel than the match's own."""
    return shown(await who.slash(stage.gallery, command, match=match)).content


async def test_the_lobby_says_it_and_the_button_goes_round(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    said = []
    for label in ("live", "one turn late", "3 turns late", "at the end"):
        panel = shown(await stage.ann.click(panel, label=f"Watching: {label}"))
        said.append((await stage.lobby(match)).content.partition("watch elsewhere")[0].rpartition("-# ")[2])
    assert said[:3] == ["Shown one turn late to those who ", "Shown 3 turns late to those who ", "Those who "]
    assert "elsewhere" not in (await stage.lobby(match)).content
    assert "Watching: live" in rows_of(panel)[-1]


async def test_elsewhere_it_is_a_turn_late_wherever_one_looks(stage: Stage) -> None:
    match = await agreed(stage, 1)
    thread = stage.home(await stage.row(match))
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    await follow(stage, stage.dan, match)
    first = await play(stage, match)
    second = await play(stage, match)
    await stage.later(seconds=20)
    late = "Shown one turn late, as its players agreed."

    (mirror,) = mirrors(stage)
    (told,) = direct(stage.dan)
    board = await seen(stage, stage.eve, "ask board", match)
    for text in (mirror.content, told.content, board):
        assert first in text
        assert second not in text
        assert late in text
    pressed = shown(await stage.eve.click(mirror, label="My view")).content
    assert late in pressed
    replay = await seen(stage, stage.eve, "replay steps", match)
    assert replay.startswith("**Move 1 of 1**")
    assert "Shown one turn late" not in shown(await stage.eve.slash(thread, "ask board")).content
    assert second in shown(await stage.eve.slash(thread, "ask board")).content
    mine = shown(await stage.ann.slash(stage.gallery, "replay steps", match=match))
    assert mine.content.startswith("**Move 2 of 2**"), "players see it as it stands"
    public = shown(await stage.ann.click(mine, label="Show here"))
    assert public.content.startswith("**Move 1 of 1**"), "but don't show it"
    await choose(stage, stage.gallery)
    await minute(stage)
    assert "one turn late" in the_list(stage).content

    await resigned(stage, match)
    await stage.later(seconds=20)
    ended = next(each.content for each in mirrors(stage) if each.id == mirror.id)
    assert "wins" in ended
    assert late not in ended
    assert "wins" in direct(stage.dan)[-1].content
    assert (await seen(stage, stage.eve, "replay steps", match)).startswith("**The start**, before 2 moves")


async def test_until_it_is_over_others_see_the_start(stage: Stage) -> None:
    match = await agreed(stage, 3)
    for _ in range(4):
        await play(stage, match)
    board = await seen(stage, stage.eve, "ask board", match)
    assert "This is the start. The rest is shown here when the match is over" in board
    assert (await seen(stage, stage.eve, "replay steps", match)).startswith("**The start**")
    refused = text_of(await stage.eve.slash(stage.gallery, "replay steps", match=match, move=3))
    assert refused == "There is no move 3: the last one is 0."
    await stage.restart()
    assert "This is the start." in await seen(stage, stage.eve, "ask board", match)
    await resigned(stage, match)
    assert "wins" in await seen(stage, stage.eve, "ask board", match)


@pytest.mark.parametrize("game", ["focus", "dominion", "domination"])
async def test_no_command_tells_others_how_far_a_match_is(stage: Stage, game: str) -> None:
    match = await agreed(stage, 3, game)

    async def told() -> dict[str, str]:
        answers = {look: text_of(await stage.eve.slash(stage.gallery, look, match=match)) for look in LOOKS}
        return answers | {
            "odds": text_of(await stage.eve.slash(stage.gallery, "ask odds", match=match, move="1"))
        }

    await play(stage, match)  # that there is more may be told
    before = await told()
    for _ in range(3):
        await play(stage, match)
    assert await told() == before
