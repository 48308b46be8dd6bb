"""Buttons and menus with ids that we never gave: each is answered, and none is taken for a fault of ours."""

from __future__ import annotations

import logging
from random import Random

import pytest

from bot.actions.handlers import HANDLERS
from tests.bot.stage import Stage
from tests.bot.test_moderation import give
from tests.soak import SEED, sampled

pytestmark = pytest.mark.slow

BAD = (
    "",
    "x",
    "-1",
    "٣",
    "99",
    "9" * 30,
    "1.",
    ".",
    "x.y",
    "1.x",
    "a.1.2.3",
    "remove.x.y",
    "time.0.1",
    "swap x",
)
GONE_WITH_THEM = {"clock_done"}
"""Verbs that delete the message whose button is pressed."""
SEQS = ("0", "-1", "999999", "9" * 40)


@pytest.mark.parametrize("part", range(6))
async def test_a_forged_press_is_answered(stage: Stage, part: int, caplog: pytest.LogCaptureFixture) -> None:
    rng = Random(f"{SEED}{part}")
    give(stage, stage.ann, manage_messages=True)
    live, _ = await stage.open(stage.ann, stage.ben)
    lobby, _ = await stage.open(stage.ann, stage.ben, start=False)
    message = await stage.lobby(lobby)
    with caplog.at_level(logging.ERROR):
        for verb in sorted(HANDLERS.keys() - GONE_WITH_THEM)[part::6]:
            for arg in sampled(BAD, rng.sample(BAD, 4)):
                match = rng.choice((live, lobby, "F-ZZZZZZ", "-"))
                seq = rng.choice(SEQS)
                call = f"{verb}:{match}:{seq}:{arg}"
                result = await stage.press_id(stage.ann, message, f"domb:{call}")
                assert result.acknowledged == (len(seq) < 12), call
                assert [record.getMessage() for record in caplog.records] == [], call
