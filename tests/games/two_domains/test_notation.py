"""Actions as people type them: everything that is understood, and every kind of refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.game import CHANCE, Done, Partial, Rejected, Seat
from games.two_domains import GAME
from games.two_domains.actions import BATTLE, FIRST, GATHER, GROW, MOBILISE, ROLLS, Action, decode
from games.two_domains.rules import State
from tests.games.two_domains.helpers import after, begin, legal, position, seat_to_act, why_not
from tests.rows import rows
from tests.soak import examples

STATE = position("31426", "22222")
"""Town, king, city, village and army: everything but a mobilised line is possible, battle too."""


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
        "grow 3", "GROW 3", "g3", "G 3", "g 3", "grow3", "gr 3", "growth 3", "grow: 3", "grow-3", "grow #3",
        "`grow 3`", "**grow 3**", "grow 3!", "grow die 3", "grow nr 3", "grow my city", "grow city",
        "grow the city please", "grow cit", "I grow the city", "grow city 3", "grow 3 to capital",
        "grow city to a capital", "grow to capital", "grow 3 into capital", "grow cities", "ｇｒｏｗ ３",
        "grow the city at place 3", "grow 03", "growing city", "grow → 3",
    ],
)  # fmt: skip
def test_growth_in_every_spelling(text: str) -> None:
    assert parse(STATE, text) == Done(GROW[3])


def test_growth_by_place() -> None:
    line = position("23452", "22222")
    for text, at in (
        ("grow home", 1), ("grow gathering", 2), ("grow gathering place", 2), ("grow the gathering place", 2),
        ("grow gather", 2), ("grow front", 5), ("grow my front", 5), ("grow town", 2), ("grow village 5", 5),
        ("grow village home", 1), ("grow the village at the front", 5), ("g5", 5),
    ):  # fmt: skip
        assert parse(line, text) == Done(GROW[at]), text
    assert parse(position("32", "22222"), "grow front") == Done(GROW[2])


@rows(
    "action, texts",
    [
        (GATHER, ("gather", "ga", "gat", "Gather!", "gathering", "I gather", "gather at the gathering place",
                  "gather 2", "do gather", "gather gathering")),
        (MOBILISE, ("mobilise", "mobilize", "m", "M", "mob", "mobi", "mobilisation", "mobilization", "sort",
                    "sort my dice")),
        (BATTLE, ("battle", "b", "B", "ba", "bat", "battle!", "attack", "attack from the front",
                  "I attack")),
    ],
)  # fmt: skip
def test_the_other_actions_in_every_spelling(action: Action, texts: tuple[str, ...]) -> None:
    for text in texts:
        assert parse(STATE, text) == Done(action), text


@rows(
    "text",
    [
        "hello", "hi all, nice weather", "gg", "good luck", "lol", "the", "my", "I", "to", "me", "brb 5 min",
        "grow?", "battle?", "what a king", "shall I battle now", "ok", "👍", "...", "-", "+1", "?", "a",
        "10/10", "99", "7", "no", "home sweet home", "king", "army", "king king", "2 3", "4242",
        "grow up man", "village people", "you should gather more", "place",
        "so", "sort of", "sort of battle", "no battle", "battle on", "battle on!", "B)", "b:", "(m)",
        "b4", "m8", "g2g", "a battle", "the gathering", "my battle", "battle battle", "grow grow",
        "battle to", "att",
        "<@123>", "mobile",
    ],
)  # fmt: skip
def test_chat_is_left_alone(text: str) -> None:
    read = parse(STATE, text)
    assert isinstance(read, Rejected), read
    assert read.chat, text


@rows(
    "line, text, why, span, near",
    [
        ("31426", "grow 2", "king", (5, 6), "grow 1"),
        ("31426", "grow 5", "army", (5, 6), "grow 4"),
        ("31426", "grow front", "army", (5, 10), "grow 4"),
        ("31426", "grow king", "king", (5, 9), "grow 1"),
        ("31426", "grow 6", "place", (5, 6), "grow 1"),
        ("31426", "grow 0", "place", (5, 6), "grow 1"),
        ("31426", "grow capital", "face", (5, 12), "grow 1"),
        ("31426", "grow 1 2", "mismatch", (7, 8), "grow 1"),
        ("31426", "grow village 3", "mismatch", (13, 14), "grow 1"),
        ("31426", "grow 3 to army", "into", (10, 14), "grow 1"),
        ("31426", "grow 3 to king", "into", (10, 14), "grow 1"),
        ("31426", "gather 3", "alone", (7, 8), "gather"),
        ("31426", "battle king", "alone", (7, 11), "battle"),
        ("31426", "battle 5", "alone", (7, 8), "battle"),
        ("31426", "mobilise 2", "alone", (9, 10), "mobilise"),
        ("31426", "gather battle", "single", (0, 13), "grow 1"),
        ("31426", "roll", "dice", (0, 4), "gather"),
        ("31426", "  roll my die", "dice", (2, 6), "gather"),
        ("14522", "grow city", "city", (5, 9), "grow 3"),
        ("22522", "grow 3", "no_king", (5, 6), "grow 2"),
        ("11522", "grow 3", "kings", (5, 6), "grow 4"),
        ("12226", "mobilise", "mobilise", (0, 8), "battle"),
        ("12264", "battle", "battle", (0, 6), "mobilise"),
        ("11112", "battle 4", "alone", (7, 8), "gather"),
        ("11116", "grow", "nothing", (0, 4), "gather"),
        ("11116", "grow home", "king", (5, 9), "gather"),
    ],
)
def test_each_wrong_action_has_its_reason(
    line: str, text: str, why: str, span: tuple[int, int], near: str
) -> None:
    state = position(line, "22222")
    read = parse(state, text)
    assert isinstance(read, Rejected), read
    assert (read.why.key, read.span, read.chat) == (f"two_domains.refuse.{why}", span, False)
    assert read.near[0] == near, read.near
    assert len(read.near) <= 4
    assert set(read.near) <= set(legal(state))


def test_a_typing_error_is_answered_with_what_was_meant() -> None:
    for text, meant in (
        ("mobillise", "mobilise"),
        ("gahter", "gather"),
        ("batlte", "battle"),
        ("gorw 3", "grow 3"),
    ):
        read = parse(STATE, text)
        assert isinstance(read, Rejected)
        assert (read.near[0], read.chat) == (meant, True)


def test_the_empty_text_asks_for_an_action_and_lists_all() -> None:
    for text in ("", "   ", "\n"):
        assert choices(STATE, text) == tuple(legal(STATE))


def test_half_an_action_lists_what_may_follow() -> None:
    line = position("22325", "22222")
    assert choices(line, "grow") == choices(line, "g") == ("grow 1", "grow 2", "grow 3", "grow 4")
    assert choices(line, "grow village") == choices(line, "grow villages") == ("grow 1", "grow 2", "grow 4")
    assert choices(line, "grow village to town") == ("grow 1", "grow 2", "grow 4")
    assert choices(line, "3") == choices(line, "town") == ("grow 3",)
    assert choices(line, "village") == ("grow 1", "grow 2", "grow 4")
    assert choices(line, "home") == ("grow 1",)
    assert choices(position("61112", "22222"), "grow") == ("grow 5",)


def test_several_dice_that_cannot_grow_are_refused_as_one() -> None:
    assert why_not(position("14544", "22222"), "grow city") == "city"


def test_out_of_turn_an_action_is_told_whose_turn_it_is_and_a_chat_is_not() -> None:
    for text, chat in (
        ("grow 3", False),
        ("m", False),
        ("grow", True),
        ("3", True),
        ("hello", True),
        ("", True),
    ):
        read = GAME.parse(STATE, Seat(1), text)
        assert isinstance(read, Rejected)
        assert (read.why.key, read.chat) == ("two_domains.refuse.turn", chat)
    read = GAME.parse(position("2222", "1"), Seat(1), "gather")
    assert isinstance(read, Rejected)
    assert read.why.key == "two_domains.refuse.endurance"


def test_while_dice_are_due_and_after_the_end_nothing_is_played() -> None:
    begun = GAME.apply(STATE, Seat(0), GATHER).state
    over = after(position("16", "1"), "battle", 2)
    for state, why in ((begun, "chance"), (over, "over")):
        for seat in (0, 1):
            read = GAME.parse(state, Seat(seat), "gather")
            assert isinstance(read, Rejected)
            assert read.why.key == f"two_domains.refuse.{why}"


def test_chance_reads_what_it_writes_and_people_never_roll() -> None:
    start = GAME.start(GAME.setup(2)).state
    begun = GAME.apply(begin(), Seat(0), GATHER).state
    assert [GAME.format(start, action) for action in FIRST] == ["first R", "first B"]
    for state in (start, begun):
        for action in GAME.actions(state, CHANCE):
            assert GAME.parse(state, CHANCE, GAME.format(state, action)) == Done(action)
            assert GAME.parse(state, CHANCE, GAME.encode(action)) == Done(action)
    for text in ("roll 7", "first R", "gather", ""):
        assert isinstance(GAME.parse(begun, CHANCE, text), Rejected)
    assert isinstance(GAME.parse(begin(), CHANCE, "roll 1"), Rejected)


def test_the_judge_takes_any_action_of_any_seat() -> None:
    start = GAME.start(GAME.setup(2)).state
    begun = GAME.apply(begin(), Seat(0), GATHER).state
    cases: list[tuple[State, int, Action, str]] = [
        (start, -1, ROLLS[0], "chance"),
        (start, 0, GATHER, "chance"),
        (begun, -1, FIRST[0], "chance"),
        (begun, -1, GATHER, "chance"),
        (begun, 0, ROLLS[2], "chance"),
        (begin(), 0, ROLLS[2], "dice"),
        (begin(), 0, FIRST[0], "dice"),
        (begin(), -1, ROLLS[0], "turn"),
        (begin(), 1, GATHER, "turn"),
        (begin(), 99, GATHER, "turn"),
        (position("222", "222"), 0, GROW[5], "place"),
    ]
    for state, seat, action, why in cases:
        refused = GAME.refuse(state, Seat(seat), action)
        assert refused is not None
        assert refused.key == f"two_domains.refuse.{why}", (seat, action)


def test_wire() -> None:
    for text in (
        "grow 1",
        "grow 5",
        "gather",
        "mobilise",
        "battle",
        "roll 1",
        "roll 6",
        "first 0",
        "first 1",
    ):
        assert GAME.encode(decode(text)) == text
    for wrong in (
        "",
        "grow",
        "grow 0",
        "grow 6",
        "grow 01",
        "Gather",
        "gather ",
        "roll 7",
        "first 2",
        "first R",
    ):
        with pytest.raises(ValueError, match="not an action"):
            decode(wrong)


@rows(
    "line, texts",
    [
        ("22222", ["grow", "gather"]),
        ("31426", ["grow", "gather", "mobilise", "battle"]),
        ("11116", ["gather"]),
        ("11126", ["grow 4", "gather"]),
        ("16", ["gather", "battle"]),
    ],
)
def test_shortcuts_are_the_kinds_of_legal_actions(line: str, texts: list[str]) -> None:
    state = position(line, "22222")
    assert [shortcut.text for shortcut in GAME.shortcuts(state, Seat(0))] == texts
    assert GAME.shortcuts(state, Seat(1)) == ()
    assert GAME.shortcuts(GAME.start(GAME.setup(2)).state, CHANCE) == ()


STATES = [begin(), STATE, position("11116", "1"), position("12356", "22"), position("2453", "122")]
LOOKS = st.text(alphabet="growmbatle 12345-:!?vic", max_size=14)
WORDS = st.lists(
    st.sampled_from(["grow", "g", "gather", "gathering", "mob", "b", "home", "front", "village", "king", "to",
                     "capital", "1", "2", "5", "6", "the", "roll", "hello"]), max_size=4,
).map(" ".join)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(STATES), st.one_of(st.text(max_size=40), LOOKS, WORDS), st.integers(-1, 3))
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
@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_every_legal_action_is_read_back_however_it_is_spaced(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(STATES))
    action = data.draw(st.sampled_from(list(GAME.actions(state, seat_to_act(state)))))
    text = GAME.format(state, action)
    cased = "".join(data.draw(st.sampled_from([char.lower(), char.upper()])) for char in text)
    spaced = cased.replace(" ", data.draw(st.sampled_from(["", " ", "   ", ": ", "-"])))
    assert parse(state, spaced) == Done(action)
    assert GAME.decode(GAME.encode(action)) == action


@rows("unit", ["grow 3 ", "a", "+", "4", "gather ", "🙂", "ﷺ", "- "])
def test_a_text_longer_than_any_action_is_chat_and_not_parsed(unit: str) -> None:
    read = parse(STATE, (unit * 4000)[:4000])
    assert isinstance(read, Rejected)
    assert (read.chat, read.near) == (True, ())


def test_an_action_among_thousands_of_spaces_is_an_action() -> None:
    assert parse(STATE, " " * 2000 + "grow 3" + "\n" * 1900) == Done(GROW[3])
