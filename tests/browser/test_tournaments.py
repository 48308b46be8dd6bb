"""A tournament in a real browser, from its sign-up to its end, on a desk and on a phone in the dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from matches.results import Played
from tests.browser.house import picture
from tests.browser.test_short_games import room

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_a_round_robin_of_two_and_a_computer_runs_on_its_own(tmp_path: Path) -> None:
    async with room(tmp_path) as (house, people):
        ann, ben = people["Ann"], people["Ben"]
        await ann.open("games")
        await ben.open("games")
        await ann.slash("/tournament create", title="Spring", game="Dominance", format="Round robin")
        sign_up = await ben.wait_for(text=re.compile("Tournament 1, organised"))
        await ben.click("Join", on=sign_up)
        await ann.click("Join")
        await ben.wait_for(text=re.compile("In so far: (Ann|Ben) and (Ann|Ben)"))
        await ann.slash("/tournament computer", level="random")
        await ben.wait_for(text="a random computer")
        await picture(ben, "tournament-sign-up")
        await ann.slash("/tournament start")
        await ben.wait_for(text="3 matches left")
        await picture(ben, "tournament-begun")
        ctx = house.bots[-1].context
        store, play = ctx.store, ctx.service.play
        (cup,) = await store.tournaments_in(ctx.guilds.all[0].id, 1)
        for match in filter(None, cup.matches):
            row = await house.row(match)
            people_in = [seat.user for seat in row.seats if seat.user is not None]
            given_up = await play.resign(match, people_in[-1], request=f"end {match}")
            assert isinstance(given_up, Played)
        await ben.wait_for(text="The tournament is over.")
        await picture(ben, "tournament-over")
        await picture(ann, "tournament-over-desk")
        await ann.slash("/tournament log")
        await ann.wait_for(text="Ann started the tournament with 3.")
        await picture(ann, "tournament-log")
