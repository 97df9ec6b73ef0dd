"""Rules and rulings of the page that the other scenarios do not show."""

import random

from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_preparation import NONE, event_game, start_venture

from overworlds.envs.overpower import ops, phases
from overworlds.envs.overpower.cards import characters, find_card
from overworlds.envs.overpower.decks import Deck, violations

SABRETOOTH = "Sabretooth (IQ)"  # without a code; Fighting 8, Strength 6


# ---------------------------------------------------------------- rules


def test_rule_5_any_power_goes_with_any_universe_card_that_the_user_may_use():
    t = Table(["Any-Power 6", "Flying Kick", "Nerve Pinch"], team0=(*HEROES[:2], "Robin (BS)", "Steel (BS)"))
    t.do("play Any-Power 6", "by Batman")
    assert t.legal() == ["alone", "play Flying Kick: 7 Fighting +2"]  # Nerve Pinch needs Strength 7
    t.do("play Flying Kick: 7 Fighting +2", "at Joker")
    assert t.s.attack.value == 6 + 2
    assert t.hits(1, "Joker") == [("Any-Power 6", 6, True)]


def test_rule_7_and_72_a_character_without_a_code_plays_cards_of_both():
    for ally in ("Ally: Lady Shiva", "Ally: Guy Gardner"):  # Villain, Hero
        t = Table([ally, "Superman: Heat Vision"], team0=(SABRETOOTH, "Superman (BS)", "Robin (BS)", "Azrael (BS)"))
        t.do(f"play {ally}")
        assert t.s.play.user == t.who(0, "Sabretooth")


def test_rule_14_an_event_is_one_per_deck():
    event, fill = find_card("Event: 661216.01", "test"), find_card("Fighting 5", "test")
    team = [characters()[name] for name in ("Batman (BS)", "Robin (BS)", "Nightwing (BS)", "Azrael (BS)")]
    assert violations(Deck("test", tuple(team), "Race Against Crime", {fill: 56, event: 1})) == []
    (problem,) = violations(Deck("test", tuple(team), "Race Against Crime", {fill: 56, event: 2}))
    assert "One Per Deck, but there are 2" in problem


def test_rule_18_every_number_of_ranks_has_its_limit():
    rng = random.Random(0)
    seen = set()
    fill = {find_card(name, "test"): 14 for name in ("Energy 1", "Fighting 1", "Strength 1", "MultiPower EFS 1")}
    for _ in range(2000):
        team = tuple(rng.sample(list(characters().values()), 4))
        ranks, points = sum(c.ranks for c in team), sum(c.points for c in team)
        found = "\n".join(violations(Deck("test", team, "Race Against Crime", fill)))
        most = {12: 58, 13: 62, 14: 67, 15: 72, 16: 76}[ranks]
        assert ("The Sum Deck Rule" in found) == (points > most)
        seen.add((ranks, points > most))
    assert len(seen) == 10


def test_rule_23_the_first_players_event_comes_first_and_both_draw_again():
    hands = ["Event: 661216.10", *NONE[:7]], ["Event: 661216.01", *NONE[:7]]
    t = Table(more0=[*hands[0], *NONE], more1=[*hands[1], *NONE], events=True, turn=1)
    before = [int(p.draw_n) for p in t.s.players]
    t.next_battle(*hands)
    assert [int(e.by_side) for e in t.s.effects[: t.s.effects_n]] == [1, 1, 0, 0]
    assert [n - int(p.draw_n) for n, p in zip(before, t.s.players, strict=True)] == [9, 9]
    t = event_game(["Event: 661216.01"], ["Event: 661216.01"])  # the same one: once, but two cards are drawn
    assert [int(p.draw_n) for p in t.s.players] == [deck.size - 9 for deck in t.decks]


def test_rule_29_the_picture_of_an_ally_does_not_matter():
    hand = ["Ally: Bucky Barnes", "Ally: Requiem", *NONE[:6]]  # 8 Fighting both
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    assert t.legal() == ["keep Ally: Bucky Barnes", "keep Ally: Requiem"]


