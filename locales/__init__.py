"""The texts of the product in the reader's language: a catalogue that games and rooms add their texts to."""

from locales.catalogue import Catalogue
from locales.files import CatalogueError

__all__ = ["Catalogue", "CatalogueError"]
