"""The theory of tournaments: pairings and standings as pure functions of who met whom and how that ended."""
