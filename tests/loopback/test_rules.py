"""Each fault that Discord would refuse is planted once, and seen; what Discord takes is let through."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_rules import command_faults, component_faults, judge, message_faults, modal_faults
from tests.discord_rules.messages import FILE_LIMIT, REQUEST_LIMIT
from tests.openapi import default_judge

V2 = {"flags": 1 << 15}


def button(custom_id: str = "go", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": custom_id, **more}


def menu(*values: str, custom_id: str = "menu", **more: Any) -> dict[str, Any]:
    options = [{"label": value or "-", "value": value} for value in values or ("a", "b")]
    return {"type": 3, "custom_id": custom_id, "options": options, **more}


def radio(*values: str, **more: Any) -> dict[str, Any]:
    options = [{"label": value, "value": value, **more} for value in values or ("a", "b")]
    return {"type": 21, "custom_id": "radio", "options": options}


def row(*inside: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(inside)}


def label(component: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": "Move", "component": component, **more}


def box(custom_id: str = "move", **more: Any) -> dict[str, Any]:
    return {"type": 4, "custom_id": custom_id, "style": 1, **more}


def form(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"custom_id": "form", "title": "Move", "components": list(components), **more}


def slash(*options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "play", "description": "Play", "options": list(options), **more}


def option(name: str = "move", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "description": "A move", **more}


def keys(faults: Any) -> set[str]:
    return {fault.key for fault in faults}


GOOD_MESSAGES: list[dict[str, Any]] = [
    {"content": "x" * 2000, "tts": False},
    {"content": "e4", "nonce": "7", "enforce_nonce": True, "message_reference": {"message_id": 5}},
    {"content": "e4", "allowed_mentions": {"parse": [], "users": ["3"]}, "flags": 1 << 12},
    {"components": [row(button(), button("on", emoji={"name": "🎲"})), row(menu(placeholder="x" * 150))]},
    {"components": [row({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"})] * 5},
    {"components": [row(menu(*map(str, range(25)), min_values=0, max_values=25))]},
    {"components": [row({"type": 5, "custom_id": "who", "max_values": 10})]},
    {"attachments": [{"id": 0, "filename": "board.png", "description": "x" * 1024}]},
    {"embeds": [{"title": "x" * 256, "fields": [{"name": "n", "value": "v"}] * 25, "color": 0xFFFFFF}]},
    V2 | {"components": [{"type": 10, "content": "x" * 4000}, {"type": 17, "components": [row(button())]}]},
    V2 | {"components": [{"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}]},
]


@pytest.mark.parametrize("body", GOOD_MESSAGES)
def test_what_discord_takes_is_let_through(body: dict[str, Any]) -> None:
    assert message_faults(body) == []
    assert default_judge().judge("POST", "/channels/1/messages", body=body) == []


BAD_MESSAGES: list[tuple[str, dict[str, Any], str]] = [
    ("unknown field", {"content": "e4", "embed": {}}, "UNKNOWN_FIELD"),
    ("empty", {"content": ""}, "MESSAGE_EMPTY"),
    ("blank", {"content": " \n", "components": []}, "MESSAGE_EMPTY"),
    ("long", {"content": "x" * 2001}, "BASE_TYPE_MAX_LENGTH"),
    ("nonce", {"content": "e4", "nonce": "x" * 26}, "BASE_TYPE_MAX_LENGTH"),
    ("flags", {"content": "e4", "flags": 1 << 6}, "MESSAGE_FLAGS_INVALID"),
    ("reply to nothing", {"content": "e4", "message_reference": {}}, "BASE_TYPE_REQUIRED"),
    ("mentions", {"content": "e4", "allowed_mentions": {"parse": ["everybody"]}}, "BASE_TYPE_CHOICES"),
    (
        "mentions twice",
        {"content": "e4", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    ("alt text", {"attachments": [{"id": 0, "description": "x" * 1025}]}, "BASE_TYPE_MAX_LENGTH"),
    ("eleven files", {"attachments": [{"id": n} for n in range(11)]}, "BASE_TYPE_MAX_LENGTH"),
    ("eleven embeds", {"embeds": [{"title": "e"}] * 11}, "BASE_TYPE_MAX_LENGTH"),
    ("embed title", {"embeds": [{"title": "x" * 257}]}, "BASE_TYPE_MAX_LENGTH"),
    ("embed text", {"embeds": [{"description": "x" * 4097}]}, "BASE_TYPE_MAX_LENGTH"),
    ("embed of nothing", {"embeds": [{"color": 1}]}, "BASE_TYPE_REQUIRED"),
    ("embed field", {"embeds": [{"fields": [{"name": "n", "value": "x" * 1025}]}]}, "BASE_TYPE_BAD_LENGTH"),
    ("embed field blank", {"embeds": [{"fields": [{"name": "", "value": "v"}]}]}, "BASE_TYPE_REQUIRED"),
    ("embed fields", {"embeds": [{"fields": [{"name": "n", "value": "v"}] * 26}]}, "BASE_TYPE_MAX_LENGTH"),
    ("embed footer", {"embeds": [{"footer": {"text": "x" * 2049}}]}, "BASE_TYPE_BAD_LENGTH"),
    ("embed author", {"embeds": [{"author": {"name": "x" * 257}}]}, "BASE_TYPE_BAD_LENGTH"),
    ("embeds in all", {"embeds": [{"description": "x" * 3001}] * 2}, "MAX_EMBED_SIZE_EXCEEDED"),
    ("text beside V2", V2 | {"content": "e4"}, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"),
]


@pytest.mark.parametrize(("body", "key"), [bad[1:] for bad in BAD_MESSAGES], ids=[b[0] for b in BAD_MESSAGES])
def test_a_message_that_discord_refuses(body: dict[str, Any], key: str) -> None:
    assert key in keys(message_faults(body))


BAD_COMPONENTS: list[tuple[str, list[Any], str]] = [
    ("six rows", [row(button(str(n))) for n in range(6)], "BASE_TYPE_MAX_LENGTH"),
    ("six buttons", [row(*(button(str(n)) for n in range(6)))], "BASE_TYPE_BAD_LENGTH"),
    ("empty row", [row()], "BASE_TYPE_BAD_LENGTH"),
    ("button beside menu", [row(button(), menu())], "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    ("two menus in a row", [row(menu(), menu(custom_id="n"))], "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    ("doubled custom_id", [row(button()), row(button())], "COMPONENT_CUSTOM_ID_DUPLICATED"),
    (
        "doubled though disabled",
        [row(button(disabled=True), button(disabled=True))],
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ("doubled value", [row(menu("a", "a"))], "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
    ("26 options", [row(menu(*map(str, range(26))))], "BASE_TYPE_BAD_LENGTH"),
    ("no options", [row(menu() | {"options": []})], "BASE_TYPE_BAD_LENGTH"),
    ("more than there are", [row(menu(max_values=3))], "BASE_TYPE_BAD_LENGTH"),
    ("least above most", [row(menu(min_values=2))], "SELECT_COMPONENT_MIN_VALUES"),
    ("placeholder", [row(menu(placeholder="x" * 151))], "BASE_TYPE_MAX_LENGTH"),
    ("empty value", [row(menu(""))], "BASE_TYPE_REQUIRED"),
    ("long value", [row(menu("x" * 101))], "BASE_TYPE_BAD_LENGTH"),
    (
        "long description",
        [row(menu() | {"options": [{"label": "a", "value": "a", "description": "x" * 101}]})],
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "two chosen at first",
        [row(menu() | {"options": [{"label": v, "value": v, "default": True} for v in "ab"]})],
        "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
    ),
    ("long label", [row(button(label="x" * 81))], "BASE_TYPE_MAX_LENGTH"),
    ("no label", [row(button(label=""))], "BUTTON_COMPONENT_NO_LABEL"),
    ("long custom_id", [row(button("x" * 101))], "BASE_TYPE_BAD_LENGTH"),
    ("no custom_id", [row({"type": 2, "style": 1, "label": "Go"})], "BASE_TYPE_REQUIRED"),
    ("link with custom_id", [row(button(style=5, url="https://a.example"))], "BUTTON_COMPONENT_EXCLUSIVE"),
    ("letters for an emoji", [row(button(emoji={"name": "dice"}))], "COMPONENT_INVALID_EMOJI"),
    ("emoji of nothing", [row(button(emoji={}))], "COMPONENT_INVALID_EMOJI"),
    ("unknown style", [row(button(style=7))], "BASE_TYPE_CHOICES"),
    ("unknown field", [row(button(colour="red"))], "UNKNOWN_FIELD"),
    ("bare button", [button()], "UNION_TYPE_CHOICES"),
    ("text without V2", [{"type": 10, "content": "e4"}], "UNION_TYPE_CHOICES"),
    ("text box in a message", [row(box(label="Move"))], "UNION_TYPE_CHOICES"),
    ("doubled id", [row(button(id=1)), row(button("b", id=1))], "COMPONENT_ID_DUPLICATED"),
]


@pytest.mark.parametrize(("tree", "key"), [b[1:] for b in BAD_COMPONENTS], ids=[b[0] for b in BAD_COMPONENTS])
def test_a_component_tree_that_discord_refuses(tree: list[Any], key: str) -> None:
    assert key in keys(component_faults(tree))


def test_the_limits_of_a_layout() -> None:
    words = {"type": 10, "content": "x"}
    many = component_faults([words] * 41, flags=1 << 15)
    assert keys(many) == {"COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"}
    long = component_faults([words | {"content": "x" * 2001}] * 2, flags=1 << 15)
    assert keys(long) == {"COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"}
    picture = {"media": {"url": "attachment://b.png"}, "description": "x" * 1025}
    assert keys(component_faults([{"type": 12, "items": [picture]}], flags=1 << 15)) == {
        "BASE_TYPE_BAD_LENGTH"
    }
    section = {"type": 9, "components": [words], "accessory": row(button())}
    assert keys(component_faults([section], flags=1 << 15)) == {"UNION_TYPE_CHOICES"}


BAD_MODALS: list[tuple[str, dict[str, Any], str]] = [
    ("long title", form(label(box()), title="x" * 46), "BASE_TYPE_BAD_LENGTH"),
    ("nothing in it", form(), "BASE_TYPE_BAD_LENGTH"),
    ("six parts", form(*(label(box(str(n))) for n in range(6))), "BASE_TYPE_BAD_LENGTH"),
    ("long label", form(label(box(), label="x" * 46)), "BASE_TYPE_BAD_LENGTH"),
    ("long placeholder", form(label(box(placeholder="x" * 101))), "BASE_TYPE_MAX_LENGTH"),
    ("doubled custom_id", form(label(box()), label(box())), "COMPONENT_CUSTOM_ID_DUPLICATED"),
    ("button", form(row(button())), "UNION_TYPE_CHOICES"),
    ("two boxes in a row", form(row(box(label="a"), box("b", label="b"))), "BASE_TYPE_BAD_LENGTH"),
    ("box in a row without label", form(row(box())), "BASE_TYPE_REQUIRED"),
    ("least above most", form(label(box(min_length=5, max_length=4))), "TEXT_INPUT_MIN_LENGTH"),
    ("value above most", form(label(box(value="12345", max_length=4))), "BASE_TYPE_MAX_LENGTH"),
    ("disabled menu", form(label(menu(disabled=True))), "MODAL_COMPONENT_DISABLED"),
    ("unknown field", form(label(box()), flags=64), "UNKNOWN_FIELD"),
    ("one radio button", form(label(radio("a"))), "BASE_TYPE_BAD_LENGTH"),
    ("eleven radio buttons", form(label(radio(*"abcdefghijk"))), "BASE_TYPE_BAD_LENGTH"),
    ("doubled radio button", form(label(radio("a", "a"))), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
    ("two chosen at first", form(label(radio(default=True))), "SELECT_COMPONENT_TOO_MANY_DEFAULTS"),
    ("radio button with an emoji", form(label(radio(emoji={"name": "✔"}))), "UNKNOWN_FIELD"),
    ("radio buttons in a row", form(row(radio())), "UNION_TYPE_CHOICES"),
]


@pytest.mark.parametrize(("data", "key"), [bad[1:] for bad in BAD_MODALS], ids=[bad[0] for bad in BAD_MODALS])
def test_a_form_that_discord_refuses(data: dict[str, Any], key: str) -> None:
    assert key in keys(modal_faults(data))


def test_forms_that_discord_takes() -> None:
    assert (
        modal_faults(form(label(box(placeholder="e4", max_length=100)), {"type": 10, "content": "Why"})) == []
    )
    assert modal_faults(form(row(box(label="Move")), label(menu()))) == []
    assert modal_faults(form(label(radio(*"abcdefghij"), description="Why"), label(menu()))) == []


CHOICES = [{"name": str(n), "value": str(n)} for n in range(26)]
BAD_COMMANDS: list[tuple[str, list[dict[str, Any]], str]] = [
    ("upper case", [slash(name="Play")], "APPLICATION_COMMAND_INVALID_NAME"),
    ("space", [slash(name="play now")], "APPLICATION_COMMAND_INVALID_NAME"),
    ("long name", [slash(name="x" * 33)], "BASE_TYPE_BAD_LENGTH"),
    ("long description", [slash(description="x" * 101)], "BASE_TYPE_MAX_LENGTH"),
    ("no description", [slash(description="")], "BASE_TYPE_REQUIRED"),
    ("26 options", [slash(*(option(f"o{n}") for n in range(26)))], "BASE_TYPE_MAX_LENGTH"),
    ("26 choices", [slash(option(choices=CHOICES))], "BASE_TYPE_MAX_LENGTH"),
    ("doubled option", [slash(option(), option())], "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"),
    (
        "required after optional",
        [slash(option("a"), option("b", required=True))],
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    (
        "doubled choice",
        [slash(option(choices=CHOICES[:1] * 2))],
        "APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATED",
    ),
    ("long choice", [slash(option(choices=[{"name": "x" * 101, "value": "x"}]))], "BASE_TYPE_BAD_LENGTH"),
    (
        "choices and autocomplete",
        [slash(option(choices=CHOICES[:1], autocomplete=True))],
        "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE",
    ),
    (
        "option beside subcommand",
        [slash(option("a", 1), option("b"))],
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    (
        "nested too deep",
        [slash(option("a", 1, options=[option("b", 1)]))],
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    ("description of a menu entry", [slash(type=3)], "APPLICATION_COMMAND_CONTEXT_MENU"),
    ("doubled command", [slash(), slash()], "APPLICATION_COMMANDS_DUPLICATE_NAME"),
    ("101 commands", [slash(name=f"c{n}") for n in range(101)], "APPLICATION_COMMANDS_EXCEEDED"),
    (
        "8,000 characters",
        [
            slash(
                *(
                    option(f"o{n}", choices=[{"name": c * 99, "value": c * 99} for c in "abcd"])
                    for n in range(11)
                )
            )
        ],
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
    ("localised name", [slash(name_localizations={"de": "Spielen"})], "APPLICATION_COMMAND_INVALID_NAME"),
    ("unknown field", [slash(colour="red")], "UNKNOWN_FIELD"),
]


@pytest.mark.parametrize(("body", "key"), [b[1:] for b in BAD_COMMANDS], ids=[bad[0] for bad in BAD_COMMANDS])
def test_a_list_of_commands_that_discord_refuses(body: list[dict[str, Any]], key: str) -> None:
    assert key in keys(command_faults(body))


def test_commands_that_discord_takes() -> None:
    group = option("set", 2, options=[option("a", 1, options=[option(required=True), option("b")])])
    listed = [slash(group, name="jouer-été"), slash(option(choices=CHOICES[:25]), name="spielen")]
    listed += [slash(name=f"c{n}") for n in range(98)]
    assert command_faults([*listed, {"name": "Play this", "type": 3}]) == []


CALLBACK = "/interactions/1/token/callback"
BAD_REQUESTS: list[tuple[str, tuple[str, str], dict[str, Any], str]] = [
    ("route", ("GET", "/no/such/route"), {}, "UNKNOWN_ROUTE"),
    ("query", ("GET", "/channels/1/messages"), {"params": {"since": 5}}, "UNKNOWN_FIELD"),
    ("limit", ("GET", "/channels/1/messages"), {"params": {"limit": "101"}}, "NUMBER_TYPE_RANGE"),
    ("both", ("GET", "/channels/1/messages"), {"params": {"after": 1, "before": 2}}, "QUERY_EXCLUSIVE"),
    ("no body", ("POST", "/channels/1/messages"), {}, "BASE_TYPE_REQUIRED"),
    ("body", ("GET", "/users/@me"), {"body": {"a": 1}}, "UNKNOWN_FIELD"),
    ("files", ("POST", "/users/@me/channels"), {"body": {"recipient_id": 1}, "sizes": [1]}, "UNKNOWN_FIELD"),
    (
        "file size",
        ("POST", "/channels/1/messages"),
        {"body": {"content": "e4"}, "sizes": [int(FILE_LIMIT) + 1]},
        "REQUEST_ENTITY_TOO_LARGE",
    ),
    (
        "sizes in all",
        ("POST", "/channels/1/messages"),
        {"body": {"content": "e4"}, "sizes": [REQUEST_LIMIT // 3 + 1] * 3},
        "REQUEST_ENTITY_TOO_LARGE",
    ),
    (
        "file that is missing",
        ("POST", "/channels/1/messages"),
        {"body": {"attachments": [{"id": 1}]}, "sizes": [5]},
        "ATTACHMENT_NOT_FOUND",
    ),
    ("callback kind", ("POST", CALLBACK), {"body": {"type": 99}}, "BASE_TYPE_CHOICES"),
    ("empty answer", ("POST", CALLBACK), {"body": {"type": 4, "data": {}}}, "MESSAGE_EMPTY"),
    (
        "choices",
        ("POST", CALLBACK),
        {"body": {"type": 8, "data": {"choices": CHOICES}}},
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "choice value",
        ("POST", CALLBACK),
        {"body": {"type": 8, "data": {"choices": [{"name": "n", "value": "x" * 101}]}}},
        "BASE_TYPE_MAX_LENGTH",
    ),
    ("form", ("POST", CALLBACK), {"body": {"type": 9, "data": form()}}, "BASE_TYPE_BAD_LENGTH"),
    (
        "long edit",
        ("PATCH", "/channels/1/messages/2"),
        {"body": {"content": "x" * 2001}},
        "BASE_TYPE_MAX_LENGTH",
    ),
    ("nonce in an edit", ("PATCH", "/channels/1/messages/2"), {"body": {"nonce": "1"}}, "UNKNOWN_FIELD"),
    ("long followup", ("POST", "/webhooks/1/t"), {"body": {"content": "x" * 2001}}, "BASE_TYPE_MAX_LENGTH"),
    (
        "thread name",
        ("POST", "/channels/1/messages/2/threads"),
        {"body": {"name": "x" * 101}},
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "archive duration",
        ("POST", "/channels/1/threads"),
        {"body": {"name": "n", "auto_archive_duration": 100}},
        "BASE_TYPE_CHOICES",
    ),
    (
        "commands",
        ("PUT", "/applications/1/commands"),
        {"body": [slash(), slash()]},
        "APPLICATION_COMMANDS_DUPLICATE_NAME",
    ),
]


@pytest.mark.parametrize(
    ("route", "what", "key"), [bad[1:] for bad in BAD_REQUESTS], ids=[bad[0] for bad in BAD_REQUESTS]
)
def test_a_request_that_discord_refuses(route: tuple[str, str], what: dict[str, Any], key: str) -> None:
    assert key in keys(judge(*route, **what).faults)


def test_a_refusal_reads_as_discords() -> None:
    tree = {"components": [row(button()), row(button())]}
    status, body = judge("POST", "/channels/1/messages", body=tree).refusal()
    fault = {"code": "COMPONENT_CUSTOM_ID_DUPLICATED", "message": "Component custom id cannot be duplicated"}
    errors = {"components": {"1": {"components": {"0": {"custom_id": {"_errors": [fault]}}}}}}
    assert (status, body) == (400, {"message": "Invalid Form Body", "code": 50035, "errors": errors})
    empty = judge("POST", "/channels/1/messages", body={"content": ""}).refusal()
    assert empty == (400, {"message": "Cannot send an empty message", "code": 50006})
    large = judge(
        "POST", "/channels/1/messages", body={"content": "e4"}, sizes=[int(FILE_LIMIT) + 1]
    ).refusal()
    assert (large[0], large[1]["code"]) == (413, 40005)
