"""What every test may count on: the toy game sits in the registry beside the real ones."""

from __future__ import annotations

from games.engine import registry
from tests.toy import GAME as TOY

registry.register(TOY)
