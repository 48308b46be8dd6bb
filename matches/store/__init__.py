"""What matches and their store exchange: rows, and the protocols of the Store's parts. No logic."""
