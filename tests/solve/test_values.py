"""The values themselves: against a literal second computation, against the engine, and against each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.two_domains.value_table import domain_index
from solve import solver as module
from solve.run import bounds
from solve.solver import Solver
from solve.table_file import MappedTable, write
from tests.solve.literal import Literal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def literal() -> Literal:
    return Literal()


def test_two_dice_against_two_are_what_a_literal_computation_says(two: Path, literal: Literal) -> None:
    table = MappedTable(two).table
    low, high = literal.bounds(350)
    for at, (mine, theirs) in enumerate(literal.starts):
        value = table.value(mine, theirs)
        assert value is not None
        assert low[at] - 1e-6 <= value <= high[at] + 1e-6
        assert high[at] - low[at] < 1e-4


@pytest.mark.parametrize("rules", [1, 2])
def test_the_limit_of_version_2_leaves_the_values_nearly_as_they_are(
    two: Path, literal: Literal, rules: int
) -> None:
    """In version 1 waiting against a single king wins; in version 2 it gains next to nothing.

    Not nothing: an attack that is saved for the last action costs half a game if it fails, not the army.
    """
    table = MappedTable(two).table
    found = dict(zip(literal.starts, literal.limited(200, rules), strict=True))
    apart = {pair: abs(value - (table.value(*pair) or 0.0)) for pair, value in found.items()}
    single = {round(value, 6) for (_, theirs), value in found.items() if theirs == "1"}
    if rules == 1:
        assert single == {1.0}
        assert max(apart.values()) > 0.14
    else:
        assert min(single) >= 0.857143
        assert max(single) < 0.863
        assert max(apart.values()) < 0.006
        assert apart["22", "22"] < 2e-4


def test_a_single_die_loses_six_times_in_seven_to_two(two: Path) -> None:
    table = MappedTable(two).table
    assert {table.value(f"{a}{b}", "1") for a in "123456" for b in "123456"} == {np.float32(6 / 7)}
    assert table.value("1", "16") == pytest.approx(1 / 7, abs=1e-7)


def test_every_value_is_that_of_the_best_action(opened: MappedTable) -> None:
    blocks = list(opened.check())
    assert [(block.own, block.other) for block in blocks] == [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)]
    assert sum(block.positions for block in blocks) == 252 * 253
    assert max(block.residual for block in blocks) < 1e-6


def test_the_engine_plays_to_the_same_values(opened: MappedTable) -> None:
    assert opened.sample(2_000, 7) < 1e-6


def test_a_wrong_value_is_found_out(tmp_path: Path) -> None:
    solver = Solver(2, epsilon=1e-4)
    solver.solve()
    solver.values(2, 2)[domain_index("16"), domain_index("22")] += 0.25
    path = tmp_path / "wrong.values"
    write(solver, path)
    assert max(block.residual for block in MappedTable(path).check()) > 0.03


def test_values_do_not_hang_on_the_way_to_them(opened: MappedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLEND", 0.6)
    solver = Solver(3, epsilon=1e-6)
    solver.solve()
    assert solver.results[-1].deflated > 0
    assert float(np.abs(solver.values(3, 3) - opened.array(3, 3)).max()) < 5e-5


def test_without_taking_down_they_would(opened: MappedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module._Block, "deflate", lambda block: 0)
    solver = Solver(3, epsilon=1e-4)
    solver.solve()
    assert float(np.abs(solver.values(3, 3) - opened.array(3, 3)).max()) > 2e-4


def test_endless_play_decides_nothing_between_two_dice() -> None:
    rows = {(own, other): row for own, other, *row in bounds(2, 1e-4, lambda now: None, lambda: False)}
    assert rows[2, 2][:2] == [1_296, 0]


@pytest.mark.soak
def test_endless_play_decides_much_between_three_dice(opened: MappedTable) -> None:
    rows = {(own, other): row for own, other, *row in bounds(3, 1e-4, lambda now: None, lambda: False)}
    positions, undecided, low, high = rows[3, 3]
    assert positions == 46_656
    assert undecided > 0.8 * positions
    value = opened.table.value("222", "222")
    assert value is not None
    assert low + 0.1 < value < high - 0.1
