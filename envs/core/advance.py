"""The steps that environment, batch and playouts share: compiled once, for every game."""

from numba import types

from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_OBSERVE,
    CODE_STEP,
    HEADER,
    HEADER_BYTES,
    IDS,
    MAX_PLAYERS,
    OBSERVATION,
    OVER,
    jit,
    kernel,
    legal_at,
    observe_at,
    step_at,
)

MASK = types.int8[::1]
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


@kernel(types.int64(ADDRESSES, BYTES, BYTES, IDS, OBSERVATION, MASK))
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


@kernel(types.boolean(ADDRESSES, BYTES, BYTES, types.int64, RETURNS))
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


@kernel(types.boolean(types.int64, ADDRESSES, BYTES, BYTES, RETURNS, IDS, OBSERVATION, MASK, IDS))
def act_and_look(action, code, rules, state, rewards, ids, observation, mask, count):
    """`act`, then `look` with the eyes of whoever is to move; ``count[0]`` becomes the number of legal ids."""
    changed = act(code, rules, state, action, rewards)
    count[0] = look(code, rules, state, ids, observation, mask)
    return changed
