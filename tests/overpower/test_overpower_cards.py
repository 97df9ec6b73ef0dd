"""Every Special and Event of the pool is played on one table, and what comes of it is as it was recorded.

`test_overpower_specials.py` asks one card of each function whether its program does what the program says. This asks
every card whether it still does what it did: a figure, an icon or a condition that changes in the data changes what is
legal, what an attack is worth or what lies on the table, and is seen here. Cards that do the same lie together in
``golden/overpower_cards.json``, by function. ``python tests/overpower/test_overpower_cards.py`` writes it anew, which
is right only where a card was wrong before.
"""

import functools
import hashlib
import json
from pathlib import Path

import numba
import pytest
from test_overpower_events import event
from test_overpower_specials import ENEMY_HAND, table_for

from overworlds.envs.overpower import icons, ops, phases
from overworlds.envs.overpower.cards import ANY_CHARACTER, cards, characters
from overworlds.envs.overpower.names import team_names
from overworlds.envs.overpower.state import NOBODY, character_hit, side_hit
from overworlds.envs.overpower.view import observed

GOLDEN = Path(__file__).parents[1] / "golden" / "overpower_cards.json"
HAND = [*ENEMY_HAND, "Energy 2", "Fighting 3", "Strength 4", "Intellect 1", "MultiPower 3", "Any-Power 6",
        "Magneto: Paralyze Opponent", "Teamwork: 8E then FI +2 +3", "Flying Kick"]  # fmt: skip
MOST_STEPS = 40
COMPILED = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow in plain Python")


@functools.cache
def playable():
    """All Specials that a deck can hold, by function."""
    people = {c.character for c in characters().values()} | {ANY_CHARACTER}
    found = {}
    for card in cards().values():
        if card.card_class == icons.SPECIAL and card.effect and card.owner in people:
            found.setdefault(card.function, []).append(card)
    return found


def take(t, name):
    """Make a choice that is known to be legal, without counting all cards anew."""
    t.k.step(t.variant.rules, t.state, t.variant.action_id(name, t.to_move))


def choose_on(t, lines, pick=-1, card=None):
    """Take the first or last option, or let the attack land, until a turn begins; note every question."""
    for _ in range(MOST_STEPS):
        if t.to_move < 0 or t.decision <= phases.TURN:
            return
        legal, a, f = t.legal(), t.s.attack, t.s.frames[t.s.depth - 1]
        lines.append(f"{t.to_move} {phases.NAMES[t.decision]}: {legal}")
        lines.append(f"attack {a.value} {a.types}, hit {a.hit_value} {a.damage}; {f.left} more, {f.bonus}")
        if card is not None and f"play {card.name}" in legal and t.decision == phases.DEFEND:
            take(t, f"play {card.name}")
        else:
            take(t, legal[0] if t.decision in (phases.DEFEND, phases.FOLLOW) else legal[pick])


def try_all(t, lines, pick=-1, card=None):
    """From here, every play of whose turn it is, each on a table of its own."""
    before = t.state.copy()
    for name in t.legal():
        lines.append(f"{t.to_move} {name}")
        if name.startswith("play "):
            take(t, name)
            choose_on(t, lines, pick, card)
            t.state[:] = before


def look(t, lines):
    """What lies on the table."""
    seen = observed(t.variant, t.state, 0)
    lines.append(f"{seen['players'].tolist()} {seen['characters'].tolist()}")
    lines += [f"{t.hand(side)} {t.dead(side)} {t.pack(side)} {t.removed(side)}" for side in range(2)]
    for h in t.s.hits[: t.s.hits_n]:
        side, on = side_hit(h), character_hit(h)
        lines.append(f"hit {t.decks[1 - side].kinds[h.kind].name} {side} {on} {h.value} {h.icons} {h.damage}")
    for e in t.s.effects[: t.s.effects_n]:
        if e.by == NOBODY and e.kind == NOBODY:
            continue  # it was there when the table was set up
        lines.append(f"{e.side} {e.who}: {e.amount} {e.number} {e.until} {e.stat}, {e.classes} {e.types} {e.icons}")
        lines.append(f"{e.lo}-{e.hi}")


def play(t, lines, card):
    """The card is played on the turn, if it can be; what lies there then, and what both can do."""
    if f"play {card.name}" in t.legal():
        take(t, f"play {card.name}")
        choose_on(t, lines)
        look(t, lines)
        if t.decision == phases.TURN:
            try_all(t, lines)
            take(t, "pass")
    if t.decision == phases.TURN:
        try_all(t, lines)  # it may last, or accompany another card


def empty_hands(t, card):
    """Only the card is in hand; the others are in the own Draw Pile, and in the enemy's Dead Pile and Power Pack."""
    mine, his = t.s.players
    for kind, each in enumerate(t.decks[0].kinds):
        while mine.hand[kind] > (each == card):
            mine.hand[kind] -= 1
            mine.draw[mine.draw_n] = kind
            mine.draw_n += 1
    for kind, each in enumerate(t.decks[1].kinds):
        his["pack" if each.card_class == icons.POWER else "dead"][kind] += his.hand[kind]
        his.hand[kind] = 0


NEEDS_MORE = ("from:dead usable", "from:pack class", "equal elsewhere", "pick self fallen")
"""Words of programs that act on own cards in open piles, on equal hits, or on somebody who has fallen."""


