"""Who stands where: characters change places, fall and return by card effects."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops
from overworlds.envs.overpower.hits import has_hit, knock_out, move_to, on_of, side_of, survivors
from overworlds.envs.overpower.icons import BOTH, FOE, MATE, TARGET
from overworlds.envs.overpower.lasting import add_inherent
from overworlds.envs.overpower.state import NOBODY, TEAM_SIZE
from overworlds.envs.overpower.usage import count_bits, front_bits, has_effect, set_grids
from overworlds.envs.overpower.words import FALLEN, HITTER, SPARE


@jit
def reserve_of(s, side):
    """The Reserve character, not one that an effect keeps there, or NOBODY."""
    p = s.players[side]
    for character in range(TEAM_SIZE):
        if p.alive[character] and not p.front[character] and not has_effect(s, ops.BENCH, side, character):
            return character
    return NOBODY


@jit
def switch(s, side, character):
    """A Front Line character and the Reserve change places."""
    p = s.players[side]
    reserve = reserve_of(s, side)
    if reserve != NOBODY and character != NOBODY and p.front[character]:
        p.front[character] = 0
        p.front[reserve] = 1


@jit
def bring_reserve_in(s, side):
    """The Reserve joins the Front Line for this battle."""
    p = s.players[side]
    reserve = reserve_of(s, side)
    if reserve != NOBODY:
        p.front[reserve] = 1
        p.visitor = reserve


@jit
def sacrifice(r, s, side, character):
    """A character is knocked out and the Reserve, if there is one, takes its place at once; not the last one."""
    p = s.players[side]
    if character == NOBODY or survivors(p) < 2:
        return
    reserve = reserve_of(s, side)
    knock_out(r, s, side, character)
    p.front[character] = 0
    if reserve != NOBODY:
        p.front[reserve] = 1


@jit
def substitute(r, s, side, user, fallen):
    """A character falls in place of a teammate who has just been knocked out: they change places, but hits stay."""
    p = s.players[side]
    for i in range(int(s.hits_n)):
        hit = s.hits[i]
        if side_of(hit) == side and (on_of(hit) == user or on_of(hit) == fallen):
            move_to(hit, fallen if on_of(hit) == user else user)
    knock_out(r, s, side, user)
    p.front[user], p.front[fallen] = p.front[fallen], p.front[user]
    p.alive[fallen] = 1
    add_inherent(r, s, side, fallen)
    set_grids(r, s)


@jit
def may_pick(s, o, side, user, character, own):
    """Can this own or enemy character be chosen for a clause?"""
    p = s.players[side if own else 1 - side]
    if o.marks & FALLEN:
        return own and not p.alive[character]
    if o.marks & HITTER:
        return not own and p.alive[character] == 1 and has_hit(s, side, user, character)
    if not p.alive[character] or not p.front[character]:
        return False
    if o.marks & SPARE and count_bits(front_bits(p)) < 2:
        return False
    if o.scope == BOTH:
        return True
    if o.scope == FOE or o.scope == TARGET:
        return not own
    return own and (o.scope != MATE or character != user)
