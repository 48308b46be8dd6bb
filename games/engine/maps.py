"""The interface for added maps: how a game reads map files that players send.

A map that was read becomes JSON, the value of an option of the game, so that each match contains its whole
map. Pictures are not part of it: the JSON refers to them by a key, `ground`, and works without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

from games.engine.message import Msg

Size: TypeAlias = tuple[int, int]
"""Width and height of a picture in pixels."""
PLAIN_DECK: Final = "plain"
"""The name of the deck that fits every map, to be used instead of a file."""


class ParsedMap(Protocol):
    """A map as the game parsed it."""

    @property
    def key(self) -> str:
        """The map's identifier: at most 32 letters, digits and hyphens."""

    @property
    def title(self) -> str:
        """The map's name, at most 60 characters."""

    @property
    def picture(self) -> str:
        """The name of its picture file, in lower case; empty for none."""

    @property
    def mask(self) -> str:
        """The name of its mask file, in lower case; empty for none."""

    @property
    def places(self) -> tuple[tuple[str, int, int], ...]:
        """Its countries by number from 1: name, x and y of the point where armies stand."""

    @property
    def notes(self) -> tuple[Msg, ...]:
        """Warnings about the files, for the person who sent them."""

    def to_json(self, ground: str = "") -> str:
        """Return the map as JSON text; `ground` is the key of picture and mask, 32 hex digits or empty."""


class MapReader(Protocol):
    """Reads the files of added maps for one game."""

    @property
    def option(self) -> str:
        """The key of the open option whose value is a map."""

    def read(
        self, texts: Mapping[str, str], sizes: Mapping[str, Size], deck: str = ""
    ) -> ParsedMap | tuple[Msg, ...]:
        """Return a map, or a list of errors, from texts and picture sizes by file name. Never raises.

        `deck` names the file of its deck, or is PLAIN_DECK; empty for the deck that the map itself names.
        """

    def key(self, value: object) -> str:
        """Return the identifier of the map in an option's value; empty if it is no added map."""

    def describe(self, value: object) -> tuple[Msg, ...]:
        """Describe the map in an option's value, built-in or added, in a few sentences.

        Raises ValueError for any other value.
        """
