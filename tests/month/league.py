"""A league of a year on the stage of a month: its seasons, while the bot is stopped, killed and cut off.

People resign, run out of time, join and leave; one of them is forgotten, one is barred. `check` says what is
lost, doubled or left hanging in the end.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Final

from matches.clocks.control import per_move, to_json
from matches.results import Person as Player
from matches.results import Played
from matches.store.moderation import ModerationRow
from matches.store.rows import MatchRow
from matches.store.tournaments import TournamentPlan, TournamentRow
from tests.loopback import Person
from tests.month.disturbances import ALL
from tests.month.month import Month
from tournaments.event import points_for_places

WEEKS: Final = 52
DISTURBANCES: Final = (
    "downtime", "crash", "a_drop", "an_outage", "rate_limits", "server_errors", "cut_connections",
)  # fmt: skip
PLAN: Final = TournamentPlan(
    "league", 0, 32, 2, to_json(per_move(timedelta(days=3))), rated=True, group=3, days=21
)
_RESIGNS: Final = 0.5
"""The chance that someone resigns a match within some days: else it goes on, until time is up."""


class Year:
    """A league on a stage."""

    def __init__(self, month: Month) -> None:
        self.month = month
        self.gone: dict[str, Person] = {}
        """Who was barred and who was forgotten."""

    async def begin(self, people: int) -> None:
        """Open the league; the last two of the people aren't in it yet."""
        month = self.month
        month.populate(guilds=1, people=people)
        await month.stage.start()
        (guild,) = month.guilds
        organiser, *others = month.members(guild)
        cups = month.stage.bot.context.service.tournaments
        row = await cups.create(
            _player(organiser), guild.id, month.rooms[guild.id].id, "The year", "dominance", PLAN
        )
        assert isinstance(row, TournamentRow), row
        for one in (organiser, *others[:-2]):
            await cups.join(row.id, _player(one))
        assert isinstance(await cups.start(row.id, organiser.id), TournamentRow)

    async def week(self, number: int) -> None:
        """Let a week pass, with something wrong in it."""
        month = self.month
        month.note(f"--- week {number}")
        name = month.dice.choice(DISTURBANCES)
        month.note(name)
        await ALL[name](month)
        await month.calm_down()
        if number == 6:
            await self._bar()
        if number == 10:
            await self._forget()
        for _ in range(3):
            await self._play()
            await month.stage.pass_time(month.dice.uniform(1.5, 3) * 24 * 3600)
            await month.calm_down()
        await self._come_and_go()

    async def rows(self) -> tuple[TournamentRow, ...]:
        """All seasons, the first one first."""
        store, (guild,) = self.month.stage.bot.context.store, self.month.guilds
        return tuple(sorted(await store.tournaments_in(guild.id, 100), key=lambda one: one.id))

    async def _play(self) -> None:
        """Some of those who are in a match resign it."""
        context = self.month.stage.bot.context
        for row in await self.live():
            seats = [seat.user for seat in row.seats if seat.user is not None]
            if self.month.dice.random() < _RESIGNS:
                who = self.month.dice.choice(seats)
                done = await context.service.play.resign(row.id, who, request=f"resign {row.id}")
                assert isinstance(done, Played), done
        await self.month.stage.settle()

    async def live(self) -> tuple[MatchRow, ...]:
        """The matches in progress."""
        found: tuple[MatchRow, ...] = await self.month.stage.bot.context.store.by_status("live")
        return found

    async def _come_and_go(self) -> None:
        """Between two seasons some join, and some leave."""
        cups, dice, (guild,) = (
            self.month.stage.bot.context.service.tournaments,
            self.month.dice,
            self.month.guilds,
        )
        latest = (await self.rows())[-1]
        if latest.status != "open":
            return
        for one in dice.sample(self.month.members(guild), 3):
            if one in self.gone.values():
                continue
            if latest.number_of(one.id) is None:
                await cups.join(latest.id, _player(one))
            elif len(latest.entrants) > 5 and dice.random() < 0.5:
                await cups.leave(latest.id, one.id)

    async def _bar(self) -> None:
        who = await self._someone_in()
        context, (guild,) = self.month.stage.bot.context, self.month.guilds
        self.month.note(f"{who.name} is barred")
        self.gone["barred"] = who
        now = self.month.stage.clock.now()
        await context.store.moderate(ModerationRow(guild.id, 1, "forbid", "", now, person=who.id))

    async def _forget(self) -> None:
        who = await self._someone_in()
        self.month.note(f"{who.name} is forgotten")
        self.gone["forgotten"] = who
        await self.month.stage.bot.context.service.erasures.forget(who.id)

    async def _someone_in(self) -> Person:
        latest = (await self.rows())[-1]
        entrants = {one.user for one in latest.entrants if not one.left}
        (guild,) = self.month.guilds
        return next(one for one in reversed(self.month.members(guild)) if one.id in entrants)


