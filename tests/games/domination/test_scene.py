"""Scenes of Domination: map, armies, panels, headline, and what each viewer sees."""

from __future__ import annotations

from typing import Any

import pytest

import render
from games.domination.maps.islands import ISLANDS
from games.domination.maps.playable_maps import map_value
from games.domination.maps.world import WORLD
from games.domination.rules import actions, facts, judge, turns
from games.domination.rules.position import State, replace_at
from games.domination.view import private_hand, scene
from games.domination.view.scene import GLYPHS, SEAT_GLYPHS
from games.engine.game import Seat
from games.engine.message import Msg, Who, msg
from games.engine.scene import Map, Mark, Panel, Scene
from render.themes import THEMES, theme_of
from tests.games.domination.helpers import CODES, GAME, act, position, step
from tests.games.domination.mapfiles import atlas
from tests.games.domination.test_maps_page import POND
from tests.render.boards import say as host
from tests.render.maps import SEATS
from tests.rows import rows


def drawn(state: State, viewer: int | None = None) -> Scene:
    return scene.draw(judge.view(state, viewer), viewer)


def say(said: Msg) -> str:
    """Return a message as the last part of its key and its values, about as long as its text will be."""
    if not said.key.startswith("domination."):
        return host(said)
    values = [say(value) if isinstance(value, Msg) else str(value) for _, value in said.values]
    return " ".join([said.key.rpartition(".")[2], *values])


def begun(seats: int, **options: Any) -> State:
    return GAME.start(GAME.setup(seats, options)).state


def counts(of: Scene) -> dict[str, tuple[str, int]]:
    return {token.at: (token.code, token.count) for token in of.tokens}


def row(panel: Panel) -> dict[str, int]:
    return {item.glyph: item.count for each in panel.rows for item in each.items}


def badges(panel: Panel) -> list[str]:
    return [say(badge.label) for badge in panel.badges]


def told(state: State, seat: int) -> list[str]:
    return [say(each) for each in private_hand.hand(judge.view(state, seat), seat)]


def placing(*wires: tuple[int, str]) -> State:
    """Return a position in which two seats hold half each and place in secret."""
    deal = ",".join(str(n % 2) for n in range(len(CODES)))
    state = act(begun(2, setup="deal", even=False), f"deal {deal}")
    for seat, wire in wires:
        state = step(state, wire, seat).state
    return state


# --- the map ---------------------------------------------------------------------------------------------


def test_a_board_is_one_object_for_all_positions_of_its_map() -> None:
    one = drawn(position({0: "", 1: "kam"})).board
    assert one is drawn(position({0: "", 1: "ala 3"})).board
    assert isinstance(one, Map)
    assert one.places == set(CODES)
    assert [len(zone.places) for zone in one.zones] == [9, 4, 7, 6, 12, 4]
    assert one.zones[4].name == msg("domination.zone", name="Asia", value=7)
    assert one.seats == 2
    assert drawn(begun(5)).board != one


def test_maps_of_our_own_are_drawn_and_others_are_discs() -> None:
    pond = atlas(POND)
    for known in (WORLD, ISLANDS):
        assert all(area.outlines for area in scene.board(known, 3).areas)
    of = scene.board(pond, 2)
    assert not any(area.outlines for area in of.areas)
    assert len(of.links) == 7


def test_every_seat_has_a_look_of_its_own_on_all_themes() -> None:
    setup = GAME.setup(6)
    looks = [scene.look(setup, Seat(seat)) for seat in range(6)]
    for part in ("name", "ink", "glyph", "code", "symbol"):
        assert len({getattr(look, part) for look in looks}) == 6
    assert {look.ink for look in looks} == {ink for _, ink, _ in SEATS}
    for key in THEMES:
        theme = theme_of(key)
        assert len({theme.zone(look.ink) for look in looks}) == 6


def test_glyphs_lie_in_the_unit_square_and_differ() -> None:
    assert set(SEAT_GLYPHS) < set(GLYPHS)
    assert len({glyph.outlines for glyph in GLYPHS.values()}) == len(GLYPHS)
    for glyph in GLYPHS.values():
        for outline in glyph.outlines:
            assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in outline)


