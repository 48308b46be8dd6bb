"""Orders as people type them: every form that is understood, half orders, and every kind of no."""

from __future__ import annotations

import pytest

from games.domination.game import GAME
from games.domination.position import State
from games.engine.dice import Dice
from games.engine.game import CHANCE, Done, Rejected
from tests.games.domination.helpers import act, position
from tests.games.domination.typed import asked, order, read, reason, refusal

ATTACK = position({1: "kam 9", 0: "ala 9 nwt 3 alb ukr 5 seu"})
"""Alaska faces Kamchatka; three armies of the north west are behind the front."""
HAND = {0: "ala alb wus nwt *1"}
PLACE = position(
    {1: "kam 9", 0: "ala 9 nwt 3 alb ukr 5 bra seu"}, phase="place", pool=8, hands={0: "ala alb wus nwt"}
)
FORCED = position({1: "kam", 0: "ala wus"}, phase="place", pool=3, hands=HAND)
SETUP = position({1: "kam", 0: "ala alb ukr seu"}, phase="setup", own=[{"pool": 20}, {"pool": 20}])
CLAIM = GAME.start(GAME.setup(2)).state
CAPITAL = position({1: "kam", 0: "ala ukr bra"}, {"mode": "capital"}, phase="capital")
MOVE = act(position({1: "kam", 0: "ala 10 nwt"}), "attack ala kam until 1", "roll 666 1")
VOTE = act(
    position({1: "ala", 0: "nwt 6 kam bra", 2: "jap"}, {"mode": "capital"}, capitals=["nwt", "ala", "bra"]),
    "attack nwt ala until 1",
    "roll 666 1",
    "move 3",
)


@pytest.mark.parametrize(
    "text",
    [
        "attack ala kam", "ala>kam", "ala x kam", "ala-kam", "ala - kam", "att ala kam", "a ala kam",
        "ala kam", "attack ala kam until 3", "ATTACK Alaska KAMCHATKA", "alaska → kamchatka",
        "attack kam from ala", "take kam with ala", "attack 1 38", "1>38", "attack alas kamch",
        "please attack ala to kam!",
        "`ala>kam`", "ala onto kam", "attack my ala armies to kam",
    ],
)  # fmt: skip
def test_one_attack_has_many_forms(text: str) -> None:
    assert order(ATTACK, text) == "attack ala kam until 3"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("roll ala kam", "attack ala kam x 1"),
        ("roll ala kam 2", "attack ala kam dice 2"),
        ("roll ala>kam 3", "attack ala kam x 1"),
        ("blitz ala kam", "attack ala kam until 1"),
        ("blitz ala kam until 3", "attack ala kam until 3"),
        ("attack ala kam until 6", "attack ala kam until 6"),
        ("ala>kam x3", "attack ala kam x 3"),
        ("attack ala kam x 2", "attack ala kam x 2"),
        ("attack ala kam 2 x", "attack ala kam x 2"),
        ("attack ukr mea lead 2", "attack ukr mea lead 2"),
        ("attack ukraine middle-east", "attack ukr mea until 3"),
        ("attack ukr me", "attack ukr mea until 3"),
        ("attack ukr x mideast", "attack ukr mea until 3"),
        ("seu x north africa", ""),
        ("fort nwt alb 2", "fortify nwt alb 2"),
        ("fort nwt>alb all", "fortify nwt alb 2"),
        ("f nwt alb min", "fortify nwt alb 1"),
        ("fortify northwest territory alberta 1 stay", "fortify nwt alb 2"),
        ("fort ala nwt half", "fortify ala nwt 4"),
        ("fort 2 from nwt to alb", "fortify nwt alb 2"),
        ("transfer all armies from northwest territory to alberta", "fortify nwt alb 2"),
        ("ala nwt 5", "fortify ala nwt 5"),
        ("ala nwt all", "fortify ala nwt 8"),
        ("end", "end"),
        ("End turn.", "end"),
        ("end my turn please", "end"),
        ("pass", "end"),
    ],
)
def test_attacks_and_last_moves(text: str, line: str) -> None:
    if line:
        assert order(ATTACK, text) == line
    else:
        assert reason(ATTACK, text) == "alone", "Southern Europe has one army"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("place ukr 5", "place ukr 5"),
        ("ukr+5", "place ukr 5"),
        ("ukr 5", "place ukr 5"),
        ("put 5 on ukr", "place ukr 5"),
        ("5 armies on Ukraine", "place ukr 5"),
        ("place 16 5", "place ukr 5"),
        ("place ukr", "place ukr 8"),
        ("place all ukr", "place ukr 8"),
        ("place ukr all", "place ukr 8"),
        ("place 16 all", "place ukr 8"),
        ("trade best bonus ala", "trade ala alb wus bonus ala"),
        ("place ukr 3; place 5", "place ukr 3 | place"),
        ("ukr all", "place ukr 8"),
        ("place ukr 3 bra 2", "place ukr 3 | place bra 2"),
        ("place ukr 3, bra 2", "place ukr 3 | place bra 2"),
        ("ukr+3 bra+2", "place ukr 3 | place bra 2"),
        ("place ukr 3 bra", "place ukr 3 | place bra all"),
        ("place 3 ukr 2 bra", "place ukr 3 | place bra 2"),
        ("trade", "trade ala alb wus bonus alb"),
        ("trade best", "trade ala alb wus bonus alb"),
        ("trade 1 3 4", "trade ala alb wus bonus alb"),
        ("trade 1, 3, 4", "trade ala alb wus bonus alb"),
        ("trade wus ala alb", "trade ala alb wus bonus alb"),
        ("trade ala alb wus bonus ala", "trade ala alb wus bonus ala"),
        ("trade 1 3 4 bonus alaska", "trade ala alb wus bonus ala"),
        ("keep; place ukr 8", "place ukr 8"),
        ("auto", "place seu 8"),
    ],
)
def test_armies_and_cards(text: str, line: str) -> None:
    assert order(PLACE, text) == line


