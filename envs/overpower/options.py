"""The choices of the pending decision, as action ids in ascending order."""

from overworlds.envs.core.bits import lowest, only, without_lowest
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import actions, ops, phases
from overworlds.envs.overpower.battle import free_slot, most_to_completed
from overworlds.envs.overpower.blocks import blocks, can_block
from overworlds.envs.overpower.clearing import (
    counted_kinds,
    first_duplicate,
    is_duplicate,
    placed_and_counted,
    placed_duplicate,
)
from overworlds.envs.overpower.conditions import can_steal, can_undo_effect, find_op, pays
from overworlds.envs.overpower.defence import defenders, is_worthwhile
from overworlds.envs.overpower.frames import below_top, pop, push, top
from overworlds.envs.overpower.hits import lies_on
from overworlds.envs.overpower.icons import ATTACK, BASIC, SORTS, TYPES
from overworlds.envs.overpower.piles import (
    TO_HAND,
    TOP,
    cards_on,
    copies_at,
    count_in,
    destination_of,
    hand_bits,
    placed_bits,
    source_of,
)
from overworlds.envs.overpower.plays import (
    can_play_by,
    combines_parts,
    declarable_types,
    is_allowed,
    is_attack,
    kept_off,
    partner_works,
    play_targets,
    values_of,
)
from overworlds.envs.overpower.roster import may_pick
from overworlds.envs.overpower.sight import rule_out
from overworlds.envs.overpower.state import HAND, KINDS, MISSIONS, NOBODY, OTHERS, PLACED, TEAM_SIZE
from overworlds.envs.overpower.usage import (
    CHANGES_USE,
    bonus_types,
    can_ever_use,
    card_fits,
    has_effect,
    is_anybodys,
    is_out_of_reach,
    kinds_to_find,
    team_can_use,
)
from overworlds.envs.overpower.which import can_be_chosen, card_with_number, side_of_choice
from overworlds.envs.overpower.words import FETCH_ANY, FETCH_KEEP, FETCH_OWN, FETCH_PLAYABLE, FETCH_USABLE

CHANGES_PLACING = CHANGES_USE | ops.set_of_lasting(ops.PLACE_MORE, ops.PLACE_ANY)
"""Without effects like these, it is printed on the cards what can be placed on whom."""


@jit
def put(out, n, action):
    """Write one id if there is room, and count it."""
    if n < len(out):
        out[n] = action
    return n + 1


@jit
def is_full(out, n):
    """Is there no room for more? Who only asks whether there is a choice has room for two, and no more are counted."""
    return n >= len(out)


@jit
def options(r, s, out):
    """Write the ids that the top frame allows; their number."""
    f = top(s)
    what, side = int(f.what), int(f.side)
    if what == phases.TURN:
        n = put(out, 0, actions.PASS)
        if not has_effect(s, ops.NO_CONCEDE, side, NOBODY):
            n = put(out, n, actions.CONCEDE)
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
    kinds = hand_bits(p)
    while kinds and not is_full(out, n):
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        if is_allowed(r, s, side, f, kind):
            if is_out_of_reach(s, side, int(d.card_class[kind]), False):
                continue
            for user in range(TEAM_SIZE):
                if can_play_by(r, s, side, f, kind, user):
                    n = put(out, n, actions.PLAY + kind)
                    break
    for user in range(TEAM_SIZE):
        kinds = placed_bits(p, user)
        while kinds and not is_full(out, n):
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            if f.kind == NOBODY and is_allowed(r, s, side, f, kind) and can_play_by(r, s, side, f, kind, user):
                if not is_out_of_reach(s, side, int(d.card_class[kind]), True):
                    n = put(out, n, actions.PLAY_PLACED + KINDS * user + kind)
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
        if partner != NOBODY or declarable_types(r, s, side, permit, kind, user, NOBODY):
            n = put(out, n, actions.ALONE)
        kinds = hand_bits(p)
        while kinds and not is_full(out, n):
            other = lowest(kinds)
            kinds = without_lowest(kinds)
            if may_join(r, s, side, permit, other, HAND):
                if partner_works(r, s, side, permit, kind, user, other, HAND):
                    n = put(out, n, actions.PLAY + other)
        kinds = placed_bits(p, user)
        while kinds and not is_full(out, n):
            other = lowest(kinds)
            kinds = without_lowest(kinds)
            if may_join(r, s, side, permit, other, user) and partner_works(r, s, side, permit, kind, user, other, user):
                n = put(out, n, actions.PLAY_PLACED + KINDS * user + other)
    elif what == phases.TYPE:
        types = types_with_all(r, s, side, permit)
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
def types_with_all(r, s, side, permit):
    """As which types the play could be made with all Universe cards that have been chosen for it."""
    d, play = r.decks[side], s.play
    types = declarable_types(r, s, side, permit, int(play.kind), int(play.user), int(play.partner))
    for i in range(OTHERS):
        other = int(s.attack.others[i]) % KINDS
        if s.attack.others[i] != NOBODY and d.card_class[other] == BASIC:
            types &= bonus_types(r, s, side, int(play.user), other, ATTACK)
    return types


