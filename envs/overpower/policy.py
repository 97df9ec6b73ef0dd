"""A scripted player: attacks what it can knock out, defends by value, ventures by the strength of its cards.

It looks only at what its seat may know. Every option gets a score; the best one is taken, or one that is hardly worse.
"""

from overworlds.envs.core.kernel import POLICY, jit, kernel
from overworlds.envs.overpower import actions, ops, phases
from overworlds.envs.overpower.concealment import is_face_down
from overworlds.envs.overpower.conditions import find_op
from overworlds.envs.overpower.frames import top
from overworlds.envs.overpower.hits import damage_on, points_to_ko, survivors, venture_total, would_fall
from overworlds.envs.overpower.icons import ALLY, FOUR, POWER, SPECIAL, TEAMWORK, TYPES
from overworlds.envs.overpower.state import (
    AS_REACTION,
    KINDS,
    NOBODY,
    PLACED,
    RULES,
    STATE,
    TEAM_SIZE,
)
from overworlds.envs.overpower.usage import front_bits

NEVER = -1000
A_KNOCK_OUT = 200
WEAK_HAND = 9
GOOD_HAND = 30
SMALL_ATTACK = 4
"""Attacks up to this are taken unless a spare card blocks them."""
LAST_ONE = 8
"""So much worse is an attack on the last character that a player has."""
ONLY_THERE = 4
"""So much better is placing on the Reserve what nobody else can use: it would be discarded."""
GUESS = 6
"""What an attack that lies face down may be worth."""


@jit
def attack_worth(d, kind):
    """How much playing a card is worth, roughly in points of damage."""
    card_class, value = int(d.card_class[kind]), int(d.value[kind])
    if card_class == POWER:
        return value
    if card_class == TEAMWORK:
        return value + 6
    if card_class == ALLY:
        return value + 5
    if card_class != SPECIAL:
        return int(d.bonus[kind])
    worth = value
    if find_op(d, kind, ops.FOLLOW) != NOBODY:
        worth += 4
    if find_op(d, kind, ops.VENTURE) != NOBODY:
        worth += 4
    if worth == 0:
        worth = 3
    return worth


@jit
def strength(r, s, side):
    """What the hand and the placed cards of a side could do in this battle."""
    d, p = r.decks[side], s.players[side]
    total = 0
    for kind in range(int(d.kinds)):
        total += int(p.hand[kind]) * attack_worth(d, kind)
    for character in range(TEAM_SIZE):
        total += placed_strength(d, p, character)
    return total


@jit
def placed_strength(d, p, character):
    """The same for the cards placed on one Front Line character."""
    total = 0
    if p.alive[character] and p.front[character]:
        for slot in range(PLACED):
            if p.placed[character, slot] != NOBODY:
                total += attack_worth(d, int(p.placed[character, slot]))
    return total


@jit
def knocks_out(r, s, side, on, points, icons):
    """Would a hit of so many points, with one of these icons, be one too many for this character?"""
    for t in range(TYPES):
        if icons >> t & 1 and would_fall(r, s, side, on, points, 1 << t):
            return True
    return would_fall(r, s, side, on, points, 0)


@jit
def score_target(r, s, side, on):
    """Whomever the attack knocks out; else whoever is nearest to it."""
    d, kind = r.decks[side], int(s.play.kind)
    if knocks_out(r, s, 1 - side, on, int(d.value[kind]), int(d.icons[kind]) & FOUR):
        return A_KNOCK_OUT
    return 100 * damage_on(s, 1 - side, on) // max(1, points_to_ko(r, s, 1 - side, on))


@jit
def score_defence(r, s, side, action):
    """Block with the smallest card that does; keep avoiding Specials for what matters."""
    a = s.attack
    d = r.decks[side]
    threat = GUESS if is_face_down(s) else int(a.value)
    if a.target != NOBODY and knocks_out(r, s, side, int(a.target), int(a.hit_value), int(a.hit_icons) & FOUR):
        threat += 20
    if a.target != NOBODY and not a.numeric:
        threat = 6
    if survivors(s.players[side]) == 1:
        threat += LAST_ONE
    if action == actions.TAKE:
        return 3 * (SMALL_ATTACK - threat)
    if action < actions.PLAY:
        return 3 * (SMALL_ATTACK - threat) - 1  # the Reserve takes it upon himself: no better, as a rule
    kind = (action - actions.PLAY) % KINDS if action < actions.PLAY_PLACED else (action - actions.PLAY_PLACED) % KINDS
    if d.card_class[kind] == SPECIAL:
        return -6
    if is_face_down(s):
        return 3 * (int(d.value[kind]) - 2 * GUESS)
    return 1 - int(d.value[kind])


