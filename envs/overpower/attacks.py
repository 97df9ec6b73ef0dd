"""An attack from its declaration to its end: landed, defended or negated."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, phases, words
from overworlds.envs.overpower.conditions import find_op
from overworlds.envs.overpower.frames import ask_follow_up, below_top, clear_table, pop, push, teamwork_of, top
from overworlds.envs.overpower.hits import add_hit, drop_effect, is_knocked_out, knock_out, lies_on
from overworlds.envs.overpower.icons import ATTACK, BASIC, POWER, SPECIAL, TEAMWORK, TRAINING
from overworlds.envs.overpower.piles import hand_size, put_away, put_on_top, take_card
from overworlds.envs.overpower.state import (
    DEFENDED,
    EFFECTS,
    HAND,
    HIT_CURRENT,
    KINDS,
    LANDED,
    NEGATED,
    NOBODY,
    OTHERS,
    TEAM_SIZE,
    UNTYPED,
    WHEN_A_MATE_FALLS,
)
from overworlds.envs.overpower.usage import (
    concerns,
    fits,
    front_bits,
    has_effect,
    is_in_play,
    is_multi,
    modifier,
    more_bonus,
    note_in_play,
    universe_bonus,
)


@jit
def launch(r, s):
    """The play is complete: its cards come down, and the attack or the card's program begins."""
    side = int(top(s).side)
    pop(s)
    play = s.play
    kind, user, partner = int(play.kind), int(play.user), int(play.partner)
    d = r.decks[side]
    take_card(r, s, side, kind, int(play.place))
    if partner != NOBODY:
        take_card(r, s, side, partner, int(play.partner_place))
    take_others(r, s, side, user)
    last = int(top(s).marks) & phases.LAST
    led_by = teamwork_of(top(s))
    note_that_card(r, s)
    bonus = use_permission(s, user, int(play.type))
    card_class = int(d.card_class[kind])
    if card_class == SPECIAL and find_op(d, kind, ops.AS_POWER) == NOBODY:
        f = push(s, phases.RUN, side)
        f.user, f.target, f.kind, f.types, f.bonus, f.holds = user, play.target, kind, play.type, bonus, 1
        f.marks = last
        f.at = d.op_at[kind]
        f.end = int(d.op_at[kind]) + int(d.op_n[kind])
        return
    if card_class != POWER and card_class != SPECIAL:
        ask_follow_up(s, d, side, kind, user)
    attack_with(r, s, side, user, int(play.target), kind, partner, int(play.type), bonus, led_by)


@jit
def use_permission(s, user, declared):
    """One of the attacks that the frame allows is being made; what it adds to the attack."""
    f = top(s)
    bonus = int(f.bonus)
    if f.marks & phases.TEAMWORK:
        bonus += more_bonus(s, int(f.side), user, TEAMWORK)
        if is_doubled(s, int(f.side), declared):
            bonus *= 2
    f.bonus = f.next_bonus
    s.play.doubled = f.marks & phases.DOUBLED != 0
    if f.marks & phases.EACH_ONCE:
        f.users = int(f.users) & ~(1 << user)
    if f.marks & phases.TYPES_ONCE and declared != UNTYPED:
        f.types = int(f.types) & ~declared | (int(f.types) & 16)
    if not f.marks & phases.FORCED:
        f.marks = int(f.marks) & ~phases.MUST
    f.left -= 1
    if f.left <= 0:
        pop(s)
    return bonus


@jit
def is_doubled(s, side, declared):
    """Does an effect double the bonuses of Teamwork cards for attacks of this type?"""
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.TEAMWORK_DOUBLE and e.side == side and e.types & declared:
            return True
    return False


@jit
def note_that_card(r, s):
    """A card that was turned over has been played: another one like it, or the same once it returns, is none that is
    to be discarded."""
    if top(s).what != phases.FOLLOW or s.depth < 2:
        return
    f = below_top(s)
    if f.what == phases.RUN and f.at < f.end and f.chosen == top(s).kind:
        if r.decks[int(f.deck)].ops[int(f.at)].op == ops.DROP:
            f.chosen = NOBODY