@jit
def may_join(r, s, side, permit, kind, place):
    """Is this card, if there is a second one already, another part of the attack, or another Basic Universe card?"""
    d, p, play = r.decks[side], s.players[side], s.play
    if play.partner == NOBODY:
        return True
    if combines_parts(d, int(play.kind)):  # of different cards
        is_new = chosen_for_play(s, kind, HAND) == 0 and chosen_for_play(s, kind, int(play.user)) == 0
        return is_new and leaves_target(r, s, side, permit, kind)
    if d.card_class[kind] != BASIC or d.card_class[int(play.partner)] != BASIC:
        return False
    if types_with_all(r, s, side, permit) & bonus_types(r, s, side, int(play.user), kind, ATTACK) == 0:
        return False  # there is no type for which all would help
    return copies_at(p, kind, place) > chosen_for_play(s, kind, place)


@jit
def leaves_target(r, s, side, permit, kind):
    """Is there still somebody to attack if this card is another part of the attack?"""
    d, play = r.decks[side], s.play
    reached = ~kept_off(s, side, values_of(d, kind, NOBODY, s.attack.others))
    types = types_with_all(r, s, side, permit)
    for t in range(TYPES + 1):
        if types >> t & 1:
            found = play_targets(r, s, side, permit, int(play.kind), int(play.user), int(play.partner), 1 << t)
            if found & reached:
                return True
    return False


@jit
def chosen_for_play(s, kind, place):
    """How many such cards of the hand, or placed on the user, have been added to the play."""
    play = s.play
    n = int(play.partner == kind and play.partner_place == place)
    for i in range(OTHERS):
        n += int(s.attack.others[i] == (kind if place == HAND else kind + KINDS))
    return n


@jit
def defences(r, s, side, out):
    """Take it, or answer with a card of the hand or a placed one."""
    if s.attack.helped > 0:  # a Special has been played with a defence, which has to follow
        n = answers_with_cards(r, s, side, out, 0)
        return n if n else put(out, n, actions.TAKE)
    p = s.players[side]
    target = int(s.attack.target)
    n = put(out, 0, actions.TAKE)
    if target != NOBODY and not s.attack.shifted and has_effect(s, ops.RESERVE_SHIELDS, side, target):
        for reserve in range(TEAM_SIZE):
            if p.front[target] and p.alive[reserve] and not p.front[reserve] and is_worthwhile(r, s, reserve):
                n = put(out, n, actions.OWN + reserve)
    return answers_with_cards(r, s, side, out, n)


