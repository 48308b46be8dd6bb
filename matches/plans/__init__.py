"""Plans: a person's private queue of moves for one match, each played once what it waits for has happened."""