@jit
def attack_with(r, s, side, user, target, kind, partner, declared, bonus, led_by):
    """Declare an attack, one that follows this Teamwork card or NOBODY; its target may react (rules 43 to 48)."""
    d = r.decks[side]
    a = s.attack
    a.side, a.user, a.target, a.kind, a.partner = side, user, target, kind, partner
    a.classes, a.icons = d.card_class[kind], d.printed[kind]
    if led_by != NOBODY:
        a.classes, a.icons = int(a.classes) | TEAMWORK, int(a.icons) | int(d.printed[led_by])
    a.types = 0 if declared == UNTYPED else declared
    a.numeric = declared != UNTYPED
    a.shifted = a.barred = a.need = a.need_icons = a.damage = a.twice = a.back = a.helped = a.parts = a.serial = 0
    a.holds = 1
    value = int(d.value[kind])
    a.hit_value, a.hit_icons = value, d.icons[kind]
    value += bonus
    more = 0
    if partner != NOBODY:
        more = add_partner(r, s, side, user, partner) + add_further_bonuses(r, s, side, user)
        value += more
    if d.card_class[kind] == SPECIAL:
        value += apply_attack_clauses(r, s, side, user, kind, more)
    multi = is_multi(d, kind)
    value += modifier(
        r, s, side, user, ATTACK, int(a.classes), int(a.types), int(a.icons), int(d.value[kind]), multi, target
    )
    a.value = max(value, 0)
    lift_truce(r, s, side, user, target)
    keep_focus(s, side, target)
    meet_attack(r, s)


@jit
def meet_attack(r, s):
    """The attack is declared: effects may absorb it or turn it; otherwise its target may react."""
    a = s.attack
    side = 1 - int(a.side)
    push(s, phases.DEFEND, side)
    if not is_in_play(s, ops.REDIRECT) and not is_in_play(s, ops.BODYGUARD):
        return
    if s.concealed.kind != NOBODY:
        return  # it has been declared before, face down, and is turned over now
    guard = guard_of(s, side, int(a.target))
    if guard != NOBODY:
        drop_effect(r, s, guard)
        settle_attack(r, s, DEFENDED)
        return
    target = new_target(s, side, int(a.target))
    if target != a.target:
        a.target = target
        a.shifted = 1


@jit
def guard_of(s, side, target):
    """The effect that absorbs the next attack on this character; NOBODY if there is none."""
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.BODYGUARD and e.side == side and e.who == target:
            return i
    return NOBODY


@jit
def new_target(s, side, target):
    """Whom an attack on this character meets, where effects turn it to a teammate."""
    p = s.players[side]
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.REDIRECT and e.side == side and e.who == target:
            if p.alive[int(e.number)] and p.front[int(e.number)]:
                return int(e.number)
    return target


@jit
def keep_focus(s, side, target):
    """Where attacks of a sort have to go on against one target, this is the one from now on."""
    if not is_in_play(s, ops.FOCUS):
        return
    a = s.attack
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.FOCUS and e.side == side:
            if fits(e, int(a.classes), int(a.types), int(a.icons), int(a.hit_value), int(a.numeric), 0):
                e.number = target


@jit
def add_partner(r, s, side, user, partner):
    """The second card of an attack: a bonus, a Power card summed with a Special, or a Special's extra damage."""
    d = r.decks[side]
    a = s.attack
    partner_class = int(d.card_class[partner])
    a.classes = int(a.classes) | partner_class
    a.icons = int(a.icons) | int(d.icons[partner])
    if partner_class == BASIC or partner_class == TRAINING:
        return universe_bonus(r, s, side, user, partner) * (2 if s.play.doubled else 1)
    if partner_class == POWER:
        a.types = int(a.types) | int(d.icons[partner])
        return int(d.value[partner])
    return apply_attack_clauses(r, s, side, user, partner, 0)


