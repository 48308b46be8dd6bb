"""A worker that every job kills."""

from __future__ import annotations

import sys

from bot.platform.thinkers.worker import Worker
from tests.thinkers.odd_worker import die

if __name__ == "__main__":
    Worker({"turns": die, "appraise": die}, float(sys.argv[2])).serve()
