"""What can be played, by whom, with what, as which type and at whom."""

from overworlds.envs.core.bits import lowest, without_lowest
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, phases, words
from overworlds.envs.overpower.conditions import find_op, has_object, only_removes_placed_cards, placed_that_fit
from overworlds.envs.overpower.frames import ask_follow_up, pop, teamwork_of
from overworlds.envs.overpower.hits import has_power_hit, hits_that_fit
from overworlds.envs.overpower.icons import (
    ATTACK,
    BASIC,
    FOUR,
    POWER,
    SPECIAL,
    TEAM,
    TEAMWORK,
    TRAINING,
)
from overworlds.envs.overpower.piles import hand_bits, is_placed, placed_bits
from overworlds.envs.overpower.roster import reserve_of
from overworlds.envs.overpower.sight import rule_out
from overworlds.envs.overpower.state import (
    AIM_ENEMY,
    AIM_ENEMY_OR_RESERVE,
    AIM_FALLEN,
    AIM_FRONT,
    AIM_FRONT_MATE,
    AIM_NOBODY,
    DEPTH,
    EFFECTS,
    HAND,
    KINDS,
    NOBODY,
    ON_TURN,
    PLACED,
    ROOM,
    TEAM_SIZE,
    UNTYPED,
    WHEN_A_MATE_FALLS,
    WHEN_CONCEDED,
    WHEN_CONCEDING,
    WITH_A_POWER_CARD,
)
from overworlds.envs.overpower.usage import (
    alive_bits,
    bonus_types,
    can_ever_use,
    can_use,
    concerns,
    fits,
    front_bits,
    has_effect,
    is_anybodys,
    is_forbidden,
    is_in_play,
    is_multi,
    is_out_of_reach,
    needs_follow_up,
    power_types,
    reserve_may_play,
    types_not_forbidden,
)

BARS_ATTACKS = ops.set_of_lasting(ops.NO_ATTACK_ON, ops.ONLY_ATTACK_ON, ops.NO_ATTACK_PAIR, ops.FOCUS)
"""Effects that keep attacks from some of the enemy's characters."""
CHANGES_TARGETS = BARS_ATTACKS | ops.set_of_lasting(ops.NO_ATTACK, ops.REACH_RESERVE)
"""Without effects like these, everybody in the enemy's Front Line may be attacked, and nobody else."""


@jit
def counts_as_power(d, kind):
    """A Power card, or a Special that counts as one."""
    if d.card_class[kind] == POWER:
        return True
    return d.card_class[kind] == SPECIAL and find_op(d, kind, ops.AS_POWER) != NOBODY


@jit
def is_attack(d, kind):
    """Does playing this attack an enemy character, or the enemy team (rule 48)?"""
    if d.card_class[kind] != SPECIAL:
        return True
    aims = d.aims_at[kind]
    return aims == AIM_ENEMY or aims == AIM_ENEMY_OR_RESERVE or counts_as_power(d, kind)


@jit
def targets(s, side, user, classes, types, icons, value, numeric, multi, reach):
    """The enemy characters that may be attacked so, as bits."""
    if not int(s.in_play) & CHANGES_TARGETS:
        return alive_bits(s.players[1 - side]) if reach else front_bits(s.players[1 - side])
    if has_effect(s, ops.NO_ATTACK, side, user):
        return 0
    enemy = s.players[1 - side]
    if not reach and is_in_play(s, ops.REACH_RESERVE):
        for i in range(int(s.effects_n)):
            e = s.effects[i]
            if e.op == ops.REACH_RESERVE and concerns(e, side, user):
                reach = fits(e, classes, types, icons, value, numeric, multi)
    found = 0
    for on in range(TEAM_SIZE):
        if enemy.alive[on] and (enemy.front[on] or reach):
            if may_be_attacked(s, side, user, on, classes, types, icons, value, numeric, multi):
                found |= 1 << on
    return found


