"""`dominium play`: a match in the terminal, on one keyboard, with the same parser and the same answers.

What is typed is a move or one of a few words; a script may send it through stdin, a line each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich.columns import Columns
from rich.console import Console

import render
from cli.records import headers
from cli.table import GameName, find_seat, make_secret, make_setup
from cli.terminal import out, paint, unicode
from cli.words import Say, sayer
from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine import orders, record
from games.engine.dice import Dice, Sealed
from games.engine.game import AnyGame, Done, Fact, Partial, Rejected, Seat, Setup
from games.engine.match import Change, Kind
from games.engine.message import Msg
from games.engine.normalization import folded, normalized
from games.engine.origin import Origin

HELP = """\
Type a move; half a move shows what may follow, and ? before a move tries it without playing.
  board          show the board again          undo       take back the last move
  moves [TEXT]   legal moves that begin so     resign     the seat to move gives up
  draw           offer a draw                  save FILE  write the record of the match
  odds [MOVE]    exact odds of your moves      quit       leave the match
  help           this page"""


class Table:
    """One match at one keyboard. The board never rotates: people share the screen."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup,
        sealed: Sealed,
        computers: frozenset[Seat],
        console: Console,
        origin: Origin | None = None,
    ) -> None:
        """`origin` is the position to begin in, if that isn't the start of the game."""
        self._game = game
        self._sealed = sealed
        self._computers = computers
        self._console = console
        say = sayer(game, setup)
        self._say: Say = lambda message: say(message).replace("`", "")  # no Markdown in a terminal
        self._names = [self._say(game.look(setup, Seat(seat)).name) for seat in range(setup.seats)]
        opening = engine.begin(game, setup, sealed, origin=origin)
        self._match = opening.match
        self._turns: list[tuple[int, Seat]] = []
        """After which entry which person moved, for undo."""
        self._read: Callable[[str], str | None] = lambda _prompt: None
        self._print_facts(opening.facts)

    def run(self, read: Callable[[str], str | None]) -> None:
        """Play until the match is over, or nothing more is read."""
        self._read = read
        self._board()
        while not self._match.ending:
            people = self._match.to_act - self._computers
            if not people:
                self._computer(min(self._match.to_act))
                continue
            seat = min(people)
            line = read(f"{self._names[seat]}> ")
            if line is None or self._answer(seat, line):
                return
        while (line := read("over> ")) is not None and not self._afterwards(line):
            pass

    # --- what is shown --------------------------------------------------------------------------------

    def _print(self, text: str) -> None:
        self._console.print(text)

    def _print_facts(self, facts: tuple[Fact, ...], viewer: Seat | None = None) -> None:
        for fact in facts:
            if fact.to is None or viewer in fact.to:
                self._print(self._say(fact.msg))

    def _board(self, facts: tuple[Fact, ...] = ()) -> None:
        seat = min(self._match.to_act - self._computers, default=None)
        view = self._game.view(self._match.state, seat)
        marks = tuple(mark for fact in facts for mark in fact.marks if fact.to is None or seat in fact.to)
        scene = self._game.scene(view, seat)
        scene = replace(scene, turns=0, marks=scene.marks + marks)
        self._print("")
        self._console.print(paint(render.text_board(scene, self._say, unicode=unicode()), scene))
        self._print("")
        if seat is not None and not self._match.ending:
            short = self._game.shortcuts(view, seat)
            self._choices(tuple(f"{each.text}: {self._say(each.label)}" for each in short))

    def _choices(self, choices: tuple[str, ...]) -> None:
        if choices:
            self._console.print(Columns(choices, padding=(0, 2)))

    # --- what is done ---------------------------------------------------------------------------------

    def _answer(self, seat: Seat, line: str) -> bool:
        """Carry out a typed line; return whether to quit."""
        word, _, rest = line.strip().partition(" ")
        match folded(word):
            case "quit" | "exit":
                return True
            case "help":
                self._print(HELP)
            case "board":
                self._board()
            case "moves":
                self._moves(seat, rest)
            case "odds":
                self._odds(seat, rest)
            case "undo":
                self._undo()
            case "resign":
                self._make(engine.leave(self._match, seat, "resign", self._sealed))
            case "draw":
                self._offer(seat)
            case "save":
                self._save(rest.strip())
            case _:
                self._move(seat, line)
        return False

    def _afterwards(self, line: str) -> bool:
        """Do what can still be done when the match is over; return whether to quit."""
        word, _, rest = line.strip().partition(" ")
        match folded(word):
            case "quit" | "exit":
                return True
            case "board":
                self._board()
            case "save":
                self._save(rest.strip())
            case _:
                self._print("The match is over. You can still type board, save FILE or quit.")
        return False

    def _move(self, seat: Seat, line: str) -> None:
        attempt = line.lstrip().startswith("?")
        text = line.lstrip().removeprefix("?") if attempt else line
        match self._game.parse(self._game.view(self._match.state, seat), seat, text):
            case Rejected(why=why, span=(start, end), near=near):
                if end > start and not attempt:
                    self._print(" " * (len(self._names[seat]) + 2 + start) + "^" * (end - start))
                self._print(self._say(why))
                self._choices(near)
            case Partial(prompt=prompt, choices=choices):
                self._print(self._say(prompt))
                self._choices(choices)
            case Done() as done if attempt:
                self._try(seat, done)
            case Done() as done if self._sure(seat, done.action):
                before = self._match.seq
                played = orders.play(self._match, seat, done, self._sealed)
                if self._make(played if isinstance(played, Msg) else played.change):
                    self._turns.append((before, seat))
                    self._left(played)

    def _try(self, seat: Seat, done: Done[Any]) -> None:
        """Print only the facts of the decision itself: a try never shows the draws that would follow."""
        change = engine.play(self._match, seat, done.action, self._sealed)
        if isinstance(change, Msg):
            self._print(self._say(change))
            return
        self._print_facts(engine.advance(self._match, change.entries[0])[1], seat)
        self._print("Preview only: nothing was played.")

    def _sure(self, seat: Seat, action: Any) -> bool:
        """Ask whether to play a move that the game warns about, and return the answer."""
        why = self._game.caution(self._game.view(self._match.state, seat), seat, action)
        if why is None:
            return True
        answer = self._read(f"{self._say(why)} Play it? (yes/no) ") or "no"
        return folded(answer) in ("y", "yes")

    def _left(self, played: orders.Executed | Msg) -> None:
        """Say which orders of a text were not carried out, and why."""
        if isinstance(played, orders.Executed) and (left := played.undone) is not None:
            self._print(f"{left.text}: {self._say(left.why)}")
            self._choices(left.near)

    def _make(self, done: Change | Msg) -> bool:
        """Accept a change and show it, or say why it was refused."""
        if isinstance(done, Msg):
            self._print(self._say(done))
            return False
        self._match = done.match
        self._print_facts(done.facts, min(self._match.to_act, default=None))
        if self._match.ending or self._match.to_act - self._computers:
            self._board(done.facts)
        if self._match.ending:
            self._finish()
        return True

    def _finish(self) -> None:
        ending = self._match.ending
        if ending and ending.outcome:
            self._print(self._say(ending.outcome.why))
            for rank, seat in sorted((rank, seat) for seat, rank in enumerate(ending.outcome.ranks)):
                self._print(f"{rank}. {self._names[seat]}")

    def _computer(self, seat: Seat) -> None:
        view = self._game.view(self._match.state, seat)
        dice = Dice(self._sealed.secret, "computer", self._match.seq, str(seat))
        action = Levels().player(self._game.key, "random").choose(self._game, view, seat, dice)
        self._make(engine.play(self._match, seat, action, self._sealed))

    def _moves(self, seat: Seat, prefix: str) -> None:
        view = self._game.view(self._match.state, seat)
        every = (self._game.format(view, action) for action in self._game.actions(view, seat))
        found = tuple(text for text in every if folded(text).startswith(folded(prefix)))
        self._print(f"{len(found)} legal moves")
        self._choices(found)

    def _odds(self, seat: Seat, text: str) -> None:
        found = self._game.odds(self._game.view(self._match.state, seat), seat, normalized(text).text.strip())
        if isinstance(found, Rejected):
            self._print(self._say(found.why))
            self._choices(found.near)
            return
        if not found:
            self._print("No dice are involved now.")
        for odds in found:
            self._print(odds.text)
            for chance, what in odds.chances:
                self._print(f"  {chance!s:>6}  {float(chance):6.1%}  {self._say(what)}")

    def _undo(self) -> None:
        if not self._turns:
            self._print("There is no move to take back.")
            return
        to, seat = self._turns[-1]
        if self._make(engine.take_back(self._match, seat, to, self._sealed)):
            self._turns.pop()

    def _offer(self, seat: Seat) -> None:
        """Offer a draw, and ask everyone else still playing; computers agree unless they are ahead."""
        if not self._make_quietly(engine.offer_draw(self._match, seat, self._sealed)):
            return
        for other in sorted(self._match.playing - {seat}):
            view = self._game.view(self._match.state, other)
            if other in self._computers:
                agrees = self._game.evaluate(view, other) <= 0
            else:
                answer = self._read(f"{self._names[other]}, do you agree to a draw? (yes/no) ") or "no"
                agrees = folded(answer) in ("y", "yes")
            if not agrees:
                self._make_quietly(engine.decline(self._match, other, self._sealed))
                return
            self._make_quietly(engine.offer_draw(self._match, other, self._sealed))
        self._board()
        self._finish()

    def _make_quietly(self, done: Change | Msg) -> bool:
        """Adopt a change and report it, but don't print the board."""
        if isinstance(done, Msg):
            self._print(self._say(done))
            return False
        self._match = done.match
        self._print_facts(done.facts)
        return True

    def _save(self, name: str) -> None:
        if not name:
            self._print("Name a file: save FILE.")
            return
        try:
            with Path(name).expanduser().open("x", encoding="utf-8", newline="\n") as file:
                file.write(record.export(self._match.log, headers(self._names, self._computers)))
        except FileExistsError:
            self._print(f"{name} already exists: choose another name.")
        except OSError as error:
            self._print(f"{name} can't be written: {error.strerror}.")
        else:
            over = any(entry.kind is Kind.REVEAL for entry in self._match.log)
            self._print(
                f"Saved {name}."
                if over
                else f"Saved {name}; the secret of the dice stays sealed until the end."
            )


def read_line(prompt: str) -> str | None:
    """Read one line from the keyboard, or from a script, which is echoed; return None at its end."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return None
    line = sys.stdin.readline()
    click.echo(prompt + line.rstrip("\n"))
    return line.rstrip("\n") if line else None


def prepare_keyboard() -> None:
    """Give a person at the keyboard a history and line editing, where they are there."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")


@click.command()
@click.argument("game", type=GameName())
@click.option("--seats", type=int, help="Number of players; by default, the fewest.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--computer", "computers", multiple=True, metavar="SEAT", help="A seat for the computer: 2, g, green."
)
@click.option("--seed", metavar="HEX", help="The secret of the dice: the same seed gives the same draws.")
def command(
    game: AnyGame, seats: int | None, options: tuple[str, ...], computers: tuple[str, ...], seed: str | None
) -> None:
    """Play GAME in this terminal. Type a move, or help."""
    setup = make_setup(game, seats, options)
    sealed = Sealed(make_secret(seed), f"{game.code}-TTY", "terminal")
    taken = frozenset(find_seat(game, setup, text) for text in computers)
    prepare_keyboard()
    Table(game, setup, sealed, taken, out()).run(read_line)
