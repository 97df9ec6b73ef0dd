"""Defensive actions: what can answer an attack, and what the answer does."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, phases, words
from overworlds.envs.overpower.attacks import check_ko, rouse, settle_attack
from overworlds.envs.overpower.blocks import (
    SPENT,
    block_value,
    blocks,
    can_be_blocked,
    can_block,
    can_follow,
    helps,
    is_beyond_defence,
    is_help,
    may_defend_with,
    power_stops,
    stops_with_help,
    value_to_reach,
)
from overworlds.envs.overpower.concealment import is_face_down, turn_up
from overworlds.envs.overpower.frames import push, top
from overworlds.envs.overpower.hits import ANY_VALUE, add_hit, has_power_hit
from overworlds.envs.overpower.icons import DEFENCE, MATE, POWER, SELF, SPECIAL, TARGET, TEAM, TEAMWORK
from overworlds.envs.overpower.piles import put_away, take_card
from overworlds.envs.overpower.plays import counts_as_power, values_of, worthwhile_targets
from overworlds.envs.overpower.programs import begin_reaction
from overworlds.envs.overpower.state import (
    AS_REACTION,
    DEFENDED,
    HAND,
    LANDED,
    NEGATED,
    NOBODY,
    OTHERS,
    TEAM_SIZE,
)
from overworlds.envs.overpower.usage import (
    can_use,
    fits,
    front_bits,
    has_effect,
    is_in_play,
    is_multi,
    is_rated,
    reserve_may_play,
)

WITH_POWER = -2
"""Stands for a clause where a Power card stops an attack by an effect in play."""


@jit
def reaction(r, s, side, user, kind):
    """The clause with which this character's card answers the attack, or WITH_POWER; NOBODY if it does not."""
    d = r.decks[side]
    p = s.players[side]
    a = s.attack
    if is_beyond_defence(r, s) or a.need & words.ONLY_WITH_UNIVERSE:
        return NOBODY
    if s.attack.helped > 0:
        return WITH_POWER if stops_with_help(r, s, side, user, kind) else NOBODY
    if power_stops(r, s, side, user, kind):
        return WITH_POWER
    if d.card_class[kind] != SPECIAL or not d.timing[kind] & AS_REACTION or counts_as_power(d, kind):
        return NOBODY
    if not p.alive[user] or not (p.front[user] or user == a.target or reserve_may_play(r, s, side, user, kind)):
        return NOBODY
    if not can_use(r, s, side, user, kind, DEFENCE) or not may_defend_with(d, a, kind):
        return NOBODY
    for i in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
        if answers(r, s, p, d.ops[i], user):
            if not is_help(d.ops[i]) or can_follow(r, s, side, user, kind, i):
                return i
    return NOBODY


@jit
def answers(r, s, p, o, user):
    """Does this clause stop or turn the attack, played by this character?"""
    a = s.attack
    target = int(a.target)
    blind = is_face_down(s)
    if o.op == ops.NEGATE:
        if not blind and not a.classes & SPECIAL:
            return False
        if o.marks & words.OWN_ONLY and (target != user or concerns_others(r, s)):
            return False
        return not (o.marks & words.NON_NUMERIC and a.numeric)
    if target == NOBODY:
        return False
    fitting = blind or fits(o, int(a.classes), int(a.types), int(a.icons), int(a.value), int(a.numeric), False)
    if o.op == ops.AVOID:
        if (o.scope == SELF and target != user) or (o.scope == MATE and target == user):
            return False
        if o.marks & words.WHOLE and not blind and r.decks[int(a.side)].card_class[int(a.kind)] != TEAMWORK:
            return False  # it is about the card itself, not about what follows
        return fitting
    if o.op == ops.SHIFT and not a.shifted:
        found = shift_targets(r, s, p)
        if o.marks & words.TO_SELF:
            return target != user and found >> user & 1 == 1
        return target == user and found & ~(1 << user) != 0
    if is_help(o):
        return helps(s, p, o, user)
    if o.op == ops.REDIRECT:
        return o.marks & words.REACT and not a.shifted and target == user and front_bits(p) & ~(1 << user) != 0
    if o.op == ops.NO_ATTACK_ON or o.op == ops.GRID or o.op == ops.NO_ATTACK:
        if o.marks & words.RECORDED:
            values = values_of(r.decks[int(a.side)], int(a.kind), int(a.partner), a.others)
            fitting = fitting and has_power_hit(s, 1 - int(a.side), user, ANY_VALUE if blind else values)
        return o.marks & words.REACT and (target == user or o.scope == TEAM) and fitting
    if o.op == ops.NO_USE:
        rated = not o.marks & words.RATED or is_rated(s, int(a.side), int(a.user), int(o.icons))
        return o.marks & words.REACT and fitting and rated
    if o.op == ops.ONLY_ATTACK_ON:
        return o.marks & words.REACT and target == user and (blind or not fitting or may_be_another_type(r, s, o))
    return False


