"""Two Domains and Dominance in a real browser, each to each of its endings, by buttons and by typing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.dominance import rules as dominance_rules
from games.dominance import turns as dominance_turns
from games.engine.game import Seat, Shortcut
from games.engine.match import Match
from games.two_domains import rules as two_domains_rules
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, picture, plan, started
from tests.browser.turns import follow

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Choose = Callable[[Match, Random], str]


@asynccontextmanager
async def table(
    tmp_path: Path, game: str, **options: str
) -> AsyncIterator[tuple[House, str, dict[str, Person]]]:
    """A match of two that has just begun: Ann at a desk, Ben on a phone in the dark."""
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        match = await started(ann, ben, game, **options)
        await ann.wait_for(text="move 0 ·")
        yield house, match, {"Ann": ann, "Ben": ben}


def legal(match: Match) -> list[Any]:
    """What the mover may do."""
    (seat,) = match.to_act
    return list(match.game.actions(match.game.view(match.state, seat), seat))


def at_random(match: Match, random: Random) -> str:
    """Any action, as it is typed."""
    return match.game.format(match.state, random.choice(legal(match)))


async def play_out(
    house: House, match_id: str, people: dict[str, Person], ending: str, choose: Choose, tries: int = 400
) -> None:
    """Find a short way to the ending, and take it."""
    now = await house.match(match_id)
    texts = plan(
        now, await house.sealed(match_id), lambda match: match.state.ended == ending, choose, tries=tries
    )
    presenter = house.bots[-1].presenter

    def say(shortcut: Shortcut) -> str:
        return presenter.say(shortcut.label, "en")

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


@pytest.mark.parametrize(
    ("ending", "choose"), [("emptied", hunt), ("civil_war", at_random), ("dice", hunt), ("even", at_random)]
)
async def test_two_domains_by_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, choose: Choose
) -> None:
    if ending in ("dice", "even"):  # the limit of a whole match is no evening in a browser
        monkeypatch.setattr(two_domains_rules, "LIMIT", 24 if ending == "dice" else 12)
    async with table(tmp_path, "Two Domains") as (house, match, people):
        await play_out(house, match, people, ending, choose)


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
    if seat == 1 and match.state.lost[0] < dominance_rules.FATAL - 1:
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


@pytest.mark.parametrize(
    ("ending", "choose"),
    [
        ("nine", raid),
        ("ninth", squander),
        ("lock", along(LOCK)),
        ("repetition", along(REPETITION)),
        ("quiet", at_random),
    ],
)
async def test_dominance_by_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, choose: Choose
) -> None:
    if ending == "quiet":
        monkeypatch.setattr(dominance_rules, "QUIET_LIMIT", 6)
        monkeypatch.setattr(dominance_turns, "QUIET_LIMIT", 6)
    if ending in ("nine", "ninth"):  # neither are nine losses: it ends in the same way after four
        monkeypatch.setattr(dominance_rules, "FATAL", 4)
        monkeypatch.setattr(dominance_turns, "FATAL", 4)
    async with table(tmp_path, "Dominance") as (house, match, people):
        await play_out(house, match, people, ending, choose, 200)


# --- what ends every game -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["Two Domains", "Dominance"])
async def test_giving_up_and_agreeing(tmp_path: Path, game: str) -> None:
    async with table(tmp_path, game) as (house, match, people):
        ann, ben = people["Ann"], people["Ben"]
        await ann.click("Draw")
        offer = await ben.wait_for(text="offers a draw")
        await ben.click("Accept the draw", on=offer)
        await ann.wait_for(text="record is attached")
        ending = (await house.match(match)).ending
        assert ending is not None
        assert ending.outcome is not None
        assert ending.outcome.ranks == (1, 1)
    async with table(tmp_path / "again", game) as (house, match, people):
        ann, ben = people["Ann"], people["Ben"]
        await ann.click("Resign")
        await ann.click("Yes, I resign")
        await ben.wait_for(text="record is attached")
        assert (await house.match(match)).state.ended in ("left", "resigned")
