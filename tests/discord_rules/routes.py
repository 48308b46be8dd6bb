"""The routes the bot and its tests use, each with what its body and query may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.discord_facts import Limit, verdict
from tests.discord_rules.commands import command, command_list
from tests.discord_rules.messages import (
    TOO_LARGE,
    callback,
    edited_message,
    file_sizes,
    new_message,
    webhook_message,
)
from tests.discord_rules.shapes import (
    Fault,
    Shape,
    anything,
    array,
    boolean,
    choice,
    form_errors,
    nullable,
    number,
    record,
    snowflake,
    text,
)

UNKNOWN_ROUTE = "UNKNOWN_ROUTE"
_SENTENCES = {40005: "Request entity too large", 50006: "Cannot send an empty message"}
BodyJudge: TypeAlias = Callable[[Any, int | None], Iterator[Fault]]
_ARCHIVE = nullable(choice(60, 1440, 4320, 10080, fact="odd-archive-time"))
_SLOW = nullable(number(0, 21_600))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a request."""

    faults: tuple[Fault, ...]

    @property
    def known(self) -> bool:
        """Whether the rules know the route at all."""
        return not any(fault.key == UNKNOWN_ROUTE for fault in self.faults)

    def refusal(self) -> tuple[int, dict[str, Any]]:
        """Discord's answer: HTTP status and JSON body."""
        large = [fault for fault in self.faults if fault.key == TOO_LARGE]
        fact, *others = {fault.fact for fault in large or self.faults}
        form = form_errors(self.faults)
        if others or not fact:
            return 400, form
        status, code = verdict(fact)
        if code == form["code"]:
            return status, form
        return status, {"message": _SENTENCES.get(code, "Refused"), "code": code}


@dataclass(frozen=True, slots=True)
class _Route:
    body: BodyJudge | None = None
    query: Mapping[str, Shape] | None = None
    files: bool = False
    may_lack_body: bool = False


def _json(shape: Shape) -> BodyJudge:
    return lambda body, files: shape(body, ())


def _message(judge_body: Callable[..., Iterator[Fault]]) -> BodyJudge:
    return lambda body, files: judge_body(body, files=files)


_thread_fields: dict[str, Shape] = {
    "name": text(Limit("long-thread-name"), 1),
    "auto_archive_duration": _ARCHIVE,
    "rate_limit_per_user": _SLOW,
}


def _new_thread(body: Any, files: int | None) -> Iterator[Fault]:
    if isinstance(body, dict) and "message" in body:
        fields = _thread_fields | {
            "message": anything,
            "applied_tags": nullable(array(snowflake, 5)),
            "type": anything,
        }
        yield from record(fields, needed=["name", "message"])(body, ())
        yield from new_message(body["message"], ("message",), files=files)
        return
    fields = _thread_fields | {"type": nullable(choice(10, 11, 12)), "invitable": nullable(boolean)}
    yield from record(fields, needed=["name"])(body, ())


