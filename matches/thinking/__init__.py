"""How computers think: what is to be decided, who decides it, and what of that crosses to another process."""
