"""A Homeworlds table for tests: set it up, play by name, look at it."""

import re
from itertools import permutations
from typing import Any

import numpy as np

from overworlds.envs import homeworlds_v0
from overworlds.envs.core.aec import GameEnv

TWO = "H0:b3+r1|0g3 H1:b2+y1|1g3"
"""Two homeworlds, a ship each."""


def table(
    position: str | None = None,
    to_move: int = 0,
    alignments: str | None = None,
    players: int | None = None,
    seed: int = 0,
    **rules: Any,
) -> GameEnv:
    """A game in this position. Ordinary systems are called S2, S3 … with two players, S3, S4 … with three, and so on.

    Without ``players``, there are as many as the position speaks of.
    """
    if players is None:
        players = 1 + max(int(seat) for seat in re.findall(r"(?<=H)\d|(?<=[|,])\d", position or "H3"))
    env = homeworlds_v0.env(players=players, illegal="raise", **rules)
    options: dict[str, Any] = {} if alignments is None else {"alignments": alignments}
    if position is not None:
        options |= {"position": position, "to_move": to_move}
    env.reset(seed=seed, options=options)
    return env


def play(env: GameEnv, *names: str) -> GameEnv:
    """Choose these actions one after the other; eliminated agents step out by themselves."""
    for name in names:
        env.step(env.action_id(name))
        bury_the_dead(env)
    return env


def take_turn(env: GameEnv, *names: str) -> GameEnv:
    """Choose these actions and let all overpopulations be, so that the turn ends."""
    turn = env.turn
    play(env, *names)
    while env.turn == turn and env.returns() is None:
        play(env, "end turn")
    return env


def bury_the_dead(env: GameEnv) -> None:
    """Let eliminated agents take the last, empty step that PettingZoo wants of them."""
    while env.returns() is None and env.terminations[env.agent_selection]:
        env.step(None)


def choices(env: GameEnv) -> list[str]:
    """What the player to move may choose, in words."""
    return [env.action_name(int(action)) for action in env.legal_actions()]


def choices_with(env: GameEnv, beginning: str) -> set[str]:
    """Those of the choices that begin like this, without the beginning."""
    return {name.removeprefix(beginning) for name in choices(env) if name.startswith(beginning)}


def results(env: GameEnv) -> list[float] | None:
    """The final results in the order of the seats; None before the end."""
    final = env.returns()
    return None if final is None else list(final.values())


def mover(env: GameEnv) -> int:
    """The seat to move."""
    return env.possible_agents.index(env.agent_selection)


def seen(env: GameEnv, seat: int, part: str) -> np.ndarray:
    """A part of what a seat observes."""
    at = 0
    observation = env.observe(f"player_{seat}")["observation"]
    for each in env.variant.parts:
        if each.name == part:
            return observation[at : at + each.size]
        at += each.size
    raise KeyError(part)


def known_alignments(env: GameEnv, seat: int) -> str:
    """A letter for every player, in the order of the seats: G, E, or ? where that seat does not know."""
    rows = seen(env, seat, "players").reshape(env.variant.players, 4)
    letters = ["G" if good else "E" if evil else "?" for _, _, good, evil in rows]
    return "".join(np.roll(np.array(letters), seat))


def all_alignments(players: int) -> list[str]:
    """All ways to deal the alignment cards: as many Evil as half the players, rounded down."""
    cards = "E" * (players // 2) + "G" * (players - players // 2)
    return sorted({"".join(order) for order in permutations(cards)})
