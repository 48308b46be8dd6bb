"""Strict, composable readers of JSON that people may write by hand, such as positions and maps.

A reader is a function of a value and its path. It returns the parsed value, or raises ValueError with a
message that begins with the path: `pieces.R.0: 'h1' is not a valid space of hex4`. Small readers make up
larger ones, and `Fields` reads an object field by field:

    part = Fields(data, ("seats", "piles", "quiet"))
    seats = part("seats", whole(4, least=2))                    # required
    quiet = part("quiet", whole(999), 0)                        # optional, 0 by default
    piles = part("piles", dict_of(SPACES, text("pile", fine)))  # an object, keys among SPACES

JSON distinguishes true from 1, and so do all readers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, overload

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
T = TypeVar("T")
D = TypeVar("D")
Reader: TypeAlias = Callable[[object, str], T]
"""Parses a value, given its path for error messages; raises ValueError."""

_REQUIRED: Final[Any] = object()


def wrong(path: str, reason: str) -> NoReturn:
    """Raise ValueError with the path in front of the reason."""
    raise ValueError(f"{path}: {reason}" if path else reason)


class Fields:
    """The fields of one JSON object, read one at a time by calling it with a name and a reader.

    Raises ValueError for a value that isn't an object, and for an object with fields not among `names`.
    """

    __slots__ = ("_parts", "_path")

    def __init__(self, value: object, names: Collection[str], path: str = "") -> None:
        self._parts = _object(value, names, path)
        self._path = path

    @overload
    def __call__(self, name: str, read: Reader[T]) -> T: ...

    @overload
    def __call__(self, name: str, read: Reader[T], default: D) -> T | D: ...

    def __call__(self, name: str, read: Reader[T], default: Any = _REQUIRED) -> Any:
        """Return a field's parsed value, or the default. Raises ValueError if it is invalid or missing."""
        path = f"{self._path}.{name}" if self._path else name
        if name not in self._parts:
            return wrong(path, "is missing") if default is _REQUIRED else default
        return read(self._parts[name], path)


def fields(names: Collection[str]) -> Reader[Fields]:
    """Return a reader of objects with these field names."""
    return lambda value, path: Fields(value, names, path)


def _object(value: object, names: Collection[str], path: str) -> dict[str, object]:
    if not isinstance(value, dict):
        wrong(path, "an object is needed")
    for name in value:
        if name not in names:
            few = ", ".join(names) if len(names) < 24 else "other names"
            wrong(f"{path}.{name}" if path else str(name), f"unknown here, where {few} may be")
    return value


def flag(value: object, path: str) -> bool:
    """Read true or false."""
    return value if isinstance(value, bool) else wrong(path, f"{value!r} is neither true nor false")


def nothing(value: object, path: str) -> tuple[()]:
    """Read null or an empty list, for a list that has to be empty here."""
    return () if value is None or value == [] else wrong(path, "nothing is to be listed here")


def whole(most: int, least: int = 0) -> Reader[int]:
    """Return a reader of whole numbers from `least` to `most`."""

    def read(value: object, path: str) -> int:
        if type(value) is not int or not least <= value <= most:
            wrong(path, f"{value!r} is not a whole number from {least} to {most}")
        return value

    return read


def one_of(choices: Iterable[T]) -> Reader[T]:
    """Return a reader that accepts exactly these values."""
    listed = tuple(choices)

    def read(value: object, path: str) -> T:
        for choice in listed:
            if type(value) is type(choice) and value == choice:
                return choice
        return wrong(path, f"{value!r} is not one of {', '.join(map(str, listed))}")

    return read


def lookup(names: Mapping[str, T], what: str) -> Reader[T]:
    """Return a reader of keys of `names` that returns their values; `what` describes a key in errors."""

    def read(value: object, path: str) -> T:
        if not isinstance(value, str) or value not in names:
            wrong(path, f"{value!r} is not a valid {what}")
        return names[value]

    return read


