"""Actions as people type them: all accepted forms, and every kind of refusal."""

from __future__ import annotations

from games.dominion import GAME, judge
from games.dominion.actions import decode
from games.dominion.board import NAMES
from games.dominion.position import State
from games.engine.game import CHANCE, Done, Rejected, Seat
from tests.games.dominion.helpers import N, S, act, position
from tests.games.dominion.helpers import step as played
from tests.games.dominion.reading import (
    CHOOSING,
    FALLING,
    HEIR,
    RISING,
    SETTLING,
    START,
    STATES,
    action,
    choices,
    read,
    reason,
    refusal,
)
from tests.rows import rows


@rows(
    "text",
    [
        "e3-e4", "E3-E4", "e3e4", "E3E4", "e3 e4", " e3 - e4 ", "e3>e4", "e3->e4", "e3 => e4", "e3 to e4",
        "e3toe4",
        "e3xe4", "E3 X E4", "e3:e4", "e3 → e4", "e3–e4", "e 3 - e 4", "e3-e4!", "e3-e4.", "`e3-e4`",
        "**e3-e4**",
        "ｅ３－ｅ４", "move e3 e4", "move e3 to e4", "I move e3 to e4", "from e3 to e4", "- e3-e4",
        "e3-e4 please",
        "S e4", "s e4", "sol e4", "soldier e4", "Soldier to e4", "pawn e4", "my soldier e4", "sol e3 e4",
        "sol e3-e4",
        "Se3-e4", "sole4", "soldier e3 to e4", "e3-e4 !", "e3-e4!!",
    ],
)  # fmt: skip
def test_a_move_in_many_hands(text: str) -> None:
    assert read(START, text) == Done(decode("e3-e4"))


@rows(
    "word, square",
    [
        ("emp", "f1"), ("e", "f1"), ("king", "h1"), ("prince", "h1"), ("p", "f1"), ("queen", "f1"),
        ("gen", "f1"),
        ("g", "f1"), ("rook", "f1"), ("adm", "i1"), ("A", "i1"), ("bishop", "i1"), ("sergeant", "f5"),
        ("R", "h5"),
    ],
)  # fmt: skip
def test_pieces_go_by_many_names(word: str, square: str) -> None:
    home = {"e": "g1", "k": "g1", "p": "g2", "q": "g2", "g": "f2", "a": "h2", "b": "h2", "A": "h2"}
    start = "f2" if word == "rook" else {"s": "f3", "R": "h3"}.get(word[0]) or home[word[0]]
    assert (
        action(START, f"{word} {square}") == action(START, f"{word} {start}-{square}") == f"{start}-{square}"
    )


def test_warriors_assassins_and_recruits_have_names() -> None:
    state = position(p1="Wg5 Xg7 pe5", p0="Ea13")
    for text, wire in (
        ("war h7", "g5-h7"), ("knight h7", "g5-h7"), ("horse h7", "g5-h7"), ("w h7", "g5-h7"),
        ("x m7", "g7-m7"), ("asn m7", "g7-m7"), ("cannon m7", "g7-m7"), ("Xg7-m7", "g7-m7"),
        ("pea e6", "e5-e6"), ("peasant e5-e6", "e5-e6"),
    ):  # fmt: skip
        assert action(state, text) == wire


@rows(
    "text",
    [
        "hi all, nice weather", "e4 is strong isn't it", "ok", "+1", "f", "gg", "e3?", "e3-e4?", "lol e3-e4",
        "1",
        "s", "p", "x", "a", "w", "10/10", "brb 5 min", "s 4", "p 2", "no", ":)", "👍", "-", "+", "@", "...",
        "!",
        "! nice", "e3-e4 ! nice move", "e3-e4! +1 from me", "see you at 8", "/", "z9", "a b c",
        "pass on that",
        "the king of games", "to e4 or not", "@someone", "<@123>", "stay safe", "u", "king queen",
    ],
)  # fmt: skip
def test_conversation_is_left_alone(text: str) -> None:
    for state in (START, RISING, CHOOSING):
        assert refusal(state, text).chat, text


