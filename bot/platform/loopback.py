"""Point discord.py at a simulated Discord, on this machine only."""

from __future__ import annotations

import discord.asset
import discord.gateway
import discord.http
from yarl import URL


def point_discord_at(base: str) -> None:
    """Send all requests to a Discord listening on 127.0.0.1. Raises ValueError for any other host."""
    url = URL(base)
    if url.scheme != "http" or url.host != "127.0.0.1" or url.port is None or url.user:
        raise ValueError(f"{base} is not an address of this machine: http://127.0.0.1:PORT is")
    origin = f"http://127.0.0.1:{url.port}"
    discord.http.Route.BASE = f"{origin}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(f"ws://127.0.0.1:{url.port}/gateway")
    discord.asset.Asset.BASE = f"{origin}/cdn"
