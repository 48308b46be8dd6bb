"""The page on designing maps is correct: its example is a map, its errors and limits are real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.domination.maps.card_file import MAX_CARDS, MAX_MISSIONS
from games.domination.maps.map_file import MAX_CONTINENTS, MAX_COUNTRIES, parse
from matches.store.rows import MAX_MAPS
from tests.games.domination.mapfiles import atlas
from tests.games.domination.test_mapfile import notes, wrong

PAGE = (Path(__file__).parents[3] / "docs" / "maps.md").read_text("utf-8")
POND = {
    f"pond.{kind}": block for kind, block in re.findall(r"```(map|cards)\n(.*?)```", PAGE, flags=re.DOTALL)
}


def test_the_example_is_a_map_without_a_flaw() -> None:
    sizes = {"pond.png": (180, 120), "pond_mask.gif": (180, 120)}
    assert notes(POND, sizes) == []
    here = atlas(POND)
    assert (here.key, here.title, len(here.missions)) == ("pond", "The Pond", 3)
    assert (here.countries[1].code, here.countries[3].code) == ("oje", "mud")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("2 Old_Jetty    1", "2 Old_Jetty    3", 0), ("Cannon 6", "Cannon 7", 1)],
)
def test_its_errors_are_those_of_the_program(old: str, new: str, line: int) -> None:
    shown = PAGE.rpartition("```\n")[0].rpartition("```\n")[2].splitlines()
    files = {name: text.replace(old, new) for name, text in POND.items()}
    assert shown[line] in wrong(files)


def test_its_limits_are_those_of_the_program() -> None:
    assert f"| countries | {MAX_COUNTRIES}; " in PAGE
    assert f"| continents | {MAX_CONTINENTS}, " in PAGE
    assert f"| cards, missions | {MAX_CARDS}, {MAX_MISSIONS} |" in PAGE
    assert f"| maps per server | {MAX_MAPS} |" in PAGE


def test_a_map_may_name_our_decks() -> None:
    text = POND["pond.map"].replace("pond.cards", "risk.cards")
    assert not isinstance(parse({"pond.map": text}), tuple)
