"""Recaps of long turns: the totals match the facts, and a few lines on a phone are enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.messages.facts import summary
from games.domination import GAME
from games.engine.game import Fact
from games.engine.match import Kind, walk
from games.engine.record import read
from tests.laws.checks import catalogue

GOLDEN = Path(__file__).parent / "golden"
SAY = catalogue().speaker("en", lambda seat: f"▲ Seat {seat} (Somebody)")


def turns(name: str) -> list[list[Fact]]:
    """Return the public facts of each seat's successive actions."""
    found: list[list[Fact]] = []
    seat = None
    for match, facts in walk(read((GOLDEN / name).read_text("utf-8")).entries):
        entry = match.log[-1]
        if entry.kind is Kind.PLAY and entry.seat != seat:
            seat = entry.seat
            found.append([])
        if found:
            found[-1] += [fact for fact in facts if fact.to is None]
    return found


def total(facts: list[Fact], key: str, value: str) -> int:
    """Return the sum of a value over the facts of a kind."""
    values = (dict(fact.msg.values)[value] for fact in facts if fact.msg.key == f"domination.fact.{key}")
    return sum(each for each in values if isinstance(each, int))


@pytest.mark.parametrize("name", ["2-conquest.txt", "3-mission.txt", "4-world-resigned.txt"])
def test_a_turn_in_short_has_the_totals_of_the_turn(name: str) -> None:
    for facts in turns(name):
        short = {fact.msg.key.rpartition(".")[2]: dict(fact.msg.values) for fact in GAME.recap(facts)}
        assert short.get("recap_placed", {"n": 0})["n"] == total(facts, "place", "n")
        lost, killed = (
            total(facts, "held", what) + total(facts, "taken", what) for what in ("lost", "killed")
        )
        if "recap_losses" in short:
            assert short["recap_losses"] == {"lost": lost, "killed": killed}
        else:
            assert (lost, killed) == (0, 0)
        assert not any(fact.detail for fact in GAME.recap(facts))


@pytest.mark.parametrize("name", ["2-conquest.txt", "4-world-resigned.txt"])
def test_it_fits_a_few_lines(name: str) -> None:
    ordinary = [
        facts for facts in turns(name)[:-1] if all(f.msg.key.startswith("domination.") for f in facts)
    ]
    long = [facts for facts in ordinary if len(summary(facts, SAY, 1200)) > 260]
    assert long, "these matches have such turns"
    for facts in long:
        assert len(summary(GAME.recap(facts), SAY, 1200)) <= 300
