"""`dominium rehearse`: try on the real Discord, in a server of one's own, what the tests believe of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial
from pathlib import Path

import aiohttp
import click
from rich.text import Text

from bot.platform.loopback import point_discord_at
from bot.platform.real_clock import DiscordClock
from cli.config import configuration
from cli.rehearse.facts import FACTS
from cli.rehearse.rehearsal import Observation, rehearse, report
from cli.rehearse.stage import NAME, WISHED, NotAllowedError, NotTriedError, RehearsalStage, RehearsalTime
from cli.rehearse.wire import Rest
from cli.terminal import Sorry, out, write_file

_Stage = Callable[[], AbstractAsyncContextManager[RehearsalStage]]
_STYLE = {"same": "green", "different": "bold red", "not tried": "yellow"}
_KEY, _VALUE = 10, 37
"""The columns of a fact's name and of what was seen; what was found comes before them."""
_PLAN = """\
{name} tries {count} facts on Discord, in the server {server}. It
- makes channels named #{channel}, and writes and changes things only there;
- removes them at the end, after Ctrl-C, or else at the next start;
- takes about ten minutes and 450 requests, far below all limits; it pings nobody.
A bot that runs with this token meanwhile sees all of it: better stop it first."""

_LEFT = "Not everything that it made is removed: the next start does it."


@click.command()
@click.option("--server", type=click.IntRange(1), required=True, help="A server of your own, by its id.")
@click.option(
    "--with-me", "with_person", is_flag=True, help="You are there, and do six things that it asks for."
)
@click.option("--old-edits", is_flag=True, help="Wait an hour more, for edits of old messages.")
@click.option("--out", "target", type=click.Path(path_type=Path), help="Where to write what was seen.")
@click.option("--yes", is_flag=True, help="Don't ask before beginning.")
def command(server: int, target: Path | None, *, with_person: bool, old_edits: bool, yes: bool) -> None:
    """Try each fact on Discord, and compare it with the Discord of the tests.

    Writes a JSON file without ids, names and tokens. Exit code 1 if something differs.
    """
    config = configuration()
    if not config.token:
        raise Sorry("There is no DISCORD_TOKEN in .env: a rehearsal needs a bot, and a server that it is in.")
    if config.discord_api:
        point_discord_at(config.discord_api)
    stage = partial(_stage, config.token, server, with_person=with_person, old_edits=old_edits)
    try:
        out().print(_plan(asyncio.run(_looked(stage))))
        if not yes:
            click.confirm("Begin?", default=True, abort=True)
        clean, findings = asyncio.run(_run(stage))
    except KeyboardInterrupt:
        raise SystemExit(1) from None
    except NotAllowedError as lacking:
        raise Sorry(f"In that server the bot lacks: {_words(lacking.missing)}.") from lacking
    except NotTriedError as why:
        raise Sorry(f"Nothing was tried: {why}.") from why
    except aiohttp.ClientError as error:
        raise click.ClickException(f"Discord can't be reached: {error}") from error
    date = DiscordClock().now().date().isoformat()
    path = target or Path(f"rehearsal-{date}.json")
    write_file(path, (json.dumps(report(findings, date), indent=1) + "\n").encode())
    console = out()
    counts = {word: sum(one.word == word for one in findings) for word in _STYLE}
    console.print(", ".join(f"{word}: {count}" for word, count in counts.items()) + f". Written to {path}.")
    if not clean:
        console.print(_LEFT)
    if counts["different"]:
        raise SystemExit(1)


@asynccontextmanager
async def _stage(
    token: str, server: int, *, with_person: bool, old_edits: bool
) -> AsyncIterator[RehearsalStage]:
    pace = RehearsalTime(asyncio.get_running_loop().time, asyncio.sleep)
    async with aiohttp.ClientSession() as session:
        stage = RehearsalStage(session, Rest(session, token, pace.wait), pace, server, token, note=_note)
        stage.with_person, stage.old_edits = with_person, old_edits
        yield stage


async def _looked(at: _Stage) -> RehearsalStage:
    """Return a stage that knows the bot's rights. Raises as `RehearsalStage.look`."""
    async with at() as stage:
        await stage.look()
        return stage


async def _run(at: _Stage) -> tuple[bool, list[Observation]]:
    """Rehearse, and print each fact as it is found; return whether all is removed. Raises as `rehearse`."""
    findings = []
    _row(Text(f"{'':<{_KEY}}{'fact':<{_VALUE - _KEY}}what Discord did", "bold"))
    async with at() as stage:
        try:
            async with aclosing(rehearse(stage)) as tried:
                async for finding in tried:
                    findings.append(finding)
                    _show(finding)
        except asyncio.CancelledError:
            _note("Stopped." if stage.clean else f"Stopped. {_LEFT}")
            raise
    return stage.clean, findings


def _plan(stage: RehearsalStage) -> str:
    lines = [_PLAN.format(name=stage.name, count=len(FACTS), server=stage.guild, channel=NAME)]
    if missing := stage.lacks(WISHED):
        lines.append(f"The bot lacks {_words(missing)}: what takes these rights isn't tried.")
    if stage.left:
        lines.append(f"Channels left by an earlier rehearsal, which are removed first: {stage.left}.")
    if stage.with_person:
        lines.append(f"It begins with six requests to you, in #{NAME}.")
    return "\n".join(lines)


def _words(rights: tuple[str, ...]) -> str:
    return ", ".join(right.replace("_", " ") for right in rights)


def _note(words: str) -> None:
    click.echo(words, err=True)


def _show(finding: Observation) -> None:
    line = Text(f"{finding.word:<{_KEY}}", _STYLE[finding.word])
    line.append(f"{finding.fact.key:<{_VALUE - _KEY}}", "default")
    if finding.word == "different":
        line.append(f"{finding.observed}; the tests' Discord: {finding.expected}", "default")
        _row(line)
        _row(Text(f"{'':<{_KEY}}{finding.fact.sentence}", "dim"), _KEY)
        return
    line.append(finding.reason or finding.observed or "", "dim" if finding.reason else "default")
    _row(line)


def _row(line: Text, indent: int = _VALUE) -> None:
    """Print a line, whose words go on below each other at the width of a terminal."""
    console = out()
    width = max(console.width, indent + 20)
    while console.is_terminal and len(line) > width:
        cut = line.plain.rfind(" ", indent + 1, width + 1)
        head, line = line.divide([cut if cut > 0 else width])
        console.print(head)
        line = Text(" " * indent).append_text(line[1:] if cut > 0 else line)
    console.print(line)
