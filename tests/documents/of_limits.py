"""The limits that people and operators meet, in the words beside the constants that set them."""

from __future__ import annotations

import ast
import inspect
from datetime import timedelta
from importlib import import_module
from itertools import pairwise
from typing import Final

from bot.platform.throttle import RATES
from matches.service import MatchService
from tests.documents.pages import ROOT, table

SHOWN: Final = (
    "matches.lobby.forks.MAX_STUDIES",
    "matches.plans.lines.MAX_LINES",
    "matches.plans.grammar.MAX_TEXT",
    "matches.plans.grammar.MAX_STEPS",
    "matches.play.typed_text.MAX_LENGTH",
    "matches.clocks.control.MIN_BANK",
    "matches.clocks.control.MAX_BANK",
    "matches.clocks.hours.MIN_WEEK",
    "matches.absence.vacations.DAYS_A_YEAR",
    "matches.absence.time_up.VANISHED",
    "matches.seats.MOST_RETURNS",
    "matches.seats.VANISHED",
    "matches.absence.idle.PATIENCE",
    "matches.pings.settings.MAX_DIGESTS",
    "matches.watching.MAX_FOLLOWS",
    "matches.channels.MAX_MIRRORS",
    "matches.store.moderation.MAX_BLOCKED",
    "matches.store.moderation.MAX_REASON",
    "bot.actions.people.moderation.MAX_MORE_TIME",
    "matches.lookback.films.MAX_LENGTH",
    "matches.records.imports.MAX_CHARACTERS",
    "matches.records.imports.MAX_IMPORTS",
    "matches.records.imports.MAX_TOTAL",
    "matches.records.imports.MAX_HEADERS",
    "matches.records.verification.MAX_ENTRIES",
    "matches.records.verification.MAX_BYTES",
    "bot.actions.records.archive.MAX_MATCHES",
    "bot.actions.people.data_exports.MAX_RECORDS",
    "matches.lookback.dice.MOST_MATCHES",
    "bot.actions.lookback.dice.MOST_CHECKED",
    "matches.tournaments.tournament_rules.MAX_ENTRANTS",
    "matches.tournaments.tournament_rules.BREAK",
    "matches.tournaments.tournament_rules.MAX_TEAMS",
    "bot.inbound.commands.tournament.MAX_HOURS",
    "matches.store.rows.MAX_MAPS",
    "bot.actions.servers.map_library.MAX_UPLOAD_BYTES",
    "bot.platform.maintenance.MAX_AHEAD",
    "matches.people.exclusions.MAX_DAYS",
    "matches.store.operation.MAX_GROUPS",
)
"""In the order of the page."""
INNER: Final = frozenset(
    [
        "bot.actions.people.erasures.MAX_AGE",
        "bot.actions.people.data_exports.MAX_ROWS",
        "bot.actions.play.move_answers.MAX_CHOICES",
        "bot.actions.play.move_menu.MAX_LISTED",
        "bot.actions.play.odds.MAX_DENOMINATOR",
        "bot.actions.records.archive.MAX_THREADS",
        "bot.inbound.commands.common.MAX_MOVE",
        "bot.messages.components.MAX_TEXT",
        "bot.messages.match.MAX_BRIEF",
        "bot.messages.match.MAX_DETAILS",
        "bot.messages.match.MAX_SUMMARY",
        "bot.outbound.overviews.MAX_FIRST",
        "bot.messages.picture_cache.MAX_CACHED",
        "bot.messages.films.MAX_CACHED",
        "bot.messages.scenes.MAX_CACHED",
        "bot.platform.discord_limits.MAX_ALT",
        "bot.platform.discord_limits.MAX_BUTTON",
        "bot.platform.discord_limits.MAX_CHOICE",
        "bot.platform.discord_limits.MAX_CHOICES",
        "bot.platform.discord_limits.MAX_CONTENT",
        "bot.platform.discord_limits.MAX_FILE_BYTES",
        "bot.platform.discord_limits.MAX_THREAD_NAME",
        "bot.platform.discord_limits.MAX_TITLE",
        "bot.platform.error_reports.MAX_REPORTED",
        "bot.platform.maintenance.MAX_MINUTES",
        "bot.platform.reader_settings.MAX_CACHED",
        "bot.platform.server_maps.MAX_PENDING",
        "bot.platform.throttle.MAX_BUCKETS",
        "matches.clocks.quantities.MAX_READINGS",
        "matches.clocks.typed.MAX_TYPED",
        "matches.clocks.typed.MAX_WHOLE",
        "matches.clocks.zones.MAX_TYPED",
        "matches.ids.MAX_ATTEMPTS",
        "matches.log.replay.MAX_INLINE",
        "matches.lookback.playback.MAX_TRACKS",
        "matches.lookback.since.MAX_MOMENTS",
        "matches.lookback.since.MAX_TURNS",
        "matches.lookback.story.MAX_CACHED",
        "matches.lookback.films.MAX_STRETCH",
        "matches.people.exclusions.MAX_ID",
        "matches.pings.settings.MAX_TYPED",
        "matches.play.typed_text.MAX_BESIDE",
        "matches.store.pings.MAX_REMINDER",
        "matches.store.rows.MAX_MAP_BYTES",
        "matches.store.rows.MAX_MAP_TEXT",
        "bot.messages.lessons.LONGEST_MOVE",
        "bot.messages.profile.MOST_RATINGS",
        "bot.platform.operator_server.MOST_LATE",
        "matches.ids.MIN_LENGTH",
        "matches.lookback.agreement.LEAST_COMPARED",
        "matches.lookback.analyses.MOST_RUNS",
        "matches.lookback.dice.LEAST_EXPECTED",
        "matches.lookback.dice.MOST_ENTRIES",
        "matches.lookback.key_moments.MOST_MOMENTS",
        "matches.store.standing.LEAST_KEPT",
        "matches.store.standing.LEAST_LENGTHS",
        "matches.lookback.story.MOST_POINTS",
        "matches.lookback.story_turns.MOST_JUDGED",
    ]
)
"""What nobody has to know: caches, what is listed at once, Discord's own limits, texts of forms."""

