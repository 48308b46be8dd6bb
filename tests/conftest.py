"""What every test may count on: the toy game sits in the registry, and no example fails for being slow."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from games.engine import registry
from tests.toy import GAME as TOY

registry.register(TOY)
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
