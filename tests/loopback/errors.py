"""Discord's refusals: each code with its HTTP status and sentence, and refusals in the words of a fact.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#json gives codes and sentences, and no
statuses; these are those that bots' logs show, or, for 30033 and 160005, what such refusals have elsewhere.
"""

from __future__ import annotations

from typing import Any

from simcord.backend.errors import BackendError

from tests.discord_facts import statuses, verdict

FORM = 50035

CODES: dict[int, tuple[int, str]] = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10008: (404, "Unknown Message"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    30013: (400, "Maximum number of guild channels reached (500)"),
    30033: (400, "Max number of thread participants has been reached (1000)"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40058: (400, "Cannot message this thread until after the post author has sent an initial message."),
    40060: (400, "Interaction has already been acknowledged."),
    40067: (400, "A tag is required to create a forum post in this channel"),
    40094: (400, "This interaction has reached the maximum number of follow up messages"),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160002: (400, "Cannot reply without permission to read message history"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
}


class SeenRefusalError(BackendError):
    """A refusal in the words of a fact."""


def status(code: int) -> int:
    """Return the status of a code: the one that it was seen to have, else the one above."""
    return statuses().get(code, CODES[code][0])


def sentence(code: int) -> str:
    """Return the sentence of a code; one that was only seen has none."""
    return CODES[code][1] if code in CODES else "Refused"


def refusal(code: int) -> BackendError:
    """Return the refusal of a code, to be raised.

    Raises:
        KeyError: the code isn't listed here.
    """
    return BackendError(status(code), code, CODES[code][1])


def refuse(fact: str, which: int = 0, errors: dict[str, Any] | None = None) -> None:
    """Refuse what a fact is about as Discord was seen to; `which` counts its answers.

    Returns where Discord was seen to allow it. `errors` are those of a form.

    Raises:
        SeenRefusalError: Discord refuses it.
    """
    seen = verdict(fact, which)
    if not seen.ok:
        raise SeenRefusalError(
            seen.status, seen.code, sentence(seen.code), errors=errors if seen.code == FORM else None
        )
