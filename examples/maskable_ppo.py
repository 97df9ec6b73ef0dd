"""Train sb3-contrib's MaskablePPO on one seat of a game, through the Gymnasium view.

    pip install "overworlds[train]"
    python examples/maskable_ppo.py --steps 50000

For whole self-play runs with the speed of the batch engine see ``overworlds train``.
"""

import argparse

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import overworlds.envs  # noqa: F401 - makes the games known to gymnasium.make


def make_env():
    """The learner at a random seat, one random opponent."""
    return gymnasium.make("overworlds/Homeworlds-v0", players=2, seat=None, opponents="random")


def wins(model, games, seed=1000):
    """How many of so many games the model wins."""
    env, won = make_env(), 0
    for game in range(games):
        observation, _ = env.reset(seed=seed + game)
        over = False
        while not over:
            mask = env.unwrapped.action_masks()
            action, _ = model.predict(observation, action_masks=mask, deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(int(action))
            over = terminated or truncated
        won += reward > 0
    return won


def main():
    """Train, and say how often the model wins before and after."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--steps", type=int, default=50_000)
    options.add_argument("--games", type=int, default=50, help="games to measure with")
    options = options.parse_args()
    env = DummyVecEnv([make_env] * 16)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=512, n_epochs=4, seed=0, verbose=0)
    print(f"before training: {wins(model, options.games)} of {options.games} games won against random")
    model.learn(options.steps)
    print(f"after {options.steps:,} steps: {wins(model, options.games)} of {options.games} games won against random")
    lengths = [episode["l"] for episode in model.ep_info_buffer]
    print(f"the learner's decisions a game, lately: {np.mean(lengths):.0f}" if lengths else "no game was finished")


if __name__ == "__main__":
    main()
