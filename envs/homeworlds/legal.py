"""Which actions of Homeworlds are legal: those after which the turn can still end legally.

No turn may end without a ship at home, but home may be left for the moment. Only moves bring a ship back, so only
the actions of a yellow sacrifice can.
"""

import numpy as np

from overworlds.envs.core.kernel import LEGAL, OVER, jit, kernel
from overworlds.envs.homeworlds import actions, phases
from overworlds.envs.homeworlds.actions import seat_to_the_left, slot_of
from overworlds.envs.homeworlds.board import (
    OVERPOPULATION,
    all_ships,
    enemies,
    free_slot,
    is_at_home,
    move_ship,
)
from overworlds.envs.homeworlds.pieces import (
    BLUE,
    GREEN,
    KINDS,
    RED,
    SIZES,
    YELLOW,
    count,
    count_colour,
    is_single,
    largest,
    of_colour,
    one,
    sizes,
)
from overworlds.envs.homeworlds.state import RULES, STATE

# ---------------------------------------------------------------- finding a way home


@jit
def stars_to_visit(s, r):
    """All kinds of systems a ship could pass through, as bits: bit k is set for one whose marker sizes are k."""
    kinds = 0
    for slot in range(int(r.slots)):
        if s.markers[slot]:
            kinds |= 1 << sizes(s.markers[slot])
    return kinds | stars_to_discover(sizes(s.stash))


@jit
def stars_to_discover(stash_sizes):
    """The single stars these sizes allow, as bits like those of `stars_to_visit`."""
    kinds = 0
    for size in (1, 2, 4):
        if stash_sizes & size:
            kinds |= 1 << size
    return kinds


@jit
def can_return(s, r, me, moves):
    """Can some ship of mine reach my homeworld, where I have none now, in so many moves?

    The ship that comes home makes all the moves: no other ship's move could open a way for it that the other
    could not take itself. A system it leaves empty gives its markers back, for the star after the next.
    """
    home = sizes(s.markers[me])
    if home == 0 or moves == 0:
        return False
    between = stars_to_visit(s, r)
    for slot in range(int(r.slots)):
        mine = s.ships[slot, me]
        if mine == 0:
            continue
        here = sizes(s.markers[slot])
        if here & home == 0:
            return True
        if moves == 1:
            continue
        given_back = 0
        if is_single(mine) and all_ships(s, slot) == mine:
            given_back = stars_to_discover(here)
        for first in range(1, 7):
            if not between >> first & 1 or first & here:
                continue
            if first & home == 0:
                return True
            if moves == 2:
                continue
            for second in range(1, 7):
                if (between | given_back) >> second & 1 and second & first == 0 and second & home == 0:
                    return True
    return False


@jit
def sacrifice_leaves_a_way_home(s, r, me, piece):
    """May I sacrifice the only ship I have at home? (Yellow, with a ship in reach, and home still there.)"""
    if piece // SIZES != YELLOW:
        return False
    s.ships[me, me] = 0
    s.stash += one(piece)
    stays = not r.home_vanishes or all_ships(s, me) != 0
    allowed = stays and can_return(s, r, me, piece % SIZES + 1)
    s.stash -= one(piece)
    s.ships[me, me] = one(piece)
    return allowed


@jit
def move_leaves_a_way_home(s, r, me, slot, piece, destination, star, moves):
    """After this move, with so many moves to follow, can the turn end with a ship at home?"""
    stash, markers, home = s.stash, s.markers[slot], s.ships[slot, me]
    arrived = s.ships[destination, me]
    move_ship(s, r, me, slot, piece, destination, star)
    allowed = is_at_home(s, me) or can_return(s, r, me, moves)
    s.ships[destination, me] = arrived
    if star >= 0:
        s.markers[destination] = 0
    s.stash, s.markers[slot], s.ships[slot, me] = stash, markers, home
    return allowed


@jit
def keeps_home(s, me, slot):
    """If one of my ships leaves this system, do I still have one at home?"""
    home = s.ships[me, me]
    return home != 0 and not (slot == me and is_single(home))


# ---------------------------------------------------------------- what can be chosen, as bits


