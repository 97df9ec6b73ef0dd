"""The steps that environment, batch and playouts share: compiled once, for every game."""

import numpy as np
from numba import types

from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_OBSERVE,
    CODE_STEP,
    HEADER,
    HEADER_BYTES,
    MAX_PLAYERS,
    OVER,
    inlined,
    jit,
    kernel,
    legal_at,
    observe_at,
    record,
    step_at,
)

RETURNS = types.float32[::1]


@jit
def header(state):
    """The header of any game's state."""
    return state[:HEADER_BYTES].view(HEADER)[0]


@jit
def legal_choice(action, ids, n):
    """A policy's choice, if it is one of the n legal ids: a kernel must never be given another."""
    for i in range(n):
        if ids[i] == action:
            return action
    raise ValueError("a policy chose an illegal action: it must return one of legal[:n]")


@jit
def copy_bytes(source, target):
    """Copy byte by byte, which compiles to one block copy; slice assignment would look for overlaps first."""
    for i in range(len(target)):
        target[i] = source[i]


@inlined
def look(code, rules, state, ids, observation, mask):
    """Write the legal ids, the mask and the observation of the seat to move; the number of legal ids."""
    mask[:] = 0
    n = legal_at(code[CODE_LEGAL])(rules, state, ids)
    for i in range(n):
        mask[ids[i]] = 1
    seat = int(header(state).to_move)
    if seat != OVER:
        observe_at(code[CODE_OBSERVE])(rules, state, seat, observation)
    return n


@inlined
def act(code, rules, state, action, rewards):
    """Apply a legal action and write what each seat gains by it. True if anybody gained or anybody's game ended."""
    head = header(state)
    finished = 0
    for seat in range(MAX_PLAYERS):
        rewards[seat] = -head.returns[seat]
        finished -= head.finished[seat]
    step_at(code[CODE_STEP])(rules, state, action)
    changed = False
    for seat in range(MAX_PLAYERS):
        rewards[seat] += head.returns[seat]
        finished += head.finished[seat]
        changed |= rewards[seat] != 0
    return changed or finished != 0


DESK = record(
    ("choices", np.int32),  # how many ids are legal
    ("actions", np.int32),  # how many ids there are
    ("observed", np.int32),  # how many numbers an observation has
)
"""Opens a desk: all that a single environment lets the kernels write, in one buffer, because every array that is handed
to a kernel costs time. What every seat gained, the legal ids, the observation and the mask follow."""
GAINS_AT = DESK.itemsize
IDS_AT = GAINS_AT + 4 * MAX_PLAYERS


def desk_parts(desk):
    """The parts of a desk: its record, as an array of one; gains, legal ids, observation, mask."""
    top = desk[:GAINS_AT].view(DESK)
    observation_at = IDS_AT + 4 * int(top[0].actions)
    mask_at = observation_at + int(top[0].observed)
    gains, ids = desk[GAINS_AT:IDS_AT].view(np.float32), desk[IDS_AT:observation_at].view(np.int32)
    return top, gains, ids, desk[observation_at:mask_at].view(np.int8), desk[mask_at:].view(np.int8)


parts_of = jit(desk_parts)
"""The same for kernels."""


def new_desk(actions: int, observed: int) -> np.ndarray:
    """An empty desk for so many action ids and numbers of an observation."""
    desk = np.zeros(IDS_AT + 5 * actions + observed, np.uint8)
    top = desk[:GAINS_AT].view(DESK)[0]
    top.actions, top.observed = actions, observed
    return desk


@kernel(types.void(ADDRESSES, BYTES, BYTES, BYTES))
def look_from(code, rules, state, desk):
    """`look` with the eyes of whoever is to move, from a desk."""
    top, _gains, ids, observation, mask = parts_of(desk)
    top[0].choices = look(code, rules, state, ids, observation, mask)


@kernel(types.boolean(types.int64, ADDRESSES, BYTES, BYTES, BYTES))
def act_and_look(action, code, rules, state, desk):
    """`act`, then `look_from` a desk."""
    top, gains, ids, observation, mask = parts_of(desk)
    changed = act(code, rules, state, action, gains)
    top[0].choices = look(code, rules, state, ids, observation, mask)
    return changed
