"""The dice of a match or a person in words: what came up, how uneven that is, and how to check it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from bot.platform.discord_limits import MAX_CONTENT
from games.engine.game import Seat
from games.engine.lookback import Die
from games.engine.message import Msg, Value, Who, msg
from matches.lookback.dice import ChiSquare, Counts, SeatRolls, fairness, rolls_needed, total

UNCOMMON = 0.05
"""From this probability on, counts aren't unusual."""
RARE = 0.01
"""Below this probability, counts are called rare."""
_LABEL = 14
"""Maximum number of characters of a row's label."""


@dataclass(frozen=True, slots=True)
class DiceTable:
    """What the dice of one kind showed: a title, rows of counts with their labels, and their test."""

    title: Msg
    results: tuple[Value, ...]
    rows: tuple[tuple[Msg, tuple[int, ...]], ...]
    verdict: tuple[Msg, ...]


def match_dice(rolls: Sequence[SeatRolls]) -> Iterator[DiceTable]:
    """Yield the dice of a match by kind: each seat's counts, then all together with their test."""
    for die, counts in total(rolls).items():
        seats: dict[Seat | None, tuple[int, ...]] = {}
        for each in rolls:
            if each.die == die:
                before = seats.get(each.seat, (0,) * len(counts))
                seats[each.seat] = tuple(a + b for a, b in zip(before, each.counts, strict=True))
        rows = [
            (msg("dice.neutral") if seat is None else msg("dice.seat", who=Who(seat)), own)
            for seat, own in sorted(seats.items(), key=lambda item: (item[0] is None, item[0] or 0))
        ]
        if len(rows) > 1:
            rows.append((msg("dice.together"), tuple(counts)))
        yield _table(die, rows, counts)


def person_dice(counts: Counts) -> Iterator[DiceTable]:
    """Yield the dice of a person: the counts of each kind, with their test."""
    for die, own in counts.items():
        yield _table(die, [(msg("dice.came"), tuple(own))], own)


def _table(die: Die, rows: Sequence[tuple[Msg, tuple[int, ...]]], counts: Sequence[int]) -> DiceTable:
    title = msg("dice.die", die=die.name, n=sum(counts))
    return DiceTable(
        title, tuple(result for result, _ in die.results), tuple(rows), tuple(verdict(die, counts))
    )


def drawn(table: DiceTable, say: Callable[[Msg], str]) -> str:
    """Return a table in even columns, narrow enough for a phone with six results."""
    heads = [say(value) if isinstance(value, Msg) else str(value) for value in table.results]
    labels = ["", *(say(label)[:_LABEL] for label, _ in table.rows)]
    cells = [heads, *([str(n) for n in counts] for _, counts in table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = max(map(len, labels))
    lines = [
        " ".join((label.ljust(left), *(cell.rjust(width) for cell, width in zip(row, widths, strict=True))))
        for label, row in zip(labels, cells, strict=True)
    ]
    return "\n".join(line.rstrip() for line in lines)


def verdict(die: Die, counts: Sequence[int]) -> Iterator[Msg]:
    """Yield what was to be expected of that number of rolls, and how unusual it is, in words."""
    n = sum(counts)
    yield msg("dice.expected", counts=_expected(die, n))
    found = fairness(die, counts)
    if found is None:
        yield msg("dice.few", n=n, least=rolls_needed([float(chance) for _, chance in die.results]))
        return
    yield verdict_of(found, n)
    value, p = f"{found.value:.2f}", f"{found.p:.4f}" if found.p >= 0.0001 else "< 0.0001"
    yield msg("dice.numbers", value=value, freedom=str(found.freedom), p=p)


def verdict_of(found: ChiSquare, n: int) -> Msg:
    """Return what a probability means: how many of a round number of fair series are at least as uneven."""
    if found.p >= RARE:
        times = min(99, max(1, round(100 * found.p)))
        key = "dice.usual" if found.p >= UNCOMMON else "dice.uncommon"
        return msg(key, rolls=str(n), n=times)
    if found.p < 1e-6:
        return msg("dice.extreme", rolls=str(n))
    return msg("dice.rare", rolls=str(n), of=_round_number(1 / found.p))


def _round_number(value: float) -> str:
    """Return a large number with two significant digits, with commas: `12,000`."""
    digits = 10 ** max(0, len(str(int(value))) - 2)
    return f"{round(value / digits) * digits:,}"


def _expected(die: Die, n: int) -> Msg:
    """Return how often each result was to be expected."""
    if len({chance for _, chance in die.results}) == 1:
        return msg("dice.each", share=_tenths(n * float(die.results[0][1])))
    return _in_a_row(
        [msg("dice.share", result=result, share=_tenths(n * float(chance))) for result, chance in die.results]
    )


def _in_a_row(parts: Sequence[Msg]) -> Msg:
    """Return parts with dots between them: a list with "and" is hard to read where each part has a number."""
    return reduce(lambda first, then: msg("dice.and", first=first, then=then), parts)


def _tenths(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def dice_text(head: str, tables: Iterable[DiceTable], foot: Sequence[str], say: Callable[[Msg], str]) -> str:
    """Return a message of these tables; where they don't fit, those in the middle are dropped.

    `say` knows no names of people: the columns are narrow.
    """
    texts = [
        "\n".join([say(each.title), f"```\n{drawn(each, say)}\n```" + "\n".join(map(say, each.verdict))])
        for each in tables
    ]
    while len("\n".join([head, *texts, *foot])) > MAX_CONTENT and texts:
        del texts[len(texts) // 2]
    return "\n".join([head, *texts, *foot])[:MAX_CONTENT]