@jit
def colours_to_trade_for(s, piece):
    """Other colours of which the stash has this size. Bit: colour."""
    choices = 0
    for colour in range(4):
        if colour != piece // SIZES and count(s.stash, SIZES * colour + piece % SIZES):
            choices |= 1 << colour
    return choices


@jit
def owners_to_attack(s, me, slot, piece):
    """Players who own such a ship here. Bit: how many seats to my left."""
    choices = 0
    players = int(s.head.players)
    for left in range(1, players):
        if count(s.ships[slot, seat_to_the_left(me, left, players)], piece):
            choices |= 1 << left
    return choices


TO_SYSTEM = KINDS
"""In the bits of `destinations`: systems come after the pieces that can mark a new one."""


@jit
def destinations(s, r, me, slot, piece):
    """Where a ship can go. Bit: the marker of a system to discover, or ``TO_SYSTEM`` + an existing system."""
    choices = np.int64(0)
    safe = keeps_home(s, me, slot)
    moves_after = s.left - 1 if s.colour >= 0 else 0
    here = sizes(s.markers[slot])
    if not safe and moves_after == 0:  # only a move home lets the turn end
        if slot != me and not sizes(s.markers[me]) & here:
            choices |= np.int64(1) << TO_SYSTEM
        return choices
    new = free_slot(s, r)
    for star in range(KINDS):
        if new >= 0 and count(s.stash, star) and not here >> star % SIZES & 1:
            if safe or move_leaves_a_way_home(s, r, me, slot, piece, new, star, moves_after):
                choices |= np.int64(1) << star
    for system in range(int(r.slots)):
        destination = slot_of(system, me, int(r.players))
        if destination != slot and s.markers[destination] and not sizes(s.markers[destination]) & here:
            if safe or move_leaves_a_way_home(s, r, me, slot, piece, destination, -1, moves_after):
                choices |= np.int64(1) << (TO_SYSTEM + system)
    return choices


@jit
def has_destination(s, r, me, slot, piece):
    """Can this ship go anywhere?"""
    if keeps_home(s, me, slot) and sizes(s.stash) & ~sizes(s.markers[slot]):
        return True  # the usual case: it can discover a system
    return destinations(s, r, me, slot, piece) != 0


@jit
def catastrophes_to_trigger(s, me, slot):
    """Overpopulations here whose catastrophe would leave me a ship at home. Bit: colour."""
    choices = 0
    markers = s.markers[slot]
    pieces = all_ships(s, slot) + markers
    for colour in range(4):
        if count_colour(pieces, colour) >= OVERPOPULATION:
            mine = s.ships[me, me]
            if slot != me or (markers != of_colour(markers, colour) and mine != of_colour(mine, colour)):
                choices |= 1 << colour
    return choices


@jit
def has_power(s, me, slot, colour):
    """A sacrifice gives its colour everywhere and no other; else own ships there and markers give theirs."""
    if s.colour >= 0:
        return s.colour == colour
    return of_colour(s.ships[slot, me] | s.markers[slot], colour) != 0


# ---------------------------------------------------------------- listing the ids


@jit
def list_choices(choices, first, out, n):
    """The ids of these choices: ``first`` + bit."""
    while choices:
        if choices & 1:
            out[n] = first
            n += 1
        choices >>= 1
        first += 1
    return n


@jit
def list_actions(s, r, me, out, n):
    """Free actions and sacrifices; or, after a sacrifice, actions of its colour; system by system."""
    for system in range(int(r.slots)):
        slot = slot_of(system, me, int(r.players))
        mine = s.ships[slot, me]
        if mine == 0:
            continue
        first = actions.SYSTEM + actions.PER_SYSTEM * system
        if has_power(s, me, slot, GREEN):
            n = list_constructions(s, mine, first + actions.CONSTRUCT, out, n)
        if has_power(s, me, slot, BLUE):
            n = list_trades(s, mine, first + actions.TRADE, out, n)
        if has_power(s, me, slot, YELLOW):
            n = list_moves(s, r, me, slot, first + actions.MOVE, out, n)
        if has_power(s, me, slot, RED):
            n = list_attacks(s, me, slot, first + actions.ATTACK, out, n)
        if s.phase == phases.FREE:
            n = list_sacrifices(s, r, me, slot, first + actions.SACRIFICE, out, n)
    return n


