"""What several commands need: resolving the match they are about, and autocompletion."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.match_access import as_seen, may_look
from bot.context import Context
from bot.messages.names import as_code, thread_name
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import msg
from games.engine.normalization import folded
from matches.clocks.control import PRESETS
from matches.clocks.typed import MAX_TYPED, clock_readings, format_clock, suggest_whole_clocks
from matches.clocks.words import clock_words, preset_words
from matches.clocks.zones import zone_names
from matches.long_work import in_thread
from matches.store.rows import MatchRow

MAX_MOVE = 100_000
"""The largest number of a move that can be typed."""
_NO_TEXTS: Final[Mapping[str, str]] = MappingProxyType({})

IN_SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
FOR_SERVERS = app_commands.AppInstallationType(guild=True, user=False)
"""With `IN_SERVERS`: for commands that need the bot in the server."""

Choices: TypeAlias = list[app_commands.Choice[str]]
Complete: TypeAlias = Callable[[Context, discord.Interaction[Any], str], Awaitable[Choices]]
Autocomplete: TypeAlias = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, Choices]]
Callback = TypeVar("Callback", bound=Callable[..., Coroutine[Any, Any, None]])


AnyChannel: TypeAlias = app_commands.AppCommandChannel | app_commands.AppCommandThread
"""A channel or thread as Discord describes it in a command: we needn't know it."""


class ChannelOption(app_commands.Transformer):
    """Takes a channel of some types, or of any if none are given.

    Media channels can't be named among the types: Discord's description of commands doesn't know them.
    """

    def __init__(self, *types: discord.ChannelType) -> None:
        self._types = types

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The type of the option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """The types of channels that people are offered."""
        return list(self._types)

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> AnyChannel:
        """Return the channel as it came."""
        channel: AnyChannel = value
        return channel


async def resolve_match(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str | None, *, started: bool = True
) -> tuple[MatchRow, Reader] | None:
    """Return the match that is named, or played in this channel, or the person's only one, and its reader.

    If there is none that the person may look at, or more than one, answer with a sentence and return None.
    """
    reader = await ctx.readers.of(interaction)
    row = await _find(ctx, interaction, match_id)
    if isinstance(row, tuple):
        ids = tuple(f"`{one.id}`" for one in row[:8])
        key = msg("bot.match.which", matches=ids) if ids else msg("bot.match.none")
        await respond_privately(interaction, Outgoing(reader.say(key)))
        return None
    if row is None or (started and row.version < 0):
        text = reader.say(msg("bot.match.unknown", match=as_code(match_id or "", 12).upper()))
        await respond_privately(interaction, Outgoing(text))
        return None
    return await as_seen(ctx, interaction, row)


async def _find(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str | None
) -> MatchRow | tuple[MatchRow, ...] | None:
    if match_id:
        named = await ctx.service.queries.find(match_id)
        if named is None or not await may_look(ctx, named, interaction.user, interaction.channel_id):
            return None
        return named
    here: tuple[MatchRow, ...] = ()
    if interaction.channel_id is not None:
        here = tuple(await ctx.service.queries.live_in(interaction.channel_id))
        if not here:
            over = await ctx.store.by_place(interaction.channel_id, ("over", "aborted"))
            if over and over[0].place.thread == interaction.channel_id:
                return over[0]
    if not here:
        here = tuple(seen.row for seen in await ctx.service.queries.mine(interaction.user.id))
    if len(here) > 1:
        mine = tuple(r for r in here if ctx.service.queries.seat_of(r, interaction.user.id) is not None)
        here = mine or here
    return here[0] if len(here) == 1 else here


async def match_here(ctx: Context, interaction: discord.Interaction[Any]) -> MatchRow | None:
    """Return the match played in this channel, the person's own first, or the finished one of this thread."""
    if interaction.channel_id is None:
        return None
    rows = await ctx.service.queries.live_in(interaction.channel_id)
    mine = [row for row in rows if ctx.service.queries.seat_of(row, interaction.user.id) is not None]
    if rows:
        return (*mine, *rows)[0]
    over = await ctx.store.by_place(interaction.channel_id, ("over", "aborted"))
    return over[0] if over and over[0].place.thread == interaction.channel_id else None


async def match_to_complete(ctx: Context, interaction: discord.Interaction[Any]) -> MatchRow | None:
    """Return the match to suggest moves for: the one typed so far, or the first that `_find` finds."""
    named = getattr(interaction.namespace, "match", None)
    row = await _find(ctx, interaction, str(named) if named else None)
    if isinstance(row, tuple):
        return row[0] if row else None
    return row


