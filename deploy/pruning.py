"""What earlier versions leave behind: environments of 175 MB each, and the backups made before upgrades."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from deploy.house import House, say

KEPT_DAYS = 14
"""As long as docs/self-hosting.md keeps the nightly backups."""


def needed(house: House) -> set[str]:
    """Return the versions to keep: the one in use, the one in use before, and the one to go back to."""
    journal, name = house.journal(), house.in_use()
    back = (each.before for each in reversed(journal) if each.after == name and each.before)
    return {name, *(each.after for each in journal[-2:]), next(back, "")} - {""}


def remove_versions(house: House) -> None:
    """Remove all other versions, and what a killed upgrade has left half installed; say which."""
    keep = needed(house)
    for one in sorted(house.releases.iterdir()):
        if one.is_dir() and one.name not in keep:
            shutil.rmtree(one)
            say(f"Removed {one.name}: it isn't needed to go back.")


def remove_backups(house: House, backups: Path) -> None:
    """Remove old backups of upgrades that nobody can go back over now; say which."""
    keep, oldest = needed(house), time.time() - KEPT_DAYS * 86_400
    used = {
        Path(each.backup) for each in house.journal() if {each.before, each.after} <= keep and each.backup
    }
    for one in sorted(backups.glob("before-*.sqlite3")):
        if one not in used and one.stat().st_mtime < oldest:
            one.unlink()
            say(f"Removed {one}: older than {KEPT_DAYS} days, and no version that is kept goes back to it.")
