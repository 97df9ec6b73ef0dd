"""Carrying out a card's program, clause by clause."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.core.rng import below
from overworlds.envs.overpower import ops, phases, words
from overworlds.envs.overpower.attacks import aim_special, attack_with, check_ko, was_stopped
from overworlds.envs.overpower.frames import pop, push, top
from overworlds.envs.overpower.hits import drop_effect, hit_fits, hits_that_fit, return_hit
from overworlds.envs.overpower.icons import (
    BASIC,
    BOTH,
    FOE,
    FOE_TEAM,
    FOUR,
    MATE,
    NEXT_BATTLE,
    POWER,
    SELF,
    SELF_OR_MATE,
    SPECIAL,
    TARGET,
    TEAM,
    TRAINING,
    TYPES,
)
from overworlds.envs.overpower.piles import (
    discard_from_hand,
    draw_card,
    draw_cards,
    hand_size,
    put_away,
    shuffle,
    shuffle_pack_in,
)
from overworlds.envs.overpower.plays import card_fits, front_mates, placed_that_fit
from overworlds.envs.overpower.state import (
    EFFECTS,
    NEGATED,
    NOBODY,
    PLACED,
    TEAM_SIZE,
)
from overworlds.envs.overpower.usage import set_grids


@jit
def run(r, s):
    """Carry out the next clause of the program on top of the stack, or end it."""
    f = top(s)
    side = int(f.side)
    d = r.decks[side]
    if f.at > int(d.op_at[int(f.kind)]) and is_opener(int(d.ops[int(f.at) - 1].op)) and f.marks != phases.SHOWN:
        if s.result == NEGATED or (was_stopped(s) and d.ops[int(f.at) - 1].op != ops.ATTACK):
            end_program(r, s)
            return
    if f.at >= f.end:
        end_program(r, s)
        return
    o = d.ops[int(f.at)]
    f.at += 1
    op = int(o.op)
    if op == ops.ON_HIT:
        if s.result != 1:
            end_program(r, s)
    elif is_opener(op):
        open_program(r, s, f, o)
    elif op == ops.FOLLOW:
        allow_follow_up(r, s, f, o)
    elif op == ops.CHOOSE_TYPE:
        push(s, phases.CHOOSE_TYPE, side).types = FOUR
    elif op >= ops.FIRST_LASTING and op <= ops.LAST_LASTING:
        apply_lasting(r, s, f, o)
    elif op >= ops.DRAW:
        if o.scope == BOTH:
            act_at_once(r, s, f, o, int(s.first))
            act_at_once(r, s, f, o, 1 - int(s.first))
        else:
            act_at_once(r, s, f, o, 1 - side if o.scope == FOE or o.scope == TARGET else side)


@jit
def is_opener(op):
    """Does this clause open a reaction window?"""
    return op == ops.DECLARE or op == ops.ATTACK or op == ops.AIM


@jit
def open_program(r, s, f, o):
    """Show the card: the opponent may react."""
    side, user, target, kind = int(f.side), int(f.user), int(f.target), int(f.kind)
    if o.op == ops.ATTACK:
        f.holds = 0
        attack_with(r, s, side, user, target, kind, int(s.play.partner), int(f.types), int(f.bonus))
    else:
        aim_special(s, side, user, target if o.op == ops.AIM else NOBODY, kind, SPECIAL, int(o.scope))


@jit
def end_program(r, s):
    """The card, if it still lies here, is discarded."""
    f = top(s)
    side, kind, holds = int(f.side), int(f.kind), f.holds
    pop(s)
    if holds:
        put_away(r, s, side, kind)


@jit
def allow_follow_up(r, s, f, o):
    """Further attacks: by whom, of which type, with which cards, at whom (rule 49)."""
    side, user, target = int(f.side), int(f.user), int(f.target)
    p = s.players[side]
    if f.at >= f.end:
        end_program(r, s)
    g = push(s, phases.FOLLOW, side)
    g.marks = phases.ATTACKS_ONLY | phases.NO_ANY_HERO
    g.classes = int(o.classes) or POWER | BASIC | TRAINING | SPECIAL
    if g.classes == SPECIAL:
        g.marks = 0  # "one more Special" need not be an attack
    g.types = o.types
    g.bonus = g.next_bonus = o.amount
    g.left = o.number
    g.users = 1 << user
    if o.marks & words.BY_ANY:
        g.users = front_mates(p, user) | 1 << user
    elif o.marks & words.BY_MATES:
        g.users = front_mates(p, user)
        g.marks = int(g.marks) | phases.EACH_ONCE
    if o.marks & words.OTHER_TARGET:
        g.targets = FOUR & ~(1 << target)
    elif o.marks & words.SAME_TARGET:
        g.targets = 1 << target
    if o.marks & words.TYPES_ONCE:
        g.marks = int(g.marks) | phases.TYPES_ONCE
    if o.marks & words.NO_UNIVERSE:
        g.marks = int(g.marks) | phases.NO_UNIVERSE


# ---------------------------------------------------------------- effects that last


@jit
def apply_lasting(r, s, f, o):
    """Put an effect on whomever the clause speaks of."""
    side, user, target = int(f.side), int(f.user), int(f.target)
    scope = int(o.scope)
    if f.serial == 0:
        s.serial = s.serial % 100 + 1
        f.serial = s.serial
    if scope == BOTH:
        add_effect(r, s, f, o, 0, NOBODY)
        add_effect(r, s, f, o, 1, NOBODY)
    elif scope == FOE or scope == FOE_TEAM:
        add_effect(r, s, f, o, 1 - side, NOBODY)
    elif scope == TARGET:
        add_effect(r, s, f, o, 1 - side, target)
    elif scope == TEAM or o.op == ops.VENTURE or o.op == ops.VENTURE_DOUBLE:
        add_effect(r, s, f, o, side, NOBODY)
    elif scope == SELF:
        add_effect(r, s, f, o, side, user)
    elif scope == MATE or scope == SELF_OR_MATE:
        add_effect(r, s, f, o, side, target)
    if o.op == ops.RETYPE or (o.op == ops.KO_LIMIT_PLUS and o.amount < 0):
        for on in range(TEAM_SIZE):
            if s.stage == phases.BATTLE and (scope != TARGET or on == target):
                check_ko(r, s, 1 - side, on)


@jit
def add_effect(r, s, f, o, side, who):
    """One effect; the card that made it lies there as long as it lasts, unless it is a hit."""
    if s.effects_n >= EFFECTS:
        return
    e = s.effects[int(s.effects_n)]
    s.effects_n += 1
    e.op, e.scope, e.classes, e.types, e.icons = o.op, o.scope, o.classes, o.types, o.icons
    e.lo, e.hi, e.amount, e.number, e.until = o.lo, o.hi, o.amount, o.number, o.until
    e.stat, e.marks, e.numeric, e.multi, e.code = o.stat, o.marks, o.numeric, o.multi, o.code
    if o.marks & words.CHOSEN and o.op == ops.NO_USE:
        if o.classes:
            e.types = f.chosen
        else:
            e.icons = f.chosen
    e.side, e.who, e.by_side, e.by, e.kind = side, who, f.side, f.user, f.kind
    e.holds, e.serial = f.holds, f.serial
    e.asleep = o.until == NEXT_BATTLE
    f.holds = 0
    if o.op == ops.GRID:
        set_grids(r, s)


@jit
def end_battle_effects(r, s):
    """Effects of this battle end; those for the next one begin."""
    for i in range(int(s.effects_n) - 1, -1, -1):
        e = s.effects[i]
        if e.until == 1 or (e.until == NEXT_BATTLE and not e.asleep):
            drop_effect(r, s, i)
    for i in range(int(s.effects_n)):
        s.effects[i].asleep = 0
    set_grids(r, s)


# ---------------------------------------------------------------- effects at once


@jit
def act_at_once(r, s, f, o, side):
    """A clause that is done when it has been carried out, for or against this side."""
    op = int(o.op)
    p = s.players[side]
    number = int(p.defeated) if o.marks & words.PER_DEFEATED else int(o.number)
    if op == ops.DRAW:
        draw_cards(r, s, side, number)
        if not o.marks & words.KEEP and s.stage >= phases.PLACING:
            push(s, phases.KEEP, side)
    elif op == ops.MILL:
        mill(r, s, o, side, number)
    elif op == ops.REVEAL:
        reveal(r, s, o, side, number)
    elif op == ops.SHUFFLE_PACK:
        shuffle_pack_in(r.decks[side], p, s.head.rng)
    elif op == ops.CYCLE_HAND:
        cycle_hand(r, s, side)
    elif op == ops.MISSION:
        move_missions(p, o, number)
    elif op == ops.DISCARD_PLACED:
        lose_placed(r, s, f, o, side, number)
    elif op == ops.DISCARD_HAND:
        lose_hand(r, s, o, side, number)
    elif op == ops.HEAL:
        heal(r, s, f, o, side, number)
    elif op == ops.GRID_COPY:
        copy_grid(r, s, f, o)
    elif op == ops.RESERVE_FIGHTS:
        for character in range(TEAM_SIZE):
            if p.alive[character] and not p.front[character]:
                p.front[character] = 1
                p.visitor = character
    elif op == ops.SHUFFLE_ALL:
        for kind in range(int(r.decks[side].kinds)):
            p.pack[kind] += p.dead[kind]
            p.dead[kind] = 0
        shuffle_pack_in(r.decks[side], p, s.head.rng)
    elif op == ops.FIND_FIRST:
        find_first(r, s, o, side)
    elif op == ops.FETCH:
        g = push(s, phases.FETCH, side)
        g.at, g.user, g.kind = int(f.at) - 1, f.user, f.kind
        g.left = number


@jit
def copy_grid(r, s, f, o):
    """The user has the ratings of the target for this battle."""
    side, user = int(f.side), int(f.user)
    enemy = s.players[1 - side]
    for t in range(TYPES):
        add_effect(r, s, f, o, side, user)
        e = s.effects[int(s.effects_n) - 1]
        e.op, e.types, e.amount, e.until = ops.GRID, 1 << t, enemy.grid[int(f.target), t], 1
    set_grids(r, s)


@jit
def find_first(r, s, o, side):
    """From the top of the Draw Pile, the first card that fits comes into the hand; the pile is shuffled."""
    d, p = r.decks[side], s.players[side]
    for i in range(int(p.draw_n) - 1, -1, -1):
        kind = int(p.draw[i])
        if card_fits(d, o, kind):
            p.draw_n -= 1
            p.draw[i] = p.draw[int(p.draw_n)]
            p.hand[kind] += 1
            break
    shuffle(p, s.head.rng)


@jit
def mill(r, s, o, side, number):
    """Cards of the Draw Pile go to the Dead Pile."""
    p = s.players[side]
    for _ in range(min(number, int(p.draw_n))):
        p.dead[draw_card(r, s, side)] += 1


@jit
def reveal(r, s, o, side, number):
    """The opponent sees cards of this hand: all that fit, or some at random."""
    d = r.decks[side]
    p = s.players[side]
    if number >= words.ALL:
        for kind in range(int(d.kinds)):
            if card_fits(d, o, kind):
                p.known[kind] = p.hand[kind]
        return
    for _ in range(number):
        hidden = 0
        for kind in range(int(d.kinds)):
            hidden += int(p.hand[kind]) - int(p.known[kind])
        if hidden == 0:
            return
        pick = below(s.head.rng, hidden)
        for kind in range(int(d.kinds)):
            pick -= int(p.hand[kind]) - int(p.known[kind])
            if pick < 0:
                p.known[kind] += 1
                break


@jit
def cycle_hand(r, s, side):
    """Replace the whole hand, keeping duplicates."""
    n = hand_size(r.decks[side], s.players[side])
    for kind in range(int(r.decks[side].kinds)):
        while s.players[side].hand[kind] > 0:
            discard_from_hand(r, s, side, kind)
    draw_cards(r, s, side, n)


@jit
def move_missions(p, o, number):
    """Missions that are not being ventured change piles."""
    if o.marks & words.DEFEATED_TO_RESERVE:
        n = min(number, int(p.defeated))
        p.defeated -= n
        p.reserve += n
    else:
        n = min(number, int(p.completed))
        p.completed -= n
        p.reserve += n


@jit
def lose_placed(r, s, f, o, side, number):
    """Placed cards that fit are lost: all, or so many of the opponent's choice."""
    d = r.decks[side]
    p = s.players[side]
    on = int(f.target) if o.scope == TARGET else NOBODY
    there = 0
    for character in range(TEAM_SIZE):
        if on == NOBODY or character == on:
            there += placed_that_fit(r, s, o, side, character)
    if there > number:
        g = push(s, phases.PICK_PLACED, 1 - side)
        g.at, g.target, g.left, g.kind = int(f.at) - 1, on, number, f.kind
        return
    for character in range(TEAM_SIZE):
        if on != NOBODY and character != on:
            continue
        for slot in range(PLACED):
            kind = int(p.placed[character, slot])
            if kind != NOBODY and card_fits(d, o, kind):
                p.placed[character, slot] = NOBODY
                put_away(r, s, side, kind)


