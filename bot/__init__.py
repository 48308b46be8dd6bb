"""Dominium on Discord. `app` puts it together; docs/architecture.md lists the rooms below."""
