"""What a player of Homeworlds sees: a flat row of small numbers, everything counted from the own seat."""

from overworlds.envs.core.kernel import OBSERVE, OVER, jit, kernel
from overworlds.envs.homeworlds import phases
from overworlds.envs.homeworlds.actions import seat_to_the_left, slot_of, system_of
from overworlds.envs.homeworlds.layout import PER_PLAYER, PERCENT
from overworlds.envs.homeworlds.pieces import KINDS
from overworlds.envs.homeworlds.state import (
    LATELY,
    RULES,
    SAID_ACCUSE,
    SAID_NOTHING,
    SAID_VOUCH,
    STATE,
)


@jit
def write_pile(pile, out, at):
    """Twelve counts."""
    if pile:
        for piece in range(KINDS):
            out[at + piece] = (pile >> (4 * piece)) & 15


@jit
def write_statements(s, seat, players, out, at):
    """Who said what, lately; the players spoken of are counted from the one who looks."""
    for left in range(players):
        for when in range(LATELY):
            said = int(s.said[seat_to_the_left(seat, left, players), when])
            if said >= SAID_VOUCH:
                out[at + 2 + players + (said - SAID_VOUCH - seat) % players] = 1
            elif said >= SAID_ACCUSE:
                out[at + 2 + (said - SAID_ACCUSE - seat) % players] = 1
            elif said != SAID_NOTHING:
                out[at + said - 1] = 1
            at += 2 + 2 * players
    return at


@jit
def write_players(s, seat, players, out, at):
    """Who moves, who lives, whose alignment is known; who took ships from whom."""
    for left in range(players):
        player = seat_to_the_left(seat, left, players)
        out[at] = 1 if s.head.to_move == player else 0
        out[at + 1] = s.alive[player]
        if s.revealed[player] or player == seat:
            out[at + 2] = 1 - s.evil[player]
            out[at + 3] = s.evil[player]
        at += PER_PLAYER
    for left in range(players):
        player = seat_to_the_left(seat, left, players)
        for other in range(players):
            out[at] = s.captures[player, seat_to_the_left(seat, other, players)]
            at += 1
    return at


@kernel(OBSERVE)
def observe(rules, state, seat, out):
    """Write the observation of this seat."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    players = int(r.players)
    out[:] = 0
    out[int(s.phase)] = 1
    at = phases.COUNT
    out[at] = s.left
    if s.colour >= 0:
        out[at + 1 + int(s.colour)] = 1
    at += 5
    if s.piece >= 0:
        out[at + int(s.piece)] = 1
    at += KINDS
    write_pile(s.stash, out, at)
    at += KINDS
    if r.turn_limit:
        out[at] = min(PERCENT, PERCENT * s.head.turn // r.turn_limit)
    at = write_players(s, seat, players, out, at + 1)
    if r.talk:
        at = write_statements(s, seat, players, out, at)
    width = 2 + KINDS * (1 + players)
    if s.slot >= 0 and s.head.to_move != OVER:
        out[at + width * system_of(int(s.slot), seat, players) + 1] = 1
    for system in range(int(r.slots)):
        slot = slot_of(system, seat, players)
        if s.markers[slot]:
            out[at] = 1 if slot < players and s.alive[slot] else 0
            write_pile(s.markers[slot], out, at + 2)
            for left in range(players):
                write_pile(s.ships[slot, seat_to_the_left(seat, left, players)], out, at + 2 + KINDS * (1 + left))
        at += width
