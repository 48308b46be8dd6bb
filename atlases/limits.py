"""The limits of an upload. Anything larger is refused before it is opened."""

from __future__ import annotations

from typing import Final

MAX_FILES: Final = 64
"""Maximum number of files, including those in archives."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""Maximum size of a picture, as sent and as stored, in bytes."""
MAX_TEXT: Final = 200_000
"""Maximum size of a text, in bytes."""
MAX_ZIPPED: Final = 10 * 1024 * 1024
"""Maximum size of an archive, in bytes."""
MAX_UNPACKED: Final = 12 * 1024 * 1024
"""Maximum size of all unpacked files together, in bytes."""
MAX_RATIO: Final = 100
"""Maximum compression ratio of a file in an archive; see UNCHECKED_SIZE."""
UNCHECKED_SIZE: Final = 64 * 1024
"""Unpacked files up to this size, in bytes, may have any compression ratio."""
MAX_SIDE: Final = 2000
"""Maximum width and height of a picture, in pixels."""
MAX_SCANS: Final = 64
"""Maximum number of scans in a JPEG; each takes as long to decode as a whole picture."""
