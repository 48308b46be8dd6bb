"""People in real browsers on a real sandbox: what browser tests are written with.

Law: people act on the page as a person would and wait for what they see, never for time.

    async with stage(TinyBot, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        await ann.open("games")
        await ann.slash("/play", game="focus")
        await ann.wait_for(text="The match is in")

The page's stable names (`data-testid`):
`side` the list of channels and people, `channel` an entry of it (`data-name`, `data-channel`), `person` who
one plays as (`data-person`), `hour`, `day`, `restart` the sandbox's own buttons, `menu` the drawer's button
on a phone, `title` the open channel, `log` its messages, `to-end` back to the newest; `message` one of them
(`data-message`, `data-author`), in it `author`, `content`, `picture`, `alt`, `file`, `button` and
`menu-field` (`data-label`, `data-custom`), `menu-list`, `choice` (`data-value`), `reply`, `edit`, `delete`,
`dismiss`, `thread-link`; `text` and `send` the composer, `bar` replying or editing, `status` the bot works,
`suggestions` mentions and commands, `command` the form of one, `option` and `add-option` (`data-option`);
`modal`, `modal-field` (`data-custom`), `modal-submit`; `lightbox`; `notices` and `notice`.
`body[data-open]` is "<channel id>-<person>" once that channel is shown.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Any, Literal

import discord
from playwright.async_api import Browser, BrowserContext, Locator, Page, Playwright, async_playwright, expect

from tests.browser.chromium import ARGUMENTS, chromium
from tests.patience import PATIENCE
from tests.sandbox.page import running

DESKTOP = (1280, 800)
PHONE = (390, 844)
LIMIT = 1000 * PATIENCE  # milliseconds, as Playwright counts
expect.set_options(timeout=LIMIT)


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as shown on a person's page."""

    id: str
    author: str
    text: str
    alts: tuple[str, ...]
    buttons: tuple[str, ...]


