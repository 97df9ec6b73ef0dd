"""Rules at their limits: the first number that is enough and the last that is not, the other player, the teammate."""

import pytest
from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_preparation import NONE, start_venture

from overworlds.envs.overpower import phases
from overworlds.envs.overpower.cards import characters, find_card
from overworlds.envs.overpower.decks import Deck, violations

FIRST = ("Batman", "Joker")
"""The first character of each player; both are rated 7 in Intellect."""
LEADER = "Teamwork: 7F then SI +2 +2"
"""Of the Heroes only Batman may use it."""


def one_sided(side, hand, more=(), **rules):
    """It is this player's turn; only he has cards."""
    hands, others = ([], []), ([], [])
    hands[side].extend(hand)
    others[side].extend(more)
    return Table(*hands, more0=others[0], more1=others[1], turn=side, **rules)


def strike(t, side):
    """This player hits the other's first character with a 7."""
    t.do("play Intellect 7")
    for choice in (f"by {FIRST[side]}", f"at {FIRST[1 - side]}", "take it"):
        if t.winner is None:
            t.may(choice)
    return t


def fell(t, side, *characters):
    """These have been knocked out."""
    for character in characters:
        t.s.players[side].alive[character] = 0


def fill(team, **cards):
    """What is wrong with a deck of small cards and these."""
    counts = {find_card("Fighting 1", "test"): 56} | {find_card(name, "test"): n for name, n in cards.items()}
    return violations(Deck("test", tuple(characters()[name] for name in team), "Race Against Crime", counts), True)


# ---------------------------------------------------------------- victory


@pytest.mark.parametrize("side", range(2))
def test_rule_1_either_player_wins_by_knock_outs_but_not_while_a_reserve_is_left(side):
    for fallen, winner in (((1, 2), None), ((1, 2, 3), side)):
        t = one_sided(side, ["Intellect 7"], ["Intellect 7", "Intellect 6"])
        fell(t, 1 - side, *fallen)
        t.hit(1 - side, FIRST[1 - side], "Intellect 7")
        t.hit(1 - side, FIRST[1 - side], "Intellect 6")
        strike(t, side)
        assert t.winner == winner


@pytest.mark.parametrize("side", range(2))
def test_rule_1_and_65_either_player_wins_with_seven_completed_missions_not_with_six(side):
    for ventured, winner in ((1, None), (2, side)):
        t = one_sided(side, ["Intellect 7"])
        p = t.s.players[side]
        p.reserve, p.completed, p.risk_reserve = 2 - ventured, 5, ventured
        strike(t, side).do("pass", "pass")
        assert t.winner == winner
        if winner is None:
            assert t.missions(side) == (1, 6, 0)


@pytest.mark.parametrize("side", range(2))
def test_rule_2_and_65_either_player_loses_with_seven_defeated_missions_not_with_six(side):
    for ventured, winner in ((1, None), (2, side)):
        t = one_sided(side, ["Intellect 7"])
        q = t.s.players[1 - side]
        q.reserve, q.defeated, q.risk_reserve = 2 - ventured, 5, ventured
        strike(t, side).do("pass", "pass")
        assert t.winner == winner
        if winner is None:
            assert t.missions(1 - side) == (1, 0, 6)


# ---------------------------------------------------------------- who may use what


def test_rule_8_a_basic_universe_card_is_for_its_rating_and_for_power_cards_of_its_type():
    hand = ["Fighting 5", "Blackout", "Flying Kick"]  # 6 Intellect +3, 7 Fighting +2
    assert Table(hand).do("play Fighting 5", "by Robin").decision == phases.TARGET  # Fighting 6, Intellect 7
    t = Table(["MultiPower 4", "Blackout"])
    t.do("play MultiPower 4", "by Batman", "play Blackout: 6 Intellect +3", "at Joker")  # so it is an Intellect card
    assert (t.s.attack.types, t.s.attack.value) == (8, 4 + 3)


def test_rule_9_and_45_five_is_enough_for_training_six_is_too_much_and_only_that_type_is_helped():
    hand = ["Fighting 4", "Training: FS +4"]
    t = Table(hand, team0=VILLAINS, team1=HEROES)
    t.do("play Fighting 4", "by Joker")  # Fighting 5
    assert t.legal() == ["alone", "play Training: FS +4"]
    t.do("play Training: FS +4", "at Superman")
    assert t.s.attack.value == 4 + 4
    assert t.total(0) == 4
    t = Table(hand, team0=VILLAINS, team1=HEROES).do("play Fighting 4", "by Two-Face")  # Fighting 6, Strength 3
    assert t.decision == phases.TARGET


