"""Messages that wait to be sent: their kinds, and the rules by which they wait."""
