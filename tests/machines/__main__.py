"""Try the README's commands on bare systems, and print one table of what became of them.

make machines                                      every system, every command: hours
make machines ARGS='debian-13'                     one system
make machines ARGS='--steps=run,check'             the quick part
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.machines.systems import SYSTEMS, BuildError, System, build, entered, lay

ROOT = Path(__file__).parents[2]
STEPS = ("run", "check", "test")
_HOURS = {"run": 0.5, "check": 1.0, "test": 3.0}  # until a step that hangs is ended
_RUN = """
make run > "$HOME/run.log" 2>&1 & bot=$!
until address=$(grep -o 'http://[0-9.:]*/' "$HOME/run.log"); do
  kill -0 $bot 2> /dev/null || { cat "$HOME/run.log"; exit 1; }
  sleep 0.2
done
cat "$HOME/run.log"
.venv/bin/python -m tests.machines.first_move "$address"
"""
_SCRIPTS = {"run": _RUN, "check": "make check", "test": "make test"}
_VERSIONS = "import sqlite3, sys; print(sys.version.split()[0] + ', ' + sqlite3.sqlite_version)"
# The checkout may be somebody else's, which git asks about.
_UNCHANGED = ("git", "-c", "safe.directory=*", "diff", "--quiet", "HEAD")
_COUNTED = re.compile(r"(\d+) (passed|failed|error|skipped)")
_LAST = 60  # lines of what a command said are shown if it failed


@dataclass(frozen=True)
class Cell:
    """What became of a command on a system."""

    text: str
    good: bool


def attempt(system: System, root: Path, folder: Path, step: str, log: Path) -> Cell:
    """Run a command as the user, and return what became of it."""
    script = _SCRIPTS[step]
    began = time.monotonic()
    with log.open("w", encoding="utf-8") as file, subprocess.Popen(
        entered(root, folder, script), stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
    ) as process:  # fmt: skip
        try:
            code: int | str = process.wait(_HOURS[step] * 3600)
        except subprocess.TimeoutExpired:
            code = f"still running after {_HOURS[step]:g} h"
        finally:
            process.kill()
    return judged(step, code, log.read_text(encoding="utf-8", errors="replace"), time.monotonic() - began)


def judged(step: str, code: int | str, text: str, took: float) -> Cell:
    """Return what became of a command by its exit code, or why it has none, its output, and its seconds."""
    seconds = f"{took:.0f} s"
    if step == "run":
        return Cell(f"{'first move' if code == 0 else 'failed'}, {seconds}", code == 0)
    counts = {word: int(number) for number, word in _COUNTED.findall(_closing(text))}
    said = [f"{number:,} {'not run' if word == 'skipped' else word}" for word, number in counts.items()]
    if code != 0 and not counts.keys() & {"failed", "error"}:
        said.append(f"stopped ({code})")
    return Cell(", ".join([*said, seconds]), code == 0)


def _closing(text: str) -> str:
    """Return pytest's last line of counts; "" if it never came so far."""
    lines = [line for line in text.splitlines() if re.search(r"\d+ \w+.* in [\d.]+s", line)]
    return lines[-1] if lines else ""


def row(system: System, steps: list[str], cache: Path, *, fresh: bool) -> tuple[list[str], bool, bool]:
    """Try a system. Return its row of the table, whether all is well, and whether it could be built."""
    print(f"{system.name}: building", flush=True)
    try:
        root = build(system, cache, fresh=fresh)
    except BuildError as error:
        print(f"{system.name}: can't be built here: {error}", flush=True)
        return [system.title, "", *("not built" for _ in steps)], False, False
    folder = lay(ROOT, root)
    versions = subprocess.run(
        entered(root, folder, f'{system.python} -c "{_VERSIONS}"'), capture_output=True, text=True, check=True
    )
    cells = []
    for step in steps:
        log = cache / f"{system.name}.{step}.log"
        cells.append(attempt(system, root, folder, step, log))
        print(f"{system.name}: make {step}: {cells[-1].text}  ({log})", flush=True)
        if not cells[-1].good:
            said = log.read_text(encoding="utf-8", errors="replace").splitlines()
            print(*(f"    {line}" for line in said[-_LAST:]), sep="\n", flush=True)
    table = [system.title, versions.stdout.strip(), *(cell.text for cell in cells)]
    return table, all(cell.good for cell in cells), True


def main() -> int:
    """Try what was asked for. Return 0 if every cell is green, 1 if not, 3 if a system can't be built."""
    parser = argparse.ArgumentParser(prog="make machines", description=__doc__, allow_abbrev=False)
    names = [system.name for system in SYSTEMS]
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=f"{', '.join(names)}; default: all")
    parser.add_argument("--steps", default=",".join(STEPS), help="of run, check, test; default: all")
    parser.add_argument("--fresh", action="store_true", help="build the systems again")
    parser.add_argument("--cache", type=Path, default=Path("/var/cache/dominium-machines"))
    asked = parser.parse_args()
    steps = asked.steps.split(",")
    if unknown := {*asked.systems} - {*names} | {*steps} - {*STEPS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if os.geteuid() != 0:
        print("make machines builds whole systems in a folder, which takes root.", file=sys.stderr)
        return 2
    if subprocess.run(_UNCHANGED, cwd=ROOT, check=False).returncode:
        print("What isn't committed isn't tried.", flush=True)
    rows, good, missing = [], True, False
    for system in SYSTEMS:
        if asked.systems and system.name not in asked.systems:
            continue
        line, well, there = row(system, steps, asked.cache, fresh=asked.fresh)
        rows.append(line)
        good, missing = good and (well or not there), missing or not there
    print(f"\n{datetime.datetime.now(datetime.UTC):%d %B %Y}, {os.cpu_count()} cores\n")
    for line in (
        ["system", "Python, SQLite", *(f"`make {step}`" for step in steps)],
        ["---"] * (2 + len(steps)),
        *rows,
    ):
        print(f"| {' | '.join(line)} |")
    return (3 if missing else 0) if good else 1


if __name__ == "__main__":
    sys.exit(main())
