"""Answer messages without a ping, and keep the answers that Discord doesn't take now.

Answers aren't in the outbox: they are worth little later. One that fails in passing (a rate limit, an error
of Discord's, a cut connection; see `remedies`) waits in memory and is tried again for a quarter of an
hour. A restart forgets it. Its nonce follows from the answered message, so that Discord, which knows nonces
for a few minutes, posts it once; an answer that may have been posted isn't tried for longer.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord

from bot.messages.outgoing import Outgoing
from bot.outbound import remedies
from bot.outbound.remedies import Meaning, Remedy
from bot.platform.corrections import Correction
from bot.platform.counters import Counters
from matches.ports import Clock

log = logging.getLogger(__name__)
_KEPT = timedelta(minutes=15)
"""How long an answer is worth anything."""
_NONCE_KNOWN = timedelta(minutes=4)
"""How long Discord surely knows a nonce: five minutes or so."""
_MAX_WAITING = 200
"""Maximum number of answers kept: all the tries of those stay far below what Discord bars an address for."""
_NO_REPLIES = 160002
_MAYBE_POSTED = (discord.DiscordServerError, OSError, aiohttp.ClientError)


@dataclass(eq=False, slots=True)
class _Answer:
    channel: discord.abc.Messageable
    reference: discord.MessageReference
    outgoing: Outgoing
    correction: Correction | None
    since: datetime
    due: datetime
    ends: datetime
    tries: int = 0
    quotes: bool = True
    """Whether it is posted as a reply, for which we need the right to read the history."""


class Answers:
    """Answers messages; `try_again` is called by a poller."""

    def __init__(self, clock: Clock, counters: Counters) -> None:
        self._clock = clock
        self._counters = counters
        self._waiting: list[_Answer] = []

    async def send(
        self,
        channel: discord.abc.Messageable,
        reference: discord.MessageReference,
        outgoing: Outgoing,
        correction: Correction | None = None,
    ) -> None:
        """Answer a message, now or as soon as Discord takes it; `correction` gets the posted answer."""
        now = self._clock.now()
        await self._try(_Answer(channel, reference, outgoing, correction, now, now, now + _KEPT))

    async def try_again(self) -> None:
        """Send the waiting answers that are due, oldest first."""
        now = self._clock.now()
        due = [answer for answer in self._waiting if answer.due <= now]
        self._waiting = [answer for answer in self._waiting if answer.due > now]
        for answer in due:
            await self._try(answer)

    async def _try(self, answer: _Answer) -> None:
        if answer.correction is not None and answer.correction.over:
            return  # the right move has come meanwhile
        try:
            message = await self._post(answer)
        except remedies.FAILURES as error:
            self._failed(answer, error)
            return
        if answer.correction is not None:
            answer.correction.message = message

    async def _post(self, answer: _Answer) -> discord.Message:
        fields: dict[str, Any] = answer.outgoing.fields() | {"silent": True}
        if answer.quotes:
            fields["reference"] = answer.reference
        try:
            return await answer.channel.send(nonce=f"a{answer.reference.message_id}", **fields)
        except discord.HTTPException as error:
            if error.code != _NO_REPLIES or not answer.quotes:
                raise
        answer.quotes = False
        return await self._post(answer)

    def _failed(self, answer: _Answer, error: Exception) -> None:
        """Keep an answer for another try, or give it up."""
        what, now = remedies.meaning(error), self._clock.now()
        if isinstance(error, _MAYBE_POSTED):
            answer.ends = min(answer.ends, answer.since + _NONCE_KNOWN)
        answer.due = now + _wait(what, answer.tries)
        answer.tries += 1
        passing = remedies.passes(what)
        if passing and answer.due < answer.ends and len(self._waiting) < _MAX_WAITING:
            self._waiting.append(answer)
            return
        about = {"channel": answer.reference.channel_id, "code": what.label, "tries": answer.tries}
        log.warning("an answer could not be sent", extra=about | {"error": repr(error)})
        self._counters.add(f"answers: dropped ({what.label})")


def _wait(what: Meaning, tries: int) -> timedelta:
    wait = remedies.wait_before_next(what, tries)
    if what.remedy is Remedy.PAUSE:
        return max(wait, remedies.doubled(remedies.PAUSE_FIRST, tries, remedies.PAUSE_MOST))
    return wait
