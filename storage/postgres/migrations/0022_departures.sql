-- Servers that the bot has left and that something is still kept about, with the time since when (milliseconds).

CREATE TABLE departures (
    guild bigint PRIMARY KEY,
    since bigint NOT NULL
);
