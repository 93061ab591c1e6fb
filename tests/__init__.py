"""Tests of the solver and the engine."""
