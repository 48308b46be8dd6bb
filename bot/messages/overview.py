"""The overview of a person's matches: what each waits for, and what happened since their own last move.

A list and a digest say the same, in lines that fit a phone's screen. Links count by their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.messages.clock import moment
from bot.messages.match import result_text, what_happened
from bot.messages.names import match_title
from bot.platform.readers import Reader
from games.engine.game import Fact
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.clocks.timekeeper import ClockFace
from matches.spans import END_OF_TIME
from matches.store.pings import TurnKind
from matches.store.rows import MatchRow

MAX_FIRST: Final = 600
"""Maximum length of what people are shown first, in visible characters."""
_MAX_NEWS: Final = 120
"""Maximum length of what happened in one match, in characters."""
_LINK: Final = re.compile(r"\]\(<[^>]*>\)")


@dataclass(frozen=True, slots=True)
class OverviewItem:
    """A match in an overview: what it waits for, its clocks, and whether its person may claim time."""

    row: MatchRow
    match: Match
    seat: int | None
    kind: TurnKind | None
    """None while others move."""
    began: datetime
    """Since when it has waited, or when it ended."""
    face: ClockFace | None = None
    claimable: bool = False

    @property
    def due(self) -> datetime | None:
        """When the person's own time is up."""
        if self.kind != "turn" or self.face is None or self.seat is None:
            return None
        return self.face.readings[self.seat].deadline

    @property
    def urgency(self) -> tuple[bool, datetime, bool, bool]:
        """The key to sort by: one's own turns first, by deadline, then results, then what can be claimed."""
        mine, over = self.kind == "turn", self.kind == "result"
        return not mine, self.due or END_OF_TIME, not over, not self.claimable

    @property
    def state(self) -> Msg:
        """Whose turn it is, and until when."""
        if self.kind == "next":
            return msg("bot.matches.next")
        if self.kind != "turn":
            claim = msg("bot.matches.claimable", match=self.row.id)
            return claim if self.claimable else msg("bot.matches.theirs")
        if self.face is None:
            return msg("bot.matches.yours")
        if self.seat in self.face.late:
            return msg("bot.matches.due_late")
        if self.due is None:
            return msg("bot.matches.due_stopped")
        return msg("bot.matches.due", when=moment(self.due))


def item_line(item: OverviewItem, link: str, reader: Reader) -> str:
    """Return a match as a line of a list; `reader` has the person's seat."""
    over = item.kind == "result"
    state = result_text(item.row, item.match, reader) if over else reader.say(item.state)
    sign = "▶" if item.kind == "turn" else "·"
    return f"{sign} `{item.row.id}` {match_title(item.row, item.seat, reader)}: {state} · {link}"


def news_line(item: OverviewItem, facts: Sequence[Fact], reader: Reader) -> str:
    """Return what happened as a line below a match; empty if there is nothing to say."""
    news = " ".join(what_happened(item.row, item.match, facts, reader).split())
    return f"-# {_cut(news)}" if news else ""


def visible_length(text: str) -> int:
    """Return the number of characters of a text that are seen: links are words."""
    return len(_LINK.sub("]", text))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_NEWS else f"{text[: _MAX_NEWS - 1]}…"
