"""Function codes of Specials that need a table of their own: each is played, and the table is looked at."""

import numpy as np
from overpower_scenario import HEROES, VILLAINS, Table, heroes, villains

from overworlds.envs.overpower import layout, ops, phases
from overworlds.envs.overpower.state import KINDS, NOBODY
from overworlds.envs.overpower.view import table

PLAYED = set()
"""The function codes that the scenarios of this module play."""


def plays(*functions):
    """Say which functions a scenario is about."""
    PLAYED.update(functions)
    return lambda test: test


# ---------------------------------------------------------------- choices of the card's player


@plays("AF3")
def test_espionage_adds_to_the_own_total_or_takes_from_the_enemys():
    for choice, totals in (("choose 0", (3, 0)), ("choose 1", (0, 4))):
        t = Table(["Black Widow: Espionage"], more1=["Intellect 7"], team0=heroes("Black Widow (IQ)"))
        t.hit(0, "Batman", "Intellect 7", current=True)
        t.do("play Black Widow: Espionage", choice)
        assert (t.total(0), t.total(1)) == (totals[0], totals[1] or 7)


@plays("CF")
def test_one_more_mission_is_ventured_by_either_player():
    for choice, side in (("choose 0", 0), ("choose 1", 1)):
        t = Table(["Storm: Weather Manipulation"], team0=heroes("Storm (IQ)"))
        for p in t.s.players:
            p.reserve, p.risk_reserve = 6, 1
        t.do("play Storm: Weather Manipulation", choice)
        assert [int(p.risk_reserve) for p in t.s.players] == ([2, 1] if side == 0 else [1, 2])
        assert t.missions(side) == (5, 0, 0)


@plays("DU1")
def test_two_attacks_at_two_or_one_at_three():
    hand = ["Azrael: The System", "Fighting 5", "Fighting 4"]
    t = Table(hand, team0=heroes("Azrael (BS)"))
    t.do("play Azrael: The System", "choose 0", "play Fighting 5", "at Joker")
    assert t.s.attack.value == 7
    assert t.decision == phases.FOLLOW
    t = Table(hand, team0=heroes("Azrael (BS)"))
    t.do("play Azrael: The System", "choose 1", "play Fighting 5", "at Joker")
    assert t.s.attack.value == 8
    assert t.to_move == 1


@plays("DU2")
def test_four_attacks_at_one_or_three_at_two():
    hand = ["Doctor Doom: Doombots", "Intellect 7", "Intellect 6", "Intellect 5", "Energy 4"]
    for choice, value, left in (("choose 0", 8, 3), ("choose 1", 9, 2)):
        t = Table(hand, team0=heroes("Doctor Doom (IQ)"))
        t.do("play Doctor Doom: Doombots", choice, "play Intellect 7", "at Joker")
        assert t.s.attack.value == value
        assert t.s.frames[t.s.depth - 1].left == left


@plays("ID")
def test_a_small_attack_then_two_at_one_or_one_at_two():
    hand = ["Green Goblin: Gauntlet Blasters", "Intellect 6", "Strength 5"]
    for choice, value, more in (("choose 0", 8, True), ("choose 1", 9, False)):  # his Intellect cards are +1 anyway
        t = Table(hand, team0=heroes("Green Goblin (IQ)"))
        t.do("play Green Goblin: Gauntlet Blasters", "at Joker", choice, "play Intellect 6", "at Bane")
        assert t.s.attack.value == value
        assert t.hits(1, "Joker") == [("Green Goblin: Gauntlet Blasters", 1, True)]
        assert (t.decision == phases.FOLLOW) == more


@plays("DX")
def test_a_changeling_takes_the_ratings_of_anybody_in_front():
    for choice, side, who in (("at Bane", 1, 1), ("by Superman", 0, 2)):
        t = Table(["Morph: Changeling"], team0=heroes("Morph (IQ)"))
        t.do("play Morph: Changeling", choice)
        assert t.s.players[0].grid[0].tolist() == list(t.decks[side].team[who].grid)
        t.do("pass", "pass")
        assert t.s.players[0].grid[0].tolist() == list(t.decks[0].team[0].grid)


