"""The choices of the pending decision, as action ids in ascending order."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import actions, phases
from overworlds.envs.overpower.battle import first_duplicate, free_slot, most_to_completed, placed_duplicate
from overworlds.envs.overpower.defence import blocks, can_block, defenders
from overworlds.envs.overpower.frames import below_top, top
from overworlds.envs.overpower.hits import hit_fits
from overworlds.envs.overpower.icons import EVENT, TYPES
from overworlds.envs.overpower.plays import (
    can_play_by,
    card_fits,
    declarable_types,
    is_allowed,
    is_attack,
    partner_works,
    play_targets,
)
from overworlds.envs.overpower.state import HAND, KINDS, NOBODY, PLACED, TEAM_SIZE
from overworlds.envs.overpower.usage import can_ever_use, team_can_use
from overworlds.envs.overpower.words import CURRENT, EVERYWHERE

FETCH_PACK, FETCH_KEEP, FETCH_USABLE, FETCH_OWN = 1, 2, 4, 8


@jit
def put(out, n, action):
    """Write one id if there is room, and count it."""
    if n < len(out):
        out[n] = action
    return n + 1


@jit
def next_placed(p, character, kind):
    """The next kind after this one that is placed on a character; KINDS if there is none."""
    found = KINDS
    for slot in range(PLACED):
        other = int(p.placed[character, slot])
        if other > kind and other < found:
            found = other
    return found


@jit
def options(r, s, out):
    """Write the ids that the top frame allows; their number."""
    f = top(s)
    what, side = int(f.what), int(f.side)
    if what == phases.TURN:
        n = put(out, put(out, 0, actions.PASS), actions.CONCEDE)
        return n if s.players[side].passed else plays(r, s, f, out, n)
    if what == phases.FOLLOW:
        n = plays(r, s, f, out, 0)
        if f.marks & phases.MUST or n == 0:
            return n
        return plays(r, s, f, out, put(out, 0, actions.DONE))
    if what == phases.DEFEND:
        return defences(r, s, side, out)
    if what >= phases.USER and what <= phases.TARGET:
        return draft(r, s, f, what, side, out)
    if what == phases.DEFENDER or what == phases.DEFEND_PARTNER or what == phases.SHIFT:
        return defence_details(r, s, f, what, side, out)
    if what >= phases.PICK_PLACED:
        return effect_choices(r, s, f, what, side, out)
    return preparation(r, s, f, what, side, out)


@jit
def plays(r, s, f, out, n):
    """Cards of the hand, then placed cards, that can be played under this frame."""
    side = int(f.side)
    d, p = r.decks[side], s.players[side]
    for kind in range(int(d.kinds)):
        if p.hand[kind] and is_allowed(r, s, side, f, kind):
            for user in range(TEAM_SIZE):
                if can_play_by(r, s, side, f, kind, user):
                    n = put(out, n, actions.PLAY + kind)
                    break
    for user in range(TEAM_SIZE):
        kind = next_placed(p, user, NOBODY)
        while kind < KINDS:
            if is_allowed(r, s, side, f, kind) and can_play_by(r, s, side, f, kind, user):
                n = put(out, n, actions.PLAY_PLACED + KINDS * user + kind)
            kind = next_placed(p, user, kind)
    return n


@jit
def draft(r, s, f, what, side, out):
    """The open question of a play: by whom, with what, as which type, at whom."""
    d, p, play = r.decks[side], s.players[side], s.play
    permit = below_top(s)
    kind, user, partner = int(play.kind), int(play.user), int(play.partner)
    n = 0
    if what == phases.USER:
        for character in range(TEAM_SIZE):
            if can_play_by(r, s, side, permit, kind, character):
                n = put(out, n, actions.OWN + character)
    elif what == phases.PARTNER:
        if declarable_types(r, s, side, permit, kind, user, NOBODY):
            n = put(out, n, actions.ALONE)
        for other in range(int(d.kinds)):
            if p.hand[other] and partner_works(r, s, side, permit, kind, user, other, HAND):
                n = put(out, n, actions.PLAY + other)
        other = next_placed(p, user, NOBODY)
        while other < KINDS:
            if partner_works(r, s, side, permit, kind, user, other, user):
                n = put(out, n, actions.PLAY_PLACED + KINDS * user + other)
            other = next_placed(p, user, other)
    elif what == phases.TYPE:
        types = declarable_types(r, s, side, permit, kind, user, partner)
        for t in range(TYPES + 1):
            if types >> t & 1:
                n = put(out, n, actions.TYPE + t)
    else:
        found = play_targets(r, s, side, permit, kind, user, partner, int(play.type))
        base = actions.FOE if is_attack(d, kind) else actions.OWN
        for character in range(TEAM_SIZE):
            if found >> character & 1:
                n = put(out, n, base + character)
    return n


@jit
def defences(r, s, side, out):
    """Take it, or answer with a card of the hand or a placed one."""
    d, p = r.decks[side], s.players[side]
    target = int(s.attack.target)
    n = put(out, 0, actions.TAKE)
    for kind in range(int(d.kinds)):
        if p.hand[kind]:
            if can_block(r, s, kind) or defenders(r, s, side, kind, HAND):
                n = put(out, n, actions.PLAY + kind)
    for user in range(TEAM_SIZE):
        kind = next_placed(p, user, NOBODY)
        while kind < KINDS:
            if (user == target and can_block(r, s, kind)) or defenders(r, s, side, kind, user):
                n = put(out, n, actions.PLAY_PLACED + KINDS * user + kind)
            kind = next_placed(p, user, kind)
    return n


@jit
def defence_details(r, s, f, what, side, out):
    """Who plays the defence, with which Universe card, or to whom the attack is shifted."""
    d, p, play = r.decks[side], s.players[side], s.play
    kind, place = int(play.kind), int(play.place)
    n = 0
    if what == phases.DEFEND_PARTNER:
        target = int(s.attack.target)
        if blocks(r, s, kind, NOBODY):
            n = put(out, n, actions.ALONE)
        for other in range(int(d.kinds)):
            if p.hand[other] and blocks(r, s, kind, other):
                n = put(out, n, actions.PLAY + other)
        other = next_placed(p, target, NOBODY)
        while other < KINDS:
            if blocks(r, s, kind, other):
                n = put(out, n, actions.PLAY_PLACED + KINDS * target + other)
            other = next_placed(p, target, other)
        return n
    found = int(f.users) if what == phases.SHIFT else defenders(r, s, side, kind, place)
    for character in range(TEAM_SIZE):
        if found >> character & 1:
            n = put(out, n, actions.OWN + character)
    return n


@jit
def preparation(r, s, f, what, side, out):
    """Decisions before the first turn."""
    d, p = r.decks[side], s.players[side]
    n = 0
    if what == phases.RESERVE:
        for character in range(TEAM_SIZE):
            n = put(out, n, actions.OWN + character)
    elif what == phases.EVENT:
        for kind in range(int(d.kinds)):
            if p.hand[kind] and d.card_class[kind] == EVENT:
                n = put(out, n, actions.PLAY + kind)
    elif what == phases.KEEP:
        kind = first_duplicate(r, s, side)
        if kind == NOBODY:
            return 0
        if placed_duplicate(d, p, kind):
            return put(out, n, actions.KEEP + kind)  # it goes: the placed one is kept
        for other in range(int(d.kinds)):
            if p.hand[other] and d.same[other] == d.same[kind]:
                n = put(out, n, actions.KEEP + other)
    elif what == phases.PLACE:
        n = put(out, n, actions.DONE)
        for character in range(TEAM_SIZE):
            for kind in range(int(d.kinds)):
                if p.hand[kind] and may_place(r, s, side, character, kind):
                    n = put(out, n, actions.PLACE + KINDS * character + kind)
    elif what == phases.VENTURE:
        for from_reserve in range(int(p.reserve) + 1):
            for from_completed in range(int(p.completed) + 1):
                if from_reserve + from_completed or p.reserve + p.completed == 0:
                    n = put(out, n, actions.VENTURE + 8 * from_reserve + from_completed)
    else:
        n = put(out, put(out, n, actions.CONCEDE), actions.FIGHT)
    return n


@jit
def may_place(r, s, side, character, kind):
    """Only cards that the character can use; any-character Specials are never placed."""
    d = r.decks[side]
    if d.any_hero[kind] or not can_ever_use(r, s, side, character, kind):
        return False
    return free_slot(s, d, side, character, kind) != NOBODY


@jit
def effect_choices(r, s, f, what, side, out):
    """Choices that a card's program asks for, and the ladder."""
    d, p = r.decks[side], s.players[side]
    o = d.ops[int(f.at)]
    n = 0
    if what == phases.PICK_PLACED:
        enemy = s.players[1 - side]
        for character in range(TEAM_SIZE):
            if f.target != NOBODY and character != f.target:
                continue
            kind = next_placed(enemy, character, NOBODY)
            while kind < KINDS:
                if card_fits(r.decks[1 - side], o, kind):
                    n = put(out, n, actions.TAKE_PLACED + KINDS * character + kind)
                kind = next_placed(enemy, character, kind)
    elif what == phases.PICK_DISCARD:
        for kind in range(int(d.kinds)):
            if p.hand[kind] and int(f.classes) & int(d.card_class[kind]):
                n = put(out, n, actions.DISCARD + kind)
    elif what == phases.HEAL:
        n = hits_to_heal(r, s, f, o, side, out)
    elif what == phases.FETCH:
        n = cards_to_fetch(r, s, f, o, side, out)
    elif what == phases.CHOOSE_TYPE:
        for t in range(TYPES):
            n = put(out, n, actions.TYPE + t)
    elif what == phases.LADDER:
        for number in range(most_to_completed(r, p, int(f.left)) + 1):
            n = put(out, n, actions.NUMBER + number)
    return n