def test_a_wild_card_is_named_and_the_bonus_goes_where_it_is_needed() -> None:
    assert order(FORCED, "trade best") == "trade ala alb wus bonus wus", "the wild card is kept"
    assert order(FORCED, "trade ala wild alb") == "trade ala alb * bonus ala"
    assert order(FORCED, "trade 1 2 *") == "trade ala nwt * bonus ala"
    assert order(FORCED, "auto").startswith("trade ")
    assert order(FORCED, "auto").endswith(" | auto")
    assert asked(FORCED, "")[0] == "must_trade"
    assert asked(FORCED, "trade wild")[0] == "set"
    assert all(" wild" in choice for choice in asked(FORCED, "trade wild")[1])
    assert {text.split()[0] for text in asked(FORCED, "")[1]} == {"trade"}
    assert reason(FORCED, "place ala 3") == reason(FORCED, "keep") == reason(FORCED, "skip") == "must_trade"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("setup ala 6 alb 4 ukr 10", "place ala 6 | place alb 4 ukr 10"),
        ("place ala 6", "place ala 6"),
        ("ala 6 alb 4", "place ala 6 | place alb 4"),
        ("setup ala 6; ukr", "place ala 6 | place ukr all"),
        ("setup ala 19; auto", "place ala 19 | place ukr 1"),
    ],
)
def test_armies_before_the_first_turn(text: str, line: str) -> None:
    assert order(SETUP, text) == line


def test_claims_go_on_a_list_and_the_last_one_ends_it() -> None:
    assert order(CLAIM, "claim ala kam yak") == "queue ala | claim kam yak"
    assert order(CLAIM, "claim ala, kam, yak") == "queue ala | claim kam yak"
    assert order(CLAIM, "ala kam") == "queue ala | claim kam"
    assert order(CLAIM, "claim 1") == "claim ala"
    assert order(CLAIM, "queue ala kam") == "queue ala | queue kam"
    assert reason(CLAIM, "done") == "no_wish"
    wishing = act(CLAIM, "queue ala")
    assert order(wishing, "done") == "done"
    assert reason(wishing, "claim kam ala") == "wished"
    assert reason(CLAIM, "claim kam kam") == "wished"
    found = read(CLAIM, "auto")
    assert isinstance(found, Done)
    assert found.action.kind == "queue"
    assert found.rest.startswith("claim ")
    assert len(found.rest.split()) > 12, "enough for a draft of two"


def test_a_capital_is_chosen_by_any_name() -> None:
    assert order(CAPITAL, "capital ukraine") == order(CAPITAL, "ukr") == "capital ukr"
    assert reason(CAPITAL, "capital kam") == "not_yours"
    assert reason(CAPITAL, "capital ala ukr") == "one_capital"
    key, choices = asked(CAPITAL, "capital")
    assert (key, set(choices)) == ("capital", {"capital ala", "capital ukr", "capital bra"})


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("move 5", 5), ("5", 5), ("move all", 9), ("all", 9), ("max", 9), ("move min", 3), ("min", 3),
        ("half", 5), ("keep 4", 6), ("4 stay", 6), ("leave 2", 8), ("stay 20", 3), ("move all to kam", 9),
        ("auto", 3), ("move 5 armies", 5),
    ],
)  # fmt: skip
def test_armies_move_in(text: str, n: int) -> None:
    assert order(MOVE, text) == f"move {n}"


