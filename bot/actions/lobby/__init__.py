"""Lobbies: their buttons, clock and invitations, rematches and forks."""
