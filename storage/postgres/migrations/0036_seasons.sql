-- A leaderboard of a season lists those who have had a match that counted in it: `latest` is the time of a
-- person's last one. Leaderboards, and places on them, are read from the index alone. People who want to be on none
-- are few, and have an index of their own.

ALTER TABLE ratings ADD COLUMN latest bigint NOT NULL DEFAULT 0;

UPDATE ratings SET latest = coalesce((
    SELECT max(r.at) FROM match_results AS r
    JOIN rating_changes AS c ON c.match = r.match AND c."user" = r."user" AND c.scope = ratings.scope
    WHERE r."user" = ratings."user" AND r.game = ratings.game AND r.family = ratings.family
        AND c.new_matches > c.matches
), 0);

DROP INDEX ratings_order;
CREATE INDEX ratings_order ON ratings (scope, game, family, provisional, mu DESC, "user", latest);

ALTER TABLE settings ADD COLUMN private smallint NOT NULL DEFAULT 0 CHECK (private IN (0, 1));

UPDATE settings SET private = 1 WHERE scope = 'user' AND CAST(settings AS TEXT) LIKE '%"standing":"private"%';

CREATE INDEX settings_private ON settings (id) WHERE private = 1;

-- Whom a lobby is for: JSON of the least share of matches played to their end, and the range of ratings.
ALTER TABLE matches ADD COLUMN terms text;

-- People may play for a team: its number in the plan of the tournament, 0 for none.
ALTER TABLE tournament_entrants ADD COLUMN team smallint NOT NULL DEFAULT 0 CHECK (team >= 0);
