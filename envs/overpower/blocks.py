"""Power cards against an attack: what blocks it, alone or together with a Special that helps in the defence.

Some Specials are played together with a defence: they raise its value (AM, BB, DL, EQ) or a rating (AY), or let Power
cards avoid (HG). Such a card stops nothing by itself: it is offered only if a Power card that uses it can follow, and
then one has to. `Attack.helped` is its kind + 1 until that has been done.
"""

from overworlds.envs.core.bits import lowest, without_lowest
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, words
from overworlds.envs.overpower.concealment import is_face_down
from overworlds.envs.overpower.conditions import find_op
from overworlds.envs.overpower.hits import has_hit
from overworlds.envs.overpower.icons import ANY, DEFENCE, POWER, SELF, SELF_OR_MATE, TEAM, TYPES, UNIVERSE_SORT
from overworlds.envs.overpower.piles import hand_bits, placed_bits
from overworlds.envs.overpower.plays import counts_as_power, values_of
from overworlds.envs.overpower.state import NOBODY, OTHERS, PLACED
from overworlds.envs.overpower.usage import (
    bonus_types,
    concerns,
    fits,
    is_in_play,
    is_multi,
    is_out_of_reach,
    modifier,
    note_in_play,
    power_types,
    universe_bonus,
)

MOST_VALUE = 8
"""Of a Power card (rule 3)."""
SPENT = -1
"""Instead of a card that helps: it has been used, and no other comes with this attack."""


@jit
def can_be_blocked(r, s):
    """Can Power cards answer this attack at all?"""
    a = s.attack
    if a.target == NOBODY or not a.numeric or a.need & words.ONLY_SPECIALS:
        return False
    if is_face_down(s):
        return True  # nobody knows better
    if is_in_play(s, ops.UNBLOCKABLE):
        for i in range(int(s.effects_n)):
            e = s.effects[i]
            if e.op == ops.UNBLOCKABLE and concerns(e, int(a.side), int(a.user)):
                if speaks_of_power_card(r, s, e):
                    return False
    return not is_beyond_defence(r, s)


@jit
def speaks_of_power_card(r, s, e):
    """Is the effect about a Power card of the attack, whatever is added to it or summed with it?"""
    a = s.attack
    values = 0 if a.parts else values_of(r.decks[int(a.side)], int(a.kind), int(a.partner), a.others)
    for value in range(1, MOST_VALUE + 1):
        if values >> value & 1 and fits(e, int(a.classes), int(a.types), int(a.icons), value, 1, 0):
            return True
    return False


@jit
def is_beyond_defence(r, s):
    """May the attacked character not defend against such attacks at all?"""
    a = s.attack
    if a.target == NOBODY or is_face_down(s) or not is_in_play(s, ops.NO_DEFENCE):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.NO_DEFENCE and concerns(e, 1 - int(a.side), int(a.target)):
            if speaks_of_power_card(r, s, e):
                return True
    return False


@jit
def may_defend_with(d, a, kind):
    """Restrictions of the attack apply to every card of the defence."""
    icons = int(d.icons[kind])
    at = find_op(d, kind, ops.AS_POWER)
    if at != NOBODY and d.ops[at].hit_types:
        icons = int(d.ops[at].hit_types)
    if a.need & words.ONLY_EQUAL and (d.card_class[kind] != POWER or d.value[kind] != a.hit_value):
        return False
    if a.barred and icons & int(a.barred):
        return False
    return not a.need & words.ONLY_ICONS or icons & int(a.need_icons) != 0


@jit
def block_value(r, s, kind, partner, help):
    """What the attacked character's Power card, with this Universe card or none, defends; -1 if it may not.

    ``help`` is a Special that would be played with it, or NOBODY.
    """
    a = s.attack
    side, character = 1 - int(a.side), int(a.target)
    d = r.decks[side]
    types = power_types(r, s, side, character, kind, DEFENCE)
    if types == 0 or not may_defend_with(d, a, kind):
        return -1
    value = int(d.value[kind])
    if partner == NOBODY:
        if a.need & words.ONLY_WITH_UNIVERSE:
            return -1
    else:
        types &= bonus_types(r, s, side, character, partner, DEFENCE)
        if types == 0 or d.card_class[kind] != POWER or not may_defend_with(d, a, partner):
            return -1
        value += universe_bonus(r, s, side, character, partner)
    return max(value + best_modifier(r, s, side, character, kind, types, help), 0)


