"""Information-set Monte Carlo tree search, compiled once for every game.

Every simulation first redraws all that the searching seat cannot know, then goes down a tree whose nodes stand for
*sequences of choices*, so that all the worlds that the seat cannot tell apart share them. Chance lies in the state and
is redrawn with it. Where several worlds allow different choices, a choice is weighed against the times it could be
made, not against the times its node was passed (Cowling, Powley and Whitehouse, 2012).
"""

import math

import numba
import numpy as np
from numba import types

from overworlds.envs.core.advance import copy_bytes, header, legal_choice
from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_RESAMPLE,
    CODE_STEP,
    IDS,
    MAX_PLAYERS,
    OVER,
    PARAMS,
    RNG,
    borrowed,
    jit,
    kernel,
    legal_at,
    policy_at,
    record,
    resample_at,
    step_at,
    value_at,
)
from overworlds.envs.core.rng import below, draw_seed, seed_rng

NODE = record(
    ("value", np.float64),  # what the chooser's games brought it, summed
    ("visits", np.int32),
    ("available", np.int32),  # how often this could have been chosen where its parent was passed
    ("action", np.int32),
    ("chooser", np.int32),  # the seat that chose it
    ("first_child", np.int32),
    ("next_sibling", np.int32),
)
"""A choice made after a sequence of choices. Node 0 is the root, chosen by nobody."""

SETTINGS = record(
    ("exploration", np.float64),
    ("first_play", np.float64),
    ("cut", np.int64),
)
"""How to search; see `overworlds.agents.search.SearchSettings`."""

NONE = -1
ROOT = 0
LONGEST_PATH = 512
"""Choices that a simulation makes in the tree at most."""
LONGEST_TURN = 40
"""Decisions after the cut for which a simulated game goes on at most to come to the end of a turn."""
PATIENCE = 0.99
"""What a result is worth if it comes one decision later: a win is better sooner, a loss later."""
UNTRIED, STUCK = -2, -1
"""What `select` finds where it does not find a node."""


NODES = numba.from_dtype(NODE)[::1]
PATH = types.int32[::1]


@jit
def clear_node(node, action, chooser):
    """Make a node for a choice that has not been tried."""
    node.value = 0.0
    node.visits = node.available = 0
    node.action = action
    node.chooser = chooser
    node.first_child = node.next_sibling = NONE


@jit
def find_children(nodes, parent, chooser, child_of):
    """Note the child of every choice that this seat has tried here."""
    child = nodes[parent].first_child
    while child != NONE:
        if nodes[child].chooser == chooser:
            child_of[nodes[child].action] = child
        child = nodes[child].next_sibling


@jit
def forget_children(nodes, parent, child_of):
    """Undo `find_children`."""
    child = nodes[parent].first_child
    while child != NONE:
        child_of[nodes[child].action] = NONE
        child = nodes[child].next_sibling


@jit
def select(nodes, ids, n, child_of, settings, room):
    """The child of the most promising of n choices; UNTRIED: one without a child, if there is room; STUCK: none.

    A tried choice promises its mean and a bonus that shrinks with its visits (UCB1); an untried one promises the mean
    of all that was tried here and a fixed bonus.
    """
    best, best_promise = STUCK, -math.inf
    visits, value, untried = 0, 0.0, False
    for i in range(n):
        child = child_of[ids[i]]
        if child == NONE:
            untried = True
            continue
        node = nodes[child]
        node.available += 1
        visits += node.visits
        value += node.value
        promise = node.value / node.visits + settings.exploration * math.sqrt(math.log(node.available) / node.visits)
        if promise > best_promise:
            best, best_promise = child, promise
    if untried and room and (visits == 0 or best_promise < value / visits + settings.first_play):
        return UNTRIED
    return best


@jit
def first_choice(policy, params, rules, state, ids, n, child_of, rng):
    """The untried choice to try next: what the rollout policy would choose, or any."""
    wish = legal_choice(policy_at(policy)(params, rules, state, ids, n, draw_seed(rng)), ids, n)
    if child_of[wish] == NONE:
        return wish
    untried = 0
    for i in range(n):
        untried += child_of[ids[i]] == NONE
    skip = below(rng, untried)
    for i in range(n):
        if child_of[ids[i]] == NONE:
            if skip == 0:
                return ids[i]
            skip -= 1
    return wish


@jit
def add_child(nodes, used, parent, action, chooser):
    """Put a new node into the tree."""
    clear_node(nodes[used], action, chooser)
    nodes[used].available = 1
    nodes[used].next_sibling = nodes[parent].first_child
    nodes[parent].first_child = used
    return used


