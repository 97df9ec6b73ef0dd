"""The compiled part of self-play: many games with a learner in each, which others play on to its next turn."""

import time
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from overworlds.envs.core.advance import copy_bytes, header, legal_choice, look
from overworlds.envs.core.batch import ACTIONS, BYTE_ROWS, FLOAT_ROWS, INT8_ROWS, SEEDS
from overworlds.envs.core.kernel import (
    ADDRESSES,
    CODE_LEGAL,
    CODE_OBSERVE,
    CODE_RESET,
    CODE_STEP,
    IDS,
    MAX_PLAYERS,
    OVER,
    PARAMS,
    RNG,
    borrowed,
    borrowed_row,
    inlined,
    jit,
    kernel,
    legal_at,
    observe_at,
    policy_at,
    record,
    reset_at,
    step_at,
    value_at,
)
from overworlds.envs.core.rng import below, draw_seed, mix, next_seed, seed_rng
from overworlds.training.endings import IN_A_THOUSAND, go_on_by

LANE = record(
    ("rng", RNG),  # of the seats' draw and of the others' play; the game has its own
    ("reward", np.float32),  # the learner's, by the last step
    ("last_return", np.float32),  # the learner's result of the game that ended last
    ("decisions", np.int32),  # the learner's, in this game
    ("last_decisions", np.int32),
    ("opponents", np.int32, (MAX_PLAYERS,)),  # who sits at each seat, as a row of the pool
    ("last_opponents", np.int32, (MAX_PLAYERS,)),
    ("learner", np.int8),  # its seat
    ("last_learner", np.int8),
    ("done", np.int8),  # the learner's game ended in the last step
    ("truncated", np.int8),  # by a limit
    ("table", np.int16),  # which of the rules this game is played by
    ("unused", np.int8, (2,)),
    ("turn", np.int32),  # in which the learner's prospects were judged last
    ("prospects", np.float32),  # what they were: see `judge`
    ("progress", np.float32),  # by how much they grew in the last step, the future's worth less
    ("time", np.int64),  # that the last step took, in ticks of the processor's clock
    ("thinking", np.int64),  # how much of that the other players and the advisor took to choose
)
"""What a lane knows beside the state of its game."""

ANY_SEAT = -1


class Setting(NamedTuple):
    """What all lanes share."""

    code: Any
    """Where the game's functions are."""
    tables: Any
    """The rules of all varieties, a row each."""
    players: Any
    """Where the functions of those are that the learner plays against,"""
    params: Any
    """their numbers,"""
    odds: Any
    """how often each is drawn, summed up,"""
    mixed: Any
    """and in how many of a thousand games for every seat anew."""
    seat: Any
    """The learner's, or `ANY_SEAT`."""
    judges: Any
    """Where the function is that judges the learner's prospects, if one does,"""
    judge_params: Any
    """and its numbers."""
    discount: Any
    """What its prospects are worth one decision later."""
    advisors: Any
    """Where the function is that advises the learner, if one does,"""
    freedom: Any
    """its number,"""
    asks: Any
    """and how often it is asked."""
    positions: Any
    """Positions to begin with, each followed by the seat that won,"""
    late: Any
    """how many of the first of them are in use, and how many of a thousand games begin so."""


SETTING = types.NamedTuple(
    (
        *(ADDRESSES, BYTE_ROWS, ADDRESSES, FLOAT_ROWS, SEEDS, types.int64, types.int64),
        *(ADDRESSES, PARAMS, types.float64, ADDRESSES, PARAMS, types.int64, BYTE_ROWS, types.UniTuple(types.int64, 2)),
    ),
    Setting,
)


if numba.config.DISABLE_JIT:

    def ticks():
        """A time to compare with others."""
        return time.perf_counter_ns()

else:

    @intrinsic
    def ticks(typing_context):
        """A time to compare with others, by the processor's own clock."""

        def generate(context, builder, signature, arguments):
            kind = ir.FunctionType(ir.IntType(64), [])
            return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=kind), [])

        return types.int64(), generate


@inlined
def ask(policy, params, rules, state, ids, n, lane):
    """What a player chooses; how long it thinks is noted."""
    began = ticks()
    action = policy_at(policy)(params, rules, state, ids, n, draw_seed(lane.rng))
    lane.thinking += ticks() - began
    return action


@jit
def lent(setting):
    """The same, without references: threads would wait for each other at every one."""
    return Setting(
        borrowed(setting.code),
        setting.tables,
        borrowed(setting.players),
        setting.params,
        borrowed(setting.odds),
        setting.mixed,
        setting.seat,
        borrowed(setting.judges),
        borrowed(setting.judge_params),
        setting.discount,
        borrowed(setting.advisors),
        borrowed(setting.freedom),
        setting.asks,
        setting.positions,
        setting.late,
    )


@inlined
def judge(setting, rules, state, lane):
    """Note what the game's own judgement expects for the learner, once a turn: half-done turns are hard to judge."""
    head = header(state)
    if len(setting.judges) and (head.turn != lane.turn or lane.decisions == 0):
        lane.prospects = value_at(setting.judges[0])(setting.judge_params, rules, state, int(lane.learner))
        lane.turn = head.turn


@inlined
def sit_down(setting, lane, players):
    """Draw the learner's seat, unless it is given, and who sits at the others: the same everywhere, or anybody."""
    odds = setting.odds
    lane.learner = below(lane.rng, players) if setting.seat == ANY_SEAT else setting.seat
    mixed = players == 2 or below(lane.rng, IN_A_THOUSAND) < setting.mixed
    row = 0
    for other in range(players):
        if mixed or other == 0:
            draw = below(lane.rng, odds[len(odds) - 1])
            row = 0
            while odds[row] <= draw:
                row += 1
        lane.opponents[other] = row


