"""Hits, knock-outs and the Venture Total."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, words
from overworlds.envs.overpower.icons import ANY, BATTLE, POWER, SPECIAL
from overworlds.envs.overpower.piles import discard_placed, put_away
from overworlds.envs.overpower.sight import show_all
from overworlds.envs.overpower.state import (
    HIT_CHOSEN,
    HIT_CURRENT,
    HIT_MULTI,
    HIT_POWER,
    HIT_SPECIAL,
    NOBODY,
    TEAM_SIZE,
    character_hit,
    hitter,
    note_hit,
    side_hit,
)
from overworlds.envs.overpower.usage import (
    are_of_one_play,
    concerns,
    fits,
    is_in_play,
    is_multi,
    note_in_play,
    set_grids,
)

ANY_VALUE = -1
"""The set of all values."""
side_of, on_of, by_of, note_who = jit(side_hit), jit(character_hit), jit(hitter), jit(note_hit)


@jit
def move_to(hit, on):
    """The hit lies in front of another character of the same side now."""
    note_who(hit, side_of(hit), on, by_of(hit))


@jit
def lies_on(hit, side, on):
    """Does the hit lie in front of this character?"""
    return int(hit.who) // TEAM_SIZE == side * TEAM_SIZE + on


@jit
def add_hit(r, s, side, on, kind, value, icons, by, damage, serial):
    """A card of the other side stays in front of a character (rule 55); it was played with this number, or 0."""
    d = r.decks[1 - side]
    hit = s.hits[int(s.hits_n)]
    s.hits_n += 1
    note_who(hit, side, on, by)
    hit.kind, hit.value, hit.icons, hit.damage, hit.serial = kind, value, icons, damage, serial
    flags = HIT_CURRENT
    if d.card_class[kind] == POWER:
        flags |= HIT_POWER
    if d.card_class[kind] == SPECIAL:
        flags |= HIT_SPECIAL
    if is_multi(d, kind):
        flags |= HIT_MULTI
    hit.marks = flags


@jit
def drop_hit(s, i):
    """Forget a hit; the card is the caller's business. The last one takes its place."""
    s.hits_n -= 1
    s.hits[i] = s.hits[int(s.hits_n)]


@jit
def return_hit(r, s, i):
    """A hit goes back to the player who scored it, and to his discard pile."""
    owner, kind = 1 - side_of(s.hits[i]), int(s.hits[i].kind)
    drop_hit(s, i)
    put_away(r, s, owner, kind)


@jit
def hit_class(hit):
    """The class of the card that hit, for filters."""
    if hit.marks & HIT_POWER:
        return POWER
    return SPECIAL if hit.marks & HIT_SPECIAL else 0


@jit
def counts_for_ko(s, hit, stat):
    """Inherent abilities may leave hits out of account; stat 1: cumulative, 2: spectrum."""
    if not is_in_play(s, ops.KO_EXCLUDE):
        return True
    side, on = side_of(hit), on_of(hit)
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.KO_EXCLUDE and e.stat & stat != 0 and concerns(e, side, on):
            pure = 0 if hit.marks & HIT_MULTI else int(hit.icons)
            if fits(e, hit_class(hit), pure, pure, int(hit.value), 1, int(hit.marks) & HIT_MULTI):
                return False
    return True


@jit
def damage_on(s, side, on):
    """The hits of a character that count for a KO, added up."""
    return points_of_hits(s, side, on, False)


@jit
def points_of_hits(s, side, on, all_count):
    """The same, or all hits, whatever an inherent ability leaves out of account."""
    total = 0
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if lies_on(hit, side, on) and (all_count or counts_for_ko(s, hit, 1)):
            total += int(hit.value) + int(hit.damage)
    return total


@jit
def reachable(pure, free, fused, wanted):
    """Can the hits stand for all the wanted types at once? ``free``: multi-type hits, by their icons, four bits each.

    By Hall's theorem: for every set of wanted types not covered by pure hits there must be as many hits
    that could take one of them.
    """
    wanted &= ~pure
    subset = wanted
    while subset:
        takers = 1 if fused & subset else 0
        for icons in range(16):
            if icons & subset:
                takers += free >> (4 * icons) & 15
        size = 0
        for t in range(4):
            size += subset >> t & 1
        if takers < size:
            return False
        subset = (subset - 1) & wanted
    return True


@jit
def retyped(s, side, on, multi):
    """The type that an effect gives to Any-Power hits on this character, or to MultiPower hits; 0 if none does."""
    if not is_in_play(s, ops.RETYPE):
        return 0
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.RETYPE and e.multi == multi and concerns(e, side, on):
            return int(e.types)
    return 0


