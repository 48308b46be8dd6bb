"""The link for adding the bot to one's own account: offered where it works; links and pages of the help."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.actions.help_panel import TOPICS, help_links, help_page
from bot.messages.components import walk_components
from bot.platform.application import install_link, offered_link
from bot.platform.config import load_config
from bot.platform.reader_settings import Reader
from locales import Catalogue
from tests.bot.stage import Stage, shown, text_of
from tests.bot.test_match_panel import MAX_FIRST

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
    account = help_page(stage.bot.context, "account", stage.bot.context.readers.default)
    assert ("Add me to your own account" in account.content) == offered


async def test_without_a_description_nothing_is_offered(stage: Stage) -> None:
    assert offered_link(None) is None
    stage.bot._application = None
    assert "oauth2" not in text_of(await stage.ann.slash(stage.channel, "help"))


async def test_help_links_to_what_the_host_has_set(stage: Stage) -> None:
    parts = walk_components(shown(await stage.ann.slash(stage.channel, "help")).components)
    assert sum(isinstance(each, discord.ActionRow) for each in parts) == 2
    made = load_config(
        {
            "DOMINIUM_PRIVACY_LINK": "https://example.org/p?of=b",
            "DOMINIUM_SUPPORT_LINK": "https://example.org/s",
        }
    )
    ctx = replace(stage.bot.context, config=made)
    links = [(one.label, one.url) for one in help_links(ctx, ctx.readers.default)]
    assert links == [("Support", "https://example.org/s"), ("Privacy policy", "https://example.org/p?of=b")]


async def test_the_links_are_buttons_under_the_panel_and_its_pages(stage: Stage) -> None:
    object.__setattr__(stage.bot.context.config, "terms_link", "https://example.org/t")
    said = shown(await stage.ann.slash(stage.channel, "help"))
    paged = shown(await stage.ann.slash(stage.channel, "help", about="undo"))
    for one in (said, paged):
        *_, row = (each for each in walk_components(one.components) if isinstance(each, discord.ActionRow))
        assert getattr(row.children[-1], "url", None) == "https://example.org/t"


@pytest.mark.parametrize("language", Catalogue().languages)
async def test_no_page_is_longer_than_a_phone_shows(stage: Stage, language: str) -> None:
    stage.bot._application = await described(
        stage, id=str(LONGEST_ID), integration_types_config={"0": {}, "1": {}}
    )
    ctx = stage.bot.context
    reader = Reader(ctx.readers.catalogue, language)
    for content in (True, False):
        of_host = replace(ctx, config=replace(ctx.config, message_content=content))
        for topic in TOPICS:
            page = help_page(of_host, topic, reader).content
            assert len(page) <= MAX_FIRST, (topic, len(page))
    assert install_link(LONGEST_ID) in help_page(ctx, "account", reader).content
