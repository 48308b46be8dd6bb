"""A literal matcher of regular expressions that counts its steps, as a backtracking engine takes them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

parser: Any = importlib.import_module("re._parser")
C: Any = importlib.import_module("re._constants")

MAX_STEPS = 150_000
Node = tuple[Any, Any]
Continue = Callable[[int], bool]


class TooManyError(AssertionError):
    """More steps than any linear pattern takes."""


class Steps:
    """Matches one pattern, and counts each character that is looked at.

    A reference to a group counts as nothing.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._nodes: Sequence[Node] = list(parser.parse(pattern.pattern, pattern.flags))
        self._flags = pattern.flags
        self.taken = 0

    def search(self, text: str) -> int:
        """Return the steps of looking for the first match."""
        self.taken = 0
        for start in range(len(text) + 1):
            if self._match(self._nodes, text, start, lambda at: True):
                break
        return self.taken

    def fullmatch(self, text: str) -> int:
        """Return the steps of matching the whole text."""
        self.taken = 0
        self._match(self._nodes, text, 0, lambda at: at == len(text))
        return self.taken

    def _match(self, nodes: Sequence[Node], text: str, at: int, then: Continue) -> bool:
        if not nodes:
            return then(at)
        (op, value), rest = nodes[0], nodes[1:]

        def go_on(end: int) -> bool:
            return self._match(rest, text, end, then)

        match op:
            case C.SUBPATTERN:
                return self._match(list(value[3]), text, at, go_on)
            case C.BRANCH:
                return any(self._match(list(branch), text, at, go_on) for branch in value[1])
            case C.MAX_REPEAT | C.MIN_REPEAT | C.POSSESSIVE_REPEAT:
                least, most, inner = value
                if op is C.POSSESSIVE_REPEAT:
                    return self._alone([(C.MAX_REPEAT, value)], text, at, go_on)
                return self._repeat(list(inner), int(least), most, text, at, go_on, lazy=op is C.MIN_REPEAT)
            case C.ATOMIC_GROUP:
                return self._alone(list(value), text, at, go_on)
            case C.ASSERT | C.ASSERT_NOT:
                direction, inner = value
                starts = [at] if direction > 0 else range(at, max(-1, at - 3), -1)
                here = any(
                    self._match(list(inner), text, start, lambda end: direction > 0 or end == at)
                    for start in starts
                )
                return here == (op is C.ASSERT) and go_on(at)
            case C.AT:
                return self._is_at(value, text, at) and go_on(at)
            case C.GROUPREF | C.GROUPREF_EXISTS:
                return go_on(at)
        self._step()
        return at < len(text) and self._fits((op, value), text[at]) and go_on(at + 1)

    def _repeat(
        self, inner: list[Node], least: int, most: Any, text: str, at: int, then: Continue, *, lazy: bool
    ) -> bool:
        """Repeat what is one character by a loop, as engines do; anything else by trying each number."""
        if len(inner) == 1 and inner[0][0] in (C.LITERAL, C.NOT_LITERAL, C.IN, C.ANY):
            return any(then(end) for end in self._ends(inner[0], least, most, text, at, lazy=lazy))

        def times(done: int, here: int) -> bool:
            def once_more(end: int) -> bool:
                return (end > here or done < least) and times(done + 1, end)

            more = done < int(most) and (lambda: self._match(inner, text, here, once_more))
            enough = done >= least and (lambda: then(here))
            tries = (enough, more) if lazy else (more, enough)
            return any(one() for one in tries if one)

        return times(0, at)

    def _ends(self, node: Node, least: int, most: Any, text: str, at: int, *, lazy: bool) -> Iterator[int]:
        end = at
        while end < len(text) and end - at < int(most):
            if lazy and end - at >= least:
                yield end
            self._step()
            if not self._fits(node, text[end]):
                break
            end += 1
        if lazy:
            if end - at >= least:
                yield end
            return
        yield from range(end, at + least - 1, -1)

    def _alone(self, nodes: list[Node], text: str, at: int, then: Continue) -> bool:
        ends: list[int] = []

        def first(end: int) -> bool:
            ends.append(end)
            return True

        return self._match(nodes, text, at, first) and then(ends[0])

    def _step(self) -> None:
        self.taken += 1
        if self.taken > MAX_STEPS:
            raise TooManyError

    def _is_at(self, where: Any, text: str, at: int) -> bool:
        if where in (C.AT_BOUNDARY, C.AT_NON_BOUNDARY):
            before = at > 0 and bool(re.match(r"\w", text[at - 1]))
            after = at < len(text) and bool(re.match(r"\w", text[at]))
            return (before != after) == (where is C.AT_BOUNDARY)
        if where in (C.AT_BEGINNING, C.AT_BEGINNING_STRING, C.AT_BEGINNING_LINE):
            return at == 0 or (bool(self._flags & re.MULTILINE) and text[at - 1] == "\n")
        return at == len(text) or (bool(self._flags & re.MULTILINE) and text[at] == "\n")

    def _fits(self, node: Node, char: str) -> bool:
        forms = {char, char.lower(), char.upper()} if self._flags & re.IGNORECASE else {char}
        return any(_fits(node, form, self._flags) for form in forms)


_CLASSES = {C.CATEGORY_DIGIT: r"\d", C.CATEGORY_SPACE: r"\s", C.CATEGORY_WORD: r"\w"}
_OTHERS = {C.CATEGORY_NOT_DIGIT: r"\D", C.CATEGORY_NOT_SPACE: r"\S", C.CATEGORY_NOT_WORD: r"\W"}


def _fits(node: Node, char: str, flags: int) -> bool:
    op, value = node
    if op is C.LITERAL:
        return ord(char) == int(value)
    if op is C.NOT_LITERAL:
        return ord(char) != int(value)
    if op is C.ANY:
        return char != "\n" or bool(flags & re.DOTALL)
    if op is C.RANGE:
        return int(value[0]) <= ord(char) <= int(value[1])
    if op is C.CATEGORY:
        return re.match({**_CLASSES, **_OTHERS}[value], char, flags & re.ASCII) is not None
    negated = value[0][0] is C.NEGATE
    return any(_fits(each, char, flags) for each in value[negated:]) != negated


def alphabet(pattern: re.Pattern[str]) -> list[str]:
    """Return characters that a pattern tells apart, and one that it doesn't name."""
    found: set[str] = set()

    def look(nodes: Any) -> None:
        for op, value in nodes:
            if op in (C.LITERAL, C.NOT_LITERAL):
                found.add(chr(value))
            elif op is C.IN:
                look(value)
            elif op is C.RANGE:
                found.update(map(chr, value))
            elif op is C.CATEGORY:
                found.update(
                    {C.CATEGORY_DIGIT: "1", C.CATEGORY_SPACE: " \t", C.CATEGORY_WORD: "a1"}.get(value, "-")
                )
            elif op in (C.MAX_REPEAT, C.MIN_REPEAT, C.POSSESSIVE_REPEAT):
                look(value[2])
            elif op is C.SUBPATTERN:
                look(value[3])
            elif op is C.BRANCH:
                for branch in value[1]:
                    look(branch)
            elif op in (C.ASSERT, C.ASSERT_NOT):
                look(value[1])
            elif op is C.ATOMIC_GROUP:
                look(value)

    look(parser.parse(pattern.pattern, pattern.flags))
    return sorted(found | {"x"})