@jit
def list_constructions(s, mine, first, out, n):
    """A new ship takes the colour of a ship I own here, as long as the stash has that colour."""
    for colour in range(4):
        if of_colour(mine, colour) and of_colour(s.stash, colour):
            out[n] = first + colour
            n += 1
    return n


@jit
def list_trades(s, mine, first, out, n):
    """Any of my ships here for which there is a swap."""
    for piece in range(KINDS):
        if count(mine, piece) and colours_to_trade_for(s, piece):
            out[n] = first + piece
            n += 1
    return n


@jit
def list_moves(s, r, me, slot, first, out, n):
    """Any of my ships here that has somewhere to go."""
    for piece in range(KINDS):
        if count(s.ships[slot, me], piece) and has_destination(s, r, me, slot, piece):
            out[n] = first + piece
            n += 1
    return n


@jit
def list_attacks(s, me, slot, first, out, n):
    """Any ship of another player here that is not larger than my largest here."""
    targets = enemies(s, me, slot)
    if targets == 0:
        return n
    reach = largest(s.ships[slot, me])
    for piece in range(KINDS):
        if count(targets, piece) and piece % SIZES < reach:
            out[n] = first + piece
            n += 1
    return n


@jit
def list_sacrifices(s, r, me, slot, first, out, n):
    """Any ship of mine, but the last one at home only if another can come home."""
    keeps = keeps_home(s, me, slot)
    for piece in range(KINDS):
        if count(s.ships[slot, me], piece) and (keeps or sacrifice_leaves_a_way_home(s, r, me, piece)):
            out[n] = first + piece
            n += 1
    return n


@jit
def list_catastrophes(s, r, me, out, n):
    """All catastrophes I may trigger now, anywhere."""
    for system in range(int(r.slots)):
        slot = slot_of(system, me, int(r.players))
        if s.markers[slot]:
            first = actions.SYSTEM + actions.PER_SYSTEM * system + actions.CATASTROPHE
            n = list_choices(catastrophes_to_trigger(s, me, slot), first, out, n)
    return n


@jit
def list_statements(s, me, out):
    """Say nothing, claim an alignment, accuse or vouch for another living player."""
    out[0], out[1], out[2] = actions.SAY_NOTHING, actions.CLAIM_GOOD, actions.CLAIM_EVIL
    n = 3
    players = int(s.head.players)
    for action in (actions.ACCUSE, actions.VOUCH):
        for left in range(1, players):
            if s.alive[seat_to_the_left(me, left, players)]:
                out[n] = action + left
                n += 1
    return n


@jit
def list_pieces(s, first, out):
    """Any piece of the stash."""
    n = 0
    for piece in range(KINDS):
        if count(s.stash, piece):
            out[n] = first + piece
            n += 1
    return n


@kernel(LEGAL)
def legal(rules, state, out):
    """The ids of all legal actions, ascending."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    me, phase = int(s.head.to_move), s.phase
    slot, piece = int(s.slot), int(s.piece)
    if me == OVER:
        return 0
    if phase == phases.FREE:
        out[0] = actions.PASS
        return list_actions(s, r, me, out, 1)
    if phase == phases.SACRIFICED:
        out[0] = actions.STOP
        return list_actions(s, r, me, out, 1 if is_at_home(s, me) else 0)
    if phase == phases.MOVE_TO:
        choices = destinations(s, r, me, slot, piece)
        n = list_choices(choices & ((1 << TO_SYSTEM) - 1), actions.DISCOVER, out, 0)
        for system in range(int(r.slots)):
            if choices >> (TO_SYSTEM + system) & 1:
                out[n] = actions.SYSTEM + actions.PER_SYSTEM * system + actions.GO
                n += 1
        return n
    if phase == phases.TRADE_FOR:
        return list_choices(colours_to_trade_for(s, piece), actions.FOR_COLOUR, out, 0)
    if phase == phases.ATTACK_WHOSE:
        return list_choices(owners_to_attack(s, me, slot, piece), actions.OWNED_BY, out, 0)
    if phase == phases.CATASTROPHES:
        out[0] = actions.END_TURN
        return list_catastrophes(s, r, me, out, 1)
    if phase == phases.TALK:
        return list_statements(s, me, out)
    return list_pieces(s, actions.SHIP if phase == phases.SET_UP_SHIP else actions.STAR, out)
