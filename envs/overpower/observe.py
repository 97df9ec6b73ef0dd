"""What a player of OverPower sees: a flat row of small numbers, everything from the own seat."""

from overworlds.envs.core.kernel import OBSERVE, OVER, jit, kernel
from overworlds.envs.overpower import layout, ops, phases
from overworlds.envs.overpower.frames import below_top, top
from overworlds.envs.overpower.hits import (
    damage_on,
    lies_on,
    on_of,
    points_to_ko,
    side_of,
    survivors,
    venture_total,
)
from overworlds.envs.overpower.icons import ATTACK, CLASSES, DEFENCE, HERO, TYPES, VILLAIN
from overworlds.envs.overpower.piles import cards_on, hand_size
from overworlds.envs.overpower.state import (
    FEATURES,
    GIFT,
    HAND,
    HIT_CURRENT,
    KINDS,
    KNOWN_TOP,
    NOBODY,
    PLACED,
    RULES,
    STATE,
    TEAM_SIZE,
)
from overworlds.envs.overpower.usage import has_effect, modifier
from overworlds.envs.overpower.which import side_of_choice

MOST = 127


@jit
def write_player(r, s, side, out, at):
    """Counts that everybody sees."""
    p = s.players[side]
    out[at] = s.head.to_move == side
    out[at + 1] = s.first == side
    out[at + 2] = p.passed
    out[at + 3] = min(hand_size(r.decks[side], p), MOST)
    out[at + 4] = min(int(p.draw_n), MOST)
    out[at + 5] = p.reserve
    out[at + 6] = p.completed
    out[at + 7] = p.defeated
    out[at + 8] = p.risk_reserve
    out[at + 9] = p.risk_completed
    out[at + 10] = min(venture_total(s, side), MOST)
    out[at + 11] = min(int(p.total), MOST)
    out[at + 12] = survivors(p)
    out[at + 13] = p.event != NOBODY


@jit
def write_character(r, s, side, on, hidden_front, out, at):
    """A character with its ratings, hits and what is going on around it."""
    d, p, a = r.decks[side], s.players[side], s.attack
    out[at] = p.alive[on]
    out[at + 1] = 1 if hidden_front else p.front[on]
    for t in range(TYPES):
        out[at + 2 + t] = p.grid[on, t]
        out[at + 6 + t] = d.grid[on, t]
    out[at + 10] = d.code[on] == HERO
    out[at + 11] = d.code[on] == VILLAIN
    now = types = 0
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if lies_on(hit, side, on):
            types |= int(hit.icons)
            if hit.marks & HIT_CURRENT:
                now += int(hit.value)
    damage = damage_on(s, side, on)
    out[at + layout.DAMAGE] = min(damage, MOST)
    out[at + 13] = min(now, MOST)
    write_types(types, out, at + 14)
    out[at + layout.LIMIT_LEFT] = max(-MOST, min(points_to_ko(r, s, side, on) - damage, MOST))
    out[at + 20] = has_effect(s, ops.NO_ATTACK, side, on)
    out[at + 21] = cards_on(p, on)
    out[at + 22] = modifier(r, s, side, on, ATTACK, 1, 0, 0, 0, 0, NOBODY)
    out[at + 23] = modifier(r, s, side, on, DEFENCE, 1, 0, 0, 0, 0, NOBODY)
    out[at + 24] = has_effect(s, ops.NO_ATTACK_ON, side, on) or has_effect(s, ops.ONLY_ATTACK_ON, side, on)
    if is_attacked(s):
        out[at + 25] = a.side == side and a.user == on
        out[at + 26] = a.side != side and a.target == on
    elif is_which(s):
        out[at + 26] = side_of_which(r, s) == side and top(s).target == on


@jit
def write_types(types, out, at):
    """The four power types and Any-Power, 1 for each that is among these bits."""
    for t in range(TYPES + 1):
        out[at + t] = types >> t & 1


@jit
def is_attacked(s):
    """Is an attack waiting for an answer, or for its details?"""
    if s.depth == 0 or s.head.to_move == OVER:
        return False
    what = top(s).what
    return what >= phases.DEFEND and what <= phases.SHIFT


