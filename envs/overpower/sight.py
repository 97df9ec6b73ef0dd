"""What a player has seen of the other's hand: the cards that were shown, and what is not among the others.

`Player.known` counts the cards of a hand that its opponent has seen. Of the others he may have seen what they are not:
`Player.absent[n]` is the set of kinds of which, all together, at most n of the unseen cards can be. A look at a hand
makes n 0, and with every card that comes into the hand unseen it grows by one, unless it is known to be none of them.
Each of these sets contains those before it, so that a hand can be dealt card by card without ever getting stuck.
`Player.promised` is what is known of a card that was searched for: one of the unseen cards at least is of these kinds.
"""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower.bits import only
from overworlds.envs.overpower.state import KNOWN_TOP, LOOKS

ANY_KIND = -1
"""The set of all kinds."""


@jit
def join_hand(p, kind, seen):
    """A card comes into the hand, seen by the opponent or not."""
    if seen:
        p.hand[kind] += 1
        p.known[kind] += 1
    else:
        join_unseen(p, kind, ANY_KIND)


@jit
def join_unseen(p, kind, kinds):
    """A card comes into the hand, of which the opponent knows only that it is one of these kinds."""
    p.hand[kind] += 1
    for n in range(LOOKS - 1, -1, -1):
        fewer = int(p.absent[n - 1]) if n else 0
        p.absent[n] = fewer if fewer & kinds else int(p.absent[n]) & ~kinds
    if kinds != ANY_KIND:
        p.promised = kinds


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
    if int(p.promised) >> kind & 1:
        p.promised = 0  # this may be the one
    for n in range(1, LOOKS):
        if int(p.absent[n]) >> kind & 1:
            p.absent[n - 1] = int(p.absent[n - 1]) | int(p.absent[n])


@jit
def rule_out(p, kind):
    """The opponent sees that no unseen card is of this kind."""
    p.promised = int(p.promised) & ~only(kind)
    for n in range(LOOKS):
        p.absent[n] = int(p.absent[n]) | only(kind)


@jit
def show_all(d, p):
    """The opponent sees the whole hand."""
    for kind in range(int(d.kinds)):
        p.known[kind] = p.hand[kind]
        rule_out(p, kind)


@jit
def keeps_promise(d, p):
    """Is one of the unseen cards of a kind that was searched for, if there was such a search?"""
    for kind in range(int(d.kinds)):
        if int(p.promised) >> kind & 1 and p.hand[kind] > p.known[kind]:
            return True
    return p.promised == 0


# ---------------------------------------------------------------- the top of the Draw Pile


@jit
def peek(d, p, number):
    """The opponent sees so many cards on top of the Draw Pile; what he knows beneath others that he does not see is
    forgotten."""
    reached = number >= p.buried
    p.spied = max(number, int(p.buried) + int(p.spied)) if reached else number
    p.spied = min(int(p.spied), int(p.draw_n), KNOWN_TOP)
    p.buried = 0
    note_tops(d, p)


@jit
def cover(p):
    """A card has come on top of the Draw Pile that the opponent does not see: what he knows is below it now."""
    if p.spied:
        p.buried += 1
        p.spied = min(int(p.spied), KNOWN_TOP - int(p.buried))
    if p.spied == 0:
        p.buried = 0


@jit
def uncover(p):
    """The top card of the Draw Pile is gone."""
    if p.buried:
        p.buried -= 1
    else:
        p.spied = max(0, int(p.spied) - 1)


@jit
def show_on_top(p):
    """A card has come on top of the Draw Pile for all to see."""
    p.spied = min(int(p.spied) + 1, KNOWN_TOP) if p.buried == 0 else 1
    p.buried = 0


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
