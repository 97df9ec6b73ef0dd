"""What a seat may expect of a Homeworlds game that is broken off: for search."""

import math

from overworlds.envs.core.kernel import VALUE, jit, kernel
from overworlds.envs.homeworlds import phases
from overworlds.envs.homeworlds.board import is_at_home
from overworlds.envs.homeworlds.judgement import capture_danger, catastrophe_danger, pressure, worth
from overworlds.envs.homeworlds.state import RULES, STATE
from overworlds.envs.homeworlds.threats import can_eliminate, fleet_of

SURE = 0.9
"""What is expected where the game seems decided."""
SCALE = 1600.0
"""Points of judgement that make about three quarters of that."""
NOBODY, THE_MOVER, THE_GOOD = 0, 1, 2


@jit
def about_to_win(s, slots, mover):
    """Who wins if the mover does what it can do in this turn?"""
    players = int(s.head.players)
    fleet = fleet_of(s, slots, mover)
    evils = 0
    for player in range(players):
        evils += int(s.alive[player] and s.evil[player])
    for victim in range(players):
        if victim == mover or not s.alive[victim]:
            continue
        if s.evil[mover] or (s.evil[victim] and evils == 1):
            if not is_at_home(s, victim) or (s.phase == phases.FREE and can_eliminate(s, slots, mover, fleet, victim)):
                return THE_MOVER if s.evil[mover] else THE_GOOD
    return NOBODY


@jit
def balance(s, slots, me, enemy, mover):
    """What I have more than an enemy, in points of judgement."""
    points = worth(s, slots, me) + pressure(s, slots, me, enemy)
    points -= worth(s, slots, enemy) + pressure(s, slots, enemy, me)
    if mover == me:
        fleet = fleet_of(s, slots, me)
        points += max(capture_danger(s, slots, enemy, me, fleet), catastrophe_danger(s, slots, enemy, me, fleet))
    elif mover == enemy:
        fleet = fleet_of(s, slots, enemy)
        points -= max(capture_danger(s, slots, me, enemy, fleet), catastrophe_danger(s, slots, me, enemy, fleet))
    return points


@kernel(VALUE)
def evaluate(params, rules, state, seat):
    """What this seat may expect, between -1 and 1, in a world in which everybody's alignment is known."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    players, mover = int(r.players), int(s.head.to_move)
    if s.head.turn < players:  # the homeworlds are being set up
        return 0.0
    slots = int(r.slots)
    while s.markers[slots - 1] == 0:
        slots -= 1
    if not is_at_home(s, seat):
        return -SURE
    winner = about_to_win(s, slots, mover)
    if winner == THE_MOVER:
        return SURE if seat == mover else -SURE
    if winner == THE_GOOD:
        return -SURE if s.evil[seat] else SURE
    points = enemies = 0
    for enemy in range(players):
        if enemy != seat and s.alive[enemy] and is_at_home(s, enemy) and (s.evil[seat] or s.evil[enemy]):
            points += balance(s, slots, seat, enemy, mover)
            enemies += 1
    return SURE * math.tanh(points / (max(1, enemies) * SCALE))
