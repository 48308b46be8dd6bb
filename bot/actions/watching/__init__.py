"""Watch and follow matches, and lists of them."""
