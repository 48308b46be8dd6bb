"""The judge of requests accepts what Discord's description allows and names what it doesn't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from simcord import HttpLogEntry

from tests import discord_rules as rules
from tests import openapi
from tests.loopback.log import LoggedRequest, UploadedFile
from tests.openapi import OpenApiJudge
from tests.openapi_digest import digest

ID = {"$ref": "#/components/schemas/SnowflakeType"}
DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Rooms", "version": "1", "license": {"name": "MIT"}},
    "paths": {
        "/rooms/{room_id}/notes": {
            "parameters": [{"name": "room_id", "in": "path", "schema": ID, "required": True}],
            "get": {
                "parameters": [
                    {"name": "after", "in": "query", "schema": ID},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
                    {"name": "loud", "in": "query", "schema": {"type": "boolean", "enum": []}},
                    {"name": "ids", "in": "query", "schema": {"type": "array", "items": ID, "maxItems": 2}},
                    {"name": "key", "in": "query", "schema": {"type": "string"}, "required": True},
                ]
            },
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Note"}},
                        "multipart/form-data": {"schema": {"$ref": "#/components/schemas/Note"}},
                    },
                }
            },
        },
        "/rooms/{room_id}/notes/all": {"delete": {}},
        "/rooms/{room_id}/notes/{note_id}": {
            "delete": {"parameters": [{"name": "note_id", "in": "path", "schema": ID, "required": True}]}
        },
    },
    "components": {
        "schemas": {
            "SnowflakeType": {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
            "Note": {
                "type": "object",
                "properties": {
                    "content": {"type": ["string", "null"], "maxLength": 4000},
                    "author": {"oneOf": [{"type": "null"}, ID]},
                    "parts": {
                        "type": "array",
                        "items": {
                            "oneOf": [
                                {"$ref": "#/components/schemas/Button"},
                                {"$ref": "#/components/schemas/Menu"},
                            ]
                        },
                    },
                },
            },
            "Button": {
                "type": "object",
                "properties": {
                    "type": {"type": "integer", "enum": [2]},
                    "label": {"type": "string", "maxLength": 8},
                },
                "required": ["type"],
            },
            "Menu": {
                "type": "object",
                "properties": {"type": {"type": "integer", "enum": [3]}, "label": {"type": "integer"}},
                "required": ["type", "label"],
            },
        }
    },
}


@pytest.fixture
def judge(tmp_path: Path) -> OpenApiJudge:
    path = tmp_path / "description.json"
    path.write_text(digest(json.dumps(DESCRIPTION)), "utf-8")
    return OpenApiJudge(path)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"content": "x" * 2000, "author": "123"},
        {"content": None, "author": None},
        {"author": 123},
        {"parts": [{"type": 2, "label": "go"}, {"type": 3, "label": 1}]},
    ],
)
def test_good_bodies_are_accepted(judge: OpenApiJudge, body: dict[str, Any]) -> None:
    assert judge.judge("POST", "/rooms/1/notes", body=body, files=1) == []


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"content": 5}, "content: 5 is not of type 'string', 'null'"),
        ({"content": "x" * 2001}, "content: 2001 characters, more than 2000"),
        ({"data": {"content": "x" * 2001}}, "data.content: 2001 characters, more than 2000"),
        ({"author": "ann"}, "author: 'ann' does not match"),
        ({"author": True}, "author: True is not of type 'string', 'integer'"),
        (
            {"parts": [{"type": 2, "label": "too long a label"}]},
            "parts[0].label: 'too long a label' is too long",
        ),
        ({"parts": [{"type": 3}]}, "parts[0]: 'label' is a required property"),
        ({"parts": [{"type": 4}]}, "parts[0]: fits none of the alternatives"),
        ({"parts": [{"type": [2]}]}, "parts[0]: fits none of the alternatives"),
        (None, "needs a body"),
    ],
)
def test_bad_bodies_are_named(judge: OpenApiJudge, body: Any, complaint: str) -> None:
    (sentence,) = judge.judge("POST", "/rooms/1/notes", body=body)
    assert sentence.startswith(f"POST /rooms/{{room_id}}/notes: {complaint}")


@pytest.mark.parametrize(
    "params",
    [
        {"key": "k"},
        {"key": "5", "limit": "100", "after": "12", "loud": "1"},
        {"key": "k", "limit": 100, "after": 12, "loud": True, "ids": "1,2"},
    ],
)
def test_good_queries_are_accepted(judge: OpenApiJudge, params: dict[str, Any]) -> None:
    assert judge.judge("GET", "/rooms/1/notes", params=params) == []


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({}, "the query lacks key"),
        ({"key": "k", "limit": "101"}, "limit='101' in the query is not allowed"),
        ({"key": "k", "limit": "many"}, "limit='many' in the query is not allowed"),
        ({"key": "k", "ids": "1,2,3"}, "ids='1,2,3' in the query is not allowed"),
        ({"key": "k", "colour": "red"}, "the query has an unknown colour"),
    ],
)
def test_bad_queries_are_named(judge: OpenApiJudge, params: dict[str, Any], complaint: str) -> None:
    assert judge.judge("GET", "/rooms/1/notes", params=params) == [
        f"GET /rooms/{{room_id}}/notes: {complaint}"
    ]


def test_paths_are_matched_literally_first(judge: OpenApiJudge) -> None:
    assert judge.judge("DELETE", "/rooms/1/notes/all") == []
    assert judge.judge("DELETE", "/rooms/1/notes/2") == []
    (sentence,) = judge.judge("DELETE", "/rooms/1/notes/two")
    assert sentence.startswith("DELETE /rooms/{room_id}/notes/{note_id}: note_id 'two' in the path")


@pytest.mark.parametrize(("method", "path"), [("PUT", "/rooms/1/notes"), ("GET", "/rooms/1")])
def test_unknown_operations_are_named(judge: OpenApiJudge, method: str, path: str) -> None:
    assert judge.judge(method, path) == [f"{method} {path}: Discord has no such operation"]


def test_bodies_and_files_where_none_belong_are_named(judge: OpenApiJudge) -> None:
    wrong = judge.judge("DELETE", "/rooms/1/notes/2", body={}, files=1)
    where = "DELETE /rooms/{room_id}/notes/{note_id}"
    assert wrong == [f"{where}: takes no files", f"{where}: takes no body"]


def test_both_logs_are_judged_by_both_judges(judge: OpenApiJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openapi, "default_judge", lambda: judge)
    path = "/channels/1/messages"
    bad = {"content": "", "title": 5}
    entries = [HttpLogEntry("POST", path, {}, body, None) for body in ({"content": "e4"}, bad)]
    assert len(openapi.simcord_errors(entries)) == 2 + 2  # unknown, empty; the description lacks the path
    file = UploadedFile("board.png", b"", None)
    verdict = rules.judge("POST", path, body=bad)
    logged = [LoggedRequest(0, "POST", path, path, {}, {}, bad, (file,), None, 1, 1, verdict)]
    assert len(openapi.loopback_errors(logged)) == 1 + 1


@pytest.mark.parametrize(
    ("method", "path", "body", "wrong"),
    [
        ("GET", "/users/@me", None, 0),
        ("GET", "/users/@me", {}, 1),  # our rules overlook a body that doesn't belong
        ("GET", "/nowhere", None, 2),
    ],
)
def test_discords_own_description_judges_every_log(method: str, path: str, body: Any, wrong: int) -> None:
    assert len(openapi.simcord_errors([HttpLogEntry(method, path, {}, body, None)])) == wrong


def test_discords_own_description_judges() -> None:
    judge = openapi.default_judge()
    post = ("POST", "/channels/1/messages")
    row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
    good: list[Any] = [
        {"content": "e4", "nonce": "7", "enforce_nonce": True, "message_reference": {"message_id": 5}},
        {"components": [row], "allowed_mentions": {"parse": [], "users": ["3"]}},
        {"attachments": [{"id": 0, "filename": "board.png", "description": "x" * 1024}]},
    ]
    for body in good:
        assert judge.judge(*post, body=body) == []
    button = {"type": 2, "style": 1, "label": "x" * 81, "custom_id": "go"}
    bad: list[Any] = [
        {"content": "x" * 2001},
        {"nonce": "x" * 26},
        {"components": [{"type": 1, "components": [button]}]},
        {"components": [{"type": 1, "components": [row["components"][0]] * 6}]},  # type: ignore[index]
        {"attachments": [{"id": 0, "description": "x" * 1025}]},
        {"allowed_mentions": {"parse": ["everybody"]}},
        {"embeds": [{"title": "x" * 257}]},
    ]
    for body in bad:
        assert len(judge.judge(*post, body=body)) == 1
    answer = "/interactions/1/token/callback"
    assert (
        judge.judge("POST", answer, body={"type": 5, "data": {"flags": 64}}, params={"with_response": 1})
        == []
    )
    assert judge.judge("POST", answer, body={"type": 99}) != []
    choices = [{"name": "n", "value": "v"}]
    assert judge.judge("POST", answer, body={"type": 8, "data": {"choices": choices * 25}}) == []
    assert judge.judge("POST", answer, body={"type": 8, "data": {"choices": choices * 26}}) != []
    command = {"name": "play", "type": 1, "description": "x" * 100}
    assert judge.judge("PUT", "/applications/1/commands", body=[command]) == []
    assert judge.judge("PUT", "/applications/1/commands", body=[{**command, "description": "x" * 101}]) != []
    assert judge.judge("GET", "/channels/1/messages", params={"limit": 101}) != []
