"""Who may use what: ratings, codes, names, and the effects that change them."""

from overworlds.envs.core.bits import only
from overworlds.envs.core.kernel import jit
from overworlds.envs.overpower import ops
from overworlds.envs.overpower.icons import (
    ALLY,
    ANY,
    BASIC,
    EVENT,
    MATE,
    POWER,
    SPECIAL,
    TEAM,
    TEAMWORK,
    TRAINING,
    TYPES,
)
from overworlds.envs.overpower.state import FROM_THE_RESERVE, NOBODY, TEAM_SIZE
from overworlds.envs.overpower.words import (
    BY_RESERVE,
    FALLEN,
    FETCH_OWN,
    FROM_HAND,
    FROM_PLACE,
    OF_ANY_CHARACTER,
    OTHERS,
    RATED,
    TO_TARGET,
    VERSUS_USER,
)

CHANGES_USE = ops.set_of_lasting(ops.GRID, ops.IGNORE_GRID, ops.BORROW)
"""Without effects like these, it is printed on the cards who can use what."""


@jit
def fits(o, classes, types, icons, value, numeric, multi):
    """Does the filter of a clause or effect let this card or attack through?"""
    return (
        (o.classes == 0 or o.classes & classes != 0)
        and (o.types == 0 or o.types & types != 0)
        and (o.icons == 0 or o.icons & icons != 0)
        and (o.hi == 0 or (o.lo <= value and value <= o.hi))
        and (o.numeric == 0 or numeric != 0)
        and (o.multi == 0 or multi != 0)
    )


@jit
def concerns(e, side, character):
    """Is this effect about this character?"""
    if e.asleep or e.side != side:
        return False
    if e.kind == NOBODY and e.scope == MATE:  # an inherent ability for teammates only
        return e.by != character
    return e.who == NOBODY or (e.who == character) == (e.marks & OTHERS == 0)


@jit
def are_of_one_play(one, other):
    """Have two effects been left by the same card, when it was played once?"""
    return one.by_side == other.by_side and one.kind == other.kind and one.serial == other.serial


@jit
def is_multi(d, kind):
    """Is this a MultiPower card?"""
    icons = int(d.icons[kind])
    return d.card_class[kind] == POWER and icons & (icons - 1) != 0


@jit
def card_fits(d, o, kind):
    """Does a clause's filter let this card through?"""
    types, icons = int(d.icons[kind]), int(d.printed[kind])
    return fits(o, int(d.card_class[kind]), types, icons, int(d.value[kind]), 1, is_multi(d, kind))


@jit
def kinds_to_find(d, o, user):
    """The kinds that a clause of a card of this user speaks of, as bits."""
    found = 0
    for kind in range(int(d.kinds)):
        if o.marks & FETCH_OWN and not int(d.owners[kind]) >> user & 1:
            continue
        if card_fits(d, o, kind):
            found |= only(kind)
    return found


@jit
def is_anybodys(s, d, side, kind):
    """Is this a Special of any character, or one that an effect lets the whole team play (IC)?"""
    if d.any_hero[kind]:
        return True
    if d.lent[kind] == 0 or not is_in_play(s, ops.BORROW):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.BORROW and e.scope == TEAM and e.side == side and not e.asleep:
            if int(d.lent[kind]) >> (int(e.amount) - 1) & 1:
                return True
    return False


@jit
def is_in_play(s, op):
    """May there be such an effect? If not, nobody need look for it."""
    return int(s.in_play) >> (op - ops.FIRST_LASTING) & 1 != 0


@jit
def note_in_play(s, op):
    """There is such an effect now."""
    s.in_play = int(s.in_play) | 1 << (op - ops.FIRST_LASTING)


@jit
def has_effect(s, op, side, character):
    """Is such an effect on this character?"""
    if not is_in_play(s, op):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == op and concerns(e, side, character):
            return True
    return False


@jit
def is_rated(s, side, character, types):
    """Is this character rated 7 or 8 in one of these types?"""
    for t in range(TYPES):
        if types >> t & 1 and s.players[side].grid[character, t] >= 7:
            return True
    return False


