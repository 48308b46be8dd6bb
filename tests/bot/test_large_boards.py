"""Large boards: the targets of a piece, zooming into a part, and options in pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import discord
import pytest

from bot.actions.play.move_targets import find_targets
from bot.messages import scenes
from bot.messages.buttons import read_state
from bot.messages.components import walk_components
from bot.messages.crop import Rectangles
from bot.messages.geography import crop_scene, parts_of
from bot.messages.scenes import ViewState
from games.engine.game import Option, Rejected, Seat
from games.engine.message import Msg, msg
from games.engine.scene import Area, Grid, Lines, Link, Map, Mark, Scene, Token, Zone
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, menu_with, shown, text_of, words_of
from tests.toy.game import Toy
from tests.toy.rules import View

pytestmark = pytest.mark.slow

LARGE = Grid(
    13,
    13,
    zones=(
        Zone("red", frozenset({"a12", "b13"}), msg("toy.seat.ash")),
        Zone("blue", frozenset({"k1"}), msg("toy.seat.birch")),
    ),
)


MAP = Map(
    (100, 100),
    (
        Area("ala", (10, 10), title="Alaska"),
        Area("alb", (30, 10), title="Alberta"),
        Area("nwt", (30, 30), title="North West Territory"),
        Area("kam", (90, 90), title="Kamchatka"),
    ),
    (Link(("ala", "alb")), Link(("alb", "nwt")), Link(("kam", "ala"), wraps=True)),
    (
        Zone("red", frozenset({"ala", "alb", "nwt"}), msg("toy.seat.ash")),
        Zone("blue", frozenset({"kam"}), msg("toy.seat.birch")),
    ),
)


def say(message: Msg) -> str:
    """Keys will do, but for what the tests type."""
    return {"toy.seat.ash": "Ash Land", "toy.seat.birch": "Birch Land", "bot.zoom.nw": "North west"}.get(
        message.key, message.key
    )


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("g7", "e5-i9"),
        ("a1", "a1-c3"),
        ("m13", "k11-m13"),
        ("d4-j10", "d4-j10"),
        ("J10 d4", "j10-d4"),
        ("ash", "a12-b13"),
        ("Birch land", "k1-k1"),
        ("north west", "a7-g13"),
        ("land", None),
        ("n1", None),
        ("d4-j14", None),
        ("a1 b2 c3", None),
        ("", None),
        ("7", None),
        ("🙂", None),
        ("a" * 500, None),
    ],
)
def test_parts_by_name(typed: str, part: str | None) -> None:
    assert parts_of(LARGE).read(typed, say) == part
    if part is not None:
        assert parts_of(LARGE).places(part)


def test_nine_parts_cover_the_board_and_overlap() -> None:
    parts = dict(Rectangles(LARGE).compass())
    assert (parts["nw"], parts["c"], parts["se"]) == ("a7-g13", "d4-j10", "g1-m7")
    seen = [parts_of(LARGE).places(part) for part in parts.values()]
    assert frozenset().union(*seen) == LARGE.places
    assert all(len(places) == 49 for places in seen)


def test_a_part_keeps_what_lies_in_it() -> None:
    tokens = (Token("a1", "x", "red", "R"), Token("g7", "x", "red", "R"))
    scene = Scene(LARGE, tokens, (), msg("toy.title"), (Mark("to", "g7"), Mark("from", "a1")))
    part = crop_scene(scene, "d4-j10")
    assert [token.at for token in part.tokens] == ["g7"]
    assert [mark.at for mark in part.marks] == ["g7"]
    for nonsense in ("", "x", "d4", "d4-", "-", "n14-z20", "d4-j10-x"):
        assert crop_scene(scene, nonsense) == scene
    lines = Scene(Lines(3, msg("toy.title")), (), (), msg("toy.title"))
    assert crop_scene(lines, "a1-b2") == lines
    assert parts_of(lines.board).read("a1", say) is None
    assert parts_of(lines.board).options("", say) == []


@pytest.mark.parametrize(
    ("typed", "part", "seen"),
    [
        ("ash", "1", "ala alb nwt"),
        ("Birch Land", "2", "kam"),
        ("ala", "~ala", "ala alb"),  # what is over the rims is not near on the picture
        ("ALB", "~alb", "ala alb nwt"),
        ("north-west territory", "~nwt", "alb nwt"),
        ("kamch", "~kam", "kam"),
        ("al", None, ""),
        ("land", None, ""),
        ("", None, ""),
    ],
)
def test_parts_of_a_map(typed: str, part: str | None, seen: str) -> None:
    assert parts_of(MAP).read(typed, say) == part
    if part is not None:
        assert parts_of(MAP).places(part) == set(seen.split())


def test_the_parts_of_a_map_that_are_offered() -> None:
    assert [option.value for option in parts_of(MAP).options("2", say)] == ["-", "1", "2"]
    assert parts_of(replace(MAP, zones=())).options("", say) == []
    scene = Scene(MAP, (Token("kam", "x", "red", "R", count=3),), (), msg("toy.title"))
    assert crop_scene(scene, "1").tokens == ()
    for nonsense in ("", "0", "3", "~", "~x", "d4-j10", "9" * 99):
        assert crop_scene(scene, nonsense) == scene


def test_the_state_of_a_view_fits_a_button() -> None:
    look, text = read_state("t.reach.@a7-g13.gone", ("reach",))
    assert (look, text) == (ViewState(("reach",), "a7-g13"), True)
    assert look.toggled("reach") == ViewState((), "a7-g13")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The walkers' lanes as the lower end of a large board."""
    scene = Toy.scene

    def wide(self: Toy, view: View, viewer: Seat | None) -> Scene:
        small = scene(self, view, viewer)
        return Scene(LARGE, small.tokens, small.panels, small.headline, glyphs=small.glyphs)

    monkeypatch.setattr(Toy, "scene", wide)
    scenes._scene_of.cache_clear()  # scenes are cached by the game's key
    yield
    scenes._scene_of.cache_clear()


