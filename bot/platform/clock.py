"""Time and chance as the process has them. Nothing else in the bot looks at a clock or makes a secret."""

from __future__ import annotations

import secrets
from datetime import datetime

import discord


class DiscordClock:
    """The library's clock, so that a simulated Discord can let time pass."""

    def now(self) -> datetime:
        """The time, aware, UTC."""
        return discord.utils.utcnow()


class SystemEntropy:
    """The operating system's secrets."""

    def token(self, size: int) -> bytes:
        """Unpredictable bytes."""
        return secrets.token_bytes(size)
