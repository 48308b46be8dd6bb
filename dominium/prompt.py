"""A match at a Python prompt: `new` starts it, `play` makes a move, `print` shows the board.

It uses the same engine, log and catalogue as the bot; one person moves for every seat.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import render
from cli.words import Say, sayer
from games.engine import match as engine
from games.engine import orders, record, registry
from games.engine.dice import Sealed
from games.engine.fields import Json
from games.engine.game import AnyGame, Done, Partial, Seat, Setup
from games.engine.message import Msg


class MoveError(ValueError):
    """Raised for a move that can't be read or isn't legal. `near` has similar legal moves, or completions."""

    def __init__(self, reason: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(f"{reason} Try {', '.join(near[:4])}." if near else reason)
        self.near = near


def new(game: str, seats: int | None = None, *, seed: str = "", **options: Json) -> Match:
    """Return a new match, by default with the fewest seats and the default options.

    The dice depend on the game and the seed only: equal calls with equal moves give equal matches. Raises
    ValueError, saying why, for an unknown game, number of seats or option.
    """
    found = {each.key: each for each in registry.all_games()}
    key = game.casefold().replace("-", "_")
    if key not in found:
        raise ValueError(f"There is no game {game!r}. There are: {', '.join(found)}.")
    setup = found[key].setup(found[key].seats[0] if seats is None else seats, options)
    return Match(found[key], setup, seed)


class Match:
    """A match in progress. `play`, `resign` and `undo` change it."""

    def __init__(self, game: AnyGame, setup: Setup, seed: str) -> None:
        say = sayer(game, setup)
        self._say: Say = lambda message: say(message).replace("`", "")
        if (why := game.refuse_setup(setup)) is not None:
            raise ValueError(self._say(why))
        self._game = game
        secret = hashlib.sha256(f"{game.key}\n{seed}".encode()).digest()
        self._sealed = Sealed(secret, f"{game.code}-NEW", "prompt")
        self._names = [self._say(game.look(setup, Seat(seat)).name) for seat in range(setup.seats)]
        self._undo: list[engine.Match] = []
        change = engine.begin(game, setup, self._sealed)
        self._match, self._facts = change.match, change.facts

    def __repr__(self) -> str:
        state = self.outcome or f"{', '.join(self.turn)} to move"
        return f"<{self._game.key} for {len(self._names)}, moves played: {self._match.plays}, {state}>"

    def __str__(self) -> str:
        """Return the board as text, as the seat to act sees it."""
        seat = min(self._match.to_act, default=None)
        scene = self._game.scene(self._game.view(self._match.state, seat), seat)
        marks = tuple(mark for fact in self._facts if fact.to is None for mark in fact.marks)
        board = render.text_board(replace(scene, turns=0, marks=scene.marks + marks), self._say)
        return "\n".join(line for line in board.splitlines() if line)

    @property
    def turn(self) -> tuple[str, ...]:
        """The names of the seats to move: usually one, several if they decide at once, none after the end."""
        return tuple(self._names[seat] for seat in sorted(self._match.to_act))

    @property
    def outcome(self) -> str | None:
        """How the match ended, in a sentence; None before that."""
        ending = self._match.ending
        return None if ending is None or ending.outcome is None else self._say(ending.outcome.why)

    def legal(self, seat: str | None = None) -> tuple[str, ...]:
        """Return every legal move as text, of the seat to act or of the one named."""
        who = self._seat(seat)
        if who not in self._match.to_act:
            return ()
        view = self._game.view(self._match.state, who)
        return tuple(self._game.format(view, action) for action in self._game.actions(view, who))

    def play(self, text: str, seat: str | None = None) -> str:
        """Play a move in any notation of the game, and return what happened, one fact a line.

        A last line quotes what was typed and could not be carried out, and says why.

        Raises MoveError, with the reason and legal alternatives, and leaves the match unchanged.
        """
        who = self._seat(seat)
        match self._game.parse(self._game.view(self._match.state, who), who, text):
            case Done() as done:
                played = orders.play(self._match, who, done, self._sealed)
                change, left = (played, None) if isinstance(played, Msg) else (played.change, played.undone)
                told = f"{self._names[who]}: {self._text_of(change, who)}"
                return told if left is None else f"{told}\n{left.text}: {self._say(left.why)}"
            case Partial(prompt, choices):
                raise MoveError(self._say(prompt), choices)
            case rejected:
                raise MoveError(self._say(rejected.why), rejected.near)

    def resign(self, seat: str | None = None) -> str:
        """Resign for the seat to act or the one named, and return what happened."""
        who = self._seat(seat)
        return self._text_of(engine.leave(self._match, who, "resign", self._sealed), who)

    def undo(self) -> None:
        """Undo the last call of `play` or `resign`. Raises IndexError if there is none."""
        self._match, self._facts = self._undo.pop(), ()

    def record(self) -> str:
        """Return the match as a text record: every move, and after the end the secret behind the dice."""
        return record.export(self._match.log)

    def _seat(self, name: str | None) -> Seat:
        if name is None:
            return min(self._match.to_act, default=Seat(0))
        wanted = [seat.casefold() for seat in self._names]
        if name.casefold() not in wanted:
            raise ValueError(f"There is no seat {name!r}. There are: {', '.join(self._names)}.")
        return Seat(wanted.index(name.casefold()))

    def _text_of(self, change: engine.Change | Msg, who: Seat) -> str:
        if isinstance(change, Msg):
            raise MoveError(self._say(change))
        self._undo.append(self._match)
        self._match, self._facts = change.match, change.facts
        heard = (fact for fact in self._facts if not fact.detail and (fact.to is None or who in fact.to))
        return "\n".join(self._say(fact.msg) for fact in heard)