@jit
def answers_with_cards(r, s, side, out, n):
    """Cards of the hand, then placed ones, that answer the attack."""
    d, p = r.decks[side], s.players[side]
    target = int(s.attack.target)
    kinds = hand_bits(p)
    while kinds and not is_full(out, n):
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        if not is_out_of_reach(s, side, int(d.card_class[kind]), False):
            if can_block(r, s, kind, NOBODY) or defenders(r, s, side, kind, HAND):
                n = put(out, n, actions.PLAY + kind)
    for user in range(TEAM_SIZE):
        kinds = placed_bits(p, user)
        while kinds and not is_full(out, n):
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            if is_out_of_reach(s, side, int(d.card_class[kind]), True):
                pass
            elif (user == target and can_block(r, s, kind, NOBODY)) or defenders(r, s, side, kind, user):
                n = put(out, n, actions.PLAY_PLACED + KINDS * user + kind)
    return n


@jit
def defence_details(r, s, f, what, side, out):
    """Who plays the defence, with which Universe card, or to whom the attack is shifted."""
    d, p, play = r.decks[side], s.players[side], s.play
    kind, place = int(play.kind), int(play.place)
    n = 0
    if what == phases.DEFEND_PARTNER:
        target = int(s.attack.target)
        if blocks(r, s, kind, NOBODY, NOBODY):
            n = put(out, n, actions.ALONE)
        kinds = hand_bits(p)
        while kinds and not is_full(out, n):
            other = lowest(kinds)
            kinds = without_lowest(kinds)
            if blocks(r, s, kind, other, NOBODY):
                if not is_out_of_reach(s, side, int(d.card_class[other]), False):
                    n = put(out, n, actions.PLAY + other)
        kinds = placed_bits(p, target)
        while kinds and not is_full(out, n):
            other = lowest(kinds)
            kinds = without_lowest(kinds)
            if blocks(r, s, kind, other, NOBODY):
                if not is_out_of_reach(s, side, int(d.card_class[other]), True):
                    n = put(out, n, actions.PLAY_PLACED + KINDS * target + other)
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
        kinds = hand_bits(p) & int(d.events)
        while kinds:
            n = put(out, n, actions.PLAY + lowest(kinds))
            kinds = without_lowest(kinds)
    elif what == phases.KEEP:
        kind = first_duplicate(r, s, side)
        if kind == NOBODY:
            return 0
        if placed_duplicate(d, p, kind):
            return put(out, n, actions.KEEP + kind)  # it goes: the placed one is kept
        kinds = counted_kinds(s, side) & int(d.twins[kind])
        while kinds:
            n = put(out, n, actions.KEEP + lowest(kinds))
            kinds = without_lowest(kinds)
    elif what == phases.PLACE:
        if not has_effect(s, ops.MUST_PLACE, side, NOBODY) or places(r, s, side, True, out, 0) == 0:
            n = put(out, n, actions.DONE)
        n = places(r, s, side, False, out, n)
    elif what == phases.VENTURE:
        if has_effect(s, ops.NO_VENTURE, side, NOBODY):
            return put(out, n, actions.VENTURE)
        for from_reserve in range(int(p.reserve) + 1):
            for from_completed in range(int(p.completed) + 1):
                if is_full(out, n):
                    return n
                if from_reserve + from_completed or p.reserve + p.completed == 0:
                    n = put(out, n, actions.VENTURE + 8 * from_reserve + from_completed)
    else:
        if not has_effect(s, ops.NO_CONCEDE, side, NOBODY):
            n = put(out, n, actions.CONCEDE)
        n = put(out, n, actions.FIGHT)
    return n


@jit
def places(r, s, side, front_only, out, n):
    """Cards of the hand that can be placed on characters, or on those of the Front Line."""
    p = s.players[side]
    held = hand_bits(p)
    for character in range(TEAM_SIZE):
        if not p.alive[character] or (front_only and not p.front[character]):
            continue
        kinds = kinds_to_place(r, s, side, character, held)
        while kinds and not is_full(out, n):
            n = put(out, n, actions.PLACE + KINDS * character + lowest(kinds))
            kinds = without_lowest(kinds)
    return n