@jit
def write_attack(s, seat, out, at):
    """The attack that waits for an answer."""
    a = s.attack
    if not is_attacked(s):
        return
    out[at] = a.value
    out[at + 1] = a.numeric
    write_types(int(a.types), out, at + 2)
    write_types(int(a.icons), out, at + 7)
    write_types(int(a.barred), out, at + 12)
    for c in range(CLASSES):
        out[at + 17 + c] = int(a.classes) >> c & 1
    out[at + 24] = a.shifted
    for flag in range(4):
        out[at + 25 + flag] = int(a.need) >> flag & 1
    write_types(int(a.need_icons), out, at + 29)
    out[at + 34] = a.side == seat
    out[at + 35] = a.hit_value
    out[at + 36] = a.twice


@jit
def is_draft(s):
    """Is a play or a defence being put together? Only its player sees it, and what he is asked about it."""
    what = top(s).what
    return (what >= phases.USER and what <= phases.TARGET) or what == phases.DEFENDER or what == phases.DEFEND_PARTNER


@jit
def is_drafting(s, seat):
    """Is this seat putting a play or a defence together?"""
    return s.depth > 0 and s.head.to_move == seat and is_draft(s)


@jit
def is_carried_out(s):
    """Does a card that is being carried out ask for something?"""
    return s.depth > 0 and s.head.to_move != OVER and top(s).what >= phases.PICK_PLACED


@jit
def is_which(s):
    """Is it asked which of several cards of one name is meant?"""
    return is_carried_out(s) and top(s).what == phases.WHICH


@jit
def side_of_which(r, s):
    """On whose characters these cards are hits; their player's opponent's, too, if they are Specials in effect."""
    f = top(s)
    return side_of_choice(r.decks[int(f.deck)].ops[int(f.at)], int(f.side))


@jit
def question(s, seat):
    """The pending question as this seat sees it: of a play that another puts together, only that he has the choice."""
    return below_top(s) if is_draft(s) and s.head.to_move != seat else top(s)


@jit
def write_play(s, seat, out, at):
    """The play that its player is putting together."""
    if not is_drafting(s, seat):
        return
    play = s.play
    out[at] = 1
    out[at + 1] = play.place != HAND
    if play.user != NOBODY:
        out[at + 2 + int(play.user)] = 1
    write_types(int(play.type), out, at + 2 + TEAM_SIZE)


@jit
def write_top(p, known, out, at):
    """The cards on top of a Draw Pile that the viewer knows, as bits, the top one first."""
    for i in range(KNOWN_TOP):
        if known >> i & 1:
            out[at + i] = 1 + int(p.draw[int(p.draw_n) - 1 - i])


@jit
def copy_stretch(numbers, out):
    """What a kind of card is, or an ability: most of an observation are such plain stretches of bytes."""
    for i in range(len(numbers)):
        out[i] = numbers[i]


@jit
def write_cards(r, s, side, mine, out, at):
    """Every kind of a deck: where its copies are, as far as the viewer may know, and what it is."""
    d, p = r.decks[side], s.players[side]
    width = layout.CARD
    open_hand = mine or has_effect(s, ops.OPEN_HAND, side, NOBODY)
    features = d.features.reshape(KINDS * FEATURES)
    column = 5 if mine else 1
    for i in range(int(p.draw_n)):
        out[at + width * int(p.draw[i]) + column] += 1
    for kind in range(int(d.kinds)):
        card = at + width * kind
        if open_hand:
            out[card] = p.hand[kind]
        else:
            out[card] = p.known[kind]
        if mine:
            out[card + 1] = p.known[kind]
        else:
            out[card + 1] += p.hand[kind]
        out[card + 2] = p.pack[kind]
        out[card + 3] = p.dead[kind]
        out[card + 4] = p.removed[kind]
        copy_stretch(features[kind * FEATURES : (kind + 1) * FEATURES], out[card + layout.ABOUT :])


