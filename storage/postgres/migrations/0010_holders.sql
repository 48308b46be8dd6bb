-- Who held a seat of a match, and from which log entry on. Written once the seat has changed hands: entry 0 is
-- the one who began. `back` is the person who may come back while a computer holds it.

CREATE TABLE holders (
    match    text    COLLATE "C" NOT NULL REFERENCES matches (id),
    seat     integer NOT NULL CHECK (seat >= 0),
    since    integer NOT NULL CHECK (since >= 0),
    occupant text    NOT NULL CHECK (occupant IN ('person', 'computer')),
    "user"   bigint,
    name     text    NOT NULL,
    level    text    NOT NULL,
    why      text    NOT NULL,
    back     bigint,
    at       bigint  NOT NULL,
    PRIMARY KEY (match, seat, since)
);

-- Matches that nobody moves in: at which log entry and when their people were asked whether to go on, or one of
-- them said so (asked = 0). A row of an earlier entry means nothing: someone has moved since.
CREATE TABLE idle (
    match   text     COLLATE "C" NOT NULL PRIMARY KEY REFERENCES matches (id),
    version integer  NOT NULL,
    asked   smallint NOT NULL CHECK (asked IN (0, 1)),
    at      bigint   NOT NULL
);

-- The days after which a server's idle matches are looked after; NULL without. Characters that are written as
-- escapes don't matter for that, and PostgreSQL can't read all of them.
CREATE FUNCTION idle_days(settings json) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE json_typeof(one.found) WHEN 'number' THEN (one.found #>> '{}')::numeric END
    FROM (SELECT regexp_replace(settings::text, '\\u[0-9a-fA-F]{4}', '\\ufffd', 'g')::json -> 'idle') AS one (found)
$$;

-- Only servers that set matches aside are looked at, and a move touches none of these indexes.
CREATE INDEX settings_idle ON settings (idle_days(settings)) WHERE scope = 'guild' AND idle_days(settings) > 0;
CREATE INDEX matches_guild_live ON matches (guild) WHERE status = 'live' AND guild IS NOT NULL;
