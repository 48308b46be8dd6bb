"""Make tests/openapi.json, the part of Discord's OpenAPI description by which requests are judged.

`python -m tests.openapi_digest PATH` reads the description (https://github.com/discord/discord-api-spec).
Kept are all operations with their parameters and bodies, and the schemas that these refer to. Left out is
what can't make a request wrong: answers, texts, notes, forms of a body besides JSON and uploads. A digest is
itself a description, and its own digest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

DIGEST = Path(__file__).with_name("openapi.json")
"""Where the digest lies; Discord's licence lies beside it."""

_SOURCE = "x-digest-of"
_METHODS = ("delete", "get", "head", "options", "patch", "post", "put", "trace")
_BODIES = ("application/json", "multipart/form-data")
"""The forms of a body that count. If there are both, a request is judged by the first."""

_NOTES = frozenset(
    {
        "$comment", "contentEncoding", "contentMediaType", "contentSchema", "default", "deprecated",
        "description", "discriminator", "example", "examples", "externalDocs", "format", "readOnly", "title",
        "writeOnly", "xml",
    }
)  # fmt: skip
"""Keywords by which JSON Schema 2020-12 and OpenAPI refuse nothing."""

_NAMED = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose value holds schemas by names of Discord's own, which may be those of keywords."""

_VALUES = frozenset({"const", "enum"})
_REFERENCE = "#/components/schemas/"
_DEPTH = 3
"""How many levels have a line for each entry: an operation or a schema is the third."""


def digest(text: str) -> str:
    """Return the digest of a description, both as JSON: head, then sorted a line for each
    operation and each schema.

    Raises:
        ValueError: it isn't JSON.
        KeyError: it lacks what a description needs, or refers to a schema that it doesn't hold.
    """
    document = json.loads(text)
    paths = {template: _path(item) for template, item in document["paths"].items()}
    small = {
        "openapi": document["openapi"],
        "info": {key: document["info"][key] for key in ("license", "title", "version")},
        _SOURCE: document.get(_SOURCE) or f"sha256:{hashlib.sha256(text.encode('utf-8')).hexdigest()}",
        "paths": paths,
        "components": {"schemas": _reached(paths, document["components"]["schemas"])},
    }
    return f"{_lines(small, 0)}\n"


def _path(item: Mapping[str, Any]) -> dict[str, Any]:
    operations = {key: _operation(value) for key, value in item.items() if key in _METHODS}
    return _parameters(item) | operations


def _operation(operation: Mapping[str, Any]) -> dict[str, Any]:
    kept = _parameters(operation)
    if "requestBody" in operation:
        body = operation["requestBody"]
        forms = [form for form in _BODIES if form in body["content"]]
        content = {form: {"schema": _schema(body["content"][form]["schema"])} for form in forms[:1]}
        content |= {form: {} for form in forms[1:]}
        kept["requestBody"] = {"content": content} | _required(body)
    return kept


def _parameters(owner: Mapping[str, Any]) -> dict[str, Any]:
    kept = [
        {"in": one["in"], "name": one["name"], "schema": _schema(one["schema"])} | _required(one)
        for one in owner.get("parameters", ())
    ]
    return {"parameters": kept} if kept else {}


def _required(owner: Mapping[str, Any]) -> dict[str, bool]:
    return {"required": True} if owner.get("required") else {}


def _schema(schema: Any) -> Any:
    """Return a schema, or what stands in its place, without notes; an empty ``enum`` is one."""
    if isinstance(schema, list):
        return [_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in _VALUES:
            if value != []:
                kept[key] = value
        elif key in _NAMED:
            kept[key] = {name: _schema(one) for name, one in value.items()}
        elif key not in _NOTES and not key.startswith("x-"):
            kept[key] = _schema(value)
    return kept


def _reached(paths: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    waiting = list(_references(paths))
    while waiting:
        name = waiting.pop().removeprefix(_REFERENCE)
        if name not in found:
            found[name] = _schema(schemas[name])
            waiting += _references(found[name])
    return found


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for child in node.values():
            yield from _references(child)
    elif isinstance(node, list):
        for child in node:
            yield from _references(child)


def _lines(node: Any, level: int) -> str:
    if level == _DEPTH or not isinstance(node, dict) or not node:
        return json.dumps(node, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    inner = ",\n".join(
        f"{' ' * (level + 1)}{json.dumps(key, ensure_ascii=False)}:{_lines(node[key], level + 1)}"
        for key in (sorted(node) if level else node)
    )
    return f"{{\n{inner}\n{' ' * level}}}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the description whose path is given, and write its digest."""
    parser = argparse.ArgumentParser(prog="python -m tests.openapi_digest", description=__doc__)
    parser.add_argument("description", type=Path, help="Discord's OpenAPI description, a JSON file")
    given = parser.parse_args(arguments)
    DIGEST.write_bytes(digest(given.description.read_bytes().decode("utf-8")).encode("utf-8"))


if __name__ == "__main__":
    main()
