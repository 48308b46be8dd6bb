"""With a set in hand and no armies to place, any order of the turn implies that the cards are kept."""

from __future__ import annotations

from games.domination.game import GAME
from games.engine.game import Done, Seat
from tests.games.domination.helpers import act, position
from tests.games.domination.typed import asked, carry, order, read, reason
from tests.rows import rows

LAW = {"minimum": 0}
EMPTY = position({1: "", 0: "ala 9 nwt 3"}, LAW, phase="place", pool=0, hands={0: "ala alb wus"})
FORCED = position({1: "", 0: "ala 9 nwt 3"}, LAW, phase="place", pool=0, hands={0: "ala alb wus nwt que"})


@rows(
    "text, line",
    [
        ("end", "keep | end"),
        ("pass", "keep"),
        ("keep; end", "keep | end"),
        ("attack ala kam", "keep | attack ala kam until 3"),
        ("attack ala kam x2", "keep | attack ala kam x2"),
        ("roll ala kam 2", "keep | roll ala kam 2"),
        ("blitz ala>kam>yak; end", "keep | "),
        ("ala kam", "keep | attack ala kam until 3"),
        ("ala>kam", "keep | attack ala kam until 3"),
        ("fort ala nwt 3", "keep | fortify ala nwt 3"),
        ("ala nwt 3", "keep | fortify ala nwt 3"),
        ("move ala nwt 3", "keep | fortify ala nwt 3"),
        ("trade best; place ala; end", "trade ala alb wus bonus ala | place ala all; end"),
    ],
)
def test_an_order_of_the_turn_keeps_the_cards(text: str, line: str) -> None:
    found = order(EMPTY, text)
    assert found.startswith(line) if line.endswith("| ") else _alike(found, line), found


def _alike(found: str, line: str) -> bool:
    after = act(EMPTY, "keep")
    one, other = found.partition(" | ")[2], line.partition(" | ")[2]
    if one == other:
        return True
    return read(after, one) == read(after, other)


def test_it_is_carried_out_as_two_orders_of_the_log() -> None:
    played, stop, after = carry(EMPTY, "end")
    assert (played, stop, after.position.turn) == (["keep", "end"], None, 1)
    played, stop, after = carry(EMPTY, "attack ala kam; fort ala nwt 1")
    assert played[:2] == ["keep", "attack ala kam until 3"]
    assert played[-1] == "fortify ala nwt 1"
    assert stop is None


def test_nothing_is_kept_for_what_cannot_be_done() -> None:
    assert reason(EMPTY, "attack ala bra") == "border"
    assert reason(EMPTY, "fort ala kam 3") == "not_yours"
    assert reason(EMPTY, "place ala 3") == reason(EMPTY, "ala+3") == "none_left"
    assert asked(EMPTY, "attack ala")[0] == "attack_from"
    assert asked(EMPTY, "fort")[0] == "fortify"
    assert asked(EMPTY, "")[0] == "keep"


def test_where_a_set_has_to_be_traded_it_still_has() -> None:
    for text in ("end", "attack ala kam", "fort ala nwt 3", "keep", "pass"):
        assert reason(FORCED, text) == "must_trade", text


def test_choices_of_half_an_order_are_whole_ones() -> None:
    _, choices = asked(EMPTY, "attack")
    for choice in choices:
        found = GAME.parse(GAME.view(EMPTY, Seat(0)), Seat(0), choice)
        assert isinstance(found, Done)
        assert found.action.text == "keep"


def test_a_last_move_may_be_called_a_move() -> None:
    state = act(EMPTY, "keep")
    assert order(state, "move ala nwt 3") == "fortify ala nwt 3"
    assert order(state, "move 3 from ala to nwt") == "fortify ala nwt 3"
    assert order(state, "move all armies from ala to nwt") == "fortify ala nwt 8"
    taken = act(state, "attack ala kam until 1", "roll 666 1")
    assert order(taken, "move 5 from ala to kam") == order(taken, "move 5 to kam") == "move 5"
    assert reason(taken, "move 5 from ala to nwt") == "due.move"
