"""How messages wait: the rules of the outbox, without Discord, SQL and a clock of their own.

Born with its change. A commit writes its messages into the outbox in its own transaction. So no change is
without its messages, no message without its change, and what a killed process leaves is sent by the next.

Lanes. A message has a lane (`Message.lane`): a match's own channel, one mirror, one person's direct messages,
and so on. The rows of a lane are sent one after the other, by their numbers. A row that must wait holds up
those behind it, and nobody else: lanes don't wait for each other.

Exactly once. A row keeps its nonce, and Discord posts a nonce once within some minutes. After that, and for
rows of an earlier process, the channel is searched for the message first. A row leaves the outbox in one
transaction with the record of its post. So a kill between the two leads to a search, and never to a second
post; what Discord has confirmed is remembered while the database can't be written.

Failing. What a refusal means is one of a few remedies (`bot.outbound.remedies`): try again later, more and
more rarely; pause everything; wait for people; send it plainer; park it; drop it. Each of them ends. What is
done follows from the remedy and from what the loss means for the match (`Loss`): its people hear of what they
would miss, and get it later; the match does without a thread; the rest, such as a ping whose turn has passed,
is dropped.

Parking. A row that nothing of ours can help leaves its lane for `outbox_dead`, with what it waits for: its
match (`until` is its id), which goes on elsewhere or whose server is back, or a person (`until_dms_open`),
who takes no direct messages and may write to us. Then it comes back under its old number and nonce, and so
before all that came later. A parked row that waits for nothing was dropped; it is kept for 30 days.

Merging. Of the boards that have piled up in a lane, only the newest is worth a post: it shows what all of
them would have shown (`merge`). A board that was laid aside and that a newer one has overtaken is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from matches.outbox.messages import BoardMessage, LogNotice
from matches.outbox.queue import OutboxRow

STALE_AFTER = timedelta(minutes=10)
"""From this age on a board isn't posted if a newer one waits behind it."""
_LAID_ASIDE = frozenset(
    {"guild", "channel", "person", "permission", "locked", "threads", "refused", "content", "failed"}
)
"""The reasons with which messages wait or were parked: of these, too, only the newest board is posted."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The rows of a lane after merging; `kept` shows all changes of the boards and notices `covered`."""

    rows: tuple[OutboxRow, ...]
    kept: OutboxRow
    covered: tuple[int, ...]


def merge(rows: Sequence[OutboxRow], now: datetime) -> Merged | None:
    """Return the rows of a lane with its boards merged into the newest; None if the first isn't stale."""
    boards = [(row, row.draft.message) for row in rows if isinstance(row.draft.message, BoardMessage)]
    news = [(row, board) for row, board in boards if not board.again]
    if len(boards) < 2 or not news or not _is_stale(boards[0][0], now):
        return None
    newest, latest = news[-1]
    messages = [(row, row.draft.message) for row in rows if row.id <= newest.id]
    shown = [(row, message) for row, message in messages if isinstance(message, BoardMessage | LogNotice)]
    covered = tuple(row.id for row, _ in shown if row is not newest)
    if not covered:
        return None
    # Without `ping` it calls everyone who is to act: the boards that it covers called some of them.
    board = BoardMessage(
        min(message.first for _, message in shown),
        latest.last,
        reason=" / ".join(message.reason for _, message in shown if message.reason),
    )
    kept = replace(newest, draft=replace(newest.draft, message=board))
    left = tuple(kept if row is newest else row for row in rows if row.id not in covered)
    return Merged(left, kept, covered)


def _is_stale(row: OutboxRow, now: datetime) -> bool:
    return row.error in _LAID_ASIDE or now - row.created >= STALE_AFTER


_PERSON = "user/"


def until_dms_open(user: int) -> str:
    """Return the mark of a parked message that waits until a person's direct messages are open again."""
    return f"{_PERSON}{user}"


def awaited_person(until: str) -> int | None:
    """Return the person that a parked message waits for; None if it waits for a match."""
    return int(until.removeprefix(_PERSON)) if until.startswith(_PERSON) else None
