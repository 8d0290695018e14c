"""Rules of single games as code: the only package where a game's name may stand."""
