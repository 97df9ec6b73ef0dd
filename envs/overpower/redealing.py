"""Redrawing what a player cannot know: the other's hand, the Draw Pile below what is known, an attack face down."""

from overworlds.envs.core.bits import lowest, only
from overworlds.envs.core.kernel import jit
from overworlds.envs.core.rng import below
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.battle import can_be_played, would_be_duplicate
from overworlds.envs.overpower.concealment import redraw_concealed
from overworlds.envs.overpower.icons import EVENT
from overworlds.envs.overpower.piles import is_placed
from overworlds.envs.overpower.plays import can_play_by, is_allowed
from overworlds.envs.overpower.sight import ANY_KIND, holds_unseen, is_spied, keeps_promises, may_be_unseen
from overworlds.envs.overpower.state import FROM_THE_RESERVE, HAND, NOBODY, TEAM_SIZE
from overworlds.envs.overpower.usage import has_effect, team_can_use

TRIES = 20
"""So often a hand is dealt to find an attack that could lie face down."""


@jit
def is_plausible(r, s, side, kind):
    """Could this card be in the hand, given that duplicates and unusable cards have been discarded?"""
    d, p = r.decks[side], s.players[side]
    if not p.checked:
        return d.card_class[kind] != EVENT or s.stage < phases.EVENT_SECOND
    return was_worth_keeping(r, s, side, kind) and not would_be_duplicate(r, s, side, kind)


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
def was_worth_keeping(r, s, side, kind):
    """Could somebody use this card when hands were cleared? Cards of those who fell since then are still there."""
    d, p = r.decks[side], s.players[side]
    for character in range(TEAM_SIZE):
        if p.front[character] and not p.alive[character] and int(d.usable[kind]) >> character & 1:
            return True
    if s.stage < phases.VENTURE_FIRST or d.timing[kind] & FROM_THE_RESERVE:
        return team_can_use(r, s, side, kind)
    return can_be_played(r, s, side, kind)


@jit
def redeal(r, s, side, rng):
    """Mix the unknown cards of a hand with its Draw Pile, and deal the hand again, without duplicates if possible.

    What is known to be in the hand comes first. What was seen not to be there never gets there.
    """
    d, p = r.decks[side], s.players[side]
    if has_effect(s, ops.OPEN_HAND, side, NOBODY):
        reshuffle(p, rng, 0)
        return  # there is nothing else unknown
    owed, wanted = owed_kinds(r, s, side), 0
    for kind in range(int(d.kinds)):
        for _ in range(int(p.hand[kind]) - int(p.known[kind])):
            p.draw[int(p.draw_n) + wanted] = kind
            wanted += 1
        p.hand[kind] = p.known[kind]
    reshuffle(p, rng, wanted)
    kept = int(p.kept)
    while kept:
        twins = int(d.twins[lowest(kept)])
        kept &= ~twins
        wanted = deal_one(r, s, side, wanted, twins)
    wanted = deal_one(r, s, side, wanted, int(p.promised))
    wanted = deal_one(r, s, side, wanted, owed)
    wanted = deal(r, s, side, wanted, wanted, ANY_KIND, True)
    deal(r, s, side, wanted, wanted, ANY_KIND, False)
    reshuffle(p, rng, 0)


@jit
def deal_one(r, s, side, wanted, kinds):
    """A card of these kinds, if there are any and the hand has none yet; how many cards are still wanting?"""
    if kinds == 0 or holds_unseen(r.decks[side], s.players[side], kinds):
        return wanted
    left = deal(r, s, side, wanted, 1, kinds, True)
    return left if left < wanted else deal(r, s, side, wanted, 1, kinds, False)


@jit
def deal(r, s, side, wanted, most, kinds, strict):
    """Up to so many cards of these kinds come into the hand as far as it is known what it does not hold, and if strict
    only such as its player would have kept; how many are still wanting? So many lie on top of the Draw Pile."""
    d, p = r.decks[side], s.players[side]
    for i in range(int(p.draw_n) + wanted - 1, -1, -1):
        if wanted == 0 or most == 0:
            break
        kind = int(p.draw[i])
        if not kinds >> kind & 1 or is_spied(p, i) or not may_be_unseen(d, p, kind):
            continue
        if not strict or is_plausible(r, s, side, kind):
            p.hand[kind] += 1
            wanted -= 1
            most -= 1
            p.draw[i] = p.draw[int(p.draw_n) + wanted]
    return wanted


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
    """Shuffle a Draw Pile but for the cards that its player's opponent knows, and so many others that lie on top."""
    for i in range(int(p.draw_n) + more - 1, 0, -1):
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
def bring_back(d, p, kind, spared):
    """This card comes into the hand for an unseen one: such that the hand is still one that could be imagined."""
    best, out = 0, NOBODY
    for other in range(int(d.kinds)):
        if p.hand[other] <= p.known[other] or other == spared:
            continue
        p.hand[other] -= 1
        worth = 1 + 2 * int(may_be_unseen(d, p, kind))
        p.hand[kind] += 1
        worth += int(keeps_promises(d, p))
        p.hand[kind] -= 1
        p.hand[other] += 1
        if worth > best:
            best, out = worth, other
    if out != NOBODY:
        swap_with_draw_pile(p, out, kind)
