"""What lies under boards and tables: rows of buttons, each of which carries its match and entry.

Under a board that everybody sees stands nothing that only some may know: its shortcuts are those of the
spectator's view.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import discord

from bot.messages import crop
from bot.messages.components import Call, Choose, Press
from bot.platform.readers import Reader
from games.engine.game import AnyGame, Game, Rejected, Seat, Shortcut
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.ports import MatchRow

STYLE = discord.ButtonStyle
PER_ROW = 5
_LAST_ROW = 4


@dataclass(frozen=True, slots=True)
class ViewState:
    """How somebody looks at a board in private: which overlays lie on it, and which part of it is seen."""

    overlays: tuple[str, ...] = ()
    part: str = ""
    """Two corners such as `a7-g13`; empty for all of it."""

    def turned(self, key: str) -> ViewState:
        """The same with one overlay more, or less."""
        on = self.overlays
        return replace(self, overlays=tuple(k for k in on if k != key) if key in on else (*on, key))


def shortcuts(row: MatchRow, match: Match, viewer: Seat | None, *, private: bool) -> tuple[Shortcut, ...]:
    """The buttons for a quick move: in private for whoever looks, in public for the one who is to act."""
    if viewer is not None:
        seat = viewer if viewer in match.to_act else None
    elif private or len(match.to_act) != 1:
        seat = None
    else:
        (seat,) = match.to_act
    if seat is None or row.seats[seat].occupant != "person":
        return ()
    return match.game.shortcuts(match.game.view(match.state, viewer), seat)


def own_view(game: AnyGame) -> Msg:
    """What the way to one's own view of a match that is on is called."""
    return msg("bot.button.view") if type(game).hand is Game.hand else msg("bot.button.hand")


def has_odds(match: Match, viewer: Seat | None) -> bool:
    """Whether chance has a part in what the viewer, or else the seat to act, may do now."""
    seat = viewer if viewer is not None else min(match.to_act, default=None)
    if seat is None or match.ending is not None:
        return False
    odds = match.game.odds(match.game.view(match.state, viewer), seat, "")
    return not isinstance(odds, Rejected) and bool(odds)


def tapped(verb: str, row: MatchRow, seq: int, text: str, label: str, at: int) -> Press:
    """A button that types a text."""
    style = STYLE.primary if verb == "tap" else STYLE.secondary
    return Press.make(Call(verb, row.id, seq, text), label, style, row=at)


def under_board(
    row: MatchRow,
    match: Match,
    reader: Reader,
    *,
    mirror: bool = False,
    look: ViewState | None = None,
    analysed: bool = False,
) -> tuple[Press | Choose, ...]:
    """Shortcuts first, then what every board has, then what belongs to a private look."""
    quick = () if mirror else shortcuts(row, match, reader.seat, private=look is not None)
    typed = [
        tapped("tap", row, match.seq, each.text, reader.say(each.label), at)
        for at, each in ((number // PER_ROW, each) for number, each in enumerate(quick))
    ]
    below = -(-len(quick) // PER_ROW)
    usual = _usual(row, match, reader, below, mirror=mirror, calm=bool(quick), analysed=analysed)
    if look is None:
        return (*typed, *usual)
    own = _own(row, match, reader, look, below + 1)
    return (*typed, *usual, *own, *_parts(row, match, reader, look, below + 2))


def _usual(
    row: MatchRow, match: Match, reader: Reader, at: int, *, mirror: bool, calm: bool, analysed: bool
) -> tuple[Press, ...]:
    def press(verb: str, style: STYLE = STYLE.secondary) -> Press:
        call = Call(verb, row.id, match.seq, "mirror" if mirror else "")
        own = verb == "view" and not mirror and not match.ending
        label = own_view(match.game) if own else msg(f"bot.button.{verb}")
        return Press.make(call, reader.say(label), style, row=at)

    if not match.ending:
        if mirror:
            return press("view"), press("rules")
        first = press("moves", STYLE.secondary if calm else STYLE.primary)
        return first, press("view"), press("draw"), press("resign"), press("rules")
    analyse = (press("analyse"),) if analysed and match.plays > 0 else ()
    watching = (press("replay"), *analyse, press("view"), press("rules"))
    return watching if mirror else (press("rematch", STYLE.primary), *watching)


def _own(row: MatchRow, match: Match, reader: Reader, look: ViewState, at: int) -> tuple[Press, ...]:
    """A switch for each overlay, and the chances."""
    items = []
    for key in match.game.overlays:
        what = reader.say(msg(f"{row.game}.overlay.{key}"))
        label = msg("bot.button.hide" if key in look.overlays else "bot.button.show", what=what)
        call = Call("overlay", row.id, match.seq, _state(look.turned(key), text=reader.text))
        items.append(Press.make(call, reader.say(label), row=at))
    if has_odds(match, reader.seat):
        items.append(odds(row, match.seq, reader, at))
    return tuple(items[:PER_ROW])


def _parts(row: MatchRow, match: Match, reader: Reader, look: ViewState, at: int) -> tuple[Choose, ...]:
    """A menu of the parts of a large board. A long hand of shortcuts leaves no room for it."""
    board = match.game.scene(match.game.view(match.state, reader.seat), reader.seat).board
    listed = crop.offered(board, look.part, reader.voice)
    if not listed or at > _LAST_ROW:
        return ()
    call = Call("zoom", row.id, match.seq, _state(look, text=reader.text))
    hint = reader.say(msg("bot.zoom.hint"))
    return (Choose.make(call, listed, hint, row=at),)


def odds(row: MatchRow, seq: int, reader: Reader, at: int) -> Press:
    """What chance may do."""
    return Press.make(Call("odds", row.id, seq), reader.say(msg("bot.button.odds")), row=at)


def _state(look: ViewState, *, text: bool) -> str:
    part = (f"@{look.part}",) if look.part else ()
    return ".".join(("t" if text else "p", *look.overlays, *part))


def read_state(arg: str, known: Collection[str]) -> tuple[ViewState, bool]:
    """The look that a switch leads to, less what is no overlay, and whether it is one at the text board."""
    kind, *on = arg.split(".")
    part = next((key[1:] for key in on if key.startswith("@")), "")
    return ViewState(tuple(key for key in on if key in known), part), kind == "t"
