"""Files of maps as people write them, made here: with every quirk that real ones have."""

from __future__ import annotations

from games.domination.maps.atlas import Atlas
from games.domination.maps.map_file import parse

CARDS = "small.cards"

SMALL_MAP = """; A small map. Nothing here is anybody else's.
;
name Two Lakes
ver 2
circle 24
test

[files]
pic two_lakes.png
map two_lakes_mask.gif
crd small.cards
prv preview_of_it.jpg

[continents]
North_Shore 2 cyan
South_Shore 3 #AA00ff

[countries]
1 High-Moor 1 40 30
2 St._Anne's 1 90 30
3 Elm_&_Oak 1 140 30
4 Low_Moor 2 40 90
5 Ferry 2 90 90
6 Land's_End 2 140 90

[borders]
1 2 4
2 1 3 5
3 2 6
4 1 5
5 2 4 6
6 3 5
"""
"""Six countries around two lakes: hex colour, apostrophe, ampersand, comments, every key."""

SMALL_CARDS = """[cards]
Infantry 1
Cavalry 2
Cannon 3
Infantry 4
Cavalry 5
Cannon 6
wildcard

[missions]
0 0 0 1 0 0 Hold the north shore
0 5 2 0 0 0 Hold five with two each
3 4 1 0 0 0 Beat {PLAYER3}, or hold four
"""

SMALL = {"small.map": SMALL_MAP, "small.cards": SMALL_CARDS}
PICTURES = {"two_lakes.png": (180, 120), "two_lakes_mask.gif": (180, 120)}


def grid(width: int, count: int, continents: int, *, name: str = "Grid") -> dict[str, str]:
    """A map whose countries lie in rows, their borders both ways, without a picture."""
    rows = [f"name {name}", "[files]", "crd nomission.cards", "[continents]"]
    rows += [f"Land_{n} {n % 9} #{n * 999:06x}" for n in range(1, continents + 1)]
    rows.append("[countries]")
    for n in range(count):
        x, y = 20 + 50 * (n % width), 20 + 50 * (n // width)
        rows.append(f"{n + 1} Stop_{n // 26}{chr(97 + n % 26)} {n * continents // count + 1} {x} {y}")
    rows.append("[borders]")
    for n in range(count):
        near = [n - width, n + width, *([n - 1] if n % width else []), *([n + 1] if (n + 1) % width else [])]
        rows.append(" ".join(str(one + 1) for one in (n, *near) if 0 <= one < count))
    return {"grid.map": "\n".join(rows)}


def tube() -> dict[str, str]:
    """61 stations of one continent, with odd signs in their names and sixty-six wild cards."""
    files = grid(8, 61, 1, name="Under Ground")
    text = files["grid.map"].replace("nomission.cards", "tube.cards")
    text = text.replace(" Stop_0a ", " King's_Gate ").replace(" Stop_0b ", " Fish_&_Chip_Lane ")
    cards = "[cards]\n" + "".join(f"cannon {n}\n" for n in range(1, 62)) + "wildcard\n" * 66
    return {"Tube.map": "; comment\r\n;\r\n" + text.replace("\n", "\r\n"), "tube.cards": cards}


def small(**changes: str) -> dict[str, str]:
    """The small map with lines exchanged: `small(old="1 2 4", new="1 2")`, in its map or its cards."""
    old, new = changes["old"], changes["new"]
    assert sum(text.count(old) for text in SMALL.values()) == 1, old
    return {name: text.replace(old, new) for name, text in SMALL.items()}


def atlas(files: dict[str, str], pictures: dict[str, tuple[int, int]] | None = None) -> Atlas:
    """The map of files that are right."""
    plan = parse(files, pictures)
    assert not isinstance(plan, tuple), plan
    return plan.atlas
