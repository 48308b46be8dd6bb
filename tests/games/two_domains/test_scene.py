"""Pictures and texts: the scene of a position, facts and marks, and a text for every key."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from games.engine.game import CHANCE, Fact, Seat
from games.engine.scene import Lines, Mark, Scene
from games.two_domains import GAME
from games.two_domains.facts import FACE_KEYS
from games.two_domains.rules import State
from locales import Catalogue
from tests.games.two_domains.helpers import act, after, begin, position
from tests.rows import rows

SAY = Catalogue(strict=True).say
TEXTS: dict[str, Any] = tomllib.loads((files("games.two_domains") / "texts" / "en.toml").read_text("utf-8"))


def happened(state: State, text: str, roll: int | None = None) -> tuple[Fact, ...]:
    """Return all facts of an action of the first seat, its roll included."""
    step = GAME.apply(state, Seat(0), GAME.decode(text))
    if roll is None:
        return step.facts
    return step.facts + GAME.apply(step.state, CHANCE, GAME.decode(f"roll {roll}")).facts


def told(state: State, text: str, roll: int | None = None) -> str:
    """Return the line of an action as the host shows it after the name of the acting player."""
    names = ("Ann", "Bob").__getitem__
    return " · ".join(SAY(fact.msg, "en", names).rstrip(".") for fact in happened(state, text, roll))


def marks(state: State, text: str, roll: int | None = None) -> set[tuple[str, str]]:
    return {(mark.kind, mark.at) for fact in happened(state, text, roll) for mark in fact.marks}


# --- what is said ---------------------------------------------------------------------------------------


@rows(
    "mine, theirs, text, roll, line",
    [
        ("22222", "22222", "grow 3", None, "grows die 3 from village to town"),
        ("12522", "22222", "grow 3", None, "grows die 3 from capital to army · Cultural Consensus ends"),
        (
            "22222",
            "22222",
            "gather",
            1,
            (
                "gathers · rolls 1: the village at the Gathering Place becomes"
                " a king · Kingly Authority begins"
            ),
        ),
        (
            "22222",
            "22222",
            "gather",
            2,
            "gathers · rolls 2: the village at the Gathering Place stays as it was",
        ),
        (
            "16222",
            "22222",
            "gather",
            1,
            ("gathers · rolls 1: the army at the Gathering Place becomes a king · Political Turmoil begins"),
        ),
        (
            "26131",
            "22222",
            "mobilise",
            None,
            "mobilises: king, king, village, town, and army · Military Vigilance begins",
        ),
        (
            "12336",
            "22225",
            "battle",
            3,
            (
                "attacks the capital at Bob's Front · rolls 3: the capital becomes"
                " a town, and the attacking die is a town now · Military Vigilance ends"
            ),
        ),
        (
            "12336",
            "22223",
            "battle",
            6,
            (
                "attacks the town at Bob's Front · rolls 6: the town is removed, and"
                " the attacking die is an army now"
            ),
        ),
        (
            "12336",
            "22223",
            "battle",
            1,
            (
                "attacks the town at Bob's Front · rolls 1: the town is unharmed,"
                " and the attacking army becomes a king · Political Turmoil begins · Military Vigilance ends"
            ),
        ),
        (
            "12356",
            "22226",
            "battle",
            None,
            (
                "attacks the army at Bob's Front: it becomes a village, and the"
                " attacking army a city · Military Vigilance ends"
            ),
        ),
        (
            "12356",
            "22",
            "battle",
            None,
            (
                "attacks the village at Bob's Front: it is removed, and the attacking army becomes a city"
                " · Military Vigilance ends · Bob has a single die left, a king:"
                " Kingly Endurance · Bob's turn is skipped"
            ),
        ),
        (
            "16",
            "1",
            "battle",
            1,
            (
                "attacks the king at Bob's Front · rolls 1: the army pledges allegiance to"
                " Bob and moves over · Military Vigilance ends · Ann has a single die left, a king: Kingly"
                " Endurance"
            ),
        ),
        ("2222", "1", "grow 1", None, "grows die 1 from village to town · Bob's turn is skipped"),
        (
            "13266",
            "22222",
            "gather",
            1,
            (
                "gathers · rolls 1: the town at the Gathering Place becomes a king"
                " · Political Turmoil begins · Civil War begins"
            ),
        ),
    ],
)
def test_the_roll_and_its_meaning_in_one_line(
    mine: str, theirs: str, text: str, roll: int | None, line: str
) -> None:
    assert told(position(mine, theirs), text, roll) == line


def test_the_last_king_falls_in_one_line() -> None:
    assert told(position("12336", "1"), "battle", 2) == (
        "attacks the king at Bob's Front · rolls 2: the last king falls"
    )


@rows(
    "mine, theirs, text, roll, pointed",
    [
        ("22222", "22222", "grow 3", None, {("to", "a3")}),
        ("22222", "22222", "gather", 4, {("to", "a2")}),
        ("12632", "22222", "mobilise", None, {("to", "a3"), ("to", "a5")}),
        ("12336", "22225", "battle", 3, {("from", "a5"), ("to", "b5")}),
        ("1336", "222", "battle", 3, {("from", "a4"), ("captured", "b3")}),
        ("12336", "22225", "battle", 1, {("from", "a5")}),
        ("12356", "22226", "battle", None, {("from", "a5"), ("to", "b5")}),
        ("12356", "222", "battle", None, {("from", "a5"), ("captured", "b3")}),
        ("12356", "22", "battle", None, {("from", "a5"), ("captured", "b2"), ("to", "b1")}),
        ("12356", "12", "battle", None, {("from", "a5"), ("captured", "b2")}),
        ("166", "1", "battle", 1, {("from", "a3"), ("to", "b2")}),
        ("166", "1", "battle", 4, {("from", "a3"), ("captured", "b1")}),
    ],
)
def test_marks_point_at_what_changed(
    mine: str, theirs: str, text: str, roll: int | None, pointed: set[tuple[str, str]]
) -> None:
    assert marks(position(mine, theirs), text, roll) == pointed


def test_the_second_seat_has_the_other_line() -> None:
    step = GAME.apply(begin(1), Seat(1), GAME.decode("grow 2"))
    assert step.facts[0].marks == (Mark("to", "b2"),)


@rows(
    "state, why",
    [
        (after(position("12336", "1"), "battle", 2), "Ann wins: Bob's domain is wiped out"),
        (after(position("13266", "22222"), "gather", 1), "Bob wins: Civil War breaks out in Ann's domain"),
        (GAME.forfeit(begin(), Seat(0), "resign").state, "Bob wins: the other side gave up"),
        (after(position("222", "22", completed=499), "gather", 3),
         "A draw between Ann and Bob: the limit of 500 actions is reached"),
        (after(position("222", "22", completed=499, rules=1), "gather", 3),
         "Ann wins with more dice at the limit of actions"),
        (after(position("22", "22", completed=499, rules=1), "gather", 3),
         "A draw between Ann and Bob: equal numbers of dice at the limit of actions"),
    ],
)  # fmt: skip
def test_every_end_has_its_sentence(state: State, why: str) -> None:
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert SAY(outcome.why, "en", ("Ann", "Bob").__getitem__) == why
    assert SAY(GAME.scene(state, None).headline, "en") == why.replace("Ann", "Red").replace("Bob", "Blue")


def test_a_refused_battle_says_all_that_is_in_the_way() -> None:
    why = GAME.refuse(position("11552", "22222"), Seat(0), GAME.decode("battle"))
    assert why is not None
    assert SAY(why, "en").endswith(
        "You have no army at your Front (there is a village), 2 kings, and 2 capitals."
    )


# --- what is shown --------------------------------------------------------------------------------------


def badges(scene: Scene, seat: int) -> list[tuple[str, str]]:
    return [(SAY(badge.label, "en"), badge.tone) for badge in scene.panels[seat].badges]


def labels(scene: Scene) -> dict[str, list[str]]:
    assert isinstance(scene.board, Lines)
    found: dict[str, list[str]] = {}
    for at, label in scene.board.labels:
        found.setdefault(at, []).append(SAY(label, "en"))
    return found


def test_both_lines_lie_on_the_board_with_face_pips_and_name() -> None:
    scene = GAME.scene(position("12456", "13"), None)
    assert isinstance(scene.board, Lines)
    assert scene.board.length == 5
    assert SAY(scene.board.gap, "en") == "No Man's Land"
    assert [(t.at, t.glyph, t.ink, t.code, t.pips) for t in scene.tokens] == [
        ("a1", "king", "red", "K", 1),
        ("a2", "village", "red", "V", 2),
        ("a3", "city", "red", "C", 4),
        ("a4", "capital", "red", "P", 5),
        ("a5", "army", "red", "A", 6),
        ("b1", "king", "blue", "K", 1),
        ("b2", "town", "blue", "T", 3),
    ]
    assert [SAY(token.name, "en") for token in scene.tokens if token.name] == [
        "king", "village", "city", "capital", "army", "king", "town",
    ]  # fmt: skip


def test_places_are_named_and_the_front_moves_with_the_last_die() -> None:
    assert labels(GAME.scene(position("12456", "13"), None)) == {
        "a1": ["Home"],
        "a2": ["Gathering Place"],
        "a5": ["Front"],
        "b1": ["Home"],
        "b2": ["Gathering Place", "Front"],
    }
    assert labels(GAME.scene(position("123", "1"), None)) == {
        "a1": ["Home"],
        "a2": ["Gathering Place"],
        "a3": ["Front"],
        "b1": ["Home", "Front"],
    }
    assert "b1" not in labels(GAME.scene(after(position("16", "1"), "battle", 2), None))


def test_the_viewer_sees_the_own_line_on_the_left() -> None:
    assert [GAME.scene(begin(), viewer).turns for viewer in (None, Seat(0), Seat(1))] == [0, 0, 2]


def test_badges_are_the_active_scenarios_with_their_tone() -> None:
    scene = GAME.scene(position("12356", "11552"), None)
    assert badges(scene, 0) == [
        ("Kingly Authority", "good"),
        ("Military Vigilance", "good"),
        ("Cultural Consensus", "good"),
    ]
    assert badges(scene, 1) == [("Political Turmoil", "bad"), ("Cultural Dissonance", "bad")]
    assert badges(GAME.scene(position("222", "1"), None), 1) == [
        ("Kingly Authority", "good"),
        ("Kingly Endurance", "plain"),
    ]
    lost = GAME.scene(after(position("13266", "22222"), "gather", 1), None)
    assert ("Civil War", "bad") in badges(lost, 0)


def test_panels_count_the_dice_and_say_who_acts() -> None:
    scene = GAME.scene(position("12356", "1152", "blue"), None)
    assert [panel.state for panel in scene.panels] == ["waiting", "to_act"]
    assert [panel.rows[0].items[0].count for panel in scene.panels] == [4, 5]
    assert SAY(scene.headline, "en") == "Blue to act"
    over = GAME.scene(after(position("16", "1"), "battle", 2), None)
    assert [panel.state for panel in over.panels] == ["won", "lost"]
    assert over.panels[1].rows[0].items == ()
    even = GAME.scene(after(position("22", "22", completed=499), "gather", 3), None)
    assert [panel.state for panel in even.panels] == ["drawn", "drawn"]


def test_headlines_while_chance_decides() -> None:
    start = GAME.start(GAME.setup(2)).state
    assert SAY(GAME.scene(start, None).headline, "en") == "The first player is drawn"
    assert {panel.state for panel in GAME.scene(start, None).panels} == {"waiting"}
    begun = GAME.apply(begin(), Seat(0), GAME.decode("gather")).state
    assert SAY(GAME.scene(begun, None).headline, "en") == "Red rolls"


def test_every_face_and_seat_has_outlines_inside_the_square() -> None:
    assert set(GAME.glyphs) == {*FACE_KEYS.values(), "triangle", "square"}
    for glyph in GAME.glyphs.values():
        for outline in glyph.outlines:
            assert len(outline) > 2
            assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in outline)


# --- texts ----------------------------------------------------------------------------------------------


def test_texts_are_calm_and_name_the_author() -> None:
    assert "Simon K. Jensen" in TEXTS["credit"]
    assert "!" not in "".join(map(str, _leaves(TEXTS)))


def _leaves(table: dict[str, Any]) -> list[str]:
    return [
        each for value in table.values() for each in (_leaves(value) if isinstance(value, dict) else [value])
    ]


def test_facts_never_name_who_acted_but_where_that_seat_is_meant_alone() -> None:
    """The host puts the name in front; only Kingly Endurance of the attacker names that seat again."""
    for mine, theirs, text, roll in (
        ("22222", "22222", "grow 3", None),
        ("12336", "22", "battle", 4),
        ("12356", "1", "battle", 1),
        ("31426", "22222", "mobilise", None),
    ):
        assert "Ann" not in told(position(mine, theirs), text, roll)
    assert "Ann has a single die" in told(position("16", "1"), "battle", 1)


def test_said_messages_of_a_whole_action_follow_each_other() -> None:
    _, said = act(position("12336", "22225"), "battle", 3)
    assert [each.key for each in said] == [
        "two_domains.fact.attack",
        "two_domains.fact.beaten",
        "two_domains.fact.ends",
    ]
