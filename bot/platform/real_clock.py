"""The real clock and source of secrets. Nothing else in the bot reads a clock or makes a secret."""

from __future__ import annotations

import secrets
from datetime import datetime

import discord


class DiscordClock:
    """discord.py's clock, which a simulated Discord can set."""

    def now(self) -> datetime:
        """Return the time, aware, in UTC."""
        return discord.utils.utcnow()


class SystemEntropy:
    """Random bytes of the operating system."""

    def token(self, size: int) -> bytes:
        """Return `size` unpredictable bytes."""
        return secrets.token_bytes(size)
