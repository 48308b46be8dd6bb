"""Laws that every registered game must obey, with every number of seats and all its options."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import pytest

from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Done, Partial, Rejected, Seat, Setup
from games.engine.match import (
    Change,
    CorruptLogError,
    Entry,
    Kind,
    Match,
    advance,
    fold,
    leave,
    offer_draw,
    play,
    take_back,
    verify,
)
from games.engine.message import Msg
from tests.laws.checks import (
    board,
    can_be_said,
    facts_hold,
    marks_on_board,
    offers_hold,
    on_board,
    outcome_holds,
    rejection_holds,
)
from tests.laws.courses import Case, Course, every_case
from tests.laws.fuzz import json_mutants, odd_texts, wire_mutants
from tests.soak import SOAK

CASES = every_case()
MOST_NEAR = 8
"""Maximum number of legal moves that a refusal names: more would be a list, which nobody reads."""
UNLIKE_START = {"phase", "own", "thirteenth"}
"""Parts of written positions that stand for the middle of a match where they are left out."""


def viewers(match: Match) -> Iterator[Seat | None]:
    yield None
    yield from (Seat(seat) for seat in range(match.setup.seats))


def places_of(match: Match) -> frozenset[str]:
    return board(match.game.scene(match.game.view(match.state, None), None))


def test_the_setup_is_judged_kindly(case: Case) -> None:
    game, setup = case.game, case.setup
    assert game.refuse_setup(game.setup(case.seats)) is None, "the defaults play"
    wrong = [
        Setup(99, tuple(range(99)), setup.options, setup.rules),
        Setup(0, (), setup.options, setup.rules),
        replace(setup, options={**setup.options, "no such option": True}),
        replace(setup, options={}) if setup.options else replace(setup, rules=0),
        replace(setup, rules=game.rules + 1),
        replace(setup, rules=-1),
        replace(setup, rules=True),
        replace(setup, teams=(7,) * case.seats),
        *(replace(setup, options={**setup.options, key: "?"}) for key in setup.options),
        *(replace(setup, options={**setup.options, key: []}) for key in setup.options),
    ]
    for each in wrong:
        why = game.refuse_setup(each)
        assert why is not None, each
        can_be_said(why)
    assert len(setup.teams) == case.seats
    if (advice := game.advice(setup)) is not None:
        can_be_said(advice)


def test_every_seat_can_be_told_from_the_others(case: Case) -> None:
    looks = [case.game.look(case.setup, Seat(seat)) for seat in range(case.seats)]
    for kind in ("name", "ink", "glyph", "code", "symbol"):
        assert len({getattr(look, kind) for look in looks}) == case.seats
    for look in looks:
        can_be_said(look.name)
        assert look.glyph in case.game.glyphs
        assert look.code.isalnum()
        assert len(look.symbol) == 1


def test_replaying_the_log_gives_the_state_and_the_dice_are_proved(played: Course) -> None:
    rows = json.loads(json.dumps([[e.seq, e.kind, e.seat, e.data] for e in played.log]))
    log = [Entry(seq, Kind(kind), None if s is None else Seat(s), data) for seq, kind, s, data in rows]
    again = fold(log)
    assert again == played.final
    assert hash(again.state) == hash(played.final.state)
    assert verify(log) == ()
    assert log[-1].kind is Kind.REVEAL
    assert all("\n" not in entry.data and entry.data.isprintable() for entry in log)


def test_it_ends_within_its_bound_with_ranks_for_all(played: Course) -> None:
    game, final = played.case.game, played.final
    decisions = sum(entry.kind in (Kind.PLAY, Kind.CHANCE) for entry in played.log)
    assert 0 < decisions <= game.max_actions(played.case.setup)
    outcome = game.outcome(final.state)
    assert outcome is not None
    outcome_holds(outcome, played.case.setup)
    for stop in played.stops:
        acting = game.to_act(stop.match.state)
        assert (game.outcome(stop.match.state) is None) == bool(acting)
        assert CHANCE not in acting or acting == {CHANCE}
        assert acting <= {CHANCE, *map(Seat, range(played.case.seats))}
        assert not acting & game.eliminated(stop.match.state), "who is beaten is no longer asked"


def test_a_position_survives_json(played: Course) -> None:
    game, rules = played.case.game, played.case.setup.rules
    for stop in played.stops[:: max(1, len(played.stops) // 150)]:
        data = game.dump(stop.match.state)
        text = json.dumps(data, ensure_ascii=False)
        again = game.load(json.loads(text), rules)
        assert again == stop.match.state
        assert hash(again) == hash(stop.match.state)
        assert game.dump(again) == data


@pytest.mark.slow
def test_a_damaged_position_is_refused_or_can_be_played_on(played: Course) -> None:
    game, rules = played.case.game, played.case.setup.rules
    for stop in played.some(3):
        for mutant in json_mutants(json.loads(json.dumps(game.dump(stop.match.state)))):
            try:
                state = game.load(mutant, rules)
            except ValueError:
                continue
            assert game.load(json.loads(json.dumps(game.dump(state))), rules) == state
            assert (game.outcome(state) is None) == bool(game.to_act(state))


def test_a_written_outcome_is_that_of_a_race_of_teams(played: Course) -> None:
    game, setup = played.case.game, played.case.setup
    data = game.dump(played.final.state)
    if not isinstance(data, dict) or not isinstance(written := data.get("outcome"), list):
        return  # it follows from the rest
    for ranks in product(range(setup.seats + 2), repeat=setup.seats) if setup.seats < 5 else ():
        with suppress(ValueError):
            again = game.outcome(game.load({**data, "outcome": [list(ranks), *written[1:]]}, setup.rules))
            assert again is not None
            outcome_holds(again, setup)


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.key)
def test_what_a_written_position_leaves_out_is_as_at_the_start(game: AnyGame) -> None:
    for data in (game.dump(game.start(game.setup(seats)).state) for seats in game.seats):
        assert isinstance(data, dict)
        for part in data.keys() - UNLIKE_START:
            with suppress(ValueError):  # this part can't be left out
                again = game.load({name: value for name, value in data.items() if name != part}, game.rules)
                assert game.dump(again) == data, part


def test_every_action_is_legal_readable_and_leaves_its_state_alone(played: Course) -> None:
    game = played.case.game
    for stop in played.some(12):
        state, places = stop.match.state, places_of(stop.match)
        before, mark = json.dumps(game.dump(state)), hash(state)
        for seat in stop.match.to_act:
            view = game.view(state, seat)
            actions = list(game.actions(view, seat))
            assert actions, "a seat that is to act can act"
            assert actions == list(game.actions(game.view(state, seat), seat)), "the order is canonical"
            assert len(set(actions)) == len(actions) == len({game.encode(action) for action in actions})
            for action in actions:
                assert game.refuse(state, seat, action) is None
                text = game.format(view, action)
                assert text.isprintable()
                assert 0 < len(text) <= 100
                assert text == text.strip()
                assert not text.startswith("!"), "`!` is reserved for records"
                assert game.parse(view, seat, text) == Done(action)
                assert game.decode(game.encode(action)) == action
            offers_hold(game, view, seat, places)
            for dice in (None, Dice(b"guessed", "", 0, "")):
                tried = game.guess(view, seat, dice)
                assert tried is None or game.view(tried, seat) == view
                assert tried is None or not any(game.refuse(tried, seat, action) for action in actions[:20])
            silent = game.default(view, seat)
            assert silent is None or silent in actions
            for action in actions[:: max(1, len(actions) // 6)]:
                marks_on_board(game.action_marks(view, action), places)
                if (doubt := game.caution(view, seat, action)) is not None:
                    can_be_said(doubt)
                step = game.apply(state, seat, action)
                facts_hold(step.facts, played.case.setup, places)
                assert step == game.apply(state, seat, action)
        assert (json.dumps(game.dump(state)), hash(state)) == (before, mark)


def test_picking_one_action_counts_them_as_they_are_listed(played: Course) -> None:
    game = played.case.game
    n, asked = 0, list[int]()

    def choose(counted: int) -> int:
        asked.append(counted)
        return n

    for stop in played.some(12):
        for seat in map(Seat, range(-1, played.case.seats)):
            view = game.view(stop.match.state, seat)
            actions = list(game.actions(view, seat))
            assert seat in stop.match.to_act or not actions
            for n in {*range(0, len(actions), max(1, len(actions) // 40)), len(actions) - 1} - {-1}:
                asked.clear()
                assert game.pick(view, seat, choose) == actions[n]
                assert asked == [len(actions)]
            if not actions:
                asked.clear()
                assert game.pick(view, seat, choose) is None
                assert not asked, "there was nothing to choose from"


def test_nothing_but_the_listed_actions_is_legal(played: Course) -> None:
    game = played.case.game
    pool = sorted({entry.data for entry in played.log if entry.kind in (Kind.PLAY, Kind.CHANCE)})
    wires = pool[:: max(1, len(pool) // 40)]
    mutants = [mutant for wire in wires[:20] for mutant in wire_mutants(wire)]
    found: dict[str, Any] = {}
    for wire in (*wires, *mutants):
        try:
            found[wire] = game.decode(wire)
        except ValueError:
            continue
        assert game.encode(found[wire]) == wire, "one action has one wire"
    assert set(wires) <= found.keys()
    for stop in played.some(5):
        state = stop.match.state
        for seat in (*map(Seat, range(-2, played.case.seats + 2)), Seat(99)):
            allowed = set(game.actions(game.view(state, seat), seat)) if seat in stop.match.to_act else set()
            for action in found.values():
                why = game.refuse(state, seat, action)
                assert (why is None) == (action in allowed), (seat, action)
                if why is not None:
                    can_be_said(why)
                    refused = play(stop.match, seat, action, played.sealed)
                    assert isinstance(refused, Msg)
                    can_be_said(refused)


def test_any_text_gets_an_answer(played: Course) -> None:
    game = played.case.game
    for nth, stop in enumerate(played.some(4)):
        state, due = stop.match.state, min(stop.match.to_act)
        seats = range(played.case.seats)
        for seat in map(Seat, seats if SOAK else sorted({due, seats[(due + 1 + nth) % len(seats)]})):
            view = game.view(state, seat)
            texts = [game.format(view, action) for action in game.actions(view, seat)][: 40 if SOAK else 20]
            for text in odd_texts(texts):
                found = game.parse(view, seat, text)
                if isinstance(found, Done):
                    assert game.refuse(state, seat, found.action) is None, text
                elif isinstance(found, Partial):
                    can_be_said(found.prompt)
                    more = found.choices
                    assert all(isinstance(game.parse(view, seat, choice), Done) for choice in more[:10]), text
                else:
                    rejection_holds(game, text, found)
                    assert len(found.near) <= MOST_NEAR, text
                    assert all(isinstance(game.parse(view, seat, near), Done) for near in found.near), text
            chatted = game.parse(view, seat, "what a lovely evening")
            assert isinstance(chatted, Rejected)
            assert (chatted.chat, chatted.span) == (True, (0, 21)), "conversation is no action, all of it"
            if seat in stop.match.to_act:
                assert isinstance(game.parse(view, seat, ""), Partial), "the instructions of the moment"


def test_where_nothing_is_hidden_a_view_is_the_state(played: Course) -> None:
    game = played.case.game
    same = [
        game.view(stop.match.state, viewer) == stop.match.state
        for stop in played.stops
        for viewer in viewers(stop.match)
    ]
    assert all(same) is not game.hidden


def test_scenes_lie_on_their_board(played: Course) -> None:
    game = played.case.game
    for stop in (*played.some(12), played.stops[-1]):
        places = places_of(stop.match)
        for viewer in viewers(stop.match):
            view = game.view(stop.match.state, viewer)
            scene = game.scene(view, viewer)
            on_board(scene, places)
            assert scene == game.scene(game.view(stop.match.state, viewer), viewer)
            assert len(scene.panels) == played.case.seats
            assert viewer is not None or scene.turns == 0, "public pictures never turn"
            assert all(-1.0 <= game.evaluate(view, s) <= 1.0 for s in map(Seat, range(played.case.seats)))
    for stop in played.stops:
        facts_hold(stop.facts, played.case.setup, places_of(stop.match))


def test_resigning_at_any_time_keeps_the_laws(played: Course) -> None:
    game = played.case.game
    for nth, stop in enumerate(played.some(6)):
        match = stop.match
        seats = range(match.setup.seats) if match.setup.seats < 5 else range(nth % 2, match.setup.seats, 2)
        for first in map(Seat, seats):
            change: Change | Msg = leave(match, first, "resign" if first % 2 else "timeout", played.sealed)
            left = [first]
            while isinstance(change, Change):
                after = change.match
                assert fold(after.log) == after
                facts_hold(change.facts, match.setup, places_of(after))
                assert (
                    game.load(json.loads(json.dumps(game.dump(after.state))), match.setup.rules)
                    == after.state
                )
                assert (game.outcome(after.state) is None) == bool(game.to_act(after.state))
                assert not set(left) & after.to_act, "who left is no longer asked"
                refused = leave(after, left[-1], "resign", played.sealed)
                assert isinstance(refused, Msg)
                if after.ending:
                    assert after.ending.outcome is not None
                    outcome_holds(after.ending.outcome, match.setup)
                    break
                remaining = sorted(after.playing)
                assert len({match.setup.teams[seat] for seat in remaining}) > 1, "the last team has won"
                seat = min(after.to_act)
                action = next(game.actions(game.view(after.state, seat), seat))
                moved = play(after, seat, action, played.sealed)
                assert isinstance(moved, Change)
                if moved.match.ending:
                    break
                left.append(min(moved.match.playing))
                change = leave(moved.match, left[-1], "resign", played.sealed)


def test_a_draw_is_agreed_by_all_who_play(played: Course) -> None:
    for stop in played.some(2):
        change: Change | Msg = Change(stop.match, (), ())
        for seat in sorted(stop.match.playing):
            assert isinstance(change, Change)
            assert change.match.ending is None
            change = offer_draw(change.match, seat, played.sealed)
        assert isinstance(change, Change)
        ending = change.match.ending
        assert ending is not None
        assert ending.outcome is not None
        outcome_holds(ending.outcome, stop.match.setup)
        teams = {stop.match.setup.teams[seat] for seat in stop.match.playing}
        for team, rank in zip(stop.match.setup.teams, ending.outcome.ranks, strict=True):
            assert (rank == 1) == (team in teams), "who is beaten shares no draw"


def test_a_game_says_whether_chance_has_a_part(played: Course) -> None:
    drawn = any(entry.kind is Kind.CHANCE for entry in played.log)
    assert not drawn or played.case.game.chance


def test_a_takeback_gives_the_earlier_state_back(played: Course) -> None:
    stops = list(played.some(4))
    for early, late in pairwise(stops):
        seat = min(late.match.playing)
        back = take_back(late.match, seat, early.match.seq, played.sealed)
        assert isinstance(back, Change)
        assert back.match.state == early.match.state
        assert fold(back.match.log) == back.match
        again = take_back(back.match, seat, late.match.seq, played.sealed)
        assert isinstance(again, Change)
        assert again.match.state == late.match.state


def test_a_changed_log_is_refused_or_another_match(played: Course) -> None:
    log = list(played.log)
    for at in range(1, len(log), max(1, len(log) // 12)):
        for mutant in wire_mutants(log[at].data):
            changed = [*log[:at], replace(log[at], data=mutant), *log[at + 1 :]]
            with suppress(CorruptLogError):
                advance(played.stops[at - 1].match, changed[at])  # most are refused here, without a fold
                other = fold(changed)
                assert other.log != played.final.log
                if log[at].kind is Kind.CHANCE:
                    assert verify(changed) != ()


def test_every_registered_game_is_judged_here() -> None:
    assert {case.key for case in CASES} == {game.key for game in registry.all_games()}
    for game in registry.all_games():
        judged = {case.seats for case in CASES if case.key == game.key}
        assert judged == set(game.seats)
        assert list(game.seats) == sorted(judged)
        assert game.code.isupper()
        assert len(game.code) == 1
        for option in game.options:
            assert option.default in option.choices
            assert set(option.seats) <= set(game.seats)
            chosen = [dict(case.options)[option.key] for case in CASES if case.key == game.key]
            assert all(choice in chosen for choice in option.choices), "each choice is judged"
    assert len({game.code for game in registry.all_games()}) == len(registry.all_games())
