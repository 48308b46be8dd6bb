"""Maps as data, how ours are drawn, and how the files of others are read."""
