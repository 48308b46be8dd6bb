"""The texts for players in their language: a catalogue of the texts of all games and packages."""

from locales.catalogue import Catalogue, CatalogueError

__all__ = ["Catalogue", "CatalogueError"]
