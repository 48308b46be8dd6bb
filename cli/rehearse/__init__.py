"""`dominium rehearse`: try on the real Discord, in a server of one's own, what the tests believe of it."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from pathlib import Path

import aiohttp
import click
from rich.text import Text

from bot.platform.clock import DiscordClock
from bot.platform.loopback import point_discord_at
from cli.config import configuration
from cli.rehearse.facts import FACTS
from cli.rehearse.rehearsal import Observation, rehearse, report
from cli.rehearse.rest import Rest
from cli.rehearse.stage import NotAllowedError, NotTriedError, RehearsalStage, RehearsalTime
from cli.terminal import Sorry, out, write_file

_STYLE = {"same": "green", "different": "bold red", "not tried": "yellow"}
_PLAN = """\
{count} facts are tried in server {server}. It takes about ten minutes and some hundred requests, far below
all limits. The bot makes channels named dominium-rehearsal, writes in them only, and removes them at the
end, or at the next start if it is interrupted. Nobody is pinged. A bot that runs meanwhile sees all of it:
better stop it first."""


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
    console = out()
    console.print(_PLAN.format(count=len(FACTS), server=server))
    if not yes:
        click.confirm("Begin?", default=True, abort=True)
    try:
        findings = asyncio.run(_run(config.token, server, with_person=with_person, old_edits=old_edits))
    except NotAllowedError as lacking:
        wanted = ", ".join(right.replace("_", " ") for right in lacking.missing)
        raise Sorry(f"The bot may not do this there. In that server it needs: {wanted}.") from lacking
    except NotTriedError as why:
        raise Sorry(f"Nothing was tried: {why}.") from why
    except aiohttp.ClientError as error:
        raise click.ClickException(f"Discord can't be reached: {error}") from error
    date = DiscordClock().now().date().isoformat()
    path = target or Path(f"rehearsal-{date}.json")
    write_file(path, (json.dumps(report(findings, date), indent=1) + "\n").encode())
    counts = {word: sum(one.word == word for one in findings) for word in _STYLE}
    console.print(", ".join(f"{word}: {count}" for word, count in counts.items()) + f". Written to {path}.")
    if counts["different"]:
        raise SystemExit(1)


async def _run(token: str, server: int, *, with_person: bool, old_edits: bool) -> list[Observation]:
    pace = RehearsalTime(asyncio.get_running_loop().time, asyncio.sleep)
    findings = []
    async with aiohttp.ClientSession() as session:
        stage = RehearsalStage(session, Rest(session, token, pace.wait), pace, server, token)
        stage.with_person, stage.old_edits = with_person, old_edits
        async with aclosing(rehearse(stage)) as tried:
            async for finding in tried:
                findings.append(finding)
                _show(finding)
    return findings


def _show(finding: Observation) -> None:
    line = Text(f"{finding.word:<10}", _STYLE[finding.word])
    line.append(f"{finding.fact.key:<28}{finding.fact.sentence}", "default")
    console = out()
    console.print(line)
    if finding.word == "different":
        console.print(
            Text(f"{'':<10}Discord: {finding.observed}; the tests' Discord: {finding.expected}", "dim")
        )
    elif finding.reason:
        console.print(Text(f"{'':<10}{finding.reason}", "dim"))
