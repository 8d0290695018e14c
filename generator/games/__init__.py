"""Rules of single games as code: the only package where a game's name may stand.

`table` is the one place through which a pack's game is reached.
"""
