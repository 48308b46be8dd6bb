"""The digest of Discord's description keeps what makes a request wrong, and nothing else."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests import openapi_digest
from tests.openapi_digest import DIGEST, digest, main

NOTES: dict[str, Any] = {
    "title": "a title",
    "description": "text",
    "format": "int32",
    "x-kind": {"type": "null"},
}


def to(name: str) -> dict[str, Any]:
    return NOTES | {"$ref": f"#/components/schemas/{name}"}


DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://example.org"}],
    "info": {"version": "7", "title": "Rooms", "description": "text", "license": {"name": "MIT"}},
    "paths": {
        "/rooms/{id}": {
            "summary": "a room",
            "put": {
                "operationId": "write",
                "tags": ["rooms"],
                "security": [{"token": []}],
                "responses": {"200": {"content": {"application/json": {"schema": to("Answer")}}}},
                "requestBody": {
                    "content": {
                        "multipart/form-data": {"schema": {"allOf": [to("Room"), to("Upload")]}},
                        "application/x-www-form-urlencoded": {"schema": to("Answer")},
                        "application/json": {"schema": to("Room")},
                    },
                    "required": True,
                },
            },
            "parameters": [
                {
                    "name": "id",
                    "in": "path",
                    "schema": NOTES | {"type": "string"},
                    "required": True,
                    "example": "1",
                }
            ],
        },
        "/files": {
            "post": {"requestBody": {"content": {"multipart/form-data": {"schema": to("Upload")}}}},
            "get": {
                "parameters": [
                    {
                        "name": "n",
                        "in": "query",
                        "schema": to("Kind"),
                        "required": False,
                        "description": "text",
                    },
                    {"name": "a", "in": "query", "schema": {"enum": [], "allOf": [to("Kind")]}},
                ]
            },
        },
    },
    "components": {
        "securitySchemes": {"token": {"type": "http"}},
        "schemas": {
            "Room": {
                "type": "object",
                "required": ["title", "description"],
                "properties": {
                    "title": NOTES | {"type": "string", "maxLength": 9},
                    "description": {"oneOf": [{"type": "null"}, to("Room")]},
                    "enum": NOTES | {"enum": ["title", "größer"], "default": "title"},
                    "names": {
                        "additionalProperties": NOTES | {"const": {"title": 1}},
                        "propertyNames": NOTES,
                    },
                },
                "additionalProperties": False,
            },
            "Kind": NOTES | {"type": "integer", "oneOf": [NOTES | {"const": 2}, NOTES | {"const": 1}]},
            "Upload": {"type": "object", "items": to("Part")},
            "Part": {"type": "string", "contentEncoding": "binary"},
            "Answer": {"type": "object", "properties": {"more": to("Unread")}},
            "Unread": {"type": "null"},
        },
    },
}
TEXT = json.dumps(DESCRIPTION)
EXPECTED = """\
{
 "openapi":"3.1.0",
 "info":{
  "license":{
   "name":"MIT"
  },
  "title":"Rooms",
  "version":"7"
 },
 "x-digest-of":"sha256:HASH",
 "paths":{
  "/files":{
   "get":{"parameters":[{"in":"query","name":"n","schema":{"$ref":"#/components/schemas/Kind"}},\
{"in":"query","name":"a","schema":{"allOf":[{"$ref":"#/components/schemas/Kind"}]}}]},
   "post":{"requestBody":{"content":{"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Upload"}}}}}
  },
  "/rooms/{id}":{
   "parameters":[{"in":"path","name":"id","required":true,"schema":{"type":"string"}}],
   "put":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Room"}},\
"multipart/form-data":{}},"required":true}}
  }
 },
 "components":{
  "schemas":{
   "Kind":{"oneOf":[{"const":2},{"const":1}],"type":"integer"},
   "Part":{"type":"string"},
   "Room":{"additionalProperties":false,"properties":{\
"description":{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/Room"}]},\
"enum":{"enum":["title","größer"]},\
"names":{"additionalProperties":{"const":{"title":1}},"propertyNames":{}},\
"title":{"maxLength":9,"type":"string"}},"required":["title","description"],"type":"object"},
   "Upload":{"items":{"$ref":"#/components/schemas/Part"},"type":"object"}
  }
 }
}
""".replace("HASH", hashlib.sha256(TEXT.encode()).hexdigest())


def test_a_description_is_digested_as_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "description.json").write_bytes(TEXT.encode())
    monkeypatch.setattr(openapi_digest, "DIGEST", tmp_path / "digest.json")
    main([str(tmp_path / "description.json")])
    assert (tmp_path / "digest.json").read_bytes().decode("utf-8") == EXPECTED


@pytest.mark.parametrize("text", [EXPECTED, DIGEST.read_text("utf-8")], ids=["rooms", "Discord"])
def test_a_digest_is_its_own_digest(text: str) -> None:
    assert digest(text) == text


def test_a_schema_that_is_missing_is_named() -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    cut = {"schemas": {name: schema for name, schema in schemas.items() if name != "Part"}}
    with pytest.raises(KeyError, match="Part"):
        digest(json.dumps(DESCRIPTION | {"components": cut}))


def test_the_licence_of_the_description_lies_beside_its_digest() -> None:
    assert json.loads(DIGEST.read_text("utf-8"))["info"]["license"]["name"] == "MIT"
    assert "Copyright 2023 Discord" in DIGEST.with_suffix(".LICENSE").read_text("utf-8")
