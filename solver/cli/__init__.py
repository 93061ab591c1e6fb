"""The command line ``trunkline``."""
