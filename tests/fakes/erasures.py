"""What is kept about people, and how they are forgotten, in the store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from matches.outbox.lanes import until_heard_from
from matches.outbox.messages import read_message
from matches.outbox.queue import Draft, OutboxRow
from matches.store.erasure_store import ERASED_NAME, Erasure, PersonalData
from matches.store.rows import Logged, MatchRow, SeatRow, Watch
from storage.personal_data import without_names, without_person
from tests.fakes.follows import MemoryFollows
from tests.fakes.holders import MemoryHolders
from tests.fakes.imports import MemoryImports
from tests.fakes.maps import MemoryMaps
from tests.fakes.outbox import MemoryOutbox
from tests.fakes.plans import MemoryPlans
from tests.fakes.seat_offers import MemorySeatOffers


@dataclass
class MemoryErasures(
    MemoryOutbox, MemoryHolders, MemoryImports, MemoryMaps, MemoryPlans, MemorySeatOffers, MemoryFollows
):
    """Erasures that have begun by person, and whether those that are done were cleaned by token."""

    logs: dict[str, list[Logged]] = field(default_factory=dict)
    _watches: dict[tuple[str, int], Watch] = field(default_factory=dict)
    _erasures: dict[int, Erasure] = field(default_factory=dict)
    _erased: dict[int, bool] = field(default_factory=dict)

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """A few of the tables: what the contract asks for."""
        self._open()
        seats = [(row.id, seat) for row in self.rows.values() for seat in row.seats if seat.user == user]
        found: dict[str, list[dict[str, Any]]] = {
            "matches": [{"id": row.id} for row in self.rows.values() if row.host == user],
            "seats": [{"match": match, "seat": seat.seat, "name": seat.name} for match, seat in seats],
            "follows": [{"match": match} for match, who in self._follows if who == user],
            "blocks": [{"other": other} for who, other in self._blocks if who == user],
            "settings": [
                {"settings": values} for key, values in self._settings.items() if key == ("user", user)
            ],
        }
        return {table: tuple(rows[:limit]) for table, rows in found.items() if rows}

    async def begin_erasure(self, user: int, token: int, now: datetime) -> Erasure:
        """Note that a person is to be forgotten."""
        self._change()
        if user in self._erasures:
            return self._erasures[user]
        tokens = {one.token for one in self._erasures.values()} | set(self._erased)
        if token >= 0 or token in tokens:
            raise ValueError("a token is below zero, and never used twice")
        return self._erasures.setdefault(user, Erasure(user, token))

    async def erasures(self) -> tuple[Erasure, ...]:
        """The erasures that aren't done."""
        self._open()
        return tuple(self._erasures.values())

    async def erase(self, user: int, now: datetime, *, even_playing: bool = False) -> bool:
        """Forget a person."""
        self._change()
        if user not in self._erasures:
            raise LookupError("no erasure has begun")
        for row in () if even_playing else self.rows.values():
            if row.status == "lobby" and row.host == user:
                return False
            if row.status in ("lobby", "live") and any(seat.user == user for seat in row.seats):
                return False
        self._forget(user, self._erasures[user].token)
        self._erased[self._erasures.pop(user).token] = False
        return True

    async def clean_up(self, now: datetime) -> bool:
        """Note that all are cleaned."""
        self._change()
        waiting = [token for token, cleaned in self._erased.items() if not cleaned]
        self._erased |= dict.fromkeys(waiting, True)
        return bool(waiting)

    def _forget(self, user: int, token: int) -> None:
        def who(one: int) -> int:
            return token if one == user else one

        held = [(row.id, seat.user, seat.name) for row in self.rows.values() for seat in row.seats]
        held += [(match, one.user, one.name) for (match, *_), one in self.held.items()]
        names = {name for _, one, name in held if one == user and name}
        about = {"", *(match for match, one, _ in held if one == user)}
        owned = {match for match, one in self.came.items() if one.owner == user}
        self.rows.update({key: self._row_without(row, user, token, owned) for key, row in self.rows.items()})
        for match, log in self.logs.items():
            self.logs[match] = [replace(one, user=token) if one.user == user else one for one in log]
        for place, holder in self.held.items():
            back = None if holder.back == user else holder.back
            name = ERASED_NAME if holder.user == user else holder.name
            other = None if holder.user is None else who(holder.user)
            self.held[place] = replace(holder, user=other, name=name, back=back)
        self.came.update({match: replace(self.came[match], owner=token, headers={}) for match in owned})
        for number, row in {**self.queue, **self.dead}.items():
            queue = self.queue if number in self.queue else self.dead
            gone = row.draft.user == user or row.draft.lane.endswith(f"/{user}")
            if gone or self._until.get(number) == until_heard_from(user):
                del queue[number]
                self._until.pop(number, None)
            else:
                queue[number] = _row_of(row, user, token, names if row.draft.match in about else set())
        self._forget_rows(user)
        for key, one in self._maps.items():
            self._maps[key] = replace(one, info=replace(one.info, by=who(one.info.by)))
        for guild, case in self._showcases.items():
            self._showcases[guild] = replace(case, by=who(case.by))
        in_force = set(self._forbidden.values())
        for number, kept in self._acts.items():
            act = replace(kept, moderator=who(kept.moderator))
            if number not in in_force:
                person = None if act.person is None else who(act.person)
                reason, detail = (without_person(text, user, token) for text in (act.reason, act.detail))
                self._acts[number] = replace(act, person=person, reason=reason, detail=detail)
            else:
                self._acts[number] = act
        for ping, post in self._ping_posts.items():
            text = post.text.replace(f"<@{user}>", ERASED_NAME)
            self._ping_posts[ping] = replace(
                post, text=without_names(text, names) if post.match in about else text
            )

    def _forget_rows(self, user: int) -> None:
        self._settings.pop(("user", user), None)
        self._watches = {key: one for key, one in self._watches.items() if one.by != user}
        self._vacations = {key: one for key, one in self._vacations.items() if key[0] != user}
        self._pings = {key: one for key, one in self._pings.items() if one.user != user}
        self._ping_posts = {key: one for key, one in self._ping_posts.items() if one.user != user}
        self._plans = {key: one for key, one in self._plans.items() if one.user != user}
        self._offers = {key: one for key, one in self._offers.items() if user not in (one.by, one.to)}
        self._follows = {key: one for key, one in self._follows.items() if key[1] != user}
        self._closed = {key for key in self._closed if key[1] != user}
        self._blocks = {key: at for key, at in self._blocks.items() if key[0] != user}

    @staticmethod
    def _row_without(row: MatchRow, user: int, token: int, owned: set[str]) -> MatchRow:
        def seat(one: SeatRow) -> SeatRow:
            if one.user == user:
                return replace(one, user=token, name=ERASED_NAME)
            return replace(one, name=ERASED_NAME) if row.id in owned and one.name else one

        agreed = tuple(token if one == user else one for one in row.agreed)
        seats = tuple(map(seat, row.seats))
        touched = row.host == user or agreed != row.agreed or any(one.user == user for one in row.seats)
        host = token if row.host == user else row.host
        revision = row.revision + touched
        return replace(row, seats=seats, agreed=agreed, host=host, revision=revision)


def _row_of(row: OutboxRow, user: int, token: int, names: set[str]) -> OutboxRow:
    draft: Draft = row.draft
    payload = without_names(without_person(draft.message.to_json(), user, token), names)
    return replace(row, draft=replace(draft, message=read_message(draft.kind, payload)))
