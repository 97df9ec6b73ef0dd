"""Scenarios for the rules of a battle: turns, attacks, defence, hits and knock-outs."""

from overpower_scenario import HEROES, VILLAINS, Table

from overworlds.envs.overpower import icons, phases
from overworlds.envs.overpower.cards import cards


def test_rule_3_power_cards_are_of_four_types_and_eight_values():
    pure = {name for name, card in cards().items() if card.card_class == icons.POWER and card.icons in (1, 2, 4, 8)}
    assert pure == {f"{name} {value}" for name in icons.TYPE_NAMES[:4] for value in range(1, 9)}


def test_rule_6_and_43_a_power_card_needs_the_rating_and_hits_when_not_blocked():
    t = Table(["Fighting 7", "Strength 7"])
    t.do("play Fighting 7")
    assert t.legal() == ["at Joker", "at Bane", "at Two-Face"]  # only Batman is rated 7, so nobody asks by whom
    t.do("at Joker")
    assert t.hits(1, "Joker") == [("Fighting 7", 7, True)]
    assert t.to_move == 1
    assert t.decision == phases.TURN


def test_rule_43_a_blocked_attack_sends_both_cards_to_their_discard_piles():
    t = Table(["Intellect 6"], ["Intellect 7", "Fighting 5"])
    t.do("play Intellect 6", "by Batman", "at Joker")
    assert t.legal() == ["take it", "play Intellect 7"]  # Fighting 5 is too small
    t.do("play Intellect 7")
    assert t.pack(0) == ["Intellect 6"]
    assert t.pack(1) == ["Intellect 7"]
    assert t.hits(1, "Joker") == []


def test_rule_5_and_74_any_power_needs_any_rating_and_never_completes_a_spectrum():
    t = Table(["Any-Power 6"])
    t.hit(1, "Joker", "Fighting 1")
    t.hit(1, "Joker", "MultiPower 1")
    t.do("play Any-Power 6")
    assert t.legal() == ["by Batman", "by Superman", "by Robin"]
    t.do("by Robin", "at Joker")
    assert "Joker" in t.alive(1)
    assert ("Any-Power 6", 6, True) in t.hits(1, "Joker")


def test_rule_4_and_75_a_multipower_card_is_declared_as_a_type_the_user_is_rated_for():
    t = Table(["MultiPower 4"])
    t.do("play MultiPower 4", "by Robin")
    assert t.legal() == ["as Fighting", "as Intellect"]  # Robin: E 3, F 6, S 2, I 7


def test_rule_8_and_44_basic_universe_adds_to_the_attack_but_only_the_power_card_hits():
    t = Table(["Fighting 5", "Nerve Pinch", "Flying Kick"], ["Fighting 6"])
    t.do("play Fighting 5", "by Batman")
    assert t.legal() == ["alone", "play Flying Kick: 7 Fighting +2"]  # Nerve Pinch is for 7 Strength: not Batman
    t.do("play Flying Kick: 7 Fighting +2", "at Bane")
    assert t.s.attack.value == 5 + 2
    assert t.hits(1, "Bane") == [("Fighting 5", 5, True)]  # 7 is more than Fighting 6 could block
    assert t.dead(0) == ["Flying Kick: 7 Fighting +2"]
    assert t.total(0) == 5  # rule 62: no bonus in the Venture Total


def test_rule_9_and_45_training_helps_where_the_rating_is_five_or_less():
    t = Table(["Strength 4", "Training: ES +4"])
    t.do("play Strength 4", "by Batman", "play Training: ES +4", "at Joker")
    assert t.hits(1, "Joker") == [("Strength 4", 4, True)]
    assert t.dead(0) == ["Training: ES +4"]
    t = Table(["Strength 4", "Training: ES +4"])
    t.do("play Strength 4", "by Superman")
    assert t.decision == phases.TARGET  # Superman is rated 7 in Energy and Strength: no help for him


