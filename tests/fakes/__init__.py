"""Stand-ins for what lies outside: a clock that is set by hand, entropy that repeats, a store in memory."""

from tests.fakes.base import as_json
from tests.fakes.counting import CountingStore
from tests.fakes.hand_set import START, FakeClock, FakeEntropy
from tests.fakes.store import MemoryStore

__all__ = ["START", "CountingStore", "FakeClock", "FakeEntropy", "MemoryStore", "as_json"]
