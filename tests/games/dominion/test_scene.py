"""Scenes of Dominion: land, tokens, flags, panels, headline, and what each viewer sees."""

from __future__ import annotations

import pytest

import render
from games.dominion import actions, judge, scene, turns
from games.dominion.board import INDEX, NAMES, SIDES, territory_square
from games.dominion.position import KIND_KEYS, Law, State
from games.dominion.scene import GLYPHS, TEAM_GLYPHS
from games.engine.game import Seat, Setup
from games.engine.message import Msg, Who, msg
from games.engine.scene import Grid, Mark, Panel, Scene
from render.kind_grid import visible_rows
from tests.games.dominion.helpers import N, S, act, lawful, position, ready, squares, step
from tests.render.boards import say as host
from tests.rows import rows


def drawn(state: State, viewer: int | None = None) -> Scene:
    return scene.draw(judge.view(state, viewer), viewer)


def say(said: Msg) -> str:
    """Return a message as the last part of its key and its values, about as long as its text."""
    if not said.key.startswith("dominion."):
        return host(said)
    values = [say(value) if isinstance(value, Msg) else str(value) for _, value in said.values]
    return " ".join([said.key.rpartition(".")[2], *values])


def token(of: Scene, at: str) -> tuple[str, str, str, str]:
    """Return glyph, ink, code and name of the token on a square."""
    (found,) = (each for each in of.tokens if each.at == at)
    assert found.name is not None
    return found.glyph, found.ink, found.code, found.name.key.removeprefix("dominion.piece.")


def flags(of: Scene) -> dict[str, str]:
    """Return the colour of the flag in each Territory."""
    assert isinstance(of.board, Grid)
    found = {mark.at: str(mark.ink) for mark in of.marks if mark.kind == "flag"}
    return {
        SIDES[nth]: ink
        for nth, zone in enumerate(of.board.zones)
        for at, ink in found.items()
        if at in zone.places
    }


def badges(panel: Panel) -> list[str]:
    return [say(badge.label) for badge in panel.badges]


def army(panel: Panel) -> dict[str, int]:
    return {item.code: item.count for item in panel.rows[0].items}


# --- the land --------------------------------------------------------------------------------------------


@rows("seats, points", [(2, 9), (3, 15), (4, 21)])
def test_the_land_has_four_territories_a_circle_strongholds_lines_and_points(seats: int, points: int) -> None:
    board = drawn(ready(lawful(seats))).board
    assert isinstance(board, Grid)
    assert [(zone.ink, len(zone.places)) for zone in board.zones] == [
        ("red", 21), ("yellow", 21), ("blue", 21), ("green", 21), ("faint", 37),
    ]  # fmt: skip
    assert [zone.name is None for zone in board.zones] == [False] * 4 + [True]
    assert board.forts == squares("e2 g2 i2 e12 g12 i12 l5 l7 l9 b5 b7 b9")
    assert len(board.edges) == 48
    assert ("d1", "e2") in board.edges or ("e2", "d1") in board.edges
    assert len(board.starts) == points


def test_the_seats_sit_clockwise_from_the_north() -> None:
    for seats, empty, codes in (
        (2, "west", "NS"),
        (3, "west", "NES"),
        (3, "north", "ESW"),
        (4, "west", "NESW"),
    ):
        setup = Setup(seats, tuple(range(seats)), {"empty": empty})
        looks = [scene.look(setup, Seat(seat)) for seat in range(seats)]
        assert "".join(look.code for look in looks) == codes
    assert [look.name.key.rpartition(".")[2] for look in looks] == ["zhao", "qi", "chu", "liang"]
    assert [look.ink for look in looks] == ["red", "yellow", "blue", "green"]
    for part in ("name", "ink", "glyph", "code", "symbol"):
        assert len({getattr(look, part) for look in looks}) == 4


def test_a_private_picture_has_the_own_side_below_and_the_public_one_never_turns() -> None:
    state = ready(lawful(4))
    assert [drawn(state, viewer).turns for viewer in (None, 0, 1, 2, 3)] == [0, 2, 1, 0, 3]
    for viewer, home in enumerate(("g13", "m7", "g1", "a7")):
        of = drawn(state, viewer)
        assert isinstance(of.board, Grid)
        rows, _, _ = visible_rows(of.board, of.turns)
        assert rows[-1][6] == home
    assert drawn(ready(lawful(2)), S).turns == 0