def test_rule_10_and_46_teamwork_is_followed_by_one_or_two_different_teammates():
    hand = ["Teamwork: 6F then EI +1 +2", "Energy 7", "Intellect 6", "Intellect 5"]
    t = Table(hand, ["Fighting 1"])
    t.do("play Teamwork: 6F then EI +1 +2", "by Batman", "at Joker")
    assert t.hits(1, "Joker") == [("Teamwork: 6F then EI +1 +2", 6, True)]
    assert t.decision == phases.FOLLOW
    assert "done" not in t.legal()  # one is compulsory
    t.do("play Energy 7", "at Bane")
    assert t.legal() == ["done", "play Intellect 5", "play Intellect 6"]
    t.do("play Intellect 6", "at Bane")
    assert t.hits(1, "Bane") == [("Energy 7", 7, True), ("Intellect 6", 6, True)]
    assert t.to_move == 1
    assert t.decision == phases.TURN  # at most two


def test_rule_10_and_46_follow_up_bonuses_count_in_the_attack():
    t = Table(["Teamwork: 6F then EI +1 +2", "Energy 7"], ["Fighting 6", "Strength 6", "Intellect 6", "Intellect 7"])
    t.do("play Teamwork: 6F then EI +1 +2", "by Batman", "at Bane", "take it")
    t.do("at Joker")  # Superman's Energy 7, the only follow-up there is, with +1
    assert t.to_move == 1
    assert t.decision == phases.TURN  # nobody can block 8
    assert t.hits(1, "Joker") == [("Energy 7", 7, True)]


def test_rule_10_teamwork_without_a_follow_up_is_not_playable():
    t = Table(["Teamwork: 6F then EI +1 +2", "Strength 7"])
    assert "play Teamwork: 6F then EI +1 +2" not in t.legal()


def test_rule_46_follow_ups_come_after_a_blocked_start_and_may_not_use_universe_cards():
    t = Table(["Teamwork: 6F then EI +1 +2", "Intellect 6", "Blackout"], ["Fighting 6"])
    t.do("play Teamwork: 6F then EI +1 +2", "by Batman", "at Bane", "play Fighting 6")
    assert t.dead(0) == ["Teamwork: 6F then EI +1 +2"]
    assert t.legal() == ["at Joker", "at Bane", "at Two-Face"]  # Robin's Intellect 6: no choice but the target


def test_rule_46_follow_ups_are_of_different_types_by_different_teammates_at_any_targets_one_by_one():
    card = "Teamwork: 6F then EI +1 +2"
    t = Table([card, "Intellect 6", "Intellect 5", "Energy 3", "Energy 2"], ["Strength 6", "Intellect 7"])
    t.do(f"play {card}", "by Batman", "at Joker", "play Intellect 7")  # the first is answered before the next is shown
    assert t.hand(0) == ["Energy 2", "Energy 3", "Intellect 5", "Intellect 6"]
    t.do("play Intellect 6")  # by Robin: Batman may not follow his own card, Superman is rated 3
    assert t.legal() == ["at Joker", "at Bane", "at Two-Face"]
    t.do("at Two-Face")
    assert t.legal() == ["done", "play Energy 2", "play Energy 3"]  # no second Intellect card
    t.do("play Energy 3", "at Bane")
    assert t.s.play.user == t.who(0, "Superman")  # not Robin again
    assert t.s.attack.value == 3 + 2
    assert t.legal() == ["take it", "play Strength 6"]


def test_rule_11_and_47_an_ally_needs_a_teammates_special_whatever_becomes_of_the_attack():
    t = Table(["Ally: Oracle", "Superman: Heat Vision"], ["Intellect 7"])
    t.do("play Ally: Oracle", "by Batman", "at Joker", "play Intellect 7")
    assert t.dead(0) == ["Ally: Oracle"]
    assert t.legal() == ["at Joker", "at Bane", "at Two-Face"]  # Heat Vision must follow
    t.do("at Bane")
    assert t.hits(1, "Bane") == [("Superman: Heat Vision", 4, True)]


def test_rule_11_no_special_of_a_teammate_no_ally():
    t = Table(["Ally: Oracle", "Fighting 7"])
    assert "play Ally: Oracle" not in t.legal()


