-- A match can be shown to anyone who has its id: whether it is, and the people who have agreed to it, as JSON.

ALTER TABLE matches ADD COLUMN public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1));
ALTER TABLE matches ADD COLUMN agreed TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(agreed));
