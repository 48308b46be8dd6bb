"""Standing: what finished matches say about people, how they changed ratings, and its part of the Store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, Protocol

UNIT = 1000
"""Stored strengths are in these parts of a point."""
EVERYWHERE = 0
"""Stands for all servers, where the id of a server names whose ratings these are."""

Unrated = Literal["", "fork", "friendly", "computer", "twice", "hint", "undo"]
"""Why a match counts for no rating: it began in the middle; it was agreed to be friendly; a computer of
unknown strength sat in it from the start; someone held two seats; a hint was shown; a move was taken back by
consent. Empty if it may count."""

Share = Literal["both", "gain", "loss", "none"]
"""What a person's result may do to their rating."""

Why = Literal["", "substitute", "left", "unmoved", "removed", "wave", "alone"]
"""Why a result counts less than in full: the person came as a substitute, or left their seat to someone; they
made no move; a moderator removed them; it was one of a wave of timeouts; no opponent was left to compare
with. Empty if it counts in full."""
Outcome = Literal["won", "drawn", "lost"]
"""How a match ended for someone; a seat that they left counts as lost."""
LENGTHS = 200
"""Number of latest results from which lengths are taken: one for each person of a match."""
LEAST_LENGTHS = 10
"""Number of matches below which a length means nothing."""
LEAST_KEPT = 5
"""Number of matches below which a lobby doesn't say how many of them someone has played to their end."""
PACES = 50
"""Number of latest matches that say how fast someone moves."""
STANDING: Final = "standing"
"""The setting of what others see of a person's standing."""
Seen = Literal["public", "ratings", "unlisted", "private"]
"""Its values: everything; ratings and reliability, but no results and matches; everything, but they are on no
leaderboard; nothing at all."""
PRIVATE: Final = {STANDING: "private"}


@dataclass(frozen=True, slots=True)
class PersonResult:
    """The result of one person in one seat of a finished match."""

    user: int
    seat: int
    side: int
    """The team of the seat."""
    place: int
    """The place of the team, 1 for the first."""
    tied: bool = False
    """Whether another team has come to the same place."""
    share: Share = "both"
    why: Why = ""
    since: int = 0
    """The entry of the log from which they held the seat."""
    moves: int = 0
    pace: int | None = None
    """The median time to a move in milliseconds; None without one."""
    last_move: datetime | None = None
    timed_out: datetime | None = None
    """When they lost the seat by the clock."""

    @property
    def began(self) -> bool:
        """Whether they held the seat from the start."""
        return self.since == 0

    @property
    def abandoned(self) -> bool:
        """Whether they were no longer there at the end."""
        return self.timed_out is not None or self.why in ("left", "removed")


@dataclass(frozen=True, slots=True)
class ComputerResult:
    """A computer that sat in a seat from the start: its team, their place, and its strength, which is fixed.

    The strength is that of the first entry of the log.
    """

    seat: int
    side: int
    place: int
    mu: int
    sigma: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The results of people in a finished match: one entry for each, by seat."""

    match: str
    at: datetime
    """When it ended: results count in this order, those of one time by the id of the match."""
    game: str
    family: str
    guild: int | None
    sides: int
    """Number of sides that played."""
    unrated: Unrated
    people: tuple[PersonResult, ...]
    computers: tuple[ComputerResult, ...] = ()
    """Those with a strength, by seat."""

    @property
    def scopes(self) -> tuple[int, ...]:
        """Whose ratings it may change: those of all servers, and of its own."""
        return (EVERYWHERE,) if self.guild is None else (EVERYWHERE, self.guild)


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a person is, in thousandths of a point: mean and standard deviation after `matches`."""

    mu: int
    sigma: int
    matches: int = 0

    @property
    def points(self) -> float:
        """The mean in points."""
        return self.mu / UNIT

    @property
    def error(self) -> float:
        """The standard deviation in points."""
        return self.sigma / UNIT


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one match did to one rating of a person."""

    user: int
    scope: int
    before: Rating
    after: Rating
    why: Why = ""
    nth: int = 1
    """The number of the match among those of the same people within a day: it counts an nth."""

    @property
    def counted(self) -> bool:
        """Whether the result counted at all."""
        return self.after.matches > self.before.matches


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """Whose ratings can be compared: those of one game, family of set-ups, and scope."""

    game: str
    family: str
    scope: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """Someone on a leaderboard: their place from 1, their latest name, and their rating."""

    place: int
    user: int
    name: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class GameRecord:
    """How often someone came first alone, came first with others, and didn't."""

    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """Someone whom a person has met, their latest name, and how that went for the person."""

    user: int
    name: str
    record: GameRecord