# ---------------------------------------------------------------- values and bonuses


@plays("AK1")
def test_a_universe_bonus_counts_twice():
    t = Table(["Gambit: Charge Object", "Fighting 5", "Dive For Cover"], team0=heroes("Gambit (IQ)"))
    bonus = next(c.bonus for c in t.decks[0].kinds if c.name.startswith("Dive For Cover"))
    t.do("play Gambit: Charge Object")
    assert t.legal() == ["done", "play Fighting 5"]
    t.do("play Fighting 5", "at Joker")  # with Dive For Cover: alone is not allowed
    assert t.s.attack.value == 5 + 2 * bonus
    assert t.total(0) == 5


@plays("AK2")
def test_teamwork_bonuses_of_a_type_count_twice():
    card = "Teamwork: 6S then EF +1 +2"
    t = Table(["Darkseid: Granny Goodness", card, "Fighting 5", "Energy 6"], team0=villains("Darkseid (JL)"),
              team1=HEROES, placed1={"Batman": ["Fighting 7"]})  # fmt: skip
    t.do("play Darkseid: Granny Goodness", "pass", f"play {card}", "by Darkseid", "at Superman",
         "by Joker", "at Superman")  # fmt: skip
    assert t.s.attack.value == 5 + 2 * 1


@plays("BX1", "BX2")
def test_specials_that_carry_a_universe_card():
    t = Table(["Thing: Brute Force", "Nerve Pinch"], team0=heroes("Thing (IQ)"))
    t.do("play Thing: Brute Force", "play Nerve Pinch: 7 Strength +3", "at Joker")
    assert t.s.attack.value == 7
    assert t.hits(1, "Joker") == [("Thing: Brute Force", 7, True)]  # here the bonus scores
    assert t.dead(0) == ["Nerve Pinch: 7 Strength +3"]
    t = Table(["Quicksilver: Fast And Furious", "Hand Grenade"], team0=heroes("Quicksilver (MC)"))
    t.do("play Quicksilver: Fast And Furious", "play Hand Grenade: 6 Fighting +2", "at Joker")
    assert t.s.attack.value == 7
    assert t.hits(1, "Joker") == [("Quicksilver: Fast And Furious", 5, True)]
    assert t.s.attack.types == 2  # the Universe card's


@plays("HC")
def test_several_basic_universe_cards_with_one_power_card():
    t = Table(["Beast: Ambidexterity", "Intellect 6", "Blackout", "Advance Warning", "Training: EF +4"],
              team0=heroes("Beast (IQ)"))  # fmt: skip
    t.do("play Beast: Ambidexterity", "pass", "play Intellect 6", "by Beast", "play Blackout: 6 Intellect +3")
    assert t.legal() == ["alone", "play Advance Warning: 7 Intellect +1"]
    t.do("play Advance Warning: 7 Intellect +1", "at Joker")
    assert t.s.attack.value == 6 + 3 + 1
    assert t.dead(0) == ["Advance Warning: 7 Intellect +1", "Blackout: 6 Intellect +3"]
    assert t.hits(1, "Joker") == [("Intellect 6", 6, True)]
    t.do("pass", "pass")
    assert "Beast: Ambidexterity" in t.dead(0)


