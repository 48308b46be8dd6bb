"""Links to the boards of a match, for answers to people."""

from __future__ import annotations

from bot.outbound.board_links import board_link

__all__ = ["board_link"]
