"""The kernels of OverPower: dealing, legal actions, a step, and redrawing what a player cannot know."""

from overworlds.envs.core.kernel import LEGAL, OVER, RESAMPLE, RESET, STEP, jit, kernel
from overworlds.envs.core.rng import below, seed_rng
from overworlds.envs.overpower import actions, ops, phases
from overworlds.envs.overpower.attacks import launch, settle_attack
from overworlds.envs.overpower.battle import (
    climb,
    concede,
    keep,
    next_stage,
    pass_turn,
    place,
    placed_duplicate,
    play_event,
    venture,
    who_goes_first,
)
from overworlds.envs.overpower.defence import block, defend, react, shift_to
from overworlds.envs.overpower.frames import below_top, pop, push, top
from overworlds.envs.overpower.hits import hit_fits, return_hit
from overworlds.envs.overpower.icons import EVENT, FOE, GAME, SELF
from overworlds.envs.overpower.options import options
from overworlds.envs.overpower.piles import discard_from_hand, put_away, shuffle, take_card
from overworlds.envs.overpower.plays import declarable_types, is_attack, may_have_partner
from overworlds.envs.overpower.programs import add_effect, run
from overworlds.envs.overpower.state import (
    HAND,
    KINDS,
    LANDED,
    MISSIONS,
    NOBODY,
    PLACED,
    RULES,
    STATE,
    TEAM_SIZE,
    UNTYPED,
)
from overworlds.envs.overpower.usage import set_grids, team_can_use
from overworlds.envs.overpower.words import CURRENT, EVERYWHERE

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
    """Inherent abilities are effects that last as long as their character (rule 73)."""
    for side in range(2):
        d = r.decks[side]
        for character in range(TEAM_SIZE):
            for i in range(int(d.inherent_n[character])):
                o = d.ops[int(d.inherent_at[character]) + i]
                f = push(s, phases.RUN, side)
                f.user = character
                if o.scope == FOE:
                    add_effect(r, s, f, o, 1 - side, NOBODY)
                elif o.scope == SELF and o.op != ops.VENTURE:
                    add_effect(r, s, f, o, side, character)
                else:
                    add_effect(r, s, f, o, side, NOBODY)
                e = s.effects[int(s.effects_n) - 1]
                e.until = GAME
                if o.op == ops.ON_KO_VENTURE:
                    e.side, e.who = side, character
                pop(s)


@kernel(RESET)
def reset(rules, state, seed):
    """Shuffle both decks; each player then chooses a Reserve."""
    state[:] = 0
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    seed_rng(s.head.rng, seed)
    s.head.seed = seed
    s.head.players = 2
    s.conceded = s.play.partner = s.attack.partner = s.attack.target = s.attack.kind = NOBODY
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
            settle_attack(r, s, LANDED)
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
        if action >= actions.PLAY_PLACED:
            play.partner_place, play.partner = divmod(action - actions.PLAY_PLACED, KINDS)
        elif action != actions.ALONE:
            play.partner, play.partner_place = action - actions.PLAY, HAND
        ask_type(r, s, f, side)
    elif what == phases.TYPE:
        play.type = 1 << (action - actions.TYPE)
        f.what = phases.TARGET
    else:
        play.target = action - (actions.FOE if is_attack(r.decks[side], int(play.kind)) else actions.OWN)
        launch(r, s)


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
    p = s.players[side]
    f.left -= 1
    if what == phases.PICK_PLACED:
        character, kind = divmod(action - actions.TAKE_PLACED, KINDS)
        take_card(s, 1 - side, kind, character)
        put_away(r, s, 1 - side, kind)
    elif what == phases.PICK_DISCARD:
        discard_from_hand(r, s, side, action - actions.DISCARD)
    elif what == phases.HEAL:
        o = r.decks[side].ops[int(f.at)]
        on, kind = divmod(action - actions.HEAL, KINDS)
        remove_one_hit(r, s, o, side, on, kind)
    elif what == phases.FETCH:
        fetch(s, p, action - actions.FETCH)
    elif what == phases.CHOOSE_TYPE:
        below_top(s).chosen = 1 << (action - actions.TYPE)
    else:
        won = int(f.left) + 1
        f.left = 0
        climb(r, s, side, won, action - actions.NUMBER)
    if f.left <= 0:
        pop(s)


@jit
def remove_one_hit(r, s, o, side, on, kind):
    """One such hit goes back to whoever scored it."""
    record = o.marks & CURRENT == 0
    current = o.marks & (CURRENT | EVERYWHERE) != 0
    for i in range(int(s.hits_n)):
        if s.hits[i].kind == kind and hit_fits(s.hits[i], o, side, on, record, current):
            return_hit(r, s, i)
            return


@jit
def fetch(s, p, kind):
    """A card of the Draw Pile comes into the hand, and the pile is shuffled."""
    n = int(p.draw_n)
    for i in range(n):
        if p.draw[i] == kind:
            p.draw[i] = p.draw[n - 1]
            p.draw_n = n - 1
            p.hand[kind] += 1
            break
    shuffle(p, s.head.rng)


# ---------------------------------------------------------------- the kernels


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
        n = options(r, s, s.found)
        if n == 0:
            pop(s)
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


@jit
def is_plausible(r, s, side, kind):
    """Could this card be in the hand, given that duplicates and unusable cards have been discarded?"""
    d, p = r.decks[side], s.players[side]
    if not p.checked:
        return d.card_class[kind] != EVENT or s.stage < phases.EVENT_SECOND
    if not team_can_use(r, s, side, kind) or placed_duplicate(d, p, kind):
        return False
    for other in range(int(d.kinds)):
        if p.hand[other] and d.same[other] == d.same[kind]:
            return False
    return True


@jit
def redeal(r, s, side, rng):
    """Mix the unknown cards of a hand with its Draw Pile, and deal the hand again, without duplicates if possible."""
    d, p = r.decks[side], s.players[side]
    wanted = 0
    for kind in range(int(d.kinds)):
        for _ in range(int(p.hand[kind]) - int(p.known[kind])):
            p.draw[int(p.draw_n)] = kind
            p.draw_n += 1
            wanted += 1
        p.hand[kind] = p.known[kind]
    shuffle(p, rng)
    for strict in range(2):
        i = int(p.draw_n) - 1
        while i >= 0 and wanted:
            kind = int(p.draw[i])
            if strict == 1 or is_plausible(r, s, side, kind):
                p.hand[kind] += 1
                p.draw_n -= 1
                p.draw[i] = p.draw[int(p.draw_n)]
                wanted -= 1
            i -= 1
    shuffle(p, rng)


@kernel(RESAMPLE)
def resample(rules, state, seat, seed):
    """Redraw the opponent's hand and both Draw Piles' order, and all chance to come."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    seed_rng(s.head.rng, seed)
    s.head.seed = seed
    rng = s.head.rng
    foe = 1 - seat
    if s.head.to_move == OVER:
        return
    if top(s).what == phases.RESERVE and seat == 1:
        for character in range(TEAM_SIZE):
            s.players[0].front[character] = 1
        s.players[0].front[below(rng, TEAM_SIZE)] = 0
    shuffle(s.players[seat], rng)
    redeal(r, s, foe, rng)