def test_rule_12_and_48_a_special_needs_its_character_not_a_rating_and_becomes_a_hit():
    t = Table(["Superman: Heat Vision", "Azrael: Flaming Sword"])
    assert "play Azrael: Flaming Sword" not in t.legal()  # Azrael is in Reserve (rule 42)
    t.do("play Superman: Heat Vision", "at Bane")
    assert t.hits(1, "Bane") == [("Superman: Heat Vision", 4, True)]
    assert t.total(0) == 4


def test_rule_42_placed_cards_are_played_by_their_character_only():
    t = Table(placed0={"Robin": ["Fighting 5"]})
    t.do("play Fighting 5, placed on Robin", "at Joker")
    assert t.placed(0, "Robin") == []
    assert t.hits(1, "Joker") == [("Fighting 5", 5, True)]


def test_rule_36_placed_cards_are_played_by_nobody_else_and_stay_until_they_are_played():
    t = Table(placed0={"Robin": ["Intellect 6", "Blackout"]}, more0=["Fighting 1"] * 8, more1=["Fighting 1"] * 8)
    t.do("play Intellect 6, placed on Robin")
    assert t.decision == phases.PARTNER  # nobody asks by whom, though Batman is rated 7
    t.do("alone", "at Joker")
    assert t.placed(0, "Robin") == ["Blackout: 6 Intellect +3"]
    t.next_battle(["Fighting 1"] * 8, ["Fighting 1"] * 8)
    assert t.placed(0, "Robin") == ["Blackout: 6 Intellect +3"]


def test_rule_36_placed_cards_defend_their_character_only():
    t = Table([], ["Intellect 5"], placed0={"Robin": ["Intellect 6"]}, turn=1)
    t.do("play Intellect 5", "by Joker", "at Batman")
    assert t.hits(0, "Batman") == [("Intellect 5", 5, True)]
    assert t.placed(0, "Robin") == ["Intellect 6"]


def test_rule_42_hand_and_placed_cards_may_be_mixed():
    t = Table(["Fighting 5"], placed0={"Batman": ["Flying Kick"]})
    t.do("play Fighting 5", "by Batman", "play Flying Kick: 7 Fighting +2, placed on Batman", "at Joker")
    assert t.dead(0) == ["Flying Kick: 7 Fighting +2"]


def test_rule_49_extra_attacks_are_resolved_one_by_one_and_are_optional():
    t = Table(
        ["Batman: Batarang", "Fighting 7", "Fighting 6"],
        team1=("Joker (BS)", "Bane (BS)", "Two-Face (BS)", "Catwoman (BS)"),
    )
    t.do("play Batman: Batarang", "at Joker")
    assert t.hits(1, "Joker") == [("Batman: Batarang", 4, True)]
    assert t.decision == phases.FOLLOW
    t.do("play Fighting 7")
    assert t.legal() == ["at Bane", "at Two-Face"]  # a different target
    t.do("at Bane")
    assert t.to_move == 1


def test_rule_49_no_teamwork_as_an_extra_attack():
    t = Table(["Batman: Batarang", "Teamwork: 6F then EI +1 +2", "Intellect 5", "Fighting 6"])
    t.do("play Batman: Batarang", "at Joker")
    assert t.legal() == ["done", "play Fighting 6"]


def test_rule_50_a_special_on_the_own_venture_cannot_be_defended():
    t = Table(["Nightwing: Titans Founder"], ["Joker: Keys To The Kingdom"], team0=("Nightwing (BS)", *HEROES[:3]))
    t.do("play Nightwing: Titans Founder")
    assert t.to_move == 1
    assert t.decision == phases.TURN
    assert t.total(0) == 3


def test_rule_51_and_61_conceding_ends_the_battle_and_hands_go_but_placed_cards_stay():
    t = Table(["Fighting 7", "Superman: Heat Vision"], placed0={"Robin": ["Fighting 5"]})
    p = t.s.players[0]
    p.reserve, p.risk_reserve = 5, 2
    t.do("concede")
    assert t.missions(0) == (5, 0, 2)
    assert t.placed(0, "Robin") == ["Fighting 5"]
    assert "Superman: Heat Vision" in t.dead(0)
    assert t.s.battle == 2


def test_rule_51_no_conceding_as_a_follow_up():
    t = Table(["Batman: Batarang", "Fighting 7", "Fighting 6"])
    t.do("play Batman: Batarang", "at Joker")
    assert "concede" not in t.legal()


