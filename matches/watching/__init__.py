"""People who watch: what they follow, and how late they see it."""
