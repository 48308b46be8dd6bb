"""Laws of replays: any step of any match is what its log says, and shows a viewer no more than its view."""

from __future__ import annotations

from dataclasses import replace

import render
from bot.messages.scenes import frame, sides_of_board, turned
from games.engine.game import Seat
from games.engine.match import walk
from locales import Catalogue
from matches.lookback.key_moments import note_of
from matches.lookback.playback import Track
from tests.laws.courses import Case, course

SAY = Catalogue().speaker()


def test_any_step_is_what_the_log_says(case: Case) -> None:
    """Steps give the states that a replay of the whole log gives, from wherever one comes."""
    match = course(case, "random").final
    track = Track()
    line = track.timeline(match)
    states = [past.state for past, _ in walk(match.log)]
    assert line.steps[-1].last == match.seq
    chosen = line.steps[:: max(1, len(line.steps) // 12)]
    for step in (*chosen[::-1], line.turns[len(line.turns) // 2], line.steps[-1]):
        moment = track.position(line, step)
        assert moment.match.seq == step.last
        assert moment.match.state == states[step.last]
        assert moment.match.log == match.log[: step.last + 1]
    shown = list(track.positions(line, chosen))
    assert [moment.match.state for moment in shown] == [states[step.last] for step in chosen]


def test_moments_that_mattered_come_from_what_all_may_know(case: Case) -> None:
    match = course(case, "random").final
    track = Track()
    line = track.timeline(match)
    found = track.moments(line, None)
    assert len(found) <= 25
    assert [each.entry for each in found] == sorted({each.entry for each in found})
    assert all(0 < each.entry <= match.seq for each in found)


def test_moments_tell_a_viewer_nothing_but_their_view(case: Case) -> None:
    """Who leads for a viewer follows from the public view and their own, whatever others hide."""
    match, game = course(case, "random").final, case.game
    for past, facts in list(walk(match.log))[1 :: max(1, match.seq // 12)]:
        for by in map(Seat, range(case.seats)):
            note = note_of(past, facts, by)
            public = game.view(past.state, None)
            for viewer in (None, *map(Seat, range(case.seats))) if note.values else ():
                own = game.view(past.state, viewer)
                assert note.seen_by(viewer) == tuple(
                    game.evaluate(own if seat == viewer and game.hidden else public, Seat(seat))
                    for seat in range(case.seats)
                )


def test_a_step_shows_a_viewer_nothing_but_their_view(case: Case) -> None:
    """Facts, picture and alt text of a step are the same for all states that give the viewer one view."""
    match = course(case, "random").final
    game, track = case.game, Track()
    line = track.timeline(match)
    for step in line.turns[:: max(1, len(line.turns) // 4)]:
        moment = track.position(line, step)
        for viewer in (None, *map(Seat, range(case.seats))):
            scene = frame(moment.match, moment.facts, viewer)
            plain = game.scene(game.view(moment.match.state, viewer), viewer)
            marks = tuple(m for f in moment.facts if f.to is None or viewer in f.to for m in f.marks)
            assert scene == replace(plain, marks=plain.marks + marks)
            for side in sides_of_board(moment.match):
                seen = turned(scene, moment.match, side)
                assert replace(seen, turns=scene.turns) == scene, "turning tells nothing new"
            assert render.alt_text(scene, SAY)
