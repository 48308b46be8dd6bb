"""Matches from their start to every kind of end: moves, draws, takebacks, substitutes, pauses, flags."""

from __future__ import annotations

import json

import pytest

from games.engine.game import Seat
from games.engine.match import (
    Change,
    Entry,
    Kind,
    abort,
    ask_pause,
    ask_takeback,
    begin,
    claim,
    decline,
    flag,
    fold,
    hint,
    leave,
    offer_draw,
    pause,
    play,
    play_default,
    resume,
    substitute,
    take_back,
    verify,
    walk,
)
from games.engine.message import Msg, Who, msg
from tests.engine.toy_matches import SEALED, A, B, C, card, done, key, opened, turn
from tests.toy import GAME
from tests.toy.rules import Action


def test_a_match_begins_with_what_chance_draws_first() -> None:
    match = opened()
    assert [entry.kind for entry in match.log] == [Kind.START, Kind.CHANCE]
    assert match.to_act == {A, B, C}
    assert json.loads(match.log[0].data)["commit"] == SEALED.commitment
    assert SEALED.secret.hex() not in match.log[0].data


def test_a_setup_that_does_not_play_is_no_match() -> None:
    with pytest.raises(ValueError, match=r"match\.setup\.for"):
        begin(GAME, GAME.setup(2, {"pairs": True}), SEALED)


def test_several_act_at_once_and_chance_follows_the_last() -> None:
    match = card(opened(), B)
    assert match.to_act == {A, C}
    refused = play(match, B, Action("card", (1,)), SEALED)
    assert refused == Msg("match.refuse.turn", (("next", (Who(0), Who(2))),))
    match = card(card(match, C), A)
    assert [entry.kind for entry in match.log[-2:]] == [Kind.PLAY, Kind.CHANCE]
    assert match.plays == 3


def test_the_end_reveals_the_secret_and_takes_no_more() -> None:
    match = turn(turn(opened()))
    assert match.ending is not None
    assert match.ending.how == "outcome"
    assert match.log[-1] == Entry(match.seq, Kind.REVEAL, None, SEALED.secret.hex())
    assert match.to_act == frozenset()
    assert verify(match.log) == ()
    requests: list[Change | Msg] = [
        play(match, A, Action("card", (1,)), SEALED),
        leave(match, A, "resign", SEALED),
        offer_draw(match, A, SEALED),
        decline(match, A, SEALED),
        abort(match, SEALED),
        take_back(match, A, 0, SEALED),
        substitute(match, A, "person", SEALED),
    ]
    assert {key(refusal) for refusal in requests} == {"match.refuse.over"}


@pytest.mark.parametrize("why", ["resign", "timeout"])
def test_who_leaves_is_not_asked_again_and_the_last_team_wins(why: str) -> None:
    match = done(leave(opened(), B, "resign" if why == "resign" else "timeout", SEALED))
    assert match.log[-1].kind.value == why
    assert match.playing == {A, C}
    assert match.to_act == {A, C}
    everything: list[Change | Msg] = [
        leave(match, B, "resign", SEALED),
        offer_draw(match, B, SEALED),
        decline(match, B, SEALED),
        take_back(match, B, 0, SEALED),
        substitute(match, B, "person", SEALED),
        leave(match, Seat(7), "resign", SEALED),
        offer_draw(match, Seat(-1), SEALED),
    ]
    assert {key(refusal) for refusal in everything} == {"match.refuse.gone"}
    match = done(leave(match, C, "resign", SEALED))
    assert match.ending is not None
    assert match.ending.outcome is not None
    assert match.ending.outcome.ranks == (1, 2, 2)


def test_a_resignation_can_be_what_the_others_waited_for() -> None:
    match = card(card(opened(), A), C)
    match = done(leave(match, B, "resign", SEALED))
    assert match.log[-1].kind is Kind.CHANCE


