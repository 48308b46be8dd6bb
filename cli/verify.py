"""`dominium verify`: the checksum, the rules and every draw of a record, checked from the file alone.

Reading a record judges all three; what is wrong is named with its line.

Exit codes: 0 all is proved, 1 something is wrong, 2 the file can't be read, 3 the match is not over, so that
its draws can't be checked yet.
"""

from __future__ import annotations

from pathlib import Path

import click

from cli.records import explained, text_of
from cli.terminal import out
from games.engine.match import Kind
from games.engine.record import RecordError, read_any


@click.command()
@click.argument("path", metavar="RECORD", type=click.Path(path_type=Path))
def command(path: Path) -> None:
    """Check the checksum of RECORD, replay it by the rules, and draw every draw again.

    Exit codes: 0 proved, 1 wrong, 2 unreadable, 3 not over yet.
    """
    console = out()
    text = text_of(path)
    try:
        record = read_any(text)
    except RecordError as error:
        console.print(f"wrong  {explained(error)}", style="bold red", markup=False)
        raise SystemExit(1) from None
    entries, final = record.entries, record.match
    moves = sum(entry.kind is Kind.PLAY for entry in entries)
    draws = sum(entry.kind is Kind.CHANCE for entry in entries)
    console.print("ok     checksum")
    console.print(f"ok     rules: {final.game.key}, {moves} moves, {len(entries)} entries")
    if final.ending is None:
        console.print(
            f"open   draws: {draws} can be checked when the match is over and its secret is revealed"
        )
        raise SystemExit(3)
    console.print(f"ok     draws: {draws}, each follows from the secret of {final.commit[:16]}…")
