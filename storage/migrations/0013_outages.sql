-- When Discord couldn't reach a server, so that nobody could play there. Times: milliseconds, UTC.

CREATE TABLE outages (
    guild INTEGER NOT NULL,
    start INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (guild, start)
) STRICT, WITHOUT ROWID;
