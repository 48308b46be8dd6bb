"""What errors of Discord mean, and what becomes of the messages, as the outbox decides it."""

from __future__ import annotations

from datetime import timedelta

from bot.outbound import remedies
from bot.outbound.remedies import Meaning, Remedy, Stage, about_person, fate, is_reported
from matches.outbox.base import Loss
from tests.documents.pages import table

_UNCODED = {
    Remedy.RETRY: "from 500 on, cut connections, our own errors",
    Remedy.PAUSE: "403 and 429 of the proxy",
    Remedy.WAIT: "30xxx and all others",
    Remedy.AWAY: "seen without asking",
}
"""What else has a remedy, in the row of that remedy which is the default."""


def _meanings() -> list[Meaning]:
    """Return the different meanings in the order of their remedies."""
    found = (*remedies.CODES.values(), *remedies.STATUSES.values(), remedies.AWAY)
    return sorted(
        {Meaning(one.remedy, one.why) for one in found},
        key=lambda one: ([*Remedy].index(one.remedy), one != remedies.DEFAULT, one.why),
    )


def codes() -> str:
    """What each code means, by remedy and by what people are told."""
    rows, rest = [], dict(_UNCODED)
    for each in _meanings():
        found = [
            str(code)
            for known in (remedies.CODES, remedies.STATUSES)
            for code in sorted(known)
            if known[code] == each
        ]
        found += [rest.pop(each.remedy)] if each.remedy in rest else []
        rows.append((each.remedy.value, about_person(each).remedy.value, each.why, ", ".join(found)))
    return table(("in a channel", "in direct messages", "told as", "codes and statuses"), rows)


def fates() -> str:
    """What becomes of a message, by remedy and by what its loss means, from the first try to the last."""
    rows = []
    for remedy in Remedy:
        told = is_reported(Meaning(remedy), timedelta(), 0)
        stages = [each for each in Stage if each is not Stage.FIRST or not told]
        ends = [dict.fromkeys(fate(loss, remedy, each).value for each in stages) for loss in Loss]
        rows.append((remedy.value, *map("; then ".join, ends)))
    return table(("remedy", "board, lobby, notice", "thread", "others"), rows)
