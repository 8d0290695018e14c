"""Races and time trials of the chariot game, simulated."""
