"""Events that come late or twice, at a test's wish."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.world import Deliver

Fits = Callable[[Mapping[str, Any]], bool]


@dataclass(eq=False)
class HeldEvents:
    """Events that wait for ``release``, while later ones of other kinds go on."""

    name: str
    fits: Fits
    times: int | None
    pass_on: Deliver
    waiting: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def release(self) -> None:
        """Send what waits, in its order, and hold nothing any more."""
        self.times = 0
        waiting, self.waiting = self.waiting, []
        for event, payload in waiting:
            self.pass_on(event, payload)


class Interference:
    """Stands between the world and the sessions."""

    def __init__(self, pass_on: Deliver) -> None:
        self._pass_on = pass_on
        self._held: list[HeldEvents] = []
        self._doubled: list[HeldEvents] = []

    def hold(self, event: str, *, times: int | None = 1, fits: Fits = lambda payload: True) -> HeldEvents:
        """Hold the next events of a name (``None`` for all from now on) until they are released."""
        held = HeldEvents(event, fits, times, self._pass_on)
        self._held.append(held)
        return held

    def double(self, event: str, *, times: int | None = 1, fits: Fits = lambda payload: True) -> None:
        """Send the next events of a name twice."""
        self._doubled.append(HeldEvents(event, fits, times, self._pass_on))

    def feed(self, event: str, payload: Mapping[str, Any]) -> None:
        """Pass an event of the world on, now, later or twice."""
        if (held := _take(self._held, event, payload)) is not None:
            held.waiting.append((event, payload))
            return
        self._pass_on(event, payload)
        if _take(self._doubled, event, payload) is not None:
            self._pass_on(event, payload)


def _take(rules: list[HeldEvents], event: str, payload: Mapping[str, Any]) -> HeldEvents | None:
    for rule in rules:
        if rule.name == event and rule.times != 0 and rule.fits(payload):
            if rule.times is not None:
                rule.times -= 1
            return rule
    return None
