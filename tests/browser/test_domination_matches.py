"""Whole matches of Domination in real browsers: two people and a hard computer, in each of the three modes.

Ann and Ben play together, and know what the dice will say. Each turn of theirs is one text.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from games.domination.rules.turns import SPOILS
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Match, walk
from tests.browser.conquest import Wants, capitals, errand, helper, hunter, turn
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, hurry, picture
from tests.browser.turns import warns

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OVER = "record is attached"
TO_ACT = r"\((?:Ann|Ben)\)[^\n]* to (?:move|choose)"
TYPED = 5
"""Turns of people at first that are typed on the page; then every third is."""
ATTEMPTS = 12
AHEAD = 200
"""Maximum number of decisions shown by one board."""
Plan = Callable[[Match, Seat, Sealed], Wants]


@asynccontextmanager
async def war_room(tmp_path: Path, options: str) -> AsyncIterator[tuple[House, str, dict[str, Person]]]:
    """Start a match of Ann at a desk, Ben on a phone, and a computer."""
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        await ann.open("games")
        await ben.open("games")
        await ann.slash("/play", game="Domination", players="3", options=options)
        lobby = await ben.wait_for(text=re.compile("Domination · C-"))
        await ben.click("Join", on=lobby)
        await ann.wait_for(text="Ben")
        await ann.click("Add computer", on=lobby)
        await ann.choose("How strong should the computer be?", "Hard")
        await ben.wait_for(text="computer, hard")
        await picture(ben, "domination-lobby")
        found = re.search(r"C-[A-Z0-9]+", lobby.text)
        assert found is not None
        await ann.click("Start", on=lobby)
        await ann.open(found[0])
        await ben.open(found[0])
        yield house, found[0], {"Ann": ann, "Ben": ben}


async def seen(people: dict[str, Person], plays: int, who: str = "") -> None:
    """Wait until all see a board on which `who` are to move after at least `plays` decisions, or the end."""
    moves = "|".join(str(plays + more) for more in range(AHEAD))
    board = re.compile(rf"{who}[\s\S]*order (?:{moves}) ·|{OVER}")
    for person in people.values():
        await person.wait_for(text=board)


async def opening(house: House, match_id: str, people: dict[str, Person]) -> None:
    """What all decide at once and in secret: each leaves it to what is sensible."""
    await seen(people, 0)
    while True:
        now = await house.match(match_id)
        if now.state.position.phase not in ("claim", "setup", "capital"):
            return
        row = await house.row(match_id)
        (name, *_) = [row.seats[seat].name for seat in sorted(now.to_act) if row.seats[seat].name in people]
        await people[name].slash("/move", move="auto")
        await seen(people, now.plays + 1)
        await seen(people, now.plays + 1, TO_ACT)


async def fight(house: House, match_id: str, people: dict[str, Person], ann: Plan) -> None:
    """Turn by turn, each as one text, to the end."""
    turns = 0
    await seen(people, 0, TO_ACT)
    while (now := await house.match(match_id)).ending is None:
        row = await house.row(match_id)
        awaited = [seat for seat in now.to_act if row.seats[seat].name in people]
        if not awaited:  # the computer is thinking
            await seen(people, now.plays + 1, TO_ACT)
            continue
        seat = min(awaited)
        name = row.seats[seat].name
        ann_at = next(each.seat for each in row.seats if each.name == "Ann")
        sealed = await house.sealed(match_id)
        wants = ann(now, seat, sealed) if name == "Ann" else helper(now, seat, ann_at)
        turns += 1
        text = "; ".join(turn(now, seat, sealed, wants))
        if turns > TYPED and turns % 3:
            await hurry(house, match_id, [text])
            continue
        await people[name].say(text)
        if len(now.to_act) == 1 and warns(
            now, text
        ):  # the game asks once whether a capital is to be left so weak
            await people[name].wait_for(text="Nothing is played until")
            await people[name].say(text)
        await seen(people, now.plays + 1)
        await seen(people, now.plays + 1, TO_ACT)
        if turns in (4, 5):
            await picture(people[name], f"{now.state.position.info.mode}-{turns}-{name}")
    for name, person in people.items():
        await person.wait_for(text=OVER)
        await picture(person, f"{now.state.position.info.law.mode}-end-{name}")


def forced(match: Match) -> bool:
    """Whether cards that were taken over had to be traded in at once."""
    places = (now.state.position for now, _ in walk(match.log))
    return any(place.phase == "place" and place.step == SPOILS for place in places)


async def played(tmp_path: Path, options: str, plan: Plan, wanted: Callable[[Match, str], bool]) -> None:
    """Play matches until one goes as needed, mostly the first: a computer's moves can't be foreseen."""
    for attempt in range(ATTEMPTS):
        async with war_room(tmp_path / str(attempt), options) as (house, match_id, people):
            await opening(house, match_id, people)
            await fight(house, match_id, people, plan)
            match = await house.match(match_id)
            assert match.ending is not None
            assert match.ending.outcome is not None
            if wanted(match, match.ending.outcome.why.key.removeprefix("domination.outcome.")):
                return
    raise AssertionError("no match went as it was wanted")


@pytest.mark.soak
async def test_a_conquest_with_a_forced_trade(tmp_path: Path) -> None:
    await played(tmp_path, "map=islands cap=20", hunter, lambda match, why: why == "all" and forced(match))


MODES: dict[str, tuple[Plan, str]] = {
    "mission": (lambda match, seat, _: errand(match, seat), "mission"),
    "capital": (lambda *_: Wants(capitals), "capitals"),
}


@pytest.mark.soak
@pytest.mark.parametrize("mode", MODES)
async def test_another_aim(tmp_path: Path, mode: str) -> None:
    plan, ending = MODES[mode]
    options = f"map=islands mode={mode} setup=auto cap=20"
    await played(tmp_path, options, plan, lambda match, why: why == ending)