def test_countries_bear_their_armies_and_nobodys_bear_none() -> None:
    of = drawn(position({0: "ala 7", 1: "kam 12"}))
    assert counts(of)["ala"] == ("R", 7)
    assert counts(of)["kam"] == ("B", 12)
    assert len(of.tokens) == 42
    assert drawn(begun(3)).tokens == ()


def test_capitals_wear_the_colour_of_who_chose_them() -> None:
    state = position({0: "", 1: "kam"}, {"mode": "capital"}, capitals=["kam", "ala"])
    assert drawn(state).marks == (Mark("capital", "kam", "red"), Mark("capital", "ala", "blue"))


# --- what happened ---------------------------------------------------------------------------------------


def marks(said: tuple[Any, ...]) -> set[Mark]:
    return {mark for fact in said for mark in fact.marks}


def test_a_battle_is_one_line_with_an_arrow_and_its_rolls_are_details() -> None:
    state = position({0: "ala 7", 1: "kam 3 jap"})
    ordered = step(state, "attack ala kam until 1")
    assert [fact.detail for fact in ordered.facts] == [True]
    assert Mark("arrow", "ala", "red", "kam") in drawn(ordered.state).marks
    first = step(ordered.state, "roll 611 55")
    assert [(fact.detail, fact.marks) for fact in first.facts] == [(True, ())]
    second = step(first.state, "roll 665 51")
    assert [fact.detail for fact in second.facts] == [True, False]
    arrow = Mark("arrow", "ala", "red", "kam")
    last = second.facts[-1]
    assert last.msg == msg(
        "domination.fact.taken",
        src="ALA", dst="KAM", armies=7, against=3, n=2, lost=1, killed=3, who=facts.army_name(1),
    )  # fmt: skip
    assert last.marks == (arrow, Mark("changed", "kam"))
    assert not any(mark.kind == "arrow" for mark in drawn(second.state).marks)
    held = step(act(state, "attack ala kam x 1"), "roll 111 66")
    assert marks(held.facts) == {arrow}
    assert held.facts[-1].msg.key == "domination.fact.held"


def test_armies_and_the_last_move_are_pointed_at() -> None:
    state = position({0: "ala 3", 1: "kam"}, phase="place", pool=4)
    assert marks(step(state, "place nwt 4").facts) == {Mark("to", "nwt")}
    assert marks(step(position({0: "ala 3", 1: "kam"}), "fortify ala nwt 2").facts) == {
        Mark("from", "ala"),
        Mark("to", "nwt"),
    }


def test_long_lists_are_details_and_few_claims_are_not() -> None:
    deal = step(begun(2, setup="deal"), "deal " + ",".join(str(n % 2) for n in range(42)))
    assert [fact.detail for fact in deal.facts] == [False, True, True]
    claims = [(seat, at) for seat, at in enumerate((3, 4))]
    few = facts.claimed(begun(2).position, claims)
    assert [fact.detail for fact in few] == [False, False, False]
    assert marks(few) == {Mark("to", CODES[3]), Mark("to", CODES[4])}
    many = facts.claimed(begun(2).position, [(n % 2, n) for n in range(42)])
    assert [fact.detail for fact in many] == [False, True, True, False]
    assert not marks(many)


@rows(
    "wire, aims",
    [
        ("attack ala kam until 3", (Mark("from", "ala"), Mark("legal", "kam"))),
        ("fortify egy mea 2", (Mark("from", "egy"), Mark("legal", "mea"))),
        ("place ukr 5", (Mark("legal", "ukr"),)),
        ("claim sia", (Mark("legal", "sia"),)),
        ("capital sia", (Mark("legal", "sia"),)),
        ("trade ala kam que bonus kam", (Mark("legal", "kam"),)),
        ("trade ala kam que", ()),
        ("end", ()),
        ("move 3", ()),
    ],
)
def test_an_action_is_aimed_at_countries(wire: str, aims: tuple[Mark, ...]) -> None:
    view = judge.view(position({0: "", 1: "kam"}), 0)
    assert scene.action_marks(view, actions.decode(wire)) == aims


def test_armies_that_move_in_come_from_the_origin() -> None:
    state = act(position({0: "ala 7", 1: "kam 1 jap"}), "attack ala kam until 1", "roll 666 1")
    aims = scene.action_marks(judge.view(state, 0), actions.decode("move 4"))
    assert aims == (Mark("from", "ala"), Mark("legal", "kam"))


# --- secrets ---------------------------------------------------------------------------------------------