@jit
def add_further_bonuses(r, s, side, user):
    """Universe cards beyond the second card of an attack."""
    d, a = r.decks[side], s.attack
    more = 0
    for i in range(OTHERS):
        kind = int(a.others[i])
        if kind != NOBODY and d.card_class[kind] == BASIC:
            a.icons = int(a.icons) | int(d.icons[kind])
            more += universe_bonus(r, s, side, user, kind) * (2 if s.play.doubled else 1)
    return more


@jit
def add_other(s, side, kind, place, most):
    """One more card for an attack that may have so many beyond its second one; is there room for another?

    It stays where it is until the attack is declared; that it is a placed one is noted with it.
    """
    a = s.attack
    a.side = side
    for i in range(most):
        if a.others[i] == NOBODY:
            a.others[i] = kind if place == HAND else kind + KINDS
            return i < most - 1
    return False


@jit
def take_others(r, s, side, user):
    """The attack is declared: its cards beyond the second one leave the hand, or the user they were placed on."""
    a = s.attack
    for i in range(OTHERS):
        chosen = int(a.others[i])
        if chosen != NOBODY:
            a.others[i] = chosen % KINDS
            take_card(r, s, side, chosen % KINDS, HAND if chosen < KINDS else user)


@jit
def apply_attack_clauses(r, s, side, user, kind, bonus):
    """What a Special says about its own attack, to which a second card adds this bonus; what it adds to the value."""
    d = r.decks[side]
    a = s.attack
    more = 0
    for i in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
        o = d.ops[i]
        if o.op == ops.ATTACK and o.hit_value >= 0:
            a.hit_value, a.hit_icons = o.hit_value, o.hit_types
        elif o.op == ops.BARRED:
            a.barred = o.icons
        elif o.op == ops.ONLY_DEFENCE:
            a.need, a.need_icons = o.marks, o.icons
        elif o.op == ops.DAMAGE:
            a.damage = o.amount
        elif o.op == ops.TWICE:
            a.twice = 1
        elif o.op == ops.COMES_BACK:
            a.back = 1
        elif o.op == ops.COMBINE and o.marks & words.PARTS:
            for j in range(OTHERS):
                if a.others[j] != NOBODY:
                    more += int(d.value[int(a.others[j])])
            a.parts, a.hit_value = 1, bonus + more
        elif o.op == ops.COMBINE and o.marks & words.SCORES:
            a.hit_value = int(a.hit_value) + bonus
        elif o.op == ops.SCALE and o.marks & words.PER_RECORD_HIT:
            for j in range(int(s.hits_n)):
                hit = s.hits[j]
                if lies_on(hit, side, user) and not hit.marks & HIT_CURRENT:
                    more += int(o.amount)
        elif o.op == ops.SCALE and o.marks & words.PER_HAND_CARD:
            more += int(o.amount) * hand_size(d, s.players[side])
    return more


@jit
def lift_truce(r, s, side, user, target):
    """Who attacks a character that may not attack him, frees it to do so."""
    if not is_in_play(s, ops.NO_ATTACK_PAIR):
        return
    for i in range(int(s.effects_n) - 1, -1, -1):
        e = s.effects[i]
        if e.op == ops.NO_ATTACK_PAIR and e.by_side == side and e.by == user and e.who == target:
            drop_effect(r, s, i)


@jit
def aim_special(r, s, side, user, target, kind):
    """Declare a Special without a number: on a character, or on nobody in particular."""
    a = s.attack
    a.side, a.user, a.target, a.kind, a.partner = side, user, target, kind, NOBODY
    a.classes, a.icons, a.types, a.numeric, a.value = SPECIAL, 0, 0, 0, 0
    a.hit_value = a.hit_icons = 0
    a.shifted = a.barred = a.need = a.need_icons = a.damage = a.twice = a.back = a.helped = a.parts = 0
    a.holds = 0
    lift_truce(r, s, side, user, target)
    meet_attack(r, s)


