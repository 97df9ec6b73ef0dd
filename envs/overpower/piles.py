"""Cards on the move: drawing, shuffling, playing, discarding."""

from overworlds.envs.core.bits import lowest, without_lowest
from overworlds.envs.core.kernel import jit
from overworlds.envs.core.rng import below
from overworlds.envs.overpower.icons import EVENT, POWER
from overworlds.envs.overpower.sight import (
    cover,
    forget_hand,
    join_hand,
    leave_hand,
    lose_sight,
    note_return,
    show_all,
    show_on_top,
    take_back,
    uncover,
)
from overworlds.envs.overpower.state import CARDS, HAND, KINDS, NOBODY, PLACED
from overworlds.envs.overpower.usage import team_can_use


@jit
def shuffle_below(p, rng, kept):
    """Shuffle a Draw Pile but for so many cards on top."""
    for i in range(int(p.draw_n) - 1 - kept, 0, -1):
        j = below(rng, i + 1)
        p.draw[i], p.draw[j] = p.draw[j], p.draw[i]


@jit
def shuffle(p, rng):
    """Shuffle a Draw Pile; nobody knows its top any more."""
    lose_sight(p)
    shuffle_below(p, rng, 0)


@jit
def shuffle_pack_in(d, p, rng):
    """The Power Pack joins the Draw Pile, which is shuffled (rule 71).

    Deck lists are open: with no Draw Pile all that is not to be seen elsewhere is the hand.
    """
    n = int(p.draw_n)
    if n == 0:
        show_all(d, p)
    lose_sight(p)
    for kind in range(int(d.kinds)):
        if p.pack[kind]:
            note_return(p, kind)
        for _ in range(int(p.pack[kind])):
            p.draw[n] = kind
            n += 1
        p.pack[kind] = 0
    p.draw_n = n
    shuffle(p, rng)


@jit
def draw_card(r, s, side):
    """The top card of the Draw Pile, the Power Pack being shuffled in when it is empty; NOBODY if there is none."""
    p = s.players[side]
    if p.draw_n == 0:
        shuffle_pack_in(r.decks[side], p, s.head.rng)
    if p.draw_n == 0:
        return NOBODY
    p.draw_n -= 1
    p.stacked = max(0, int(p.stacked) - 1)
    uncover(p)
    return int(p.draw[int(p.draw_n)])


@jit
def draw_cards(r, s, side, n):
    """Draw into the hand; short if nothing is left. Whoever has seen the top of the pile knows what was drawn."""
    p = s.players[side]
    for _ in range(n):
        seen = p.spied & 1 == 1
        kind = draw_card(r, s, side)
        if kind >= 0:
            join_hand(p, kind, seen)


@jit
def draw_hand(r, s, side):
    """A new hand, of which nothing is known but of cards that come from the last one (rule 22)."""
    p = s.players[side]
    size, aside = int(r.hand_size), int(p.aside)
    if 0 < aside <= size:
        size -= take_back(p)
        p.cleared = 0  # what comes now may be duplicates of them
    else:
        p.aside = 0
        forget_hand(p)
    draw_cards(r, s, side, size)


@jit
def put_away(r, s, side, kind):
    """Discard a card into its proper pile (rules 20 and 34)."""
    p = s.players[side]
    card_class = r.decks[side].card_class[kind]
    if card_class == EVENT:
        p.removed[kind] += 1
    elif card_class == POWER and team_can_use(r, s, side, kind):
        p.pack[kind] += 1
    else:
        p.dead[kind] += 1


@jit
def take_card(r, s, side, kind, place):
    """A card leaves the hand, or the character it was placed on."""
    p = s.players[side]
    if place == HAND:
        leave_hand(r.decks[side], p, kind)
        return
    for slot in range(PLACED):
        if p.placed[place, slot] == kind:
            p.placed[place, slot] = NOBODY
            return


@jit
def discard_from_hand(r, s, side, kind):
    """One card of the hand goes to its pile, without having been played."""
    p = s.players[side]
    leave_hand(r.decks[side], p, kind)
    p.discarded = min(int(p.discarded) + 1, CARDS)
    put_away(r, s, side, kind)


@jit
def put_on_dead_pile(d, p, kind):
    """A card goes to the Dead Pile, whoever could use it, an Event out of the game (rules 20 and 34)."""
    if d.card_class[kind] == EVENT:
        p.removed[kind] += 1
    else:
        p.dead[kind] += 1


@jit
def discard_as_unusable(d, p, kind):
    """One card of the hand goes to the Dead Pile though somebody may use it later (rules 34 and 37), an Event out of
    the game."""
    leave_hand(d, p, kind)
    p.discarded = min(int(p.discarded) + 1, CARDS)
    put_on_dead_pile(d, p, kind)


@jit
def discard_hand(r, s, side):
    """All of it."""
    p = s.players[side]
    kinds = hand_bits(p)
    while kinds:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        while p.hand[kind] > 0:
            discard_from_hand(r, s, side, kind)


