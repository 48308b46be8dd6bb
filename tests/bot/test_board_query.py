"""`/ask about`: what it answers on all kinds of boards, and what it can't."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.board_query import BoardQuery
from bot.messages.geography import geography_of
from games.engine import registry
from games.engine.message import msg
from games.engine.scene import Area, Badge, Grid, Hexes, Lines, Link, Map, Mark, Panel, Scene, Token, Zone
from locales import Catalogue
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal, shown, text_of

SAY = Catalogue(strict=True).speaker("en")
ASH, BIRCH = msg("toy.seat.ash"), msg("toy.seat.birch")
CARD = msg("toy.button.card")
SEATS = (
    Panel(0, ASH, "wedge", "red", "A", "to_act", team=0, badges=(Badge(msg("match.outcome.draw"), "good"),)),
    Panel(1, BIRCH, "block", "green", "B", "waiting", team=1),
)
FIELD = Grid(
    5,
    5,
    missing=frozenset({"e5"}),
    special=frozenset({"a1"}),
    zones=(Zone("red", frozenset({"b2", "b3"}), msg("toy.title")), Zone("faint", frozenset({"d4"}), CARD)),
    edges=frozenset({("c3", "b2"), ("b2", "a3")}),
    forts=frozenset({"b2"}),
    starts=frozenset({"b2"}),
)
SQUARES = Scene(
    FIELD,
    (
        Token("b2", "x", "red", "A", name=CARD),
        Token("c3", "x", "red", "A", 0),
        Token("c3", "x", "green", "B", 1),
        Token("a1", "x", "paper", "p"),
        Token("d1", "x", "paper", "p", name=CARD),
    ),
    SEATS,
    msg("toy.title"),
    (Mark("to", "b2"), Mark("guard", "b2", "green"), Mark("flag", "b3", "green"), Mark("contested", "d1")),
)
ROWS = Scene(
    Hexes((2, 3, 2), frozenset({"b2"})),
    tuple(Token(at, "x", "red", "A") for at in ("a1", "a2", "b1", "b3", "c1", "c2")),
    SEATS,
    msg("toy.title"),
)
LAND = Scene(
    Map(
        (100, 100),
        (Area("ala", (10, 10), title="Alaska"), Area("alb", (30, 10), title="Alberta"), Area("x", (90, 90))),
        (Link(("ala", "alb")), Link(("x", "ala"), directed=True)),
        (Zone("red", frozenset({"ala", "alb"}), CARD),),
    ),
    (
        Token("ala", "x", "red", "A", count=5),
        Token("alb", "x", "green", "B", count=2),
        Token("x", "x", "paper", "p", count=1),
    ),
    SEATS,
    msg("toy.title"),
    (Mark("captured", "ala"),),
)
DICE = Scene(
    Lines(3, msg("toy.title"), (("a1", CARD),)),
    (Token("a1", "x", "red", "A", name=CARD), Token("a2", "x", "red", "A"), Token("b2", "x", "green", "B")),
    SEATS,
    msg("toy.title"),
)


@pytest.mark.parametrize(
    ("scene", "where", "told"),
    [
        (SQUARES, "c", "c1–c5: c3 Ash and Birch (bottom to top)."),
        (SQUARES, "2", "a2–e2: b2 Ash Card."),
        (SQUARES, "E", "e1–e4: empty."),
        (
            SQUARES,
            "b2",
            (
                "b2 Ash Card. In Three Walkers. Joined by lines to a3 c3. A stronghold. A start point. "
                "The last move ended here. Guarded by Birch. "
                "Around it: c3 Ash and Birch (bottom to top) and a1 p."
            ),
        ),
        (SQUARES, "a1", "a1 p. With a ring. Around it: b2 Ash Card."),
        (SQUARES, "e4", "e4 is empty. Nothing is around it."),
        (SQUARES, "d1", "d1 Card. It is contested. Nothing is around it."),
        (SQUARES, "e5", None),
        (SQUARES, "6", None),
        (SQUARES, "f", None),
        (SQUARES, "", None),
        (ROWS, "b", "b1–b3: b1 Ash and b3 Ash."),
        (
            ROWS,
            "b2",
            "b2 is empty. With a ring. Around it: b1 Ash, b3 Ash, c1 Ash, c2 Ash, a1 Ash, and a2 Ash.",
        ),
        (ROWS, "a1", "a1 Ash. Around it: a2 Ash and b1 Ash."),
        (ROWS, "1", None),
        (DICE, "a", "A1–A3: A1 Ash Card and A2 Ash."),
        (DICE, "B", "B1–B3: B2 Birch."),
        (DICE, "2", "A2–B2: A2 Ash and B2 Birch."),
        (DICE, "a1", "A1 Ash Card. Card. Around it: A2 Ash."),
        (DICE, "b3", "B3 is empty. Around it: B2 Birch."),
        (DICE, "b4", None),
        (LAND, "card", "Card: Alaska (ala) Ash 5 and Alberta (alb) Birch 2."),
        (
            LAND,
            "Alas",
            "Alaska (ala) Ash 5. In Card. Something was captured here. Around it: Alberta (alb) Birch 2.",
        ),
        (LAND, "X", "x nobody's 1. Around it: Alaska (ala) Ash 5."),
        (LAND, "al", None),
        (LAND, "b", None),
    ],
)
def test_scan(scene: Scene, where: str, told: str | None) -> None:
    assert BoardQuery(scene, SAY).scan(where) == told


def test_where_armies_stand() -> None:
    assert BoardQuery(LAND, SAY, 0).where("mine") == "Ash 5: Alaska (ala)"
    assert BoardQuery(LAND, SAY, 0).kinds() == ("Ash", "Birch")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("cards", "Ash Card: b2\nCard: d1"),
        ("ASH", "Ash Card: b2\nAsh: c3"),
        ("ash card", "Ash Card: b2"),
        ("b", "Birch: c3"),
        ("mine", "Birch: c3"),
        ("my cards", None),
        ("knights", None),
        ("s", None),
        ("", None),
    ],
)
def test_where(typed: str, told: str | None) -> None:
    assert BoardQuery(SQUARES, SAY, 1).where(typed) == told


def test_score() -> None:
    assert BoardQuery(SQUARES, SAY).score().splitlines() == [
        "Three Walkers",
        "Ash (A): to move; team 1; Drawn by agreement; 2 pieces on the board; controls 1 pile",
        "Birch (B): team 2; 1 piece on the board; controls 1 pile",
        "Three Walkers is held by Birch.",
        "Nobody holds Card.",
    ]


@pytest.mark.parametrize("key", [game.key for game in registry.all_games()])
def test_every_game_can_be_heard(key: str) -> None:
    game = registry.get(key)
    for seats in game.seats:
        setup = game.setup(seats)
        scene = game.scene(game.view(game.start(setup).state, None), None)
        query = BoardQuery(scene, SAY, 0)
        assert all(query.scan(each) for each in query.examples())
        assert all(query.scan(place) for place in scene.board.places)
        assert all(len(each) < 1900 for each in map(query.scan, "123456789abcdefg") if each)
        if scene.tokens:
            assert all(query.where(kind) for kind in query.kinds())
        assert len(query.score()) < 1900


@given(st.text(max_size=40), st.sampled_from((SQUARES, ROWS, DICE, LAND)))
def test_nothing_that_is_asked_fails(text: str, scene: Scene) -> None:
    query = BoardQuery(scene, SAY, 0)
    for told in (query.scan(text), query.where(text)):
        assert told is None or told


async def test_a_match_by_ear(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)

    async def ask(what: str, who: object = None) -> str:
        result = await (stage.ann if who is None else mover).slash(thread, "ask about", what=what)
        assert result.ephemeral
        return text_of(result).removesuffix(f"\n-# `{match}`")

    assert "plays first" in await ask("last")
    text = legal(await stage.match(match))[0]
    start = text.split("-")[0]
    assert f"`{text}`" in await ask(f"moves {start}", mover)
    assert "`" in await ask("moves z9", mover)
    assert "to move" in text_of(await waiting.slash(thread, "ask about", what=f"moves {start}"))
    assert "welcome to watch" in text_of(await stage.cleo.slash(thread, "ask about", what=f"moves {start}"))
    await move_by(stage, "slash", match, thread, mover, text)
    last = await ask("LAST")
    assert last.splitlines()[0] == (await last_board(stage, match)).content.splitlines()[0]
    assert "to move" in last
    assert await ask("scan  E4") == await ask("e4")
    assert "ended here" in await ask(f"scan {text[-2:]}")
    assert (await ask("scan 4")).startswith("a4–h4: ")
    assert (await ask("where red")).startswith("Red: ")
    assert "Red (R)" in await ask("score")
    assert await ask("clock") == f"Match `{match}` is played without a clock."
    assert await ask("scan z9") == (
        "Nothing on this board is called `z9`. Try `scan e`, `scan 1`, or `scan e1`."
    )
    for said, told in (("`@everyone`", "'@everyone'"), ("soldiers", "soldiers")):
        answer = f"Nothing called `{told}` is on the board. Choose Red or Green."
        assert await ask(f"where {said}") == answer
    for nonsense in ("what is going on?", "zz", "", "last e4 please" * 100):
        said = await ask(nonsense or " ")
        assert said.startswith("You can ask for") or nonsense.startswith("last")
    everything = [choice["value"] for choice in await stage.ann.autocomplete(thread, "ask about", "what", "")]
    assert everything == [
        "last", "score", "clock", "scan e", "scan 1", "scan e1", "moves e1", "where red", "where green",
    ]  # fmt: skip
    begins = await stage.ann.autocomplete(thread, "ask about", "what", "sc")
    assert [choice["value"] for choice in begins] == ["score", "scan e", "scan 1", "scan e1"]


async def test_each_hears_what_they_may_know(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    mine = text_of(await stage.ann.slash(thread, "ask about", what="last"))
    theirs = text_of(await stage.ben.slash(thread, "ask about", what="last"))
    assert "Your card is" in mine
    assert "Your card is" not in theirs
    hands = [
        shown(await who.slash(thread, "ask about", what="score")).content for who in (stage.ann, stage.cleo)
    ]
    assert "Hand: 1 " in hands[0]
    assert "Hand: 2 ?" in hands[1]
    assert text_of(await stage.cleo.slash(stage.channel, "ask about", what="last")).startswith(
        "You have no match"
    )


def test_a_continent_goes_by_its_name_in_texts_and_shows_its_bonus_on_the_map() -> None:
    game = registry.get("domination")
    scene = game.scene(game.view(game.start(game.setup(2)).state, None), None)
    geography = geography_of(scene, SAY)
    assert geography.part_with("ala") == "North America"
    assert geography.line_name(("ala", "alb")) == "North America"
    assert geography.features("ala") == ["In North America."]
    shown = [SAY(zone.name) for zone in scene.board.zones if zone.name is not None]
    assert shown[0] == "North America 5"