def test_only_who_placed_armies_sees_them_before_all_have() -> None:
    state = placing((1, "place nwt 5"))
    for viewer in (None, 0):
        assert counts(drawn(state, viewer))["nwt"] == ("B", 1)
        assert drawn(state, viewer) == drawn(placing(), viewer)
        assert not badges(drawn(state, viewer).panels[1])
    own = drawn(state, 1)
    assert counts(own)["nwt"] == ("B", 6)
    assert own.marks == (Mark("changed", "nwt"),)
    assert badges(own.panels[1]) == ["pool 14"]
    assert row(own.panels[1])["armies"] == 26
    assert told(state, 1) == ["placed ('NWT +5',)", "left 14"]
    assert told(state, 0) == ["left 19"]


def test_only_who_wishes_sees_the_wishes() -> None:
    state = turns.play(begun(3), 1, actions.decode("queue sia")).state
    assert drawn(state, 1).marks == (Mark("hint", "sia"),)
    assert drawn(state).marks == drawn(state, 0).marks == ()
    assert told(state, 1) == ["wishes ('SIA',)"]
    assert told(state, 0) == ["no_wishes"]


def test_only_who_chose_sees_a_capital_before_all_have() -> None:
    state = position({0: "", 1: "kam"}, {"mode": "capital"}, phase="capital")
    chosen = step(state, "capital kam", 1).state
    assert drawn(chosen, 1).marks == (Mark("capital", "kam", "blue"),)
    assert drawn(chosen).marks == drawn(chosen, 0).marks == ()
    assert told(chosen, 1) == ["pick KAM"]
    assert [panel.state for panel in drawn(chosen).panels] == ["to_act", "waiting"]


def test_cards_are_counted_for_all_and_seen_by_their_seat() -> None:
    state = position({0: "ala 5", 1: "kam"}, None, {0: "ala *1 kam cam", 1: "que"})
    for viewer in (None, 1):
        assert row(drawn(state, viewer).panels[0])["cards"] == 4
    own = row(drawn(state, 0).panels[0])
    assert (own["infantry"], own["cavalry"], own["wild"], "cards" in own) == (1, 2, 1, False)
    assert private_hand.hand(judge.view(state, None), 0) == ()
    said = told(state, 0)
    assert said[0].startswith("cards ")
    assert said[0].endswith(" 4")
    assert sorted(said[1:]) == ["set ALA CAM wild 4", "set ALA KAM wild 4", "set CAM KAM wild 4"]
    assert len(told(state, 1)) == 1
    assert told(position({0: "", 1: "kam"}, None, {1: "ice nwt"}), 0) == ["none"]
    assert told(position({0: "", 1: "kam"}, None, {1: "ice afg cam yak"}), 1)[1:] == ["no_set"]


def test_sets_are_listed_best_first_and_not_without_end() -> None:
    state = position({0: "", 1: "kam"}, {"cards": "fixed"}, {0: "ala alb ven per *1 *2"})
    said = told(state, 0)
    values = [int(each.rpartition(" ")[2]) for each in said if each.startswith("set ")]
    assert values == sorted(values, reverse=True)
    assert len(values) == 4
    assert said[-1].startswith("sets ")


def test_of_a_huge_hand_not_every_card_is_named() -> None:
    state = position({0: "", 1: "kam"}, {"cards": "italian"}, {0: " ".join(CODES[:38])})
    first, more, *_ = private_hand.hand(judge.view(state, 0), 0)
    (listed,) = (value for name, value in first.values if name == "cards")
    assert isinstance(listed, tuple)
    assert len(listed) == 30
    assert more == msg("domination.hand.more", n=8)


@rows(
    "number, seat, killer, said",
    [
        (0, 0, -1, []),
        (9, 0, -1, []),
        (9, 1, -1, ["self 24"]),
        (9, 0, 2, ["instead 24"]),
        (9, 0, 0, []),
    ],
)
def test_a_mission_is_told_to_its_seat(number: int, seat: int, killer: int, said: list[str]) -> None:
    own: list[dict[str, Any]] = [{}, {}, {}]
    own[0]["mission"], own[1]["mission"], own[2]["mission"] = 1, 2, 3
    own[seat]["mission"] = number
    state = position({0: "", 1: "kam", 2: "jap"}, {"mode": "mission"}, own=own)
    info = state.position.info
    info = info._replace(killers=replace_at(info.killers, 1, killer))
    state = state._replace(position=state.position._replace(info=info))
    found = private_hand.hand(judge.view(state, seat), seat)
    assert found[0] == msg(
        "domination.hand.mission", mission=facts.mission_text(WORLD, WORLD.missions[number])
    )
    assert [say(each) for each in found[1:-1]] == said
    assert private_hand.hand(judge.view(state, None), seat) == ()


