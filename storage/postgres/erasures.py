"""What is kept about a person, and how they are forgotten, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from matches.store.erasures import PersonalData
from storage.erasures import ErasuresPart, erase_person, export_queries, exported
from storage.postgres.sessions import Conn, tell
from storage.postgres.transactions import PostgresPart
from storage.rows import to_ms


def _place(name: str) -> str:
    return f"%({name})s"


class PostgresErasures(ErasuresPart, PostgresPart):
    """The part of the Store that exports and forgets what is kept about people."""

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """Return what is kept about a person."""

        def read(db: Conn) -> PersonalData:
            found = {
                table: (columns, db.execute(query, {"user": user, "limit": limit}).fetchall())
                for table, columns, query in export_queries(_place)
            }
            own = "SELECT settings FROM settings WHERE scope = 'user' AND id = %s"
            return exported(found, db.execute(own, (user,)).fetchone())

        return await self._database.read_one_state(read)

    async def erase(self, user: int, now: datetime, *, even_playing: bool = False) -> bool:
        """Forget a person."""

        def work(db: Conn) -> bool:
            def run(statement: str, values: Mapping[str, Any]) -> list[Sequence[Any]]:
                done = db.execute(statement, values)
                return list(done.fetchall()) if done.description else []

            tell(db, "erasures:")
            tell(db, f"settings:user:{user}")
            return erase_person(run, _place, user, to_ms(now), even_playing=even_playing)

        return await self._database.transaction(work)

    async def clean_up(self, now: datetime) -> bool:
        """Note that the erasures are cleaned: the server's own VACUUM removes old versions of rows."""
        done = "UPDATE erasures SET cleaned = %s WHERE done IS NOT NULL AND cleaned IS NULL"
        return await self._database.execute(done, to_ms(now)) > 0
