-- Tournaments are looked after when something has changed: `wake` is the time from which on, NULL until then.
-- The matches of pairings without a result are rows, so that the end of one wakes its tournament. Sign-up may
-- have an end, before which entrants check in.

ALTER TABLE tournaments ADD COLUMN wake bigint, ADD COLUMN deadline bigint,
    ADD COLUMN checking smallint NOT NULL DEFAULT 0 CHECK (checking IN (0, 1));
ALTER TABLE tournament_entrants ADD COLUMN here smallint NOT NULL DEFAULT 0 CHECK (here IN (0, 1));

CREATE TABLE tournament_matches (
    match      text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES matches (id),
    tournament bigint           NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE
);

CREATE INDEX tournament_matches_tournament ON tournament_matches (tournament);

INSERT INTO tournament_matches (match, tournament)
SELECT one.value ->> 5, t.id FROM tournaments AS t, jsonb_array_elements(t.pairings::jsonb) AS one (value)
WHERE t.status IN ('running', 'paused') AND one.value ->> 5 IS NOT NULL AND one.value ->> 3 IS NULL;

UPDATE tournaments SET wake = 0 WHERE status IN ('running', 'paused');

DROP INDEX tournaments_running;
CREATE INDEX tournaments_wake ON tournaments (wake) WHERE wake IS NOT NULL;