def test_glyphs_lie_in_the_unit_square_and_differ() -> None:
    assert set(GLYPHS) == {*KIND_KEYS[1:], *TEAM_GLYPHS}
    assert len({glyph.outlines for glyph in GLYPHS.values()}) == len(GLYPHS)
    for glyph in GLYPHS.values():
        for outline in glyph.outlines:
            assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in outline)


# --- pieces ----------------------------------------------------------------------------------------------


def test_each_kind_has_its_glyph_letter_ink_and_name() -> None:
    row = "Eg13 Pg12 Gf9 Af7 Wf5 Xf3 Rj8 Sj6 pj4"
    of = drawn(position(S, "a1", p0=row))
    for text in row.split():
        kind = KIND_KEYS[" EPGAWXRSp".index(text[0])]
        name = "recruited" if kind == "peasant" else kind
        assert token(of, text[1:]) == (kind, "red", f"n{text[0]}", name)
    assert token(of, "a1") == ("peasant", "paper", "p", "free")
    assert {each.letter for each in of.tokens if each.ink == "red"} == set("EPGAWXRSp")
    assert [each.letter for each in of.tokens if each.ink == "paper"] == [""]


def test_codes_tell_team_and_kind_apart() -> None:
    codes = {(each.glyph, each.ink): each.code for each in drawn(ready(lawful(4))).tokens}
    assert len(set(codes.values())) == len(codes) == 4 * 6 + 1
    assert all(len(code) <= 2 for code in codes.values())


def test_a_contested_peasant_is_named_and_marked_as_long_as_it_is() -> None:
    state = position(N, "g5", p0="Sg4 Sg6", p1="Sf4 Sh6")
    assert token(drawn(state), "g5")[3] == "contested"
    assert Mark("contested", "g5") in drawn(state).marks
    after = drawn(act(state, "g6-g7"))
    assert token(after, "g5") == ("peasant", "blue", "sp", "recruited")
    assert not [mark for mark in after.marks if mark.kind == "contested"]


def test_flags_stand_where_a_territory_is_controlled() -> None:
    assert flags(drawn(ready(lawful(4)))) == {
        "north": "red", "east": "yellow", "south": "blue", "west": "green",
    }  # fmt: skip
    assert flags(drawn(position(p0="Se2 Si2", p1="Sb5 pb7"))) == {"south": "red"}
    assert not flags(drawn(position()))


def test_a_flag_keeps_clear_of_pieces_while_there_is_room() -> None:
    state = ready(lawful(2))
    of = drawn(state)
    taken = {each.at for each in of.tokens}
    assert not [mark for mark in of.marks if mark.kind == "flag" and mark.at in taken]
    spots = {NAMES[territory_square(2, x, y)] for x, y in scene.FLAG_SPOTS}
    crowd = " ".join(f"p{at}" for at in sorted(spots))
    (flag,) = (mark for mark in drawn(position(p1=f"Se2 Si2 {crowd}")).marks if mark.kind == "flag")
    assert flag.at in spots


def test_marks_of_what_happened_lie_on_the_board() -> None:
    state = position(S, "e5", p1="Sd5 Sf6")
    before = drawn(state)
    after, said = step(state, "f6-f5")
    marks = [mark for fact in said for mark in fact.marks]
    assert {mark.kind for mark in marks} == {"from", "to", "changed"}
    assert {mark.at for mark in marks} <= before.board.places
    assert token(drawn(after), "e5")[1] == "blue"


@rows(
    "wire, marks",
    [
        ("e3-e4", (Mark("from", "e3"), Mark("legal", "e4"))),
        ("sergeants f3 h3", (Mark("legal", "f3"), Mark("legal", "h3"))),
        ("promote f3=R", (Mark("legal", "f3"),)),
        ("demote g2=A", (Mark("legal", "g2"),)),
        ("peasant g7", (Mark("legal", "g7"),)),
        ("pass", ()),
        ("stay", ()),
        ("fate no", ()),
    ],
)
def test_an_action_is_aimed_at_squares(wire: str, marks: tuple[Mark, ...]) -> None:
    assert scene.aim(actions.decode(wire)) == marks