@jit
def may_be_attacked(s, side, user, on, classes, types, icons, value, numeric, multi):
    """Do all effects in play let this attack through to this character?"""
    if not int(s.in_play) & BARS_ATTACKS:
        return True
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.NO_ATTACK_ON and concerns(e, 1 - side, on):
            if not e.marks & words.RECORDED and fits(e, classes, types, icons, value, numeric, multi):
                return False
        elif e.op == ops.ONLY_ATTACK_ON and concerns(e, 1 - side, on):
            if not fits(e, classes, types, icons, value, numeric, multi):
                return False
        elif e.op == ops.NO_ATTACK_PAIR and concerns(e, side, user):
            if e.by == on and e.by_side != side:
                return False
        elif e.op == ops.FOCUS and e.side == side and e.number != NOBODY and e.number != on:
            if s.players[1 - side].alive[int(e.number)] and fits(e, classes, types, icons, value, numeric, multi):
                return False
    return True


@jit
def values_of(d, kind, partner, others):
    """The values of the Power cards among the cards of an attack, as bits."""
    values = 0
    if kind != NOBODY and d.card_class[kind] == POWER:
        values |= 1 << int(d.value[kind])
    if partner != NOBODY and d.card_class[partner] == POWER:
        values |= 1 << int(d.value[partner])
    for i in range(len(others)):
        if others[i] != NOBODY and d.card_class[int(others[i]) % KINDS] == POWER:
            values |= 1 << int(d.value[int(others[i]) % KINDS])
    return values


@jit
def kept_off(s, side, values):
    """The enemy characters who may not be attacked with Power cards of one of these values, since they are in their
    record (DT), as bits."""
    found = 0
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op != ops.NO_ATTACK_ON or not e.marks & words.RECORDED:
            continue
        for on in range(TEAM_SIZE):
            if concerns(e, 1 - side, on) and has_power_hit(s, 1 - side, on, values):
                found |= 1 << on
    return found


@jit
def play_targets(r, s, side, f, kind, user, partner, declared):
    """Whom a play, complete but for its target, may be aimed at, as bits of enemy or own characters."""
    d = r.decks[side]
    card_class = int(d.card_class[kind])
    if card_class == SPECIAL and d.aims_at[kind] == AIM_FALLEN:
        return 1 << int(f.target) if f.marks & phases.MATE_FELL else 0
    if card_class == SPECIAL and not is_attack(d, kind):
        return own_targets(r, s, side, kind, user)
    classes, icons, multi = card_class, int(d.printed[kind]), is_multi(d, kind)
    led_by = teamwork_of(f)
    if led_by != NOBODY:  # it belongs to that attack
        classes, icons = classes | TEAMWORK, icons | int(d.printed[led_by])
    numeric = declared != UNTYPED
    types = declared
    if partner != NOBODY:
        classes |= int(d.card_class[partner])
        icons |= int(d.printed[partner])
        if d.card_class[partner] == POWER:
            types |= int(d.icons[partner])
    reach = card_class == SPECIAL and d.aims_at[kind] == AIM_ENEMY_OR_RESERVE
    found = targets(s, side, user, classes, types, icons, int(d.value[kind]), numeric, multi, reach)
    if is_in_play(s, ops.NO_ATTACK_ON):
        found &= ~kept_off(s, side, values_of(d, kind, partner, s.attack.others))
    if card_class == SPECIAL and not numeric:
        found &= worthwhile_targets(r, s, side, kind, user)
    return found & int(f.targets)


