"""People who are away: time that is up, pauses, vacations, downtimes, matches that fell asleep."""
