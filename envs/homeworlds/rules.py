"""The course of a game of Homeworlds: dealing, the decisions of a turn, eliminations and the end."""

from overworlds.envs.core.kernel import ELIMINATED, OVER, RESAMPLE, RESET, STEP, jit, kernel
from overworlds.envs.core.rng import below, seed_rng
from overworlds.envs.homeworlds import actions, phases
from overworlds.envs.homeworlds.actions import seat_to_the_left, slot_of
from overworlds.envs.homeworlds.board import (
    attack,
    catastrophe,
    construct,
    enemies,
    free_slot,
    is_at_home,
    move_ship,
    sacrifice,
    trade,
)
from overworlds.envs.homeworlds.legal import (
    TO_SYSTEM,
    catastrophes_to_trigger,
    colours_to_trade_for,
    destinations,
    has_destination,
    owners_to_attack,
)
from overworlds.envs.homeworlds.pieces import BLUE, GREEN, KINDS, RED, SIZES, YELLOW, count, largest, of_colour, one
from overworlds.envs.homeworlds.state import (
    LATELY,
    RULES,
    SAID_ACCUSE,
    SAID_EVIL,
    SAID_GOOD,
    SAID_NOTHING,
    SAID_VOUCH,
    STATE,
)

# ---------------------------------------------------------------- dealing


@jit
def deal_alignments(s, rng, evils):
    """Make this many of the players that nobody knows Evil, all choices equally likely, the others Good."""
    unknown = 0
    for player in range(int(s.head.players)):
        unknown += 1 - int(s.revealed[player])
    for player in range(int(s.head.players)):
        if s.revealed[player]:
            continue
        s.evil[player] = 1 if below(rng, unknown) < evils else 0
        evils -= int(s.evil[player])
        unknown -= 1


