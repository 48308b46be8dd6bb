"""Where Discord's events come in: messages, interactions, slash commands, deletions, gaps."""
