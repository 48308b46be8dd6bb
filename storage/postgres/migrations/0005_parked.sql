-- Messages that can't be sent for now are parked until what they wait for is back: a match's channel or server
-- (its id), or a person who took no direct messages (`user/{id}`). Empty for those that never come back.

ALTER TABLE outbox_dead ADD COLUMN until text COLLATE "C" NOT NULL DEFAULT '';
UPDATE outbox_dead SET until = match WHERE "user" IS NULL AND error = 'channel';
UPDATE outbox_dead SET until = 'user/' || "user"
    WHERE "user" IS NOT NULL AND kind <> 'dm' AND error = 'direct messages are closed';
CREATE INDEX outbox_dead_until ON outbox_dead (until) WHERE until <> '';

-- Few matches are unreachable: they are looked for when a server is back.
CREATE INDEX matches_unreachable ON matches (unreachable) WHERE unreachable <> '';
