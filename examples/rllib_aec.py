"""Self-play PPO with RLlib on the PettingZoo environment, with action masks: one policy plays all seats.

RLlib pins its own version of Gymnasium, so give it an environment of its own:

    python -m venv rllib && . rllib/bin/activate
    pip install "ray[rllib]==2.60.*" torch overworlds
    python examples/rllib_aec.py --iterations 20
"""

import argparse
import sys

import numpy as np
from gymnasium import spaces
from pettingzoo.utils import BaseWrapper

from overworlds.envs import homeworlds_v0

try:
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env
except ModuleNotFoundError as error:
    sys.exit(
        f"this example needs RLlib ({error}). It pins its own version of Gymnasium, so use an environment of its own:\n"
        "  python -m venv rllib && . rllib/bin/activate\n"
        '  pip install "ray[rllib]==2.60.*" torch overworlds'
    )


class RLlibView(BaseWrapper):
    """The same game with observations as RLlib's masking module wants them: plural key, floats, scaled to -1 … 1."""

    def __init__(self, env):
        super().__init__(env)
        inner = env.observation_space(env.possible_agents[0])["observation"]
        self._scale = 1.0 / np.maximum(1.0, np.maximum(np.abs(inner.low.astype(np.float32)), inner.high))
        actions = int(env.action_space(env.possible_agents[0]).n)
        self._space = spaces.Dict(
            {
                "observations": spaces.Box(-1.0, 1.0, inner.shape, np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (actions,), np.float32),
            }
        )

    def observation_space(self, agent):
        """The same for all agents."""
        return self._space

    def observe(self, agent):
        """What this agent sees, and what it may do."""
        seen = self.env.observe(agent)
        return {
            "observations": (seen["observation"] * self._scale).astype(np.float32),
            "action_mask": seen["action_mask"].astype(np.float32),
        }


def make_config(players, batch):
    """PPO with one masked policy for all seats, in this process."""
    register_env("homeworlds", lambda _: PettingZooEnv(RLlibView(homeworlds_v0.env(players=players))))
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"head_fcnet_hiddens": [128, 128], "head_fcnet_activation": "relu"},
    )
    return (
        PPOConfig()
        .environment("homeworlds")
        .env_runners(num_env_runners=0, batch_mode="complete_episodes")
        .learners(num_learners=0)
        .multi_agent(policies={"everybody"}, policy_mapping_fn=lambda agent, *_, **__: "everybody")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"everybody": module}))
        .training(train_batch_size_per_learner=batch, minibatch_size=min(256, batch), num_epochs=2, gamma=0.998)
    )


def main():
    """Train, and print how long games are and how sure the policy is of its choices."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--iterations", type=int, default=20)
    options.add_argument("--players", type=int, default=2)
    options.add_argument("--batch", type=int, default=4000, help="decisions to learn from in an iteration")
    options = options.parse_args()
    ray.init(include_dashboard=False, log_to_driver=False, num_cpus=1)
    algorithm = make_config(options.players, options.batch).build_algo()
    for iteration in range(1, options.iterations + 1):
        result = algorithm.train()
        games = result["env_runners"]
        learnt = result["learners"]["everybody"]
        print(
            f"iteration {iteration}: {games['num_env_steps_sampled_lifetime']:,.0f} decisions, "
            f"{games['episode_len_mean']:.0f} a game, entropy {learnt['entropy']:.3f}",
            flush=True,
        )
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
