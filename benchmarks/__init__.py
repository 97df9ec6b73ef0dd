"""How fast the games are, beside their peers on the same machine: ``overworlds bench``."""
