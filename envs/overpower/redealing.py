"""Redrawing what a player cannot know: the other's hand, the Draw Pile below what is known, an attack face down."""

from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.battle import can_be_played, placed_duplicate
from overworlds.envs.overpower.concealment import redraw_concealed
from overworlds.envs.overpower.icons import EVENT
from overworlds.envs.overpower.piles import shuffle
from overworlds.envs.overpower.sight import ANY_KIND, keeps_promise, may_be_unseen
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
    if placed_duplicate(d, p, kind) or not was_worth_keeping(r, s, side, kind):
        return False
    for other in range(int(d.kinds)):
        if p.hand[other] and d.same[other] == d.same[kind]:
            return False
    return True


@jit
def swap_with_draw_pile(p, kind, wanted):
    """A card of the hand changes places with one of the Draw Pile that is not known."""
    lowest_hidden = int(p.draw_n) - int(p.buried)
    for i in range(int(p.draw_n)):
        if p.draw[i] == wanted and (i < lowest_hidden - int(p.spied) or i >= lowest_hidden):
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

    A card that was searched for comes first. What was seen not to be in the hand never gets there.
    """
    d, p = r.decks[side], s.players[side]
    if has_effect(s, ops.OPEN_HAND, side, NOBODY):
        reshuffle(p, rng)
        return  # there is nothing else unknown
    wanted, spied, stacked, buried = 0, int(p.spied), int(p.stacked), int(p.buried)
    known = lift_known_cards(p)
    for kind in range(int(d.kinds)):
        for _ in range(int(p.hand[kind]) - int(p.known[kind])):
            p.draw[int(p.draw_n)] = kind
            p.draw_n += 1
            wanted += 1
        p.hand[kind] = p.known[kind]
    shuffle(p, rng)
    if p.promised:
        short = deal(r, s, side, 1, int(p.promised), True)
        wanted -= 1 - deal(r, s, side, short, int(p.promised), False)
    wanted = deal(r, s, side, wanted, ANY_KIND, True)
    deal(r, s, side, wanted, ANY_KIND, False)
    shuffle(p, rng)
    put_known_cards_back(p, known, spied, buried)
    p.stacked = stacked


@jit
def deal(r, s, side, wanted, kinds, strict):
    """Up to so many cards of these kinds come into the hand as far as it is known what it does not hold, and if strict
    only such as its player would have kept; how many are still wanting?"""
    d, p = r.decks[side], s.players[side]
    i = int(p.draw_n) - 1
    while i >= 0 and wanted:
        kind = int(p.draw[i])
        if kinds >> kind & 1 and may_be_unseen(d, p, kind) and (not strict or is_plausible(r, s, side, kind)):
            p.hand[kind] += 1
            p.draw_n -= 1
            p.draw[i] = p.draw[int(p.draw_n)]
            wanted -= 1
        i -= 1
    return wanted


@jit
def reshuffle(p, rng):
    """Shuffle a Draw Pile but for the cards that its player's opponent knows."""
    spied, stacked, buried = int(p.spied), int(p.stacked), int(p.buried)
    known = lift_known_cards(p)
    shuffle(p, rng)
    put_known_cards_back(p, known, spied, buried)
    p.stacked = stacked


@jit
def lift_known_cards(p):
    """The cards of a Draw Pile that the opponent knows are taken out: six bits each, the top one first."""
    spied, buried, known = int(p.spied), int(p.buried), 0
    at = int(p.draw_n) - buried - spied
    for i in range(spied):
        known |= int(p.draw[at + spied - 1 - i]) << (6 * i)
    for i in range(buried):
        p.draw[at + i] = p.draw[at + spied + i]
    p.draw_n -= spied
    return known


@jit
def put_known_cards_back(p, known, spied, buried):
    """They return to where they were, below so many others."""
    at = int(p.draw_n) - buried
    for i in range(buried - 1, -1, -1):
        p.draw[at + spied + i] = p.draw[at + i]
    for i in range(spied):
        p.draw[at + spied - 1 - i] = known >> (6 * i) & 63
    p.draw_n += spied
    p.spied, p.buried = spied, buried


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
        worth += int(keeps_promise(d, p))
        p.hand[kind] -= 1
        p.hand[other] += 1
        if worth > best:
            best, out = worth, other
    if out != NOBODY:
        swap_with_draw_pile(p, out, kind)
