"""The catalogue: parsing texts, plural forms, lists, fallback languages, an answer for every reader."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.message import Msg, Value, Who, msg
from locales import Catalogue, CatalogueError
from locales import catalogue as text_files
from locales.catalogue import Plural, Template, parse, read
from tests.rows import rows

ENGLISH = """
[a]
_ = "parent"
plain = "child"
brace = "{{x}} is {x}"
list = "Take {what}."
[a.count]
one = "one piece"
other = "{n} pieces of {colour}"
[a.seat]
_ = "{who} waits"
[match]
seat = "Seat {n}"
"""
POLISH = """
[a.count]
one = "jeden {colour}"
few = "{n} kilka {colour}"
many = "{n} wiele {colour}"
other = "{n} inne {colour}"
"""


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    return made(tmp_path, monkeypatch, strict=False)


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, strict: bool) -> Catalogue:
    folder = tmp_path / "texts"
    (folder / "en").mkdir(parents=True)
    (folder / "en" / "one.toml").write_text(ENGLISH, "utf-8")
    (folder / "pl.toml").write_text(POLISH, "utf-8")
    (folder / "pt-BR.toml").write_text('[a]\nplain = "criança"\n', "utf-8")
    monkeypatch.setattr(text_files, "files", lambda package: tmp_path)
    return Catalogue(strict=strict, games=())


@pytest.mark.parametrize(
    ("message", "lang", "text"),
    [
        (msg("a"), "en", "parent"),
        (msg("a.plain"), "en", "child"),
        (msg("a.brace", x=3), "en", "{x} is 3"),
        (msg("a.list", what=()), "en", "Take ."),
        (msg("a.list", what=("x",)), "en", "Take x."),
        (msg("a.list", what=("x", 2, msg("a"))), "en", "Take x, 2, and parent."),
        (msg("a.list", what=(("x", "y"), "z")), "en", "Take x and y and z."),
        (msg("a.count", n=1, colour="red"), "en", "one piece"),
        (msg("a.count", n=0, colour="red"), "en", "0 pieces of red"),
        (msg("a.count", n=3, colour="red"), "pl", "3 kilka red"),
        (msg("a.count", n=5, colour="red"), "pl-PL", "5 wiele red"),
        (msg("a.plain"), "pl", "child"),
        (msg("a.plain"), "pt-BR", "criança"),
        (msg("a.plain"), "pt_br", "criança"),
        (msg("a.plain"), "pt", "child"),
        (msg("a.plain"), "xx-YY-zz", "child"),
        (msg("a.plain"), "", "child"),
        (msg("a.seat", who=Who(0)), "en", "Seat 1 waits"),
        (msg("a.seat", who="{x}"), "en", "{x} waits"),
    ],
)
def test_a_message_is_said(catalogue: Catalogue, message: Msg, lang: str, text: str) -> None:
    assert catalogue.say(message, lang) == text


def test_seats_are_named_by_the_host(catalogue: Catalogue) -> None:
    message = msg("a.list", what=(Who(1), msg("a.seat", who=Who(0))))
    assert catalogue.say(message, names=["Ada", "Bo"].__getitem__) == "Take Bo and Ada waits."
    assert catalogue.speaker("en", ["Ada", "Bo"].__getitem__)(message) == "Take Bo and Ada waits."


def test_a_reader_gets_something_whatever_is_wrong(
    catalogue: Catalogue, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    assert catalogue.say(msg("no.such")) == "no.such"
    assert catalogue.say(msg("a.brace")) == "a.brace"
    assert catalogue.say(msg("a.plain", extra=1)) == "child"
    assert catalogue.say(msg("a.count", n="many", colour="red")) == "many pieces of red"
    assert len(caplog.records) == 4


def test_a_strict_catalogue_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strict = made(tmp_path, monkeypatch, strict=True)
    for message in (msg("no.such"), msg("a.brace"), msg("a.plain", extra=1), msg("a.list", what=msg("no"))):
        with pytest.raises(KeyError):
            strict.say(message)


def test_keys_and_placeholders(catalogue: Catalogue) -> None:
    assert catalogue.languages == ("en", "pl", "pt-br")
    assert catalogue.keys("pl") == {"a.count"}
    assert {"a", "a.plain", "a.count", "a.seat"} <= catalogue.keys()
    assert catalogue.placeholders("a.count") == {"n", "colour"}
    with pytest.raises(KeyError):
        catalogue.placeholders("a.plain", "pl")


@rows(
    "content, reason",
    [
        ("x = 1", "neither a text nor a table"),
        ('x = "{"', "x: no placeholder at column 1"),
        ('x = "a}"', "column 2"),
        ('x = "{a b}"', "column 1"),
        ('x = "{}"', "column 1"),
        ('[x]\nother = "{"', "x.other: no placeholder"),
        ("[x]\nother = 3", "x.other isn't a text"),
        ('"a.b" = "x"', "letters, digits and underscores"),
        ('x = "a"\nx = "b"', "Cannot overwrite"),
        ("x", "Expected"),
    ],
)
def test_a_bad_file_is_named(content: str, reason: str) -> None:
    with pytest.raises(CatalogueError, match=reason) as found:
        parse(content, "here.toml")
    assert "here.toml" in str(found.value)


def test_a_key_is_given_once_and_a_language_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, monkeypatch, strict=True)
    (tmp_path / "texts" / "klingon.toml").write_text("", "utf-8")
    with pytest.raises(CatalogueError, match="klingon isn't a known language"):
        Catalogue(games=())
    (tmp_path / "texts" / "en" / "two.toml").write_text('[a]\nplain = "again"', "utf-8")
    with pytest.raises(CatalogueError, match=r"a\.plain is given twice"):
        Catalogue(games=())


def test_without_english_there_is_no_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "files", lambda package: tmp_path)
    with pytest.raises(CatalogueError, match="no texts in en"):
        Catalogue(games=())


def test_a_table_is_plural_only_with_other() -> None:
    found = parse('[x]\none = "a"\ntwo = "b"\n[y]\none = "a"\nother = "b"', "here")
    assert isinstance(found["x.one"], Template)
    assert isinstance(found["y"], Plural)


@pytest.mark.slow
@given(st.text())
def test_a_template_is_read_or_refused(text: str) -> None:
    escaped = read(text.replace("{", "{{").replace("}", "}}"))
    assert escaped.fill(lambda name, choice: "") == text
    assert escaped.placeholders == frozenset()
    try:
        found = read(text)
    except ValueError:
        assert "{" in text or "}" in text
    else:
        assert all(name.isidentifier() for name in found.placeholders)


@pytest.mark.slow
@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner, max_size=3).map(tuple)))
def test_any_value_can_be_said(value: Value) -> None:
    assert Catalogue(games=()).say(msg("match.fact.resign", who=value)).endswith(" resigns.")
