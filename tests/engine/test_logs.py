"""Logs: walked, verified, and every kind of invalid one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from games.engine.game import Seat
from games.engine.match import (
    CorruptLogError,
    Entry,
    Kind,
    advance,
    begin,
    fold,
    verify,
    walk,
)
from tests.engine.toy_matches import SEALED, A, opened, turn
from tests.rows import rows
from tests.toy import GAME


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
    "a downtime by a seat": (2, "no seat", lambda log: [*log[:2], Entry(2, Kind.DOWNTIME, A, "60")]),
    "a downtime of no time": (
        2,
        "how many seconds",
        lambda log: [*log[:2], Entry(2, Kind.DOWNTIME, None, "60 0")],
    ),
    "two vacations": (2, "how many seconds", lambda log: [*log[:2], Entry(2, Kind.VACATION, A, "60 60")]),
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


@rows("name", FORGERIES)
def test_a_forged_log_is_refused_at_its_entry(name: str) -> None:
    seq, reason, forge = FORGERIES[name]
    log = finished()
    assert fold(log).ending is not None
    with pytest.raises(CorruptLogError) as found:
        fold(forge(log))
    assert found.value.seq == seq
    assert reason in str(found.value)
    assert str(found.value).startswith(f"entry {seq}: ")


def test_a_bare_substitution_of_an_early_log_is_read() -> None:
    match, facts = advance(opened(), Entry(opened().seq + 1, Kind.SUBSTITUTE, A))
    assert match.seats.stand_ins == frozenset()
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


def test_a_clock_is_kept_as_it_was_written() -> None:
    clock = {"bank": 60, "hours": {"zone": "Europe/Berlin"}}
    match = begin(GAME, GAME.setup(2), SEALED, clock).match
    assert fold(match.log).hosting.clock == clock
    assert fold(opened().log).hosting.clock is None
    head = json.loads(match.log[0].data) | {"clock": [60]}
    with pytest.raises(CorruptLogError, match="a clock is an object"):
        fold([replace(match.log[0], data=json.dumps(head, ensure_ascii=False, sort_keys=True))])