@rows("state", STATES)
def test_conversation_about_squares_is_answered_with_their_actions_only(state: State) -> None:
    seat = max(judge.to_act(state.position))
    view, legal = GAME.view(state, Seat(seat)), judge.legal(state.position, seat)
    for n, at in enumerate(NAMES):
        here = [
            GAME.format(view, each) for each in legal if each.a == n and each.kind not in ("pass", "stay")
        ]
        found = refusal(state, f"what about {at} then")
        assert found.chat
        assert found.near == tuple(here[:4])


@rows(
    "state, text, why, span, near",
    [
        (START, "gen f2-f6", "refuse.move why.blocked", (7, 9), "f2-f1"),
        (START, "e3-e5", "refuse.move why.diagonal_only", (3, 5), "e3-e4"),
        (START, "e3-f4", "refuse.move why.no_line", (3, 5), "e3-e4"),
        (START, "f3-f6", "refuse.move why.shape.sergeant", (3, 5), "f3-f5"),
        (START, "g2-g4", "refuse.move why.blocked", (3, 5), "g2-h1"),
        (START, "g2-g3", "refuse.move why.own", (3, 5), "g2-h1"),
        (START, "d4-d5", "refuse.empty", (0, 2), None),
        (START, "e5-e6", "refuse.free_peasant", (0, 2), None),
        (START, "g11-g10", "refuse.not_yours", (0, 3), None),
        (START, "e3-n4", "refuse.square", (3, 5), "e3-e4"),
        (START, "e3-e14", "refuse.square", (3, 6), "e3-e4"),
        (START, "e3-e3", "refuse.same", (3, 5), "e3-e4"),
        (START, "gen e3-e4", "refuse.word", (0, 3), "e3-e4"),
        (START, "gen e3", "refuse.move why.own", (4, 6), "f2-f1"),
        (START, "war e4", "refuse.no_such", (0, 6), "e3-e4"),
        (START, "king d4", "refuse.move why.shape.emperor", (5, 7), "g1-f1"),
        (START, "sol k4", "refuse.none_reaches", (4, 6), "i3-j3"),
        (START, "pass", "refuse.pass", (0, 4), None),
        (START, "stay", "refuse.due.move", (0, 4), None),
        (START, "auto", "refuse.auto", (0, 4), None),
        (START, "+f3", "refuse.due.move", (0, 3), None),
        (START, "e3-e4-e5", "refuse.single", (0, 8), None),
        (START, "e3-e4 +f3", "refuse.single", (0, 9), None),
        (START, "e9", "refuse.free_peasant", (0, 2), None),
        (START, "! +f3", "refuse.order_alone", (2, 5), None),
        (START, "e3-e4 ! +", "refuse.order", (8, 9), None),
        (START, "e3-e4 ! +f3 h3", "refuse.order", (12, 13), None),
        (START, "e3-e4 ! +f3=E", "refuse.order", (11, 13), None),
        (START, "e3-e4 ! +f3=", "refuse.order", (11, 12), None),
        (START, "e3-e4 ! @g5=W", "refuse.order", (11, 13), None),
        (START, "e3-e4 ! +z9", "refuse.square", (8, 11), None),
        (START, "e3 ! +f3", "refuse.order_half", (0, 2), "e3-e4"),
        (START, "e3-e6 ! +f3", "refuse.move why.shape.soldier", (3, 5), "e3-e4"),
        (CHOOSING, "f3 f4", "refuse.sergeants", (3, 5), "sgt e2 f3"),
        (CHOOSING, "f3 f3", "refuse.twice", (3, 5), "sgt e2 f3"),
        (CHOOSING, "f3 g3 h3", "refuse.two", (0, 8), None),
        (CHOOSING, "gen f3 h3", "refuse.due.sergeants", (0, 9), None),
        (CHOOSING, "pass", "refuse.due.sergeants", (0, 4), None),
        (CHOOSING, "sgt f3 h3 ! +e3", "refuse.order_late", (12, 15), None),
        (RISING, "e3-e4", "refuse.due.promote_lower", (0, 5), None),
        (RISING, "-f3", "refuse.due.promote_lower", (0, 3), "promote f3"),
        (RISING, "@g5", "refuse.due.promote_lower", (0, 3), None),
        (RISING, "g2", "refuse.answer why.rank", (0, 2), "promote f3"),
        (RISING, "m1", "refuse.answer why.emperor", (0, 2), None),
        (RISING, "f3=W", "refuse.answer why.step", (0, 2), "promote f3"),
        (RISING, "g5", "refuse.answer why.no_unit", (0, 2), None),
        (RISING, "gen d4", "refuse.word", (0, 3), "promote d4=W"),
        (RISING, "promote pea", "refuse.due.promote_lower", (0, 11), None),
        (RISING, "+f3 ! -h3", "refuse.order_late", (6, 9), None),
        (RISING, "! +g2", "refuse.answer why.rank", (2, 5), "promote f3"),
        (FALLING, "l7", "refuse.answer why.abroad", (0, 2), None),
        (FALLING, "promote g2", "refuse.due.demote_upper", (0, 10), None),
        (FALLING, "! +f3 -e4 -l7", "refuse.answer why.rank", (6, 9), None),
        (SETTLING, "g5", "refuse.answer why.taken", (0, 2), "peasant e5"),
        (SETTLING, "g6", "refuse.answer why.no_point", (0, 2), None),
        (SETTLING, "gen e5", "refuse.due.peasant", (0, 6), "peasant e5"),
        (HEIR, "f11-f10", "refuse.heir_only", (0, 3), "e12-e11"),
        (HEIR, "pass", "refuse.due.heir", (0, 4), None),
    ],
)  # fmt: skip
def test_each_wrong_action_has_its_reason(
    state: State, text: str, why: str, span: tuple[int, int], near: str | None
) -> None:
    found = refusal(state, text)
    assert (reason(found), found.span, found.chat) == (why, span, False)
    assert near is None or near in found.near[:4], found.near
    assert all(isinstance(read(state, each), Done) for each in found.near)


