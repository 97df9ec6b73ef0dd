"""What a Special needs to be played, beside somebody who may play it: a condition, a price, something to act on."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, words
from overworlds.envs.overpower.hits import can_be_healed, has_hit, hit_fits, is_moved, on_of, side_of
from overworlds.envs.overpower.icons import FOE, FOE_TEAM, SELF, SPECIAL, TEAM
from overworlds.envs.overpower.piles import DRAW_PILE, IN_HAND, count_in, source_of
from overworlds.envs.overpower.state import HIT_SPECIAL, KINDS, NOBODY, PLACED, TEAM_SIZE
from overworlds.envs.overpower.usage import (
    are_of_one_play,
    can_ever_use,
    card_fits,
    count_bits,
    front_bits,
    types_by_ratings,
)


@jit
def find_op(d, kind, op):
    """The first clause of a card with this operation; NOBODY if it has none."""
    for i in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
        if d.ops[i].op == op:
            return i
    return NOBODY


@jit
def has_object(r, s, side, kind, user):
    """Conditions of the card; effects on the opponent's placed cards need at least one of them."""
    d = r.decks[side]
    for i in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
        o = d.ops[i]
        if o.op == ops.ONLY_IF and not is_given(s, side, user, int(o.marks)):
            return False
        if o.op == ops.COST and not can_pay(r, s, o, side, kind, user):
            return False
        if o.op == ops.NEGATE and not any_to_undo(r, s, o, side, user):
            return False
        if o.op == ops.STEAL and not any_to_steal(r, s, o, side, user):
            return False
        if o.op == ops.PICK and o.marks & words.FALLEN and not any_fallen(s.players[side]):
            return False
        if (o.op == ops.GATHER or o.op == ops.SWAP_RECORD) and not any_recorded(s, o, side):
            return False
    at = int(d.op_at[kind])
    if d.ops[at].op == ops.DECLARE and d.op_n[kind] > 1 and not is_there(r, s, d.ops[at + 1], side, user):
        return False
    if only_removes_placed_cards(d, kind):
        return any_placed(r, s, d.ops[int(d.op_at[kind]) + 1], 1 - side)
    return True


@jit
def is_there(r, s, o, side, user):
    """Is there anything for this clause, as far as it lies open? A search in a Draw Pile may find nothing."""
    p = s.players[side]
    if o.op == ops.FETCH:
        owner = 1 - side if o.scope == FOE else side
        return any_in_pile(r, s, owner, o, source_of(o), user)
    if o.op == ops.MILL:
        enemy = s.players[1 - side]
        return enemy.draw_n > 0 or (o.marks & words.AT_RANDOM == 0 and any_in_pack(enemy))
    if o.op == ops.MISSION and o.marks & words.DEFEATED_TO_RESERVE:
        return p.defeated > 0
    if o.op == ops.HEAL and o.scope == TEAM:
        if o.marks & words.PER_DEFEATED and p.defeated == 0:
            return False
        for i in range(int(s.hits_n)):
            if can_be_healed(s.hits[i], o, side, NOBODY, 0):
                return True
        return False
    return o.op != ops.PICK_HIT or any_hit(s, o, side, user)


@jit
def any_in_pile(r, s, owner, o, pile, user):
    """Is there a card that the clause speaks of in an open pile?"""
    d, p = r.decks[owner], s.players[owner]
    if pile == DRAW_PILE or pile == IN_HAND:
        return True
    for kind in range(int(d.kinds)):
        if card_fits(d, o, kind) and count_in(p, pile, kind, 0):
            if not o.marks & words.FETCH_PLAYABLE or can_ever_use(r, s, owner, user, kind):
                return True
    return False


@jit
def any_in_pack(p):
    """Is there a card in this Power Pack?"""
    for kind in range(KINDS):
        if p.pack[kind]:
            return True
    return False


@jit
def any_hit(s, o, side, user):
    """Is there a hit that the clause lets somebody choose: on the user, or on one Front Line?"""
    hit_side = 1 - side if o.scope == FOE_TEAM else side
    p, current = s.players[hit_side], o.marks & words.CURRENT != 0
    for i in range(int(s.hits_n)):
        on = on_of(s.hits[i])
        stands = on == user if o.scope == SELF else p.alive[on] and p.front[on]
        if stands and hit_fits(s.hits[i], o, hit_side, on, not current, current):
            return True
    return False


@jit
def any_fallen(p):
    """Is a character of this player knocked out?"""
    for i in range(TEAM_SIZE):
        if not p.alive[i]:
            return True
    return False


