"""Entry points for Discord's events: messages, interactions, slash commands, deletions, missed messages."""
