"""Files that people send to make a map of: taken apart, measured and checked before anybody believes them.

This room knows no game: what the texts mean is read by whatever reader it is handed. It writes nothing.
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
