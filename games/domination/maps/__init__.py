"""Maps as data, the drawings of built-in ones, and the readers of imported map files."""
