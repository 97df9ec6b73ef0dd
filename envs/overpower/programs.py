"""Carrying out a card's program, clause by clause."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.core.rng import below
from overworlds.envs.overpower import ops, phases, words
from overworlds.envs.overpower.attacks import aim_special, attack_with, check_all, was_stopped
from overworlds.envs.overpower.conditions import placed_that_fit
from overworlds.envs.overpower.frames import ask_to_keep, pop, push, top
from overworlds.envs.overpower.hits import (
    can_be_healed,
    forget_chosen_hits,
    gather_hits,
    move_chosen_hit,
    return_hit,
    swap_chosen_hits,
    swap_records,
)
from overworlds.envs.overpower.icons import (
    ANY,
    BASIC,
    BATTLE,
    BOTH,
    FOE,
    FOUR,
    MATE,
    POWER,
    SELF_OR_MATE,
    SPECIAL,
    TARGET,
    TEAM,
    TRAINING,
    TYPES,
)
from overworlds.envs.overpower.lasting import add_effect, apply_lasting, give_serial, revive, stay_for_good
from overworlds.envs.overpower.piles import (
    DRAW_PILE,
    count_in,
    destination_of,
    discard_as_unusable,
    discard_from_hand,
    draw_blindly,
    draw_card,
    draw_cards,
    put_away,
    put_in,
    put_on_dead_pile,
    shuffle,
    shuffle_pack_in,
    source_of,
    take_from,
)
from overworlds.envs.overpower.plays import is_attack
from overworlds.envs.overpower.roster import bring_reserve_in, sacrifice, substitute, switch
from overworlds.envs.overpower.sight import (
    join_hand,
    join_unseen,
    lose_sight,
    peek,
    rule_out,
    show,
    show_all,
    show_kinds,
)
from overworlds.envs.overpower.state import LANDED, NEGATED, NOBODY, PLACED, TEAM_SIZE
from overworlds.envs.overpower.usage import (
    can_ever_use,
    card_fits,
    front_bits,
    front_mates,
    kinds_to_find,
    note_in_play,
    set_grids,
)


@jit
def run(r, s):
    """Carry out the next clause of the program on top of the stack, or end it."""
    f = top(s)
    side = int(f.side)
    d = r.decks[int(f.deck)]
    if f.at > int(d.op_at[int(f.kind)]) and is_opener(int(d.ops[int(f.at) - 1].op)) and not f.marks & phases.SHOWN:
        if s.result == NEGATED:
            end_program(r, s)
            return
        if was_stopped(s) and d.ops[int(f.at) - 1].op != ops.ATTACK:
            skip_to_what_happens_anyway(d, f)
        if d.ops[int(f.at) - 1].op != ops.DECLARE:
            f.target = s.attack.target  # it may have been shifted
    if f.at >= f.end:
        end_program(r, s)
        return
    o = d.ops[int(f.at)]
    f.at += 1
    op = int(o.op)
    if op == ops.ON_HIT:
        if s.result != LANDED:
            end_program(r, s)
    elif is_opener(op):
        open_program(r, s, f, o)
    elif op == ops.FOLLOW:
        if not f.marks & phases.SHOWN:
            allow_follow_up(r, s, f, o)
    elif (op >= ops.NEGATE and op <= ops.CHOOSE_TYPE) or op == ops.PICK_HIT or op == ops.COST:
        ask(s, f, op, int(o.number))
    elif op >= ops.FIRST_LASTING and op <= ops.LAST_LASTING:
        apply_lasting(r, s, f, o)
    elif op >= ops.DRAW and op < ops.AS_POWER:
        if o.scope == BOTH:
            act_at_once(r, s, f, o, int(s.first))
            act_at_once(r, s, f, o, 1 - int(s.first))
        else:
            act_at_once(r, s, f, o, 1 - side if o.scope == FOE or o.scope == TARGET else side)


@jit
def skip_to_what_happens_anyway(d, f):
    """The attack was avoided: of the program only that is left which harms its own player, if anything does."""
    while f.at < f.end and not (d.ops[int(f.at)].op == ops.NO_ATTACK and d.ops[int(f.at)].marks & words.ANYWAY):
        f.at += 1


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
        give_serial(s, f)
        attack_with(r, s, side, user, target, kind, int(s.play.partner), int(f.types), int(f.bonus), NOBODY)
        s.attack.serial = f.serial
    else:
        aim_special(r, s, side, user, target if o.op == ops.AIM else NOBODY, kind)


@jit
def ask(s, f, op, number):
    """The rest of the program depends on a choice of its player. Other clauses here say nothing to be done."""
    if op == ops.EITHER:
        g = push(s, phases.EITHER, int(f.side))
        g.bonus = number
    elif op == ops.PICK:
        g = push(s, phases.PICK, int(f.side))
    elif op == ops.CHOOSE_TYPE:
        g = push(s, phases.CHOOSE_TYPE, int(f.side))
    elif op == ops.PICK_HIT:
        g = push(s, phases.PICK_HIT, int(f.side))
    elif op == ops.COST:
        g = push(s, phases.PICK_DISCARD, int(f.side))
    elif op == ops.NEGATE:
        g = push(s, phases.UNDO, int(f.side))
    else:
        return
    g.deck, g.at, g.user, g.kind = f.deck, int(f.at) - 1, f.user, f.kind


@jit
def end_program(r, s):
    """The card, if it still lies here, is discarded."""
    f = top(s)
    side, kind, holds = int(f.deck), int(f.kind), f.holds
    pop(s)
    if holds:
        put_away(r, s, side, kind)


@jit
def allow_follow_up(r, s, f, o):
    """Further attacks: by whom, of which type, with which cards, at whom (rule 49)."""
    side, user, target, bonus, chosen = int(f.side), int(f.user), int(f.target), int(f.bonus), int(f.chosen)
    p = s.players[side]
    last = f.marks & phases.LAST != 0
    if o.marks & words.THAT_CARD and chosen == NOBODY:
        return
    if last and is_attack(r.decks[int(f.deck)], int(f.kind)):
        return  # one attack and no more
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
        g.users = front_bits(p)
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
    if o.marks & words.DOUBLED:
        g.marks = int(g.marks) | phases.DOUBLED
    if o.marks & words.STOLEN:
        g.types, g.bonus = chosen | ANY, bonus
    if o.marks & words.THAT_CARD:
        g.kind, g.classes, g.marks = chosen, 127, phases.NO_ANY_HERO
        if o.marks & words.ATTACKS:
            g.marks = phases.ANYHOW | phases.ATTACKS_ONLY | phases.MUST
    if o.marks & words.COMPULSORY:
        g.marks = int(g.marks) | phases.MUST
    if last or o.marks & words.LAST:
        g.marks = int(g.marks) | phases.LAST


# ---------------------------------------------------------------- effects at once


@jit
def act_at_once(r, s, f, o, side):
    """A clause that is done when it has been carried out, for or against this side."""
    op = int(o.op)
    p = s.players[side]
    number = int(p.defeated) if o.marks & words.PER_DEFEATED else int(o.number)
    if op == ops.DRAW:
        draw_cards(r, s, side, int(p.discarded) if o.marks & words.PER_DISCARD else number)
        if not o.marks & words.KEEP and s.stage >= phases.PLACING:
            ask_to_keep(s, side)
    elif op == ops.MILL:
        mill(r, s, o, side, number)
    elif op == ops.REVEAL:
        reveal(r, s, o, side, number)
    elif op == ops.PEEK:
        peek(p, number)
    elif op == ops.FLIP or op == ops.DROP:
        turn_over(r, s, f, o, side)
    elif op == ops.SHUFFLE_PACK:
        shuffle_pack_in(r.decks[side], p, s.head.rng)
    elif op == ops.CYCLE_HAND:
        cycle_hand(r, s, f, o, side)
    elif op == ops.MISSION:
        move_missions(p, o, number)
    elif op == ops.DISCARD_PLACED or op == ops.STEAL:
        lose_placed(r, s, f, o, side, number)
    elif op == ops.DISCARD_HAND or op == ops.DISCARD_ANY:
        lose_hand(r, s, f, o, side, number)
    elif op == ops.DISCARD_MOST:
        lose_most(r, s, f, o, side)
    elif op == ops.HEAL:
        heal(r, s, f, o, side, number)
    elif op == ops.GRID_COPY:
        copy_grid(r, s, f, o)
    elif op == ops.SHUFFLE_ALL:
        for kind in range(int(r.decks[side].kinds)):
            p.pack[kind] += p.dead[kind]
            p.dead[kind] = 0
        shuffle_pack_in(r.decks[side], p, s.head.rng)
    elif op == ops.FIND_FIRST:
        find_first(r, s, f, o, side)
    elif op == ops.FETCH:
        search(r, s, f, o, side, number)
    elif op == ops.DRAW_DOOMED:
        draw_doomed(r, s, side)
    elif op == ops.FORCE:
        g = push(s, phases.FOLLOW, side)
        g.marks = phases.ATTACKS_ONLY | phases.NO_ANY_HERO | phases.MUST | phases.FORCED
        g.classes, g.users, g.left = POWER | BASIC | TRAINING | SPECIAL, 1 << int(f.target), words.ALL
    else:
        move_characters(r, s, f, o, side)


@jit
def turn_over(r, s, f, o, side):
    """The top card of the Draw Pile joins the hand, seen by all, or one of the hand is shown; later it is discarded
    if it is still there."""
    p = s.players[side]
    if o.op == ops.FLIP and o.marks & words.FROM_HAND:
        f.chosen = draw_blindly(r.decks[side], p, s.head.rng)
        if f.chosen != NOBODY:
            if p.known[int(f.chosen)] == 0:
                show(r.decks[side], p, int(f.chosen))
            f.bonus = p.hand[int(f.chosen)]
    elif o.op == ops.FLIP:
        f.chosen = draw_card(r, s, side)
        if f.chosen != NOBODY:
            join_hand(p, int(f.chosen), True)
            f.bonus = p.hand[int(f.chosen)]
    elif f.chosen != NOBODY and p.hand[int(f.chosen)] >= f.bonus:
        discard_from_hand(r, s, side, int(f.chosen))


@jit
def move_characters(r, s, f, o, side):
    """Characters and hits change places."""
    op, target = int(o.op), int(f.target)
    if op == ops.RESERVE_FIGHTS:
        bring_reserve_in(s, side)
    elif op == ops.SWITCH:
        switch(s, side, int(f.user) if target == NOBODY else target)
    elif op == ops.KO_OWN:
        sacrifice(r, s, side, target)
    elif op == ops.SUBSTITUTE:
        substitute(r, s, side, int(f.user), target)
    elif op == ops.REVIVE and target != NOBODY:
        stay_for_good(r, s, side, target)
        revive(r, s, side, target)
    elif op == ops.GATHER and target != NOBODY:
        gather_hits(s, o, side, target)
    elif op == ops.SWAP_RECORD:
        swap_records(s, side, int(f.user), target)
    elif op == ops.SWAP_HITS:
        swap_chosen_hits(s)
    elif op == ops.MOVE_HIT and target != NOBODY:
        move_chosen_hit(s, target)
    forget_chosen_hits(s)
    if op >= ops.GATHER:
        check_all(r, s)


@jit
def search(r, s, f, o, side, number):
    """Cards of a pile of this side are chosen and moved; all that fit, where it says so."""
    d, p = r.decks[side], s.players[side]
    if number >= words.ALL and not o.marks & words.FETCH_ANY:
        for kind in range(int(d.kinds)):
            while card_fits(d, o, kind) and count_in(p, source_of(o), kind, 0):
                take_from(p, s.head.rng, source_of(o), kind, 0)
                put_in(p, s.head.rng, destination_of(o), kind, source_of(o) != DRAW_PILE)
        return
    if f.side != side and source_of(o) == DRAW_PILE:
        show_all(d, p)  # deck lists are open: who has seen the Draw Pile knows the hand
    f.chosen = NOBODY
    g = push(s, phases.FETCH, int(f.side))
    g.deck, g.at, g.user, g.kind, g.target = f.deck, int(f.at) - 1, f.user, f.kind, side
    g.left = number


@jit
def draw_doomed(r, s, side):
    """A card is drawn; it and all its duplicates, in hand and placed, are discarded."""
    d, p = r.decks[side], s.players[side]
    drawn = draw_card(r, s, side)
    if drawn == NOBODY:
        return
    put_away(r, s, side, drawn)
    for kind in range(int(d.kinds)):
        if not int(d.twins[drawn]) >> kind & 1:
            continue
        while p.hand[kind]:
            discard_from_hand(r, s, side, kind)
        rule_out(p, kind)
    for character in range(TEAM_SIZE):
        for slot in range(PLACED):
            kind = int(p.placed[character, slot])
            if kind != NOBODY and int(d.twins[drawn]) >> kind & 1:
                p.placed[character, slot] = NOBODY
                put_away(r, s, side, kind)


@jit
def copy_grid(r, s, f, o):
    """The user has the ratings of the target, or of the own character chosen, for this battle."""
    side, user, target = int(f.side), int(f.user), int(f.target)
    if target == NOBODY:
        return
    give_serial(s, f)
    model = s.players[side if f.chosen else 1 - side]
    for t in range(TYPES):
        add_effect(r, s, f, o, side, user)
        e = s.effects[int(s.effects_n) - 1]
        e.op, e.types, e.amount, e.until = ops.GRID, 1 << t, model.grid[target, t], BATTLE
    note_in_play(s, ops.GRID)
    set_grids(r, s)


@jit
def find_first(r, s, f, o, side):
    """From the top of the Draw Pile, the first card that fits comes into the hand; the pile is shuffled."""
    d, p = r.decks[side], s.players[side]
    kinds = kinds_to_find(d, o, NOBODY)
    f.chosen = NOBODY
    for i in range(int(p.draw_n) - 1, -1, -1):
        kind = int(p.draw[i])
        if kinds >> kind & 1:
            lose_sight(p)
            p.draw_n -= 1
            p.draw[i] = p.draw[int(p.draw_n)]
            join_unseen(p, kind, kinds)
            shuffle(p, s.head.rng)
            f.chosen = kind
            return
    shuffle(p, s.head.rng)
    show_kinds(d, p, kinds)  # there are none in the pile


@jit
def mill(r, s, o, side, number):
    """Cards of the Draw Pile go to the Dead Pile."""
    p = s.players[side]
    for _ in range(number):
        if o.marks & words.AT_RANDOM:
            shuffle(p, s.head.rng)
        kind = draw_card(r, s, side)
        if kind != NOBODY:
            put_on_dead_pile(r.decks[side], p, kind)


@jit
def reveal(r, s, o, side, number):
    """The opponent sees cards of this hand: all that fit, or some at random."""
    d = r.decks[side]
    p = s.players[side]
    if number >= words.ALL:
        show_kinds(d, p, kinds_to_find(d, o, NOBODY))
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
                show(d, p, kind)
                break


@jit
def cycle_hand(r, s, f, o, side):
    """Replace the hand, or what the user cannot use of it, keeping duplicates."""
    p = s.players[side]
    n = 0
    for kind in range(int(r.decks[side].kinds)):
        if o.marks & words.UNUSABLE and can_ever_use(r, s, side, int(f.user), kind):
            continue
        while p.hand[kind] > 0:
            discard_from_hand(r, s, side, kind)
            n += 1
        rule_out(p, kind)
    draw_cards(r, s, side, n)


@jit
def move_missions(p, o, number):
    """Missions change piles."""
    if o.marks & words.DEFEATED_TO_RESERVE:
        n = min(number, int(p.defeated))
        p.defeated -= n
        p.reserve += n
    elif o.marks & words.COMPLETED_TO_RESERVE:
        n = min(number, int(p.completed))
        p.completed -= n
        p.reserve += n
    elif p.reserve:
        p.reserve -= 1
        p.risk_reserve += 1
    elif p.completed:
        p.completed -= 1
        p.risk_completed += 1


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
    if there > number or (there and o.op == ops.STEAL):
        g = push(s, phases.PICK_PLACED, 1 - side)
        g.deck, g.at, g.target, g.left, g.kind, g.user = f.deck, int(f.at) - 1, on, number, f.kind, f.user
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
def lose_hand(r, s, f, o, side, number):
    """Hand cards that fit are lost: all, some at random, or so many of the owner's choice; or placed ones too."""
    d, p = r.decks[side], s.players[side]
    there = 0
    for kind in range(int(d.kinds)):
        if card_fits(d, o, kind):
            there += int(p.hand[kind])
    if (there > number and not o.marks & words.AT_RANDOM) or o.op == ops.DISCARD_ANY:
        g = push(s, phases.PICK_DISCARD, side)
        g.deck, g.at, g.left, g.kind = f.deck, int(f.at) - 1, number, f.kind
        g.types = f.chosen if o.marks & words.CHOSEN else 0
        return
    lose_some(r, s, o, side, min(number, there), there)
    if there < number:
        rule_out_all(d, p, o, 0)


