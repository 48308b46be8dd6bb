"""With this imported, SimCord answers `after=` with the next messages, as Discord does, not with the newest.

https://docs.discord.com/developers/resources/message#get-channel-messages
"""

from __future__ import annotations

from typing import Any

from simcord.http import router
from simcord.http.routes import messages


def _history(request: router.RequestContext) -> Any:
    """Answer with the messages next to `after`, the newest of them first."""
    if "after" not in request.params:
        return messages.get_history(request)
    limit = int(request.params.get("limit", 50))
    request.params |= {"limit": str(1 << 62)}
    return messages.get_history(request)[-limit:]


for _each, (_template, _handler) in enumerate(router._ROUTES["GET"]):
    if _handler is messages.get_history:
        router._ROUTES["GET"][_each] = (_template, _history)
