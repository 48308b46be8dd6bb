"""`python -m storage FILE`: bring a database up to the schema of this version, as the next start would."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from storage import StoreError, open_store


class _MachineClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


async def _migrate(path: Path) -> None:
    await (await open_store(path, clock=_MachineClock())).close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m storage FILE")
    try:
        asyncio.run(_migrate(Path(sys.argv[1])))
    except StoreError as error:
        sys.exit(str(error))
