"""What comes with a request: its JSON, plain or as a part, and its files."""

from __future__ import annotations

import json
import re
from typing import Any

from aiohttp import BodyPartReader, web

from tests.loopback.log import UploadedFile

_FILE_PART = re.compile(r"files\[(\d+)\]")


async def read_body(http: web.Request) -> tuple[Any, tuple[UploadedFile, ...]]:
    """The JSON of a request and its files, in the order of their numbers."""
    if not http.content_type.startswith("multipart/"):
        text = await http.text()
        return (json.loads(text) if text else None), ()
    body: Any = None
    found: dict[int, tuple[str, bytes]] = {}
    async for part in await http.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            body = json.loads(await part.text())
        elif part.name is not None and (number := _FILE_PART.fullmatch(part.name)):
            found[int(number[1])] = (part.filename or "unknown", bytes(await part.read()))
    alt = {str(one.get("id")): one.get("description") for one in _attachments(body)}
    names = {str(one.get("id")): one.get("filename") for one in _attachments(body)}
    files = [
        UploadedFile(names.get(str(number)) or name, data, alt.get(str(number)))
        for number, (name, data) in sorted(found.items())
    ]
    return body, tuple(files)


def _attachments(body: Any) -> list[dict[str, Any]]:
    """What a body says about its files; an interaction callback says it one level deeper."""
    if not isinstance(body, dict):
        return []
    inner = body.get("data") if "attachments" not in body else body
    return list((inner or {}).get("attachments") or [])
