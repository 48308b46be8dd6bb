"""Texts read as a native editor would leave them: patterns that were found and mended may not come back.

Each pattern has the words that replace it. Code, typed words and addresses are skipped. No text needs an
exception so far; list one that does here, by its key.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.rows import rows

ROOT = Path(__file__).parents[2]

INSTEAD = {
    r"\bso many\b": "a number, `this many` or `too many`",
    r"\b(?:is|are) the most\b": "the limit is ...",
    r"\bbrought along\b|\bcame along\b|\bcome along\b": "added, attached",
    r"\b(?:some|any|every)body\b": "someone, anyone, everyone",
    r"\bpresent (?:board|position|one)\b": "current",
    r"\bsigns\b": "characters, symbols",
    r"\bthis is none\b|\bis no (?:kind|record|section|word|name|place|whole|card|line|set)\b": "isn't a ...",
    r"\bcounts? no more\b|\bplays? no more\b|\bshow it no longer\b": "no longer counts, no longer plays",
    r"\bby (?:itself|themselves|oneself)\b": "automatically, on its own",
    r"\bis wanted\b|\bare wanted\b": "expected, needed, use ...",
    r"\bchance has no part\b": "no dice are involved",
    r"\bthe ways of\b": "the settings of",
    r"\bthat are too many\b": "that's too many",
    r"\bhas enough\b": "votes to stop",
    r"\bin all\b(?= ?[.,:;)]|$)": "in total",
    r"\bat present\b": "now, right now",
    r"!(?!\[)": "a full stop",
}
"""What may not be written, as a pattern without regard to case, and what is written instead."""

LOBBY = {r"\btables?\b": "lobby"}
"""Where players meet before a match has one name. Documents also have tables of exact values."""

AMERICAN = re.compile(r"\b(?:colors?|gray|center|analyz\w*)\b", re.IGNORECASE)

DOCUMENTS = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")), key=str)


def flat(table: dict[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{above}.{name}" if above else name
        if isinstance(value, dict):
            yield from flat(value, key)
        else:
            yield key, str(value)


PACKAGES = (
    "atlases",
    "bot",
    "cli",
    "deploy",
    "dominium",
    "games",
    "locales",
    "matches",
    "render",
    "sandbox",
    "solve",
    "storage",
    "tournaments",
)

COMMENTS = {
    **{pattern: better for pattern, better in INSTEAD.items() if pattern != r"!(?!\[)"},
    r"\bwhoever\b": "the person who, the seat that",
    r"\b(?:no|any) more\b(?! than)": "no longer",
    r"\bbe it\b": "whether ... or not",
    r"\bhas (?:a|no) part\b": "is decided by, is used in",
    r"\bthe same without\b": "say what it is",
    r"\bhad better\b": "should",
}
"""What docstrings and comments may not say."""

SUSPECT = re.compile("|".join((*COMMENTS, AMERICAN.pattern)), re.IGNORECASE | re.MULTILINE)

_NO_VERBS = (
    r"(?:The|An?|What|Whom?|Whose|How|Which|Whether|Where|"
    r"Each|All|Every|Some|No|It|If|For|At|Of|In|By|As|Why)\b"
)
NOT_IMPERATIVE = re.compile(rf"^{_NO_VERBS}")
"""How the docstring of a function doesn't begin: it says what the function does."""

SUSPECT_START = re.compile(rf"""^\s+[rR]?["']+\s*{_NO_VERBS}""", re.MULTILINE)
"""A file without it, as without SUSPECT, has nothing to be found."""


def texts() -> Iterator[tuple[str, str, str]]:
    """File, key and text of all that is said in English."""
    for folder in ("locales/texts", "games"):
        for path in sorted((ROOT / folder).rglob("*.toml")):
            inner = path.relative_to(ROOT).parts
            if "en" in inner or path.name == "en.toml":
                for key, text in flat(tomllib.loads(path.read_text("utf-8"))):
                    yield "/".join(inner), key, text


def prose(text: str) -> str:
    """A document without its code: blocks, typed words and addresses."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)|<[^>\n]+>", "", text)


def found(text: str, patterns: Mapping[str, str] = INSTEAD) -> Iterator[str]:
    """What is to be written otherwise, code and typed words aside."""
    text = prose(text)
    for pattern, better in patterns.items():
        for hit in re.finditer(pattern, text, re.IGNORECASE | re.MULTILINE):
            yield f"{hit.group()!r}: write {better}"
    for hit in AMERICAN.finditer(text):
        yield f"{hit.group()!r}: British spelling"


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Each statement in a tree, without expressions: most of it, in which there are no docstrings."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(tree, part, ()):
            yield each
            yield from statements(each)


def remarks(source: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, and of the comments of a file in which any can be wrong."""
    for node in statements(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
    if not SUSPECT.search("\n".join(line.partition("#")[2] for line in source.splitlines())):
        return  # telling comments from strings takes longer than all else
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def functions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and docstring of each function but properties and context managers."""
    for node in statements(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (said := ast.get_docstring(node)):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            if not re.search(r"property|contextmanager|\.setter", decorators):
                yield node.lineno, said


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_and_comments_are_plain_english(package: str) -> None:
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        source, file = path.read_text("utf-8"), path.relative_to(ROOT)
        if not (SUSPECT.search(source) or SUSPECT_START.search(source)):
            continue
        tree = ast.parse(source)
        for line, text in remarks(source, tree):
            if SUSPECT.search(text):
                wrong += [f"{file}:{line}: {what}" for what in found(text, COMMENTS)]
        for line, said in functions(tree):
            if NOT_IMPERATIVE.match(said):
                wrong.append(f"{file}:{line}: say what it returns or does: {said.splitlines()[0]}")
    assert not wrong, "\n".join(wrong)


def test_the_texts_are_plain_english() -> None:
    wrong = []
    known = set()
    for file, key, text in texts():
        known.add(key)
        wrong += [f"{file}, {key}: {what}" for what in found(text, INSTEAD | LOBBY)]
    assert len(known) > 800
    assert not wrong, "\n".join(wrong)


@rows("path", DOCUMENTS)
def test_the_documents_are_plain_english(path: Path) -> None:
    assert list(found(path.read_text("utf-8"))) == []


@rows(
    "text",
    ["so many on so many", "12 are the most.", "No files came along.", "It is marked, but this is none.",
     "the present board", "at most 100 signs", "Somebody did", "Missions count no more", "Well done!",
     "This table is closed.", "40 armies in all.", "the color"],
)  # fmt: skip
def test_the_list_can_fail(text: str) -> None:
    assert list(found(text, INSTEAD | LOBBY))
