"""Details of rules and functions: where two of them meet."""

from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_events import event, fight

from overworlds.envs.overpower import phases

FLYING_KICK = "Flying Kick: 7 Fighting +2"


# ---------------------------------------------------------------- defence


def test_ba4_only_power_with_universe_defends_so_no_special_does():
    team = ("Riddler (BS)", *VILLAINS[:3])
    hand = ["Fighting 5", "Flying Kick", "Batman: Olympic Level Athlete", "Any Character: Guardian Angel"]
    t = Table(["Riddler: Death Trap"], hand, team0=team, team1=HEROES)
    t.do("play Riddler: Death Trap", "at Batman")
    assert t.legal() == ["take it", "play Fighting 5"]
    t.do("play Fighting 5")  # with the only Universe card: alone is not allowed
    assert t.hits(1, "Batman") == []
    assert FLYING_KICK in t.dead(1)


def test_ba1_only_specials_defend_so_no_power_card_avoids():
    hand = ["Wolverine: Canucklehead", "Fighting 6", "Wolverine: Fighting Instinct"]
    t = Table(["Batman: Martial Arts Expert"], hand, team1=("Wolverine (IQ)", *HEROES[:3]), turn=1)
    t.do("play Wolverine: Canucklehead", "play Batman: Martial Arts Expert", "at Wolverine")
    assert t.legal() == ["take it", "play Wolverine: Fighting Instinct"]


def test_a_multipower_card_defends_as_the_type_that_is_best():
    hand = ["Wolverine: Savage Regression", "MultiPower 2"]
    team = ("Wolverine (IQ)", *HEROES[:3])
    t = Table(["Intellect 4", "Intellect 5"], hand, team0=VILLAINS, team1=team, turn=1)
    t.do("play Wolverine: Savage Regression")  # Energy and Strength are better by 2, Intellect is worse
    t.may("done").do("play Intellect 4", "by Joker", "at Wolverine")
    assert t.decision == phases.DEFEND
    assert t.legal() == ["take it", "play MultiPower 2"]


def test_ed_what_an_attack_with_a_number_has_left_is_not_negated_on_the_turn():
    """JH is an attack with a number, whose effect lasts; AM5 is none."""
    card = "Morbius: Undead Stamina"
    for attack, negated in (
        ("Black Canary: Opening Flower Discipline", False),
        ("Any Character: Unlucky At Love", True),
    ):
        t = Table([card], [attack], team0=("Morbius (IQ)", *VILLAINS[:3]), team1=("Black Canary (JL)", *HEROES[:3]),
                  code_rule=False, turn=1)  # fmt: skip
        t.do(f"play {attack}").may("by Black Canary").do("at Joker").may("take it")
        assert (f"play {card}" in t.legal()) == negated


def test_a_card_that_is_turned_over_is_that_very_card():
    """FB1 shows a Fighting 7: the one that lies on the user is not meant."""
    flip = "Two-Face: Flip Of The Coin"
    team = ("Two-Face (BS)", "Joker (BS)", "Bane (BS)", "Catwoman (BS)")
    t = Table(
        [flip, "Fighting 4"], team0=team, team1=HEROES, placed0={"Two-Face": ["Fighting 6"]}, more0=["Fighting 6"]
    )
    t.stack(0, ["Fighting 6"])
    t.do(f"play {flip}").may("take it")
    assert not [name for name in t.legal() if "placed on" in name]
    t.may("play Fighting 6").do("at Batman").may("take it")
    assert t.placed(0, "Two-Face") == ["Fighting 6"]
    assert t.hits(1, "Batman") == [("Fighting 6", 6, True)]


def test_dv_an_attack_without_universe_cards_may_be_accompanied_by_a_special():
    """DV forbids Universe cards, which CI is not (rule 49)."""
    hand = ["Bane: Venom Injection", "Intellect 4", "Bane: Intimidation", "Advance Warning"]
    t = Table(hand, team0=("Bane (BS)", "Joker (BS)", *VILLAINS[2:]), team1=HEROES)
    t.do(f"play {hand[0]}", "play Intellect 4")
    assert t.legal() == ["alone", "play Bane: Intimidation"]
    t.do("play Bane: Intimidation", "at Batman")
    assert t.s.attack.value == 4 + 4
    t.may("take it")
    assert t.hits(1, "Batman") == [("Intellect 4", 4, True)]