def test_rule_10_teamwork_needs_the_rating_and_a_follow_up_by_somebody_else_of_the_front_line():
    t = Table([LEADER, "Intellect 7"]).do(f"play {LEADER}")
    assert t.s.play.user == t.who(0, "Batman")  # nobody asks: Robin's Fighting is 6
    hand = [LEADER, "Strength 3"]  # for Superman, for Batman himself, and for Azrael in Reserve
    assert f"play {LEADER}" in Table(hand).legal()
    t = Table(hand)
    fell(t, 0, 1)
    assert f"play {LEADER}" not in t.legal()
    t = Table([LEADER, "Intellect 7", "Intellect 6"])
    fell(t, 0, 1, 2)
    assert f"play {LEADER}" not in t.legal()  # who is alone has no teammate


def test_rule_10_and_46_two_follow_ups_even_if_three_teammates_could():
    card, rest = "Teamwork: 6I then FS +1 +2", ["Fighting 5", "Strength 4", "Any-Power 6"]
    t = Table([card, *rest], team0=(*HEROES[:3], "Kingpin (IQ)"))  # who plays Teamwork cards in Reserve
    t.do(f"play {card}", "by Kingpin", "at Joker", "play Fighting 5", "by Robin", "at Joker")
    t.do("play Strength 4", "by Superman", "at Bane")
    assert (t.to_move, t.decision) == (1, phases.TURN)
    assert t.hand(0) == ["Any-Power 6"]


def test_rule_46_follow_ups_are_power_cards_of_the_listed_types():
    card = "Teamwork: 6F then EI +1 +2"
    t = Table([card, "Energy 7", "Intellect 6", "Strength 7", "Superman: Heat Vision"])
    t.do(f"play {card}", "by Batman", "at Joker")
    assert t.legal() == ["play Energy 7", "play Intellect 6"]


def test_rule_11_an_ally_needs_the_rating_and_a_special_of_somebody_else_of_the_front_line():
    t = Table(["Ally: Oracle", "Batman: Batarang"]).do("play Ally: Oracle")
    assert t.s.play.user == t.who(0, "Robin")  # nobody asks: Batman is not his own teammate
    t = Table(["Ally: Oracle", "Batman: Batarang"])
    fell(t, 0, 2)
    assert "play Ally: Oracle" not in t.legal()
    assert "play Ally: Oracle" not in Table(["Ally: Oracle", "Azrael: Know My Wrath"]).legal()  # he is in Reserve
    for ally, rated in (("Ally: Lady Shiva", False), ("Ally: Gorilla Grodd", True)):  # 7 or 6 Fighting; Bane has 6
        t = Table([ally, "Joker: Acid Spray Flower"], team0=(*VILLAINS[:3], "Sabretooth (IQ)"), team1=HEROES)
        assert (f"play {ally}" in t.legal()) == rated


def test_rule_11_and_47_any_special_of_a_teammate_follows_and_nothing_else():
    hand = ["Ally: Oracle", "Batman: Batarang", "Superman: Heat Vision", "Superman: Man Of Steel", "Intellect 6"]
    t = Table(hand).do("play Ally: Oracle", "by Batman", "at Joker")
    assert set(t.legal()) == {"play Superman: Heat Vision", "play Superman: Man Of Steel"}  # an attack or not
    t.do("play Superman: Man Of Steel").may("done")
    assert (t.to_move, t.decision) == (1, phases.TURN)


def test_rule_7_and_72_codes_matter_while_a_card_changes_ratings():
    team = ("Sabretooth (IQ)", "Bane (BS)", "Joker (BS)", "Two-Face (BS)")
    for ally, users in (("Ally: Guy Gardner", ["Sabretooth"]), ("Ally: Lady Shiva", ["Sabretooth", "Bane"])):
        t = Table(["Bane: Enhanced Physique", ally, "Joker: Acid Spray Flower"], team0=team, team1=HEROES)
        t.do("play Bane: Enhanced Physique", "pass", f"play {ally}")  # 7 Fighting, which Bane has now
        if len(users) > 1:
            assert t.legal() == [f"by {name}" for name in users]
        else:
            assert t.s.play.user == t.who(0, *users)  # the card is a Hero's, Bane a Villain


def test_rule_14_an_event_of_any_mission_goes_with_this_one():
    assert fill(HEROES[:1] + HEROES[2:] + ("Nightwing (BS)",), **{"Event: Sovereign Seven": 1}) == []


