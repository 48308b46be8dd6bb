"""What goes out: the world's own answer, or one that a fault or a limit puts in its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.loopback.errors import sentence, status

VIA = {"Via": "1.1 loopback"}
"""discord.py takes a 429 without it for a ban by the proxy in front."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """Status, body and headers; anything but JSON is sent as the text that it is."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


def too_many(
    retry_after: float, *, scope: str = "user", code: int | None = None, headers: dict[str, str] | None = None
) -> HttpAnswer:
    """Return Discord's 429; ``scope`` is ``user``, ``shared`` or ``global``."""
    everywhere = scope == "global"
    sent = {"Retry-After": str(retry_after), "X-RateLimit-Scope": scope, **VIA, **(headers or {})}
    if everywhere:
        sent["X-RateLimit-Global"] = "true"
    body: dict[str, Any] = {
        "message": "You are being rate limited." if code is None else sentence(code),
        "retry_after": retry_after,
        "global": everywhere,
    }
    if code is not None:
        body["code"] = code
    return HttpAnswer(429, body, sent)


def planted(code: int, retry_after: float) -> HttpAnswer:
    """Return the refusal of a code that a test plants."""
    if status(code) == 429:
        return too_many(retry_after, code=code)
    return HttpAnswer(status(code), {"message": sentence(code), "code": code})
