"""The impose stage."""
