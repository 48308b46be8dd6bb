"""The contract, on every store there is."""

from __future__ import annotations

from tests.storage import contract, contract_around, contract_maps


class TestChanges(contract.Changes):
    """Creating and changing matches."""


class TestFinding(contract.Finding):
    """Looking for matches."""


class TestEnding(contract.Ending):
    """Upkeep."""


class TestOutbox(contract_around.Outbox):
    """Messages that wait to be sent."""


class TestAround(contract_around.Around):
    """Posts, watches, settings, read marks."""


class TestMaps(contract_maps.Maps):
    """Maps that servers brought along."""