def test_hc_all_universe_cards_lie_on_the_table_until_the_attack_is_answered():
    cards = ["Intellect 6", "Blackout: 6 Intellect +3", "Advance Warning: 7 Intellect +1"]
    t = Table(["Beast: Ambidexterity", "Intellect 6", "Blackout", "Advance Warning"], ["Any Character: Guardian Angel"],
              team0=heroes("Beast (IQ)"))  # fmt: skip
    t.do("play Beast: Ambidexterity", "pass", "play Intellect 6", "by Beast", *(f"play {name}" for name in cards[1:]))
    assert [face.name for face in table(t.variant, t.decks, t.state, 0).play.cards] == cards
    t.do("at Joker")
    assert t.decision == phases.DEFEND
    assert t.dead(0) == []
    for viewer in (0, 1, None):
        assert [face.name for face in table(t.variant, t.decks, t.state, viewer).attack.cards] == cards
    out = np.zeros(t.variant.observation_size, np.int8)
    t.k.observe(t.variant.rules, t.state, 1, out)
    at = t.variant.observation_size - KINDS * layout.CARD  # the attacker's cards
    seconds = [name for name in cards if out[at + layout.CARD * t.kind(0, name) + layout.IN_ATTACK + 1]]
    assert seconds == cards[1:]
    t.do("play Any Character: Guardian Angel")
    assert t.dead(0) == sorted(cards[1:])
    assert t.pack(0) == ["Intellect 6"]


def test_ak1_doubles_all_universe_cards_of_an_attack():
    """With HC: whoever may add several of them, and then doubles them."""
    t = Table(["Beast: Ambidexterity", "Vision: Analytical Expert", "Intellect 6", "Blackout", "Advance Warning"],
              team0=("Beast (IQ)", "Vision (IQ)", *HEROES[:2]))  # fmt: skip
    t.do("play Beast: Ambidexterity", "pass", "play Vision: Analytical Expert")
    t.s.frames[t.s.depth - 1].users = 1  # as if the card were Beast's: no character has both
    t.do("play Intellect 6", "play Blackout: 6 Intellect +3", "play Advance Warning: 7 Intellect +1", "at Joker")
    assert t.s.attack.value == 6 + 2 * (3 + 1)
    assert t.hits(1, "Joker") == [("Intellect 6", 6, True)]


def test_hc_an_attack_with_several_universe_cards_does_not_lie_face_down():
    """BK1: with one of them it does."""
    dark, both = "Riddler: Master Of Misdirection", "Beast: Ambidexterity"
    for more, shown in ((["alone"], False), (["play Advance Warning: 7 Intellect +1"], True)):
        t = Table([dark, both, "Intellect 6", "Blackout", "Advance Warning"], ["Fighting 7"], team1=HEROES,
                  team0=("Riddler (BS)", "Beast (IQ)", *VILLAINS[:2]), code_rule=False)  # fmt: skip
        t.do(f"play {dark}", "done", "pass", f"play {both}", "pass")
        for i in range(int(t.s.effects_n)):
            if t.s.effects[i].op == ops.COMBINE_BONUSES:
                t.s.effects[i].who = t.who(0, "Riddler")  # as if the card were his: no character has both
        t.do("play Intellect 6", "by Riddler", "play Blackout: 6 Intellect +3", *more, "at Batman")
        assert (t.s.attack.kind != NOBODY) == shown


@plays("HK")
def test_a_wisecrack_makes_the_target_attack_as_often_as_it_can():
    hand = ["Intellect 7", "Intellect 5", "Strength 6", "Joker: Acid Spray Flower"]
    t = Table(["Jubilee: Wisecrack", "Energy 6"], hand, team0=heroes("Jubilee (IQ)"))
    t.do("play Jubilee: Wisecrack", "at Joker")
    assert t.to_move == 1
    assert t.legal() == [
        "play Intellect 5",
        "play Intellect 7",
        "play Joker: Acid Spray Flower",
    ]  # no stopping, no other
    t.do("play Intellect 5", "at Jubilee", "play Energy 6", "play Intellect 7", "at Batman")
    t.do("at Batman")  # the Special: there is no other choice left
    assert t.hits(0, "Batman") == [("Intellect 7", 7, True), ("Joker: Acid Spray Flower", 3, True)]
    assert t.hits(0, "Jubilee") == []
    assert t.to_move == 1  # it was player_0's turn
    assert t.legal() == ["pass", "concede", "play Strength 6"]