@jit
def is_forbidden(s, d, side, character, stat, kind, types):
    """Is this character barred from using this card, as one of these types, to attack or to defend?"""
    if not is_in_play(s, ops.NO_USE):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op != ops.NO_USE or e.stat & stat == 0 or not concerns(e, side, character):
            continue
        if e.marks & (FROM_HAND | FROM_PLACE) or (e.traits and not e.traits & traits_now(s, d, side, kind)):
            continue
        if e.marks & RATED and not is_rated(s, side, character, int(e.icons)):
            continue
        if e.marks & VERSUS_USER and (s.attack.side != e.by_side or s.attack.user != e.by):
            continue
        value = int(d.value[kind])
        if fits(e, int(d.card_class[kind]), types, int(d.printed[kind]), value, 1, is_multi(d, kind)):
            return True
    return False


@jit
def traits_now(s, d, side, kind):
    """What Events call this card by, with what an effect has made of it."""
    return int(d.traits[kind]) | (OF_ANY_CHARACTER if is_anybodys(s, d, side, kind) else 0)


@jit
def is_out_of_reach(s, side, card_class, placed):
    """Do effects keep this side from playing such cards from the hand, or placed ones?"""
    if not is_in_play(s, ops.NO_USE):
        return False
    where = FROM_PLACE if placed else FROM_HAND
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.NO_USE and e.marks & where and concerns(e, side, NOBODY):
            if e.classes == 0 or e.classes & card_class:
                return True
    return False


@jit
def ignores_grid(s, side, character, classes, icons, code):
    """May this character use such cards whatever the ratings?"""
    if not is_in_play(s, ops.IGNORE_GRID):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.IGNORE_GRID and concerns(e, side, character) and (e.code == 0 or e.code == code):
            if fits(e, classes, icons, icons, 0, 0, 0):
                return True
    return False


@jit
def code_allows(r, side, character, kind):
    """The DC OverPower Code Rule (rule 72)."""
    d = r.decks[side]
    if not r.code_rule or d.code[character] == 0 or d.card_code[kind] == 0:
        return True
    return d.code[character] == d.card_code[kind]


@jit
def rated_types(r, s, side, character, kind):
    """The types in which this character's ratings let it use this card, as bits; ANY for an Any-Power card."""
    d = r.decks[side]
    if not is_in_play(s, ops.GRID):
        return int(d.rated[kind, character])
    return types_by_ratings(d, kind, s.players[side], character)


@jit
def types_by_ratings(d, kind, p, character):
    """The same for a card of any deck, and a character of either player."""
    icons = int(d.icons[kind])
    value = int(d.value[kind]) if d.card_class[kind] == POWER else int(d.requires[kind])
    found = 0
    for t in range(TYPES):
        rating = int(p.grid[character, t])
        if rating == 0 or not icons & (1 << t | ANY):
            continue
        if rating >= value if value >= 0 else rating <= -value:
            found |= ANY if icons == ANY else 1 << t
    return found


@jit
def borrows(r, s, side, character, kind):
    """Does an effect let this character play this Special of somebody else?"""
    if not is_in_play(s, ops.BORROW):
        return False
    d, p = r.decks[side], s.players[side]
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op != ops.BORROW or not concerns(e, side, character):
            continue
        if e.amount and int(d.lent[kind]) >> (int(e.amount) - 1) & 1:
            return True
        if e.marks & FALLEN and not p.alive[int(e.number)] and int(d.owners[kind]) >> int(e.number) & 1:
            return True
    return False


@jit
def can_ever_use(r, s, side, character, kind):
    """By ratings, name and code, whatever the battle's effects say."""
    d = r.decks[side]
    if not s.players[side].alive[character]:
        return False
    if not int(s.in_play) & CHANGES_USE:
        return int(d.usable[kind]) >> character & 1 != 0
    card_class = int(d.card_class[kind])
    if not code_allows(r, side, character, kind):
        return False
    if card_class == SPECIAL:
        return int(d.owners[kind]) >> character & 1 == 1 or borrows(r, s, side, character, kind)
    if card_class == EVENT:
        return False
    if rated_types(r, s, side, character, kind) != 0:
        return True
    return ignores_grid(s, side, character, card_class, int(d.icons[kind]), int(d.card_code[kind]))


