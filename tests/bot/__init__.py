"""The real discord.py and the real bot on a simulated Discord, in one process."""