def test_bb_a_special_that_carries_a_universe_card_does_not_where_none_is_allowed():
    """BX with BB, which is about attacks without Universe cards (ruling 34)."""
    hand = ["Thing: Revoltin' Development", "Thing: Brute Force", "Tree"]
    for first, asked in ((hand[:1], False), ([], True)):
        t = Table(hand, team0=("Thing (IQ)", *HEROES[:3]), more1=["Fighting 2"])
        t.hit(0, "Thing", "Fighting 2", current=True)
        t.do(*(f"play {name}" for name in [*first, hand[1]]))
        assert ("play Tree: 7 Strength +2" in t.legal()) == asked


def test_rule_46_two_power_cards_together_do_not_follow_a_teamwork_card():
    """Not even by who may attack with two (ES): a follow-up is a single Power card."""
    hand = ["Metallo: Eye Beams", "Energy 3", "Fighting 2", "Teamwork: 7S then EF +2 +2"]
    t = Table(hand, team0=("Metallo (BS)", *HEROES[:3]), code_rule=False)
    t.do("play Metallo: Eye Beams", "pass", f"play {hand[3]}", "by Superman", "at Joker", "play Energy 3")
    t.may("by Metallo")
    assert t.decision == phases.TARGET  # and not: with which second card?
    t = Table(hand, team0=("Metallo (BS)", *HEROES[:3]), code_rule=False)
    t.do("play Metallo: Eye Beams", "pass", "play Energy 3").may("by Metallo")
    assert t.legal() == ["alone", "play Fighting 2"]


def test_whoever_is_not_on_the_front_line_may_shield_another():
    """With two who have left the Front Line, either may take an attack upon himself."""
    t = fight(event("Hellfire Club Attacked!", ["Fighting 7"], ["Fighting 5"]))
    t.s.players[1].front[t.who(1, "Bane")] = 0
    t.do("play Fighting 7", "at Joker")
    assert t.legal() == ["take it", "by Bane", "by Catwoman"]
    t.do("by Bane")
    assert t.hits(1, "Bane") == [("Fighting 7", 7, True)]
    assert t.hits(1, "Joker") == t.hits(1, "Catwoman") == []


def test_ruling_36_a_hit_that_is_negated_goes_with_what_it_has_left():
    """DO on a hit by BM, whose target may not attack any more."""
    card, hold = "Longshot: Roll With The Punches", "Killer Croc: Wrestling Hold"
    t = Table([card, "Fighting 7"], [hold], team0=("Longshot (IQ)", *HEROES[1:]), turn=1,
              team1=("Killer Croc (BS)", *VILLAINS[:3]))  # fmt: skip
    t.do(f"play {hold}", "at Longshot").may("take it")
    assert "play Fighting 7" not in t.legal()
    t.do(f"play {card}", f"{hold}, a hit on my Longshot", "pass")
    assert t.hits(0, "Longshot") == []
    assert "play Fighting 7" in t.legal()


def test_bd_a_training_card_is_used_as_its_other_type():
    """Who may not use Fighting cards has a Training card of Energy and Fighting for Energy, if he is weak in it."""
    card, training = "Apocalypse: Genetic Engineering", "Training: EF +3"
    for owner, power, allowed in (
        ("Iron Man (IQ)", "Energy 3", True),
        ("Iron Man (IQ)", "Any-Power 6", True),
        ("Banshee (IQ)", "Any-Power 6", False),  # 7 in Energy, 5 in Fighting
    ):
        me = owner.rpartition(" (")[0]
        t = Table([training, power], [card], team0=(owner, "Azrael (BS)", "Superman (BS)", "Batman (BS)"), turn=1,
                  team1=("Apocalypse (IQ)", *VILLAINS[:3]))  # fmt: skip
        t.do(f"play {card}", f"at {me}", "as Fighting", f"play {power}").may(f"by {me}")
        assert (t.decision == phases.PARTNER and f"play {training}" in t.legal()) == allowed


# ---------------------------------------------------------------- attack


