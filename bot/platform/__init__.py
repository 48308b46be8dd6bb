"""What the bot runs on: configuration, clock, logs, permissions, settings, readers, uploaded maps."""
