"""Random play through Python interfaces: the same loops, and the same way to choose, for our games and for peers."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from overworlds.benchmarks.stopwatch import Play


def choices_in(mask: np.ndarray) -> np.ndarray:
    """The ids that a mask allows.

    The choice is part of what is measured, so it should cost little, and not much more where there are many ids:
    ``np.flatnonzero`` of an int8 mask takes 1 µs for 7 ids and 3 µs for 1,000; this takes 0.5 µs and 0.9 µs.
    """
    return mask.astype(bool).nonzero()[0]


def play_aec(make: Callable[[], Any]) -> Play:
    """PettingZoo's usual loop over an environment; a yield a game.

    The action is one of `choices_in` the mask at a random index. The steps with None, by which agents leave a finished
    game, are made but not counted.
    """
    env = make()
    draw = random.Random(0).random
    env.reset(seed=0)
    while True:
        decisions = 0
        for _agent in env.agent_iter():
            observation, _reward, termination, truncation, _info = env.last()
            if termination or truncation:
                env.step(None)
            else:
                choices = choices_in(observation["action_mask"])
                env.step(choices[int(draw() * len(choices))])
                decisions += 1
        yield decisions
        env.reset()


def play_gymnasium(env: Any) -> Play:
    """Gymnasium's usual loop, the action chosen as in `play_aec`; a yield a game. Counts the learner's steps only."""
    draw = random.Random(0).random
    _observation, info = env.reset(seed=0)
    while True:
        decisions = 0
        over = False
        while not over:
            choices = choices_in(info["action_mask"])
            _observation, _reward, termination, truncation, info = env.step(choices[int(draw() * len(choices))])
            over = termination or truncation
            decisions += 1
        yield decisions
        _observation, info = env.reset()


def play_openspiel(game: Any) -> Play:
    """OpenSpiel's states from Python: legal actions, apply one; a yield a game. Chance is drawn but not counted."""
    draw = random.Random(0).random
    while True:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(draw_outcome(state.chance_outcomes(), draw()))
            else:
                choices = state.legal_actions()
                state.apply_action(choices[int(draw() * len(choices))])
                decisions += 1
        yield decisions


def draw_outcome(outcomes: list[tuple[int, float]], at: float) -> int:
    """The outcome at this place between 0 and 1, the probabilities laid end to end."""
    for outcome, probability in outcomes:
        at -= probability
        if at < 0:
            return outcome
    return outcomes[-1][0]  # they may add up to a little less than 1


def play_rlcard(env: Any) -> Play:
    """RLCard's ``reset`` and ``step``; a yield a game."""
    draw = random.Random(0).random
    while True:
        decisions = 0
        state, _player = env.reset()
        while not env.is_over():
            choices = list(state["legal_actions"])
            state, _player = env.step(choices[int(draw() * len(choices))])
            decisions += 1
        yield decisions