@jit
def concerns_others(r, s):
    """Is the attack a Special without a number, of which everybody sees that it leaves something with others than its
    target as well?"""
    a = s.attack
    if a.numeric or is_face_down(s):
        return False
    d, kind = r.decks[int(a.side)], int(a.kind)
    for i in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
        o = d.ops[i]
        if o.op >= ops.FIRST_LASTING and o.op <= ops.LAST_LASTING and (o.scope != TARGET or o.marks & words.OTHERS):
            return True
    return False


@jit
def shift_targets(r, s, p):
    """To whom the attack could be shifted: front-liners on whom it would not come to nothing."""
    found = front_bits(p)
    for on in range(TEAM_SIZE):
        if not is_worthwhile(r, s, on):
            found &= ~(1 << on)
    return found


@jit
def is_worthwhile(r, s, on):
    """Would the attack not come to nothing on this character, as far as its target knows?"""
    a = s.attack
    if a.numeric or is_face_down(s):
        return True
    return worthwhile_targets(r, s, int(a.side), int(a.kind), int(a.user)) >> on & 1 == 1


@jit
def may_be_another_type(r, s, o):
    """May the attack, a MultiPower card that has been turned over, be of a type of which this clause says nothing?"""
    a = s.attack
    return is_multi(r.decks[int(a.side)], int(a.kind)) and o.types != 0 and int(a.types) & ~int(o.types) != 0


@jit
def defend(r, s, kind, place):
    """A card is chosen to answer the attack: ask for what is still open, or do it."""
    a = s.attack
    side = 1 - int(a.side)
    s.play.kind, s.play.place, s.play.partner = kind, place, NOBODY
    s.play.user, s.play.type = NOBODY, 0
    is_own_block = can_block(r, s, kind, NOBODY) and (place == HAND or place == a.target)
    if is_own_block and not blocks(r, s, kind, NOBODY, NOBODY) and defenders(r, s, side, kind, place):
        is_own_block = False  # an effect lets it stop the attack without a second card
    if is_own_block:
        s.play.user = a.target
        push(s, phases.DEFEND_PARTNER, side)
        return
    push(s, phases.DEFENDER, side)


@jit
def block(r, s, partner, partner_place):
    """The cards of a block are spent, and so is the attack, or a part of it."""
    a, play = s.attack, s.play
    side = 1 - int(a.side)
    s.depth -= 1
    turn_up(r, s)
    kind, attacker = int(play.kind), int(a.user)
    value = block_value(r, s, kind, partner, NOBODY) if can_be_blocked(r, s) else -1
    failed = value < value_to_reach(r, s)  # in the dark
    if failed and partner == NOBODY and power_stops(r, s, side, int(a.target), kind):
        failed, value = False, int(a.value)  # an effect lets it avoid the attack
    returned = partner == NOBODY and not failed and not a.twice and is_returned(r, s, kind)
    take_card(r, s, side, kind, int(play.place))
    if not returned:
        put_away(r, s, side, kind)
    if partner != NOBODY:
        take_card(r, s, side, partner, partner_place)
        put_away(r, s, side, partner)
    spend_help(s)
    if failed:
        settle_attack(r, s, LANDED)
        return
    if value < a.value:
        block_part(r, s, value)
        return
    if a.twice:
        a.twice = 0
        return  # the attack has to be defended once more
    settle_attack(r, s, DEFENDED)
    if returned:
        d = r.decks[side]
        add_hit(r, s, 1 - side, attacker, kind, int(d.value[kind]), int(d.icons[kind]), int(play.user), 0, 0)
        rouse(s, 1 - side, attacker)
        check_ko(r, s, 1 - side, attacker)