@jit
def best_modifier(r, s, side, character, kind, types, help):
    """What effects and a Special add to a defence with this card, as the type that is best for it (rule 4)."""
    d = r.decks[side]
    classes, icons, value, enemy = int(d.card_class[kind]), int(d.icons[kind]), int(d.value[kind]), int(s.attack.user)
    multi = is_multi(d, kind)
    best = -128
    while types:
        one = types & -types
        types ^= one
        more = modifier(r, s, side, character, DEFENCE, classes, one, icons, value, multi, enemy)
        best = max(best, more + modifier_to_come(d, help, classes, one, icons, value, multi))
    return best


@jit
def modifier_to_come(d, help, classes, types, icons, value, multi):
    """What a Special that would be played with it adds to a defence."""
    total = 0
    if help != NOBODY:
        for i in range(int(d.op_at[help]), int(d.op_at[help]) + int(d.op_n[help])):
            o = d.ops[i]
            if o.op == ops.MODIFY and o.stat & DEFENCE and fits(o, classes, types, icons, value, 1, multi):
                total += int(o.amount)
    return total


@jit
def blocks(r, s, kind, partner, help):
    """Is that enough, at least for a part of the attack, and does it use the Special that helps, if there is one?"""
    if block_value(r, s, kind, partner, help) < value_to_reach(r, s):
        return False
    wanted = help if help != NOBODY else int(s.attack.helped) - 1
    return wanted < 0 or is_used(r, s, wanted, kind, partner)


@jit
def value_to_reach(r, s):
    """What a block has to reach: the attack's value, or that of its smallest part."""
    a = s.attack
    least = int(a.value)
    if a.parts:
        d = r.decks[int(a.side)]
        if a.partner != NOBODY:
            least = min(least, int(d.value[int(a.partner)]))
        for i in range(OTHERS):
            if a.others[i] != NOBODY:
                least = min(least, int(d.value[int(a.others[i])]))
    return least


@jit
def can_block(r, s, kind, help):
    """Can the attacked character block with this card, alone or with another, and with the help of a Special if any?"""
    a = s.attack
    side = 1 - int(a.side)
    d = r.decks[side]
    if not counts_as_power(d, kind) or not can_be_blocked(r, s):
        return False
    if blocks(r, s, kind, NOBODY, help):
        return True
    p = s.players[side]
    kinds = hand_bits(p) & int(d.of_sort[UNIVERSE_SORT])
    while kinds:
        partner = lowest(kinds)
        kinds = without_lowest(kinds)
        if blocks(r, s, kind, partner, help):
            if not is_out_of_reach(s, side, int(d.card_class[partner]), False):
                return True
    for slot in range(PLACED):
        partner = int(p.placed[int(a.target), slot])
        if partner != NOBODY and blocks(r, s, kind, partner, help):
            if not is_out_of_reach(s, side, int(d.card_class[partner]), True):
                return True
    return False


@jit
def power_stops(r, s, side, user, kind):
    """Does an effect let this character stop the attack with this Power card, though it is not its own block?"""
    if not is_in_play(s, ops.POWER_DEFENDS):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op != ops.POWER_DEFENDS or not concerns(e, side, user):
            continue
        if e.marks & words.AVOIDS and e.who == NOBODY and user != s.attack.target:
            continue
        if stops_by(r, s, e, side, user, kind):
            return True
    return False


@jit
def stops_by(r, s, o, side, user, kind):
    """Does this effect, or clause, let this character stop the attack with this Power card?"""
    d, p, a = r.decks[side], s.players[side], s.attack
    if d.card_class[kind] != POWER or a.target == NOBODY or not p.alive[user] or not may_defend_with(d, a, kind):
        return False
    if a.need & words.ONLY_SPECIALS:
        return False
    types, icons, value = power_types(r, s, side, user, kind, DEFENCE), int(d.icons[kind]), int(d.value[kind])
    if types == 0 or not fits(o, POWER, types, icons, value, 1, 0):
        return False
    if o.marks & words.AVOIDS:
        return (p.front[user] == 1 or user == a.target) and (a.numeric != 0 or not o.numeric)
    if p.front[user] or not can_be_blocked(r, s):
        return False
    return value + best_modifier(r, s, side, user, kind, types, NOBODY) >= a.value


