"""Answer questions about a board in words: a line, a place and its neighbours, pieces, the score.

For people who play by ear. Pure functions of a scene and a language. Places go by their names on the board;
dice also by the letter of their seat and a number. A question that can't be answered gives None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bot.messages.geography import Geography, geography_of
from games.engine.message import Msg, Value, msg
from games.engine.normalization import folded
from games.engine.scene import Panel, Scene, Token
from render.alt import with_full_stop
from render.board_contents import guards_at, piles, zone_owners
from render.text import row_text

_SPOKEN_MARKS = ("from", "to", "captured", "changed", "contested", "legal", "hint")


@dataclass(frozen=True)
class BoardQuery:
    """A scene that one reader may see, with `say` of their language and their seat (None for spectators)."""

    scene: Scene
    say: Callable[[Msg], str]
    seat: int | None = None

    # --- questions ----------------------------------------------------------------------------------------

    def scan(self, where: str) -> str | None:
        """Describe a file, rank, row or line of dice in order; or one place and what is around it."""
        wanted = folded(where)
        if (place := self._geography.find(wanted)) is not None:
            return self._describe_place(place)
        places = self._geography.line(wanted)
        if not places:
            return None
        line = self._geography.line_name(places)
        lying = [self._lies(place) for place in places if place in self._stacks]
        if not lying:
            return self._text("look.line.empty", line=line)
        return self._text("look.line", line=line, what=tuple(lying))

    def where(self, typed: str) -> str | None:
        """List where the pieces are that match every typed word: kind, name or letter of a seat, `mine`."""
        wanted = folded(typed).split()
        found: dict[str, list[str]] = {}
        for place, stack in self._stacks.items():
            for token in dict.fromkeys(stack):
                if wanted and all(self._fits(word, token) for word in wanted):
                    found.setdefault(self.piece(token), []).append(self._geography.spoken(place))
        if not found:
            return None
        lines = (self._text("look.found", what=what, at=" ".join(at)) for what, at in found.items())
        return "\n".join(lines)

    def score(self) -> str:
        """Return a line for each seat with what lies beside the board, then who holds each area."""
        lines = [self.say(self.scene.headline), *map(self._panel, self.scene.panels)]
        for zone, ink in zone_owners(self.scene):
            holder = self._seats.get(ink) if ink is not None else None
            named = (token.name for token in self.scene.tokens if token.count and token.ink == ink)
            who = next(named, None) if holder is None else holder.name
            if who is None:
                lines.append(self._text("look.zone.free", zone=zone))
            else:
                lines.append(self._text("look.zone.held", zone=zone, who=who))
        return "\n".join(lines)

    def kinds(self) -> tuple[str, ...]:
        """Return what `where` can find: the kinds of pieces, or the seats where pieces have no names."""
        named = dict.fromkeys(self.say(token.name) for token in self.scene.tokens if token.name is not None)
        seats = tuple(self.say(panel.name) for panel in self.scene.panels)
        return (*seats, *named) if self.scene.board.armies else tuple(named) or seats

    def examples(self) -> tuple[str, ...]:
        """Return places and lines of this board that `scan` can describe."""
        return self._geography.examples()

    # --- pieces and places --------------------------------------------------------------------------------

    @cached_property
    def _stacks(self) -> Mapping[str, tuple[Token, ...]]:
        return piles(self.scene)

    @cached_property
    def _seats(self) -> Mapping[str, Panel]:
        return {panel.ink: panel for panel in self.scene.panels}

    @cached_property
    def _geography(self) -> Geography[Any]:
        return geography_of(self.scene, self.say)

    def piece(self, token: Token) -> str:
        """Return whose piece it is, and of what kind."""
        panel = self._seats.get(token.ink)
        if token.count:
            free = token.name if token.name is not None else msg("look.nobody")
            who = self.say(panel.name if panel is not None else free)
            return self._text("look.armies", who=who, n=token.count)
        if token.name is None:
            return self.say(panel.name) if panel is not None else token.code
        if panel is None:
            return self.say(token.name)
        return self._text("look.piece", who=panel.name, kind=token.name)

    def _lies(self, place: str) -> str:
        stack = self._stacks[place]
        pieces = tuple(map(self.piece, stack))
        what = pieces[0] if len(pieces) == 1 else self._text("look.pile", pieces=pieces)
        return self._text("look.at", at=self._geography.spoken(place), what=what)

    def _fits(self, word: str, token: Token) -> bool:
        panel = self._seats.get(token.ink)
        names = [] if token.name is None else folded(self.say(token.name)).split()
        if panel is not None:
            names += [*folded(self.say(panel.name)).split(), panel.code.casefold()]
        if word in ("mine", "my", "me"):
            return panel is not None and panel.seat == self.seat
        plain = word.removesuffix("s") if len(word) > 2 else word
        return any(name == word or (len(plain) > 1 and name.startswith(plain)) for name in names)

    # --- a place and a seat --------------------------------------------------------------------------------

    def _describe_place(self, place: str) -> str:
        at = self._geography.spoken(place)
        empty = self._text("look.empty", at=at)
        sentences = [self._lies(place) if place in self._stacks else empty, *self._features(place)]
        around = [self._lies(near) for near in self._geography.around(place) if near in self._stacks]
        near = msg("look.around", what=tuple(around)) if around else msg("look.alone")
        return " ".join(map(with_full_stop, (*sentences, self.say(near))))

    def _features(self, place: str) -> list[str]:
        """Describe a place itself, what the last move did there, and who guards it."""
        features = self._geography.features(place)
        kinds = dict.fromkeys(mark.kind for mark in self.scene.marks if mark.at == place)
        features += [self.say(msg(f"look.mark.{kind}")) for kind in kinds if kind in _SPOKEN_MARKS]
        guards = [self._seats[ink].name for ink in guards_at(self.scene).get(place, ()) if ink in self._seats]
        return features + ([self._text("look.guarded", who=tuple(guards))] if guards else [])

    def _panel(self, panel: Panel) -> str:
        parts = [self.say(msg(f"look.state.{panel.state}"))] if panel.state != "waiting" else []
        parts += [self._text("look.team", n=panel.team + 1)] if panel.team is not None else []
        parts += (self.say(badge.label) for badge in panel.badges)
        nothing = self.say(msg("render.alt.nothing"))
        parts += (row_text(row, self.say, nothing=nothing) for row in panel.rows)
        parts += self._on_the_board(panel)
        return f"{self.say(panel.name)} ({panel.code}): {'; '.join(parts) or '–'}"

    def _on_the_board(self, panel: Panel) -> list[str]:
        """Count a seat's pieces and piles, unless its panel has the number of each kind."""
        counted = any(item.label is not None for row in panel.rows for item in row.items)
        if counted or not self._geography.counted:
            return []
        pieces = sum(token.ink == panel.ink for token in self.scene.tokens)
        counts = [self._text("look.pieces", n=pieces)]
        if any(len(stack) > 1 for stack in self._stacks.values()):
            piles = sum(stack[-1].ink == panel.ink for stack in self._stacks.values())
            counts.append(self._text("look.piles", n=piles))
        return counts

    def _text(self, key: str, **values: Value) -> str:
        return self.say(msg(key, **values))
