"""Standing: what a match says about its people, what of it counts, and the ratings that follow."""
