"""Turn the facts of a turn into text: a summary in at most five lines, or each fact on a line of its own.

Pure functions; what the reader may know and which language they read is decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from games.engine.game import Fact, Seat
from games.engine.message import Msg, Who, seats_in

Say = Callable[[Msg], str]
_BY_HOST = "match.fact."
"""How the keys of facts begin that aren't about a move."""


def facts_for(facts: Iterable[Fact], seat: int | None) -> list[Fact]:
    """Return the facts that a seat, or a spectator (None), may know."""
    return [fact for fact in facts if fact.to is None or seat in fact.to]


def summary(facts: Iterable[Fact], say: Say, most: int) -> str:
    """Return the facts except details, joined by `Fact.line`; shortened to about `most` characters."""
    lines: dict[int, list[str]] = {}
    for fact in facts:
        if not fact.detail:
            lines.setdefault(fact.line, []).append(say(fact.msg).rstrip("."))
    return "\n".join(_shortened([lines[number] for number in sorted(lines)], most))


class FactGroup(NamedTuple):
    """Facts in a row that one seat caused, by its own action or one played for it, or that the host notes."""

    seat: Seat | None
    facts: list[Fact]
    default: bool = False
    """Whether the clock played for the seat."""
    host: bool = False
    """Whether they aren't about a move, such as that time is up."""


def by_mover(facts: Sequence[Fact]) -> list[FactGroup]:
    """Group facts by the seat that caused them, in order; dice and draws belong to the facts before them."""
    groups: list[FactGroup] = []
    for fact in facts:
        last = groups[-1] if groups else None
        host = fact.by is None and fact.msg.key.startswith(_BY_HOST)
        if last is None or (host and not last.host):
            groups.append(FactGroup(fact.by, [fact], fact.default, host))
        elif host or fact.by is None or (fact.by, fact.default) == (last.seat, last.default):
            last.facts.append(fact)
        elif last.seat is None and not last.host and not is_private_draw(last.facts):
            groups[-1] = FactGroup(fact.by, [*last.facts, fact], fact.default)
        else:
            groups.append(FactGroup(fact.by, [fact], fact.default))
    return groups


def full_text(facts: Iterable[Fact], say: Say, most: int) -> str:
    """Return all facts, each on its own line; the first lines are dropped beyond `most` characters."""
    lines = [say(fact.msg) for fact in facts]
    room = most - 2
    while lines and len("\n".join(lines)) > room:
        lines.pop(0)
        room = most - 4  # the ellipsis takes two
    return "\n".join(lines if room == most - 2 else ["…", *lines])


def names_its_seats(facts: Sequence[Fact], seat: int) -> bool:
    """Return whether the first fact of the first line names a seat, or all of them say who they are of."""
    shown = [fact for fact in facts if not fact.detail]
    first = min((fact.line for fact in shown), default=0)
    texts = [fact.msg for fact in shown if fact.line == first]
    who = [dict(message.values).get("who") for message in texts]
    return any(seat in seats_in(message) for message in texts[:1]) or (Who(seat) in who and None not in who)


def is_private_draw(facts: Iterable[Fact]) -> bool:
    """Return whether all of these facts are what the host gave one seat, such as a mission or cards."""
    return all(fact.by is None and fact.to is not None for fact in facts)


def _shortened(lines: list[list[str]], most: int) -> list[str]:
    """Join the parts of each line; beyond `most` characters, drop and count the middle of the longest."""
    dropped = [0] * len(lines)

    def joined(at: int) -> str:
        parts, gone = lines[at], dropped[at]
        half = (len(parts) + 1) // 2
        return " · ".join((*parts[:half], *((f"… +{gone}",) if gone else ()), *parts[half:]))

    texts = [joined(at) for at in range(len(lines))]
    while sum(map(len, texts)) > most and any(len(parts) > 1 for parts in lines):
        at = max((at for at, parts in enumerate(lines) if len(parts) > 1), key=lambda at: len(texts[at]))
        lines[at].pop(len(lines[at]) // 2)
        dropped[at] += 1
        texts[at] = joined(at)
    return texts
