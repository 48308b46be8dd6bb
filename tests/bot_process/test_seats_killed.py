"""The bot is killed at every step of a seat changing hands: each counts once, with one board."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engine.match import Kind
from tests.bot_process.house import Act, House, calls, open_house
from tests.bot_process.lobbies import seated
from tests.soak import sampled

pytestmark = [pytest.mark.process, pytest.mark.slow]

STEPS = (
    "interaction",
    "commit.before",
    "commit.after",
    "callback@before",
    "callback@after",
    "draw.before",
    "draw.after",
    "post@before",
    "post@after",
    "outbox_sent.before",
    "outbox_sent.after",
)


def leave_or_return(house: House, match: str) -> Act:
    """The player who isn't to move leaves the seat to a computer, or comes back to it."""
    row = next(row for row in house.records.rows() if row.id == match)
    (acting,) = house.now(match).to_act
    waiting = next(p for p in house.people.values() if p.id != row.seats[acting])
    away = waiting.id not in row.seats

    async def do() -> None:
        how = {} if away else {"level": "random"}
        name = "match seat back" if away else "match seat computer"
        await waiting.slash(house.thread(match), name, answered=False, match=match, **how)

    return Act(do, lambda: (house.occupant(match, waiting) == "person") == away, again=True)


async def test_a_bot_killed_while_seats_change_hands(tmp_path: Path) -> None:
    async with open_house(tmp_path, "seats") as house:
        await house.start()
        match = await seated(house)
        for number, step in enumerate(sampled((*STEPS, *STEPS), STEPS), 1):
            await house.bots.kill()
            await house.start(step)
            act = leave_or_return(house, match)
            await house.struck(act, step)
            await house.start()
            if not act.done():
                await act.do()
            await house.quiet(act.done)
            log = house.records.entries(match)
            changes = [entry.seq for entry in log if entry.kind is Kind.SUBSTITUTE]
            assert len(changes) == number
            ((held,),) = house.records.ask("SELECT count(*) FROM holders WHERE match = ?", match)
            assert held == number + 1
            shown = [calls(board)[0][2] for board in house.boards(match)]
            assert shown[-number:] == changes, "one board each, in order"
