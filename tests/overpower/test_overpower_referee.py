"""The kernels of OverPower against an independent referee, which has read only the rule text.

Both play the same games in lockstep: before every decision the legal actions are compared, after it the whole table.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numba
import overpower_referee as referee
import overpower_referee_words as words
import pytest
from overpower_lockstep import Lockstep
from overpower_referee_decks import SORTS, choose_stars, random_deck, random_rules

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME
from overworlds.envs.overpower.cards import cards, missions

COMPILED = not numba.config.DISABLE_JIT
GAMES = 120 if COMPILED else 2
DIRECTED_GAMES = 60 if COMPILED else 2
MANY_GAMES = 1_000
MANY_DIRECTED_GAMES = 1_500


def cards_of(kind: str) -> dict:
    """The Specials, or the Events, that decks may hold."""
    return {card.name: card for card in cards().values() if card.card_class == SORTS[kind] and card.is_implemented}


FOR_DEFENDERS = ("twice", "parts", "equal", "reflect", "redirect", "comes_back", "substitute", "negate")
"""Words of programs that mean something only if there is a fitting answer."""
ASKED = {0: (("parts",), ("parts",)), 10: (("face_down",), ("shift", "redirect"))}
"""For some directed games: words of the programs that each player's Specials are about."""
WITH_LATE_KNOCK_OUTS = "Infestation Incident"
"""The Mission with an Event that puts them off."""


def specials_with(asked: Iterable[str]) -> list:
    """The Specials in whose programs there is one of these words."""
    return [card for card in cards_of("special").values() if any(word in card.effect for word in asked)]


class Record:
    """What has happened in some games."""

    def __init__(self):
        self.happened: Counter[str] = Counter()
        self.specials: Counter[str] = Counter()
        """The Specials that were played, in how many games."""
        self.events: Counter[str] = Counter()

    def add(self, table: Lockstep) -> None:
        self.happened.update(table.referee.happened)
        self.happened.update(games=1, decisions=table.decisions)
        self.specials.update(table.referee.specials)
        self.events.update(table.referee.events)


def play(seed: int, folder: Path, record: Record, directed: bool) -> None:
    """A game with decks, rules and players of all sorts; a directed one is about Specials that were played least."""
    rng = random.Random(seed)
    rules, likes = random_rules(rng), {}
    stars: list[list] = [[], []]
    titles = sorted(missions())
    if directed:
        rules |= {"sum_rule": False, "code_rule": False}
        if seed % 20 == 1:
            rules |= {"events": True, "ko_limit": 8}
            titles = [WITH_LATE_KNOCK_OUTS]
        asked = ("",), ("",)
        if seed % 5 == 0:
            asked = ASKED.get(seed % 20, (FOR_DEFENDERS, FOR_DEFENDERS))
            rules |= {"hand_size": 12, "ko_limit": 30, "events": False}
            likes = {"take it": 0.1, "concede": 0.02, "pass": 0.1, "alone": 0.2}
        stars = [choose_stars(rng, specials_with(some), record.specials) for some in asked]
        likes |= {f"{start} {card.name}": 8.0 for start in ("play", "place") for each in stars for card in each}
    decks = {
        f"deck{side}": random_deck(rng, folder, rules, titles[(2 * seed + side) % len(titles)], stars[side])
        for side in range(2)
    }
    table = Lockstep(Variant(GAME, 2, rules | decks), seed)
    try:
        table.play(rng, likes)
    except Exception as error:
        raise AssertionError(f"game {seed}, {rules}: {error}") from error
    record.add(table)


def play_games(seeds: Iterable[int], folder: Path, directed: bool = False) -> Record:
    record = Record()
    for seed in seeds:
        play(seed, folder, record, directed)
    return record


COMMON = (
    "duplicate", "duplicate of a placed card", "unusable", "penalty draw", "concession before a battle", "concession",
    "power", "power with basic", "power with training", "teamwork", "follow-up", "second follow-up", "ally", "special",
    "event", "defence", "defence with Universe", "avoid", "shift", "further attack", "cumulative KO", "spectrum KO",
    "spectrum KO with MultiPower", "placed card of the fallen", "Reserve moves up", "reshuffle", "drawn battle",
    "ladder", "ladder by pairs", "victory by KO", "victory by Mission", "forfeit", "truncated",
)  # fmt: skip
"""What happens in a hundred games."""
RARE = (
    "KO of a Reserve", "KO by both", "special with power", "power with special", "special that helps in defence",
    "shield in answer", "on_ko_venture", "substitute", "negated attack", "negated declaration", "negated in effect",
    "negated hit", "redirected", "redirected in answer", "bodyguard absorbs", "defended twice", "comes back",
    "part of an attack blocked", "strikes back", "provoked", "forced attack", "focus", "found and kept", "guest leaves",
    "concession refused", "late KO", "the same Event twice", "Event not played", "on_hit", "face down",
    "answer in vain", "turned in the dark",
)  # fmt: skip
"""What needs more of them."""


def test_games_are_played_as_the_referee_says(tmp_path):
    record = play_games(range(GAMES), tmp_path)
    assert not COMPILED or not [name for name in COMMON if not record.happened[name]]


def test_games_about_certain_specials_are_played_as_the_referee_says(tmp_path):
    record = play_games(range(DIRECTED_GAMES), tmp_path, directed=True)
    assert not COMPILED or len(record.specials) > 2 * DIRECTED_GAMES


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for plain Python")
def test_many_games_are_played_as_the_referee_says(tmp_path):
    record = play_games(range(1_000, 1_000 + MANY_GAMES), tmp_path)
    assert not [name for name in COMMON if not record.happened[name]]
    assert not set(cards_of("event")) - set(record.events)
    assert record.happened["untraceable"] < MANY_GAMES / 20


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too many games for plain Python")
def test_every_special_is_played_as_the_referee_says(tmp_path):
    """Game after game about those that were played least."""
    record = play_games(range(10_000, 10_000 + MANY_DIRECTED_GAMES), tmp_path, directed=True)
    assert set(record.specials) == set(cards_of("special"))
    assert not [verb for verb in (*words.LASTING, *RARE) if not record.happened[verb]]


def test_the_referee_knows_all_cards_that_decks_may_hold():
    """And refuses programs with words that it does not know."""
    for card in [*cards_of("special").values(), *cards_of("event").values()]:
        assert referee.card_from(card).name == card.name
        with pytest.raises(ValueError, match="does not know"):
            referee.card_from(replace(card, effect=card.effect + " perhaps"))
