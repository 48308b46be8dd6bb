"""What of the sandbox's page shows seldom: refusals, keys, markdown, times."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.helpers import Scene, stage
from tests.sandbox.tinybot import TinyBot

pytestmark = pytest.mark.browser

LONG = "x" * 2001
"""More than Discord takes as a message; the page takes it."""


@pytest_asyncio.fixture(loop_scope="session")
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """The tiny bot's sandbox and a browser."""
    async with stage(TinyBot, tmp_path / "sandbox.world") as living:
        yield living


async def test_what_is_refused_can_be_mended(scene: Scene) -> None:
    ann = await scene.person("ann")
    page, press = ann.page, ann.page.keyboard.press
    bar, problem, nothing = page.get_by_test_id("bar"), page.locator(".problem"), page.locator(".empty")
    await expect(nothing).to_contain_text("Welcome to #games")
    await expect(page.get_by_test_id("send")).to_be_disabled()
    await ann.say("mine")
    await expect(nothing).to_have_count(0)
    await ann.delete("mine")
    await expect(nothing).to_have_count(1)
    await ann.say("mine")
    await ann.say("desk")
    await expect(page.get_by_test_id("message").nth(1)).to_have_class("message follow")
    await expect(page.locator(".day")).to_have_count(1)
    desk = await ann.wait_for(text="desk is open")

    await ann.text.fill("a draft")
    await ann.message("mine").hover()
    await ann.message("mine").get_by_test_id("edit").click()
    await expect(ann.text).to_have_value("mine")
    await ann.text.fill(LONG)
    await press("Enter")
    await ann.notice("The limit is 2000")
    await expect(ann.text).to_have_value(LONG)
    await expect(bar).to_contain_text("Editing your message")
    await page.get_by_label("Stop editing").click()
    await expect(ann.text).to_have_value("a draft")
    await expect(bar).to_be_hidden()

    await ann.message(desk).hover()
    await ann.message(desk).get_by_test_id("reply").click()
    await ann.text.fill(LONG)
    await press("Enter")
    await expect(ann.text).to_have_value(LONG)
    await expect(bar).to_contain_text("Replying to Dominium")
    await ann.open("general")
    await expect(ann.text).to_have_value("")
    await ann.open("games")
    await expect(ann.text).to_have_value(LONG)
    await ann.message(desk).hover()
    await ann.message(desk).get_by_test_id("reply").click()
    await ann.say("short")
    await ann.wait_for(text="You replied: short")
    short = await ann.wait_for(text="short", by="ann")
    scroll = page.locator("#scroll")
    await scroll.evaluate(
        """scroll => {
            scroll.style.maxHeight = "80px";
            return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }"""
    )
    await expect(ann.message(desk)).not_to_be_in_viewport()
    there = await ann.message(short).evaluate(
        """message => {
            message.querySelector("button.quote").click();
            return document.querySelector(".flash").dataset.message;
        }"""
    )
    assert there == desk.id
    await expect(ann.message(desk)).to_be_in_viewport()
    await scroll.evaluate("scroll => { scroll.style.maxHeight = ''; }")

    await ann.click("Fill in")
    name = page.get_by_test_id("modal-field").first
    await expect(name).to_be_focused()
    await expect(page.get_by_test_id("modal")).to_contain_text("Name *")
    await expect(name).to_have_attribute("maxlength", "20")
    await name.evaluate("field => field.removeAttribute('maxlength')")
    await name.fill("x" * 30)
    await page.get_by_test_id("modal-submit").click()
    await expect(problem).to_contain_text("max_length")
    await ann.fill_in("Ann")
    await ann.wait_for(text="Ann plays Green: of old, Slow")
    await ann.click("Fill in")
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_test_id("modal")).to_have_count(0)

    await page.locator("[data-label=Join]").evaluate("join => { join.click(); join.click(); }")
    closed = page.locator("[data-label=Closed]")
    await closed.evaluate("closed => { closed.disabled = false; closed.click(); }")
    await ann.notice("disabled")
    await expect(closed).not_to_have_attribute("aria-busy", "true")
    await ann.say("@Dominium")
    await ann.wait_for(text="You called?")
    await expect(ann.log.get_by_text("Welcome, Ann.")).to_have_count(1)
    await ann.text.fill("/fail ")
    await press("Enter")
    await ann.notice("the command fell over")


