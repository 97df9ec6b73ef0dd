"""How the functions of this game are compiled that are not on the hot path."""

import numba

cold = numba.njit(nogil=True, _dbg_optnone=True)
"""Like `jit`, but not optimised: for what happens once a battle or once an attack.

Numba links and optimises a function again into every function that calls it, level by level. With a deep rule
book that is most of the compile time, and little of the run time.
"""