@jit
def note_all_placed(r, s, side):
    """Who has to place whatever he can and stops has nothing that could be placed on the Front Line."""
    d, p = r.decks[side], s.players[side]
    if not has_effect(s, ops.MUST_PLACE, side, NOBODY):
        return
    for character in range(TEAM_SIZE):
        if p.alive[character] and p.front[character]:
            for kind in range(int(d.kinds)):
                if may_place(r, s, side, character, kind):
                    rule_out(p, kind)


@jit
def kinds_to_place(r, s, side, character, held):
    """Those of these kinds that can be placed on a character, as bits."""
    d = r.decks[side]
    found = 0
    if not int(s.in_play) & CHANGES_PLACING:
        placed = placed_bits(s.players[side], character)
        for sort in range(SORTS):
            if not placed & int(d.of_sort[sort]):
                found |= int(d.carries[character, sort])
        return found & held if cards_on(s.players[side], character) < PLACED else 0
    while held:
        kind = lowest(held)
        held = without_lowest(held)
        if may_place(r, s, side, character, kind):
            found |= 1 << kind
    return found


@jit
def may_place(r, s, side, character, kind):
    """Only cards that the character can use; any-character Specials only where they, or an effect, say so."""
    d = r.decks[side]
    if not can_ever_use(r, s, side, character, kind):
        return False
    if is_anybodys(s, d, side, kind) and find_op(d, kind, ops.PLACEABLE) == NOBODY:
        if not has_effect(s, ops.PLACE_ANY, side, NOBODY) or find_op(d, kind, ops.FETCH) != NOBODY:
            return False
    return free_slot(s, d, side, character, kind) != NOBODY


@jit
def effect_choices(r, s, f, what, side, out):
    """Choices that a card's program asks for, and the ladder."""
    o = r.decks[int(f.deck)].ops[int(f.at)]
    n = 0
    if what == phases.PICK_PLACED:
        n = placed_to_lose(r, s, f, o, side, out)
    elif what == phases.PICK_DISCARD:
        n = cards_to_discard(r, s, f, o, side, out)
    elif what == phases.HEAL or what == phases.PICK_HIT:
        n = hits_to_choose(r, s, f, o, side, out)
    elif what == phases.FETCH:
        n = cards_to_fetch(r, s, f, o, side, out)
    elif what == phases.CHOOSE_TYPE:
        for t in range(TYPES):
            n = put(out, n, actions.TYPE + t)
    elif what == phases.LADDER:
        for number in range(most_to_completed(r, s.players[side], int(f.left)) + 1):
            n = put(out, n, actions.NUMBER + number)
    elif what == phases.EITHER:
        for number in range(int(f.bonus)):
            n = put(out, n, actions.NUMBER + number)
    elif what == phases.PICK:
        for character in range(TEAM_SIZE):
            if may_pick(s, o, side, int(f.user), character, True):
                n = put(out, n, actions.OWN + character)
        for character in range(TEAM_SIZE):
            if may_pick(s, o, side, int(f.user), character, False):
                n = put(out, n, actions.FOE + character)
    elif what == phases.UNDO:
        n = specials_in_effect(r, s, f, o, side, out, hits_to_choose(r, s, f, o, side, out))
    elif what == phases.WHICH:
        while n <= MISSIONS and card_with_number(r, s, n) != NOBODY:
            n = put(out, n, actions.NUMBER + n)
    return n


@jit
def placed_to_lose(r, s, f, o, side, out):
    """Placed cards of the enemy that the clause speaks of."""
    enemy = s.players[1 - side]
    n = 0
    for character in range(TEAM_SIZE):
        if f.target != NOBODY and character != f.target:
            continue
        kinds = placed_bits(enemy, character)
        while kinds:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            if o.op == ops.STEAL and not can_steal(r, s, o, side, int(f.user), kind):
                continue
            if card_fits(r.decks[1 - side], o, kind):
                n = put(out, n, actions.TAKE_PLACED + KINDS * character + kind)
    return n


