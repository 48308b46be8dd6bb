"""What is typed is normalised once, by Unicode's tables, and positions lead back to what was typed."""

from __future__ import annotations

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from games.engine.confusable_characters import LOOKALIKES
from games.engine.normalization import MAX_LENGTH, folded, is_invisible, normalized
from tests.confusables_table import TABLE, lookalikes, pairs, source_of
from tests.rows import rows

ODD = st.sampled_from(
    "\u200e\u200b\u00ad\ufe0f\u20e3\u200d\u3164\u2800\u0307\u0301\u0332\u0336İıſ½²①❶🔟🇩🇪👍🏽🤔→←👉−ー한한е٣ａ１。"
)
NAMES = st.sampled_from(("İstanbul", "Iğdır", "Łódź", "Αθήνα", "Москва", "한국", "東京", "エーゲ", "ß"))
TYPED = st.text(st.one_of(ODD, st.sampled_from("abei 0129-+;"), st.characters(codec="utf-8")), max_size=30)


@given(TYPED)
def test_positions_lead_back(text: str) -> None:
    found = normalized(text)
    assert found.typed == text
    spans = [found.span(at, at + 1) for at in range(len(found.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    assert found.span(0, len(found.text))[1] <= len(text)
    assert found.span(len(found.text), len(found.text) + 5) == (len(text),) * 2 or not found.spans


@given(TYPED)
def test_a_normalised_text_stays(text: str) -> None:
    assert normalized(normalized(text).text).text == normalized(text).text


@given(TYPED)
def test_nothing_that_cannot_be_seen_stays(text: str) -> None:
    assert not any(is_invisible(char) for char in normalized(text).text if not char.isascii())


@given(st.text(st.characters(max_codepoint=127), max_size=30))
def test_ascii_stays(text: str) -> None:
    found = normalized(text)
    assert found.text == text
    assert found.span(0, len(text)) == (0, len(text))


@given(TYPED)
def test_no_digit_is_lost(text: str) -> None:
    """Whatever names a number is still there: read as digits, or as something that stops a text."""
    before = [char for char in text if char.isnumeric()]
    after = [char for char in normalized(text).text if char.isnumeric()]
    assert len(after) >= len(before)


@given(st.lists(NAMES, max_size=3))
def test_names_are_compared_in_every_form(names: list[str]) -> None:
    name = " ".join(names)
    assert len({folded(normalize(form, name)) for form in ("NFC", "NFD", "NFKC", "NFKD")}) == 1


@rows(
    "typed, read",
    [
        ("e3️⃣-e4️⃣", "e3-e4"),
        ("e4\u200b-\u00ade6", "e4-e6"),
        ("🇪4️⃣➡️🇪6️⃣", "E4→E6"),
        ("ⓔ④–🅔⑥", "e4-E6"),
        ("𝐞𝟒-е６", "e4-e6"),
        ("e4👉🏽e6", "e4→ e6"),
        ("ala 🔟 💯", "ala 10 100"),
        ("MOBİLİSE ı2", "MOBILISE i2"),
        ("g̲r̲o̲w̲ 2", "grow 2"),
        ("e4ーe6", "e4-e6"),
        ("e4 🇩🇪 👨\u200d👩\u200d👧。", "e4      . "),
        # What may mean something else stays, and stops the text.
        ("e4←e6", "e4←e6"),
        ("e̶4̶", "e̶4̶"),
        ("5² 1½ ①⑤", "5² 1½ ①⑤"),
        ("⚂ 🥇 🕐", "⚂ 🥇 🕐"),
        ("e4 ❌🤔👎", "e4 ❌🤔👎"),
        ("Москва エーゲ 한국", "Москва エーゲ 한국"),
        ("café", "café"),
    ],
)
def test_what_is_read(typed: str, read: str) -> None:
    assert normalized(typed).text == read


def test_a_span_covers_all_that_was_typed() -> None:
    found = normalized("\u200ee3️⃣-e4️⃣ 👍")
    start = found.text.index("3")
    assert found.typed[slice(*found.span(start, start + 1))] == "3️⃣"
    assert found.typed[slice(*found.span(0, 5))] == "e3️⃣-e4️⃣"


def test_only_a_message_is_read() -> None:
    text = "ｅ" * (MAX_LENGTH + 2)
    assert normalized(text).text == "e" * MAX_LENGTH + "ｅｅ"


def test_the_table_of_lookalikes_is_what_its_script_makes() -> None:
    """Characters that are handled before, by NFKC or as digits, would never be reached."""
    assert len(LOOKALIKES) > 300
    lines = [f"{ord(like):04X} ;\t{ord(char):04X} ;\tMA\t# {char}" for like, char in LOOKALIKES.items()]
    swapped = {"I": "l"}  # the file takes them for one
    lines = [line if line[-1] not in swapped else line.replace("0049", "006C") for line in lines]
    made = lookalikes(pairs(lines))
    assert source_of(made, "15.1") == TABLE.read_text("utf-8")
    assert not any(char.isdecimal() or normalize("NFKC", char).isascii() for char in LOOKALIKES)


def test_each_lookalike_is_read_as_what_it_looks_like() -> None:
    for like, char in LOOKALIKES.items():
        if like not in "›ı":  # a quotation mark, and a letter of its own
            assert normalized(f"{like}4").text == f"{char}4", like
            assert not like.isalpha() or normalized(f"{like}ж4").text == f"{like}ж4", like


@rows(
    "typed, read",
    [("ց4-հ4", "g4-h4"), ("ᎪᏞᎪ", "ALA"), ("ꓮꓡꓮ", "ALA"), ("ⲟⲣ", "op"), ("ｅ4", "e4"), ("𝖾4", "e4"),
     ("ⅽ3", "c3"), ("ɡ4 ȷ5", "g4 j5"), ("e4꞉e6", "e4:e6"), ("Ɓ4 ɠ4", "Ɓ4 ɠ4"), ("б3 Зема", "б3 Зема")],
)  # fmt: skip
def test_lookalikes_of_many_scripts(typed: str, read: str) -> None:
    assert normalized(typed).text == read