@jit
def block_part(r, s, value):
    """The greatest part of the attack that this value reaches is blocked; what is left goes on."""
    a = s.attack
    side = int(a.side)
    d = r.decks[side]
    best, at = NOBODY, NOBODY
    if a.partner != NOBODY and d.value[int(a.partner)] <= value:
        best = int(d.value[int(a.partner)])
    for i in range(OTHERS):
        if a.others[i] != NOBODY and best < d.value[int(a.others[i])] <= value:
            best, at = int(d.value[int(a.others[i])]), i
    if at == NOBODY:
        put_away(r, s, side, int(a.partner))
        a.partner = NOBODY
    else:
        put_away(r, s, side, int(a.others[at]))
        a.others[at] = NOBODY
    a.value, a.hit_value = max(0, int(a.value) - best), int(a.hit_value) - best
    left = a.partner != NOBODY
    for i in range(OTHERS):
        left |= a.others[i] != NOBODY
    if not left:
        settle_attack(r, s, DEFENDED)


@jit
def is_returned(r, s, kind):
    """Does an effect return the attack, blocked with a Power card of the very same value?"""
    a = s.attack
    side = 1 - int(a.side)
    if a.need & words.ONLY_EQUAL:
        return True
    if int(a.classes) & ~TEAMWORK != POWER or a.partner != NOBODY or r.decks[side].card_class[kind] != POWER:
        return False
    if r.decks[side].value[kind] != r.decks[1 - side].value[int(a.kind)]:
        return False
    return has_effect(s, ops.REFLECT, side, int(a.target))


@jit
def react(r, s, user):
    """This character plays the chosen Special in answer to the attack."""
    a = s.attack
    side = 1 - int(a.side)
    d = r.decks[side]
    s.depth -= 1
    kind = int(s.play.kind)
    at = reaction(r, s, side, user, kind)
    if is_face_down(s) and not leaves_face_down(d, at):
        turn_up(r, s)
        at = reaction(r, s, side, user, kind)
    if at == NOBODY:  # a card played in the dark, in vain
        take_card(r, s, side, kind, int(s.play.place))
        put_away(r, s, side, kind)
        settle_attack(r, s, LANDED)
        return
    op, flags, joins = ops.AVOID, 0, False
    if at != WITH_POWER:
        op, flags, joins = int(d.ops[at].op), int(d.ops[at].marks), is_help(d.ops[at])
    take_card(r, s, side, kind, int(s.play.place))
    if op == ops.SHIFT or op == ops.REDIRECT:
        turn_attack(r, s, side, user, kind, at)
        return
    if op == ops.NEGATE:
        put_away(r, s, side, kind)
        settle_attack(r, s, NEGATED)
        return
    spend_help(s)
    if joins:
        a.helped = kind + 1  # the attack still waits for its defence
    elif a.twice:
        a.twice = 0  # the attack has to be defended once more
    else:
        settle_attack(r, s, DEFENDED)
    if op != ops.AVOID:
        begin_reaction(s, d, side, user, int(a.user if flags & words.TO_TARGET else a.target), kind, at)
        return
    put_away(r, s, side, kind)
    if flags & words.WHOLE and s.depth and top(s).what == phases.FOLLOW:
        s.depth -= 1


@jit
def spend_help(s):
    """A Special that was played with the defence has been used; for what is still to be defended there is none."""
    if s.attack.helped:
        s.attack.helped = SPENT


@jit
def turn_attack(r, s, side, user, kind, at):
    """The attack goes to the player of the card, or to a teammate, in this battle or for as long as the card lasts."""
    d, a = r.decks[side], s.attack
    a.shifted = 1
    if d.ops[at].op == ops.REDIRECT:
        begin_reaction(s, d, side, user, NOBODY, kind, at)
    else:
        put_away(r, s, side, kind)
        if d.ops[at].marks & words.TO_SELF:
            a.target = user
            return
    found = shift_targets(r, s, s.players[side]) if d.ops[at].op == ops.SHIFT else front_bits(s.players[side])
    push(s, phases.SHIFT, side).users = found & ~(1 << user)


@jit
def leaves_face_down(d, at):
    """Does this answer turn an attack, or help in its defence, without seeing it?"""
    return at >= 0 and (d.ops[at].op == ops.SHIFT or d.ops[at].op == ops.REDIRECT or is_help(d.ops[at]))


@jit
def defenders(r, s, side, kind, place):
    """The characters who could play this Special, or stop the attack with this Power card by an effect, as bits."""
    found = 0
    if r.decks[side].card_class[kind] != SPECIAL and not is_in_play(s, ops.POWER_DEFENDS):
        return found
    for user in range(TEAM_SIZE):
        if (place == HAND or place == user) and reaction(r, s, side, user, kind) != NOBODY:
            found |= 1 << user
    return found


@jit
def shift_to(s, character):
    """The attack has a new target, who may defend."""
    s.depth -= 1
    s.attack.target = character
    if top(s).what == phases.RUN:
        top(s).target = character  # all others will follow
