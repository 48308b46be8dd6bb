"""Strict readers: what they accept, and the path in the reason for what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.fields import (
    Fields,
    Json,
    Reader,
    by_name,
    canonical,
    checked,
    dict_of,
    distinct,
    fields,
    flag,
    list_of,
    lookup,
    nothing,
    one_of,
    optional,
    text,
    tuple_of,
    whole,
)
from tests.rows import rows

NUMBER = canonical("number", int, str)


@rows(
    "read, value, found",
    [
        (flag, True, True),
        (whole(3), 3, 3),
        (one_of(("a", 1, None)), None, None),
        (lookup({"e4": 28}, "square"), "e4", 28),
        (text("word", str.isalpha), "abc", "abc"),
        (NUMBER, "12", 12),
        (optional(whole(3)), None, None),
        (nothing, [], ()),
        (list_of(flag), [True, False], (True, False)),
        (list_of(list_of(whole(9)), 1, 2), [[1], []], ((1,), ())),
        (distinct(whole(9)), [2, 1], (2, 1)),
        (tuple_of(whole(9), flag), [2, True], (2, True)),
        (dict_of("RG", whole(9)), {"G": 1}, {"G": 1}),
        (by_name("RG", whole(9), (0, 5)), {"R": 1}, (1, 5)),
        (checked(whole(9), lambda n: n % 2, "odd only"), 3, 3),
    ],
)
def test_a_valid_value_is_parsed(read: Reader[Any], value: Json, found: object) -> None:
    assert read(value, "here") == found


@rows(
    "read, value, reason",
    [
        (flag, 1, "here: 1 is neither true nor false"),
        (whole(3), True, "here: True is not a whole number from 0 to 3"),
        (whole(3, least=1), 0, "here: 0 is not a whole number from 1 to 3"),
        (one_of((1, 2)), True, "here: True is not one of 1, 2"),
        (one_of(("a",)), ["a"], r"here: \['a'\] is not one of a"),
        (lookup({"e4": 28}, "square"), ["e4"], r"here: \['e4'\] is not a valid square"),
        (text("word", str.isalpha), "a1", "here: 'a1' is not a valid word"),
        (NUMBER, "012", "here: '012' is not a valid number"),
        (NUMBER, "x", "here: 'x' is not a valid number"),
        (NUMBER, 5, "here: 5 is not a valid number"),
        (nothing, [1], "here: nothing is to be listed"),
        (list_of(flag), {}, "here: a list is needed"),
        (list_of(flag), [True, 1], "here.1: 1 is neither"),
        (list_of(flag, 1), [], "here: a list of 1 or more is needed, not of 0"),
        (list_of(flag, 1, 2), [], "here: a list of 1 to 2 is"),
        (distinct(whole(9)), [2, 1, 2], "here.2: is there twice"),
        (tuple_of(whole(9), flag), [2], "here: a list of 2 is needed, not of 1"),
        (dict_of("RG", whole(9)), [], "here: an object is needed"),
        (dict_of("RG", whole(9)), {"B": 1}, "here.B: unknown here, where R, G may be"),
        (dict_of("RG", list_of(flag)), {"R": [0]}, "here.R.0: 0 is neither"),
        (checked(whole(9), lambda n: n % 2, "odd only"), 2, "here: odd only"),
    ],
)
def test_an_invalid_value_has_a_path_and_a_reason(read: Reader[Any], value: Json, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}"):
        read(value, "here")


def test_the_fields_of_an_object_are_read_by_name() -> None:
    part = Fields({"a": {"b": 5}, "n": None}, ("a", "n", "m"))
    assert part("a", fields("b"))("b", whole(9)) == 5
    assert part("n", optional(whole(9)), 3) is None
    assert part("m", whole(9), 3) == 3
    for call, reason in (
        (lambda: part("m", whole(9)), "m: is missing"),
        (lambda: part("a", fields("bc"))("b", whole(4)), "a.b: 5 is not a whole number"),
        (lambda: part("a", fields("c")), "a.b: unknown here"),
        (lambda: Fields([], ()), "an object is needed"),
    ):
        with pytest.raises(ValueError, match=f"^{reason}"):
            call()
