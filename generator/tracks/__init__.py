"""Tracks: a family of tiles and a word or an inventory in, exact layouts and circuits out."""
