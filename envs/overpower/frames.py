"""The stack of what is pending. The top frame is dealt with first."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.icons import ANY, FOUR, POWER, SPECIAL
from overworlds.envs.overpower.piles import put_away
from overworlds.envs.overpower.state import DEPTH, LANDED, NOBODY, OTHERS
from overworlds.envs.overpower.usage import front_mates


@jit
def top(s):
    """The frame to deal with now."""
    return s.frames[int(s.depth) - 1]


@jit
def below_top(s):
    """The frame that the top one serves."""
    return s.frames[int(s.depth) - 2]


@jit
def push(s, what, side):
    """Ask this side something next. With no room left (a chain of extra attacks beyond all reason) the top is lost."""
    if s.depth < DEPTH:
        s.depth += 1
    f = top(s)
    f.what, f.side, f.deck = what, side, side
    f.user = f.target = f.kind = NOBODY
    f.users = f.types = f.bonus = f.next_bonus = f.marks = f.holds = f.chosen = f.serial = 0
    f.classes = 127
    f.targets = FOUR  # all four enemy characters
    f.left = 1
    f.at = f.end = 0
    return f


@jit
def ask_to_keep(s, side):
    """Duplicates are to be discarded: as long as there are any, which one does this side keep?"""
    s.players[side].cleared = 0
    push(s, phases.KEEP, side)


@jit
def ask_follow_up(s, d, side, kind, user):
    """What follows this card. Teamwork: one or two Power cards of teammates. Ally: a Special of a teammate (rules 46
    and 47)."""
    f = push(s, phases.FOLLOW, side)
    f.users = front_mates(s.players[side], user)
    f.marks = phases.MUST
    if d.follow_types[kind]:
        f.classes = POWER
        f.chosen = kind
        f.types = int(d.follow_types[kind]) | ANY
        f.left = 2
        f.bonus, f.next_bonus = d.bonus[kind], d.second_bonus[kind]
        f.marks = phases.MUST | phases.EACH_ONCE | phases.TYPES_ONCE | phases.NO_UNIVERSE | phases.TEAMWORK
    else:
        f.classes = SPECIAL
        f.marks = phases.MUST | phases.NO_ANY_HERO
    return f


@jit
def teamwork_of(f):
    """The Teamwork card that this frame follows up, or NOBODY."""
    return int(f.chosen) if f.marks & phases.TEAMWORK else NOBODY


@jit
def pop(s):
    """This is settled."""
    s.depth -= 1


@jit
def does_more_with_a_hit(r, s):
    """Has a Special just hit that does something then?"""
    f = top(s)
    if s.result != LANDED or f.what != phases.RUN or f.at >= f.end:
        return False
    return r.decks[int(f.deck)].ops[int(f.at)].op == ops.ON_HIT


@jit
def clear_table(r, s):
    """The battle is over: whatever was pending is not, and cards in mid-air are discarded. What a Special does that has
    just hit is done all the same, but for further attacks."""
    goes_on = s.depth > 0 and does_more_with_a_hit(r, s)
    for i in range(int(s.depth) - int(goes_on)):
        f = s.frames[i]
        if f.what == phases.RUN and f.holds:
            put_away(r, s, int(f.deck), int(f.kind))
    if goes_on:
        s.frames[0] = top(s)
        s.frames[0].marks = int(s.frames[0].marks) | phases.LAST
    s.depth = int(goes_on)
    a = s.attack
    if a.holds:
        put_away(r, s, int(a.side), int(a.kind))
    if a.partner != NOBODY:
        put_away(r, s, int(a.side), int(a.partner))
    for i in range(OTHERS):
        if a.others[i] != NOBODY:
            put_away(r, s, int(a.side), int(a.others[i]))
            a.others[i] = NOBODY
    s.concealed.kind = NOBODY
    a.holds = 0
    a.partner = a.kind = NOBODY
    if not goes_on:
        a.target = NOBODY
