"""Whole games as short digests, to compare processes that run the same source in different ways.

``python -m tests.core.trace '[{"game": "homeworlds_v0", "players": 2, "seed": 1}]'`` prints the traces as JSON.
"""

import hashlib
import json
import sys
from typing import Any

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
from overworlds.envs.core.registry import find_game
from overworlds.envs.core.rng import mix


def trace(
    game: str,
    players: int,
    seed: int,
    policy: str = "random",
    rules: dict[str, Any] | None = None,
    decisions: int = 1_000_000,
) -> dict[str, Any]:
    """Play a game; digests of all that happened and of all states, how long it was, and its result.

    ``digest`` covers what can be seen from outside (choices, observations of all seats, rewards), so that it changes
    only when behaviour does; ``states`` covers every byte.
    """
    variant = Variant(find_game(game), players, rules)
    kernels = variant.game.kernels
    chosen_by = variant.game.policy(policy)
    state = variant.deal(seed)
    ids = np.zeros(variant.num_actions, np.int32)
    seen = np.zeros(variant.observation_size, np.int8)
    head = state[:HEADER_BYTES].view(HEADER)[0]
    happened, states = hashlib.sha256(), hashlib.sha256()
    made = 0
    while True:
        n = int(kernels.legal(variant.rules, state, ids))
        happened.update(ids[:n].tobytes())
        for seat in range(players):
            kernels.observe(variant.rules, state, seat, seen)
            happened.update(seen.tobytes())
            resampled = state.copy()
            kernels.resample(variant.rules, resampled, seat, made)
            states.update(resampled.tobytes())
        happened.update(head.returns[:players].tobytes() + (head.finished[:players] != 0).tobytes())
        states.update(state.tobytes())
        if head.to_move == OVER or made == decisions:
            break
        draw = mix(seed, made)
        action = int(chosen_by.kernel(chosen_by.params, variant.rules, state, ids, n, draw))
        happened.update(action.to_bytes(4))
        kernels.step(variant.rules, state, action)
        made += 1
    return {
        "digest": happened.hexdigest()[:32],
        "states": states.hexdigest()[:32],
        "decisions": made,
        "turns": int(head.turn),
        "returns": [float(gain) for gain in head.returns[:players]],
    }


if __name__ == "__main__":
    print(json.dumps([trace(**job) for job in json.loads(sys.argv[1])]))
