"""All games of the collection, for tests that hold for every one of them."""

import importlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from overworlds.envs.core.aec import GameEnv
from overworlds.envs.core.registry import GAMES, find_game

EVERY_GAME = pytest.mark.parametrize("game", list(GAMES))
EVERY_TABLE = pytest.mark.parametrize(
    ("game", "players"),
    [pytest.param(game, players, id=f"{game}-{players}") for game in GAMES for players in find_game(game).players],
)
"""Every game with every number of players."""


def make(game: str, players: int | None = None, **options: Any) -> GameEnv:
    """An environment as a user makes it."""
    players = find_game(game).default_players if players is None else players
    return importlib.import_module(f"overworlds.envs.{game}").env(players=players, **options)


def dealt(game: str, players: int | None = None, seed: int = 0, **options: Any) -> GameEnv:
    """An environment with its first game dealt."""
    env = make(game, players, **options)
    env.reset(seed=seed)
    return env


def illegal_action(env: GameEnv) -> int:
    """The first action that is not legal now."""
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])


def choose(env: GameEnv, rng: random.Random) -> int | None:
    """Any legal action, or None where the selected agent's game is over."""
    if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
        return None
    return int(rng.choice(env.legal_actions().tolist()))


def play_randomly(env: GameEnv, seed: int, steps: int = 1_000_000) -> list[int | None]:
    """Play on at random until everybody has stepped out, or so many steps; what was chosen."""
    rng = random.Random(seed)
    chosen = []
    while env.agents and len(chosen) < steps:
        chosen.append(choose(env, rng))
        env.step(chosen[-1])
    return chosen


def moments(env: GameEnv, seed: int) -> Iterator[int]:
    """Play a game at random; the number of every step, before it is made."""
    rng = random.Random(seed)
    step = 0
    while env.agents:
        yield step
        env.step(choose(env, rng))
        step += 1


def bookkeeping(env: GameEnv) -> dict[str, Any]:
    """All that PettingZoo's users see of an environment, as plain data that can be compared."""
    seen = {agent: env.observe(agent) for agent in env.possible_agents}
    return {
        "agents": list(env.agents),
        "agent_selection": env.agent_selection,
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()},
        "observations": {agent: view["observation"].tobytes() for agent, view in seen.items()},
        "masks": {agent: view["action_mask"].tobytes() for agent, view in seen.items()},
        "legal": env.legal_actions().tolist(),
        "returns": env.returns(),
        "turn": env.turn,
        "bytes": env.state_bytes(),
    }
