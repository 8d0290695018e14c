"""Frozen values that pass between the stages: `source` (from load), `pack` and `catalogue` (from
validate), `face` (from render and impose), `manifest` (from export)."""
