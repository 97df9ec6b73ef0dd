"""Decks and rules for games with the referee of OverPower."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import overpower_referee_words as words

from overworlds.envs.overpower.cards import ANY_CHARACTER, ANY_MISSION, Card, Character, cards, characters, missions
from overworlds.envs.overpower.decks import MOST_POINTS, may_use

SMALLEST = 51

# ---------------------------------------------------------------- decks

POWERS = {
    "mixed": (1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8),
    "small": (1, 1, 2, 2, 3, 3, 4, 4, 5),
    "great": (4, 5, 5, 6, 6, 7, 7, 8),
}


SORTS = {name: number for number, name in words.CLASSES.items()}


def random_team(rng: random.Random, sum_rule: bool, stars: Sequence[Card]) -> list[Character]:
    """Four characters, often of both codes and without; the owners of these Specials are among them."""
    everybody = [c for c in characters().values() if words.understands_gift(c.inherent)]
    if rng.random() < 0.3:
        everybody = [c for c in everybody if c.has_inherent]
    if rng.random() < 0.5:
        everybody = [c for c in everybody if c.ranks == 4]
    owners = {card.owner for card in stars} - {ANY_CHARACTER}
    wanted = [rng.choice([c for c in characters().values() if c.character == owner]) for owner in sorted(owners)]
    while True:
        team = wanted + rng.sample(everybody, 4 - len(wanted))
        rng.shuffle(team)
        ranks, points = sum(c.ranks for c in team), sum(c.points for c in team)
        if len({c.character for c in team}) == 4 and (not sum_rule or points <= MOST_POINTS[ranks]):
            return team


def random_deck(rng: random.Random, folder: Path, rules: dict, mission: str = "", stars: Sequence[Card] = ()) -> str:
    """A file with a deck that the referee knows: few cards more than needed, with more or less of every class.

    With all Events of its Mission, and with as many copies of the stars as are sensible.
    """
    team = random_team(rng, rules["sum_rule"], stars)
    mission = mission or rng.choice(sorted(missions()))
    pool = [
        card
        for card in cards().values()
        if card.is_implemented and any(may_use(character, card, rules["code_rule"]) for character in team)
    ]
    counts: Counter[str] = Counter()

    def add(choices: list[Card], number: int) -> None:
        for _ in range(number):
            free = [c for c in choices if len(counts) < 62 and not (c.one_per_deck and counts[c.name])]
            if free:
                counts[rng.choice(free).name] += 1

    def of(kind: str) -> list[Card]:
        return [card for card in pool if card.card_class == SORTS[kind]]

    for card in stars:
        add([card], 3)
    size = SMALLEST + rng.choice((0, 0, 1, 4, 9))
    if rules["events"]:
        size += 5
        for card in cards().values():
            if card.card_class == SORTS["event"] and card.mission in (mission, ANY_MISSION):
                add([card], 1)
    for kind, most in (("basic", 8), ("training", 6), ("teamwork", 6), ("special", 20), ("ally", 4)):
        add(of(kind), rng.choice((0, most // 2, most)))
    powers = of("power")
    several = [card for card in powers if card.name.startswith("Multi")]
    if rng.random() < 0.3:
        add(several, 14)
    add([card for card in powers if card.name.startswith("Any")], rng.choice((0, 1)))
    values = rng.choice(list(POWERS.values()))
    while counts.total() < size:
        value = rng.choice(values)
        add([card for card in powers if card.value == value] or powers, 1)
    text = f"characters = {json.dumps([c.name for c in team])}\n"
    text += f"mission = {json.dumps(mission)}\n[cards]\n"
    text += "".join(f"{json.dumps(name)} = {count}\n" for name, count in counts.items() if count)
    path = folder / f"deck-{rng.getrandbits(64):016x}.toml"
    path.write_text(text)
    return str(path)


def random_rules(rng: random.Random) -> dict:
    """Mostly the usual rules, but every rule to choose is chosen now and then."""
    return {
        "code_rule": rng.random() < 0.7,
        "sum_rule": rng.random() < 0.5,
        "events": rng.random() < 0.6,
        "ladder": rng.choice(("also", "instead")),
        "hand_size": rng.choice((8, 8, 8, 4, 6, 12)),
        "ko_limit": rng.choice((20, 20, 12, 8, 30)),
        "spectrum_types": rng.choice((3, 3, 3, 2, 4)),
        "battle_limit": rng.choice((40, 40, 12, 5)),
    }


def choose_stars(rng: random.Random, specials: Iterable[Card], played: Counter[str]) -> list[Card]:
    """Three Specials that have been played least so far, of three characters at most."""
    stars: list[Card] = []
    for card in sorted(specials, key=lambda card: (played[card.name], rng.random())):
        if len({star.owner for star in [*stars, card]}) <= 3 and len(stars) < 3:
            stars.append(card)
    return stars
