"""Names of people can't change how the text around them reads."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.names import as_code, escaped_name, plain_name
from tests.bot.stage import Stage

CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""All characters with the Unicode property Bidi_Control."""


@given(st.text(st.one_of(st.sampled_from(CONTROLS), st.characters()), max_size=60))
def test_names_and_texts_keep_no_controls(text: str) -> None:
    for quoted in (plain_name(text), escaped_name(text), as_code(text)):
        assert not set(quoted) & set(CONTROLS)
        assert "Cc" not in map(unicodedata.category, quoted)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Eve\u202egnp.exe", "Evegnp.exe"),
        ("\u2066\u202e\u2069", "?"),
        ("\u3164\u2800\u3164", "?"),
        ("\u200d\ufe0f\u00ad", "?"),
        ("  two \n lines ", "two lines"),
        ("\u202e" * 40 + "Ann", "Ann"),
        ("\u05d3\u05e0\u05d4", "\u05d3\u05e0\u05d4"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),  # joined into one emoji
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),  # a word, in which letters are not joined
    ],
)
def test_a_name_as_it_is_shown(name: str, shown: str) -> None:
    assert plain_name(name) == shown


@pytest.mark.parametrize(
    "name",
    [
        "discord.gg/abcdef",
        "join discord.com/invite/abc",
        "https://evil.example/x",
        "[a](https://b.example)",
        "<#1>",
    ],
)
def test_a_name_leads_nowhere(name: str) -> None:
    shown = escaped_name(name)
    assert not re.search(r"\w\.\w|://|[^\\]<", f" {shown}")
    assert shown.replace("\\", "") == name


async def test_a_name_turns_nothing_around(stage: Stage) -> None:
    trickster = stage.guild.add_member(stage.env.create_user("x\u202e(sniw)"))
    match, thread = await stage.open(stage.ann, trickster)
    shown = [str(thread.name), (await stage.lobby(match)).content]
    shown += [board.content for board in await stage.boards(match)]
    assert all("sniw" in text for text in shown[:2])
    assert not any(set(text) & set(CONTROLS) for text in shown)
