"""How commands speak: results on stdout, progress on stderr and only to people, one sentence for an error."""

from __future__ import annotations

import fcntl
import io
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from games.engine.scene import Ink, Scene


class Sorry(click.ClickException):
    """What the user asked for can't be done: one kind sentence, exit code 2."""

    exit_code = 2


def out() -> Console:
    """Return the console for results: colours only on a terminal, text never wrapped or marked up.

    What an old terminal can't show becomes a question mark rather than an error.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file that the user asked for. Raises Sorry if that can't be done."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Sorry(f"{path} can't be written: {error.strerror}.") from error


@contextmanager
def sole_writer(path: Path) -> Iterator[None]:
    """Hold a file, which is made if there is none, so that no other process plays matches into it.

    The system lets it go with this process, however it ends. Raises Sorry.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise Sorry(f"{path} can't be written: {error.strerror}.") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Sorry(
                f"Another process is playing matches into {path}. Wait until it ends, or name another file."
            ) from error
        except OSError as error:  # some file systems have no locks
            raise Sorry(f"{path} can't be held: {error.strerror}. Name a file on another disk.") from error
        yield


def write_picture(path: Path, data: bytes) -> None:
    """Write a picture that the user asked for, and print its size. Raises Sorry if that can't be done."""
    write_file(path, data)
    out().print(f"{path}: {len(data) / 1000:.0f} kB")


def unicode() -> bool:
    """Return whether what reads stdout understands more than ASCII."""
    return (getattr(sys.stdout, "encoding", None) or "ascii").casefold().startswith("utf")


def progress() -> Progress:
    """Return a bar for long work, on stderr; silent when stderr isn't a terminal that can move its cursor."""
    console = Console(file=sys.stderr)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_interactive,
    )


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C into a request to stop at the next good moment; the second one interrupts."""
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


_STYLES: dict[Ink, str] = {
    "red": "bold red",
    "green": "bold green",
    "blue": "bold bright_blue",
    "yellow": "bold yellow",
    "purple": "bold magenta",
    "orange": "bold dark_orange",
}


def paint(board: str, scene: Scene) -> Text:
    """Return the board with its codes coloured; consoles without colours print it unchanged."""
    inks: dict[str, Ink] = {panel.code: panel.ink for panel in scene.panels}
    inks |= {token.code: token.ink for token in scene.tokens}
    text = Text(board)
    if not inks:
        return text
    code = "|".join(sorted(map(re.escape, inks), key=len, reverse=True))
    for run in re.finditer(rf"(?<![^\W_])(?:{code})+(?![^\W\d_])", board):
        for sign in re.finditer(code, run.group()):
            start = run.start() + sign.start()
            text.stylize(_STYLES.get(inks[sign.group()], ""), start, start + len(sign.group()))
    return text
