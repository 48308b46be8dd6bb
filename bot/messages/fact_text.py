"""How facts become lines: in at most five, so that a turn reads as a story; one by one for those who ask.

Pure: what a reader may hear was decided before, and so was the voice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from games.engine.game import Fact, Seat
from games.engine.message import Msg, Who

Say = Callable[[Msg], str]


def heard(facts: Iterable[Fact], seat: int | None) -> list[Fact]:
    """The facts that a seat, or a spectator (None), hears."""
    return [fact for fact in facts if fact.to is None or seat in fact.to]


def story(facts: Iterable[Fact], say: Say, most: int) -> str:
    """Facts, details apart, each behind the others of its line; about `most` characters at most."""
    lines: dict[int, list[str]] = {}
    for fact in facts:
        if not fact.detail:
            lines.setdefault(fact.line, []).append(say(fact.msg).rstrip("."))
    return "\n".join(_shortened([lines[number] for number in sorted(lines)], most))


def by_mover(facts: Sequence[Fact]) -> list[tuple[Seat | None, list[Fact]]]:
    """Group facts by who made them happen, in order; what chance does belongs to what it follows."""
    groups: list[tuple[Seat | None, list[Fact]]] = []
    for fact in facts:
        if groups and (fact.by is None or fact.by == groups[-1][0]):
            groups[-1][1].append(fact)
        elif groups and groups[-1][0] is None:
            groups[-1] = (fact.by, [*groups[-1][1], fact])
        else:
            groups.append((fact.by, [fact]))
    return groups


def details(facts: Iterable[Fact], say: Say, most: int) -> str:
    """Facts, details among them, each on its own line; what is too long begins later."""
    lines = [say(fact.msg) for fact in facts]
    room = most - 2
    while lines and len("\n".join(lines)) > room:
        lines.pop(0)
        room = most - 4  # of which the dots take two
    return "\n".join(lines if room == most - 2 else ["…", *lines])


def names_its_seats(facts: Sequence[Fact], seat: int) -> bool:
    """Whether the first facts say themselves who did it, as where several decided at once."""
    who = [dict(fact.msg.values).get("who") for fact in facts if fact.line == 0 and not fact.detail]
    return Who(seat) in who and None not in who


def _shortened(lines: list[list[str]], most: int) -> list[str]:
    """Each line joined. Of what is too much, the middle of the longest lines is left out and counted."""
    dropped = [0] * len(lines)

    def joined(at: int) -> str:
        parts, gone = lines[at], dropped[at]
        half = (len(parts) + 1) // 2
        return " · ".join((*parts[:half], *((f"… +{gone}",) if gone else ()), *parts[half:]))

    said = [joined(at) for at in range(len(lines))]
    while sum(map(len, said)) > most and any(len(parts) > 1 for parts in lines):
        at = max((at for at, parts in enumerate(lines) if len(parts) > 1), key=lambda at: len(said[at]))
        lines[at].pop(len(lines[at]) // 2)
        dropped[at] += 1
        said[at] = joined(at)
    return said
