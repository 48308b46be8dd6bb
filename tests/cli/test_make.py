"""The Makefile on a machine where something is missing: one kind text that says what to install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "make", "awk", "rm", "sh", "env", "mkdir", "touch")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with the Makefile, and a `bin` that has the tools of every system and no Python."""
    (tmp_path / "bin").mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None, f"{name} is needed"
        (tmp_path / "bin" / name).symlink_to(found)
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def python(machine: Path, name: str, script: str) -> None:
    path = machine / "bin" / name
    path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def make(machine: Path, *args: str) -> subprocess.CompletedProcess[str]:
    hidden = {"MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "PYTHON"}
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


def test_a_python_without_venv_is_passed_over_for_one_that_has_it(machine: Path) -> None:
    python(machine, "python3.15", 'case "$2" in *ensurepip*) exit 1;; *) exit 0;; esac')
    python(
        machine, "python3", 'case "$1" in -m) mkdir "$3"; touch "$3/pyvenv.cfg";; --version) echo it;; esac'
    )
    assert "with it" in make(machine, ".venv/pyvenv.cfg").stdout
    assert (machine / ".venv").exists()


def test_a_python_that_is_named_is_the_only_one(machine: Path) -> None:
    python(machine, "python3", "exit 0")
    assert "none was found" in make(machine, "PYTHON=/opt/my python/bin/python", "run").stdout


def test_nothing_is_installed_again_while_the_lock_stays_the_same(machine: Path) -> None:
    venv = machine / ".venv"
    venv.mkdir()
    (venv / "pyvenv.cfg").touch()
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "constraints.txt", ".venv/pyvenv.cfg"):
        os.utime(machine / name, (1_000, 1_000))
    (venv / ".ready-run").touch()
    assert "pip" not in make(machine, "--dry-run", "run").stdout
    os.utime(venv / ".ready-run", (900, 900))
    assert "pip install --require-hashes -r requirements.txt" in make(machine, "--dry-run", "run").stdout


def pins(name: str) -> dict[str, str]:
    """What a lock holds: each pin with its checksums."""
    _, second, *lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert "make lock" in second
    found = "\n".join(lines).replace(" \\\n    ", " ").splitlines()
    return dict(line.split(" --hash", 1) for line in found)


@pytest.mark.parametrize("name", ["requirements.txt", "constraints.txt"])
def test_the_lock_holds_exact_versions_with_checksums_and_nothing_else(name: str) -> None:
    assert len(pins(name)) > 30
    for pin, sums in pins(name).items():
        assert re.fullmatch(r"[a-z0-9-]+==\d[\w.]*( ; \w+ (==|!=|<|>=) '[\w.]+')?", pin), pin
        assert re.fullmatch(r"=sha256:[0-9a-f]{64}( --hash=sha256:[0-9a-f]{64})*", sums), pin


def test_a_bot_and_its_tests_have_the_same_libraries() -> None:
    run, everything = (
        {pin.partition(" ;")[0]: sums for pin, sums in pins(name).items()}
        for name in ("requirements.txt", "constraints.txt")
    )
    assert run.items() <= everything.items()
    assert not {pin for pin in run if pin.startswith(("pytest==", "mypy==", "numpy=="))}
