"""Answers to an attack and to a concession: what counts as one, and which Specials are played at that moment."""

from overpower_scenario import HEROES, VILLAINS, Table, heroes, villains

from overworlds.envs.overpower import phases

# ---------------------------------------------------------------- to be defended twice (FC)


def doubled(hand, team):
    """Two-Face attacks the first of this team with an Energy 3 that has to be defended twice."""
    t = Table(["Two-Face: Double Trouble", "Energy 3"], hand, team0=("Two-Face (BS)", *VILLAINS[:2], VILLAINS[3]),
              team1=team)  # fmt: skip
    target = team[0].partition(" (")[0]
    return t.do("play Energy 3", "by Two-Face", "play Two-Face: Double Trouble", f"at {target}")


def test_fc_a_special_that_protects_from_attacks_is_one_of_two_defences():
    t = doubled(["Gambit: Charm", "Fighting 5"], heroes("Gambit (IQ)")).do("play Gambit: Charm")
    assert t.decision == phases.DEFEND
    assert t.legal() == ["take it", "play Fighting 5"]
    t.do("play Fighting 5")
    assert t.hits(1, "Gambit") == []
    t = doubled(["Gambit: Charm"], heroes("Gambit (IQ)")).do("play Gambit: Charm")
    assert t.hits(1, "Gambit") == [("Energy 3", 3, True)]
    assert t.dead(1) == []  # the card has come too late for this attack, and protects from the next
    t.do("pass", "pass")
    assert t.dead(1) == ["Gambit: Charm"]


def test_fc_an_avoiding_special_is_one_of_two_defences():
    hand = ["Batman: Olympic Level Athlete", "Fighting 5"]
    t = doubled(hand, HEROES).do("play Batman: Olympic Level Athlete")
    assert t.legal() == ["take it", "play Fighting 5"]
    t.do("take it")
    assert t.hits(1, "Batman") == [("Energy 3", 3, True)]


def test_fc_a_negation_stops_the_card_that_asks_for_two():
    t = doubled(["Beast: Analyze", "Fighting 5"], heroes("Beast (IQ)")).do("play Beast: Analyze")
    assert t.hits(1, "Beast") == []
    assert t.hand(1) == ["Fighting 5"]
    assert t.dead(0) == ["Two-Face: Double Trouble"]
    assert t.pack(0) == ["Energy 3"]


# ---------------------------------------------------------------- what is played at a concession


def test_one_special_answers_a_concession():
    hand = ["Wolverine: Rage", "Spider-Man: Taunt", "Fighting 8", "Fighting 6"]
    t = Table(hand, team0=heroes("Wolverine (IQ)", "Spider-Man (IQ)"), turn=1).do("concede")
    assert t.legal() == ["done", "play Spider-Man: Taunt", "play Wolverine: Rage"]
    t.do("play Wolverine: Rage", "play Fighting 8", "at Joker").may("take it")
    assert t.hits(1, "Joker") == [("Fighting 8", 8, False)]
    assert t.s.battle == 2  # neither the other card nor another attack was asked for


def test_an_attack_after_a_concession_is_the_last():
    """What its card allows further is lost."""
    hand = ["Wolverine: Rage", "Wolverine: Berserk Attack", "Fighting 8"]
    t = Table(hand, team0=heroes("Wolverine (IQ)"), turn=1).do("concede", "play Wolverine: Rage")
    t.do("play Wolverine: Berserk Attack", "at Joker").may("take it")
    assert [name for name, _, _ in t.hits(1, "Joker")] == ["Wolverine: Berserk Attack"]
    assert t.s.battle == 2
    assert "Fighting 8" in t.pack(0)


def test_who_concedes_before_the_battle_is_not_answered():
    small = ["Fighting 1"] * 8
    t = Table(more0=["Wolverine: Rage", "Fighting 8", *small], more1=small, team0=heroes("Wolverine (IQ)"))
    t.next_battle(["Wolverine: Rage", "Fighting 8", *small[:6]], small)
    while t.decision != phases.CONCEDE:
        t.do(next(n for n in t.legal() if n == "done" or "venture 1 from Reserve, 0" in n))
    t.do("fight", "concede")
    assert t.s.battle == 3
    assert "Wolverine: Rage" in t.dead(0)


