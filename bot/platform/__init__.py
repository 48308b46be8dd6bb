"""What the bot runs on: settings of the process, clock, logs, permissions, readers, kept files."""
