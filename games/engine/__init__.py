"""The rules engine that every game plugs into: interface, log, dice, scenes, notation, registry."""
