"""A match to plan in, with who is to move and who waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.match import Match
from matches.plans.grammar import written
from matches.plans.planning import Planned
from matches.results import Person, Played, Refused
from tests.matches.world import ANN, BOB, World, played


@dataclass
class Going:
    """A match with who is to move, `mover`, and who moves after them, `planner`."""

    world: World
    id: str
    people: tuple[Person, ...]

    async def match(self) -> Match:
        seen = await self.world.queries.current(self.id)
        assert not isinstance(seen, Refused)
        return seen.match

    async def after(self, turns: int) -> Person:
        """Return who moves after some turns."""
        seen = await self.world.queries.current(self.id)
        assert not isinstance(seen, Refused)
        seats = seen.row.seats
        user = seats[(min(seen.match.to_act) + turns) % len(seats)].user
        return next(person for person in self.people if person.id == user)

    async def moves(self) -> list[str]:
        return list(await self.world.queries.legal(self.id, (await self.after(0)).id, limit=500))

    async def course(self, turns: int, pick: int = 0) -> list[str]:
        """Return moves that can follow on each other from here."""
        match = await self.match()
        game, state, texts = match.game, match.state, []
        for _ in range(turns):
            (seat,) = game.to_act(state)
            action = list(game.actions(game.view(state, seat), seat))[pick]
            texts.append(game.format(game.view(state, seat), action))
            state = game.apply(state, seat, action).state
        return texts

    async def play(self, text: str, request: str | None = None) -> Played:
        """Let who is to move play, and then what is planned."""
        who = await self.after(0)
        done = played(await self.world.play.submit(self.id, who.id, text, request=request or self.world.new))
        await self.world.service.plans.run(self.id)
        return done

    async def plan(self, who: Person, text: str) -> Planned:
        planned = await self.world.service.plans.add(self.id, who.id, text)
        assert isinstance(planned, Planned), planned
        return planned

    async def shown(self, who: Person) -> list[str]:
        planned = await self.world.service.plans.show(self.id, who.id)
        assert isinstance(planned, Planned), planned
        return [written(line) for line in planned.lines]

    async def news(self, who: Person) -> list[str]:
        """Return what a person was told about their plan."""
        return [
            draft.message.to_json()["plan"]["what"]
            for draft in await self.world.drafts(self.id)
            if "plan" in draft.message.to_json() and draft.user == who.id
        ]


async def begun(world: World, *people: Person, game: str = "focus", **how: Any) -> Going:
    people = people or (ANN, BOB)
    return Going(world, (await world.match(*people, game=game, **how)).row.id, people)
