"""Pack what is kept about a person: a file of JSON, and the records of their finished matches."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias

from bot.messages.record_file import record_text
from bot.platform.readers import Reader
from games.engine.match import Match
from matches.store.erasure_store import PersonalData
from matches.store.rows import ImportRow, MatchRow, SeatHolder

MAX_ROWS: Final = 5000
"""Most rows of a kind in the file."""
MAX_RECORDS: Final = 100
"""Maximum number of records in the file about a person, the latest first."""
MAX_BYTES: Final = 8 * 1024 * 1024
"""Most bytes of records, before they are compressed, so that Discord takes the file."""

ExportedMatch: TypeAlias = tuple[MatchRow, Match, Sequence[SeatHolder], ImportRow | None]
"""A finished match, its holders, and what it was imported with."""


def packed(
    user: int, now: datetime, data: PersonalData, matches: Sequence[ExportedMatch], reader: Reader
) -> bytes:
    """Return the zip file with `data.json` and `records/*.txt`. Blocks: call it in a worker thread."""
    about = {
        "about": str(user),
        "made": now.isoformat(),
        "times": "milliseconds since 1970, UTC",
        "most_rows_of_a_kind": MAX_ROWS,
        "tables": data,
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("data.json", json.dumps(about, indent=1, ensure_ascii=False))
        size = 0
        for row, match, holders, came in matches:
            text = record_text(row, match, reader, holders, came)
            size += len(text)
            if size > MAX_BYTES:
                break
            out.writestr(f"records/{row.id}.txt", text)
    return file.getvalue()
