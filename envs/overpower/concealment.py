"""Attacks that lie face down until they have been answered.

The play waits in `State.concealed`, and its cards stay where they were; what is told of the attack is only who makes it
and on whom. When the other side has answered, the attack is made, and then it is seen what the answer is worth.
"""

from overworlds.envs.core.kernel import jit
from overworlds.envs.core.rng import below
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.attacks import guard_of, launch, new_target
from overworlds.envs.overpower.frames import pop, push, top
from overworlds.envs.overpower.icons import TYPES
from overworlds.envs.overpower.piles import is_placed
from overworlds.envs.overpower.plays import (
    can_play_by,
    combines_parts,
    declarable_types,
    is_allowed,
    is_attack,
    partner_works,
    play_targets,
)
from overworlds.envs.overpower.programs import run
from overworlds.envs.overpower.state import HAND, NOBODY, UNTYPED
from overworlds.envs.overpower.usage import has_effect, is_multi, is_out_of_reach


@jit
def is_face_down(s):
    """Does the attack that waits for an answer lie face down?"""
    return s.concealed.kind != NOBODY


@jit
def copy_play(source, target):
    """All of a play."""
    target.kind, target.place, target.user, target.type = source.kind, source.place, source.user, source.type
    target.partner, target.partner_place, target.target = source.partner, source.partner_place, source.target
    target.doubled = source.doubled


@jit
def lies_face_down(r, s, side):
    """Is the complete play an attack with a number that nobody is to see? A placed card has been seen by everybody."""
    play = s.play
    if not has_effect(s, ops.FACE_DOWN, side, int(play.user)) or play.place != HAND or play.type == UNTYPED:
        return False
    if not is_attack(r.decks[side], int(play.kind)) or s.attack.others[0] != NOBODY:
        return False
    if combines_parts(r.decks[side], int(play.kind)):
        return False
    return guard_of(s, 1 - side, new_target(s, 1 - side, int(play.target))) == NOBODY  # who asks for no answer


@jit
def conceal(s, side):
    """The attack is declared face down: the other side learns who attacks whom, and has to answer."""
    pop(s)
    copy_play(s.play, s.concealed)
    play, a = s.play, s.attack
    a.side, a.user, a.target = side, play.user, new_target(s, 1 - side, int(play.target))
    a.shifted = a.target != play.target
    a.kind = a.partner = play.partner = NOBODY
    play.type = play.doubled = 0
    a.numeric = 1
    a.value = a.types = a.icons = a.classes = a.hit_value = a.hit_icons = 0
    a.barred = a.need = a.need_icons = a.damage = a.twice = a.back = a.helped = a.parts = a.holds = 0
    push(s, phases.DEFEND, 1 - side)


@jit
def turn_up(r, s):
    """The answer has been given: if the attack lay face down, it is made now.

    A MultiPower card then is of whatever type the defender likes best: of all its types at once.
    """
    if not is_face_down(s):
        return
    a, answer = s.attack, s.play
    target, shifted, helped = int(a.target), int(a.shifted), int(a.helped)
    kind, place, user = int(answer.kind), int(answer.place), int(answer.user)
    top(s).side = a.side
    copy_play(s.concealed, s.play)
    launch(r, s)
    while top(s).what == phases.RUN:
        run(r, s)
    s.concealed.kind = NOBODY
    a.target, a.shifted, a.helped = target, shifted, helped
    if is_multi(r.decks[int(a.side)], int(a.kind)):
        a.types = int(a.types) | int(r.decks[int(a.side)].icons[int(a.kind)])
    answer.kind, answer.place, answer.user, answer.partner = kind, place, user, NOBODY


# ---------------------------------------------------------------- what its target cannot know


@jit
def is_about_answer(f):
    """Does this frame ask for the answer to an attack, or carry out a card that answers it?"""
    if f.what == phases.RUN:
        return f.marks & phases.SHOWN != 0
    return f.what >= phases.DEFEND and f.what <= phases.SHIFT


@jit
def permit(s):
    """The frame that allowed the attack: beneath those that ask for the answer."""
    i = int(s.depth) - 1
    while i > 0 and is_about_answer(s.frames[i]):
        i -= 1
    return s.frames[i]


@jit
def redraw_concealed(r, s, side, rng):
    """Choose at random among the attacks by the same character on the same that could lie there; were there any?"""
    d, p, play, f = r.decks[side], s.players[side], s.concealed, permit(s)
    user, found = int(play.user), 0
    for kind in range(int(d.kinds)):
        if p.hand[kind] == 0 or not is_allowed(r, s, side, f, kind) or not can_play_by(r, s, side, f, kind, user):
            continue
        if is_out_of_reach(s, side, int(d.card_class[kind]), False):
            continue
        if any_way(r, s, side, f, kind):
            found += int(p.hand[kind])
            if below(rng, found) < p.hand[kind]:
                play.kind = kind
    if found:
        choose_way(r, s, side, f, rng)
    return found > 0


@jit
def any_way(r, s, side, f, kind):
    """Could an attack with this card, alone or with another, lie there?"""
    d = r.decks[side]
    for partner in range(NOBODY, int(d.kinds)):
        if types_of_way(r, s, side, f, kind, partner):
            return True
    return False


@jit
def types_of_way(r, s, side, f, kind, partner):
    """As which types an attack with these cards could lie there, as bits."""
    d, p, play = r.decks[side], s.players[side], s.concealed
    user, found = int(play.user), 0
    if not is_attack(d, kind) or combines_parts(d, kind):
        return 0
    if partner != NOBODY:
        if partner == kind and p.hand[kind] < 2 and not is_placed(p, user, kind):
            return 0
        if not partner_works(r, s, side, f, kind, user, partner, HAND):
            if not partner_works(r, s, side, f, kind, user, partner, user):
                return 0
    types = declarable_types(r, s, side, f, kind, user, partner)
    for t in range(TYPES + 1):
        if types >> t & 1 and play_targets(r, s, side, f, kind, user, partner, 1 << t) >> int(play.target) & 1:
            found |= 1 << t
    return found


@jit
def choose_way(r, s, side, f, rng):
    """With which second card, or none, and as which type? One of the possible ways at random."""
    d, play = r.decks[side], s.concealed
    kind, user, found = int(play.kind), int(play.user), 0
    for partner in range(NOBODY, int(d.kinds)):
        types = types_of_way(r, s, side, f, kind, partner)
        for t in range(TYPES + 1):
            if types >> t & 1:
                found += 1
                if below(rng, found) == 0:
                    play.partner, play.type = partner, 1 << t
    play.place = play.partner_place = HAND
    if play.partner != NOBODY and not partner_works(r, s, side, f, kind, user, int(play.partner), HAND):
        play.partner_place = user
