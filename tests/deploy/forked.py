"""An installed version whose commands run in forks of one process that has imported the program already.

Each fork has the migrations of its version. `real` links the code; what a shell starts of it is tried by
`test_release`.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import cli.backup
import cli.doctor
import cli.store  # noqa: F401 - loaded once, for all forks
import storage.migrations
import storage.postgres.migrations
from cli import check_machine, main
from deploy.house import House, ReleaseError

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])
gc.freeze()  # each fork would copy what it collects


class ForkedHouse(House):
    """A checkout whose installed versions aren't started anew for each command."""

    def run(self, *command: str | Path) -> str:
        """Run a command in the checkout; return what it prints. Raises ReleaseError."""
        program, *args = command
        if not Path(program).is_relative_to(self.releases):
            return super().run(*command)
        with tempfile.NamedTemporaryFile() as out:
            given = (Path(program), [*map(str, args)], self.root, dict(os.environ), out.name)
            process = _FORKS.Process(target=_perform, args=given)
            process.start()
            process.join()
            printed = out.read().decode()
        if process.exitcode:
            raise ReleaseError(f"{' '.join(map(str, command[:3]))} failed:\n{printed.strip()}")
        return printed


def _perform(
    program: Path, args: Sequence[str], root: Path, environment: Mapping[str, str], out: str
) -> None:
    """Be that program."""
    written = os.open(out, os.O_WRONLY | os.O_APPEND)
    for descriptor in (1, 2):
        os.dup2(written, descriptor)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(root)
    code = program.parent.parent / "code" / "storage"
    storage.migrations.shipped.__defaults__ = (code / "migrations",)
    storage.postgres.migrations.STEPS = code / "postgres" / "migrations"
    for check in ("pictures", "tables", "teaching"):
        setattr(check_machine, check, lambda *_: ())
    if program.name == "dominium":
        sys.argv = [str(program), *args]
        main()
    else:
        _, option, text = args
        assert option == "-c"
        exec(text, {})
