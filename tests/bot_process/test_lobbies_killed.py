"""The bot is killed at every step of a match's beginning, and at random moments of its play."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from tests.bot_process.house import MOVE_ROUTES, Act, House, open_house
from tests.bot_process.lobbies import begin, join, newest, open_lobby, seated, watch
from tests.soak import sampled, seeds

pytestmark = [pytest.mark.process, pytest.mark.slow]

EVERY = ("interaction", "callback@before", "callback@after", "outbox_sent.before", "outbox_sent.after")
NOTED = ("note.before", "note.after", "draw.before", "draw.after", "post@before", "post@after")
COMMITTED = ("commit.before", "commit.after")
BEGINNINGS = (
    (open_lobby, (*EVERY, *NOTED, "create.before", "create.after")),
    (join, (*EVERY, "note.before", "note.after", "edit@before", "edit@after")),
    (begin, (*EVERY, *NOTED, *COMMITTED, "thread@before", "thread@after", "edit@before", "edit@after")),
    (watch, (*EVERY, "watch.before", "watch.after", "watch.after:2", "post@before", "post@after")),
)


async def test_a_bot_killed_while_a_match_begins_begins_it_once(tmp_path: Path) -> None:
    """Each act of each match is struck at its next step; the start that recovers it carries the next fuse.

    `make test` strikes at every second step.
    """
    async with open_house(tmp_path, "lobbies") as house:
        await house.start()
        struck: Act | None = None
        some = (sampled(steps, steps[nth % 2 :: 2]) for nth, (_, steps) in enumerate(BEGINNINGS))
        for steps in zip_longest(*some):
            for (make, _), step in zip(BEGINNINGS, steps, strict=True):
                if struck is not None:
                    await house.start(step or "nothing")
                    await house.recovered(struck)
                    struck = None
                elif step is not None:
                    await house.bots.kill()
                    await house.start(step)
                act = make(house)
                if step is not None:
                    await house.struck(struck := act, step)
                else:
                    await act.do()
                    await house.quiet(act.done)
                    house.judge()
        assert struck is None


async def _strike_at_random(house: House, match: str, n: int) -> None:
    """Make a move by a random route, with a kill at a random call, or when nothing is left to do."""
    act = house.move(match, house.dice.choice(MOVE_ROUTES))
    await house.bots.arm()
    await act.do()
    await house.quiet_or_dead(act.done)
    await house.bots.kill()
    await house.start(f"any:{n}")
    await house.recovered(act)


@pytest.mark.parametrize("seed", seeds(["three"]))
async def test_a_bot_killed_at_random_moments_loses_and_doubles_nothing(tmp_path: Path, seed: str) -> None:
    async with open_house(tmp_path, seed) as house:
        house.settings["DOMINIUM_TEST_POLL"] = "2"  # else most of what is counted are looks for what is due
        await house.start()
        match = await seated(house)
        await house.bots.kill()
        await house.start("any:1")
        for _ in range(25):
            if house.now(match).ending:
                match = await seated(house)
            await _strike_at_random(house, match, house.dice.randint(1, 110))
        assert newest(house).id == match
