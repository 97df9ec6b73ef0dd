"""What a player knows of the other's hand: the cards that were shown, what is among the others, and what is not.

`Player.known` counts the cards of a hand that its opponent has seen. Of the others he sees the *backs*, which are
numbered as they came, `Player.came` of them up to now; `Player.backs` is the set of those that are still there. When
it is seen that no unseen card is of some kind, such a card can only be one that comes later: `Player.since`. So a later
back may be whatever an earlier one may be, and a hand can be dealt back by back without getting stuck; and of a card
that is shown at last it is enough to say that it was the earliest that it can have been.

Of a card that was searched for it is known what for: the back `Player.sought_at[i]` is one of `Player.sought[i]`. When
a hand was cleared, it had but one card of each set of duplicates within `Player.unique`, so the others of such a set
came later than that, once one has been shown; and who discarded a duplicate has kept another, `Player.kept`.

Cards that go from the hand to the top of the Draw Pile when a battle ends are drawn first for the next one. Nobody sees
which they are, so until then they count as part of the hand: what is known of it goes for them as well, and what is
left of it is shown when it is discarded. `Player.aside` is their number.
"""

from overworlds.envs.core.bits import lowest, only, without_lowest
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower.state import KINDS, SEARCHES, SPARED, SPIED

ANY_KIND = -1
"""The set of all kinds."""
MOST_BACKS = 60
"""So many cards can come into a hand before it is forgotten which came when."""
MOST_SPARED = 3


@jit
def forget_hand(p):
    """Nothing is known of this hand: it is a new one, or cards of it have left it face down."""
    p.known[:] = 0
    number_backs(p)


@jit
def number_backs(p):
    """The unseen cards are numbered anew, and nothing is known of them."""
    n = 0
    for kind in range(KINDS):
        n += int(p.hand[kind]) - int(p.known[kind])
    n = min(n, MOST_BACKS)
    p.came = p.cleared = n
    p.backs = (2 << n) - 2
    p.since[:] = 0
    p.searches = 0
    p.kept = p.unique = 0


@jit
def came_after(p, kind):
    """Unseen cards of this kind have come after so many others, but for some of them."""
    return int(p.since[kind]) % SPARED


@jit
def spared(p, kind):
    """So many of them may have come before."""
    return int(p.since[kind]) // SPARED


@jit
def how_many(numbers):
    """The size of a set."""
    n = 0
    while numbers:
        numbers = without_lowest(numbers)
        n += 1
    return n


@jit
def later_than(backs, number):
    """Those of the backs with greater numbers."""
    return backs >> (number + 1) << (number + 1)


@jit
def known_bits(p):
    """The kinds of card that the opponent has seen in this hand, as bits."""
    kinds = 0
    for kind in range(KINDS):
        kinds |= int(p.known[kind] != 0) << kind
    return kinds


# ---------------------------------------------------------------- cards come and go


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
    if p.came >= MOST_BACKS:
        number_backs(p)
        return
    p.came += 1
    p.backs = int(p.backs) | only(int(p.came))
    if kinds == ANY_KIND:
        return
    at = 0
    while at < p.searches and p.sought[at]:
        at += 1
    if at < SEARCHES:
        p.sought[at], p.sought_at[at] = kinds, p.came
        p.searches = max(int(p.searches), at + 1)


@jit
def leave_hand(d, p, kind):
    """A card leaves the hand, face up: one that the opponent had seen, if there was."""
    if p.known[kind] == 0:
        show(d, p, kind)
    p.hand[kind] -= 1
    p.known[kind] -= 1


@jit
def show(d, p, kind):
    """The opponent sees an unseen card of this kind."""
    p.known[kind] += 1
    kind = int(kind)
    others, backs = int(d.twins[kind]), backs_for(p, kind)
    later = later_than(backs, int(p.cleared))
    turn_up(p, kind)
    if p.cleared and backs and backs == later:
        return  # it has come since hands were cleared
    p.kept = int(p.kept) & ~others  # this may be the one
    others &= int(p.unique)
    if later:
        others = replaceable(p, kind, others)
    while others:
        rule_out_until(p, lowest(others), int(p.cleared))
        others = without_lowest(others)


@jit
def replaceable(p, kind, others):
    """Those of the other kinds wherever which a card of this kind may have been.

    Of two such duplicates one came later, and it does not matter which: it is as if that were the one shown last.
    """
    found = 0
    while others:
        if may_stand_for(p, kind, lowest(others)):
            found |= only(lowest(others))
        others = without_lowest(others)
    return found


@jit
def may_stand_for(p, kind, other):
    """May a card of this kind have been wherever one of the other kind may have been?"""
    for i in range(int(p.searches)):
        if int(p.sought[i]) >> other & 1 and not int(p.sought[i]) >> kind & 1:
            return False
    return spared(p, kind) > 0 or (spared(p, other) == 0 and came_after(p, kind) <= came_after(p, other))


@jit
def backs_for(p, kind):
    """The backs that may be of this kind."""
    backs = int(p.backs)
    if spared(p, kind) == 0:
        backs = later_than(backs, came_after(p, kind))
    for i in range(int(p.searches)):
        if p.sought[i] and not int(p.sought[i]) >> kind & 1:
            backs &= ~only(int(p.sought_at[i]))
    return backs


