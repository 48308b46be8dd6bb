"""Uploaded maps: checked before anything is stored, played on, drawn, and removed."""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast

import discord
import pytest
from PIL import Image
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.results import InteractionResult

from atlases import Upload
from bot.actions.servers.map_library import fetch
from bot.messages.components import walk_components
from bot.platform.server_maps import MAX_PENDING, PendingMap, ServerMaps, map_games, read
from games.engine.match import Kind
from games.engine.message import Msg
from matches.store.rows import MapRow
from tests.atlases.files import small_files, zipped
from tests.bot.acts import button_with
from tests.bot.stage import Stage, menu_with, shown, text_of
from tests.bot.test_places import manager as let_manage
from tests.games.domination.mapfiles import small

pytestmark = pytest.mark.slow


async def sent(
    stage: Stage, person: MemberActor, files: dict[str, bytes], **chosen: str
) -> InteractionResult:
    """`/server add-map` with files."""
    names = ("file", "file2", "file3", "file4", "file5")
    options: dict[str, Any] = dict(zip(names, files.items(), strict=False))
    return await person.slash(stage.channel, "server add-map", **options, **chosen)


async def kept(stage: Stage, key: str = "small") -> MapRow | None:
    return await stage.bot.context.store.stored_map(stage.guild.id, "domination", key)


@pytest.fixture
def manager(stage: Stage) -> MemberActor:
    """Ann, who manages the server."""
    let_manage(stage)
    return stage.ann


async def brought(stage: Stage, manager: MemberActor) -> None:
    """The small map is there."""
    result = await sent(stage, manager, {"lakes.zip": zipped(small_files())})
    await manager.click(shown(result), label="Keep it")


async def test_a_map_is_shown_first_and_kept_on_demand(stage: Stage, manager: MemberActor) -> None:
    result = await sent(stage, manager, small_files())
    message = shown(result)
    assert message.flags.ephemeral
    assert "Two Lakes · `small`" in message.content
    assert "6 countries in 2 continents, 7 cards, 3 missions." in message.content
    assert "North Shore (+2): " in message.content
    assert Image.open(BytesIO(await message.attachments[0].read())).width == 1120
    assert await kept(stage) is None
    await manager.click(message, label="Keep it")
    row = await kept(stage)
    assert row is not None
    assert (row.info.title, row.info.by) == ("Two Lakes", manager.id)
    assert "`small` Two Lakes" in text_of(await stage.ben.slash(stage.channel, "learn maps"))
    look = shown(await stage.ben.slash(stage.channel, "learn maps", map="small"))
    assert "Two Lakes" in look.content
    assert len(look.attachments) == 1
    again = shown(await sent(stage, manager, {"lakes.zip": zipped(small_files())}))
    assert "already has a map called `small`" in again.content
    removed = await manager.slash(stage.channel, "server remove-map", map="small")
    assert "`small` has been removed" in text_of(removed)
    assert await kept(stage) is None


async def test_only_who_manages_the_server_adds_and_removes(stage: Stage, manager: MemberActor) -> None:
    with pytest.raises(SetupError, match="not visible"):
        await sent(stage, stage.ben, small_files())
    with pytest.raises(SetupError, match="not visible"):
        await stage.ben.slash(stage.channel, "server remove-map", map="small")
    preview = shown(await sent(stage, manager, small_files()))
    press = await stage.press_id(stage.ben, preview, button_with(preview, "Keep it"))
    assert "send the files again" in text_of(press)
    assert await kept(stage) is None


async def test_what_is_wrong_is_told_line_by_line_and_nothing_waits(
    stage: Stage, manager: MemberActor
) -> None:
    files = {name: text.encode("latin-1") for name, text in small(old="Cannon 6", new="Cannon 9").items()}
    answer = shown(await sent(stage, manager, files))
    assert "One thing is wrong" in answer.content
    assert "small.cards, line 7: There is no country 9. There are 6." in answer.content
    assert not menu_labels(answer, "Keep it")
    bad = "\n".join(f"nothing {n}" for n in range(40)).encode()
    many = shown(await sent(stage, manager, {"x.map": b"[countries]\n" + bad}))
    assert many.content.count("\n- ") == 10
    assert "And " in many.content
    nothing = shown(await sent(stage, manager, {"readme.txt": b"hello"}))
    assert "no .map file" in nothing.content
    bomb = shown(await sent(stage, manager, {"x.zip": zipped({"x.map": b" " * 190_000})}))
    assert "suspiciously small" in bomb.content
    ours = {"world.map" if name == "small.map" else name: data for name, data in small_files().items()}
    assert "a map that every server has" in shown(await sent(stage, manager, ours)).content


