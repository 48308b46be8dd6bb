"""Drills on real database files: whatever fails, version and database are those from before."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, nullcontext
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from deploy.__main__ import main
from deploy.databases import loss, schema_of
from deploy.house import House, ReleaseError, UnfinishedError
from deploy.kept import FileDatabase
from deploy.release import pip_install, restore, rollback, upgrade
from matches.store.rows import Commit
from storage import open_store
from storage.migrations import shipped
from tests.deploy.forked import ForkedHouse
from tests.deploy.versions import ROOT, link_libraries, real, sham
from tests.fakes import START, FakeClock
from tests.matches.world import ANN, BOB, World
from tests.soak import SOAK
from tests.storage.rows import lobby, move

pytestmark = pytest.mark.slow

NOW = len(shipped())
"""The schema of the version that is in use at the start."""


def entries(data: Path) -> int:
    """The number of log entries in a database."""
    with closing(sqlite3.connect(data)) as db:
        return int(db.execute("SELECT count(*) FROM entries").fetchone()[0])


def play_on(data: Path, match: str, moves: int) -> None:
    """Commit a new match with moves to a database that nobody uses."""

    async def play() -> None:
        store = await open_store(data, clock=FakeClock())
        row = lobby(match)
        await store.create(Commit(row, START))
        for number in range(moves):
            change = move(row, f"{match}-{number}")
            await store.commit(change)
            row = change.row
        await store.close()

    schema = schema_of(data)
    if schema:
        set_schema(data, NOW)  # the real store knows no more than that
    asyncio.run(play())
    if schema:
        set_schema(data, schema)


def set_schema(data: Path, number: int) -> None:
    with closing(sqlite3.connect(data)) as db:
        db.execute(f"PRAGMA user_version = {number}")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a match of three entries."""
    path = tmp_path_factory.mktemp("played") / "dominium.sqlite3"
    play_on(path, "F-222222", 3)
    return path


@pytest.fixture
def data(tmp_path: Path, played: Path) -> Path:
    """A copy of it."""
    (tmp_path / "data").mkdir()
    return Path(shutil.copy(played, tmp_path / "data"))


@pytest.fixture
def house(tmp_path: Path, data: Path) -> House:
    """A checkout in which the first version is in use."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    made = House(tmp_path)
    upgrade(made, tmp_path, sham(data, NOW))
    return made


def installed(house: House) -> set[str]:
    return {path.name for path in house.releases.iterdir() if path.is_dir()}


# --- upgrade ------------------------------------------------------------------------------------------


def test_a_first_version_needs_no_database(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    house = House(tmp_path)
    assert house.in_use() == ""
    name = upgrade(house, tmp_path, sham(tmp_path / "data" / "none.sqlite3"))
    assert house.in_use() == name
    assert os.access(tmp_path / "current" / "bin" / "dominium", os.X_OK)
    (change,) = house.journal()
    assert (change.before, change.after, change.backup) == ("", name, "")
    with pytest.raises(ReleaseError, match="no earlier version"):
        rollback(house)


def test_an_upgrade_backs_up_migrates_and_switches(house: House, data: Path) -> None:
    first = house.in_use()
    second = upgrade(house, house.root, sham(data, NOW + 2))
    assert (house.in_use(), installed(house)) == (second, {first, second})
    change = house.journal()[-1]
    assert (change.before, change.after, change.schema) == (first, second, NOW)
    assert (schema_of(data), schema_of(Path(change.backup))) == (NOW + 2, NOW)
    assert entries(data) == entries(Path(change.backup)) == 3


@pytest.mark.parametrize("step", ["install", "rehearsal", "backup", "migration", "check", "switch"])
def test_an_upgrade_that_fails_changes_nothing(
    house: House, data: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, journal = house.in_use(), house.journal()
    if step == "switch":
        monkeypatch.setattr(Path, "symlink_to", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises((ReleaseError, OSError)) as failed:
        upgrade(house, house.root, sham(data, NOW + 1, {step}))
    assert "all is well" not in str(failed.value) or step in ("backup", "migration")
    assert (house.in_use(), installed(house)) == (first, {first})
    assert (schema_of(data), entries(data)) == (NOW, 3)
    assert house.journal() == journal
    monkeypatch.undo()
    upgrade(house, house.root, sham(data, NOW + 1))
    assert schema_of(data) == NOW + 1


def test_a_backup_that_can_not_be_put_back_is_named(
    house: House, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def refuse(path: Path, target: Path) -> Path:
        if target == data:
            raise PermissionError("read-only")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(UnfinishedError, match=r"before-.*\.sqlite3 could not be put in the place of"):
        upgrade(house, house.root, sham(data, NOW + 1, {"check"}))


def test_nothing_is_done_while_a_bot_runs(house: House, data: Path) -> None:
    first = house.in_use()
    lock = data.with_name(f"{data.name}.lock")
    script = f"import fcntl; f = open({str(lock)!r}, 'w'); fcntl.lockf(f, fcntl.LOCK_EX); f.write('4711'); "
    script += "f.flush(); print('held', flush=True); input()"
    bot = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert bot.stdout is not None
    assert bot.stdout.readline() == "held\n"
    with pytest.raises(ReleaseError, match=r"A bot is running \(process 4711\)"):
        upgrade(house, house.root, sham(data, NOW + 1))
    bot.communicate("end")
    assert (house.in_use(), schema_of(data)) == (first, NOW)
    with lock.open("r+") as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody holds it by now


# --- the service --------------------------------------------------------------------------------------


@pytest.fixture(params=[0, 1000], ids=["root", "owner"])
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A `systemctl` that writes down what it is told, and refuses what `refused` says; also by `sudo`."""
    folder = tmp_path / "path"
    folder.mkdir()
    script, sudo = folder / "systemctl", folder / "sudo"
    script.write_text('#!/bin/sh\ncd "$(dirname "$0")"\necho "$@" >> calls\n! grep -qx "$1" refused\n')
    sudo.write_text('#!/bin/sh\necho "sudo $1" >> "$(dirname "$0")/by"\nshift\nexec "$@"\n')
    for program in (script, sudo):
        program.chmod(0o755)
    (folder / "refused").touch()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(os, "geteuid", lambda: request.param)
    return folder


