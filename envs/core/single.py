"""A game as a Gymnasium environment: one learner, the other seats played by policies inside the environment."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numba import types

from overworlds.envs.core.advance import desk_parts, header, legal_choice, look_from, new_desk
from overworlds.envs.core.aec import Illegal, IllegalActionError, OrderError
from overworlds.envs.core.game import Policy, Variant, checked_action, checked_seed, given_rules
from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_STEP,
    ELIMINATED,
    HEADER,
    HEADER_BYTES,
    IDS,
    MAX_PLAYERS,
    OVER,
    RNG,
    addresses,
    kernel,
    legal_at,
    policy_at,
    step_at,
)
from overworlds.envs.core.playouts import ALL_PARAMS, seat_policies
from overworlds.envs.core.registry import find_game
from overworlds.envs.core.rng import draw_seed, mix, seed_rng
from overworlds.envs.core.screen import RENDER_FPS, RENDER_MODES, Screen

VIEWS = ("_returns", "_finished", "_truncated", "_policies", "_ids", "_observation", "_mask")
"""What an environment finds again by itself in a copy."""


@kernel(types.void(ADDRESSES, ADDRESSES, ALL_PARAMS, BYTES, BYTES, IDS, BYTES, types.int64))
def play_others(code, policies, params, rules, state, ids, rng_bytes, learner):
    """Let the others play until it is the learner's turn, or its game is over."""
    rng = rng_bytes.view(RNG)[0]
    head = header(state)
    while head.to_move != OVER and head.to_move != learner and not head.finished[learner]:
        seat = int(head.to_move)
        n = legal_at(code[CODE_LEGAL])(rules, state, ids)
        action = policy_at(policies[seat])(params[seat], rules, state, ids, n, draw_seed(rng))
        step_at(code[CODE_STEP])(rules, state, legal_choice(action, ids, n))


@kernel(types.void(BYTES, types.int64))
def seed_bytes(rng_bytes, seed):
    """Start a generator that lies in bytes."""
    seed_rng(rng_bytes.view(RNG)[0], seed)


