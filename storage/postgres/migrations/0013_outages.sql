-- When Discord couldn't reach a server, so that nobody could play there. Times: milliseconds, UTC.

CREATE TABLE outages (
    guild bigint NOT NULL,
    start bigint NOT NULL,
    until bigint,
    PRIMARY KEY (guild, start)
);
