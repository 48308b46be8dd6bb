"""The README's two commands on bare systems: `make machines`, as root on Debian or Ubuntu."""