@jit
def any_recorded(s, o, side):
    """Is there a hit that the clause would move, in a record on the own Front Line?"""
    p = s.players[side]
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        on = on_of(hit)
        if side_of(hit) == side and p.alive[on] and p.front[on] and is_moved(hit, o, side):
            return True
    return False


@jit
def only_removes_placed_cards(d, kind):
    """Does a card do nothing else on the turn? It may avoid attacks besides (DB)."""
    clauses = int(d.op_n[kind]) - (find_op(d, kind, ops.AVOID) != NOBODY)
    return clauses == 2 and find_op(d, kind, ops.DISCARD_PLACED) != NOBODY


@jit
def placed_that_fit(r, s, o, side, on):
    """How many cards placed on a character a clause speaks of."""
    d = r.decks[side]
    p = s.players[side]
    n = 0
    for slot in range(PLACED):
        kind = int(p.placed[on, slot])
        if kind != NOBODY and card_fits(d, o, kind):
            n += 1
    return n


@jit
def any_placed(r, s, o, side):
    """Is there a placed card that the clause speaks of?"""
    for on in range(TEAM_SIZE):
        if placed_that_fit(r, s, o, side, on):
            return True
    return False


@jit
def any_to_steal(r, s, o, side, user):
    """Is there a placed Universe card of the enemy that the user could use?"""
    for on in range(TEAM_SIZE):
        for slot in range(PLACED):
            if can_steal(r, s, o, side, user, int(s.players[1 - side].placed[on, slot])):
                return True
    return False


@jit
def can_steal(r, s, o, side, user, kind):
    """Has the user the ratings for this Universe card of the enemy, and does the clause speak of it?"""
    d = r.decks[1 - side]
    return kind != NOBODY and card_fits(d, o, kind) and types_by_ratings(d, kind, s.players[side], user) != 0


@jit
def is_given(s, side, user, condition):
    """Is the condition of a card met?"""
    mine, his = s.players[side], s.players[1 - side]
    if condition & words.OUTNUMBERED:
        return count_bits(front_bits(mine)) < count_bits(front_bits(his))
    if condition & words.WAS_HIT:
        for by in range(TEAM_SIZE):
            if his.alive[by] and has_hit(s, side, user, by):
                return True
        return False
    for on in range(TEAM_SIZE):
        if his.front[on] and not his.alive[on]:
            return True
    return False


@jit
def can_pay(r, s, o, side, kind, user):
    """Is there another card in hand, usable by the user, that can be discarded as the cost?"""
    d, p = r.decks[side], s.players[side]
    for other in range(int(d.kinds)):
        if pays(r, s, o, side, other, user) and p.hand[other] > (1 if other == kind else 0):
            return True
    return False


@jit
def pays(r, s, o, side, kind, user):
    """Is this card a cost that the clause accepts?"""
    return card_fits(r.decks[side], o, kind) and can_ever_use(r, s, side, user, kind)


@jit
def any_to_undo(r, s, o, side, user):
    """Is there a Special of the enemy, in effect or a hit, that this clause can negate?"""
    for i in range(int(s.effects_n)):
        if can_undo_effect(r, s, i, o, side, user):
            return True
    for i in range(int(s.hits_n)):
        if can_undo_hit(s.hits[i], o, side, user):
            return True
    return False


@jit
def can_undo_effect(r, s, i, o, side, user):
    """Can this lasting effect be negated on the own turn?"""
    d, e = r.decks[1 - side], s.effects[i]
    if e.kind == NOBODY or e.by_side == side or d.card_class[int(e.kind)] != SPECIAL:
        return False
    if o.marks & words.NON_NUMERIC and find_op(d, int(e.kind), ops.ATTACK) != NOBODY:
        return False
    return not o.marks & words.OWN_ONLY or is_all_about(s, i, side, user)


@jit
def is_all_about(s, i, side, who):
    """Is all that the play has left, of which this effect is a part, about this character and nobody else?"""
    for j in range(int(s.effects_n)):
        e = s.effects[j]
        if are_of_one_play(s.effects[i], e) and (e.side != side or e.who != who or e.marks & words.OTHERS):
            return False
    return True


@jit
def can_undo_hit(hit, o, side, user):
    """Can this hit be negated on the own turn?"""
    if side_of(hit) != side or not hit.marks & HIT_SPECIAL or o.marks & words.NON_NUMERIC:
        return False
    return not o.marks & words.OWN_ONLY or on_of(hit) == user