# --- Sergeants -------------------------------------------------------------------------------------------


def test_only_who_chose_sees_the_sergeants_before_all_have_chosen() -> None:
    state = act(turns.begin(lawful()), "throw 6,1")
    chosen = turns.play(state, S, actions.sergeants(INDEX["f3"], INDEX["h3"])).state
    for viewer in (None, N):
        assert token(drawn(chosen, viewer), "f3")[0] == "soldier"
        assert not [mark for mark in drawn(chosen, viewer).marks if mark.kind == "changed"]
        assert "R" not in army(drawn(chosen, viewer).panels[S])
    own = drawn(chosen, S)
    assert token(own, "f3") == token(own, "h3") == ("sergeant", "blue", "sR", "sergeant")
    assert {mark.at for mark in own.marks if mark.kind == "changed"} == {"f3", "h3"}
    assert [panel.state for panel in own.panels] == ["to_act", "waiting"]
    both = turns.play(chosen, N, actions.sergeants(INDEX["f11"], INDEX["h11"])).state
    assert token(drawn(both), "f3")[0] == token(drawn(both), "f11")[0] == "sergeant"
    assert not [mark for mark in drawn(both, S).marks if mark.kind == "changed"]


# --- panels and headline ---------------------------------------------------------------------------------


def test_panels_count_armies_and_seals() -> None:
    panels = drawn(ready(lawful(2))).panels
    assert army(panels[0]) == {"E": 1, "P": 1, "G": 1, "A": 1, "R": 2, "S": 5}
    assert [row.label.key for row in panels[0].rows] == ["dominion.panel.army"]
    seals = drawn(position(seals=[0, 2], p1="pa2 pa4")).panels[S]
    assert army(seals) == {"E": 1, "p": 2}
    assert [item.count for item in seals.rows[1].items] == [2]
    assert seals.rows[1].label.key == "dominion.panel.seals"


def test_a_team_may_take_more_emperors_than_there_are_teams() -> None:
    assert position(seals=[0, 4], p1="pa2").position.seals == (0, 4), "a Prince succeeds, and falls as well"


def test_badges_say_what_decides() -> None:
    assert [badges(panel) for panel in drawn(ready(lawful(4))).panels] == [[], [], [], []]
    three = drawn(ready(lawful(3))).panels
    assert [badges(panel) for panel in three] == [[], ["sandwiched"], []]
    more = position(N, p0="Se2 Si2 Sb5 Sb7", p1="Ph5", pending=[1])
    assert [badges(panel) for panel in drawn(more).panels] == [["territories 2"], ["heir", "territories 0"]]
    assert [badge.tone for panel in drawn(more).panels for badge in panel.badges] == ["good", "bad", "bad"]
    law = lawful(3)
    assert badges(drawn(position(0, law=law, out=[2], p0="Se12 Sg12", p1="Sl5 Sl7")).panels[1]) == []


def test_allies_have_the_number_of_their_team() -> None:
    allied = drawn(ready(lawful(4, allied=True)))
    assert [panel.team for panel in allied.panels] == [0, 1, 0, 1]
    assert all(f"({codes})" in render.alt_text(allied, say) for codes in ("N+S", "E+W", "S+N", "W+E"))
    assert [panel.team for panel in drawn(ready(lawful(4))).panels] == [None] * 4


def test_panels_know_who_is_to_act_and_who_is_out() -> None:
    state = position(0, law=lawful(3), out=[2])
    assert [panel.state for panel in drawn(state).panels] == ["to_act", "waiting", "out"]
    asked = act(position(S, "g5", p1="Ee1"), "e1-d1")
    assert asked.position.phase == "fate"
    assert [panel.state for panel in drawn(asked).panels] == ["waiting", "to_act"]


