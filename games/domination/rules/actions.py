"""The actions of players and of chance in Domination, and the lines by which the log writes them.

Countries and cards are written as their codes, so that a line of the log can be read without the map.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

Kind: TypeAlias = Literal[
    "claim", "queue", "done", "place", "capital", "trade", "keep", "attack", "move", "fortify", "end",
    "continue", "stop", "deal", "missions", "spread", "roll", "card",
]  # fmt: skip
StopRule: TypeAlias = Literal["until", "x", "dice", "lead", ""]
"""When an attack stops besides a conquest: with n armies left at its origin, after n rolls, after one roll
with n dice, with a lead of less than n armies."""
MAX_ROLLS: Final = 3
"""Maximum number of rolls that one attack order may ask for."""
_DIGITS: Final = 6
_ABOUT_COUNTRIES: Final = frozenset(("place", "attack", "fortify"))


class Action(NamedTuple):
    """One decision; `text` is its line in the log and determines the rest."""

    kind: Kind
    a: str = ""
    """A country, or the card that is drawn."""
    b: str = ""
    """The country that is attacked, reinforced, or gets the two armies of a traded card."""
    n: int = 0
    how: StopRule = ""
    items: tuple[int, ...] = ()
    """What chance drew, by country or by seat; the attacker's dice."""
    other: tuple[int, ...] = ()
    """The defender's dice."""
    cards: tuple[str, ...] = ()
    text: str = ""


DONE: Final = Action("done", text="done")
KEEP: Final = Action("keep", text="keep")
END: Final = Action("end", text="end")
CONTINUE: Final = Action("continue", text="continue")
STOP: Final = Action("stop", text="stop")
_BARE: Final = {action.text: action for action in (DONE, KEEP, END, CONTINUE, STOP)}


@lru_cache(maxsize=1 << 12)
def with_code(kind: Literal["claim", "queue", "capital", "card"], code: str) -> Action:
    """Return a claim, a queued claim, the choice of a capital, or a drawn card."""
    return Action(kind, code, text=f"{kind} {code}")


@lru_cache(maxsize=1 << 16)
def place(code: str, n: int) -> Action:
    """Return the placement of armies on a country."""
    return Action("place", code, n=n, text=f"place {code} {n}")


@lru_cache(maxsize=1 << 16)
def attack(src: str, dst: str, how: StopRule, n: int) -> Action:
    """Return an attack order with the condition under which it stops."""
    return Action("attack", src, dst, n, how, text=f"attack {src} {dst} {how} {n}")


def idea(action: Action) -> Action:
    """Return the action without its numbers, if it names countries: the same battle or placement."""
    return Action(action.kind, action.a, action.b) if action.kind in _ABOUT_COUNTRIES else action


@lru_cache(maxsize=1 << 12)
def move(n: int) -> Action:
    """Return the move of `n` armies into the country that was taken."""
    return Action("move", n=n, text=f"move {n}")


@lru_cache(maxsize=1 << 16)
def fortify(src: str, dst: str, n: int) -> Action:
    """Return the one move at the end of a turn."""
    return Action("fortify", src, dst, n, text=f"fortify {src} {dst} {n}")


@lru_cache(maxsize=1 << 14)
def trade(cards: tuple[str, ...], bonus: str = "") -> Action:
    """Return the trade of three cards; two more armies go to `bonus`, a country that one of them shows."""
    more = f" bonus {bonus}" if bonus else ""
    return Action("trade", b=bonus, cards=cards, text=f"trade {' '.join(cards)}{more}")


@lru_cache(maxsize=1 << 17)
def roll(attack: tuple[int, ...], defence: tuple[int, ...]) -> Action:
    """Return a roll of both sides, the dice in the order in which they fell."""
    text = f"roll {''.join(map(str, attack))} {''.join(map(str, defence))}"
    return Action("roll", items=attack, other=defence, text=text)


def assignment(kind: Literal["deal", "missions", "spread"], items: tuple[int, ...]) -> Action:
    """Return what chance dealt: each country's seat, each seat's mission, or each country's armies."""
    return Action(kind, items=items, text=f"{kind} {','.join(map(str, items))}")


# --- rows of like actions, for lists of legal actions -----------------------------------------------


@lru_cache(maxsize=1 << 15)
def attacks(src: str, dst: str, armies: int, against: int) -> tuple[Action, ...]:
    """Return every attack order from a country with `armies`, at least two, on one with `against`."""
    limits = _attack_limits(armies, against)
    return tuple(attack(src, dst, how, n) for how, most in limits for n in range(1, most + 1))


@lru_cache(maxsize=1 << 12)
def _attack_limits(armies: int, against: int) -> tuple[tuple[StopRule, int], ...]:
    """Return the rules by which an attack may stop, each with its maximum number, from 1 on; 0 for never."""
    return (
        ("until", armies - 1),
        ("x", min(MAX_ROLLS, armies + against - 2)),
        ("dice", min(3, armies - 1) - 1),
        ("lead", max(0, armies - against)),
    )


@lru_cache(maxsize=1 << 15)
def attack_count(armies: int, against: int) -> int:
    """Return the length of `attacks`."""
    return sum(most for _, most in _attack_limits(armies, against))


def nth_attack(src: str, dst: str, armies: int, against: int, n: int) -> Action:
    """Return `attacks(...)[n]` without the others. Raises IndexError if there is no such order."""
    for how, most in _attack_limits(armies, against):
        if n < most:
            return attack(src, dst, how, n + 1)
        n -= most
    raise IndexError(n)


@lru_cache(maxsize=1 << 14)
def placements(code: str, pool: int) -> tuple[Action, ...]:
    """Return the placements of 1 to `pool` armies on a country."""
    return tuple(place(code, n) for n in range(1, pool + 1))


@lru_cache(maxsize=1 << 15)
def fortifications(src: str, dst: str, armies: int) -> tuple[Action, ...]:
    """Return the last moves of every number of armies that can leave a country with `armies`."""
    return tuple(fortify(src, dst, n) for n in range(1, armies))


# --- reading the log -------------------------------------------------------------------------------------


def decode(wire: str) -> Action:
    """Return the action of a line of the log. Raises ValueError for anything else."""
    action = _read(wire)
    if action is None or action.text != wire or not wire.isprintable():
        raise ValueError(f"{wire!r} isn't an action of Domination")
    return action


def _read(wire: str) -> Action | None:
    match wire.split():
        case [word] if word in _BARE:
            return _BARE[word]
        case [("claim" | "queue" | "capital" | "card") as kind, code]:
            return with_code(kind, code)
        case ["place", code, n] if _number(n):
            return place(code, int(n))
        case ["move", n] if _number(n):
            return move(int(n))
        case ["fortify", src, dst, n] if _number(n):
            return fortify(src, dst, int(n))
        case ["attack", src, dst, how, n] if how and how in get_args(StopRule) and _number(n):
            return attack(src, dst, cast("StopRule", how), int(n))
        case ["trade", *cards] if len(cards) == 3:
            return trade(tuple(cards))
        case ["trade", a, b, c, "bonus", code]:
            return trade((a, b, c), code)
        case ["roll", ours, theirs] if set(ours + theirs) <= set("123456") and len(ours + theirs) <= 6:
            return roll(tuple(map(int, ours)), tuple(map(int, theirs)))
        case [("deal" | "missions" | "spread") as kind, row] if all(map(_number, row.split(","))):
            items = tuple(map(int, row.split(",")))
            return assignment(kind, items)
        case _:
            return None


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS
