"""Everything listed is legal, nothing else is, and every no has its own reason."""

from __future__ import annotations

from random import Random

import pytest

from games.domination.rules import actions, judge
from games.domination.rules.actions import Action, decode
from games.domination.rules.position import State
from games.engine.dice import Sealed
from games.engine.game import CHANCE, Seat
from tests.games.domination.helpers import CODES, GAME, act, armies, keys, owner, position, step, why
from tests.games.domination.test_course import choice
from tests.rows import rows

ATTACKING = {1: "", 0: "ala 5 nwt gre 2", 2: "jap"}


@rows(
    "wire, reason",
    [
        ("attack ala kam until 1", ""),
        ("attack ala kam x 3", ""),
        ("attack ala kam dice 1", ""),
        ("attack ala kam lead 4", ""),
        ("attack kam ala until 1", "not_yours"),
        ("attack ala moon until 1", "unknown"),
        ("attack moon ala until 1", "unknown"),
        ("attack ala nwt until 1", "own"),
        ("attack ala jap until 1", "border"),
        ("attack nwt alb until 1", "alone"),
        ("attack ala kam until 5", "until"),
        ("attack ala kam until 0", "until"),
        ("attack ala kam x 5", "rolls"),
        ("attack ala kam x 0", "rolls"),
        ("attack ala kam dice 3", "all_dice"),
        ("attack ala kam dice 4", "dice"),
        ("attack ala kam lead 5", "lead"),
        ("fortify ala nwt 4", ""),
        ("fortify ala kam 1", "not_yours"),
        ("fortify ala ala 1", "fortify.adjacent"),
        ("fortify ala gre 1", "fortify.adjacent"),
        ("fortify nwt ala 1", "alone"),
        ("place ala 1", "due.attack"),
        ("trade ala nwt alb", "due.attack"),
        ("move 3", "due.attack"),
        ("claim ala", "due.attack"),
        ("roll 666 1", "due.attack"),
        ("end", ""),
    ],
)
def test_reasons_in_an_attack(wire: str, reason: str) -> None:
    assert why(position(ATTACKING), wire) == reason


def test_reasons_of_cards_and_armies() -> None:
    state = position({1: "", 0: "ala kam"}, None, {0: "ala alb wus cam", 1: "jap"}, phase="place", pool=4)
    assert why(state, "trade ala alb jap bonus ala") == "cards"
    assert why(state, "trade ala alb cam bonus ala") == "no_set"
    assert why(state, "trade alb ala wus bonus ala") == "order"
    assert why(state, "trade ala alb wus bonus kam") == "bonus"
    assert why(state, "place ala 5") == "pool"
    assert why(state, "place ala 0") == "pool"
    assert why(state, "place jap 1") == "not_yours"
    assert why(state, "keep") == "place_all"
    assert why(state, "end") == "due.place"
    placed = act(state, "place ala 1")
    assert why(placed, "trade ala alb wus bonus ala") == "placed"
    assert act(placed, "place kam 3").position.phase == "attack"
    nowhere = position({1: "ala", 0: "kam"}, None, {0: "alb wus ice"}, phase="place", pool=4)
    assert why(nowhere, "trade alb wus ice bonus ala") == "no_bonus"
    assert keys(step(nowhere, "trade alb wus ice").facts) == ["trade"]
    wild = position({1: "ala", 0: "kam"}, None, {0: "ala *1 *2"}, phase="place", pool=4)
    assert act(wild, "trade ala * *").position.pool == 8


def test_nobody_acts_out_of_turn() -> None:
    state = position(ATTACKING)
    assert why(state, "end", 1) == "turn"
    assert why(act(state, "attack ala kam until 1"), "end", 0) == "chance"
    over = GAME.forfeit(GAME.forfeit(state, Seat(1), "resign").state, Seat(2), "resign").state
    assert why(over, "end", 0) == "over"
    assert GAME.to_act(over) == frozenset()


def test_no_armies_to_place_leaves_the_choice_to_keep_cards() -> None:
    law = {"minimum": 0, "cards": "italian", "hand": 0}
    state = position({1: "", 0: "ala kam 2"}, law, {0: "ala alb wus"}, turn=1)
    state = act(state, "end")
    assert (state.position.phase, state.position.turn, state.position.pool) == ("place", 0, 0)
    assert why(state, "place ala 1") == "none_left"
    assert act(state, "keep").position.phase == "attack"
    assert act(state, "trade ala alb wus bonus ala").position.pool == 6
    bare = act(position({1: "", 0: "ala kam 2"}, law, turn=1), "end")
    assert bare.position.phase == "attack", "with too few cards there is nothing to decide"
    stuck = act(position({1: "", 0: "ala kam"}, law, turn=1), "end")
    assert stuck.position.turn == 1, "nor is there a turn without any army that could move"


