"""How late others see a match: the entry they may know, beside a slow and literal reading of the log."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.engine.game import Seat
from games.engine.log import Entry, Kind
from matches.log.changes import AUTOMATIC, POSITION_KEPT
from matches.watching import DELAYS, UNTIL_END, visible_entry
from tests.matches.world import ANN, BOB, World, opened, played, refused

LATER = [kind for kind in Kind if kind is not Kind.START]
LOGS = st.lists(st.tuples(st.sampled_from(LATER), st.integers(0, 2)), max_size=30)


def log_of(kinds: list[tuple[Kind, int]]) -> list[Entry]:
    made = [Entry(0, Kind.START, None, "{}")]
    return made + [Entry(n, kind, Seat(seat), "") for n, (kind, seat) in enumerate(kinds, 1)]


def literal(log: list[Entry], delay: int) -> int:
    """Cut the log into turns from its start, drop the last ones, and add the draws that follow."""
    turns: list[list[Entry]] = []
    for entry in log:
        if entry.kind in AUTOMATIC or entry.kind in POSITION_KEPT:
            continue
        decided = entry.kind in (Kind.PLAY, Kind.DEFAULT)
        before = turns[-1][-1] if turns else None
        goes_on = (
            before is not None and before.kind in (Kind.PLAY, Kind.DEFAULT) and before.seat == entry.seat
        )
        if decided and goes_on:
            turns[-1].append(entry)
        else:
            turns.append([entry])
    kept = turns[:1] if delay == UNTIL_END else turns[: max(1, len(turns) - delay)]
    at = kept[-1][-1].seq
    while at + 1 < len(log) and log[at + 1].kind in AUTOMATIC:
        at += 1
    return at


@given(LOGS, st.sampled_from([delay for delay in DELAYS if delay]))
def test_the_entry_is_that_of_a_slow_reading(kinds: list[tuple[Kind, int]], delay: int) -> None:
    log = log_of(kinds)
    assert visible_entry(log, delay) == literal(log, delay)


@given(LOGS)
def test_without_a_delay_all_is_seen(kinds: list[tuple[Kind, int]]) -> None:
    assert visible_entry(log_of(kinds), 0) == len(kinds)


@given(LOGS, st.tuples(st.sampled_from(LATER), st.integers(0, 2)), st.sampled_from(DELAYS))
def test_what_was_seen_once_stays_seen(
    kinds: list[tuple[Kind, int]], more: tuple[Kind, int], delay: int
) -> None:
    before, after = visible_entry(log_of(kinds), delay), visible_entry(log_of([*kinds, more]), delay)
    assert before <= after


async def test_it_is_agreed_in_the_lobby_and_kept_by_a_rematch(world: World) -> None:
    row = await world.open_lobby(ANN, BOB, game="focus")
    lobbies, queries = world.lobbies, world.service.queries
    assert refused(await lobbies.set_delay(row.id, BOB.id, 1, request=world.new)) == "lobby.refuse.host"
    assert opened(await lobbies.set_delay(row.id, ANN.id, 3, request=world.new)).row.conditions.delay == 3
    assert opened(await lobbies.set_delay(row.id, ANN.id, 1, request=world.new)).row.conditions.delay == 1
    await lobbies.start(row.id, ANN.id, request=world.new)
    gone = await lobbies.set_delay(row.id, ANN.id, 0, request=world.new)
    assert refused(gone) == "lobby.refuse.live"
    live = await queries.row(row.id)
    assert live is not None
    assert await queries.seen_elsewhere(live) == live, "the start is no secret"
    match = await queries.at(row.id, live.version)
    mover = ANN if live.seats[min(match.to_act)].user == ANN.id else BOB
    await world.move(row.id, mover)
    live = await queries.row(row.id)
    assert live is not None
    late = await queries.seen_elsewhere(live)
    assert (late.version, await queries.is_late(late), await queries.is_late(live)) == (
        match.seq,
        True,
        False,
    )
    assert (await queries.last_change(late)).match == match
    assert (await world.service.playback.timeline(late)).match == match
    for user, channel, sees in ((ANN.id, 1, live), (9, live.place.home, live), (9, 1, late), (9, None, late)):
        assert await queries.seen_by(live, user, channel) == sees
    played(await world.play.resign(row.id, ANN.id, request=world.new))
    over = await queries.row(row.id)
    assert over is not None
    assert await queries.seen_elsewhere(over) == over, "nothing is hidden any longer"
    assert opened(await world.rematches.open(row.id, BOB, request=world.new)).row.conditions.delay == 1