def test_how_many_move_in_is_asked_and_judged() -> None:
    key, choices = asked(MOVE, "")
    assert (key, choices[0], choices[-1]) == ("move", "move 3", "move 9")
    assert reason(MOVE, "move 1") == reason(MOVE, "12") == "move"
    assert reason(MOVE, "attack nwt alb") == reason(MOVE, "end") == "due.move"


def test_a_vote() -> None:
    assert order(VOTE, "yes") == order(VOTE, "continue") == "continue"
    assert order(VOTE, "no") == order(VOTE, "stop") == "stop"
    assert asked(VOTE, "") == ("vote", ("continue", "stop"))
    assert reason(VOTE, "attack ala kam") == "due.vote"


@pytest.mark.parametrize(
    ("state", "text", "key", "first"),
    [
        (ATTACK, "", "attack", "attack ukr sca until 3"),
        (ATTACK, "attack", "attack_where", "attack ukr sca until 3"),
        (ATTACK, "attack ala", "attack_from", "attack ala kam until 3"),
        (ATTACK, "blitz kam", "attack_on", "attack ala kam until 3"),
        (ATTACK, "ala", "from", "attack ala kam until 3"),
        (ATTACK, "kam", "attack_on", "attack ala kam until 3"),
        (ATTACK, "alb nwt", "", ""),
        (ATTACK, "fort", "fortify", "fortify ala nwt 8"),
        (ATTACK, "fort nwt", "fortify_to", "fortify nwt ala 2"),
        (ATTACK, "fort nwt alb", "fortify_many", "fortify nwt alb 2"),
        (PLACE, "", "trade", "trade ala alb wus bonus alb"),
        (PLACE, "place", "where", "place seu 8"),
        (PLACE, "place 5", "where", "place seu 5"),
        (PLACE, "ukr", "how_many", "place ukr 8"),
        (PLACE, "keep", "trade", "trade ala alb wus bonus alb"),
        (PLACE, "trade ala", "set", "trade ala alb wus bonus alb"),
        (SETUP, "", "setup", "place ukr 20"),
        (CLAIM, "", "claim", "claim eau"),
        (CLAIM, "claim", "claim", "claim eau"),
    ],
)
def test_half_an_order_is_answered_by_what_may_follow(state: State, text: str, key: str, first: str) -> None:
    if not key:
        assert reason(state, text) == "alone"
        return
    found, choices = asked(state, text)
    assert found == key
    assert len(choices) <= 24
    assert choices[0] == first or key == "claim"


@pytest.mark.parametrize(
    ("state", "text", "why"),
    [
        (ATTACK, "attack ala bra", "border"),
        (ATTACK, "attack alb wus", "alone"),
        (ATTACK, "attack ala nwt", "own"),
        (ATTACK, "attack kam ala", "not_yours"),
        (ATTACK, "attack nwt gre", "until"),
        (ATTACK, "attack ala kam until 9", "until"),
        (ATTACK, "attack ala kam lead 1", "lead"),
        (ATTACK, "attack ala kam 3", "what_number"),
        (ATTACK, "attack ala kam until", "half"),
        (ATTACK, "attack ala kam until 4 until 5", "two_stops"),
        (ATTACK, "attack ala kam until 4 lead 2", "two_stops"),
        (ATTACK, "attack ala kam x99", "many_rolls"),
        (ATTACK, "attack ala kam until 2 x13", "many_rolls"),
        (ATTACK, "attack alska kam", "name_near"),
        (ATTACK, "attack ala qwxz", "name"),
        (ATTACK, "attack west sca", "ambiguous"),
        (ATTACK, "attack usa ont", "ambiguous"),
        (ATTACK, "attack ala 43", "no_number"),
        (ATTACK, "attack mad saf", "not_yours"),
        (ATTACK, "blitz mad", "no_attack_on"),
        (ATTACK, "attack nwt", ""),
        (ATTACK, "fort ala ukr 2", "fortify.adjacent"),
        (ATTACK, "fort ala nwt 9", "stay"),
        (ATTACK, "fort seu ukr", "alone"),
        (ATTACK, "place ukr 5", "due.attack"),
        (ATTACK, "trade", "due.attack"),
        (ATTACK, "end; attack ala kam", "after_end"),
        (ATTACK, "fort nwt alb 1; attack ala kam", "after_end"),
        (ATTACK, "; ".join(["attack ala kam"] * 61), "many"),
        (ATTACK, "attack ala kam; blitz ala nowhere", "name"),
        (PLACE, "place ukr 9", "pool"),
        (PLACE, "place 9", "pool"),
        (PLACE, "trade best bonus kam", "bonus"),
        (PLACE, "place ukr 5 bra 4", "pool"),
        (PLACE, "place ukr 5 kam 3", "not_yours"),
        (PLACE, "place ukr bra", "amount"),
        (PLACE, "ukr bra", "amount"),
        (PLACE, "place ukr all bra all", "amount"),
        (PLACE, "place ukr 0", "amount"),
        (PLACE, "attack ukr mea", "due.place"),
        (PLACE, "end", "due.place"),
        (PLACE, "trade 1 2 3", "no_set"),
        (PLACE, "trade 1 2 9", "hand_number"),
        (PLACE, "trade ala alb kam", "cards"),
        (PLACE, "trade ala alb wus nwt", "three_cards"),
        (PLACE, "trade ala alb wus bonus kam", "bonus"),
        (SETUP, "setup ala 15 alb 15", "pool"),
        (SETUP, "trade", "due.setup"),
        (CLAIM, "attack ala kam", "due.claim"),
    ],
)
def test_what_cannot_be_is_refused_kindly(state: State, text: str, why: str) -> None:
    if why:
        assert reason(state, text) == why
    else:
        assert asked(state, text)[0] == "attack_from"


