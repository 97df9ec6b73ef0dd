"""The kernels of OverPower: dealing, legal actions, a step, and redrawing what a player cannot know."""

from overworlds.envs.core.kernel import LEGAL, OVER, RESAMPLE, RESET, STEP, borrowed, jit, kernel
from overworlds.envs.core.rng import below, seed_rng
from overworlds.envs.overpower import actions, ops, phases
from overworlds.envs.overpower.attacks import add_other, check_all, launch, settle_attack
from overworlds.envs.overpower.battle import (
    climb,
    concede,
    next_stage,
    pass_turn,
    place,
    play_event,
    venture,
)
from overworlds.envs.overpower.clearing import end_clearing, keep
from overworlds.envs.overpower.concealment import conceal, is_face_down, lies_face_down, turn_up
from overworlds.envs.overpower.defence import block, defend, react, shift_to
from overworlds.envs.overpower.frames import below_top, pop, push, top
from overworlds.envs.overpower.hits import return_hit
from overworlds.envs.overpower.lasting import add_inherent, undo, undo_hit
from overworlds.envs.overpower.options import kinds_to_fetch, note_all_placed, options
from overworlds.envs.overpower.piles import (
    DRAW_PILE,
    IN_HAND,
    TO_HAND,
    TOP,
    destination_of,
    discard_from_hand,
    put_away,
    put_in,
    shuffle,
    shuffle_below,
    source_of,
    take_card,
    take_from,
)
from overworlds.envs.overpower.plays import (
    combines_parts,
    declarable_types,
    is_attack,
    may_have_partner,
    note_nothing_to_follow,
)
from overworlds.envs.overpower.programs import rule_out_all, run
from overworlds.envs.overpower.redealing import redeal_concealed, redeal_hand, reshuffle
from overworlds.envs.overpower.sight import join_unseen, known_bits, show_all
from overworlds.envs.overpower.state import (
    HAND,
    HIT_CHOSEN,
    KINDS,
    LANDED,
    MISSIONS,
    NOBODY,
    OTHERS,
    PARTS,
    PLACED,
    RULES,
    STATE,
    TEAM_SIZE,
    UNTYPED,
)
from overworlds.envs.overpower.usage import has_effect, more_bonus, set_grids, types_by_ratings
from overworlds.envs.overpower.which import card_with_number

# ---------------------------------------------------------------- dealing


@jit
def set_up_player(r, s, side):
    """A shuffled Draw Pile, seven Missions in Reserve, four characters."""
    d, p = r.decks[side], s.players[side]
    n = 0
    for kind in range(int(d.kinds)):
        for _ in range(int(d.copies[kind])):
            p.draw[n] = kind
            n += 1
    p.draw_n = n
    shuffle(p, s.head.rng)
    p.reserve = MISSIONS
    p.event = p.visitor = NOBODY
    for character in range(TEAM_SIZE):
        p.alive[character] = 1
        p.front[character] = 1
        for slot in range(PLACED):
            p.placed[character, slot] = NOBODY


@jit
def apply_inherents(r, s):
    """Inherent abilities of both teams."""
    for side in range(2):
        for character in range(TEAM_SIZE):
            add_inherent(r, s, side, character)


@jit
def cut_value(r, s, side):
    """The value of a card cut at random; 0 if it has none (rule 21)."""
    p = s.players[side]
    return int(r.decks[side].value[int(p.draw[below(s.head.rng, int(p.draw_n))])])


@jit
def who_goes_first(r, s):
    """Whoever cuts the higher card; a tie is decided at random."""
    mine, his = cut_value(r, s, 0), cut_value(r, s, 1)
    if mine == his:
        return below(s.head.rng, 2)
    return 0 if mine > his else 1


@kernel(RESET)
def reset(rules, state, seed):
    """Shuffle both decks; each player then chooses a Reserve."""
    state[:] = 0
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    seed_rng(s.head.rng, seed)
    s.head.seed = seed
    s.head.players = 2
    s.conceded = s.concealed.kind = s.play.partner = s.attack.partner = s.attack.target = s.attack.kind = NOBODY
    for i in range(OTHERS):
        s.attack.others[i] = NOBODY
    for side in range(2):
        set_up_player(r, s, side)
    set_grids(r, s)
    apply_inherents(r, s)
    s.first = who_goes_first(r, s)
    s.stage = phases.SET_UP
    push(s, phases.RESERVE, 1)
    push(s, phases.RESERVE, 0)


# ---------------------------------------------------------------- carrying out a choice