@jit
def team_can_use(r, s, side, kind):
    """Could any surviving character use this card?"""
    if not int(s.in_play) & CHANGES_USE:
        return int(r.decks[side].usable[kind]) & alive_bits(s.players[side]) != 0
    for character in range(TEAM_SIZE):
        if can_ever_use(r, s, side, character, kind):
            return True
    return False


@jit
def power_types(r, s, side, character, kind, stat):
    """The types as which this character may play this Power card, or this Special that counts as one."""
    d = r.decks[side]
    card_class = int(d.card_class[kind])
    if card_class == SPECIAL:
        types = int(d.icons[kind]) if can_ever_use(r, s, side, character, kind) else 0
    else:
        types = rated_types(r, s, side, character, kind)
    return types_not_forbidden(s, d, side, character, kind, stat, types)


@jit
def types_not_forbidden(s, d, side, character, kind, stat, types):
    """Those of these types as which no effect forbids this character to use this card."""
    if types == 0 or not is_in_play(s, ops.NO_USE):
        return types
    found = 0
    for t in range(TYPES + 1):
        if types >> t & 1 and not is_forbidden(s, d, side, character, stat, kind, 1 << t):
            found |= 1 << t
    return found


@jit
def bonus_types(r, s, side, character, kind, stat):
    """The types of Power card that this Basic Universe or Training card would help this character with."""
    d = r.decks[side]
    card_class = int(d.card_class[kind])
    if card_class != BASIC and card_class != TRAINING:
        return 0
    if not can_ever_use(r, s, side, character, kind):
        return 0
    types = types_not_forbidden(s, d, side, character, kind, stat, rated_types(r, s, side, character, kind))
    return types | ANY if types else 0


@jit
def can_use(r, s, side, character, kind, stat):
    """May this character use this card now?"""
    d = r.decks[side]
    card_class = int(d.card_class[kind])
    if card_class == POWER:
        return power_types(r, s, side, character, kind, stat) != 0
    if not can_ever_use(r, s, side, character, kind):
        return False
    return not is_forbidden(s, d, side, character, stat, kind, int(d.icons[kind]))


@jit
def reserve_may_play(r, s, side, character, kind):
    """The Reserve plays nothing unless a card or an inherent ability allows it (rule 42)."""
    d = r.decks[side]
    if d.timing[kind] & FROM_THE_RESERVE:
        return True
    if not is_in_play(s, ops.FROM_RESERVE):
        return False
    card_class, icons = int(d.card_class[kind]), int(d.icons[kind])
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.FROM_RESERVE and concerns(e, side, character) and fits(e, card_class, icons, icons, 0, 0, 0):
            return True
    return False


@jit
def reserve_may_defend_with(s, side, card_class):
    """Does an effect let the Reserve defend the Front Line with such cards?"""
    if not is_in_play(s, ops.POWER_DEFENDS):
        return False
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.POWER_DEFENDS and e.marks & BY_RESERVE and e.side == side and e.classes & card_class:
            return True
    return False


@jit
def keeps_duplicates(r, s, side, kind):
    """An inherent ability or an effect may let duplicates be kept."""
    d, p = r.decks[side], s.players[side]
    for character in range(TEAM_SIZE):
        if p.alive[character] and int(d.keep[kind]) >> character & 1:
            return True
    return keeps_all_duplicates(s, side)


@jit
def keeps_all_duplicates(s, side):
    """Does an effect let this side keep whatever it has twice?"""
    if is_in_play(s, ops.KEEP_DUPLICATES):
        for i in range(int(s.effects_n)):
            e = s.effects[i]
            if e.op == ops.KEEP_DUPLICATES and e.amount == 0 and concerns(e, side, NOBODY):
                return True
    return False


