"""Files that people send for a map: unpacked, measured and checked before they are used.

This package knows no game: the reader that it is given interprets the texts. It writes nothing.
"""

from __future__ import annotations

from atlases.bundle import Bundle, Upload, gather
from atlases.limits import MOST_BYTES, MOST_FILES, MOST_ZIPPED
from atlases.reader import Loaded, load

__all__ = [
    "MOST_BYTES",
    "MOST_FILES",
    "MOST_ZIPPED",
    "Bundle",
    "Loaded",
    "Upload",
    "gather",
    "load",
]