def test_a_draw_takes_all_who_play() -> None:
    match = done(offer_draw(opened(), A, SEALED))
    assert match.talk.offers == {A}
    assert key(offer_draw(match, A, SEALED)) == "match.refuse.offered"
    match = done(offer_draw(match, B, SEALED))
    assert match.ending is None
    match = done(offer_draw(match, C, SEALED))
    assert match.ending is not None
    assert match.ending.how == "draw"
    assert match.ending.outcome is not None
    assert match.ending.outcome.ranks == (1, 1, 1)
    assert match.log[-1].kind is Kind.REVEAL


def test_who_left_does_not_share_the_draw_but_a_mate_carries_them() -> None:
    for pairs, ranks in ((False, (3, 1, 1)), (True, (1, 1, 1))):
        match = done(leave(opened(pairs=pairs), A, "resign", SEALED))
        match = done(offer_draw(done(offer_draw(match, B, SEALED)), C, SEALED))
        assert match.ending is not None
        assert match.ending.outcome is not None
        assert match.ending.outcome.ranks == ranks


def test_an_offer_ends_with_a_no_a_move_or_a_departure() -> None:
    offered = done(offer_draw(opened(), A, SEALED))
    assert done(decline(offered, B, SEALED)).talk.offers == frozenset()
    assert done(decline(offered, A, SEALED)).talk.offers == frozenset(), "one's own is withdrawn"
    declined = decline(offered, B, SEALED)
    assert isinstance(declined, Change)
    assert [fact.msg.key for fact in declined.facts] == ["match.fact.decline"], "not that of a takeback"
    assert card(offered, C).talk.offers == frozenset()
    assert done(leave(offered, B, "timeout", SEALED)).talk.offers == frozenset()
    assert done(substitute(offered, A, "person", SEALED)).talk.offers == frozenset()
    assert done(substitute(offered, B, "computer", SEALED)).talk.offers == {A}
    assert key(decline(opened(), A, SEALED)) == "match.refuse.no_offer"
    again = done(offer_draw(done(decline(offered, B, SEALED)), A, SEALED))
    assert again.talk.offers == {A}


def test_a_match_is_aborted_before_the_first_move_only() -> None:
    match = done(abort(done(offer_draw(opened(), A, SEALED)), SEALED))
    assert match.ending is not None
    assert (match.ending.how, match.ending.outcome) == ("abort", None)
    assert match.log[-1].kind is Kind.REVEAL
    assert key(abort(card(opened(), A), SEALED)) == "match.refuse.abort"
    back = done(take_back(card(opened(), A), A, 1, SEALED))
    assert done(abort(back, SEALED)).ending is not None, "a move taken back is none"


def test_a_takeback_restores_everything_but_the_log() -> None:
    start = done(offer_draw(opened(), C, SEALED))
    match = done(leave(turn(start), B, "resign", SEALED))
    back = done(take_back(match, A, start.seq, SEALED))
    assert back.state == start.state
    assert back.playing == {A, B, C}
    assert back.talk.offers == {C}
    assert back.plays == 0
    assert back.seq == match.seq + 1
    assert back.log == (*match.log, Entry(match.seq + 1, Kind.TAKEBACK, A, str(start.seq)))
    undone = done(take_back(back, A, match.seq, SEALED))
    assert (undone.state, undone.seats.gone) == (match.state, match.seats.gone), (
        "what was taken back can be had again"
    )


def test_a_takeback_to_before_a_roll_rolls_anew() -> None:
    match = opened()
    for seat in (A, B, C):
        match = card(match, seat)
    back = done(take_back(match, A, match.seq - 1, SEALED))
    assert [entry.kind for entry in back.log[-2:]] == [Kind.TAKEBACK, Kind.CHANCE]
    assert verify(turn(back).log) == ()


def test_takebacks_beyond_the_log_are_refused() -> None:
    match = card(opened(), A)
    for to in (-1, match.seq, match.seq + 1, 10**9):
        assert key(take_back(match, A, to, SEALED)) == "match.refuse.takeback"


@pytest.mark.slow
def test_many_takebacks_cost_no_more_than_their_number() -> None:
    match = opened()
    for _ in range(60):  # each goes back to just after the one before: naive refolding would take 2**60 steps
        match = done(take_back(card(match, A), A, match.seq, SEALED))
    assert match.to_act == {A, B, C}
    assert len(match.log) == 122


