"""The name under which the whole is installed and run. The rooms beside it hold the code."""

from importlib.metadata import version

__version__ = version("dominium")
