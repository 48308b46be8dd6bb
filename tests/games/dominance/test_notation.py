"""Actions as people type them: everything that is understood, and every kind of refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dominance import GAME
from games.dominance.actions import MOVE, SPAWN, Action, Move, Spawn, decode, move, spawn
from games.dominance.rules import State
from games.engine.game import Done, Partial, Rejected, Seat
from tests.games.dominance.helpers import after, begin, legal, position, seat_to_act, why_not
from tests.rows import rows
from tests.soak import examples

STATE = position("c3 e5 a4", "d5 g4")
FULL = position("c3 c4", "e5", lost={"R": 8})
GUARDED = position("e4", "c3 c4 a2 b2")


def parse(state: State, text: str) -> Done[Action] | Partial | Rejected:
    """Parse a text for the seat to act."""
    return GAME.parse(state, seat_to_act(state), text)


def choices(state: State, text: str) -> tuple[str, ...]:
    """Return what may follow half an action."""
    read = parse(state, text)
    assert isinstance(read, Partial), read
    return read.choices


@rows(
    "text",
    [
        "c3-d4", "C3-D4", "c3d4", "C3D4", "c3 d4", "  c3 - d4  ", "c3>d4", "c3->d4", "c3 => d4", "c3 to d4",
        "c3TOd4", "c3 x d4", "c3xd4", "C3XD4", "c3:d4", "c3-d4!", "c3-d4.", "c3 → d4", "c3–d4", "c3—d4",
        "c 3 - d 4", "`c3-d4`", "**c3-d4**", "(c3-d4)", "ｃ３－ｄ４", "move c3 d4", "move c3 to d4",
        "move c3-d4", "mv c3 d4", "from c3 to d4", "I play c3-d4", "I move c3 to d4", "c3-d4 please",
        "move my piece from c3 onto d4", "c3-d4 -",
    ],
)  # fmt: skip
def test_a_move_in_every_spelling(text: str) -> None:
    assert parse(STATE, text) == Done(move("c3", "d4"))


@rows(
    "text",
    [
        "+a1", "+ a1", "+A1", "spawn a1", "Spawn: a1", "SPAWN A1", "s a1", "sa1", "S A1", "sp a1", "put a1",
        "place a1", "add a1", "drop a1", "enter a1", "put a piece on a1", "spawn a new piece at a1",
        "spawn to a1", "+a1!", "＋ａ１", "a1", "A1", "a 1", "`a1`", " a1\n",
    ],
)  # fmt: skip
def test_a_spawn_in_every_spelling(text: str) -> None:
    assert parse(STATE, text) == Done(spawn("a1"))


@rows(
    "text",
    [
        "hi all, nice weather", "d4 is strong isn't it", "ok", "+1", "f", "gg", "c3?", "c3-d4?",
        "lol c3-d4", "what about c3-d4", "1", "10/10", "brb 5 min", "a", "b2b", "I move", "s", "si", "so",
        "no", "x", ":)", "👍", "-", "...", "see you at 8", "c3 d4 is a nice opening", "/", "++", "@d4",
        "#1", "<@123>", "to", "play", "c u l8r", "v2", "a piece", "x1y2", "k9",
    ],
)  # fmt: skip
def test_chat_is_left_alone(text: str) -> None:
    read = parse(STATE, text)
    assert isinstance(read, Rejected), read
    assert read.chat, text


@rows(
    "state, text, why, span, near",
    [
        (STATE, "c3-c5", "far", (3, 5), "c3-c4"),
        (STATE, "c3-g4", "far", (3, 5), None),
        (STATE, "c3-c3", "stay", (3, 5), None),
        (STATE, "c3-h4", "space", (3, 5), None),
        (STATE, "c3-c9", "space", (3, 5), None),
        (STATE, "c3 d10", "space", (3, 6), None),
        (STATE, "  z1-a2", "space", (2, 4), None),
        (STATE, "d4-d5", "empty", (0, 2), None),
        (STATE, "g4-f4", "not_yours", (0, 2), None),
        (STATE, "e5-d5", "occupied", (3, 5), None),
        (STATE, "+g4", "occupied", (1, 3), "+g1"),
        (STATE, "g4", "occupied", (0, 2), "+g1"),
        (STATE, "+a4", "own_piece", (1, 3), None),
        (STATE, "+d4", "no_spawn", (1, 3), None),
        (STATE, "spawn d1", "no_spawn", (6, 8), None),
        (STATE, "+k9", "space", (1, 3), None),
        (STATE, "c3-d4-c3", "single", (0, 8), None),
        (STATE, "c3-g", "nowhere", (0, 2), "c3-b2"),
        (STATE, "d4", "empty", (0, 2), None),
        (STATE, "d5", "not_yours", (0, 2), None),
        (STATE, "pass", "pass", (0, 4), "+a1"),
        (STATE, "Skip!", "pass", (0, 5), "+a1"),
        (STATE, "+d", "no_spawn_there", (0, 2), "+a1"),
        (STATE, "move to g1", "unreachable", (0, 10), None),
        (FULL, "+a1", "pool", (0, 3), "c3-b2"),
        (FULL, "spawn", "pool", (0, 5), "c3-b2"),
        (FULL, "a1", "empty", (0, 2), None),
        (GUARDED, "e4-d4", "guarded", (3, 5), "e4-d5"),
        (GUARDED, "a1", "guarded_spawn", (0, 2), "+a4"),
        (begin(), "move", "none_in_play", (0, 4), "+a1"),
        (begin(), "c3-c4", "none_in_play", (0, 5), "+a4"),
        (begin("sq7"), "h1", "space", (0, 2), "+a1"),
    ],
)  # fmt: skip
def test_each_wrong_action_has_its_reason(
    state: State, text: str, why: str, span: tuple[int, int], near: str | None
) -> None:
    read = parse(state, text)
    assert isinstance(read, Rejected), read
    assert (read.why.key, read.span) == (f"dominance.refuse.{why}", span)
    assert read.chat is (text == "h1")
    assert near is None or near == read.near[0], read.near
    assert set(read.near) <= set(legal(state))
    assert bool(read.near) is (why != "single")


def test_a_refusal_names_the_guarding_pair() -> None:
    for text, key, pair in (("e4-d4", "beside", ("c3", "c4")), ("a1", "beside", ("a2", "b2"))):
        read = parse(GUARDED, text)
        assert isinstance(read, Rejected)
        by = dict(read.why.values)["pair"]
        assert by.key == f"dominance.pair.{key}"  # type: ignore[union-attr]  # the value is a message
        assert dict(by.values) == {"first": pair[0], "second": pair[1]}  # type: ignore[union-attr]  # likewise
    read = parse(position("d5", "c3 e4"), "d5-d4")
    assert isinstance(read, Rejected)
    assert dict(read.why.values)["pair"].key == "dominance.pair.opposite"  # type: ignore[union-attr]  # likewise


def test_a_far_goal_names_the_spaces_that_can_be_reached() -> None:
    read = parse(STATE, "a4-d4")
    assert isinstance(read, Rejected)
    assert dict(read.why.values)["near"] == ("a3", "b4", "b5")


def test_when_nothing_can_be_spawned_or_moved_it_says_so() -> None:
    assert why_not(position("a1 g1", "a4 g4 f2 e5"), "spawn") == "no_spawn_now"
    # b2 holds every neighbour of a1 together with a2 or b1, so that the piece there is locked in.
    stuck = position("a1", "b3 c2 a2 b1", "R")
    assert why_not(stuck, "move") == "no_move_now"
    assert why_not(stuck, "a1") == "nowhere"


def test_a_refusal_of_chat_names_the_actions_that_it_may_have_meant() -> None:
    read = parse(STATE, "lets go c3-d4 haha")
    assert isinstance(read, Rejected)
    assert (read.near[0], read.chat) == ("c3-d4", True)
    read = parse(STATE, "hmm, maybe a1")
    assert isinstance(read, Rejected)
    assert (read.near[0], read.chat) == ("+a1", True)


def test_the_empty_text_asks_for_an_action_and_lists_all() -> None:
    for text in ("", "   ", "\n"):
        assert choices(STATE, text) == tuple(legal(STATE))
    asked = {"first": begin(), "turn": STATE, "move": FULL}
    for key, state in asked.items():
        read = parse(state, "")
        assert isinstance(read, Partial)
        assert read.prompt.key == f"dominance.ask.{key}"


def test_half_an_action_lists_what_may_follow() -> None:
    moves = tuple(m for m in legal(STATE) if m.startswith("c3-"))
    assert choices(STATE, "c3") == choices(STATE, "c3-") == choices(STATE, "move c3") == moves
    assert choices(STATE, "c3-d") == ("c3-d3", "c3-d4")
    assert choices(STATE, "+") == choices(STATE, "spawn") == choices(STATE, "Put on") == ("+a1", "+g1")
    assert choices(STATE, "+a") == ("+a1",)
    assert choices(STATE, "move") == tuple(m for m in legal(STATE) if not m.startswith("+"))
    assert choices(STATE, "move to c4") == ("c3-c4",)
    assert choices(STATE, "c3-4") == ("c3-c4", "c3-d4")
    assert parse(STATE, "a4-3") == Done(move("a4", "a3"))


def test_an_own_piece_on_a_spawn_space_is_asked_where_it_goes() -> None:
    assert choices(STATE, "a4") == ("a4-a3", "a4-b4", "a4-b5")
    assert why_not(position("c3", "g1"), "move a1") == "empty"


def test_out_of_turn_an_action_is_told_whose_turn_it_is_and_a_chat_is_not() -> None:
    for text, chat in (("g4-f4", False), ("+a1", False), ("zzz 9", True), ("d4", True), ("hello", True)):
        read = GAME.parse(STATE, Seat(1), text)
        assert isinstance(read, Rejected)
        assert (read.why.key, read.chat) == ("dominance.refuse.turn", chat)


def test_after_the_end_nothing_is_played() -> None:
    over = after(position("c3 f4", "d4", lost={"B": 8}), "f4-e4")
    for seat in (0, 1):
        read = GAME.parse(over, Seat(seat), "c3-c4")
        assert isinstance(read, Rejected)
        assert read.why.key == "dominance.refuse.over"
        assert GAME.shortcuts(over, Seat(seat)) == ()


def test_the_judge_takes_any_action_of_any_seat() -> None:
    cases: list[tuple[State, int, Action, str]] = [
        (STATE, 1, move("g4", "f4"), "turn"),
        (STATE, 5, spawn("a1"), "turn"),
        (STATE, -1, spawn("a1"), "turn"),
        (STATE, 0, Move("", "b4"), "space"),
        (STATE, 0, Spawn(""), "space"),
        (STATE, 0, move("h5", "h6"), "space"),
        (STATE, 0, spawn("i1"), "space"),
        (STATE, 0, move("c3", "d3"), ""),
        (STATE, 0, spawn("d4"), "no_spawn"),
        (STATE, 0, move("c3", "b4"), "far"),
    ]
    for state, seat, action, why in cases:
        refused = GAME.refuse(state, Seat(seat), action)
        assert (refused is None) == (why == "")
        if refused is not None:
            assert refused.key == f"dominance.refuse.{why}", (seat, action)


def test_buttons_for_what_is_possible() -> None:
    def buttons(state: State) -> list[tuple[str, str]]:
        found = GAME.shortcuts(state, seat_to_act(state))
        return [(each.label.key.removeprefix("dominance.button."), each.text) for each in found]

    assert buttons(begin()) == [("spawn", "spawn")]
    assert buttons(STATE) == [("spawn", "spawn"), ("move", "move")]
    assert buttons(FULL) == [("move", "move")]
    assert buttons(after(begin(), "a1", "a4", "g1")) == [("spawn", "+g4"), ("move", "move")]
    assert GAME.shortcuts(STATE, Seat(1)) == ()


def test_wire() -> None:
    assert [GAME.encode(a) for a in (move("c3", "d4"), spawn("a1"))] == ["c3-d4", "+a1"]
    for text in ("c3-d4", "+a1", "+i5", "+a7"):
        assert decode(text).text == text
    for wrong in ("", "+", "+d4", "a1", "c3-", "c3-c5", "c3-c3", "C3-d4", "c3-d4 ", "+a1 ", "i1-i9", "-c3"):
        with pytest.raises(ValueError, match="not an action"):
            decode(wrong)
    assert len(MOVE) == len({m.text for m in MOVE.values()})
    assert set(SPAWN) == {"a1", "a4", "a5", "a7", "g1", "g4", "g7", "i1", "i5"}


STATES = [
    begin("hex4"),
    begin("hex5"),
    begin("sq7"),
    STATE,
    FULL,
    GUARDED,
    position("i1 h2", "a1", board="hex5"),
]
LOOKS = st.text(alphabet="abcdefghi123456789 +-:x>sSpawnmove!?c3", max_size=16)


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(STATES), st.one_of(st.text(max_size=40), LOOKS), st.integers(-1, 2))
def test_no_text_raises_and_done_is_legal(state: State, text: str, seat: int) -> None:
    read = GAME.parse(state, Seat(seat), text)
    if isinstance(read, Done):
        assert GAME.refuse(state, Seat(seat), read.action) is None
    elif isinstance(read, Partial):
        assert read.choices
        assert set(read.choices) <= set(legal(state))
    else:
        assert 0 <= read.span[0] <= read.span[1] <= len(text)
        assert all(isinstance(parse(state, near), Done) for near in read.near)


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_every_legal_action_is_read_back_however_it_is_spaced(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(STATES))
    action = data.draw(st.sampled_from(list(GAME.actions(state, seat_to_act(state)))))
    link = data.draw(st.sampled_from(["-", ">", "x", " to ", "", "–", " "]))
    typed = GAME.format(state, action).replace("-", link)
    cased = "".join(data.draw(st.sampled_from([s.lower(), s.upper()])) for s in typed)
    spaced = "".join(s + " " * data.draw(st.integers(0, 2)) for s in cased) if " to" not in typed else cased
    assert parse(state, spaced) == Done(action)
    assert GAME.decode(GAME.encode(action)) == action


@rows("unit", ["c3-d4 ", "a", "+", "4", "d4 is strong ", "🙂", "ﷺ", "c3", "- ", "spawn "])
def test_a_text_longer_than_any_action_is_chat_and_not_parsed(unit: str) -> None:
    read = parse(STATE, (unit * 4000)[:4000])
    assert isinstance(read, Rejected)
    assert (read.chat, read.near) == (True, ())


def test_an_action_among_thousands_of_spaces_is_one() -> None:
    assert parse(STATE, " " * 2000 + "c3-d4" + "\n" * 1900) == Done(move("c3", "d4"))
