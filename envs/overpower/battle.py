"""The course of a battle from the draw to the moving of Missions, stage by stage."""

from overworlds.envs.core.bits import only
from overworlds.envs.core.kernel import OVER, jit
from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.clearing import clear_hand, discard_useless, playable_kinds
from overworlds.envs.overpower.frames import ask_to_keep, push
from overworlds.envs.overpower.hits import (
    is_knocked_out,
    knock_out,
    on_of,
    return_hit,
    side_of,
    survivors,
    venture_total,
)
from overworlds.envs.overpower.icons import EVENT, SPECIAL, placing_sort
from overworlds.envs.overpower.lasting import FRONT_LINE, end_battle_effects, receive_guests, send_guests_away
from overworlds.envs.overpower.piles import (
    discard_from_hand,
    discard_hand,
    draw_cards,
    draw_hand,
    hand_bits,
)
from overworlds.envs.overpower.sight import leave_hand
from overworlds.envs.overpower.state import (
    HIT_CURRENT,
    MISSIONS,
    NOBODY,
    PLACED,
    TEAM_SIZE,
    WHEN_CONCEDED,
    WHEN_CONCEDING,
)
from overworlds.envs.overpower.usage import (
    concerns,
    count_bits,
    fits,
    front_bits,
    has_effect,
    is_in_play,
)

MOST_BATTLES = 32_000
"""What is counted, in a game without a limit."""
FREE_MISSIONS = 2
"""How many Missions can be ventured without letting the opponent draw."""

sort_of = jit(placing_sort)


@jit
def next_stage(r, s):
    """Nothing is pending: the battle goes on. Each stage asks what it has to ask, or passes over."""
    stage = int(s.stage)
    first = int(s.first)
    s.stage = stage + 1
    if stage == phases.SET_UP:
        draw_hands(r, s)
    elif stage == phases.DRAW:
        ask_for_event(r, s, first)
    elif stage == phases.EVENT_FIRST:
        ask_for_event(r, s, 1 - first)
    elif stage == phases.EVENT_SECOND:
        resolve_event(r, s, first)
    elif stage == phases.RESOLVE_FIRST:
        resolve_event(r, s, 1 - first)
    elif stage == phases.RESOLVE_SECOND:
        clear_hand(r, s, first)
    elif stage == phases.DISCARD_FIRST:
        clear_hand(r, s, 1 - first)
    elif stage == phases.DISCARD_SECOND:
        ask_to_place(s, first)
    elif stage == phases.PLACING:
        go_on_placing(r, s)
    elif stage == phases.VENTURE_FIRST:
        push(s, phases.VENTURE, 1 - first)
    elif stage == phases.VENTURE_SECOND:
        push(s, phases.CONCEDE, first)
    elif stage == phases.CONCEDE_FIRST:
        push(s, phases.CONCEDE, 1 - first)
    elif stage == phases.CONCEDE_SECOND:
        begin_battle(s)
        ask_for_turn(s, first)
    elif stage == phases.BATTLE:
        next_turn(s)
    elif stage == phases.BATTLE_OVER:
        end_battle(r, s)
    elif stage == phases.MISSIONS_MOVE:
        check_missions(r, s)
    else:
        start_next_battle(r, s)


@jit
def begin_battle(s):
    """Nobody has passed; who has fallen before has not fallen in this battle (ruling 53)."""
    s.passes = 0
    for side in range(2):
        p = s.players[side]
        for character in range(TEAM_SIZE):
            if not p.alive[character]:
                p.front[character] = 0


# ---------------------------------------------------------------- preparation


@jit
def draw_hands(r, s):
    """A fresh hand of eight for both (rule 22)."""
    s.battle = min(int(s.battle) + 1, MOST_BATTLES)
    s.conceded = NOBODY
    for side in range(2):
        p = s.players[side]
        p.passed = p.discarded = p.fresh = 0
        p.placing = 1
        p.event = NOBODY
        draw_hand(r, s, side)


