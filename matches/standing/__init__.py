"""Standing: the results of people in a match, what of them counts, and the ratings that follow."""
