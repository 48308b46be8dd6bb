"""The settings of a command that runs the bot: from the environment and `.env` of the working folder."""

from __future__ import annotations

import os
from pathlib import Path

from bot.platform.config import Config, ConfigError, load_config
from cli.terminal import Sorry


def configuration() -> Config:
    """Return the settings; a wrong one ends the command with its own sentence."""
    try:
        return load_config(os.environ, Path(".env"))
    except ConfigError as error:
        raise Sorry(str(error)) from error
