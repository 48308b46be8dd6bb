"""The second judge of requests: whether what the bot sends is what Discord's own description allows.

The description is Discord's OpenAPI 3.1 document; openapi.json is what openapi_digest.py keeps of it. Two
rules are ours: an id may be an integer (discord.py writes some so, and Discord reads it), and a message's
text has 2,000 characters, although the description lets bots write 4,000.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from simcord import HttpLogEntry

from tests.discord_rules import judge as judge_by_rules
from tests.openapi_digest import DIGEST

CONTENT_LIMIT = 2_000
"""Characters in a message's text (Discord, "Create Message")."""

_extend: Any = extend  # its stub leaves the arguments untyped
_follow: Any = Draft202012Validator.VALIDATORS["$ref"]
_ROOT = "urn:discord"
_REMEMBERED = 4_096
_REMEMBERED_PARTS = 65_536
_UNDOCUMENTED = frozenset({"use_nested_fields"})
"""Queries that discord.py sends and Discord takes, although the description lacks them."""
_FLAGS = {"true": True, "false": False, "1": True, "0": False}


class LoopbackFile(Protocol):
    """What an uploaded file tells about itself."""

    @property
    def size(self) -> int:
        """Length in bytes."""


class LoopbackRequest(Protocol):
    """What a request logged on real sockets tells about itself."""

    method: str
    path: str
    params: dict[str, str]
    body: Any

    @property
    def files(self) -> Sequence[LoopbackFile]:
        """The files that came with it."""


@dataclass(frozen=True, slots=True)
class _Operation:
    """One method of one path: how its arguments, its query and its body are checked."""

    name: str
    arguments: dict[str, Validator]
    query: dict[str, Validator]
    needed: frozenset[str]
    body: Validator | None
    body_needed: bool
    takes_files: bool


