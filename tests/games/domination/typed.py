"""Helpers that parse texts in given positions, and carry out whole scripts with the dice of a match."""

from __future__ import annotations

from dataclasses import replace

from games.domination.commands.command import ALL, Command
from games.domination.game import GAME
from games.domination.rules import judge
from games.domination.rules.actions import Action
from games.domination.rules.position import State
from games.engine import match as engine
from games.engine import orders
from games.engine.dice import Sealed
from games.engine.game import CHANCE, Done, Partial, Rejected, Seat
from games.engine.match import Kind
from games.engine.orders import Undone
from locales import Catalogue

CATALOGUE = Catalogue(strict=True)


def read(state: State, text: str, seat: int = 0) -> Done[Action] | Partial | Rejected:
    """Parse a text as an order of a seat."""
    return GAME.parse(GAME.view(state, Seat(seat)), Seat(seat), text)


def order(state: State, text: str, seat: int = 0) -> str:
    """Return the log's line of the first action, and after ` | ` the script, as `written_out` writes it."""
    found = read(state, text, seat)
    assert isinstance(found, Done), f"{text}: {found}"
    assert GAME.refuse(state, Seat(seat), found.action) is None
    return f"{found.action.text} | {rest(found)}" if found.script else found.action.text


def rest(found: Done[Action]) -> str:
    """Return the script after an action, written out."""
    return "; ".join(map(written_out, found.script.orders)) if found.script else ""


def written_out(command: Command) -> str:
    """Return a command as a line for tests: `>kam` is "if KAM was taken, move armies in; else stop"."""
    verb, codes = command.verb, command.codes
    how, n = command.share or ("", 0)
    share = f" {n}" if how == "n" else f" {how} {n}" if n else f" {how}".rstrip()
    if verb == "guard":
        return f">{codes[0]}{'?' if command.loose else ''}{share}"
    if verb == "place":
        pairs = zip(codes, command.amounts, strict=True)
        return " ".join([verb, *(f"{code} {'all' if n == ALL else n or ''}".rstrip() for code, n in pairs)])
    if verb in ("attack", "more"):
        stops = [f"x{n}" if how == "x" else f"{how} {n}" for how, n in command.stops]
        return " ".join([verb, *codes, *stops]) + (f" move{share}" if share else "")
    if verb in ("country", "number"):
        return " ".join([*codes, *map(str, command.amounts[-1:] if verb == "number" else ())])
    if verb == "trade":
        cards = ["wild" if card == "*" else card for card in command.cards]
        return " ".join([verb, *cards, *(["bonus", command.bonus] if command.bonus else [])])
    return " ".join([verb, *codes]) + share


def asked(state: State, text: str, seat: int = 0) -> tuple[str, tuple[str, ...]]:
    """Return the question about an incomplete order, and its choices, which must be complete orders."""
    found = read(state, text, seat)
    assert isinstance(found, Partial), f"{text}: {found}"
    assert CATALOGUE.say(found.prompt, "en")
    assert all(isinstance(read(state, choice, seat), Done) for choice in found.choices), text
    return found.prompt.key.removeprefix("domination.ask."), found.choices


def refusal(state: State, text: str, seat: int = 0) -> Rejected:
    """Return the refusal of a text, checking that its message, its span and its suggestions are valid."""
    found = read(state, text, seat)
    assert isinstance(found, Rejected), f"{text}: {found}"
    assert CATALOGUE.say(found.why, "en")
    assert 0 <= found.span[0] <= found.span[1] <= len(text), text
    assert all(isinstance(read(state, near, seat), Done) for near in found.near), text
    return found


def reason(state: State, text: str, seat: int = 0) -> str:
    """Return why a text is refused, as the last part of the key, followed by ` chat` if it counts as chat."""
    found = refusal(state, text, seat)
    return found.why.key.removeprefix("domination.refuse.") + (" chat" if found.chat else "")


def carry(state: State, text: str, seat: int = 0, secret: int = 1) -> tuple[list[str], Undone | None, State]:
    """Return the actions that a text led to, what was left undone, and the state afterwards."""
    sealed = Sealed(bytes([secret]), "C-AAA", "typed")
    setup = GAME.setup(state.position.info.law.seats, {"setup": "deal"})
    match = replace(engine.begin(GAME, setup, sealed).match, state=state)
    found = read(state, text, seat)
    assert isinstance(found, Done), f"{text}: {found}"
    done = orders.play(match, Seat(seat), found, sealed)
    assert isinstance(done, orders.Executed), done
    played = [entry.data for entry in done.change.entries if entry.kind is Kind.PLAY]
    if done.undone is not None:
        assert CATALOGUE.say(done.undone.why, "en")
    return played, done.undone, done.change.match.state


def written(state: State, seat: int) -> list[tuple[Action, str]]:
    """Return every legal action of a seat with its text."""
    view = judge.view(state, seat)
    return [(action, GAME.format(view, action)) for action in judge.legal(view, seat)]


__all__ = ["CHANCE", "asked", "carry", "order", "read", "reason", "refusal", "rest", "written"]
