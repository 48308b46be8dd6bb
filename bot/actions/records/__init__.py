"""Records of matches: given out, imported, checked, found again."""
