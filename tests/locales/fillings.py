"""What the placeholders of texts stand for, and values to fill them with.

A placeholder's name says what it stands for. `OWN` has the texts in which it stands for something else,
`LEAST` the numbers that can't be small. An unknown name fails the walk, as does a row that no text needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from games.engine.message import Value, Who, msg

NAMES: Final = (
    *("Blue (Al)", "Red (Constantina of the House of Many Names)"),
    *("Green (Bo)", "White (C)", "Grey (D)", "Black (E)"),
)
"""Seats as they are shown, with short and long names of their players."""
ITEMS: Final = ("A4", "B5", "C6")
"""What lists have."""
_NUMBERS: Final = (0, 1, 2, 5, 1000)
_DISTANCES: Final = ("16 minutes ago", "in 2 hours")

BY_NAME: Final[Mapping[str, str]] = {
    name: kind
    for kind, names in {
        "number": (
            "accuracy against armies best cards done entry error found free given height high invited judged "
            "killed lead least limit line lost low most n number of percent player pool round season seats "
            "size step steps "
            "taken total turn turns value want wishes won drawn kept m"
        ),
        "person": "a b by host late name other person seat to who",
        "people": "next others",
        "list": (
            "blows choices continents curves days errors examples files games known kinds levels matches "
            "missing moves names near options pieces places possible reach readings roles sides spans spawns "
            "shares squares times which zones"
        ),
        "word": (
            "at attack bare better card code commit condition counts defence die dst event example face file "
            "first freedom game home how id inner into key kind last level link mask match me mission "
            "mistake move new old odds option order own p pair part picture piece piles place played points "
            "result rolls said second secret section server shape share space spawn square src state target "
            "text then there throws title typed verb victim view what word year zone reserve dice "
            "countries missions income land program used rating mu sigma family delta change where command "
            "reply unit continent record terms team"
        ),
        "sentence": "why reason task",
        "moment": "due end opens closes since start starts until when",
        "distance": "relative",
        "span": "larger more smaller time count length left clock hours cap before after",
    }.items()
    for name in names.split()
}
OWN: Final = (
    ("dominance.outcome.lock", "who", "winner"),
    ("dominance.outcome.nine", "who", "winner"),
    ("dominance.outcome.ninth", "who", "winner"),
    ("dominance.outcome.resigned", "who", "winner"),
    ("dominance.outcome.[qrs]*[nk]", "who", "people"),
    ("dominance.outcome.quiet", "who", "people"),
    ("domination.outcome.*", "who", "people"),
    ("domination.refuse.no_claim", "who", "people"),
    ("dominion.outcome.*", "who", "people"),
    ("match.refuse.guest_forbidden", "who", "people"),
    ("lobby.refuse.kept", "who", "people"),
    ("bot.analysis.curve", "who", "people"),
    ("bot.hint.compare", "who", "people"),
    ("bot.board.next", "who", "people"),
    ("bot.board.left", "who", "people"),
    ("story.short.*", "who", "people"),
    ("domination.refuse.order", "cards", "list"),
    ("domination.odds.lost", "left", "number"),
    ("bot.analysis.curve", "points", "list"),
    ("story.chart.curve", "points", "list"),
    ("look.around", "what", "list"),
    ("story.short.*", "why", "fragment"),
    ("dominion.refuse.*", "why", "fragment"),
    ("bot.profile.rating", "matches", "word"),
    ("bot.top.*", "matches", "word"),
    ("bot.lobby.chance", "points", "number"),
    ("bot.lobby.strength", "points", "number"),
    ("tournament.agreement.*", "moves", "number"),
    ("tournament.agreement.*", "points", "number"),
    ("lobby.refuse.rating_*", "points", "number"),
    ("tournament.team", "place", "number"),
    ("bot.top.*", "place", "number"),
    ("bot.why.place", "place", "number"),
    ("time_control.hours.*", "opens", "word"),
    ("time_control.hours.*", "closes", "word"),
)
"""Patterns of texts, a placeholder's name, and what it stands for there."""
LEAST: Final = {
    ("bot.idle.question", "n"): (7, "a constant"),
    ("bot.import.several", "n"): (2, "several files"),
    ("bot.lobby.players", "n"): (2, "no game is for one"),
    ("bot.profile.streak.best", "best"): (2, "else it is no streak"),
    ("bot.profile.streak.lost", "n"): (2, "else it is no streak"),
    ("bot.profile.streak.lost", "best"): (2, "else it is no streak"),
    ("bot.profile.streak.only_lost", "n"): (2, "else it is no streak"),
    ("bot.profile.streak.won", "best"): (2, "else it is no streak"),
    ("bot.profile.streak.won", "n"): (2, "else it is no streak"),
    ("bot.settings.days", "n"): (14, "a constant"),
    ("dice.few", "least"): (10, "no die has fewer results than two"),
    ("domination.ask.move", "high"): (2, "else nothing is asked"),
    ("domination.ask.must_trade", "cards"): (3, "a set"),
    ("domination.fact.claims", "n"): (2, "more than are listed"),
    ("domination.hand.set", "n"): (4, "the least a set brings"),
    ("domination.map.held", "found"): (2, "more than there are"),
    ("domination.mission.hold_armies", "armies"): (2, "with one it is another mission"),
    ("domination.reason.share", "of"): (2, "a continent has several"),
    ("domination.refuse.hand_number", "cards"): (3, "there is a set"),
    ("domination.refuse.many_rolls", "judged"): (2, "a constant"),
    ("domination.refuse.many_rolls", "most"): (2, "a constant"),
    ("domination.refuse.move", "high"): (2, "else nothing is asked"),
    ("domination.refuse.must_trade", "cards"): (3, "a set"),
    ("domination.refuse.two_stops", "judged"): (2, "a constant"),
    ("domination.refuse.until", "armies"): (2, "one army can't attack"),
    ("domination.setup.missions", "seats"): (2, "no game is for one"),
    ("domination.setup.small", "seats"): (2, "no game is for one"),
    ("lobby.refuse.crowded", "seats"): (2, "no game is for one"),
    ("lobby.refuse.crowded", "taken"): (2, "more than a game for two has"),
    ("match.fork.studies", "n"): (2, "a constant"),
    ("match.import.many", "n"): (2, "a constant"),
    ("match.refuse.long", "limit"): (2, "a constant"),
    ("match.refuse.seat_present", "n"): (2, "a constant"),
    ("match.setup.for", "seats"): (2, "no game is for one"),
    ("match.setup.seats", "seats"): (2, "no game is for one"),
    ("plan.refuse.lines", "limit"): (2, "a constant"),
    ("plan.refuse.long", "limit"): (2, "a constant"),
    ("puzzle.fared", "n"): (5, "a constant"),
    ("time_control.refuse.hours", "n"): (2, "a constant"),
    ("tournament.agreement.own", "moves"): (2, "a match has several"),
    ("tournament.agreement.usual", "moves"): (100, "a constant"),
    ("tournament.refuse.teams", "n"): (4, "a constant"),
}
"""The smallest number of a text's placeholder, and why."""


