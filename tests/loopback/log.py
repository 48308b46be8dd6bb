"""What the server saw of every HTTP request: a plain record for tests and for the judge of requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.discord_rules import Verdict


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file of a multipart request; ``description`` is its alt text."""

    filename: str
    data: bytes
    description: str | None

    @property
    def size(self) -> int:
        """Length in bytes."""
        return len(self.data)


@dataclass(eq=False, slots=True)
class LoggedRequest:
    """One HTTP request and what became of it.

    Attributes:
        number: position in the server's log, from 0.
        path: below ``/api/v10``, as sent, without the query.
        template: the path with its variable parts named, as in ``/channels/{channel_id}/messages``;
            equal to ``path`` when no such route is known.
        args: the variable parts by name.
        params: the query.
        body: the JSON body, or ``payload_json`` of a multipart request.
        connection: number of the TCP connection it came over.
        launch: number of the bot process that was running when it came; 0 before the first.
        status: with which the world answered, ``None`` while it has not handled the request.
        answer: the world's JSON answer.
        sent: the status that went out to the bot, a planted one included; ``None`` if none did.
        verdict: what Discord would refuse about it, whatever the server's state.
        gap: why the server could not answer as Discord would; ``None`` when it could.
    """

    number: int
    method: str
    path: str
    template: str
    args: dict[str, str]
    params: dict[str, str]
    body: Any
    files: tuple[UploadedFile, ...]
    authorization: str | None
    connection: int
    launch: int
    verdict: Verdict
    status: int | None = None
    answer: Any = None
    sent: int | None = None
    gap: str | None = field(default=None)

    def __str__(self) -> str:
        files = "".join(f" +{file.filename}({file.size})" for file in self.files)
        return f"#{self.number} {self.method} {self.path}{files} -> {self.status} (launch {self.launch})"
