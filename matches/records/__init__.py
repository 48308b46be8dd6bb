"""Records of matches: read, checked and imported."""
