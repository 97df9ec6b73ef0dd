"""Clearing a hand of duplicates and of cards that nobody can use (rules 24 to 34 and 37)."""

from overworlds.envs.core.bits import lowest, only, without_lowest
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops
from overworlds.envs.overpower.frames import ask_to_keep
from overworlds.envs.overpower.piles import discard_as_unusable, discard_from_hand, hand_bits, placed_bits
from overworlds.envs.overpower.sight import note_cleared, note_duplicate, rule_out_until
from overworlds.envs.overpower.state import NOBODY, TEAM_SIZE
from overworlds.envs.overpower.usage import (
    CHANGES_USE,
    can_ever_use,
    keeps_all_duplicates,
    keeps_duplicates,
    kinds_found,
    kinds_that_may_be_found,
    reserve_may_defend_with,
    reserve_may_play,
    team_can_use,
)

CHANGES_RESERVE = CHANGES_USE | ops.set_of_lasting(ops.FROM_RESERVE, ops.POWER_DEFENDS)
"""Effects that may let the Reserve use something."""


@jit
def clear_hand(r, s, side):
    """Unusable cards go, then duplicates, of which the owner chooses the one to keep (rules 24 to 33)."""
    s.players[side].useful = usable_kinds(r, s, side)
    discard_useless(r, s, side, 0)
    ask_to_keep(s, side)


@jit
def usable_kinds(r, s, side):
    """What any surviving character could ever use, as bits; never an Event drawn too late."""
    d, p = r.decks[side], s.players[side]
    kinds = 0
    if not int(s.in_play) & CHANGES_USE:
        for character in range(TEAM_SIZE):
            kinds |= int(d.uses[character]) if p.alive[character] else 0
        return kinds
    for kind in range(int(d.kinds)):
        if team_can_use(r, s, side, kind):
            kinds |= only(kind)
    return kinds


@jit
def discard_useless(r, s, side, already):
    """What nobody could use goes; the first so many cards that came have been looked at before."""
    p = s.players[side]
    kinds = hand_bits(p) & ~int(p.useful)
    while kinds:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        rule_out_until(p, kind, already)
        while p.hand[kind]:
            discard_as_unusable(r.decks[side], p, kind)


@jit
def placed_and_counted(p):
    """The kinds of placed cards that count as part of the hand for duplicates, as bits (rule 32).

    Those on the Front Line, and those that the Reserve has got before this very battle.
    """
    kinds = 0
    for character in range(TEAM_SIZE):
        kinds |= placed_bits(p, character) & (-1 if p.front[character] else int(p.fresh))
    return kinds


@jit
def placed_duplicate(d, p, kind):
    """Is a duplicate of this card placed where it counts?"""
    return placed_and_counted(p) & int(d.twins[kind]) != 0


@jit
def counted_kinds(s, side):
    """The kinds of card in hand, as bits, without a card that is kept whatever else there is."""
    p = s.players[side]
    kinds, found = hand_bits(p), kinds_found(s, side)
    while found:
        kind = lowest(found)
        found = without_lowest(found)
        if p.hand[kind] == 1:
            kinds &= ~(1 << kind)
    return kinds


@jit
def first_duplicate(r, s, side):
    """A card in hand of which there are duplicates, in hand or placed; NOBODY if there is none."""
    d, p = r.decks[side], s.players[side]
    placed, found = placed_and_counted(p), kinds_found(s, side)
    held = kinds = counted_kinds(s, side)
    while kinds:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        others = (held & ~(1 << kind)) | placed
        copies = int(p.hand[kind]) - (found >> kind & 1)
        if (copies > 1 or others & int(d.twins[kind])) and not keeps_duplicates(r, s, side, kind):
            return kind
    return NOBODY


@jit
def is_duplicate(r, s, side, kind, held):
    """Is there such a card among these, and duplicates of it may not be kept?"""
    return held & int(r.decks[side].twins[kind]) != 0 and not keeps_duplicates(r, s, side, kind)


@jit
def would_be_duplicate(r, s, side, kind):
    """Is there such a card already, in hand or placed where it counts?"""
    p = s.players[side]
    return is_duplicate(r, s, side, kind, hand_bits(p) | placed_and_counted(p))


@jit
def keep(r, s, side, kind):
    """Of these duplicates one stays, or none where one is placed; the others are discarded."""
    d, p = r.decks[side], s.players[side]
    spared, found = 0 if placed_duplicate(d, p, kind) else 1, kinds_found(s, side)
    kinds = counted_kinds(s, side) & int(d.twins[kind])
    while kinds:
        other = lowest(kinds)
        kinds = without_lowest(kinds)
        while p.hand[other] > (spared if other == kind else 0) + (found >> other & 1):
            discard_from_hand(r, s, side, other)
    if spared:
        note_duplicate(d, p, kind)


@jit
def end_clearing(r, s, side):
    """There are no duplicates any more, unless some may be kept."""
    p = s.players[side]
    p.cleared = p.came
    if keeps_all_duplicates(s, side):
        p.unique = 0
    else:
        note_cleared(r.decks[side], p, placed_and_counted(p), kinds_that_may_be_found(r, s, side))


@jit
def playable_kinds(r, s, side):
    """What may be kept after placing, as bits: other cards had to be placed on the Reserve (rule 37)."""
    d, p = r.decks[side], s.players[side]
    kinds = int(d.from_reserve)
    if not int(s.in_play) & CHANGES_RESERVE:
        for character in range(TEAM_SIZE):
            kinds |= int(d.uses[character]) if p.alive[character] and p.front[character] else 0
        return kinds
    for kind in range(int(d.kinds)):
        if can_be_played(r, s, side, kind):
            kinds |= only(kind)
    return kinds


@jit
def can_be_played(r, s, side, kind):
    """Could somebody of the Front Line use this card, or the Reserve from where he is?"""
    for character in range(TEAM_SIZE):
        if can_ever_use(r, s, side, character, kind):
            if s.players[side].front[character] or reserve_may_play(r, s, side, character, kind):
                return True
            if reserve_may_defend_with(s, side, int(r.decks[side].card_class[kind])):
                return True
    return False