@jit
def choose(r, s, action):
    """What the chosen id does under the top frame."""
    f = top(s)
    what, side = int(f.what), int(f.side)
    if what == phases.TURN:
        take_turn(r, s, side, action)
    elif what == phases.FOLLOW:
        if action == actions.DONE:
            pop(s)
        else:
            begin_play(r, s, side, action)
    elif what == phases.DEFEND:
        if action == actions.TAKE:
            turn_up(r, s)
            settle_attack(r, s, LANDED)
        elif action < actions.PLAY:
            s.attack.target, s.attack.shifted = action - actions.OWN, 1  # the Reserve takes it upon himself
        elif action < actions.PLAY_PLACED:
            defend(r, s, action - actions.PLAY, HAND)
        else:
            character, kind = divmod(action - actions.PLAY_PLACED, KINDS)
            defend(r, s, kind, character)
    elif what >= phases.USER and what <= phases.TARGET:
        go_on_with_play(r, s, f, what, side, action)
    elif what == phases.DEFENDER:
        react(r, s, action - actions.OWN)
    elif what == phases.DEFEND_PARTNER:
        choose_block_partner(r, s, action)
    elif what == phases.SHIFT:
        shift_to(s, action - actions.OWN)
    elif what >= phases.PICK_PLACED:
        choose_for_effect(r, s, f, what, side, action)
    else:
        prepare(r, s, what, side, action)


@jit
def prepare(r, s, what, side, action):
    """Choices before the first turn."""
    p = s.players[side]
    if what == phases.KEEP:
        keep(r, s, side, action - actions.KEEP)  # the frame stays until no duplicate is left
        return
    pop(s)
    if what == phases.RESERVE:
        p.front[action - actions.OWN] = 0
    elif what == phases.EVENT:
        play_event(r, s, side, action - actions.PLAY)
    elif what == phases.PLACE:
        if action == actions.DONE:
            p.placing = 0
            note_all_placed(r, s, side)
        else:
            character, kind = divmod(action - actions.PLACE, KINDS)
            place(s, r.decks[side], side, character, kind)
    elif what == phases.VENTURE:
        from_reserve, from_completed = divmod(action - actions.VENTURE, 8)
        venture(r, s, side, from_reserve, from_completed)
    elif action == actions.CONCEDE:
        concede(r, s, side)


@jit
def take_turn(r, s, side, action):
    """Pass, concede, or the first card of an offensive action."""
    if action == actions.PASS:
        pop(s)
        pass_turn(s, side)
    elif action == actions.CONCEDE:
        pop(s)
        concede(r, s, side)
    else:
        s.passes = 0
        begin_play(r, s, side, action)


@jit
def begin_play(r, s, side, action):
    """The first card is chosen; a placed one is played by the character it is placed on."""
    play = s.play
    play.partner, play.type, play.target = NOBODY, 0, NOBODY
    f = push(s, phases.USER, side)
    if action < actions.PLAY_PLACED:
        play.kind, play.place, play.user = action - actions.PLAY, HAND, NOBODY
        return
    character, kind = divmod(action - actions.PLAY_PLACED, KINDS)
    play.kind, play.place, play.user = kind, character, character
    ask_partner(r, s, f, side)


@jit
def ask_partner(r, s, f, side):
    """Next: a second card, if the first can have one."""
    if may_have_partner(r.decks[side], int(s.play.kind)):
        f.what = phases.PARTNER
    else:
        ask_type(r, s, f, side)


@jit
def ask_type(r, s, f, side):
    """Next: the type, unless there is none; then the target."""
    play = s.play
    types = declarable_types(r, s, side, below_top(s), int(play.kind), int(play.user), int(play.partner))
    f.what = phases.TYPE
    if types == UNTYPED:
        play.type = UNTYPED
        f.what = phases.TARGET


@jit
def go_on_with_play(r, s, f, what, side, action):
    """One more answer about the play; when all is known, it is made."""
    play = s.play
    if what == phases.USER:
        play.user = action - actions.OWN
        ask_partner(r, s, f, side)
    elif what == phases.PARTNER:
        if not add_card(r, s, side, action):
            ask_type(r, s, f, side)
    elif what == phases.TYPE:
        play.type = 1 << (action - actions.TYPE)
        f.what = phases.TARGET
    else:
        play.target = action - (actions.FOE if is_attack(r.decks[side], int(play.kind)) else actions.OWN)
        if lies_face_down(r, s, side):
            conceal(s, side)
        else:
            launch(r, s)


