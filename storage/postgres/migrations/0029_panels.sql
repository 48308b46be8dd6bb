-- A server may have two messages that are kept current: a list of its live matches, and the front page.

ALTER TABLE showcases
    ADD COLUMN kind text NOT NULL DEFAULT 'matches' CHECK (kind IN ('matches', 'panel')),
    DROP CONSTRAINT showcases_pkey,
    ADD PRIMARY KEY (guild, kind);

CREATE INDEX matches_guild_lobby ON matches (guild) WHERE status = 'lobby' AND guild IS NOT NULL;
