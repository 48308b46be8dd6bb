"""Folds of the matches in use, so that a move costs one entry and not the whole log.

A cache and nothing else: it holds at most `limit` matches, and a fold is used only for the version it has.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.game import Fact
from games.engine.match import Entry, Kind, Match, walk


@dataclass(frozen=True, slots=True)
class Fold:
    """A match with its last change: the change's first entry, and its facts."""

    match: Match
    first: int
    facts: tuple[Fact, ...]


class Folds:
    """The most recently used folds by match id."""

    __slots__ = ("_folds", "limit")

    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise ValueError("a cache holds at least one match")
        self.limit = limit
        self._folds: OrderedDict[str, Fold] = OrderedDict()

    def __len__(self) -> int:
        return len(self._folds)

    def get(self, match_id: str, version: int) -> Fold | None:
        """The fold of exactly that version."""
        fold = self._folds.get(match_id)
        if fold is None or fold.match.seq != version:
            return None
        self._folds.move_to_end(match_id)
        return fold

    def put(self, fold: Fold) -> None:
        """Keep a fold; the one that was not used for longest makes room."""
        self._folds[fold.match.id] = fold
        self._folds.move_to_end(fold.match.id)
        if len(self._folds) > self.limit:
            self._folds.popitem(last=False)

    def drop(self, match_id: str) -> None:
        """Forget a match."""
        self._folds.pop(match_id, None)


def change_start(entries: Iterable[Entry], last: int) -> int:
    """The first entry of the change that ended with `last`: draws and the reveal follow what caused them."""
    first = 0
    for entry in entries:
        if entry.seq > last:
            break
        if entry.kind not in (Kind.CHANCE, Kind.REVEAL):
            first = entry.seq
    return first


def stretch(entries: Iterable[Entry], first: int, last: int) -> Fold:
    """The fold up to entry `last`, with the facts of entries `first` to `last`.

    Raises LookupError if the log does not reach so far, CorruptLogError if no match can have written it.
    """
    facts: list[Fact] = []
    match: Match | None = None
    for match, news in walk(entry for entry in entries if entry.seq <= last):
        if match.seq >= first:
            facts.extend(news)
    if match is None or match.seq != last:
        raise LookupError(f"there is no entry {last}")
    return Fold(match, first, tuple(facts))