@jit
def add_card(r, s, side, action):
    """A second card joins the play, or none; is there a question for yet another?"""
    d, play = r.decks[side], s.play
    if action == actions.ALONE:
        return False
    place, kind = HAND, action - actions.PLAY
    if action >= actions.PLAY_PLACED:
        place, kind = divmod(action - actions.PLAY_PLACED, KINDS)
    of_parts = combines_parts(d, int(play.kind))
    if play.partner == NOBODY:
        play.partner, play.partner_place = kind, place
        return of_parts or has_effect(s, ops.COMBINE_BONUSES, side, int(play.user))
    return add_other(s, side, kind, place, PARTS - 1 if of_parts else OTHERS)


@jit
def choose_block_partner(r, s, action):
    """A block with one card or two."""
    if action == actions.ALONE:
        block(r, s, NOBODY, HAND)
    elif action < actions.PLAY_PLACED:
        block(r, s, action - actions.PLAY, HAND)
    else:
        character, kind = divmod(action - actions.PLAY_PLACED, KINDS)
        block(r, s, kind, character)


@jit
def choose_for_effect(r, s, f, what, side, action):
    """Choices that a card's program asked for, and the ladder."""
    o = r.decks[int(f.deck)].ops[int(f.at)]
    if what == phases.HEAL or what == phases.PICK_HIT or what == phases.UNDO:
        ask_which(s, f, action)
        return
    if what == phases.WHICH:
        chosen, is_hit = card_with_number(r, s, action - actions.NUMBER), f.target != NOBODY
        pop(s)
        take_chosen(r, s, chosen, is_hit)
        return
    f.left -= 1
    if action == actions.DONE:
        f.left = 0
    elif what == phases.PICK_PLACED:
        character, kind = divmod(action - actions.TAKE_PLACED, KINDS)
        take_card(r, s, 1 - side, kind, character)
        put_away(r, s, 1 - side, kind)
        if o.op == ops.STEAL:
            d = r.decks[1 - side]
            below_top(s).bonus = int(d.bonus[kind]) + more_bonus(s, side, int(f.user), int(d.card_class[kind]))
            below_top(s).chosen = types_by_ratings(d, kind, s.players[side], int(f.user))
    elif what == phases.PICK_DISCARD:
        discard_chosen(r, s, o, side, action)
    elif what == phases.FETCH:
        fetch(r, s, f, o, side, action)
    elif what == phases.CHOOSE_TYPE:
        below_top(s).chosen = 1 << (action - actions.TYPE)
    elif what == phases.EITHER:
        g = below_top(s)
        g.at = int(g.at) + action - actions.NUMBER
        g.end = int(g.at) + 1
    elif what == phases.PICK:
        own = action < actions.FOE
        below_top(s).target = action - (actions.OWN if own else actions.FOE)
        below_top(s).chosen = 1 if own else 0
    else:
        won = int(f.left) + 1
        f.left = 0
        climb(r, s, side, won, action - actions.NUMBER)
    if f.left <= 0:
        pop(s)


@jit
def discard_chosen(r, s, o, side, action):
    """A card of the hand, or a placed one, is discarded; what it was worth may matter for the rest."""
    character, kind = NOBODY, action - actions.DISCARD
    if action >= actions.DISCARD_PLACED:
        character, kind = divmod(action - actions.DISCARD_PLACED, KINDS)
    if character == NOBODY:
        discard_from_hand(r, s, side, kind)
    else:
        take_card(r, s, side, kind, character)
        put_away(r, s, side, kind)
    if o.op == ops.COST:
        below_top(s).chosen = r.decks[side].value[kind]


@jit
def ask_which(s, f, action):
    """A hit, or an enemy Special in effect, has been named. There may be several of that name: which one?"""
    g = push(s, phases.WHICH, int(f.side))
    g.deck, g.at, g.user, g.kind = f.deck, f.at, f.user, f.kind
    if action >= actions.FOE_CARD:
        g.chosen = action - actions.FOE_CARD
    else:
        g.target, g.chosen = divmod(action - (actions.FOE_HIT if action >= actions.FOE_HIT else actions.OWN_HIT), KINDS)


@jit
def take_chosen(r, s, chosen, is_hit):
    """A hit, or a Special in effect, is removed, or noted for what the card does with it."""
    f = top(s)
    what = int(f.what)
    f.left -= 1
    if f.left <= 0:
        pop(s)
    if what == phases.HEAL:
        return_hit(r, s, chosen)
    elif what == phases.PICK_HIT:
        s.hits[chosen].marks = int(s.hits[chosen].marks) | HIT_CHOSEN
    else:
        if is_hit:
            undo_hit(r, s, chosen)
        else:
            undo(r, s, chosen)
        check_all(r, s)  # what kept somebody from being knocked out may be gone


