"""The engine: what is the same for every game."""
