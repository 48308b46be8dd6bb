"""The rows of buttons and menus under boards; each carries its match and log entry.

Buttons under a public board come from the spectator's view, so that they can't reveal a secret.
"""

from __future__ import annotations

from collections.abc import Collection

import discord

from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.geography import parts_of
from bot.messages.scenes import ViewState, base_scene
from bot.platform.reader_settings import Reader
from games.engine.game import AnyGame, Game, Rejected, Seat, Shortcut
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.store.rows import MatchRow

STYLE = discord.ButtonStyle
NO_MATCH = "-"
"""The match of a call that is about none."""
PER_ROW = 5
_LAST_ROW = 4


def shortcuts(row: MatchRow, match: Match, viewer: Seat | None, *, private: bool) -> tuple[Shortcut, ...]:
    """Return the game's quick moves: for the viewer's seat, or on a public board for the one to act."""
    if viewer is not None:
        seat = viewer if viewer in match.to_act else None
    elif private or len(match.to_act) != 1:
        seat = None
    else:
        (seat,) = match.to_act
    if seat is None or row.seats[seat].occupant != "person":
        return ()
    return match.game.shortcuts(match.game.view(match.state, viewer), seat)


def own_view_label(game: AnyGame) -> Msg:
    """Return the label of the button that opens one's own view: "my hand" in games with hands."""
    return msg("bot.button.view") if type(game).hand is Game.hand else msg("bot.button.hand")


def has_odds(match: Match, viewer: Seat | None) -> bool:
    """Return whether dice or cards decide about a move that the viewer, or else the seat to act, can make."""
    seat = viewer if viewer is not None else min(match.to_act, default=None)
    if seat is None or match.ending is not None:
        return False
    odds = match.game.odds(match.game.view(match.state, viewer), seat, "")
    return not isinstance(odds, Rejected) and bool(odds)


def may_have_hint(match: Match, seat: Seat) -> bool:
    """Return whether a seat is to act and knows enough for a hint."""
    game = match.game
    return seat in match.to_act and game.guess(game.view(match.state, seat), seat) is not None


def tap_button(verb: str, row: MatchRow, seq: int, text: str, label: str, at: int) -> CallButton:
    """Return a button that submits `text` as a move."""
    style = STYLE.primary if verb == "tap" else STYLE.secondary
    return CallButton.make(Call(verb, row.id, seq, text), label, style, row=at)


