"""The sandbox's page in a real browser: everything a person does on it, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.helpers import PHONE, Person, Scene, browsing, stage
from tests.sandbox.page import running
from tests.sandbox.tinybot import TinyBot

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """The tiny bot's sandbox and a browser."""
    async with stage(TinyBot, tmp_path / "sandbox.world") as living:
        yield living


async def test_two_people_talk_and_everything_is_live(scene: Scene) -> None:
    ann, ben = await scene.person("ann"), await scene.person("ben")
    await ann.open("games")
    await ben.open("games")
    await ann.say("hello @Dominium, **welcome** all")
    seen = await ben.wait_for(text="welcome", by="ann")
    assert seen.text == "hello @Dominium, welcome all"
    await expect(ben.message("welcome").locator("strong")).to_have_text("welcome")
    assert (await ben.wait_for(text="You called?")).author == "Dominium"
    await ann.edit("welcome", "welcome, one and all")
    await ben.wait_for(text="one and all(edited)")
    await ann.say("a slip")
    await ben.wait_for(text="a slip")
    await ann.delete("a slip")
    await expect(ben.log.get_by_text("a slip")).to_have_count(0)


async def test_a_click_outlasts_a_change_of_the_list(scene: Scene) -> None:
    ann, ben = await scene.person("ann"), await scene.person("ben")
    await ann.open("games")
    await ben.open("games")
    entry = ben.page.locator("[data-testid=channel][data-name=general]")
    await entry.hover()
    await ben.page.mouse.down()
    await ann.open("general")
    await ann.say("something new")
    await expect(entry.locator(".dot")).to_be_visible()  # the list has changed under the pressed button
    await ann.slash("/play", game="Focus")
    await expect(ben.page.locator("[data-testid=channel].thread")).to_have_count(1)
    await ben.page.mouse.up()
    await ben.wait_for(text="something new")
    await expect(entry).to_have_attribute("aria-current", "page")
    await expect(entry.locator(".dot")).to_have_count(0)