_channel_edit = record(
    {
        "name": text(100, 1),
        "type": nullable(number(0, 20)),
        "topic": nullable(text(4096)),
        "nsfw": nullable(boolean),
        "position": nullable(number(0, 1 << 31)),
        "parent_id": nullable(snowflake),
        "permission_overwrites": anything,
        "default_auto_archive_duration": _ARCHIVE,
        "rate_limit_per_user": _SLOW,
        "archived": boolean,
        "locked": boolean,
        "invitable": boolean,
        "auto_archive_duration": choice(60, 1440, 4320, 10080),
        "applied_tags": array(snowflake, 5),
        "available_tags": array(anything, 20),
        "flags": nullable(number(0, 1 << 31)),
    }
)
_history: dict[str, Shape] = {
    "limit": number(1, 100),
    "before": snowflake,
    "after": snowflake,
    "around": snowflake,
}
_flag: Shape = choice("true", "false", "1", "0", "True", "False", 1, 0)
_M = "/channels/{id}/messages"
_W = "/webhooks/{id}/{token}"
_A = "/applications/{id}"
_posts = _Route(_message(new_message), files=True)
_edits = _Route(_message(edited_message), files=True)
_plain = _Route()
ROUTES: dict[tuple[str, str], _Route] = {
    ("GET", "/gateway"): _plain,
    ("GET", "/gateway/bot"): _plain,
    ("GET", "/users/@me"): _plain,
    ("GET", "/users/{id}"): _plain,
    ("GET", "/users/@me/guilds"): _Route(
        query={"limit": number(1, 200), "before": snowflake, "after": snowflake, "with_counts": _flag}
    ),
    ("GET", "/oauth2/applications/@me"): _plain,
    ("GET", "/applications/@me"): _plain,
    ("POST", "/users/@me/channels"): _Route(
        _json(record({"recipient_id": snowflake}, needed=["recipient_id"]))
    ),
    ("GET", "/guilds/{id}"): _Route(query={"with_counts": _flag}),
    ("GET", "/guilds/{id}/channels"): _plain,
    ("GET", "/guilds/{id}/roles"): _plain,
    ("GET", "/guilds/{id}/threads/active"): _plain,
    ("GET", "/guilds/{id}/members/{id}"): _plain,
    ("DELETE", "/users/@me/guilds/{id}"): _plain,
    ("GET", "/channels/{id}"): _plain,
    ("PATCH", "/channels/{id}"): _Route(_json(_channel_edit)),
    ("DELETE", "/channels/{id}"): _plain,
    ("POST", "/channels/{id}/typing"): _plain,
    # Discord documents no query here; discord.py asks for the message as a field of its own.
    ("POST", "/channels/{id}/threads"): _Route(_new_thread, query={"use_nested_fields": _flag}, files=True),
    ("GET", "/channels/{id}/thread-members"): _Route(query={"with_member": _flag}),
    ("GET", "/channels/{id}/thread-members/{id}"): _Route(query={"with_member": _flag}),
    ("PUT", "/channels/{id}/thread-members/{id}"): _plain,
    ("DELETE", "/channels/{id}/thread-members/{id}"): _plain,
    ("GET", _M): _Route(query=_history),
    ("POST", _M): _posts,
    ("GET", f"{_M}/{{id}}"): _plain,
    ("PATCH", f"{_M}/{{id}}"): _edits,
    ("DELETE", f"{_M}/{{id}}"): _plain,
    ("POST", f"{_M}/{{id}}/threads"): _Route(_json(record(_thread_fields, needed=["name"]))),
    ("PUT", f"{_M}/{{id}}/reactions/{{emoji}}/@me"): _plain,
    ("DELETE", f"{_M}/{{id}}/reactions/{{emoji}}/@me"): _plain,
    ("GET", f"{_M}/pins"): _Route(query={"limit": number(1, 50), "before": anything}),
    ("PUT", f"{_M}/pins/{{id}}"): _plain,
    ("DELETE", f"{_M}/pins/{{id}}"): _plain,
    ("POST", "/interactions/{id}/{token}/callback"): _Route(
        _message(callback), query={"with_response": _flag}, files=True
    ),
    ("POST", _W): _Route(
        _message(webhook_message),
        query={"wait": _flag, "thread_id": snowflake, "with_components": _flag},
        files=True,
    ),
    ("GET", f"{_W}/messages/{{message}}"): _plain,
    ("PATCH", f"{_W}/messages/{{message}}"): _Route(
        _message(edited_message), query={"thread_id": snowflake, "with_components": _flag}, files=True
    ),
    ("DELETE", f"{_W}/messages/{{message}}"): _plain,
    ("GET", f"{_A}/commands"): _Route(query={"with_localizations": _flag}),
    ("PUT", f"{_A}/commands"): _Route(_json(command_list)),
    ("POST", f"{_A}/commands"): _Route(_json(command)),
    ("PUT", f"{_A}/guilds/{{id}}/commands"): _Route(_json(command_list)),
}


def _pattern(template: str) -> re.Pattern[str]:
    parts = [
        {"{id}": r"(?:\d+|@me)", "{message}": r"(?:\d+|@original)"}.get(part, r"[^/]+")
        if part.startswith("{")
        else re.escape(part)
        for part in template.split("/")
    ]
    return re.compile("/".join(parts))


_PATTERNS = {
    (method, path): _pattern(path) for method, path in sorted(ROUTES, key=lambda key: key[1].count("{"))
}


def _find(method: str, path: str) -> _Route | None:
    for (known, template), pattern in _PATTERNS.items():
        if known == method and pattern.fullmatch(path):
            return ROUTES[known, template]
    return None


def judge(
    method: str,
    path: str,
    *,
    body: Any = None,
    params: Mapping[str, Any] | None = None,
    sizes: Sequence[int] | None = None,
) -> Verdict:
    """Judge a request; ``path`` is below ``/api/v10``, ``sizes`` are the bytes of its files if known."""
    route = _find(method, path)
    if route is None:
        return Verdict((Fault((), UNKNOWN_ROUTE, f"{method} {path}: no route that the rules know"),))
    found = _judge(route, body, params or {}, sizes)
    return Verdict(tuple(fault for fault in found if not fault.fact or not verdict(fault.fact).ok))


def _judge(
    route: _Route, body: Any, params: Mapping[str, Any], sizes: Sequence[int] | None
) -> Iterator[Fault]:
    known = route.query or {}
    for name, value in params.items():
        if name not in known:
            yield Fault(("query", name), "UNKNOWN_FIELD", "Discord has no such field here")
            continue
        given = str(value)
        readable = int(given) if re.fullmatch(r"-?\d+", given) and known[name] is not _flag else value
        yield from known[name](readable, ("query", name))
    if len({"before", "after", "around"} & params.keys()) > 1:
        yield Fault(("query",), "QUERY_EXCLUSIVE", "before, after and around are mutually exclusive")
    if sizes:
        yield from file_sizes(list(sizes))
        if not route.files:
            yield Fault(("files",), "UNKNOWN_FIELD", "Takes no files")
    if route.body is None:
        if body:
            yield Fault((), "UNKNOWN_FIELD", "Takes no body")
    elif body is None:
        yield Fault((), "BASE_TYPE_REQUIRED", "Needs a body")
    else:
        yield from route.body(body, None if sizes is None else len(sizes))
