"""Files that the server itself serves."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from simcord.backend.cdn import CDN_BASE, CdnStore


class ServedFiles(CdnStore):
    """Uploads under addresses that the server itself answers."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self._base = base
        self._types: dict[str, str] = {}

    def store_attachment(
        self, attachment_id: int, channel_id: int, filename: str, data: bytes, description: str | None
    ) -> dict[str, Any]:
        """Keep the bytes and return Discord's attachment object for them."""
        stored = super().store_attachment(attachment_id, channel_id, filename, data, description)
        url = stored["url"].replace(CDN_BASE, self._base)
        self._blobs[url] = self._blobs.pop(stored["url"])
        self._types[url] = stored["content_type"]
        stored["url"] = stored["proxy_url"] = url
        if (size := _pixels(data)) is not None:
            stored["width"], stored["height"] = size
        if description is None:
            del stored["description"]  # Discord leaves it out
        return stored

    def media_type(self, url: str) -> str:
        """The media type guessed from the file's name."""
        return self._types.get(url, "application/octet-stream")


def _pixels(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a picture; None for other files.

    https://docs.discord.com/developers/resources/message#attachment-object
    """
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except (OSError, SyntaxError, ValueError):  # no picture, or a broken one
        return None
