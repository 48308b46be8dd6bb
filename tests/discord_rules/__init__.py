"""The first judge of requests: what Discord would refuse, by our own rules.

``judge(method, path, body=...)`` judges a request; ``message_faults``, ``component_faults``, ``modal_faults``
and ``command_faults`` judge a payload alone, and return the faults found, none if Discord would take it.
The lengths and counts are those of Discord's documentation of August 2026.
"""

from tests.discord_rules.payloads import command_faults, component_faults, message_faults, modal_faults
from tests.discord_rules.routes import Verdict, judge
from tests.discord_rules.shapes import Fault, form_errors

__all__ = [
    "Fault",
    "Verdict",
    "command_faults",
    "component_faults",
    "form_errors",
    "judge",
    "message_faults",
    "modal_faults",
]
