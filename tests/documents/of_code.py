"""What the architecture lists: the parts of the service, from their classes."""

from __future__ import annotations

import inspect
from typing import get_args, get_type_hints

from matches.service import MatchService
from tests.documents.pages import table


def parts_of_the_service() -> str:
    """Return each part of the service, what its class says of itself, and where it is."""
    rows = []
    for name, hint in get_type_hints(MatchService).items():
        (part,) = get_args(hint)
        says = (inspect.getdoc(part) or "").partition("\n")[0]
        rows.append((f"`{name}`", says.removesuffix("."), f"`{part.__module__.replace('.', '/')}.py`"))
    return table(("part", "does", "in"), sorted(rows))