@kernel(RESET)
def reset(rules, state, seed):
    """Full stash, no systems; as many Evil as half the players, rounded down; seat 0 begins."""
    state[:] = 0
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    head = s.head
    seed_rng(head.rng, seed)
    head.seed = seed
    players = int(r.players)
    head.players = players
    for piece in range(KINDS):
        s.stash += one(piece) * int(r.pieces_per_kind)
    for player in range(players):
        s.alive[player] = 1
    deal_alignments(s, head.rng, players // 2)
    s.phase = phases.SET_UP_STAR
    s.colour = s.slot = s.piece = -1


@kernel(RESAMPLE)
def resample(rules, state, seat, seed):
    """Redraw the alignments that this seat does not know, keeping their number, and all chance to come."""
    s = state.view(STATE)[0]
    seed_rng(s.head.rng, seed)
    s.head.seed = seed
    known = s.revealed[seat]
    s.revealed[seat] = 1
    evils = int(s.head.players) // 2
    for player in range(int(s.head.players)):
        if s.revealed[player]:
            evils -= int(s.evil[player])
    deal_alignments(s, s.head.rng, evils)
    s.revealed[seat] = known


# ---------------------------------------------------------------- the course of a turn


@jit
def set_up(s, r, me, action):
    """Two markers, then a ship: the whole first turn."""
    if s.phase == phases.SET_UP_SHIP:
        s.stash -= one(action - actions.SHIP)
        s.ships[me, me] = one(action - actions.SHIP)
        start_talk(s, r, me)
        return
    s.stash -= one(action - actions.STAR)
    s.markers[me] += one(action - actions.STAR)
    s.phase = phases.SET_UP_SECOND_STAR if s.phase == phases.SET_UP_STAR else phases.SET_UP_SHIP


@jit
def begin_action(s, r, me, action):
    """Do what the action says; where it leaves something open, ask for it, if there is more than one answer."""
    system, what = divmod(action - actions.SYSTEM, actions.PER_SYSTEM)
    slot = slot_of(system, me, int(r.players))
    if what < actions.TRADE:
        construct(s, me, slot, what - actions.CONSTRUCT)
        end_action(s, r, me)
    elif what < actions.MOVE:
        piece = what - actions.TRADE
        choices = colours_to_trade_for(s, piece)
        ask(s, phases.TRADE_FOR, slot, piece)
        if is_one_bit(choices):
            complete_trade(s, r, me, bit_number(choices))
    elif what < actions.ATTACK:
        piece = what - actions.MOVE
        choices = destinations(s, r, me, slot, piece)
        ask(s, phases.MOVE_TO, slot, piece)
        if is_one_bit(choices):
            complete_move(s, r, me, bit_number(choices))
    elif what < actions.SACRIFICE:
        piece = what - actions.ATTACK
        choices = owners_to_attack(s, me, slot, piece)
        ask(s, phases.ATTACK_WHOSE, slot, piece)
        if is_one_bit(choices):
            complete_attack(s, r, me, bit_number(choices))
    else:
        sacrifice(s, r, me, slot, what - actions.SACRIFICE)
        offer_sacrifice_actions(s, r, me)


@jit
def is_one_bit(choices):
    """Is there only one choice?"""
    return choices & (choices - 1) == 0


@jit
def bit_number(choices):
    """The only choice."""
    number = 0
    while choices > 1:
        choices >>= 1
        number += 1
    return number


@jit
def ask(s, phase, slot, piece):
    """Remember which ship an action is about while its player decides on the rest."""
    s.phase, s.slot, s.piece = phase, slot, piece


@jit
def complete_trade(s, r, me, colour):
    """The chosen ship takes this colour."""
    trade(s, me, int(s.slot), int(s.piece), colour)
    end_action(s, r, me)


@jit
def complete_move(s, r, me, destination):
    """The chosen ship goes there; destinations are numbered as in `destinations`."""
    slot, piece = int(s.slot), int(s.piece)
    if destination >= TO_SYSTEM:
        move_ship(s, r, me, slot, piece, slot_of(destination - TO_SYSTEM, me, int(r.players)), -1)
    else:
        move_ship(s, r, me, slot, piece, free_slot(s, r), destination)
    end_action(s, r, me)


@jit
def complete_attack(s, r, me, left):
    """The chosen ship is the one of the player so many seats to my left."""
    attack(s, me, int(s.slot), int(s.piece), seat_to_the_left(me, left, int(r.players)))
    end_action(s, r, me)


@jit
def end_action(s, r, me):
    """After a free action the turn comes to its end; after a sacrifice more actions may follow."""
    s.slot = s.piece = -1
    if s.colour >= 0:
        s.left -= 1
        offer_sacrifice_actions(s, r, me)
    else:
        start_catastrophes(s, r, me)


@jit
def offer_sacrifice_actions(s, r, me):
    """Let the player use what is left of the sacrifice, if anything can be done with it."""
    s.phase = phases.SACRIFICED
    if s.left == 0 or not any_action(s, r, me):
        start_catastrophes(s, r, me)


@jit
def any_action(s, r, me):
    """Is there a use for an action of the sacrifice's colour?"""
    colour = s.colour
    for slot in range(int(r.slots)):
        mine = s.ships[slot, me]
        if mine == 0:
            continue
        for piece in range(KINDS):
            if colour == RED:
                if count(enemies(s, me, slot), piece) and piece % SIZES < largest(mine):
                    return True
            elif count(mine, piece):
                if colour == YELLOW and has_destination(s, r, me, slot, piece):
                    return True
                if colour == GREEN and of_colour(s.stash, piece // SIZES):
                    return True
                if colour == BLUE and colours_to_trade_for(s, piece):
                    return True
    return False


@jit
def start_catastrophes(s, r, me):
    """The actions are done. Overpopulations can now become catastrophes."""
    s.colour = s.slot = s.piece = -1
    s.left = 0
    s.phase = phases.CATASTROPHES
    for slot in range(int(r.slots)):
        if s.markers[slot] and catastrophes_to_trigger(s, me, slot):
            return
    start_talk(s, r, me)


@jit
def start_talk(s, r, me):
    """With table talk, every turn ends with a statement."""
    if r.talk:
        s.phase = phases.TALK
    else:
        end_turn(s, r, me)


@jit
def say(s, me, action):
    """Remember what was said, the newest first."""
    for earlier in range(LATELY - 1, 0, -1):
        s.said[me, earlier] = s.said[me, earlier - 1]
    players = int(s.head.players)
    if action == actions.SAY_NOTHING:
        said = SAID_NOTHING
    elif action == actions.CLAIM_GOOD:
        said = SAID_GOOD
    elif action == actions.CLAIM_EVIL:
        said = SAID_EVIL
    elif action <= actions.VOUCH:
        said = SAID_ACCUSE + (me + action - actions.ACCUSE) % players
    else:
        said = SAID_VOUCH + (me + action - actions.VOUCH) % players
    s.said[me, 0] = said


@jit
def end_turn(s, r, me):
    """Settle eliminations, then it is the next living player's turn."""
    head = s.head
    head.turn += 1
    players = int(r.players)
    if settle_eliminations(s, r, me):
        end_game(s, players)
    elif r.turn_limit and head.turn >= r.turn_limit:
        head.truncated = 1
        end_game(s, players)
    else:
        following = seat_to_the_left(me, 1, players)
        while not s.alive[following]:
            following = seat_to_the_left(following, 1, players)
        head.to_move = following
        s.phase = phases.FREE if head.turn >= players else phases.SET_UP_STAR


@jit
def settle_eliminations(s, r, me):
    """Who has no ship at home any more is out, by my deed. True if that ends the game.

    Evil wins alone by eliminating anybody. Good wins when no Evil lives, together with all living Good.
    """
    head = s.head
    players = int(r.players)
    eliminated = False
    for player in range(min(head.turn, players)):  # those who have set up
        if s.alive[player] and not is_at_home(s, player):
            eliminated = True
            s.alive[player] = 0
            s.revealed[player] = 1
            head.finished[player] = ELIMINATED
            head.returns[player] = -1.0
    if not eliminated:
        return False
    s.revealed[me] = 1
    winners = 1
    if not s.evil[me]:
        winners = 0
        for player in range(players):
            if s.alive[player]:
                if s.evil[player]:
                    return False
                winners += 1
    for player in range(players):
        if player == me or (s.alive[player] and not s.evil[me]):
            head.returns[player] = 1.0 / winners if r.divide_win else 1.0
        else:
            head.returns[player] = -1.0
    return True


@jit
def end_game(s, players):
    """Nobody moves any more, and nothing is secret."""
    s.head.to_move = OVER
    for player in range(players):
        s.head.finished[player] = max(1, s.head.finished[player])
        s.revealed[player] = 1


@kernel(STEP)
def step(rules, state, action):
    """Apply a legal action; where nothing is left to decide, go on to the next decision."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    me = int(s.head.to_move)
    phase = s.phase
    s.head.ply += 1
    if phase == phases.FREE or phase == phases.SACRIFICED:
        if action == actions.PASS or action == actions.STOP:
            start_catastrophes(s, r, me)
        else:
            begin_action(s, r, me, action)
    elif phase == phases.MOVE_TO:
        if action < actions.SYSTEM:
            complete_move(s, r, me, action - actions.DISCOVER)
        else:
            complete_move(s, r, me, TO_SYSTEM + (action - actions.SYSTEM) // actions.PER_SYSTEM)
    elif phase == phases.TRADE_FOR:
        complete_trade(s, r, me, action - actions.FOR_COLOUR)
    elif phase == phases.ATTACK_WHOSE:
        complete_attack(s, r, me, action - actions.OWNED_BY)
    elif phase == phases.CATASTROPHES:
        if action == actions.END_TURN:
            start_talk(s, r, me)
        else:
            system, what = divmod(action - actions.SYSTEM, actions.PER_SYSTEM)
            catastrophe(s, r, me, slot_of(system, me, int(r.players)), what - actions.CATASTROPHE)
            start_catastrophes(s, r, me)
    elif phase == phases.TALK:
        say(s, me, action)
        end_turn(s, r, me)
    else:
        set_up(s, r, me, action)