@jit
def own_targets(r, s, side, kind, user):
    """Own characters that a Special can be about; the user stands for nobody in particular."""
    d = r.decks[side]
    p = s.players[side]
    aims = d.aims_at[kind]
    found = 0
    for on in range(TEAM_SIZE):
        if not p.alive[on]:
            continue
        if (aims == AIM_FRONT or aims == AIM_FRONT_MATE) and not p.front[on] and on != user:
            continue
        if aims == AIM_FRONT or (on == user) == (aims == AIM_NOBODY):
            found |= 1 << on
    at = find_op(d, kind, ops.HEAL)
    if at == NOBODY or find_op(d, kind, ops.ON_HIT) != NOBODY or d.ops[at].scope == TEAM:
        return found
    if find_op(d, kind, ops.SWITCH) != NOBODY and p.front[user] and reserve_of(s, side) != NOBODY:
        return found  # who changes places with the Reserve needs no hits
    o = d.ops[at]
    current, record = o.marks & (words.CURRENT | words.EVERYWHERE) != 0, o.marks & words.CURRENT == 0
    for on in range(TEAM_SIZE):
        if found >> on & 1 and hits_that_fit(s, o, side, on, record, current) == 0:
            found &= ~(1 << on)
    return found


@jit
def worthwhile_targets(r, s, side, kind, user):
    """An effect that removes placed cards needs somebody who has some; the others need nothing."""
    d = r.decks[side]
    if not only_removes_placed_cards(d, kind):
        return FOUR
    found, at = 0, find_op(d, kind, ops.DISCARD_PLACED)
    for on in range(TEAM_SIZE):
        if placed_that_fit(r, s, d.ops[at], 1 - side, on):
            found |= 1 << on
    return found


@jit
def declarable_types(r, s, side, f, kind, user, partner):
    """The types as which this attack could be made by this user, with this second card or none, as bits.

    A Special without a number is UNTYPED. 0: it cannot be played so.
    """
    d = r.decks[side]
    card_class = int(d.card_class[kind])
    if partner == NOBODY and f.marks & phases.DOUBLED:
        return 0
    if partner != NOBODY and f.marks & phases.NO_UNIVERSE and d.card_class[partner] & (BASIC | TRAINING):
        return 0
    if teamwork_of(f) != NOBODY and is_forbidden(s, d, side, user, ATTACK, teamwork_of(f), 0):
        return 0
    if counts_as_power(d, kind):
        types = power_types(r, s, side, user, kind, ATTACK)
        if f.marks & phases.ANYHOW:
            types = types_not_forbidden(s, d, side, user, kind, ATTACK, int(d.icons[kind]))
        if partner != NOBODY:
            types &= partner_types(r, s, side, f, kind, user, partner)
    elif not may_attack_with(r, s, side, f, kind, user):
        return 0
    elif card_class == SPECIAL:
        types = int(d.icons[kind]) or UNTYPED
        if partner == NOBODY and combines_parts(d, kind):
            return 0
        if partner != NOBODY:
            types = combined_types(r, s, side, kind, user, partner, types)
    else:
        types = int(d.icons[kind])
    found = 0
    while types:
        one = types & -types
        types ^= one
        if f.types and not f.types & one:
            if partner == NOBODY or d.card_class[partner] != POWER or not f.types & d.icons[partner]:
                continue
        if play_targets(r, s, side, f, kind, user, partner, one):
            found |= one
    return found


@jit
def may_attack_with(r, s, side, f, kind, user):
    """May this user play this card now: one that he can use, or any where the frame says so?"""
    d = r.decks[side]
    if f.marks & phases.ANYHOW:
        return not is_forbidden(s, d, side, user, ATTACK, kind, int(d.icons[kind]))
    return can_use(r, s, side, user, kind, ATTACK)


@jit
def partner_types(r, s, side, f, kind, user, partner):
    """As which types a Power card could be accompanied by this card."""
    d = r.decks[side]
    if d.card_class[kind] != POWER:
        return 0
    if d.card_class[partner] == POWER:
        return 0 if f.marks & phases.TEAMWORK else summed_types(r, s, side, kind, user, partner)
    partner_class = int(d.card_class[partner])
    if partner_class & int(f.classes) == 0:
        return 0
    if partner_class == BASIC or partner_class == TRAINING:
        return bonus_types(r, s, side, user, partner, ATTACK)
    if partner_class == SPECIAL and d.timing[partner] & WITH_A_POWER_CARD:
        at = find_op(d, partner, ops.WITH_POWER)
        pure = int(d.icons[kind])
        if can_use(r, s, side, user, partner, ATTACK) and not is_multi(d, kind) and int(d.ops[at].types) & pure:
            return pure
    return 0