class OpenApiJudge:
    """Compares requests with the digest of a description; each operation is compiled once, when first met."""

    def __init__(self, path: Path) -> None:
        """Read the digest.

        Raises:
            OSError: it can't be read.
            ValueError: it isn't JSON.
        """
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._schemas["SnowflakeType"]["type"] = ["string", "integer"]
        self._paths: dict[str, Any] = document["paths"]
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        registry: Registry[Any] = Registry().with_resource(_ROOT, resource)
        self._allowed: set[tuple[str, str]] = set()
        keywords = {"$ref": self._ref, "oneOf": self._one_of, "anyOf": self._any_of}
        self._validator = functools.partial(_extend(Draft202012Validator, keywords), registry=registry)
        self._templates: dict[int, list[tuple[str, list[str]]]] = {}
        for template in self._paths:
            parts = template.strip("/").split("/")
            self._templates.setdefault(len(parts), []).append((template, parts))
        self._operations: dict[tuple[str, str], _Operation] = {}
        self._tags: dict[str, dict[str, tuple[Any, ...]]] = {}
        self._verdict = functools.lru_cache(_REMEMBERED)(self._judge_body)

    # ---------------------------------------------------------------- judging

    def judge(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Mapping[str, Any] | None = None,
        files: int = 0,
    ) -> list[str]:
        """What is wrong with a request, one sentence each; empty if nothing is.

        ``path`` is without ``/api/v10`` and query; ``body`` is the JSON body, or ``payload_json`` beside
        ``files``, which is their number.
        """
        found = self._find(method, path)
        if found is None:
            return [f"{method} {path}: Discord has no such operation"]
        operation, arguments = found
        wrong = [
            f"{name} {value!r} in the path: {error.message}"
            for name, value in arguments.items()
            if name in operation.arguments
            for error in operation.arguments[name].iter_errors(value)
        ]
        wrong += self._judge_query(operation, params or {})
        if files and not operation.takes_files:
            wrong.append("takes no files")
        if body is None:
            if operation.body_needed:
                wrong.append("needs a body")
        elif operation.body is None:
            wrong.append("takes no body")
        else:
            wrong += self._verdict(operation.name, json.dumps(body, sort_keys=True))
        return [f"{operation.name}: {sentence}" for sentence in wrong]

    def _judge_query(self, operation: _Operation, params: Mapping[str, Any]) -> list[str]:
        wrong = [f"the query lacks {name}" for name in sorted(operation.needed - params.keys())]
        for name, value in params.items():
            if name in _UNDOCUMENTED:
                continue
            if name not in operation.query:
                wrong.append(f"the query has an unknown {name}")
            elif not any(operation.query[name].is_valid(reading) for reading in _readings(value)):
                wrong.append(f"{name}={value!r} in the query is not allowed")
        return wrong

    def _judge_body(self, name: str, text: str) -> tuple[str, ...]:
        method, _, template = name.partition(" ")
        operation = self._operations[method, template]
        body = json.loads(text)
        wrong = [] if operation.body is None else [_sentence(e) for e in operation.body.iter_errors(body)]
        for where, part in (("content", body), ("data.content", _data(body))):
            content = part.get("content") if isinstance(part, dict) else None
            if isinstance(content, str) and len(content) > CONTENT_LIMIT:
                wrong.append(f"{where}: {len(content)} characters, more than {CONTENT_LIMIT}")
        return tuple(wrong)

    # -------------------------------------------------------------- operations

    def _find(self, method: str, path: str) -> tuple[_Operation, dict[str, str]] | None:
        segments = path.strip("/").split("/")
        best: tuple[str, dict[str, str]] | None = None
        for template, parts in self._templates.get(len(segments), ()):
            if method.lower() not in self._paths[template]:
                continue
            arguments: dict[str, str] = {}
            for part, segment in zip(parts, segments, strict=True):
                if part.startswith("{"):
                    arguments[part[1:-1]] = segment
                elif part != segment:
                    break
            else:
                if best is None or len(arguments) < len(best[1]):
                    best = template, arguments
        if best is None:
            return None
        key = (method, best[0])
        if key not in self._operations:
            self._operations[key] = self._compile(*key)
        return self._operations[key], best[1]

    def _compile(self, method: str, template: str) -> _Operation:
        described = self._paths[template]
        operation = described[method.lower()]
        where = f"{_ROOT}#/paths/{_pointer(template)}"
        arguments: dict[str, Validator] = {}
        query: dict[str, Validator] = {}
        needed = set()
        for owner, parameters in (
            ("", described.get("parameters", ())),
            (f"/{method.lower()}", operation.get("parameters", ())),
        ):
            for index, parameter in enumerate(parameters):
                validator = self._validator({"$ref": f"{where}{owner}/parameters/{index}/schema"})
                name = parameter["name"]
                if parameter["in"] == "path":
                    arguments[name] = validator
                elif parameter["in"] == "query":
                    query[name] = validator
                    if parameter.get("required"):
                        needed.add(name)
        request = operation.get("requestBody", {})
        media = request.get("content", {})
        kind = next((one for one in ("application/json", "multipart/form-data") if one in media), None)
        pointer = f"{where}/{method.lower()}/requestBody/content"
        return _Operation(
            name=f"{method} {template}",
            arguments=arguments,
            query=query,
            needed=frozenset(needed),
            body=None if kind is None else self._validator({"$ref": f"{pointer}/{_pointer(kind)}/schema"}),
            body_needed=bool(request.get("required")),
            takes_files="multipart/form-data" in media,
        )

    # -------------------------------------------------------------- references

    def _ref(self, validator: Any, reference: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
        """Follow a reference; what it has allowed is remembered, since bots repeat themselves."""
        key = reference, json.dumps(instance)
        if key in self._allowed:
            return
        faults = list(_follow(validator, reference, instance, schema))
        if not faults:
            if len(self._allowed) >= _REMEMBERED_PARTS:
                self._allowed.clear()
            self._allowed.add(key)
        yield from faults

    # ------------------------------------------------------------ alternatives

    def _one_of(
        self, validator: Any, branches: list[Any], instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        yield from self._alternatives(validator, branches, instance, only_one=True)

    def _any_of(
        self, validator: Any, branches: list[Any], instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        yield from self._alternatives(validator, branches, instance, only_one=False)

    def _alternatives(
        self, validator: Any, branches: list[Any], instance: Any, *, only_one: bool
    ) -> Iterator[ValidationError]:
        """Try only the branches whose tags (properties of few values) fit: quicker, and errors say more."""
        left = [branch for branch in branches if self._fits(branch, instance)]
        failures: list[list[ValidationError]] = []
        valid = 0
        for branch in left:
            errors = list(validator.descend(instance, branch))
            if errors:
                failures.append(errors)
            else:
                valid += 1
                if not only_one:
                    return
        if valid == 1:
            return
        if valid > 1:
            yield ValidationError("fits several alternatives at once")
        elif not failures:
            yield ValidationError(f"fits none of the alternatives: {_short(instance)}")
        else:
            yield from min(failures, key=len)

    def _fits(self, branch: Mapping[str, Any], instance: Any) -> bool:
        if branch.get("type") == "null":
            return instance is None
        reference = branch.get("$ref")
        if reference is None:
            return True
        if instance is None:
            return self._schemas[_name(reference)].get("type") not in ("object", "array", "string")
        if not isinstance(instance, dict):
            return True
        return all(
            instance[key] in values for key, values in self._tag(_name(reference)).items() if key in instance
        )

    def _tag(self, name: str) -> dict[str, tuple[Any, ...]]:
        """The properties of a schema that take one of a few values only, with these values."""
        if name not in self._tags:
            properties = self._schemas[name].get("properties", {})
            self._tags[name] = {
                key: tuple(rule["enum"])
                for key, rule in properties.items()
                if isinstance(rule, dict)
                and "enum" in rule
                and key in self._schemas[name].get("required", ())
            }
        return self._tags[name]


# ------------------------------------------------------------------- adapters


@functools.cache
def default_judge() -> OpenApiJudge:
    """Return the judge by Discord's own description."""
    return OpenApiJudge(DIGEST)


def request_errors(
    method: str,
    path: str,
    *,
    body: Any = None,
    params: Mapping[str, Any] | None = None,
    sizes: Sequence[int] | None = None,
) -> list[str]:
    """What is wrong with a request, by our rules and by the description.

    ``sizes`` are the lengths of its files; ``None`` if they aren't known.
    """
    verdict = judge_by_rules(method, path, body=body, params=params, sizes=sizes)
    wrong = [f"{method} {path}: {fault}" for fault in verdict.faults]
    return wrong + default_judge().judge(method, path, body=body, params=params, files=len(sizes or ()))


def simcord_errors(entries: Iterable[HttpLogEntry]) -> list[str]:
    """What is wrong with the requests of SimCord's ``env.http_requests``."""
    return [
        sentence
        for entry in entries
        for sentence in request_errors(entry.method, entry.path, body=entry.json, params=entry.params)
    ]


def loopback_errors(requests: Iterable[LoopbackRequest]) -> list[str]:
    """What is wrong with the requests of the loopback server's ``requests``."""
    return [
        sentence
        for request in requests
        for sentence in request_errors(
            request.method,
            request.path,
            body=request.body,
            params=request.params,
            sizes=[file.size for file in request.files],
        )
    ]


# -------------------------------------------------------------------- helpers


def _pointer(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _data(body: Any) -> Any:
    return body.get("data") if isinstance(body, dict) else None


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _sentence(error: ValidationError) -> str:
    deepest = best_match([error]) or error
    where = re.sub(r"^\$\.?", "", deepest.json_path)
    message = deepest.message if len(deepest.message) <= 300 else f"{deepest.message[:297]}..."
    return f"{where or 'the body'}: {message}"


def _readings(value: Any) -> Iterator[Any]:
    """What a query's value, all text on the wire, may stand for."""
    yield value
    text = str(value)
    if text.lower() in _FLAGS:
        yield _FLAGS[text.lower()]
    if re.fullmatch(r"-?\d+", text):
        yield int(text)
    yield text
    yield text.split(",")
