"""Options of Domination whose defaults are the printed rules."""

from __future__ import annotations

from games.domination.rules.options import MAX_ROUNDS
from games.engine import registry


def test_the_printed_rules_end_after_no_number_of_rounds() -> None:
    game = registry.get("domination")
    match_law = game.start(game.setup(3, {})).state.position.info.law
    assert match_law.cap == MAX_ROUNDS
    assert game.start(game.setup(3, {"cap": 20})).state.position.info.law.cap == 20
