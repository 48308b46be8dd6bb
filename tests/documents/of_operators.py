"""What operators use and see: commands of the terminal, environment, metrics, exit states, logs, make."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

import click

from bot.platform.config import OF_PROCESS, OF_SUPERVISOR, ReadSetting, load_config
from bot.platform.counters import Counters
from bot.platform.metrics import GAUGES, BotMetrics
from cli import COMMANDS, main
from matches.store.operation import OutboxState
from tests.documents.pages import ROOT, table

_ROOMS: Final = ("bot", "cli", "deploy", "matches", "render", "sandbox", "storage")
_STATES: Final = {
    0: "it's done; what a check has looked at is in order",
    1: "what was asked for was tried, and failed or isn't in order: the output says what. systemd starts "
    "the bot again",
    2: "it can't be done like that, and trying again won't help: one sentence says why and what to do. "
    "systemd doesn't start the bot again",
    3: "only a part could be checked, and that part is in order",
}
"""What each exit state means. A command with another one makes the table fail."""
_MEANT_BY: Final = {"ClickException": 1, "Sorry": 2, "NotHere": 2}


def terminal() -> str:
    """The commands of the terminal, with what is below them, and their options."""
    rows: list[tuple[str, str, str]] = []
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        rows += _rows(f"dominium {name}", command)
    return table(("command", "what it does", "options"), rows)


def _rows(name: str, command: click.Command) -> Iterator[tuple[str, str, str]]:
    if isinstance(command, click.Group):
        if command.invoke_without_command:
            yield _row(name, command)
        for inner in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), inner)
            assert found is not None
            yield from _rows(f"{name} {inner}", found)
    else:
        yield _row(name, command)


def _row(name: str, command: click.Command) -> tuple[str, str, str]:
    given = [each for each in command.params if isinstance(each, click.Argument)]
    words = " ".join([name, *(each.make_metavar(click.Context(command)) for each in given)])
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    listed = (f"`{max(each.opts, key=len)}`" for each in options if "--help" not in each.opts)
    return f"`{words}`", command.get_short_help_str(200), " ".join(listed)


def explained() -> Iterator[tuple[dict[str, str], str]]:
    """Yield the settings of `.env.example` with the values there, those explained together, and the words."""
    for block in (ROOT / ".env.example").read_text("utf-8").split("\n\n"):
        lines = block.splitlines()
        settings = dict(line.split("=", 1) for line in lines if line[:1] not in ("#", ""))
        if settings:
            yield settings, " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))


def read_settings() -> Mapping[str, ReadSetting]:
    """Return the settings that an operator can make, as the program reads them."""
    read: dict[str, ReadSetting] = {}
    load_config({}, None, read)
    return {name: each for name, each in read.items() if name not in (OF_PROCESS, OF_SUPERVISOR)}


def environment() -> str:
    """The settings in the environment or in `.env`."""
    rows = [
        (
            "<br>".join(f"`{name}={value}`" for name, value in settings.items()),
            words,
        )
        for settings, words in explained()
    ]
    return table(("setting", "what it is for"), rows)


def metrics() -> str:
    """All metrics of the bot, with their labels."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    counters = Counters(now)
    counters.moved("focus", 1)
    counters.took("judge", 0.01)
    counters.answers.add("typed", 0.1)
    with counters.sweep("clocks"):
        counters.add("a word", 1)
    for name in GAUGES:
        counters.watch(name, lambda: 1.0)
    rows = []
    for metric in BotMetrics(counters, OutboxState(), now).collect():
        labels = {label for sample in metric.samples for label in sample.labels} - {"le"}
        ending = "_total" if metric.type == "counter" else ""
        shown = f"{{{','.join(sorted(labels))}}}" if labels else ""
        rows.append((f"`{metric.name}{ending}{shown}`", metric.type, metric.documentation))
    return table(("metric", "type", "what it says"), sorted(rows))


def _ends(source: str) -> Iterator[int]:
    """Yield the exit states in a file of commands."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name("SystemExit"), args=[ast.Constant(int(state))])):
                yield state
            case ast.Raise(exc=ast.Call(func=ast.Name(name) | ast.Attribute(attr=name))) if name in _MEANT_BY:
                yield _MEANT_BY[name]


def exit_states() -> str:
    """The exit states of the commands of the terminal, and which commands end with them."""
    users: dict[int, set[str]] = {0: set(COMMANDS)}
    for path in sorted((ROOT / "cli").rglob("*.py")):
        room = path.relative_to(ROOT / "cli").parts[0].removesuffix(".py")
        for state in _ends(path.read_text("utf-8")):
            users.setdefault(state, set()).add(room)
    shown = {state: ", ".join(f"`{name}`" for name in COMMANDS if name in users[state]) for state in users}
    shown |= {0: "all", 2: "all"}
    return table(("state", "commands", "meaning"), ((f"{n}", shown[n], _STATES[n]) for n in sorted(users)))


def extras(tree: ast.Module) -> Iterator[str]:
    """Yield the keys of what a file gives logs as `extra`: written there, in a variable, or in a function."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    given = [word.value for call in calls for word in call.keywords if word.arg == "extra"]
    used = {node.id for each in given for node in ast.walk(each) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) if name in used:
                given += [
                    each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value
                ]
            case ast.Assign(targets=[ast.Name(name)], value=value) if name in used:
                given.append(value)
    for each in given:
        for inner in ast.walk(each):
            if isinstance(inner, ast.Dict):
                yield from (str(key.value) for key in inner.keys if isinstance(key, ast.Constant))


def log_fields() -> str:
    """The fields of a line of JSON: those of every line, and those that single events add."""
    names = {
        name
        for room in _ROOMS
        for path in (ROOT / room).rglob("*.py")
        for name in extras(ast.parse(path.read_text("utf-8")))
    }
    rows = [
        ("`time`", "every line: UTC, in milliseconds"),
        ("`level`", "every line: DEBUG, INFO, WARNING or ERROR"),
        ("`logger`", "every line: the module that wrote it"),
        ("`event`", "every line: what happened"),
        ("`match`", "lines about one match: its id"),
        ("`trace`", "lines with an exception: its traceback"),
        (", ".join(f"`{name}`" for name in sorted(names - {"match"})), "some events"),
    ]
    return table(("field", "in"), rows)


def targets_of_make() -> str:
    """The targets of make."""
    found = re.findall(r"^([a-z]+):.*## (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return table(("command", "what it does"), ((f"`make {name}`", words) for name, words in found))