@plays("DW", "ES", "EU")
def test_two_power_cards_are_summed():
    for card, owner, one, other in (
        ("Metallo: Eye Beams", "Metallo (BS)", "Energy 5", "Fighting 2"),
        ("Poison Ivy: Strangle Vines", "Poison Ivy (BS)", "Strength 2", "Energy 4"),
        ("Morph: Maximum Morph", "Morph (IQ)", "Fighting 3", "Strength 2"),
    ):
        me = owner.rpartition(" (")[0]
        t = Table([card, one, other], team0=villains(owner), team1=HEROES)
        t.do(f"play {card}", "pass", f"play {one}")
        if t.decision == phases.USER:
            t.do(f"by {me}")
        t.do(f"play {other}", "at Batman")
        value = int(one[-1]) + int(other[-1])
        assert t.s.attack.value == value
        assert sorted(name for name, _, _ in t.hits(1, "Batman")) == sorted([one, other])  # two hits
        assert t.total(0) == value


@plays("DD1")
def test_better_against_one_enemy():
    t = Table(["Bane: Vengeance Of Bane", "Strength 5", "Strength 4"], ["Fighting 6"], team1=HEROES,
              team0=("Bane (BS)", "Joker (BS)", "Two-Face (BS)", "Catwoman (BS)"))  # fmt: skip
    t.do("play Bane: Vengeance Of Bane", "at Batman", "done", "play Fighting 6", "by Batman", "at Bane")
    assert "play Strength 4" in t.legal()  # 4 + 2
    t.do("take it", "play Strength 5", "at Batman")
    assert t.s.attack.value == 7


@plays("DK")
def test_anger_after_a_hit():
    t = Table(["Sabretooth: Rabid Beast", "Fighting 5", "Fighting 4"], ["Intellect 3"], team0=heroes("Sabretooth (IQ)"))
    t.do("play Sabretooth: Rabid Beast", "done", "play Intellect 3", "by Joker", "at Sabretooth", "take it")
    t.do("play Fighting 5", "by Sabretooth", "at Joker")
    assert t.s.attack.value == 7


@plays("BB")
def test_a_vendetta_is_against_whoever_hit():
    t = Table(
        ["Punisher: Vendetta", "Fighting 5", "Fighting 4"], ["Intellect 3"], team0=heroes("Punisher (IQ)"), turn=1
    )
    t.do("play Intellect 3", "by Joker", "at Punisher", "take it", "play Punisher: Vendetta", "done", "pass")
    t.do("play Fighting 5", "by Punisher", "at Bane")
    assert t.s.attack.value == 5
    t.do("pass", "play Fighting 4", "by Punisher", "at Joker")
    assert t.s.attack.value == 6


@plays("DE")
def test_reinforcements_help_the_teammate_who_was_hit():
    team = heroes("Comm. Gordon And The G.C.P.D. (BS)")
    t = Table(["Comm. Gordon & G.C.P.D.: Reinforcements", "Fighting 6", "Fighting 5"], ["Intellect 3"], team0=team)
    t.do("play Comm. Gordon & G.C.P.D.: Reinforcements", "done")
    t.do("play Intellect 3", "by Joker", "at Batman", "take it")
    t.do("play Fighting 6").may("by Batman").do("at Joker")
    assert t.s.attack.value == 8


@plays("DE")
def test_reinforcements_help_every_teammate_who_was_hit_once():
    hand = ["Comm. Gordon & G.C.P.D.: Reinforcements", "Fighting 6", "Strength 6"]
    t = Table(hand, ["Intellect 3", "Intellect 1", "Intellect 2"], team0=heroes("Comm. Gordon And The G.C.P.D. (BS)"))
    t.do(f"play {hand[0]}", "play Intellect 3", "by Joker", "at Batman").may("take it").do("pass")
    t.do("play Intellect 1", "by Joker", "at Superman").may("take it").do("pass")
    t.do("play Intellect 2", "by Joker", "at Batman").may("take it")
    assert t.legal() == ["pass", "concede"]
    sums = {who: sum(int(e.amount) for e in t.s.effects[: t.s.effects_n] if e.op == ops.MODIFY and e.who == who)
            for who in range(4)}  # fmt: skip
    assert sums == {t.who(0, "Batman"): 2, t.who(0, "Superman"): 2, 0: 0, 3: 0}


