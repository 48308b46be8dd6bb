"""No text is missing, none is unused, and each is given exactly the values it names, in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from games.engine import registry
from games.engine.extras import Extras
from locales import Catalogue

ROOT = Path(__file__).parents[2]
ROOMS = ("games", "matches", "atlases", "render", "bot", "cli", "sandbox", "locales")

HOST_KEYS = (
    "title",
    "tagline",
    "credit",
    "notation",
    "notation.*",
    "lesson.*",
    "puzzle.*",
    "rules.*",
    "seat.*",
    "option.*",
    "overlay.*",
)
"""Texts of a game that the host asks for by name, whatever the game."""


@dataclass(frozen=True)
class Use:
    """A message in the source: its key, `*` for unknown parts, and its values unless some are unknown."""

    where: str
    key: str
    values: frozenset[str] | None


def sources() -> Iterator[Path]:
    """Everything that may say something. A game's folder is one of them once the registry names it."""
    seated = {"", "engine", "ai", *registry.KEYS}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            inner = path.relative_to(ROOT).parts[1:-1]
            if room != "games" or (inner[0] if inner else "") in seated:
                yield path
    for game in registry.all_games():
        package = Path(str(files(registry.package(game.key))))
        if not package.is_relative_to(ROOT / "games"):
            yield from sorted(package.rglob("*.py"))


def keys_of(node: ast.expr) -> Iterator[str]:
    """The keys that an expression may give; nothing if that can't be seen."""
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
        case ast.IfExp(body=body, orelse=other):
            yield from keys_of(body)
            yield from keys_of(other)


@cache
def read(path: Path) -> tuple[list[Use], frozenset[str]]:
    """What a file says, and all that it quotes."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    quoted = (node.value for node in nodes if isinstance(node, ast.Constant))
    said = list(uses_in(nodes, str(path.relative_to(ROOT))))
    return said, frozenset(value for value in quoted if isinstance(value, str))


def uses_in(nodes: Iterable[ast.AST], where: str) -> Iterator[Use]:
    for node in nodes:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in ("msg", "Msg"):
            continue
        values: frozenset[str] | None
        if name == "msg":
            named = [keyword.arg for keyword in node.keywords]
            values = None if None in named else frozenset(map(str, named))
        else:
            values = None if len(node.args) + len(node.keywords) > 1 else frozenset()
        for key in filter(None, keys_of(node.args[0])):  # a message without a key is never said
            yield Use(f"{where}:{node.lineno}", key, values)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue(strict=True)


@pytest.fixture(scope="module")
def uses() -> list[Use]:
    return [use for path in sources() for use in read(path)[0]]


def test_every_message_has_its_text_and_the_values_it_names(catalogue: Catalogue, uses: list[Use]) -> None:
    assert len(uses) > 50
    keys = catalogue.keys()
    wrong = []
    for use in uses:
        found = (
            [key for key in keys if fnmatchcase(key, use.key)]
            if "*" in use.key
            else [use.key] * (use.key in keys)
        )
        if not found:
            wrong.append(f"{use.where}: {use.key} is in no catalogue")
        for key in found if use.values is not None and "*" not in use.key else ():
            if catalogue.placeholders(key) != use.values:
                names = sorted(catalogue.placeholders(key))
                wrong.append(
                    f"{use.where}: {key} is given {sorted(use.values or ())}, its text names {names}"
                )
    assert not wrong, "\n".join(wrong)


def test_every_text_is_used(catalogue: Catalogue, uses: list[Use]) -> None:
    used = {use.key for use in uses} | {text for path in sources() for text in read(path)[1]}
    patterns = {use.key for use in uses if "*" in use.key and len(use.key.replace("*", "")) > 2}
    patterns |= {f"{game.key}.{key}" for game in registry.all_games() for key in HOST_KEYS}
    unused = [k for k in catalogue.keys() - used if not any(fnmatchcase(k, pattern) for pattern in patterns)]
    assert not sorted(unused)


def test_every_game_has_the_texts_that_the_host_asks_for(catalogue: Catalogue) -> None:
    keys = catalogue.keys()
    for game in registry.all_games():
        wanted = ["title", "pitch", "tagline", "credit", "notation", "rules.1"]
        wanted += [f"overlay.{key}" for key in game.overlays]
        if type(game).material is not Extras.material:
            wanted += ["material", "material.count"]
        for option in game.options:
            wanted += [f"option.{option.key}", f"option.{option.key}.help"]
            wanted += [f"option.{option.key}.{str(choice).lower()}" for choice in option.choices]
        assert {f"{game.key}.{key}" for key in wanted} <= keys
        numbers = sorted(int(key.rpartition(".")[2]) for key in keys if key.startswith(f"{game.key}.rules."))
        assert numbers == list(range(1, len(numbers) + 1)), "the pages are numbered"


def test_all_languages_have_the_same_keys_and_values(catalogue: Catalogue) -> None:
    for language in catalogue.languages:
        assert catalogue.keys(language) == catalogue.keys()
        for key in sorted(catalogue.keys()):
            assert catalogue.placeholders(key, language) == catalogue.placeholders(key)
