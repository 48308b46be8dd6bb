"""A match of each game against a computer on a phone, with a hint, and its analysis."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from games.engine.game import Seat
from games.engine.match import Kind, Match
from matches.lookback import analyses
from matches.play import hints
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, hurry, picture
from tests.soak import SOAK, sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAMES = ("Focus", "Dominance", "Dominion", "Two Domains", "Domination")
REPORT = re.compile(r"accuracy \d+ of 100|I found nothing better")
LEVEL = "Hard" if SOAK else "Beginner"
MOVES = 12 if SOAK else 3
"""Decisions of Ann after the hinted one; then she resigns, unless the match is over."""


def choices(match: Match, seat: Seat) -> list[str]:
    """What a seat may type."""
    view = match.game.view(match.state, seat)
    return [match.game.format(view, action) for action in match.game.actions(view, seat)]


def may_ask(match: Match, seat: Seat) -> bool:
    """Whether there is a choice, and not one in secret, which has no hints."""
    view = match.game.view(match.state, seat)
    return match.game.guess(view, seat) is not None and len(choices(match, seat)) > 1


async def hasten(house: House, match_id: str, random: Random, decisions: int) -> None:
    """Let Ann decide at random so often, or until the match is over."""
    for _ in range(decisions):
        now = await house.match(match_id)
        if now.ending is not None:
            return
        seat = await seat_of_ann(house, match_id)
        assert seat in now.to_act
        await hurry(house, match_id, [random.choice(choices(now, seat))])


async def seat_of_ann(house: House, match_id: str) -> Seat:
    """Her seat."""
    return next(Seat(seat.seat) for seat in (await house.row(match_id)).seats if seat.name == "Ann")


async def begun(house: House, ann: Person, game: str) -> str:
    """Start a match of Ann against a computer, and return its id."""
    await ann.open("games")
    await ann.slash("/play", game=game, players="2")
    lobby = await ann.wait_for(text=re.compile(r"[A-Z]-[A-Z0-9]+[\s\S]*: open"))
    found = re.search(r"[A-Z]-[A-Z0-9]+", lobby.text)
    assert found is not None
    await ann.click("Add computer", on=lobby)
    await ann.choose("How strong should the computer be?", LEVEL)
    await ann.wait_for(text="computer, ")
    await ann.click("Start", on=lobby)
    await ann.open(found[0])
    return found[0]


@pytest.mark.parametrize("game", sampled(GAMES, GAMES[1:2]))
async def test_a_match_with_a_hint_and_its_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    if not SOAK:  # how well it thinks is not seen here
        monkeypatch.setattr(hints, "LEVEL", "beginner")
        monkeypatch.setattr(analyses, "effort_for", lambda decisions: 0.1)
    house, random = House(tmp_path / "matches.sqlite3"), Random(1)
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        match_id = await begun(house, ann, game)
        seat = await seat_of_ann(house, match_id)
        await hurry(house, match_id, [])
        while not may_ask(now := await house.match(match_id), seat):
            await hasten(house, match_id, random, 1)
        key = now.game.key

        await ann.slash("/ask hint")
        look = await ann.wait_for(text="Hint, step 1 of 3")
        await picture(ann, f"{key}-hint-1")
        await ann.click("Show the move", on=look)
        move = await ann.wait_for(text="Hint, step 2 of 3")
        await picture(ann, f"{key}-hint-2")
        await ann.click("Why?", on=move)
        why = await ann.wait_for(text="Hint, step 3 of 3")
        assert "your chance of winning" in why.text or "It wins by force" in why.text
        await picture(ann, f"{key}-hint-3")
        (play,) = (label for label in why.buttons if label.startswith("Play "))
        await ann.click(play, on=why)
        played = now.plays + 1
        await ann.wait_for(text=re.compile(rf"(move|order) ({played}|{played + 1}) ·"))
        await hurry(house, match_id, [])

        await hasten(house, match_id, random, MOVES)
        if (await house.match(match_id)).ending is None:
            await ann.click("Resign or draw")
            await ann.click("Yes, I resign")
        over = await ann.wait_for(text="Hints used: ")
        assert "(Ann) 1 (saw the move: 1)" in over.text
        await picture(ann, f"{key}-end")
        log = (await house.match(match_id)).log
        assert [entry.data for entry in log if entry.kind is Kind.HINT] == ["1", "2", "3"]

        await ann.click("Analysis", on=over)
        report = await ann.wait_for(text=REPORT)
        await picture(ann, f"{key}-analysis")
        mistakes = [label for label in report.buttons if "mistake" in label]
        if mistakes:  # where moves are only tried, none may be certain
            await ann.click(mistakes[0], on=report)
            await ann.wait_for(text=re.compile(r"Mistake 1 of \d"))
            await picture(ann, f"{key}-mistake")
            await ann.click("Overview")
            await ann.wait_for(text=REPORT)
        else:
            assert key not in ("focus", "two_domains")
