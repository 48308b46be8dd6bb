-- Pictures of maps are found by the key that a map in play names them by, whichever server brought it along.

ALTER TABLE maps ADD COLUMN ground text COLLATE "C" NOT NULL DEFAULT '' CHECK (length(ground) <= 64);
CREATE INDEX maps_by_ground ON maps (ground) WHERE ground <> '';