def test_a_slip_is_answered_with_what_is_meant() -> None:
    found = refusal(ATTACK, "attack alska kam")
    assert found.near == ("attack ala kam until 3",)
    assert found.span == (7, 12)
    assert refusal(PLACE, "place ukrane 5").near == ("place ukr 5",)
    found = refusal(ATTACK, "attack ukr south")
    assert dict(found.why.values)["names"] == ("SAF South Africa", "SEU Southern Europe")
    few = refusal(position({1: "kam 9", 0: "ala 3"}), "attack ala kam")
    assert "blitz ala kam" in few.near, "three armies are where the usual attack stops"


@pytest.mark.parametrize(
    "text",
    [
        "attack on titan was great", "hello there", "lol", "ok", "yes", "no", "f", "a", "the end",
        "end of the world", "keep it up", "stop it", "i claim victory", "continue please?", "move on",
        "4", "+1", "all", "done", "me too", "per aspera ad astra", "what a roll!", "-", "?!",
        "no me gusta", "well played", "good game", "brb 5 min", "take that", "hold on a second",
        "you attack like a sheep", "x" * 1200, "great", "west", "🙂", "draft dodger",
    ],
)  # fmt: skip
def test_chat_stays_chat(text: str) -> None:
    for state in (ATTACK, PLACE, CLAIM):
        found = read(state, text, 0)
        if text == "done" and state is CLAIM:
            continue
        assert isinstance(found, Rejected), f"{text}: {found}"
        assert found.chat, f"{text}: {found}"


@pytest.mark.parametrize(
    "text",
    [
        "attack ala kam",
        "place ukr 5",
        "ala>kam",
        "fort egy mea 6",
        "claim ala kam",
        "setup ala 6 kam 4",
        "ukr+5",
    ],
)
def test_an_order_out_of_turn_is_no_chat(text: str) -> None:
    found = refusal(ATTACK, text, seat=1)
    assert found.why.key == "domination.refuse.turn"
    assert not found.chat
    assert refusal(ATTACK, "end", seat=1).chat
    watching = GAME.parse(GAME.view(CLAIM, None), CHANCE, text)
    assert isinstance(watching, Rejected)


def test_chance_is_read_from_the_log() -> None:
    rolling = act(ATTACK, "attack ala kam until 1")
    view = GAME.view(rolling, CHANCE)
    found = GAME.parse(view, CHANCE, "roll 661 65")
    assert isinstance(found, Done)
    assert GAME.format(view, found.action) == "roll 661 65"
    for text in ("roll 66 65", "roll", "end", "", "card ala"):
        assert isinstance(GAME.parse(view, CHANCE, text), Rejected)
    start = GAME.start(GAME.setup(2, {"setup": "deal"})).state
    deal = GAME.format(GAME.view(start, CHANCE), GAME.draw(start, _dice()))
    assert isinstance(GAME.parse(GAME.view(start, CHANCE), CHANCE, deal), Done)


def _dice() -> Dice:
    return Dice(b"typed", "C-AAA", 1, "")
