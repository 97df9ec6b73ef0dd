"""Training and everything around it: the command line, and the documentation that is made from the games."""
