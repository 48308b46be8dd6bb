"""How long a test waits in real time for what should happen, before it says that it didn't.

A limit of real time is there to end what hangs, and never decides whether a slow or busy machine
passes. What is awaited is an event. That something doesn't happen is shown by what must come after it.
"""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 120.0
"""Seconds."""
