"""Private views: overlays that can be switched on and off, and the exact odds of moves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from bot.actions.play.odds import chance_text, odds_list
from bot.messages import presenter
from bot.messages.buttons import read_state
from bot.messages.components import Call
from bot.messages.scenes import ViewState, scene_for
from games.engine.game import Odds, Seat
from games.engine.message import Msg, msg
from games.engine.scene import Scene
from locales import Catalogue
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, shown, text_of

pytestmark = pytest.mark.slow

PINGS = "Ping settings"
USUAL = ["Moves", "My view", "Undo", "Resign or draw", "More"]

# --- overlays -----------------------------------------------------------------------------------------


@pytest.fixture
def scenes(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """The scenes that are shown."""
    seen: list[Scene] = []
    plain = scene_for

    def noted(*args: Any) -> Scene:
        seen.append(plain(*args))
        return seen[-1]

    monkeypatch.setattr(presenter, "scene_for", noted)
    return seen


def guards(scene: Scene) -> set[tuple[str, str | None]]:
    """Return the places and inks of the overlay."""
    return {(mark.at, mark.ink) for mark in scene.marks if mark.kind == "guard"}


async def test_an_overlay_is_switched_on_and_off_in_place(stage: Stage, scenes: list[Scene]) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, game="toy")
    await stage.ben.slash(stage.channel, "settings me", theme="dark")
    board = await last_board(stage, match)
    assert "Show: Reach" not in str(rows_of(board)), "nothing to switch in public"
    mine = shown(await stage.ben.click(board, label="My view"))
    assert rows_of(mine)[-2:] == [USUAL, ["Show: Reach", "Odds", PINGS]]
    assert not guards(scenes[-1])
    plain = await mine.attachments[0].read()
    await stage.restart()
    on = shown(await stage.ben.click(mine, label="Show: Reach"))
    assert on.id == mine.id, "the same message, changed"
    assert guards(scenes[-1]) == {
        *((f"{file}1", "red") for file in "bcd"),
        *((f"{file}2", "green") for file in "bcd"),
    }
    assert rows_of(on)[-1] == ["Hide: Reach", "Odds", PINGS]
    assert len(on.attachments) == 1
    off = shown(await stage.ben.click(on, label="Hide: Reach"))
    assert rows_of(off)[-1] == ["Show: Reach", "Odds", PINGS]
    assert not guards(scenes[-1])
    assert await off.attachments[0].read() == plain, "side and theme are kept"


async def test_an_overlay_on_a_text_board_stays_one(stage: Stage, scenes: list[Scene]) -> None:
    _, thread = await stage.open(stage.ann, stage.ben, game="toy")
    view = shown(await stage.cleo.slash(thread, "ask board", look="text"))
    on = shown(await stage.cleo.click(view, label="Show: Reach"))
    assert on.content.startswith("```")
    assert not on.attachments
    assert guards(scenes[-1])
    await stage.cleo.slash(thread, "settings me", board="text")
    picture = shown(await stage.cleo.slash(thread, "ask board", look="picture"))
    on = shown(await stage.cleo.click(picture, label="Show: Reach"))
    assert on.attachments, "a picture stays a picture, whatever the settings say"
    assert rows_of(on)[-1] == ["Hide: Reach"], "who watches two choose sees no hand"


async def test_a_switch_on_an_old_view_leads_to_the_current_one(stage: Stage, scenes: list[Scene]) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    mine = shown(await stage.ben.click(await last_board(stage, match), label="My view"))
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    on = shown(await stage.ben.click(mine, label="Show: Reach"))
    assert "moved on" in on.content
    assert "Highest card" in rows_of(on)[0]
    focus, _ = await stage.open(stage.cleo, stage.dan)
    waits = stage.dan if await stage.mover(focus) is stage.cleo else stage.cleo
    view = shown(await waits.click(await last_board(stage, focus), label="My view"))
    assert rows_of(view) == [USUAL, ["Plan", PINGS]], "no overlays, no chance"


def test_what_is_no_overlay_is_left_out() -> None:
    assert read_state("t.reach.gone", ("reach",)) == (ViewState(("reach",)), True)
    assert read_state("", ("reach",)) == (ViewState(), False)
    assert ViewState(("a", "b")).toggled("a") == ViewState(("b",))
    assert ViewState(("a",)).toggled("b") == ViewState(("a", "b"))


# --- chances ------------------------------------------------------------------------------------------


async def test_the_chances_of_all_moves_and_of_one(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    now = await stage.match(match)
    hand = now.game.view(now.state, Seat(1)).hand
    result = await stage.ben.slash(thread, "ask odds")
    assert result.ephemeral
    head, *lines = text_of(result).splitlines()
    assert head.startswith("The odds for B Birch (Ben):")
    assert lines == [
        line
        for card in hand
        for line in (
            f"**`card {card}`**",
            "- 2/3 (67 %) two or three steps, if it is the highest",
            "- 1/3 (33 %) one step, if it is the highest",
        )
    ] + [f"-# `{match}`"]
    one = text_of(await stage.ben.slash(thread, "ask odds", move=f"C{hand[0]}"))
    assert one.splitlines()[1] == f"**`card {hand[0]}`**"
    assert len(one.splitlines()) == 5
    here = [c["value"] for c in await stage.ben.autocomplete(thread, "ask odds", "move", "card")]
    assert here == [f"card {card}" for card in hand]


async def test_chances_by_button(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    board = await last_board(stage, match)
    for message in (
        shown(await stage.ann.click(board, label="My view")),
        shown(await stage.ann.click(board, label="Moves")),
    ):
        said = await stage.ann.click(message, label="Odds")
        assert said.ephemeral
        assert "2/3 (67 %)" in text_of(said)
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    view = shown(await stage.ann.click(board, label="My view"))
    assert "Odds" not in str(rows_of(view)), "nothing is to be done"
    late = await stage.press_id(stage.ann, board, f"domb:{Call('odds', match, 1).custom_id}")
    assert "No dice are involved" in text_of(late)


async def test_why_there_are_no_chances_to_tell(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    watching = text_of(await stage.cleo.slash(thread, "ask odds"))
    assert watching == f"No dice are involved now in `{match}`.", "no hand is given away"
    wrong = text_of(await stage.ann.slash(thread, "ask odds", move="card 99"))
    assert wrong.startswith("You don't hold 99.")
    assert "`card " in wrong
    for long in ("card " * 40, "@everyone **card**"):
        said = text_of(await stage.ann.slash(thread, "ask odds", move=long))
        assert 0 < len(said) < 300
    _, other = await stage.open(stage.ann, stage.ben)
    assert "No dice are involved" in text_of(await stage.ann.slash(other, "ask odds"))
    await stage.bot.context.service.play.resign(match, stage.ann.id, request="end")
    assert text_of(await stage.ann.slash(thread, "ask odds", match=match)) == "This match is over."
    assert "There is no match" in text_of(await stage.ann.slash(thread, "ask odds", match="W-ZZZ"))


def say(message: Msg) -> str:
    """In English, with letters for seats."""
    return Catalogue().say(message)


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (Fraction(5, 6), "5/6 (83 %)"),
        (Fraction(1, 7776), "1/7776 (<1 %)"),
        (Fraction(7775, 7776), "7775/7776 (>99 %)"),
        (Fraction(1), "1 (100 %)"),
        (Fraction(0.65913), "65.9 %"),
        (Fraction(1, 10**6), "<0.1 %"),
        (1 - Fraction(1, 10**6), ">99.9 %"),
    ],
)
def test_what_may_happen_is_never_called_impossible(of: Fraction, told: str) -> None:
    assert chance_text(of) == told


@pytest.mark.slow
def test_what_has_no_room_is_named() -> None:
    sure = Odds("grow 1", ((Fraction(1), msg("toy.odds.far")),))
    assert odds_list((sure,), say, 500) == "**`grow 1`**: two or three steps, if it is the highest"
    many = tuple(Odds(f"grow {n}", ((Fraction(1, 2), msg("toy.odds.far")),) * 2) for n in range(40))
    text = odds_list(many, say, 1800)
    assert len(text) <= 1800
    assert text.startswith("**`grow 0`**\n- 1/2 (50 %) two or three")
    last = text.splitlines()[-1]
    shown = text.count("**`")
    assert last.startswith(f"There are {40 - shown} more, such as `grow {shown}`, ")
    assert f"`/ask odds move:grow {shown}`" in last
    assert len(odds_list(many[:1], say, 20)) == 20, "an action that is too long by itself is cut"
