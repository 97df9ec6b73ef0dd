"""Which of several cards of one name is meant: hits on one character, or Specials of the enemy in effect.

They are told apart by numbers. Of hits those of the Permanent Record come first, then those of this battle; within a
battle the smaller values, then by who scored them. Specials in effect are in the order in which they were played, told
apart by who played them and all that they do. Where there is no difference, there is one number for all of them.
"""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import phases
from overworlds.envs.overpower.conditions import can_undo_effect, can_undo_hit
from overworlds.envs.overpower.frames import below_top, top
from overworlds.envs.overpower.hits import by_of, can_be_healed, chosen_hit, hit_fits, lies_on, on_of
from overworlds.envs.overpower.icons import FOE_TEAM, SELF
from overworlds.envs.overpower.state import HIT_CHOSEN, HIT_CURRENT, NOBODY, TEAM_SIZE
from overworlds.envs.overpower.usage import are_of_one_play
from overworlds.envs.overpower.words import CURRENT, ELSEWHERE, EQUAL


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
def hit_with_number(s, f, which, o, number):
    """The place of the hit meant that has this number; NOBODY if there are not so many."""
    side, on, kind = side_of_choice(o, int(f.side)), int(which.target), int(which.chosen)
    found, last = NOBODY, NOBODY
    for _ in range(number + 1):
        found, least = NOBODY, 0
        for i in range(int(s.hits_n)):
            hit = s.hits[i]
            if hit.kind != kind or not lies_on(hit, side, on) or not can_be_chosen(s, f, o, side, hit):
                continue
            mark = mark_of_hit(hit)
            if mark > last and (found == NOBODY or mark < least):
                found, least = i, mark
        if found == NOBODY:
            return NOBODY
        last = least
    return found


@jit
def next_clause(s, i, after):
    """The next effect behind this place that the same play has left; NOBODY if there is none."""
    for j in range(after + 1, int(s.effects_n)):
        if are_of_one_play(s.effects[i], s.effects[j]):
            return j
    return NOBODY


@jit
def are_alike(one, other):
    """Do two effects of the same card do the same to the same characters?"""
    return (
        one.op == other.op
        and one.side == other.side
        and one.who == other.who
        and one.by == other.by
        and one.amount == other.amount
        and one.number == other.number
        and one.types == other.types
        and one.icons == other.icons
        and one.asleep == other.asleep
    )


@jit
def are_alike_throughout(s, i, j):
    """Do the plays that have left these two effects of one card do the same, clause by clause?"""
    i, j = next_clause(s, i, -1), next_clause(s, j, -1)
    while i != NOBODY and j != NOBODY:
        if not are_alike(s.effects[i], s.effects[j]):
            return False
        i, j = next_clause(s, i, i), next_clause(s, j, j)
    return i == j


@jit
def special_with_number(r, s, f, which, o, number):
    """The first place in effect of the Special meant that has this number; NOBODY if there are not so many."""
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.kind != which.chosen or not can_undo_effect(r, s, i, o, int(f.side), int(f.user)):
            continue
        is_new = True
        for j in range(i):
            other = s.effects[j]
            if other.kind == e.kind and can_undo_effect(r, s, j, o, int(f.side), int(f.user)):
                is_new = is_new and not are_alike_throughout(s, i, j)
        number -= int(is_new)
        if number < 0:
            return i
    return NOBODY


@jit
def card_with_number(r, s, number):
    """The place, among hits or effects, of the card meant that has this number; NOBODY if there are not so many.

    The top frame asks which card is meant, and the one below for any.
    """
    f, which = below_top(s), top(s)
    o = r.decks[int(f.deck)].ops[int(f.at)]
    if which.target == NOBODY:
        return special_with_number(r, s, f, which, o, number)
    return hit_with_number(s, f, which, o, number)