def test_rule_52_who_passed_only_passes_or_concedes_and_two_passes_end_the_battle():
    t = Table(["Fighting 7"], ["Intellect 7", "Intellect 6"])
    t.do("pass", "play Intellect 6", "by Joker", "at Batman")
    assert t.legal() == ["take it", "play Fighting 7"]  # he still defends
    t.do("take it")
    assert t.legal() == ["pass", "concede"]
    t.do("pass")
    assert t.to_move == 1  # player_1 acted in between: the battle goes on
    t.do("pass")
    assert t.s.battle == 2


def test_rule_53_only_the_attacked_character_defends():
    t = Table(["Fighting 7"], [], placed1={"Bane": ["Strength 6"], "Joker": ["Intellect 7"]})
    t.do("play Fighting 7", "at Bane")
    assert t.to_move == 1
    assert t.decision == phases.TURN  # Joker's Intellect 7 does not help Bane


def test_rule_54_power_with_universe_blocks_and_types_need_not_match():
    t = Table(["Fighting 7"], ["Intellect 5", "Blackout"])
    t.do("play Fighting 7", "at Joker")
    assert t.legal() == ["take it", "play Intellect 5"]
    t.do("play Intellect 5")
    assert t.dead(1) == ["Blackout: 6 Intellect +3"]
    assert t.pack(1) == ["Intellect 5"]


def test_rule_54_power_with_training_blocks():
    t = Table(["Fighting 7"], ["Energy 4", "Training: EF +4"])
    t.do("play Fighting 7", "at Joker", "play Energy 4")
    assert t.dead(1) == ["Training: EF +4"]


def test_rule_54_teamwork_and_ally_never_defend():
    t = Table(
        ["Fighting 5"],
        ["Teamwork: 6I then FS +1 +2", "Ally: Lady Shiva", "Fighting 3"],
        team1=("Joker (BS)", "Bane (BS)", "Two-Face (BS)", "Sabretooth (IQ)"),
    )
    t.do("play Fighting 5", "by Batman", "at Joker")
    assert t.to_move == 1
    assert t.decision == phases.TURN


def test_rule_56_58_cumulative_ko_at_twenty_counts_record_and_current_hits():
    t = Table(["Fighting 7"], more0=["Fighting 7", "Fighting 6"], placed1={"Joker": ["Intellect 4"]})
    t.hit(1, "Joker", "Fighting 7")
    t.hit(1, "Joker", "Fighting 6", current=True)
    t.do("play Fighting 7", "at Joker")
    assert t.alive(1) == ["Bane", "Two-Face", "Catwoman"]
    # rule 58: record back to its owner at once, placed cards discarded, current hits stay until they are counted
    assert t.pack(0) == ["Fighting 7"]
    assert t.pack(1) == ["Intellect 4"]
    assert t.hits(1, "Joker") == [("Fighting 6", 6, True), ("Fighting 7", 7, True)]
    assert t.total(0) == 13


def test_rule_57_spectrum_ko_with_three_types():
    t = Table(["Intellect 1"], more0=["Energy 1", "Fighting 1"])
    t.hit(1, "Joker", "Energy 1")
    t.hit(1, "Joker", "Fighting 1")
    t.do("play Intellect 1", "by Batman", "at Joker")
    assert "Joker" not in t.alive(1)


def test_rule_76_multipower_hits_on_one_character_are_all_of_one_type():
    t = Table(["MultiPower 2"], more0=["MultiPower 3", "Fighting 1"])
    t.hit(1, "Joker", "MultiPower 3")
    t.hit(1, "Joker", "Fighting 1")
    t.do("play MultiPower 2", "by Batman", "as Fighting", "at Joker")
    assert "Joker" in t.alive(1)  # Fighting and one more type


def test_rule_76_the_fused_type_may_change():
    t = Table(["Intellect 1"], more0=["MultiPower 3", "Fighting 1"])
    t.hit(1, "Joker", "MultiPower 3")
    t.hit(1, "Joker", "Fighting 1")
    t.do("play Intellect 1", "by Batman", "at Joker")
    assert "Joker" not in t.alive(1)  # MultiPower as Energy or Strength


