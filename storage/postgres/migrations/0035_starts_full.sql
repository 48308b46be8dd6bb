-- Whether a lobby starts as soon as it is full, without its host.

ALTER TABLE matches ADD COLUMN starts_full smallint NOT NULL DEFAULT 0 CHECK (starts_full IN (0, 1));
