"""Sort uploaded files, also those in ZIP archives, into texts and pictures by name. Raises for no input.

Archives are unpacked in memory, within limits that their headers can't change; folders in names are dropped.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.engine.message import Msg, msg

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


TEXTS = (".map", ".cards")
PICTURES = (".png", ".gif", ".jpg", ".jpeg")
_ENTRY = b"PK\x01\x02"
_ARCHIVE = b"PK\x03\x04"
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_LITTER = frozenset(("thumbs.db", "desktop.ini"))


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of an upload: texts by name, pictures by name in lower case, and remarks on odd ones."""

    texts: dict[str, str]
    pictures: dict[str, bytes]
    notes: tuple[Msg, ...]


class RefusedFileError(Exception):
    """Raised for a file because of which the upload is refused; carries the message to the sender."""

    def __init__(self, what: Msg) -> None:
        super().__init__(what.key)
        self.what = what


def gather(uploads: Sequence[Upload]) -> Bundle | tuple[Msg, ...]:
    """Return the texts and pictures of an upload, or everything that is wrong with it."""
    texts: dict[str, str] = {}
    pictures: dict[str, bytes] = {}
    errors: list[Msg] = []
    notes: list[Msg] = []
    seen: set[str] = set()
    files, refused = _opened(uploads)
    errors.extend(refused)
    has_map = any(name.lower().endswith(".map") for name, _ in files)
    for name, data in files:
        low = name.lower()
        other = None if low.endswith(PICTURES) else program_of(data)
        if other and (low.endswith(TEXTS) or not has_map):
            errors.append(msg("maps.foreign", file=visible(name), program=msg(f"maps.program.{other}")))
            continue
        if not low.endswith((*TEXTS, *PICTURES)):
            notes.append(msg("maps.unused", file=visible(name)))
            continue
        if low in seen:
            errors.append(msg("maps.double", file=visible(name)))
            continue
        seen.add(low)
        try:
            if low.endswith(TEXTS):
                texts[name] = _text(name, data, notes)
            else:
                pictures[low] = _limited(name, data, MAX_BYTES)
        except RefusedFileError as error:
            errors.append(error.what)
    return tuple(errors) if errors else Bundle(texts, pictures, tuple(notes))


def base(path: str) -> str:
    """Return the file name of a path of any operating system; empty for a folder."""
    return re.split(r"[\\/:]", path)[-1].strip()


def visible(name: str) -> str:
    """Return a name for messages: at most 60 characters, without invisible ones."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in name[:61])
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def _opened(uploads: Sequence[Upload]) -> tuple[list[tuple[str, bytes]], list[Msg]]:
    """Return every file with its name without folders, including the files in archives."""
    if not uploads:
        return [], [msg("maps.nothing")]
    files: list[tuple[str, bytes]] = []
    errors: list[Msg] = []
    left = MAX_UNPACKED
    for upload in uploads:
        name = base(upload.name)
        try:
            if name.lower().endswith(".zip") or upload.data.startswith(_ARCHIVE):
                files.extend(_unpacked(name, upload.data, left))
            else:
                files.append((name, upload.data))
            left = MAX_UNPACKED - sum(len(data) for _, data in files)
            if left < 0:
                raise _too_much()
        except RefusedFileError as error:
            errors.append(error.what)
            if left < 0:
                break
    if len(files) > MAX_FILES:
        errors.append(msg("maps.many", n=len(files), most=MAX_FILES))
    return files, errors


def _unpacked(name: str, data: bytes, left: int) -> list[tuple[str, bytes]]:
    _limited(name, data, MAX_ZIPPED)
    # Counted before the directory is parsed, which takes time for each entry.
    entries = data.count(_ENTRY)
    if entries > MAX_FILES:
        raise RefusedFileError(msg("maps.many", n=entries, most=MAX_FILES))
    try:
        return list(_members(name, data, left))
    except RefusedFileError:
        raise
    except Exception as error:
        # zipfile raises several undocumented kinds of errors for broken archives.
        raise RefusedFileError(msg("maps.broken_zip", file=visible(name))) from error


def _members(name: str, data: bytes, left: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each relevant file of an archive. Raises what zipfile raises."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            inner = base(info.filename)
            if _litter(info.filename) or info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
                continue
            if info.flag_bits & 1:
                raise RefusedFileError(msg("maps.locked", file=visible(name), inner=visible(inner)))
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise RefusedFileError(msg("maps.packing", file=visible(name), inner=visible(inner)))
            with archive.open(info) as member:
                content = member.read(left + 1)
            left -= len(content)
            if left < 0:
                raise _too_much()
            if len(content) > max(UNCHECKED_SIZE, MAX_RATIO * info.compress_size):
                raise RefusedFileError(msg("maps.bomb", file=visible(name), inner=visible(inner)))
            if inner.lower().endswith(".zip") or content.startswith(_ARCHIVE):
                raise RefusedFileError(msg("maps.nested", file=visible(name), inner=visible(inner)))
            yield inner, content


def _litter(path: str) -> bool:
    """Return whether to skip a file: leftovers of operating systems, and previews, as we draw our own."""
    *folders, last = re.split(r"[\\/]", path.lower())
    return last.startswith(".") or last in _LITTER or "__macosx" in folders or "preview" in folders[-1:]


def _too_much() -> RefusedFileError:
    return RefusedFileError(msg("maps.unpacked", size=_mb(MAX_UNPACKED)))


def _limited(name: str, data: bytes, most: int) -> bytes:
    if len(data) > most:
        raise RefusedFileError(msg("maps.large", file=visible(name), size=_mb(len(data)), most=_mb(most)))
    return data


def _text(name: str, data: bytes, notes: list[Msg]) -> str:
    """Decode a text: UTF-8 if it is valid, otherwise ISO-8859-1, as the format prescribes.

    Letters beyond ASCII in ISO-8859-1 are valid UTF-8 by rare chance only; a note names what was taken.
    """
    shown = visible(name)
    if len(data) > MAX_TEXT:
        raise RefusedFileError(msg("maps.long", file=shown, n=len(data) // 1000, most=MAX_TEXT // 1000))
    if data.startswith(_WIDE) or b"\0" in data:
        raise RefusedFileError(msg("maps.binary", file=shown))
    if data.startswith(_BOM):
        try:
            return data.removeprefix(_BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise RefusedFileError(msg("maps.encoding", file=shown, line=line)) from error
    if not data.isascii():
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            pass
        else:
            notes.append(msg("maps.unmarked", file=shown))
            return text
    return data.decode("iso-8859-1")


def _mb(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