def test_a_concession_that_is_refused_was_a_turn():
    hand = ["Spider-Man: Taunt", "Fighting 6"]
    t = Table(hand, ["Intellect 7"], team0=heroes("Spider-Man (IQ)"), turn=1).do("concede", "play Spider-Man: Taunt")
    assert t.s.battle == 1
    assert t.to_move == 0
    t.do("pass")
    assert t.legal() == ["pass", "play Intellect 7"]


def test_if_the_maker_is_for_the_enemys_concession_and_the_boom_tube_for_the_own():
    cards = ["Forge: The Maker", "Orion: Boom Tube", "Fighting 7", "Fighting 6"]
    t = Table(cards, team0=heroes("Forge (IQ)", "Orion (JL)")).do("concede")
    assert t.legal() == ["done", "play Orion: Boom Tube"]
    t = Table(cards, team0=heroes("Forge (IQ)", "Orion (JL)"), turn=1).do("concede")
    assert t.legal() == ["done", "play Forge: The Maker"]
    t.do("play Forge: The Maker", "fetch Fighting 6", "fetch Fighting 7", "done")
    assert {"Fighting 7", "Fighting 6"} <= set(t.hand(0))


# ---------------------------------------------------------------- Specials that are played on the turn or in answer


def test_ay_a_rating_is_raised_as_part_of_a_defence():
    for card, owner, power, lasts in (
        ("Thor: God Of Thunder", "Thor (OP)", "Energy 7", False),
        ("Henry Pym: Giant-Man", "Henry Pym (IQ)", "Strength 7", True),
    ):
        name = owner.partition(" (")[0]
        t = Table(["Intellect 7"], [card, power], team0=VILLAINS, team1=heroes(owner))
        t.do("play Intellect 7", f"at {name}")
        assert t.legal() == ["take it", f"play {card}"]
        t.do(f"play {card}")
        assert t.pack(1) == [power]  # the card itself stops nothing
        assert t.hits(1, name) == []
        assert t.to_move == 1
        t.do("pass", "pass")
        assert (t.dead(1) == [card]) != lasts


def test_ay_a_teammates_rating_is_of_no_use():
    t = Table(["Intellect 7"], ["Thor: God Of Thunder"], team0=VILLAINS, team1=heroes("Thor (OP)"))
    t.do("play Intellect 7", "at Batman")
    assert t.hits(1, "Batman") == [("Intellect 7", 7, True)]  # nobody was asked


def test_bb_a_vendetta_as_part_of_the_defence_against_who_has_hit_before():
    hand = ["Punisher: Vendetta", "Fighting 5"]
    t = Table(["Intellect 7", "Intellect 4", "Strength 6"], hand, team0=VILLAINS, team1=heroes("Punisher (IQ)"))
    t.do("play Intellect 4", "by Joker", "at Punisher")
    assert t.legal() == ["take it", "play Fighting 5"]  # he has not been hit yet
    t.do("take it", "pass", "play Strength 6", "at Punisher")
    assert t.hits(1, "Punisher") == [("Intellect 4", 4, True), ("Strength 6", 6, True)]
    t = Table(["Intellect 7", "Intellect 4"], hand, team0=VILLAINS, team1=heroes("Punisher (IQ)"))
    t.do("play Intellect 4", "by Joker", "at Punisher", "take it", "pass", "play Intellect 7", "at Punisher")
    t.do("play Punisher: Vendetta")
    assert t.hits(1, "Punisher") == [("Intellect 4", 4, True)]  # 5 + 2