class Person:
    """A person at a page of their own."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        self.page = page
        self.url = url
        self.name = name
        self.log = page.get_by_test_id("log")
        self.text = page.get_by_test_id("text")

    # ------------------------------------------------------------------ going about

    async def arrive(self) -> None:
        """Open the page."""
        await self.page.goto(f"{self.url}#/channel/?as={self.name}")
        await self._shown()

    async def _shown(self) -> None:
        await self.page.wait_for_selector(f"body[data-open$='-{self.name}']")

    async def open(self, channel: str) -> None:
        """Open a channel or thread by (a part of) its name, or "direct" for the bot's messages."""
        entries = self.page.get_by_test_id("channel")
        channel = channel.replace("\\", "\\\\").replace('"', '\\"')
        entry = entries.and_(
            self.page.locator(".direct" if channel == "direct" else f'[data-name*="{channel}"]')
        ).first
        await entry.wait_for(state="attached")
        number = await entry.get_attribute("data-channel")
        if not await entry.is_visible():
            await self.page.get_by_test_id("menu").click()
        shown = self.page.locator(f"body[data-open='{number}-{self.name}']")
        await entry.click()
        await shown.wait_for()

    async def become(self, name: str) -> None:
        """Continue as someone else, by the switcher."""
        if not await self.page.get_by_test_id("side").is_visible():
            await self.page.get_by_test_id("menu").click()
        await self.page.locator(f"[data-testid=person][data-person={name}]").click()
        self.name = name
        await self._shown()

    async def _tool(self, name: str) -> None:
        tool = self.page.get_by_test_id(name)
        if not await tool.is_visible():
            await self.page.get_by_test_id("menu").click()
        await tool.click()

    async def hour_later(self) -> None:
        """Let an hour pass."""
        await self._tool("hour")
        await self.notice("One hour has passed")

    async def day_later(self) -> None:
        """Let a day pass."""
        await self._tool("day")
        await self.notice("One day has passed")

    async def restart_bot(self) -> None:
        """Restart the bot and wait until it is back."""
        await self._tool("restart")
        await self.notice("restarted")

    # ------------------------------------------------------------------ writing

    async def say(self, text: str) -> None:
        """Write a message and wait until it was taken."""
        await self.text.fill(text)
        await self.page.get_by_test_id("send").click()
        await expect(self.text).to_have_value("")

    async def reply(self, to: str | Seen, text: str) -> None:
        """Reply to the newest message that holds the text `to`, or to that very message."""
        message = self.message(to)
        await message.hover()
        await message.get_by_test_id("reply").click()
        await self.say(text)

    async def edit(self, old: str | Seen, text: str) -> None:
        """Change one's own message."""
        message = self.message(old)
        await message.hover()
        await message.get_by_test_id("edit").click()
        await self.say(text)

    async def delete(self, which: str | Seen) -> None:
        """Delete one's own message."""
        message = self.message(which)
        await message.hover()
        await message.get_by_test_id("delete").click()
        await expect(message).to_have_count(0)

    async def slash(self, command: str, **options: object) -> None:
        """Run a command; options as a person gives them: names of choices, people, channels; files."""
        name = command.removeprefix("/")
        await self.text.fill(f"/{name}")
        choice = self.page.get_by_test_id("suggestions").locator(f'[data-value="{name}"]')
        await choice.click()
        for option, value in options.items():
            field = self.page.locator(f'[data-testid=option][data-option="{option}"]')
            if not await field.count():
                await self.page.locator(f'[data-testid=add-option][data-option="{option}"]').click()
            if isinstance(value, Path):
                await field.set_input_files(value)
            else:
                await field.fill(str(value))
        if await self.page.get_by_test_id("command").count():
            await self.page.get_by_test_id("send").click()

    # ------------------------------------------------------------------ using what the bot offers

    async def click(self, label: str, on: str | Seen | None = None) -> None:
        """Press a button by its label, on the newest message that has it, or on a given one."""
        where = self.log if on is None else self.message(on)
        await where.locator(f'[data-testid=button][data-label="{label}"]').last.click()

    async def choose(self, menu: str, *labels: str) -> None:
        """Choose in the newest menu with this placeholder."""
        field = self.log.locator(f'[data-testid=menu-field][data-label="{menu}"]').last
        choices = field.locator("..").get_by_test_id("choice")
        first = choices.filter(has_text=labels[0]).first
        await field.click()
        async with asyncio.timeout(PATIENCE):
            while not await first.is_visible():  # the message was edited under the press
                await field.click()
        for label in labels:
            await choices.filter(has_text=label).first.click()
        done = choices.filter(has_text="Done")
        if await done.count() and await done.is_visible():
            await done.click()

    async def choices(self, menu: str) -> list[str]:
        """Open the newest menu with this placeholder, and return the values that it offers."""
        field = self.log.locator(f'[data-testid=menu-field][data-label="{menu}"]').last
        choices = field.locator("..").get_by_test_id("choice")
        await field.click()
        async with asyncio.timeout(PATIENCE):
            while not await choices.first.is_visible():  # the message was edited under the press
                await field.click()
        return [await each.get_attribute("data-value") or "" for each in await choices.all()]

    async def pick(self, value: str) -> None:
        """Choose a value in the menu that is open."""
        await self.log.locator(f'[data-testid=choice][data-value="{value}"]').last.click()

    async def fill_in(self, *values: str | None) -> None:
        """Fill the open form in, field by field from the top (None leaves one alone), and send it off."""
        fields = self.page.get_by_test_id("modal-field")
        await self.page.get_by_test_id("modal").wait_for()
        for index, value in enumerate(values):
            if value is None:
                continue
            field = fields.nth(index)
            if await field.evaluate("element => element.tagName") == "SELECT":
                await field.select_option(label=value)
            else:
                await field.fill(value)
        await self.page.get_by_test_id("modal-submit").click()
        await expect(self.page.get_by_test_id("modal")).to_have_count(0)

    async def dismiss(self, which: str | Seen) -> None:
        """Wave an ephemeral answer away."""
        message = self.message(which)
        await message.get_by_test_id("dismiss").click()
        await expect(message).to_have_count(0)

    # ------------------------------------------------------------------ looking

    def message(self, which: str | Seen) -> Locator:
        """The newest message that holds a text, or a given one."""
        messages = self.log.get_by_test_id("message")
        if isinstance(which, Seen):
            return self.log.locator(f"[data-message='{which.id}']")
        return self._holding(messages, which)

    def _holding(self, messages: Locator, text: str | Pattern[str]) -> Locator:
        # Not in the line above it, which quotes another message.
        return messages.filter(has=self.page.locator(".body, .system", has_text=text)).last

    async def wait_for(self, *, text: str | Pattern[str], by: str | None = None) -> Seen:
        """Wait for a message that holds `text`, by an account if given, and read it."""
        author = f"[data-author='{by}']" if by else ""
        messages = self.log.locator(f"[data-testid=message]{author}")
        found = self._holding(messages, text)
        await found.wait_for(state="visible")
        return await self.read(found)

    async def last_message(self) -> Seen:
        """The newest message of the open channel."""
        return await self.read(self.log.get_by_test_id("message").last)

    async def messages(self) -> list[Seen]:
        """Every message shown, oldest first."""
        return [await self.read(each) for each in await self.log.get_by_test_id("message").all()]

    async def read(self, message: Locator) -> Seen:
        """Return a message as shown."""
        data: dict[str, Any] = await message.evaluate(
            """element => ({
                id: element.dataset.message, author: element.dataset.author,
                text: [...element.querySelectorAll('.md')].map((part) => part.innerText).join('\\n').trim()
                    || (element.querySelector('[data-testid=content]') ? '' : element.innerText),
                alts: [...element.querySelectorAll('.frame img')].map((picture) => picture.alt),
                buttons: [...element.querySelectorAll('[data-testid=button]')].map((b) => b.dataset.label),
            })"""
        )
        return Seen(data["id"], data["author"], data["text"], tuple(data["alts"]), tuple(data["buttons"]))

    async def notice(self, text: str) -> None:
        """Wait for a notice that holds `text`."""
        await self.page.get_by_test_id("notice").filter(has_text=text).first.wait_for()

    async def pictures_loaded(self) -> None:
        """Wait until every picture shown has its pixels."""
        for picture in await self.log.locator("img").all():
            await expect(picture).to_have_js_property("complete", True)

    async def shot(self, path: Path) -> None:
        """A picture of the page."""
        await self.page.screenshot(path=path)


