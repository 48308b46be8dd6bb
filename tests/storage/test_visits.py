"""Who only looks at a database leaves no lock file, and one process at a time has the right all the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from storage import check_file, copy_file, open_store
from storage.lease import Lease, lock_path
from tests.fakes import FakeClock
from tests.storage.test_refusals import ROOT

BUSY = """
import os, sys
from pathlib import Path
from storage.lease import Lease, TakenError
database, inside = Path(sys.argv[1]), Path(sys.argv[2])
had = 0
while had < 300:
    try:
        lease = Lease(database, brief=True)
    except TakenError:
        continue
    os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
    assert os.path.samestat(os.fstat(lease._fd), lease.path.stat())
    had += 1
    inside.unlink()
    lease.release()
"""


async def test_a_visit_leaves_no_lock_file(tmp_path: Path) -> None:
    path, backup, copy = (tmp_path / name for name in ("x.sqlite3", "backup.sqlite3", "copy.sqlite3"))
    await (await open_store(path, clock=FakeClock())).close()
    copy_file(path, backup)
    assert check_file(backup) == ()
    copy_file(backup, copy)
    assert sorted(one.name for one in tmp_path.iterdir()) == [  # noqa: ASYNC240 - a folder of the test
        "backup.sqlite3",
        "copy.sqlite3",
        "x.sqlite3",
        "x.sqlite3.lock",
    ]
    note = lock_path(path).read_bytes()
    assert check_file(path) == ()
    assert lock_path(path).read_bytes()[21:] == note[21:], "what the owner noted stays"


@pytest.mark.slow
def test_two_never_have_it_at_once(tmp_path: Path) -> None:
    database, inside = tmp_path / "x.sqlite3", tmp_path / "inside"
    command = [sys.executable, "-c", BUSY, str(database), str(inside)]
    visitors = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [one.communicate()[1] for one in visitors]
    assert said == ["", "", ""]
    assert list(tmp_path.iterdir()) == []
    lease = Lease(database)
    lease.release()
    assert lock_path(database).exists()
