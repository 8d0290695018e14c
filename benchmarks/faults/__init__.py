"""A good pack, and the ways to damage what is printed of it."""