async def test_menus_commands_and_suggestions_by_keyboard(scene: Scene) -> None:
    ann = await scene.person("ann")
    await ann.open("games")
    page, press, write = ann.page, ann.page.keyboard.press, ann.page.keyboard.type
    active, option = page.locator("[role=option][aria-selected=true]"), page.get_by_test_id("option")
    await ann.say("desk")
    fruit = page.locator("[data-label=Fruit]")
    await fruit.focus()
    await press("ArrowDown")
    await expect(active).to_have_text("○Apple")
    await press("ArrowUp")
    await expect(active).to_have_text("Done1 to 2")
    await press("Enter")  # nothing is chosen yet
    await expect(active).to_be_visible()
    await press("ArrowDown")
    for _ in range(3):
        await press("Enter")
        await press("ArrowDown")
    await expect(active).to_have_text("○Cherry")
    await fruit.click()
    await expect(page.get_by_test_id("menu-list").first).to_be_hidden()
    await fruit.click()
    shown = fruit.locator("..").get_by_test_id("choice")
    await expect(shown).to_have_text(["●Apple", "●Apricot", "○Banana", "○Cherry", "Done1 to 2"])
    await shown.nth(0).click()
    await press("ArrowUp")
    await press("Enter")
    await ann.wait_for(text="Chosen: apricot")
    await fruit.click()
    await expect(active).to_be_visible()
    await page.locator("#top").click()
    await expect(active).to_be_hidden()

    await page.locator("#skip").focus()
    await press("Enter")
    await expect(ann.text).to_be_focused()
    await write("/echo ")
    await press("Enter")
    about, more = page.locator(".about"), page.get_by_test_id("add-option")
    await expect(about).to_have_text("What to say")
    await page.get_by_test_id("send").click()
    await expect(about).to_have_text("text is needed: What to say")
    await expect(option).to_be_focused()
    await more.first.click()
    await expect(about).to_have_text("How often (optional)")
    await expect(option).to_have_count(2)
    await press("Backspace")
    await expect(option).to_be_focused()  # the only one left
    await expect(more.first).to_have_text("+ times")
    await more.nth(1).click()
    await press("Enter")
    await expect(option.last).to_have_value("True")
    await expect(option.first).to_be_focused()  # the next to fill in
    await press("Backspace")
    await expect(option).to_have_count(0)
    await write("/echo ")
    await press("Enter")
    await page.get_by_label("Leave the command").click()
    await expect(option).to_have_count(0)

    await write("/nothing like that")
    await press("Enter")
    await ann.wait_for(text="/nothing like that")
    await write("see @Dominium, #sp")
    await page.locator("#top").click()
    await expect(page.get_by_role("option")).to_have_count(0)
    await ann.text.focus()
    await write("e")
    await expect(page.get_by_role("option")).to_have_text(["#spectators"])
    await press("Tab")
    await expect(ann.text).to_have_value("see @Dominium, #spectators ")
    await press("Enter")
    await expect(ann.message("see").get_by_role("link")).to_have_text("#spectators")
    await ann.wait_for(text="You called?")
    await press("ArrowUp")
    await expect(ann.text).to_have_value("see @Dominium, #spectators")
    await press("Escape")
    await expect(ann.text).to_have_value("")

    await page.evaluate("() => { const now = Date.now(); Date.now = () => now; }")  # it ends by nothing else
    await ann.say("think")
    await expect(page.get_by_test_id("status")).to_have_text("Dominium is working…")
    await ann.say("@Dominium")
    await expect(page.get_by_test_id("status")).to_have_text("")
    await ann.say("think")
    await expect(page.get_by_test_id("status")).to_have_text("Dominium is working…")
    await ann.open("general")
    await expect(page.get_by_test_id("status")).to_have_text("")


