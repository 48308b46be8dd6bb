"""The link for adding the bot to one's own account: offered where it works, and `/help` stays one message."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.actions.help_text import help_links, help_text
from bot.messages.outgoing import MAX_CONTENT
from bot.platform.config import load_config
from bot.platform.readers import Reader
from bot.platform.user_install import install_link, offered_link
from locales import Catalogue
from tests.bot.stage import Stage, shown, text_of

LONGEST_ID = 2**64 - 1


async def described(stage: Stage, **fields: Any) -> discord.AppInfo:
    """The application as Discord would describe it, with these fields."""
    told: Any = await stage.bot.http.application_info()
    return discord.AppInfo(stage.bot._connection, told | fields)


@pytest.mark.parametrize(
    ("config", "offered"),
    [
        ({"0": {}, "1": {}}, True),
        ({"1": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}}, True),
        ({"0": {}}, False),
        ({}, False),
        (None, False),
        ({"0": {}, "1": None}, False),
        ({"0": {}, "1": {"oauth2_install_params": None}}, False),
    ],
)
async def test_the_link_is_offered_where_the_application_allows_it(
    stage: Stage, config: Any, offered: bool
) -> None:
    application = await described(stage, integration_types_config=config)
    assert offered_link(application) == (install_link(application.id) if offered else None)
    stage.bot._application = application
    said = text_of(await stage.ann.slash(stage.channel, "help"))
    assert ("Add me to your own account" in said) == offered
    assert (f"client_id={application.id}&integration_type=1&scope=applications.commands>" in said) == offered
    (helped,) = await stage.hears(stage.channel, stage.ben.send(stage.channel, f"{stage.mention} help"))
    assert ("Add me to your own account" in helped.content) == offered


async def test_without_a_description_nothing_is_offered(stage: Stage) -> None:
    assert offered_link(None) is None
    stage.bot._application = None
    assert "oauth2" not in text_of(await stage.ann.slash(stage.channel, "help"))


async def test_help_links_to_what_the_host_has_set(stage: Stage) -> None:
    assert shown(await stage.ann.slash(stage.channel, "help")).components == []
    made = load_config(
        {
            "DOMINIUM_PRIVACY_LINK": "https://example.org/p?of=b",
            "DOMINIUM_SUPPORT_LINK": "https://example.org/s",
        }
    )
    ctx = replace(stage.bot.context, config=made)
    links = [(one.label, one.url) for one in help_links(ctx, ctx.readers.default)]
    assert links == [("Support", "https://example.org/s"), ("Privacy policy", "https://example.org/p?of=b")]


async def test_the_links_are_buttons_under_every_answer(stage: Stage) -> None:
    object.__setattr__(stage.bot.context.config, "terms_link", "https://example.org/t")
    said = shown(await stage.ann.slash(stage.channel, "help"))
    (helped,) = await stage.hears(stage.channel, stage.ben.send(stage.channel, f"{stage.mention} help"))
    for one in (said, helped):
        (row,) = one.components
        assert isinstance(row, discord.ActionRow)
        assert [getattr(button, "url", None) for button in row.children] == ["https://example.org/t"]


@pytest.mark.parametrize("language", Catalogue().languages)
async def test_help_fits_into_one_message_wherever_it_is_asked_for(stage: Stage, language: str) -> None:
    stage.bot._application = await described(
        stage, id=str(LONGEST_ID), integration_types_config={"0": {}, "1": {}}
    )
    ctx = stage.bot.context
    reader = Reader(ctx.readers.catalogue, language)
    for content in (True, False):
        of_host = replace(ctx, config=replace(ctx.config, message_content=content))
        for here in (True, False):
            said = help_text(of_host, reader, here=here)
            assert install_link(LONGEST_ID) in said
            assert len(said) <= MAX_CONTENT
