"""What a Special needs to act on, and what it does not reach."""

import pytest
from overpower_scenario import HEROES, VILLAINS, Table

from overworlds.envs.overpower import words
from overworlds.envs.overpower.cards import cards, characters
from overworlds.envs.overpower.compiling import DETAIL_NAMES, WORD_GROUPS, effect_features, program_of
from overworlds.envs.overpower.state import HIT_CURRENT


def test_avoiding_up_to_a_value_needs_a_value():
    """AD11: an attack without a number has none."""
    card, snare = "Supergirl: Telekinetic Shield", "Venom: Symbiotic Snare"
    for attack, avoided in (("Fighting 4", True), ("Fighting 5", False), (snare, False)):
        t = Table([attack], [card], team0=("Venom (IQ)", *VILLAINS[:3]), team1=("Supergirl (BS)", *HEROES[:3]))
        t.do(f"play {attack}").may("by Venom", "alone").do("at Supergirl")
        assert (f"play {card}" in t.legal()) == avoided


def test_some_healers_heal_teammates_only():
    """ET3, while ET2 is for the own hits."""
    card = "Domino: Battle Medic"
    for hurt, playable in (("Domino", False), ("Batman", True)):
        t = Table([card], team0=("Domino (IQ)", *HEROES[:3]), more1=["Fighting 5"])
        t.hit(0, hurt, "Fighting 5")
        assert (f"play {card}" in t.legal()) == playable


def test_cards_with_several_icons_are_healed_whatever_they_are():
    """ET1: MultiPower cards, and Specials with more than one icon."""
    card = "Colossus: Organic Steel"
    special = "Nightcrawler: Disappearing Act"
    for name, healed in (("Fighting 2", False), ("MultiPower 3", True), (special, True)):
        t = Table(
            [card], team0=("Colossus (IQ)", *HEROES[:3]), more1=[name], team1=("Nightcrawler (IQ)", *VILLAINS[:3])
        )
        t.hit(0, "Colossus", name)
        assert (f"play {card}" in t.legal()) == healed


@pytest.mark.parametrize(
    ("card", "owner", "pile"),
    [
        ("Any Character: Web-Headed Wizard", "Batman (BS)", "dead"),
        ("Booster Gold: Skeets", "Booster Gold (JL)", "pack"),
    ],
)
def test_a_search_in_an_open_pile_needs_something_there(card, owner, pile):
    """BQ1, HT2: everybody sees that it is empty."""
    t = Table([card], team0=(owner, "Superman (BS)", "Robin (BS)", "Azrael (BS)"), more0=["Fighting 5"])
    assert f"play {card}" not in t.legal()
    kind = t.kind(0, "Fighting 5")
    t.draw_out(0, kind)
    t.s.players[0][pile][kind] += 1
    assert f"play {card}" in t.legal()


def test_hits_that_change_places_must_be_there():
    """CR: Power cards on the enemy's Front Line."""
    card = "Namor: Watery Grave"
    t = Table([card], team0=("Namor (IQ)", *HEROES[:3]), more0=["Fighting 1", "Fighting 1"])
    assert f"play {card}" not in t.legal()
    t.hit(1, "Joker", "Fighting 1")
    assert f"play {card}" in t.legal()


@pytest.mark.parametrize(
    ("card", "owner", "hits", "playable"),
    [
        ("Mystique: Mistaken Identity", "Mystique (IQ)", [], False),
        ("Mystique: Mistaken Identity", "Mystique (IQ)", ["Fighting 1"], True),
        ("Parallax: Heroic Redemption", "Parallax (JL)", ["Fighting 1", "MultiPower 1"], False),  # no pure Energy hit
        ("Parallax: Heroic Redemption", "Parallax (JL)", ["Energy 1"], True),
    ],
)
def test_records_that_move_must_have_something_to_move(card, owner, hits, playable):
    """CA, JK: hits in the records of the own Front Line, the teammates' as well."""
    t = Table([card], team0=(owner, *HEROES[:3]), more1=["Energy 1"], code_rule=False)
    for name in hits:
        t.hit(0, "Batman", name)
    assert (f"play {card}" in t.legal()) == playable
    t.s.hits["marks"] |= HIT_CURRENT  # of this battle
    assert f"play {card}" not in t.legal()


def test_somebody_who_comes_back_must_have_fallen():
    """CK."""
    card = "Dr. Strange: Necromancy"
    t = Table([card], team0=("Dr. Strange (IQ)", *HEROES[:3]))
    assert f"play {card}" not in t.legal()
    t.s.players[0].alive[1] = 0
    assert f"play {card}" in t.legal()


def test_a_defeated_mission_returns_only_if_there_is_one():
    """JM2."""
    card = next(c for c in cards().values() if c.function == "JM2")
    owner = next(c.name for c in characters().values() if c.character == card.owner)
    t = Table([card.name], team0=(owner, *HEROES[:3]), code_rule=False)
    assert f"play {card.name}" not in t.legal()
    t.s.players[0].defeated, t.s.players[0].reserve = 1, 6
    assert f"play {card.name}" in t.legal()


# ---------------------------------------------------------------- what an observation says of it

SILENT = ("declare", "drop", "each", "either", "only_if", "pick", "choose_type", "pick_hit", "cost", "reserve_plays",
          "after_concession", "placeable")  # fmt: skip
"""Verbs that only say how a program runs, or when its card may be played, which other features say."""


def test_every_effect_has_a_word_among_the_features():
    grouped = {op for group in WORD_GROUPS.values() for op in group}
    assert {name for name, verb in words.VERBS.items() if verb.op not in grouped} == set(SILENT)


def test_features_tell_different_programs_apart():
    """All but a few: what a card is about, how much and how long."""
    programs = {card.effect: card for card in cards().values() if card.effect}
    seen = {}
    for card in programs.values():
        rows = program_of(card)
        assert len(effect_features(rows)) == len(WORD_GROUPS) + len(DETAIL_NAMES)
        seen.setdefault((card.card_class, card.icons, card.value, *effect_features(rows)), []).append(card.name)
    assert len(seen) >= 0.85 * len(programs)
    assert all(-128 <= number <= 127 for numbers in seen for number in numbers)
