"""Commands: the parsed orders of a text, legal or not.

A text is read as commands once; those that aren't carried out yet form its script. Some are never typed: an
attack is followed by a `guard`, "if KAM was taken, move armies in; else stop", and by `more` for its
remaining rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from games.domination.maps.atlas import Atlas
from games.domination.rules.actions import MAX_ROLLS

ALL: Final = -1
"""Amount that stands for all armies that are left to place."""
NO_AMOUNT: Final = 0
"""Amount of a country without a number."""
STOPS: Final = ("until", "lead", "dice", "x")
MAX_COUNTED_ROLLS: Final = 30
"""Maximum number of rolls in one order."""
MAX_CHECKED_ROLLS: Final = 12
"""Maximum number of rolls with a second stop rule, where each roll is an action of its own."""


class Share(NamedTuple):
    """How many armies move: all that may, the fewest, half, `n` of them, or all but `n` that stay.

    `auto` is all if no enemy borders the origin any longer; else all but n, or the fewest if n is 0.
    """

    how: str
    n: int = 0


class Command(NamedTuple):
    """One order. Fields that its verb doesn't use are empty."""

    verb: str
    """A kind of action, or `setup`, `more`, `guard`, `shift`, `skip`, `auto`; empty if the text has none.

    A `shift` moves armies between two countries: into the one that was taken, or at the end of the turn.
    """
    codes: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()
    """Armies for each country: a number, ALL or NO_AMOUNT."""
    stops: tuple[tuple[str, int], ...] = ()
    """When an attack stops. Each `x` counts the rolls of one action; the other stops are checked in between.
    """
    share: Share | None = None
    cards: tuple[str, ...] = ()
    """Names of cards, or their positions in the hand."""
    bonus: str = ""
    loose: bool = False
    """Whether a guard lets the script go on even if the country wasn't taken."""
    start: int = 0
    """Position in the text where it begins."""
    end: int = 0
    """Position in the text where it ends."""
    starts: tuple[int, ...] = ()
    """Where the part with each country begins, as far as known."""
    share_start: int = -1
    """Where the number of armies that move in begins; -1 if the text doesn't give it."""
    joined: bool = False
    """Whether it follows a comma or "and"."""

    def begin(self, nth: int) -> int:
        """Return where in the text the part with the nth country begins."""
        return self.starts[nth] if nth < len(self.starts) else self.start

    def without_first(self) -> Command:
        """Return the command without its first country."""
        return self._replace(
            codes=self.codes[1:], amounts=self.amounts[1:], starts=self.starts[1:], start=self.begin(1)
        )


# --- orders as the bot writes them ----------------------------------------------------------------------

_BARE: Final = frozenset(("done", "keep", "end", "continue", "stop", "auto", "skip"))


def read_canonical(atlas: Atlas, text: str, start: int = 0) -> Command | None:
    """Read an order exactly as the bot writes it; None for anything else."""
    words = text.split() or [""]
    head, *tail = words
    command = _bare(head, tail) or _listed(atlas, head, tail) or _fought(atlas, head, tail)
    if command is None:
        return None
    command = command._replace(start=start, end=start + len(text))
    if len(command.codes) > 1 or command.share is not None:
        return _located(command, words, _places(text, words, start))
    return command


def _places(text: str, words: Sequence[str], start: int) -> tuple[int, ...]:
    """Return where each word of a text begins; the text itself begins at `start`."""
    found: list[int] = []
    at = 0
    for word in words:
        at = text.index(word, at)
        found.append(start + at)
        at += len(word)
    return tuple(found)


def _located(command: Command, words: Sequence[str], places: tuple[int, ...]) -> Command:
    """Return the order with the positions of its parts filled in as `starts` and `share_start`."""
    if command.verb == "attack":
        said = command.share is not None
        return command._replace(share_start=places[words.index("move")] if said else -1)
    return command._replace(starts=places[1 :: 2 if command.amounts else 1][: len(command.codes)])


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
    if head != "attack":
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


def stop_conflict(stops: tuple[tuple[str, int], ...]) -> str:
    """Return why an attack can't have all of these stops, as `domination.refuse.{}`; empty if it can."""
    kinds = [how for how, _ in stops if how != "x"]
    rolls = sum(n for how, n in stops if how == "x")
    counted = any(how == "x" for how, _ in stops)
    if len(set(kinds)) < len(kinds) or ("dice" in kinds and len(stops) > 1):
        return "two_stops"
    if len(kinds) > 1 and not counted:
        return "two_stops"
    most = MAX_CHECKED_ROLLS if kinds else MAX_COUNTED_ROLLS
    return "many_rolls" if counted and not 1 <= rolls <= most else ""


# --- orders that depend on each other --------------------------------------------------------------------


def arranged(commands: Sequence[Command], *, moving: bool) -> tuple[Command, ...]:
    """Split chains and long counts of rolls, and join each move-in order to its attack.

    `keep 3` before attacks leaves three armies behind in each of them. `moving`: whether armies are to move
    in right now, so that the first order may say how many.
    """
    found: list[Command] = []
    stay = 0
    for n, command in enumerate(commands):
        if command.verb == "move" and not (moving and n == 0) and command.share is not None:
            last = found[-1] if found else None
            if last is not None and last.verb in ("attack", "more", "guard") and last.share is None:
                found[-1] = last._replace(share=command.share, share_start=command.start)
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
    found = [
        command._replace(codes=pair, share=share, share_start=-1, start=command.begin(nth), starts=())
        for nth, pair in enumerate(pairwise(command.codes))
    ]
    found[0] = found[0]._replace(start=command.start)
    found[-1] = found[-1]._replace(share_start=command.share_start)
    return found


def _rolls(stops: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Split rolls into counts that can be ordered: single ones if something else may stop the attack too."""
    others = tuple(stop for stop in stops if stop[0] != "x")
    count = sum(n for how, n in stops if how == "x")
    part = 1 if others else MAX_ROLLS
    parts = [part] * (count // part) + ([count % part] if count % part else [])
    return (*others, *(("x", n) for n in parts))
