"""Any input: reading a map never raises, and accepted maps are valid and survive storage."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.domination.maps import map_json
from games.domination.maps.file_lines import MAX_MESSAGES
from games.domination.maps.map_file import ParsedMapFile, parse
from games.domination.maps.map_names import RESERVED, display_name, key_of, short_codes
from games.domination.maps.world import WORLD
from tests.games.domination.mapfiles import PICTURES, SMALL, SMALL_CARDS, SMALL_MAP, atlas, grid, tube
from tests.rows import rows

pytestmark = pytest.mark.slow

_SIGNS = """[files] [continents] [countries] [borders] [cards] [missions] [ ] ; crd pic map x.cards
small.cards risk.cards -1 0 1 2 3 6 7 254 255 999999 99999999999999999999 ١ ² * #12345 #123456 red
wildcard Cannon cavalry name ver test PLAYER9"""
WORDS = st.sampled_from([*_SIGNS.split(), "\u202e", "\x00", "\x85", "\xa0", "\ufeff"])
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.lists(WORDS, min_size=1, max_size=7).map(" ".join), max_size=30).map("\n".join),
)


def sound(found: object) -> None:
    """Check a result of `parse`: a complete map, or a limited number of errors."""
    if isinstance(found, ParsedMapFile):
        here = found.atlas
        assert map_json.load(found.to_json()) == here
        assert 6 <= len(here.countries) == len(here.borders) == len(here.index) <= 254
        assert all(here.countries_of)
    else:
        assert isinstance(found, tuple)
        assert 1 <= len(found) <= MAX_MESSAGES + 1


@given(
    st.dictionaries(st.sampled_from(["a.map", "b.MAP", "x.cards", "small.cards", "c.txt"]), TEXTS, max_size=3)
)
def test_any_texts(files: dict[str, str]) -> None:
    sound(parse(files))


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, str]:
    """Return the small map with some of its words swapped, removed or doubled."""
    files = {}
    for name, text in (("small.map", SMALL_MAP), ("small.cards", SMALL_CARDS)):
        parts = re.split(r"(\s+)", text)
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(parts) - 1))
            parts[at] = draw(st.one_of(WORDS, st.sampled_from(["", "\n", parts[at] * 2])))
        files[name] = "".join(parts)
    return files


@given(damaged(), st.sampled_from([None, PICTURES, {"two_lakes.png": (1, 1)}]))
def test_a_damaged_map(files: dict[str, str], pictures: dict[str, tuple[int, int]] | None) -> None:
    sound(parse(files, pictures))


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=60))
def test_codes_are_one_of_a_kind_and_can_be_typed(names: list[str]) -> None:
    found = short_codes([display_name(name) for name in names])
    assert len(found) == len(set(found)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9]{1,4}", code) for code in found)
    assert not RESERVED & set(found)
    assert short_codes([display_name(name) for name in names]) == found


@rows(
    "typed, shown",
    [
        ("\u3164\u2800\u200b", ""),
        ("discord.gg/abcdef", "discord gg/abcdef"),
        ("https://a.example/x", "https a example/x"),
        ("**Bold**_`name`", "Bold name"),
        ("@everyone<#1>", "everyone #1"),
        ("St._John's & Co.", "St. John's & Co."),
        ("Côte_d'Ivoire", "Côte d'Ivoire"),
    ],
)
def test_a_name_is_seen_and_leads_nowhere(typed: str, shown: str) -> None:
    assert display_name(typed) == shown


def test_codes_suit_their_names() -> None:
    names = [
        "North West Territory",
        "Élan",
        "King's Gate",
        "New York",
        "New Yorkshire",
        "End",
        "Ural",
        "Урал",
        "x3",
    ]
    assert short_codes(names) == (
        "nwt",
        "ela",
        "kga",
        "nyo",
        "new",
        "en2",
        "ura",
        "c8",
        "c9",
    )


SHORT = st.one_of(st.from_regex(r"[c-h][0-9]{1,2}", fullmatch=True), st.sampled_from(["★", "…", "Урал"]))


@given(st.lists(SHORT, min_size=1, max_size=60))
def test_codes_do_not_run_out(names: list[str]) -> None:
    found = short_codes(names)
    assert len(found) == len(set(found)) == len(names)


def test_a_map_that_uses_up_the_short_codes() -> None:
    found = short_codes([*["c9", "d9", "e9", "f9", "g9", "h9", "alpha", "beta", "★"]])
    assert len(set(found)) == 9


def test_codes_of_twins_differ() -> None:
    found = short_codes(["Stop"] * 254)
    assert len(set(found)) == 254
    assert found[:3] == ("sto", "stp", "sop")


@pytest.mark.parametrize(
    ("name", "key"),
    [("Two Lakes", "two-lakes"), ("", "map"), ("Ärger_1.2", "arger-1-2"), ("x" * 99, "x" * 32)],
)
def test_keys(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize("files", [SMALL, tube(), grid(16, 254, 40)])
def test_a_map_survives_being_kept(files: dict[str, str]) -> None:
    here = atlas(files)
    assert map_json.load(map_json.dump(here)) == here
    assert hash(map_json.load(map_json.dump(here))) == hash(here)
    assert len(map_json.dump(here)) < 60_000


def test_the_standard_map_survives_being_kept() -> None:
    assert map_json.load(map_json.dump(WORLD)) == WORLD
    assert map_json.dump(WORLD).isascii()


SPOILT: list[tuple[str, Any]] = [
    ("v", 2),
    ("key", "Not A Key"),
    ("key", ""),
    ("title", ""),
    ("title", "a\nb"),
    ("title", 3),
    ("size", [0, 100]),
    ("size", [100]),
    ("size", None),
    ("continents", []),
    ("continents", [["a", "A", 1, "red"]]),
    ("countries", []),
    ("countries", [["ab", "Ab", 0, 1, 1]] * 6),
    ("countries", [["ab", "Ab", True, 1, 1]]),
    ("borders", [[]]),
    ("borders", [[0], [0], [0], [0], [0], [0]]),
    ("borders", [[9], [], [], [], [], []]),
    ("borders", [[2, 1], [], [], [], [], []]),
    ("borders", "abcdef"),
    ("cards", [[0, 6]]),
    ("cards", [[0, -1]]),
    ("cards", [[3, 0]]),
    ("cards", [[4, 0]]),
    ("cards", [[0]]),
    ("cards", {}),
    ("missions", [[7, 1, 1, [], ""]]),
    ("missions", [[0, 7, 1, [], ""]]),
    ("missions", [[0, 0, 0, [2], ""]]),
    ("missions", [[0, 0, 0, [0, 0], ""]]),
    ("missions", [[0, 0, 0, [-1, -1, -1], ""]]),
    ("missions", [[0, 1, 1, [], "x" * 401]]),
    ("missions", [[0, 1, 1, None, ""]]),
]


@rows("key, value", SPOILT)
def test_what_is_no_map_is_refused(key: str, value: object) -> None:
    whole = json.loads(map_json.dump(atlas(SMALL)))
    assert map_json.load(json.dumps(whole)) == atlas(SMALL)
    with pytest.raises(ValueError, match=r".+"):
        map_json.load(json.dumps({**whole, key: value}))
    with pytest.raises(ValueError, match=r".+"):
        map_json.load(json.dumps({name: part for name, part in whole.items() if name != key}))


@rows("text", ["", "{", "[]", "null", "[" * 100_000, "x" * 500_000, '{"v":1}', "9" * 5000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        map_json.load(text)
