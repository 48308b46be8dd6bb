"""MatchService: everything that can be done with a match, as one object, without Discord and SQL.

Methods return values from `results`; a refusal is one of them and has written nothing. Each request has an
id that is never used again (as those of messages and interactions): a repeated one gets its first answer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from games.ai.players_by_level import Levels
from matches.absence.heartbeat import SILENCE, Heartbeat
from matches.absence.idle import Idle
from matches.absence.pauses import Pauses
from matches.absence.time_up import TimeUp
from matches.absence.vacations import Vacations
from matches.channels import Channels
from matches.core import BeforeCommit, Core
from matches.housekeeping import Housekeeping
from matches.lobby.admission import Admission
from matches.lobby.forks import Forks
from matches.lobby.lobbies import Lobbies
from matches.lobby.rematches import Rematches
from matches.lookback.analyses import Analyses
from matches.lookback.dice import DiceStatistics
from matches.lookback.playback import Playback
from matches.lookback.since import Since
from matches.lookback.story import Stories
from matches.people.erasures import Erasures
from matches.people.exclusions import Exclusions
from matches.people.moderation import Moderation
from matches.pings.pinging import Pings, UserSettings
from matches.plans.planning import Plans
from matches.play.coach import Coach
from matches.play.computers import Computers
from matches.play.hints import Hints
from matches.play.moves import Play
from matches.play.undo import Undo
from matches.ports import Clock, Entropy, Meter, Store
from matches.queries import Queries
from matches.records.imports import Imports
from matches.records.verification import RecordReader, Verification
from matches.seats import Seats, StandIns
from matches.thinking.jobs import Thinker
from matches.thinking.thread_thinker import ThreadThinker
from matches.tournaments.tournaments import Tournaments
from matches.watching import Follows


class MatchService:
    """The parts of the service over one Store.

    >>> service = MatchService(store, clock, entropy)
    >>> lobby = await service.lobbies.create(Person(1, "Ann"), Place(None, 5), "focus", request="m1")
    """

    lobbies: Final[Lobbies]
    """From the creation of a lobby to the start of its match."""
    rematches: Final[Rematches]
    """Matches with the same people once more."""
    forks: Final[Forks]
    """Matches that continue finished ones."""
    imports: Final[Imports]
    """Matches that people bring along as records."""
    play: Final[Play]
    """Moves, draws, resignations: what people do in a match."""
    undo: Final[Undo]
    """What people may take back."""
    time_up: Final[TimeUp]
    """What the clocks show, and what follows when time is up."""
    pauses: Final[Pauses]
    """Pauses of matches."""
    vacations: Final[Vacations]
    """Vacations of people."""
    heartbeat: Final[Heartbeat]
    """The measure of when people could play."""
    pings: Final[Pings]
    """Whom to ping when, and by what way."""
    follows: Final[Follows]
    """People who follow matches, and what they are to be notified of."""
    plans: Final[Plans]
    """What people have planned, and its moves."""
    hints: Final[Hints]
    """Hints for people who are to act."""
    coach: Final[Coach]
    """What moves of people who play against computers gave away."""
    computers: Final[Computers]
    """The moves of computer players."""
    channels: Final[Channels]
    """Where a match is shown."""
    housekeeping: Final[Housekeeping]
    """What is due by the clock."""
    queries: Final[Queries]
    """Read-only questions."""
    seats: Final[Seats]
    """Seats that change hands."""
    moderation: Final[Moderation]
    """What moderators do."""
    idle: Final[Idle]
    """Matches that nobody moves in."""
    since: Final[Since]
    """What has happened since a person's own last move."""
    playback: Final[Playback]
    """Past positions, and the moments that mattered."""
    analyses: Final[Analyses]
    """Analyses of finished matches."""
    stories: Final[Stories]
    """The stories of finished matches."""
    dice: Final[DiceStatistics]
    """What the dice of matches and people showed."""
    verification: Final[Verification]
    """Proofs that matches and records follow the rules and their secrets."""
    exclusions: Final[Exclusions]
    """People and servers that the operators exclude from the bot."""
    erasures: Final[Erasures]
    """People who are being forgotten."""
    tournaments: Final[Tournaments]
    """Tournaments of servers."""
    levels: Final[Levels]
    """The computer players of each game."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        *,
        cache: int = 128,
        lobby_life: timedelta = timedelta(hours=24),
        remind_before: timedelta = timedelta(hours=4),
        max_open_per_user: int = 10,
        levels: Levels | None = None,
        thinker: Thinker | None = None,
        pace: timedelta = timedelta(),
        silence: timedelta = SILENCE,
        before_commit: BeforeCommit = lambda row, match, facts, face: None,
        user_settings: UserSettings | None = None,
        meter: Meter | None = None,
        support: str = "",
        escape: Callable[[str], str] = str,
    ) -> None:
        """`cache` is the number of matches kept in memory; lobbies expire after `lobby_life`.

        `levels` are the computer players, by default those that need no oracle. `thinker` thinks for them, by
        default in threads, and they answer no sooner than after `pace`. Nobody could play in a longer
        `silence` between two heartbeats. `before_commit` is called with each change just before its commit,
        which may still fail. `user_settings` returns the settings of a person, by default from the store.
        `meter` measures what is committed, and how long that takes. `support` is a link for excluded people.
        `escape` makes texts of people safe to show, wherever messages are shown.

        Raises ValueError if `cache` is below one or a duration isn't positive.
        """
        if lobby_life <= timedelta() or remind_before <= timedelta():
            raise ValueError("lobby_life and remind_before must be positive")
        remind_before = min(remind_before, lobby_life / 2)
        core = Core(store, clock, entropy, cache=cache, before_commit=before_commit, meter=meter)
        self.levels = levels or Levels()
        self.admission = Admission(store, clock, support, escape)
        self.lobbies = Lobbies(
            core,
            self.levels,
            self.admission,
            lobby_life=lobby_life,
            remind_before=remind_before,
            max_hosted=max_open_per_user,
        )
        self.tournaments = Tournaments(core, self.levels, self.lobbies, self.admission)
        self.rematches = Rematches(core, self.lobbies, self.admission)
        self.forks = Forks(core, self.lobbies, self.admission)
        reader = RecordReader()
        self.imports = Imports(core, reader)
        self.play = Play(core)
        self.undo = Undo(core)
        self.pauses = Pauses(core)
        self.vacations = Vacations(core)
        self.heartbeat = Heartbeat(core, silence)
        self.pings = Pings(core, user_settings)
        self.follows = Follows(core, self.pings.settings)
        thinker = thinker or ThreadThinker(self.levels)
        self.computers = Computers(core, self.levels, thinker, pace)
        self.analyses = Analyses(core, self.levels, thinker)
        self.stories = Stories(core)
        self.dice = DiceStatistics(core)
        self.verification = Verification(core, reader)
        self.hints = Hints(core, thinker)
        self.coach = Coach(core, thinker)
        self.channels = Channels(core)
        self.idle = Idle(core)
        self.plans = Plans(core)
        self.housekeeping = Housekeeping(
            core, self.plans, self.computers, self.idle, remind_before=remind_before
        )
        self.queries = Queries(core)
        self.since = Since(core)
        self.playback = Playback(core)
        self.seats = Seats(core, self.levels, self.admission)
        self.moderation = Moderation(core, self.lobbies, self.seats, self.admission)
        self.exclusions = Exclusions(core, self.lobbies)
        self.erasures = Erasures(core, self.lobbies, self.play, self.seats, self.levels)
        stand_ins = StandIns(core, self.seats, self.levels)
        self.time_up = TimeUp(core, self.vacations, self.levels, stand_ins.fill_in)
