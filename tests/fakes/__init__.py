"""Stand-ins for what lies outside: a clock set by hand, entropy that repeats, a store without a thread."""

from tests.fakes.counting import CountingStore
from tests.fakes.hand_set import START, FakeClock, FakeEntropy
from tests.fakes.store import MemoryStore, as_json, begin_file, open_at_once

__all__ = [
    "START",
    "CountingStore",
    "FakeClock",
    "FakeEntropy",
    "MemoryStore",
    "as_json",
    "begin_file",
    "open_at_once",
]