@plays("DN")
def test_courage_only_when_outnumbered():
    t = Table(["Daredevil: Man Without Fear", "Fighting 5"], team0=heroes("Daredevil (IQ)"))
    assert "play Daredevil: Man Without Fear" not in t.legal()
    t.s.players[0].alive[1] = 0
    t.do("play Daredevil: Man Without Fear", "done", "pass", "play Fighting 5").may("by Daredevil").do("at Joker")
    assert t.s.attack.value == 7


@plays("DL1", "DL2", "AM4")
def test_modifiers_for_one_character_of_choice():
    t = Table(["Mr. Sinister: Hidden Agenda"], ["Intellect 6"], team0=heroes("Mr. Sinister (IQ)"))
    t.do("play Mr. Sinister: Hidden Agenda", "at Joker", "play Intellect 6", "by Joker", "at Batman")
    assert t.s.attack.value == 4
    t = Table(["Thing: Bucket O' Shame", "Fighting 4"], ["Intellect 6"], team0=heroes("Thing (IQ)"))
    t.do("play Thing: Bucket O' Shame")
    assert t.legal() == ["by Thing", "by Batman", "by Superman"]
    t.do("by Batman", "play Intellect 6", "by Joker", "at Batman")
    assert "play Fighting 4" in t.legal()  # 4 + 2
    t.do("take it", "play Fighting 4", "by Batman", "at Joker")
    assert t.s.attack.value == 2
    t = Table(["Doc Samson: Cautious Advisor", "Fighting 4"], ["Intellect 6"], team0=heroes("Doc Samson (MC)"))
    t.do("play Doc Samson: Cautious Advisor")
    assert t.legal() == ["by Batman", "by Superman"]  # teammates on the Front Line
    t.do("by Batman", "play Intellect 6", "by Joker", "at Batman")
    assert "play Fighting 4" in t.legal()


@plays("HX")
def test_specials_of_the_whole_team_attack_better_played_from_reserve():
    team = (*HEROES[:3], "Kingpin (IQ)")
    t = Table(["Kingpin: Crime Magnate", "Superman: Heat Vision", "Fighting 5"], team0=team)
    t.do("play Kingpin: Crime Magnate", "pass", "play Superman: Heat Vision", "at Joker")
    assert t.s.attack.value == 5
    assert t.hits(1, "Joker") == [("Superman: Heat Vision", 4, True)]
    t.do("pass", "play Fighting 5", "by Batman", "at Joker")
    assert t.s.attack.value == 5


@plays("JN")
def test_as_strong_as_the_hand_is_large():
    t = Table(
        ["Wonder Woman: Amazon Might", "Fighting 5", "Fighting 4", "Fighting 3"], team0=heroes("Wonder Woman (JL)")
    )
    t.do("play Wonder Woman: Amazon Might", "at Joker")
    assert t.s.attack.value == 4
    assert t.hits(1, "Joker") == [("Wonder Woman: Amazon Might", 5, True)]


# ---------------------------------------------------------------- attack and defence


@plays("EB1")
def test_a_bodyguard_absorbs_the_next_attack_which_cannot_be_defended():
    t = Table(["Brood: Brood Spawn", "Fighting 6"], ["Intellect 3", "Intellect 2"], team0=heroes("Brood (IQ)"))
    t.do("play Brood: Brood Spawn", "play Intellect 3", "by Joker", "at Brood")
    assert t.to_move == 0  # nobody was asked
    assert t.decision == phases.TURN
    assert t.hits(0, "Brood") == []
    assert t.dead(0) == ["Brood: Brood Spawn"]
    t.do("pass", "play Intellect 2", "by Joker", "at Brood", "take it")
    assert t.hits(0, "Brood") == [("Intellect 2", 2, True)]


@plays("EB1")
def test_a_bodyguard_in_answer_to_an_attack():
    t = Table(["Brood: Brood Spawn"], ["Intellect 3"], team0=heroes("Brood (IQ)"), turn=1)
    t.do("play Intellect 3", "by Joker", "at Brood", "play Brood: Brood Spawn")
    assert t.hits(0, "Brood") == []
    assert t.s.effects_n == 0


