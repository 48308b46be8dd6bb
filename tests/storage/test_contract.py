"""The contract, on every store there is."""

from __future__ import annotations

from tests.storage import (
    contract,
    contract_analyses,
    contract_archive,
    contract_clocks,
    contract_departures,
    contract_erasures,
    contract_errors,
    contract_follows,
    contract_holders,
    contract_idle,
    contract_imports,
    contract_lessons,
    contract_maps,
    contract_messages,
    contract_moderation,
    contract_pings,
    contract_plans,
    contract_seat_offers,
    contract_standing,
    contract_tournaments,
)


class TestDepartures(contract_departures.Departures):
    """Servers that the bot has left."""


class TestLessons(contract_lessons.Lessons):
    """Progress in lessons."""


class TestArchive(contract_archive.Archive):
    """Finding finished matches."""


class TestChanges(contract.Changes):
    """Creating and changing matches."""


class TestFinding(contract.Finding):
    """Looking for matches."""


class TestEnding(contract.Ending):
    """Upkeep."""


class TestOutbox(contract_messages.Outbox):
    """Messages that wait to be sent."""


class TestPosts(contract_messages.Posts):
    """Messages that were sent."""


class TestMirrors(contract_messages.Mirrors):
    """Channels in which a match is mirrored."""


class TestSettings(contract_messages.Settings):
    """Settings of servers and people."""


class TestReadMarks(contract_messages.ReadMarks):
    """How far channels were read."""


class TestMaps(contract_maps.Maps):
    """Maps that servers brought along."""


class TestClocks(contract_clocks.Clocks):
    """What clocks are computed from."""


class TestHolders(contract_holders.Holders):
    """Who held the seats of a match."""


class TestSeatOffers(contract_seat_offers.SeatOffers):
    """Seats that are on offer."""


class TestIdle(contract_idle.Idle):
    """Matches that nobody moves in."""


class TestModeration(contract_moderation.Moderation):
    """What moderators have done."""


class TestBlocks(contract_moderation.Blocks):
    """People who block others."""


class TestErasing(contract_erasures.Erasing):
    """People who are forgotten."""


class TestExporting(contract_erasures.Exporting):
    """What is kept about a person."""


class TestAnalyses(contract_analyses.Analyses):
    """Analyses of finished matches."""


class TestFollows(contract_follows.Follows):
    """People who follow matches."""


class TestShowcases(contract_follows.Showcases):
    """Channels in which servers show their matches."""


class TestPlans(contract_plans.Plans):
    """What people have planned."""


class TestPings(contract_pings.Pings):
    """What seats wait for."""


class TestPingPosts(contract_pings.PingPosts):
    """Messages that ping people."""


class TestReminders(contract_pings.Reminders):
    """Turns whose time runs out."""


class TestImports(contract_imports.Imports):
    """What came with imported records."""


class TestErrors(contract_errors.Errors):
    """Groups of errors."""


class TestStanding(contract_standing.Standing):
    """Results of matches and the ratings that follow."""


class TestTournaments(contract_tournaments.Tournaments):
    """Tournaments, their entrants and logs."""


class TestLeaderboards(contract_standing.Leaderboards):
    """Profiles and leaderboards."""
