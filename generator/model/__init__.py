"""What passes between the stages: frozen values, nothing that acts.

Its modules are its interface, each what one stage hands on: `source` (load), `pack` with
`catalogue` (validate), `face` (render, impose), `manifest` (export).
"""