def test_a_refused_move_lists_where_its_piece_may_go() -> None:
    found = refusal(START, "f3-f6")
    assert dict(found.why.values)["reach"] == ("e2", "e3", "g3", "e4", "f4", "g4", "f5")
    assert set(found.near) == {f"f3-{to}" for to in ("e2", "e3", "g3", "e4", "f4", "g4", "f5")}
    stuck = refusal(position(p1="Sa1 Sa2 Sb1 Em1"), "a1-a2")
    assert reason(stuck) == "refuse.stuck why.own"


def test_a_piece_and_a_square_are_asked_which_if_several_fit() -> None:
    state = position(p1="Gf2 Gk4 Rf6", p0="Ea13")
    assert choices(state, "gen f4") == ("f2-f4", "k4-f4")
    assert choices(state, "gen") == tuple(t for t in choices(state, "move") if t[:2] in ("f2", "k4"))
    assert (
        choices(state, "gen k4")
        == choices(state, "k4")
        == choices(state, "moves k4")
        == choices(state, "k4-")
    )
    assert choices(state, "k4-m") == ("k4-m4",)
    assert choices(state, "k4 1") == ("k4-k1",)
    assert choices(START, "h1") == ("g1-h1", "g2-h1", "i2-h1"), "who can go there"


def test_sergeants_are_two_squares() -> None:
    for text in ("sgt f3 h3", "f3 h3", "h3 f3", "F3 H3", "f3, h3", "f3 and h3", "f3+h3", "sergeants f3 h3",
                 "+f3 +h3",
                 "promote f3 h3", "auto", "make f3 and h3 sergeants"):  # fmt: skip
        assert action(CHOOSING, text) == "sergeants f3 h3", text
    assert len(choices(CHOOSING, "")) == len(choices(CHOOSING, "sgt")) == 21
    assert choices(CHOOSING, "f3") == choices(CHOOSING, "sgt f3")
    assert set(choices(CHOOSING, "f3")) == {
        "sgt e2 f3", "sgt i2 f3", "sgt e3 f3", "sgt f3 g3", "sgt f3 h3", "sgt f3 i3",
    }  # fmt: skip


