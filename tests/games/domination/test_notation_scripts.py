"""Many orders in one text, carried out with the dice of a match: how far they go, and what is left undone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.domination.game import GAME
from games.domination.rules.position import State
from games.engine.game import Done, Partial, Rejected, Seat
from tests.games.domination.helpers import act, armies, owner, position
from tests.games.domination.typed import carry, order, read, reason
from tests.rows import rows
from tests.soak import examples

STRONG = position({1: "kam yak sib", 0: "ala 40 nwt 3 alb ukr 9 seu"})
WEAK = position({1: "kam 50 yak sib", 0: "ala 9 nwt 3 alb ukr 9 seu"})
PLACING = position(
    {1: "kam yak sib", 0: "ala 20 nwt 3 alb ukr 9 seu"},
    phase="place",
    pool=8,
    hands={0: "ala alb wus nwt gre"},
)


def left(text: str, weak: bool = True) -> tuple[str, str]:
    """Return what is left undone of a text, and why."""
    _, stop, _ = carry(WEAK if weak else STRONG, text)
    return ("", "") if stop is None else (stop.text, stop.why.key.removeprefix("domination.refuse."))


def test_a_whole_turn_in_one_text() -> None:
    played, stop, after = carry(PLACING, "trade; place ala; blitz ala>kam>yak until 3; end")
    assert [line.split()[0] for line in played] == [
        "trade",
        "place",
        "attack",
        "move",
        "attack",
        "move",
        "end",
    ]
    assert stop is None
    assert (owner(after, "kam"), owner(after, "yak"), after.position.turn) == (0, 0, 1)


def test_armies_move_in_by_default_before_the_next_order() -> None:
    played, stop, after = carry(STRONG, "attack ala kam; attack kam yak; fort nwt alb; end")
    assert played == [
        "attack ala kam until 3",
        "move 39",
        "attack kam yak until 3",
        "move 3",
        "fortify nwt alb 2",
    ], "all leave Alaska, where no enemy is near; the fewest leave the front"
    assert (stop, armies(after, "ala"), after.position.turn) == (None, 1, 1)


@rows(
    "text, moves",
    [
        ("attack ala kam move 5; end", ["move 5"]),
        ("attack ala kam move all; end", ["move 39"]),
        ("attack ala kam min; end", None),
        ("attack ala kam; move 7; end", ["move 7"]),
        ("attack ala kam keep 4; end", ["move 36"]),
        ("attack ala kam 4 stay; end", ["move 36"]),
        ("attack ala kam; keep 4; attack kam yak; keep 2; end", ["move 36", "move 34"]),
        ("keep 4; attack ala kam; attack kam yak; end", ["move 39", "move 35"]),
        ("attack ala kam move half, end", ["move 20"]),
        ("blitz ala kam\nmove all\nblitz kam yak\nmove min\nend", ["move 39", "move 3"]),
        ("attack ala kam then move all then end", ["move 39"]),
        ("attack ala kam x5 move all and end", ["move 39"]),
        ("chain attack ala>kam>yak>sib; end", ["move 39", "move 38", "move 36"]),
        ("ala>kam, kam>yak, end", ["move 39", "move 3"]),
    ],
)
def test_how_many_move_in_may_be_said(text: str, moves: list[str] | None) -> None:
    if moves is None:
        assert reason(STRONG, text) == "unreadable"
        return
    played, stop, _ = carry(STRONG, text)
    assert [line for line in played if line.startswith("move")] == moves
    assert stop is None
    assert played[-1] == "end"


def test_a_plain_attack_leaves_it_to_the_board() -> None:
    played, stop, after = carry(STRONG, "attack ala kam")
    assert (played, stop, after.position.phase) == (["attack ala kam until 3"], None, "move")
    played, stop, after = carry(STRONG, "attack ala kam; attack kam yak")
    assert (len(played), stop, after.position.phase) == (3, None, "move"), "of the last attack"
    assert carry(after, "keep 20; fort ala nwt")[0][0] == "move 19", "what is asked may begin a text"


def test_it_stops_at_what_is_lost_and_says_what_is_left() -> None:
    assert left("attack ala kam; attack kam yak; end") == ("attack kam yak; end", "lost")
    assert left("chain blitz ala>kam>yak>sib until 4") == ("kam>yak>sib until 4", "lost")
    assert left("attack ala kam move all") == ("", ""), "there is nothing else to be done"
    assert left("attack ala kam; end; end") == ("end; end", "lost")


def test_it_stops_at_what_may_not_be_done() -> None:
    assert left("attack ala kam; attack ala bra; end", weak=False) == ("attack ala bra; end", "border")
    assert left("attack ala kam move 99; end", weak=False) == ("move 99; end", "move")
    assert left("attack ala kam; attack kam yak; attack yak sib; end", weak=False)[1] == "until"
    played, stop, _ = carry(PLACING, "trade; place ala 3; attack ala kam")
    assert stop is not None
    assert (len(played), stop.why.key, stop.text) == (2, "domination.refuse.due.place", "attack ala kam")


def test_nothing_is_played_of_a_text_that_cannot_be_read() -> None:
    for text in ("attack ala kam; blitz kam nowhere", "place ala 3; attack ala kam until", "end; trade"):
        for state in (STRONG, PLACING):
            assert isinstance(read(state, text), Rejected), text


def test_a_number_of_rolls_is_no_defeat() -> None:
    played, stop, after = carry(WEAK, "attack ala kam x7; end")
    assert (stop, played[-1], after.position.turn) == (None, "end", 1)
    assert [line for line in played if " x " in line][:2] == ["attack ala kam x 3"] * 2
    played, stop, _ = carry(STRONG, "roll ala kam; roll ala kam; roll ala kam; end")
    assert stop is None or stop.why.key.endswith("own"), "a country may fall at the first roll"
    played, _, after = carry(STRONG, "attack ala kam x30 move 20; end")
    assert (len(played), armies(after, "kam")) == (3, 20), "rolls that are not needed are not thrown"


@rows("secret", range(1, 9))
def test_two_stops_at_once_are_judged_after_each_roll(secret: int) -> None:
    state = position({1: "kam 5", 0: "ala 9"})
    played, stop, after = carry(state, "attack ala kam until 5 lead 2 x6; end", secret=secret)
    lines = [line for line in played if line.startswith("attack")]
    assert set(lines) == {"attack ala kam x 1"}
    assert stop is None
    if owner(after, "kam") == 1:
        ours, theirs = armies(after, "ala"), armies(after, "kam")
        assert ours <= 5 or ours - theirs < 2 or len(lines) == 6
        assert ours >= 4, "one roll may cost two"


def test_armies_are_placed_in_secret_by_one_text() -> None:
    state = position({1: "kam", 0: "ala alb ukr seu"}, phase="setup", own=[{"pool": 20}, {"pool": 20}])
    played, stop, after = carry(state, "setup ala 6, alb 4, ukr")
    assert (played, stop) == (["place ala 6", "place alb 4", "place ukr 10"], None)
    assert after.position.armies == state.position.armies, "others see nothing of it yet"
    for text in ("auto", "ala 6; auto"):
        played, stop, after = carry(state, text)
        assert stop is None
        assert after.own[0].pool == 0
        assert sum(int(line.split()[-1]) for line in played) == 20


def test_claims_are_queued_by_one_text() -> None:
    start = GAME.start(GAME.setup(2)).state
    played, stop, after = carry(start, "claim sia ino wau ngu eau")
    assert played == ["queue sia", "queue ino", "queue wau", "queue ngu", "claim eau"]
    assert (stop, len(after.own[0].wishes)) == (None, 5)
    played, stop, after = carry(start, "auto")
    assert stop is None
    assert played[-1].startswith("claim ")
    assert after.position.info.ready[0]
    assert not any(other.wishes for other in after.own[1:])


def test_a_draft_by_auto_alone_comes_to_its_end() -> None:
    state = GAME.start(GAME.setup(3)).state
    for _ in range(60):
        if state.position.phase != "claim":
            break
        seat = min(GAME.to_act(state))
        _, stop, state = carry(state, "auto", seat=seat)
        assert stop is None
    assert state.position.phase == "setup"
    assert sorted(state.position.owner.count(seat) for seat in range(3)) == [14, 14, 14]


def test_forced_trades_go_by_auto() -> None:
    played, stop, _ = carry(PLACING, "auto; attack ala kam")
    assert [line.split()[0] for line in played] == ["trade", "place", "attack"]
    assert stop is None


def test_17_script() -> None:
    """Golden case 17: from nine, until three are left."""
    state = position({1: "kam 9", 0: "ala 9"})
    assert order(state, "blitz ala kam until 3") == "attack ala kam until 3"
    lost = act(state, "attack ala kam until 3", "roll 111 66", "roll 111 66", "roll 111 66")
    assert (lost.position.phase, armies(lost, "ala"), owner(lost, "kam")) == ("attack", 3, 1)
    found = read(state, "blitz ala kam until 3; attack kam yak; end")
    assert isinstance(found, Done)
    assert found.script is not None
    stopped = GAME.resume(GAME.view(lost, Seat(0)), Seat(0), found.script)
    assert isinstance(stopped, Rejected)
    assert stopped.why.key == "domination.refuse.lost"
    found = read(state, "blitz ala kam until 3 move all")
    assert isinstance(found, Done)
    assert found.script is not None
    asked = GAME.resume(GAME.view(lost, Seat(0)), Seat(0), found.script)
    assert isinstance(asked, Partial), "nothing else is left of it"


SCRIPTS = (
    "ala>kam;kam>yak;yak>sib;end",
    "a ala kam x9;f nwt alb 1",
    "blitz ala>kam>yak>sib>chn>mon until 2",
    "Blitz Alaska → Kamchatka → Yakutsk, move 2, then attack yak sib\nend",
    "ala>kam x30, kam>yak x30",
    "attack ala kam until 5 x9 lead 1; kam>yak x9 until 2;end",
    "keep 2;ala>kam;kam>yak",
    "attack ala kam move 99 ; end ",
    "attack ala kam; move 99; blitz kam yak",
    "**attack ala kam**; attack ala bra; end",
    "  attack ala kam ;;  attack kam yak until 1, yak sib ; fort nwt alb 2",
    "trade; ala 3, alb 1; attack ala kam; 9 auf alb",
    "trade; place ala 3 alb 99; attack ala kam",
    "trade best and then 2 on ala, 3 on alb, 99 on nwt, all on gre; end",
    "trade; ukr all; attack ukr",
    "trade; auto; attack ala kam; attack kam ala",
    "ala 3; trade; end",
    "attack kam from ala; keep 2; blitz kam from kam",
)
STATES = (STRONG, WEAK, PLACING, position({1: "kam 6 yak 4 sib 4", 0: "ala 9 nwt 3 alb ukr 9 seu"}))


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(
    orders=st.one_of(
        st.sampled_from(SCRIPTS),
        st.lists(st.sampled_from([part for text in SCRIPTS for part in text.split(";")]), max_size=8).map(
            ";".join
        ),
    ),
    state=st.sampled_from(STATES),
    secret=st.integers(0, 255),
    blanks=st.sampled_from(["", " ", "\n"]),
)
def test_what_is_left_is_told_in_the_words_of_its_author(
    orders: str, state: State, secret: int, blanks: str
) -> None:
    typed = f"{blanks}{orders}{blanks}"
    found = read(state, typed)
    if not isinstance(found, Done):
        return
    played, stop, _ = carry(state, typed, secret=secret)
    assert played[0] == found.action.text
    if stop is not None:
        assert stop.text, "something is told"
        assert typed.strip().endswith(stop.text)


@rows(
    "state, text, told",
    [
        (WEAK, "ala>kam x30, kam>yak x30", "kam>yak x30"),
        (WEAK, "attack ala kam x6 move all; attack ala bra; end", "attack ala bra; end"),
        (WEAK, "  Attack `ALA` kam;\n\n then  blitz kam>yak , end ", "blitz kam>yak , end"),
        (STRONG, "blitz ala>kam>yak>bra>sib; end", "yak>bra>sib; end"),
        (STRONG, "blitz ala>kam>yak move 99; end", "kam>yak move 99; end"),
        (STRONG, "attack ala kam, keep 2, attack alb kam; end", "attack alb kam; end"),
        (PLACING, "trade; ala 3, alb 99, nwt all; end", "alb 99, nwt all; end"),
        (PLACING, "trade; place ala 3; 2 on alb; 99 on nwt", "99 on nwt"),
        (PLACING, "trade; keep; all on ala; attack ala bra", "attack ala bra"),
    ],
)
def test_it_is_told_from_the_first_order_on_that_was_not_done(state: State, text: str, told: str) -> None:
    _, stop, _ = carry(state, text)
    assert stop is not None
    assert stop.text == told