def board_buttons(
    row: MatchRow,
    match: Match,
    reader: Reader,
    *,
    mirror: bool = False,
    look: ViewState | None = None,
    analysed: bool = False,
) -> tuple[CallButton | CallMenu, ...]:
    """Return quick moves, then the buttons of every board, then overlays and zoom of a private view."""
    quick = () if mirror else shortcuts(row, match, reader.seat, private=look is not None)
    typed = [
        tap_button("tap", row, match.seq, each.text, reader.say(each.label), at)
        for at, each in ((number // PER_ROW, each) for number, each in enumerate(quick))
    ]
    below = -(-len(quick) // PER_ROW)
    watches = look is not None and reader.seat is None
    usual = _standard_buttons(
        row, match, reader, below, mirror=mirror, watches=watches, calm=bool(quick), analysed=analysed
    )
    if look is None:
        usual += _story_button(row, match, reader, below + len(usual) // PER_ROW)
    own = () if look is None else _overlay_buttons(row, match, reader, look, below + 1)
    if not mirror and below < _LAST_ROW:
        own = (*own, *_absence_buttons(row, match, reader, below + 1, private=look is not None))[-PER_ROW:]
    if look is None:
        return (*typed, *usual, *own)
    return (*typed, *usual, *own, *_zoom_menu(row, match, reader, look, below + 2))


def _standard_buttons(
    row: MatchRow,
    match: Match,
    reader: Reader,
    at: int,
    *,
    mirror: bool,
    watches: bool,
    calm: bool,
    analysed: bool,
) -> tuple[CallButton, ...]:
    def press(verb: str, style: STYLE = STYLE.secondary) -> CallButton:
        call = Call(verb, row.id, match.seq, "mirror" if mirror else "")
        own = verb == "view" and not mirror and not match.ending
        label = own_view_label(match.game) if own else msg(f"bot.button.{verb}")
        return CallButton.make(call, reader.say(label), style, row=at)

    if not match.ending and row.provenance.source != "import":
        if mirror:
            return press("view"), press("match_more")
        if watches:
            return press("view"), press("replay"), press("match_more")
        first = press("moves", STYLE.secondary if calm else STYLE.primary)
        return first, press("view"), press("undo"), press("resign"), press("match_more")
    analyse = (press("analyse"),) if analysed and match.plays > 0 and match.ending is not None else ()
    watching = (press("replay"), *analyse, press("view"), press("match_more"))
    return (
        watching
        if mirror or row.provenance.source != "played"
        else (press("rematch", STYLE.primary), *watching)
    )


def _story_button(row: MatchRow, match: Match, reader: Reader, at: int) -> tuple[CallButton, ...]:
    """Return the button that shows the story of a finished match, if it has one."""
    if match.ending is None or match.ending.outcome is None or not match.plays:
        return ()
    return (CallButton.make(Call("story", row.id, match.seq), reader.say(msg("bot.button.story")), row=at),)


def _overlay_buttons(
    row: MatchRow, match: Match, reader: Reader, look: ViewState, at: int
) -> tuple[CallButton, ...]:
    """Return the buttons for the reader's plan or a hint, a switch for each overlay, and the odds."""
    items = []
    if reader.seat is not None and match.ending is None and reader.seat not in match.to_act:
        plan = reader.say(msg("bot.button.plan"))
        items.append(CallButton.make(Call("plan", row.id, match.seq), plan, row=at))
    if reader.seat is not None and row.takes_hints and may_have_hint(match, reader.seat):
        hint = reader.say(msg("bot.button.hint"))
        items.append(CallButton.make(Call("hint", row.id, match.seq), hint, row=at))
    for key in match.game.overlays:
        what = reader.say(msg(f"{row.game}.overlay.{key}"))
        label = msg("bot.button.hide" if key in look.overlays else "bot.button.show", what=what)
        call = Call("overlay", row.id, match.seq, _encode_view(look.toggled(key), text=reader.text))
        items.append(CallButton.make(call, reader.say(label), row=at))
    if has_odds(match, reader.seat):
        items.append(odds_button(row, match.seq, reader, at))
    if reader.seat is not None and len(items) < PER_ROW:
        items.append(settings_button(reader, at))
    return tuple(items[:PER_ROW])


def _zoom_menu(row: MatchRow, match: Match, reader: Reader, look: ViewState, at: int) -> tuple[CallMenu, ...]:
    """Return a menu of the parts of a large board; nothing if quick moves have taken all rows."""
    board = base_scene(match, reader.seat).board
    listed = parts_of(board).options(look.part, reader.say)
    if not listed or at > _LAST_ROW:
        return ()
    call = Call("zoom", row.id, match.seq, _encode_view(look, text=reader.text))
    hint = reader.say(msg("bot.zoom.hint"))
    return (CallMenu.make(call, listed, hint, row=at),)


def _absence_buttons(
    row: MatchRow, match: Match, reader: Reader, at: int, *, private: bool
) -> tuple[CallButton, ...]:
    """Return the buttons for those who were away: what has happened, and back into a seat held for them."""
    verbs = []
    if match.plays > 1 and (match.ending is None or private):
        verbs.append("since")
    if match.seats.stand_ins and match.ending is None:
        verbs.append("seat_back")
    return tuple(
        CallButton.make(Call(verb, row.id, match.seq), reader.say(msg(f"bot.button.{verb}")), row=at)
        for verb in verbs
    )


def odds_button(row: MatchRow, seq: int, reader: Reader, at: int) -> CallButton:
    """Return the button that shows the odds."""
    return CallButton.make(Call("odds", row.id, seq), reader.say(msg("bot.button.odds")), row=at)


def settings_button(reader: Reader, row: int | None = None, number: int = 0) -> CallButton:
    """Return the button that opens one's settings of pings; `number` sets its message apart from others."""
    return CallButton.make(Call("pings", NO_MATCH, number), reader.say(msg("bot.button.pings")), row=row)


def _encode_view(look: ViewState, *, text: bool) -> str:
    part = (f"@{look.part}",) if look.part else ()
    return ".".join(("t" if text else "p", *look.overlays, *part))


def read_state(arg: str, known: Collection[str]) -> tuple[ViewState, bool]:
    """Decode a view state, without unknown overlays; also return whether the board is shown as text."""
    kind, *on = arg.split(".")
    part = next((key[1:] for key in on if key.startswith("@")), "")
    return ViewState(tuple(key for key in on if key in known), part), kind == "t"