@inlined
def play_others(setting, rules, state, ids, lane):
    """Let the others play until it is the learner's turn, or its game is over."""
    head = header(state)
    learner = int(lane.learner)
    while head.to_move != OVER and head.to_move != learner and not head.finished[learner]:
        row = int(lane.opponents[int(head.to_move)])
        n = legal_at(setting.code[CODE_LEGAL])(rules, state, ids)
        action = ask(setting.players[row], borrowed_row(setting.params, row), rules, state, ids, n, lane)
        step_at(setting.code[CODE_STEP])(rules, state, action)


@inlined
def begin_late(setting, state, lane, seed):
    """Begin some games with a position near the end, as any seat or, just as often, as the one that won."""
    number, share = setting.late
    if number == 0 or lane.table != 0 or below(lane.rng, IN_A_THOUSAND) >= share:
        return
    position = borrowed_row(setting.positions, below(lane.rng, number))
    copy_bytes(position, state)
    go_on_by(state, seed)
    if setting.seat == ANY_SEAT and below(lane.rng, 2):
        lane.learner = position[len(state)]


@jit
def deal(setting, state, ids, lane, seed):
    """Deal a game in which the learner comes to choose, and play on to its first turn; every other game, as a rule, is
    played by the first rules, the others by any."""
    head = header(state)
    while True:
        seed_rng(lane.rng, mix(seed, 2))
        varieties = len(setting.tables)
        lane.table = below(lane.rng, varieties) if varieties > 1 and below(lane.rng, 2) else 0
        rules = borrowed_row(setting.tables, int(lane.table))
        reset_at(setting.code[CODE_RESET])(rules, state, seed)
        sit_down(setting, lane, int(head.players))
        begin_late(setting, state, lane, seed)
        play_others(setting, rules, state, ids, lane)
        if head.to_move == lane.learner and not head.finished[int(lane.learner)]:
            break
        seed = next_seed(seed)
    lane.decisions = 0
    judge(setting, rules, state, lane)


@inlined
def look_and_ask(setting, rules, state, ids, lane, observation, mask):
    """Write what the learner sees, what is legal, and to that how often its advisor has named an action."""
    n = look(setting.code, rules, state, ids, observation, mask)
    if len(setting.advisors):
        for _ in range(setting.asks):
            mask[legal_choice(ask(setting.advisors[0], setting.freedom, rules, state, ids, n, lane), ids, n)] += 1


@kernel(types.void(SETTING, SEEDS, BYTE_ROWS, BYTE_ROWS, IDS, INT8_ROWS, INT8_ROWS))
def deal_lanes(setting, seeds, states, lanes, ids, observations, masks):
    """Deal the first game of every lane."""
    setting, ids = lent(setting), borrowed(ids)
    for i in range(len(states)):
        state = borrowed_row(states, i)
        lane = borrowed_row(lanes, i).view(LANE)[0]
        deal(setting, state, ids, lane, seeds[i])
        rules = borrowed_row(setting.tables, int(lane.table))
        look_and_ask(setting, rules, state, ids, lane, borrowed_row(observations, i), borrowed_row(masks, i))


@jit
def note_end(code, rules, state, lane, last_observation):
    """Keep what SB3 wants to know of the game that has just ended for the learner."""
    head = header(state)
    learner = int(lane.learner)
    lane.truncated = head.truncated
    lane.last_return = head.returns[learner]
    lane.last_decisions = lane.decisions
    lane.last_learner = lane.learner
    for seat in range(MAX_PLAYERS):
        lane.last_opponents[seat] = lane.opponents[seat]
    observe_at(code[CODE_OBSERVE])(rules, state, learner, last_observation)


@kernel(types.void(SETTING, ACTIONS, BYTE_ROWS, BYTE_ROWS, IDS, INT8_ROWS, INT8_ROWS, INT8_ROWS))
def step_lanes(setting, actions, states, lanes, ids, observations, masks, last_observations):
    """Apply the learner's action in every lane and go on to its next turn, in the next game where this one ends."""
    setting, ids = lent(setting), borrowed(ids)
    code = setting.code
    for i in range(len(states)):
        state = borrowed_row(states, i)
        lane = borrowed_row(lanes, i).view(LANE)[0]
        head = header(state)
        learner = int(lane.learner)
        rules = borrowed_row(setting.tables, int(lane.table))
        before = head.returns[learner]
        began, lane.thinking = ticks(), 0
        step_at(code[CODE_STEP])(rules, state, int(actions[i]))
        play_others(setting, rules, state, ids, lane)
        lane.reward = head.returns[learner] - before
        lane.decisions += 1
        lane.done = 1 if head.finished[learner] or head.to_move == OVER else 0
        lane.truncated = 0
        lane.progress = -lane.prospects
        if lane.done:
            note_end(code, rules, state, lane, borrowed_row(last_observations, i))
            deal(setting, state, ids, lane, next_seed(head.seed))
            rules = borrowed_row(setting.tables, int(lane.table))
        else:
            judge(setting, rules, state, lane)
            lane.progress += setting.discount * lane.prospects
        look_and_ask(setting, rules, state, ids, lane, borrowed_row(observations, i), borrowed_row(masks, i))
        lane.time = ticks() - began


@kernel(types.int64(ACTIONS, INT8_ROWS))
def first_illegal(actions, masks):
    """The first lane whose action is not legal, or -1."""
    for lane in range(len(actions)):
        action = actions[lane]
        if action < 0 or action >= masks.shape[1] or masks[lane, action] == 0:
            return lane
    return -1