def test_rule_16_specials_of_any_character_are_for_every_team():
    assert fill(HEROES[:1] + HEROES[2:] + ("Nightwing (BS)",), **{"Any Character: Guardian Angel": 1}) == []


@pytest.mark.parametrize(
    ("on", "record", "falls"),
    [
        ("Morbius", ["Intellect 7"] * 3, False),  # with one more 7 it is 28 of his 30
        ("Morbius", ["Intellect 7"] * 3 + ["Intellect 2"], True),
        ("Ghost Rider", ["Energy 1", "Fighting 1"], False),  # three types of his four
        ("Ghost Rider", ["Energy 1", "Fighting 1", "Strength 1"], True),
        ("Batman", ["Intellect 7", "Intellect 6"], True),
        ("Batman", ["Energy 1", "Fighting 1"], True),
    ],
)
def test_rule_73_an_inherent_ability_is_its_characters_own_and_has_its_own_limit(on, record, falls):
    t = one_sided(1, ["Intellect 7"], record, team0=("Batman (BS)", "Morbius (IQ)", "Ghost Rider (IQ)", "Robin (BS)"))
    for name in record:
        t.hit(0, on, name)
    t.do("play Intellect 7", f"at {on}")
    assert (on not in t.alive(0)) == falls


def test_rule_79_a_special_that_goes_with_a_power_card_does_not_go_with_multipower():
    hand = ["Bane: Intimidation", "Intellect 3", "MultiPower 3"]
    t = Table(hand, team0=VILLAINS, team1=HEROES).do("play Intellect 3", "by Bane")
    assert t.legal() == ["alone", "play Bane: Intimidation"]
    t = Table(hand, team0=VILLAINS, team1=HEROES).do("play MultiPower 3", "by Bane")
    assert t.decision == phases.TYPE


# ---------------------------------------------------------------- before a battle


def test_rule_20_34_and_61_every_sort_of_card_of_both_hands_has_its_pile():
    lost = ["Flying Kick: 7 Fighting +2", "Superman: Heat Vision", "Teamwork: 6F then EI +1 +2", "Training: ES +4"]
    t = Table([*lost, "Ally: Oracle", "Fighting 7"], ["Joker: Acid Spray Flower", "Intellect 7"])
    for side in range(2):  # no hand of the next battle is in the way
        p = t.s.players[side]
        while p.draw_n:
            p.draw_n -= 1
            p.removed[p.draw[p.draw_n]] += 1
    t.s.players[0].reserve, t.s.players[0].risk_reserve = 6, 1
    before = t.s.battle
    t.do("concede")
    assert t.s.battle == before + 1
    assert t.dead(0) == ["Ally: Oracle", *lost]
    assert t.dead(1) == ["Joker: Acid Spray Flower"]
    assert [t.hand(side) for side in range(2)] == [["Fighting 7"], ["Intellect 7"]]  # drawn again from the Power Packs


@pytest.mark.parametrize("side", range(2))
def test_rule_21_either_player_may_cut_the_higher_card(side):
    t = one_sided(side, [], ["Fighting 6"] * 56)
    for seed in range(5):
        t.k.reset(t.variant.rules, t.state, seed)
        assert t.s.first == side


@pytest.mark.parametrize("first", range(2))
def test_rules_35_38_40_41_whoever_goes_first_is_asked_first(first):
    hand = ["Fighting 5", *NONE[:7]]
    t = Table(more0=hand, more1=hand, turn=first).next_battle(hand, hand)
    for decision, choice in (
        (phases.PLACE, "done"),
        (phases.VENTURE, "venture 1 from Reserve, 0 from Completed"),
        (phases.CONCEDE, "fight"),
        (phases.TURN, "pass"),
    ):
        for side in (first, 1 - first):
            assert (t.decision, t.to_move) == (decision, side)
            t.do(choice)


@pytest.mark.parametrize("first", range(2))
def test_rule_39_missions_of_both_piles_count_and_it_is_the_opponent_who_draws(first):
    t = start_venture(turn=first)
    p = t.s.players[first]
    p.reserve, p.completed = 5, 2
    before = [int(q.draw_n) for q in t.s.players]
    t.do("venture 2 from Reserve, 2 from Completed")
    assert before[first] == p.draw_n
    assert before[1 - first] - t.s.players[1 - first].draw_n == 2


