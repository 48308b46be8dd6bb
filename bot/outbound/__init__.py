"""What leaves the bot unasked: the outbox's publisher, and what to do when Discord refuses."""
