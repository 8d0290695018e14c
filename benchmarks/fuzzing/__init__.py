"""Broken and hostile projects made by rule, run as the command line would, and judged."""
