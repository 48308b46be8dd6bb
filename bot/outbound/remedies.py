"""What becomes of a message that Discord doesn't take: what each code means, and what is done about it.

`CODES` gives each code its remedy, with a default for unknown ones; `fate` returns what becomes of a message,
by the remedy and by what its loss means. docs/discord.md has both as tables, under "Refusals". Every remedy
has an end, so that no message is tried for ever in silence:

- RETRY: it passes on its own. Again after 1 s, 2 s, 4 s ... 10 min; the people of the match are notified
  after an hour, and the message is parked after a week.
- PAUSE: Discord, or the proxy in front of it, answers none of our requests. As RETRY, and nothing at all is
  sent for 30 s, 1 min ... 10 min: 10,000 such answers in ten minutes bar the address.
- WAIT: someone on the server can put it right. They are notified at once; again each minute, after ten
  minutes less and less often, down to once an hour; parked after two weeks.
- GONE: the channel no longer exists. The people are notified at once; parked until the match continues
  elsewhere.
- AWAY: the bot isn't in the server. Nothing is tried, the people are notified; parked until it is back.
- CLOSED: the person takes no direct messages. The other players are notified; parked until they write to us.
- PLAIN: Discord doesn't take the content. Sent once more at once as text without files; if that is refused
  too, it is dropped, and the people are notified.
- DROP: it can't be meant for a message of the outbox. Dropped, logged and counted.

A parked message is kept until what it waits for is back (`Store.outbox_park`), and a newer board that was
posted meanwhile replaces it. https://docs.discord.com/developers/topics/opcodes-and-status-codes
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, assert_never

import aiohttp
import discord

from matches.outbox.base import Loss

FAILURES: Final = (discord.HTTPException, discord.RateLimited, OSError, aiohttp.ClientError)
"""What a request to Discord can fail with, and `meaning` explains."""


class Remedy(enum.Enum):
    """What to do with a message that Discord didn't take."""

    RETRY = "retry"
    PAUSE = "pause"
    WAIT = "wait"
    GONE = "gone"
    AWAY = "away"
    CLOSED = "closed"
    PLAIN = "plain"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an error means. `why` is the text that people see, a key below `bot.unreachable`."""

    remedy: Remedy
    why: str = "failed"
    label: str = ""
    """Discord's code, the HTTP status or the error's class: for logs and counts."""
    wait: timedelta = timedelta()
    """How long Discord asks to wait at least."""


_PERMISSION, _LOCKED = Meaning(Remedy.WAIT, "permission"), Meaning(Remedy.WAIT, "locked")
_THREADS, _REFUSED = Meaning(Remedy.WAIT, "threads"), Meaning(Remedy.WAIT, "refused")
_PERSON, _CONTENT = Meaning(Remedy.CLOSED, "person"), Meaning(Remedy.PLAIN, "content")
_RETRY, _PAUSE = Meaning(Remedy.RETRY), Meaning(Remedy.PAUSE)
_CHANNEL, _DROP = Meaning(Remedy.GONE, "channel"), Meaning(Remedy.DROP, "refused")
CHANNEL_GONE, AWAY = replace(_CHANNEL, label="gone"), Meaning(Remedy.AWAY, "guild", "away")
"""What we know without asking Discord."""

CODES: dict[int, Meaning] = {
    10003: _CHANNEL,  # unknown channel
    10004: _CHANNEL,  # unknown guild
    10008: _RETRY,  # unknown message: the next try posts it anew
    10013: _PERSON,  # unknown user: the account was deleted
    10015: _DROP,  # unknown webhook: of an interaction
    10062: _DROP,  # unknown interaction
    20009: _CONTENT,  # a picture that Discord takes for explicit
    20016: _RETRY,  # slow mode
    20022: _RETRY,  # the limit of announcements
    20026: _RETRY,  # Discord bars us from direct messages for a while, as it suspects spam
    20028: _RETRY,  # the channel's limit of writes
    20029: _RETRY,  # the server's limit of writes
    30046: _RETRY,  # too many edits of old messages; mirrors are posted anew instead
    40001: _PAUSE,  # the token is no longer valid
    40003: _RETRY,  # direct messages are opened too fast
    40004: _RETRY,  # nobody can send messages for a while
    40005: _CONTENT,  # the request is too large
    40006: _RETRY,  # Discord has switched something off for a while
    40043: _DROP,  # an interaction's answer that didn't arrive
    40058: _REFUSED,  # a forum post without its first message
    40060: _DROP,  # an interaction that was answered before
    40062: _RETRY,  # the service is rate limited
    40067: _REFUSED,  # a forum post without a tag that we could set
    40094: _DROP,  # too many answers to one interaction
    40333: _PAUSE,  # the proxy bars us
    50001: _PERMISSION,  # missing access
    50006: _CONTENT,  # an empty message
    50007: _PERSON,  # closed direct messages
    50008: _REFUSED,  # a channel without messages
    50013: _PERMISSION,  # missing permissions
    50014: _PAUSE,  # the token is no longer valid
    50024: _REFUSED,  # a wrong kind of channel
    50027: _DROP,  # the token of an interaction has ended
    50035: _CONTENT,  # invalid form body
    50045: _CONTENT,  # a file is too large
    50046: _CONTENT,  # a file that is refused
    50083: _LOCKED,  # an archived thread that can't be woken
    50109: _CONTENT,  # invalid JSON
    50110: _CONTENT,  # a file that is refused
    50123: _CONTENT,  # a kind of file that is refused
    50138: _CONTENT,  # a picture that can't be made small enough
    50146: _CONTENT,  # a file that was lost on its way
    50278: _PERSON,  # no server in common
    110001: _RETRY,  # the application isn't ready yet
    130000: _RETRY,  # overloaded
    160002: _PERMISSION,  # a reply without the right to read the history
    160004: _RETRY,  # the message has a thread: the next try finds it
    160005: _LOCKED,  # a locked thread
    160006: _THREADS,  # too many active threads: an archived one can't be woken
    160007: _THREADS,  # too many active threads of announcements
    200000: _REFUSED,  # AutoMod blocks the message
    200001: _REFUSED,  # AutoMod blocks the title
    240000: _REFUSED,  # the filter of harmful links blocks the message
    400001: _CONTENT,  # the server may send no files
}
"""The codes by which Discord explains a refusal. Others count as their range, status or the default."""

LIMITS = range(30000, 40000)
"""The codes of limits of a server that are reached (pins, channels, members of a thread ...)."""

STATUSES: dict[int, Meaning] = {
    401: _PAUSE,  # the token is no longer valid: the gateway closes soon, with 4004
    408: _RETRY,
    413: _CONTENT,  # the proxy's refusal of a large request carries no code
    429: _RETRY,
}
"""The HTTP statuses without a known code, those from 500 on excepted: they pass."""

DEFAULT = _REFUSED
"""A refusal that we don't know: people are shown its code, and may have the match go on elsewhere."""