def test_bb_a_vendetta_on_the_turn_needs_a_hit_of_this_battle():
    hand = ["Punisher: Vendetta", "Fighting 5"]
    t = Table(hand, team0=heroes("Punisher (IQ)"), more1=["Intellect 4", "Intellect 3", "Intellect 2"])
    t.hit(0, "Punisher", "Intellect 4")
    assert "play Punisher: Vendetta" not in t.legal()
    t.hit(0, "Punisher", "Intellect 3", current=True)
    t.hit(0, "Punisher", "Intellect 2", current=True, by=1)
    t.do("play Punisher: Vendetta")
    assert t.legal() == ["at Joker", "at Bane"]  # both have hit him
    t.do("at Bane", "play Fighting 5", "at Bane")  # together with an attack
    assert t.s.attack.value == 7


def test_dt_the_sentinels_answer_a_power_card_of_a_value_in_their_record():
    card = "Sentinels: Learning Circuits"
    for power, partner, answered in (
        ("Intellect 3", "alone", True),
        ("Intellect 3", "play Advance Warning: 7 Intellect +1", True),
        ("Intellect 2", "play Advance Warning: 7 Intellect +1", False),
    ):
        t = Table([power, "Advance Warning", "Intellect 3", "Intellect 5"], [card], team0=VILLAINS,
                  team1=heroes("Sentinels (IQ)"), more0=["Energy 3"])  # fmt: skip
        t.hit(1, "Sentinels", "Energy 3")
        t.do(f"play {power}", "by Joker", partner, "at Sentinels")
        if answered:
            assert t.legal() == ["take it", f"play {card}"]
            t.do(f"play {card}", "pass", "play Intellect 3", "by Joker").may("alone")
            assert "at Sentinels" not in t.legal()
            assert len(t.hits(1, "Sentinels")) == 1
        else:
            assert len(t.hits(1, "Sentinels")) == 2  # nobody was asked


def sentinels(hand, team0=VILLAINS, **cards):
    """The Sentinels, with two Power cards in their record, have played DT; what would attack them now?"""
    t = Table(hand, ["Sentinels: Learning Circuits"], team0=team0, team1=heroes("Sentinels (IQ)"), turn=1,
              more0=["Strength 3", "Strength 5"], code_rule=False, **cards)  # fmt: skip
    t.hit(1, "Sentinels", "Strength 3")
    t.hit(1, "Sentinels", "Strength 5")
    return t.do("play Sentinels: Learning Circuits")


def test_dt_is_about_the_power_cards_of_an_attack_whatever_comes_with_them():
    """CX attacks for 5, and is summed with a Power card; DW sums two of them."""
    for power, is_open in (("Fighting 6", True), ("Fighting 5", False)):
        t = sentinels(["Mojo: Prime Time", power], team0=villains("Mojo (PS)"))
        t.do("play Mojo: Prime Time").may(f"play {power}")
        assert ("at Sentinels" in t.legal()) is is_open
    t = sentinels(["Mojo: Prime Time", "Fighting 3"], villains("Mojo (PS)"))
    t.do("play Mojo: Prime Time").may("alone")
    assert "at Sentinels" in t.legal()  # as it does without a Power card


def test_dt_is_about_every_part_of_an_attack_of_several_power_cards():
    """BU: what would leave nobody to attack is no part of it."""
    card, hand = "Longshot: Four-Fingered Fury", ["Fighting 1", "Fighting 2", "Fighting 3"]
    t = sentinels([card, *hand], team0=villains("Longshot (IQ)"))
    t.do(f"play {card}", "play Fighting 1")
    assert t.legal() == ["alone", "play Fighting 2", "play Fighting 3"]
    t.do("play Fighting 3").may("alone")
    assert "at Sentinels" not in t.legal()
    t = sentinels([card, *hand], team0=villains("Longshot (IQ)"))
    t.s.players[1].front[1:] = 0
    t.do(f"play {card}")
    assert t.legal() == ["play Fighting 1", "play Fighting 2"]
    t.do("play Fighting 1").may("play Fighting 2", "alone", "take it")
    assert [value for _, value, current in t.hits(1, "Sentinels") if current] == [1, 2]


