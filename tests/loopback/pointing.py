"""Where the library finds Discord: a test that points it elsewhere points it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord
from discord.gateway import DiscordWebSocket


@contextmanager
def pointed_back() -> Iterator[None]:
    """Point the library at the end to where it pointed at the beginning."""
    before = discord.http.Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE
    try:
        yield
    finally:
        discord.http.Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE = before