MARKDOWN = {
    "**a** __b__ ~~c~~ *d* _e_ ***f***": "<p><strong>a</strong> <u>b</u> <s>c</s> <em>d</em> <em>e</em>"
    " <strong><em>f</em></strong></p>",
    "**a *b* c** *a **b** c* *a * **": "<p><strong>a <em>b</em> c</strong> <em>a <strong>b</strong> c</em>"
    " *a * **</p>",
    "snake_case_ 2 * 3 * 4, **open *end": "<p>snake_case_ 2 * 3 * 4, **open *end</p>",
    r"\*a\* \a **b\*\*** _c\_d_": r"<p>*a* \a <strong>b**</strong> <em>c_d</em></p>",
    "``a`b`` `*c*` `": "<p><code>a`b</code> <code>*c*</code> `</p>",
    "# A\n## B\n### C\n#### D\n-# small": '<h2 class="heading">A</h2><h3 class="heading">B</h3>'
    '<h4 class="heading">C</h4><p>#### D</p><p class="small">small</p>',
    "a\nb\n> *q*\nc": "<p>a<br>b</p><blockquote><em>q</em></blockquote><p>c</p>",
    "- a\n- *b*\nc\n  * d": "<ul><li>a</li><li><em>b</em></li></ul><p>c</p><ul><li>d</li></ul>",
    "a```py\nx *y*\n```b": '<p>a</p><pre tabindex="0"><code>x *y*</code></pre><p>b</p>',
    "```never closed": "<p>```never closed</p>",
    "(https://a.org/b), xhttps://a.org": '<p>(<a href="https://a.org/b">https://a.org/b</a>), xhttps://a.org</p>',
    "[a](https://a.org/b) [c](<http://d.org>) [e](ftp://f.org)": '<p><a href="https://a.org/b">a</a>'
    ' <a href="http://d.org">c</a> [e](ftp://f.org)</p>',
    "<@ME> https://discord.com/channels/1/HERE/2": '<p><span class="mention me">@Ann</span> '
    '<a href="#/channel/HERE?as=ann">https://discord.com/channels/1/HERE/2</a></p>',
    "||||": "<p>||||</p>",
    "<@1> <#1> <t:0:Q> <@x>": '<p><span class="mention">@somebody</span> '
    '<span class="mention">#unknown</span> &lt;t:0:Q&gt; &lt;@x&gt;</p>',
}
"""Texts, and the elements they become."""

TIMES = {
    0: "now", 59: "in 59 seconds", -61: "1 minute ago", 5500: "in 2 hours", -86_500: "yesterday",
    2_700_000: "next month", 70_000_000: "in 2 years",
}  # fmt: skip
"""Seconds from now, in words."""


async def test_markdown_times_notices_and_pictures(scene: Scene) -> None:
    ann = await scene.person("ann")
    drawn, times = await ann.page.evaluate(
        """async ([texts, seconds]) => {
            const { markdown } = await import("/static/markdown.js");
            const { inWords } = await import("/static/clock.js");
            const { now, state } = await import("/static/store.js");
            const html = (text) => {
                const box = document.createElement("div");
                box.append(markdown(text.replace("ME", state.me.id).replaceAll("HERE", state.open)));
                return box.innerHTML.replaceAll(' target="_blank" rel="noopener noreferrer"', "")
                    .replaceAll(state.open, "HERE");
            };
            return [texts.map(html), seconds.map((each) => inWords(now() + 1000 * each))];
        }""",
        [list(MARKDOWN), list(TIMES)],
    )
    assert dict(zip(MARKDOWN, drawn, strict=True)) == MARKDOWN
    assert dict(zip(TIMES, times, strict=True)) == TIMES
    notices = await ann.page.evaluate(
        """async () => {
            const { notice } = await import("/static/notices.js");
            const shown = () => document.querySelectorAll(".notice").length;
            notice("Once");
            notice("Once");
            const once = shown();
            document.querySelector(".notice button").click();
            return [once, shown()];
        }"""
    )
    assert notices == [1, 0]
    kept = await ann.page.evaluate(
        """async () => {
            const { picture } = await import("/static/media.js");
            const old = document.createElement("div");
            old.append(picture("/static/icon.svg", "a board"));
            const same = (url, alt) => picture(url, alt, old) === old.firstChild;
            const icon = "/static/icon.svg";
            return [same(icon, "a board"), same(`${icon}?`, "a board"), same(icon, "")];
        }"""
    )
    assert kept == [True, False, False]
