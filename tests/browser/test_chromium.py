"""Which browser the tests take, and what a run says where none can be started."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import chromium

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a browser, apt and network, on which the driver starts. Return its only folder."""
    monkeypatch.setattr(chromium, "RESULT", tmp_path / "browser.txt")
    monkeypatch.setattr(chromium, "_FETCHED", tmp_path / "browsers")
    monkeypatch.setattr(chromium, "_APPLICATIONS", ())
    monkeypatch.setattr(chromium, "_driver", lambda: "")
    monkeypatch.setattr(chromium, "_playwright", lambda *_: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DOMINIUM_CHROMIUM", raising=False)
    return tmp_path


def test_without_a_browser_tests_are_skipped_and_the_reason_names_the_remedy(bare: Path) -> None:
    assert not chromium.prepare()
    with pytest.raises(pytest.skip.Exception, match=r"none is installed.*To run them: \w"):
        chromium.chromium()
    (bare / "apt-get").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (bare / "apt-get").chmod(0o755)
    chromium.prepare()
    with pytest.raises(pytest.skip.Exception, match=r"To run them: sudo make browser$"):
        chromium.chromium()


def test_a_browser_that_is_named_is_the_only_one(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def starts(paths: Iterator[str]) -> tuple[str, str]:
        seen.extend(paths)
        return "", "it doesn't start"

    monkeypatch.setattr(chromium, "_first_that_starts", starts)
    monkeypatch.setenv("DOMINIUM_CHROMIUM", "/opt/browser")
    assert not chromium.prepare()
    assert seen == ["/opt/browser"]


def test_a_browser_that_has_gone_is_not_used(bare: Path) -> None:
    chromium.RESULT.write_text("/nowhere/chromium\n", encoding="utf-8")
    with pytest.raises(pytest.skip.Exception, match="make browser"):
        chromium.chromium()


@pytest.mark.parametrize("ci", ["", "true"])
def test_only_in_ci_is_a_missing_browser_an_error(
    bare: Path, ci: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    said = chromium.main()
    assert bool(said) is bool(ci)


@pytest.mark.slow
def test_a_run_ends_with_what_was_not_run(tmp_path: Path) -> None:
    lines = "import pytest\n"
    for number in range(3):
        lines += f"def test_{number}():\n    pytest.skip('the moon is down. To run them: wait')\n"
    (tmp_path / "test_moon.py").write_text(lines + "def test_earth():\n    pass\n", encoding="utf-8")
    options = ("-q", "-n", "2", "-p", "tests.conftest", "-o", f"cache_dir={tmp_path / 'cache'}")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", ROOT / "pyproject.toml", tmp_path / "test_moon.py"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 3 skipped" in done.stdout
    assert done.stdout.splitlines()[-1] == "3 tests were not run: the moon is down. To run them: wait"


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libatomic.so.1", "libatomic1"),
        ("libnspr4.so.1", "libnspr4-1"),
        ("libstdc++.so.6", "libstdc++6"),
        ("libX11.so.6", "libx11-6"),
    ],
)
def test_a_library_is_in_the_package_of_its_name(library: str, package: str) -> None:
    said = f"/x/driver/node: error while loading shared libraries: {library}: cannot open shared object file"
    assert chromium.package(said) == package
    assert chromium.package(f"{library} is fine") == ""
