"""What a player has seen of the other's hand: the cards that were shown, and what is not among the others.

`Player.known` counts the cards of a hand that its opponent has seen. Of the others he may have seen what they are not:
`Player.absent[n]` is the set of kinds of which, all together, at most n of the unseen cards can be. A look at a hand
makes n 0, and with every card that comes into the hand unseen it grows by one.
"""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower.bits import only
from overworlds.envs.overpower.state import LOOKS


@jit
def join_hand(p, kind, seen):
    """A card comes into the hand, seen by the opponent or not."""
    p.hand[kind] += 1
    if seen:
        p.known[kind] += 1
        return
    for n in range(LOOKS - 1, 0, -1):
        p.absent[n] = p.absent[n - 1]
    p.absent[0] = 0


@jit
def leave_hand(p, kind):
    """A card leaves the hand, face up: one that the opponent had seen, if there was."""
    if p.known[kind] == 0:
        show(p, kind)
    p.hand[kind] -= 1
    p.known[kind] -= 1


@jit
def show(p, kind):
    """The opponent sees an unseen card of this kind: where it cannot have been there before, it came later."""
    p.known[kind] += 1
    for n in range(1, LOOKS):
        if int(p.absent[n]) >> kind & 1:
            p.absent[n - 1] = int(p.absent[n - 1]) | int(p.absent[n])


@jit
def rule_out(p, kind):
    """The opponent sees that no unseen card is of this kind."""
    for n in range(LOOKS):
        p.absent[n] = int(p.absent[n]) | only(kind)


@jit
def show_all(d, p):
    """The opponent sees the whole hand."""
    for kind in range(int(d.kinds)):
        p.known[kind] = p.hand[kind]
        rule_out(p, kind)


@jit
def note_tops(d, p):
    """Kinds of which all copies have been seen on top of the Draw Pile are not in the hand: deck lists are open."""
    for kind in range(int(d.kinds)):
        left = int(p.hand[kind]) - int(p.known[kind])
        seen = 0
        for i in range(int(p.draw_n)):
            if p.draw[i] == kind:
                left += 1
                seen += int(i >= p.draw_n - p.spied)
        if seen and seen == left:
            rule_out(p, kind)


@jit
def may_be_unseen(d, p, kind):
    """May one more unseen card of the hand be of this kind, after all that the opponent has seen?"""
    for n in range(LOOKS):
        if not int(p.absent[n]) >> kind & 1:
            continue
        such = 0
        for other in range(int(d.kinds)):
            if int(p.absent[n]) >> other & 1:
                such += int(p.hand[other]) - int(p.known[other])
        if such >= n:
            return False
    return True
