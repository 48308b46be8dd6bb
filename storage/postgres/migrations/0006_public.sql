-- A match can be shown to anyone who has its id: whether it is, and the people who have agreed to it, as JSON.

ALTER TABLE matches ADD COLUMN public smallint NOT NULL DEFAULT 0 CHECK (public IN (0, 1));
ALTER TABLE matches ADD COLUMN agreed json NOT NULL DEFAULT '[]';