@plays("CT")
def test_all_attacks_go_to_a_teammate_until_it_is_knocked_out():
    hand = ["Intellect 7", "Intellect 6", "Intellect 5"]
    t = Table(["Mandarin: Mind Control"], hand, team0=heroes("Mandarin (IQ)"), more1=["Intellect 7"])
    t.hit(0, "Batman", "Intellect 7")
    t.do("play Mandarin: Mind Control")
    assert t.legal() == ["by Batman", "by Superman"]
    t.do("by Batman", "play Intellect 7", "at Mandarin", "pass")
    assert t.hits(0, "Batman")[-1] == ("Intellect 7", 7, True)
    t.do("play Intellect 6", "by Joker", "at Mandarin")
    assert "Batman" not in t.alive(0)
    assert t.dead(0) == ["Mandarin: Mind Control"]
    t.do("pass", "play Intellect 5", "by Joker", "at Mandarin")
    assert t.hits(0, "Mandarin") == [("Intellect 5", 5, True)]


@plays("HG")
def test_power_cards_of_one_sort_avoid_any_attack_on_the_team():
    for card, owner, power in (
        ("Wolverine: Canucklehead", "Wolverine (IQ)", "Fighting 6"),
        ("Doctor Doom: Diplomatic Immunity", "Doctor Doom (IQ)", "Intellect 6"),
    ):
        t = Table([card, power, "Fighting 5"], ["Joker: Joker Venom", "Joker: High Voltage Joy Buzzer", "Energy 4"],
                  team0=heroes(owner))  # fmt: skip
        t.do(f"play {card}", "play Joker: Joker Venom", "at Superman")
        assert t.legal() == ["take it", f"play {power}"]  # 7, on a teammate who could not use the card
        t.do(f"play {power}")
        assert t.hits(0, "Superman") == []
        assert t.pack(0) == [power]


@plays("FC1", "FC2")
def test_an_attack_that_must_be_defended_twice():
    t = Table(["Two-Face: Double Trouble", "Energy 3"], ["Fighting 4", "Fighting 5", "Batman: Olympic Level Athlete"],
              team0=VILLAINS[2:3] + VILLAINS[:2] + VILLAINS[3:], team1=HEROES)  # fmt: skip
    t.do("play Energy 3", "by Two-Face", "play Two-Face: Double Trouble", "at Batman", "play Fighting 4")
    assert t.decision == phases.DEFEND
    assert t.pack(1) == ["Fighting 4"]
    t.do("play Fighting 5")
    assert t.hits(1, "Batman") == []
    assert t.dead(0) == ["Two-Face: Double Trouble"]
    t = Table(["Ghost Rider: Spiritual Duality", "Fighting 3"], ["Intellect 4"], team0=heroes("Ghost Rider (IQ)"))
    t.do("play Fighting 3", "by Ghost Rider", "play Ghost Rider: Spiritual Duality", "at Joker", "play Intellect 4")
    assert t.hits(1, "Joker") == [("Fighting 3", 3, True)]  # one defence was not enough


@plays("CV")
def test_one_in_a_million_is_stopped_by_a_three_which_comes_back():
    t = Table(["Longshot: One In A Million"], ["Intellect 7", "Intellect 3", "Joker: Keys To The Kingdom"],
              team0=heroes("Longshot (IQ)"))  # fmt: skip
    t.do("play Longshot: One In A Million", "at Joker")
    assert t.legal() == ["take it", "play Intellect 3"]
    t.do("play Intellect 3")
    assert t.hits(0, "Longshot") == [("Intellect 3", 3, True)]
    assert t.hits(1, "Joker") == []


