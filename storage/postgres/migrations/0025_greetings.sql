-- Servers that the bot has greeted, with the time (milliseconds): each is greeted once, until it is forgotten.

CREATE TABLE greetings (
    guild bigint PRIMARY KEY,
    at    bigint NOT NULL
);