def _player(person: Person) -> Player:
    return Player(person.id, person.name)


async def check(year: Year) -> list[str]:
    """Return what is lost, doubled or left hanging."""
    month, rows = year.month, await year.rows()
    wrong: list[str] = []
    *before, last = rows
    wrong += [f"season {one.plan.season} is {one.status}" for one in before if one.status != "over"]
    wrong += [f"season {one.plan.season} has no next one" for one in before if not one.plan.followed]
    if [one.plan.season for one in rows] != list(range(1, len(rows) + 1)):
        wrong.append(f"seasons {[one.plan.season for one in rows]}")
    if last.status not in ("open", "running"):
        wrong.append(f"the last season is {last.status}")
    paired = Counter(match for one in rows for match in one.matches if match is not None)
    stored = {match for (match,) in month.stage.records.ask("SELECT id FROM matches")}
    wrong += [f"{match} is in two pairings" for match, times in paired.items() if times > 1]
    wrong += [f"{match} is in no pairing" for match in stored - paired.keys()]
    wrong += [f"{match} is lost" for match in paired.keys() - stored]
    for one in rows:
        wrong += [f"season {one.plan.season}: {fault}" for fault in await _faults(one, year)]
    if waiting := month.stage.records.ask("SELECT id FROM outbox"):
        wrong.append(f"{len(waiting)} messages were never sent")
    (guild,) = month.guilds
    posts = [one.id for one in month.stage.posts_by_bot(month.rooms[guild.id].id)]
    for one in rows:
        if posts.count(one.message or 0) != 1 or one.shown != one.revision:
            wrong.append(f"the message of season {one.plan.season} isn't current")
    cups = [
        one for one in month.stage.posts_by_bot(month.rooms[guild.id].id) if "organised by" in one.content
    ]
    if len(cups) != len(rows):
        wrong.append(f"{len(cups)} messages of {len(rows)} seasons")
    return wrong


async def _faults(row: TournamentRow, year: Year) -> list[str]:
    """Return what is wrong with a season."""
    found = []
    store = year.month.stage.bot.context.store
    if row.status == "over" and row.event.open:
        found.append("it is over, and pairings are open")
    for pairing, match in zip(row.pairings, row.matches, strict=True):
        stored = None if match is None else await store.match(match)
        if pairing.played and pairing.points is not None:
            ranks = None if stored is None or stored.result is None else stored.result["ranks"]
            if ranks is None or points_for_places(ranks) != pairing.points:
                found.append(f"{match} ended {ranks}, and counts {pairing.points}")
    users = [one.user for one in row.entrants]
    if len(set(users)) != len(users):
        found.append("someone is in it twice")
    if year.gone["forgotten"].id in users:
        found.append("it still has someone who was forgotten")
    if row.status in ("open", "running") and row.number_of(year.gone["barred"].id) is not None:
        found.append("someone who was barred is still in it")
    return found
