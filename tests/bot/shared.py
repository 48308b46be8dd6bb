"""What the bots of a run share, since each would only make the same again: importing it is enough."""

from __future__ import annotations

import functools
from typing import Any

from discord.app_commands import commands

from bot import app

_discord: Any = commands
_app: Any = app
_resolve = _discord.resolve_annotation
_resolved: dict[tuple[str, str], Any] = {}


def _resolve_once(annotation: Any, names: dict[str, Any], *how: Any) -> Any:
    """Resolve what is written as the type of a command's option once, not again in each bot."""
    if not isinstance(annotation, str):
        return _resolve(annotation, names, *how)
    key = names["__name__"], annotation
    if key not in _resolved:
        _resolved[key] = _resolve(annotation, names, *how)
    return _resolved[key]


_discord.resolve_annotation = _resolve_once
_discord._shorten = functools.cache(_discord._shorten)  # descriptions
_app.Catalogue = functools.cache(app.Catalogue)  # type: ignore[attr-defined]
_app.warm_up = functools.cache(app.warm_up)
