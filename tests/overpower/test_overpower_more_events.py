"""Events that last: a battle is fought under each of them, and the table is looked at."""

import pytest
from overpower_scenario import HEROES
from test_overpower_events import event, fight

from overworlds.envs.overpower import phases

TEAMWORK = {"F": "Teamwork: 7F then SI +2 +2", "S": "Teamwork: 7S then EF +2 +2"}
KICK = "Flying Kick: 7 Fighting +2"
HAND = ["Energy 5", "Fighting 6", "Strength 4", "Intellect 3", "Superman: Heat Vision"]


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("Mutant Rebels Held Captive!", "Strength 4"),
        ("Silver Tongued Devil", "Fighting 6"),
        ("661216.01", "Intellect 3"),
        ("Avengers Attack Headquarters", "Energy 5"),
        ("Down But Not Out!", "Superman: Heat Vision"),
    ],
)
def test_cards_of_a_sort_are_not_played_but_kept(name, gone):
    attack = "Strength 2" if gone == "Intellect 3" else "Intellect 2"
    t = fight(event(name, HAND, [attack]))
    assert [card for card in HAND if f"play {card}" not in t.legal()] == [gone]
    assert gone in t.hand(0)
    target = "Superman" if gone == "Energy 5" else "Batman"
    t.do("pass", f"play {attack}").may("by Joker").do(f"at {target}")
    usable = ["Energy 5" if target == "Superman" else "Fighting 6", "Intellect 3", "Strength 4"]
    assert sorted(t.legal()[1:]) == sorted(f"play {card}" for card in usable if card != gone)


@pytest.mark.parametrize(
    ("name", "icon"),
    [
        ("Shockwave Rocks The World!", "Energy"),
        ("Imprisoned For Science", "Fighting"),
        ("Chaos At Gamma Base", "Strength"),
    ],
)
def test_an_icon_that_does_not_attack_still_defends(name, icon):
    cards = [f"{icon} 4", "MultiPower 3", "Intellect 2"]
    t = fight(event(name, cards, ["Intellect 2"]))
    assert f"play {icon} 4" not in t.legal()
    assert "play MultiPower 3" not in t.legal()  # it has that icon, too
    assert "play Intellect 2" in t.legal()
    t.do("pass", "play Intellect 2").may("by Joker").do("at Superman")
    assert f"play {icon} 4" in t.legal()


@pytest.mark.parametrize(
    ("name", "types"),
    [("Infinite Army Scatters!", ""), ("179603.11", ""), ("179603.08", "S"), ("Rude Awakening!", "FS")],
)
def test_teamwork_is_not_played(name, types):
    t = fight(event(name, [*TEAMWORK.values(), "Fighting 6", "Intellect 5", "Energy 3", "Strength 2"]))
    assert [letter for letter, card in TEAMWORK.items() if f"play {card}" in t.legal()] == list(types)


@pytest.mark.parametrize(
    ("name", "stays"),
    [("Battle On The Moon!", []), ("Caught Off Guard!", [KICK]), ("Rude Awakening!", [KICK, "Training: EF +4"])],
)
def test_universe_cards_are_not_played(name, stays):
    for power, universe in (("Fighting 5", KICK), ("Energy 2", "Training: EF +4")):
        t = fight(event(name, [power, universe])).do(f"play {power}", "by Batman")
        assert (t.decision == phases.PARTNER and f"play {universe}" in t.legal()) == (universe in stays)


@pytest.mark.parametrize("name", ["Cosmic Sneak Attack!", "271266.04"])
def test_ones_cannot_be_blocked(name):
    t = fight(event(name, ["Energy 1", "Energy 2"], ["Intellect 7"]))
    if "keep Energy 1" in t.legal():
        t.do("keep Energy 1")
    one = next(card for card in t.hand(0) if card.endswith(" 1"))
    t.do(f"play {one}").may("by Batman").do("at Joker")
    assert t.hits(1, "Joker") == [(one, 1, True)]
    t.do("pass", "play Energy 2").may("by Batman").do("at Joker")
    assert t.legal() == ["take it", "play Intellect 7"]


def test_strength_does_not_count_for_the_venture():
    t = fight(event("271266.07", ["Strength 6", "Energy 5"], ["Strength 5"]))
    t.do("play Strength 6", "at Joker", "play Strength 5", "at Batman", "play Energy 5", "at Joker")
    assert (t.total(0), t.total(1)) == (5, 0)


def test_hits_of_this_battle_are_gone_afterwards():
    t = fight(event("Heroes Resurrected!", ["Fighting 7"], prepare=lambda t: t.hit(1, "Joker", "Fighting 2")))
    t.do("play Fighting 7", "at Joker")
    assert t.total(0) == 7
    while t.s.battle == 2:
        t.do("pass")
    assert t.hits(1, "Joker") == [("Fighting 2", 2, False)]
    assert "Fighting 7" in t.pack(0)
    assert t.missions(0) == (6, 1, 0)  # they did count


def test_the_reserve_plays_specials():
    t = fight(event("Special Delivery", ["Azrael: Know My Wrath", "Fighting 8"]))
    assert "play Azrael: Know My Wrath" in t.legal()
    assert "play Fighting 8" not in t.legal()
    t.do("play Azrael: Know My Wrath", "at Joker")
    assert t.hits(1, "Joker") == [("Azrael: Know My Wrath", 10, True)]


def test_the_reserve_answers_a_concession_with_a_special():
    team = ("Batman (BS)", "Superman (BS)", "Robin (BS)", "Spider-Man (IQ)")
    t = fight(event("Special Delivery", ["Spider-Man: Taunt"], team0=team))
    t.do("pass", "concede", "play Spider-Man: Taunt")
    assert t.s.battle == 2  # it was refused, and player_0 is to move
    assert t.to_move == 0
    t.do("concede")
    assert t.s.battle == 3  # without that card nobody is asked


@pytest.mark.parametrize(("name", "copies"), [("061906.10", 3), ("Symbiotic Samples Taken", 3), ("Breakout", 1)])
def test_duplicates_are_kept(name, copies):
    t = event(name, ["Intellect 6", "Intellect 6", "Fighting 6"], ["Intellect 6", "Intellect 6", "Fighting 6"])
    while t.decision == phases.KEEP:
        t.do(t.legal()[0])
    for side in range(2):
        assert sum(card.endswith(" 6") for card in t.hand(side)) == copies


def test_special_delivery_what_the_reserve_plays_may_lead_to_more_of_his_specials():
    """AA1 by Spider-Man lets him attack once more; his own Special may do that, but he plays no Power cards."""
    team = (*HEROES[:3], "Spider-Man (IQ)")
    agility, web = "Spider-Man: Arachnid Agility", "Spider-Man: Web"
    t = fight(event("Special Delivery", [agility, web, "Fighting 7"], team0=team))
    t.do(f"play {agility}", "at Joker").may("take it")
    assert t.legal() == ["done", f"play {web}"]
    t.do(f"play {web}")


def test_special_delivery_a_front_liner_goes_on_after_a_special_of_the_reserve():
    """AA5 is played by anybody, and lets a front-liner attack once more."""
    card, team = "Any Character: Death From Above", (*HEROES[:3], "Spider-Man (IQ)")
    t = fight(event("Special Delivery", [card, "Spider-Man: Web", "Fighting 7"], team0=team))
    t.do(f"play {card}", "by Spider-Man", "at Joker").may("take it")
    assert t.legal() == ["done", "play Fighting 1", "play Fighting 7"]  # all of them Batman's
