"""No command on a database that should be there ever begins one: not in a wrong folder, nor by a wrong name.

The commands are found by what their modules import. A new one is tried as well, or this test asks for what it
needs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

import cli
from bot.platform.config import Config
from cli.opening import store_of
from cli.store import _place
from tests.atlases.files import small_files, zipped
from tests.cli.conftest import Run

BEGINNERS = {"run", "sandbox", "restore"}
"""Commands that are meant to begin a database, or put one where there is none."""
PARAMETERS = ("data", "database", "source")
"""What a parameter is called that names a database."""
ROOM = Path(cli.__file__).parent


def leaves(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, with how they are called."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, *path, name)
        else:
            yield (*path, name), command


def knows_storage(name: str) -> bool:
    """Whether the module of a command imports the room of databases, itself or by another one of `cli`."""
    seen, open_ = set[str](), {name}
    while open_ - seen:
        module = (open_ - seen).pop()
        seen.add(module)
        file = ROOM / f"{module}.py" if (ROOM / f"{module}.py").exists() else ROOM / module / "__init__.py"
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            if node.module.partition(".")[0] == "storage":
                return True
            if node.module == "cli":
                open_ |= {one.name for one in node.names if (ROOM / f"{one.name}.py").exists()}
            elif node.module.startswith("cli.") and (ROOM / f"{node.module[4:]}.py").exists():
                open_.add(node.module[4:])
    return False


SIMULATED = ("ratings", "calibrate")
"""What stands beside such commands, and needs no database."""
COMMANDS = {
    path: command
    for path, command in leaves(cli.main)
    if knows_storage(path[0]) and path[0] not in BEGINNERS and path != SIMULATED
}


@pytest.fixture
def values(tmp_path: Path) -> dict[str, object]:
    """What to give for each parameter that isn't a database's."""
    given = tmp_path / "given"
    given.mkdir()
    (given / "lakes.zip").write_bytes(zipped(small_files()))
    return {
        "files": given / "lakes.zip",
        "server": 7,
        "person": 5,
        "kind": "person",
        "id": 5,
        "reason": "spam",
        "key": "small",
        "target": given / "target.sqlite3",
        "output": given / "output.zip",
        "file": given / "lakes.zip",
    }


def test_commands_are_found() -> None:
    assert {("privacy", "erase"), ("maps", "list"), ("backup",), ("archive",), ("doctor",)} <= set(COMMANDS)
    assert ("perft",) not in COMMANDS
    assert import_module("cli.restore").command.name == "command"


CASES = [
    pytest.param(path, named, id=f"{' '.join(path)}, {'named' if named else 'of the settings'}")
    for path, command in COMMANDS.items()
    for named in (True, False)
    if not named or any(one.name in PARAMETERS for one in command.params)
]


@pytest.mark.parametrize("exists", [None, b""], ids=["missing", "empty"])
@pytest.mark.parametrize(("path", "named"), CASES)
def test_no_database_is_begun(
    run: Run,
    tmp_path: Path,
    values: dict[str, object],
    path: tuple[str, ...],
    exists: bytes | None,
    named: bool,
) -> None:
    place = tmp_path / "place" / "nothere.sqlite3"
    if exists is not None:
        place.parent.mkdir()
        place.write_bytes(exists)
    args: list[object] = [*path]
    for one in COMMANDS[path].params:
        name = one.name or ""
        if name in PARAMETERS:
            value: object = place
            if not named:
                if not one.required:
                    continue
                value = "DOMINIUM_DATA"
        elif name in ("yes", "offline", "logs"):
            args.append(one.opts[0])
            continue
        elif one.required or name == "target":
            assert name in values, f"give {name} of {' '.join(path)} a value in this test"
            value = values[name]
        else:
            continue
        args += [value] if isinstance(one, click.Argument) else [one.opts[0], value]
    done = run(*args, env={"DOMINIUM_DATA": str(place), "DATABASE_URL": ""})
    if named or path != ("doctor",):
        assert done.exit_code in (1, 2), done.output
    found = {one.relative_to(tmp_path) for one in tmp_path.rglob("*") if "given" not in one.parts}
    expected = set() if exists is None else {Path("place"), Path("place/nothere.sqlite3")}
    assert found == expected, done.output
    assert exists is None or place.read_bytes() == exists
    assert not Path(str(values["target"])).exists()
    assert not Path(str(values["output"])).exists()


def test_a_backup_of_nothing_makes_no_folder(run: Run, tmp_path: Path) -> None:
    done = run(
        "backup", env={"DOMINIUM_DATA": str(tmp_path / "data" / "nothere.sqlite3"), "DATABASE_URL": ""}
    )
    assert done.exit_code == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["postgresql://localhost/x", "folder/file.sqlite3"])
def test_an_address_is_no_file(place: str) -> None:
    for found in (store_of(place), _place(place, Config())):
        assert found == (place if "://" in place else Path(place))


def test_a_setting_may_stand_for_its_value() -> None:
    config = Config(database_url="postgresql://localhost/x", data=Path("file.sqlite3"))
    assert (_place("DATABASE_URL", config), _place("DOMINIUM_DATA", config)) == (config.store, config.data)