_KINDS: Final = {
    "film": "animations",
    "analysis": "analyses",
    "hint": "hints",
    "import": "imported records",
    "export": "records given out",
    "position": "positions shown",
    "proof": "`/replay verify`",
    "archive": "`/matches archive`",
}
"""How people call what is limited for a time."""


def named_limits() -> set[str]:
    """Return the public constants of the bot and its service whose names say that they are limits."""
    found = set()
    for path in (path for room in ("matches", "bot") for path in (ROOT / room).rglob("*.py")):
        module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for node in ast.parse(path.read_text("utf-8")).body:
            found |= {f"{module}.{name}" for name in _assigned(node) if is_limit(name)}
    return found


def is_limit(name: str) -> bool:
    """Return whether the name of a constant says that it is a limit."""
    return name.startswith(("MAX_", "MIN_", "MOST_", "LEAST_", "LONGEST_", "SHORTEST_"))


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _words(module: str, name: str) -> str:
    """Return what stands below a constant, without its last stop. Raises LookupError if nothing does."""
    body = ast.parse(inspect.getsource(import_module(module))).body
    for node, below in pairwise(body):
        match below:
            case ast.Expr(ast.Constant(str(text))) if name in _assigned(node):
                return " ".join(text.split()).removesuffix(".")
    raise LookupError(f"{module}.{name} says nothing about itself")


def _span(value: timedelta) -> str:
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count, rest = divmod(int(value.total_seconds()), size)
        if count and not rest:
            return f"{count} {word}{'s' * (count > 1)}"
    return f"{value.total_seconds():g} s"


def _limit(path: str) -> tuple[str, str]:
    module, _, name = path.rpartition(".")
    value, words = getattr(import_module(module), name), _words(module, name)
    if isinstance(value, timedelta):
        return words, _span(value)
    for unit, size, short in ((", in bytes", 2**20, "MiB"), (", in milliseconds", 1000, "s")):
        if words.endswith(unit):
            return words.removesuffix(unit), f"{value / size:.3g} {short}"
    return words, f"{value:,}"


def limits() -> str:
    """What there is a limit of."""
    hosted = inspect.signature(MatchService.__init__).parameters["max_open_per_user"].default
    lobbies = ("Maximum number of open lobbies that a person hosts at a time", f"{hosted}")
    return table(("limit", "is"), [lobbies, *map(_limit, SHOWN)])


def rates() -> str:
    """What a person may ask for in a time."""
    rows = [
        (_KINDS[kind], f"{rate.burst}", f"one more after {_span(rate.interval)}")
        for kind, rate in RATES.items()
    ]
    return table(("a person's", "at once", "then"), rows)
