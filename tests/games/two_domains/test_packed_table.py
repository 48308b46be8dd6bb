"""The packed table that ships: it satisfies the game's own equations, and damage is noticed."""

from __future__ import annotations

import hashlib
import json
import zlib
from functools import cache
from pathlib import Path
from random import Random

import pytest

from bot.platform.tablebases import shipped_table
from games.ai.players import PerfectPlayer
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.domain import domain
from games.two_domains.evaluation import Estimate
from games.two_domains.packed_table import MAGIC, PackedTable, format_packed, read_packed
from games.two_domains.rules import State
from games.two_domains.value_table import ValueTable
from tests.games.two_domains.helpers import position
from tests.rows import rows

LIMIT = 5_000_000
"""Most bytes that a table may add to each clone of the repository."""


@cache
def shipped() -> bytes:
    path = shipped_table(GAME)
    assert path is not None
    return path.read_bytes()


@cache
def oracle() -> PackedTable:
    found = GAME.oracle(memoryview(shipped()))
    assert isinstance(found, PackedTable)
    return found


def random_domain(random: Random, dice: int) -> str:
    while True:
        found = "1" if dice == 1 else "".join(random.choice("123456") for _ in range(dice))
        if not domain(found).civil_war:
            return found


def best_by_the_judge(state: State, seat: Seat) -> float:
    """Return what the best action is worth, by the game's own rules and the table for what follows."""

    def worth(after: State) -> float:
        if (outcome := GAME.outcome(after)) is not None:
            return float(outcome.ranks[seat] == 1)
        if CHANCE in GAME.to_act(after):
            rolls = list(GAME.actions(after, CHANCE))
            return sum(worth(GAME.apply(after, CHANCE, roll).state) for roll in rolls) / len(rolls)
        (mover,) = GAME.to_act(after)
        value = oracle().value(after.domains[mover], after.domains[1 - mover])
        assert value is not None
        return value if mover == seat else 1 - value

    return max(worth(GAME.apply(state, seat, action).state) for action in GAME.actions(state, seat))


def gaps(random: Random, own: int, other: int, number: int) -> list[float]:
    found = []
    for nth in range(number):
        mine, theirs = random_domain(random, own), random_domain(random, other)
        seat = Seat(nth % 2)
        state = position(mine, theirs, turn="blue" if seat else "red")
        value = oracle().value(mine, theirs)
        assert value is not None
        found.append(abs(value - best_by_the_judge(state, seat)))
    return found


@rows(
    "own, other, mean, most",
    [(2, 1, 1e-6, 1e-5), (5, 1, 5e-5, 2e-4), (2, 2, 1e-4, 5e-4), (3, 3, 2e-4, 1e-3), (4, 5, 1e-3, 1e-2)],
)
def test_each_value_is_that_of_the_best_action(own: int, other: int, mean: float, most: float) -> None:
    found = gaps(Random(f"{own} {other}"), own, other, 25)
    assert sum(found) / len(found) < mean
    assert max(found) < most


@pytest.mark.slow
def test_the_equations_hold_in_all_blocks() -> None:
    random = Random("all blocks")
    found = [gap for own in range(2, 6) for other in range(1, 6) for gap in gaps(random, own, other, 60)]
    assert sum(found) / len(found) < 3e-4
    assert max(found) < 1e-2
    five = gaps(random, 5, 5, 300)
    assert sum(five) / len(five) < 8e-4
    assert max(five) < 1e-2


def test_known_values_are_near() -> None:
    """Those of docs/two-domains-solved.md, which the exact table has."""
    state = position("22222", "22222")
    found = {action.text: value for action, value in oracle().appraise(state, Seat(0)) or ()}
    told = {"gather": 0.542092, "grow 5": 0.511549, "grow 1": 0.511129, "grow 2": 0.457908}
    assert {text: found[text] for text in told} == pytest.approx(told, abs=3e-3)
    assert max(found, key=lambda text: found[text]) == "gather"
    assert oracle().value("16", "1") == pytest.approx(6 / 7, abs=1e-6)
    assert oracle().value("1", "16") == pytest.approx(1 / 7, abs=1e-6)
    assert oracle().value("136", "136") == pytest.approx(0.5, abs=2e-3)