@jit
def write_table(s, side, out, at):
    """Where the cards of a side lie on the table: placed, and as hits on the enemy."""
    p = s.players[side]
    for on in range(TEAM_SIZE):
        for slot in range(PLACED):
            kind = int(p.placed[on, slot])
            if kind != NOBODY:
                out[at + layout.CARD * kind + layout.PLACED_ON + on] += 1
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if side_of(hit) != side:
            out[at + layout.CARD * int(hit.kind) + layout.HITS_ON + on_of(hit)] += 1
            if hit.marks & HIT_CURRENT:
                out[at + layout.CARD * int(hit.kind) + layout.NEW_HITS_ON + on_of(hit)] += 1


@jit
def mark(kind, column, out, at):
    """Mark a kind of card, if there is one."""
    if kind != NOBODY:
        out[at + layout.CARD * int(kind) + column] = 1


@jit
def write_use(r, s, side, seat, known, out, at):
    """Which cards of a side are in the attack, in the viewer's own play or carried out, and on top of the Draw Pile."""
    p = s.players[side]
    if is_attacked(s) and s.attack.side == side:
        mark(s.attack.kind, layout.IN_ATTACK, out, at)
        mark(s.attack.partner, layout.IN_ATTACK + 1, out, at)
        for i in range(len(s.attack.others)):
            mark(s.attack.others[i], layout.IN_ATTACK + 1, out, at)
    if side == seat and is_drafting(s, seat):
        mark(s.play.kind, layout.IN_PLAY, out, at)
        mark(s.play.partner, layout.IN_PLAY + 1, out, at)
        for i in range(len(s.attack.others) if s.attack.side == side else 0):
            if s.attack.others[i] != NOBODY:
                mark(int(s.attack.others[i]) % KINDS, layout.IN_PLAY + 1, out, at)
    if is_carried_out(s):
        f = top(s)
        if f.deck == side:
            mark(f.kind, layout.IN_PLAY, out, at)
        if f.what == phases.WHICH and side != side_of_which(r, s):
            mark(f.chosen, layout.IN_PLAY + 1, out, at)
    if known:
        mark(p.draw[int(p.draw_n) - 1], layout.NEXT, out, at)


@kernel(OBSERVE)
def observe(rules, state, seat, out):
    """Write the observation of this seat."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    out[:] = 0
    if s.head.to_move != OVER:
        out[int(question(s, seat).what)] = 1
    at = phases.COUNT
    out[at] = min(int(s.battle), MOST)
    if r.battle_limit:
        out[at + 1] = 100 * int(s.battle) // int(r.battle_limit)
    if s.depth and s.head.to_move != OVER:
        out[at + 2] = question(s, seat).left
    at += 3
    choosing = s.head.to_move != OVER and s.depth > 0 and top(s).what == phases.RESERVE
    for i in range(2):
        write_player(r, s, seat if i == 0 else 1 - seat, out, at)
        at += layout.PLAYER
    for i in range(2):
        side = seat if i == 0 else 1 - seat
        for on in range(TEAM_SIZE):
            write_character(r, s, side, on, choosing and i == 1, out, at)
            at += layout.CHARACTER
    write_attack(s, seat, out, at)
    at += layout.ATTACK
    write_play(s, seat, out, at)
    at += layout.PLAY
    tops = (1 << KNOWN_TOP) - 1
    known = (1 << min(int(s.players[seat].stacked), KNOWN_TOP)) - 1, int(s.players[1 - seat].spied) & tops
    for i in range(2):
        side = seat if i == 0 else 1 - seat
        write_top(s.players[side], known[i], out, at)
        at += KNOWN_TOP
    for i in range(2):
        side = seat if i == 0 else 1 - seat
        copy_stretch(r.decks[side].gifts.reshape(TEAM_SIZE * GIFT), out[at:])
        at += TEAM_SIZE * GIFT
    for i in range(2):
        side = seat if i == 0 else 1 - seat
        write_cards(r, s, side, i == 0, out, at)
        write_table(s, side, out, at)
        write_use(r, s, side, seat, known[i] & 1, out, at)
        at += KINDS * layout.CARD