def test_orders_stop_where_they_say() -> None:
    state = position({1: "kam 9", 0: "ala 9"})
    assert act(state, "attack ala kam x 2", "roll 111 66", "roll 666 11").position.phase == "attack"
    assert act(state, "attack ala kam dice 2", "roll 11 66").position.phase == "attack"
    ahead = position({1: "kam 5", 0: "ala 9"})
    assert act(ahead, "attack ala kam lead 3", "roll 111 66").position.phase == "attack"
    assert act(ahead, "attack ala kam lead 3", "roll 611 51").position.phase == "roll"
    spent = act(position({1: "kam 5", 0: "ala 3"}), "attack ala kam until 1", "roll 11 66")
    assert (spent.position.phase, armies(spent, "ala")) == ("attack", 1)


def test_claims_are_made_from_lists_in_turn() -> None:
    state = GAME.start(GAME.setup(2)).state
    assert GAME.to_act(state) == {0, 1}
    assert why(state, "done") == "no_wish"
    state = act(state, "queue ala", "queue kam")
    assert why(state, "claim kam") == "wished"
    assert GAME.to_act(state) == {0, 1}
    assert owner(state, "ala") == 255
    state = act(state, "claim bra")
    assert GAME.to_act(state) == {1}
    assert owner(state, "ala") == 255, "nobody sees a claim before all have wishes"
    assert GAME.view(state, Seat(1)).own == state.own[1]
    state = act(state, "queue kam", "claim sia")
    assert [owner(state, code) for code in ("ala", "kam", "bra", "sia")] == [0, 1, 0, 1]
    assert why(state, "claim ala", 0) == "claimed_yours"
    assert why(state, "claim kam", 0) == "claimed"
    assert state.position.turn == 0
    assert GAME.to_act(state) == {0, 1}
    assert state.own[0].wishes == ()


def test_a_list_that_others_emptied_is_asked_for_again() -> None:
    state = act(GAME.start(GAME.setup(2)).state, "queue ala", "claim kam")
    state = step(state, "claim kam", 1).state
    assert [owner(state, code) for code in ("ala", "kam")] == [0, 1]
    assert state.own[0].wishes == ()
    assert GAME.to_act(state) == {0, 1}


def test_armies_are_placed_in_secret_and_revealed_together() -> None:
    state = position({0: "", 1: "kam"}, phase="setup", own=[{"pool": 3}, {"pool": 2}])
    first = step(state, "place ala 3", 0)
    assert [fact.to for fact in first.facts] == [None, {0}]
    state = first.state
    assert why(state, "place ala 1", 0) == "ready"
    assert (armies(state, "ala"), GAME.view(state, None).own) == (1, None)
    assert why(state, "place ala 1", 1) == "not_yours"
    state = act(state, "place kam 1", "place kam 1")
    assert (armies(state, "ala"), armies(state, "kam")) == (4, 3)
    assert (state.position.phase, state.position.turn, state.position.info.round) == ("place", 0, 1)


def test_a_capital_is_one_s_own_country() -> None:
    state = position({0: "", 1: "kam"}, {"mode": "capital"}, phase="capital")
    assert why(state, "capital kam") == "not_yours"
    assert why(act(state, "capital ala"), "capital nwt", 0) == "ready"
    after = act(state, "capital ala", "capital kam")
    assert after.position.info.capitals == (CODES.index("ala"), CODES.index("kam"))


def test_play_goes_on_after_a_win_if_all_want_it() -> None:
    law = {"mode": "capital"}
    state = position({1: "", 0: "ala kam 4", 2: "jap bra 9"}, law, capitals=["ala", "kam", "jap"])
    vote = act(state, "attack kam jap until 1", "roll 666 1")
    assert vote.position.phase == "vote"
    assert GAME.to_act(vote) == {0, 1, 2}
    assert why(vote, "end") == "due.vote"
    stopped = act(vote, "continue", "stop")
    assert stopped.position.info.outcome is not None
    assert stopped.position.info.outcome.ranks == (1, 2, 3)
    onward = act(vote, "continue", "continue", "continue")
    assert (onward.position.phase, onward.position.info.mode) == ("attack", "domination")
    assert onward.position.info.victor == 0
    gone = GAME.forfeit(vote, Seat(0), "resign").state.position.info.outcome
    assert gone is not None
    assert gone.ranks == (1, 2, 3), "who leaves after winning has won"
    left = GAME.forfeit(act(vote, "continue", "continue"), Seat(2), "resign").state
    assert (left.position.phase, left.position.info.mode) == ("attack", "domination")


def test_who_gave_up_defends_and_is_heir_to_nobody() -> None:
    state = position({1: "", 0: "ala 9", 2: "kam"}, None, {2: "ala alb"})
    gone = GAME.forfeit(state, Seat(2), "resign").state
    assert GAME.eliminated(gone) == {2}
    after = act(gone, "attack ala kam until 1", "roll 666 1", "move 8", "end", "card ven")
    assert len(after.own[0].hand) == 3
    assert after.position.turn == 1
    mine = GAME.forfeit(
        act(position({1: "", 0: "ala 9", 2: "kam"}), "attack ala kam until 1"), Seat(0), "resign"
    )
    assert (mine.state.position.turn, mine.state.position.phase) == (1, "place")
    moving = act(position({1: "", 0: "ala 9", 2: "kam jap"}), "attack ala kam until 1", "roll 666 1")
    left = GAME.forfeit(moving, Seat(0), "timeout").state
    assert (armies(left, "ala"), armies(left, "kam"), left.position.attack) == (6, 3, None)


