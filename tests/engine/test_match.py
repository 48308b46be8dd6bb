"""The log: every way to a result, every refusal, and every kind of invalid log."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import (
    Change,
    CorruptLogError,
    Entry,
    Kind,
    Match,
    abort,
    advance,
    ask_pause,
    ask_takeback,
    begin,
    claim,
    decline,
    flag,
    fold,
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
from tests.toy import GAME
from tests.toy.rules import Action

SEALED = Sealed(b"s" * 32, "T-AAA", "1:2,3")
A, B, C = Seat(0), Seat(1), Seat(2)


def opened(*, pairs: bool = False) -> Match:
    return begin(GAME, GAME.setup(3, {"pairs": pairs}), SEALED).match


def done(change: Change | Msg) -> Match:
    assert isinstance(change, Change), change
    assert fold(change.match.log) == change.match
    assert change.match.log[-len(change.entries) :] == change.entries
    return change.match


def card(match: Match, seat: Seat) -> Match:
    """Let the seat put down its first card."""
    action = next(GAME.actions(GAME.view(match.state, seat), seat))
    return done(play(match, seat, action, SEALED))


def turn(match: Match) -> Match:
    """Let all seats put down a card, and chance roll."""
    for seat in sorted(match.to_act):
        match = card(match, seat)
    return match


def key(refusal: Change | Msg) -> str:
    assert isinstance(refusal, Msg)
    return refusal.key


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
    assert match.offers == {A}
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
    assert done(decline(offered, B, SEALED)).offers == frozenset()
    assert done(decline(offered, A, SEALED)).offers == frozenset(), "one's own is withdrawn"
    assert card(offered, C).offers == frozenset()
    assert done(leave(offered, B, "timeout", SEALED)).offers == frozenset()
    assert done(substitute(offered, A, "person", SEALED)).offers == frozenset()
    assert done(substitute(offered, B, "computer", SEALED)).offers == {A}
    assert key(decline(opened(), A, SEALED)) == "match.refuse.no_offer"
    again = done(offer_draw(done(decline(offered, B, SEALED)), A, SEALED))
    assert again.offers == {A}


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
    assert back.offers == {C}
    assert back.plays == 0
    assert back.seq == match.seq + 1
    assert back.log == (*match.log, Entry(match.seq + 1, Kind.TAKEBACK, A, str(start.seq)))
    undone = done(take_back(back, A, match.seq, SEALED))
    assert (undone.state, undone.gone) == (match.state, match.gone), "what was taken back can be had again"


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


def test_many_takebacks_cost_no_more_than_their_number() -> None:
    match = opened()
    for _ in range(60):  # each goes back to just after the one before: naive refolding would take 2**60 steps
        match = done(take_back(card(match, A), A, match.seq, SEALED))
    assert match.to_act == {A, B, C}
    assert len(match.log) == 122


# --- invalid logs ---------------------------------------------------------------------------------------


def finished() -> list[Entry]:
    return list(turn(turn(opened())).log)


def head(**changes: object) -> Entry:
    data = json.loads(opened().log[0].data) | changes
    return Entry(0, Kind.START, None, json.dumps(data, ensure_ascii=False, sort_keys=True))


Forge = Callable[[list[Entry]], list[Entry]]
FORGERIES: dict[str, tuple[int, str, Forge]] = {
    "empty": (0, "empty", lambda log: []),
    "no start": (1, "begins with entry 0", lambda log: log[1:]),
    "start later": (1, "begins with", lambda log: [replace(log[0], seq=1)]),
    "second start": (2, "started already", lambda log: [*log[:2], replace(log[0], seq=2)]),
    "gap": (3, "entry 2 was expected", lambda log: [*log[:2], *log[3:]]),
    "repeated": (1, "entry 2 was expected", lambda log: [*log[:2], log[1]]),
    "start no JSON": (0, "can't be read", lambda log: [replace(log[0], data="{")]),
    "start a list": (0, "can't be read", lambda log: [replace(log[0], data="[]")]),
    "start nested": (0, "can't be read", lambda log: [replace(log[0], data="[" * 100_000)]),
    "start spaced": (0, "not in canonical form", lambda log: [replace(log[0], data=log[0].data + " ")]),
    "start extra": (0, "not in canonical form", lambda log: [head(more=1)]),
    "unknown game": (0, "nonesuch", lambda log: [head(game="nonesuch")]),
    "seats a list": (0, "seats", lambda log: [head(seats=[3])]),
    "seats true": (0, "seats", lambda log: [head(seats=True)]),
    "seats many": (0, "10000000000 seats", lambda log: [head(seats=10**10)]),
    "options a list": (0, "can't be read", lambda log: [head(options=[1])]),
    "unknown option": (0, "match.setup.options", lambda log: [head(options={"x": 1})]),
    "number for truth": (0, "match.setup.options", lambda log: [head(options={"pairs": 0, "rounds": 2})]),
    "other rules": (0, "match.setup.rules", lambda log: [head(rules=2)]),
    "salt a number": (0, "texts of one line", lambda log: [head(salt=1)]),
    "match two lines": (0, "texts of one line", lambda log: [head(match="a\nb")]),
    "chance twice": (2, "not to act", lambda log: [*log[:2], replace(log[1], seq=2)]),
    "chance has a seat": (1, "no seat", lambda log: [log[0], replace(log[1], seat=A)]),
    "chance forgotten": (1, "draw of chance", lambda log: [log[0], replace(log[2], seq=1)]),
    "chance by a seat": (
        1,
        "draw of chance",
        lambda log: [log[0], Entry(1, Kind.PLAY, Seat(-1), log[1].data)],
    ),
    "chance impossible": (
        1,
        "is refused",
        lambda log: [log[0], replace(log[1], data="deal 1 1 1 1 1 1 1 1 1")],
    ),
    "play unreadable": (2, "not an action", lambda log: [*log[:2], replace(log[2], data="hop")]),
    "play illegal": (2, "toy.refuse", lambda log: [*log[:2], replace(log[2], data="card 99")]),
    "play by nobody": (2, "not to act", lambda log: [*log[:2], replace(log[2], seat=None)]),
    "play by a stranger": (2, "not to act", lambda log: [*log[:2], replace(log[2], seat=Seat(3))]),
    "play twice": (3, "not to act", lambda log: [*log[:3], replace(log[2], seq=3)]),
    "resigned twice": (
        3,
        "does not play",
        lambda log: [*log[:2], Entry(2, Kind.RESIGN, A), Entry(3, Kind.TIMEOUT, A)],
    ),
    "resigned by nobody": (2, "does not play", lambda log: [*log[:2], Entry(2, Kind.RESIGN)]),
    "resigned with data": (2, "carries no data", lambda log: [*log[:2], Entry(2, Kind.RESIGN, A, "x")]),
    "offered twice": (
        3,
        "agrees already",
        lambda log: [*log[:2], Entry(2, Kind.OFFER, A), Entry(3, Kind.OFFER, A)],
    ),
    "offered by a stranger": (2, "does not play", lambda log: [*log[:2], Entry(2, Kind.OFFER, Seat(-1))]),
    "declined nothing": (2, "nothing is offered", lambda log: [*log[:2], Entry(2, Kind.DECLINE, A)]),
    "aborted late": (3, "has begun", lambda log: [*log[:3], Entry(3, Kind.ABORT)]),
    "aborted by a seat": (2, "no seat", lambda log: [*log[:2], Entry(2, Kind.ABORT, A)]),
    "takeback to now": (2, "no entry 2", lambda log: [*log[:2], Entry(2, Kind.TAKEBACK, A, "2")]),
    "takeback to nothing": (2, "no entry", lambda log: [*log[:2], Entry(2, Kind.TAKEBACK, A, "")]),
    "takeback padded": (2, "no entry 01", lambda log: [*log[:2], Entry(2, Kind.TAKEBACK, A, "01")]),
    "takeback foreign": (2, "no entry", lambda log: [*log[:2], Entry(2, Kind.TAKEBACK, A, "١")]),
    "takeback endless": (2, "no entry", lambda log: [*log[:2], Entry(2, Kind.TAKEBACK, A, "9" * 9999)]),
    "takeback by nobody": (2, "does not play", lambda log: [*log[:2], Entry(2, Kind.TAKEBACK, None, "1")]),
    "substitute a stranger": (2, "does not play", lambda log: [*log[:2], Entry(2, Kind.SUBSTITUTE, Seat(5))]),
    "substitute unknown": (2, "no ghost", lambda log: [*log[:2], Entry(2, Kind.SUBSTITUTE, A, "ghost")]),
    "revealed early": (2, "at the end only", lambda log: [*log[:2], replace(log[-1], seq=2)]),
    "revealed by a seat": (10, "no seat", lambda log: [*log[:-1], replace(log[-1], seat=A)]),
    "revealed wrongly": (10, "committed to", lambda log: [*log[:-1], replace(log[-1], data="00" * 32)]),
    "revealed no number": (10, "hexadecimal", lambda log: [*log[:-1], replace(log[-1], data="zz")]),
    "revealed in capitals": (
        10,
        "lower-case",
        lambda log: [*log[:-1], replace(log[-1], data=log[-1].data + " ")],
    ),
    "revealed twice": (11, "is over", lambda log: [*log, replace(log[-1], seq=11)]),
    "played after the end": (10, "is over", lambda log: [*log[:-1], Entry(10, Kind.PLAY, A, "card 1")]),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_log_is_refused_at_its_entry(name: str) -> None:
    seq, reason, forge = FORGERIES[name]
    log = finished()
    assert fold(log).ending is not None
    with pytest.raises(CorruptLogError) as found:
        fold(forge(log))
    assert found.value.seq == seq
    assert reason in str(found.value)
    assert str(found.value).startswith(f"entry {seq}: ")


def test_stand_ins_are_known_and_outlive_a_takeback() -> None:
    match = card(opened(), A)
    filled = done(substitute(match, B, "computer", SEALED))
    assert filled.stand_ins == {B}
    assert filled.state == match.state
    back = done(take_back(filled, A, 1, SEALED))
    assert back.stand_ins == {B}
    assert back.plays == 0
    assert fold(back.log) == back
    assert done(substitute(back, B, "person", SEALED)).stand_ins == frozenset()


def test_who_leaves_withdraws_a_request_or_its_consent() -> None:
    asked = done(ask_takeback(card(opened(), A), A, 1, SEALED))
    assert done(substitute(asked, A, "person", SEALED)).asked is None
    agreed = done(ask_takeback(asked, B, 1, SEALED))
    left = done(substitute(agreed, B, "person", SEALED))
    assert left.asked is not None
    assert left.asked.agreed == {A}


def test_a_bare_substitution_of_an_early_log_is_read() -> None:
    match, facts = advance(opened(), Entry(opened().seq + 1, Kind.SUBSTITUTE, A))
    assert match.stand_ins == frozenset()
    assert [fact.msg.key for fact in facts] == ["match.fact.substitute"]


def test_a_draw_that_the_secret_does_not_give_is_found() -> None:
    log = finished()
    at = next(n for n in range(2, len(log)) if log[n].kind is Kind.CHANCE)
    other = next(f"roll {n}" for n in (1, 2, 3) if f"roll {n}" != log[at].data)
    changed = [*log[:at], replace(log[at], data=other), *log[at + 1 :]]
    fold(changed)
    (wrong,) = verify(changed)
    assert wrong == f"entry {at}: the log has {other}, the secret gives {log[at].data}"
    assert verify(log[:-1]) == ("the secret is not revealed: the match is not over",)


def test_walking_a_log_tells_every_step() -> None:
    log = finished()
    steps = list(walk(log))
    assert [match.seq for match, _ in steps] == list(range(len(log)))
    assert steps[-1][0] == fold(log)
    assert all(facts for _, facts in steps[1:-1])


def test_a_pause_needs_a_seat_that_agrees_and_ends_with_a_move() -> None:
    match = done(ask_pause(opened(), A, SEALED))
    assert match.pausing == frozenset((A,))
    assert not match.paused
    assert key(ask_pause(match, A, SEALED)) == "match.refuse.pause_asked"
    match = done(pause(done(ask_pause(match, B, SEALED)), C, SEALED))
    assert not match.pausing
    assert match.paused
    assert key(pause(match, A, SEALED)) == "match.refuse.paused"
    assert not done(resume(match, B, SEALED)).paused
    assert not card(match, A).paused
    assert key(resume(opened(), A, SEALED)) == "match.refuse.not_paused"


def test_a_takeback_changes_no_pause() -> None:
    match = card(opened(), A)
    match = done(pause(match, B, SEALED))
    assert done(take_back(match, A, 1, SEALED)).paused
    match = done(take_back(done(resume(match, B, SEALED)), A, 1, SEALED))
    assert not match.paused


def test_how_often_a_seat_was_late_counts_until_it_moves() -> None:
    match = done(flag(opened(), A, SEALED))
    match = done(play_default(match, A, SEALED))
    assert match.late == {A: 1}
    assert match.plays == 1
    assert match.to_act == {B, C}
    match = done(flag(turn(match), A, SEALED))
    assert match.late == {A: 2}
    assert card(match, A).late == {}


def test_time_is_up_and_claimed_only_where_a_seat_is_to_act() -> None:
    match = card(opened(), A)
    assert key(flag(match, A, SEALED)) == "match.refuse.no_flag"
    assert key(claim(match, B, A, SEALED)) == "match.refuse.no_flag"
    assert key(claim(match, B, B, SEALED)) == "match.refuse.no_flag"
    assert key(play_default(match, A, SEALED)) == "match.refuse.turn"
    (fact,) = [fact for _, facts in walk(done(claim(match, A, B, SEALED)).log) for fact in facts][-1:]
    assert fact.msg == msg("match.fact.claim", who=Who(A), late=Who(B))


def test_a_clock_is_kept_as_it_was_written() -> None:
    clock = {"bank": 60, "hours": {"zone": "Europe/Berlin"}}
    match = begin(GAME, GAME.setup(2), SEALED, clock).match
    assert fold(match.log).clock == clock
    assert fold(opened().log).clock is None
    head = json.loads(match.log[0].data) | {"clock": [60]}
    with pytest.raises(CorruptLogError, match="a clock is an object"):
        fold([replace(match.log[0], data=json.dumps(head, ensure_ascii=False, sort_keys=True))])
