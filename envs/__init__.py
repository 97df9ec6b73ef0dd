"""The environments of Overworlds.

``from overworlds.envs import homeworlds_v0`` gives one game for PettingZoo; `batch` steps many games at once,
`playouts` plays whole games without Python, `load_replay` reads a recorded game.
"""
