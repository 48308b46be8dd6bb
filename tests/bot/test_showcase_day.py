"""Three hours of thirty live matches in a showcase, minute by minute, with restarts: current, edited rarely.

In a soak it is a whole day.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bot.outbound.showcases import EVERY, Showcases
from games.engine.game import Seat
from matches.results import Person, Played
from matches.store.rows import Place
from matches.store.servers import Showcase
from tests.bot.stage import Stage, legal
from tests.soak import SOAK

pytestmark = pytest.mark.slow

MATCHES = 30
HOURS = 24 if SOAK else 3
MINUTES = 60 * HOURS
MOVES = 4 * HOURS
RESTARTS = {100, 101, 300, 700, 1100}


async def opened(stage: Stage, number: int) -> str:
    """A match of Ann and Ben that is played in a thread of the games' channel; its id."""
    service = stage.bot.context.service
    assert stage.bot.user is not None
    place = Place(stage.guild.id, stage.channel.id)
    made = await service.lobbies.create(Person(stage.ann.id, "Ann"), place, "focus", request=f"open {number}")
    match = made.row.id  # type: ignore[union-attr]
    name = f"Focus: Ann – Ben · {match}"
    thread = stage.env.backend.create_thread(stage.channel.id, name, stage.bot.user.id)
    await service.channels.record(match, thread=thread.id)
    await service.lobbies.join(match, Person(stage.ben.id, "Ben"), request=f"join {number}")
    await service.lobbies.start(match, stage.ann.id, request=f"start {number}")
    await stage.bot.context.delivery.finish(match)
    return str(match)


async def moved(stage: Stage, match: str, request: str) -> None:
    """A move in a match."""
    now = await stage.match(match)
    (seat,) = now.to_act
    user = (await stage.row(match)).seats[Seat(seat)].user
    assert user is not None
    played = await stage.bot.context.service.play.submit(match, user, legal(now)[0], request=request)
    assert isinstance(played, Played)


async def wanted(stage: Stage, matches: list[str]) -> list[str]:
    """What the list has to say by the store: homes and names, the latest change first."""
    rows = [await stage.row(match) for match in reversed(matches)]  # of equal times the newest comes first
    rows.sort(key=lambda row: row.updated, reverse=True)
    lines = []
    for row in rows:
        (seat,) = (await stage.match(row.id)).to_act
        lines.append(f"<#{row.place.home}> **{row.seats[seat].name}** to move")
    return lines


def said(stage: Stage) -> str:
    """What the list says."""
    (message,) = [m for m in stage.gallery.history() if m.author.bot]
    return message.content


async def test_it_is_current_after_each_minute_and_edited_at_most_once(stage: Stage) -> None:
    chance = random.Random(30)
    stage.bot.pollers.stop()
    await stage.env.advance_time(1)
    matches = [await opened(stage, number) for number in range(MATCHES)]
    now = stage.bot.context.clock.now()
    await stage.bot.context.store.save_showcase(Showcase(stage.guild.id, stage.gallery.id, stage.ann.id, now))
    moves = Counter(chance.randrange(MINUTES - 2) for _ in range(MOVES))
    lists, began = Showcases(stage.bot.context), len(stage.env.http_requests)
    path = f"/channels/{stage.gallery.id}/messages"
    edited: Counter[int] = Counter()
    for minute in range(MINUTES):
        stage.env.backend.advance_clock(EVERY.total_seconds())
        if minute in RESTARTS:
            await stage.restart()
            stage.bot.pollers.stop()
            lists = Showcases(stage.bot.context)
        for number in range(moves[minute]):
            await moved(stage, chance.choice(matches), f"move {minute} {number}")
        for _ in range(2):  # the poller comes more often than once a minute
            await lists.tick()
        sent = stage.env.http_requests[began:]
        began = len(stage.env.http_requests)
        edited[minute] = sum(one.method in ("PATCH", "POST") and one.path.startswith(path) for one in sent)
        if minute not in RESTARTS and moves[minute] == 0 and minute % 10:
            continue
        lines = [line.removeprefix("- ").split(" · ")[0] for line in said(stage).splitlines()[1:]]
        expected = await wanted(stage, matches)
        assert said(stage).startswith("**30 live matches**")
        assert lines == expected, minute
    assert max(edited.values()) == 1
    assert 1 < sum(edited.values()) <= MOVES + len(RESTARTS) + 1
