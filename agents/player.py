"""One interface for all players: through PettingZoo environments, batches and bare states alike."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from overworlds.agents.search import Search, SearchSettings, Thought
from overworlds.envs.core.advance import copy_bytes, header, legal_choice
from overworlds.envs.core.game import Policy, Variant, checked_seed
from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_RESAMPLE,
    IDS,
    PARAMS,
    addresses,
    borrowed_row,
    kernel,
    legal_at,
    policy_at,
    resample_at,
)
from overworlds.envs.core.rng import mix

if TYPE_CHECKING:
    from overworlds.envs.core.aec import GameEnv
    from overworlds.envs.core.batch import Batch


@kernel(types.int64(ADDRESSES, ADDRESSES, PARAMS, BYTES, BYTES, BYTES, IDS, types.int64))
def choose(code, policy, params, rules, state, scratch, ids, seed):
    """What a policy chooses where the seat to move knows what it knows, and everything else is redrawn."""
    copy_bytes(state, scratch)
    resample_at(code[CODE_RESAMPLE])(rules, scratch, int(header(state).to_move), mix(seed, 1))
    n = legal_at(code[CODE_LEGAL])(rules, scratch, ids)
    return legal_choice(policy_at(policy[0])(params, rules, scratch, ids, n, seed), ids, n)


@kernel(types.void(ADDRESSES, ADDRESSES, PARAMS, BYTES, types.uint8[:, ::1], BYTES, IDS, types.int64, IDS))
def choose_lanes(code, policy, params, rules, states, scratch, ids, seed, actions):
    """What it chooses in every lane of a batch."""
    for lane in range(len(states)):
        state = borrowed_row(states, lane)
        actions[lane] = choose(code, policy, params, rules, state, scratch, ids, mix(seed, lane))


class Agent(ABC):
    """A player of one variant of a game. It plays any seat: always the one to move.

    It is handed whole states, but plays only on what the seat to move can know: whatever is hidden from that seat is
    redrawn before it looks. It has memory of its own, so threads must not share it.
    """

    policy: Policy | None = None
    """The player as a compiled policy, if it is one: playouts and opponents inside environments take it."""

    def __init__(self, variant: Variant, name: str, seed: int = 0) -> None:
        """Make a player.

        Args:
            variant: the game with its players and rules.
            name: what to call it; its spec, as a rule.
            seed: its choices are the same for the same seed and the same calls.
        """
        self.variant = variant
        self.name = name
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin anew, with this seed."""
        self._seed = checked_seed(seed)
        self._asked = 0

    def _next_seed(self) -> int:
        self._asked += 1
        return int(mix(self._seed, self._asked))

    @abstractmethod
    def choose(self, state: np.ndarray, seed: int) -> int:
        """The action of the seat to move in this state, the same for the same seed. The state is left as it is."""

    def act(self, env: "GameEnv") -> int | None:
        """The action to step a PettingZoo environment of this variant with: always legal; None for whoever is out."""
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            return None
        return self.choose(self._state_of(env), self._next_seed())

    def _state_of(self, env: "GameEnv") -> np.ndarray:
        self._check(env.variant)
        return np.frombuffer(bytearray(env.state_bytes()[-self.variant.state_bytes :]), np.uint8)

    def act_batch(self, batch: "Batch") -> np.ndarray:
        """An action for every lane of a batch of this variant."""
        self._check(batch.variant)
        seed = self._next_seed()
        return np.array([self.choose(state, int(mix(seed, i))) for i, state in enumerate(batch.states)], np.int32)

    def _check(self, variant: Variant) -> None:
        if variant.digest != self.variant.digest:
            raise ValueError(
                f"{self.name!r} was made for {self.variant.game.id} with {self.variant.players} players and its rules, "
                f"not for this game: make it with the environment's own variant"
            )

    def __repr__(self) -> str:
        return f"<{self.name} for {self.variant.game.id}>"


class PolicyAgent(Agent):
    """A compiled policy as a player."""

    policy: Policy

    def __init__(self, variant: Variant, policy: Policy, name: str, seed: int = 0) -> None:
        super().__init__(variant, name, seed)
        self.policy = policy
        self._code = addresses(policy.kernel)
        self._scratch = np.zeros(variant.state_bytes, np.uint8)
        self._ids = np.zeros(variant.num_actions, np.int32)

    def choose(self, state: np.ndarray, seed: int) -> int:
        """Ask the policy."""
        code, rules = self.variant.game.code, self.variant.rules
        return int(choose(code, self._code, self.policy.params, rules, state, self._scratch, self._ids, seed))

    def act_batch(self, batch: "Batch") -> np.ndarray:
        """Ask the policy for every lane, in one call."""
        self._check(batch.variant)
        actions = np.zeros(batch.num_envs, np.int32)
        choose_lanes(
            self.variant.game.code,
            self._code,
            self.policy.params,
            self.variant.rules,
            batch.states,
            self._scratch,
            self._ids,
            self._next_seed(),
            actions,
        )
        return actions


class SearchAgent(Agent):
    """Tree search as a player."""

    def __init__(
        self,
        variant: Variant,
        rollout: Policy,
        settings: SearchSettings,
        value: Policy | None = None,
        name: str = "search",
        seed: int = 0,
    ) -> None:
        super().__init__(variant, name, seed)
        self.search = Search(variant, rollout, settings, value)
        self.thought: Thought | None = None
        """What it thought before its last choice."""

    def choose(self, state: np.ndarray, seed: int) -> int:
        """Search, and take the most visited choice."""
        self.thought = self.search.think(state, seed)
        return self.thought.choice

    def think(self, env: "GameEnv") -> Thought:
        """Search for the agent to move in a PettingZoo environment: a hint, with all that supports it."""
        return self.search.think(self._state_of(env), self._next_seed())
