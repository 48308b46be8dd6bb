"""The first judge refuses what Discord's description refuses: the bot's requests, changed in one place."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.discord_rules import judge
from tests.openapi import default_judge

_DOCUMENTED = '0.default_member_permissions = "7"'
"""What the description refuses, and the documentation says to write."""
CALLBACK = "/interactions/1/token/callback"
_WRONG: tuple[Any, ...] = (
    None,
    "",
    "x",
    "7",
    "x" * 7000,
    -1,
    1.5,
    1 << 70,
    True,
    [],
    {},
    [None],
    [[]],
    {"x": 1},
)
"""What a value is replaced by."""
_TEXT = {"type": 10, "content": "Ann to move."}
_BUTTON = {
    "type": 2,
    "style": 1,
    "label": "Moves",
    "custom_id": "moves",
    "emoji": {"name": "🎲"},
    "disabled": False,
}
_MENU = {
    "type": 3, "custom_id": "menu", "placeholder": "Move", "min_values": 1, "max_values": 1,
    "disabled": False, "options": [{"label": "e4", "value": "e4", "description": "up", "default": False}],
}  # fmt: skip
_OPTION = {"name": "n", "description": "How many", "required": True}
_SUBCOMMAND = {
    "type": 1, "name": "me", "description": "Yours", "options": [
        {**_OPTION, "type": 3, "name": "move", "autocomplete": True, "min_length": 1, "max_length": 100},
        {**_OPTION, "type": 3, "name": "game", "choices": [{"name": "Focus", "value": "focus"}]},
        {**_OPTION, "type": 4, "min_value": 0, "max_value": 180, "name_localizations": {"de": "zahl"}},
        {**_OPTION, "type": 4, "name": "days", "choices": [{"name": "30 days", "value": 30}]},
        {**_OPTION, "type": 10, "name": "share", "min_value": 0.5, "max_value": 2.5},
        {**_OPTION, "type": 7, "name": "place", "channel_types": [0, 5], "required": False},
        {**_OPTION, "type": 6, "name": "whom", "required": False},
        {**_OPTION, "type": 5, "name": "sure", "required": False},
        {**_OPTION, "type": 11, "name": "file", "required": False},
    ],
}  # fmt: skip
_COMMAND = {
    "type": 1, "name": "settings", "description": "Settings", "name_localizations": {"de": "einstellungen"},
    "description_localizations": {"de": "Einstellungen"}, "default_member_permissions": None, "nsfw": False,
    "dm_permission": True, "contexts": [0, 1, 2], "integration_types": [0, 1], "options": [
        _SUBCOMMAND, {"type": 2, "name": "more", "description": "More", "options": [_SUBCOMMAND]}],
}  # fmt: skip
_MESSAGE = {
    "content": "Ann to move.", "flags": 0,
    "allowed_mentions": {"parse": [], "users": ["1"], "replied_user": False},
    "attachments": [{"id": 0, "filename": "board.png", "description": "The board"}],
    "components": [{"type": 1, "components": [_BUTTON]}, {"type": 1, "components": [_MENU]}],
}  # fmt: skip
_LAYOUT = {
    "flags": 1 << 15, "components": [{"type": 17, "accent_color": 7, "components": [
        _TEXT, {"type": 14, "divider": True, "spacing": 1},
        {"type": 9, "components": [_TEXT], "accessory": _BUTTON},
        {"type": 12, "items": [{"media": {"url": "attachment://board.png"}, "description": "The board"}]}]}],
}  # fmt: skip
_FORM = {
    "custom_id": "form", "title": "Move", "components": [{"type": 18, "label": "Move", "component": {
        "type": 4, "custom_id": "move", "style": 1, "placeholder": "e4", "max_length": 100,
        "required": True}}],
}  # fmt: skip
REQUESTS: dict[str, tuple[str, str, Any]] = {
    "commands": ("PUT", "/applications/1/commands", [_COMMAND, {"type": 3, "name": "Play this"}]),
    "texts": ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "e4", "value": "e4"}]}}),
    "numbers": ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "30 days", "value": 30}]}}),
    "answer": ("POST", CALLBACK, {"type": 4, "data": _MESSAGE}),
    "edit of an answer": ("POST", CALLBACK, {"type": 7, "data": _LAYOUT}),
    "deferred": ("POST", CALLBACK, {"type": 5, "data": {"flags": 64}}),
    "form": ("POST", CALLBACK, {"type": 9, "data": _FORM}),
    "message": ("POST", "/channels/1/messages", {
        **_MESSAGE, "nonce": "7", "enforce_nonce": True,
        "message_reference": {"channel_id": "1", "message_id": "2", "fail_if_not_exists": False}}),
    "edit": ("PATCH", "/channels/1/messages/2", _MESSAGE),
    "followup": ("POST", "/webhooks/1/token", _LAYOUT),
    "thread": ("POST", "/channels/1/messages/2/threads", {
        "name": "Focus", "auto_archive_duration": 10080, "rate_limit_per_user": 0}),
    "channel": ("PATCH", "/channels/1", {"name": "Focus", "archived": False, "auto_archive_duration": 60}),
}  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def mutants(body: Any) -> Iterator[tuple[str, Any]]:
    """Yield copies of a body in which one value is another or missing, or a list has one twice."""
    for path in places(body):
        value: Any = body
        for key in path:
            value = value[key]
        doubled = [value * 2, value * 13] if isinstance(value, list) else []
        for wrong in (*_WRONG, *doubled, ...):
            changed = copy.deepcopy(body)
            owner = changed
            for key in path[:-1]:
                owner = owner[key]
            if wrong is ...:
                del owner[path[-1]]
            else:
                owner[path[-1]] = copy.deepcopy(wrong)
            yield (
                f"{'.'.join(map(str, path))} = {'missing' if wrong is ... else json.dumps(wrong)[:40]}",
                changed,
            )


@pytest.mark.slow
@pytest.mark.parametrize("name", REQUESTS)
def test_what_the_description_refuses_the_rules_refuse(name: str) -> None:
    method, path, body = REQUESTS[name]
    described = default_judge()
    assert described.judge(method, path, body=body) == []
    assert judge(method, path, body=body).faults == ()
    found = list(mutants(body))
    seeded = random.Random(name).sample(found, min(len(found), 250))
    refused = [each for each in seeded if described.judge(method, path, body=each[1])]
    refused = [each for each in refused if each[0] != _DOCUMENTED]
    accepted = [what for what, changed in refused if not judge(method, path, body=changed).faults]
    assert len(refused) > 5
    assert not accepted, "\n".join(accepted)