def test_rule_79_any_power_card_is_not_any_multipower_card():
    hand = ["Mojo: Prime Time", "MultiPower 2", "Intellect 4", "Any-Power 6"]
    t = Table(hand, team0=("Mojo (IQ)", *HEROES[:3]), code_rule=False)
    t.do("play Mojo: Prime Time")
    assert "play MultiPower 2" not in t.legal()
    assert "play Intellect 4" in t.legal()


def test_an_attack_without_a_number_frees_its_target_too():
    """AZ: who may not attack the user may do so when the user has attacked."""
    hand = ["Poison Ivy: Master Manipulator", "Poison Ivy: Poison Kiss"]
    t = Table(hand, ["Fighting 7", "Fighting 6"], team0=("Poison Ivy (BS)", *VILLAINS[:3]), team1=HEROES)
    t.do("play Poison Ivy: Master Manipulator", "at Batman", "play Fighting 7")
    assert "at Poison Ivy" not in t.legal()
    t.do("at Joker", "play Poison Ivy: Poison Kiss", "at Batman", "as Intellect", "play Fighting 6", "by Batman")
    assert "at Poison Ivy" in t.legal()


def test_who_could_not_concede_does_not_play_what_goes_with_a_concession():
    """BL1 refuses the concession, so there is none to put cards on top of the Draw Pile at (IF)."""
    t = Table(["Orion: Boom Tube", "Fighting 5", "Fighting 4"], ["Knockout: Picking A Fight"],
              team0=("Orion (JL)", *HEROES[:3]), team1=("Knockout (BS)", *VILLAINS[:3]))  # fmt: skip
    t.do("concede", "play Knockout: Picking A Fight")
    assert t.decision == phases.TURN
    t.do("pass")
    assert t.to_move == 0
    assert "concede" not in t.legal()
    assert "play Orion: Boom Tube" not in t.legal()


# ---------------------------------------------------------------- Teamwork and Allies need what follows


TEAMWORK = "Teamwork: 7F then SI +2 +2"


def test_rule_10_a_follow_up_that_may_hit_nobody_is_none():
    """Everybody but one cannot be attacked, and that one not with Power cards: Teamwork could not be followed up."""
    t = Table(
        [TEAMWORK, "Intellect 7"], ["Sentinels: Reaction Program"], team1=("Sentinels (IQ)", *VILLAINS[:3]), turn=1
    )
    t.do("play Sentinels: Reaction Program")
    assert f"play {TEAMWORK}" in t.legal()
    for on in (1, 2):
        t.s.players[1].alive[on] = 0
    assert f"play {TEAMWORK}" not in t.legal()


def test_rule_11_a_special_that_cannot_be_played_now_does_not_follow_an_ally():
    hand = ["Ally: Oracle", "Daredevil: Man Without Fear"]
    t = Table(hand, team0=("Batman (BS)", "Daredevil (IQ)", "Superman (BS)", "Robin (BS)"))
    assert "play Ally: Oracle" not in t.legal()  # nobody is outnumbered
    t.s.players[0].alive[2] = 0
    assert "play Ally: Oracle" in t.legal()


def test_events_that_raise_all_universe_bonuses_raise_those_of_teamwork():
    for name in ("061906.01", "Otherworldly Plot"):
        t = fight(event(name, [TEAMWORK, "Intellect 6", "Strength 7"]))
        t.do(f"play {TEAMWORK}").may("by Batman").do("at Joker", "play Intellect 6", "at Joker")
        assert t.s.attack.value == 6 + 2 + 1


def test_rule_46_the_second_follow_up_is_of_the_other_type():
    t = Table([TEAMWORK, "Intellect 7", "Intellect 3", "Strength 4"])
    t.do(f"play {TEAMWORK}", "at Joker", "play Intellect 7", "at Joker")
    assert t.decision == phases.FOLLOW
    assert t.legal() == ["done", "play Strength 4"]  # Superman could use the other Intellect card


def test_rule_49_an_extra_attack_is_an_attack():
    hand = ["Wolverine: Berserk Attack", "Wolverine: Heal", "Fighting 8"]
    t = Table(hand, team0=("Wolverine (IQ)", *HEROES[:3]))
    t.hit(0, "Wolverine", "Fighting 1")
    assert "play Wolverine: Heal" in t.legal()
    t.do("play Wolverine: Berserk Attack", "at Joker")
    assert t.legal() == ["done", "play Fighting 8"]


