"""Five strategy games as pure libraries: standard library only; no clock, no files, no network."""
