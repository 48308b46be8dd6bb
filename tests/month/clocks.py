"""The clocks of a month's matches: which they are, what people do about them, and whether they were fair.

People couldn't play while the bot was away: those spans are noted here, and not asked of the bot. Where it
gives back more than that, such as for a channel that it couldn't write in, it is no worse for anybody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from games.engine.log import Kind as EntryKind
from games.engine.match import walk
from matches.clocks.control import TimeControl, per_move
from matches.spans import Span, measure, union
from tests.loopback import Person
from tests.month.tables import Kind, Table

if TYPE_CHECKING:
    from tests.month.month import Month

HOUR = timedelta(hours=1)
GAMES: Final = ("focus", "dominance")
"""Without dice after the start, so that it doesn't matter for a move which entry it becomes."""
CONTROLS: Final = (
    per_move(40 * HOUR, acts="automatic", follows="computer"),
    None,
    TimeControl(36 * HOUR, 6 * HOUR, 48 * HOUR),
    None,
    per_move(30 * HOUR, acts="automatic", follows="default"),
    None,
    None,
    TimeControl(72 * HOUR, 12 * HOUR, 96 * HOUR, acts="automatic", follows="loss"),
)
_SOON = 3 * HOUR
"""Nobody writes without waiting when less is left: which comes first would be for chance to say."""
_UNSURE = timedelta(minutes=10)
"""Beats have gaps of seconds, and a start takes a while."""
_REMINDERS = 3


def control_for(key: str, number: int, kind: Kind) -> TimeControl | None:
    """Return the clock of the n-th match of a game in a month."""
    control = CONTROLS[number % len(CONTROLS)] if key in GAMES else None
    if control is not None and kind == "direct" and control.follows == "computer":
        return replace(control, follows="default")  # who leaves would get no more boards
    return control


def times(month: Month, table: Table) -> list[datetime]:
    """Return when the entries of a match's log were made."""
    found = month.stage.records.ask("SELECT at FROM entries WHERE match = ? ORDER BY seq", table.id)
    return [datetime.fromtimestamp(at / 1000, UTC) for (at,) in found]


def follow_clock(month: Month, table: Table) -> None:
    """Bring a model in line with what its clock has done."""
    if table.clock is not None:
        table.follow(month.stage.records.entries(table.id), times(month, table))


def near_the_end(month: Month) -> set[str]:
    """Return the matches in which somebody's time is up soon; none for a bot that keeps no database."""
    if not month.stage.database and not (month.stage.folder / "dominium.sqlite3").exists():
        return set()
    until = int((month.stage.clock.now() + _SOON).timestamp() * 1000)
    query = "SELECT DISTINCT match FROM deadlines WHERE seat >= 0 AND due <= ?"
    return {match for (match,) in month.stage.records.ask(query, until)}


async def see_to_clocks(month: Month) -> None:
    """See what the clocks have done; let opponents claim, and people come back to their seats."""
    timed, dice = [table for table in month.tables if table.clock is not None], month.clock_dice
    for table in timed:
        month.check_log(table)
    for table in timed:
        if table.clock is None or table.over:
            continue
        late = table.model.log[-1]
        if late.kind is EntryKind.FLAG and table.clock.acts == "claim" and dice.random() < 0.6:
            others = [person for seat, person in enumerate(table.seats) if seat != late.seat]
            await _say(month, table, others[0], "match claim")
        for seat in sorted(table.model.seats.stand_ins):
            if dice.random() < 0.3:
                await _say(month, table, table.seats[seat], "match seat back")


async def _say(month: Month, table: Table, who: Person, command: str) -> None:
    if table.guild is not None and table.guild.id not in who.members:
        return
    if month.is_closed(table):
        return  # no commands are offered there: perhaps the next time
    month.note(f"{table.id}: {who.name}: /{command}")
    await who.slash(table.place_of(who), command, answered=False, match=table.id)
    await month.stage.settle()
    month.check_log(table)


# --- in the end -------------------------------------------------------------------------------------------


