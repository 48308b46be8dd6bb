"""A month of matches in simulated time, on the strict loopback server, with everything that can go wrong."""