# ---------------------------------------------------------------- Specials that help in a defence


@jit
def is_help(o):
    """Does this clause answer as part of a defence, without stopping the attack by itself?"""
    if o.op == ops.MODIFY:
        return o.marks & words.REACT != 0
    return (o.op == ops.GRID or o.op == ops.POWER_DEFENDS) and o.marks & words.HELPS != 0


@jit
def clause_of_help(d, kind):
    """The clause of this card that helps in a defence; NOBODY if none does."""
    for i in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
        if is_help(d.ops[i]):
            return i
    return NOBODY


@jit
def helps(s, p, o, user):
    """Does this clause, played by this character, concern the defence against the attack? One such card an attack."""
    a = s.attack
    target = int(a.target)
    if a.helped:
        return False
    if o.op == ops.POWER_DEFENDS:
        return p.front[user] == 1
    if o.marks & words.TO_TARGET and not has_hit(s, 1 - int(a.side), user, int(a.user)):
        return False
    if not a.numeric:
        return False
    if target == user:
        return o.scope == SELF or o.scope == SELF_OR_MATE or o.scope == TEAM
    return o.scope != SELF and p.front[target] == 1


@jit
def is_used(r, s, help, kind, partner):
    """Is this block one for which the Special makes a difference: of its type, or of a rating that it raises?"""
    side, character = 1 - int(s.attack.side), int(s.attack.target)
    d = r.decks[side]
    o = d.ops[clause_of_help(d, help)]
    icons = int(d.icons[kind])
    if o.op == ops.GRID:
        rated = icons if d.card_class[kind] == POWER else 0
        if partner != NOBODY:
            rated |= int(d.icons[partner])
        return rated & (int(o.types) | ANY) != 0
    if o.op == ops.MODIFY:
        types = power_types(r, s, side, character, kind, DEFENCE)
        if partner != NOBODY:
            types &= bonus_types(r, s, side, character, partner, DEFENCE)
        return fits(o, int(d.card_class[kind]), types, icons, int(d.value[kind]), 1, is_multi(d, kind))
    return False


@jit
def can_follow(r, s, side, user, help, at):
    """Could a Power card follow that uses this Special, played by this character for this clause?"""
    d, p = r.decks[side], s.players[side]
    o = d.ops[at]
    if o.op == ops.POWER_DEFENDS:
        return any_that_avoids(r, s, o, side, user)
    if o.op != ops.GRID:
        return any_block(r, s, side, help)
    in_play, found = int(s.in_play), False
    for t in range(TYPES):
        if o.types >> t & 1:  # as if he were rated so
            rating, p.grid[user, t] = int(p.grid[user, t]), o.amount
            note_in_play(s, ops.GRID)
            found = found or any_block(r, s, side, help)
            p.grid[user, t], s.in_play = rating, in_play
    return found


@jit
def any_block(r, s, side, help):
    """Has this side a card with which the attacked character can block, with the help of this Special?"""
    d, p = r.decks[side], s.players[side]
    target = int(s.attack.target)
    for placed in range(2):
        kinds = placed_bits(p, target) if placed else hand_bits(p)
        while kinds:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            if not is_out_of_reach(s, side, int(d.card_class[kind]), placed == 1) and can_block(r, s, kind, help):
                return True
    return False


@jit
def any_that_avoids(r, s, o, side, user):
    """Has this character a Power card that stops the attack by this clause?"""
    p = s.players[side]
    for placed in range(2):
        kinds = placed_bits(p, user) if placed else hand_bits(p)
        while kinds:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            if not is_out_of_reach(s, side, POWER, placed == 1) and stops_by(r, s, o, side, user, kind):
                return True
    return False


@jit
def stops_with_help(r, s, side, user, kind):
    """Is this the Power card that has to follow a Special by which such cards avoid?"""
    d = r.decks[side]
    o = d.ops[clause_of_help(d, int(s.attack.helped) - 1)]
    return o.op == ops.POWER_DEFENDS and stops_by(r, s, o, side, user, kind) and power_stops(r, s, side, user, kind)