def test_rule_77_three_icons_gain_the_fourth_from_a_four_icon_card():
    for joins, falls in (("MultiPower EFS 1", False), ("MultiPower 1", True)):
        t = Table([joins], more0=["MultiPower EFS 2", "Energy 1", "Strength 1", "Fighting 1"], spectrum_types=4)
        for card in ("MultiPower EFS 2", "Energy 1", "Strength 1", "Fighting 1"):
            t.hit(1, "Joker", card)
        t.do(f"play {joins}", "by Batman", "as Fighting", "at Joker")
        assert ("Joker" not in t.alive(1)) == falls


def test_rule_78_multi_type_specials_do_not_fuse():
    team = ("Steel (BS)", "Supergirl (BS)", "Batman (BS)", "Robin (BS)")
    t = Table(["MultiPower 1"], more0=["Steel: Hammer", "Fighting 1"], team0=team)
    t.hit(1, "Joker", "Steel: Hammer")
    t.hit(1, "Joker", "Fighting 1")
    t.do("play MultiPower 1", "by Batman", "as Fighting", "at Joker")
    assert "Joker" not in t.alive(1)  # Hammer one type, MultiPower another, Fighting


def test_rule_59_cards_of_a_knocked_out_character_stay_in_hand_but_are_not_playable():
    t = Table(["Fighting 7"], ["Joker: Acid Spray Flower"], more0=["Fighting 7", "Fighting 6"])
    t.hit(1, "Joker", "Fighting 7")
    t.hit(1, "Joker", "Fighting 6")
    t.do("play Fighting 7", "at Joker")
    assert t.hand(1) == ["Joker: Acid Spray Flower"]
    assert t.legal() == ["pass", "concede"]


def test_rule_60_69_70_the_battle_ends_without_a_front_line_and_the_reserve_moves_up():
    t = Table(["Fighting 7"], more0=["Fighting 7", "Fighting 6"])
    for fallen in (1, 2):
        t.s.players[1].alive[fallen] = 0
    t.hit(1, "Joker", "Fighting 7")
    t.hit(1, "Joker", "Fighting 6")
    t.do("play Fighting 7")
    assert t.s.battle == 2
    assert t.front(1) == ["Catwoman"]
    assert t.front(0) == ["Batman", "Superman", "Robin"]
    assert t.s.first == 0  # rule 70


def test_rule_1_knocking_out_all_four_wins():
    t = Table(["Fighting 7"], more0=["Fighting 7", "Fighting 6"])
    for fallen in (1, 2, 3):
        t.s.players[1].alive[fallen] = 0
    t.hit(1, "Joker", "Fighting 7")
    t.hit(1, "Joker", "Fighting 6")
    t.do("play Fighting 7")
    assert t.winner == 0


def test_rule_68_the_reserve_is_not_attacked_unless_a_card_allows_it_and_may_then_defend():
    team = ("Punisher (IQ)", "Batman (BS)", "Superman (BS)", "Robin (BS)")
    t = Table(["Punisher: Sniper", "Fighting 7"], ["Catwoman: Nine Lives"], team0=team)
    t.do("play Punisher: Sniper")
    assert t.legal() == ["at Joker", "at Bane", "at Two-Face", "at Catwoman"]
    t.do("at Catwoman")
    assert t.legal() == ["take it", "play Catwoman: Nine Lives"]


def test_rule_55_62_63_67_totals_missions_and_the_record():
    t = Table(["Fighting 7"], ["Intellect 6"])
    for side in range(2):
        t.s.players[side].reserve, t.s.players[side].risk_reserve = 5, 2
    t.do("play Fighting 7", "at Joker", "play Intellect 6", "by Joker", "at Batman", "pass", "pass")
    assert t.missions(0) == (5, 2, 0)
    assert t.missions(1) == (5, 0, 2)
    assert t.hits(1, "Joker") == [("Fighting 7", 7, False)]
    assert t.hits(0, "Batman") == [("Intellect 6", 6, False)]
    assert t.s.first == 0


