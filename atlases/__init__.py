"""Unpack, measure and check the files that people upload as a map.

This package knows no game: the game passes in a function that interprets the texts. It writes nothing.
"""

from __future__ import annotations

from atlases.bundle import MAX_BYTES, MAX_FILES, MAX_ZIPPED, Bundle, Upload, gather
from atlases.reader import LoadedMap, load

__all__ = [
    "MAX_BYTES",
    "MAX_FILES",
    "MAX_ZIPPED",
    "Bundle",
    "LoadedMap",
    "Upload",
    "gather",
    "load",
]
