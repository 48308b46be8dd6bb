"""Every text of the catalogue reads well, whatever its placeholders are filled with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Final

from games.engine.message import Msg, Value
from locales import Catalogue
from locales.catalogue import COUNT
from tests.locales import fillings
from tests.locales.test_texts import keys_of, sources
from tests.rows import rows

CATALOGUE = Catalogue(strict=True)
KEYS = sorted(key for key in CATALOGUE.keys() if not key.startswith("toy."))  # noqa: SIM118
KNOWN = frozenset(KEYS)
_ASIDE = re.compile(r"`[^`]*`|<[^>]*>|\]\([^)]*\)")
"""Typed words and addresses."""
_NOUNS: Final = {
    "analysis": "analyses", "army": "armies", "capital": "capitals", "card": "cards", "channel": "channels",
    "character": "characters", "computer": "computers", "continent": "continents", "country": "countries",
    "day": "days", "die": "dice", "draw": "draws", "file": "files", "game": "games", "hour": "hours",
    "king": "kings", "line": "lines", "lobby": "lobbies", "match": "matches", "message": "messages",
    "minute": "minutes", "mission": "missions", "mistake": "mistakes", "move": "moves", "order": "orders",
    "piece": "pieces", "pile": "piles", "picture": "pictures", "player": "players", "point": "points",
    "record": "records", "roll": "rolls", "seat": "seats", "second": "seconds", "server": "servers",
    "space": "spaces", "square": "squares", "study": "studies", "throw": "throws", "turn": "turns",
}  # fmt: skip
_ADJECTIVES = "best|earlier|finished|free|legal|more|new|other|percentage"
_PLURALS = f"(?:(?:{_ADJECTIVES}) )?(?:{'|'.join(_NOUNS.values())})"
_ONE = re.compile(rf"(?<![\d.,:–±-])\b(?<!± )1 (?:{_PLURALS}|are|were|have|aren't)\b")
_MORE = re.compile(
    rf"(?<![\d.,:`])\b(?:0|2|5|1000) (?:{'|'.join(_NOUNS)})\b(?! (?:of|card|cards|piece|seat)\b)"
)
_ASKS = re.compile(
    r"\b(?:Did you mean|do you mean|Which|[Cc]hoose|can be read|[Ee]ither|Write one|You can ask)\b[^.?!]*\{}"
    r"|\b(?:may be|may go to|from there to|only|Possible instead:|Use|Try|takes one of these words:) \{}"
)
"""Where a list stands for alternatives: behind these words, or in a question."""
_FLAWS: Final[dict[str, re.Pattern[str]]] = {
    "a word twice": re.compile(r"\b([A-Za-z]+) \1\b", re.IGNORECASE),
    "blanks": re.compile(r"(?<=\S)  +(?=\S)| [,;:.?!](?![.…\w])|\( | \)|^ | $|\(\)"),
    "signs": re.compile(r"[,;:]{2}|(?<!\.)\.\.(?!\.)|[?!.,;:] ?[,;]|[,:;]\.|\?\.|\.\?"),
    "a distance behind a preposition": re.compile(
        r"\b(?:in|on|at|until|since|from|for|another|by|every|within) (?:\d+ \w+ ago|in \d)"
    ),
    "a brace": re.compile(r"[{}]"),
    "people with a verb for one": re.compile(
        r"\),? and \w+ \([^)]*\) (?:wins|has|is|was|plays|takes|loses|leads|holds|moves)\b"
    ),
    "several, of one": _ONE,
    "one, of several": _MORE,
}
SENTENCES = re.compile(
    r"\.(?:refuse|ask|caution|throttle|unreachable|undo|pause|thread)\.|^(?:plan|maps(?!\.pro|\.plain)|match\.(?:fact|setup))\."
)
"""The texts that are sentences. So is each text in which one sentence ends and another begins."""


def said(key: str, values: dict[str, Value]) -> str:
    message = Msg(key, tuple(sorted(values.items())))
    return CATALOGUE.say(message, names=fillings.NAMES.__getitem__)


def filled(key: str) -> Iterator[str]:
    """Yield a text with each value of each of its placeholders, the others as large as they can be."""
    found = {name: list(fillings.values(key, name)) for name in sorted(CATALOGUE.placeholders(key))}
    largest = {name: each[-1] for name, each in found.items()}
    smallest = {name: each[0] for name, each in found.items() if isinstance(each[0], tuple)}
    yield said(key, largest)
    for name, each in found.items():
        for value in each[:-1]:
            one = smallest if (name, value) == (COUNT, 1) else {}  # a list beside its number
            yield said(key, largest | one | {name: value})


def flaws(text: str) -> Iterator[str]:
    """Yield what is wrong with a text, typed words aside."""
    plain = _ASIDE.sub("X", text)
    for what, pattern in _FLAWS.items():
        if (found := pattern.search(plain)) is not None:
            yield f"{what} {found.group()!r}"
    yield from (f"{name} twice" for name in fillings.NAMES if text.count(name) > 1)
    if _ASKS.search(_ASIDE.sub("X", text).replace("A4, B5, and C6", "{}")):
        yield "alternatives joined by and"


@rows("room", sorted({key.partition(".")[0] for key in KEYS}))
def test_every_text_reads_well_with_all_values(room: str) -> None:
    wrong = [
        f"{key}: {flaw}: {text[:200]}"
        for key in KEYS
        if key.startswith(f"{room}.")
        for text in filled(key)
        for flaw in flaws(text)
    ]
    assert not wrong, "\n".join(dict.fromkeys(wrong))


def test_sentences_begin_and_end_as_sentences() -> None:
    wrong = []
    for key in KEYS:
        for text in filled(key):
            plain = re.sub(r"^(?:-# |- |\*+|\d+\. )+", "", text).rstrip("*_\n")
            several = re.search(r"[a-z)`][.?!] [A-Z]", _ASIDE.sub("x", plain))
            if (several or SENTENCES.search(key)) and (
                plain[:1].islower() or not re.search(r"(?:[.?!:…`)]|[A-C][4-6])$", plain)
            ):
                wrong.append(f"{key}: {text[:200]}")
                break
    assert not wrong, "\n".join(wrong)


def test_every_row_of_the_fillings_is_needed() -> None:
    named = {(key, name) for key in KEYS for name in CATALOGUE.placeholders(key)}
    assert fillings.BY_NAME.keys() - {name for _, name in named} == set()
    for texts, name, kind in fillings.OWN:
        assert any(own == name and fnmatchcase(key, texts) for key, own in named), (texts, name)
        assert kind != fillings.BY_NAME[name], (texts, name)
    assert fillings.LEAST.keys() <= named


def fitting_keys(use: str) -> Iterator[str]:
    """Yield the keys that a use may mean; `*` stands for what isn't known."""
    if "*" in use:
        yield from (each for each in KEYS if fnmatchcase(each, use))
    elif use in KNOWN:
        yield use


