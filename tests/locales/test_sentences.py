"""Sentences built from parts read well with one, two and several parts, and long after they were sent."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bot.actions.people.settings_panel import reminder_words
from bot.messages.facts import names_its_seats
from games.engine import registry
from games.engine.game import Done, Fact, Partial, Seat
from games.engine.message import Who, msg
from locales import Catalogue
from locales.catalogue import read
from matches.pings.settings import PingSettings
from tests.games.dominion.reading import CHOOSING
from tests.locales.test_english import texts

ROOT = Path(__file__).parents[2]
CATALOGUE = Catalogue(strict=True)
ALTERNATIVES = re.compile(r"\{(?P<name>names|zones|options|choices|readings)(?P<join>\|or)?\}")
ASKS = re.compile(r"Did you mean|[Cc]hoose|[Pp]ossible|may be|one of|such as|can be read", re.IGNORECASE)
PAST = {
    "bot/messages/clock.py": "`moment` puts it in brackets behind the date",
    "bot/outbound/kinds/pings.py": "in brackets behind the date",
    "bot/actions/watching/matches_list.py": "the last visit: the past",
    "bot/outbound/kinds/notices.py": "since when nobody has moved: the past",
    "bot/messages/watching.py": "the last move: the past",
    "bot/messages/operation.py": "when an error was last seen: the past",
    "bot/inbound/commands/operator.py": "since when the process runs: the past",
}
"""Where a moment is shown as a distance from now, and why the sentence stays true when it has passed."""


@pytest.mark.parametrize("n", [1, 2, 3])
def test_choices_are_joined_by_or(n: int) -> None:
    names = tuple("ABC"[:n])
    wanted = {1: "A", 2: "A or B", 3: "A, B, or C"}[n]
    said = CATALOGUE.say(msg("domination.refuse.name_near", word="ura", names=names))
    assert said == f"There is no country `ura` on this map. Did you mean {wanted}?"


def test_a_text_that_asks_for_one_of_several_says_or() -> None:
    assert not [
        (key, text)
        for _, key, text in texts()
        for found in ALTERNATIVES.finditer(text)
        if ASKS.search(text) and found["join"] is None and not key.endswith(".one")
    ]


@pytest.mark.parametrize("text", ["{names|and}", "{|or}", "{a b|or}"])
def test_lists_are_joined_in_known_ways_only(text: str) -> None:
    with pytest.raises(ValueError, match=r"joined|placeholder"):
        read(text)


def test_a_moment_is_told_as_a_distance_only_where_it_stays_true() -> None:
    found = set()
    for path in (ROOT / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format_dt":
                styles = [each.value for each in node.args[1:] if isinstance(each, ast.Constant)]
                if styles == ["R"]:
                    found.add(path.relative_to(ROOT).as_posix())
    assert found == set(PAST)


def test_in_each_text_a_moment_in_brackets_may_have_passed() -> None:
    past = CATALOGUE.say(msg("bot.clock.moment", at="on Friday", relative="16 minutes ago"))
    assert past == "on Friday (16 minutes ago)"
    said = CATALOGUE.say(msg("bot.ping.left", at="Friday at 14:00", when="16 minutes ago"))
    assert said == "Time is up on Friday at 14:00 (16 minutes ago)."


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        ((1,), "with 1 hour left"),
        ((8, 1), "with 8 hours and 1 hour left"),
        ((24, 8, 1), "with 24 hours, 8 hours, and 1 hour left"),
    ],
)
def test_reminders(hours: tuple[int, ...], said: str) -> None:
    assert CATALOGUE.say(reminder_words(PingSettings(reminders=hours))) == said


def test_examples_of_dominion_are_legal_for_each_seat() -> None:
    game, state = registry.get("dominion"), CHOOSING
    assert len(game.to_act(state)) == 2
    for seat in sorted(game.to_act(state)):
        view = game.view(state, seat)
        asked = game.parse(view, seat, "")
        assert isinstance(asked, Partial)
        example = re.findall("`(.+?)`", CATALOGUE.say(asked.prompt))[0]
        assert isinstance(game.parse(view, seat, example), Done), (seat, example)


def test_a_seat_that_is_named_by_the_first_fact_is_named_once() -> None:
    decided = Fact(msg("domination.fact.ready", who=Who(0)), by=Seat(0))
    own = Fact(msg("domination.fact.picked", at="SIA"), to=frozenset({Seat(0)}), by=Seat(0))
    assert names_its_seats([decided, own], 0)
    assert not names_its_seats([own, decided], 0)
    assert not names_its_seats([decided, own], 1)