@jit
def settle_attack(r, s, result):
    """The reaction is over: pop the DEFEND frame, put the cards where they belong."""
    pop(s)
    a = s.attack
    s.result = result
    side, kind, partner = int(a.side), int(a.kind), int(a.partner)
    landed = result == LANDED and a.numeric and a.target != NOBODY
    holds, a.holds, a.partner = a.holds, 0, NOBODY
    if holds:
        if landed and not a.parts:
            add_hit(
                r,
                s,
                1 - side,
                int(a.target),
                kind,
                int(a.hit_value),
                int(a.hit_icons),
                int(a.user),
                int(a.damage),
                int(a.serial),
            )
        elif a.back and result != NEGATED:
            put_on_top(s.players[side], kind)
        else:
            put_away(r, s, side, kind)
    if partner != NOBODY:
        settle_second_card(r, s, partner, landed)
    for i in range(OTHERS):
        if a.others[i] != NOBODY:
            settle_second_card(r, s, int(a.others[i]), landed)
            a.others[i] = NOBODY
    if landed:
        rouse(s, 1 - side, int(a.target))
        check_ko(r, s, 1 - side, int(a.target))


@jit
def settle_second_card(r, s, kind, landed):
    """A Power card that was summed with another card is a hit of its own; all else is discarded."""
    a = s.attack
    side = int(a.side)
    d = r.decks[side]
    if landed and d.card_class[kind] == POWER:
        add_hit(r, s, 1 - side, int(a.target), kind, int(d.value[kind]), int(d.icons[kind]), int(a.user), 0, 0)
    else:
        put_away(r, s, side, kind)


@jit
def rouse(s, side, on):
    """A character has been hit: what was waiting for that modifies its values from now on, once."""
    if not is_in_play(s, ops.WHEN_HIT):
        return
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op != ops.WHEN_HIT or not concerns(e, side, on) or is_roused(s, e, on) or s.effects_n >= EFFECTS:
            continue
        s.effects[int(s.effects_n)] = e
        roused = s.effects[int(s.effects_n)]
        s.effects_n += 1
        roused.op, roused.who, roused.holds = ops.MODIFY, on, 0
        roused.marks = int(roused.marks) & ~words.OTHERS
        note_in_play(s, ops.MODIFY)


@jit
def is_roused(s, waiting, on):
    """Has this card roused this character before?"""
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.MODIFY and e.who == on and e.by_side == waiting.by_side and e.serial == waiting.serial:
            return True
    return False


@jit
def check_ko(r, s, side, on):
    """A character who has taken enough leaves; the battle ends when the Front Line is gone (rules 56 to 60). Has
    something been asked?"""
    if not s.players[side].alive[on] or has_effect(s, ops.KO_DELAY, side, on):
        return False
    if not is_knocked_out(r, s, side, on):
        return False
    fall(r, s, side, on)
    return s.stage == phases.BATTLE and ask_for_substitute(r, s, side, on)


@jit
def fall(r, s, side, on):
    """A character is knocked out, and the battle ends if nobody is left on the Front Line."""
    knock_out(r, s, side, on)
    if front_bits(s.players[side]) == 0:
        clear_table(r, s)
        s.stage = phases.BATTLE_OVER


@jit
def ask_for_substitute(r, s, side, fallen):
    """Some Specials are played when a teammate has been knocked out; does the player have any? Who else falls at the
    same time, falls after that."""
    d, p = r.decks[side], s.players[side]
    for kind in range(int(d.kinds)):
        if d.timing[kind] & WHEN_A_MATE_FALLS:
            push(s, phases.FALLING, side)
            f = push(s, phases.FOLLOW, side)
            f.users, f.target = front_bits(p), fallen
            f.marks = phases.MATE_FELL
            f.classes = SPECIAL
            return True
    return False


@jit
def check_all(r, s):
    """The same for everybody, one after the other: limits or hits have changed."""
    for side in range(2):
        for on in range(TEAM_SIZE):
            if check_ko(r, s, side, on):
                return


@jit
def was_stopped(s):
    """Was the attack just settled defended or negated?"""
    return s.result == DEFENDED or s.result == NEGATED
