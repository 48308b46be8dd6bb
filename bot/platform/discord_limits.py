"""The limits that Discord sets for messages and components, in one place.

https://discord.com/developers/docs/reference lists them; `tests/openapi.json` knows those of the requests.
"""

from __future__ import annotations

from typing import Final

MAX_CONTENT: Final = 2000
"""Maximum length of a message, in characters."""
MAX_FILE_BYTES: Final = 8_000_000
"""Maximum size of a file that we send: Discord takes 10 MiB from everyone
(https://discord.com/developers/docs/reference#uploading-files)."""
MAX_ALT: Final = 1024
"""Maximum length of an alt text, in characters."""
MAX_CHOICES: Final = 25
"""Maximum number of entries of a menu, and of suggestions while typing."""
MAX_CHOICE: Final = 100
"""Maximum length of an entry of a menu, its description and its value, and of a suggestion, in characters."""
MAX_BUTTON: Final = 80
"""Maximum length of a button's label, in characters."""
MAX_TITLE: Final = 45
"""Maximum length of the title of a form, and of the label of a field, in characters."""
MAX_THREAD_NAME: Final = 100
"""Maximum length of the name of a thread, in characters."""
