-- The computers that sat in a match from the start, as it was rated by them: a JSON list of seat, team, place,
-- strength and its standard error in thousandths of a point. It follows from the first entry of the log.

ALTER TABLE match_results ADD COLUMN computers TEXT NOT NULL DEFAULT '[]';
