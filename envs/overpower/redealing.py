"""Redrawing what a player cannot know: the other's hand, the Draw Pile below what is known, an attack face down."""

from overworlds.envs.core.bits import lowest, only, without_lowest
from overworlds.envs.core.kernel import borrowed, jit
from overworlds.envs.core.rng import below
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.clearing import would_be_duplicate
from overworlds.envs.overpower.concealment import redraw_concealed
from overworlds.envs.overpower.frames import top
from overworlds.envs.overpower.icons import EVENT
from overworlds.envs.overpower.options import options
from overworlds.envs.overpower.piles import IN_HAND, TOP, draw_blindly, is_placed, put_in, take_from
from overworlds.envs.overpower.plays import can_play_by, is_allowed
from overworlds.envs.overpower.sight import (
    ANY_KIND,
    MOST_BACKS,
    came_after,
    holds_unseen,
    is_imaginable,
    is_spied,
    later_than,
    spared,
    take_back,
)
from overworlds.envs.overpower.state import HAND, KINDS, NOBODY, TEAM_SIZE
from overworlds.envs.overpower.usage import has_effect

TRIES = 20
"""So often a hand is dealt to find one that could be held, with which its player has a choice, and one with an attack
that could lie face down."""


@jit
def is_plausible(r, s, side, kind, back):
    """Could this be the card with this back, given that duplicates and unusable cards have been discarded?"""
    d, p = r.decks[side], s.players[side]
    if back > p.cleared:
        preparing = p.cleared == 0 or s.stage < phases.PLACING
        return not preparing or d.card_class[kind] != EVENT or s.stage < phases.EVENT_SECOND
    return int(p.useful) >> kind & 1 == 1 and not would_be_duplicate(r, s, side, kind)


@jit
def swap_with_draw_pile(p, kind, wanted):
    """A card of the hand changes places with one of the Draw Pile that is not known."""
    for i in range(int(p.draw_n)):
        if p.draw[i] == wanted and not is_spied(p, i):
            p.draw[i] = kind
            p.hand[kind] -= 1
            p.hand[wanted] += 1
            return


@jit
def redeal_hand(r, s, side, rng):
    """Another hand for this side, with which it has a choice if it is asked something."""
    redeal(r, s, side, rng)
    if top(s).side != side:
        return
    for _ in range(TRIES):
        if options(r, s, borrowed(s.found)) > 1:
            return
        redeal(r, s, side, rng)
    if options(r, s, borrowed(s.found)) < 2:
        give_choice(r, s, side, rng)


@jit
def redeal(r, s, side, rng):
    """Mix the unseen cards of a hand with its Draw Pile, and deal the hand again.

    What is known to be in the hand comes first. What was seen not to be there never gets there, if that is possible.
    """
    p = s.players[side]
    if has_effect(s, ops.OPEN_HAND, side, NOBODY):
        reshuffle(p, rng, 0)
        return  # there is nothing else unknown
    owed, aside = owed_kinds(r, s, side), take_back(p)
    for _ in range(TRIES):
        wanted = take_up(p)
        reshuffle(p, rng, wanted)
        if deal_backs(r, s, side, wanted, owed):
            break
    reshuffle(p, rng, 0)
    for _ in range(aside):
        kind = draw_blindly(r.decks[side], p, rng)
        take_from(p, rng, IN_HAND, kind, 0)
        put_in(p, rng, TOP, kind, False)


@jit
def take_up(p):
    """The unseen cards of a hand go on top of its Draw Pile, but do not count as part of it; how many are there?"""
    n = 0
    for kind in range(KINDS):
        for _ in range(int(p.hand[kind]) - int(p.known[kind])):
            p.draw[int(p.draw_n) + n] = kind
            n += 1
        p.hand[kind] = p.known[kind]
    return n


@jit
def deal_backs(r, s, side, wanted, owed):
    """Deal so many cards, which lie on top of the Draw Pile with all others: is it a hand that could be held?"""
    d, p = r.decks[side], s.players[side]
    backs, could_be = int(p.backs), True
    for i in range(int(p.searches)):
        if p.sought[i] and wanted:
            back = deal(r, s, side, wanted, int(p.sought[i]), only(int(p.sought_at[i])), True)
            could_be = could_be and back != NOBODY
            if back != NOBODY:
                wanted, backs = wanted - 1, backs & ~only(back)
    kept = int(p.kept)
    while kept or owed:
        kinds, at_most = owed, MOST_BACKS
        if kept:
            kinds, at_most = int(d.twins[lowest(kept)]), int(p.cleared) or MOST_BACKS
            kept &= ~kinds
        else:
            owed = 0
        if holds_unseen(d, p, kinds):
            continue
        back = deal(r, s, side, wanted, kinds, backs & ~later_than(backs, at_most), True)
        could_be = could_be and back != NOBODY
        if back != NOBODY:
            wanted, backs = wanted - 1, backs & ~only(back)
    while backs and wanted:
        back = lowest(backs)
        backs = without_lowest(backs)
        if deal(r, s, side, wanted, ANY_KIND, only(back), True) == NOBODY:
            could_be = False
            if deal(r, s, side, wanted, ANY_KIND, only(back), False) == NOBODY:
                continue
        wanted -= 1
    while wanted:
        wanted -= 1
        p.hand[int(p.draw[int(p.draw_n) + wanted])] += 1
    return could_be