async def picture(message: discord.Message) -> bytes:
    """The picture of a message."""
    return await message.attachments[0].read()


@pytest.mark.usefixtures("large")
async def test_a_large_board_is_looked_at_in_parts(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    board = await last_board(stage, match)
    assert not ids(board), "in private only"
    mine = shown(await stage.cleo.click(board, label="My view"))
    whole = await picture(mine)
    menu = menu_with(mine, "a7-g13")
    part = shown(await stage.cleo.select(mine, ["a7-g13"], custom_id=menu))
    assert part.id == mine.id, "in place"
    assert await picture(part) != whole
    over = shown(await stage.cleo.click(part, label="Show: Reach"))
    assert "@a7-g13" in menu_with(over, "g1-m7"), "the part stays under an overlay"
    await stage.restart()
    again = shown(await stage.cleo.select(over, ["-"], custom_id=menu_with(over, "-")))
    assert "reach" in menu_with(again, "-"), "and the overlay over a part"
    plain = shown(await stage.cleo.click(again, label="Hide: Reach"))
    assert await picture(plain) == whole
    named = shown(await stage.cleo.slash(thread, "ask board", part="a1-d3"))
    text = shown(await stage.cleo.slash(thread, "ask board", part="a1-d3", look="text"))
    assert await picture(named) != whole
    assert "13" not in text.content.split("```")[1]
    for wrong in ("nowhere", "z9", "`@everyone`"):
        said = shown(await stage.cleo.slash(thread, "ask board", part=wrong))
        assert "There is no part called" in said.content
        assert await picture(said) == whole
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    late = shown(await stage.cleo.select(plain, ["d4-j10"], custom_id=menu_with(plain, "d4-j10")))
    assert "moved on" in late.content
    mine = shown(await stage.ben.click(await last_board(stage, match), label="My view"))
    assert menu_with(mine, "d4-j10"), "beside two rows of shortcuts too"
    assert len(mine.components) == 5


async def test_small_boards_and_others_are_shown_whole(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    mine = shown(await stage.ann.click(await last_board(stage, match), label="My view"))
    assert not any(isinstance(child, discord.SelectMenu) for row in mine.components for child in row.children)  # type: ignore[union-attr] # rows
    dice, _ = await stage.open(stage.cleo, stage.dan, game="two_domains")
    said = shown(await stage.cleo.slash(stage.channel, "ask board", match=dice, part="a1"))
    assert "This board is always shown whole." in said.content


async def test_where_a_piece_may_go(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    now = await stage.match(match)
    (seat,) = now.to_act
    start = now.game.format(now.state, next(iter(now.game.actions(now.state, seat)))).split("-")[0]
    found = find_targets(now, seat, start)
    assert not isinstance(found, Rejected)
    assert len(found[0]) > 1
    assert all(text.startswith(start) for text in found[0])
    result = await mover.slash(thread, "ask moves", piece=start)
    assert result.ephemeral
    said = shown(result)
    assert all(f"`{text}`" in said.content for text in found[0])
    assert said.attachments[0].filename == f"{match}-moves.png"
    one = shown(await mover.slash(thread, "ask moves", piece=found[0][0]))
    assert f"`{found[0][0]}`" in one.content
    assert "One legal move." in one.content
    wrong = text_of(await mover.slash(thread, "ask moves", piece="z9"))
    assert wrong
    assert "legal moves" not in wrong
    assert "match is over" not in wrong
    long = text_of(await mover.slash(thread, "ask moves", piece="e4 " * 300))
    assert "too long for a move" in long
    assert "to move" in text_of(await waiting.slash(thread, "ask moves", piece=start))
    assert "welcome to watch" in text_of(await stage.cleo.slash(thread, "ask moves", piece=start))
    await mover.slash(thread, "settings me", board="text")
    text = shown(await mover.slash(thread, "ask moves", piece=start))
    assert text.content.startswith("```")
    assert not text.attachments


async def test_half_a_move_can_be_shown(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    panel = shown(await stage.ben.click(await last_board(stage, match), label="Card"))
    assert rows_of(panel)[-1] == ["Type a move", "Show"]
    plain = shown(await stage.ben.slash(thread, "ask board"))
    seen = await stage.ben.click(panel, label="Show")
    assert seen.ephemeral
    assert await picture(shown(seen)) != await picture(plain)
    assert "Which card?" in shown(seen).content
    await stage.restart()
    assert shown(await stage.ben.click(panel, label="Show")).attachments
    await move_by(stage, "slash", match, thread, stage.ben, "highest")
    late = await stage.ben.click(panel, label="Show")
    assert "moved on" in text_of(late)


async def test_many_options_come_by_the_page(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(Option(key, (False, True), False, seats) for key, seats in MANY)
    monkeypatch.setattr(Toy, "options", many)
    match, _ = await stage.open(stage.ann, stage.ben, start=False, game="toy")
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    assert rows_of(panel)[-2:] == [
        ["Close this lobby", "Hints: allowed", "Watching: live", "Friendly", "Who may join"],
        ["More options (1/3)"],
    ]
    pages = []
    for page in (2, 3, 1):
        pages.append(options_on(panel))
        panel = shown(await stage.ann.click(panel, label=f"More options ({(page - 2) % 3 + 1}/3)"))
    assert pages == [["pairs", "rounds"], ["one", "two"], ["three"]]
    assert options_on(panel) == pages[0]
    panel = shown(await stage.ann.click(panel, label="More options (1/3)"))
    same = shown(await stage.ann.select(panel, ["1"], custom_id=menu_of(panel, "two")))
    assert options_on(same) == ["one", "two"], "the page stays where something was chosen"
    assert (await stage.row(match)).options["two"] is True
    seats = next(i for i in ids(same) if ":seats:" in i)
    three = shown(await stage.ann.select(same, ["3"], custom_id=seats))
    assert (await stage.row(match)).options["two"] is False, "it means nothing with three"
    assert options_on(three) == ["pairs", "rounds"]
    assert rows_of(three)[-2:] == [
        ["Close this lobby", "Hints: allowed", "Watching: live", "Friendly", "Who may join"],
        ["More options (1/2)"],
    ]
    old = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    await stage.ann.click(three, label="Close this lobby")
    late = shown(await stage.ann.click(old, label="More options (1/2)"))
    assert words_of(late) == "This lobby is no longer open."


MANY = (("pairs", ()), ("rounds", ()), ("one", ()), ("two", (2,)), ("three", ()))


def ids(message: discord.Message) -> list[str]:
    """The ids of a message's menus."""
    children = list(walk_components(message.components))
    return [str(child.custom_id) for child in children if isinstance(child, discord.SelectMenu)]


def options_on(message: discord.Message) -> list[str]:
    """Which options have menus there."""
    return [custom_id.rpartition(":")[2] for custom_id in ids(message) if ":option:" in custom_id]


def menu_of(message: discord.Message, option: str) -> str:
    """The menu of an option."""
    return next(custom_id for custom_id in ids(message) if custom_id.endswith(f":{option}"))
