"""The application at Discord: who operates it, and the link by which people install it for themselves.

https://docs.discord.com/developers/resources/application#installation-context
"""

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


def install_link(application: int | str) -> str:
    """Return the address at which a person adds an application to their own account."""
    return (
        f"https://discord.com/oauth2/authorize?client_id={application}"
        "&integration_type=1&scope=applications.commands"
    )


def offered_link(application: discord.AppInfo | None) -> str | None:
    """Return that address for an application as Discord described it; None unless it allows user installs.

    The library asks for the description once, when the bot logs in.
    """
    if application is None:
        return None
    try:
        allowed = application.user_integration_config is not None
    except (AttributeError, KeyError, TypeError):  # nulls, which the library can't read
        return None
    return install_link(application.id) if allowed else None