class Scene:
    """A sandbox and the people on it."""

    def __init__(self, url: str, browser: Browser) -> None:
        self.url = url
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    async def person(
        self,
        name: str,
        *,
        size: tuple[int, int] = DESKTOP,
        scheme: Literal["light", "dark"] = "light",
        touch: bool = False,
    ) -> Person:
        """Add a person, in a context of their own: nothing is shared with others' pages."""
        context = await self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=touch,
            is_mobile=touch,
        )
        self.contexts.append(context)
        context.set_default_timeout(LIMIT)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error}"))
        page.on(
            "console",
            lambda said: self.complaints.append(f"{name}: {said.text}") if said.type == "error" else None,
        )
        person = Person(page, self.url, name)
        await person.arrive()
        return person


@dataclass
class SharedBrowser:
    """The one browser of a test session, which its first test starts, and each test after a crash."""

    driver: Playwright | None = None
    browser: Browser | None = None

    async def get(self) -> Browser:
        """Return the browser, started."""
        if self.driver is None:
            self.driver = await async_playwright().start()
        if self.browser is None or not self.browser.is_connected():
            self.browser = await self.driver.chromium.launch(
                executable_path=chromium(), args=list(ARGUMENTS), timeout=LIMIT
            )
        return self.browser

    async def close(self) -> None:
        """Close it."""
        if self.browser is not None:
            await self.browser.close()
        if self.driver is not None:
            await self.driver.stop()
        self.driver = self.browser = None


SHARED = SharedBrowser()


@contextlib.asynccontextmanager
async def browsing(url: str) -> AsyncIterator[Scene]:
    """People on a sandbox that runs anywhere on this machine. The page's own errors fail the test."""
    scene = Scene(url, await SHARED.get())
    try:
        yield scene
    finally:
        for context in scene.contexts:
            await context.close()
    assert scene.complaints == [], scene.complaints


@contextlib.asynccontextmanager
async def stage(make_bot: Callable[[], discord.Client], world: Path, **options: Any) -> AsyncIterator[Scene]:
    """A sandbox in this process with the bot of `make_bot`, and people on it."""
    async with running(make_bot, world, **options) as sandbox, browsing(sandbox.url) as scene:
        yield scene
