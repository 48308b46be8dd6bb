"""Orders as a text says them, before anybody asks whether they can be carried out; and how they are written.

What is left of a text after its first order is written anew here, always shorter than what it came from: an
attack leaves `>kam` behind, "if KAM was taken, its armies move in; else no further".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.domination.maps.atlas import Atlas
from games.domination.rules.actions import ROLLS

ALL: Final = -1
"""All armies that are left to place."""
NO_AMOUNT: Final = 0
STOPS: Final = ("until", "lead", "dice", "x")
SHARES: Final = ("all", "min", "half", "n", "stay", "auto")
MOST_ROLLS: Final = 30
"""Rolls that one order may count at most."""
JUDGED_ROLLS: Final = 12
"""Rolls at most where two things may stop an attack: then each one is an order of its own."""


class Share(NamedTuple):
    """How many armies move: all that may, the fewest, half, `n` of them, or all but `n` that stay.

    `auto` is all where no enemy is near any more, else all but n, the fewest if n is 0.
    """

    how: str
    n: int = 0

    @property
    def text(self) -> str:
        """As it is typed."""
        if self.how == "n":
            return str(self.n)
        return f"{self.how} {self.n}" if self.n else self.how


class Command(NamedTuple):
    """One order. What doesn't belong to its verb is empty."""

    verb: str
    """A kind of action, or `setup`, `more`, `guard`, `shift`, `skip`, `auto`; empty where none is said.

    A `shift` moves armies between two countries: into the one that was taken, or at the end of the turn.
    """
    codes: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()
    """Of armies for each country; ALL, or NO_AMOUNT where none is said."""
    stops: tuple[tuple[str, int], ...] = ()
    """When an attack stops; several `x` are rolls one after the other, judged each time."""
    share: Share | None = None
    cards: tuple[str, ...] = ()
    """Names of cards, or their places in the hand."""
    bonus: str = ""
    loose: bool = False
    """Of a guard: go on too if the country wasn't taken."""
    chained: bool = False
    """Of an attack: along several countries, all armies moving."""
    start: int = 0
    end: int = 0
    joined: bool = False
    """Whether a comma or "and" is before it."""

    @property
    def text(self) -> str:
        """The order as `canonical` reads it."""
        return _written(self)


def _written(command: Command) -> str:
    verb, codes = command.verb, command.codes
    share = f" {command.share.text}" if command.share is not None else ""
    if verb == "guard":
        return f">{codes[0]}{'?' if command.loose else ''}{share}"
    if verb in ("place", "setup"):
        pairs = zip(codes, command.amounts, strict=True)
        words = [f"{code} {_amount(n)}".rstrip() for code, n in pairs]
        return " ".join([verb, *words])
    if verb in ("attack", "more"):
        stops = [f"x{n}" if how == "x" else f"{how} {n}" for how, n in command.stops]
        return " ".join([verb, *codes, *stops]) + (f" move{share}" if share else "")
    if verb in ("country", "number"):
        return " ".join([*codes, *map(str, command.amounts[-1:] if verb == "number" else ())])
    if verb == "trade":
        more = f" bonus {command.bonus}" if command.bonus else ""
        cards = ["wild" if card == "*" else card for card in command.cards]
        return " ".join([verb, *cards]) + more
    return " ".join([verb, *codes]) + share


def _amount(n: int) -> str:
    return "all" if n == ALL else str(n) if n else ""


def joined(commands: Iterable[Command]) -> str:
    """Several orders as one text."""
    return "; ".join(command.text for command in commands)


# --- reading what was written here -----------------------------------------------------------------------

_BARE: Final = frozenset(("done", "keep", "end", "continue", "stop", "auto", "skip"))


def canonical(atlas: Atlas, text: str, start: int = 0) -> Command | None:
    """Read an order as it is written here, whatever countries are called; None for anything else."""
    head, *tail = text.split() or [""]
    command = _bare(head, tail) or _listed(atlas, head, tail) or _fought(atlas, head, tail)
    return None if command is None else command._replace(start=start, end=start + len(text))


def _bare(head: str, tail: list[str]) -> Command | None:
    if not tail and head in _BARE:
        return Command(head)
    if head == "move" and (share := _share(tail)) is not None:
        return Command("move", share=share)
    return None


def _share(words: Sequence[str]) -> Share | None:
    match words:
        case [("all" | "min" | "half" | "auto") as how]:
            return Share(how)
        case [("stay" | "auto") as how, n] if _number(n):
            return Share(how, int(n))
        case [n] if _number(n):
            return Share("n", int(n))
        case _:
            return None


