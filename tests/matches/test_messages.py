"""Messages are read as they were stored, by this version and by those before it."""

from __future__ import annotations

import json
import math
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.outbox import messages
from matches.outbox.base import Message
from matches.outbox.messages import AnyMessage, Unreadable, read_message

STORED: list[tuple[str, str]] = [
    ("lobby", "{}"),
    ("thread", "{}"),
    ("board", '{"first":0,"last":4,"ping":[1,2]}'),
    ("board", '{"first":3,"last":4}'),
    ("board", '{"first":3,"last":4,"ping":[],"reason":"a quarrel"}'),
    ("board", '{"first":3,"last":4,"again":true}'),
    ("notice", '{"first":3,"last":4}'),
    ("notice", '{"first":3,"last":4,"reason":"a quarrel"}'),
    ("notice", '{"invited":[7,8]}'),
    ("notice", '{"full":7}'),
    ("notice", '{"clock":[7]}'),
    ("notice", '{"offer":[1,7,12,null,true]}'),
    ("notice", '{"offer":[1,7,12,9,false],"reason":"a quarrel"}'),
    ("notice", '{"cleared":"a quarrel"}'),
    ("notice", '{"reminder":true}'),
    ("notice", '{"idle":12,"since":1764000000}'),
    ("notice", '{"set_aside":12}'),
    ("mirror", '{"channel":50}'),
    ("finished", '{"channel":50}'),
    ("modlog", '{"number":3,"channel":50,"guild":7}'),
    ("moved", '{"guild":7,"channel":50,"to":51}'),
    ("dm", '{"text":"ä"}'),
    ("dm", '{"text":"ä","unreachable":"permission"}'),
    ("dm", '{"text":"","plan":{"what":"partly","move":"e4","left":"end"}}'),
    ("ping", '{"seat":0,"user":7,"turn":12,"reason":"alone","dm":false}'),
    ("ping", '{"seat":0,"user":7,"turn":12,"reason":"turn","dm":false,"closed":true}'),
    ("unping", '{"channel":50,"message":60,"ours":false,"text":"<@7>","keep":[8]}'),
    ("digest", '{"user":7,"about":[["F-1",0,12],["F-2",1,3]]}'),
    ("follow", '{"over":false}'),
    ("news", '{"about":{"F-1":12}}'),
]
"""What version 28 of the database has of each kind."""


def all_types(of: type[Message] = Message) -> set[str]:
    """The names of the types that are no base of others."""
    below = of.__subclasses__()
    return set().union(*map(all_types, below)) if below else {of.__name__}


@pytest.mark.parametrize(("kind", "text"), STORED)
def test_what_was_stored_is_read_and_stored_alike(kind: str, text: str) -> None:
    message = read_message(kind, json.loads(text))
    assert not isinstance(message, Unreadable), message
    assert message.kind == kind
    assert message.to_json() == json.loads(text)
    for key in json.loads(text):
        without = {name: value for name, value in json.loads(text).items() if name != key}
        again = read_message(kind, without)
        made_up = again.to_json().keys() - without.keys()
        assert isinstance(again, Unreadable) or made_up <= {"text"}, "a plan's news keeps its empty text"


def test_every_type_has_its_examples() -> None:
    found = {type(read_message(kind, json.loads(text))).__name__ for kind, text in STORED}
    assert found == all_types() - {"Unreadable"}
    assert {each.__name__ for each in get_args(AnyMessage)} == all_types()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3) | st.just(math.nan),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(STORED), st.data())
def test_what_cannot_be_read_is_kept_as_it_is(example: tuple[str, str], data: st.DataObject) -> None:
    kind, stored = example[0], json.loads(example[1])
    changed: Any = stored
    if stored:
        changed = stored | {data.draw(st.sampled_from(sorted(stored))): data.draw(_VALUES)}
    message = read_message(kind, changed)
    kept = message.to_json()
    assert isinstance(message, Unreadable) or read_message(kind, kept) == message
    if isinstance(message, Unreadable):
        assert (message.kind, kept) == (kind, changed)


def test_a_message_of_a_newer_version_is_unreadable() -> None:
    for kind, stored in (("poem", {"lines": 4}), ("board", [1, 2]), ("dm", None)):
        assert isinstance(read_message(kind, stored), Unreadable)
    assert messages.read_message("poem", {"lines": 4}).to_json() == {"lines": 4}