def test_an_attack_that_was_shifted_is_not_shifted_on():
    """By the new target, who could push any other attack to a teammate."""
    hand = ["Apocalypse: Survival Of The Fittest", "Doctor Octopus: Villainous Shield"]
    team = ("Apocalypse (IQ)", "Doctor Octopus (IQ)", *VILLAINS[:2])
    t = Table(["Fighting 7"], hand, team1=team)
    t.do("play Fighting 7", "at Apocalypse", f"play {hand[0]}", "by Doctor Octopus")
    assert t.hits(1, "Doctor Octopus") == [("Fighting 7", 7, True)]  # nobody was asked
    t = Table(["Fighting 7"], hand, team1=team).do("play Fighting 7", "at Doctor Octopus")
    assert f"play {hand[1]}" in t.legal()


# ---------------------------------------------------------------- cards and piles


def test_rule_39_cards_drawn_by_a_venture_that_only_the_reserve_could_use_go():
    t = Table(more0=["Fighting 1"] * 8, more1=["Fighting 1"] * 8 + ["Catwoman: Cunning Thief", "Intellect 7"])
    t.next_battle(["Fighting 1"] * 8, ["Fighting 1"] * 8)
    while t.decision == phases.PLACE:
        t.do("done")
    t.stack(1, ["Catwoman: Cunning Thief", "Intellect 7"])
    t.do("venture 4 from Reserve, 0 from Completed")
    assert t.hand(1) == ["Fighting 1", "Intellect 7"]
    assert t.dead(1) == ["Catwoman: Cunning Thief"]


def test_ie_missions_ventured_from_completed_return_first():
    card = "Green Arrow: The Emerald Archer"
    t = Table([card], team0=("Green Arrow (JL)", *HEROES[:3]))
    p = t.s.players[1]
    p.reserve, p.completed, p.risk_reserve, p.risk_completed = 3, 1, 2, 1
    t.do(f"play {card}", "concede")
    assert t.missions(1) == (4, 2, 1)


def test_bl2_this_special_of_any_character_may_be_placed():
    t = Table(more0=["Any Character: Savage Land", "Any Character: Death From Above"])
    hand = ["Any Character: Savage Land", "Any Character: Death From Above", *["Fighting 1"] * 6]
    t.next_battle(hand, ["Fighting 1"] * 8)
    places = [name for name in t.legal() if name.startswith("place Any")]
    assert places == [f"place Any Character: Savage Land on {who}" for who in ("Batman", "Superman", "Robin", "Azrael")]
    t.do("place Any Character: Savage Land on Robin")
    fight(t)
    t.do("play Any Character: Savage Land, placed on Robin")
    assert "concede" not in t.legal()


def test_monsters_attack_two_cards_go_to_the_dead_pile_whatever_they_are():
    t = event("Monsters Attack!", ["Fighting 7", "Intellect 6"], ["Intellect 7", "Fighting 5"])
    for side in range(2):
        assert len(t.dead(side)) == 2


def test_searching_brings_no_duplicate_and_no_special_of_any_character():
    """DS: one of the user's own Specials. ER: of Power cards, those of the same value are duplicates."""
    card = "Thor: Gift Of The Gods"
    more = ["Thor: Airborne Avenger", "Thor: Mystic Uru Metal", "Any Character: Guardian Angel"]
    t = Table([card, "Thor: Mystic Uru Metal"], more0=more, team0=("Thor (IQ)", *HEROES[:3]))
    t.do(f"play {card}")  # there is only one to choose
    assert t.hand(0) == ["Thor: Airborne Avenger", "Thor: Mystic Uru Metal"]
    card = "Lex Luthor: Power Hungry"
    t = Table([card, "Energy 2"], placed0={"Lex Luthor": ["Energy 1"]}, more0=["Fighting 4", "Strength 3"],
              team0=("Lex Luthor (BS)", *VILLAINS[:3]), team1=HEROES)  # fmt: skip
    t.do(f"play {card}")
    assert t.legal() == ["fetch Fighting 4", "fetch Strength 3"]  # not Fighting 1 or 2