@jit
def deal(r, s, side, wanted, kinds, backs, strict):
    """The next card of these kinds that could have one of these backs comes into the hand, and if strict only such as
    its player would have kept; which back it has, or NOBODY. So many cards are still to be dealt."""
    p = s.players[side]
    for i in range(int(p.draw_n) + wanted - 1, -1, -1):
        kind = int(p.draw[i])
        if not kinds >> kind & 1 or is_spied(p, i):
            continue
        back = earliest_back(p, kind, backs)
        if back != NOBODY and (not strict or is_plausible(r, s, side, kind, back)):
            p.hand[kind] += 1
            p.draw[i] = p.draw[int(p.draw_n) + wanted - 1]
            return back
    return NOBODY


@jit
def earliest_back(p, kind, backs):
    """The first of these backs that a card of this kind could have; NOBODY if there is none."""
    if int(p.hand[kind]) - int(p.known[kind]) >= spared(p, kind):
        backs = later_than(backs, came_after(p, kind))
    return lowest(backs) if backs else NOBODY


@jit
def owed_kinds(r, s, side):
    """Who has played a Teamwork card or an Ally has something to follow it: the kinds that could, as bits, if it is an
    unseen card of the hand; 0 if nothing like that is known."""
    d, p = r.decks[side], s.players[side]
    for i in range(int(s.depth) - 1):
        f = s.frames[i]
        if f.what != phases.FOLLOW or f.side != side or f.marks & (phases.MUST | phases.FORCED) != phases.MUST:
            continue
        found = 0
        for kind in range(int(d.kinds)):
            for user in range(TEAM_SIZE):
                if is_allowed(r, s, side, f, kind) and can_play_by(r, s, side, f, kind, user):
                    if p.known[kind] or is_placed(p, user, kind):
                        return 0  # this may be it
                    found |= only(kind)
        return found if holds_unseen(d, p, found) else 0
    return 0


@jit
def reshuffle(p, rng, more):
    """Shuffle a Draw Pile and so many others that lie on top, but for cards that its player's opponent knows, or that
    were put aside."""
    for i in range(int(p.draw_n) - int(p.aside) + more - 1, 0, -1):
        if is_spied(p, i):
            continue
        j = below(rng, i + 1)
        while is_spied(p, j):
            j = below(rng, i + 1)
        p.draw[i], p.draw[j] = p.draw[j], p.draw[i]


@jit
def redeal_concealed(r, s, side, rng):
    """Another attack lies face down, that could be made with the new hand; if there is none, deal again."""
    for _ in range(TRIES):
        if redraw_concealed(r, s, side, rng):
            return
        redeal(r, s, side, rng)
    bring_back_concealed(r, s, side)


@jit
def bring_back_concealed(r, s, side):
    """Chance has found no other attack: the cards of this one come back into the hand, for others of it."""
    p, play = s.players[side], s.concealed
    for i in range(2):
        kind, place = (int(play.kind), int(play.place)) if i == 0 else (int(play.partner), int(play.partner_place))
        if kind != NOBODY and place == HAND and p.hand[kind] == 0:
            bring_back(r.decks[side], p, kind, int(play.kind))


@jit
def bring_back(d, p, kind, needed):
    """This card comes into the hand for an unseen one: such that the hand is still one that could be imagined."""
    out = NOBODY
    for other in range(int(d.kinds)):
        if p.hand[other] <= p.known[other] or other == needed:
            continue
        out = other
        if is_imaginable_with(d, p, kind, other):
            break
    if out != NOBODY:
        swap_with_draw_pile(p, out, kind)


@jit
def is_imaginable_with(d, p, kind, other):
    """Could the unseen cards be what they are with one of the first kind for one of the other?"""
    p.hand[other] -= 1
    p.hand[kind] += 1
    imaginable = is_imaginable(d, p)
    p.hand[kind] -= 1
    p.hand[other] += 1
    return imaginable


@jit
def give_choice(r, s, side, rng):
    """Whoever is asked has a choice, and chance has found no hand with one: a card that gives one comes into it for an
    unseen one, such that the hand could still be held."""
    d, p = r.decks[side], s.players[side]
    n = int(d.kinds)
    first, first_out = below(rng, n), below(rng, n)
    for i in range(n):
        kind = (first + i) % n
        if not is_hidden_in_pile(p, kind):
            continue
        for j in range(n):
            out = (first_out + j) % n
            if out == kind or p.hand[out] <= p.known[out] or not is_imaginable_with(d, p, kind, out):
                continue
            swap_with_draw_pile(p, out, kind)
            p.hand[kind] -= 1
            plausible = is_plausible(r, s, side, kind, int(p.cleared))
            p.hand[kind] += 1
            if plausible and options(r, s, borrowed(s.found)) > 1:
                return
            swap_with_draw_pile(p, kind, out)


@jit
def is_hidden_in_pile(p, kind):
    """Is there such a card in the Draw Pile, at a place that its player's opponent does not know?"""
    for i in range(int(p.draw_n)):
        if p.draw[i] == kind and not is_spied(p, i):
            return True
    return False
