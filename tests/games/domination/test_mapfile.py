"""Map files are read unchanged; errors name their file and line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files as resources
from pathlib import Path

import pytest

from games.domination.maps.atlas import ANY, KINDS, Card, Mission
from games.domination.maps.file_lines import MAX_MESSAGES
from games.domination.maps.map_file import ParsedMapFile, parse
from games.domination.maps.playable_maps import MAP_READER
from games.domination.maps.world import WORLD
from games.engine.maps import PLAIN_DECK
from games.engine.message import Msg, Value
from locales.catalogue import Plural, Texts
from locales.catalogue import parse as read_texts
from tests.games.domination.mapfiles import PICTURES, SMALL, SMALL_MAP, atlas, grid, small, tube
from tests.rows import rows

TEXTS: Texts = {
    f"domination.{key}": text
    for key, text in read_texts(
        (resources("games.domination") / "texts" / "en" / "maps.toml").read_text("utf-8"), "maps.toml"
    ).items()
}


def cases(section: str) -> list[tuple[str, str, str]]:
    """Read replacements in the small map and their messages from `map_errors.txt`."""
    text = (Path(__file__).parent / "map_errors.txt").read_text("utf-8")
    rows = text.partition(f"== {section}\n\n")[2].partition("\n== ")[0].split("\n\n")
    found = [row.strip("\n").replace("\\n", chr(10)) for row in rows if row.strip()]
    parts = [(row.partition("\n> "), row.rpartition("\n")) for row in found]
    return [(head[0], tail[0].partition("\n> ")[2], tail[2]) for head, tail in parts]


ERRORS = cases("errors")
ODD = cases("notes")


def keys(value: Value) -> set[str]:
    """Return the keys of a message and of the messages within it."""
    if isinstance(value, tuple):
        return set().union(*map(keys, value))
    if not isinstance(value, Msg):
        return set()
    return {value.key}.union(*(keys(one) for _, one in value.values))


def say(value: Value) -> str:
    """Return a message in English; its values must match the placeholders exactly."""
    if isinstance(value, tuple):
        return ", ".join(map(say, value))
    if not isinstance(value, Msg):
        return str(value)
    text, values = TEXTS[value.key], dict(value.values)
    assert text.placeholders == values.keys(), value.key
    form = text.forms["one" if values["n"] == 1 else "other"] if isinstance(text, Plural) else text
    return form.fill(lambda name, choice: say(values[name]))


def wrong(files: dict[str, str], pictures: dict[str, tuple[int, int]] | None = None) -> list[str]:
    """Return the errors of a map."""
    found = parse(files, pictures)
    assert isinstance(found, tuple)
    assert found
    return [say(one) for one in found]


def good(files: dict[str, str], pictures: dict[str, tuple[int, int]] | None = None) -> ParsedMapFile:
    """Return a map that is accepted."""
    found = parse(files, pictures)
    assert isinstance(found, ParsedMapFile), [say(one) for one in found]
    return found


def notes(files: dict[str, str], pictures: dict[str, tuple[int, int]] | None = PICTURES) -> list[str]:
    """Return the notes about a map that is accepted."""
    return [say(one) for one in good(files, pictures).notes]


def test_the_small_map_is_read_whole() -> None:
    plan = good(SMALL, PICTURES)
    here = plan.atlas
    assert (here.key, here.title, here.size) == ("small", "Two Lakes", (180, 120))
    assert [(one.name, one.value, one.colour) for one in here.continents] == [
        ("North Shore", 2, "#00ffff"),
        ("South Shore", 3, "#aa00ff"),
    ]
    assert [one.code for one in here.continents] == ["nsh", "ssh"]
    assert [one.code for one in here.countries] == ["hmo", "san", "eoa", "lmo", "fer", "len"]
    assert [one.name for one in here.countries] == [
        "High Moor",
        "St. Anne's",
        "Elm & Oak",
        "Low Moor",
        "Ferry",
        "Land's End",
    ]
    assert [one.continent for one in here.countries] == [0, 0, 0, 1, 1, 1]
    assert here.borders == ((1, 3), (0, 2, 4), (1, 5), (0, 4), (1, 3, 5), (2, 4))
    assert here.cards[1] == Card("cavalry", 1)
    assert here.cards[-1] == Card("wild", -1)
    assert here.missions == (
        Mission(0, 0, 0, (0,), "Hold the north shore"),
        Mission(0, 5, 2, (), "Hold five with two each"),
        Mission(3, 4, 1, (), "Beat {PLAYER3}, or hold four"),
    )
    assert (plan.picture, plan.mask, plan.notes) == ("two_lakes.png", "two_lakes_mask.gif", ())
    assert plan.places[4] == ("Ferry", 90, 90)


def test_a_map_without_its_pictures_is_as_large_as_its_countries_need() -> None:
    plan = good(SMALL)
    assert plan.atlas.size == (220, 180)
    assert plan.atlas.countries[0].at == (60, 60), "with the same margin all around"
    assert (plan.picture, plan.mask) == ("", "")
    assert len(plan.notes) == 2


def test_names_are_found_in_any_case_and_folder() -> None:
    files = {"Maps/SMALL.MAP": SMALL_MAP, "maps\\Small.Cards": SMALL["small.cards"]}
    sizes = {"x/Two_Lakes.PNG": (180, 120)}
    assert good(files, sizes).atlas == good(SMALL, PICTURES).atlas


def test_one_continent_of_sixty_one_with_odd_names() -> None:
    here = atlas(tube())
    assert (here.key, here.title, len(here.countries), len(here.continents)) == (
        "tube",
        "Under Ground",
        61,
        1,
    )
    assert [one.name for one in here.countries[:2]] == ["King's Gate", "Fish & Chip Lane"]
    assert sum(card.kind == "wild" for card in here.cards) == 66
    assert here.missions == ()


@pytest.mark.parametrize(("count", "continents"), [(6, 1), (75, 7), (254, 40)])
def test_maps_of_many_sizes(count: int, continents: int) -> None:
    here = atlas(grid(12, count, continents))
    assert (len(here.countries), len(here.continents)) == (count, continents)
    assert len(here.index) == count
    assert len(here.cards) == count + 2
    assert {number for land in here.countries_of for number in land} == set(range(count))


def test_borders_are_kept_as_directed() -> None:
    files = small(old="\n4 1 5", new="\n4 5\n4 5")
    here = atlas(files)
    assert 3 in here.borders[0]
    assert 0 not in here.borders[3]
    assert notes(files) == ["small.map: One border can only be crossed one way: High Moor > Low Moor."]


def test_lines_of_one_country_add_up() -> None:
    assert atlas(small(old="2 1 3 5", new="2 1\n2 3\n2 5 3")) == atlas(SMALL)


@rows(
    "old, new",
    [
        ("name Two Lakes", "\tNAME  Two   Lakes \r\n\r\nauthor Somebody Else"),
        ("[countries]", "  [Countries]  "),
        ("1 High-Moor 1 40 30", "1\tHigh_Moor\t 1 40\t30"),
        ("Infantry 1", "INFANTRY 01"),
        ("wildcard", "WildCard\n;wildcard\n   ; wildcard"),
        ("crd small.cards", "crd ../other/SMALL.cards"),
        ("{PLAYER3}", "PLAYER3"),
        ("0 5 2 0 0 0 Hold five", "0\t5 2\t0 0 0\tHold  five"),
        ("North_Shore 2 cyan", "North_Shore 2 #00FFFF"),
    ],
)
def test_what_may_be_written_in_many_ways(old: str, new: str) -> None:
    assert atlas(small(old=old, new=new)) == atlas(SMALL)


def test_sections_may_come_in_any_order() -> None:
    head, *parts = SMALL_MAP.split("[")
    turned = {**SMALL, "small.map": head + "".join(f"[{part}\n" for part in reversed(parts))}
    assert atlas(turned) == atlas(SMALL)


@rows(
    "row, aims",
    [
        ("0 0 0 2 1 0 x", (1, 0)),
        ("0 0 0 2 1 * x", (1, 0, ANY)),
        ("0 0 0 * * * x", (ANY, ANY, ANY)),
        ("0 0 0 2 * 0 x", (1, ANY)),
        ("0 0 0 2 0 * x", (1, ANY, ANY)),
        ("0 0 0 * 2 1 x", (1, 0)),
        ("0 0 0 2 2 0 x", (1,)),
    ],
)
def test_a_star_counts_continents_by_its_place(row: str, aims: tuple[int, ...]) -> None:
    files = grid(5, 20, 4)
    files["grid.map"] = files["grid.map"].replace("nomission", "mine")
    files["mine.cards"] = f"[cards]\n[missions]\n{row}"
    assert atlas(files).missions == (Mission(0, 0, 0, aims, "x"),)


@pytest.mark.parametrize(
    ("row", "mission"),
    [
        ("0 4 0 0 0 0", Mission(0, 4, 1, ())),
        ("2 0 0 0 0 0 beat player2", Mission(2, 3, 1, (), "beat {PLAYER2}")),
    ],
)
def test_missions_that_leave_something_out(row: str, mission: Mission) -> None:
    assert atlas(small(old="0 0 0 1 0 0 Hold the north shore", new=row)).missions[0] == mission


def test_a_deck_of_ours_for_the_standard_shape_is_the_standard_one() -> None:
    files = grid(7, 42, 6)
    files["grid.map"] = files["grid.map"].replace("nomission", "Risk")
    here = atlas(files)
    assert (here.cards, here.missions) == (WORLD.cards, WORLD.missions)


@pytest.mark.parametrize(
    ("count", "continents", "kinds", "held", "aims"),
    [
        (75, 6, (25, 25, 25, 2), (0, 18, 24), True),
        (50, 3, (17, 17, 16, 2), (18, 24), False),
        (21, 6, (7, 7, 7, 2), (0, 9, 12), True),
        (6, 1, (2, 2, 2, 2), (3,), False),
    ],
)
def test_a_deck_of_ours_suits_other_shapes(
    count: int, continents: int, kinds: tuple[int, ...], held: tuple[int, ...], aims: bool
) -> None:
    files = grid(8, count, continents)
    files["grid.map"] = files["grid.map"].replace("nomission", "risk")
    here = atlas(files)
    assert sorted(card.country for card in here.cards) == [-1, -1, *range(count)]
    assert tuple(sum(card.kind == kind for card in here.cards) for kind in KINDS) == kinds
    assert tuple(sorted({one.countries for one in here.missions})) == held
    assert any(one.continents for one in here.missions) == aims


@rows("old, new, text", ERRORS)
def test_an_error_names_file_and_line(old: str, new: str, text: str) -> None:
    assert text in wrong(small(old=old, new=new), PICTURES)


@rows("old, new, text", ODD)
def test_what_is_odd_is_said_too(old: str, new: str, text: str) -> None:
    assert notes(small(old=old, new=new)) == [text]


def test_a_country_that_can_not_be_reached_is_named() -> None:
    files = small(old="5 2 4 6", new="5 2 4")
    files["small.map"] = files["small.map"].replace("3 2 6", "3 2")
    assert (
        "small.map: One country can't be reached from all others and back, so it may be impossible to "
        in (notes(files)[1])
    )
    lonely = small(old="\n6 3 5", new="")
    assert notes(lonely)[1].endswith("Land's End.")


def test_a_map_without_missions_says_so() -> None:
    cards = SMALL["small.cards"].split("[missions]")[0]
    assert notes({**SMALL, "small.cards": cards}) == [
        "small.cards: There are no missions, so this map can't be played for missions."
    ]
    ours = small(old="crd small.cards", new="crd nomission.cards")
    assert (
        "small.map, line 11: The cards `nomission.cards` weren't attached. Ours of that name are used."
        in (notes(ours))
    )


def test_a_picture_and_a_mask_of_two_sizes_are_refused() -> None:
    sizes = {**PICTURES, "two_lakes_mask.gif": (180, 121)}
    assert wrong(SMALL, sizes) == [
        "small.map, line 10: The picture is 180x120 pixels, the mask 180x121. They must be the same size."
    ]


def test_files_that_are_no_single_map() -> None:
    assert wrong({}) == ["There is no .map file. Add one."]
    assert wrong({**SMALL, "Other.map": ""}) == [
        "One map at a time, please. These are several: Other.map, small.map."
    ]
    assert wrong({**SMALL, "small.map": SMALL_MAP + ";" * 200_000})[0].startswith(
        "small.map: The text has 200"
    )


def test_a_map_of_another_program_is_called_that() -> None:
    text = "[Map]\nimage=x.bmp\n[Continents]\nEast=5\n\n[Territories]\nAla,1,2,East,Kam\n"
    (said,) = wrong({"x.map": text})
    assert said.startswith("x.map: This map is for the program Conquest")


def without_deck() -> dict[str, str]:
    """Return the small map without its card file."""
    return {"small.map": SMALL_MAP}


@pytest.mark.parametrize(
    "files",
    [
        without_deck(),
        {"small.map": SMALL_MAP.replace("crd small.cards\n", "")},
        small(old="Cannon 6", new="Cannon 9"),
        SMALL,
    ],
)
def test_the_plain_deck_needs_no_card_file(files: dict[str, str]) -> None:
    found = parse(files, PICTURES, PLAIN_DECK)
    assert isinstance(found, ParsedMapFile)
    kinds = [(card.kind, card.country) for card in found.atlas.cards]
    assert kinds == [*((KINDS[n % 3], n) for n in range(6)), ("wild", -1), ("wild", -1)]
    assert not found.atlas.missions
    told = say(MAP_READER.describe(json.loads(found.to_json()))[0])
    assert "8 cards (the plain deck: one for each country, and two wild cards), 0 missions" in told


def test_the_plain_deck_mends_nothing_else() -> None:
    worse = {"small.map": SMALL_MAP.replace("1 2 4", "1 2 99")}
    found = parse(worse, PICTURES, PLAIN_DECK)
    assert isinstance(found, tuple)
    assert [say(one) for one in found] == ["small.map, line 27: There is no country 99. There are 6."]
    assert len(wrong(worse)) == 2


def test_an_authors_deck_isnt_called_plain() -> None:
    assert "7 cards, 3" in say(MAP_READER.describe(json.loads(good(SMALL, PICTURES).to_json()))[0])


def test_of_several_decks_the_maps_own_is_used_or_the_chosen_one() -> None:
    files = {**SMALL, "Winter.cards": "[cards]\nCannon 1\nCannon 2\n"}
    own, other = parse(files, PICTURES), parse(files, PICTURES, "winter")
    assert isinstance(own, ParsedMapFile)
    assert isinstance(other, ParsedMapFile)
    assert (len(own.atlas.cards), len(other.atlas.cards)) == (7, 2)
    assert other == parse(files, PICTURES, "WINTER.CARDS")
    (told,) = own.notes
    assert say(told) == (
        "small.map, line 11: `small.cards` is used as the deck. One more is there: Winter.cards. "
        "To use it, send the files again with its name as the deck."
    )
    assert "`winter.cards` is used as the deck. One more is there: small.cards." in " ".join(
        say(one) for one in other.notes
    )
    unknown = parse(files, PICTURES, "spring")
    assert isinstance(unknown, tuple)
    assert "The cards `spring.cards` aren't among the files." in say(unknown[0])


def shortened() -> Iterator[str]:
    """Yield the small map with each line without one of its words, in the line's place or behind it."""
    lines = SMALL_MAP.split("\n")
    for at, line in enumerate(lines):
        words = line.split()
        for gone in range(len(words)):
            shorter = " ".join((*words[:gone], *words[gone + 1 :]))
            for kept in (at, at + 1):
                yield "\n".join((*lines[:kept], shorter, *lines[at + 1 :]))


