"""What the scripted player knows about a board and need not find out again after an action."""

import numpy as np
import pytest

from overworlds.envs import find_game
from overworlds.envs.core.kernel import jit
from overworlds.envs.homeworlds import actions, phases
from overworlds.envs.homeworlds.boards import copy_board
from overworlds.envs.homeworlds.outlook import MIND, danger, open_mind, overpopulated, standing, threatened
from overworlds.envs.homeworlds.scripted import meaning, perform, ways
from overworlds.envs.homeworlds.state import RULES, STATE

from .tabletop import bury_the_dead, mover, table

EVERYTHING = 10**9
SCRIPTED = find_game("homeworlds_v0").policy("scripted")


@jit
def views(mind, s, me):
    """All that is thought of ending the turn on this board."""
    return (
        standing(mind, s, me),
        threatened(mind, s, me),
        danger(mind, s, me, EVERYTHING),
        overpopulated(mind, s),
    )


@jit
def compare(rules, state, later, room, anew, legal, me):
    """Try all single actions. How many, and after how many it would matter to look at everything anew."""
    r, mind, fresh, after = rules.view(RULES)[0], room.view(MIND)[0], anew.view(MIND)[0], later.view(STATE)[0]
    open_mind(mind, room, r, state, me)
    tried = differing = 0
    for i in range(len(legal)):
        what, slot, _ = meaning(mind.now, r, me, int(legal[i]))
        if legal[i] < actions.SYSTEM or what >= actions.SACRIFICE:
            continue
        choices = ways(mind.now, r, me, what, slot)
        for way in range(64):
            if choices >> way & 1:
                copy_board(mind.now, mind.trial)
                perform(mind.trial, r, me, what, slot, way)
                after.stash = mind.trial.stash
                for place in range(int(r.slots)):
                    after.markers[place] = mind.trial.markers[place]
                    for player in range(int(r.players)):
                        after.ships[place, player] = mind.trial.ships[place, player]
                open_mind(fresh, anew, r, later, me)
                tried += 1
                differing += int(views(mind, mind.trial, me) != views(fresh, fresh.now, me))
    return tried, differing


@pytest.mark.parametrize("players", [2, 4])
def test_what_was_known_holds_where_nothing_was_touched(players):
    room, anew = np.zeros(MIND.itemsize, np.uint8), np.zeros(MIND.itemsize, np.uint8)
    tried = 0
    for seed in range(6):
        env = table(players=players, seed=seed)
        rng = np.random.default_rng(seed)
        while env.returns() is None and env.turn < 100:
            state, legal = env._state, env.legal_actions()
            if state.view(STATE)[0].phase == phases.FREE:
                more, differing = compare(env.variant.rules, state, state.copy(), room, anew, legal, mover(env))
                assert not differing, env.position()
                tried += more
            choice = SCRIPTED.kernel(
                SCRIPTED.params, env.variant.rules, state, legal, len(legal), int(rng.integers(2**62))
            )
            env.step(int(choice if rng.random() < 0.9 else rng.choice(legal)))
            bury_the_dead(env)
    assert tried > 5_000