def _listed(atlas: Atlas, head: str, tail: list[str]) -> Command | None:
    index = atlas.index
    if head in ("claim", "queue", "capital") and tail and all(code in index for code in tail):
        return Command(head, tuple(tail))
    if head in ("place", "setup") and tail:
        codes, amounts = tail[::2], tail[1::2]
        said = all(n == "all" or (_number(n) and int(n)) for n in amounts)
        if len(codes) != len(amounts) or not said or not all(code in index for code in codes):
            return None
        found = tuple(ALL if n == "all" else int(n) for n in amounts)
        return None if ALL in found[:-1] else Command(head, tuple(codes), found)
    if head == "trade" and len(tail) in (3, 5):
        cards = tuple("*" if word == "wild" else word for word in tail[:3])
        known = all(card == "*" or card.partition("*")[0] in index for card in cards)
        if known and (len(tail) == 3 or (tail[3] == "bonus" and tail[4] in index)):
            return Command("trade", cards=cards, bonus=tail[4] if len(tail) == 5 else "")
    return None


def _fought(atlas: Atlas, head: str, tail: list[str]) -> Command | None:
    index = atlas.index
    if head.startswith(">"):
        code = head[1:].removesuffix("?")
        share = _share(tail)
        if code in index and (share is not None or not tail):
            return Command("guard", (code,), share=share, loose=head.endswith("?"))
        return None
    if len(tail) < 2 or tail[0] not in index or tail[1] not in index:
        return None
    codes, more = (tail[0], tail[1]), tail[2:]
    if head == "fortify":
        share = _share(more)
        return Command("fortify", codes, share=share) if share is not None else None
    if head == "blitz":
        return Command("attack", codes, stops=(("until", 1),)) if not more else None
    if head == "roll":
        if len(more) == 1 and _number(more[0]):
            return Command("attack", codes, stops=(("dice", int(more[0])),))
        return Command("attack", codes, stops=(("x", 1),)) if not more else None
    if head not in ("attack", "more"):
        return None
    stops, n = [], 0
    while n < len(more) and more[n] != "move":
        word = more[n]
        if word[:1] == "x" and _number(word[1:]):
            stops.append(("x", int(word[1:])))
            n += 1
        elif word in STOPS[:3] and n + 1 < len(more) and _number(more[n + 1]):
            stops.append((word, int(more[n + 1])))
            n += 2
        else:
            return None
    share = _share(more[n + 1 :])
    if share is None and n < len(more):
        return None
    return Command(head, codes, stops=tuple(stops), share=share)


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6


def clashing(stops: tuple[tuple[str, int], ...]) -> str:
    """Why an attack can't be stopped by all of these, as `domination.refuse.{}`; empty if it can."""
    kinds = [how for how, _ in stops if how != "x"]
    rolls = sum(n for how, n in stops if how == "x")
    counted = any(how == "x" for how, _ in stops)
    if len(set(kinds)) < len(kinds) or ("dice" in kinds and len(stops) > 1):
        return "two_stops"
    if len(kinds) > 1 and not counted:
        return "two_stops"
    most = JUDGED_ROLLS if kinds else MOST_ROLLS
    return "many_rolls" if counted and not 1 <= rolls <= most else ""


# --- what several orders mean together -------------------------------------------------------------------


def arranged(commands: Sequence[Command], *, moving: bool) -> tuple[Command, ...]:
    """Chains as single attacks, armies that move in with their attack, long counts of rolls in parts.

    `keep 3` before attacks leaves three behind in each of them. `moving`: whether armies are to move in
    right now, so that the first order may say how many.
    """
    found: list[Command] = []
    stay = 0
    for n, command in enumerate(commands):
        if command.verb == "move" and not (moving and n == 0) and command.share is not None:
            last = found[-1] if found else None
            if last is not None and last.verb in ("attack", "more", "guard") and last.share is None:
                found[-1] = last._replace(share=command.share)
                continue
            if command.share.how == "stay" and any(each.verb == "attack" for each in commands[n + 1 :]):
                stay = command.share.n
                continue
        if command.verb in ("attack", "more"):
            found += _attacks(command, stay)
        elif command.verb == "fortify" and len(commands) > 1 and len(command.codes) == 2:
            found.append(command._replace(share=command.share or Share("all")))
        else:
            found.append(command)
    return tuple(found)


def _attacks(command: Command, stay: int) -> list[Command]:
    command = command._replace(stops=_rolls(command.stops))
    if command.share is None and stay:
        command = command._replace(share=Share("auto", stay))
    if len(command.codes) < 3:
        return [command]
    share = command.share or Share("all")
    pairs = zip(command.codes, command.codes[1:], strict=False)
    return [command._replace(codes=pair, share=share, chained=False) for pair in pairs]


def _rolls(stops: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Rolls in parts that can be ordered: one by one where something else may stop the attack as well."""
    others = tuple(stop for stop in stops if stop[0] != "x")
    count = sum(n for how, n in stops if how == "x")
    part = 1 if others else ROLLS
    parts = [part] * (count // part) + ([count % part] if count % part else [])
    return (*others, *(("x", n) for n in parts))