class SingleAgentEnv(gymnasium.Env[np.ndarray, int]):
    """One seat of a game for single-agent algorithms: from the learner's turn to the learner's next turn.

    The other seats are played by compiled policies inside the environment. The action mask is in ``info`` and comes
    from `action_masks`, as sb3-contrib expects it.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012 - Gymnasium reads it so

    def __init__(
        self,
        game: str,
        players: int | None = None,
        seat: int | None = 0,
        opponents: str | Policy | Sequence[str | Policy] = "random",
        render_mode: str | None = None,
        rules: dict[str, Any] | None = None,
        illegal: Illegal = "terminate",
        **more_rules: Any,
    ) -> None:
        """Make an environment.

        Args:
            game: the id, such as ``"homeworlds_v0"``.
            players: how many players; by default the game's own number.
            seat: the learner's seat; None draws one for every game.
            opponents: who plays the other seats: one policy for all (``"random"``, ``"scripted"``), or a list with
                one for each of them, beginning to the learner's left.
            render_mode: ``None``, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
            rules: rules that differ from the defaults, by name.
            illegal: what an illegal action does: ``"terminate"`` ends the game with -1, ``"raise"`` raises.
            **more_rules: rules by keyword.
        """
        if illegal not in ("terminate", "raise"):
            raise ValueError(f"illegal must be 'terminate' or 'raise', not {illegal!r}")
        self.variant = variant = Variant(find_game(game), players, given_rules(rules, more_rules))
        self.game = variant.game
        self.fixed_seat = None if seat is None else variant.seat(seat)
        self.seat = self.fixed_seat or 0
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            opponents = [opponents] * (variant.players - 1)
        if len(opponents) != variant.players - 1:
            raise ValueError(f"{variant.players} players need {variant.players - 1} opponents, not {len(opponents)}")
        self.opponents = seat_policies(variant, ["random", *opponents])[: variant.players]
        self.render_mode = render_mode
        self.illegal = illegal
        low, high = variant.observation_bounds
        self.observation_space = spaces.Box(low, high, dtype=np.int8)
        self.action_space = spaces.Discrete(variant.num_actions)  # type: ignore[assignment]
        self._rng = np.zeros(RNG.itemsize, np.uint8)
        self._desk = new_desk(variant.num_actions, variant.observation_size)
        self._hold(np.zeros(variant.state_bytes, np.uint8))
        self._screen = Screen(variant, render_mode)
        self._playing = self._started = False

    def _hold(self, state: np.ndarray) -> None:
        """Take a state as one's own, and find one's way about the buffers."""
        self._state = state
        head = state[:HEADER_BYTES].view(HEADER)
        self._returns, self._finished, self._truncated = head["returns"][0], head["finished"][0], head["truncated"]
        _top, _gains, self._ids, self._observation, self._mask = desk_parts(self._desk)

    def _seat_opponents(self) -> None:
        """Find the compiled code of everybody at the table; the learner's place is taken by a policy never asked."""
        seated = [self.opponents[(seat - self.seat) % self.variant.players] for seat in range(self.variant.players)]
        seated += seated[:1] * (MAX_PLAYERS - len(seated))
        self._policies = addresses(*(policy.kernel for policy in seated))
        self._params = tuple(policy.params for policy in seated)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Deal a new game and let the others play up to the learner's first turn."""
        super().reset(seed=seed)
        game_seed = int(self.np_random.integers(2**62)) if seed is None else checked_seed(seed)
        dealt = self.variant.deal(game_seed, options)
        playing = np.flatnonzero(dealt[:HEADER_BYTES].view(HEADER)[0].finished[: self.variant.players] == 0)
        seat = int(self.np_random.choice(playing)) if self.fixed_seat is None else self.fixed_seat
        if seat not in playing:
            raise ValueError(f"player_{seat}, the learner, is out of the game in this position; take another seat")
        self._started = True
        self.seat = seat
        self._seat_opponents()
        seed_bytes(self._rng, mix(game_seed, 2))
        self._hold(dealt)
        self._play_others()
        self._playing = not self._finished[self.seat]
        if self.render_mode == "human":
            self.render()
        return self._observation.copy(), self._info()

    def _play_others(self) -> None:
        """Go on to the learner's next turn, and look at the table."""
        code, rules = self.game.code, self.variant.rules
        play_others(code, self._policies, self._params, rules, self._state, self._ids, self._rng, self.seat)
        if self._finished[self.seat]:
            self._mask[:] = 0
            self.game.kernels.observe(rules, self._state, self.seat, self._observation)
        else:
            look_from(code, rules, self._state, self._desk)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """The learner's action, and everybody else's until the learner's next turn or the end of its game."""
        if not self._playing:
            raise OrderError("call reset() before step(), at first and after the end of every game")
        number = checked_action(action, self.variant.num_actions)
        if not self._mask[number]:
            return self._punish(number)
        before = self._returns[self.seat].item()
        self.game.kernels.step(self.variant.rules, self._state, number)
        self._play_others()
        finished = self._finished[self.seat].item()
        truncated = finished != 0 and finished != ELIMINATED and self._truncated.item() != 0
        self._playing = not finished
        if self.render_mode == "human":
            self.render()
        reward = self._returns[self.seat].item() - before
        return self._observation.copy(), reward, finished != 0 and not truncated, truncated, self._info()

    def _punish(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Do with an illegal action what ``illegal`` says."""
        text = f"illegal action {action} ({self.variant.action_names(self.seat)[action]!r}) in {self.game.id}"
        if self.illegal == "raise":
            raise IllegalActionError(f"{text}; action_masks() says what is legal")
        gymnasium.logger.warn(f"{text}. The game ends, with -1 for the learner; choose by action_masks().")
        self._playing = False
        self._mask[:] = 0
        return self._observation.copy(), -1.0, True, False, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seat": self.seat}

    def action_masks(self) -> np.ndarray:
        """Which actions are legal, as sb3-contrib's MaskablePPO asks for it."""
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """The table as the learner sees it: text, a picture, or a window."""
        if not self._started:
            raise OrderError("call reset() before render()")
        return self._screen.show(self._state, self.seat)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | dict.fromkeys(VIEWS)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._hold(self._state)
        self._seat_opponents()

    def close(self) -> None:
        """Close the window, if one is open."""
        self._screen.close()
