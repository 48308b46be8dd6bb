"""What every test may count on: two games of the tests are registered, no example fails for being slow."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from games.engine import registry
from tests.soak import SOAK, examples
from tests.three import GAME as THREE
from tests.toy import GAME as TOY

registry.register(TOY)
registry.register(THREE)
settings.register_profile(
    "house",
    deadline=None,
    derandomize=not SOAK,
    max_examples=examples(100),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")
