"""No text that a stranger can send keeps a pattern at work for longer than its length warrants."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.pattern_steps import Steps, TooManyError, alphabet
from tests.soak import examples

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("atlases", "bot", "cli", "games", "locales", "matches", "render", "sandbox", "storage")
MOST = 6.0
"""How much more steps four times the text may take."""
SHORT = 20
"""Characters of the shorter text: each is pumped up to this, and to four times this."""


def _patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _patterns_in(each)
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _patterns_in(each)


def _inline(source: str) -> Iterator[re.Pattern[str]]:
    """The constant patterns that a module hands to functions of `re`."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            yield re.compile(node.args[0].value)


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """All patterns of the product, by module and number."""
    found: dict[str, re.Pattern[str]] = {}
    for name in PACKAGES:
        package = importlib.import_module(name)
        modules = [each.name for each in pkgutil.walk_packages(package.__path__, f"{name}.")]
        for module in (m for m in modules if not m.endswith("__main__")):
            loaded = importlib.import_module(module)
            known = [each for value in vars(loaded).values() for each in _patterns_in(value)]
            known += _inline(Path(str(loaded.__file__)).read_text(encoding="utf-8"))
            for each in known:
                if each not in found.values():
                    found[f"{module}: {each.pattern[:60]}"] = each
    return found


def _texts(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """A beginning, what is repeated, and an end."""
    rng, signs = random.Random(pattern.pattern), alphabet(pattern)
    single = rng.sample(signs, min(len(signs), examples(6)))
    pumps = [*single, *("".join(rng.choices(signs, k=rng.randint(2, 5))) for _ in range(examples(2)))]
    for pump in pumps:
        yield "", pump, "\0"
        yield rng.choice(signs), pump, rng.choice(signs)


def growth(pattern: re.Pattern[str]) -> tuple[float, tuple[str, str, str]]:
    """Return how much more steps four times the text takes, and its parts: the worst, or one above MOST."""
    steps, worst, found = Steps(pattern), 0.0, ("", "", "")
    for head, pump, tail in _texts(pattern):
        taken = []
        for length in (SHORT, 4 * SHORT):
            text = f"{head}{pump * (length // len(pump))}{tail}"
            try:
                taken.append(max(steps.search(text), steps.fullmatch(text)))
            except TooManyError:
                return float("inf"), (head, pump, tail)
        if taken[1] > 12 * 4 * SHORT and taken[1] / taken[0] > worst:
            worst, found = taken[1] / taken[0], (head, pump, tail)
            if worst > MOST:
                break
    return worst, found


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    """The matcher goes one level deeper with each character."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.slow
def test_every_pattern_takes_steps_as_its_text_is_long() -> None:
    assert len(patterns()) > 40
    grown = {name: growth(each) for name, each in patterns().items()}
    wrong = {name: each for name, each in grown.items() if each[0] > MOST}
    assert not wrong, wrong


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"(.+?)\s*-\s*(.+)", r"(a+)+b", r"\s+x", r"a*a*b", r"x*?y*?x*z"])
def test_a_slow_pattern_is_found(pattern: str) -> None:
    assert growth(re.compile(pattern))[0] > MOST


@pytest.mark.parametrize(
    "pattern", [r"[a-h]\d{1,2}", r"(?<!\w)a++b", r"(\w{1,4}-?){1,3}", r"\d{1,4}\s?(h|min)"]
)
def test_a_pattern_that_is_not_slow_passes(pattern: str) -> None:
    assert growth(re.compile(pattern))[0] <= MOST