@jit
def rule_out_all(d, p, o, types):
    """Everybody has seen that the hand has no more cards that fit, with one of these icons if there are any."""
    for kind in range(int(d.kinds)):
        if card_fits(d, o, kind) and (types == 0 or int(d.printed[kind]) & types):
            rule_out(p, kind)


@jit
def lose_some(r, s, o, side, number, there):
    """So many of the hand cards that fit are lost, at random."""
    d, p = r.decks[side], s.players[side]
    for _ in range(number):
        pick = below(s.head.rng, there)
        for kind in range(int(d.kinds)):
            if card_fits(d, o, kind):
                pick -= int(p.hand[kind])
                if pick < 0:
                    if o.marks & words.TO_DEAD:
                        discard_as_unusable(d, p, kind)
                    else:
                        discard_from_hand(r, s, side, kind)
                    there -= 1
                    break


@jit
def lose_most(r, s, f, o, side):
    """Cards that fit are lost: those of the hand, or the placed ones, whichever are more."""
    d, p = r.decks[side], s.players[side]
    more = 0
    for character in range(TEAM_SIZE):
        more += placed_that_fit(r, s, o, side, character)
    for kind in range(int(d.kinds)):
        if card_fits(d, o, kind):
            more -= int(p.hand[kind])
    if more >= 0:
        lose_placed(r, s, f, o, side, words.ALL)
    else:
        lose_hand(r, s, f, o, side, words.ALL)


