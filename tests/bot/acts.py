"""What people do on the stage: matches played without a bot, and moves made by every route."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, to_discord_message

from bot.messages.components import walk_components
from games.engine.match import Match
from games.engine.message import Msg
from matches.results import Played
from tests.bot.stage import Stage, button_ids, menu_with, shown

WIDTH = 24
ROUTES = ("reply", "mention", "bare", "slash", "menu", "form", "dm")


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A match played to its end by a greedy or random player: its moves and their facts."""

    moves: tuple[str, ...]
    why: str
    ranks: tuple[int, ...]
    told: tuple[frozenset[str], ...]

    @property
    def all_told(self) -> Counter[str]:
        """Count the moves that have each fact."""
        return Counter(key for keys in self.told for key in keys)


def keys_of(message: Msg) -> Iterator[str]:
    """The keys of a message and of those inside it."""
    yield message.key
    for _, value in message.values:
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Msg):
                yield from keys_of(part)


def rehearse(match: Match, seed: int, *, greedy: bool = True) -> Rehearsal:
    """Play a match on from its current position; equal seeds give equal matches."""
    rng = random.Random(seed)  # a stand-in for a player, no secret
    game, state = match.game, match.state
    moves: list[str] = []
    told: list[frozenset[str]] = []
    while (outcome := game.outcome(state)) is None:
        (seat,) = game.to_act(state)
        actions = list(game.actions(state, seat))
        if greedy:
            at = state

            def worth(action: Any, at: Any = at, seat: Any = seat) -> float:
                return game.evaluate(game.apply(at, seat, action).state, seat)

            action = max(rng.sample(actions, min(WIDTH, len(actions))), key=worth)
        else:
            action = rng.choice(actions)
        moves.append(game.format(state, action))
        step = game.apply(state, seat, action)
        state = step.state
        told.append(frozenset(key for fact in step.facts for key in keys_of(fact.msg)))
    return Rehearsal(tuple(moves), outcome.why.key, outcome.ranks, tuple(told))


def find_play(
    match: Match,
    wanted: Callable[[Rehearsal], bool],
    *,
    greedy: bool = True,
    seeds: Iterable[int] = range(400),
) -> Rehearsal:
    """Return the first rehearsal that meets the condition."""
    for seed in seeds:
        if wanted(made := rehearse(match, seed, greedy=greedy)):
            return made
    raise AssertionError("no seed gives such a match")


async def last_board(stage: Stage, match: str) -> discord.Message:
    """The board that was posted last."""
    post = (await stage.bot.context.store.posts(match, "board"))[-1]
    return to_discord_message(stage.env, stage.env.backend.get_message(post.channel, post.message))


async def move_by(
    stage: Stage, route: str, match: str, thread: ChannelHandle, mover: MemberActor, text: str
) -> InteractionResult | None:
    """Make one move by one route, and return the answer if that route gives one."""
    match route:
        case "reply":
            await mover.send(thread, text, reply_to=await last_board(stage, match))
        case "mention":
            await mover.send(thread, f"{stage.mention} {text}")
        case "bare":
            await mover.send(thread, text)
        case "slash":
            return await mover.slash(thread, "move", move=text)
        case "menu":
            panel = shown(await mover.click(await last_board(stage, match), label="Moves"))
            taps = [each for each in button_ids(panel) if each.endswith(f":{text}")]
            if taps:  # few moves are buttons
                return await mover.click(panel, custom_id=taps[0])
            return await mover.select(panel, [text], custom_id=menu_with(panel, text))
        case "form":
            panel = shown(await mover.click(await last_board(stage, match), label="Moves"))
            form = await mover.click(panel, label="Type a move")
            return await mover.submit_modal(form, {"move": text})
        case "dm":
            await mover.send_dm(f"{match} {text}")
        case _:
            raise AssertionError(route)
    return None


async def play_by_doors(
    stage: Stage, match: str, thread: ChannelHandle, moves: Sequence[str], routes: Sequence[str] = ROUTES
) -> None:
    """Make moves by one route after the other, and check that each counts once."""
    for number, text in enumerate(moves):
        before = await stage.match(match)
        mover = await stage.mover(match)
        route = routes[number % len(routes)]
        await move_by(stage, route, match, thread, mover, text)
        after = await stage.match(match)
        assert after.plays == before.plays + 1, f"{text} by {route}: {thread.history()[-1].content}"


async def play_quickly(stage: Stage, match: str, moves: Sequence[str], *, at_once: int = 20) -> None:
    """Moves straight into the service; their boards come with the poller, some at a time."""
    for number, text in enumerate(moves, 1):
        mover = await stage.mover(match)
        request = f"quick {match} {(await stage.row(match)).version}"
        played = await stage.bot.context.service.play.submit(match, mover.id, text, request=request)
        assert isinstance(played, Played), played
        if number % at_once == 0:
            await stage.env.advance_time(2)
    await stage.env.advance_time(2)


def answers(thread: ChannelHandle, to: discord.Message) -> list[discord.Message]:
    """The bot's messages that reply to one message."""
    return [
        message
        for message in thread.history()
        if message.author.bot and message.reference is not None and message.reference.message_id == to.id
    ]


def button_with(message: discord.Message, label: str) -> str:
    """The id of the button that is labelled so."""
    for child in walk_components(message.components):
        if isinstance(child, discord.Button) and child.label == label:
            return str(child.custom_id)
    raise AssertionError(f"no button says {label}")


def rows_of(message: discord.Message) -> list[list[str]]:
    """Return the labels of a message's buttons, row by row."""
    return [
        [str(child.label) for child in getattr(row, "children", ()) if isinstance(child, discord.Button)]
        for row in walk_components(message.components)
        if isinstance(row, discord.ActionRow) and isinstance(row.children[0], discord.Button)
    ]