@jit
def summed_types(r, s, side, kind, user, partner):
    """As which type a Power card could be summed with a second one, where an effect allows it; never MultiPower."""
    d = r.decks[side]
    one, other = int(d.icons[kind]), int(d.icons[partner])
    if is_multi(d, kind) or is_multi(d, partner) or power_types(r, s, side, user, partner, ATTACK) == 0:
        return 0
    if not is_in_play(s, ops.COMBINE_POWERS):
        return 0
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.COMBINE_POWERS and concerns(e, side, user) and e.types & one and e.icons & other:
            return one
    return 0


@jit
def combined_types(r, s, side, kind, user, partner, types):
    """As which of its types this Special could be played with this Power or Universe card.

    A Power card must be of exactly the stated type, never MultiPower (rule 79).
    """
    d = r.decks[side]
    at = find_op(d, kind, ops.COMBINE)
    if at == NOBODY:
        return 0
    if d.ops[at].classes:
        return types & bonus_types(r, s, side, user, partner, ATTACK) & FOUR
    if not is_part(r, s, side, d.ops[at], user, partner):
        return 0
    if not is_multi(d, partner) and int(d.ops[at].types) & int(d.icons[partner]):
        return types
    return 0


@jit
def is_part(r, s, side, o, user, kind):
    """Is this a Power card that the user may attack with, of a value with which the clause combines?"""
    d = r.decks[side]
    value = int(d.value[kind])
    if d.card_class[kind] != POWER or (o.hi and (value < o.lo or value > o.hi)):
        return False
    return power_types(r, s, side, user, kind, ATTACK) != 0


@jit
def combines_parts(d, kind):
    """Is this a Special that attacks with several Power cards?"""
    if d.card_class[kind] != SPECIAL:
        return False
    at = find_op(d, kind, ops.COMBINE)
    return at != NOBODY and d.ops[at].marks & words.PARTS != 0


@jit
def partner_works(r, s, side, f, kind, user, partner, place):
    """Can this card, in hand or placed on the user, go along with the first?"""
    p = s.players[side]
    if place == HAND:
        if p.hand[partner] == 0:
            return False
    elif place != user or not is_placed(p, user, partner):
        return False
    if is_out_of_reach(s, side, int(r.decks[side].card_class[partner]), place != HAND):
        return False
    if not p.front[user] and not reserve_may_play(r, s, side, user, partner):
        return False
    return declarable_types(r, s, side, f, kind, user, partner) != 0


@jit
def may_have_partner(d, kind):
    """Power cards, and Specials that combine with one."""
    return d.card_class[kind] == POWER or (d.card_class[kind] == SPECIAL and find_op(d, kind, ops.COMBINE) != NOBODY)


@jit
def any_partner(r, s, side, f, kind, user):
    """Is there a second card with which this could be played?"""
    p = s.players[side]
    kinds = hand_bits(p)
    while kinds:
        partner = lowest(kinds)
        kinds = without_lowest(kinds)
        if partner_works(r, s, side, f, kind, user, partner, HAND):
            return True
    for slot in range(PLACED):
        partner = int(p.placed[user, slot])
        if partner != NOBODY and partner_works(r, s, side, f, kind, user, partner, user):
            return True
    return False


@jit
def has_room(s):
    """Is there room on the table for what one more Special may do? Only chains of them beyond all reason fill it."""
    return s.effects_n <= EFFECTS - ROOM and s.depth <= DEPTH - 9


@jit
def may_act(r, s, side, f, kind, user):
    """Is this character among those who may play this card now?"""
    p = s.players[side]
    if not p.alive[user]:
        return False
    if not p.front[user]:
        is_called = f.what == phases.TURN or f.marks & phases.CONCESSION or int(f.users) >> user & 1
        return bool(is_called) and reserve_may_play(r, s, side, user, kind)
    return int(f.users) >> user & 1 == 1