def test_jb_a_reserve_is_reason_enough_or_hits_of_this_battle():
    t = Table(["Metallo: I'll Be Back!"], team0=("Metallo (BS)", *VILLAINS[:3]), team1=HEROES)
    assert "play Metallo: I'll Be Back!" in t.legal()
    t.s.players[0].alive[3] = 0
    assert "play Metallo: I'll Be Back!" not in t.legal()
    t.s.players[0].alive[3] = 1
    t.hit(0, "Metallo", "Fighting 2", current=True)
    t.do("play Metallo: I'll Be Back!")
    assert t.hits(0, "Metallo") == []
    assert t.front(0) == ["Joker", "Bane", "Two-Face"]


def test_rule_37_what_the_reserve_may_defend_with_stays_in_hand():
    for name, hand in (("Breakout", ["Fighting 8"]), ("Symbiotic Samples Taken", [])):
        t = fight(event(name, ["Fighting 8"]))  # only Azrael, in Reserve, can use it
        assert [card for card in t.hand(0) if card == "Fighting 8"] == hand


# ---------------------------------------------------------------- hits and knock-outs


def test_rule_77_the_fourth_icon_is_gained_in_whatever_order_the_cards_came():
    three, four = "MultiPower EFS 1", "MultiPower 1"
    for cards, falls in (((four, three), True), ((three, four), True), ((three, three), False)):
        hits = [*cards, "Strength 1", "Fighting 1"]
        t = Table(["Energy 2"], more0=hits, spectrum_types=4)
        for name in hits:
            t.hit(1, "Joker", name)
        t.do("play Energy 2").may("by Batman").do("at Joker").may("take it")
        assert ("Joker" not in t.alive(1)) == falls  # only the four-icon card makes Intellect of them


def test_ci_the_damage_of_a_hit_counts_for_a_knock_out():
    for partner, falls in (("alone", False), ("play Huntress: Crossbow", True)):
        t = Table(["Energy 4", "Huntress: Crossbow"], more0=["Intellect 6", "Intellect 5", "Intellect 4"],
                  team0=("Huntress (BS)", *HEROES[:3]))  # fmt: skip
        for name in ("Intellect 6", "Intellect 5", "Intellect 4"):
            t.hit(1, "Joker", name)
        t.do("play Energy 4", "by Huntress", partner, "at Joker").may("take it")
        assert ("Joker" not in t.alive(1)) == falls  # 19, or 21
        assert t.total(0) == 4


def test_who_loses_what_kept_him_on_his_feet_falls():
    """A higher limit is negated on the turn: 21 points are too many again (rule 56)."""
    t = Table(["Deadpool: High Threshold Of Pain"], ["Beast: Analyze"], team0=("Deadpool (IQ)", *HEROES[:3]),
              team1=("Beast (IQ)", *VILLAINS[:3]), more1=["Intellect 7", "Intellect 7", "Intellect 7"])  # fmt: skip
    t.do("play Deadpool: High Threshold Of Pain").may("take it")
    for _ in range(3):
        t.hit(0, "Deadpool", "Intellect 7")
    t.do("play Beast: Analyze")
    assert t.alive(0) == ["Batman", "Superman", "Robin"]
    assert t.pack(1).count("Intellect 7") == 3
    assert t.dead(1) == ["Beast: Analyze"]
    assert t.to_move == 0


# ---------------------------------------------------------------- the end


def test_both_teams_gone_at_once_the_battle_decides():
    """KOs put off until the end of the battle take the last characters of both players."""
    for total, first, winner in ((7, 0, 1), (3, 0, 0), (5, 0, 0), (5, 1, 1)):
        t = event("Alien Creature Rampages!", more0=["Fighting 5"], more1=["Fighting 3", "Fighting 5", "Intellect 7"])
        fight(t)
        t.hit(1, "Joker", "Fighting 5", current=True)
        t.hit(0, "Batman", {7: "Intellect 7", 3: "Fighting 3", 5: "Fighting 5"}[total], current=True)
        for p in t.s.players:
            p.alive[1:] = 0
        t.s.first = first
        for h in t.s.hits[: t.s.hits_n]:
            h.damage = 30
        t.do("pass", "pass")
        assert t.winner == winner