@rows(
    "phase, wires",
    [
        ("fate", ("g3-g4",)),
        ("move", ("g3-g4", "fate no")),
        ("demote_upper", ("g3-g4", "fate 1")),
        ("demote_lower", ("g3-g4", "fate 2")),
        ("peasant", ("g3-g4", "fate 3")),
        ("promote_lower", ("g3-g4", "fate 5")),
    ],
)
def test_the_headline_names_the_moment(phase: str, wires: tuple[str, ...]) -> None:
    state = ready(lawful(2), S)
    for wire in wires:
        state = act(state, wire)
    said = scene.headline(state.position)
    assert said.key == f"dominion.headline.{phase}"
    values = [value for _, value in said.values]
    assert not any(isinstance(value, Who) for value in values)
    who = [] if phase == "fate" else [scene.kingdom(0 if phase == "move" else 2)]
    assert values == who


def test_the_headline_before_the_first_move() -> None:
    begun = turns.begin(lawful())
    assert scene.headline(begun.position) == msg("dominion.headline.throw")
    assert scene.headline(act(begun, "throw 6,1").position) == msg("dominion.headline.sergeants")


def test_succession_is_told_and_then_who_won() -> None:
    state = position(N, p0="Ge2", p1="Eg2 Pi5", law=lawful(succession="strict"))
    heir = act(act(state, "e2-g2"), "fate no")
    assert heir.position.phase == "succession"
    assert scene.headline(heir.position) == msg("dominion.headline.succession", who=scene.kingdom(2))
    assert [panel.state for panel in drawn(heir).panels] == ["waiting", "to_act"]
    crowned = act(heir, "fate 6")
    assert scene.headline(crowned.position) == msg("dominion.headline.heir", who=scene.kingdom(2))
    lost = act(heir, "fate no")
    assert scene.headline(lost.position) == msg("dominion.outcome.last", who=(scene.kingdom(0),))
    assert [panel.state for panel in drawn(lost).panels] == ["won", "lost"]
    assert [badges(panel) for panel in drawn(lost).panels] == [[], []]


def test_a_draw_names_everybody_left() -> None:
    state = position(S, p1="Ee1", quiet=59, law=lawful())
    ended = act(act(state, "e1-d1"), "fate no")
    assert [panel.state for panel in drawn(ended).panels] == ["drawn", "drawn"]
    assert drawn(ended).headline.key == "dominion.outcome.draw"


def test_allies_win_together_even_one_who_is_out() -> None:
    law = lawful(4, allied=True)
    state = position(0, law=law, out=[2, 3], p0="Gm2", p1="Em7")
    ended = act(state, "m2-m7")
    assert [panel.state for panel in drawn(ended).panels] == ["won", "lost", "won", "lost"]
    assert drawn(ended).headline == msg("dominion.outcome.last", who=(scene.kingdom(0), scene.kingdom(2)))


# --- in words --------------------------------------------------------------------------------------------


def full(law: Law) -> State:
    """Return a state with more pieces than any match has."""
    kinds = "PGGAAWXRRRSSSSSpp"
    spots = sorted(set(NAMES) - squares("a13 m13 m1 a1"), key=lambda at: (int(at[1:]) * 7 % 13, at))
    rows = {f"p{seat}": " ".join(k + spots.pop() for k in kinds) for seat in range(len(law.sides))}
    return position(0, " ".join(spots[:15]), law, **rows)


@rows("viewer", [None, 1])
@rows("crowded", [False, True])
def test_texts_are_enough_to_play_by_and_short_enough_to_send(viewer: int | None, crowded: bool) -> None:
    of = drawn(full(lawful(4)) if crowded else ready(lawful(4)), viewer)
    text = render.text_board(of, say)
    assert len(text) <= 1990
    assert max(len(line) for line in text.splitlines()[:16]) <= 70
    said = render.alt_text(of, say)
    assert len(said) <= 1024
    told = said.replace(",", " ").replace(".", " ").split()
    assert {each.at for each in of.tokens} <= set(told)
    assert crowded or "soldier e2 e3 g3 i2 i3" in said


@pytest.mark.parametrize("theme", render.THEMES)
def test_pictures_are_small(theme: str) -> None:
    for state in (ready(lawful(4)), full(lawful(4))):
        assert len(render.draw(drawn(state), say, theme=theme)) <= 120_000
