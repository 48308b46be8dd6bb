"""Turn an upload into a map that can be stored: unpack, measure, let the game read it, check its pictures.

A map is only returned if all steps succeed; everything wrong is returned as messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Generic, TypeAlias, TypeVar

from atlases import pictures
from atlases.bundle import Upload, gather
from atlases.pictures import Mask
from games.engine.maps import ParsedMap, Size
from games.engine.message import Msg

P = TypeVar("P", bound=ParsedMap)
ReadMap: TypeAlias = Callable[[Mapping[str, str], Mapping[str, Size]], P | tuple[Msg, ...]]
"""A game's function: takes texts and sizes of pictures by file name, returns a parsed map or its errors."""


@dataclass(frozen=True, slots=True)
class LoadedMap(Generic[P]):
    """A map that can be stored, with its picture (PNG or JPEG) and mask (PNG) if it has them."""

    parsed: P
    picture: bytes | None = field(repr=False)
    mask: bytes | None = field(repr=False)
    notes: tuple[Msg, ...]

    @property
    def ground(self) -> str:
        """The key of picture and mask, equal for equal bytes; empty if there are none."""
        return key_of(self.picture, self.mask)

    @property
    def data(self) -> str:
        """The map as JSON, with the key of its picture and mask."""
        return self.parsed.to_json(self.ground)


def key_of(picture: bytes | None, mask: bytes | None) -> str:
    """Return the key of a picture and a mask: 32 hex digits of the SHA-256 of both; empty without any."""
    if picture is None and mask is None:
        return ""
    parts = b"".join(sha256(part or b"").digest() for part in (picture, mask))
    return sha256(parts).hexdigest()[:32]


def load(uploads: Sequence[Upload], read: ReadMap[P]) -> LoadedMap[P] | tuple[Msg, ...]:
    """Return the map in an upload, or everything wrong with it. Blocks, up to a few seconds."""
    bundle = gather(uploads)
    if isinstance(bundle, tuple):
        return bundle
    sizes: dict[str, Size] = {}
    errors: list[Msg] = []
    for name, data in bundle.pictures.items():
        measured = pictures.size_of(name, data)
        if isinstance(measured, Msg):
            errors.append(measured)
        else:
            sizes[name] = measured
    found = read(bundle.texts, sizes)
    if isinstance(found, tuple):
        return (*errors, *found)
    picture: bytes | None = None
    mask: Mask | None = None
    if not errors and found.picture:
        drawn = pictures.picture(found.picture, bundle.pictures[found.picture])
        if isinstance(drawn, Msg):
            errors.append(drawn)
        else:
            picture = drawn
    if not errors and found.mask:
        checked = pictures.mask(found.mask, bundle.pictures[found.mask], found.places)
        if isinstance(checked, tuple):
            errors.extend(checked)
        else:
            mask = checked
    if errors:
        return tuple(errors)
    notes = (*bundle.notes, *found.notes, *(mask.notes if mask else ()))
    return LoadedMap(found, picture, mask.data if mask else None, notes)