@jit
def ask_for_event(r, s, side):
    """Who holds Events plays one of them (rule 23)."""
    if hand_bits(s.players[side]) & int(r.decks[side].events):
        push(s, phases.EVENT, side)


@jit
def play_event(r, s, side, kind):
    """The Event is played and replaced; other Events in hand, the replacement included, are discarded."""
    d, p = r.decks[side], s.players[side]
    p.event = kind
    leave_hand(d, p, kind)
    p.removed[kind] += 1
    draw_cards(r, s, side, 1)
    for other in range(int(d.kinds)):
        while p.hand[other] and d.card_class[other] == EVENT:
            discard_from_hand(r, s, side, other)


@jit
def resolve_event(r, s, side):
    """Carry an Event out for both players; the same Event of both happens once."""
    p, other = s.players[side], s.players[1 - side]
    if p.event == NOBODY:
        return
    kind = int(p.event)
    number = r.decks[side].event[kind]
    if side != s.first and other.event != NOBODY and r.decks[1 - side].event[int(other.event)] == number:
        return
    if r.decks[side].ops[int(r.decks[side].op_at[kind])].op == ops.EACH:
        run_event(r, s, 1 - int(s.first), side, kind)
        run_event(r, s, int(s.first), side, kind)
    else:
        run_event(r, s, side, side, kind)


@jit
def run_event(r, s, side, owner, kind):
    """This side carries out an Event of its owner's deck."""
    d = r.decks[owner]
    f = push(s, phases.RUN, side)
    f.deck, f.kind = owner, kind
    f.at = d.op_at[kind]
    f.end = int(f.at) + int(d.op_n[kind])


@jit
def ask_to_place(s, side):
    """One card, or none any more."""
    s.active = side
    push(s, phases.PLACE, side)


@jit
def go_on_placing(r, s):
    """Both in turn, until both have finished (rule 35); then the Venture begins."""
    first = int(s.first)
    if s.players[0].placing or s.players[1].placing:
        s.stage = phases.PLACING
        last = int(s.active)
        ask_to_place(s, 1 - last if s.players[1 - last].placing else last)
        return
    for side in range(2):
        s.players[side].useful = int(s.players[side].useful) & playable_kinds(r, s, side)
        discard_useless(r, s, side, 0)
    push(s, phases.VENTURE, first)


@jit
def free_slot(s, d, side, character, kind):
    """Where this card could be placed on this character: one of each sort (rule 35); NOBODY if nowhere."""
    p = s.players[side]
    free, sorts, placed = NOBODY, 0, 0
    for slot in range(PLACED):
        other = int(p.placed[character, slot])
        if other == NOBODY:
            free = slot
        else:
            sorts |= 1 << sort_of(d.card_class[other])
            placed += 1
    if not sorts >> sort_of(d.card_class[kind]) & 1:
        return free
    more = placed - count_bits(sorts)
    return free if more < more_places(s, side, character, int(d.card_class[kind])) else NOBODY


@jit
def more_places(s, side, character, card_class):
    """How many cards beyond one of each sort effects allow to be placed on this character."""
    places = 0
    if not is_in_play(s, ops.PLACE_MORE):
        return places
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.PLACE_MORE and concerns(e, side, character) and fits(e, card_class, 0, 0, 0, 0, 0):
            places += int(e.number)
    return places


@jit
def place(s, d, side, character, kind):
    """A card of the hand is assigned to a character, face up."""
    p = s.players[side]
    slot = free_slot(s, d, side, character, kind)
    leave_hand(d, p, kind)
    p.placed[character, slot] = kind
    if not p.front[character]:
        p.fresh = int(p.fresh) | only(kind)


@jit
def venture(r, s, side, from_reserve, from_completed):
    """Missions are ventured; for more than two the opponent draws (rules 38 and 39)."""
    p = s.players[side]
    p.reserve -= from_reserve
    p.completed -= from_completed
    p.risk_reserve += from_reserve
    p.risk_completed += from_completed
    more = from_reserve + from_completed - FREE_MISSIONS
    if more > 0:
        draw_cards(r, s, 1 - side, more)
        discard_useless(r, s, 1 - side, int(s.players[1 - side].cleared))
        ask_to_keep(s, 1 - side)


