"""Folds of the matches in use, so that a move costs one entry and not the whole log.

A cache and nothing else: it holds at most `limit` matches, and a fold is used only for the version it has.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from games.engine.game import Fact
from games.engine.match import Entry, Kind, Match, walk
from matches.ports import Logged

_FOLLOW = frozenset({Kind.CHANCE, Kind.REVEAL})


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


def change_start(log: Sequence[Logged], last: int, quiet: Collection[Kind] = ()) -> int:
    """The first entry of the change that ended with `last`.

    Draws and the reveal follow what caused them. Actions of one seat that bear the same time were ordered by
    one text: no two changes of a match bear the same time. Changes of the kinds in `quiet` are passed over.
    """
    decided = [each for each in log if each.entry.seq <= last and each.entry.kind not in _FOLLOW]
    while len(decided) > 1 and decided[-1].entry.kind in quiet:
        decided.pop()
    while len(decided) > 1 and _together(decided[-2], decided[-1]):
        decided.pop()
    return decided[-1].entry.seq if decided else 0


def _together(one: Logged, other: Logged) -> bool:
    """Whether both actions were ordered by one text."""
    same = (one.entry.seat, one.at) == (other.entry.seat, other.at)
    return same and one.entry.kind is other.entry.kind is Kind.PLAY


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
