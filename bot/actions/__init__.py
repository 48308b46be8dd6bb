"""What people can do: one file for each kind of action, whichever way it was asked for."""
