-- Servers that the bot has greeted, with the time (milliseconds): each is greeted once, until it is forgotten.

CREATE TABLE greetings (
    guild INTEGER PRIMARY KEY,
    at    INTEGER NOT NULL
) STRICT;