def kind_of(key: str, name: str) -> str:
    """Return what a placeholder of a text stands for. Raises KeyError if nobody has said so."""
    return next((kind for texts, own, kind in OWN if own == name and fnmatchcase(key, texts)), BY_NAME[name])


def values(key: str, name: str) -> Iterator[Value]:
    """Yield values of a placeholder, the largest number and the longest list last."""
    match kind_of(key, name):
        case "number":
            least = LEAST.get((key, name), (0, ""))[0]
            yield from sorted({least, *(n for n in _NUMBERS if n >= least)})
        case "person":
            yield from map(Who, {"who": (0, 1), "a": (2, 3), "by": (2, 3), "host": (2, 3)}.get(name, (4, 5)))
        case "winner":
            yield from ((Who(0),), (Who(1),))
        case "people":
            first = 0 if name == "who" else 3
            yield from (tuple(Who(first + n) for n in range(count)) for count in (1, 2, 3))
        case "list":
            yield from (ITEMS[:n] for n in (1, 2, 3))
        case "word":
            yield ITEMS[0]
        case "sentence":
            yield "Blue holds B5."
        case "fragment":
            yield "blue holds B5"
        case "moment":
            yield from (f"Friday at 14:00 ({distance})" for distance in _DISTANCES)
        case "distance":
            yield from _DISTANCES
        case "span":
            yield from (msg("match.time.hours", n=n) for n in (1, 2))
        case kind:
            raise ValueError(f"no values for {kind}")
