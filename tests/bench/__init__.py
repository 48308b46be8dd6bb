"""Measurements that need two processes and a server; pytest doesn't run them."""