@dataclass(frozen=True, slots=True)
class BestWin:
    """A match that counted and that a person has won, with whom they beat, and their rating before it."""

    match: str
    at: datetime
    user: int
    name: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A move with which a person began `played` matches, as the log of `match`, one of them, has it."""

    game: str
    match: str
    data: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many matches someone has had, how many of them they abandoned, and how fast they move.

    `pace` is the median of the median times to a move of their latest matches, in milliseconds.
    """

    matches: int
    abandoned: int
    pace: int | None

    @property
    def percent(self) -> int:
        """The share of matches that were played to their end, rounded down; 100 for someone new."""
        return 100 * (self.matches - self.abandoned) // self.matches if self.matches else 100


@dataclass(frozen=True, slots=True)
class MatchLength:
    """How long matches of one kind take: medians over `matches` finished ones.

    `moves` are those of the seat that made most, `seconds` go from the start to the end.
    """

    matches: int
    moves: int
    seconds: int


def is_unlisted(settings: Mapping[str, Any]) -> bool:
    """Return whether a person's settings keep them off leaderboards."""
    return settings.get(STANDING) in ("unlisted", "private")


class StandingStore(Protocol):
    """Results and ratings."""

    async def ratings_of(self, user: int) -> dict[Ladder, Rating]:
        """Return all ratings of a person."""
        ...

    async def match_result(self, match_id: str) -> tuple[MatchResult, tuple[RatingChange, ...]] | None:
        """Return the result of a match and what it changed, by scope and seat; None if it has none."""
        ...

    async def game_records(self, user: int) -> dict[str, GameRecord]:
        """Return a person's results by game, also of unrated matches; seats that they left count as lost."""
        ...

    async def outcomes(self, user: int, limit: int) -> tuple[Outcome, ...]:
        """Return how a person's latest matches ended for them, also unrated ones, the latest first."""
        ...

    async def opponents(self, user: int, limit: int, *, everyone: bool) -> tuple[Opponent, ...]:
        """Return those whom a person has met most often, also in unrated matches.

        Forgotten people are left out; private ones as well, unless it is for `everyone`.
        """
        ...

    async def best_wins(self, user: int, limit: int, *, everyone: bool) -> tuple[BestWin, ...]:
        """Return a person's wins against those with the highest ratings, of two sides and not provisional."""
        ...

    async def first_moves(self, user: int, limit: int) -> tuple[FirstMove, ...]:
        """Return the moves with which a person has begun more than one match, the most frequent first.

        Only matches whose first entry was theirs: where chance comes first, there are none.
        """
        ...

    async def reliability(self, user: int) -> Reliability:
        """Return how reliable a person is, also in unrated matches."""
        ...

    async def latest_results(self, user: int, limit: int) -> tuple[str, ...]:
        """Return a person's latest matches that have a result, the latest first."""
        ...

    async def rating_history(self, ladder: Ladder, user: int, limit: int) -> tuple[Rating, ...]:
        """Return a person's ratings before the latest matches that changed one, and after each of them."""
        ...

    async def ladders(
        self, scope: int, limit: int, since: datetime | None = None
    ) -> tuple[tuple[Ladder, int], ...]:
        """Return the ladders of a scope with the number of people on each, the largest first.

        Here and below `since` leaves out those who have had no match that counted from then on.
        """
        ...

    async def leaderboard(
        self, ladder: Ladder, limit: int, offset: int = 0, since: datetime | None = None
    ) -> tuple[Ranked, ...]:
        """Return people by rating, those with a provisional one last; private ones are left out."""
        ...

    async def ranked(self, ladder: Ladder, user: int, since: datetime | None = None) -> Ranked | None:
        """Return a person's place on a leaderboard; None if they aren't on it."""
        ...

    async def neighbours(
        self, ladder: Ladder, one: Ranked, since: datetime | None = None
    ) -> tuple[Ranked, ...]:
        """Return who stands right before and right after someone on a leaderboard, where there is anyone."""
        ...

    async def match_length(self, game: str, family: str) -> MatchLength | None:
        """Return how long the latest matches of a game and family took; None if there are too few.

        Matches that began in the middle of another one are left out.
        """
        ...

    async def replace_standing(self, results: Iterable[MatchResult]) -> int:
        """Replace all results and ratings by those that follow from these; return how many results.

        They come in the order of their ends, those of one moment by their matches; else raises ValueError.
        """
        ...
