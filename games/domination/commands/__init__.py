"""What people type: text to commands, commands to legal actions, and questions about incomplete commands."""