def open_piles(t, card):
    """Only the card is in hand; the others lie in the own Power Pack and Dead Pile, and two have hit enemies. Where it
    brings somebody back, the last front-liner has fallen."""
    mine = t.s.players[0]
    for kind, each in enumerate(t.decks[0].kinds):
        while mine.hand[kind] > (each == card):
            mine.hand[kind] -= 1
            mine["pack" if each.card_class == icons.POWER else "dead"][kind] += 1
    for on in team_names(t.decks[1])[:2]:
        t.hit(1, on, "Fighting 1")
    if "pick self fallen" in card.effect:
        mine.alive[2] = mine.front[2] = 0
        t.ask(0)


def story(card):
    """What the card does: on the turn, with others and alone, in answer to attacks, at a concession, in Reserve."""
    lines = []
    t = table_for(card, HAND)
    start = t.state.copy()
    play(t, lines, card)
    t.state[:] = start
    empty_hands(t, card)
    play(t, lines, card)
    if any(words in card.effect for words in NEEDS_MORE):
        t.state[:] = start
        open_piles(t, card)
        play(t, lines, card)
    for pick in (0, -1):  # attacks on him, and on a teammate
        t.state[:] = start
        t.ask(1)
        try_all(t, lines, pick, card)
    take(t, "concede")
    lines.append(str(t.legal()[:5]))
    t.state[:] = start
    t.s.players[0].front[0], t.s.players[0].front[3] = 0, 1
    t.ask(0)
    lines.append(str(f"play {card.name}" in t.legal()))
    return lines


def digests(function):
    """The cards of a function by what they do; those with the same program do the same."""
    found = {}
    for card in playable()[function]:
        found.setdefault(card.effect, []).append(card)
    return {digest(group[0]): [card.name for card in group] for group in found.values()}


def digest(card):
    return hashlib.sha256("\n".join(story(card)).encode()).hexdigest()[:12]


def keep_reserve_back(s, side):
    """There is somebody who has fallen and still a Reserve: he has to wait, throughout the game."""
    e = s.effects[s.effects_n]
    s.effects_n += 1
    s.in_play |= ops.set_of_lasting(ops.RESERVE_WAITS)
    e.op, e.side, e.until = ops.RESERVE_WAITS, side, icons.GAME
    e.who = e.by = e.kind = NOBODY


def event_story(name):
    """What an Event does before a battle, and what both can do then; with all sorts of cards in every place."""
    placed = {"Superman": ["Energy 7", "Nerve Pinch", "Superman: Heat Vision"], "Azrael": ["MultiPower 3"]}
    hits = ("Energy 1", "Fighting 1", "Strength 1", "Energy 2", "Fighting 2", "Strength 2")
    pack = ("Energy 5", "Strength 4", "Intellect 2", "Energy 6")

    def prepare(t):
        for side, on in ((0, "Batman"), (1, "Joker"), (0, "Robin"), (1, "Bane")):
            for each in hits[:2] if on in ("Batman", "Joker") else hits[3:5]:
                t.hit(side, on, each)
        t.hit(0, "Superman", "Strength 1")
        for side, p in enumerate(t.s.players):
            p.reserve, p.completed, p.defeated = 2, 3, 2
            p.alive[2] = p.front[2] = 0
            keep_reserve_back(t.s, side)
        for each in pack:
            t.draw_out(0, t.kind(0, each))
            t.s.players[0].pack[t.kind(0, each)] += 1

    t = event(name, ["Intellect 1", "Intellect 3", "Batman: Batarang", "Flying Kick", "Fighting 7",
              "Training: EF +4"], ["Intellect 1", "Intellect 2", "Intellect 7", "Fighting 6", "Strength 5"],
              prepare, more0=[*hits, *pack], more1=hits, placed0=placed,
              placed1={"Joker": ["Intellect 7", "Blackout", "Joker: Double Cross"]})  # fmt: skip
    lines = []
    for _ in range(MOST_STEPS):
        if t.to_move < 0 or t.decision == phases.TURN:
            break
        legal = t.legal()
        lines.append(f"{t.to_move} {phases.NAMES[t.decision]}: {legal}")
        look(t, lines)
        take(t, next((each for each in ("done", "fight") if each in legal), legal[-1]))
    for _ in range(2):
        if t.to_move >= 0 and t.decision == phases.TURN:
            try_all(t, lines)
            take(t, "pass")
    look(t, lines)
    return lines


def events():
    """What every Event does."""
    names = [card.name.removeprefix("Event: ") for card in cards().values() if card.card_class == icons.EVENT]
    return {name: hashlib.sha256("\n".join(event_story(name)).encode()).hexdigest()[:12] for name in sorted(names)}


@functools.cache
def golden(part):
    return json.loads(GOLDEN.read_text("utf-8"))[part]


@COMPILED
@pytest.mark.parametrize("function", sorted(playable()))
def test_every_special_does_what_it_did(function):
    assert digests(function) == golden("specials")[function]


def test_no_function_is_forgotten():
    assert set(golden("specials")) == set(playable())


@COMPILED
def test_every_event_does_what_it_did():
    assert events() == golden("events")


if __name__ == "__main__":
    everything = {"specials": {function: digests(function) for function in sorted(playable())}, "events": events()}
    GOLDEN.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", "utf-8")
