"""A correspondence match in a real browser: days pass by the page's own buttons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from games.engine.match import Kind
from tests.bot.stage import best
from tests.bot.test_plans import course
from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.soak
async def test_days_pass_in_a_match_of_two(tmp_path: Path) -> None:
    """A deadline, a reminder, a claim, an undo by consent, a plan that comes true, a digest."""
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        match = await started(ann, ben, "Focus", clock="2d")
        people = {"Ann": ann, "Ben": ben}
        first = await ben.wait_for(text="Deadline")
        await picture(ben, "weeks-first")
        assert re.search("in 2 days|in 47 hours", first.text)

        late = people[await house.mover(match)]
        other = ben if late is ann else ann
        await ann.day_later()
        await late.wait_for(text="Still your move")
        await picture(late, "weeks-reminder")
        await ann.day_later()
        await other.wait_for(text="time is up")
        await picture(other, "weeks-time-up")
        await other.click("Claim")
        await late.wait_for(text=re.compile("A safe move is played"))
        await expect(late.log.get_by_text("Still your move")).to_have_count(0)
        await picture(late, "weeks-claimed")
        kinds = [entry.kind for entry in (await house.match(match)).log]
        assert kinds[-3:] == [Kind.FLAG, Kind.CLAIM, Kind.DEFAULT]

        mover = people[await house.mover(match)]
        now = await house.match(match)
        await mover.say(best(now))
        await mover.wait_for(text=f"move {now.plays + 1} ·")
        other = ben if mover is ann else ann
        now = await house.match(match)
        await other.say(best(now))
        await other.wait_for(text=f"move {now.plays + 1} ·")
        await mover.slash("/match undo")
        await mover.click("Ask them")
        await other.wait_for(text="would like to take back")
        await picture(other, "weeks-undo")
        await other.click("Agree")
        await mover.wait_for(text=re.compile("takes back"))
        now = await house.match(match)
        assert now.plays == 1
        assert people[await house.mover(match)] is mover

        move, reply, again = course(now, 3)
        await other.slash("/match plan add", line=f"{move}: {reply}")
        await other.wait_for(text="Planned in")
        await picture(other, "weeks-plan")
        await other.slash("/settings me")
        await other.click("Pings")
        await other.page.get_by_text("A digest at my times of day").click()
        await other.page.get_by_test_id("modal-submit").click()
        await other.wait_for(text="Pings: in a digest at")
        await mover.say(move)
        await mover.wait_for(text=re.compile(rf"\): {reply}\b"))
        await picture(mover, "weeks-planned")
        assert (await house.match(match)).plays == 3
        await mover.say(again)
        await other.wait_for(text=re.compile(rf"\): {again}\b"))
        await ann.day_later()
        await other.open("direct")
        digest = await other.wait_for(text="One match has news")
        await picture(other, "weeks-digest")
        planned, last = await other.messages()
        assert planned.text.startswith(f"Your plan for {match} has played {reply}.")
        assert last.id == digest.id
        assert "-#" not in digest.text

        await other.open(match)
        await other.click("Resign or draw")
        await other.click("Yes, I resign")
        await mover.wait_for(text=re.compile("wins"))
        await picture(mover, "weeks-won")
        ended = (await house.match(match)).ending
        assert ended is not None


async def test_someone_vanishes_from_a_match_of_four(tmp_path: Path) -> None:
    """A computer takes the seat, and its person comes back."""
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True)
        cleo, dan = await scene.person("cleo"), await scene.person("dan")
        everyone = {"Ann": ann, "Ben": ben, "Cléo": cleo, "Dan": dan}
        for person in everyone.values():
            await person.open("games")
        await ann.slash("/play", game="Focus", players="4", clock="1d")
        lobby = await ben.wait_for(text=re.compile(r"Focus[\s\S]*: open"))
        await ann.click("Clock", on=lobby)
        await ann.choose("Who acts when time is up", "Time is up: it happens automatically")
        await ann.choose("What happens when time is up", "Then a computer takes the seat")
        await picture(ann, "weeks-clock-panel")
        for person in (ben, cleo, dan):
            await person.click("Join", on=lobby)
            await ann.wait_for(text=re.compile(next(k for k, v in everyone.items() if v is person)))
        await ann.click("Start", on=lobby)
        found = re.search(r"[A-Z]-[A-Z0-9]+", lobby.text)
        assert found is not None
        match = found[0]
        for person in everyone.values():
            await person.open(match)
        name = await house.mover(match)
        seat = next(seat.seat for seat in (await house.row(match)).seats if seat.name == name)
        gone = everyone[name]
        await ann.day_later()
        await ann.hour_later()
        await gone.wait_for(text="computer, ")
        await picture(gone, "weeks-computer")
        await picture(ben, "weeks-computer-phone")
        assert (await house.row(match)).seats[seat].occupant == "computer"
        await gone.slash("/match seat back")
        await gone.wait_for(text=re.compile(rf"{name}.* takes over the seat"))
        await picture(gone, "weeks-back")
        row = await house.row(match)
        assert row.seats[seat].name == name
        context = house.bots[-1].context
        for each in row.seats:
            if each.seat != seat and each.user is not None:
                await context.service.play.resign(match, each.user, request=f"{match} {each.seat}")
        await context.delivery.finish(match)
        await gone.wait_for(text=re.compile(rf"{name}\) wins"))
        await picture(gone, "weeks-over")
