"""The rules: positions, legal actions and their consequences, and how both are stored."""
