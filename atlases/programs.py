"""Recognise files of other programs by their content, to say so instead of listing hundreds of errors."""

from __future__ import annotations

import re
from typing import Final

_MAX_READ: Final = 64 * 1024
"""Number of bytes that are searched from the beginning of a file."""
_BINARY: Final = (b"\xac\xed\x00\x05", b"\x1f\x8b\x08")
"""How the objects begin that Java writes, such as saved games of Domination, and gzip, as in TripleA."""
_ELEMENT: Final = re.compile(rb"<([a-z][\w:.-]*)", re.IGNORECASE)
_ROOTS: Final = {b"luxboard": "lux", b"svg": "svg", b"map": "tiled"}
_SHOOTER: Final = re.compile(rb'\A(?:\s|//[^\n]*\n)*\{\s*"')
_CLASS: Final = re.compile(rb'"classname"\s+"')
_JSON: Final = re.compile(rb'\A\s*(?:\{\s*(?:"[^"\n]{0,80}"\s*:|\})|\[\s*\{\s*")')
_TERRITORIES: Final = re.compile(rb'"(?:territories|mapDetails|bonuses)"\s*:', re.IGNORECASE)


def program_of(data: bytes) -> str:
    """Return the end of the key `maps.program.` that names the program of a file; empty for none."""
    head = data[:_MAX_READ].removeprefix(b"\xef\xbb\xbf")
    if head.startswith(_BINARY):
        return "save"
    if head.startswith((b"\xff\xfe<\0", b"\xfe\xff\0<")):
        return "xml"
    if head.lstrip().startswith(b"<"):
        return _of_xml(head)
    if _SHOOTER.search(head) and _CLASS.search(head):
        return "shooter"
    if _JSON.search(head):
        return "warzone" if _TERRITORIES.search(head) else "json"
    return ""


def _of_xml(head: bytes) -> str:
    """Return the program of an XML file by its outermost element."""
    head = re.sub(rb"<!--.*?(?:-->|\Z)", b"", head, flags=re.DOTALL)
    root = found[1].lower() if (found := _ELEMENT.search(head)) else b""
    if (root == b"game" and b"triplea" in head.lower()) or b"game.dtd" in head.lower():
        return "triplea"
    return _ROOTS.get(root.rpartition(b":")[2], "xml")