def test_he_the_best_are_stopped_in_answer_whomever_they_attack():
    card = "Blob: Flabby Fighter"
    team = ("Blob (IQ)", *VILLAINS[:3])
    t = Table(["Fighting 7", "Fighting 5"], [card], team1=team)
    t.do("play Fighting 7", "at Joker")  # by Batman, who is rated 7
    assert t.legal() == ["take it", f"play {card}"]
    t.do(f"play {card}")
    assert t.hits(1, "Joker") == []
    t.do("pass", "play Fighting 5")
    assert "by Batman" not in t.legal()
    for power, by in (("Fighting 5", "by Robin"), ("Intellect 7", "by Batman")):
        t = Table([power], [card], team1=team).do(f"play {power}").may(by).do("at Joker")
        assert t.hits(1, "Joker") == [(power, int(power[-1]), True)]  # nobody was asked


# ---------------------------------------------------------------- Specials that are played together with a defence

INSPIRATION = "Azrael: Divine Inspiration"  # +2 to his defence


def attacked(card, owner, *hand, attack="Intellect 7", at=None, **more):
    """Joker attacks this character, or a teammate, who hold this Special and these cards."""
    t = Table([attack], [card, *hand], team0=VILLAINS, team1=heroes(owner), code_rule=False, **more)
    return t.do(f"play {attack}").may("by Joker").do(f"at {at or owner.partition(' (')[0]}")


def test_am_a_special_for_the_own_values_needs_a_block_and_then_it_has_to_follow():
    for hand in ([], ["Fighting 4"], ["Flying Kick"]):  # at most 6 against a 7
        t = attacked(INSPIRATION, "Azrael (BS)", *hand)
        assert t.hits(1, "Azrael") == [("Intellect 7", 7, True)]  # nobody was asked
        assert INSPIRATION in t.hand(1)
    t = attacked(INSPIRATION, "Azrael (BS)", "Fighting 5", "Fighting 6", "Fighting 4")
    t.do(f"play {INSPIRATION}")
    assert t.legal() == ["play Fighting 5", "play Fighting 6"]  # he cannot take it any more
    t.do("play Fighting 6")
    assert t.hits(1, "Azrael") == []
    t = attacked(INSPIRATION, "Azrael (BS)", "Fighting 3", "Flying Kick", placed1={"Azrael": ["Strength 3"]})
    t.do(f"play {INSPIRATION}")  # 3 + 2 + 2, the only way
    assert t.dead(1) == ["Flying Kick: 7 Fighting +2"]
    assert (t.pack(1), t.placed(1, "Azrael")) == (["Fighting 3"], ["Strength 3"])
    assert t.hits(1, "Azrael") == []


def test_am_is_played_with_a_defence_that_is_enough_without_it_too():
    t = attacked(INSPIRATION, "Azrael (BS)", "Fighting 7", "Fighting 6")
    t.do(f"play {INSPIRATION}", "play Fighting 7")
    assert t.hits(1, "Azrael") == []
    assert t.dead(1) == []  # it lasts


def test_eq_ay_the_block_is_one_that_the_special_makes_better():
    card = "Wolverine: Savage Regression"  # Energy and Strength
    t = attacked(card, "Wolverine (IQ)", "Fighting 7")
    assert t.legal() == ["take it", "play Fighting 7"]
    t = attacked(card, "Wolverine (IQ)", "Fighting 7", "Strength 5").do(f"play {card}")
    assert t.pack(1) == ["Strength 5"]
    kick = "Spinning Kick: 6 Fighting +2"
    t = attacked(card, "Wolverine (IQ)", "MultiPower 4", kick, attack="Intellect 6").do(f"play {card}")
    assert t.pack(1) == ["MultiPower 4"]  # as Strength, so that a Fighting card cannot come with it
    assert t.hand(1) == [kick]
    card = "Thor: God Of Thunder"  # Energy 8
    t = attacked(card, "Thor (IQ)", "Strength 7")
    assert t.legal() == ["take it", "play Strength 7"]
    t = attacked(card, "Thor (IQ)", "Strength 7", "Energy 7").do(f"play {card}")
    assert t.pack(1) == ["Energy 7"]
    t = attacked(card, "Thor (OP)", "Energy 4", "Training: EF +4")
    assert t.legal() == ["take it", "play Energy 4"]  # with Energy 8 he would be too good for that Training


