"""The end of a draft: if too few countries are left, only the seats that still get one are asked."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from games.domination.commands import notation, prompts
from games.domination.game import GAME
from games.domination.rules.actions import decode
from games.domination.rules.position import NOBODY, State
from games.engine.dice import Dice
from games.engine.game import CHANCE, Partial, Rejected, Seat
from games.engine.message import Who
from tests.games.domination.helpers import CODES
from tests.games.domination.typed import CATALOGUE, carry, read, reason


def wished(state: State, seat: int, codes: tuple[str, ...]) -> State:
    """Return the state after a seat has queued countries and is done."""
    for code in codes[:-1]:
        state = GAME.apply(state, Seat(seat), decode(f"queue {code}")).state
    assert GAME.refuse(state, Seat(seat), decode(f"claim {codes[-1]}")) is None
    return GAME.apply(state, Seat(seat), decode(f"claim {codes[-1]}")).state


def late(seats: int, rules: int = 2) -> State:
    """Return a draft on the world map with fewer free countries than seats."""
    state = GAME.start(replace(GAME.setup(seats), rules=rules)).state
    each = len(CODES) // seats
    for seat in range(seats):
        state = wished(state, seat, CODES[seat * each : (seat + 1) * each])
    assert state.position.owner.count(NOBODY) == len(CODES) % seats
    return state


@pytest.mark.parametrize("seats", [4, 5])
def test_only_those_are_asked_who_still_get_a_country(seats: int) -> None:
    assert GAME.to_act(late(seats)) == {0, 1}
    assert GAME.to_act(late(seats, rules=1)) == set(range(seats)), "an earlier match goes on as it began"


@pytest.mark.parametrize("seats", [4, 5])
def test_the_draft_is_over_when_they_have_claimed(seats: int) -> None:
    state = late(seats)
    state = wished(state, 1, (CODES[-2],))
    assert GAME.to_act(state) == {0}
    state = wished(state, 0, (CODES[-1],))
    assert state.position.phase == "setup"
    assert [state.position.owner.count(seat) for seat in range(2)] == [42 // seats + 1] * 2
    old = wished(wished(late(seats, rules=1), 1, (CODES[-2],)), 0, (CODES[-1],))
    assert old.position.phase == "claim"


def test_who_wants_what_another_one_took_is_asked_again() -> None:
    state = wished(wished(late(4), 1, (CODES[-1],)), 0, (CODES[-1],))
    assert state.position.phase == "claim"
    assert (GAME.to_act(state), state.position.turn) == (frozenset((1,)), 1)
    assert wished(state, 1, (CODES[-2],)).position.phase == "setup"


def test_who_gets_none_is_told_who_does() -> None:
    state = late(4)
    assert reason(state, "claim eau", 3) == "no_claim"
    found = GAME.parse(GAME.view(state, Seat(3)), Seat(3), "")
    assert isinstance(found, Rejected)
    assert "Red" not in CATALOGUE.say(found.why, "en")
    assert isinstance(GAME.parse(GAME.view(state, Seat(0)), Seat(0), ""), Partial)
    assert notation.not_now(prompts.context_of(GAME.view(state, Seat(2)), 2)) == found.why
    ready = wished(state, 1, (CODES[-2],))
    assert reason(ready, "claim eau", 1) == "ready"
    scene = GAME.scene(GAME.view(state, None), None)
    assert [panel.state for panel in scene.panels] == ["to_act", "to_act", "waiting", "waiting"]
    assert scene.headline.key == "domination.headline.claim_last"


def test_a_seat_that_gives_up_makes_room_for_the_next() -> None:
    state = GAME.forfeit(late(4), Seat(0), "resign").state
    assert GAME.to_act(state) == {1, 2}
    state = GAME.forfeit(wished(late(4), 0, (CODES[-1],)), Seat(1), "resign").state
    assert state.position.phase == "claim"
    assert GAME.to_act(state) == {2}, "the first claim has been made"


def test_a_position_knows_the_rules_it_is_played_by() -> None:
    for rules in (1, 2):
        state = late(4, rules)
        data = json.loads(json.dumps(GAME.dump(state)))
        assert GAME.load(data, rules) == state
        assert GAME.load(data, 3 - rules) == late(4, 3 - rules)
        assert GAME.load(data, rules).position.info.law.rules == rules


@pytest.mark.parametrize("more", [(), (CODES[9],)], ids=["both", "one"])
def test_all_are_told_whose_list_is_used_up(more: tuple[str, ...]) -> None:
    """Who is asked again shows it in any case: everyone waits for those alone."""
    state = wished(GAME.start(GAME.setup(2)).state, 0, (CODES[0], *more))
    step = GAME.apply(state, Seat(1), decode(f"claim {CODES[1]}"))
    told = [fact for fact in step.facts if fact.msg.key == "domination.fact.list_empty"]
    asked = tuple(Who(seat) for seat in sorted(GAME.to_act(step.state)))
    assert [(fact.to, dict(fact.msg.values)["who"]) for fact in told] == [(None, asked)]


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (("auto", "auto"), ((), ())),
        (("sia, ino, auto", "auto"), (("sia", "ino"), ())),
        (("claim sia ino then auto", "claim sia ino wau; auto"), (("sia", "ino"), ("sia", "ino", "wau"))),
        (("claim sia, auto", "auto please"), (("sia",), ())),
    ],
)
@pytest.mark.parametrize("neutral", [False, True])
def test_one_decision_of_each_player_is_the_whole_draft(
    texts: tuple[str, str], first: tuple[tuple[str, ...], ...], neutral: bool
) -> None:
    options = {"neutral": neutral, "even": not neutral}
    state = begun_draft(options)
    free = {CODES[at] for at, by in enumerate(state.position.owner) if by == NOBODY}
    for seat, text in enumerate(texts):
        played, stop, state = carry(state, text, seat)
        assert stop is None
        ranked = [line.split()[1] for line in played]
        assert len(ranked) == len(set(ranked))
        assert free == set(ranked), "a list of all can't be used up"
        named = [code for code in first[seat] if code in free]
        assert ranked[: len(named)] == named
    assert state.position.phase != "claim"


def begun_draft(options: dict[str, bool]) -> State:
    """Return a draft for two, with a neutral third if the options say so."""
    state = GAME.start(GAME.setup(2, options)).state
    if CHANCE in GAME.to_act(state):
        state = GAME.apply(state, CHANCE, GAME.draw(state, Dice(b"draft", "C-DRAFT", 0, ""))).state
    return state


def test_what_is_offered_in_a_draft_answers_it_for_good() -> None:
    state = begun_draft({})
    asked = read(state, "claim")
    assert isinstance(asked, Partial)
    assert asked.choices[0] == "auto"
    assert {text.rpartition(", ")[2] for text in asked.choices} == {"auto"}
    assert GAME.shortcuts(GAME.view(state, Seat(0)), Seat(0))[0].text == "auto"


def test_each_ones_progress_is_one_line() -> None:
    state = begun_draft({})
    state = wished(state, 0, CODES[:5])
    step = GAME.apply(state, Seat(1), decode("claim chn"))
    (line,) = [fact for fact in step.facts if fact.msg.key == "domination.fact.left"]
    said = CATALOGUE.say(line.msg, names=lambda seat: "AB"[seat])
    assert said == "39 countries are free; A has 2 and B has 1"
