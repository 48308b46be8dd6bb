"""The neutral army in matches for two: it holds a third of the countries and never acts."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any

import pytest

from bot.messages.board_query import BoardQuery
from games.domination.commands import prompts
from games.domination.game import GAME
from games.domination.rules import default_moves, judge, options
from games.domination.rules.actions import decode
from games.domination.rules.position import NEUTRAL, NOBODY, State
from games.engine.dice import Dice, Sealed
from games.engine.game import CHANCE, Seat, Setup
from games.engine.match import Change, Match, begin, fold, play
from games.engine.record import export, read
from render import alt_text, text_board
from tests.games.domination.helpers import act, armies, keys, owner, position, step, why
from tests.games.domination.typed import CATALOGUE, order, reason
from tests.soak import sampled

ON: dict[str, Any] = {"neutral": True}


def say(message: Any) -> str:
    return CATALOGUE.say(message, "en")


def drawn(state: State, seed: int = 1) -> State:
    """Return the state after chance has acted."""
    return GAME.apply(state, CHANCE, GAME.draw(state, Dice(b"neutral", "C-N", seed, "x"))).state


def setup(**options: Any) -> Setup:
    return GAME.setup(2, {**ON, **options})


# --- the start -------------------------------------------------------------------------------------------


def test_it_is_for_two_only_and_off_as_printed() -> None:
    assert GAME.setup(2).options["neutral"] is False
    assert GAME.refuse_setup(setup()) is None
    why_not = GAME.refuse_setup(GAME.setup(3, ON))
    assert why_not is not None
    assert why_not.key == "match.setup.for"
    assert NEUTRAL not in drawn(GAME.start(GAME.setup(2, {"setup": "deal"})).state).position.owner


def test_what_it_gets_before_a_draft_is_told_in_whole_texts() -> None:
    start = GAME.start(setup(setup="draft")).state
    facts = GAME.apply(start, CHANCE, GAME.draw(start, Dice(b"neutral", "C-N", 1, "x"))).facts
    told = [fact.msg for fact in facts if "neutral" in fact.msg.key]
    assert [message.key for message in told][:1] == ["domination.fact.neutral_holds"]
    assert say(told[0]) == "14 countries are neutral"


@pytest.mark.parametrize(("map_", "shares"), [("world", (14, 14, 14)), ("islands", (7, 7, 6))])
def test_countries_are_dealt_in_three_parts(map_: str, shares: tuple[int, ...]) -> None:
    state = drawn(GAME.start(setup(setup="deal", map=map_)).state)
    assert [state.position.owner.count(by) for by in (0, 1, NEUTRAL)] == list(shares)
    assert set(state.position.armies) == {1}


def test_its_armies_are_as_many_as_a_players_and_stand_by_chance() -> None:
    state = drawn(drawn(GAME.start(setup(setup="deal")).state))
    assert state.position.phase == "setup"
    pairs = list(zip(state.position.owner, state.position.armies, strict=True))
    assert sum(n for by, n in pairs if by == NEUTRAL) == 40
    assert {n for by, n in pairs if by != NEUTRAL} == {1}
    assert [own.pool for own in state.own] == [26, 33]
    printed = drawn(drawn(GAME.start(setup(setup="deal", even=False)).state))
    assert [own.pool for own in printed.own] == [26, 26]


def test_all_by_chance_spreads_its_armies_too() -> None:
    state = drawn(drawn(GAME.start(setup(setup="auto", even=False)).state))
    pairs = list(zip(state.position.owner, state.position.armies, strict=True))
    assert [sum(n for by, n in pairs if by == who) for who in (0, 1, NEUTRAL)] == [40, 40, 40]
    assert state.position.phase == "place"


def test_in_a_draft_its_third_is_drawn_first() -> None:
    state = GAME.start(setup()).state
    assert GAME.to_act(state) == {CHANCE}
    state = drawn(state)
    assert Counter(state.position.owner) == {NEUTRAL: 14, NOBODY: 28}
    assert (state.position.phase, GAME.to_act(state) == {0, 1}) == ("claim", True)
    mine = state.position.info.law.atlas.countries[state.position.owner.index(NEUTRAL)].code
    assert reason(state, f"claim {mine}") == "claimed"
    for seat in (0, 1):
        while seat in GAME.to_act(state):
            state = GAME.apply(state, Seat(seat), _wish(state, seat)).state
    assert state.position.phase == "spread"
    assert [state.position.owner.count(seat) for seat in (0, 1)] == [14, 14]
    assert drawn(state).position.phase == "setup"


def _wish(state: State, seat: int) -> Any:
    rows = judge.legal(judge.view(state, seat), seat)
    queues = [action for action in rows if action.kind == "queue"]
    return queues[0] if queues else decode("done")


def test_chance_can_deal_nothing_else() -> None:
    deal = GAME.start(setup(setup="deal")).state
    draft = GAME.start(setup()).state
    thirds = ",".join(str(n % 3) for n in range(42))
    halves = ",".join(str(n % 2) for n in range(42))
    first = ",".join("2" if n % 3 == 2 else "255" for n in range(42))
    assert GAME.refuse(deal, CHANCE, decode(f"deal {thirds}")) is None
    assert GAME.refuse(draft, CHANCE, decode(f"deal {first}")) is None
    for state, line in ((deal, halves), (deal, first), (draft, thirds), (draft, halves)):
        assert GAME.refuse(state, CHANCE, decode(f"deal {line}")) is not None
    state = GAME.apply(deal, CHANCE, decode(f"deal {thirds}")).state
    whole = [3 if n % 3 == 2 and n < 36 else 2 if n % 3 == 2 else 1 for n in range(42)]
    whole[2] += 40 - sum(n for at, n in enumerate(whole) if at % 3 == 2)
    good = ",".join(map(str, whole))
    assert GAME.refuse(state, CHANCE, decode(f"spread {good}")) is None
    whole[0], whole[2] = whole[0] + 1, whole[2] - 1
    assert GAME.refuse(state, CHANCE, decode(f"spread {','.join(map(str, whole))}")) is not None


def test_two_are_advised_to_even_the_start_out_by_one_of_two_ways() -> None:
    printed = {"even": False}
    for chosen, said in (
        ({}, None),
        (printed, "Even start, with 7 extra armies"),
        ({**ON, **printed}, None),
        (ON, "Choose one of them"),
    ):
        found = GAME.advice(GAME.setup(2, chosen))
        assert (found is None) is (said is None)
        assert found is None or str(said) in say(found)
    assert GAME.advice(GAME.setup(3)) is None


@pytest.mark.parametrize(("mode", "few"), [("capital", 3), ("mission", 2)])
def test_goals_that_few_reach_at_once_are_said_to_need_more_players(mode: str, few: int) -> None:
    for seats in range(2, 7):
        found = GAME.advice(GAME.setup(seats, {"mode": mode, "even": False}))
        assert (found is not None and "first round" in say(found)) is (seats <= few)


# --- play ------------------------------------------------------------------------------------------------

NONE: dict[str, Any] = {}


def world(**parts: Any) -> State:
    """Return a position where Red holds Alaska and its west, Blue Kamchatka, and the rest is neutral."""
    holds: dict[int, str] = {0: "ala 9 nwt 3", 1: "kam 2 yak"}
    state = position({0: "", 1: "kam 2 yak"}, {"neutral": True, **parts.pop("law", NONE)}, **parts)
    rows = GAME.dump(state)
    assert isinstance(rows, dict)
    countries: Any = rows["countries"]
    for code in countries:
        countries[code] = ["neutral", 1]
    for seat, text in holds.items():
        code = ""
        for word in text.split():
            if word.isdigit():
                countries[code][1] = int(word)
            else:
                code, countries[word] = word, [seat, 1]
    return GAME.load(rows, 2)


def test_it_is_attacked_like_anybody_and_has_no_turn() -> None:
    state = world()
    assert why(state, "attack ala alb until 1") == ""
    done = step(act(state, "attack ala alb until 1"), "roll 666 1")
    assert keys(done.facts)[:2] == ["roll", "taken"]
    assert say(done.facts[1].msg) == "ALA 9 > ALB 1: 1 roll, lost 0, killed 1, taken from the neutral army"
    state = act(done.state, "move 3", "end")
    assert state.position.phase == "card"
    state = act(state, "card ala")
    assert state.position.turn == 1
    state = act(state, f"place kam {state.position.pool}", "end")
    assert (state.position.turn, state.position.info.round) == (0, 2)
    assert state.position.info.cards == (1, 0)


def test_its_countries_are_named_in_refusals() -> None:
    state = world(phase="place", pool=3)
    assert say(judge.refuse(state, 0, decode("place alb 1"))).startswith("ALB is held by the neutral army.")
    assert reason(state, "place alb 1") == "not_yours"


def test_the_last_opponent_beaten_ends_it_though_neutral_countries_are_left() -> None:
    state = world()
    state = act(
        state, "attack ala kam until 1", "roll 666 11", "move 8", "attack kam yak until 1", "roll 666 1"
    )
    assert state.position.info.outcome is not None
    assert state.position.info.outcome.why.key == "domination.outcome.last"
    assert state.position.info.outcome.ranks == (1, 2)


def test_so_it_does_where_somebody_gave_up_but_not_by_the_first_rules() -> None:
    for rules in (1, 2):
        state = position({2: "", 0: "ala 9", 1: "kam"}, out=[2])
        state = GAME.load(GAME.dump(state), rules)
        state = act(state, "attack ala kam until 1", "roll 666 1")
        assert state.position.phase == ("move" if rules == 1 else "over")
        if rules == 1:
            state = act(state, "move 8", "end", "card alb")
            assert state.position.phase == "place"
            assert (state.position.turn, state.position.info.round) == (0, 2), (
                "alone, with a round for each turn"
            )


def test_the_last_neutral_country_is_nobodys_end() -> None:
    state = world()
    rows: Any = GAME.dump(state)
    for code, (by, _) in rows["countries"].items():
        if by == "neutral" and code != "alb":
            rows["countries"][code] = [1, 1]
    state = GAME.load(rows, 2)
    done = step(act(state, "attack ala alb until 1"), "roll 666 1")
    assert keys(done.facts) == ["roll", "taken", "neutral_fell"]
    assert (done.state.position.phase, done.state.position.info.out) == ("move", ())


def test_who_is_silent_fears_the_other_player_only() -> None:
    state = world(phase="place", pool=3)
    assert default_moves.default(judge.view(state, 0), 0) == decode("place ala 3")
    rows: Any = GAME.dump(state)
    rows["countries"]["nwt"] = [0, 1]
    rows["countries"]["alb"] = ["neutral", 50]
    assert default_moves.default(judge.view(GAME.load(rows, 2), 0), 0) == decode("place ala 3")
    assert prompts.best_attacks(world().position)


def test_a_position_with_it_is_written_and_read() -> None:
    state = world()
    data = json.loads(json.dumps(GAME.dump(state)))
    assert data["countries"]["bra"] == ["neutral", 1]
    assert GAME.load(data, 2) == state
    for law in ({"seats": 2}, {"seats": 3, "neutral": True}, {"neutral": 1}):
        with pytest.raises(ValueError, match=r"neutral|countries"):
            GAME.load({**data, "law": dict(law)}, 2)


# --- what is seen ----------------------------------------------------------------------------------------


def test_it_looks_like_no_seat() -> None:
    scene = GAME.scene(GAME.view(world(), None), None)
    token = next(token for token in scene.tokens if token.at == "bra")
    looks = [GAME.look(setup(), Seat(seat)) for seat in range(2)]
    every = [GAME.look(GAME.setup(6), Seat(seat)) for seat in range(6)]
    for look in (*looks, *every):
        assert token.ink != look.ink
        assert token.glyph != look.glyph
        assert token.code != look.code
    assert (token.ink, token.count) == ("black", 1)
    assert token.glyph in scene.glyphs
    assert len(scene.panels) == 2


def test_texts_tell_whose_it_is() -> None:
    scene = GAME.scene(GAME.view(world(), None), None)
    text = text_board(scene, say)
    assert "N Neutral army" in text
    assert any(line.split()[:3] == ["bra", "N", "1"] for line in text.splitlines())
    assert "Neutral army (N): afg 1" in alt_text(scene, say)
    heard = BoardQuery(scene, say)
    assert "Brazil (bra) Neutral army 1" in str(heard.scan("bra"))
    assert "Brazil (bra)" in str(heard.where("neutral"))
    assert heard.kinds() == ("Red", "Blue", "Neutral army")
    assert "South America 2 is held by Neutral army." in heard.score()
    assert "South America 2: N" in text.splitlines()


# --- whole matches ---------------------------------------------------------------------------------------

WAYS = [*product(("draft", "deal", "auto"), ("domination", "capital", "mission"))]


def played(chosen: dict[str, Any], levels: tuple[str, str], seed: int) -> Match:
    sealed, dice = Sealed(bytes([seed]) * 32, "C-NEU", "salt"), Dice(b"players", "C-NEU", seed, "x")
    change = begin(GAME, GAME.setup(2, chosen), sealed)
    computers = GAME.computers()
    while not change.match.ending:
        match = change.match
        seat = min(match.to_act)
        action = computers[levels[seat]].choose(GAME, GAME.view(match.state, seat), seat, dice)
        after = play(match, seat, action, sealed)
        assert isinstance(after, Change), after
        change = after
    return change.match


@pytest.mark.slow
@pytest.mark.parametrize(("start", "mode"), WAYS)
def test_computers_play_it_to_its_end_and_fight_it(start: str, mode: str) -> None:
    rivals = (("easy", "hard"), ("average", "easy"), ("hard", "average"))
    nth = WAYS.index((start, mode)) % 4 % 3
    for seed, levels in sampled(enumerate(rivals), [(nth, rivals[nth])]):
        options = {"map": "islands", "cap": 20, "setup": start, "mode": mode, **ON}
        match = played(options, levels, seed + 3)
        assert len(match.log) <= GAME.max_actions(match.setup)
        assert fold(match.log) == match
        assert read(export(match.log, {})).match == match
        assert match.state.position.owner.count(NEUTRAL) < 6 or mode == "capital"


def test_a_short_match_is_recorded_and_read_again() -> None:
    match = played({"map": "islands", "cap": 10, "setup": "auto", **ON}, ("easy", "easy"), 5)
    assert read(export(match.log, {})).match == match


def test_it_is_part_of_the_law_of_a_match() -> None:
    law = options.law_of(setup())
    assert law.neutral
    assert options.max_actions(law) > options.max_actions(law._replace(neutral=False))
    assert order(world(), "attack ala alb; end").startswith("attack ala alb until 3")
    assert (owner(world(), "bra"), armies(world(), "bra")) == (NEUTRAL, 1)