def test_no_message_has_an_empty_part() -> None:
    for text in shortened():
        found = parse({**SMALL, "small.map": text})
        for each in found if isinstance(found, tuple) else found.notes:
            assert not re.search(r"``| [.,:;]|\b(?:in|of)\.", say(each)), say(each)


def test_an_empty_map_lacks_everything() -> None:
    assert wrong({"x.map": ""}) == [
        "x.map: The section `[borders]` is missing.",
        "x.map: The section `[continents]` is missing.",
        "x.map: The section `[countries]` is missing.",
        "x.map: `[files]` needs a line `crd NAME.cards`.",
    ]


def test_too_many_countries_and_continents() -> None:
    assert "grid.map: It has 255 countries. A map needs 6 to 254." in wrong(grid(16, 255, 4))
    assert "grid.map: It has 41 continents. The limit is 40." in wrong(grid(16, 200, 41))


def test_many_errors_are_told_in_order_up_to_a_number() -> None:
    found = wrong({**SMALL, "small.map": SMALL_MAP + "7 x\n" * 100}, PICTURES)
    assert len(found) == MAX_MESSAGES + 1
    assert found[0].startswith("small.map, line 33: ")
    assert found[-1] == "And 175 more things."


def test_no_sign_of_a_file_hides_or_breaks_what_is_said() -> None:
    evil = "\u202e\u200b\x07x\x00" + "y" * 100
    (text,) = wrong(small(old="4 1 5", new=f"4 {evil}"))
    assert text.isprintable()
    assert len(text) < 120
    here = atlas(small(old="5 Ferry", new="5 \u202eFe\u200brry\x07"))
    assert here.countries[4].name == "Ferry"


