"""Orders with countries that have a slash in their names, as some uploaded maps do."""

from __future__ import annotations

from dataclasses import replace

from games.domination.commands import country_names
from games.domination.game import GAME
from games.domination.maps.atlas import Atlas
from games.domination.rules import judge, opening, position_json
from games.domination.rules.options import load
from games.domination.rules.position import State, with_position
from games.engine.game import Done
from games.engine.notation import words
from tests.games.domination.mapfiles import atlas, grid
from tests.games.domination.typed import order, read
from tests.rows import rows

NAMES = ("Ploen/Kiel", "Ploen/Land", "Rendsburg / Nord", "Kiel", "Steinburg", "A/B")


def slashed() -> Atlas:
    found = atlas(grid(3, 6, 1))
    rows = [replace(each, name=name) for each, name in zip(found.countries, NAMES, strict=True)]
    return replace(found, countries=tuple(rows))


ATLAS = slashed()
CODES = [country.code for country in ATLAS.countries]


def attacking() -> State:
    """Return an attack phase: seat 0 holds the first three countries, in a row, and seat 1 those below."""
    law = load({"seats": 2, "cap": 10})._replace(atlas=ATLAS, setup="deal")
    state = opening.begin(law)
    return with_position(
        state, owner=bytes((0, 0, 0, 1, 1, 1)), armies=(9, 5, 5, 1, 1, 1), phase="attack", turn=0
    )


@rows("said", ["Ploen/Kiel", "ploen/kiel", "PLOEN / KIEL", "ploen/k", "ploen kiel", "Ploen/Ki"])
def test_it_is_found_by_its_name_and_its_beginning(said: str) -> None:
    found = country_names.match_name(ATLAS, words(said), 0)
    assert found is not None
    assert (found.codes, found.words) == ((CODES[0],), len(words(said)))


def test_a_beginning_of_two_names_is_asked_about() -> None:
    found = country_names.match_name(ATLAS, words("ploen/"), 0)
    assert found is not None
    assert found.codes == (CODES[0], CODES[1])


def test_in_all_orders() -> None:
    state = attacking()
    a, b, c, d, *_ = CODES
    assert order(state, "attack Ploen/Kiel Kiel") == f"attack {a} {d} until 3"
    assert order(state, "attack ploen/kiel/kiel") == f"attack {a} {d} until 3"
    assert order(state, "ploen/kiel > kiel x2; end") == f"attack {a} {d} x 2 | >{d}?; end"
    assert order(state, "fort Ploen/Kiel Ploen/Land 3") == f"fortify {a} {b} 3"
    assert order(state, "fort rendsburg/nord>ploen/land all") == f"fortify {c} {b} 4"
    placing = with_position(state, phase="place", pool=5)
    assert order(placing, "place Ploen/Kiel 3, Ploen/Land 2") == f"place {a} 3 | place {b} 2"
    assert order(placing, "Ploen/Kiel+3; ploen/land 2") == f"place {a} 3 | place {b} 2"
    assert order(placing, "5 on Rendsburg/Nord") == f"place {c} 5"
    claiming = opening.begin(load({"seats": 2, "cap": 10})._replace(atlas=ATLAS, setup="draft"))
    assert order(claiming, "claim Ploen/Kiel, A/B Steinburg").startswith(f"queue {a} | claim ")


def test_codes_may_still_be_joined_by_a_slash() -> None:
    state = attacking()
    assert order(state, f"{CODES[0]}/{CODES[3]}") == f"attack {CODES[0]} {CODES[3]} until 3"


def test_what_is_written_is_read_back() -> None:
    state = attacking()
    view = judge.view(state, 0)
    for action in judge.legal(view, 0):
        assert read(state, GAME.format(view, action)) == Done(action)
    assert position_json.load(position_json.dump(state)) == state


def test_a_map_is_read_with_such_names() -> None:
    files = grid(3, 6, 1)
    text = files["grid.map"].replace(" Stop_0a ", " Ploen/Kiel ").replace(" Stop_0b ", " A//B ")
    found = [country.name for country in atlas({"grid.map": text}).countries]
    assert found[:2] == ["Ploen/Kiel", "A//B"]