def test_rule_39_of_old_and_new_duplicates_the_owner_keeps_which_he_likes():
    hand = ["Fighting 5", *NONE[:7]]
    t = Table(more0=NONE, more1=[*hand, "Intellect 5"]).next_battle(NONE, hand)
    while t.decision == phases.PLACE:
        t.do("done")
    t.stack(1, ["Intellect 5"])
    t.do("venture 3 from Reserve, 0 from Completed")
    assert (t.to_move, t.legal()) == (1, ["keep Fighting 5", "keep Intellect 5"])
    t.do("keep Intellect 5")
    assert t.hand(1) == ["Fighting 1", "Intellect 5"]


@pytest.mark.parametrize("conceder", range(2))
def test_rule_40_either_player_may_concede_before_the_first_turn(conceder):
    t = start_venture()
    t.do("venture 1 from Reserve, 0 from Completed", "venture 1 from Reserve, 0 from Completed")
    t.may(*["fight"] * conceder).do("concede")
    assert t.missions(conceder) == (6, 0, 1)
    assert t.missions(1 - conceder) == (6, 1, 0)
    assert t.s.first == 1 - conceder


def test_rule_37_what_the_reserve_may_play_from_there_stays_in_hand():
    card = "Teamwork: 6I then FS +1 +2"
    hand = [card, "Kingpin: Crime Magnate", *NONE[:6]]
    for reserve, kept in (("Kingpin (IQ)", [card, "Kingpin: Crime Magnate"]), ("Catwoman (BS)", [])):
        team = ("Superman (BS)", "Steel (BS)", "Sabretooth (IQ)", reserve)  # only the Reserve has Intellect 6
        t = Table(more0=hand if kept else [card, *NONE], more1=NONE, team0=team)
        t.next_battle(hand if kept else [card, *NONE[:7]], NONE)
        while t.decision == phases.PLACE:
            t.do("done")
        assert [name for name in t.hand(0) if name != "Fighting 1"] == sorted(kept)
        assert t.dead(0) == ([] if kept else [card])


# ---------------------------------------------------------------- attack and defence


def test_rule_36_a_placed_universe_card_helps_only_its_character_in_defence():
    for target, answers in (("Joker", False), ("Two-Face", True)):
        t = Table(["Fighting 7"], ["Intellect 5"], placed1={"Two-Face": ["Blackout"]})
        t.do("play Fighting 7", f"at {target}")
        assert (t.decision == phases.DEFEND) == answers
        if answers:
            t.do("play Intellect 5")
            assert t.placed(1, "Two-Face") == []
            assert t.dead(1) == ["Blackout: 6 Intellect +3"]


def test_rule_43_nobody_attacks_the_fallen():
    t = Table(["Fighting 7"])
    fell(t, 1, 1)
    t.do("play Fighting 7")
    assert t.legal() == ["at Joker", "at Two-Face"]


def test_rule_48_a_special_that_is_blocked_goes_to_the_dead_pile():
    t = Table(["Superman: Heat Vision"], ["Intellect 4"])
    t.do("play Superman: Heat Vision", "at Joker", "play Intellect 4")
    assert t.hits(1, "Joker") == []
    assert t.dead(0) == ["Superman: Heat Vision"]
    assert t.pack(1) == ["Intellect 4"]


def test_rule_53_what_a_teammate_could_block_with_does_not_help():
    for target, answers in (("Two-Face", False), ("Joker", True)):
        t = Table(["Fighting 7"], ["Intellect 7"])  # for Joker only
        t.do("play Fighting 7", f"at {target}")
        assert (t.decision == phases.DEFEND) == answers


# ---------------------------------------------------------------- hits and knock-outs


def test_rule_56_nineteen_points_are_not_enough_nor_are_those_on_somebody_else():
    for last, falls in (("Intellect 6", False), ("Intellect 7", True)):  # 19, 20
        t = Table([last], more0=["Fighting 7", "Fighting 6", "Intellect 7"], more1=["Intellect 7"])
        t.hit(1, "Joker", "Fighting 7")
        t.hit(1, "Joker", "Fighting 6")
        t.hit(1, "Bane", "Intellect 7")
        t.hit(0, "Batman", "Intellect 7")
        t.do(f"play {last}", "by Batman", "at Joker")
        assert ("Joker" not in t.alive(1)) == falls


def test_rule_57_two_types_are_not_enough_nor_is_a_third_on_somebody_else():
    t = Table(["Intellect 1"], more0=["Energy 1", "Fighting 1"], more1=["Energy 1"])
    t.hit(1, "Joker", "Fighting 1")
    t.hit(1, "Bane", "Energy 1")
    t.hit(0, "Batman", "Energy 1")
    t.do("play Intellect 1", "by Batman", "at Joker")
    assert "Joker" in t.alive(1)


