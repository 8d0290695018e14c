"""What passes between the stages: frozen values, nothing that acts.

Its modules are its interface, each what one stage hands on: `source` (load), `pack` with `stock`
and `values` (validate), `face` (render), `sheet` (impose), `manifest` (export).
"""
