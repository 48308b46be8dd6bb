"""The kinds of messages: where each goes, how it is made, what posting it means, and what its loss means."""