def text(what: str, fine: Callable[[str], object]) -> Reader[str]:
    """Return a reader of texts that pass a test; `what` describes such a text in errors."""

    def read(value: object, path: str) -> str:
        if not isinstance(value, str) or not fine(value):
            wrong(path, f"{value!r} is not a valid {what}")
        return value

    return read


def canonical(what: str, parse: Callable[[str], T], write: Callable[[T], str]) -> Reader[T]:
    """Return a reader of texts that `parse` accepts and `write` writes back unchanged."""

    def read(value: object, path: str) -> T:
        if isinstance(value, str):
            try:
                found = parse(value)
                if write(found) == value:
                    return found
            except (ValueError, KeyError):
                pass
        return wrong(path, f"{value!r} is not a valid {what}")

    return read


def optional(read: Reader[T]) -> Reader[T | None]:
    """Return a reader that accepts null as well, as None."""
    return lambda value, path: None if value is None else read(value, path)


def list_of(read: Reader[T], least: int = 0, most: int | None = None) -> Reader[tuple[T, ...]]:
    """Return a reader of lists of `least` to `most` items, each parsed by the given reader."""

    def read_all(value: object, path: str) -> tuple[T, ...]:
        if not isinstance(value, list):
            wrong(path, "a list is needed")
        if len(value) < least or (most is not None and len(value) > most):
            many = (
                least if most == least else f"{least} to {most}" if most is not None else f"{least} or more"
            )
            wrong(path, f"a list of {many} is needed, not of {len(value)}")
        return tuple(read(item, f"{path}.{at}") for at, item in enumerate(value))

    return read_all


def distinct(read: Reader[T], least: int = 0, most: int | None = None) -> Reader[tuple[T, ...]]:
    """Return a reader of lists like `list_of` that refuses duplicates."""
    listed = list_of(read, least, most)

    def read_all(value: object, path: str) -> tuple[T, ...]:
        found = listed(value, path)
        for at, item in enumerate(found):
            if item in found[:at]:
                wrong(f"{path}.{at}", "is there twice")
        return found

    return read_all


def tuple_of(*readers: Reader[Any]) -> Reader[tuple[Any, ...]]:
    """Return a reader of fixed-length lists, with one reader for each item."""

    def read(value: object, path: str) -> tuple[Any, ...]:
        items = list_of(lambda item, _: item, len(readers), len(readers))(value, path)
        return tuple(
            each(item, f"{path}.{at}") for at, (each, item) in enumerate(zip(readers, items, strict=True))
        )

    return read


def dict_of(names: Collection[str], read: Reader[T]) -> Reader[dict[str, T]]:
    """Return a reader of objects whose keys are all among `names`, with one reader for the values."""

    def read_all(value: object, path: str) -> dict[str, T]:
        parts = _object(value, names, path)
        return {name: read(part, f"{path}.{name}") for name, part in parts.items()}

    return read_all


def by_name(names: Sequence[str], read: Reader[T], defaults: Iterable[T]) -> Reader[tuple[T, ...]]:
    """Return a reader of objects that returns a tuple of the values in the order of `names`, or defaults."""
    listed = dict_of(names, read)

    def read_all(value: object, path: str) -> tuple[T, ...]:
        found = listed(value, path)
        return tuple(found.get(name, other) for name, other in zip(names, defaults, strict=True))

    return read_all


def checked(read: Reader[T], fine: Callable[[T], object], reason: str) -> Reader[T]:
    """Return a reader that also tests the parsed value, and refuses it with this reason."""

    def read_fine(value: object, path: str) -> T:
        found = read(value, path)
        return found if fine(found) else wrong(path, reason)

    return read_fine


def ranks_of(teams: Sequence[int]) -> Reader[tuple[int, ...]]:
    """Return the reader of ranks by seat, such as `values.ranks` makes for these teams."""

    def fine(found: tuple[int, ...]) -> bool:
        place = dict(zip(teams, found, strict=True))
        race = {team: 1 + sum(other < rank for other in place.values()) for team, rank in place.items()}
        return found == tuple(race[team] for team in teams)

    size = len(teams)
    return checked(list_of(whole(size), size, size), fine, "no ranks of these teams")
