"""What a player of OverPower sees: a flat row of small numbers, everything from the own seat."""

from overworlds.envs.core.kernel import OBSERVE, OVER, jit, kernel
from overworlds.envs.overpower import layout, ops, phases
from overworlds.envs.overpower.frames import top
from overworlds.envs.overpower.hits import damage_on, points_to_ko, survivors, venture_total
from overworlds.envs.overpower.icons import ATTACK, CLASSES, DEFENCE, HERO, TYPES, VILLAIN
from overworlds.envs.overpower.piles import hand_size
from overworlds.envs.overpower.state import (
    FEATURES,
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
        if hit.side == side and hit.on == on:
            types |= int(hit.icons)
            if hit.marks & HIT_CURRENT:
                now += int(hit.value)
    damage = damage_on(s, side, on)
    out[at + 12] = min(damage, MOST)
    out[at + 13] = min(now, MOST)
    out[at + 14] = types
    out[at + 15] = max(-MOST, min(points_to_ko(r, s, side, on) - damage, MOST))
    out[at + 16] = has_effect(s, ops.NO_ATTACK, side, on)
    for slot in range(PLACED):
        if p.placed[on, slot] != NOBODY:
            out[at + 17] += 1
    out[at + 18] = modifier(r, s, side, on, ATTACK, 1, 0, 0, 0, 0, NOBODY)
    out[at + 19] = modifier(r, s, side, on, DEFENCE, 1, 0, 0, 0, 0, NOBODY)
    out[at + 20] = has_effect(s, ops.NO_ATTACK_ON, side, on) or has_effect(s, ops.ONLY_ATTACK_ON, side, on)
    if is_attacked(s):
        out[at + 21] = a.side == side and a.user == on
        out[at + 22] = a.side != side and a.target == on


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
    for t in range(TYPES + 1):
        out[at + 2 + t] = int(a.types) >> t & 1
        out[at + 7 + t] = int(a.icons) >> t & 1
        out[at + 12 + t] = int(a.barred) >> t & 1
    for c in range(CLASSES):
        out[at + 17 + c] = int(a.classes) >> c & 1
    out[at + 24] = a.shifted
    out[at + 25] = int(a.need) & 1
    out[at + 26] = int(a.need) >> 1 & 1
    out[at + 27] = int(a.need) >> 2 & 1
    out[at + 28] = a.need_icons
    out[at + 29] = a.side == seat
    out[at + 30] = a.hit_value
    out[at + 31] = a.kind if a.kind != NOBODY else -1
    out[at + 32] = a.partner if a.partner != NOBODY else -1


@jit
def write_play(s, seat, out, at):
    """The play that its player is putting together; nobody else sees it yet."""
    if s.depth == 0 or s.head.to_move != seat:
        return
    what = top(s).what
    if not (what >= phases.USER and what <= phases.TARGET) and what != phases.DEFEND_PARTNER:
        return
    play = s.play
    out[at] = 1
    out[at + 1] = play.kind
    out[at + 2] = play.place
    out[at + 3] = play.user
    out[at + 4] = play.partner
    out[at + 5] = play.type


@jit
def write_top(p, known, out, at):
    """The cards on top of a Draw Pile that the viewer knows."""
    for i in range(known):
        out[at + i] = 1 + int(p.draw[int(p.draw_n) - 1 - i])


@jit
def write_cards(r, s, side, mine, out, at):
    """Every kind of a deck: where its copies are, as far as the viewer may know."""
    d, p = r.decks[side], s.players[side]
    width = layout.COUNTS
    open_hand = mine or has_effect(s, ops.OPEN_HAND, side, NOBODY)
    if mine:
        for i in range(int(p.draw_n)):
            out[at + width * int(p.draw[i]) + 5] += 1
    else:
        for i in range(int(p.draw_n)):
            out[at + width * int(p.draw[i]) + 1] += 1
    for kind in range(int(d.kinds)):
        if open_hand:
            out[at] = p.hand[kind]
        else:
            out[at] = p.known[kind]
        if mine:
            out[at + 1] = p.known[kind]
        else:
            out[at + 1] += p.hand[kind]
        out[at + 2] = p.pack[kind]
        out[at + 3] = p.dead[kind]
        out[at + 4] = p.removed[kind]
        at += width


@jit
def write_features(d, out):
    """What the kinds of a deck are. This is most of an observation, so it is one block to copy."""
    features = d.features.reshape(KINDS * FEATURES)
    for i in range(len(out)):
        out[i] = features[i]


@jit
def write_table(s, side, out, at):
    """What lies on a side's characters: placed cards, then hits."""
    p = s.players[side]
    for on in range(TEAM_SIZE):
        for slot in range(PLACED):
            kind = int(p.placed[on, slot])
            if kind != NOBODY:
                out[at + KINDS * on + kind] += 1
    at += TEAM_SIZE * KINDS
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if hit.side == side:
            out[at + KINDS * int(hit.on) + int(hit.kind)] += 1


@kernel(OBSERVE)
def observe(rules, state, seat, out):
    """Write the observation of this seat."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    out[:] = 0
    if s.head.to_move != OVER:
        out[int(top(s).what)] = 1
    at = phases.COUNT
    out[at] = min(int(s.battle), MOST)
    if r.battle_limit:
        out[at + 1] = 100 * int(s.battle) // int(r.battle_limit)
    if s.depth:
        out[at + 2] = top(s).left
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
    write_top(s.players[seat], int(s.players[seat].stacked), out, at)
    write_top(s.players[1 - seat], int(s.players[1 - seat].spied), out, at + KNOWN_TOP)
    at += 2 * KNOWN_TOP
    for i in range(2):
        side = seat if i == 0 else 1 - seat
        write_cards(r, s, side, i == 0, out, at)
        at += KINDS * layout.COUNTS
        write_features(r.decks[side], out[at : at + KINDS * FEATURES])
        at += KINDS * FEATURES
        write_table(s, side, out, at)
        at += 2 * TEAM_SIZE * KINDS