@jit
def lose_hand(r, s, o, side, number):
    """Hand cards that fit are lost: all, some at random, or so many of the owner's choice."""
    d = r.decks[side]
    p = s.players[side]
    there = 0
    for kind in range(int(d.kinds)):
        if card_fits(d, o, kind):
            there += int(p.hand[kind])
    if there > number and not o.marks & words.AT_RANDOM:
        g = push(s, phases.PICK_DISCARD, side)
        g.classes = int(o.classes) or 127
        g.left = number
        return
    for _ in range(min(number, there)):
        pick = below(s.head.rng, there)
        for kind in range(int(d.kinds)):
            if card_fits(d, o, kind):
                pick -= int(p.hand[kind])
                if pick < 0:
                    discard_from_hand(r, s, side, kind)
                    there -= 1
                    break


@jit
def heal(r, s, f, o, side, number):
    """Hits are removed: all that fit, or so many of the healer's choice. They return to those who scored them."""
    record = o.marks & words.CURRENT == 0
    current = o.marks & (words.CURRENT | words.EVERYWHERE) != 0
    chosen = int(f.chosen) if o.marks & words.CHOSEN else 0
    on = int(f.target) if o.scope == SELF_OR_MATE or o.scope == MATE else int(f.user)
    there = 0
    for character in range(TEAM_SIZE):
        if o.scope == BOTH or character == on:
            there += hits_that_fit(s, o, side, character, record, current)
    if there > number:
        g = push(s, phases.HEAL, side)
        g.at, g.target, g.left, g.kind = int(f.at) - 1, on, number, f.kind
        return
    for i in range(int(s.hits_n) - 1, -1, -1):
        character = int(s.hits[i].on)
        if o.scope == BOTH or character == on:
            if hit_fits(s.hits[i], o, side, character, record, current):
                if chosen == 0 or int(s.hits[i].icons) & chosen:
                    return_hit(r, s, i)


@jit
def begin_reaction(s, d, side, user, kind):
    """A card played as a reaction has been shown already: its program begins after its opening."""
    f = push(s, phases.RUN, side)
    f.user, f.kind, f.holds = user, kind, 1
    f.target = user
    f.at = int(d.op_at[kind]) + 1
    f.end = int(d.op_at[kind]) + int(d.op_n[kind])
    f.marks = phases.SHOWN
