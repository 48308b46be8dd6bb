"""What can be decided in Domination, by players and by chance, and how the log writes it.

Countries and cards go by their codes, so that a line of the log can be read without the map.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

Kind: TypeAlias = Literal[
    "claim", "queue", "done", "place", "capital", "trade", "keep", "attack", "move", "fortify", "end",
    "continue", "stop", "deal", "missions", "spread", "roll", "card",
]  # fmt: skip
How: TypeAlias = Literal["until", "x", "dice", "lead", ""]
"""When an attack stops besides a conquest: with so many armies left at its origin, after so many rolls, after
one roll with so many dice, with a lead of less than so many armies."""
ROLLS: Final = 3
"""Rolls that can be ordered by number at most; for more the order is given again."""
_DIGITS: Final = 6


class Action(NamedTuple):
    """One decision; `text` is the log's line and says it all."""

    kind: Kind
    a: str = ""
    """A country, or the card that is drawn."""
    b: str = ""
    """The country that is attacked, reinforced, or gets the two armies of a traded card."""
    n: int = 0
    how: How = ""
    items: tuple[int, ...] = ()
    """Of chance, by country or by seat; the attacker's dice."""
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
def at(kind: Literal["claim", "queue", "capital", "card"], code: str) -> Action:
    """Claim a country or queue its claim, choose a capital, draw a card."""
    return Action(kind, code, text=f"{kind} {code}")


@lru_cache(maxsize=1 << 16)
def place(code: str, n: int) -> Action:
    """Put armies on a country."""
    return Action("place", code, n=n, text=f"place {code} {n}")


@lru_cache(maxsize=1 << 16)
def attack(src: str, dst: str, how: How, n: int) -> Action:
    """Attack until something happens."""
    return Action("attack", src, dst, n, how, text=f"attack {src} {dst} {how} {n}")


@lru_cache(maxsize=1 << 12)
def move(n: int) -> Action:
    """Move so many armies into the country that was taken."""
    return Action("move", n=n, text=f"move {n}")


@lru_cache(maxsize=1 << 16)
def fortify(src: str, dst: str, n: int) -> Action:
    """The one move at the end of a turn."""
    return Action("fortify", src, dst, n, text=f"fortify {src} {dst} {n}")


@lru_cache(maxsize=1 << 14)
def trade(cards: tuple[str, ...], bonus: str = "") -> Action:
    """Trade in three cards, two armies more on a country that one of them shows."""
    more = f" bonus {bonus}" if bonus else ""
    return Action("trade", b=bonus, cards=cards, text=f"trade {' '.join(cards)}{more}")


@lru_cache(maxsize=1 << 17)
def roll(attack: tuple[int, ...], defence: tuple[int, ...]) -> Action:
    """The dice of both sides as they fell."""
    text = f"roll {''.join(map(str, attack))} {''.join(map(str, defence))}"
    return Action("roll", items=attack, other=defence, text=text)


def lot(kind: Literal["deal", "missions", "spread"], items: tuple[int, ...]) -> Action:
    """Each country's seat, each seat's mission, or each country's armies."""
    return Action(kind, items=items, text=f"{kind} {','.join(map(str, items))}")


# --- many at once: what a list of legal actions is made of -----------------------------------------------


@lru_cache(maxsize=1 << 15)
def attacks(src: str, dst: str, armies: int, against: int) -> tuple[Action, ...]:
    """Every order from a country with so many armies, at least two, to one with so many."""
    dice = min(3, armies - 1)
    return (
        *(attack(src, dst, "until", n) for n in range(1, armies)),
        *(attack(src, dst, "x", n) for n in range(1, min(ROLLS, armies + against - 2) + 1)),
        *(attack(src, dst, "dice", n) for n in range(1, dice)),
        *(attack(src, dst, "lead", n) for n in range(1, armies - against + 1)),
    )


@lru_cache(maxsize=1 << 14)
def places(code: str, most: int) -> tuple[Action, ...]:
    """Every number of armies up to so many."""
    return tuple(place(code, n) for n in range(1, most + 1))


@lru_cache(maxsize=1 << 15)
def fortifications(src: str, dst: str, armies: int) -> tuple[Action, ...]:
    """Every number of armies that can leave a country with so many."""
    return tuple(fortify(src, dst, n) for n in range(1, armies))


# --- reading the log -------------------------------------------------------------------------------------


def decode(wire: str) -> Action:
    """Read a line of the log. Raises ValueError for anything else."""
    action = _read(wire)
    if action is None or action.text != wire or not wire.isprintable():
        raise ValueError(f"{wire!r} is no action of Domination")
    return action


def _read(wire: str) -> Action | None:
    match wire.split():
        case [word] if word in _BARE:
            return _BARE[word]
        case [("claim" | "queue" | "capital" | "card") as kind, code]:
            return at(kind, code)
        case ["place", code, n] if _number(n):
            return place(code, int(n))
        case ["move", n] if _number(n):
            return move(int(n))
        case ["fortify", src, dst, n] if _number(n):
            return fortify(src, dst, int(n))
        case ["attack", src, dst, how, n] if how and how in get_args(How) and _number(n):
            return attack(src, dst, cast("How", how), int(n))
        case ["trade", *cards] if len(cards) == 3:
            return trade(tuple(cards))
        case ["trade", a, b, c, "bonus", code]:
            return trade((a, b, c), code)
        case ["roll", ours, theirs] if set(ours + theirs) <= set("123456") and len(ours + theirs) <= 6:
            return roll(tuple(map(int, ours)), tuple(map(int, theirs)))
        case [("deal" | "missions" | "spread") as kind, row] if all(map(_number, row.split(","))):
            items = tuple(map(int, row.split(",")))
            return lot(kind, items)
        case _:
            return None


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS
