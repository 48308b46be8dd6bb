"""How much Discord lets one bot ask: per route, in all, of what kind; and what it answers beyond.

Limits per route aren't published: only a test that sets one has one. The others stand from the start.
https://docs.discord.com/developers/topics/rate-limits
"""

from __future__ import annotations

import datetime
import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.discord_facts import Limit, listed, verdict
from tests.loopback.answers import VIA, HttpAnswer, too_many
from tests.loopback.log import LoggedRequest

INVALID = (401, 403, 429)
_OUTSIDE = ("/interactions/", "/webhooks/")
_TOP = ("channel_id", "guild_id", "webhook_id")
_EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")
Now = Callable[[], datetime.datetime]


@dataclass
class Window:
    """So many requests in so many seconds; a request that is refused doesn't count."""

    limit: int
    seconds: float
    hits: deque[datetime.datetime] = field(default_factory=deque)

    def wait(self, now: datetime.datetime) -> float:
        """Seconds until a request may come; 0 if it may come now."""
        while self.hits and (now - self.hits[0]).total_seconds() >= self.seconds:
            self.hits.popleft()
        if len(self.hits) < self.limit:
            return 0.0
        return max(0.001, self.seconds - (now - self.hits[0]).total_seconds())

    def reset_after(self, now: datetime.datetime) -> float:
        """Seconds until the whole limit is free again."""
        return self.seconds - (now - self.hits[0]).total_seconds() if self.hits else 0.0


class Limits:
    """The limits of one server.

    Attributes:
        invalid: the requests of the last ten minutes that were answered with 401, 403 or 429.
        most_invalid: how many of those an address may have.
    """

    def __init__(self, now: Now, written: Callable[[int, int], datetime.datetime | None]) -> None:
        """``written`` tells when a message, by channel and id, was posted."""
        self._now = now
        self._written = written
        self._rules: dict[tuple[str, str], tuple[int, float]] = {}
        self._buckets: dict[tuple[str, str, str], Window] = {}
        self._everything: Window | None = Window(50, 1.0)
        self._old_edits: dict[str, Window] = {}
        self._old_edits_rule: tuple[int, float] | None = (int(Limit("edits-of-old-messages")), 3600.0)
        self._invalid = Window(1 << 62, 600.0)
        self.most_invalid = 10_000

    # ---------------------------------------------------------------- setting

    def per_route(self, method: str, template: str, limit: int, seconds: float) -> None:
        """Allow a route ``limit`` requests in ``seconds``, for each channel, guild or webhook by itself."""
        self._rules[method, template] = (limit, seconds)

    def everywhere(self, limit: int | None, seconds: float = 1.0) -> None:
        """Allow all routes together so many requests, those of interactions excepted; ``None`` for any."""
        self._everything = None if limit is None else Window(limit, seconds)

    def edits_of_old_messages(self, limit: int | None, seconds: float = 3600.0) -> None:
        """Allow a channel so many edits of messages older than an hour; Discord doesn't publish how many."""
        self._old_edits_rule = None if limit is None else (limit, seconds)
        self._old_edits.clear()

    @property
    def invalid(self) -> int:
        """How many requests were answered with 401, 403 or 429 in the last ten minutes."""
        self._invalid.wait(self._now())
        return len(self._invalid.hits)

    # ---------------------------------------------------------------- judging

    def refuse(self, request: LoggedRequest) -> HttpAnswer | None:
        """Return the 429 that a request meets, or let it count."""
        now = self._now()
        if self.invalid >= self.most_invalid:
            return HttpAnswer(429, "error code: 1015", content_type="text/plain")
        windows = []
        if self._everything is not None and not request.path.startswith(_OUTSIDE):
            windows.append((self._everything, "global"))
        if (bucket := self._bucket(request)) is not None:
            windows.append((bucket, listed("limit")[-1].removeprefix("scope ")))
        for window, scope in windows:
            if wait := window.wait(now):
                return too_many(wait, scope=scope, headers=self.headers(request))
        old = self._of_old_edits(request, now)
        if old is not None and (wait := old.wait(now)):
            code = verdict("edits-of-old-messages").code
            return too_many(wait, code=code, headers=self.headers(request))
        for window, _ in windows:
            window.hits.append(now)
        if old is not None:
            old.hits.append(now)
        return None

    def count(self, status: int, headers: dict[str, str]) -> None:
        """Count an answer that went out."""
        if status in INVALID and headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.hits.append(self._now())

    def headers(self, request: LoggedRequest) -> dict[str, str]:
        """The rate limit's headers of an answer; none for routes without a limit."""
        bucket = self._bucket(request)
        if bucket is None:
            return {}
        now = self._now()
        bucket.wait(now)
        after = bucket.reset_after(now)
        name = f"{request.method} {request.template}"
        told = {
            "Limit": str(bucket.limit),
            "Remaining": str(bucket.limit - len(bucket.hits)),
            "Reset": f"{now.timestamp() + after:.3f}",
            "Reset-After": f"{after:.3f}",
            "Bucket": hashlib.sha256(name.encode()).hexdigest()[:32],
        }
        return {f"X-RateLimit-{key}": told[key] for key in listed("rate-headers") if key in told} | VIA

    def _bucket(self, request: LoggedRequest) -> Window | None:
        rule = self._rules.get((request.method, request.template))
        if rule is None:
            return None
        top = "/".join(request.args.get(name, "") for name in _TOP)
        return self._buckets.setdefault((request.method, request.template, top), Window(*rule))

    def _of_old_edits(self, request: LoggedRequest, now: datetime.datetime) -> Window | None:
        if self._old_edits_rule is None or (request.method, request.template) != _EDIT:
            return None
        written = self._written(int(request.args["channel_id"]), int(request.args["message_id"]))
        if written is None or now - written < datetime.timedelta(hours=1):
            return None
        return self._old_edits.setdefault(request.args["channel_id"], Window(*self._old_edits_rule))