@jit
def kinds_found(s, side):
    """The kinds of which an Event has found a card that this side keeps whatever else it has, as bits."""
    kinds = 0
    if is_in_play(s, ops.KEEP_DUPLICATES):
        for i in range(int(s.effects_n)):
            e = s.effects[i]
            if e.op == ops.KEEP_DUPLICATES and e.amount > 0 and concerns(e, side, NOBODY):
                kinds |= only(int(e.amount) - 1)
    return kinds


@jit
def kinds_that_may_be_found(r, s, side):
    """What those cards may be, for all that the opponent knows: what the Events have searched for."""
    kinds = 0
    if not is_in_play(s, ops.KEEP_DUPLICATES):
        return kinds
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op != ops.KEEP_DUPLICATES or e.amount == 0 or not concerns(e, side, NOBODY):
            continue
        d, kind = r.decks[int(e.by_side)], int(e.kind)
        for at in range(int(d.op_at[kind]), int(d.op_at[kind]) + int(d.op_n[kind])):
            if d.ops[at].op == ops.FIND_FIRST:
                kinds |= kinds_to_find(r.decks[side], d.ops[at], NOBODY)
    return kinds


@jit
def universe_bonus(r, s, side, character, kind):
    """What a Basic Universe or Training card adds."""
    d = r.decks[side]
    return int(d.bonus[kind]) + more_bonus(s, side, character, int(d.card_class[kind]))


@jit
def more_bonus(s, side, character, card_class):
    """What effects add to the bonus of a Universe card of this class."""
    more = 0
    if not is_in_play(s, ops.UNIVERSE_BONUS):
        return more
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.UNIVERSE_BONUS and concerns(e, side, character) and fits(e, card_class, 0, 0, 0, 0, 0):
            more += int(e.amount)
    return more


@jit
def modifier(r, s, side, character, stat, classes, types, icons, value, multi, enemy):
    """What effects add to an attack on, or a defence from, this enemy character."""
    total = 0
    if not is_in_play(s, ops.MODIFY):
        return total
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.MODIFY and e.stat & stat != 0 and concerns(e, side, character):
            if e.marks & VERSUS_USER and (e.by_side == side or e.by != enemy):
                continue
            if e.marks & TO_TARGET and e.number != enemy:
                continue
            if e.code and e.code != r.decks[side].code[character]:
                continue
            if fits(e, classes, types, icons, value, 1, multi):
                total += int(e.amount)
                if e.kind == NOBODY and e.amount > 0:
                    total += inherent_bonus(s, side, stat)
    return total


@jit
def inherent_bonus(s, side, stat):
    """What effects add to the bonuses of inherent abilities."""
    total = 0
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.INHERENT_BONUS and e.side == side and e.stat & stat:
            total += int(e.amount)
    return total


@jit
def set_grids(r, s):
    """Bring all ratings in line with the effects in play."""
    for side in range(2):
        p = s.players[side]
        for character in range(TEAM_SIZE):
            for t in range(TYPES):
                p.grid[character, t] = r.decks[side].grid[character, t]
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.GRID and not e.asleep:
            for t in range(TYPES):
                if e.types >> t & 1:
                    s.players[int(e.side)].grid[int(e.who), t] = e.amount


@jit
def alive_bits(p):
    """The surviving characters, as bits."""
    bits = 0
    for character in range(TEAM_SIZE):
        bits |= int(p.alive[character]) << character
    return bits


@jit
def front_bits(p):
    """The surviving Front Line characters, as bits."""
    bits = 0
    for character in range(TEAM_SIZE):
        bits |= (int(p.alive[character]) & int(p.front[character])) << character
    return bits


@jit
def front_mates(p, user):
    """The Front Line without this character."""
    return front_bits(p) & ~(1 << user)


@jit
def count_bits(bits):
    """How many of four bits are set."""
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3 & 1)


@jit
def needs_follow_up(card_class):
    """Teamwork and Ally cards are attacks that somebody has to follow up."""
    return card_class == TEAMWORK or card_class == ALLY