@pytest.mark.parametrize("fails", [(), ("check",)])
def test_the_service_is_stopped_late_and_always_started_again(
    house: House, data: Path, systemctl: Path, fails: tuple[str, ...]
) -> None:
    served = House(house.root, "dominium")
    with pytest.raises(ReleaseError) if fails else nullcontext():
        upgrade(served, house.root, sham(data, NOW + 1, fails))
    assert (systemctl / "calls").read_text() == "stop dominium\nstart dominium\n"
    by = systemctl / "by"
    assert (by.read_text() if by.exists() else "") == ("sudo -n\nsudo -n\n" if os.geteuid() else "")


def test_an_upgrade_that_fails_early_leaves_the_service_alone(
    house: House, data: Path, systemctl: Path
) -> None:
    with pytest.raises(ReleaseError):
        upgrade(House(house.root, "dominium"), house.root, sham(data, NOW + 1, {"rehearsal"}))
    assert not (systemctl / "calls").exists()


def test_a_service_that_does_not_start_is_not_called_unchanged(
    house: House, systemctl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (systemctl / "refused").write_text("start\n")
    with pytest.raises(UnfinishedError, match="journalctl -u dominium"):
        upgrade(House(house.root, "dominium"), house.root, sham(house.root / "data" / "dominium.sqlite3"))
    (systemctl / "refused").write_text("stop\n")
    with pytest.raises(ReleaseError, match="systemctl stop dominium failed"):
        rollback(House(house.root, "dominium"))


# --- rollback -----------------------------------------------------------------------------------------


def test_a_rollback_without_migrations_keeps_all_moves(house: House, data: Path) -> None:
    first = house.in_use()
    upgrade(house, house.root, sham(data, NOW))
    play_on(data, "F-333333", 4)
    assert rollback(house) == first == house.in_use()
    assert entries(data) == 7
    with pytest.raises(ReleaseError, match="no earlier version"):
        rollback(house)


def test_a_rollback_across_a_migration_says_what_is_lost(
    house: House, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = house.in_use()
    second = upgrade(house, house.root, sham(data, NOW + 1))
    play_on(data, "F-333333", 4)
    with pytest.raises(ReleaseError, match="4 log entries of 1 matches are lost") as refused:
        rollback(house)
    assert "--accept-loss" in str(refused.value)
    assert (house.in_use(), schema_of(data), entries(data)) == (second, NOW + 1, 7)
    capsys.readouterr()
    assert rollback(house, accept_loss=True) == first == house.in_use()
    assert (schema_of(data), entries(data)) == (NOW, 3)
    assert "4 log entries of 1 matches are lost" in capsys.readouterr().out
    (kept,) = (data.parent / "backups").glob("undone-*.sqlite3")
    assert (schema_of(kept), entries(kept)) == (NOW + 1, 7), "what was undone is kept"


def test_a_rollback_at_once_loses_nothing(house: House, data: Path) -> None:
    first = house.in_use()
    upgrade(house, house.root, sham(data, NOW + 1))
    assert rollback(house) == first
    assert (schema_of(data), entries(data)) == (NOW, 3)


def test_a_rollback_that_fails_changes_nothing(house: House, data: Path) -> None:
    first = house.in_use()
    second = upgrade(house, house.root, sham(data, NOW + 1))
    play_on(data, "F-333333", 4)
    sham(data, NOW, {"rehearsal"})(house, house.root, house.releases / "bad")
    shutil.rmtree(house.releases / first)
    (house.releases / "bad").rename(house.releases / first)
    with pytest.raises(ReleaseError, match="rehearsal is bad"):
        rollback(house, accept_loss=True)
    assert (house.in_use(), schema_of(data), entries(data)) == (second, NOW + 1, 7)
    shutil.rmtree(house.releases / first)
    with pytest.raises(ReleaseError, match="no earlier version"):
        rollback(house)


# --- restore ------------------------------------------------------------------------------------------


def backup_of(data: Path) -> Path:
    """A copy of a database, made before more is played in it."""
    copy = data.with_name("copy.sqlite3")
    with closing(sqlite3.connect(data)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
    return copy


def test_a_drill_changes_nothing(house: House, data: Path) -> None:
    backup = backup_of(data)
    play_on(data, "F-333333", 2)
    before = data.read_bytes(), backup.read_bytes()
    restore(house, backup, drill=True)
    assert (data.read_bytes(), backup.read_bytes()) == before
    set_schema(backup, NOW + 5)
    with pytest.raises(ReleaseError, match="newer version"):
        restore(house, backup, drill=True)


def test_a_restore_says_what_is_lost_and_keeps_it(house: House, data: Path) -> None:
    backup = backup_of(data)
    play_on(data, "F-333333", 2)
    data.with_name(f"{data.name}-wal").write_bytes(b"")
    with pytest.raises(ReleaseError, match="2 log entries of 1 matches are lost"):
        restore(house, backup)
    assert entries(data) == 5
    restore(house, backup, accept_loss=True)
    assert entries(data) == 3
    (kept,) = (data.parent / "backups").glob("undone-*.sqlite3")
    assert entries(kept) == 5
    data.unlink()
    data.with_name(f"{data.name}-wal").write_bytes(b"all that is left")
    restore(house, kept)
    assert entries(data) == 5, "a lost file loses nothing more"
    (aside,) = data.parent.glob(f"{data.name}-wal.of-another-file-*")
    assert aside.read_bytes() == b"all that is left"


def test_a_database_that_cannot_be_read_is_replaced_and_kept(house: House, data: Path) -> None:
    backup, log = backup_of(data), data.with_name(f"{data.name}-wal")
    data.write_bytes(b"broken" * 3000)
    log.write_bytes(b"its log")
    with pytest.raises(ReleaseError, match=r"what is lost can't be told\. To do so, add --accept-loss"):
        restore(house, backup)
    assert (data.read_bytes(), log.read_bytes()) == (b"broken" * 3000, b"its log")
    restore(house, backup, accept_loss=True)
    assert entries(data) == 3
    (kept,) = (data.parent / "backups").glob("undone-*.sqlite3")
    assert kept.read_bytes() == b"broken" * 3000
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"its log"


def test_a_restore_without_a_version_is_refused(tmp_path: Path, data: Path) -> None:
    with pytest.raises(ReleaseError, match="No version is in use"):
        restore(House(tmp_path), data)


def test_settings_and_lobbies_count_as_a_loss(data: Path) -> None:
    backup = backup_of(data)
    assert loss(data, backup) == ""
    with closing(sqlite3.connect(data)) as db:
        db.execute("DROP TABLE plans")  # as an older version may lack a table
        db.execute("UPDATE matches SET public = 1")
        db.commit()
    assert "0 log entries of 0 matches are lost, and what is in 1 other rows" in loss(data, backup)
    assert loss(data.with_name("none"), backup) == ""


# --- the command line ---------------------------------------------------------------------------------


def test_the_command_line(house: House, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ("--root", str(house.root))
    assert main([*root, "list"]) == 0
    assert capsys.readouterr().out.rstrip().endswith(f"{house.in_use()} (in use)")
    assert main([*root, "rollback"]) == 1
    assert capsys.readouterr().out == "Nothing was changed. There is no earlier version to go back to.\n"
    assert main([*root, "restore", str(backup_of(data)), "--drill"]) == 0
    assert "every log replays" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        main([*root, "downgrade"])


def test_it_needs_the_standard_library_only() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import deploy.__main__"
    assert subprocess.run([sys.executable, "-I", "-S", "-c", code], check=False).returncode == 0


def test_root_does_not_run_what_another_can_change(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real_stat = Path.stat

    def owned_by(user: int) -> None:
        def stat(path: Path, **more: bool) -> os.stat_result:
            found = list(real_stat(path, **more))
            found[4] = user if path == house.root else 0
            return os.stat_result(found)

        monkeypatch.setattr(Path, "stat", stat)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    owned_by(0)
    assert main(["--root", str(house.root), "list"]) == 0
    owned_by(65534)
    assert main(["--root", str(house.root), "list"]) == 1
    assert "sudo -u nobody python3 -m deploy" in capsys.readouterr().out


def test_the_manual_lets_the_owner_stop_and_start_the_service_and_nothing_else() -> None:
    allowed = re.findall(r"NOPASSWD: (.*)$", (ROOT / "docs/self-hosting.md").read_text("utf-8"), re.MULTILINE)
    assert allowed == ["/usr/bin/systemctl stop dominium, /usr/bin/systemctl start dominium"]


@pytest.mark.slow
def test_the_real_program_goes_forth_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Upgrade with a migration, play on, roll back, restore, with the real commands and real matches.

    A soak starts each command anew; else only those of the upgrade and of the way back.
    """
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    data = tmp_path / "data" / "dominium.sqlite3"
    (tmp_path / ".env").write_text(f"DOMINIUM_DATA={data.relative_to(tmp_path)}\n")
    for name in [name for name in os.environ if name.startswith(("DOMINIUM_", "DISCORD_"))]:
        monkeypatch.delenv(name)
    house = House(tmp_path)
    quick = house if SOAK else ForkedHouse(tmp_path)
    first = upgrade(quick, tmp_path, real())

    async def play() -> None:
        store = await open_store(data, clock=FakeClock())
        world = World(store)
        begun = await world.match(ANN, BOB, game="focus")
        await world.play_out(begun.row.id, ANN, BOB)
        await store.close()

    asyncio.run(play())
    schema, played = schema_of(data), entries(data)
    with pytest.raises(ReleaseError, match="syntax error"):
        upgrade(quick, tmp_path, real("CREATE NONSENSE;"))
    assert (house.in_use(), schema_of(data)) == (first, schema)
    upgrade(house, tmp_path, real("ALTER TABLE matches ADD COLUMN more INTEGER;"))
    assert (schema_of(data), entries(data)) == (schema + 1, played)
    (backup,) = (data.parent / "backups").glob("before-*.sqlite3")
    restore(quick, backup, drill=True)
    assert rollback(house) == first
    assert (schema_of(data), entries(data)) == (schema, played)
    backup.write_bytes(backup.read_bytes()[: 4096 * 3])
    with pytest.raises(ReleaseError, match=r"damaged|malformed"):
        restore(quick, backup)
    assert entries(data) == played


def test_a_library_with_another_checksum_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "tiny-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as file:
        file.writestr("tiny.py", "")
        file.writestr("tiny-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
        file.writestr("tiny-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        file.writestr("tiny-1.dist-info/RECORD", "")
    source = tmp_path / "source"
    source.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    target, run = tmp_path / "releases" / "it", House.run

    def run_once(house: House, *command: str | Path) -> str:
        if "venv" not in command:
            return run(house, *command)
        if not target.exists():
            run(house, *command[:-1], "--without-pip", target)
            link_libraries(target)
        return ""

    monkeypatch.setattr(House, "run", run_once)  # one environment is enough, with our pip
    for content, right in (b"what we have checked", False), (wheel.read_bytes(), True):
        digest = sha256(content).hexdigest()
        (source / "requirements.txt").write_text(f"tiny==1 --hash=sha256:{digest}\n")
        with pytest.raises(ReleaseError) as failed:  # the source is no project, so that it always ends here
            pip_install(House(tmp_path), source, target)
        assert ("DO NOT MATCH THE HASHES" in str(failed.value)) is not right
        assert bool(list(target.rglob("tiny.py"))) is right


# --- what is left behind ------------------------------------------------------------------------------


def test_versions_that_nobody_goes_back_to_are_removed(
    house: House, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = house.in_use()
    second = upgrade(house, house.root, sham(data, NOW + 1))
    half = house.releases / "half"
    half.mkdir()
    (half / "bin").mkdir()
    assert installed(house) == {first, second, "half"}
    capsys.readouterr()
    third = upgrade(house, house.root, sham(data, NOW + 2))
    said = capsys.readouterr().out
    assert installed(house) == {second, third}
    assert f"Removed {first}" in said
    assert "Removed half" in said
    assert rollback(house, accept_loss=True) == second
    assert installed(house) == {second, third}, "one may want to go forth again"
    fourth = upgrade(house, house.root, sham(data, NOW + 1))
    assert installed(house) == {second, fourth}
    assert rollback(house) == second


def test_a_backup_is_kept_as_long_as_a_version_goes_back_by_it(
    house: House, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def age() -> None:
        for one in backups.glob("*.sqlite3"):
            os.utime(one, (1_000, 1_000))

    backups = data.parent / "backups"
    upgrade(house, house.root, sham(data, NOW + 1))
    first = Path(house.journal()[-1].backup)
    nightly = backups / "2026-05-01T041500.sqlite3"
    shutil.copy(first, nightly)
    age()
    upgrade(house, house.root, sham(data, NOW + 2))
    second = Path(house.journal()[-1].backup)
    assert not first.exists()
    assert f"Removed {first}" in capsys.readouterr().out
    assert (second.exists(), nightly.exists()) == (True, True)
    age()
    third = upgrade(house, house.root, sham(data, NOW + 2))
    assert not second.exists()
    assert house.in_use() == third
    with pytest.raises(ReleaseError, match="install"):
        upgrade(house, house.root, sham(data, NOW + 3, {"install"}))
    assert Path(house.journal()[-1].backup).exists()


def test_the_nightly_job_leaves_backups_of_upgrades_alone(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "self-hosting.md").read_text("utf-8")
    (job,) = re.findall(r"&& (find data/backups .*)$", text, re.MULTILINE)
    folder = tmp_path / "data" / "backups"
    folder.mkdir(parents=True)
    for name in ("before-0.1.0.sqlite3", "2026-05-01T041500.sqlite3", "undone-1.sqlite3", "notes.txt"):
        (folder / name).touch()
        os.utime(folder / name, (1_000, 1_000))
    subprocess.run(job, shell=True, cwd=tmp_path, check=True)
    assert {one.name for one in folder.iterdir()} == {"before-0.1.0.sqlite3", "notes.txt"}


@pytest.mark.parametrize("again", [1, 2])
def test_an_upgrade_that_was_killed_after_its_migration_can_be_gone_back_over(
    house: House, data: Path, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        """The machine was switched off."""

    def kill(*_: object) -> None:
        raise KilledError

    first = house.in_use()
    for _ in range(again):
        with monkeypatch.context() as patch:
            patch.setattr(FileDatabase, "put_back", kill)  # nothing of what would undo it is done
            patch.setattr(House, "switch", kill)
            patch.setattr(Path, "unlink", lambda path, missing_ok=False: None)
            with pytest.raises(KilledError):
                upgrade(house, house.root, sham(data, NOW + 1))
        assert (house.in_use(), schema_of(data)) == (first, NOW + 1)
    second = upgrade(house, house.root, sham(data, NOW + 1))
    assert (house.in_use(), schema_of(data), house.killed()) == (second, NOW + 1, None)
    assert house.journal()[-1].schema == NOW
    assert rollback(house) == first
    assert (schema_of(data), entries(data)) == (NOW, 3)
    upgrade(house, house.root, sham(data, NOW))
    assert house.journal()[-1].schema == NOW


def test_two_commands_do_not_work_at_once(house: House, data: Path) -> None:
    with house.alone(), pytest.raises(ReleaseError, match="Another python3 -m deploy"):
        upgrade(house, house.root, sham(data, NOW + 1))
    upgrade(house, house.root, sham(data, NOW + 1))