@jit
def heal(r, s, f, o, side, number):
    """Hits are removed: all that fit, or so many of the healer's choice. They return to those who scored them."""
    if number == 0:
        return  # as many as Defeated Missions, and there are none
    if o.marks & words.EACH_OF:
        for on in range(TEAM_SIZE):
            if not o.marks & words.GIFTED or r.decks[side].gifted[on]:
                ask_to_heal(s, f, side, on, number)
        return
    on = int(f.user)
    if o.scope == TEAM or o.scope == BOTH:
        on = NOBODY
    elif o.scope == SELF_OR_MATE or o.scope == MATE:
        on = int(f.target)
    there = 0
    for i in range(int(s.hits_n)):
        there += can_be_healed(s.hits[i], o, side, on, int(f.chosen))
    if there > number:
        ask_to_heal(s, f, side, on, number)
        return
    for i in range(int(s.hits_n) - 1, -1, -1):
        if can_be_healed(s.hits[i], o, side, on, int(f.chosen)):
            return_hit(r, s, i)


@jit
def ask_to_heal(s, f, side, on, number):
    """Which hits are removed from this character, or from any of this side?"""
    g = push(s, phases.HEAL, side)
    g.deck, g.at, g.target, g.left, g.kind, g.chosen = f.deck, int(f.at) - 1, on, number, f.kind, f.chosen


@jit
def begin_reaction(s, d, side, user, target, kind, at):
    """A card played as a reaction has been shown already: its program begins with the clause that answers."""
    f = push(s, phases.RUN, side)
    f.user, f.target, f.kind, f.holds = user, target, kind, 1
    f.at = at
    f.end = int(d.op_at[kind]) + int(d.op_n[kind])
    f.marks = phases.SHOWN
