"""Moves as people type them: everything that is understood, and every kind of refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.game import CHANCE, Done, Partial, Rejected, Seat
from games.focus import GAME
from games.focus.actions import MOVE, Action, FirstPlayer, Move, Reserve, decode, move, reserve
from games.focus.notation import read
from games.focus.rules import State
from tests.games.focus.helpers import after, begin, legal, position, seat_to_act, why_not
from tests.rows import rows
from tests.soak import examples

STATE = position("e4=RRG b4=GR h4=R g4=RG d4=G c8=R", turn="G", reserve={"G": 2})
NO_RESERVE = position("e4=RRG b4=GR h4=R g4=RG d4=G c8=R", turn="G")


def parse(state: State, text: str) -> Done[Move | Reserve | FirstPlayer] | Partial | Rejected:
    """Parse a text for the seat to act."""
    return GAME.parse(state, seat_to_act(state), text)


@rows(
    "text",
    [
        "e4-g4", "E4-G4", "e4g4", "E4G4", "e4 g4", "  e4 - g4  ", "e4>g4", "e4->g4", "e4 => g4",
        "e4 to g4",
        "e4TOg4", "e4 x g4", "e4xg4", "E4XG4", "e4:g4", "e4-g4!", "e4-g4.", "e4 → g4", "e4–g4",
        "e4—g4", "e4−g4",
        "e 4 - g 4", "2:e4-g4", "2: e4 g4", "2 e4-g4", "`e4-g4`", "**e4-g4**", "(e4-g4)", "ｅ４－ｇ４",
        "move e4 to g4",
        "from e4 to g4", "I play e4-g4", "e4-g4 please", "move the pile from e4 onto g4", "e4-g",
        "e4 takes g4",
    ],
)  # fmt: skip
def test_a_move_in_every_spelling(text: str) -> None:
    assert parse(STATE, text) == Done(move("e4", "g4"))


@rows(
    "text",
    [
        "+c4", "+ c4", "+C4", "reserve c4", "Reserve: c4", "r c4", "rc4", "RC4", "R C4", "place c4",
        "put c4", "add c4", "drop c4", "res c4", "pl c4", "put a piece on c4", "reserve to c4",
        "1:+c4", "+c4!", "＋ｃ４",
    ],
)  # fmt: skip
def test_a_reserve_move_in_every_spelling(text: str) -> None:
    assert parse(STATE, text) == Done(reserve("c4"))


@rows("file", "abcdefgh")
def test_a_reserve_piece_on_every_file_without_a_blank(file: str) -> None:
    """`re` begins the word reserve, too."""
    for text in (f"r{file}4", f"R{file.upper()}4", f"+{file}4"):
        assert parse(STATE, text) == Done(reserve(f"{file}4"))


@rows(
    "text",
    [
        "hi all, nice weather", "e4 is strong isn't it", "ok", "+1", "f", "gg", "e4?", "e4-g4?",
        "lol e4-g4",
        "what about e4-g4", "1", "10/10", "brb 5 min", "a", "b2b", "I move", "v2", "no", "r", ":)",
        "👍", "-", "...",
        "see you at 8", "e4 e5 is a nice opening", "/", "++", "@e4", "#1", "<@123>", "x", "to",
        "play", "c u l8r",
    ],
)  # fmt: skip
def test_chat_is_left_alone(text: str) -> None:
    read = parse(STATE, text)
    assert isinstance(read, Rejected), read
    assert read.chat, text


@rows(
    "text, why, span, near",
    [
        ("e4-e8", "height", (3, 5), "e4-e7"),
        ("e4-f5", "straight", (3, 5), "e4-e5"),
        ("e4-e4", "stay", (3, 5), "e4-e5"),
        ("e4-i4", "space", (3, 5), "e4-h4"),
        ("e4-e9", "space", (3, 5), "e4-e7"),
        ("e4 e10", "space", (3, 6), "e4-e7"),
        ("a1-a2", "corner", (0, 2), None),
        ("  d4-h8", "corner", (5, 7), "d4-d5"),
        ("e5-e6", "empty", (0, 2), None),
        ("b4-c4", "top", (0, 2), "d4-c4"),
        ("3:e4-g4", "count", (0, 1), "e4-g4"),
        ("2:e4-e8", "count", (0, 1), "e4-e7"),
        ("2:+c4", "count", (0, 1), "+c4"),
        ("+a8", "corner", (1, 3), None),
        ("+k9", "space", (1, 3), None),
        ("e4-g4-e4", "single", (0, 8), None),
        ("e4-c1", "straight", (3, 5), None),
        ("e4-a", "nowhere", (0, 2), None),
    ],
)
def test_each_wrong_move_has_its_reason(text: str, why: str, span: tuple[int, int], near: str | None) -> None:
    read = parse(STATE, text)
    assert isinstance(read, Rejected), read
    assert (read.why.key, read.span, read.chat) == (f"focus.refuse.{why}", span, False)
    assert near is None or near == read.near[0], read.near
    assert set(read.near) <= set(legal(STATE))


def test_without_a_reserve() -> None:
    assert why_not(NO_RESERVE, "+c4") == "reserve"
    assert why_not(NO_RESERVE, "+") == "reserve"
    read = parse(NO_RESERVE, "put c4")
    assert isinstance(read, Rejected)
    assert read.near[0] == "d4-c4"


def test_a_refusal_of_chat_names_the_moves_that_it_may_have_meant() -> None:
    read = parse(STATE, "lets go e4-g4 haha")
    assert isinstance(read, Rejected)
    assert (read.near[0], read.chat) == ("e4-g4", True)


def test_the_empty_text_asks_for_a_move_and_lists_all() -> None:
    for text in ("", "   ", "\n"):
        read = parse(STATE, text)
        assert isinstance(read, Partial)
        assert read.choices == tuple(legal(STATE))
    asked = {
        "focus.ask.turn": STATE,
        "focus.ask.move": NO_RESERVE,
        "focus.ask.reserve_only": position("d5=R", turn="G", reserve={"G": 2}),
        "focus.ask.thirteenth": begin("3"),
    }
    for key, state in asked.items():
        read = parse(state, "")
        assert isinstance(read, Partial)
        assert read.prompt.key == key


def test_half_a_move_lists_what_may_follow() -> None:
    moves = tuple(m for m in legal(STATE) if m.startswith("e4-"))
    assert parse(STATE, "e4-") == Partial(parse(NO_RESERVE, "e4").prompt, moves)  # type: ignore[union-attr]  # partial
    assert choices(STATE, "e4") == (*moves, "+e4")
    assert choices(NO_RESERVE, "e4") == moves
    assert choices(STATE, "b4") == ("+b4",)
    assert choices(STATE, "e4 to e") == ("e4-e5", "e4-e6", "e4-e7", "e4-e3", "e4-e2", "e4-e1")
    assert choices(STATE, "2:e4") == ("e4-e6", "e4-g4", "e4-e2", "e4-c4")
    assert choices(STATE, "e4 2") == choices(STATE, "e4 2!")
    assert len(choices(STATE, "+")) == 52
    assert choices(STATE, "+c") == tuple(f"+c{rank}" for rank in range(1, 9))
    assert choices(STATE, "reserve") == choices(STATE, "+")
    assert parse(STATE, "e4-7") == Done(move("e4", "e7"))


@rows("verb", ["+", "reserve", "place", "put", "drop"])
@rows("link", ["", " to", " ->", ":"])
@rows("file", ["", " c", " h"])
def test_half_a_reserve_move_lists_the_spaces_of_its_file(verb: str, link: str, file: str) -> None:
    fitting = tuple(text for text in legal(STATE) if text.startswith(f"+{file.strip()}"))
    assert choices(STATE, verb + link + file) == fitting


@rows("gap", ["", " ", "   "])
@rows("file", "abcdefgh")
def test_a_verb_may_be_joined_to_a_file_but_re_with_a_gap_begins_a_word(file: str, gap: str) -> None:
    """`re4` is a reserve piece on e4; `re 4` may be the beginning of a remark."""
    found, whole = read(f"r{file}{gap}4"), read(f"r {file}4")
    assert whole is not None
    if file == "e" and gap:
        assert found is None
    else:
        assert found is not None
        assert [(part.kind, part.text) for part in found.parts] == [("v", "r"), ("s", f"{file}4")]


@rows("text", ["e4 2", "e4-", "e4 to e", "+c", "place"])
@rows("word", ["hello", "?", "xyz", "and"])
def test_half_a_move_with_another_word_is_conversation(text: str, word: str) -> None:
    read = parse(STATE, f"{text} {word}")
    assert isinstance(read, Rejected)
    assert read.chat


@rows("space", ["i4", "m8", "z9"])
def test_a_space_of_another_board_may_be_a_remark_if_it_stands_alone(space: str) -> None:
    for text, chat in ((space, True), (f"{space}-", False), (f"{space} to", False), (f"{space}-e4", False)):
        read = parse(STATE, text)
        assert isinstance(read, Rejected)
        assert read.chat is chat, text


def choices(state: State, text: str) -> tuple[str, ...]:
    """Return what may follow half a move."""
    read = parse(state, text)
    assert isinstance(read, Partial), read
    return read.choices


def test_a_single_space_is_never_played_unless_it_can_only_be_the_13th_piece() -> None:
    lonely = position("e4=R c8=G", turn="G", reserve={"G": 1})
    assert choices(lonely, "d5") == ("+d5",)
    assert parse(begin("3"), "c1") == Done(reserve("c1"))
    assert parse(begin("3"), "+c1") == Done(reserve("c1"))
    read = parse(begin("3"), "b3")
    assert isinstance(read, Rejected)
    assert (read.why.key, read.near[0]) == ("focus.refuse.occupied", "+a3")


def test_a_single_space_that_says_nothing_is_refused_with_a_reason() -> None:
    assert why_not(NO_RESERVE, "b4") == "top"
    assert why_not(NO_RESERVE, "d5") == "empty"
    assert why_not(NO_RESERVE, "a1") == "corner"
    assert why_not(STATE, "5:d4") == "nowhere" or isinstance(parse(STATE, "5:d4"), Rejected)


def test_the_13th_piece() -> None:
    state = begin("3")
    assert why_not(state, "b3-b4") == "thirteenth"
    assert why_not(state, "+d4") == "occupied"
    assert choices(state, "+c") == ("+c1", "+c8")
    assert why_not(state, "+b") == "occupied_file"


def test_a_partners_pile_is_named_as_such() -> None:
    state = position("d5=G d4=GY a3=R", turn="G", seats=4, partners=True)
    assert why_not(state, "d4-d3") == "partner"


def test_out_of_turn_a_move_is_told_whose_turn_it_is_and_a_chat_is_not() -> None:
    for text, chat in (("c8-d8", False), ("+c4", False), ("zzz 9", True), ("e4", True), ("hello", True)):
        read = GAME.parse(STATE, Seat(0), text)
        assert isinstance(read, Rejected)
        assert (read.why.key, read.chat) == ("focus.refuse.turn", chat)


def test_after_the_end_nothing_is_played() -> None:
    over = after(position("d5=R d4=G", turn="R"), "d5-d4")
    read = GAME.parse(over, Seat(0), "d4-d5")
    assert isinstance(read, Rejected)
    assert read.why.key == "focus.refuse.over"


def test_chance_reads_what_it_writes_and_people_name_nobody() -> None:
    start = GAME.start(GAME.setup(4)).state
    for action in GAME.actions(start, CHANCE):
        assert GAME.parse(start, CHANCE, GAME.format(start, action)) == Done(action)
        assert GAME.parse(start, CHANCE, GAME.encode(action)) == Done(action)
    for seat, text in ((Seat(0), "e4-e5"), (Seat(0), "first G"), (CHANCE, "e4-e5")):
        read = GAME.parse(start, seat, text)
        assert isinstance(read, Rejected)
        assert read.why.key == "focus.refuse.chance"


def test_the_judge_takes_any_action_of_any_seat() -> None:
    start = GAME.start(GAME.setup(2)).state
    begun = begin("2")
    cases: list[tuple[State, Seat, Action, str]] = [
        (start, CHANCE, FirstPlayer(2), "seat"),
        (start, CHANCE, move("b3", "b4"), "chance"),
        (start, CHANCE, reserve("b3"), "chance"),
        (start, Seat(0), FirstPlayer(0), "chance"),
        (begun, Seat(0), FirstPlayer(0), "first"),
        (begun, CHANCE, FirstPlayer(0), "turn"),
        (begun, Seat(5), move("b3", "b4"), "turn"),
        (begun, Seat(0), Move("", "b4"), "space"),
        (begun, Seat(0), Move("b3", "a1"), "corner"),
        (begun, Seat(0), Reserve("zz"), "space"),
        (begun, Seat(0), Move("b3", "b8"), "corner"),
        (begun, Seat(0), Move("e3", "e3"), "top"),
    ]
    for state, seat, action, why in cases:
        refused = GAME.refuse(state, seat, action)
        assert refused is not None
        assert refused.key == f"focus.refuse.{why}", (seat, action)


def test_wire() -> None:
    assert [GAME.encode(a) for a in (move("e4", "e6"), reserve("c4"), FirstPlayer(1))] == [
        "e4-e6",
        "+c4",
        "first 1",
    ]
    for text in ("e4-e6", "+c4", "first 3"):
        assert decode(text).text == text
    for wrong in (
        "",
        "+",
        "+a1",
        "e4",
        "e4-",
        "e4-f5",
        "e4-e4",
        "E4-e6",
        "first 4",
        "first",
        "e4-e6 ",
        "c8-c2",
    ):
        with pytest.raises(ValueError, match="not an action"):
            decode(wrong)
    assert len(MOVE) == len({m.text for m in MOVE.values()})


STATES = [begin("2"), begin("3"), begin("4"), STATE, position("d5=R", turn="G", reserve={"G": 2})]
LOOKS = st.text(alphabet="abcdefgh12345678 +-:x>RrTo!?e4", max_size=16)


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(STATES), st.one_of(st.text(max_size=40), LOOKS), st.integers(-1, 4))
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
def test_every_legal_move_is_read_back_however_it_is_spaced(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(STATES))
    action = data.draw(st.sampled_from(list(GAME.actions(state, seat_to_act(state)))))
    typed = GAME.format(state, action).replace(
        "-", data.draw(st.sampled_from(["-", ">", "x", " to ", "", "–", " "]))
    )
    cased = "".join(data.draw(st.sampled_from([s.lower(), s.upper()])) for s in typed)
    spaced = "".join(s + " " * data.draw(st.integers(0, 2)) for s in cased) if " to" not in typed else cased
    assert parse(state, spaced) == Done(action)
    assert GAME.decode(GAME.encode(action)) == action


@rows("unit", ["e4-e6 ", "a", "+", "4", "e4 is strong ", "🙂", "ﷺ", "e4", "- "])
def test_a_text_longer_than_any_move_is_chat_and_not_parsed(unit: str) -> None:
    read = parse(STATE, (unit * 4000)[:4000])
    assert isinstance(read, Rejected)
    assert (read.chat, read.near) == (True, ())


def test_a_move_among_thousands_of_spaces_is_a_move() -> None:
    assert parse(STATE, " " * 2000 + "e4-g4" + "\n" * 1900) == Done(move("e4", "g4"))