@plays("DI")
def test_no_universe_cards_in_exchanges_with_one_character():
    t = Table(["Hazard: Split", "Energy 6"], ["Fighting 5", "Flying Kick", "Training: ES +4"],
              team0=villains("Hazard (BS)"), team1=HEROES)  # fmt: skip
    t.do("play Hazard: Split", "play Fighting 5", "by Batman", "play Flying Kick: 7 Fighting +2")
    assert "at Hazard" not in t.legal()
    t = Table(["Hazard: Split", "Energy 6", "Strength 6"], ["Fighting 5", "Flying Kick"], team0=villains("Hazard (BS)"),
              team1=HEROES)  # fmt: skip
    t.do("play Hazard: Split", "pass", "play Energy 6", "at Batman")
    assert t.hits(1, "Batman") == [("Energy 6", 6, True)]  # no defence: 5 + 2 is not available
    t.do("pass", "play Strength 6", "at Batman")
    assert "play Fighting 5" in t.legal()  # against Bane it is


@plays("DT")
def test_power_cards_of_values_in_the_record_do_not_reach_the_sentinels():
    t = Table(["Sentinels: Learning Circuits"], ["Intellect 3", "Intellect 2"], team0=heroes("Sentinels (IQ)"),
              more1=["Fighting 3"])  # fmt: skip
    t.hit(0, "Sentinels", "Fighting 3")
    t.do("play Sentinels: Learning Circuits", "play Intellect 3", "by Joker")
    assert t.legal() == ["at Batman", "at Superman"]
    t.do("at Batman").may("take it").do("pass", "play Intellect 2", "by Joker")
    assert "at Sentinels" in t.legal()


@plays("FD1")
def test_a_duel_leaves_all_others_out():
    t = Table(["Hawkman: The Winged Warrior", "Fighting 6"], ["Strength 6", "Fighting 5"], team0=heroes("Hawkman (JL)"))
    t.do("play Hawkman: The Winged Warrior", "at Bane")
    t.do("play Strength 6")
    assert t.to_move == 0  # Bane on Hawkman: no other choice
    assert t.decision == phases.DEFEND
    t.do("take it", "play Fighting 6")
    assert t.hits(1, "Bane") == [("Fighting 6", 6, True)]


@plays("HA")
def test_small_power_cards_cannot_be_defended_and_leave_no_spectrum():
    t = Table(["Apocalypse: Techno-Virus", "Energy 2", "Fighting 1", "Strength 2"], ["Intellect 7"],
              team0=heroes("Apocalypse (IQ)"))  # fmt: skip
    t.do("play Apocalypse: Techno-Virus", "at Joker")
    for card in ("Energy 2", "Fighting 1", "Strength 2"):
        t.do("pass" if t.to_move else f"play {card}")
        if t.to_move == 0 and t.decision == phases.TURN:
            t.do(f"play {card}")
        t.do("by Apocalypse", "at Joker")
    assert len(t.hits(1, "Joker")) == 3
    assert "Joker" in t.alive(1)


@plays("JD")
def test_no_basic_universe_cards_around_captain_atom():
    t = Table(["Captain Atom: Anti-Gravity Field", "Energy 5", "Energy Booster"], ["Fighting 5", "Flying Kick"],
              team0=villains("Captain Atom (JL)"), team1=HEROES, code_rule=False, more0=["Energy 7"])  # fmt: skip
    t.do("play Captain Atom: Anti-Gravity Field", "play Fighting 5", "by Batman", "play Flying Kick: 7 Fighting +2")
    assert "at Captain Atom" not in t.legal()
    t.do("at Joker", "play Energy 5")
    assert not any("Alien Technology" in name for name in t.legal())


@plays("IA1")
def test_a_target_goes_to_reserve_for_the_battle_and_loses_its_placed_cards():
    t = Table(["White Queen: Telepathic Manipulator", "Intellect 5"], team0=heroes("White Queen (IQ)"),
              placed1={"Joker": ["Intellect 7"]})  # fmt: skip
    t.do("play White Queen: Telepathic Manipulator", "at Joker")
    assert t.front(1) == ["Bane", "Two-Face"]
    assert t.placed(1, "Joker") == []
    while t.s.battle == 1:
        t.do("pass")
    assert t.front(1) == ["Joker", "Bane", "Two-Face"]
