"""Two Domains and Dominance in a real browser, each to each of its endings, by buttons and by typing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.dominance import rules as dominance_rules
from games.dominance import rules as dominance_turns
from games.engine.game import Seat, Shortcut
from games.engine.match import Match
from games.two_domains import rules as two_domains_rules
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, hurry, picture, plan, started
from tests.browser.turns import follow
from tests.soak import SOAK, sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEEN = 9 if SOAK else 3
"""Turns of each match that are made on the page, the last ones."""
TRIES = 400 if SOAK else 40
"""Among how many ways to an ending the shortest is taken."""
Choose = Callable[[Match, Random], str]


@asynccontextmanager
async def room(tmp_path: Path) -> AsyncIterator[tuple[House, dict[str, Person]]]:
    """Ann at a desk, Ben on a phone in the dark: to come there takes longer than a short match."""
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        yield house, {"Ann": ann, "Ben": ben}


async def begun(people: dict[str, Person], game: str) -> str:
    """A match of the two that has just begun; its id."""
    match = await started(people["Ann"], people["Ben"], game)
    await people["Ann"].wait_for(text="move 0 ·")
    return match


def legal(match: Match) -> list[Any]:
    """What the mover may do."""
    (seat,) = match.to_act
    return list(match.game.actions(match.game.view(match.state, seat), seat))


def at_random(match: Match, random: Random) -> str:
    """Any action, as it is typed."""
    return match.game.format(match.state, random.choice(legal(match)))


async def play_out(
    house: House, match_id: str, people: dict[str, Person], ending: str, choose: Choose, tries: int = TRIES
) -> None:
    """Find a short way to the ending, and take it."""
    now = await house.match(match_id)
    texts = plan(
        now, await house.sealed(match_id), lambda match: match.state.ended == ending, choose, tries=tries
    )
    reader = house.bots[-1].context.readers.default

    def say(shortcut: Shortcut) -> str:
        return reader.say(shortcut.label)

    await hurry(house, match_id, texts[:-SEEN])
    texts = texts[-SEEN:]
    half = len(texts) // 2
    await follow(house, match_id, people, texts[:half], say) if half else None
    for name, person in people.items():
        await picture(person, f"{now.game.key}-{ending}-middle-{name}")
    await follow(house, match_id, people, texts[half:], say)
    assert (await house.match(match_id)).state.ended == ending
    for name, person in people.items():
        await picture(person, f"{now.game.key}-{ending}-end-{name}")


# --- Two Domains ----------------------------------------------------------------------------------------


def hunt(match: Match, random: Random) -> str:
    """Red attacks wherever it can; Blue only gathers."""
    (seat,) = match.to_act
    actions = {match.game.format(match.state, action): action for action in legal(match)}
    if seat == 0:
        return "battle" if "battle" in actions else random.choice(list(actions))
    return "gather"


TWO_DOMAINS = (("emptied", hunt), ("civil_war", at_random), ("limit", at_random))


async def test_two_domains_by_buttons(tmp_path: Path) -> None:
    async with room(tmp_path) as (house, people):
        for ending, choose in sampled(TWO_DOMAINS, TWO_DOMAINS[:1]):
            with pytest.MonkeyPatch.context() as patch:
                if ending == "limit":  # a whole match takes too long in a browser
                    patch.setattr(two_domains_rules, "LIMIT", 12)
                await play_out(house, await begun(people, "Two Domains"), people, ending, choose)
        await give_up_and_agree(house, people, "Two Domains")


# --- Dominance ------------------------------------------------------------------------------------------


def raid(match: Match, random: Random) -> str:
    """Red takes what it can; Black brings in whatever it has and walks about."""
    game = match.game
    (seat,) = match.to_act
    actions = legal(match)
    if seat == 1:
        spawns = [action for action in actions if game.format(match.state, action).startswith("+")]
        return game.format(match.state, random.choice(spawns or actions))
    return _greediest(match, Seat(0), actions, random)


def squander(match: Match, random: Random) -> str:
    """Black takes what it can; Red attacks at any price, and walks about."""
    (seat,) = match.to_act
    actions = legal(match)
    if seat == 1 and match.state.lost[0] < dominance_rules.LOSING_LOSSES - 1:
        return _greediest(match, Seat(1), actions, random)
    fatal = [
        a for a in actions if match.game.apply(match.state, Seat(seat), a).state.lost[0] > match.state.lost[0]
    ]
    return match.game.format(match.state, random.choice((fatal if seat == 0 else []) or actions))


def _greediest(match: Match, seat: Seat, actions: list[Any], random: Random) -> str:
    def gain(action: Any) -> tuple[int, float]:
        after = match.game.apply(match.state, seat, action).state
        return after.lost[1 - seat] - after.lost[seat], random.random()

    return match.game.format(match.state, max(actions, key=gain))


LOCK = ("+a1", "+g4", "+a4", "g4-f4", "+g1", "f4-e4", "+g4")
REPETITION = ("+a1", "+g4", *("a1-b1", "g4-f4", "b1-a1", "f4-g4") * 2)


def along(texts: tuple[str, ...]) -> Choose:
    """Exactly these."""
    return lambda match, random: texts[match.plays]


DOMINANCE = (
    ("nine", raid),
    ("ninth", squander),
    ("lock", along(LOCK)),
    ("repetition", along(REPETITION)),
    ("quiet", at_random),
)


@pytest.mark.soak
async def test_dominance_by_buttons(tmp_path: Path) -> None:
    async with room(tmp_path) as (house, people):
        for ending, choose in DOMINANCE:
            with pytest.MonkeyPatch.context() as patch:
                for rules in (dominance_rules, dominance_turns):
                    if ending == "quiet":
                        patch.setattr(rules, "QUIET_LIMIT", 6)
                    if ending in ("nine", "ninth"):  # neither are nine losses: four end it in the same way
                        patch.setattr(rules, "LOSING_LOSSES", 4)
                await play_out(house, await begun(people, "Dominance"), people, ending, choose, 60)
        await give_up_and_agree(house, people, "Dominance")


# --- what ends every game -------------------------------------------------------------------------------


async def give_up_and_agree(house: House, people: dict[str, Person], game: str) -> None:
    """A match that ends by an agreed draw, and one that ends by giving up."""
    ann, ben = people["Ann"], people["Ben"]
    match = await begun(people, game)
    await ann.click("Resign or draw")
    await ann.click("Offer a draw instead")
    offer = await ben.wait_for(text="offers a draw")
    await ben.click("Accept the draw", on=offer)
    await ann.wait_for(text="record is attached")
    ending = (await house.match(match)).ending
    assert ending is not None
    assert ending.outcome is not None
    assert ending.outcome.ranks == (1, 1)
    match = await begun(people, game)
    await ann.click("Resign or draw")
    await ann.click("Yes, I resign")
    await ben.wait_for(text="record is attached")
    assert (await house.match(match)).state.ended in ("left", "resigned")