def unfair(month: Month, table: Table) -> Iterator[str]:
    """Yield the times that were called up too early: before all of them was used while people could play."""
    if table.clock is None:
        return
    clock, away = table.clock, tuple(union(month.away))
    banks = dict.fromkeys(range(len(table.seats)), clock.bank)
    begun: dict[int, datetime] = {}
    for (match, _), at in zip(walk(table.model.log), times(month, table), strict=True):
        entry = match.log[-1]
        to_act = frozenset(int(seat) for seat in match.to_act if seat >= 0)
        for seat, since in begun.items():
            if entry.kind is EntryKind.FLAG and entry.seat == seat:
                used = at - since - measure(away, since, at)
                if used < banks[seat] - _UNSURE:
                    yield f"{table.id}: the time of seat {seat} was up after {used} of {banks[seat]}, at {at}"
        moved = entry.kind in (EntryKind.PLAY, EntryKind.DEFAULT)
        for seat in list(begun):
            if seat not in to_act or (moved and entry.seat == seat):
                since = begun.pop(seat)
                used = at - since - measure(away, since, at)
                left = max(timedelta(), banks[seat] - used)
                banks[seat] = min(clock.cap, left + clock.increment)
        if entry.kind is EntryKind.SUBSTITUTE and entry.seat is not None:
            begun.pop(int(entry.seat), None)
            banks[int(entry.seat)] = clock.bank
        for seat in to_act - begun.keys():
            begun[seat] = at


def pinged_twice(month: Month, table: Table) -> Iterator[str]:
    """Yield who was called twice for one turn in a match's channel, reminders apart."""
    if table.home is None or len(table.homes) > 1:
        return
    turns: dict[int, list[int]] = {person.id: [] for person in table.seats}
    waiting: frozenset[int] = frozenset()
    for match, _ in walk(table.model.log):
        to_act = frozenset(int(seat) for seat in match.to_act if seat >= 0)
        entry = match.log[-1]
        moved = entry.kind in (EntryKind.PLAY, EntryKind.DEFAULT)
        if match.ending is not None and entry.kind is not EntryKind.REVEAL:
            for user in turns:  # the result is told like a move
                turns[user].append(entry.seq)
        for seat in to_act:
            if seat in waiting and not (moved and entry.seat == seat):
                continue
            turns[table.seats[seat].id].append(entry.seq)
        waiting = to_act
    calls: Counter[tuple[int, int, bool]] = Counter()
    for call in _calls(month, table):
        number = sum(seq <= call.entry for seq in turns.get(call.user, ()))
        calls[call.user, number, call.reminder] += 1
    for (user, number, reminder), often in calls.items():
        if often > (_REMINDERS if reminder else 1):
            yield f"{table.id}: {user} was called {often} times for turn {number} ({reminder=})"


class _Call(NamedTuple):
    """A message that calls someone to the turn that an entry began: its board, or a ping."""

    user: int
    entry: int
    reminder: bool


def _calls(month: Month, table: Table) -> Iterator[_Call]:
    """Yield whom the bot has called to turns of a match in its channel, each message once."""
    assert table.home is not None
    path, seen = f"/channels/{table.home.id}/messages", set()
    for request in month.stage.server.requests:
        if request.method != "POST" or request.path != path or request.status != 200:
            continue
        body, message = request.body or {}, int(request.answer["id"])
        content = str(body.get("content"))
        names = (file.filename.removesuffix(".png").rpartition("-") for file in request.files)
        board = next((int(number) for name, _, number in names if name == table.id), None)
        turn = re.search(rf"domb:snooze:{table.id}:(\d+):", str(body.get("components")))
        entry = board if turn is None else int(turn[1])
        if message in seen or entry is None:
            continue
        seen.add(message)
        for user in map(int, (body.get("allowed_mentions") or {}).get("users", ())):
            if f"<@{user}>" in content:
                yield _Call(user, entry, turn is not None and "Still your" in content)


def away_since(start: datetime, month: Month) -> None:
    """Note that people couldn't play from `start` until now."""
    month.away.append(Span(start, month.stage.clock.now()))