OTHERS: tuple[dict[str, str], ...] = (
    {},
    {**SMALL, "Other.map": ""},
    {**SMALL, "small.map": SMALL_MAP + ";" * 200_000},
    {**SMALL, "small.map": SMALL_MAP + "7 x\n" * 100},
    {**SMALL, "small.cards": "[cards]\n" + "wildcard\n" * 501 + "[missions]\n" + "0 1 1 0 0 0\n" * 101},
    grid(16, 255, 41),
    small(old="\n6 3 5", new=""),
    small(old="crd small.cards", new="crd nomission.cards"),
    {**SMALL, "small.cards": "[cards]"},
    {"x.map": "[Territories]"},
    {**SMALL, "other.cards": ""},
)
"""Maps for the messages that the cases don't produce."""


def test_every_text_is_said_of_some_map() -> None:
    tried = [small(old=old, new=new) for old, new, _ in (*ERRORS, *ODD)]
    said = {"domination.map.sizes"}  # its own test above
    for files in (*tried, *OTHERS):
        for pictures in ({}, PICTURES):
            found = parse(files, pictures)
            known = () if isinstance(found, tuple) else MAP_READER.describe(json.loads(found.to_json()))
            said |= keys(found if isinstance(found, tuple) else (*found.notes, *known))
    assert said == TEXTS.keys()


def test_counts_of_cards_and_missions_end_somewhere() -> None:
    assert wrong(OTHERS[4]) == [
        "small.cards: It has 501 cards. The limit is 500.",
        "small.cards: It has 101 missions. The limit is 100.",
    ]
    assert (
        "small.map, line 20: `9999999999999999999999999999999999999999…` isn't a place."
        in (wrong(small(old="2 St._Anne's 1 90 30", new=f"2 St._Anne's 1 {'9' * 5000} 30"))[0])
    )
