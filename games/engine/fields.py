"""Strict readers of JSON: positions, maps and whatever else people may write by hand.

A reader is a function of a value and its path. It returns what the value stands for, or raises ValueError
that begins with the path: `pieces.R.0: 'h1' is no space of hex4`. Small readers make larger ones, and
`Fields` reads an object part by part:

    part = Fields(data, ("seats", "piles", "quiet"))
    seats = part("seats", whole(4, least=2))                  # needed
    quiet = part("quiet", whole(999), 0)                      # may be left out
    piles = part("piles", dict_of(SPACES, text("pile", fine)))  # an object, keys among SPACES

JSON has true and 1 apart, and so have these: no reader takes one for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, overload

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
T = TypeVar("T")
D = TypeVar("D")
Reader: TypeAlias = Callable[[object, str], T]
"""What reads a value at a path, or raises ValueError."""

_NEEDED: Final[Any] = object()


def wrong(path: str, reason: str) -> NoReturn:
    """Raise ValueError with the path before the reason."""
    raise ValueError(f"{path}: {reason}" if path else reason)


class Fields:
    """The parts of one object, each to be called for by name.

    Raises ValueError for a value that is no object, and for an object with other parts than the named ones.
    """

    __slots__ = ("_parts", "_path")

    def __init__(self, value: object, names: Collection[str], path: str = "") -> None:
        self._parts = _object(value, names, path)
        self._path = path

    @overload
    def __call__(self, name: str, read: Reader[T]) -> T: ...

    @overload
    def __call__(self, name: str, read: Reader[T], default: D) -> T | D: ...

    def __call__(self, name: str, read: Reader[T], default: Any = _NEEDED) -> Any:
        """Return the part as it is read, or the default. Raises ValueError if it is wrong, or missing."""
        path = f"{self._path}.{name}" if self._path else name
        if name not in self._parts:
            return wrong(path, "is missing") if default is _NEEDED else default
        return read(self._parts[name], path)


def fields(names: Collection[str]) -> Reader[Fields]:
    """Return a reader of objects with such parts, which are called for afterwards."""
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
    """Read null or an empty list, where there is nothing to be listed."""
    return () if value is None or value == [] else wrong(path, "nothing is to be listed here")


def whole(most: int, least: int = 0) -> Reader[int]:
    """Return a reader of whole numbers from `least` to `most`."""

    def read(value: object, path: str) -> int:
        if type(value) is not int or not least <= value <= most:
            wrong(path, f"{value!r} is no number from {least} to {most}")
        return value

    return read


def one_of(choices: Iterable[T]) -> Reader[T]:
    """Return a reader of one of some values, which it returns."""
    listed = tuple(choices)

    def read(value: object, path: str) -> T:
        for choice in listed:
            if type(value) is type(choice) and value == choice:
                return choice
        return wrong(path, f"{value!r} is none of {', '.join(map(str, listed))}")

    return read


def lookup(names: Mapping[str, T], what: str) -> Reader[T]:
    """Return a reader of names that returns what they stand for; `what` says what has them."""

    def read(value: object, path: str) -> T:
        if not isinstance(value, str) or value not in names:
            wrong(path, f"{value!r} is no {what}")
        return names[value]

    return read


def text(what: str, fine: Callable[[str], object]) -> Reader[str]:
    """Return a reader of texts that pass a test; `what` says what such a text is."""

    def read(value: object, path: str) -> str:
        return value if isinstance(value, str) and fine(value) else wrong(path, f"{value!r} is no {what}")

    return read


def canonical(what: str, parse: Callable[[str], T], write: Callable[[T], str]) -> Reader[T]:
    """Return a reader of texts that `parse` reads and that are as `write` writes the same."""

    def read(value: object, path: str) -> T:
        if isinstance(value, str):
            try:
                found = parse(value)
                if write(found) == value:
                    return found
            except (ValueError, KeyError):
                pass
        return wrong(path, f"{value!r} is no {what}")

    return read


def optional(read: Reader[T]) -> Reader[T | None]:
    """Return the same reader for a value that may be null."""
    return lambda value, path: None if value is None else read(value, path)


def list_of(read: Reader[T], least: int = 0, most: int | None = None) -> Reader[tuple[T, ...]]:
    """Return a reader of lists, each of whose items the given reader reads."""

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
    """Return a reader of lists in which nothing comes twice."""
    listed = list_of(read, least, most)

    def read_all(value: object, path: str) -> tuple[T, ...]:
        found = listed(value, path)
        for at, item in enumerate(found):
            if item in found[:at]:
                wrong(f"{path}.{at}", "is there twice")
        return found

    return read_all


def tuple_of(*readers: Reader[Any]) -> Reader[tuple[Any, ...]]:
    """Return a reader of lists with one item for each of the readers."""

    def read(value: object, path: str) -> tuple[Any, ...]:
        items = list_of(lambda item, _: item, len(readers), len(readers))(value, path)
        return tuple(
            each(item, f"{path}.{at}") for at, (each, item) in enumerate(zip(readers, items, strict=True))
        )

    return read


def dict_of(names: Collection[str], read: Reader[T]) -> Reader[dict[str, T]]:
    """Return a reader of objects whose keys are among some names; what is left out stays out."""

    def read_all(value: object, path: str) -> dict[str, T]:
        parts = _object(value, names, path)
        return {name: read(part, f"{path}.{name}") for name, part in parts.items()}

    return read_all


def by_name(names: Sequence[str], read: Reader[T], defaults: Iterable[T]) -> Reader[tuple[T, ...]]:
    """Return a reader of objects that returns one value for each of the names, in their order."""
    listed = dict_of(names, read)

    def read_all(value: object, path: str) -> tuple[T, ...]:
        found = listed(value, path)
        return tuple(found.get(name, other) for name, other in zip(names, defaults, strict=True))

    return read_all


def checked(read: Reader[T], fine: Callable[[T], object], reason: str) -> Reader[T]:
    """Return a reader of what another one reads and that passes a test as well."""

    def read_fine(value: object, path: str) -> T:
        found = read(value, path)
        return found if fine(found) else wrong(path, reason)

    return read_fine