def test_fc_a_special_that_helps_is_used_up_by_the_first_of_two_defences():
    t = doubled([INSPIRATION, "Fighting 1", "Strength 2"], heroes("Azrael (BS)"))
    t.do(f"play {INSPIRATION}")
    assert t.legal() == ["play Fighting 1", "play Strength 2"]
    t.do("play Fighting 1")
    assert t.legal() == ["take it", "play Strength 2"]  # that one is for the player to decide
    t.do("play Strength 2")
    assert t.hits(1, "Azrael") == []


def test_am_helps_against_what_lies_face_down():
    card = "Riddler: Master Of Misdirection"
    for hand, offered in ((["Fighting 5"], True), ([], False)):
        t = Table([card, "Intellect 6"], [INSPIRATION, *hand], team0=("Riddler (BS)", *VILLAINS[:3]),
                  team1=heroes("Azrael (BS)"))  # fmt: skip
        t.do(f"play {card}", "play Intellect 6", "at Azrael")
        if offered:
            t.do(f"play {INSPIRATION}")
        assert (t.hits(1, "Azrael") == []) == offered


def test_dl2_a_front_liner_defends_better_in_answer_to_an_attack():
    card = "Thing: Bucket O' Shame"
    for who in ("Thing", "Batman"):
        t = attacked(card, "Thing (IQ)", "Fighting 5", "Fighting 3", at=who)
        assert t.legal() == ["take it", f"play {card}"]
        t.do(f"play {card}")
        assert t.hits(1, who) == []  # 5 + 2: it had to follow
        t.do("play Fighting 3", f"by {who}", "at Joker")
        assert t.s.attack.value == 1  # and his attacks are worse
    assert attacked(card, "Thing (IQ)", "Fighting 4").hits(1, "Thing") != []  # 6: nobody was asked


def test_dl1_ia1_specials_that_attack_do_not_answer():
    for card, owner in (
        ("Mr. Sinister: Hidden Agenda", "Mr. Sinister (IQ)"),
        ("White Queen: Telepathic Manipulator", "White Queen (IQ)"),
    ):
        t = attacked(card, owner, "Fighting 4", "Intellect 6", "Energy 6")
        assert t.hits(1, owner.partition(" (")[0]) == [("Intellect 7", 7, True)]  # nobody was asked


def test_hg_power_cards_avoid_from_the_attack_on_that_the_special_answers():
    card, venom = "Wolverine: Canucklehead", "Joker: Joker Venom"
    for at in ("Wolverine", "Superman"):
        t = attacked(card, "Wolverine (IQ)", "Fighting 6", "Fighting 5", attack=venom, at=at, more0=["Intellect 6"])
        t.do(f"play {card}")
        assert t.hits(1, at) == []
        assert t.pack(1) == ["Fighting 6"]
        assert t.dead(1) == []  # for the rest of the battle
    for hand in (["Fighting 5"], ["Strength 6"], []):
        t = attacked(card, "Wolverine (IQ)", *hand, attack=venom, at="Superman")
        assert len(t.hits(1, "Superman")) == 1  # nobody was asked
    t = attacked(card, "Wolverine (IQ)", "Fighting 6", "Fighting 7", attack=venom).do(f"play {card}")
    assert t.legal() == ["play Fighting 6", "play Fighting 7"]


