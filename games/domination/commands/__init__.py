"""What people type: words to commands, commands to legal actions, questions for half a command."""
