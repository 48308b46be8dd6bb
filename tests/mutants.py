"""Plant faults in the product, one at a time, and list those that no test notices: `make mutants`.

    make mutants ARGS="--room games/focus --count 20 --seed 3"

A mutant is a file with one small change, made from its syntax tree: a comparison, a number or its sign, `and`
or `or`, `not`, a statement, an early return, `break` or `continue`. The tests of the room run against it in a
copy of the tree, the quick ones only unless `--slow` is given. A mutant that they don't notice *lives*: then
a test is missing, or the change makes no difference. Changes of the second sort are listed with their reason
in `mutants_accepted.txt`, and aren't planted.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ACCEPTED: Final = Path(__file__).with_name("mutants_accepted.txt")
QUICK: Final = "not slow and not browser and not process"
_GAMES: Final = ("dominance", "dominion", "focus", "two_domains")
_ALL_GAMES: Final = "tests/games/test_fortunes.py tests/games/test_perfect.py tests/games/test_unaccounted.py"
_CLOCKS: Final = (
    "tests/matches/test_clock_faces.py tests/matches/test_time_up.py tests/matches/test_stopped_clocks.py"
)
TESTS: Final[dict[str, tuple[str, ...]]] = {
    **{f"games/{key}": (f"tests/games/{key}", f"tests/laws -k {key}", _ALL_GAMES) for key in _GAMES},
    "games/domination/rules": ("tests/games/domination", "tests/laws -k domination", _ALL_GAMES),
    "games/engine": ("tests/engine", "tests/laws"),
    "matches/clocks": ("tests/matches/clocks", _CLOCKS, "tests/matches"),
    "storage": ("tests/storage", "tests/matches"),
    "tournaments": ("tests/tournaments",),
    "bot/outbound": ("tests/bot",),
    "bot/inbound": ("tests/bot",),
    "render": ("tests/render tests/test_board_kinds.py", "tests/games -k scene"),
}
"""The rooms and their tests: arguments of pytest, run one after the other until one of them fails."""
NOT_RULES: Final = frozenset(("evaluation", "glyphs", "lookback", "player_aids", "scene", "value_table"))
"""Modules of a game's folder that aren't planted in, unless they are named: what people see, estimates."""
NOT_COPIED: Final = shutil.ignore_patterns(
    ".git", ".venv", ".lock", "data", "dist", "__pycache__", ".*_cache", ".hypothesis"
)
PATIENCE: Final = 60.0
"""Seconds that tests may always take, besides five times as long as without a fault."""

_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_ELSEWHERE: Final = ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant
"""Conditions that are changed in other ways than by `not`."""


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: the bytes from `start` to `end` of a file become `text`."""

    path: str
    start: int
    end: int
    text: str

    def source(self, root: Path) -> bytes:
        """Return the changed file."""
        whole = (root / self.path).read_bytes()
        return whole[: self.start] + self.text.encode() + whole[self.end :]

    def lines(self, root: Path) -> tuple[int, str, str]:
        """Return the number of its first line, and the code of its lines before and after, joined to one."""
        whole = (root / self.path).read_bytes()
        first, last = whole.rfind(b"\n", 0, self.start) + 1, whole.find(b"\n", self.end)
        parts = whole[first : self.start], whole[self.start : self.end], whole[self.end : last]
        before, after = (b"".join((parts[0], new, parts[2])) for new in (parts[1], self.text.encode()))
        return whole.count(b"\n", 0, first) + 1, _flat(before), _flat(after)


def _flat(code: bytes) -> str:
    return " ".join(code.decode().split())


# --- what is changed -------------------------------------------------------------------------------------


def mutants_of(path: str, root: Path) -> list[Mutant]:
    """Return every mutant of a file, in the order of the file."""
    code = (root / path).read_bytes()
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = set()
    for node, new in _changes(ast.parse(code)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin, end = (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )
        text = ast.unparse(new)
        bare = isinstance(new, ast.stmt | ast.Constant)
        found.add(Mutant(path, begin, end, text if bare else f"({text})"))
    return sorted(found)


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Yield nodes with what may take their place. Types, decorators, texts and imports are left alone."""
    for node in _inner(tree):
        if isinstance(node, ast.expr):
            yield from ((node, new) for new in _expressions(node))
        if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, _ELSEWHERE):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        if isinstance(node, ast.If):
            yield from ((each, ast.Pass()) for each in node.body if isinstance(each, ast.Return))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _dropped(node)
        if isinstance(node, ast.Break):
            yield node, ast.Continue()
        if isinstance(node, ast.Continue):
            yield node, ast.Break()


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those in it whose change may make a difference."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _inner(child)


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, ops, right):
            for n, op in enumerate(ops):
                for other in _COMPARISONS[type(op)]:
                    yield ast.Compare(left, [*ops[:n], other(), *ops[n + 1 :]], right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS and not _is_text(left, right):
            yield ast.BinOp(left, _OPERATORS[type(op)](), right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(float() as value):
            yield from (ast.Constant(value * 2 or 1.0), ast.Constant(value / 2 or -1.0))


def _is_text(*nodes: ast.expr) -> bool:
    return any(isinstance(node, ast.JoinedStr | ast.Constant) and not _is_number(node) for node in nodes)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _dropped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Yield the statements that a function could do without: calls, and names that are set elsewhere too."""
    nodes = list(ast.walk(function))
    bound = Counter(
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    bound.update(node.arg for node in nodes if isinstance(node, ast.arg))
    for node in nodes:
        if isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant | ast.Yield)
        ):
            yield node, ast.Pass()
        elif isinstance(node, ast.Assign):
            names = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            if all(bound[name] > 1 or name not in bound for name in names):
                yield node, ast.Pass()