def evident(value: ast.expr) -> str:
    """Return which kind a value in the source has, if its form shows that."""
    match value:
        case ast.Tuple() | ast.Call(func=ast.Name(id="tuple")):
            return "list"
        case ast.Call(func=ast.Name(id="Who")):
            return "person"
        case ast.Call(func=ast.Name(id="len" | "round")) | ast.Constant(value=int()):
            return "number"
        case ast.Call(func=ast.Name(id="as_code" | "str")) | ast.JoinedStr():
            return "word"
    return ""


def test_the_fillings_fit_what_the_source_gives() -> None:
    seen, wrong = 0, []
    lists = {"list", "people", "winner"}
    fitting = {"list": lists, "person": {"person"}, "number": {"number"}}
    for path in sources():
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "msg(" in source else ():
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "msg" and node.args):
                continue
            for use in keys_of(node.args[0]):
                for key in fitting_keys(use):
                    for word in node.keywords:
                        kind = evident(word.value)
                        if kind and word.arg in CATALOGUE.placeholders(key):
                            seen += 1
                            given = fillings.kind_of(key, word.arg)
                            if given not in fitting.get(kind, {given}) or (kind != "list" and given in lists):
                                wrong.append(
                                    f"{path.name}: {key} is given a {kind} as {word.arg}, not a {given}"
                                )
    assert seen > 200
    assert not wrong, "\n".join(wrong)


@rows(
    "text, flaw",
    [
        ("You can ask for another 16 minutes ago.", "a distance"),
        ("It runs again in in 2 hours.", "a distance"),
        ("With 24 and 1 hours left.", "several, of one"),
        ("You have 2 hour left.", "one, of several"),
        ("1 are left.", "several, of one"),
        ("Did you mean A4, B5, and C6?", "alternatives"),
        ("Choose from A4, B5, and C6.", "alternatives"),
        ("Blue (Al): Blue (Al) has decided", "Blue (Al) twice"),
        ("It  is gone.", "blanks"),
        ("It is is gone.", "a word twice"),
        ("It is gone..", "signs"),
        ("It is {gone}.", "a brace"),
    ],
)
def test_the_laws_can_fail(text: str, flaw: str) -> None:
    assert [each for each in flaws(text) if each.startswith(flaw)]
