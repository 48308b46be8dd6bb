"""`dominium replay`: step through a record in the terminal; without one, all its positions in turn."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

import click
from rich.console import Console

import render
from cli.records import RecordedPosition, load, pick, positions
from cli.terminal import out, paint, unicode
from cli.words import sayer

KEYS = "enter next, b back, a first, z last, a number jumps, q quits"


def show(console: Console, found: tuple[RecordedPosition, ...], index: int) -> None:
    """Print one position: its number, what happened, the board."""
    position = found[index]
    scene = position.scene()
    console.print(f"{index}/{len(found) - 1}  {position.match.id}")
    for text in position.told():
        console.print(text)
    console.print("")
    console.print(
        paint(
            render.text_board(scene, sayer(position.match.game, position.match.setup), unicode=unicode()),
            scene,
        )
    )
    console.print("")


def step(key: str, index: int, last: int) -> int | None:
    """Return the position that a key leads to; None means quit. Unknown keys stay."""
    match key.strip().casefold():
        case "q" | "quit" | "exit":
            return None
        case "" | "n":
            return min(index + 1, last)
        case "b":
            return max(index - 1, 0)
        case "a":
            return 0
        case "z":
            return last
        case number if number.isdecimal():
            return min(int(number[:9]), last)
        case _:
            return index


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--at", type=click.IntRange(0), help="Show only, or start at, the position after this many decisions."
)
@click.option("--delay", type=click.FloatRange(0, 60), help="Seconds between positions, instead of keys.")
def command(record: Path, at: int | None, delay: float | None) -> None:
    """Step through the match of RECORD."""
    found = positions(load(record).entries)
    console = out()
    first = 0 if at is None else pick(found, at)
    if delay is not None:
        pause = Event()
        for index in range(first, len(found)):
            show(console, found, index)
            if index < len(found) - 1:
                pause.wait(delay)
    elif not (sys.stdin.isatty() and console.is_terminal):
        for index in range(first, len(found) if at is None else first + 1):
            show(console, found, index)
    else:
        walk(console, found, first)


def walk(console: Console, found: tuple[RecordedPosition, ...], index: int) -> None:
    """Let a person step, until they leave."""
    goal: int | None = index
    while goal is not None:
        console.clear()
        show(console, found, goal)
        goal = step(click.prompt(KEYS, default="", show_default=False), goal, len(found) - 1)
