"""The tables by the names that the pages use; each function makes one from the program."""

from __future__ import annotations

from functools import partial

from dominium import prompt
from games.engine import dice, extras, game, log, match, portable, record, registry, values
from tests.documents import in_discord, of_code, of_errors, of_limits, of_operators, of_players
from tests.documents.pages import Tables

TABLES: Tables = {
    "commands": in_discord.groups,
    "menu-commands": in_discord.in_menus,
    "command-list": in_discord.every_command,
    "options-of-people": in_discord.options_of_people,
    "options-of-servers": in_discord.options_of_servers,
    "clocks": of_players.clocks,
    "ping-settings": of_players.pings,
    "game-options": of_players.options_of_games,
    "levels": of_players.levels,
    "strengths": of_players.strengths_of_levels,
    "manners": of_players.manners,
    "limits": of_limits.limits,
    "rates": of_limits.rates,
    "terminal": of_operators.terminal,
    "environment": of_operators.environment,
    "metrics": of_operators.metrics,
    "exit-states": of_operators.exit_states,
    "log-fields": of_operators.log_fields,
    "make": of_operators.targets_of_make,
    "api-prompt": partial(of_code.api_of, prompt),
    "api-games": partial(of_code.api_of, registry, game, extras, values),
    "api-matches": partial(of_code.api_of, match, log, dice),
    "api-records": partial(of_code.api_of, record, portable),
    "refusals": of_errors.codes,
    "fates": of_errors.fates,
}
