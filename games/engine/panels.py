"""What stands beside a board, made of how a seat is shown."""

from __future__ import annotations

from games.engine.scene import Badge, Item, Panel, PanelState, Row, Token
from games.engine.values import Outcome, SeatLook


def panel(
    seat: int,
    look: SeatLook,
    state: PanelState,
    rows: tuple[Row, ...] = (),
    team: int | None = None,
    badges: tuple[Badge, ...] = (),
) -> Panel:
    """Return the panel of a seat with its name, sign, ink and letter."""
    return Panel(seat, look.name, look.glyph, look.ink, look.code, state, rows, team, badges)


def token(at: str, look: SeatLook, level: int = 0) -> Token:
    """Return a piece that is the sign of its seat."""
    return Token(at, look.glyph, look.ink, look.code, level)


def pieces(look: SeatLook, count: int) -> tuple[Item, ...]:
    """Return so many pieces of a seat for a row of a panel; nothing for none."""
    return (Item(look.glyph, look.ink, look.code, count),) if count else ()


def panel_state(
    outcome: Outcome | None, teams: tuple[int, ...], seat: int, *, acts: bool, out: bool = False
) -> PanelState:
    """Return how a seat stands: how it fared once there is an outcome, else whether it acts or is out.

    A draw is a first place that more than one team has.
    """
    if outcome is not None:
        first = {team for team, rank in zip(teams, outcome.ranks, strict=True) if rank == 1}
        return "lost" if outcome.ranks[seat] != 1 else "drawn" if len(first) > 1 else "won"
    return "out" if out else "to_act" if acts else "waiting"