@jit
def turn_up(p, kind):
    """One of the backs is of this kind: as far as anybody knows, the earliest that may be.

    If it may be one that was searched for, that one may now be what the earliest may be, as well. If it may be one of
    several, each of these may be what any of them was searched for.
    """
    backs = backs_for(p, kind)
    if backs == 0:
        return
    earliest = lowest(backs)
    p.backs = int(p.backs) & ~only(earliest)
    first, kinds = -1, 0
    for i in range(int(p.searches)):
        if p.sought[i] and backs >> int(p.sought_at[i]) & 1:
            kinds |= int(p.sought[i])
            if first < 0 or p.sought_at[i] < p.sought_at[first]:
                first = i
    for i in range(int(p.searches)):
        if p.sought[i] and backs >> int(p.sought_at[i]) & 1:
            p.sought[i] = kinds
    if first >= 0:
        p.sought[first] = 0 if p.sought_at[first] == earliest else kinds | kinds_at(p, earliest)


@jit
def kinds_at(p, back):
    """What the card with this back may be, as bits."""
    kinds = 0
    for kind in range(KINDS):
        if spared(p, kind) > 0 or came_after(p, kind) < back:
            kinds |= only(kind)
    return kinds & int(p.useful) if back <= p.cleared else kinds


@jit
def take_back(p):
    """The cards that were put aside come back from the top of the Draw Pile, unseen; how many?"""
    n = int(p.aside)
    for _ in range(n):
        p.draw_n -= 1
        p.stacked -= 1
        uncover(p)
        p.hand[int(p.draw[int(p.draw_n)])] += 1
    p.aside = 0
    return n


# ---------------------------------------------------------------- what is seen not to be there


@jit
def rule_out_until(p, kind, number):
    """The opponent sees that no card that had come by then and is unseen is of this kind."""
    if number >= came_after(p, kind):
        p.since[kind] = number


@jit
def rule_out(p, kind):
    """The opponent sees that no unseen card is of this kind."""
    p.since[kind] = p.came
    p.kept = int(p.kept) & ~only(kind)
    for i in range(int(p.searches)):
        p.sought[i] = int(p.sought[i]) & ~only(kind)


@jit
def note_at_most(p, kind, copies):
    """The opponent sees that at most so many unseen cards are of this kind."""
    if copies <= 0:
        rule_out(p, kind)
    elif copies <= MOST_SPARED:
        if copies < spared(p, kind) + how_many(later_than(int(p.backs), came_after(p, kind))):
            p.since[kind] = int(p.came) + SPARED * copies


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
def note_cleared(d, p, placed, exempt):
    """The hand has no duplicates any more, of each other or of these placed cards, but for some that may be kept."""
    p.unique = d.single
    if exempt:
        for kind in range(int(d.kinds)):
            if int(d.twins[kind]) & exempt:
                p.unique = int(p.unique) & ~only(kind)
    placed |= known_bits(p)
    gone = 0
    while placed:
        gone |= int(d.twins[lowest(placed)])
        placed = without_lowest(placed)
    gone &= int(p.unique)
    while gone:
        rule_out(p, lowest(gone))
        gone = without_lowest(gone)


# ---------------------------------------------------------------- what the unseen cards may be


@jit
def holds_unseen(d, p, kinds):
    """How many of the unseen cards are of these kinds?"""
    n = 0
    for kind in range(int(d.kinds)):
        if kinds >> kind & 1:
            n += int(p.hand[kind]) - int(p.known[kind])
    return n


@jit
def is_imaginable(d, p):
    """Could the unseen cards be what they are, after all that the opponent has seen?"""
    for number in range(1, int(p.came) + 1):
        late = 0
        for kind in range(int(d.kinds)):
            if came_after(p, kind) >= number:
                late += max(0, int(p.hand[kind]) - int(p.known[kind]) - spared(p, kind))
        if late > how_many(later_than(int(p.backs), number)):
            return False
    for i in range(int(p.searches)):
        same = 0
        for j in range(int(p.searches)):
            same += int(p.sought[j] != 0 and int(p.sought[j]) & ~int(p.sought[i]) == 0)
        if p.sought[i] and holds_unseen(d, p, int(p.sought[i])) < same:
            return False
    kinds = int(p.kept)
    while kinds:
        twins = int(d.twins[lowest(kinds)])
        kinds &= ~twins
        if not holds_unseen(d, p, twins):
            return False
    return True


# ---------------------------------------------------------------- the Draw Pile


@jit
def is_spied(p, i):
    """Does the opponent know the card at this place of the Draw Pile? The top card is the last."""
    depth = int(p.draw_n) - 1 - i
    return depth >= 0 and depth < SPIED and int(p.spied) >> depth & 1 == 1


@jit
def peek(p, number):
    """The opponent sees so many cards on top of the Draw Pile."""
    p.spied = int(p.spied) | ((1 << min(number, int(p.draw_n), SPIED)) - 1)


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
def how_many_hidden(p, kind):
    """How many cards of this kind are in hand, unseen, or in the Draw Pile: deck lists are open, so both know it."""
    n = int(p.hand[kind]) - int(p.known[kind])
    for i in range(int(p.draw_n)):
        n += int(p.draw[i] == kind)
    return n


@jit
def lose_sight(p):
    """The Draw Pile is about to be shuffled: cards of it that the opponent knows are still there, who knows where."""
    p.stacked = 0
    if p.spied == 0:
        return
    n = int(p.draw_n)
    for i in range(n):
        if is_spied(p, i):
            seen = 0
            for j in range(n):
                seen += int(is_spied(p, j) and p.draw[j] == p.draw[i])
            note_at_most(p, int(p.draw[i]), how_many_hidden(p, int(p.draw[i])) - seen)
    p.spied = 0


@jit
def note_return(p, kind):
    """Cards of this kind are about to go from an open place to the Draw Pile: what was hidden is all there can be."""
    note_at_most(p, kind, how_many_hidden(p, kind))