def test_rule_66_a_draw_leaves_missions_ventured_and_the_same_player_first():
    t = Table(["Intellect 6"], ["Intellect 6"], turn=1)
    for side in range(2):
        t.s.players[side].reserve, t.s.players[side].risk_reserve = 5, 2
    t.do("play Intellect 6", "by Joker", "at Batman", "take it")
    t.do("play Intellect 6", "by Batman", "at Joker", "pass", "pass")
    assert [int(p.risk_reserve) for p in t.s.players] == [2, 2]
    assert t.hits(0, "Batman") == t.hits(1, "Joker") == [("Intellect 6", 6, False)]
    assert t.s.first == 1
    assert t.s.battle == 2


def test_rule_72_heroes_do_not_play_villains_cards():
    team = ("Batman (BS)", "Superman (BS)", "Robin (BS)", "Sabretooth (IQ)")
    t = Table(["Ally: Lady Shiva", "Superman: Heat Vision"], team0=team)
    assert "play Ally: Lady Shiva" not in t.legal()
    t = Table(["Ally: Lady Shiva", "Superman: Heat Vision"], team0=team, code_rule=False)
    assert "play Ally: Lady Shiva" in t.legal()


def test_rule_79_a_combining_special_takes_exactly_its_type_and_never_multipower():
    t = Table(["Robin: Bo Staff", "Intellect 5", "Energy 3", "MultiPower 3"])
    t.do("play Robin: Bo Staff")
    assert t.legal() == ["alone", "play Energy 3"]
    t.do("play Energy 3", "at Joker")
    assert t.hits(1, "Joker") == [("Energy 3", 3, True), ("Robin: Bo Staff", 4, True)]  # separate hits
    assert t.total(0) == 7


def test_shifted_attacks_pass_by_what_protects_the_new_target():
    """What is in effect keeps attacks from being declared; a shifted one has been declared already."""
    t = Table(["Intellect 7"], ["Catwoman: Cat-Like Reflexes", "Joker: Double Cross"],
              team1=("Joker (BS)", "Catwoman (BS)", "Bane (BS)", "Two-Face (BS)"), placed0={"Batman": ["Blackout"]},
              turn=1)  # fmt: skip
    t.do("play Catwoman: Cat-Like Reflexes", "play Intellect 7", "by Batman")
    t.do("play Blackout: 6 Intellect +3, placed on Batman")
    assert "at Catwoman" not in t.legal()  # no Universe cards on her
    t.do("at Joker", "play Joker: Double Cross", "by Catwoman")
    assert t.hits(1, "Catwoman") == [("Intellect 7", 7, True)]


def test_a_shifted_special_concerns_its_new_target():
    t = Table(["Brainiac: Mental Control"], ["Joker: Double Cross"], team0=("Brainiac (BS)", *VILLAINS[1:]))
    t.do("play Brainiac: Mental Control", "at Joker", "play Joker: Double Cross", "by Bane")
    effects = [(int(e.side), int(e.who)) for e in t.s.effects[: t.s.effects_n]]
    assert effects == [(1, t.who(1, "Bane"))]


def test_what_follows_a_shifted_special_at_another_target_is_not_for_the_new_one():
    """Batman's Batarang goes to Bane, who blocks it; the further attack is at somebody else than he."""
    t = Table(["Batman: Batarang", "Fighting 3"], ["Joker: Double Cross", "Strength 6"], team0=HEROES, team1=VILLAINS)
    t.do("play Batman: Batarang", "at Joker", "play Joker: Double Cross", "by Bane", "play Strength 6")
    t.do("play Fighting 3").may("by Batman")
    assert t.legal() == ["at Joker", "at Two-Face"]


def test_an_attack_is_shifted_once():
    t = Table(["Fighting 7"], ["Joker: Double Cross", "Apocalypse: Shape Shift"],
              team1=("Joker (BS)", "Apocalypse (IQ)", "Bane (BS)", "Two-Face (BS)"))  # fmt: skip
    t.do("play Fighting 7", "at Joker", "play Joker: Double Cross").may("by Apocalypse")
    assert t.decision == phases.TURN
    assert t.hits(1, "Apocalypse") == [("Fighting 7", 7, True)]
