"""How much may be sent. Whatever is larger is refused before it is opened."""

from __future__ import annotations

from typing import Final

MOST_FILES: Final = 64
"""Files, those in archives among them."""
MOST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of a picture, as sent and as kept."""
MOST_TEXT: Final = 200_000
"""Bytes of a text."""
MOST_ZIPPED: Final = 10 * 1024 * 1024
"""Bytes of an archive."""
MOST_UNPACKED: Final = 12 * 1024 * 1024
"""Bytes of all files together, unpacked."""
RATIO: Final = 100
"""How many times its packed size a file of an archive may have, if it has more than SMALL bytes."""
SMALL: Final = 64 * 1024
WIDEST: Final = 2000
"""Pixels of a picture each way."""
MOST_SCANS: Final = 64
"""Passes of a JPEG over its picture; each costs the time of a whole one."""
