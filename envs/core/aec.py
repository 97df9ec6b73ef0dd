"""One PettingZoo AEC environment for every game of the collection."""

import copy
import warnings
import zlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from overworlds.envs.core.advance import act_and_look, desk_parts, look_from, new_desk
from overworlds.envs.core.game import Variant, checked_action, checked_seed, fresh_seed
from overworlds.envs.core.kernel import ELIMINATED, HEADER, HEADER_BYTES, OVER
from overworlds.envs.core.replay import Replay
from overworlds.envs.core.rng import next_seed
from overworlds.envs.core.screen import RENDER_FPS, RENDER_MODES, Screen

Illegal = Literal["terminate", "raise"]

VIEWS = frozenset(
    {"_code", "_rules", "_head", "_to_move", "_desk_top", "_gains", "_ids", "_observation", "_mask", "_buffers"}
)
"""What an environment finds again by itself in a copy."""
SNAPSHOT = b"OWS1"
"""Opens a snapshot; the number is the version of the format."""


class IllegalActionError(ValueError):
    """An action that the rules do not allow now."""


class OrderError(RuntimeError):
    """A call that does not fit the moment, such as ``step()`` before ``reset()``."""


class GameEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """A game as a PettingZoo environment, with PettingZoo's usual wrappers' guarantees built in.

    Besides the AEC interface there are `legal_actions`, `action_name` and `action_id`, `returns`, `turn`, `clone`,
    `state_bytes` and `load_state_bytes`, `position`, `resample` and `replay`; ``copy.deepcopy`` and ``pickle`` work
    in the middle of a game.
    """

    def __init__(
        self,
        variant: Variant,
        render_mode: str | None = None,
        illegal: Illegal = "terminate",
        viewer: str | int | None = None,
    ) -> None:
        """Make an environment; `reset` starts its first game.

        Args:
            variant: the game with its players and rules.
            render_mode: ``None``, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
            illegal: what an illegal action does: ``"terminate"`` ends the game with -1 for the offender and a
                warning; ``"raise"`` raises `IllegalActionError` and changes nothing.
            viewer: whose eyes `render` looks through; by default those of an onlooker who knows what is public.
        """
        if illegal not in ("terminate", "raise"):
            raise ValueError(f"illegal must be 'terminate' or 'raise', not {illegal!r}")
        super().__init__()
        self.variant = variant
        self.game = variant.game
        self.render_mode = render_mode
        self.illegal = illegal
        self.viewer = viewer
        self.metadata = {
            "name": self.game.id,
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.possible_agents = list(variant.agents)
        low, high = variant.observation_bounds
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (variant.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(variant.num_actions) for agent in self.possible_agents}
        players = variant.players
        self.state_space = spaces.Box(np.tile(low, (players, 1)), np.tile(high, (players, 1)), dtype=np.int8)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._screen = Screen(variant, render_mode)
        self._started = False
        self._state = np.zeros(variant.state_bytes, np.uint8)
        self._desk = new_desk(variant.num_actions, variant.observation_size)
        self._no_mask = np.zeros(variant.num_actions, np.int8)
        self._no_mask.flags.writeable = False  # infos share it
        self._bind()

    def _bind(self) -> None:
        """Find one's way about the buffers."""
        self._code = self.game.code
        self._rules = self.variant.rules
        self._head = self._state[:HEADER_BYTES].view(HEADER)[0]
        self._to_move = self._state[:HEADER_BYTES].view(HEADER)["to_move"]
        (self._desk_top,), self._gains, self._ids, self._observation, self._mask = desk_parts(self._desk)
        self._buffers = self._code, self._rules, self._state, self._desk

    @property
    def viewer(self) -> int | None:
        """The seat whose eyes `render` looks through, or None: an onlooker's. It may be set by name or number."""
        return self._viewer

    @viewer.setter
    def viewer(self, viewer: str | int | None) -> None:
        self._viewer = None if viewer is None else self.variant.seat(viewer)

    # ------------------------------------------------------------ the AEC interface

    def observation_space(self, agent: str) -> spaces.Space:
        """What this agent can observe: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What this agent can choose from: always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: names the game; the same seed deals the same game. Without one, the game that follows the last one
                in its fixed succession, or a random one at first.
            options: what the game's page lists, such as a position to start from.
        """
        if seed is not None:
            seed = checked_seed(seed)
        else:
            seed = int(next_seed(int(self._head.seed))) if self._started else fresh_seed()
        self._state[:] = self.variant.deal(seed, options)
        self._actions: list[int] | None = []
        self._options = {name: value for name, value in (options or {}).items() if name in self.game.reset_options}
        self._begin()
        if self.render_mode == "human":
            self.render()

    def _begin(self) -> None:
        """Set up the bookkeeping of AEC for the state as it is."""
        self._started = True
        self._penalties: dict[str, float] | None = None
        agents = self.possible_agents
        over = self._to_move.item() == OVER
        self.agents = [agent for agent in agents if over or not self._head.finished[self._seats[agent]]]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_mask} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = agents[0]
        self._iterated = False
        self._rewarded = False
        if over:
            self._gains[:] = self._head.returns
            self._settle()
        else:
            self._look()
            self._select()

    def _look(self) -> None:
        """Look at the table with the eyes of the seat to move."""
        look_from(*self._buffers)

    def _select(self) -> None:
        """It is the turn of the agent at the seat to move."""
        self.agent_selection = self.possible_agents[self._to_move.item()]
        self._tell()

    def _tell(self) -> None:
        """The agent at the seat to move learns what it may choose."""
        self.infos[self.possible_agents[self._to_move.item()]] = {"action_mask": self._mask.copy()}

    def step(self, action: int | None) -> None:
        """Let the selected agent choose an action; one whose game is over takes None."""
        if not self._started:
            raise OrderError("call reset() before step()")
        agent = self.agent_selection
        self._iterated = False
        if agent not in self.terminations:
            raise OrderError("this game is over for all agents: call reset() to deal the next one")
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"the game is over for {agent}: its only action now is None")
            self._was_dead_step(None)
            return
        number = checked_action(action, self.variant.num_actions)
        if not self._mask[number]:
            self._punish(agent, number)
            return
        if self._rewarded:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0
        changed = act_and_look(number, *self._buffers)
        if self._actions is not None:
            self._actions.append(number)
        self.infos[agent] = {"action_mask": self._no_mask}
        if self._to_move.item() != OVER:
            self._select()
        if changed:
            self._settle()
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, termination, truncation and info of the selected agent."""
        if not self._started:
            raise OrderError("call reset() before last()")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _punish(self, agent: str, action: int) -> None:
        """Do with an illegal action what ``illegal`` says."""
        legal = self.legal_actions()
        some = ", ".join(repr(self.action_name(choice)) for choice in legal[:3])
        more = f" and {len(legal) - 3} more" if len(legal) > 3 else ""
        text = (
            f"illegal action {action} ({self.action_name(action)!r}) by {agent} in {self.game.id}; "
            f"legal are {some}{more}"
        )
        if self.illegal == "raise":
            raise IllegalActionError(text)
        warnings.warn(f"{text}. The game ends, with -1 for {agent}.", stacklevel=3)
        penalty = dict.fromkeys(self.possible_agents, 0.0) | {agent: -1.0}
        self._penalties = {each: float(self._head.returns[self._seats[each]]) + loss for each, loss in penalty.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {each: penalty[each] for each in self.agents}
        self.infos = {each: {"action_mask": self._no_mask} for each in self.agents}
        self._rewarded = True
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._deads_step_first()

    def _settle(self) -> None:
        """Hand out what was gained, and let the agents whose game has ended step out."""
        for agent in self.agents:
            seat = self._seats[agent]
            self.rewards[agent] = float(self._gains[seat])
            if self._head.finished[seat]:
                if self._head.truncated and self._head.finished[seat] != ELIMINATED:
                    self.truncations[agent] = True
                else:
                    self.terminations[agent] = True
        self._rewarded = True
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What this agent sees, and which actions it may choose: none while another agent is to move."""
        if not self._started:
            raise OrderError("call reset() before observe()")
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"there is no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        if seat == self._to_move.item() and self._penalties is None:
            return {"observation": self._observation.copy(), "action_mask": self.infos[agent]["action_mask"]}
        observation = np.zeros(self.variant.observation_size, np.int8)
        self.game.kernels.observe(self._rules, self._state, seat, observation)
        return {"observation": observation, "action_mask": self._no_mask.copy()}

    def state(self) -> np.ndarray:
        """All that anybody sees: the observations of all seats, one row each."""
        if not self._started:
            raise OrderError("call reset() before state()")
        return np.stack([self.observe(agent)["observation"] for agent in self.possible_agents])

    def agent_iter(self, max_iter: int = 2**63) -> "AgentIterator":
        """The agents in the order in which they choose, until the game is over for all."""
        if not self._started:
            raise OrderError("call reset() before agent_iter()")
        return AgentIterator(self, max_iter)

    def render(self) -> np.ndarray | str | None:
        """Show the table: text for ``ansi``, a picture for ``rgb_array``, a window for ``human``."""
        if not self._started:
            raise OrderError("call reset() before render()")
        return self._screen.show(self._state, self.viewer)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._screen.close()

    # ------------------------------------------------------------ beyond AEC

    def legal_actions(self) -> np.ndarray:
        """The ids that the agent to move may choose, ascending; empty when the game is over."""
        if not self._started:
            raise OrderError("call reset() before legal_actions()")
        over = self._penalties is not None or self._to_move.item() == OVER
        return self._ids[: 0 if over else self._desk_top.choices].copy()

    def action_name(self, action: int, agent: str | int | None = None) -> str:
        """What an action id means when ``agent`` (by default the one to move) chooses it."""
        return self.variant.action_names(self._chooser(agent))[checked_action(action, self.variant.num_actions)]

    def action_id(self, name: str, agent: str | int | None = None) -> int:
        """The action id with this name, for ``agent`` or the one to move."""
        return self.variant.action_id(name, self._chooser(agent))

    def _chooser(self, agent: str | int | None) -> int:
        return max(0, self._to_move.item()) if agent is None else self.variant.seat(agent)

    def returns(self) -> dict[str, float] | None:
        """The final result of every agent; None before the end of the game."""
        if not self._started:
            return None
        if self._penalties is not None:
            return dict(self._penalties)
        if self._to_move.item() != OVER:
            return None
        return {agent: float(self._head.returns[seat]) for agent, seat in self._seats.items()}

    @property
    def turn(self) -> int:
        """How many turns have ended in this game."""
        return int(self._head.turn)

    def position(self) -> str:
        """The position as canonical text; ``reset(options={"position": text, …})`` sets it up again."""
        if not self._started:
            raise OrderError("call reset() before position()")
        if self.game.position is None:
            raise NotImplementedError(f"{self.game.id} has no text for positions; use state_bytes()")
        return self.game.position(self.variant, self._state)

    def resample(self, agent: str | int, seed: int) -> None:
        """Redraw everything that this agent cannot know, consistently with what it knows."""
        if not self._started:
            raise OrderError("call reset() before resample()")
        self.game.kernels.resample(self._rules, self._state, self.variant.seat(agent), checked_seed(seed))
        self._actions = None
        if self._to_move.item() != OVER and self._penalties is None:
            self._look()
            self._tell()

    def clone(self) -> "GameEnv":
        """An independent copy of the environment, in the same place of the same game."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in VIEWS}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._no_mask.flags.writeable = False
        self._bind()

    def state_bytes(self) -> bytes:
        """The game as bytes: a short header and the state."""
        if not self._started:
            raise OrderError("call reset() before state_bytes()")
        state = self._state.tobytes()
        return SNAPSHOT + bytes.fromhex(self.variant.digest) + zlib.crc32(state).to_bytes(4) + state

    def load_state_bytes(self, snapshot: bytes) -> None:
        """Continue from bytes that `state_bytes` gave, in an environment of the same game, players and rules."""
        head = SNAPSHOT + bytes.fromhex(self.variant.digest)
        if not isinstance(snapshot, bytes | bytearray | memoryview):
            raise TypeError(f"a snapshot is bytes, not {type(snapshot).__name__}")
        snapshot = bytes(snapshot)
        if snapshot[: len(SNAPSHOT)] != SNAPSHOT:
            raise ValueError("these bytes are not a snapshot made by state_bytes()")
        if snapshot[: len(head)] != head:
            raise ValueError(f"this snapshot is of another game, version, number of players or rules than {self!r}")
        checksum, state = snapshot[len(head) : len(head) + 4], snapshot[len(head) + 4 :]
        if len(state) != self._state.size or zlib.crc32(state).to_bytes(4) != checksum:
            raise ValueError("this snapshot is damaged: its checksum is wrong")  # a kernel would write out of bounds
        self._state[:] = np.frombuffer(state, np.uint8)
        self._actions = None
        self._begin()

    def replay(self) -> Replay:
        """This game so far, to save or to look at again."""
        if not self._started:
            raise OrderError("call reset() before replay()")
        if self._actions is None:
            raise OrderError("the moves before load_state_bytes() or resample() are not known: nothing to replay")
        final = self.returns() if self._penalties is None else None
        return Replay(
            game=self.game.id,
            players=self.variant.players,
            rules=dict(self.variant.values),
            rules_digest=self.variant.digest,
            seed=int(self._head.seed),
            options=dict(self._options),
            actions=tuple(self._actions),
            result=None if final is None else tuple(final.values()),
        )

    def __getattr__(self, name: str) -> Any:
        if name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<{self.game.id} for {self.variant.players} players>"


class AgentIterator(Iterator[str]):
    """Yields the agent to choose; every round of the loop must call ``step()``."""

    def __init__(self, env: GameEnv, max_iter: int) -> None:
        self.env = env
        self.left = max_iter
        env._iterated = False

    def __next__(self) -> str:
        env = self.env
        if not env.agents or self.left <= 0:
            raise StopIteration
        if env._iterated:
            raise OrderError("call step() once in every round of a loop over agent_iter()")
        env._iterated = True
        self.left -= 1
        return env.agent_selection