# ---------------------------------------------------------------- turns


@jit
def ask_for_turn(s, side):
    """An offensive action of this side."""
    s.active = side
    push(s, phases.TURN, side).users = front_bits(s.players[side])


@jit
def next_turn(s):
    """The turn is over; the other side's begins."""
    s.stage = phases.BATTLE
    s.head.turn += 1
    ask_for_turn(s, 1 - int(s.active))


@jit
def pass_turn(s, side):
    """Who has passed may only pass or concede from now on; two passes in a row end the battle (rule 52)."""
    s.players[side].passed = 1
    s.passes += 1
    if s.passes >= 2:
        s.stage = phases.BATTLE_OVER


@jit
def concede(r, s, side):
    """The battle ends at once and is lost, after what the opponent may still do (rules 40 and 51)."""
    s.conceded = side
    if s.stage == phases.BATTLE:
        ask_at_concession(r, s, side, WHEN_CONCEDING, phases.CONCESSION | phases.OWN_CONCESSION)
        ask_at_concession(r, s, 1 - side, WHEN_CONCEDED, phases.CONCESSION)
    s.stage = phases.BATTLE_OVER


@jit
def ask_at_concession(r, s, side, timing, marks):
    """Some Specials are played when a battle has been conceded: one by each player."""
    d = r.decks[side]
    for kind in range(int(d.kinds)):
        if d.timing[kind] & timing:
            f = push(s, phases.FOLLOW, side)
            f.users = front_bits(s.players[side])
            f.marks = marks | phases.LAST
            f.classes = SPECIAL
            return


# ---------------------------------------------------------------- the end of a battle


@jit
def end_battle(r, s):
    """Hands away, totals, Missions up or down, hits into the record (rules 61 to 67)."""
    for side in range(2):
        knock_out_the_late(r, s, side)
    for side in range(2):
        s.players[side].total = venture_total(s, side)
    if is_over(s):
        return
    for side in range(2):
        discard_hand(r, s, side)
    winner = battle_winner(s)
    stuck = winner != NOBODY and has_effect(s, ops.NO_LADDER, winner, NOBODY)
    if winner != NOBODY:
        for side in range(2):
            hold_missions_back(s, side)
    file_hits(r, s)
    if winner == NOBODY:
        return  # a draw: the ventured Missions stay where they are, and the same player begins
    s.first = winner
    lose_missions(s.players[1 - winner])
    won = win_missions(s.players[winner])
    if won and s.players[winner].defeated and not stuck:
        f = push(s, phases.LADDER, winner)
        f.left = won


@jit
def is_over(s):
    """Is a team gone? Then the other player has won; if both are, who won the battle, or else who went first in it."""
    mine, his = survivors(s.players[0]), survivors(s.players[1])
    if mine and his:
        return False
    winner = 0 if mine else 1
    if mine == 0 and his == 0:
        winner = battle_winner(s)
        if winner == NOBODY:
            winner = int(s.first)
    end_game(s, winner)
    return True


@jit
def knock_out_the_late(r, s, side):
    """Those whose KO was put off until now."""
    for on in range(TEAM_SIZE):
        if s.players[side].alive[on] and has_effect(s, ops.KO_DELAY, side, on) and is_knocked_out(r, s, side, on):
            knock_out(r, s, side, on)


@jit
def hold_missions_back(s, side):
    """Where an effect lets only so many ventured Missions move, the others return to their piles."""
    p = s.players[side]
    for i in range(int(s.effects_n)):
        e = s.effects[i]
        if e.op == ops.MISSION_CAP and e.side == side and not e.asleep:
            while p.risk_completed + p.risk_reserve > e.amount:
                if p.risk_completed:
                    p.risk_completed -= 1
                    p.completed += 1
                else:
                    p.risk_reserve -= 1
                    p.reserve += 1


