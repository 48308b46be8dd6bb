"""Turns by tapping: a shortcut under the board, and where it asks, what it offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.async_api import expect

from games.engine.game import Done, Partial, Seat, Shortcut
from games.engine.match import Match
from tests.browser.helpers import Person
from tests.browser.house import House

Say = Callable[[Shortcut], str]


def shortcut_to(match: Match, text: str) -> Shortcut:
    """The button that plays a text, or that leads to it."""
    (seat,) = match.to_act
    view = match.game.view(match.state, Seat(seat))
    for each in match.game.shortcuts(view, Seat(seat)):
        asked = match.game.parse(view, Seat(seat), each.text)
        if text == each.text or (isinstance(asked, Partial) and text in asked.choices):
            return each
    raise AssertionError(f"no button leads to {text}")


def warns(match: Match, text: str) -> bool:
    """Whether a legal text of the mover is asked about once before it is played."""
    (seat,) = match.to_act
    view = match.game.view(match.state, seat)
    done = match.game.parse(view, seat, text)
    assert isinstance(done, Done), text
    return match.game.caution(view, seat, done.action) is not None


async def pick(person: Person, text: str) -> None:
    """What a tapped shortcut asked for: a button of the private answer, or an entry of one of its menus."""
    answer = person.log.get_by_test_id("message").last
    await expect(answer.get_by_test_id("dismiss")).to_be_visible()
    button = answer.locator(f'[data-testid=button]:is([data-label="{text}"], [data-label^="{text}: "])')
    if await button.count():
        await button.click()
        return
    for menu in await answer.get_by_test_id("menu-field").all():
        await menu.click()
        choice = menu.locator("..").locator(f'[data-testid=choice][data-value="{text}"]')
        if await choice.count():
            await choice.click()
            return
    raise AssertionError(f"{text} is not offered")


async def tap(house: House, match_id: str, person: Person, say: Say, text: str) -> None:
    """One turn by buttons alone."""
    match = await house.match(match_id)
    board = await person.wait_for(text=f"move {match.plays} ·")
    shortcut = shortcut_to(match, text)
    await person.click(say(shortcut), on=board)
    if shortcut.text != text:
        await pick(person, text)


async def follow(
    house: House, match_id: str, people: dict[str, Person], texts: Sequence[str], say: Say
) -> None:
    """Play a plan to its end, two turns of three by buttons, the others typed; everyone sees every board."""
    for text in texts:
        now = await house.match(match_id)
        mover = people[await house.mover(match_id)]
        if now.plays % 3 == 2:
            await mover.say(text)
        else:
            await tap(house, match_id, mover, say, text)
        for person in people.values():
            await person.wait_for(text=f"move {now.plays + 1} ·")
