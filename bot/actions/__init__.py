"""What people can do, one file for each kind of action, whether by button, command or message."""
