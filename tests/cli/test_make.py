"""The Makefile on a machine where something is missing: one kind text that says what to install."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "make", "awk", "rm", "sh", "env")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with the Makefile, and a `bin` that has the tools of every system and no Python."""
    (tmp_path / "bin").mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, f"{name} is needed"
        (tmp_path / "bin" / name).symlink_to(found)
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def python(machine: Path, name: str, script: str) -> None:
    path = machine / "bin" / name
    path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def make(machine: Path, *args: str) -> subprocess.CompletedProcess[str]:
    hidden = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DOMINIUM_CHROMIUM"}
    env = {key: value for key, value in os.environ.items() if key not in hidden}
    return subprocess.run(
        [str(machine / "bin" / "make"), *args],
        cwd=machine,
        env=env | {"PATH": str(machine / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_is_what_make_does_unasked(machine: Path) -> None:
    done = make(machine)
    assert done.returncode == 0
    for target in ("run", "test", "check", "bench", "format", "clean"):
        assert f"make {target} " in done.stdout


def test_without_a_python_it_says_what_to_install(machine: Path) -> None:
    done = make(machine, "check")
    assert done.returncode == 2
    assert "needs Python 3.11 or newer" in done.stdout
    assert "apt-get install python3 python3-venv" in done.stdout
    assert "brew install python" in done.stdout


def test_a_python_that_is_too_old_or_only_a_shim_is_passed_over(machine: Path) -> None:
    python(machine, "python3", "exit 1")
    python(machine, "python3.13", "exit 127")
    assert "none was found" in make(machine, "run").stdout


def test_a_python_without_venv_names_its_package(machine: Path) -> None:
    python(
        machine,
        "python3.12",
        'case "$2" in *ensurepip*) exit 1;; *print*) echo 3.12;; *) exit 0;; esac',
    )
    done = make(machine, "run")
    assert done.returncode == 2
    assert "apt-get install python3.12-venv" in done.stdout
    assert not (machine / ".venv").exists()


def test_without_a_browser_it_says_how_to_get_one(machine: Path) -> None:
    done = make(machine, "browser")
    assert done.returncode == 2
    assert "apt-get install chromium" in done.stdout
    assert "brew install --cask google-chrome" in done.stdout
    assert "make check" in done.stdout


def test_nothing_is_installed_again_while_the_lock_stays_the_same(machine: Path) -> None:
    venv = machine / ".venv"
    venv.mkdir()
    (venv / "pyvenv.cfg").touch()
    for name in ("Makefile", "pyproject.toml", "constraints.txt", ".venv/pyvenv.cfg"):
        os.utime(machine / name, (1_000, 1_000))
    (venv / ".ready-run").touch()
    assert "pip" not in make(machine, "--dry-run", "run").stdout
    os.utime(venv / ".ready-run", (900, 900))
    assert "pip install -c constraints.txt" in make(machine, "--dry-run", "run").stdout


def test_the_lock_holds_exact_versions_and_nothing_else() -> None:
    first, *lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert first.startswith("# ")
    assert len(lines) > 30
    for line in lines:
        name, _, version = line.partition("==")
        assert name.replace("-", "").replace("_", "").replace(".", "").isalnum()
        assert version[0].isdigit()
        assert "/" not in line