def test_a_position_that_goes_on_is_never_certain() -> None:
    random = Random("certain")
    values = [oracle().value(random_domain(random, 5), random_domain(random, 2)) or 0.0 for _ in range(200)]
    assert 0.99 < max(values) < 1.0


def test_the_perfect_player_goes_by_it() -> None:
    player, dice = PerfectPlayer(oracle()), Dice(bytes(32), "test", 0, "")
    choices = {
        ("22222", "22222"): "gather",
        ("12346", "12346"): "grow 4",
        ("12336", "22222"): "grow 4",
    }
    for domains, text in choices.items():
        assert player.choose(GAME, position(*domains), Seat(0), dice).text == text


def test_what_it_does_not_hold_is_not_known() -> None:
    assert oracle().value("11266", "22222") is None
    assert oracle().value("22222", "11266") is None
    assert oracle().value("22", "") is None


def test_it_is_small_and_says_what_it_is() -> None:
    facts, body = read_packed(memoryview(shipped()))
    assert len(shipped()) < LIMIT
    assert (facts["rules"], facts["dice"], facts["endless"]) == (GAME.rules, 5, 0.5)
    assert facts["sha256"] == hashlib.sha256(body).hexdigest()


def damaged(at: int) -> bytes:
    data = bytearray(shipped())
    data[at] ^= 1
    return bytes(data)


def with_facts(**facts: object) -> bytes:
    known, body = read_packed(memoryview(shipped()))
    text = json.dumps(known | facts).encode("ascii")
    return MAGIC + text + b"\n" + f"{zlib.crc32(text):08x}\n".encode("ascii") + bytes(body)


@rows(
    "data, reason",
    [
        (lambda: damaged(-1), "checksum is wrong"),
        (lambda: damaged(200_000), "checksum is wrong"),
        (lambda: damaged(len(MAGIC) + 5), "header of the packed table is damaged"),
        (lambda: shipped()[:100], "header of the packed table is damaged"),
        (lambda: MAGIC, "header of the packed table is damaged"),
        (lambda: shipped()[:-1], "incomplete"),
        (lambda: shipped() + b"\0", "incomplete"),
        (lambda: with_facts(rules=3), "version 3 of the rules"),
        (lambda: MAGIC.replace(b"1", b"2") + shipped()[len(MAGIC) :], "not a table"),
        (lambda: b"version https://git-lfs.github.com/spec/v1\n", "not a table"),
        (lambda: b"", "not a table"),
    ],
)
def test_damage_is_noticed_at_once(data: object, reason: str) -> None:
    assert callable(data)
    with pytest.raises(ValueError, match=reason):
        GAME.oracle(memoryview(data()))


def test_a_header_has_its_limit() -> None:
    with pytest.raises(ValueError, match="don't fit"):
        format_packed({"rules": 2, "more": "x" * (1 << 16)}, b"")


def test_both_kinds_of_tables_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="header of the table is damaged"):
        GAME.oracle(memoryview(b"Dominium values of Two Domains, 1\n"))
    assert not isinstance(oracle(), ValueTable)


def test_the_estimate_knows_ends_and_who_is_ahead() -> None:
    estimate = Estimate()
    assert estimate.value("22222", "22222") == 0.5
    assert 0.5 < estimate.mover_value("12336", "22222") < 1.0
    assert estimate.value("1", "16") == pytest.approx(1 - estimate.mover_value("16", "1"))
    seen = dict(estimate.appraise(position("16", "1"), Seat(0)) or ())
    (battle,) = (value for action, value in seen.items() if action.text == "battle")
    assert battle == pytest.approx((5 + 1 - estimate.mover_value("16", "1")) / 6)