def test_rule_4_and_76_multipower_hits_stand_for_whatever_type_is_missing_on_that_character():
    for record, last in (("Energy 1", "Fighting 2"), ("Fighting 2", "Energy 1"), ("Strength 1", "Intellect 2")):
        for on, falls in (("Joker", True), ("Bane", False)):
            t = Table([last], more0=[record, "MultiPower 3"])
            t.hit(1, "Joker", record)
            t.hit(1, on, "MultiPower 3")
            t.do(f"play {last}").may("by Batman").do("at Joker")
            assert ("Joker" not in t.alive(1)) == falls


def test_rule_78_every_special_with_several_types_is_one_of_its_own_icons():
    specials = ["Namor: Imperious Rex", "Thor: Power Of Asgard"]  # Energy, Fighting or Strength; 15 points
    team = ("Namor (IQ)", "Thor (IQ)", "Batman (BS)", "Robin (BS)")
    for last, types, falls in (("Fighting 1", 3, True), ("Intellect 1", 4, True), ("Energy 1", 4, False)):
        t = Table([last], more0=[*specials, "Fighting 1"], team0=team, spectrum_types=types)
        for name in specials:
            t.hit(1, "Joker", name)
        if types == 4:
            t.hit(1, "Joker", "Fighting 1")
        t.do(f"play {last}", "by Batman", "at Joker")
        assert ("Joker" not in t.alive(1)) == falls


def test_rule_62_all_sorts_of_hits_of_this_battle_count_and_no_old_ones():
    card = "Teamwork: 6F then EI +1 +2"
    t = Table([card, "Energy 7", "Superman: Heat Vision"], more0=["Fighting 7"], more1=["Intellect 6"])
    t.hit(1, "Joker", "Fighting 7")
    t.hit(0, "Batman", "Intellect 6", current=True)
    assert [t.total(side) for side in range(2)] == [0, 6]
    t.do(f"play {card}", "by Batman", "at Bane", "at Two-Face", "pass")
    t.do("play Superman: Heat Vision", "at Two-Face")
    assert [t.total(side) for side in range(2)] == [6 + 7 + 4, 6]


# ---------------------------------------------------------------- after a battle


@pytest.mark.parametrize(
    ("won", "defeated", "most", "after"),
    [
        (1, 2, 0, (5, 1, 1)),  # one returns, to Reserve; a pair is needed for more
        (2, 1, 1, (4, 3, 0)),
        (2, 0, 0, (5, 2, 0)),
        (3, 4, 1, (3, 4, 0)),  # three and, for the pair, one
        (4, 1, 1, (2, 5, 0)),
        (4, 3, 2, (1, 6, 0)),
    ],
)
def test_rule_64_missions_return_as_far_as_there_are_any(won, defeated, most, after):
    t = Table(["Intellect 7"])
    p = t.s.players[0]
    p.reserve, p.defeated, p.risk_completed = 7 - won - defeated, defeated, won
    strike(t, 0).do("pass", "pass")
    if most:  # else nobody is asked
        assert t.legal() == [f"choose {number}" for number in range(most + 1)]
        t.do(f"choose {most}")
    assert t.missions(0) == after


@pytest.mark.parametrize("winner", range(2))
@pytest.mark.parametrize("first", range(2))
def test_rule_70_the_winner_goes_first_whoever_did_before(first, winner):
    t = one_sided(winner, ["Intellect 7"])
    t.s.first = first
    strike(t, winner).do("pass", "pass")
    assert t.s.first == winner
    assert t.s.battle == 2


def test_rule_69_who_fell_in_an_earlier_battle_has_not_fallen_in_this_one():
    """BC keeps the Reserve back for one battle, after which it needs somebody else who falls."""
    cards = ["Hulk: Intimidate", "Venom: Panic Attack"]
    t = Table(cards[:1], team0=("Hulk (IQ)", "Venom (IQ)", *HEROES[:2]), more0=[cards[1], *NONE], more1=NONE)
    fell(t, 1, 0)
    t.do(f"play {cards[0]}").next_battle([cards[1], *NONE[:7]], NONE)
    assert t.front(1) == ["Bane", "Two-Face"]
    while t.decision != phases.TURN:
        t.do(next(n for n in t.legal() if n in ("done", "fight") or n == "venture 1 from Reserve, 0 from Completed"))
    assert f"play {cards[1]}" not in t.legal()
    fell(t, 1, 1)
    assert f"play {cards[1]}" in t.legal()