@jit
def hits_to_heal(r, s, f, o, side, out):
    """Kinds of hits on the character that may be removed."""
    record = o.marks & CURRENT == 0
    current = o.marks & (CURRENT | EVERYWHERE) != 0
    on = int(f.target)
    n = 0
    for kind in range(int(r.decks[1 - side].kinds)):
        for i in range(int(s.hits_n)):
            if s.hits[i].kind == kind and hit_fits(s.hits[i], o, side, on, record, current):
                n = put(out, n, actions.HEAL + KINDS * on + kind)
                break
    return n


@jit
def cards_to_fetch(r, s, f, o, side, out):
    """Kinds in the Draw Pile that the effect allows to be taken into the hand."""
    d, p = r.decks[side], s.players[side]
    n = 0
    for kind in range(int(d.kinds)):
        if not card_fits(d, o, kind) or (o.marks & FETCH_OWN and not int(d.owners[kind]) >> int(f.user) & 1):
            continue
        if o.marks & FETCH_USABLE and not team_can_use(r, s, side, kind):
            continue
        if p.hand[kind] and not o.marks & FETCH_KEEP:
            continue
        for i in range(int(p.draw_n)):
            if p.draw[i] == kind:
                n = put(out, n, actions.FETCH + kind)
                break
    return n
