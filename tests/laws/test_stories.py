"""The laws of stories and dice: any finished match has a story with complete texts, and its dice add up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

import render
from bot.messages.dice import dice_text, match_dice
from bot.messages.story import chart_alt, material_chart, story_text
from bot.platform.discord_limits import MAX_CONTENT
from games.engine.game import AnyGame, Seat, Setup
from games.engine.match import Kind, walk
from games.engine.message import Msg, Who
from locales import Catalogue
from matches.lookback.dice import rolls_of, total
from matches.lookback.story import story_of
from matches.lookback.story_turns import turns_of
from tests.laws.courses import Case, course, parameters
from tests.laws.test_analyses import cut

CATALOGUE = Catalogue(strict=True)
"""What is missing or left over raises."""


def seats_in(message: Msg) -> Iterator[int]:
    """Yield the seats that a message names."""
    for _, value in message.values:
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Who):
                yield part.seat
            elif isinstance(part, Msg):
                yield from seats_in(part)


def sayer(game: AnyGame, setup: Setup) -> render.Say:
    """Says messages of a match, strictly."""
    return CATALOGUE.speaker(names=lambda seat: CATALOGUE.say(game.look(setup, Seat(seat)).name))


@pytest.mark.parametrize("case", parameters())
def test_a_match_has_a_story(case: Case) -> None:
    for match in (course(case, "random").final, cut(case, 6)):
        story = story_of(match, timedelta(days=2, hours=3))
        if not match.plays:
            assert story is None
            continue
        assert story is not None
        say = sayer(match.game, match.setup)
        text = story_text(story, say)
        assert len(text) <= 2000
        assert "{" not in text
        assert "2 days" in say(story.short[0])
        for line in (*story.lines, *story.at_end):
            assert say(line)
            assert all(0 <= seat < case.seats for seat in seats_in(line))
        assert story.lines[:2] == story.short
        turns = turns_of(match)
        assert [turn.number for turn in turns] == list(range(len(turns)))
        assert all(0 <= point.turn < len(turns) and 0 <= point.seq <= match.seq for point in story.points)
        assert [point.seq for point in story.points] == sorted(point.seq for point in story.points)
        view = match.game.view(match.state, None)
        chart = material_chart(match.game, story, match.game.scene(view, None))
        if chart is None:
            assert not match.game.material(view)
            assert not story.chances
            continue
        assert len(chart.points) == len(turns)
        if len(set(story.material)) > 1:
            left = {entry.seat for entry in match.log if entry.kind in (Kind.RESIGN, Kind.TIMEOUT)}
            for seat, (drawn, had) in enumerate(
                zip(chart.points[-1], match.game.material(view), strict=True)
            ):
                assert drawn == had or seat in left, "who left the match at its end has given up what it had"
        elif story.chances:
            assert all(0 <= share <= 100 for share in chart.points[-1])
        assert [panel.seat for panel in chart.seats] == list(range(case.seats))
        assert 0 < len(say(chart_alt(match.game, story))) <= 1024


@pytest.mark.parametrize("case", parameters())
def test_luck_is_a_probability_and_dice_add_up(case: Case) -> None:
    match = course(case, "random").final
    for turn in turns_of(match, judge=False):
        for throw in turn.throws:
            fortune = throw.fortune
            assert 0.0 < fortune.better <= 1.0
            assert 0.0 < fortune.worse <= 1.0
            assert fortune.better + fortune.worse >= 1.0 - 1e-9, "both count the result itself"
    rolls = rolls_of(match.log)
    assert match.game.has_dice or not rolls
    previous, rolled = None, 0
    for past, _ in walk(match.log):
        if past.log[-1].kind is Kind.CHANCE and previous is not None:
            action = match.game.decode(past.log[-1].data)
            for each in match.game.rolls(previous.state, action):
                assert each.seat is None or 0 <= each.seat < case.seats
                assert each.die.results[each.result][1] > 0
                rolled += 1
        previous = past
    assert rolled == sum(sum(each.counts) for each in rolls)
    for die in total(rolls):
        assert sum(chance for _, chance in die.results) == 1
    for table in match_dice(rolls):
        assert all(len(counts) == len(table.results) for _, counts in table.rows)
    assert len(dice_text("", match_dice(rolls), (), CATALOGUE.say)) <= MAX_CONTENT


@pytest.mark.slow
def test_every_game_with_material_is_drawn_small_enough() -> None:
    drawn = 0
    for case in {(p.values[0].key, p.values[0].seats): p.values[0] for p in parameters()}.values():
        assert isinstance(case, Case)
        match = course(case, "random").final
        story = story_of(match)
        view = match.game.view(match.state, None)
        scene = match.game.scene(view, None)
        chart = None if story is None else material_chart(match.game, story, scene)
        if chart is not None:
            data = render.draw_chart(chart, CATALOGUE.speaker())
            assert data[:4] == b"\x89PNG"
            assert len(data) <= 120_000
            drawn += 1
    assert drawn >= 10
