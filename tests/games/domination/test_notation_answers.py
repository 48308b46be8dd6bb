"""Replies to incomplete orders, to wrong ones and to chat."""

from __future__ import annotations

from dataclasses import replace

from games.domination.game import GAME
from games.domination.maps.atlas import Card
from games.domination.maps.playable_maps import map_value
from games.domination.maps.world import WORLD
from games.domination.rules.position import State
from games.engine.dice import Dice
from games.engine.game import CHANCE, Done, Rejected
from tests.games.domination.helpers import act, position
from tests.games.domination.test_notation import ATTACK, CLAIM, MOVE, PLACE, SETUP
from tests.games.domination.typed import asked, order, read, reason, refusal
from tests.rows import rows


@rows(
    "state, text, key, first",
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


@rows(
    "state, text, why",
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
        (ATTACK, "blitz ala kam, nwt", "half"),
        (ATTACK, "attack alska kam", "name_near"),
        (ATTACK, "attak ala kam", "verb_near"),
        (PLACE, "plce ukr 4", "verb_near"),
        (PLACE, "trde best", "verb_near chat"),
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


def test_who_can_do_nothing_hears_why() -> None:
    inland = position({1: "", 0: "ala 5 nwt alb kam"})
    assert reason(inland, "attack") == "no_attack"
    assert reason(inland, "attack ala") == "no_attack_from"
    assert reason(inland, "attack nwt") == "alone"
    assert asked(inland, "ala")[1] == ("fortify ala nwt 4", "fortify ala alb 4", "fortify ala kam 4")
    assert asked(inland, "")[1] == ("end",)
    islet = position({1: "", 0: "mad 3 ala"})
    assert reason(islet, "fort") == reason(islet, "fort mad") == "no_fortify"
    assert reason(islet, "fort ala") == "alone"
    assert reason(islet, "fort saf") == "not_yours"
    assert reason(islet, "fort mad saf until") == "unreadable"
    assert reason(ATTACK, "ala nwt 5 alb 3") == "what_number"
    assert reason(SETUP, "move all") == "due.setup chat"
    assert reason(SETUP, "claim ala") == reason(SETUP, "move 3") == "due.setup"
    assert reason(SETUP, "keep 3") == "due.setup"
    assert (
        reason(SETUP, "capital ala")
        == reason(SETUP, "fort ala alb 1")
        == reason(SETUP, "ala>kam")
        == "due.setup"
    )
    assert asked(MOVE, "move")[0] == "move"


def test_a_turn_without_armies_is_about_cards() -> None:
    """Without a guaranteed minimum, a seat may have cards and nothing to place."""
    law = {"cards": "italian", "hand": 0, "minimum": 0}
    state = position({1: "kam", 0: "ala 2"}, law, {0: "ala alb wus"}, phase="place", pool=0)
    assert asked(state, "") == ("keep", ("trade ala alb wus bonus ala", "keep"))
    assert order(state, "keep") == order(state, "skip") == order(state, "done") == "keep"
    assert reason(state, "place ala 1") == reason(state, "place") == "none_left"
    poor = position({1: "kam", 0: "ala 2"}, law, {0: "ala alb gre"}, phase="place", pool=3)
    assert reason(poor, "trade") == "no_set_held"
    placed = act(
        position({1: "kam", 0: "ala 2"}, law, {0: "ala alb wus"}, phase="place", pool=3), "place ala 1"
    )
    assert reason(placed, "trade") == "placed"


def test_a_second_card_of_a_country_has_a_name_of_its_own() -> None:
    twice = replace(WORLD, cards=(*WORLD.cards, Card("infantry", 0)))
    law = {"seats": 2, "atlas": map_value(twice)}
    state = position({1: "kam", 0: "ala"}, law, {0: "ala alb ala*2"}, phase="place", pool=3)
    assert order(state, "trade") == "trade ala alb ala*2 bonus ala"
    for text in ("trade ala alb ala*2", "TRADE ALA*2 ALB ALA", "trade ala ala alb", "trade 1 2 3"):
        assert order(state, text) == "trade ala alb ala*2 bonus ala"
    assert order(state, "place ala; trade ala ala*2 wild bonus ala") == (
        "place ala 3 | trade ala ala*2 wild bonus ala"
    )


def test_a_slip_is_answered_with_what_is_meant() -> None:
    found = refusal(ATTACK, "attack alska kam")
    assert found.near == ("attack ala kam until 3",)
    assert found.span == (7, 12)
    assert refusal(PLACE, "place ukrane 5").near == ("place ukr 5",)
    assert refusal(PLACE, "plce ukr 5").near == ("place ukr 5",)
    found = refusal(ATTACK, "attack ukr south")
    assert dict(found.why.values)["names"] == ("SAF South Africa", "SEU Southern Europe")
    few = refusal(position({1: "kam 9", 0: "ala 3"}), "attack ala kam")
    assert "blitz ala kam" in few.near, "three armies are where the usual attack stops"


@rows(
    "text",
    [
        "attack on titan was great", "hello there", "lol", "ok", "yes", "no", "f", "a", "the end",
        "end of the world", "keep it up", "stop it", "i claim victory", "continue please?", "move on",
        "4", "+1", "all", "done", "me too", "per aspera ad astra", "what a roll!", "-", "?!",
        "no me gusta", "well played", "good game", "brb 5 min", "take that", "hold on a second",
        "you attack like a sheep", "x" * 1200, "great", "west", "🙂", "draft dodger", "great +1", "west + 1",
        "1+5",
    ],
)  # fmt: skip
def test_chat_stays_chat(text: str) -> None:
    for state in (ATTACK, PLACE, CLAIM):
        found = read(state, text, 0)
        if text == "done" and state is CLAIM:
            continue
        assert isinstance(found, Rejected), f"{text}: {found}"
        assert found.chat, f"{text}: {found}"


@rows(
    "text",
    [
        "attack ala kam",
        "place ukr 5",
        "ala>kam",
        "fort egy mea 6",
        "claim ala kam",
        "setup ala 6 kam 4",
        "ukr+5",
        "kamch+5",
        "trade north albert wester bonus north",
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
