"""The rules: positions, who may do what, what follows from it, and how both are written down."""
