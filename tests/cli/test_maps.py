"""Maps from files: checked as in Discord, kept for a server, never while the database is in use."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from matches.store.rows import MapRow
from storage import open_store
from tests.atlases.files import small_files, zipped
from tests.cli.conftest import Run
from tests.fakes import FakeClock


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The database of a bot that was started once."""
    path = tmp_path / "live.sqlite3"

    async def begin() -> None:
        await (await open_store(path, clock=FakeClock())).close()

    asyncio.run(begin())
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """The small map with picture and mask."""
    paths = []
    for name, content in small_files().items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(content)
    return paths


def stored(data: Path, key: str = "small") -> MapRow | None:
    async def look() -> MapRow | None:
        store = await open_store(data, clock=FakeClock())
        try:
            return await store.stored_map(7, "domination", key)
        finally:
            await store.close()

    return asyncio.run(look())


def test_the_plain_deck_is_offered_and_taken(run: Run, data: Path, files: list[Path]) -> None:
    rest = [path for path in files if path.suffix != ".cards"]
    refused = run("maps", "add", *rest, "--server", 7, "--data", data)
    assert refused.exit_code == 2
    assert "--deck plain" in refused.output
    added = run("maps", "add", *rest, "--server", 7, "--data", data, "--deck", "plain")
    assert added.exit_code == 0, added.output
    assert "8 cards (the plain deck" in added.output
    assert stored(data) is not None


def test_a_map_is_added_listed_and_removed(run: Run, data: Path, files: list[Path]) -> None:
    added = run("maps", "add", *files, "--server", 7, "--data", data)
    assert added.exit_code == 0, added.output
    assert "small: Two Lakes" in added.output
    assert "6 countries in 2 continents, 7 cards, 3 missions." in added.output
    row = stored(data)
    assert row is not None
    assert row.picture is not None
    assert row.mask is not None
    assert row.ground in row.data
    listed = run("maps", "list", "--server", 7, "--data", data)
    assert listed.output.startswith("small: Two Lakes, ")
    assert run("maps", "list", "--server", 8, "--data", data).output == ""
    removed = run("maps", "remove", "small", "--server", 7, "--data", data)
    assert removed.output == "removed small\n"
    again = run("maps", "remove", "small", "--server", 7, "--data", data)
    assert again.exit_code == 2
    assert "Server 7 has no map called small." in again.output


def test_a_zip_is_as_good_and_a_check_keeps_nothing(run: Run, data: Path, tmp_path: Path) -> None:
    packed = tmp_path / "lakes.zip"
    packed.write_bytes(zipped(small_files()))
    checked = run("maps", "add", packed, "--server", 7, "--data", data, "--check")
    assert "small: Two Lakes" in checked.output
    assert "kept" not in checked.output
    assert run("maps", "list", "--server", 7, "--data", data).output == ""


def test_everything_that_is_wrong_is_told_and_nothing_kept(run: Run, data: Path, files: list[Path]) -> None:
    files[1].write_text("[cards]\nCannon 7\nCannon 8\n")
    wrong = run("maps", "add", *files, "--server", 7, "--data", data)
    assert wrong.exit_code == 2
    assert "small.cards, line 2: There is no country 7. There are 6." in wrong.output
    assert "small.cards, line 3:" in wrong.output
    assert run("maps", "list", "--server", 7, "--data", data).output == ""


def test_a_map_is_never_called_like_one_of_ours(run: Run, data: Path, files: list[Path]) -> None:
    files[0].rename(files[0].with_name("World.map"))
    wrong = run("maps", "add", files[0].with_name("World.map"), *files[1:], "--server", 7, "--data", data)
    assert wrong.exit_code == 2
    assert "`world` is the name of a map that every server has." in wrong.output


def test_files_that_are_missing_and_a_database_in_use_are_named(
    run: Run, data: Path, files: list[Path], tmp_path: Path
) -> None:
    lost = run("maps", "add", tmp_path / "lost.map", "--server", 7, "--data", data)
    assert lost.exit_code == 2
    assert "lost.map can't be read" in lost.output
    store = asyncio.run(open_store(data, clock=FakeClock()))
    try:
        busy = run("maps", "add", *files, "--server", 7, "--data", data)
    finally:
        asyncio.run(store.close())
    assert busy.exit_code == 2
    assert "is in use by" in busy.output
