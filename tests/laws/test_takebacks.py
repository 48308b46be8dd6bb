"""Laws of taking back: it is free exactly while nobody and nothing has acted on it, in every game."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.engine.game import Seat
from games.engine.match import Change, Kind, take_back
from matches.play.undo import Takeback, possible_takeback
from matches.store.rows import Logged
from tests.fakes import START
from tests.laws.courses import Case, Course, course


@pytest.mark.slow
def test_what_is_free_to_take_back(case: Case) -> None:
    played: Course = course(case, "random")
    logged = [Logged(entry, START + timedelta(seconds=entry.seq)) for entry in played.log]
    for stop in played.some(3):
        match = stop.match
        log = logged[: match.seq + 1]
        newest = next((each.entry for each in reversed(log) if each.entry.kind is Kind.PLAY), None)
        for seat in sorted(match.playing):
            found = possible_takeback(match, log, Seat(seat), match.playing)
            drawn = any(each.entry.kind is Kind.CHANCE for each in log[newest.seq :]) if newest else False
            own = [each.entry for each in log if (each.entry.kind, each.entry.seat) == (Kind.PLAY, seat)]
            if not isinstance(found, Takeback):
                assert not own, "the others can always be asked"
                continue
            assert found.to == own[-1].seq - 1
            change = take_back(match, seat, found.to, played.sealed)
            assert isinstance(change, Change)
            assert change.match.state == played.stops[own[-1].seq - 1].match.state
            assert seat in change.match.to_act
            assert [entry.kind for entry in change.entries] == [Kind.TAKEBACK], "no dice are rolled anew"
            if newest is not own[-1] or drawn:
                assert found.others == match.playing - {seat}
            elif found.others:
                assert match.game.hidden, "only what was hidden can be in the way"
            else:
                assert len(found.moves) == 1
