"""Maps as data, the drawings of ours, and the readers of imported map files."""