@jit
def is_allowed(r, s, side, f, kind):
    """Does the moment allow this kind of card at all?"""
    d = r.decks[side]
    card_class = int(d.card_class[kind])
    if card_class & int(f.classes) == 0 or (f.kind != NOBODY and f.kind != kind):
        return False
    if f.marks & phases.CONCESSION and s.conceded == NOBODY:
        return False  # it was not accepted
    if card_class == SPECIAL:
        wanted = ON_TURN
        if f.marks & phases.CONCESSION:
            wanted = WHEN_CONCEDING if f.marks & phases.OWN_CONCESSION else WHEN_CONCEDED
        elif f.marks & phases.MATE_FELL:
            wanted = WHEN_A_MATE_FALLS
        if not d.timing[kind] & wanted:
            return False
        if f.marks & phases.NO_ANY_HERO and is_anybodys(s, d, side, kind):
            return False
        if not has_room(s):
            return False
    elif card_class != POWER and not needs_follow_up(card_class):
        return False  # Basic Universe and Training cards only accompany
    return not f.marks & phases.ATTACKS_ONLY or is_attack(d, kind) or d.against_team[kind] == 1


@jit
def can_play_by(r, s, side, f, kind, user):
    """Can this user play this card now, in any way?"""
    if not works_by_itself(r, s, side, f, kind, user):
        return False
    return not needs_follow_up(r.decks[side].card_class[kind]) or can_be_followed_up(r, s, side, kind, user)


@jit
def works_by_itself(r, s, side, f, kind, user):
    """The same, whatever has to follow."""
    d = r.decks[side]
    if not may_act(r, s, side, f, kind, user):
        return False
    if not f.marks & phases.ANYHOW and not can_ever_use(r, s, side, user, kind):
        return False
    if declarable_types(r, s, side, f, kind, user, NOBODY) == 0:
        if not may_have_partner(d, kind) or not any_partner(r, s, side, f, kind, user):
            return False
    if d.card_class[kind] == SPECIAL:
        return may_be_declared(s, d, side, kind, user) and has_object(r, s, side, kind, user)
    return True


@jit
def may_be_declared(s, d, side, kind, user):
    """What is about the enemy's characters is an attack (rule 48), so who may not attack does not play it."""
    return not d.against_team[kind] or not has_effect(s, ops.NO_ATTACK, side, user)


@jit
def note_nothing_to_follow(r, s, f, side):
    """Who has to go on and does not has no Power card in hand that would do alone."""
    d, p = r.decks[side], s.players[side]
    if is_out_of_reach(s, side, POWER, False):
        return
    for kind in range(int(d.kinds)):
        if p.hand[kind] or d.card_class[kind] != POWER or not is_allowed(r, s, side, f, kind):
            continue
        for user in range(TEAM_SIZE):
            if may_act(r, s, side, f, kind, user) and declarable_types(r, s, side, f, kind, user, NOBODY):
                rule_out(p, kind)


@jit
def can_be_followed_up(r, s, side, kind, user):
    """Can a teammate make at least one of the attacks, or play the Special, that has to follow (rules 10 and 11)?"""
    f = ask_follow_up(s, r.decks[side], side, kind, user)
    found = False
    for mate in range(TEAM_SIZE):
        if int(f.users) >> mate & 1:
            found = found or any_works(r, s, side, f, mate, hand_bits(s.players[side]), False)
            found = found or any_works(r, s, side, f, mate, placed_bits(s.players[side], mate), True)
    pop(s)
    return found


@jit
def any_works(r, s, side, f, user, kinds, placed):
    """Can this character play one of these cards, in hand or placed on him, under this frame?"""
    d = r.decks[side]
    while kinds:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        if is_allowed(r, s, side, f, kind) and not is_out_of_reach(s, side, int(d.card_class[kind]), placed):
            if works_by_itself(r, s, side, f, kind, user):
                return True
    return False