def test_after_the_last_round_all_is_counted() -> None:
    state = position({1: "", 0: "ala 9"}, {"cap": 1}, turn=1)
    over = act(state, "end").position.info.outcome
    assert over is not None
    assert (over.ranks, over.why.key) == ((2, 1), "domination.outcome.points")


def test_all_countries_win_in_every_mode() -> None:
    for mode in ("domination", "capital", "mission"):
        own = [{"mission": 0}, {"mission": 2}] if mode == "mission" else [{}, {}]
        capitals = ["ala", "kam"] if mode == "capital" else [None, None]
        state = position({0: "ala 9", 1: "kam"}, {"mode": mode}, own=own, capitals=capitals)
        over = act(state, "attack ala kam until 1", "roll 666 1").position.info.outcome
        assert over is not None
        assert (over.ranks, over.why.key) == ((1, 2), "domination.outcome.all")


def _wires(state: State, rng: Random) -> list[Action]:
    """Actions that may or may not be legal: near misses of legal ones."""
    code, other, n = rng.choice(CODES), rng.choice(CODES), rng.randrange(12)
    texts = [
        f"place {code} {n}",
        f"fortify {code} {other} {n}",
        f"move {n}",
        f"claim {code}",
        f"capital {code}",
    ]
    texts += [f"attack {code} {other} {how} {n}" for how in ("until", "x", "dice", "lead")]
    texts += ["keep", "end", "done", "stop", f"queue {code}", f"trade {code} {other} *"]
    return [decode(text) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"mode": "mission", "fortify": "connected"}, {"cards": "italian"}])
def test_what_is_listed_is_legal_and_nothing_else(options: dict[str, str]) -> None:
    rng, sealed = Random(3), Sealed(bytes(32), "C-3", "salt")
    state = GAME.start(GAME.setup(3, {"cap": 20, **options})).state
    for seq in range(700):
        due = GAME.to_act(state)
        if not due:
            break
        seat = rng.choice(sorted(due))
        if seat == CHANCE:
            state = GAME.apply(state, seat, GAME.draw(state, sealed.dice(seq))).state
            continue
        legal = judge.legal(GAME.view(state, seat), seat)
        assert legal
        assert len({action.text for action in legal}) == len(legal) == len(set(legal))
        for action in rng.sample(legal, min(5, len(legal))):
            assert judge.refuse(state, seat, action) is None
            assert actions.decode(action.text) == action
        for action in _wires(state, rng):
            assert (judge.refuse(state, seat, action) is None) == (action in legal), action
            assert judge.refuse(state, Seat(9), action) is not None
        state = GAME.apply(state, seat, choice(state, seat, rng)).state


def test_who_is_silent_defends_and_attacks_nobody() -> None:
    def silent(state: State, seat: int | None = None) -> str:
        by = min(GAME.to_act(state)) if seat is None else Seat(seat)
        found = GAME.default(GAME.view(state, by), by)
        return "" if found is None else found.text

    holds = {1: "kam 9", 0: "ala 2 nwt"}
    assert silent(position(holds)) == "end"
    assert silent(position({0: "", 1: "kam 9"}, phase="place", pool=4)) == "place ala 4"
    forced = {0: "ala alb wus cam gre"}
    law = {"cards": "fixed"}
    assert silent(position(holds, law, forced, phase="place", pool=4)) == "trade ala alb wus bonus ala"
    won = act(position({1: "", 0: "ala 9 nwt"}), "attack ala kam until 1", "roll 666 1")
    assert silent(won) == "move 3"
    picks = position({0: "", 1: "kam"}, {"mode": "capital"}, phase="capital")
    assert silent(picks, 0) == "capital nwt"
    assert silent(GAME.start(GAME.setup(2)).state) == "claim ala"
    rolling = act(position(holds), "attack ala kam until 1")
    assert GAME.default(GAME.view(rolling, None), Seat(0)) is None


def test_what_all_see_is_told_to_all() -> None:
    setup = GAME.setup(3, {"mode": "mission", "setup": "auto"})
    state = GAME.start(setup).state
    stories = []
    for seq in range(2):
        sealed = Sealed(bytes((seq,)) * 32, "C-4", "salt")
        dealt = GAME.apply(state, CHANCE, GAME.draw(state, sealed.dice(1)))
        tasks = GAME.apply(dealt.state, CHANCE, GAME.draw(dealt.state, sealed.dice(2)))
        stories.append((dealt.facts, tasks.facts))
        assert {fact.to for fact in tasks.facts} == {frozenset((Seat(n),)) for n in range(3)}
    assert stories[0][0] != stories[1][0]
    battle = act(position({1: "kam 9", 0: "ala 9"}), "attack ala kam until 3")
    assert step(battle, "roll 111 66").facts != step(battle, "roll 111 65").facts