async def complete_match(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the person's live matches, those waiting for them first."""
    mine = await ctx.service.queries.mine(interaction.user.id)
    return _match_choices(ctx, (seen.row for seen in mine), current)


async def complete_watched(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the matches that the person follows, and the one played here."""
    rows = list(await ctx.service.queries.live_in(interaction.channel_id or 0))
    for each in await ctx.store.follows_of(interaction.user.id):
        row = await ctx.service.queries.row(each.match)
        if row is not None and await may_look(ctx, row, interaction.user, interaction.channel_id):
            rows.append(row)
    return _match_choices(ctx, {row.id: row for row in rows}.values(), current)


async def complete_finished(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the person's finished matches."""
    wanted = folded(current).replace("-", "")
    if wanted and not (wanted.isascii() and wanted.isalnum()):
        return []  # no id has such a character
    return _match_choices(ctx, await ctx.store.over_of(interaction.user.id, wanted, MAX_CHOICES), current)


def _match_choices(ctx: Context, rows: Iterable[MatchRow], current: str) -> Choices:
    """Return the matches whose ids have what is typed, each by the name of its thread."""
    wanted = folded(current).replace("-", "")
    return [
        app_commands.Choice(name=thread_name(row, ctx.readers.default), value=row.id)
        for row in rows
        if wanted in row.id.casefold().replace("-", "")
    ][:MAX_CHOICES]


async def complete_move(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest legal moves that begin like the typed text."""
    row = await match_to_complete(ctx, interaction)
    if row is None or row.status != "live":
        return []
    texts = await ctx.service.queries.legal(row.id, interaction.user.id, current, limit=MAX_CHOICES)
    return [app_commands.Choice(name=text[:MAX_CHOICE], value=text[:MAX_CHOICE]) for text in texts]


def describe(ctx: Context, key: str) -> str:
    """Return the description of a command or parameter in the default language."""
    return ctx.readers.default.say(msg(f"command.{key}"))[:MAX_CHOICE]


def command(
    parent: app_commands.CommandTree[Any] | app_commands.Group,
    ctx: Context,
    text: str,
    /,
    *,
    name: str | None = None,
    texts: Mapping[str, str] = _NO_TEXTS,
    **completers: Complete,
) -> Callable[[Callback], Callback]:
    """Return a decorator that adds a function as a command, described by texts, with suggestions.

    The text `command.{text}` describes the command, and the end of that key is its `name`. Options have the
    texts `command.{first part of the key}.{option}`, less a number at the end; `match` has one text
    everywhere. `texts` names those of other options. `completers` suggest what to enter for an option.
    """
    first, last = text.split(".")[0], text.split(".")[-1]

    def text_of(option: str) -> str:
        base = option.rstrip("0123456789")
        usual = "match" if option == "match" else f"{first}.{base}"
        return texts.get(option) or texts.get(base) or usual

    def add(callback: Callback) -> Callback:
        options = list(inspect.signature(callback).parameters)[1:]
        suggested = {option: _completer(ctx, complete) for option, complete in completers.items()}
        app_commands.describe(**{option: describe(ctx, text_of(option)) for option in options})(callback)
        app_commands.autocomplete(**suggested)(callback)
        parent.command(name=name or last, description=describe(ctx, text))(callback)
        return callback

    return add


def _completer(ctx: Context, complete: Complete) -> Autocomplete:
    """Return an autocomplete callback with discord.py's signature."""

    async def completed(interaction: discord.Interaction[Any], current: str) -> Choices:
        return await complete(ctx, interaction, current)

    return completed


@dataclass(frozen=True, slots=True)
class Menu:
    """What people see when they type a slash: the tree, and its groups (docs/adr/0025-fourteen-commands.md).

    Within a group, commands are listed in the order in which they are added: the most used comes first.
    """

    tree: app_commands.CommandTree[Any]
    ask: app_commands.Group
    match: app_commands.Group
    replay: app_commands.Group
    matches: app_commands.Group
    learn: app_commands.Group
    ranking: app_commands.Group
    tournament: app_commands.Group
    settings: app_commands.Group
    server: app_commands.Group
    moderate: app_commands.Group

    @classmethod
    def add_to(cls, tree: app_commands.CommandTree[Any], ctx: Context) -> Menu:
        """Add the groups to the tree, still empty."""

        def group(name: str, right: str = "", *, in_servers: bool = False) -> app_commands.Group:
            bound = bool(right) or in_servers
            added = app_commands.Group(
                name=name,
                description=describe(ctx, f"group.{name}"),
                default_permissions=discord.Permissions(**{right: True}) if right else None,
                allowed_contexts=IN_SERVERS if bound else None,
                allowed_installs=FOR_SERVERS if bound else None,
            )
            tree.add_command(added)
            return added

        return cls(
            tree,
            ask=group("ask"),
            match=group("match"),
            replay=group("replay"),
            matches=group("matches"),
            learn=group("learn"),
            ranking=group("ranking"),
            tournament=group("tournament", in_servers=True),
            settings=group("settings"),
            server=group("server", "manage_guild"),
            moderate=group("moderate", "manage_messages"),
        )


def subgroup(parent: app_commands.Group, ctx: Context, name: str) -> app_commands.Group:
    """Return a new group inside a group, described by the text `command.{name}`."""
    return app_commands.Group(name=name, description=describe(ctx, name), parent=parent)


def game_choices(ctx: Context) -> list[app_commands.Choice[str]]:
    """Return the games as choices, each with its title and pitch."""
    say = ctx.readers.default.say
    return [
        app_commands.Choice(
            name=f"{say(msg(f'{game.key}.title'))}: {say(msg(f'{game.key}.pitch'))}"[:MAX_CHOICE],
            value=game.key,
        )
        for game in registry.all_games()
    ]


async def complete_clock(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest what the typed text can mean, then the presets that contain it, or all if none does.

    Once playing hours are being typed, suggest their time zone.
    """
    say = (await ctx.readers.of(interaction)).say
    if ended := await in_thread(_with_zones, current[:MAX_TYPED]):
        return ended
    listed = {name: say(preset_words(name)) for name in PRESETS}
    wanted = folded(current)
    chosen = {name: label for name, label in listed.items() if wanted in label.casefold()} or listed
    found = [app_commands.Choice(name=label[:MAX_CHOICE], value=name) for name, label in chosen.items()]
    own = clock_readings(current[:MAX_TYPED]) if wanted else ()
    return [
        *(
            app_commands.Choice(name=say(clock_words(each))[:MAX_CHOICE], value=format_clock(each))
            for each in own
            if each not in PRESETS.values()
        ),
        *found,
    ]


def _with_zones(text: str) -> Choices:
    texts = suggest_whole_clocks(text, zone_names())
    return [app_commands.Choice(name=each, value=each) for each in texts if len(each) <= MAX_TYPED]