def test_rule_30_the_same_function_of_two_characters_is_no_duplicate():
    hand = ["Robin: Bo Staff", "Azrael: Flaming Sword", *NONE[:6]]
    assert find_card(hand[0], "test").function == find_card(hand[1], "test").function
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    assert set(hand) == set(t.hand(0))


def test_rule_38_the_first_player_ventures_first():
    for first in range(2):
        t = start_venture(turn=first)
        assert (t.to_move, t.decision) == (first, phases.VENTURE)


def test_rule_39_cards_drawn_so_are_not_placed_and_unusable_ones_go():
    t = Table(more0=NONE, more1=[*NONE, "Intellect 7", "Fighting 8"], team1=(*VILLAINS[:3], SABRETOOTH))
    t.s.players[1].alive[3] = 0  # who alone could use the 8
    t.next_battle(NONE, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    t.stack(1, ["Intellect 7", "Fighting 8"])
    t.do("venture 4 from Reserve, 0 from Completed")
    assert t.hand(1) == ["Fighting 1", "Intellect 7"]
    assert t.dead(1) == ["Fighting 8"]
    assert t.decision == phases.VENTURE  # placing is over


def test_rule_49_no_ally_as_an_extra_attack_and_no_universe_card_with_a_special():
    t = Table(["Batman: Batarang", "Ally: Guy Gardner", "Superman: Heat Vision", "Fighting 6", "Flying Kick"])
    t.do("play Batman: Batarang")
    assert t.decision == phases.TARGET  # nobody asks for Flying Kick
    t.do("at Joker")
    assert t.legal() == ["done", "play Fighting 6"]


def test_rule_58_current_hits_on_the_fallen_return_when_they_have_been_counted():
    t = Table(["Fighting 7"], more0=["Fighting 7", "Fighting 6", *NONE], more1=NONE)
    t.hit(1, "Joker", "Fighting 7")
    t.hit(1, "Joker", "Fighting 6", current=True)
    t.do("play Fighting 7", "at Joker").next_battle(NONE, NONE)
    assert t.hits(1, "Joker") == []
    assert [name for name in t.pack(0) if name != "Fighting 1"] == ["Fighting 6", "Fighting 7", "Fighting 7"]
    assert int(t.s.players[0].total) == 13


def test_rule_79_multipower_may_be_an_additional_attack():
    t = Table(["Batman: Batarang", "MultiPower 3"])
    t.do("play Batman: Batarang", "at Joker", "play MultiPower 3", "at Bane")  # as Fighting, which Batarang asks for
    assert t.s.attack.types == 2
    assert t.hits(1, "Bane") == [("MultiPower 3", 3, True)]


# ---------------------------------------------------------------- rulings


def test_ruling_2_after_a_draw_more_is_ventured_and_only_that_counts_for_the_penalty():
    t = Table(more0=NONE, more1=NONE)
    for p in t.s.players:
        p.reserve, p.risk_reserve = 4, 3
    t.next_battle(NONE, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    assert "venture 0 from Reserve, 0 from Completed" not in t.legal()
    before = int(t.s.players[1].draw_n)
    t.do("venture 2 from Reserve, 0 from Completed")
    assert int(t.s.players[0].risk_reserve) == 5
    assert int(t.s.players[1].draw_n) == before


def test_ruling_2_who_has_no_mission_left_to_venture_ventures_none():
    t = Table(more0=NONE, more1=NONE)
    p = t.s.players[0]
    p.reserve, p.completed, p.defeated, p.risk_reserve = 0, 0, 3, 4
    t.next_battle(NONE, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    assert t.to_move == 1  # player_0 is not asked
    assert t.decision == phases.VENTURE


def test_ruling_3_and_28_who_concedes_leaves_the_first_turn_to_the_other_and_hits_stay():
    t = Table(["Fighting 7"], more0=NONE, more1=NONE)
    for p in t.s.players:
        p.reserve, p.risk_reserve = 6, 1
    t.do("play Fighting 7", "at Joker", "pass", "concede")  # with the higher total
    assert t.s.first == 1
    assert t.missions(0) == (6, 0, 1)
    assert t.missions(1) == (6, 1, 0)
    assert t.hits(1, "Joker") == [("Fighting 7", 7, False)]


def test_ruling_7_who_has_passed_plays_no_special_either():
    t = Table(["Azrael: Divine Inspiration", "Batman: Batarang"], ["Intellect 3"], team0=("Azrael (BS)", *HEROES[:3]))
    t.do("pass", "play Intellect 3", "by Joker", "at Superman")
    assert t.legal() == ["pass", "concede"]


def test_ruling_12_multipower_and_any_power_may_follow_a_teamwork_card():
    card = "Teamwork: 6F then EI +1 +2"
    t = Table([card, "MultiPower 3", "Any-Power 6"])
    t.do(f"play {card}", "by Batman", "at Joker")
    assert t.legal() == ["play MultiPower 3", "play Any-Power 6"]
    t.do("play MultiPower 3", "by Superman")
    assert t.legal() == ["as Energy", "as Intellect"]  # the listed types, of all that Superman is rated for
    t.do("as Energy", "at Joker")
    assert t.s.attack.value == 3 + 1
    t.do("play Any-Power 6", "at Joker")
    assert t.s.attack.value == 6 + 2


def test_ruling_14_without_a_rank_no_intellect_card_and_no_five_or_less():
    team = ("Wolverine (OP)", "Batman (BS)", "Robin (BS)", "Superman (BS)")  # E 2, F 8, S 4, no Intellect
    t = Table(["Intellect 1"], team0=team)
    t.do("play Intellect 1")
    assert t.legal() == ["by Batman", "by Robin"]
    t = Table(["Any-Power 6", "Training: FI +4"], team0=team)
    t.do("play Any-Power 6", "by Wolverine")
    assert t.decision == phases.TARGET  # no Training card for him: his Fighting is 8
    t = Table(["Ally: Lois Lane", "Batman: Batarang"], team0=team)
    assert "play Ally: Lois Lane" not in t.legal()  # for 5 or less Intellect; Superman is in Reserve


def test_ruling_15_a_tie_of_the_cut_is_decided_at_random():
    t = Table(more0=["Fighting 1"] * 56, more1=["Fighting 1"] * 56)
    firsts = set()
    for seed in range(20):
        t.k.reset(t.variant.rules, t.state, seed)
        firsts.add(int(t.s.first))
    assert firsts == {0, 1}


def test_ruling_16_an_event_drawn_for_an_event_is_discarded():
    hand = ["Event: 661216.01", *NONE[:7]]
    t = Table(more0=[*hand, "Event: 661216.10", *NONE], more1=NONE, events=True)
    before = int(t.s.players[0].draw_n)
    t.next_battle([*hand, "Event: 661216.10"], NONE)
    assert t.removed(0) == ["Event: 661216.01", "Event: 661216.10"]
    assert t.s.effects_n == 2  # only the first one's
    assert before - int(t.s.players[0].draw_n) == 9  # no second replacement


def test_ruling_17_cards_drawn_by_a_venture_are_compared_with_the_front_line():
    for owner, stays in (("Joker", False), ("Catwoman", True)):
        t = Table(more0=NONE, more1=[*NONE, "Intellect 6"], placed1={owner: ["Intellect 6"]})
        t.next_battle(NONE, NONE)
        while t.decision == phases.PLACE:
            t.do("done")
        t.stack(1, ["Intellect 6"])
        t.do("venture 3 from Reserve, 0 from Completed")
        assert ("Intellect 6" in t.hand(1)) == stays


def test_ruling_17_what_the_reserve_has_got_before_this_battle_still_counts_as_part_of_the_hand():
    hand = ["Intellect 6", *NONE[:7]]
    t = Table(more0=NONE, more1=[*hand, *hand, "Fighting 6"]).next_battle(NONE, hand)
    t.may("done").do("place Intellect 6 on Catwoman", "done")
    t.stack(1, ["Fighting 6"])
    t.do("venture 3 from Reserve, 0 from Completed")
    assert t.hand(1) == ["Fighting 1"]
    assert "Fighting 6" in t.pack(1)
    t.do("venture 1 from Reserve, 0 from Completed", "fight", "fight")
    t.next_battle(NONE, hand)  # from now on it does not
    assert t.placed(1, "Catwoman") == ["Intellect 6"]
    assert t.hand(1) == ["Fighting 1", "Intellect 6"]


def test_ruling_19_a_special_declared_as_one_type_completes_a_spectrum_as_another():
    team = ("Steel (BS)", "Batman (BS)", "Superman (BS)", "Robin (BS)")
    t = Table(["Steel: Hammer"], more0=["Energy 1"], team0=team)
    t.hit(1, "Joker", "Energy 1")
    t.hit(1, "Joker", "Fighting 1")
    t.do("play Steel: Hammer", "as Fighting", "at Joker")
    assert "Joker" not in t.alive(1)


def test_ruling_20_nothing_follows_when_the_front_line_is_gone():
    small = ["Fighting 1"] * 8
    t = Table(["Ally: Oracle", "Robin: Quick Thinking"], more0=["Fighting 7", "Fighting 7", "Fighting 5", *small])
    t.s.players[1].alive[1] = t.s.players[1].alive[2] = 0
    for name in ("Fighting 7", "Fighting 7", "Fighting 5"):
        t.hit(1, "Joker", name)
    before = int(t.s.players[0].draw_n)
    t.stack(0, small)
    t.do("play Ally: Oracle")  # Joker falls, and the Special that draws a card is not played
    assert t.s.battle == 2
    assert before - int(t.s.players[0].draw_n) == 8


def test_ruling_21_a_knock_out_victory_comes_before_the_missions():
    t = Table(["Fighting 7"], more0=["Fighting 7", "Fighting 6"])
    for fallen in (1, 2, 3):
        t.s.players[1].alive[fallen] = 0
    q = t.s.players[1]
    q.reserve, q.completed = 0, 7  # he would have won
    t.hit(1, "Joker", "Fighting 7")
    t.hit(1, "Joker", "Fighting 6")
    t.do("play Fighting 7")
    assert t.winner == 0


def test_ruling_24_villains_do_not_play_heroes_cards():
    team = (*VILLAINS[:3], SABRETOOTH)  # Bane is rated 6 in Strength, too
    t = Table(["Ally: Nuklon And Obsidian", "Joker: Acid Spray Flower"], team0=team, team1=HEROES)
    assert "play Ally: Nuklon And Obsidian" not in t.legal()
    t = Table(["Ally: Edwin Jarvis", "Joker: Acid Spray Flower"], team0=VILLAINS, team1=HEROES)
    assert "play Ally: Edwin Jarvis" in t.legal()  # without a code


def test_ruling_25_with_nobody_to_attack_there_is_no_attack():
    t = Table(["Mister Miracle: Oberon"], ["Intellect 5"], team0=("Mister Miracle (JL)", *HEROES[:3]))
    t.s.players[0].alive[1] = t.s.players[0].alive[2] = 0
    t.do("play Mister Miracle: Oberon")
    assert t.legal() == ["pass", "concede"]


def test_ruling_26_a_hit_of_no_value_counts_for_the_spectrum():
    team = ("Doctor Polaris (JL)", *VILLAINS[:3])
    t = Table(["Doctor Polaris: Make The Blood Boil"], more0=["Energy 1"], team0=team, team1=HEROES)
    t.hit(1, "Batman", "Energy 1")
    t.hit(1, "Batman", "Fighting 1")
    t.do("play Doctor Polaris: Make The Blood Boil", "at Batman").may("take it")
    assert "Batman" not in t.alive(1)
    assert t.total(0) == 0


def test_ruling_27_the_power_pack_is_not_sorted_again():
    t = Table([], ["Intellect 7"], more0=["Strength 7"], more1=["Intellect 7"] * 2, turn=1)
    kind = t.kind(0, "Strength 7")
    t.draw_out(0, kind)
    t.s.players[0].pack[kind] += 1
    t.hit(0, "Superman", "Intellect 7")
    t.hit(0, "Superman", "Intellect 7")
    t.do("play Intellect 7", "at Superman")
    assert "Superman" not in t.alive(0)
    assert t.pack(0) == ["Strength 7"]  # which nobody can use any more


def test_ruling_31_who_meets_both_conditions_is_out_whatever_protects_him():
    for other, falls in (("Intellect 7", False), ("Energy 7", True)):  # 21 points of two types, or of three
        t = Table(["Vision: Android Endurance"], ["Intellect 7"], team0=("Vision (IQ)", *HEROES[:3]),
                  team1=(*VILLAINS[:3], "Magneto (IQ)"), more1=["Fighting 6", "Intellect 1", other])  # fmt: skip
        for name in ("Fighting 6", "Intellect 1", other):
            t.hit(0, "Vision", name)
        t.do("play Vision: Android Endurance")
        immunity = next(e for e in t.s.effects[: t.s.effects_n] if e.op == ops.KO_IMMUNE)
        immunity.stat = 3  # from both; the card is about one of them
        t.do("play Intellect 7", "at Vision")
        assert ("Vision" not in t.alive(0)) == falls


def test_ruling_31_goes_for_raised_limits_and_for_hits_that_do_not_count():
    """Deadpool's MultiPower hits count for no Spectrum, and his card raises the limit: both at once do not help."""
    for last, falls in (("Energy 8", True), ("Fighting 8", False)):  # three types with MultiPower, or two
        t = Table(["Deadpool: High Threshold Of Pain"], [last], team0=("Deadpool (IQ)", *HEROES[:3]),
                  team1=("Magneto (IQ)", "Sabretooth (IQ)", *VILLAINS[:2]),
                  more1=["Fighting 6", "MultiPower 4", "MultiPower 3"])  # fmt: skip
        for name in ("Fighting 6", "MultiPower 4", "MultiPower 3"):
            t.hit(0, "Deadpool", name)
        t.do("play Deadpool: High Threshold Of Pain", f"play {last}").may("at Deadpool", "take it")
        assert ("Deadpool" not in t.alive(0)) == falls


def test_ruling_32_any_character_specials_are_no_extra_attacks_and_are_not_placed():
    card = "Any Character: Death From Above"
    t = Table(["Bane: Feral Rage", card, "Strength 5"], team0=("Bane (BS)", "Joker (BS)", "Two-Face (BS)",
              "Catwoman (BS)"), team1=HEROES)  # fmt: skip
    assert f"play {card}" in t.legal()
    t.do("play Bane: Feral Rage", "at Batman")
    assert t.legal() == ["done", "play Strength 5"]
    hand = [card, *NONE[:7]]
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    assert t.decision == phases.PLACE
    assert not any(name.startswith(f"place {card}") for name in t.legal())


def test_ruling_50_a_total_is_never_below_nothing():
    t = Table(["Any Character: God Of Mischief"])
    t.do("play Any Character: God Of Mischief").may("by Batman")
    assert t.total(1) == 0


def test_ruling_59_a_special_against_the_whole_enemy_team_is_an_attack_that_nobody_can_defend():
    enemy_hand = ["Brainiac: Mental Control", "Joker: Keys To The Kingdom"]
    t = Table(
        ["Batman: The Dark Knight", "Batman: Batarang"], enemy_hand, team1=("Brainiac (BS)", *VILLAINS[:3]), turn=1
    )
    assert t.do("pass").legal().count("play Batman: The Dark Knight") == 1
    t.do("play Batman: The Dark Knight")
    assert (t.to_move, t.decision) == (1, phases.TURN)  # nobody could defend
    t = Table(["Batman: The Dark Knight"], enemy_hand, team1=("Brainiac (BS)", *VILLAINS[:3]), turn=1)
    t.do("play Brainiac: Mental Control", "at Batman")  # who may not attack
    assert t.legal() == ["pass", "concede"]
    team = ("Two-Face (BS)", "Bane (BS)", "Joker (BS)", "Catwoman (BS)")
    t = Table(
        ["Bane: Feral Rage", "Bane: Vengeance Of Bane", "Two-Face: Criminal Mastermind"], team0=team, team1=HEROES
    )
    t.do("play Bane: Feral Rage", "at Batman")
    assert t.legal() == ["done", "play Bane: Vengeance Of Bane"]  # an attack without a number is an extra attack