@jit
def battle_winner(s):
    """The higher Venture Total, or whoever did not concede; NOBODY for a draw."""
    if s.conceded != NOBODY:
        return 1 - int(s.conceded)
    mine, his = int(s.players[0].total), int(s.players[1].total)
    if mine == his:
        return NOBODY
    return 0 if mine > his else 1


@jit
def file_hits(r, s):
    """Current hits join the Permanent Record; those of knocked-out characters go back (rules 58 and 67)."""
    for i in range(int(s.hits_n) - 1, -1, -1):
        hit = s.hits[i]
        if not s.players[side_of(hit)].alive[on_of(hit)] or (
            hit.marks & HIT_CURRENT and has_effect(s, ops.CLEAR_HITS, side_of(hit), on_of(hit))
        ):
            return_hit(r, s, i)
        else:
            hit.marks = int(hit.marks) & ~HIT_CURRENT


@jit
def lose_missions(p):
    """One pile down each."""
    p.defeated += p.risk_reserve
    p.reserve += p.risk_completed
    p.risk_reserve = p.risk_completed = 0


@jit
def win_missions(p):
    """One pile up each; how many were won from Completed."""
    won = int(p.risk_completed)
    p.completed += p.risk_reserve + p.risk_completed
    p.risk_reserve = p.risk_completed = 0
    return won


@jit
def most_to_completed(r, p, won):
    """How many Missions may go from Defeated to Completed for so many won from Completed."""
    return min(won // 2, int(p.defeated))


@jit
def climb(r, s, side, won, to_completed):
    """The winner moves Missions out of Defeated (rule 64): some to Completed, the others to Reserve."""
    p = s.players[side]
    p.defeated -= to_completed
    p.completed += to_completed
    singles = won - 2 * to_completed if r.pair_instead else won
    singles = min(singles, int(p.defeated))
    p.defeated -= singles
    p.reserve += singles


@jit
def check_missions(r, s):
    """A completed Mission wins, an abandoned one loses (rules 1, 2 and 65)."""
    for side in range(2):
        if s.players[side].completed == MISSIONS:
            end_game(s, side)
            return
        if s.players[side].defeated == MISSIONS:
            end_game(s, 1 - side)
            return


@jit
def send_visitor_back(p):
    """A Reserve who joined the Front Line for one battle returns, unless he is needed there now."""
    if p.visitor != NOBODY and p.alive[int(p.visitor)]:
        p.front[int(p.visitor)] = 0
    p.visitor = NOBODY


@jit
def fill_front_line(p, waits):
    """Where somebody has fallen, the Reserve moves up; one who has to wait only if nobody else is left."""
    for character in range(TEAM_SIZE):
        if not p.alive[character]:
            p.front[character] = 0
    standing = count_bits(front_bits(p))
    for character in range(TEAM_SIZE):
        if p.alive[character] and not p.front[character] and standing < (1 if waits else FRONT_LINE):
            p.front[character] = 1
            standing += 1


@jit
def start_next_battle(r, s):
    """What lasted for the battle is over; the Reserve moves up where the Front Line has a gap (rule 69)."""
    send_guests_away(r, s)
    if is_over(s):
        return
    end_battle_effects(r, s)
    if r.battle_limit and s.battle >= r.battle_limit:
        s.head.truncated = 1
        end_game(s, NOBODY)
        return
    for side in range(2):
        p = s.players[side]
        send_visitor_back(p)
        fill_front_line(p, has_effect(s, ops.RESERVE_WAITS, side, NOBODY))
    receive_guests(r, s)
    s.stage = phases.SET_UP


@jit
def end_game(s, winner):
    """Nobody moves any more."""
    s.depth = 0
    s.head.to_move = OVER
    for side in range(2):
        s.head.finished[side] = 1
        if winner != NOBODY:
            s.head.returns[side] = 1.0 if side == winner else -1.0
