"""The engine: what is the same for every game."""

import time

LOADED_SINCE = time.time()
"""Every module with kernels is read after this moment, because this package is imported first."""