@jit
def score_venture(r, s, side, action):
    """Two Missions as a rule; one with a weak hand. Reserve before Completed, unless there is none."""
    from_reserve, from_completed = divmod(action - actions.VENTURE, 8)
    wanted = 1 if strength(r, s, side) < GOOD_HAND else 2
    p = s.players[side]
    if p.reserve == 0 and p.defeated:
        wanted = 2
    return -4 * abs(from_reserve + from_completed - wanted) + from_reserve


@jit
def score_play(r, s, side, action):
    """The strongest attack first; reactions are not wasted as attacks."""
    d = r.decks[side]
    kind = (action - actions.PLAY) % KINDS if action < actions.PLAY_PLACED else (action - actions.PLAY_PLACED) % KINDS
    worth = 10 * attack_worth(d, kind)
    if d.card_class[kind] == SPECIAL and d.timing[kind] & AS_REACTION:
        worth -= 25
    return worth + (2 if action >= actions.PLAY_PLACED else 0)


@jit
def score_place(r, s, side, action):
    """Specials, Universe cards and big Power cards are worth keeping for later battles; small ones stay in hand."""
    if action == actions.DONE:
        return 0
    d, p = r.decks[side], s.players[side]
    character, kind = divmod(action - actions.PLACE, KINDS)
    worth = attack_worth(d, kind) - 4
    if p.front[character]:
        return worth
    return worth - 3 if int(d.usable[kind]) & front_bits(p) else worth + ONLY_THERE


@jit
def score_user(s, side, character):
    """Let the weakest act who can: the strong ones have more to choose from later. In set-up: rest the weakest."""
    total = 0
    for t in range(TYPES):
        total += int(s.players[side].grid[character, t])
    return -total


@jit
def score(r, s, side, what, action):
    """How good an option is."""
    if action == actions.CONCEDE:
        if what == phases.CONCEDE:
            return 1 if strength(r, s, side) < WEAK_HAND else NEVER
        behind = venture_total(s, 1 - side) - venture_total(s, side)
        return -2 if behind > 25 else NEVER
    if action == actions.FIGHT:
        return 0
    if action == actions.PASS:
        return -1
    if what == phases.TURN or what == phases.FOLLOW or what == phases.EVENT:
        return 0 if action == actions.DONE else score_play(r, s, side, action)
    if what == phases.DEFEND:
        return score_defence(r, s, side, action)
    if what == phases.PLACE:
        return score_place(r, s, side, action)
    if what == phases.VENTURE:
        return score_venture(r, s, side, action)
    if what == phases.TARGET and action >= actions.FOE and action < actions.VENTURE:
        return score_target(r, s, side, action - actions.FOE)
    if action >= actions.OWN and action < actions.FOE:
        return score_user(s, side, action - actions.OWN)
    if what == phases.PARTNER or what == phases.DEFEND_PARTNER:
        return 0 if action == actions.ALONE else (1 if what == phases.PARTNER else -1)
    if what == phases.KEEP:
        return attack_worth(r.decks[side], action - actions.KEEP)
    return action


@kernel(POLICY)
def play_scripted(params, rules, state, legal, n, seed):
    """The option with the best score, ties broken at random; with a freedom, one that scores at most so much less."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    f = top(s)
    what, side = int(f.what), int(f.side)
    start = seed % n
    best, chosen = NEVER - 1, int(legal[start])
    for i in range(n):
        action = int(legal[(start + i) % n])
        points = score(r, s, side, what, action)
        if points > best:
            best, chosen = points, action
    if params[0] <= 0:
        return chosen
    for i in range(n):
        action = int(legal[(start + i) % n])
        points = score(r, s, side, what, action)
        if points > NEVER and points >= best - params[0]:
            return action
    return chosen
