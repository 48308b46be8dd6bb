"""Facts that take time: a message posted twice appears once, for a while; edits of old messages are limited.

https://docs.discord.com/developers/resources/message, "Create Message"
"""

from __future__ import annotations

import secrets
from dataclasses import replace

from cli.rehearse.facts import FACTS, DiscordFact, fact, limit, yes
from cli.rehearse.stage import NotTriedError, RehearsalStage
from cli.rehearse.wire import RestAnswer

MINUTES = (1, 3, 6, 10)
HOUR = 3600.0
"""Seconds after which a message is old."""
_MOST_EDITS = 60


@fact("An enforced nonce that is repeated at once returns the first message.")
async def _nonce_twice(stage: RehearsalStage) -> str:
    nonce = secrets.token_hex(8)
    return await _repeated(stage, nonce, (await stage.post("first", nonce=nonce, enforce_nonce=True))["id"])


@fact("It does so in another channel, too.")
async def _nonce_elsewhere(stage: RehearsalStage) -> str:
    nonce = secrets.token_hex(8)
    first = await stage.post("first", nonce=nonce, enforce_nonce=True)
    other = (await stage.new_channel())["id"]
    return await _repeated(stage, nonce, first["id"], channel=other)


@fact("Without enforce_nonce the same nonce makes another message.")
async def _nonce_unenforced(stage: RehearsalStage) -> str:
    first = await stage.post("first", nonce="rehearsal")
    second = await stage.post("second", nonce="rehearsal")
    return "same" if first["id"] == second["id"] else "another"


@limit("A nonce has a limit of characters.", 50)
async def _long_nonce(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send({"content": "nonce", "nonce": "x" * size})


@fact("The answer to a post carries its nonce; a message that is read later doesn't.")
async def _nonce_read_later(stage: RehearsalStage) -> str:
    posted = await stage.post(nonce="rehearsal")
    found = stage.given(await stage.rest("GET", f"/channels/{stage.channel}/messages/{posted['id']}"))
    return f"answer {yes(posted.get('nonce'))}, later {yes(found.get('nonce'))}"


async def begin(stage: RehearsalStage) -> None:
    """Post the messages that are to be repeated or edited later."""
    for known in FACTS:
        if known.after and (known.after < HOUR or stage.old_edits):
            nonce = secrets.token_hex(8)
            try:
                posted = await stage.post(f"nonce, {known.after:.0f} s", nonce=nonce, enforce_nonce=True)
            except NotTriedError:
                continue
            stage.begun[known.key] = (nonce, posted["id"], stage.pace.now())


async def _repeated(stage: RehearsalStage, nonce: str, first: str, channel: str = "") -> str:
    again = await stage.post("again", channel=channel, nonce=nonce, enforce_nonce=True)
    return "same" if again["id"] == first else "another"


def _later(minutes: int) -> DiscordFact:
    key = f"nonce-after-{minutes}-min"

    async def check(stage: RehearsalStage) -> str:
        if key not in stage.begun:
            raise NotTriedError("its first message was refused")
        nonce, posted, _ = stage.begun[key]
        return await _repeated(stage, nonce, posted)

    told = f"An enforced nonce that is repeated after {minutes} min returns the first message, or no longer."
    return replace(DiscordFact(key, told, check), after=60.0 * minutes)


async def _old_edits(stage: RehearsalStage) -> str:
    if not stage.old_edits:
        raise NotTriedError("it takes more than an hour: --old-edits")
    if _OLD not in stage.begun:
        raise NotTriedError("its message was refused")
    path = f"/channels/{stage.channel}/messages/{stage.begun[_OLD][1]}"
    for number in range(_MOST_EDITS):
        answer = await stage.rest("PATCH", path, {"content": f"edit {number}"}, hasty=True)
        if not answer.ok:
            if answer.code == 0:  # the route's own limit comes first
                await stage.pace.wait(float(answer.body.get("retry_after", 1)))
                continue
            return f"{number} edits, then {answer.verdict}"
    return f"{_MOST_EDITS} edits"


_OLD = "edits-of-old-messages"
FACTS.extend(map(_later, MINUTES))
FACTS.append(
    DiscordFact(
        _OLD, "Edits of messages older than an hour have a limit of their own.", _old_edits, HOUR + 60.0
    )
)