def test_missions_are_worded_by_what_they_ask() -> None:
    keys = [facts.mission_text(WORLD, mission).key.rpartition(".")[2] for mission in WORLD.missions]
    assert keys == (
        ["continents", "more", "continents", "more", "continents", "continents"]
        + ["hold_armies", "hold"]
        + ["beat"] * 6
    )
    assert ("who", Who(3)) in facts.mission_text(WORLD, WORLD.missions[11]).values


# --- panels and headline ---------------------------------------------------------------------------------


def test_panels_tell_countries_armies_reinforcements_cards_and_continents() -> None:
    state = position({0: "", 1: "ino 5 ngu wau eau", 2: "kam"}, None, {1: "ala alb"})
    panels = drawn(state).panels
    assert row(panels[1]) == {"land": 4, "armies": 8, "income": 5, "cards": 2}
    assert badges(panels[1]) == ["continent Australia"]
    assert row(panels[0]) == {"land": 37, "armies": 37, "income": 12 + 5 + 2 + 5 + 3}
    assert badges(panels[0]) == ["continents 4"]
    assert [panel.state for panel in panels] == ["to_act", "waiting", "waiting"]


def test_who_is_out_who_won_and_who_drew() -> None:
    state = position({0: "", 1: "kam", 2: "jap"}, out=[2])
    assert [panel.state for panel in drawn(state).panels] == ["to_act", "waiting", "out"]
    assert "income" not in row(drawn(state).panels[2])
    over = turns.forfeit(state, 1).state
    assert [panel.state for panel in drawn(over).panels] == ["won", "lost", "lost"]
    assert drawn(over).headline == msg("domination.outcome.last", who=(facts.army_name(0),))


def test_who_won_before_play_went_on_is_remembered() -> None:
    state = position({0: "", 1: "kam"}, victor=0)
    assert "victor" in badges(drawn(state).panels[0])


def headline(state: State) -> str:
    return say(drawn(state).headline)


def test_the_headline_names_the_moment() -> None:
    state = position({0: "ala 5", 1: "kam jap"}, phase="place", pool=4, round=3)
    assert headline(state) == "place 4 3 red"
    state = act(state, "place ala 4")
    assert headline(state) == "attack 3 red"
    state = act(state, "attack ala kam until 1")
    assert headline(state) == "roll KAM 3 red"
    state = act(state, "roll 666 1")
    assert headline(state) == "move KAM 3 red"
    state = act(state, "move 3", "end")
    assert headline(state) == "card 3 red"
    assert drawn(state).panels[0].state == "to_act"
    assert headline(begun(2)) == "claim"
    assert headline(begun(2, setup="deal")) == "deal"
    assert headline(placing()) == "setup"
    spoils = position({0: "ala 5", 1: "kam"}, None, {0: "ala alb wus"}, phase="place", pool=0, step=2)
    assert headline(spoils).startswith("trade ")


# --- in words, and how large -----------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 0])
def test_texts_are_enough_to_play_by_and_short_enough_to_send(viewer: int | None) -> None:
    state = position(
        {n: " ".join(f"{code} {90 + n}" for code in CODES[n::6]) for n in range(6)},
        {"mode": "capital"},
        {n: " ".join(CODES[n * 4 + 6 : n * 4 + 10]) for n in range(6)},
        capitals=list(CODES[:6]),
    )
    of = drawn(state, viewer)
    assert len(render.text_board(of, say)) <= 1990
    said = render.alt_text(of, say)
    assert len(said) <= 1024
    assert all(f"{code} 9" in said for code in CODES)


def test_a_map_without_a_drawing_is_shown() -> None:
    pond = atlas(POND)
    deal = act(begun(2, setup="auto", map=map_value(pond)), "deal 0,1,0,1,0,1")
    assert {token.at for token in drawn(deal).tokens} == {country.code for country in pond.countries}
    assert len(render.draw(drawn(deal), say)) <= 120_000
