"""The bot is killed at every step of a move: each counts once, and its board is posted once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot_process.house import BY_MESSAGE, MOVE_ROUTES, open_house
from tests.bot_process.lobbies import seated
from tests.soak import sampled, seeds

pytestmark = [pytest.mark.process, pytest.mark.slow]

STEPS = (
    "commit.before",
    "commit.after",
    "draw.before",
    "draw.after",
    "post@before",
    "post@after",
    "outbox_sent.before",
    "outbox_sent.after",
    "edit@before",
    "edit@after",
)
OF_MESSAGES = ("message", "mark_read.before", "mark_read.after")
OF_INTERACTIONS = ("interaction", "callback@before", "callback@after")
PLAN = [
    (route, step)
    for route in MOVE_ROUTES
    for step in STEPS + (OF_MESSAGES if route in BY_MESSAGE else OF_INTERACTIONS)
]


@pytest.mark.parametrize(("nth", "seed"), list(enumerate(seeds(["one"]))))
async def test_a_bot_killed_at_every_step_of_a_move_loses_and_doubles_nothing(
    tmp_path: Path, nth: int, seed: str
) -> None:
    """A soak takes every step of every route; else the seed takes a third of them."""
    async with open_house(tmp_path, seed) as house:
        await house.start()
        match, struck = await seated(house), None
        plan = sampled(PLAN, PLAN[nth::3])
        house.dice.shuffle(plan)
        for route, step in plan:
            if struck is None:
                await house.bots.kill()
            await house.start(step)
            if struck is not None:
                await house.recovered(struck)
            if house.now(match).ending:
                match = await seated(house)
            struck = house.move(match, route)
            await house.struck(struck, step)
        await house.start()
        assert struck is not None
        await house.recovered(struck)
