"""What is offered beyond the rules: buttons, warnings, exact odds, forecasts of scripts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.domination.commands import prompts
from games.domination.game import GAME
from games.domination.rules import battle_odds, judge
from games.domination.rules.actions import decode
from games.domination.rules.judge import guess_state
from games.domination.rules.position import State
from games.domination.view import attack_odds, forecast
from games.engine.game import Odds, Rejected, Seat, Shortcut
from games.engine.message import Msg
from tests.games.domination.helpers import act, position
from tests.games.domination.test_notation import ATTACK, CAPITAL, CLAIM, FORCED, MOVE, PLACE, SETUP, VOTE
from tests.games.domination.typed import CATALOGUE
from tests.rows import rows

STATES = {
    "attack": ATTACK, "capital": CAPITAL, "claim": CLAIM, "forced": FORCED, "move": MOVE, "place": PLACE,
    "setup": SETUP, "vote": VOTE,
}  # fmt: skip
CHAIN = position({1: "kam yak sib", 0: "ala 12 nwt 3 alb ukr 9 seu"})


def buttons(state: State, seat: int = 0, viewer: int | None = 0) -> tuple[Shortcut, ...]:
    view = GAME.view(state, None if viewer is None else Seat(viewer))
    found = GAME.shortcuts(view, Seat(seat))
    for each in found:
        assert CATALOGUE.say(each.label, "en")
        assert 0 < len(each.text) <= 40
        assert ":" not in each.text
    return found


@pytest.mark.slow
@rows("key", sorted(STATES))
def test_buttons_type_what_can_be_read(key: str) -> None:
    state = STATES[key]
    found = buttons(state)
    assert 1 <= len(found) <= 10
    assert len({each.text for each in found}) == len(found)
    for each in found:
        assert not isinstance(GAME.parse(GAME.view(state, Seat(0)), Seat(0), each.text), Rejected), each.text


def test_which_buttons_there_are() -> None:
    texts = {key: [each.text for each in buttons(state)] for key, state in STATES.items()}
    assert texts["attack"] == ["attack ukr sca until 3", "attack ukr neu until 3", "attack ukr ura until 3",
        "attack ukr afg until 3", "attack ukr mea until 3", "attack", "fortify", "end"]  # fmt: skip
    assert texts["place"] == [
        "trade best",
        "place seu 8",
        "place bra 8",
        "place alb 8",
        "place ala 8",
        "place",
    ]
    assert texts["forced"] == ["trade best"]
    assert texts["move"] == ["move 9", "move 8", "move 7", "move 5", "move 4", "move 3"]
    assert texts["vote"] == ["continue", "stop"]
    assert texts["claim"] == ["auto", "claim"]
    assert "done" in [each.text for each in buttons(act(CLAIM, "queue ala"))]
    assert texts["setup"][0] == "auto"
    assert buttons(ATTACK, seat=1, viewer=1) == ()
    law = {"cards": "italian", "hand": 0, "minimum": 0}
    idle = position({1: "kam", 0: "ala 2"}, law, {0: "ala alb wus"}, phase="place", pool=0)
    assert [each.text for each in buttons(idle)] == ["trade best", "keep"]


def test_buttons_in_public_tell_nothing_of_a_hand() -> None:
    poor = position({1: "kam 9", 0: "ala 9 nwt 3 alb ukr 5 bra seu"}, phase="place", pool=8)
    assert buttons(PLACE, viewer=None) == buttons(poor, viewer=None)
    assert "trade best" not in [each.text for each in buttons(PLACE, viewer=None)]


def warned(state: State, wire: str) -> str:
    found = GAME.caution(GAME.view(state, Seat(0)), Seat(0), decode(wire))
    assert found is None or CATALOGUE.say(found, "en")
    return "" if found is None else found.key.removeprefix("domination.caution.")


def test_what_is_warned_of() -> None:
    assert warned(ATTACK, "attack ala kam until 3") == ""
    assert warned(ATTACK, "attack ala kam until 8") == "odds"
    assert warned(ATTACK, "attack nwt gre until 1") == ""
    assert warned(ATTACK, "attack ala kam x 1") == "", "one roll is a try"
    assert warned(ATTACK, "end") == ""
    home = position(
        {1: "kam 5", 0: "ala 9 nwt alb", 2: "bra"}, {"mode": "capital"}, capitals=["ala", "kam", "bra"]
    )
    assert warned(home, "fortify ala nwt 8") == "capital"
    assert warned(home, "fortify ala nwt 7") == ""
    assert warned(position({1: "kam 5", 0: "ala 9 nwt"}), "fortify ala nwt 8") == ""
    won = act(home, "attack ala kam until 1", "roll 666 11", "roll 666 11", "roll 666 1")
    assert won.position.phase == "move"
    assert warned(won, "move 8") == "", "nobody else is near"


def odds(state: State, text: str, seat: int = 0) -> tuple[Odds, ...]:
    found = GAME.odds(GAME.view(state, Seat(seat)), Seat(seat), text)
    assert not isinstance(found, Rejected), found
    for each in found:
        assert sum(chance for chance, _ in each.chances) == 1
        assert all(chance > 0 for chance, _ in each.chances)
        assert all(CATALOGUE.say(what, "en") for _, what in each.chances)
    return found


def test_odds_of_the_best_attacks() -> None:
    view = GAME.view(ATTACK, Seat(0))
    legal = {GAME.format(view, action) for action in judge.legal(view, 0)}
    found = odds(ATTACK, "")
    assert 1 <= len(found) <= 6
    assert all(each.text in legal for each in found)
    assert all(odds(ATTACK, each.text) == (each,) for each in found)
    assert odds(PLACE, "") == odds(ATTACK, "end") == ()
    assert odds(ATTACK, "", seat=1) == ()


def test_odds_are_exact() -> None:
    (found,) = odds(ATTACK, "ala kam")
    assert found.text == "blitz ala kam"
    chance = {what.key: part for part, what in found.chances}["domination.odds.won"]
    assert float(chance) == pytest.approx(battle_odds.battle(9, 9).wins, abs=1e-12)
    (until,) = odds(ATTACK, "attack ala kam until 4")
    assert float(until.chances[-1][0]) == pytest.approx(battle_odds.battle(9, 9, keep=4).wins, abs=1e-12)
    (roll,) = odds(ATTACK, "roll ala kam")
    assert roll.chances[0][0] == Fraction(2890, 7776)
    one = position({1: "kam", 0: "ala 2"})
    assert float(odds(one, "ala kam")[0].chances[0][0]) == pytest.approx(21 / 36, abs=1e-12)
    assert (
        float(odds(ATTACK, "ukr mea lead 2")[0].chances[0][0]) == attack_odds.odds_of(5, 1, "lead", 2, 2).wins
    )
    assert odds(ATTACK, "roll ala kam 2")[0].text == "roll ala kam 2"
    assert odds(one, "roll ala kam")[0].chances == odds(one, "ala>kam x1")[0].chances


def test_odds_of_others_and_of_nobody() -> None:
    (found,) = odds(ATTACK, "kam ala")
    assert found.text == "kam ala"
    (later,) = odds(PLACE, "attack ukr mea until 4")
    assert later.text == "ukr mea until 4"
    assert odds(PLACE, later.text) == (later,)
    assert [each.text for each in odds(ATTACK, "ala")] == ["blitz ala kam"]
    assert [each.text for each in odds(ATTACK, "attack kam")] == ["blitz ala kam"]
    assert [each.text for each in odds(PLACE, "kam")] == ["ala kam"]
    assert odds(ATTACK, "jap") == ()
    assert len(odds(ATTACK, "jap mon")[0].chances) == 1, "one army can't attack"
    for state, text in ((ATTACK, "ala bra"), (ATTACK, "hello"), (CLAIM, "ala kam"), (ATTACK, "x" * 2000)):
        refused = GAME.odds(GAME.view(state, Seat(0)), Seat(0), text)
        assert isinstance(refused, Rejected)
        assert CATALOGUE.say(refused.why, "en")


@pytest.mark.parametrize(
    ("armies", "against", "keep", "defence"), [(9, 5, 1, 2), (20, 14, 4, 2), (12, 9, 2, 3)]
)
def test_an_attack_to_its_end_is_the_battle_as_dice_count_it(
    armies: int, against: int, keep: int, defence: int
) -> None:
    found = attack_odds.odds_of(armies, against, "until", keep, defence)
    battle = battle_odds.battle(armies, against, keep=keep, defence=defence)
    assert found.wins == pytest.approx(battle.wins, abs=1e-12)
    lost = found.wins * (armies - found.left) + (1 - found.wins) * (armies - found.remain)
    assert lost == pytest.approx(battle.lost, abs=1e-9)


@pytest.mark.parametrize(("armies", "against"), [(39, 2), (80, 2), (500, 8)])
def test_an_attack_that_can_fail_is_never_certain(armies: int, against: int) -> None:
    found = attack_odds.odds_of(armies, against, "until", 1, 1)
    assert 0.999 < found.wins < 1.0
    assert attack_odds.percent(found.wins) == 99
    assert found.remain == pytest.approx(max(1.0, armies / 80)), "when it fails, one army is left"


def test_other_stops_have_odds_of_their_own() -> None:
    assert attack_odds.odds_of(9, 9, "x", 3, 2).wins == 0.0
    assert attack_odds.odds_of(3, 1, "dice", 1, 2).wins == pytest.approx(15 / 36)
    assert attack_odds.odds_of(9, 5, "lead", 1, 2).wins < attack_odds.odds_of(9, 5, "until", 1, 2).wins
    assert attack_odds.odds_of(400, 200, "until", 1, 2).wins > 0.99
    assert attack_odds.odds_of(200, 400, "lead", 1, 2).left <= 200


def dry(state: State, text: str) -> list[Msg]:
    found = list(GAME.forecast(GAME.view(state, Seat(0)), Seat(0), text))
    assert all(CATALOGUE.say(each, "en") for each in found)
    return found


def keys(found: list[Msg]) -> list[str]:
    return [each.key.rpartition(".")[2] for each in found]


def test_a_script_is_run_dry() -> None:
    found = dry(CHAIN, "attack ala kam; attack kam yak; fort nwt alb; end")
    assert keys(found) == ["attack", "order", "attack", "order", "order"]
    first, second = dict(found[0].values), dict(found[2].values)
    assert first["percent"] == first["total"] == 99
    assert second["order"] == "attack kam yak until 3"
    assert isinstance(second["total"], int)
    assert second["total"] <= 99
    weak = dict(dry(ATTACK, "blitz ala kam")[0].values)
    assert weak["percent"] == attack_odds.percent(battle_odds.battle(9, 9).wins)
    assert keys(dry(CHAIN, "attack ala kam; attack ala bra")) == ["attack", "order", "stop"]
    assert keys(dry(CHAIN, "chain blitz ala>kam>yak>sib until 4"))[::2] == ["attack"] * 3
    assert keys(dry(CHAIN, "attack ala kam x2; end"))[-1] == "order"
    assert keys(dry(ATTACK, "attack ala kam x2; end")) == ["attack", "order"]
    assert keys(dry(PLACE, "place ukr; attack ukr mea; end")) == ["order", "attack", "order", "order"]


def test_what_needs_no_foresight_has_none() -> None:
    for state, text in (
        (CHAIN, "end"),
        (CHAIN, "attack ala"),
        (CHAIN, "hello"),
        (SETUP, "ala 6; auto"),
        (CHAIN, ""),
    ):
        assert dry(state, text) == []
    far = position({1: "kam 99", 0: "ala 99"})
    rolls = dry(far, "; ".join(["roll ala kam"] * 25))
    assert (len(rolls), keys(rolls)[-1]) == (forecast.MAX_LINES, "more")
    assert dict(rolls[-1].values)["n"] == 6
    assert guess_state(GAME.view(SETUP, Seat(0)), 0) is None


def test_what_is_advised() -> None:
    assert prompts.best_attacks(ATTACK.position)[0].dst == 14
    spread = prompts.spread(SETUP.position, SETUP.own[0], 0, 20)
    assert sum(n for _, n in spread) == 20
    assert all(SETUP.position.owner[at] == 0 for at, _ in spread)
    assert prompts.sample(range(1, 30), 5) == [1, 8, 15, 22, 29]
