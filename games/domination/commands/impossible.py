"""Find orders of a text that can't be carried out, however the dice fall, before any of it is played.

What depends on dice or cards is judged when its time comes, and its author is told. These orders depend on
nothing: armies that move in although no attack comes before, or that are placed when none can be left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.domination.commands.command import ALL, NO_AMOUNT, Command
from games.engine.game import Rejected
from games.engine.message import Msg, msg
from games.engine.notation import MAX_QUOTED, Span

_NEED_COUNTRIES: Final = ("place", "claim", "queue", "capital", "attack", "fortify")
"""Orders that name a country; the first of a text may ask for it."""


def impossible(commands: Sequence[Command], text: str) -> Rejected | None:
    """Return the refusal of the first order that can't mean anything after those before it, else None."""
    spent = fought = False
    placed: set[str] = set()
    for n, command in enumerate(commands):
        span = span_of(command, text)
        why = _alone(command, text[slice(*span)]) if n else None
        if command.verb == "place":
            counted = _countries(command, counted=True)
            if fought:
                why = msg("domination.refuse.placed_late")
            elif spent or _countries(command, counted=False) & (placed | counted):
                why = msg("domination.refuse.amount")
            placed |= counted
            spent = ALL in command.amounts or (n > 0 and NO_AMOUNT in command.amounts)
        if why is not None:
            return Rejected(why, span)
        spent = spent and command.verb != "trade"
        fought = command.verb in ("attack", "more") or (fought and command.verb not in ("trade", "auto"))
    return None


def span_of(command: Command, text: str) -> Span:
    """Return where a command begins and ends in the text."""
    return min(command.start, len(text)), min(command.end, len(text))


def _alone(command: Command, said: str) -> Msg | None:
    """Return why an order can't follow another one: it belongs to no attack, or is only half an order."""
    if command.verb == "move" and command.share is not None:
        return msg("domination.refuse.belongs", part=said.strip()[:MAX_QUOTED])
    half = command.verb in _NEED_COUNTRIES and not command.codes and command.share is None
    half = half or (command.verb == "country" and bool(command.stops or command.share))
    return msg("domination.refuse.half") if half else None


def _countries(command: Command, *, counted: bool) -> set[str]:
    """Return the countries of a placement that get a number of armies, or those that get the rest."""
    rows = zip(command.codes, command.amounts, strict=False)
    return {code for code, armies in rows if (armies > 0) is counted}
