"""What has to be true at the end of a month, whatever happened in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from simcord.backend.models import Message

from bot.messages.scenes import scene_for
from games.engine.game import Fact, Seat
from games.engine.match import Kind, Match, walk
from matches.log.changes import AUTOMATIC, NOTES, POSITION_KEPT
from tests.month.clocks import pinged_twice, unfair
from tests.month.month import Month
from tests.month.stage import call_of, catalogue, sketch
from tests.month.tables import Table


@dataclass
class Findings:
    """What was counted, and what is wrong."""

    written: int = 0
    """Moves that people wrote or pressed."""
    moves: int = 0
    """Entries of the logs that came of them."""
    counted: int = 0
    boards: int = 0
    joined: int = 0
    """Changes that have no board of their own: the next board shows them too, after an obstacle."""
    late: int = 0
    """Turns whose time was up."""
    wrong: list[str] = field(default_factory=list)


def check(month: Month) -> Findings:
    """Return what was counted in a month that is over, with the bot at rest, and what is wrong."""
    found = Findings()
    for table in month.tables:
        _check_log(month, table, found)
        found.wrong += unfair(month, table)
        found.wrong += pinged_twice(month, table)
        for channel in _channels(table):
            _check_boards(month, table, channel, found)
    found.wrong += answers_to_bystanders(month)
    found.wrong += _secrets(month)
    found.wrong += _old_rows(month)
    found.wrong += _unwanted_requests(month)
    return found


def _check_log(month: Month, table: Table, found: Findings) -> None:
    log = month.stage.records.entries(table.id)
    found.late += sum(entry.kind == "flag" for entry in log)
    wanted = list(table.model.log)
    found.written += len(table.ends) - 1
    found.moves += sum(entry.kind == "play" for entry in wanted)
    found.counted += sum(entry in wanted for entry in log if entry.kind == "play")
    if log != wanted:
        found.wrong.append(
            f"{table.id}: its log is {[entry.data for entry in log[1:]]}, "
            f"what was written is {[entry.data for entry in wanted[1:]]}"
        )


def _channels(table: Table) -> list[int]:
    """Return the channels in which boards of a match stand."""
    if table.home is None:
        return [person.dm.id for person in table.seats]
    return [home.id for home in table.homes if home.id not in table.gone]


@dataclass
class _Change:
    """One change of a match: the match after it, what happened, and who was to act before it."""

    match: Match
    facts: tuple[Fact, ...]
    waiting: frozenset[Seat]
    author: Seat | None


def _changes(table: Table, ends: Collection[int]) -> dict[int, _Change]:
    """Return the changes of a match by their last entries."""
    log = table.model.log
    last = set(ends)
    facts: list[Fact] = []
    waiting: frozenset[Seat] = frozenset()
    found = {}
    author: Seat | None = None
    for match, news in walk(log):
        facts += news
        entry = match.log[-1]
        author = entry.seat if entry.kind == "play" else author
        if entry.seq in last:
            found[entry.seq] = _Change(match, tuple(facts), waiting, author)
            facts, waiting, author = [], match.to_act, None
    return found


def _check_boards(month: Month, table: Table, channel: int, found: Findings) -> None:
    changes = _changes(table, table.ends)
    shown = [
        (message, call[2])
        for message in month.stage.posts_by_bot(channel)
        if message.attachments
        and message.attachments[0]["filename"].startswith(f"{table.id}-")
        and (call := call_of(message)) is not None
        and call[1] == table.id
    ]
    seqs = [seq for _, seq in shown]
    found.boards += len(seqs)
    for seq, times in Counter(seqs).items():
        if times > 1:
            found.wrong.append(f"{table.id}: the board of entry {seq} stands {times} times in {channel}")
    current = channel == _channels(table)[-1] or table.home is None
    if current and seqs[-1:] != [table.ends[-1]]:
        found.wrong.append(f"{table.id}: the last board in {channel} is {seqs[-1:]}, not {table.ends[-1]}")
    if seqs != sorted(seqs) and not table.restored:
        found.wrong.append(f"{table.id}: boards out of order in {channel}: {seqs}")
    before = -1
    for message, seq in shown:
        if seq not in changes and table.model.log[seq].kind in NOTES:
            continue  # it was deleted, and posted once more after a downtime
        ends, here = table.ends, changes
        if seq not in here and table.model.log[seq].kind is Kind.FLAG and before < 0 and len(table.homes) > 1:
            ends = sorted({*ends, seq})  # the match was moved here while someone's time was up
            here = _changes(table, ends)
        if seq not in here:
            found.wrong.append(f"{table.id}: a board of entry {seq}, with which nothing ended")
            continue
        viewer = next((Seat(at) for at, one in enumerate(table.seats) if one.dm.id == channel), None)
        joined = [here[end] for end in ends if before < end <= seq] or [here[seq]]
        found.joined += len(joined) - 1
        before = seq
        again = (
            _since_position(table, ends, here, seq) if seq in table.restored or ends != table.ends else None
        )
        found.wrong += _hidden_or_loud(month, table, message, joined, again, viewer)


def _since_position(
    table: Table, ends: Collection[int], changes: dict[int, _Change], seq: int
) -> list[_Change]:
    """Return what a board that comes back shows: the last change of the position, and what followed it."""
    found: list[_Change] = []
    before = 0
    for end in ends:
        if end > seq:
            break
        kinds = {entry.kind for entry in table.model.log[before : end + 1]}
        found = [] if kinds - POSITION_KEPT - AUTOMATIC else found
        found.append(changes[end])
        before = end + 1
    return found


def _hidden_or_loud(
    month: Month,
    table: Table,
    message: Message,
    joined: list[_Change],
    again: list[_Change] | None,
    viewer: Seat | None,
) -> Iterator[str]:
    """Yield what is wrong about a board of one or several changes: what it shows, whom it pings.

    One that was deleted may come back with the changes in `again`.
    """
    change = joined[-1]
    shown = month.stage.server.world.files.get(message.attachments[0]["url"])
    spans = [joined[at:] for at in range(len(joined))] + ([] if again is None else [again])
    facts = [tuple(fact for each in span for fact in each.facts) for span in spans]
    if all(shown != sketch(scene_for(change.match, viewer, told)) for told in facts):
        yield f"{table.id}: the board of entry {change.match.seq} isn't what {viewer=} may see"
    moved = len(joined) > 1 or (len(table.homes) > 1 and message.channel_id == table.homes[-1].id)
    called = change.match.to_act - (frozenset() if moved else change.waiting)
    if change.match.ending is not None:
        called = frozenset(map(Seat, range(len(table.seats))))  # the result is told like a move
    may = {table.seats[seat].id for seat in called}
    if change.author is not None and not moved:
        may.discard(table.seats[change.author].id)
    if loud := set(message.ping_user_ids) - may:
        names = [person.name for person in table.seats if person.id in loud]
        yield f"{table.id}: {', '.join(names)} pinged by the board of entry {change.match.seq}"


def _messages(month: Month) -> Iterator[tuple[int, Message]]:
    """Yield the bot's messages with their channels."""
    for channel in tuple(month.stage.server.world.backend.channels):
        for message in month.stage.posts_by_bot(channel):
            yield channel, message


def answers_to_bystanders(month: Month) -> Iterator[str]:
    """Yield the answers to messages that weren't meant for the bot, refusals of what counts, and pings."""
    counted = {message for table in month.tables for message in table.written}
    for _, message in _messages(month):
        if message.reference is None:
            continue
        answered = int(message.reference["message_id"])
        if answered not in month.spoken:
            yield f"{message.content!r} answers {answered}, which wasn't meant for the bot"
        if answered in counted and not message.content.startswith(("Played in", "It counts")):
            yield f"{message.content!r} answers {answered}, a move that counts"
        if message.ping_user_ids or message.allowed_mentions.replied_user:
            yield f"{message.content!r} pings the one it answers"


def _secrets(month: Month) -> Iterator[str]:
    """Yield where anything stands in public, or in another's direct messages, that only one seat knows."""
    say = catalogue().say
    known: dict[str, dict[str, int]] = {}
    """By match: the sentences that one seat knows, with that person's direct messages."""
    for table in month.tables:
        if not table.game.hidden:
            continue
        lines = known.setdefault(table.id, {})
        for match, _ in walk(table.model.log):
            for number, person in enumerate(table.seats):
                view = match.game.view(match.state, Seat(number))
                for one in match.game.hand(view, Seat(number)):
                    lines[say(one, "en")] = person.dm.id
    for channel, message in _messages(month):
        for name, lines in known.items():
            if name not in message.content:
                continue
            for line, owner in lines.items():
                if owner != channel and len(line) > 12 and line in message.content:
                    yield f"{name}: {line!r}, which is private, stands in {channel}"


def _old_rows(month: Month) -> Iterator[str]:
    for kind, match, error in month.stage.records.ask("SELECT kind, match, error FROM outbox"):
        yield f"{match}: a {kind} still waits: {error}"


def _unwanted_requests(month: Month) -> Iterator[str]:
    for request in month.stage.server.gaps:
        yield f"{request} could not be answered as Discord would"
    for request in month.stage.server.requests:
        yield from (f"{request.method} {request.path}: {fault}" for fault in request.verdict.faults)
