"""`dominium bench`: how fast and how small, as ratios within one run that hold on any machine."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import click
from rich.text import Text

from cli.bench.measure import Line
from cli.terminal import Sorry, out, progress

PARTS = ("playouts", "dice", "computers", "pictures", "teaching", "replays", "commits", "clocks", "memory")


def _lines(part: str, rounds: int, disk: Path) -> Iterator[Line]:
    from cli.bench import (
        clocks,
        commits,
        computers,
        dice,
        memory,
        pictures,
        playouts,
        replays,
        teaching,
    )

    chosen: dict[str, Callable[[], Iterator[Line]]] = {
        "playouts": lambda: playouts.lines(rounds),
        "dice": lambda: dice.lines(rounds),
        "computers": lambda: computers.lines(rounds),
        "pictures": lambda: pictures.lines(rounds),
        "teaching": lambda: teaching.lines(rounds),
        "replays": lambda: replays.lines(rounds),
        "commits": lambda: commits.lines(rounds, disk),
        "clocks": lambda: clocks.lines(rounds, disk),
        "memory": lambda: memory.lines(disk),
    }
    return chosen[part]()


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:,.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def _table(lines: list[Line]) -> Iterator[Text]:
    """Yield the lines as columns, each as wide as needed: a pipe isn't narrower than a screen."""
    rows = [("what", "ours", "other", "ratio", "target")]
    for line in lines:
        sign = "≥" if line.better == "more" else "≤"
        ratio = "" if line.theirs is None else f"{line.ratio:.2f}"
        target = _figure(line.target, line.unit) if line.theirs is None else f"{line.target:g}"
        figures = (_figure(line.ours, line.unit), _figure(line.theirs, line.unit))
        rows.append((line.name, *figures, ratio, f"{sign} {target}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, verdict in zip(rows, [None, *(line.passed for line in lines)], strict=True):
        first, *rest = (
            f"{cell:<{width}}" if n == 0 else f"{cell:>{width}}"
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        text = Text("  ".join((first, *rest)))
        if verdict is not None:
            text.append("  pass" if verdict else "  FAIL", "green" if verdict else "bold red")
        yield text


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(PARTS))
@click.option(
    "--rounds", type=click.IntRange(1, 99), default=7, show_default=True, help="Interleaved rounds."
)
@click.option(
    "--disk",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    default=Path(),
    help="Directory on the disk to measure; the present one by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def command(parts: tuple[str, ...], rounds: int, disk: Path, *, as_json: bool) -> None:
    """Measure speed and memory; all PARTS by default. Exit code 1 when a target is missed."""
    chosen = parts or PARTS
    if {"playouts", "computers"} & set(chosen) and importlib.util.find_spec("chess") is None:
        raise Sorry("The comparison needs the package chess: use `make bench`, or install the extra `dev`.")
    lines: list[Line] = []
    console = out()
    for part in chosen:
        found: list[Line] = []
        with progress() as bar:
            task = bar.add_task(part, total=None)
            for line in _lines(part, rounds, disk):
                found.append(line)
                bar.update(task, description=f"{part}: {line.name}")
        for text in () if as_json else _table(found):
            console.print(text)
        lines += found
    if as_json:
        console.print(json.dumps([asdict(line) | {"passed": line.passed} for line in lines], indent=2))
    if not all(line.passed for line in lines):
        raise SystemExit(1)