@jit
def discard_placed(r, s, side, character):
    """All that is placed on a character."""
    p = s.players[side]
    for slot in range(PLACED):
        if p.placed[character, slot] != NOBODY:
            kind = int(p.placed[character, slot])
            p.placed[character, slot] = NOBODY
            put_away(r, s, side, kind)


@jit
def is_placed(p, character, kind):
    """Does this character hold such a card?"""
    for slot in range(PLACED):
        if p.placed[character, slot] == kind:
            return True
    return False


@jit
def copies_at(p, kind, place):
    """How many such cards are in hand, or placed on a character."""
    if place == HAND:
        return int(p.hand[kind])
    n = 0
    for slot in range(PLACED):
        n += int(p.placed[place, slot] == kind)
    return n


@jit
def hand_bits(p):
    """The kinds of card in hand, as bits."""
    kinds = 0
    for kind in range(KINDS):
        kinds |= int(p.hand[kind] != 0) << kind
    return kinds


@jit
def placed_bits(p, character):
    """The kinds of card placed on a character, as bits."""
    kinds = 0
    for slot in range(PLACED):
        kind = int(p.placed[character, slot])
        kinds |= int(kind != NOBODY) << (kind & (KINDS - 1))
    return kinds


@jit
def cards_on(p, character):
    """How many cards are placed on a character."""
    n = 0
    for slot in range(PLACED):
        n += int(p.placed[character, slot] != NOBODY)
    return n


@jit
def hand_size(d, p):
    """How many cards are in hand."""
    n = 0
    for kind in range(int(d.kinds)):
        n += int(p.hand[kind])
    return n


@jit
def draw_blindly(d, p, rng):
    """A card of the hand as somebody draws it who sees only backs; NOBODY if there is none."""
    there = hand_size(d, p)
    if there == 0:
        return NOBODY
    pick = below(rng, there)
    for kind in range(int(d.kinds)):
        pick -= int(p.hand[kind])
        if pick < 0:
            return kind
    return NOBODY


# ---------------------------------------------------------------- piles that cards are searched in

DRAW_PILE, PACK, DEAD, REMOVED, IN_HAND = range(5)
"""Where a search takes cards from, in the order of `words.SOURCES`."""
TO_HAND, TO_DEAD, TO_REMOVED, TO_DRAW_PILE, TOP = range(5)
"""Where they go, in the order of `words.DESTINATIONS`."""


@jit
def source_of(o):
    """The pile from which this clause takes cards."""
    return int(o.stat) >> 3


@jit
def destination_of(o):
    """The pile into which this clause puts cards."""
    return int(o.stat) & 7


@jit
def count_in(p, pile, kind, kept):
    """How many such cards are in a pile; in the Draw Pile, so many on top are left out of account."""
    if pile == PACK:
        return int(p.pack[kind])
    if pile == DEAD:
        return int(p.dead[kind])
    if pile == REMOVED:
        return int(p.removed[kind])
    if pile == IN_HAND:
        return int(p.hand[kind])
    n = 0
    for i in range(int(p.draw_n) - kept):
        n += int(p.draw[i] == kind)
    return n


@jit
def take_from(p, rng, pile, kind, kept):
    """One card leaves a pile; a Draw Pile that was searched is shuffled, but for so many cards on top."""
    if pile == PACK:
        p.pack[kind] -= 1
    elif pile == DEAD:
        p.dead[kind] -= 1
    elif pile == REMOVED:
        p.removed[kind] -= 1
    elif pile == IN_HAND:
        p.hand[kind] -= 1
        p.aside += 1  # nobody sees which card it is
    else:
        lose_sight(p)
        n = int(p.draw_n)
        for i in range(n - kept):
            if p.draw[i] == kind:
                for j in range(i, n - 1):
                    p.draw[j] = p.draw[j + 1]
                break
        p.draw_n = n - 1
        shuffle_below(p, rng, kept)


@jit
def put_on_top(p, kind):
    """A card goes to the top of the Draw Pile, where everybody can see it."""
    note_return(p, kind)
    p.draw[int(p.draw_n)] = kind
    p.draw_n += 1
    p.stacked += 1
    show_on_top(p)


@jit
def put_in(p, rng, pile, kind, seen):
    """A card joins a pile: hand (seen or not), Dead Pile, out of the game, the Draw Pile (shuffled) or its top."""
    if pile == TO_HAND:
        join_hand(p, kind, seen)
    elif pile == TO_DEAD:
        p.dead[kind] += 1
    elif pile == TO_REMOVED:
        p.removed[kind] += 1
    else:
        if pile != TOP:
            lose_sight(p)
            note_return(p, kind)
        p.draw[int(p.draw_n)] = kind
        p.draw_n += 1
        if pile == TOP:
            p.stacked += 1
            cover(p)
        else:
            shuffle(p, rng)
