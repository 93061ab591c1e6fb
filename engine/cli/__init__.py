"""The commands ``trunkline game``, and playing at a terminal."""
