"""Which of several cards of one name is meant: hits on one character, or Specials of the enemy in effect.

They are told apart by numbers: first those of the Permanent Record, then those of this battle; within a battle the
smaller values first, then by who scored them. Specials in effect are told apart by who played them and about whom
they are. Where there is no difference, there is one number for all of them.
"""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import phases
from overworlds.envs.overpower.conditions import can_undo_effect, can_undo_hit
from overworlds.envs.overpower.frames import below_top, top
from overworlds.envs.overpower.hits import by_of, can_be_healed, chosen_hit, hit_fits, lies_on, on_of
from overworlds.envs.overpower.icons import FOE_TEAM, SELF
from overworlds.envs.overpower.state import HIT_CHOSEN, HIT_CURRENT, NOBODY, TEAM_SIZE
from overworlds.envs.overpower.words import CURRENT, ELSEWHERE, EQUAL

ROOM_FOR_WHOM = (1 << 48) - 1
"""For eight clauses of a Special."""


@jit
def side_of_choice(o, side):
    """The side on whose characters the clause lets this side choose hits."""
    return 1 - side if o.scope == FOE_TEAM else side


@jit
def can_be_chosen(s, f, o, side, hit):
    """May this hit, on a character of this side, be chosen under this frame?"""
    if f.what == phases.HEAL:
        return can_be_healed(hit, o, side, int(f.target), int(f.chosen))
    if f.what == phases.UNDO:
        return can_undo_hit(hit, o, side, int(f.user))
    if hit.marks & HIT_CHOSEN:
        return False
    on = on_of(hit)
    if o.scope == SELF and on != f.user:
        return False
    if o.scope != SELF and not (s.players[side].alive[on] and s.players[side].front[on]):
        return False
    other = chosen_hit(s, -1)
    if other != NOBODY:
        if o.marks & EQUAL and hit.value != s.hits[other].value:
            return False
        if o.marks & ELSEWHERE and on == on_of(s.hits[other]):
            return False
    return hit_fits(hit, o, side, on, o.marks & CURRENT == 0, o.marks & CURRENT != 0)


@jit
def mark_of_hit(hit):
    """What tells a hit from others with the same card on the same character; in the record it does not matter whose
    it is."""
    if not hit.marks & HIT_CURRENT:
        return int(hit.value) * 128 + int(hit.damage)
    return ((128 + int(hit.value)) * 128 + int(hit.damage)) * TEAM_SIZE + by_of(hit)


@jit
def mark_of_effect(s, i):
    """What tells a Special in effect from others of the same name: who played it, about whom, with which type."""
    one = s.effects[i]
    mark, types, asleep = 0, 0, 0
    for j in range(int(s.effects_n)):
        e = s.effects[j]
        if e.by_side == one.by_side and e.serial == one.serial and e.kind == one.kind:
            types, asleep = types | int(e.types) | int(e.icons), asleep | int(e.asleep)
            mark = (mark * 64 + (int(e.who) + 1) * 8 + (int(e.number) & 7)) & ROOM_FOR_WHOM
    return ((int(one.by) * ROOM_FOR_WHOM + mark) * 32 + (types & 31)) * 2 + asleep


@jit
def mark_of(r, s, f, which, i):
    """The mark of a hit, or of an effect, if it is one of those meant; else NOBODY. This frame asks for one of them,
    and that one which."""
    o = r.decks[int(f.deck)].ops[int(f.at)]
    side = int(f.side)
    if which.target == NOBODY:
        e = s.effects[i]
        is_meant = e.kind == which.chosen and can_undo_effect(r, e, o, side, int(f.user))
        return mark_of_effect(s, i) if is_meant else NOBODY
    hit, side = s.hits[i], side_of_choice(o, side)
    if hit.kind != which.chosen or not lies_on(hit, side, int(which.target)) or not can_be_chosen(s, f, o, side, hit):
        return NOBODY
    return mark_of_hit(hit)


@jit
def card_with_number(r, s, number):
    """The place, among hits or effects, of the card meant that has this number; NOBODY if there are not so many."""
    f, which = below_top(s), top(s)
    n = int(s.effects_n) if which.target == NOBODY else int(s.hits_n)
    found, last = NOBODY, NOBODY
    for _ in range(number + 1):
        found, least = NOBODY, 0
        for i in range(n):
            mark = mark_of(r, s, f, which, i)
            if mark > last and (found == NOBODY or mark < least):
                found, least = i, mark
        if found == NOBODY:
            return NOBODY
        last = least
    return found
