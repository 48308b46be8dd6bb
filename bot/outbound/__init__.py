"""Send the messages in the outbox, and handle those that Discord refuses."""
