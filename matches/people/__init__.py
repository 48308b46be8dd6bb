"""What moderators and operators do about people, and people who are forgotten."""
