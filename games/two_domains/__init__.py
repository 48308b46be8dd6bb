"""Two Domains: the medieval dice game by Simon K. Jensen (2023) for two players."""

from games.two_domains.game import GAME

__all__ = ["GAME"]
