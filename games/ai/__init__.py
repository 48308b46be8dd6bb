"""Computer players for every game. They see what a person in their seat would see: a View, never a State."""
