"""Files and commands to run the bot as a service. The commands need the standard library only."""