def test_stand_ins_are_known_and_outlive_a_takeback() -> None:
    match = card(opened(), A)
    filled = done(substitute(match, B, "computer", SEALED))
    assert filled.seats.stand_ins == {B}
    assert filled.state == match.state
    back = done(take_back(filled, A, 1, SEALED))
    assert back.seats.stand_ins == {B}
    assert back.plays == 0
    assert fold(back.log) == back
    assert done(substitute(back, B, "person", SEALED)).seats.stand_ins == frozenset()


def test_who_leaves_withdraws_a_request_or_its_consent() -> None:
    asked = done(ask_takeback(card(opened(), A), A, 1, SEALED))
    assert done(substitute(asked, A, "person", SEALED)).talk.asked is None
    agreed = done(ask_takeback(asked, B, 1, SEALED))
    left = done(substitute(agreed, B, "person", SEALED))
    assert left.talk.asked is not None
    assert left.talk.asked.agreed == {A}


def test_a_pause_needs_a_seat_that_agrees_and_ends_with_a_move() -> None:
    match = done(ask_pause(opened(), A, SEALED))
    assert match.talk.pausing == frozenset((A,))
    assert not match.talk.paused
    assert key(ask_pause(match, A, SEALED)) == "match.refuse.pause_asked"
    match = done(pause(done(ask_pause(match, B, SEALED)), C, SEALED))
    assert not match.talk.pausing
    assert match.talk.paused
    assert key(pause(match, A, SEALED)) == "match.refuse.paused"
    assert not done(resume(match, B, SEALED)).talk.paused
    assert not card(match, A).talk.paused
    assert key(resume(opened(), A, SEALED)) == "match.refuse.not_paused"


def test_a_takeback_changes_no_pause() -> None:
    match = card(opened(), A)
    match = done(pause(match, B, SEALED))
    assert done(take_back(match, A, 1, SEALED)).talk.paused
    match = done(take_back(done(resume(match, B, SEALED)), A, 1, SEALED))
    assert not match.talk.paused


def test_how_often_a_seat_was_late_counts_until_it_moves() -> None:
    match = done(flag(opened(), A, SEALED))
    match = done(play_default(match, A, SEALED))
    assert match.seats.late == {A: 1}
    assert match.plays == 1
    assert match.to_act == {B, C}
    match = done(flag(turn(match), A, SEALED))
    assert match.seats.late == {A: 2}
    assert card(match, A).seats.late == {}


def test_time_is_up_and_claimed_only_where_a_seat_is_to_act() -> None:
    match = card(opened(), A)
    assert key(flag(match, A, SEALED)) == "match.refuse.no_flag"
    assert key(claim(match, B, A, SEALED)) == "match.refuse.no_flag"
    assert key(claim(match, B, B, SEALED)) == "match.refuse.no_flag"
    assert key(play_default(match, A, SEALED)) == "match.refuse.turn"
    (fact,) = [fact for _, facts in walk(done(claim(match, A, B, SEALED)).log) for fact in facts][-1:]
    assert fact.msg == msg("match.fact.claim", who=Who(A), late=Who(B))


def test_a_hint_is_counted_by_step_and_changes_nothing_else() -> None:
    match = opened()
    for step in (1, 2, 1, 3):
        before, change = match, hint(match, A, step, SEALED)
        assert isinstance(change, Change)
        assert change.facts == ()
        match = change.match
        assert (match.state, match.to_act, match.plays) == (before.state, before.to_act, before.plays)
    assert match.help.hints == {A: (2, 1, 1)}
    match = card(match, A)
    match = done(take_back(match, A, match.seq - 1, SEALED))
    assert match.help.hints == {A: (2, 1, 1)}, "what was seen can't be taken back"
    assert fold(match.log) == match


def test_who_gets_no_hint() -> None:
    match = card(opened(), B)
    assert key(hint(match, B, 1, SEALED)) == "match.refuse.turn"
    assert key(hint(match, A, 4, SEALED)) == "match.refuse.stale"
    match = done(leave(match, A, "resign", SEALED))
    assert key(hint(match, A, 1, SEALED)) == "match.refuse.gone"
