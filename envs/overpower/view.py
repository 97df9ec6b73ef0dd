"""What somebody sees of an OverPower state, as a `Table`."""

from typing import Any

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import icons, layout, ops, phases, wording, words
from overworlds.envs.overpower.cards import Card
from overworlds.envs.overpower.decks import Deck
from overworlds.envs.overpower.names import team_names
from overworlds.envs.overpower.state import (
    HAND,
    HIT_CURRENT,
    HIT_FIELDS,
    KINDS,
    MISSIONS,
    NOBODY,
    RULES,
    STATE,
    TEAM_SIZE,
    character_hit,
    hitter,
    side_hit,
)
from overworlds.envs.overpower.table import (
    FRONT,
    KNOCKED_OUT,
    RESERVE,
    UNDECIDED,
    Attack,
    Character,
    Effect,
    Face,
    Hit,
    Player,
    Table,
)
from overworlds.envs.overpower.which import card_with_number

Decks = tuple[Deck, Deck]
TITLE_FIRST = icons.BASIC | icons.TRAINING | icons.TEAMWORK
"""Classes of cards whose names begin with a title; the others' begin with what they belong to."""


def table(variant: Variant, decks: Decks, state: np.ndarray, viewer: int | None) -> Table:
    """The table as the viewer sees it; None knows only what is public."""
    s = state.view(STATE)[0]
    over = s.head.to_move == OVER
    onlooker = 1 - int(s.head.to_move) if viewer is None else viewer
    what = NOBODY if over else int(observed(variant, state, onlooker)["decision"].argmax())
    counts = public_counts(variant, state)
    return Table(
        players=(player(decks, s, 0, viewer, what, counts), player(decks, s, 1, viewer, what, counts)),
        battle=int(s.battle),
        viewer=viewer,
        to_move=None if over else int(s.head.to_move),
        decision="" if over else phases.NAMES[what],
        attack=attack(decks, s) if phases.DEFEND <= what <= phases.SHIFT else None,
        play=play(decks, s) if phases.USER <= what <= phases.TARGET and viewer == s.head.to_move else None,
        choices=choices(decks, variant.rules.view(RULES)[0], s, what),
        effects=effects(decks, s),
        result=result(s) if over else None,
    )


