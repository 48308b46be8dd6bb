"""Who operates the bot: the owner of the application at Discord, or the team that owns it."""

from __future__ import annotations

import discord


def is_owner(client: discord.Client, user: int) -> bool:
    """Return whether a person owns the application, or belongs to the team that does."""
    application = client.application
    if application is None:
        return False
    if application.team is not None:
        return any(member.id == user for member in application.team.members)
    return application.owner.id == user