def menu_labels(message: discord.Message, label: str) -> list[str]:
    """The ids of the message's buttons with a label."""
    rows = list(walk_components(message.components))
    return [child.custom_id for child in rows if getattr(child, "label", "") == label]


def deckless() -> dict[str, bytes]:
    """The small map without its cards."""
    return {name: data for name, data in small_files().items() if not name.endswith(".cards")}


async def test_a_map_that_lacks_its_deck_only_takes_the_plain_one(stage: Stage, manager: MemberActor) -> None:
    refused = shown(await sent(stage, manager, deckless()))
    assert "The cards `small.cards` aren't among the files." in refused.content
    assert "Nothing else is wrong" in refused.content
    offer = shown(await manager.click(refused, label="Use the plain deck"))
    assert "8 cards (the plain deck: " in offer.content
    assert len(offer.attachments) == 1
    assert await kept(stage) is None
    await manager.click(offer, label="Keep it")
    row = await kept(stage)
    assert row is not None
    assert row.picture is not None
    look = shown(await stage.ben.slash(stage.channel, "learn maps", map="small"))
    assert "8 cards (the plain deck: " in look.content


async def test_the_plain_deck_is_offered_if_nothing_else_is_wrong(stage: Stage, manager: MemberActor) -> None:
    files = deckless()
    files["small.map"] = files["small.map"].replace(b"1 2 4", b"1 2 99")
    answer = shown(await sent(stage, manager, files))
    assert "no country 99" in answer.content
    assert not answer.components
    masked = {**deckless(), "two_lakes_mask.gif": b"none"}
    assert not shown(await sent(stage, manager, masked)).components


async def test_the_deck_can_be_chosen_with_the_files(stage: Stage, manager: MemberActor) -> None:
    result = await sent(stage, manager, deckless(), deck="plain")
    assert "8 cards (the plain deck: " in shown(result).content
    offered = await manager.autocomplete(stage.channel, "server add-map", "deck", "pl")
    assert [choice["value"] for choice in offered] == ["plain"]


async def test_a_plain_deck_that_is_too_old_or_anothers_says_so(stage: Stage, manager: MemberActor) -> None:
    refused = shown(await sent(stage, manager, deckless()))
    (button,) = menu_labels(refused, "Use the plain deck")
    assert "send the files again" in text_of(await stage.press_id(stage.ben, refused, button))
    refused = shown(await sent(stage, manager, deckless()))
    await stage.restart()
    assert "too long ago" in text_of(await manager.click(refused, label="Use the plain deck"))
    assert await kept(stage) is None


async def test_a_button_that_is_too_old_says_so(stage: Stage, manager: MemberActor) -> None:
    first = shown(await sent(stage, manager, small_files()))
    await stage.restart()
    result = await manager.click(first, label="Keep it")
    assert "too long ago" in text_of(result)
    assert await kept(stage) is None


async def test_a_lobby_offers_the_maps_of_its_server(stage: Stage, manager: MemberActor) -> None:
    await brought(stage, manager)
    match, _ = await stage.open(manager, stage.ben, game="domination", start=False)
    panel = shown(await manager.click(await stage.lobby(match), label="Options"))
    result = await manager.select(panel, ["@small"], custom_id=menu_with(panel, "@small"))
    row = await stage.row(match)
    assert isinstance(row.options["map"], dict)
    assert "Two Lakes" in (await stage.lobby(match)).content
    panel = shown(await manager.click(await stage.lobby(match), label="Options"))
    chosen = [
        option.label
        for child in walk_components(panel.components)
        for option in getattr(child, "options", ())
        if option.default
    ]
    assert "Map: Two Lakes" in chosen
    assert result is not None
    await manager.slash(stage.channel, "server remove-map", map="small")
    lost = await manager.select(panel, ["@small"], custom_id=menu_with(panel, "@small"))
    assert "no longer exists" in text_of(lost)
    panel = shown(await manager.click(await stage.lobby(match), label="Options"))
    assert menu_with(panel, "="), "what is chosen stays, though its map is gone"


async def test_a_match_on_it_needs_the_server_no_more(stage: Stage, manager: MemberActor) -> None:
    await brought(stage, manager)
    match, thread = await stage.open(
        manager, stage.ben, game="domination", options="map=small setup=auto", start=True
    )
    now = await stage.match(match)
    assert now.log[0].kind is Kind.START
    assert "Two Lakes" in now.log[0].data
    with_picture = await (await stage.boards(match))[-1].attachments[0].read()
    await manager.slash(stage.channel, "server remove-map", map="small")
    await stage.restart()
    await manager.slash(thread, "ask board")
    view = shown(await manager.slash(thread, "ask board"))
    without = await view.attachments[0].read()
    assert with_picture != without
    assert (await stage.match(match)).state == now.state


