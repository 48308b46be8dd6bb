"""People: moderators' panels, blocks, pings, and what is kept about someone."""
