"""Orders as people type them: all accepted forms, by phase."""

from __future__ import annotations

from games.domination.game import GAME
from games.engine.game import Done
from tests.games.domination.helpers import act, position
from tests.games.domination.typed import asked, order, read, reason, rest
from tests.rows import rows

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


@rows(
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


@rows(
    "text, line",
    [
        ("roll ala kam", "attack ala kam x 1"),
        ("roll ala kam 2", "attack ala kam dice 2"),
        ("roll ala>kam 3", "attack ala kam x 1"),
        ("blitz ala kam", "attack ala kam until 1"),
        ("blitz ala kam until 3", "attack ala kam until 3"),
        ("attack ala kam until 6", "attack ala kam until 6"),
        ("ala>kam x3", "attack ala kam x 3"),
        ("ala → kam ×3", "attack ala kam x 3"),
        ("1. attack ala kam\n2. end", "attack ala kam until 3 | >kam; end"),
        ("- attack ala kam\n- end", "attack ala kam until 3 | >kam; end"),
        ("attack ala kam & end;", "attack ala kam until 3 | >kam; end"),
        ("attack ala kam leaving 3", "attack ala kam until 3 | >kam stay 3"),
        ("end, ", "end"),
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


@rows(
    "text, line",
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
        ("ukr: 3, bra: 2", "place ukr 3 | place bra 2"),
        ("ukr=3 bra=2", "place ukr 3 | place bra 2"),
        ("5 ukr, 3 bra", "place ukr 5 | place bra 3"),
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


@rows(
    "text, line",
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
    assert rest(found).startswith("claim ")
    assert len(rest(found).split()) > 12, "enough for a draft of two"


def test_a_capital_is_chosen_by_any_name() -> None:
    assert order(CAPITAL, "capital ukraine") == order(CAPITAL, "ukr") == "capital ukr"
    assert reason(CAPITAL, "capital kam") == "not_yours"
    assert reason(CAPITAL, "capital ala ukr") == "one_capital"
    key, choices = asked(CAPITAL, "capital")
    assert (key, set(choices)) == ("capital", {"capital ala", "capital ukr", "capital bra"})


@rows(
    "text, n",
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
