"""Effects that last: how they begin, how they end."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, phases, words
from overworlds.envs.overpower.attacks import check_all, fall
from overworlds.envs.overpower.frames import pop, push
from overworlds.envs.overpower.hits import drop_effect, knock_out, return_hit, side_of
from overworlds.envs.overpower.icons import (
    BATTLE,
    BOTH,
    FOE,
    FOE_TEAM,
    GAME,
    MATE,
    NEXT_BATTLE,
    SELF,
    SELF_OR_MATE,
    TARGET,
    TEAM,
)
from overworlds.envs.overpower.state import EFFECTS, NOBODY, TEAM_SIZE
from overworlds.envs.overpower.usage import are_of_one_play, count_bits, front_bits, has_effect, note_in_play, set_grids

FRONT_LINE = 3
"""How many characters stand in front."""
MOST_SERIALS = 255
"""More than hits and effects there can be."""


@jit
def apply_lasting(r, s, f, o):
    """Put an effect on whomever the clause speaks of."""
    side, user, target = int(f.side), int(f.user), int(f.target)
    scope, enemy = int(o.scope), s.players[1 - side]
    if target == NOBODY and (scope == TARGET or scope == MATE or scope == SELF_OR_MATE):
        return
    if o.op == ops.KEEP_DUPLICATES and o.marks & words.FOUND and f.chosen == NOBODY:
        return  # nothing was found
    if o.op == ops.BENCH and (not enemy.front[target] or count_bits(front_bits(enemy)) < 2):
        return  # he is there already, or somebody has to stay
    if o.op == ops.NO_CONCEDE and s.conceded != NOBODY:
        resume_battle(s)
    give_serial(s, f)
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
    if s.stage == phases.BATTLE and (o.op == ops.RETYPE or (o.op == ops.KO_LIMIT_PLUS and o.amount < 0)):
        check_all(r, s)


@jit
def give_serial(s, f):
    """All that a card does has the same number, and nothing else on the table has."""
    if f.serial == 0:
        s.serial = int(s.serial) % MOST_SERIALS + 1
        while is_taken(s, int(s.serial)):
            s.serial = int(s.serial) % MOST_SERIALS + 1
        f.serial = s.serial


@jit
def is_taken(s, serial):
    """Does a hit or an effect have this number?"""
    for i in range(int(s.hits_n)):
        if s.hits[i].serial == serial:
            return True
    for i in range(int(s.effects_n)):
        if s.effects[i].serial == serial:
            return True
    return False


@jit
def add_effect(r, s, f, o, side, who):
    """One effect; the card that made it lies there as long as it lasts, unless it is a hit."""
    if s.effects_n >= EFFECTS:
        return
    e = s.effects[int(s.effects_n)]
    s.effects_n += 1
    note_in_play(s, int(o.op))
    e.op, e.scope, e.classes, e.types, e.icons = o.op, o.scope, o.classes, o.types, o.icons
    e.lo, e.hi, e.amount, e.number, e.until = o.lo, o.hi, o.amount, o.number, o.until
    e.stat, e.marks, e.numeric, e.multi, e.code = o.stat, o.marks, o.numeric, o.multi, o.code
    e.traits = o.traits
    if o.marks & words.TO_TARGET or (o.op == ops.BORROW and o.marks & words.FALLEN):
        e.number = f.target
    elif o.op == ops.FOCUS:
        e.number = NOBODY
    elif o.op == ops.KEEP_DUPLICATES and o.marks & words.FOUND:
        e.amount = int(f.chosen) + 1
    if o.marks & words.CHOSEN and o.op == ops.NO_USE:
        if o.classes:
            e.types = f.chosen
        else:
            e.icons = f.chosen
    e.side, e.who, e.by_side, e.by, e.kind = side, who, f.deck, f.user, f.kind
    e.holds, e.serial = f.holds, f.serial
    e.asleep = o.until == NEXT_BATTLE
    f.holds = 0
    if o.op == ops.GRID:
        set_grids(r, s)
    elif o.op == ops.BENCH:
        s.players[side].front[who] = 0


@jit
def add_inherent(r, s, side, character):
    """An inherent ability is an effect that lasts as long as its character (rule 73)."""
    d = r.decks[side]
    for i in range(int(d.inherent_n[character])):
        o = d.ops[int(d.inherent_at[character]) + i]
        if s.effects_n >= EFFECTS:
            return
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


@jit
def revive(r, s, side, character):
    """A knocked-out character returns, to the Front Line if there is room."""
    p = s.players[side]
    p.front[character] = 1 if count_bits(front_bits(p)) < FRONT_LINE else 0
    p.alive[character] = 1
    add_inherent(r, s, side, character)
    set_grids(r, s)


@jit
def receive_guests(r, s):
    """Knocked-out characters who fight in the battle that begins."""
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.GUEST and not e.asleep and not s.players[int(e.side)].alive[int(e.who)]:
            revive(r, s, int(e.side), int(e.who))
            s.players[int(e.side)].front[int(e.who)] = 1  # as a fourth one, if there are three


@jit
def stay_for_good(r, s, side, character):
    """Somebody who was to fight for one battle only will not leave with it."""
    for i in range(int(s.effects_n) - 1, -1, -1):
        e = s.effects[i]
        if e.op == ops.GUEST and e.side == side and e.who == character:
            drop_effect(r, s, i)


@jit
def send_guests_away(r, s):
    """They leave when the Missions have moved, unless they have fallen before."""
    for side in range(2):
        for on in range(TEAM_SIZE):
            if s.players[side].alive[on] and has_effect(s, ops.GUEST, side, on):
                knock_out(r, s, side, on)


@jit
def resume_battle(s):
    """A concession is not accepted: it was a turn, and the battle goes on with the other's."""
    s.stage = phases.BATTLE
    s.active = s.conceded
    s.conceded = NOBODY
    s.passes = 0


@jit
def undo(r, s, i):
    """An enemy Special in effect, of which this is the first effect, is negated: all it does ends, and who is here only
    by it leaves."""
    side, guest = int(s.effects[i].by_side), NOBODY
    for j in range(int(s.effects_n) - 1, i - 1, -1):
        e = s.effects[j]
        if are_of_one_play(s.effects[i], e):
            if e.op == ops.GUEST and not e.asleep and s.players[side].alive[int(e.who)]:
                guest = int(e.who)
            drop_effect(r, s, j)
    set_grids(r, s)
    if guest != NOBODY:
        fall(r, s, side, guest)


@jit
def undo_hit(r, s, i):
    """A hit with a Special is negated, and what it has left for its target or his team."""
    side, serial = side_of(s.hits[i]), int(s.hits[i].serial)
    for j in range(int(s.effects_n) - 1, -1, -1):
        e = s.effects[j]
        if serial and e.serial == serial and e.side == side:
            drop_effect(r, s, j)
    set_grids(r, s)
    return_hit(r, s, i)


@jit
def end_battle_effects(r, s):
    """Effects of this battle end; those for the next one begin."""
    for i in range(int(s.effects_n) - 1, -1, -1):
        e = s.effects[i]
        if e.until == BATTLE or (e.until == NEXT_BATTLE and not e.asleep):
            drop_effect(r, s, i)
    s.in_play = 0
    for i in range(int(s.effects_n)):
        s.effects[i].asleep = 0
        note_in_play(s, int(s.effects[i].op))
    set_grids(r, s)