def meaning(error: Exception) -> Meaning:
    """Return what an error means that was raised while a message was being sent."""
    if isinstance(error, discord.RateLimited):
        wait = timedelta(seconds=error.retry_after)
        return Meaning(Remedy.RETRY, label="429", wait=wait)
    if not isinstance(error, discord.HTTPException):
        return Meaning(Remedy.RETRY, label=type(error).__name__)
    found = _refusal(error)
    return Meaning(found.remedy, found.why, str(error.code or error.status))


def _refusal(error: discord.HTTPException) -> Meaning:
    if error.status >= 500:
        return _RETRY
    if error.code in CODES:
        return CODES[error.code]
    if error.code in LIMITS:
        return _REFUSED
    if error.status in (403, 429) and by_proxy(error):
        return _PAUSE
    return STATUSES.get(error.status, DEFAULT)


def passes(what: Meaning) -> bool:
    """Return whether what was wrong passes on its own."""
    return what.remedy in (Remedy.RETRY, Remedy.PAUSE)


def about_person(what: Meaning) -> Meaning:
    """Return what an error means for a direct message: only with CLOSED does the person take none.

    Nobody but Discord can put anything else right, so it is tried again, more and more rarely.
    """
    retried = what.remedy in (Remedy.WAIT, Remedy.GONE)
    return replace(what, remedy=Remedy.RETRY) if retried else what


def by_proxy(error: discord.HTTPException) -> bool:
    """Return whether not Discord but the proxy in front of it has answered, as it does when it bars us.

    Its answers aren't JSON, and its 429 has no `Via`.
    """
    headers = getattr(error.response, "headers", None)
    if not headers:
        return False
    return "json" not in headers.get("Content-Type", "") or (error.status == 429 and "Via" not in headers)


# --- how long, and when it ends ---------------------------------------------------------------------------

RETRY_FIRST, RETRY_MOST = timedelta(seconds=1), timedelta(minutes=10)
WAIT_FIRST, WAIT_MOST = timedelta(minutes=1), timedelta(hours=1)
WAITS_EVENLY = 10
"""How often WAIT_FIRST is waited before the waits grow."""
PAUSE_FIRST, PAUSE_MOST = timedelta(seconds=30), timedelta(minutes=10)

REPORT_AFTER, REPORT_TRIES = timedelta(hours=1), 10
PARK_AFTER, PARK_TRIES = timedelta(days=7), 50
PARK_WAITING_AFTER, PARK_WAITING_TRIES = timedelta(days=14), 20
"""Ages of a message with the number of failed tries: one that a downtime made old has its tries first."""


