"""The bot is killed at every step of a move that a plan answers: both count once, and it is told once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.engine.match import Match
from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated
from tests.loopback import Moment
from tests.soak import sampled, seeds

pytestmark = [pytest.mark.process, pytest.mark.slow]

STEPS = (
    "commit.before",
    "commit.after",
    "plans.before",
    "plans.after",
    "commit.before:2",
    "commit.after:2",
    "draw.before",
    "post@before",
    "post@after",
    "outbox_sent.before",
    "outbox_sent.after",
    "outbox_sent.after:2",
    "outbox_sent.before:2",
    "outbox_sent.before:3",
    "outbox_sent.after:3",
)


def moves_of(match: Match, state: Any) -> Iterator[tuple[str, Any]]:
    """Yield the legal moves of a position, as the log stores them, and the position after each."""
    (seat,) = match.game.to_act(state)
    for action in match.game.actions(state, seat):
        yield match.game.encode(action), match.game.apply(state, seat, action).state


async def plan(house: House, match: str) -> list[str]:
    """Let who isn't to move plan an answer; return the move and the answer."""
    now, row = house.now(match), next(row for row in house.records.rows() if row.id == match)
    move, after = next(moves_of(now, now.state))
    told = house.played.get(match, [])  # no two messages say the same
    reply = next(text for text, _ in moves_of(now, after) if text not in told)
    planner = next(person for person in house.people.values() if person is not house.mover(row, now))
    await planner.slash(house.thread(match), "match plan add", line=f"{move}: {reply}")
    await house.quiet(lambda: bool(house.records.ask("SELECT 1 FROM plans")))
    return [move, reply]


def news(house: House) -> list[str]:
    """Return what both players were told about plans."""
    found = [one for person in house.people.values() for one in house.server.messages(person.dm)]
    return [one.content for one in found if "Your plan" in one.content]


@pytest.mark.parametrize("seed", seeds(["one"]))
async def test_a_planned_answer_is_played_once(tmp_path: Path, seed: str) -> None:
    async with open_house(tmp_path, seed) as house:
        await house.start()
        match = await seated(house, mirrored=False)
        for told, step in enumerate(sampled(STEPS, STEPS[::2]), 1):
            await house.bots.kill()
            await house.start(step)
            moves = await plan(house, match)
            row, now = next(row for row in house.records.rows() if row.id == match), house.now(match)
            mover, thread = house.mover(row, now), house.thread(match)
            if "@" in step:
                route, _, when = step.partition("@")
                house.server.on_request = house.kill_at(route, Moment[when.upper()])
            else:
                await house.bots.arm()
            mover.send(thread, moves[0])
            await house.bots.wait()
            house.server.on_request = None
            house.played.setdefault(match, []).extend(moves)
            await house.start()
            await house.quiet(lambda: house.plays(match) == house.played[match])
            house.judge()
            assert len(news(house)) == told
            assert house.records.ask("SELECT 1 FROM plans") == []
