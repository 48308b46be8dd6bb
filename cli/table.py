"""From what a user typed on the command line to a game, its setup, a seat and a secret."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence

import click

from cli.terminal import Sorry
from cli.words import speak
from games.engine import registry
from games.engine.dice import SECRET_BYTES
from games.engine.game import AnyGame, Json, Option, Seat, Setup
from games.engine.normalization import folded


class GameName(click.ParamType[AnyGame]):
    """The name of a game."""

    name = "game"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> AnyGame:
        """Return the game of that key, case and hyphens aside."""
        wanted = folded(str(value)).replace("-", "_")
        for game in registry.all_games():
            if wanted in (game.key, game.code.casefold()):
                return game
        known = ", ".join(game.key for game in registry.all_games())
        return self.fail(f"There is no game {value!s}. Choose from: {known}.", param, ctx)


def _value(game: AnyGame, option: Option, text: str) -> Json:
    word = folded(text)
    for choice in option.choices:
        also = ({"yes", "on"} if choice else {"no", "off"}) if isinstance(choice, bool) else set()
        if word in {str(choice).casefold(), json.dumps(choice).casefold()} | also:
            return choice
    choices = ", ".join(json.dumps(choice) for choice in option.choices)
    raise Sorry(f"{game.key} has the option {option.key}, but not with the value {text!r}: choose {choices}.")


def make_setup(game: AnyGame, seats: int | None, options: Sequence[str]) -> Setup:
    """Return the set-up for `--seats` and `--option KEY=VALUE`; `KEY` means `KEY=true`. Raises Sorry."""
    count = game.seats[0] if seats is None else seats
    if count not in game.seats:
        raise Sorry(f"{game.key} is for {', '.join(map(str, game.seats))} players, not for {count}.")
    known = {option.key: option for option in game.options}
    chosen: dict[str, Json] = {}
    for text in options:
        key, _, value = text.partition("=")
        if (option := known.get(folded(key))) is None:
            names = ", ".join(known) or "none"
            raise Sorry(f"{game.key} has no option {key.strip()!r}. Its options: {names}.")
        chosen[option.key] = _value(game, option, value or "true")
    setup = game.setup(count, chosen)
    if (why := game.refuse_setup(setup)) is not None:
        raise Sorry(speak(why, game, setup))
    return setup


def find_seat(game: AnyGame, setup: Setup, text: str) -> Seat:
    """Return the seat that a number from 1, a letter or a name means (`2`, `g`, `green`). Raises Sorry."""
    wanted = folded(text)
    names = []
    for index in range(setup.seats):
        seat = Seat(index)
        look = game.look(setup, seat)
        name = speak(look.name, game, setup)
        if wanted in (str(index + 1), look.code.casefold(), folded(name)):
            return seat
        names.append(f"{index + 1} or {name}")
    raise Sorry(f"There is no seat {text!r}. Choose from: {', '.join(names)}.")


def make_secret(seed: str | None) -> bytes:
    """Return the secret of the dice: unpredictable, or the one that `--seed HEX` names. Raises Sorry.

    A seed of 32 bytes is the secret itself; a shorter one is hashed into one.
    """
    if seed is None:
        return secrets.token_bytes(SECRET_BYTES)
    try:
        raw = bytes.fromhex(seed)
    except ValueError:
        raise Sorry(f"The seed {seed!r} isn't a hexadecimal number of whole bytes, such as 00ff.") from None
    if not 0 < len(raw) <= SECRET_BYTES:
        raise Sorry(f"A seed has 1 to {SECRET_BYTES} bytes, not {len(raw)}.")
    return raw if len(raw) == SECRET_BYTES else hashlib.sha256(raw).digest()
