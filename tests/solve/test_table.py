"""The table as a file: its contents, and invalid files with their reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.ai.players import PerfectPlayer, RandomPlayer
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.value_table import (
    HEADER_SIZE,
    MAGIC,
    blocks,
    domain_count,
    domain_index,
    format_header,
    read_header,
    table_size,
)
from solve.table_file import MappedTable
from tests.games.two_domains.helpers import position

pytestmark = pytest.mark.slow


def test_the_whole_game_is_87_million_values() -> None:
    assert sum(domain_count(dice) for dice in range(1, 6)) == 9_325
    assert table_size(5) == HEADER_SIZE + 4 * 9_324 * 9_325
    assert [domain_index(dice) for dice in ("1", "11", "16", "66", "22222")] == [0, 0, 5, 35, 1555]
    ends = [at + 4 * domain_count(own) * domain_count(other) for own, other, at in blocks(5)]
    assert ends[-1] == table_size(5)


def test_an_invalid_table_is_refused_with_a_reason(three: Path) -> None:
    good = three.read_bytes()
    facts = read_header(memoryview(good))
    for data, reason in (
        (b"", "not a table"),
        (b"\x89PNG" + good[4:], "not a table"),
        (MAGIC, "header of the table is damaged"),
        (good[:300] + b"0" + good[301:], "header of the table is damaged"),
        (good[:-1], "incomplete"),
        (good + b"\0", "incomplete"),
        (format_header({**facts, "dice": 4}) + good[HEADER_SIZE:], "incomplete"),
        (format_header({**facts, "rules": 0}) + good[HEADER_SIZE:], "version 0 of the rules"),
        (format_header({**facts, "rules": 3}) + good[HEADER_SIZE:], "version 3 of the rules"),
    ):
        with pytest.raises(ValueError, match=reason):
            GAME.oracle(memoryview(data))


def test_a_table_of_either_version_of_the_rules_is_read(three: Path) -> None:
    """They differ only at the limit, which tables ignore."""
    good = three.read_bytes()
    facts = read_header(memoryview(good))
    assert facts["rules"] == GAME.rules == 2
    for rules in (1, 2):
        table = GAME.oracle(memoryview(format_header({**facts, "rules": rules}) + good[HEADER_SIZE:]))
        assert table.value("222", "222") == pytest.approx(0.517134, abs=1e-6)


def test_at_the_last_action_the_rules_of_the_match_decide(opened: MappedTable) -> None:
    """Waiting against a single king is a certain win in version 1; in version 2 one has to attack."""
    values = {
        rules: dict(opened.table.appraise(position("16", "1", rules=rules, completed=499), Seat(0)) or ())
        for rules in (1, 2)
    }
    told = {rules: [round(value, 6) for value in found.values()] for rules, found in values.items()}
    assert told == {1: [1.0, 0.833333], 2: [0.5, 0.916667]}
    dice = Dice(bytes(32), "test", 0, "")
    last = {
        rules: PerfectPlayer(opened.table).choose(
            GAME, position("16", "1", rules=rules, completed=499), Seat(0), dice
        )
        for rules in (1, 2)
    }
    assert {rules: action.text for rules, action in last.items()} == {1: "gather", 2: "battle"}


def test_a_damaged_value_is_found_by_its_sum(three: Path, tmp_path: Path) -> None:
    data = bytearray(three.read_bytes())
    data[-1000] ^= 1
    path = tmp_path / "damaged.values"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="3 dice against 3 are damaged"):
        MappedTable(path).verify_checksums()
    MappedTable(three).verify_checksums()


def test_an_action_is_worth_the_mean_of_what_it_leads_to(opened: MappedTable) -> None:
    oracle = opened.table
    state = position("16", "1")
    assert [(action.text, round(value, 6)) for action, value in oracle.appraise(state, Seat(0)) or ()] == [
        ("gather", 0.857143),
        ("battle", 0.857143),
    ]
    blue = position("136", "222", turn="blue")
    found = oracle.appraise(blue, Seat(1))
    assert found is not None
    assert [action.text for action, _ in found] == [action.text for action in GAME.actions(blue, Seat(1))]
    for action, value in found:
        step = GAME.apply(blue, Seat(1), action).state
        ends = (
            [GAME.apply(step, CHANCE, roll).state for roll in GAME.actions(step, CHANCE)]
            if step.roll
            else [step]
        )
        worth = [oracle.value(end.domains[0], end.domains[1]) or 0.0 for end in ends]
        assert value == pytest.approx(1 - sum(worth) / len(worth), abs=1e-7)


def test_civil_war_is_lost_and_a_removed_last_die_is_won(opened: MappedTable) -> None:
    oracle = opened.table
    war = position("16261", "22", completed=40, ended="civil_war", winner="blue")
    assert (oracle.position_value(war, 0), oracle.position_value(war, 1)) == (0.0, 1.0)
    assert oracle.position_value(GAME.start(GAME.setup(2)).state, 0) == 0.5
    assert oracle.value("1", "16") == pytest.approx(1 / 7, abs=1e-6)
    for rules in (1, 2):
        last = position("222", "226", rules=rules, completed=499)
        assert {value for _, value in oracle.appraise(last, Seat(0)) or ()} == {0.5}


def test_what_the_table_does_not_hold_is_not_known(opened: MappedTable) -> None:
    assert opened.table.appraise(position("2222", "222"), Seat(0)) is None
    assert opened.table.appraise(position("222", "222"), Seat(1)) is None
    assert opened.table.value("22", "22222") is None


def play(players: tuple[Any, Any], seed: int) -> int | None:
    """Return who wins from three villages each."""
    state = position("222", "222")
    seq = 0
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.to_act(state)
        dice = Dice(seed.to_bytes(32, "big"), "test", seq, "")
        seq += 1
        action = GAME.draw(state, dice) if seat == CHANCE else players[seat].choose(GAME, state, seat, dice)
        state = GAME.apply(state, seat, action).state
    return None if outcome.ranks[0] == outcome.ranks[1] else outcome.ranks.index(1)


def test_the_perfect_player_beats_the_random_one(opened: MappedTable) -> None:
    perfect, other = PerfectPlayer(opened.table), RandomPlayer()
    won = sum(play((perfect, other), seed) == 0 for seed in range(30))
    won += sum(play((other, perfect), seed) == 1 for seed in range(30))
    assert won >= 48