def wait_before_next(what: Meaning, tries: int) -> timedelta:
    """Return how long a message waits that has failed `tries` times before this one."""
    if what.remedy is Remedy.WAIT:
        return doubled(WAIT_FIRST, tries - WAITS_EVENLY, WAIT_MOST)
    return max(doubled(RETRY_FIRST, tries, RETRY_MOST), what.wait)


def doubled(first: timedelta, times: int, most: timedelta) -> timedelta:
    """Return a wait that is doubled a number of times, up to the longest one."""
    factor: int = 2 ** min(max(times, 0), 12)
    return min(first * factor, most)


def is_reported(what: Meaning, age: timedelta, tries: int) -> bool:
    """Return whether people are to hear of a message that waits; `tries` have failed before this one."""
    return what.remedy is Remedy.WAIT or (age >= REPORT_AFTER and tries >= REPORT_TRIES)


def is_parked(what: Meaning, age: timedelta, tries: int) -> bool:
    """Return whether a message has been tried for long enough."""
    if what.remedy is Remedy.WAIT:
        return age >= PARK_WAITING_AFTER and tries >= PARK_WAITING_TRIES
    return age >= PARK_AFTER and tries >= PARK_TRIES


class Stage(enum.Enum):
    """How far the tries of a message have come."""

    FIRST = "at first"
    REPORTED = "for so long that people are to hear of it"
    ENDED = "for long enough, or in each way that there is"


def stage(what: Meaning, age: timedelta, tries: int, *, plainer: bool) -> Stage:
    """Return how far the tries of a message have come; `plainer` if it can be sent as text yet."""
    if what.remedy is Remedy.PLAIN:
        return Stage.FIRST if plainer else Stage.ENDED
    if is_parked(what, age, tries):
        return Stage.ENDED
    return Stage.REPORTED if is_reported(what, age, tries) else Stage.FIRST


# --- what becomes of it -----------------------------------------------------------------------------------


class Fate(enum.Enum):
    """What becomes of a message that Discord didn't take."""

    LATER = "tried again"
    REPORTED = "reported, and tried again"
    PLAINER = "sent at once as text"
    PARKED = "reported, and parked"
    DETOUR = "the match goes on without it"
    LOST = "lost"
    """Its kind does what else there is to do, and names its fate."""
    REPLACED = "another message takes its place"
    DROPPED = "dropped"
    REPORTED_LOSS = "reported, and dropped"


def fate(loss: Loss, remedy: Remedy, tried: Stage) -> Fate:
    """Return what becomes of a message for which Discord has this remedy."""
    match loss:
        case Loss.MATCH:
            return _of_match(remedy, tried)
        case Loss.DETOUR:
            return _of_thread(remedy, tried)
        case Loss.NONE:
            return _of_others(remedy, tried)
        case _:
            assert_never(loss)


def _of_match(remedy: Remedy, tried: Stage) -> Fate:
    match remedy:
        case Remedy.RETRY | Remedy.PAUSE:
            return _by_stage(tried, Fate.LATER, Fate.REPORTED, Fate.PARKED)
        case Remedy.WAIT:
            return _by_stage(tried, Fate.REPORTED, Fate.REPORTED, Fate.PARKED)
        case Remedy.GONE | Remedy.AWAY | Remedy.CLOSED:
            return Fate.PARKED
        case Remedy.PLAIN:
            return _by_stage(tried, Fate.PLAINER, Fate.PLAINER, Fate.REPORTED_LOSS)
        case Remedy.DROP:
            return Fate.REPORTED_LOSS
        case _:
            assert_never(remedy)


def _of_thread(remedy: Remedy, tried: Stage) -> Fate:
    match remedy:
        case Remedy.RETRY | Remedy.PAUSE:
            return _by_stage(tried, Fate.LATER, Fate.DETOUR, Fate.DETOUR)
        case Remedy.WAIT | Remedy.AWAY:
            return _of_match(remedy, tried)
        case Remedy.GONE | Remedy.CLOSED | Remedy.PLAIN | Remedy.DROP:
            return Fate.DETOUR
        case _:
            assert_never(remedy)


def _of_others(remedy: Remedy, tried: Stage) -> Fate:
    match remedy:
        case Remedy.RETRY | Remedy.PAUSE:
            return _by_stage(tried, Fate.LATER, Fate.LATER, Fate.LOST)
        case Remedy.PLAIN:
            return _by_stage(tried, Fate.PLAINER, Fate.PLAINER, Fate.LOST)
        case Remedy.WAIT | Remedy.GONE | Remedy.AWAY | Remedy.CLOSED | Remedy.DROP:
            return Fate.LOST
        case _:
            assert_never(remedy)


def _by_stage(tried: Stage, first: Fate, reported: Fate, ended: Fate) -> Fate:
    match tried:
        case Stage.FIRST:
            return first
        case Stage.REPORTED:
            return reported
        case Stage.ENDED:
            return ended
        case _:
            assert_never(tried)