# --- where, and how it is judged -------------------------------------------------------------------------


def files_of(room: str, root: Path) -> list[str]:
    """Return the files of a room, or of a folder or file in one. Raises ValueError if there are none."""
    place = root / room
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    if room.startswith("games/") and place.is_dir():
        found = [each for each in found if each.parent == place and each.stem not in NOT_RULES]
    if not all(each.is_file() for each in found) or not found:
        raise ValueError(f"{room} has no sources")
    return [each.relative_to(root).as_posix() for each in found]


def tests_of(room: str) -> tuple[str, ...]:
    """Return the tests of the room that a path lies in. Raises ValueError if it lies in none."""
    for key in sorted(TESTS, key=len, reverse=True):
        if room == key or room.startswith(f"{key}/"):
            return TESTS[key]
    raise ValueError(f"{room} lies in no room with tests; the rooms are {', '.join(TESTS)}")


def accepted(text: str) -> set[tuple[str, str, str]]:
    """Return the file, and the line before and after, of each mutant that makes no difference."""
    found, path, before = set(), "", ""
    for line in text.splitlines():
        mark, said = line[:2], line[2:]
        if mark == "@ ":
            path = said
        elif mark == "- ":
            before = said
        elif mark == "+ ":
            found.add((path, before, said))
    return found


class Copy:
    """A copy of the tree, in which the tests run against one mutant after another."""

    def __init__(self, source: Path, to: Path) -> None:
        """Copy the tree from `source` to `to`."""
        self._source, self._root = source, to
        shutil.copytree(source, to, ignore=NOT_COPIED)

    def passes(self, tests: Sequence[str], slow: bool, limits: Sequence[float] = ()) -> bool:
        """Return whether all tests pass, each of `tests` within its limit in seconds."""
        for n, each in enumerate(tests):
            command = [sys.executable, "-m", "pytest", "-qx", "-n0", "-pno:cacheprovider", *each.split()]
            command += [] if slow else ["-m", QUICK]
            environment = os.environ | {"PYTHONPATH": str(self._root)}
            try:
                done = subprocess.run(
                    command,
                    check=False,
                    cwd=self._root,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=limits[n] if limits else None,
                )
            except subprocess.TimeoutExpired:
                return False
            if done.returncode:
                return False
        return True

    def limits(self, tests: Sequence[str], slow: bool) -> list[float]:
        """Return the limits for faulty runs, in seconds. Raises ValueError if tests fail without a fault."""
        found = []
        for each in tests:
            begun = time.monotonic()
            if not self.passes((each,), slow):
                raise ValueError(f"these tests fail without any fault: {each}")
            found.append(PATIENCE + 5 * (time.monotonic() - begun))
        return found

    def lives(self, mutant: Mutant, tests: Sequence[str], slow: bool, limits: Sequence[float]) -> bool:
        """Return whether the tests pass against a mutant."""
        path = self._root / mutant.path
        try:
            self._write(path, mutant.source(self._source))
            return self.passes(tests, slow, limits)
        finally:
            self._write(path, (self._source / mutant.path).read_bytes())

    def _write(self, path: Path, code: bytes) -> None:
        path.write_bytes(code)
        # Bytecode is told from source by its size and whole seconds only.
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, run, print what lives; return 1 if anything does."""
    parser = argparse.ArgumentParser(
        prog="make mutants", description="Plant faults, and list what no test notices."
    )
    parser.add_argument("--room", default="games/focus", help=f"a path in one of {', '.join(TESTS)}")
    parser.add_argument("--count", type=int, default=20, help="how many; 0 plants all")
    parser.add_argument("--seed", type=int, default=1, help="which ones are planted")
    parser.add_argument("--slow", action="store_true", help="run the slow tests too")
    given = parser.parse_args(arguments)
    known = accepted(ACCEPTED.read_text("utf-8"))
    try:
        tests = tests_of(given.room)
        every = [each for path in files_of(given.room, ROOT) for each in mutants_of(path, ROOT)]
        planted = [each for each in every if (each.path, *each.lines(ROOT)[1:]) not in known]
        if given.count:
            planted = sorted(Random(given.seed).sample(planted, min(given.count, len(planted))))
        print(f"{len(every)} mutants in {given.room}; planting {len(planted)}, seed {given.seed}", flush=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy is removed
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            copy = Copy(ROOT, Path(folder) / "tree")
            limits = copy.limits(tests, given.slow)
            alive = [each for each in planted if _judged(copy, each, tests, given.slow, limits)]
    except ValueError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 1
    print(f"{len(planted)} planted, {len(planted) - len(alive)} killed, {len(alive)} alive")
    return 1 if alive else 0


def _judged(copy: Copy, mutant: Mutant, tests: Sequence[str], slow: bool, limits: Sequence[float]) -> bool:
    """Return whether a mutant lives; print it if it does."""
    lives = copy.lives(mutant, tests, slow, limits)
    if lives:
        line, before, after = mutant.lines(ROOT)
        print(f"{mutant.path}:{line}\n- {before}\n+ {after}", flush=True)
    return lives


if __name__ == "__main__":
    sys.exit(main())