def observed(variant: Variant, state: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    """The parts of a seat's observation."""
    out = np.zeros(variant.observation_size, np.int8)
    variant.game.kernels.observe(variant.rules, state, seat, out)
    found, at = {}, 0
    for part in variant.parts:
        found[part.name] = out[at : at + part.size].astype(int)
        at += part.size
    return found


def public_counts(variant: Variant, state: np.ndarray) -> dict[str, np.ndarray]:
    """What the rules count on the table, for seat 0 and seat 1: parts of an observation that everybody may see."""
    found = observed(variant, state, 0)
    shape = (2, TEAM_SIZE, layout.CHARACTER)
    return {"players": found["players"].reshape(2, -1), "characters": found["characters"].reshape(shape)}


def face(card: Card) -> Face:
    """A card as it looks."""
    first, _, second = card.name.partition(": ")
    title, detail = (first, second) if card.card_class & TITLE_FIRST else (second or first, first if second else "")
    figure = str(card.value) if card.value else f"+{card.bonus}" if card.bonus else ""
    return Face(card.name, card.card_class, card.icons, title, detail, figure)


def faces(deck: Deck, counts: Any) -> tuple[Face, ...]:
    """So many cards of each kind, in the deck's order."""
    return tuple(face(card) for kind, card in enumerate(deck.kinds) for _ in range(counts[kind]))


def player(decks: Decks, s: np.record, side: int, viewer: int | None, what: int, counts: dict) -> Player:
    """One side of the table."""
    p, deck = s.players[side], decks[side]
    is_open = viewer == side or any(e.op == ops.OPEN_HAND and e.side == side for e in s.effects[: s.effects_n])
    hand = faces(deck, p.hand if is_open else p.known) if p.hand.any() else ()
    choosing = what == phases.RESERVE and (viewer != side or p.front.all())
    return Player(
        seat=side,
        deck=deck.name,
        mission=deck.mission,
        team=tuple(character(decks, s, side, on, choosing, counts["characters"][side, on]) for on in range(TEAM_SIZE)),
        missions=(int(p.completed), int(p.reserve), int(p.defeated)),
        ventured=(int(p.risk_completed), int(p.risk_reserve)),
        piles=(int(p.draw_n), int(p.pack.sum()), int(p.dead.sum()), int(p.removed.sum() + TEAM_SIZE - p.alive.sum())),
        discards=(faces(deck, p.pack), faces(deck, p.dead), faces(deck, p.removed)),
        hand=hand,
        hidden=max(0, int(p.hand.sum()) - len(hand)),  # some of those known may have been put aside
        goes_first=s.first == side,
        has_passed=bool(p.passed),
        total=int(counts["players"][side, 10]),
        total_parts=total_parts(decks, s, side, int(counts["players"][side, 10])),
        event=face(deck.kinds[p.event]) if p.event != NOBODY else None,
        event_words=wording.card_words(deck.kinds[p.event]) if p.event != NOBODY else "",
    )


def character(decks: Decks, s: np.record, side: int, on: int, choosing: bool, counts: np.ndarray) -> Character:
    """A character; while the Reserves are being chosen, nobody knows the other's."""
    p, deck, foe = s.players[side], decks[side], decks[1 - side]
    place = KNOCKED_OUT if not p.alive[on] else UNDECIDED if choosing else FRONT if p.front[on] else RESERVE
    hits = [h for h in s.hits[: s.hits_n] if (side_hit(h), character_hit(h)) == (side, on)]
    hits.sort(key=lambda h: (int(h.marks) & HIT_CURRENT, int(h.value), int(h.damage), hitter(h)))  # as in which.py
    return Character(
        name=team_names(deck)[on],
        version=deck.team[on].name.rpartition(" (")[2].rstrip(")"),
        inherent=wording.inherent_words(deck.team[on]),
        place=place,
        code=deck.team[on].code,
        grid=tuple(int(rating) for rating in p.grid[on]),
        printed=deck.team[on].grid,
        damage=int(counts[layout.DAMAGE]),
        limit=int(counts[layout.DAMAGE] + counts[layout.LIMIT_LEFT]),
        hits=tuple(
            Hit(face(foe.kinds[h.kind]), int(h.value), int(h.icons), bool(int(h.marks) & HIT_CURRENT)) for h in hits
        ),
        placed=tuple(face(deck.kinds[kind]) for kind in p.placed[on] if kind != NOBODY),
    )


def total_parts(decks: Decks, s: np.record, side: int, total: int) -> tuple[str, ...]:
    """What a Venture Total consists of beside hits; nothing if it is just their values."""
    base = sum(int(h.value) for h in s.hits[: s.hits_n] if side_hit(h) != side and int(h.marks) & HIT_CURRENT)
    parts = []
    awake = [e for e in s.effects[: s.effects_n] if e.op == ops.VENTURE and e.side == side and not e.asleep]
    for e in awake:
        is_card = e.kind != NOBODY
        source = decks[e.by_side].kinds[e.kind].name if is_card else team_names(decks[e.by_side])[e.by]
        parts.append(f"{int(e.amount):+d} {source}")
    plain = base + sum(int(e.amount) for e in awake)
    if plain < 0:
        parts.append("never below 0")
    elif total != plain:
        parts.append(f"{total - plain:+d} as hits count otherwise")
    return (f"hits {base}", *parts) if parts else ()


def effects(decks: Decks, s: np.record) -> tuple[Effect, ...]:
    """The cards in effect, each with all that it does."""
    found: dict[tuple[int, int], list[str]] = {}
    for e in s.effects[: s.effects_n]:
        if e.kind != NOBODY:
            found.setdefault((int(e.by_side), int(e.kind)), []).append(effect_words(decks, e))
    return tuple(
        Effect(seat, decks[seat].kinds[kind].name, tuple(dict.fromkeys(said))) for (seat, kind), said in found.items()
    )


def effect_words(decks: Decks, e: np.record) -> str:
    """What a lasting effect does, and to whom."""
    side, by_side = int(e.side), int(e.by_side)
    row = {name: int(e[name]) for name in words.FIELDS if name not in HIT_FIELDS}
    aims = e.op in (ops.MODIFY, ops.REDIRECT) and row["marks"] & words.TO_TARGET
    aimed_at = team_names(decks[side if e.op == ops.REDIRECT else 1 - side])[e.number] if aims else ""
    if e.who != NOBODY:
        who = team_names(decks[side])[e.who]
    else:
        who = "" if e.scope == icons.BOTH else f"player_{side}"
    return wording.effect_words(
        row,
        decks[by_side].kinds[e.kind].effect,
        who=who,
        whose="" if e.scope == icons.BOTH else f"player_{side}'s",
        user=team_names(decks[by_side])[e.by] if e.by != NOBODY else "",
        target=aimed_at,
    )


def choices(decks: Decks, r: np.record, s: np.record, what: int) -> tuple[str, ...]:
    """What numbers mean: the effects of the card that is being carried out, or the cards of one name."""
    f = s.frames[s.depth - 1]
    if what == phases.EITHER:
        return tuple(wording.choices(decks[f.deck].kinds[f.kind].effect))
    if what != phases.WHICH:
        return ()
    places = (int(card_with_number(r, s, number)) for number in range(MISSIONS + 1))
    one_words = hit_words if f.target != NOBODY else play_words
    return tuple(one_words(decks, s, place) for place in places if place != NOBODY)


def hit_words(decks: Decks, s: np.record, place: int) -> str:
    """What tells a hit from others with the same card."""
    h = s.hits[place]
    value = f"{h.value} points" + (f" and {h.damage} of damage" if h.damage else "")
    value += f" on {team_names(decks[side_hit(h)])[character_hit(h)]}"
    if not h.marks & HIT_CURRENT:
        return f"{value}, in the Permanent Record"
    return f"{value}, in this battle, by {team_names(decks[1 - side_hit(h)])[hitter(h)]}"


def play_words(decks: Decks, s: np.record, place: int) -> str:
    """All that a Special in effect does, and who played it."""
    one = s.effects[place]
    does = [effect_words(decks, e) for e in s.effects[: s.effects_n] if (e.serial, e.kind) == (one.serial, one.kind)]
    return f"by {team_names(decks[one.by_side])[one.by]}: {'; '.join(dict.fromkeys(does))}"


def attack(decks: Decks, s: np.record) -> Attack:
    """The attack that waits for an answer; one that lies face down shows no card."""
    a = s.attack
    deck = decks[a.side]
    return Attack(
        seat=int(a.side),
        user=team_names(deck)[a.user],
        cards=tuple(face(deck.kinds[kind]) for kind in (a.kind, a.partner, *a.others) if kind != NOBODY),
        target=team_names(decks[1 - a.side])[a.target] if a.target != NOBODY else None,
        value=int(a.value) if a.numeric and a.kind != NOBODY else None,
        types=int(a.types),
    )


def play(decks: Decks, s: np.record) -> Attack:
    """The play that is being put together, as far as it has come."""
    side, p = int(s.head.to_move), s.play
    deck = decks[side]
    user = p.place if p.place != HAND else p.user
    return Attack(
        seat=side,
        user=team_names(deck)[user] if user != NOBODY else "somebody",
        cards=tuple(face(deck.kinds[kind % KINDS]) for kind in (p.kind, p.partner, *s.attack.others) if kind != NOBODY),
        target=None,
        value=None,
        types=int(p.type) & (icons.FOUR | icons.ANY),
    )


def result(s: np.record) -> str:
    """How the game ended."""
    winners = [f"player_{side}" for side in range(2) if s.head.returns[side] > 0]
    return f"{winners[0]} wins" if winners else "no winner: the battle limit was reached"