async def test_pictures_and_replies(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("games")
    await ann.say("board")
    board = await ann.wait_for(text="as it stands")
    assert board.alts == ("Eight red pieces face eight green pieces.",)
    await ann.pictures_loaded()

    await ann.page.get_by_test_id("alt").click()
    await expect(ann.log.locator("figcaption")).to_be_visible()
    await ann.page.get_by_test_id("picture").click()
    box = ann.page.get_by_test_id("lightbox")
    await expect(box).to_contain_text("eight green pieces")
    await box.get_by_role("img").click()
    await expect(box).to_have_class("lightbox whole")
    await box.get_by_role("img").press("Enter")
    await expect(box).to_have_class("lightbox")
    await box.click(position={"x": 5, "y": 5})
    await expect(box).to_have_count(0)
    await ann.page.get_by_test_id("picture").click()
    await box.get_by_label("Close the picture").click()
    await expect(box).to_have_count(0)

    await ann.reply(board, "e4-e6")
    answer = await ann.wait_for(text="You replied: e4-e6")
    await expect(ann.message(answer).locator(".quote")).to_contain_text("e4-e6")
    await ann.delete(await ann.wait_for(text="e4-e6", by="ann"))
    await ann.open("general")
    await ann.open("games")
    await expect(ann.message(answer).locator(".quote")).to_have_text("The original message was deleted.")


async def test_commands_with_every_kind_of_option(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("games")
    await ann.slash("/echo", text="hey", times=2, quiet="True", who="Be", where="general")
    answer = await ann.wait_for(text="hey hey")
    assert answer.text == "hey hey @Ben #general"
    await expect(ann.message(answer)).to_contain_text("Only you can see this")
    await expect(ann.message(answer)).to_have_class("message ephemeral")
    await expect(ann.message(answer).locator(".quote")).to_contain_text("Ann used /echo")
    ben = await scene.person("ben")
    await ben.open("games")
    await ann.say("aloud")
    await ben.wait_for(text="aloud")
    await expect(ben.log).not_to_contain_text("hey hey")
    await ann.dismiss(answer)
    await ann.slash("/echo", text="hey", times=9)
    await ann.notice("≤ 3")

    await ann.slash("/play", game="Focus")
    assert (await ann.wait_for(text="The match is in")).text == "The match is in #focus: Ann."
    await ann.message("The match is in").get_by_role("link").click()
    await expect(ann.page.get_by_test_id("title")).to_have_text("focus: Ann")
    await ann.wait_for(text="Your move.")
    await ann.open("games")
    await expect(ann.page.get_by_test_id("thread-link")).to_have_text("focus: Ann")
    await ann.say("long")
    await expect(ann.page.locator("[data-testid=channel].thread .name")).to_have_text(
        [re.compile("A match with"), "focus: Ann"]  # the newest first
    )


async def test_a_command_by_keyboard_alone(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("games")
    press, write = ann.page.keyboard.press, ann.page.keyboard.type
    await expect(ann.text).to_be_focused()
    await write("/pi")
    await ann.page.get_by_test_id("suggestions").get_by_text("/pick").wait_for()
    await press("Enter")
    field = ann.page.get_by_test_id("option")
    await expect(field).to_be_focused()
    await expect(ann.page.get_by_role("option")).to_have_count(4)
    await expect(ann.page.get_by_role("option", selected=True)).to_have_count(0)
    await write("ap")
    await expect(ann.page.get_by_role("option")).to_have_text(["Apple", "Apricot"])
    await press("ArrowDown")
    await press("Enter")
    await expect(field).to_have_value("Apricot")
    await press("Enter")
    assert (await ann.wait_for(text="You picked")).text == "You picked apricot."
    await expect(ann.text).to_be_focused()

    await write("/echo text:typed out times:3")
    await press("Escape")  # the suggestions
    await press("Enter")
    await ann.wait_for(text="typed out typed out typed out")
    await write("/echo")
    await press("Enter")
    await press("Escape")
    await expect(ann.page.get_by_test_id("command")).to_have_count(0)

    await write("one")
    await press("Shift+Enter")
    await write("two @ca")
    for _ in "@ca":
        await press("Backspace")
    await write("@Clé")
    await press("Enter")
    await expect(ann.text).to_have_value("one\ntwo @Cléo ")
    await press("Enter")
    assert (await ann.wait_for(text="two @Cléo")).text == "one\ntwo @Cléo"
    await press("ArrowUp")
    await expect(ann.page.get_by_test_id("bar")).to_contain_text("Editing")
    await press("Escape")
    await expect(ann.page.get_by_test_id("bar")).to_be_hidden()


async def test_buttons_menus_and_forms(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("games")
    await ann.say("desk")
    desk = await ann.wait_for(text="desk is open")
    assert desk.buttons == ("Join", "Fill in", "Count 0", "Closed", "Rules")
    await expect(ann.page.locator("[data-label=Closed]")).to_be_disabled()
    await expect(ann.page.locator("[data-label='Fill in']")).to_have_class("button danger")
    await ann.click("Join")
    welcome = await ann.wait_for(text="Welcome, Ann.")
    await expect(ann.message(welcome).locator(".quote")).to_contain_text("Ann used a button")
    await ann.choose("Fruit", "Banana", "Cherry")
    await ann.wait_for(text="Chosen: banana and cherry")
    await ann.choose("Friend", "Eve")
    await ann.wait_for(text="Friend: @Eve")
    await ann.click("Fill in")
    await ann.fill_in("Ann", "a long story", "Red")
    await ann.wait_for(text="Ann plays Red: a long story")
    await ann.page.locator("[data-label='Count 0']").focus()
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.locator("[data-label='Count 1']")).to_be_visible()
    focus = await ann.page.evaluate("document.activeElement.closest('[data-message]').dataset.message")
    assert focus == desk.id
    await ann.say("card")
    layout = ann.log.locator(".layout")
    await expect(layout).to_contain_text("small print")
    await expect(layout).to_have_attribute("style", "--stripe: #2f6b4f;")
    await expect(ann.page.get_by_test_id("picture")).to_have_count(1)
    await expect(layout.locator(".menu-field")).to_contain_text("Green")
    await layout.locator(".menu-field").click()
    await expect(layout.get_by_test_id("choice")).to_have_text(["Red", "●Greenas grass"])
    await expect(layout).to_contain_text("The sandbox can't show this: component 14.")


async def test_an_open_menu_outlasts_an_edit(scene: Scene) -> None:
    ann, ben = await scene.person("ann"), await scene.person("ben")
    for person in (ann, ben):
        await person.open("games")
    await ann.say("desk")
    await ben.wait_for(text="desk is open")
    await ann.page.locator("[data-label=Fruit]").click()
    banana = ann.page.get_by_test_id("choice").filter(has_text="Banana")
    await expect(banana).to_be_visible()
    await ben.click("Count 0")
    await expect(ann.page.locator("[data-label='Count 1']")).to_be_visible()
    await expect(banana).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(banana).to_be_hidden()


async def test_text_is_never_markup(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("general")
    nasty = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert(1)</script>"
    await ann.say(nasty)
    assert (await ann.wait_for(text="onerror")).text == nasty
    await expect(ann.log.locator("script, a")).to_have_count(0)
    await ann.say(
        "`a<b` ||hidden|| ||too|| <t:0:R> ~~no~~ https://example.org/x.\n# Head\n-# small\n```\ncode <b>\n```"
    )
    message = ann.message("Head")
    await expect(message.locator("h2")).to_have_text("Head")
    await expect(message.locator("pre")).to_have_text("code <b>")
    await expect(message.locator("a")).to_have_attribute("href", "https://example.org/x")
    await expect(message.locator("time.stamp")).to_contain_text("years ago")
    hidden = message.locator(".spoiler")
    await hidden.first.click()
    await hidden.last.press("Enter")
    await expect(hidden).to_have_class(["spoiler shown", "spoiler shown"])


async def test_switching_people_and_unread_marks(scene: Scene) -> None:
    ann, ben = await scene.person("ann"), await scene.person("ben")
    await ben.open("general")
    await ann.open("games")
    await ann.say("psst, @Ben")
    games = ben.page.locator("[data-testid=channel][data-name=games]")
    await expect(games).to_have_class("channel channel unread")
    await expect(games.locator(".badge")).to_have_text("1")
    await ben.open("games")
    await expect(games).to_have_class("channel channel")
    await expect(ben.message("psst")).to_have_class("message ping")
    await ann.say("@Ben?")
    await ben.wait_for(text="@Ben?")
    await expect(games.locator(".badge")).to_have_count(0)
    await ben.open("general")
    await expect(games).to_have_class("channel channel")

    await ann.open("direct")
    await ann.say("only me")
    await ann.wait_for(text="You said: only me")
    await ann.become("cleo")
    await expect(ann.page).to_have_url(f"{scene.url}#/channel/{await _open(ann)}?as=cleo")
    await expect(ann.log).not_to_contain_text("only me")
    await expect(ann.page.locator(".channel.unread")).to_have_count(0)  # nothing is new at the first visit
    await ann.page.reload()
    await expect(ann.page.get_by_test_id("title")).to_have_text("Dominium")


async def _open(person: Person) -> str:
    number = await person.page.evaluate("document.body.dataset.open.split('-')[0]")
    return str(number)


async def test_the_sandboxs_own_buttons_and_errors(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("games")
    skew = """async () => (await import("/static/store.js")).state.skew"""
    before = await ann.page.evaluate(skew)
    await ann.slash("/play", game="Focus")
    await ann.wait_for(text="The match is in")
    await ann.say(f"<t:{await ann.page.evaluate('Math.floor(Date.now() / 1000)')}:R>")
    await ann.say("remind")
    await ann.hour_later()
    await ann.day_later()
    await ann.wait_for(text="An hour has passed.", by="Dominium")
    await expect(ann.log.locator("time.stamp")).to_have_text("yesterday")
    await expect(ann.page.locator(".thread")).to_have_class("channel thread unread archived")
    await ann.open("focus: Ann")
    await expect(ann.page.locator(".topic")).to_have_text("Thread in #games · archived")
    await expect(ann.page.locator(".thread")).to_have_class("channel thread archived")
    await ann.open("games")
    assert round((await ann.page.evaluate(skew) - before) / 3_600_000) == 25  # hours
    await ann.say("desk")
    await ann.restart_bot()
    await ann.click("Count 0")
    await ann.wait_for(text="desk is open")
    await expect(ann.page.locator("[data-label='Count 1']")).to_be_visible()
    await ann.say("boom")
    await ann.notice("the tiny bot fell over")


async def test_a_long_log_stays_at_its_end_and_grows_upwards(scene: Scene) -> None:
    ann, ben = await scene.person("ann"), await scene.person("ben")
    await ann.open("general")
    await ben.open("general")
    # Through the page's own line: sixty times the composer would test nothing more.
    await ann.page.evaluate(
        """async () => {
            const { line, state } = await import("/static/store.js");
            const say = (n) => line.ask("send", { channel: state.open, text: `line ${n}` });
            for (let n = 0; n < 60; n += 1) await say(n);
        }"""
    )
    await expect(ben.log.get_by_text("line 59", exact=True)).to_be_in_viewport()
    await ben.page.reload()
    await ben.wait_for(text="line 59")
    assert len(await ben.messages()) == 50
    # What is older than the messages shown comes with its neighbours, also when it changes.
    await ann.page.evaluate(
        """async () => {
            const { line, state } = await import("/static/store.js");
            const oldest = [...state.messages.get(state.open).keys()][0];
            await line.ask("edit", { channel: state.open, message: oldest, text: "the first" });
            await line.ask("send", { channel: state.open, text: "line 60" });
        }"""
    )
    await ben.wait_for(text="line 60")
    await expect(ben.log.get_by_test_id("content").first).to_have_text("line 10")
    await ben.page.get_by_test_id("log").hover()
    await ben.page.mouse.wheel(0, -10_000)
    await ben.wait_for(text="line 1")
    await expect(ben.log.get_by_text("line 10", exact=True)).to_be_attached()
    await ben.page.mouse.wheel(0, -10_000)
    await expect(ben.log.get_by_text("the first")).to_be_in_viewport()
    await ann.say("one more")
    await ben.page.get_by_test_id("to-end").click()
    await expect(ben.log.get_by_text("one more", exact=True)).to_be_in_viewport()


async def _too_wide(person: Person) -> object:
    """Return the elements that reach over the edge of the screen."""
    return await person.page.evaluate(
        """[...document.querySelectorAll(".room *")]
            .filter((one) => one.offsetParent && one.getBoundingClientRect().right > innerWidth + 1)
            .map((one) => one.outerHTML.slice(0, 80))"""
    )


@pytest.mark.parametrize("size", [PHONE, (360, 640)], ids=["390", "360"])
async def test_on_a_phone(scene: Scene, size: tuple[int, int]) -> None:
    ann = await scene.person("ann", size=size, touch=True, scheme="dark")
    await expect(ann.page.get_by_test_id("side")).to_be_hidden()
    await ann.open("games")
    await ann.say("desk")
    await ann.click("Join")
    await ann.wait_for(text="Welcome, Ann.")
    await ann.say("board")
    await ann.wait_for(text="as it stands")
    await ann.pictures_loaded()
    await ann.slash("/echo", text="a rather long line that has to be broken", who="Ben")
    await ann.wait_for(text="rather long line")
    assert await _too_wide(ann) == []
    await ann.say("long")
    await ann.open("A match with")
    await ann.wait_for(text="wordword")
    await ann.pictures_loaded()
    assert await _too_wide(ann) == []
    await ann.open("games")
    await ann.page.get_by_test_id("menu").click()
    await expect(ann.page.get_by_test_id("side")).to_be_visible()
    await expect(ann.page.locator("[aria-current=page]")).to_be_focused()
    await expect(ann.page.locator("#room")).to_have_js_property("inert", True)
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.get_by_test_id("side")).to_be_hidden()
    await expect(ann.page.get_by_test_id("side")).to_have_js_property("inert", True)
    await expect(ann.page.get_by_test_id("menu")).to_be_focused()
    await ann.page.get_by_test_id("menu").click()
    await ann.page.locator("#veil").click(position={"x": size[0] - 5, "y": 300})
    await expect(ann.page.get_by_test_id("side")).to_be_hidden()
    await ann.become("ben")
    await ann.wait_for(text="rather long line")


async def test_the_page_waits_for_a_sandbox_that_comes_back(tmp_path: Path) -> None:
    world = tmp_path / "sandbox.world"
    async with browsing("") as scene:
        async with running(TinyBot, world) as first:
            scene.url = first.url
            ann = await scene.person("ann")
            await ann.open("general")
            await ann.say("before")
            await ann.text.fill("a draft")
        await ann.notice("doesn't answer")
        async with running(TinyBot, world, port=int(first.url.rstrip("/").rsplit(":", 1)[1])):
            await ann.page.wait_for_selector("body[data-open$='-ann']")
            await expect(ann.text).to_have_value("a draft")
            await ann.say("after")
            await ann.wait_for(text="after")
            assert [seen.text for seen in await ann.messages()] == ["before", "after"]
            await ann.page.goto("about:blank")
        scene.complaints.clear()  # the browser's own, about an address that did not answer
