"""One way from what was sent to a map that can be kept: unpack, measure, have it read, check its pictures.

Nothing is believed before the last step is through, and whatever is wrong comes back as messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias, TypeVar

from atlases import pictures
from atlases.bundle import Upload, gather
from atlases.pictures import Mask, Size
from games.engine.message import Msg


class Plan(Protocol):
    """What a game's reader makes of the texts."""

    @property
    def key(self) -> str:
        """What the map goes by: letters, digits and hyphens."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def picture(self) -> str:
        """The file of its picture, in lower case; empty for none."""

    @property
    def mask(self) -> str:
        """The file of its mask, in lower case; empty for none."""

    @property
    def places(self) -> tuple[tuple[str, int, int], ...]:
        """Its countries by number from 1: name, and the point where armies stand."""

    @property
    def notes(self) -> tuple[Msg, ...]:
        """What is odd."""

    @property
    def data(self) -> str:
        """The map as JSON."""


P = TypeVar("P", bound=Plan)
Reader: TypeAlias = Callable[[Mapping[str, str], Mapping[str, Size]], P | tuple[Msg, ...]]
"""A game's: from texts and sizes of pictures, by file name, to a plan or what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[P]):
    """A map that may be kept, with its picture (PNG or JPEG) and its mask (PNG) where it has them."""

    plan: P
    picture: bytes | None = field(repr=False)
    mask: bytes | None = field(repr=False)
    notes: tuple[Msg, ...]


def load(uploads: Sequence[Upload], read: Reader[P]) -> Loaded[P] | tuple[Msg, ...]:
    """The map in what was sent, or all that is wrong with it. Blocks, up to a few seconds at the limits."""
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
    return Loaded(found, picture, mask.data if mask else None, notes)