def test_ct_the_attack_that_is_answered_goes_to_the_teammate_and_all_others_too():
    card = "Mandarin: Mind Control"
    t = Table(["Intellect 7", "Intellect 6"], [card, "Fighting 7"], team0=VILLAINS, team1=heroes("Mandarin (IQ)"))
    t.do("play Intellect 7", "at Mandarin")
    assert t.legal() == ["take it", f"play {card}"]
    t.do(f"play {card}")
    assert t.legal() == ["by Batman", "by Superman"]
    t.do("by Batman")
    assert t.legal() == ["take it", "play Fighting 7"]  # Batman's
    t.do("take it", "pass", "play Intellect 6", "by Joker", "at Mandarin", "take it")
    assert t.hits(1, "Batman") == [("Intellect 6", 6, True), ("Intellect 7", 7, True)]
    assert t.hits(1, "Mandarin") == []
    assert t.dead(1) == []


def test_ct_an_attack_that_was_shifted_stays_where_it_is():
    card, shift = "Mandarin: Mind Control", "Steel: Human Shield"
    t = Table(["Intellect 7"], [card, shift], team0=VILLAINS, team1=("Mandarin (IQ)", "Steel (BS)", *HEROES[:2]),
              code_rule=False)  # fmt: skip
    t.do("play Intellect 7", "at Batman")
    assert t.legal() == ["take it", f"play {shift}"]  # his own card is about himself only
    t.do(f"play {shift}")
    assert t.hits(1, "Steel") == [("Intellect 7", 7, True)]
    t = Table(["Intellect 7"], [card], team0=VILLAINS, team1=heroes("Mandarin (IQ)"))
    t.do("play Intellect 7", "at Mandarin")
    t.s.attack.shifted = 1
    assert t.legal() == ["take it"]


def test_ct_an_attack_that_is_turned_passes_by_bodyguards_face_down_too():
    """The teammate to whom it goes may defend, and keeps the card that waits for an attack declared on him."""
    card, guard, dark = "Mandarin: Mind Control", "Brood: Brood Spawn", "Riddler: Master Of Misdirection"
    for attack in (["play Intellect 7", "by Riddler"], [f"play {dark}", "play Intellect 7"]):
        t = Table(["Intellect 7", dark], [card, guard], team0=("Riddler (BS)", *VILLAINS[:3]), turn=1,
                  team1=("Mandarin (IQ)", "Brood (IQ)", *HEROES[:2]), code_rule=False)  # fmt: skip
        t.do(f"play {guard}", *attack).may("alone").do("at Mandarin", f"play {card}", "by Brood").may("take it")
        assert t.hits(1, "Brood") == [("Intellect 7", 7, True)]
        assert t.dead(1) == []
        assert (t.to_move, t.decision) == (1, phases.TURN)


def test_ct_an_attack_that_goes_to_a_teammate_was_not_declared_on_him():
    """So it is the bodyguard of the character it was declared on who absorbs it, not the teammate's."""
    control, guard = "Mandarin: Mind Control", "Brood: Brood Spawn"
    t = Table([control, guard], ["Intellect 7", "Intellect 6", "Intellect 5"], team1=VILLAINS,
              team0=("Mandarin (IQ)", "Brood (IQ)", *HEROES[:2]), code_rule=False)  # fmt: skip
    t.do(f"play {guard}", "play Intellect 5", "by Joker", "at Batman").may("take it")
    t.do(f"play {control}", "by Brood", "play Intellect 7", "at Mandarin").may("take it")
    assert t.hits(0, "Brood") == [("Intellect 7", 7, True)]
    assert t.dead(0) == []
    t.do("pass", "play Intellect 6").may("by Joker").do("at Brood")
    assert t.dead(0) == [guard]


def test_hg_a_power_card_that_avoids_needs_no_universe_card():
    """Where a block would need both, the Power card alone is enough."""
    t = Table(["Wolverine: Canucklehead", "Fighting 7", "Flying Kick"], ["Intellect 6"],
              team0=heroes("Wolverine (IQ)"))  # fmt: skip
    t.do("play Wolverine: Canucklehead", "play Intellect 6").may("by Joker", "alone").do("at Wolverine")
    t.s.attack.value = 9
    assert t.legal() == ["take it", "play Fighting 7"]
    t.do("play Fighting 7").may("by Wolverine")
    assert t.hand(0) == ["Flying Kick: 7 Fighting +2"]
    assert t.hits(0, "Wolverine") == []
