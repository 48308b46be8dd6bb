"""The browser of the tests: `python -m tests.browser.chromium` finds or fetches one that starts.

In this order: the program that DOMINIUM_CHROMIUM names; an installed headless shell, which needs half the
time of a browser with windows; an installed Chromium, Chrome or Edge; as root on Debian or Ubuntu, one of
them by apt with what it and Playwright's driver lack; Playwright's own shell, kept inside the environment.
Each is started once, since what is installed may still lack a library. The result is written into the
environment, for the tests. Where no browser starts they are skipped, and the run ends by saying so; only
where CI is set is that an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_SHELL = "chromium-headless-shell"
_NAMES = (
    _SHELL, "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    "microsoft-edge", "microsoft-edge-stable",
)  # fmt: skip
_APPLICATIONS = ("Chromium", "Google Chrome", "Microsoft Edge")
_FETCHED = Path(sys.prefix) / "browsers"
RESULT = Path(sys.prefix) / "browser.txt"
"""The path of a browser that was started, or an empty line and why there is none."""
_LIBRARY = re.compile(r"error while loading shared libraries: ([\w+.-]+?)\.so\.(\d+)")


def chromium() -> str:
    """Return the browser to use. Skips the test where none can be started."""
    path, why = RESULT.read_text(encoding="utf-8").split("\n", 1) if RESULT.exists() else ("", "")
    if not path or not Path(path).exists():
        pytest.skip(why or "no browser was looked for. To run them: make browser, then the tests again")
    return path


def prepare() -> bool:
    """Find or fetch a browser, and write down which, or why there is none. Return whether there is one."""
    path, why = _found()
    if not path:
        why = f"no browser can be started here ({why}). To run them: {_remedy()}"
    aside = RESULT.with_suffix(f".{os.getpid()}")
    aside.write_text(f"{path}\n{why}", encoding="utf-8")
    aside.replace(RESULT)
    return bool(path)


def package(problem: str) -> str:
    """Return Debian's package of the library that a program couldn't load; "" if the text names none."""
    named = _LIBRARY.search(problem)
    if named is None:
        return ""
    name, version = named[1].lower().replace("_", "-"), named[2]
    return f"{name}-{version}" if name[-1].isdigit() else name + version


def _found() -> tuple[str, str]:
    """Return a browser that starts and "", or "" and why there is none."""
    path, why = _first_that_starts(_installed())
    if path or os.environ.get("DOMINIUM_CHROMIUM"):
        return path, why
    may_install = os.geteuid() == 0 and shutil.which("apt-get") is not None
    if may_install:
        if not _install(_SHELL, "fonts-liberation"):
            _install("chromium", "fonts-liberation")
        tried = ""
        while (lacking := package(_driver())) not in ("", tried):
            tried = lacking
            _install(lacking)
        path, why = _first_that_starts(_installed())
    if not path and not _driver():
        _playwright("install", "--only-shell", "chromium")
        if may_install:
            _playwright("install-deps", _SHELL)
        path, why = _first_that_starts(_fetched())
    return path, why


def _installed() -> Iterator[str]:
    if named := os.environ.get("DOMINIUM_CHROMIUM"):
        yield named
        return
    yield from filter(None, map(shutil.which, _NAMES))
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        yield from (
            str(path) for name in _APPLICATIONS for path in folder.glob(f"{name}.app/Contents/MacOS/{name}")
        )
    yield from _fetched()


def _fetched() -> Iterator[str]:
    yield from map(str, sorted(_FETCHED.glob("*/*/*headless*shell"), reverse=True))


def _first_that_starts(paths: Iterator[str]) -> tuple[str, str]:
    """Return the first browser that shows a page and "", or "" and why the last one doesn't."""
    why = "none is installed"
    if broken := _driver():
        return "", broken
    for path in paths:
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
                browser.new_page().goto("about:blank")
                browser.close()
        except Error as error:
            why = f"{path}: {_line(error.message)}"
        else:
            return path, ""
    return "", why


def _driver() -> str:
    """Return why Playwright's driver doesn't start; "" if it does."""
    done = subprocess.run(
        [sys.executable, "-m", "playwright", "--version"], capture_output=True, text=True, check=False
    )
    return _line(done.stderr) or "Playwright's driver fails" if done.returncode else ""


def _line(text: str) -> str:
    """Return what a program couldn't load, by its output, else the first line of that."""
    lacking = _LIBRARY.search(text)
    return lacking[0] if lacking else text.strip().partition("\n")[0][:200]


def _install(*packages: str) -> bool:
    print(f"Installing {' and '.join(packages)} for the browser tests", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", "-q", *command], env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode:
        print(f"  not possible: {_line(done.stderr)}", flush=True)
    return done.returncode == 0


def _playwright(*arguments: str) -> None:
    environment = os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(_FETCHED)}
    subprocess.run(
        [sys.executable, "-m", "playwright", *arguments], env=environment, capture_output=True, check=False
    )


def _remedy() -> str:
    if shutil.which("apt-get"):
        return "sudo make browser"
    if sys.platform == "darwin":
        return "brew install --cask google-chrome"
    return "install Chromium or Chrome as your system does it, or name one in DOMINIUM_CHROMIUM"


def main() -> str | None:
    """Find or fetch a browser. Return why CI can't do without one, or None."""
    if prepare() or not os.environ.get("CI"):
        return None
    return f"The browser tests are part of CI, and {RESULT.read_text(encoding='utf-8').strip()}"


if __name__ == "__main__":
    sys.exit(main())
