"""Check the shape of a bot's token, so that a wrong one is refused before Discord is asked.

Discord, "Authentication": three parts joined by dots, the first the id of the application in base64.
"""

from __future__ import annotations

import base64
import binascii


def application_id(token: str) -> int:
    """Return the id of the application that a token belongs to.

    Raises ValueError, saying why but without the text, if it can't be a token.
    """
    if any(char.isspace() or char in "\"'" for char in token) or token.casefold().startswith("bot "):
        raise ValueError("it contains spaces or quotes, or begins with Bot")
    parts = token.split(".")
    try:
        owner = base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4))
    except (binascii.Error, ValueError):
        owner = b""
    if len(parts) != 3 or not owner.isdigit() or not parts[2]:
        raise ValueError("it doesn't have the shape of a bot's token")
    return int(owner)
