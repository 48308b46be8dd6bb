"""What a person can do: write, answer, run commands, press, choose, fill in.

Each is done through SimCord's actors, which refuse what a real person could not do; a refusal comes
back as `RefusedError` with its reason. The outcome of an interaction may be a modal, at once or later.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import simcord
from simcord.backend.models import Channel, Interaction
from simcord.enums import ComponentType, OptionType
from simcord.interactions import walk_to_subcommand

from sandbox.world import RefusedError, World

_CONTENT_LIMIT = 2000

Actor = simcord.MemberActor | simcord.UserHandle
Modal = dict[str, Any]


class Actions:
    """Everything people do in `world`. Ids are numbers, `person` is a user's id."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._modals: dict[int, Interaction] = {}
        self.dismissed: set[tuple[int, int]] = set()
        """(person, message) of ephemeral answers that were waved away."""
        self.on_modal: Callable[[int, int, Modal], None] = lambda _person, _interaction, _modal: None
        """Called with person, interaction and modal when a bot opens one."""
        world.answered = self._answered

    # ------------------------------------------------------------------ who and where

    def _channel(self, channel_id: int) -> Channel:
        channel = self._world.backend.channels.get(channel_id)
        if channel is None:
            raise RefusedError("This channel no longer exists.")
        return channel

    def _place(self, person: int, channel_id: int) -> tuple[Actor, simcord.ChannelHandle]:
        channel, user, world = self._channel(channel_id), self._world.person(person), self._world
        if channel.guild_id is None:
            return user, simcord.ChannelHandle(world.env, None, channel)
        member = simcord.MemberActor(world.env, world.guild, user)
        return member, simcord.ChannelHandle(world.env, world.guild, channel)

    def _message(self, channel_id: int, message_id: int) -> simcord.ResponseMessage:
        stored = self._world.backend.messages.get(channel_id, {}).get(message_id)
        if stored is None:
            raise RefusedError("This message no longer exists.")
        return simcord.ResponseMessage(self._world.env, stored)

    def _open(self, channel_id: int) -> None:
        meta = self._channel(channel_id).thread_metadata
        if meta is not None and meta.archived:
            raise RefusedError("This thread is archived. Send a message to reopen it.")

    def _writable(self, person: int, channel_id: int, text: str) -> None:
        if not text.strip():
            raise RefusedError("There is nothing to send.")
        if len(text) > _CONTENT_LIMIT:
            raise RefusedError(f"This message has {len(text)} characters. The limit is {_CONTENT_LIMIT}.")
        meta = self._channel(channel_id).thread_metadata
        if meta is not None and meta.locked and person != self._world.guild.owner.id:
            raise RefusedError("This thread is locked.")

    # ------------------------------------------------------------------ messages

    async def send(self, person: int, channel_id: int, text: str, reply_to: int | None = None) -> None:
        """Write a message, or a reply that pings."""
        self._writable(person, channel_id, text)
        actor, channel = self._place(person, channel_id)
        target = None if reply_to is None else self._message(channel_id, reply_to)

        async def action() -> object:
            if isinstance(actor, simcord.MemberActor):
                return await actor.send(channel, text, reply_to=target)
            reference = None
            if target is not None:
                reference = {"channel_id": str(channel_id), "message_id": str(target.id)}
            return await actor.send_dm(text, reference=reference)

        await self._world.act(person, action)

    async def edit(self, person: int, channel_id: int, message_id: int, text: str) -> None:
        """Edit one's own message."""
        self._writable(person, channel_id, text)
        actor, _ = self._place(person, channel_id)
        message = self._message(channel_id, message_id)
        await self._world.act(person, lambda: actor.edit(message, text))

    async def delete(self, person: int, channel_id: int, message_id: int) -> None:
        """Delete one's own message."""
        actor, _ = self._place(person, channel_id)
        message = self._message(channel_id, message_id)
        await self._world.act(person, lambda: actor.delete(message))

    def dismiss(self, person: int, channel_id: int, message_id: int) -> None:
        """Dismiss an ephemeral answer; only its reader can."""
        stored = self._world.backend.messages.get(channel_id, {}).get(message_id)
        if stored is not None and stored.is_ephemeral and stored.visible_to(person):
            self.dismissed.add((person, message_id))
            self._world.backend.delete_message(channel_id, message_id)

    # ------------------------------------------------------------------ commands

    def _command(self, person: int, channel_id: int, name: str) -> dict[str, Any]:
        backend = self._world.backend
        self._place(person, channel_id)
        root_name, *path = name.split()
        for command in backend.visible_commands(user_id=person, channel_id=channel_id):
            if command["name"] == root_name:
                leaf, _ = walk_to_subcommand(command, path)
                return leaf
        raise RefusedError(f"There is no command /{name} here.")

    def _value(self, option: Mapping[str, Any], value: Any) -> Any:
        kind = OptionType(option["type"])
        try:
            if kind is OptionType.INTEGER:
                return int(value)
            if kind is OptionType.NUMBER:
                return float(value)
            if kind is OptionType.BOOLEAN:
                return (
                    value if isinstance(value, bool) else {"true": True, "false": False}[str(value).lower()]
                )
            if kind in {OptionType.USER, OptionType.MENTIONABLE}:
                return self._member(int(value))
            if kind is OptionType.ROLE:
                return self._role(int(value))
            if kind is OptionType.CHANNEL:
                return self._handle(int(value))
            if kind is OptionType.ATTACHMENT:
                return str(value["name"]), b64decode(str(value["data"]), validate=True)
        except (KeyError, TypeError, ValueError):
            raise RefusedError(f"“{str(value)[:40]}” doesn't fit the option {option['name']}.") from None
        return str(value)

    def _member(self, user_id: int) -> Actor:
        world = self._world
        user = world.backend.users.get(user_id)
        if user is None:
            raise RefusedError("Nobody here has that name.")
        handle = simcord.UserHandle(world.env, user)
        if user_id in world.backend.guilds[world.guild.id].members:
            return simcord.MemberActor(world.env, world.guild, handle)
        return handle

    def _role(self, role_id: int) -> simcord.RoleHandle:
        world = self._world
        return simcord.RoleHandle(world.env, world.guild, world.backend.guilds[world.guild.id].roles[role_id])

    def _handle(self, channel_id: int) -> simcord.ChannelHandle:
        return simcord.ChannelHandle(self._world.env, self._world.guild, self._channel(channel_id))

    def _options(self, leaf: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        declared = {option["name"]: option for option in leaf.get("options") or []}
        values = {}
        for name, value in given.items():
            if name not in declared:
                raise RefusedError(f"The command has no option {name}.")
            values[name] = self._value(declared[name], value)
        return values

    async def slash(self, person: int, channel_id: int, name: str, options: Mapping[str, Any]) -> None:
        """Run a command; `options` by name, people and channels by id."""
        self._open(channel_id)
        leaf = self._command(person, channel_id, name)
        values = self._options(leaf, options)
        actor, channel = self._place(person, channel_id)

        async def action() -> object:
            if isinstance(actor, simcord.MemberActor):
                return await actor.slash(channel, name, **values)
            return await actor.slash(name, **values)

        await self._world.act(person, action)

    async def autocomplete(
        self, person: int, channel_id: int, name: str, option: str, value: str, filled: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the choices the bot offers for what was typed so far: name and value each."""
        leaf = self._command(person, channel_id, name)
        others = {key: item for key, item in filled.items() if key != option and item not in ("", None)}
        values = self._options(leaf, others)
        actor, channel = self._place(person, channel_id)

        async def action() -> list[dict[str, Any]]:
            if isinstance(actor, simcord.MemberActor):
                return await actor.autocomplete(channel, name, option, value, **values)
            return await actor.autocomplete(name, option, value, **values)

        return await self._world.act(person, action) or []

    # ------------------------------------------------------------------ components

    async def click(self, person: int, channel_id: int, message_id: int, custom_id: str) -> None:
        """Press a button."""
        actor, _ = self._place(person, channel_id)
        message = self._message(channel_id, message_id)
        await self._world.act(person, lambda: actor.click(message, custom_id=custom_id))

    async def select(
        self, person: int, channel_id: int, message_id: int, custom_id: str, values: Sequence[str]
    ) -> None:
        """Choose in a menu; people by id. Raises RefusedError if the menu is gone."""
        actor, _ = self._place(person, channel_id)
        message = self._message(channel_id, message_id)
        menu = next((part for part in _parts(message.components) if part.get("custom_id") == custom_id), None)
        if menu is None:
            raise RefusedError("This menu no longer exists.")
        chosen = [self._chosen(menu, value) for value in values]
        await self._world.act(person, lambda: actor.select(message, chosen, custom_id=custom_id))

    def _chosen(self, menu: Mapping[str, Any], value: str) -> Any:
        return self._member(int(value)) if menu["type"] == ComponentType.USER_SELECT else value

    async def submit(self, person: int, interaction_id: int, values: Mapping[str, Any]) -> None:
        """Submit a modal; `values` are by custom id.

        Raises RefusedError if the form is closed or has changed.
        """
        interaction = self._modals.get(interaction_id)
        if interaction is None or interaction.modal is None:
            raise RefusedError("This form is no longer open.")
        parts = {
            part["custom_id"]: part for part in _parts(interaction.modal["components"]) if "custom_id" in part
        }
        filled: dict[str, Any] = {}
        for name, value in values.items():
            part = parts.get(name)
            if part is None:
                raise RefusedError("This form has changed.")
            filled[name] = [self._chosen(part, item) for item in value] if isinstance(value, list) else value
        actor, _ = self._place(person, interaction.channel_id)
        shown = simcord.InteractionResult(self._world.env, interaction)
        work: Callable[[], Awaitable[object]] = lambda: actor.submit_modal(shown, filled)  # noqa: E731
        await self._world.act(person, work)
        self._modals.pop(interaction_id, None)

    def _answered(self, interaction_id: int) -> None:
        interaction = self._world.backend.interactions.get(interaction_id)
        if interaction is not None and interaction.modal is not None and interaction_id not in self._modals:
            self._modals[interaction_id] = interaction
            self.on_modal(interaction.user_id, interaction_id, interaction.modal)


def _parts(tree: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return every component of a tree, outermost first."""
    found: list[Mapping[str, Any]] = []
    for part in tree:
        found.append(part)
        found.extend(_parts(part.get("components") or []))
        inner = [part[key] for key in ("component", "accessory") if isinstance(part.get(key), dict)]
        found.extend(_parts(inner))
    return found
