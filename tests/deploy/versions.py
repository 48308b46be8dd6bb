"""Versions to install in tests, in place of those that pip would fetch.

`sham` installs a stand-in with the same commands, which takes milliseconds: it copies databases and sets
schema numbers for real, and fails where it is told to. A shell starts it, as it starts pip's scripts where an
environment's path has a space. `real` installs the code of this checkout with one migration more.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Collection
from importlib.metadata import distribution, distributions
from pathlib import Path

from deploy.house import House, ReleaseError
from deploy.release import Install
from storage.migrations import shipped

ROOT = Path(__file__).parents[2]
_LINKED = (
    "atlases",
    "bot",
    "cli",
    "games",
    "locales",
    "matches",
    "render",
    "sandbox",
    "solve",
    "tournaments",
)

_SHAM = """#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import contextlib, json, pathlib, sqlite3, sys
def opened(path, mode="mode=rw"):
    uri = pathlib.Path(path).resolve().as_uri() + "?" + mode
    return contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None))
here = pathlib.Path(__file__).parent.parent
told = json.loads((here / "told.json").read_text())
name, args = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
def fail(step):
    if step in told["fails"]:
        print("ok    all is well\\nfail  " + step + " is bad")
        sys.exit(1)
def copy(source, target):
    assert not pathlib.Path(target).exists()
    with opened(source, "immutable=1") as old, opened(target, "mode=rwc") as new:
        old.backup(new)
if name == "python" and args[:2] == ["-P", "-c"]:
    print("some warning")
    print(json.dumps(told["places"]))
elif name == "python" and args[:3] == ["-P", "-m", "storage"]:
    with opened(args[3]) as db:
        db.execute("PRAGMA user_version = %d" % told["schema"])
    fail("migration")
elif args[0] == "backup":
    fail("backup")
    copy(args[3], args[1])
elif args[0] == "doctor":
    fail("rehearsal" if "--logs" in args else "check")
    where = args[args.index("--data") + 1] if "--data" in args else told["places"][0]
    if pathlib.Path(where).exists():
        with opened(where, "immutable=1") as db:
            if db.execute("PRAGMA user_version").fetchone()[0] > told["schema"]:
                print("fail  database was written by a newer version")
                sys.exit(1)
else:
    raise SystemExit("what?")
"""


def link_libraries(environment: Path, names: Collection[str] = ()) -> None:
    """Give an environment pip and these libraries, as links to those of this one, where it has them."""
    (site,) = environment.glob("lib/python*/site-packages")
    here = {re.sub(r"[._]", "-", each.name.lower()) for each in distributions()}
    for name in here.intersection(("pip", *names)):
        for top in {file.parts[0] for file in distribution(name).files or ()} - {"..", "__pycache__"}:
            (site / top).symlink_to(Path(str(distribution(name).locate_file(top))))


_START = """import sys
if sys.argv[1:2] == ["doctor"]:
    from cli import check_machine
    for check in ("pictures", "tables", "teaching"):  # a test of the image tries them
        setattr(check_machine, check, lambda *_: ())
from cli import main
main()
"""


def sham(data: Path, schema: int = len(shipped()), fails: Collection[str] = ()) -> Install:
    """Return what installs a stand-in whose newest schema is `schema`, and which fails at some steps.

    The steps: install, rehearsal, backup, migration, check.
    """

    def install(house: House, source: Path, target: Path) -> None:
        (target / "bin").mkdir(parents=True)
        told = {
            "schema": schema,
            "fails": list(fails),
            "places": [str(data), str(data.parent / "backups"), False],
        }
        (target / "told.json").write_text(json.dumps(told))
        for name in ("python", "dominium"):
            script = target / "bin" / name
            script.write_text(_SHAM.format(python=sys.executable))
            script.chmod(0o755)
        if "install" in fails:
            raise ReleaseError("pip install failed")

    return install


def real(more: str = "", on_server: str = "") -> Install:
    """Return what installs the code of this checkout, with one migration more if `more` has its SQL.

    `on_server` has the SQL for PostgreSQL, if that is another.
    """

    def install(house: House, source: Path, target: Path) -> None:
        (target / "bin").mkdir(parents=True)
        code = target / "code"
        code.mkdir()
        for room in _LINKED:
            (code / room).symlink_to(ROOT / room)
        (code / "start.py").write_text(_START)
        shutil.copytree(ROOT / "storage", code / "storage")
        if more:
            step = f"migrations/{len(shipped()) + 1:04}_more.sql"
            (code / "storage" / step).write_text(more)
            (code / "storage" / "postgres" / step).write_text(on_server or more)
        for name, start in (("python", ""), ("dominium", f' "{code}/start.py"')):
            script = target / "bin" / name
            script.write_text(f'#!/bin/sh\nPYTHONPATH="{code}" exec "{sys.executable}" -P{start} "$@"\n')
            script.chmod(0o755)

    return install
