"""What a planted fault looks like: one small change of a file, made from its syntax tree.

Changed are comparisons, numbers and their signs, `and` and `or`, `not`, conditions, `min` and `max`, bounds
of slices, the order of two arguments or statements, alternatives of `in`, fields that are replaced,
statements, early ways out, `break` and `continue`. Types, decorators, texts and imports are left alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias, TypeGuard, TypeVar

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
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_OPPOSITES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_Node: TypeAlias = ast.expr | ast.stmt
_N = TypeVar("_N")
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


def mutants_of(path: str, root: Path) -> list[Mutant]:
    """Return every mutant of a file, in the order of the file."""
    code = (root / path).read_bytes()
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = set()
    for (first, last), text in _changes(ast.parse(code)):
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        begin = starts[first.lineno - 1] + first.col_offset
        found.add(Mutant(path, begin, starts[last.end_lineno - 1] + last.end_col_offset, text))
    return sorted(found)


def _changes(tree: ast.AST) -> Iterator[tuple[tuple[_Node, _Node], str]]:
    """Yield the first and last nodes of what is replaced, and the code in its place."""
    for node in _inner(tree):
        for old, new in _replacements(node):
            text = ast.unparse(new)
            bare = isinstance(new, ast.stmt | ast.Constant | ast.Slice)
            yield (old, old), text if bare else f"({text})"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for first, second in _exchangeable(node):
                yield (first, second), f"{ast.unparse(second)}; {ast.unparse(first)}"


def _replacements(node: ast.AST) -> Iterator[tuple[_Node, ast.AST]]:
    match node:
        case ast.expr():
            yield from ((node, new) for new in _expressions(node))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _dropped(node)
        case ast.Break():
            yield node, ast.Continue()
        case ast.Continue():
            yield from ((node, ast.Break()), (node, ast.Pass()))
        case ast.comprehension(ifs=[*conditions]):
            yield from ((each, ast.Constant(True)) for each in conditions)
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, _ELSEWHERE):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.If):
        yield from ((each, ast.Pass()) for each in node.body if isinstance(each, ast.Return | ast.Raise))


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those in it whose change may make a difference."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _inner(child)


def _expressions(node: ast.expr) -> Iterator[ast.expr | ast.Slice]:
    match node:
        case ast.Compare(left, ops, right):
            for n, op in enumerate(ops):
                for other in _COMPARISONS[type(op)]:
                    yield ast.Compare(left, [*ops[:n], other(), *ops[n + 1 :]], right)
                several = right[n]
                if isinstance(op, ast.In | ast.NotIn) and isinstance(several, ast.Tuple | ast.Set):
                    for fewer in _one_less(several.elts):
                        yield ast.Compare(left, ops, [*right[:n], ast.Tuple(fewer), *right[n + 1 :]])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield from (ast.BoolOp(op, fewer) for fewer in _one_less(values))
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
        case ast.Name(name) if name in _OPPOSITES:
            yield ast.Name(_OPPOSITES[name])
        case ast.Slice(low, high, step):
            yield from (ast.Slice(None, high, step) for _ in [low] if low)
            yield from (ast.Slice(low, None, step) for _ in [high] if high)
        case ast.Call(function, arguments, keywords):
            name = ast.unparse(function)
            if name != "isinstance":
                for n, (a, b) in enumerate(pairwise(arguments)):
                    if isinstance(a, ast.Name | ast.Attribute) and isinstance(b, ast.Name | ast.Attribute):
                        yield ast.Call(function, [*arguments[:n], b, a, *arguments[n + 2 :]], keywords)
            if name.endswith("replace"):
                yield from (ast.Call(function, arguments, fewer) for fewer in _one_less(keywords))


def _one_less(nodes: Sequence[_N]) -> Iterator[list[_N]]:
    """Yield the nodes without each of them, if there are several."""
    return ([*nodes[:n], *nodes[n + 1 :]] for n in range(len(nodes)) if len(nodes) > 1)


def _is_text(*nodes: ast.expr) -> bool:
    return any(isinstance(node, ast.JoinedStr | ast.Constant) and not _is_number(node) for node in nodes)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _dropped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Yield the statements that a function could do without: calls, and names that are set elsewhere too."""
    bound = _bindings(function)
    for node in ast.walk(function):
        if _is_simple(node) and (
            not isinstance(node, ast.Assign) or all(bound.get(name, 2) > 1 for name in _set(node))
        ):
            yield node, ast.Pass()


def _exchangeable(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Yield neighbours that could be exchanged: calls, and where one sets what the other reads."""
    bound = _bindings(function)
    blocks = (value for node in ast.walk(function) for _, value in ast.iter_fields(node))
    for first, second in (pair for lines in blocks if isinstance(lines, list) for pair in pairwise(lines)):
        if _is_call(first) and _is_call(second):
            yield first, second
        elif _is_simple(first) and _is_simple(second):
            shared = (_set(first) & _read(second)) | (_read(first) & _set(second))
            if shared and all(bound.get(name, 2) > 1 for name in shared):
                yield first, second


def _bindings(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Counter[str]:
    """Return how often each name is set in a function."""
    bound = Counter(name for node in ast.walk(function) for name in _set(node))
    bound.update(node.arg for node in ast.walk(function) if isinstance(node, ast.arg))
    return bound


def _set(node: ast.AST) -> set[str]:
    """Return the names and attributes that a statement sets."""
    targets = [getattr(node, "target", None), *getattr(node, "targets", ())]
    every = (each for target in targets if target for each in ast.walk(target))
    return {ast.unparse(each) for each in every if isinstance(getattr(each, "ctx", None), ast.Store)}


def _read(node: ast.AST) -> set[str]:
    """Return the names and attributes that a statement reads."""
    more = _set(node) if isinstance(node, ast.AugAssign) else set()
    return more | {
        ast.unparse(each) for each in ast.walk(node) if isinstance(getattr(each, "ctx", None), ast.Load)
    }


def _is_simple(node: ast.AST) -> TypeGuard[ast.stmt]:
    return isinstance(node, ast.Assign | ast.AugAssign) or _is_call(node)


def _is_call(node: ast.AST) -> TypeGuard[ast.Expr]:
    return isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant | ast.Yield)