@jit
def spectrum(s, side, on, more, all_count):
    """How many power types a character's hits can stand for, as the attacker likes best (rules 57, 74, 76 to 78).

    ``more`` is the icon of one more hit, or 0; ``all_count`` as above.
    """
    pure, fused, free = more, 0, 0
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if not lies_on(hit, side, on) or not (all_count or counts_for_ko(s, hit, 2)):
            continue
        icons = int(hit.icons)
        if hit.marks & HIT_MULTI:
            icons |= retyped(s, side, on, 1)
        if icons & ANY or icons == 0:
            pure |= retyped(s, side, on, 0)
        elif hit.marks & HIT_MULTI:
            fused |= icons  # a three-icon card picks up the fourth icon from one that has it
        elif icons & (icons - 1) == 0:
            pure |= icons
        elif free >> (4 * icons) & 15 < 4:
            free += 1 << (4 * icons)
    best = 0
    for wanted in range(16):
        size = 0
        for t in range(4):
            size += wanted >> t & 1
        if size > best and reachable(pure, free, fused, wanted):
            best = size
    return best


@jit
def points_to_ko(r, s, side, on):
    """How many points of hits knock this character out (rule 56), as effects have changed it."""
    limit, more = int(r.ko_limit), 0
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if concerns(e, side, on):
            if e.op == ops.KO_LIMIT:
                limit = max(limit, int(e.amount))
            elif e.op == ops.KO_LIMIT_PLUS:
                more += int(e.amount)
    return limit + more


@jit
def is_knocked_out(r, s, side, on):
    """Are this character's hits enough?"""
    return would_fall(r, s, side, on, 0, 0)


@jit
def would_fall(r, s, side, on, points, icon):
    """Cumulative and Spectrum KO (rules 56 and 57), as effects have changed them for this character, with one more hit
    of so many points and with this icon."""
    need, immune = int(r.spectrum), 0
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if concerns(e, side, on):
            if e.op == ops.SPECTRUM_NEED:
                need = int(e.amount)
            elif e.op == ops.KO_IMMUNE:
                immune |= int(e.stat)
    if damage_on(s, side, on) + points >= points_to_ko(r, s, side, on) and not immune & 1:
        return True
    if spectrum(s, side, on, icon, False) >= need and not immune & 2:
        return True
    if points_of_hits(s, side, on, True) + points < int(r.ko_limit):
        return False
    return spectrum(s, side, on, icon, True) >= int(r.spectrum)  # both at once, whatever protects (ruling 31)


@jit
def drop_effect(r, s, i):
    """An effect ends; the card that lay there is discarded, unless something else of it lasts. The others keep their
    order."""
    e = s.effects[i]
    side, kind, holds = int(e.by_side), int(e.kind), e.holds
    for j in range(int(s.effects_n)):
        if holds and j != i and are_of_one_play(e, s.effects[j]):
            s.effects[j].holds, holds = 1, 0
    if e.op == ops.BENCH:
        s.players[int(e.side)].front[int(e.who)] = 1
    elif e.op == ops.OPEN_HAND:
        show_all(r.decks[int(e.side)], s.players[int(e.side)])  # it is not forgotten
    for j in range(i, int(s.effects_n) - 1):
        s.effects[j] = s.effects[j + 1]
    s.effects_n -= 1
    if holds:
        put_away(r, s, side, kind)


@jit
def has_power_hit(s, side, on, values):
    """Is there a Power card of one of these values, given as bits, in this character's record?"""
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if lies_on(hit, side, on) and hit.marks & HIT_POWER and not hit.marks & HIT_CURRENT:
            if values >> int(hit.value) & 1:
                return True
    return False


@jit
def has_hit(s, side, on, by):
    """Has this enemy hit this character in this battle?"""
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if lies_on(hit, side, on) and by_of(hit) == by and hit.marks & HIT_CURRENT:
            return True
    return False


@jit
def falls_with(e, side, on):
    """Does an effect end with this character: what is about it, its ability, attacks that were to go to it?

    What is about all others goes on without it, and who fights for one battle only does so whatever becomes of him.
    """
    if e.kind == NOBODY and e.until != BATTLE and e.by_side == side and e.by == on:
        return True
    if e.side != side or e.op == ops.GUEST:
        return False
    return (e.who == on and not e.marks & words.OTHERS) or (e.op == ops.REDIRECT and e.number == on)


@jit
def knock_out(r, s, side, on):
    """What happens to a knocked-out character's cards, hits and effects (rule 58)."""
    p = s.players[side]
    p.alive[on] = 0
    discard_placed(r, s, side, on)
    for i in range(int(s.hits_n) - 1, -1, -1):
        hit = s.hits[i]
        if lies_on(hit, side, on) and not hit.marks & HIT_CURRENT:
            return_hit(r, s, i)
    for i in range(int(s.effects_n) - 1, -1, -1):
        e = s.effects[i]
        if e.op == ops.ON_KO_VENTURE and e.side == side and e.who == on:
            e.op, e.who, e.until = ops.VENTURE, NOBODY, BATTLE
            note_in_play(s, ops.VENTURE)
            if e.amount < 0:
                e.side = 1 - side
        elif falls_with(e, side, on):
            drop_effect(r, s, i)
    set_grids(r, s)


