"""Computer players of all games. They see what a person in their seat would see: a View, never a State."""
