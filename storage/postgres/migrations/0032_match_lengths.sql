-- How long matches of a kind took is asked for its latest ones: a kind that nobody plays is found as fast.
-- It is partial so that no other question is answered by it.

CREATE INDEX match_results_kind ON match_results (game, family, at) WHERE unrated <> 'fork';