def test_answers_to_fate() -> None:
    for text in (
        "promote f3",
        "+f3",
        "f3",
        "f3=R",
        "F3 = r",
        "sol f3",
        "promote sol f3 to sgt",
        "promote f3 to R",
    ):
        assert action(RISING, text) == "promote f3=R", text
    for text in ("+d4=X", "d4=X", "d4 X", "d4x", "promote d4 to assassin", "promote sgt d4 = asn"):
        assert action(RISING, text) == "promote d4=X", text
    assert choices(RISING, "d4") == choices(RISING, "promote sgt d4") == ("promote d4=W", "promote d4=X")
    assert choices(RISING, "sol") == ("promote f3", "promote h3")
    assert choices(RISING, "") == choices(RISING, "promote")
    for text in ("-f2=W", "f2=W", "demote gen f2 = war"):
        assert action(FALLING, text) == "demote f2=W"
    assert choices(FALLING, "g2") == ("demote g2=G", "demote g2=A")
    for text in ("peasant e5", "@e5", "e5", "pea e5", "place e5", "place peasant on e5"):
        assert action(SETTLING, text) == "peasant e5", text
    assert "peasant g5" not in choices(SETTLING, "")


def test_an_heir_moves_or_stays() -> None:
    assert action(HEIR, "stay") == action(HEIR, "auto") == "stay"
    assert action(HEIR, "prince e1") == action(HEIR, "e12-e1") == "e12-e1"
    assert set(choices(HEIR, "")) == {"stay", *choices(HEIR, "prince")}


def test_auto_is_the_safe_answer() -> None:
    for state in (CHOOSING, RISING, FALLING, SETTLING, HEIR):
        seat = Seat(max(judge.to_act(state.position)))
        safe = GAME.default(GAME.view(state, seat), seat)
        assert read(state, "auto") == Done(safe)
    assert GAME.default(GAME.view(START, Seat(S)), Seat(S)) is None
    stuck = position(turn=N, p0="Ea13 pa12 pb13 pb12", p1="Em1", free="a11 b11 c12 c13")
    assert action(stuck, "pass") == action(stuck, "auto") == "pass"
    assert choices(stuck, "") == ("pass",)
    assert [each.text for each in GAME.shortcuts(GAME.view(stuck, Seat(N)), Seat(N))] == ["pass"]


def test_out_of_turn_an_action_is_told_whose_turn_it_is_and_a_chat_is_not() -> None:
    for text, chat in (
        ("g11-g10", False),
        ("sol g10", False),
        ("hello", True),
        ("e4", True),
        ("zzz 9", True),
    ):
        found = read(START, text, N)
        assert isinstance(found, Rejected)
        assert (found.why.key, found.chat) == ("dominion.refuse.turn", chat)


def test_chance_types_as_the_log_does() -> None:
    thrown = GAME.start(GAME.setup(2)).state
    assert read(thrown, "throw 1,2", CHANCE) == Done(decode("throw 1,2"))
    for text in ("throw 1,1", "fate no", "e3-e4", "", "throw"):
        assert isinstance(read(thrown, text, CHANCE), Rejected)
    moved = act(START, "e3-e4")
    assert read(moved, "fate 5", CHANCE) == Done(decode("fate 5"))


def test_after_the_end_nothing_is_played() -> None:
    over = GAME.forfeit(START, Seat(S), "resign").state
    for seat in (N, S):
        found = read(over, "e3-e4", seat)
        assert isinstance(found, Rejected)
        assert found.why.key == "dominion.refuse.over"
        assert GAME.shortcuts(GAME.view(over, Seat(seat)), Seat(seat)) == ()
        assert GAME.odds(GAME.view(over, Seat(seat)), Seat(seat), "") == ()


def test_a_step_played_from_a_text_is_the_log_s() -> None:
    assert played(START, action(START, "sol e4")).state == act(START, "e3-e4")