@jit
def venture_total(s, side):
    """Printed values of this battle's hits on the other side, and what effects add (rule 62)."""
    total = 0
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if side_of(hit) == side or not hit.marks & HIT_CURRENT:
            continue
        times = 1
        for j in range(int(s.effects_n)):
            e = s.effects[j]
            if e.side != side or e.asleep:
                continue
            if e.op == ops.VENTURE_EXCLUDE or e.op == ops.VENTURE_DOUBLE:
                pure = 0 if hit.marks & HIT_MULTI else int(hit.icons)
                if fits(e, hit_class(hit), pure, int(hit.icons), int(hit.value), 1, 0):
                    if e.op == ops.VENTURE_EXCLUDE:
                        times = 0
                    elif e.by == by_of(hit) and times:
                        times = 2  # and not more
        total += times * int(hit.value)
    for j in range(int(s.effects_n)):
        e = s.effects[j]
        if e.op == ops.VENTURE and e.side == side and not e.asleep:
            total += int(e.amount)
    return max(total, 0)


@jit
def hits_that_fit(s, o, side, on, record, current):
    """How many hits on a character an effect could remove."""
    n = 0
    for i in range(int(s.hits_n)):
        if hit_fits(s.hits[i], o, side, on, record, current):
            n += 1
    return n


@jit
def can_be_healed(hit, o, side, on, chosen):
    """May a clause remove this hit, from this character or (NOBODY) from any of this side?"""
    record = o.marks & words.CURRENT == 0
    current = o.marks & (words.CURRENT | words.EVERYWHERE) != 0
    if o.marks & words.CHOSEN and not int(hit.icons) & chosen:
        return False
    if o.marks & words.UP_TO and hit.value > chosen:
        return False
    return hit_fits(hit, o, side, on_of(hit) if on == NOBODY else on, record, current)


@jit
def hit_fits(hit, o, side, on, record, current):
    """Is this a hit on this character of the kind the clause speaks of?"""
    if not lies_on(hit, side, on):
        return False
    if not (current if hit.marks & HIT_CURRENT else record):
        return False
    icons = int(hit.icons)
    return fits(o, hit_class(hit), icons, icons, int(hit.value), 1, icons & (icons - 1))


# ---------------------------------------------------------------- hits that change places


@jit
def is_moved(hit, o, side):
    """Is this a hit of a record that moves with others: a pure one of a type, if the clause names one?"""
    return hit_fits(hit, o, side, on_of(hit), True, False) and (o.types == 0 or hit.icons == o.types)


@jit
def gather_hits(s, o, side, on):
    """Record hits of the Front Line that the clause speaks of move to one character."""
    p = s.players[side]
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if side_of(hit) == side and p.front[on_of(hit)] and p.alive[on_of(hit)] and is_moved(hit, o, side):
            move_to(hit, on)


@jit
def swap_records(s, side, one, other):
    """Two characters exchange their Permanent Records."""
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if side_of(hit) == side and not hit.marks & HIT_CURRENT:
            if on_of(hit) == one:
                move_to(hit, other)
            elif on_of(hit) == other:
                move_to(hit, one)


@jit
def chosen_hit(s, after):
    """The first chosen hit behind this one; NOBODY if there is none."""
    for i in range(after + 1, int(s.hits_n)):
        if s.hits[i].marks & HIT_CHOSEN:
            return i
    return NOBODY


@jit
def swap_chosen_hits(s):
    """The two chosen hits change places, and battles: one may be of the record, the other of this battle."""
    one = chosen_hit(s, -1)
    other = chosen_hit(s, one) if one != NOBODY else NOBODY
    if other != NOBODY:
        a, b = s.hits[one], s.hits[other]
        on, current = on_of(a), int(a.marks) & HIT_CURRENT
        move_to(a, on_of(b))
        a.marks = (int(a.marks) & ~HIT_CURRENT) | (int(b.marks) & HIT_CURRENT)
        move_to(b, on)
        b.marks = (int(b.marks) & ~HIT_CURRENT) | current


@jit
def move_chosen_hit(s, on):
    """The chosen hit moves to another character."""
    i = chosen_hit(s, -1)
    if i != NOBODY:
        move_to(s.hits[i], on)


@jit
def forget_chosen_hits(s):
    """The choice has been used."""
    for i in range(int(s.hits_n)):
        s.hits[i].marks = int(s.hits[i].marks) & ~HIT_CHOSEN


@jit
def survivors(p):
    """How many characters a player has left."""
    n = 0
    for character in range(TEAM_SIZE):
        n += int(p.alive[character])
    return n