@jit
def play_on(code, policy, params, rules, state, ids, rng, turn, cut):
    """Play the simulated game on: so many decisions, and then to the end of the turn, if it ends soon.

    ``turn`` is the turn in which the last decision was made: half-done turns are hard to judge.
    """
    legal, step = legal_at(code[CODE_LEGAL]), step_at(code[CODE_STEP])
    head = header(state)
    made = 0
    while head.to_move != OVER and made < cut + LONGEST_TURN and (made < cut or head.turn == turn):
        turn = int(head.turn)
        n = legal(rules, state, ids)
        action = policy_at(policy)(params, rules, state, ids, n, draw_seed(rng))
        step(rules, state, legal_choice(action, ids, n))
        made += 1


@jit
def reckon(values, value_params, rules, state, decisions, gains):
    """What every seat has got after so many decisions, and what it may expect where the game was broken off."""
    head = header(state)
    weight = PATIENCE**decisions
    for seat in range(int(head.players)):
        gains[seat] = weight * head.returns[seat]
        if len(values) and head.to_move != OVER and not head.finished[seat]:
            gains[seat] += value_at(values[0])(value_params, rules, state, seat)
        gains[seat] = min(1.0, max(-1.0, gains[seat]))


@jit
def simulate(
    code, policy, params, values, value_params, settings, rules, state, ids, nodes, used, path, child_of, gains, rng
):
    """Go down the tree, add a node to it if there is room, and play on from there; the number of nodes in use."""
    legal, step = legal_at(code[CODE_LEGAL]), step_at(code[CODE_STEP])
    head = header(state)
    depth = 0
    node = path[0] = ROOT
    ply, turn = int(head.ply), int(head.turn)
    grown = False
    while head.to_move != OVER and depth + 1 < len(path) and not grown:
        chooser = int(head.to_move)
        n = legal(rules, state, ids)
        find_children(nodes, node, chooser, child_of)
        child = select(nodes, ids, n, child_of, settings, used < len(nodes))
        if child == UNTRIED:
            action = first_choice(policy[0], params, rules, state, ids, n, child_of, rng)
            child = add_child(nodes, used, node, action, chooser)
            used += 1
            grown = True
        forget_children(nodes, node, child_of)
        if child == STUCK:
            break
        turn = int(head.turn)
        step(rules, state, nodes[child].action)
        depth += 1
        node = path[depth] = child
    play_on(code, policy[0], params, rules, state, ids, rng, turn, settings.cut)
    reckon(values, value_params, rules, state, int(head.ply) - ply, gains)
    nodes[ROOT].visits += 1
    for i in range(1, depth + 1):
        passed = nodes[path[i]]
        passed.visits += 1
        passed.value += gains[passed.chooser]
    return used


@kernel(types.void(NODES, IDS, BYTES, types.int64))
def plant(nodes, child_of, rng_bytes, seed):
    """Begin a new tree: only the root, and a random generator for all that follows."""
    clear_node(nodes[ROOT], NONE, NONE)
    for i in range(len(child_of)):
        child_of[i] = NONE
    seed_rng(rng_bytes.view(RNG)[0], seed)


@kernel(
    types.int64(
        ADDRESSES,
        ADDRESSES,
        PARAMS,
        ADDRESSES,
        PARAMS,
        BYTES,
        BYTES,
        BYTES,
        BYTES,
        IDS,
        NODES,
        types.int64,
        PATH,
        IDS,
        BYTES,
        types.int64,
    )
)
def grow(
    code,
    policy,
    params,
    values,
    value_params,
    settings_bytes,
    rules,
    root,
    state,
    ids,
    nodes,
    used,
    path,
    child_of,
    rng_bytes,
    sims,
):
    """Search on from the position in ``root``, for its seat to move; the number of nodes in use."""
    code, policy, values, value_params = borrowed(code), borrowed(policy), borrowed(values), borrowed(value_params)
    rules, root, state, ids = borrowed(rules), borrowed(root), borrowed(state), borrowed(ids)
    path, child_of = borrowed(path), borrowed(child_of)
    settings = settings_bytes.view(SETTINGS)[0]
    rng = rng_bytes.view(RNG)[0]
    gains = np.zeros(MAX_PLAYERS, np.float64)
    seat = int(header(root).to_move)
    for _ in range(sims):
        copy_bytes(root, state)
        resample_at(code[CODE_RESAMPLE])(rules, state, seat, draw_seed(rng))
        used = simulate(
            code,
            policy,
            params,
            values,
            value_params,
            settings,
            rules,
            state,
            ids,
            nodes,
            used,
            path,
            child_of,
            gains,
            rng,
        )
    return used