async def test_words_name_maps_and_completions_offer_them(stage: Stage, manager: MemberActor) -> None:
    await brought(stage, manager)
    answer = await manager.slash(stage.channel, "play", game="domination", players=2, options="map=pond")
    assert "world" in text_of(answer)
    offered = await manager.autocomplete(stage.channel, "play", "options", "", game="domination")
    assert "map=small" in [choice["value"] for choice in offered]
    names = await manager.autocomplete(stage.channel, "learn maps", "map", "two")
    assert [choice["value"] for choice in names] == ["small"]
    assert "no map called" in text_of(await manager.slash(stage.channel, "learn maps", map="pond"))


class Sent:
    """An attachment that is never fetched, or can't be."""

    def __init__(self, filename: str, size: int) -> None:
        self.filename, self.size = filename, size

    async def read(self) -> bytes:
        raise OSError("gone")


@pytest.mark.parametrize(
    ("files", "key"),
    [
        ([("x.png", 5_000_000)], "maps.large"),
        ([("x.zip", 11_000_000)], "maps.large"),
        ([("x.zip", 9_000_000), ("y.zip", 9_000_000)], "maps.heavy"),
        ([("x.map", 100)], "maps.unfetched"),
    ],
)
async def test_sizes_are_looked_at_before_anything_is_fetched(files: list[tuple[str, int]], key: str) -> None:
    found = await fetch(cast("list[discord.Attachment]", [Sent(*each) for each in files]))
    assert isinstance(found, Msg)
    assert found.key == key


async def test_few_maps_wait_and_one_for_each_person(stage: Stage) -> None:
    ((game, reader),) = map_games()
    loaded = read(game, reader, [Upload(name, data) for name, data in small_files().items()])
    assert not isinstance(loaded, tuple)
    maps = ServerMaps(stage.bot.context.store)
    first = maps.hold(PendingMap(1, game.key, 7, loaded))
    second = maps.hold(PendingMap(1, game.key, 7, loaded))
    assert maps.pending(first, 1, 7) is None
    assert maps.pending(second, 1, 7) is not None
    assert maps.pending(second, 1, 8) is None
    assert maps.pending(second, 2, 7) is None
    for person in range(8, 8 + MAX_PENDING):
        maps.hold(PendingMap(1, game.key, person, loaded))
    assert maps.pending(second, 1, 7) is None


def crowded_files() -> dict[str, bytes]:
    """A map of 160 places, too many for their codes to be read."""
    spots = [(n % 16, n // 16) for n in range(160)]
    places = "\n".join(
        f"{n + 1} Place_{n + 1:03} 1 {x * 15 + 8} {y * 15 + 8}" for n, (x, y) in enumerate(spots)
    )
    borders = "\n".join(
        " ".join(
            map(str, (n + 1, *(m + 1 for m, (u, v) in enumerate(spots) if abs(x - u) + abs(y - v) == 1)))
        )
        for n, (x, y) in enumerate(spots)
    )
    cards = "\n".join(f"Infantry {n + 1}" for n in range(160))
    head = "name Crowd\n[files]\ncrd crowd.cards\n[continents]\nAll 9 red"
    text = f"{head}\n[countries]\n{places}\n[borders]\n{borders}\n"
    return {"crowd.map": text.encode(), "crowd.cards": f"[cards]\n{cards}\nwildcard\n".encode()}


async def test_what_the_numbers_of_a_crowded_map_stand_for_comes_as_a_file(
    stage: Stage, manager: MemberActor
) -> None:
    result = await sent(stage, manager, crowded_files())
    await manager.click(shown(result), label="Keep it")
    match, thread = await stage.open(
        manager, stage.ben, game="domination", options="map=crowd setup=auto", start=True
    )
    listed = [shown(await stage.ben.slash(stage.channel, "learn maps", map="crowd"))]
    listed.append(shown(await manager.slash(thread, "ask board")))
    for message in listed:
        assert [file.filename for file in message.attachments][1:] == ["countries.txt"]
        lines = (await message.attachments[1].read()).decode("utf-8-sig").splitlines()
        assert lines[11].startswith("12 = Place 012 (")
        assert len(lines) == 160
    assert len((await stage.boards(match))[-1].attachments) == 1
    near = shown(await manager.slash(thread, "ask board", part="12"))
    assert [file.filename for file in near.attachments][1:] == [], "a close look shows the codes"


async def test_names_that_pictures_cant_show_are_listed(stage: Stage, manager: MemberActor) -> None:
    files = small_files()
    files["small.map"] = b"\xef\xbb\xbf" + files["small.map"].replace(b"North_Shore", "北岸".encode())
    answer = shown(await sent(stage, manager, files))
    assert "One name has letters that pictures can't show." in answer.content
    assert "instead: 北岸 (#1)." in answer.content
