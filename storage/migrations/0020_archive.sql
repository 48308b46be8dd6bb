-- Finished matches of a server, the latest first. A move touches no index of this kind.

CREATE INDEX matches_guild_over ON matches (guild, updated) WHERE status = 'over' AND guild IS NOT NULL;