@jit
def cards_to_discard(r, s, f, o, side, out):
    """Own cards that the clause speaks of, in hand or also placed; a cost is paid with cards that the user can use."""
    d, p = r.decks[side], s.players[side]
    n = 0
    for kind in range(int(d.kinds)):
        if p.hand[kind] and card_fits(d, o, kind) and (f.types == 0 or int(d.printed[kind]) & int(f.types)):
            if o.op != ops.COST or pays(r, s, o, side, kind, int(f.user)):
                n = put(out, n, actions.DISCARD + kind)
    if o.op != ops.DISCARD_ANY:
        return n
    for character in range(TEAM_SIZE):
        kinds = placed_bits(p, character)
        while kinds:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            if card_fits(d, o, kind) and (f.types == 0 or int(d.printed[kind]) & int(f.types)):
                n = put(out, n, actions.DISCARD_PLACED + KINDS * character + kind)
    return n


@jit
def hits_to_choose(r, s, f, o, side, out):
    """Kinds of hits, on own or enemy characters, that the clause speaks of."""
    hit_side = side_of_choice(o, side)
    base = actions.OWN_HIT if hit_side == side else actions.FOE_HIT
    n = 0
    for on in range(TEAM_SIZE):
        for kind in range(int(r.decks[1 - hit_side].kinds)):
            for i in range(int(s.hits_n)):
                hit = s.hits[i]
                if hit.kind == kind and lies_on(hit, hit_side, on) and can_be_chosen(s, f, o, hit_side, hit):
                    n = put(out, n, base + KINDS * on + kind)
                    break
    return n


@jit
def cards_to_fetch(r, s, f, o, side, out):
    """Kinds in a pile, own or the enemy's, that the clause allows to be chosen."""
    owner = int(f.target)
    d, p = r.decks[owner], s.players[owner]
    source, destination = source_of(o), destination_of(o)
    kept = int(o.number) - int(f.left) if destination == TOP else 0
    n = 0
    if o.marks & FETCH_ANY:
        n = put(out, n, actions.DONE)
    kinds = kinds_to_fetch(r, s, o, owner, int(f.user), hand_bits(p))
    for kind in range(int(d.kinds)):
        if kinds >> kind & 1 and count_in(p, source, kind, kept):
            n = put(out, n, (actions.FETCH if owner == side else actions.FOE_CARD) + kind)
    return n


@jit
def kinds_to_fetch(r, s, o, side, user, held):
    """What this user may search for with this clause, if his hand is this one, as bits."""
    held |= placed_and_counted(s.players[side])
    into_hand = destination_of(o) == TO_HAND
    d = r.decks[side]
    kinds, found = kinds_to_find(d, o, user), 0
    while kinds:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        if o.marks & (FETCH_OWN | FETCH_USABLE) and is_anybodys(s, d, side, kind):
            continue
        if o.marks & FETCH_USABLE and not team_can_use(r, s, side, kind):
            continue
        if o.marks & FETCH_PLAYABLE and not could_play(r, s, side, user, kind):
            continue
        if into_hand and not o.marks & FETCH_KEEP and is_duplicate(r, s, side, kind, held):
            continue
        found |= only(kind)
    return found


@jit
def could_play(r, s, side, user, kind):
    """Could this character play this card now, if he had it in hand?"""
    if is_out_of_reach(s, side, int(r.decks[side].card_class[kind]), False):
        return False
    f = push(s, phases.FOLLOW, side)
    f.users = 1 << user
    f.marks = phases.NO_ANY_HERO
    found = is_allowed(r, s, side, f, kind) and can_play_by(r, s, side, f, kind, user)
    pop(s)
    return found


@jit
def specials_in_effect(r, s, f, o, side, out, n):
    """Enemy Specials in effect that can be negated."""
    for kind in range(int(r.decks[1 - side].kinds)):
        for i in range(int(s.effects_n)):
            if s.effects[i].kind == kind and can_undo_effect(r, s, i, o, side, int(f.user)):
                n = put(out, n, actions.FOE_CARD + kind)
                break
    return n