@jit
def fetch(r, s, f, o, side, action):
    """A chosen card leaves its pile for another."""
    owner = int(f.target)
    p = s.players[owner]
    kind = action - (actions.FETCH if owner == side else actions.FOE_CARD)
    source, destination = source_of(o), destination_of(o)
    kept = int(o.number) - int(f.left) - 1 if destination == TOP and source != IN_HAND else 0
    if source == IN_HAND and has_effect(s, ops.OPEN_HAND, owner, NOBODY):
        show_all(r.decks[owner], p)  # everybody sees what is left
    take_from(p, s.head.rng, source, kind, kept)
    if destination == TO_HAND and source == DRAW_PILE:
        join_unseen(p, kind, kinds_to_fetch(r, s, o, owner, int(f.user), known_bits(p)))
    else:
        put_in(p, s.head.rng, destination, kind, True)  # the other piles lie open
    if destination == TOP and source != IN_HAND:
        p.stacked = kept + 1
    below_top(s).chosen = kind


# ---------------------------------------------------------------- the kernels


@jit
def end_without_choice(r, s, f):
    """There is nothing to choose. Who has fewer cards to discard than he should has no more of them."""
    side = int(f.side)
    if f.what == phases.PICK_DISCARD:
        rule_out_all(r.decks[side], s.players[side], r.decks[int(f.deck)].ops[int(f.at)], int(f.types))
    elif f.what == phases.KEEP:
        end_clearing(r, s, side)
    elif f.what == phases.FOLLOW and f.marks & phases.MUST:
        note_nothing_to_follow(r, s, f, side)
    pop(s)


@jit
def advance(r, s):
    """Go on to the next real decision: with no choice the only option is taken, without options the frame ends."""
    while s.head.to_move != OVER:
        if s.depth == 0:
            next_stage(r, s)
            continue
        f = top(s)
        if f.what == phases.RUN:
            run(r, s)
            continue
        if f.what == phases.FALLING:
            pop(s)
            check_all(r, s)
            continue
        n = options(r, s, borrowed(s.found))
        if n == 0:
            end_without_choice(r, s, f)
        elif n == 1:
            choose(r, s, int(s.found[0]))
        else:
            s.head.to_move = f.side
            return


@kernel(LEGAL)
def legal(rules, state, out):
    """The ids of the legal actions, ascending."""
    s = state.view(STATE)[0]
    if s.head.to_move == OVER:
        return 0
    return options(rules.view(RULES)[0], s, out)


@kernel(STEP)
def step(rules, state, action):
    """Apply a legal action; where nothing is left to decide, go on to the next decision."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    s.head.ply += 1
    choose(r, s, action)
    advance(r, s)


# ---------------------------------------------------------------- what a player cannot know

HAND_BOUND = sum(
    1 << what
    for what in (
        phases.EVENT,
        phases.KEEP,
        phases.FOLLOW,
        phases.USER,
        phases.PARTNER,
        phases.TYPE,
        phases.TARGET,
        phases.DEFENDER,
        phases.DEFEND_PARTNER,
        phases.PICK_DISCARD,
        phases.FETCH,
    )
)
"""Decisions that could not be asked for with any other hand: a card of it is being played, kept or discarded."""


@kernel(RESAMPLE)
def resample(rules, state, seat, seed):
    """Redraw the opponent's hand and both Draw Piles' order, and all chance to come.

    The hand stays if it lies open, or if the opponent is deciding about a card of it at this very moment.
    """
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    seed_rng(s.head.rng, seed)
    s.head.seed = seed
    rng = s.head.rng
    foe = 1 - seat
    if s.head.to_move == OVER:
        return
    f = top(s)
    if f.what == phases.RESERVE and f.side == 1 and seat == 1:
        for character in range(TEAM_SIZE):
            s.players[0].front[character] = 1
        s.players[0].front[below(rng, TEAM_SIZE)] = 0
    shuffle_below(s.players[seat], rng, int(s.players[seat].stacked))
    must_block = f.what == phases.DEFEND and s.attack.helped > 0
    if has_effect(s, ops.OPEN_HAND, foe, NOBODY) or (f.side == foe and (HAND_BOUND >> int(f.what) & 1 or must_block)):
        reshuffle(s.players[foe], rng, 0)
    else:
        redeal_hand(r, s, foe, rng)
    if is_face_down(s) and s.attack.side == foe:
        redeal_concealed(r, s, foe, rng)
