"""Commands: the parsed orders of a text, legal or not.

A text is read as commands once; those that aren't carried out yet form its script. Some are never typed: an
attack is followed by a `guard`, "if KAM was taken, move armies in; else stop", and by `more` for its
remaining rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from games.domination.rules.actions import MAX_ROLLS

ALL: Final = -1
"""Amount that stands for all armies that are left to place."""
NO_AMOUNT: Final = 0
"""Amount of a country without a number."""
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

    def extended(self, other: Command) -> Command:
        """Return the command with the list of another behind its own."""
        starts = [each.begin(nth) for each in (self, other) for nth in range(len(each.codes))]
        return self._replace(
            codes=self.codes + other.codes,
            amounts=self.amounts + other.amounts,
            cards=self.cards + other.cards,
            bonus=self.bonus or other.bonus,
            starts=tuple(starts),
            end=other.end,
        )

    def without_first(self) -> Command:
        """Return the command without its first country."""
        return self._replace(
            codes=self.codes[1:], amounts=self.amounts[1:], starts=self.starts[1:], start=self.begin(1)
        )


# --- orders that depend on each other --------------------------------------------------------------------


def stop_conflict(stops: tuple[tuple[str, int], ...]) -> str:
    """Return why an attack can't have all of these stops, as `domination.refuse.{}`; empty if it can."""
    kinds = [how for how, _ in stops if how != "x"]
    rolls = sum(n for how, n in stops if how == "x")
    counted = any(how == "x" for how, _ in stops)
    if len(set(kinds)) < len(kinds) or len(stops) > len(kinds) + 1 or ("dice" in kinds and len(stops) > 1):
        return "two_stops"
    if len(kinds) > 1 and not counted:
        return "two_stops"
    most = MAX_CHECKED_ROLLS if kinds else MAX_COUNTED_ROLLS
    return "many_rolls" if counted and not 1 <= rolls <= most else ""


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
            fits = last is not None and command.codes[-1:] in ((), last.codes[-1:])
            if fits and last is not None and last.verb in ("attack", "more", "guard") and last.share is None:
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
