"""Read the log of a match: its changes, the match that it gives, and what follows for its row."""
