"""Any text on any map gets a reply, and every legal action is read back from its text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.domination.commands import country_names
from games.domination.commands.grammar import read_orders
from games.domination.game import GAME
from games.domination.maps.atlas import Atlas
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.domination.rules import judge, opening
from games.domination.rules.options import load
from games.domination.rules.position import State
from games.engine.dice import Dice
from games.engine.game import CHANCE, Done, Partial, Rejected, Seat
from games.engine.notation import words
from tests.games.domination.mapfiles import SMALL, atlas, grid, tube
from tests.games.domination.typed import written
from tests.rows import rows
from tests.soak import examples

pytestmark = pytest.mark.slow

NASTY = (
    "Place Ala 5", "Until 3", "Kam Until", "X3", "End", "Ward", "Ward 5", "New", "New Guinea",
    "7 Sisters", "Then", "Blitz", "Attack Ward", "Ward And New", "St. John's", "Elm & Oak", "Élan-Vital",
    "Ala>Kam", "Move All", "42",
)  # fmt: skip
"""Names that look like orders, numbers, or extensions of other names."""


@cache
def odd() -> Atlas:
    """Return twenty countries with difficult names."""
    found = atlas(grid(5, 20, 4))
    rows = [replace(each, name=name) for each, name in zip(found.countries, NASTY, strict=True)]
    return replace(found, countries=tuple(rows))


MAPS: dict[str, Callable[[], Atlas]] = {
    "world": lambda: WORLD,
    "islands": lambda: ISLANDS,
    "small": lambda: atlas(SMALL),
    "odd": odd,
    "tube": lambda: atlas(tube()),
}


@cache
def course(key: str, seats: int, mode: str, seed: int) -> tuple[State, ...]:
    """Return positions of a match with random orders, a few of each phase."""
    law = load({"seats": seats, "mode": mode, "cap": 6})._replace(atlas=MAPS[key](), setup="draft")
    if mode == "mission":
        law = law._replace(setup="deal")
    state, dice = opening.begin(law), Dice(b"typed", key, seed, mode)
    found: list[State] = []
    count: dict[str, int] = {}
    while (acting := GAME.to_act(state)) and len(found) < 16:
        phase = state.position.phase
        if CHANCE in acting:
            state = GAME.apply(state, CHANCE, GAME.draw(state, dice)).state
            continue
        if count.setdefault(phase, 0) < 3:
            count[phase] += 1
            found.append(state)
        seat = min(acting)
        if phase == "claim" and dice.below(3):
            legal = judge.legal_rows(judge.view(state, seat), seat)[1]
        else:
            legal = judge.legal(judge.view(state, seat), seat)
        state = GAME.apply(state, seat, dice.pick(legal)).state
    return tuple(found)


COURSES = [
    ("world", 3, "capital"),
    ("islands", 2, "mission"),
    ("small", 2, "domination"),
    ("odd", 2, "domination"),
]


@pytest.mark.parametrize(("key", "seats", "mode"), COURSES)
def test_every_legal_order_is_read_as_it_is_written(key: str, seats: int, mode: str) -> None:
    phases = set()
    for state in course(key, seats, mode, 1):
        phases.add(state.position.phase)
        seat = min(GAME.to_act(state))
        view = GAME.view(state, seat)
        rows = written(state, seat)
        for action, text in rows[:: max(1, len(rows) // 250)]:
            assert GAME.parse(view, seat, text) == Done(action), text
            assert text.isprintable()
            assert text.islower() or text == text.lower()
        for text in ("", "auto", *(text for _, text in rows[:3])):
            found = GAME.parse(view, seat, text)
            assert not isinstance(found, Rejected), (text, found)
            if isinstance(found, Partial):
                assert found.choices
                assert all(isinstance(GAME.parse(view, seat, choice), Done) for choice in found.choices)
    assert {"place", "attack"} <= phases


_WORDS = """
ala kam nwt alb ukr mea 1 2 3 38 99 place attack att a blitz chain roll x x3 until lead move all min half keep
stay fort f end > - -> + , ; then and auto trade best wild bonus claim queue done capital continue stop from
to alaska great western usa north ? ! > kam? dice the my armies 0 foo
"""
_PIECES = st.sampled_from([*_WORDS.split(), "\n"])
_TEXTS = st.one_of(
    st.text(max_size=40), st.lists(_PIECES, max_size=12).map(" ".join), st.lists(_PIECES).map("".join)
)


@settings(max_examples=examples(250))
@given(text=_TEXTS, n=st.integers(0, 15), seat=st.integers(0, 2))
def test_any_text_is_answered(text: str, n: int, seat: int) -> None:
    found = course("world", 3, "capital", 1)
    state = found[n % len(found)]
    view = GAME.view(state, Seat(seat))
    said = GAME.parse(view, Seat(seat), text)
    if isinstance(said, Done):
        assert GAME.refuse(state, Seat(seat), said.action) is None
        assert 0 <= said.start <= len(text)
        assert hash(said) == hash(GAME.parse(view, Seat(seat), text)), "a frozen value"
    elif isinstance(said, Partial):
        assert all(isinstance(GAME.parse(view, Seat(seat), choice), Done) for choice in said.choices[:3])
    else:
        assert 0 <= said.span[0] <= said.span[1] <= len(text)
        assert all(isinstance(GAME.parse(view, Seat(seat), near), Done) for near in said.near)


@rows("key", sorted(MAPS))
def test_every_country_answers_to_its_code_and_its_name(key: str) -> None:
    found = MAPS[key]()
    for country in found.countries:
        said = country_names.match_name(found, words(country.code), 0)
        assert said is not None
        assert country.code in said.codes
        assert said.exact
    if key != "odd":
        for country in found.countries:
            for text in (country.name, country.name.upper(), country.name.replace(" ", "-")):
                said = country_names.match_name(found, words(text), 0)
                assert said is not None, text
                assert said.codes == (country.code,), text
                assert said.words == len(words(text)), text


@rows(
    "text, codes",
    [
        ("gb", "gbr"), ("uk", "gbr"), ("britain", "gbr"), ("me", "mea"), ("nwt", "nwt"), ("wus", "wus"),
        ("usa", "wus eus"), ("ukraine", "ukr"), ("kamch", "kam"), ("north af", "naf"), ("new-guinea", "ngu"),
        ("west", "wau weu wus"), ("guinea", "ngu"), ("united states", "wus eus"), ("qu", "que"),
        ("Ｕｋｒａｉｎｅ", "ukr"), ("south", "saf seu"), ("s", ""), ("zz", ""), ("middle", "mea"),
    ],
)  # fmt: skip
def test_names_on_the_world_map(text: str, codes: str) -> None:
    found = country_names.match_name(WORLD, words(text), 0)
    assert set(found.codes if found else ()) == set(codes.split())


def test_odd_names_do_not_hide_orders() -> None:
    found = odd()
    by = {country.name: country.code for country in found.countries}
    for text, code in (
        ("ward five", by["Ward"]),
        ("ward 5 3", by["Ward 5"]),
        ("new guinea 3", by["New Guinea"]),
    ):
        said = country_names.match_name(found, words(text), 0)
        assert said is not None
        assert said.codes == (code,), text
    assert by["St. John's"] == read_orders(found, "place st johns 4").commands[0].codes[0]
    assert by["Elm & Oak"] == read_orders(found, "place Elm & Oak 4").commands[0].codes[0]
    assert by["Élan-Vital"] == read_orders(found, "place elan vital 4").commands[0].codes[0]
    assert by["7 Sisters"] == read_orders(found, "place 7 sisters 4").commands[0].codes[0]
