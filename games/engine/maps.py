"""Maps of others: what a game that takes them in brings along, and what it makes of files that are sent.

A map that is read becomes JSON; that is the value of the game's option for it, so that a match carries its
map whole. Pictures are no part of it: it names them by a key, the `ground`, and does without if need be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeAlias

from games.engine.message import Msg

Size: TypeAlias = tuple[int, int]
"""Width and height of a picture in pixels."""


class ParsedMap(Protocol):
    """What a game makes of the texts of a map."""

    @property
    def key(self) -> str:
        """What the map goes by: letters, digits and hyphens, at most 32."""

    @property
    def title(self) -> str:
        """What it is called, at most 60 signs."""

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

    def written(self, ground: str = "") -> str:
        """The map as JSON, to be kept; `ground` is the key of picture and mask, 32 hex digits or empty."""


class MapReader(Protocol):
    """How a game takes maps of others in."""

    @property
    def option(self) -> str:
        """The key of the option, an open one, whose value a map is."""

    def read(self, texts: Mapping[str, str], sizes: Mapping[str, Size]) -> ParsedMap | tuple[Msg, ...]:
        """A map from texts and sizes of pictures, by file name, or what is wrong. Never raises."""

    def key(self, value: object) -> str:
        """What the map of an option's value goes by; empty for a value that is no map of others."""

    def about(self, value: object) -> tuple[Msg, ...]:
        """What a value of the option has, a map of ours or of others, in a few sentences.

        Raises ValueError for anything else.
        """
