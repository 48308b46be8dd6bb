"""One of two processes is killed at every step of a move: the other goes on, nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot_process.cluster import open_cluster
from tests.bot_process.house import BY_MESSAGE
from tests.bot_process.lobbies import seated
from tests.bot_process.test_moves_killed import OF_INTERACTIONS, OF_MESSAGES, STEPS
from tests.soak import sampled, seeds

pytestmark = [pytest.mark.process, pytest.mark.slow]

PLAN = [
    (route, step)
    for route in ("reply", "bare", "slash", "menu")
    for step in STEPS + (OF_MESSAGES if route in BY_MESSAGE else OF_INTERACTIONS)
]


@pytest.mark.parametrize("seed", seeds(["one"], more=5))
async def test_the_other_process_takes_over_at_every_step_of_a_move(
    tmp_path: Path, ready_database: str, seed: str
) -> None:
    """A soak takes every step of every route, five times; else six of them."""
    async with open_cluster(tmp_path, ready_database, seed) as cluster:
        house, mine = cluster.house, cluster.bots[1]
        match = await seated(house)
        house.dice.shuffle(plan := list(PLAN))
        await cluster.kill(1)
        for route, step in sampled(plan, plan[:6]):
            await cluster.hears(0, 1)
            await cluster.start(1, step)
            await cluster.hears(0, 1)
            if house.now(match).ending:
                match = await seated(house)
            act = house.move(match, route)
            await house.struck(act, step)
            await cluster.hears(0)
            cluster.end_leases(1)
            house.bots = cluster.bots[0]
            await cluster.hears(0, 1)
            await house.bots.wait_for(act.done if not act.again else lambda: True, "the move")
            await house.recovered(act)
            house.bots = mine
