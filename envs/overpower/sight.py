"""What a player knows of the other's hand: the cards that were shown, what is among the others, and what is not.

`Player.known` counts the cards of a hand that its opponent has seen. Of the others he may have seen what they are not:
at most `Player.at_most[i]` of them, all together, are of the set of kinds `Player.absent[i]`. A look at a hand makes
that number 0, and it grows with every card that comes into the hand unseen, unless it is known to be none of them. Each
of these sets contains those before it, so that a hand can be dealt card by card without ever getting stuck.
`Player.promised` is what is known of a card that was searched for: one of the unseen cards at least is of these kinds.
And who had to discard a duplicate has kept another: one of the unseen cards is of that set, within `Player.kept`.
"""

from overworlds.envs.core.bits import lowest, only
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower.state import CARDS, LOOKS, SPIED

ANY_KIND = -1
"""The set of all kinds."""


@jit
def forget_hand(p):
    """Nothing is known of this hand: it is a new one, or cards of it have left it face down."""
    p.known[:] = 0
    p.absent[:] = 0
    p.promised = p.kept = 0


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
    first = LOOKS
    for i in range(LOOKS - 1, -1, -1):
        if int(p.absent[i]) & kinds:
            p.at_most[i] = min(int(p.at_most[i]) + 1, CARDS)
            first = i
    if first < LOOKS and int(p.absent[first]) & ~kinds:
        insert(p, first, int(p.absent[first]) & ~kinds, int(p.at_most[first]) - 1)
    if kinds != ANY_KIND:
        p.promised = kinds


@jit
def insert(p, at, kinds, number):
    """At most so many of the unseen cards are of these kinds; with no room left, the weakest such fact is forgotten."""
    for i in range(LOOKS - 1, at, -1):
        p.absent[i], p.at_most[i] = p.absent[i - 1], p.at_most[i - 1]
    p.absent[at], p.at_most[at] = kinds, number


@jit
def leave_hand(d, p, kind):
    """A card leaves the hand, face up: one that the opponent had seen, if there was."""
    if p.known[kind] == 0:
        show(d, p, kind)
    p.hand[kind] -= 1
    p.known[kind] -= 1


@jit
def show(d, p, kind):
    """The opponent sees an unseen card of this kind: where it cannot have been there before, it came later."""
    p.known[kind] += 1
    kind = int(kind)
    if int(p.promised) >> kind & 1:
        p.promised = 0  # this may be the one
    if int(p.kept) >> kind & 1:
        p.kept = int(p.kept) & ~int(d.twins[kind])
    if p.absent[0] == 0:
        return
    for i in range(LOOKS - 1, -1, -1):
        if int(p.absent[i]) >> kind & 1:
            p.at_most[i] = max(0, int(p.at_most[i]) - 1)
    for i in range(LOOKS - 2, -1, -1):
        if p.absent[i + 1] and p.at_most[i] >= p.at_most[i + 1]:
            drop(p, i)  # the next one says more


@jit
def drop(p, i):
    """One of the sets of kinds says nothing any more."""
    for j in range(i, LOOKS - 1):
        p.absent[j], p.at_most[j] = p.absent[j + 1], p.at_most[j + 1]
    p.absent[LOOKS - 1] = 0


@jit
def rule_out(p, kind):
    """The opponent sees that no unseen card is of this kind."""
    p.promised = int(p.promised) & ~only(kind)
    p.kept = int(p.kept) & ~only(kind)
    for i in range(LOOKS):
        if p.absent[i]:
            p.absent[i] = int(p.absent[i]) | only(kind)
    if p.absent[0] == 0 or p.at_most[0] > 0:
        insert(p, 0, only(kind), 0)


@jit
def show_kinds(d, p, kinds):
    """The opponent sees all cards of these kinds in the hand, and that there are no others."""
    for kind in range(int(d.kinds)):
        if kinds >> kind & 1:
            while p.known[kind] < p.hand[kind]:
                show(d, p, kind)
            rule_out(p, kind)


@jit
def show_all(d, p):
    """The opponent sees the whole hand."""
    show_kinds(d, p, ANY_KIND)


@jit
def note_duplicate(d, p, kind):
    """Others like this card have been discarded as its duplicates: the opponent learns that there is one."""
    if p.known[kind] == 0:
        p.kept = int(p.kept) | int(d.twins[kind])


@jit
def note_return(p, kind):
    """A card of this kind goes from an open place to the Draw Pile: if all of them lay open, none is in the hand."""
    if p.hand[kind] == p.known[kind]:
        for i in range(int(p.draw_n)):
            if p.draw[i] == kind:
                return
        rule_out(p, kind)


@jit
def holds_unseen(d, p, kinds):
    """Is one of the unseen cards of these kinds?"""
    for kind in range(int(d.kinds)):
        if kinds >> kind & 1 and p.hand[kind] > p.known[kind]:
            return True
    return False


@jit
def keeps_promises(d, p):
    """Is there among the unseen cards whatever is known to be there?"""
    kinds = int(p.kept)
    while kinds:
        twins = int(d.twins[lowest(kinds)])
        kinds &= ~twins
        if not holds_unseen(d, p, twins):
            return False
    return p.promised == 0 or holds_unseen(d, p, int(p.promised))


@jit
def may_be_unseen(d, p, kind):
    """May one more unseen card of the hand be of this kind, after all that the opponent has seen?"""
    for i in range(LOOKS):
        if not int(p.absent[i]) >> kind & 1:
            continue
        such = 0
        for other in range(int(d.kinds)):
            if int(p.absent[i]) >> other & 1:
                such += int(p.hand[other]) - int(p.known[other])
        if such >= p.at_most[i]:
            return False
    return True


# ---------------------------------------------------------------- the top of the Draw Pile


@jit
def is_spied(p, i):
    """Does the opponent know the card at this place of the Draw Pile? The top card is the last."""
    depth = int(p.draw_n) - 1 - i
    return depth >= 0 and depth < SPIED and int(p.spied) >> depth & 1 == 1


@jit
def peek(d, p, number):
    """The opponent sees so many cards on top of the Draw Pile."""
    p.spied = int(p.spied) | ((1 << min(number, int(p.draw_n), SPIED)) - 1)
    note_tops(d, p)


@jit
def cover(p):
    """A card has come on top of the Draw Pile that the opponent does not see: what he knows is below it now."""
    p.spied = (int(p.spied) << 1) & ((1 << SPIED) - 1)


@jit
def uncover(p):
    """The top card of the Draw Pile is gone."""
    p.spied = int(p.spied) >> 1


@jit
def show_on_top(p):
    """A card has come on top of the Draw Pile for all to see."""
    cover(p)
    p.spied = int(p.spied) | 1


@jit
def note_tops(d, p):
    """Kinds of which all copies have been seen on top of the Draw Pile are not in the hand: deck lists are open."""
    for kind in range(int(d.kinds)):
        left = int(p.hand[kind]) - int(p.known[kind])
        seen = 0
        for i in range(int(p.draw_n)):
            if p.draw[i] == kind:
                left += 1
                seen += int(is_spied(p, i))
        if seen and seen == left:
            rule_out(p, kind)
