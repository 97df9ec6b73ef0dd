"""Scenarios for what comes before and after the turns: set-up, drawing, discarding, placing, venturing, Missions."""

import pytest
from overpower_scenario import HEROES, Table

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME, phases
from overworlds.envs.overpower.cards import missions
from overworlds.envs.overpower.view import observed

NONE = ["Fighting 1"] * 8
"""A hand that comes down to one small card."""


def fresh(seed=0, **rules):
    t = Table(**rules)
    t.k.reset(t.variant.rules, t.state, seed)
    return t


def test_rule_19_20_38_set_up_three_in_front_one_in_reserve_all_missions_in_reserve():
    t = fresh()
    t.do("by Azrael")
    assert t.to_move == 1
    t.do("by Bane")
    assert t.front(0) == ["Batman", "Superman", "Robin"]
    assert t.front(1) == ["Joker", "Two-Face", "Catwoman"]
    assert t.missions(0) == t.missions(1) == (7, 0, 0)
    assert t.removed(0) == t.removed(1) == []


def test_rule_13_a_mission_is_seven_cards():
    assert len(missions()) == 15
    assert all(len(set(titles)) == 7 for titles in missions().values())


def test_rule_21_the_first_player_is_drawn_by_lot():
    assert {int(fresh(seed).s.first) for seed in range(20)} == {0, 1}


def test_rule_21_the_higher_cut_goes_first():
    t = Table()  # player_0 has small cards only
    big = Table(more1=["Fighting 6"] * 51)
    assert t.variant.rules is not big.variant.rules
    for seed in range(10):
        big.k.reset(big.variant.rules, big.state, seed)
        assert big.s.first == 1


def test_rule_21_a_card_without_a_value_counts_nothing():
    t = Table(more0=["Blackout", "Flying Kick"] * 28, more1=["Fighting 1"] * 56)
    for seed in range(10):
        t.k.reset(t.variant.rules, t.state, seed)
        assert t.s.first == 1  # 1 is more than a Universe card


def test_rule_22_each_player_draws_eight():
    t = fresh(seed=3)
    t.do("by Azrael", "by Bane")
    for side in range(2):
        p = t.s.players[side]
        drawn = len(t.hand(side)) + len(t.pack(side)) + len(t.dead(side)) + sum(k >= 0 for k in p.placed.ravel())
        assert drawn == 8


def test_rule_24_25_34_one_power_card_of_each_value_the_owner_chooses_which():
    hand = [
        "Fighting 3",
        "Energy 3",
        "MultiPower 3",
        "Fighting 3",
        "Any-Power 6",
        "Intellect 6",
        "Fighting 7",
        "Fighting 5",
    ]
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    assert t.decision == phases.KEEP
    assert t.legal() == ["keep Energy 3", "keep Fighting 3", "keep MultiPower 3"]
    t.do("keep Energy 3")
    assert t.legal() == ["keep Intellect 6", "keep Any-Power 6"]
    t.do("keep Any-Power 6")
    assert t.hand(0) == ["Any-Power 6", "Energy 3", "Fighting 5", "Fighting 7"]
    assert t.pack(0) == ["Fighting 3", "Fighting 3", "Intellect 6", "MultiPower 3"]


@pytest.mark.parametrize(
    ("rule", "one", "other", "same"),
    [
        (26, "Nerve Pinch", "Taxi Cab", True),  # both 7 Strength +3
        (26, "Flying Kick", "Dive For Cover", False),
        (27, "Training: EF +4", "Training: ES +4", False),
        (27, "Training: EF +4", "Training: EF +3", False),
        (28, "Teamwork: 7F then SI +2 +2", "Teamwork: 7F then ES +2 +2", True),  # bonuses do not matter
        (28, "Teamwork: 6F then EI +1 +2", "Teamwork: 7F then SI +2 +2", False),
        (29, "Ally: Alfred Pennyworth", "Ally: Oracle", False),  # 6 and 7 Intellect
        (29, "Ally: Alfred Pennyworth", "Ally: Edwin Jarvis", False),  # 6 Intellect, 6 Fighting
        (30, "Batman: Batarang", "Robin: Bo Staff", False),
    ],
)
def test_rules_26_to_30_what_is_a_duplicate(rule, one, other, same):
    hand = [one, other, *NONE[:6]]
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    assert (t.decision == phases.KEEP) == same, rule
    if same:
        kept, gone = (name.removeprefix("keep ") for name in t.legal())
        t.do(f"keep {kept}")
        assert gone in t.dead(0)
        assert kept in t.hand(0)


@pytest.mark.parametrize("card", ["Training: EF +4", "Ally: Oracle", "Batman: Batarang"])
def test_rules_27_29_30_a_second_copy_goes_to_the_dead_pile(card):
    hand = [card, card, *NONE[:6]]
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    assert t.hand(0).count(card) == 1
    assert t.dead(0) == [card]


def test_rule_31_33_what_nobody_left_can_use_is_discarded_what_could_become_usable_stays():
    hand = ["Superman: Heat Vision", "Strength 7", "Ally: Oracle", "Teamwork: 6F then EI +1 +2", *NONE[:4]]
    t = Table(more0=hand, more1=NONE)
    t.s.players[0].alive[1] = t.s.players[0].front[1] = 0  # Superman is out
    t.next_battle(hand, NONE)
    assert t.dead(0) == ["Strength 7", "Superman: Heat Vision"]
    assert {"Ally: Oracle", "Teamwork: 6F then EI +1 +2"} <= set(t.hand(0))


def test_rule_33_an_ally_becomes_usable_with_a_special_drawn_later():
    hand = ["Ally: Oracle", *NONE[:7]]
    t = Table(more0=[*hand, "Superman: Heat Vision"], more1=NONE)
    t.s.first = 1
    t.next_battle(hand, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    t.stack(0, ["Superman: Heat Vision"])
    t.do("venture 3 from Reserve, 0 from Completed")  # player_1: player_0 draws
    t.do("venture 1 from Reserve, 0 from Completed", "fight", "fight", "pass")
    assert "play Ally: Oracle" in t.legal()


def test_rule_33_nothing_is_discarded_once_the_battle_runs():
    t = Table(
        ["Superman: Heat Vision", "Strength 7", "Ally: Oracle"], ["Intellect 7"], more1=["Intellect 7"] * 2, turn=1
    )
    t.hit(0, "Superman", "Intellect 7")
    t.hit(0, "Superman", "Intellect 7")
    t.do("play Intellect 7", "at Superman", "take it")
    assert "Superman" not in t.alive(0)
    assert t.hand(0) == ["Ally: Oracle", "Strength 7", "Superman: Heat Vision"]


def test_rule_32_cards_placed_on_the_front_line_count_as_part_of_the_hand():
    hand = ["Intellect 6", "Fighting 6", *NONE[:6]]
    t = Table(more0=hand, more1=NONE, placed0={"Batman": ["Fighting 6"]}).next_battle(hand, NONE)
    assert t.hand(0) == ["Fighting 1"]
    assert sorted(t.pack(0))[-2:] == ["Fighting 6", "Intellect 6"]


def test_rule_32_cards_placed_on_the_reserve_do_not():
    hand = ["Intellect 6", *NONE[:7]]
    t = Table(more0=hand, more1=NONE, placed0={"Azrael": ["Fighting 6"]}).next_battle(hand, NONE)
    assert "Intellect 6" in t.hand(0)


def test_rule_31_and_72_the_code_matters_for_discarding():
    hand = ["Ally: Lady Shiva", *NONE[:7]]
    team = (*HEROES[:3], "Sabretooth (IQ)")  # uncoded, and the only one who may
    t = Table(more0=hand, more1=NONE, team0=team)
    t.s.players[0].alive[3] = 0
    t.next_battle(hand, NONE)
    assert t.dead(0) == ["Ally: Lady Shiva"]


def test_rule_35_36_placing_alternates_with_one_card_of_each_sort():
    hand = ["Fighting 7", "Fighting 6", "Batman: Batarang", "Flying Kick", "Training: ES +4", *NONE[:3]]
    t = Table(more0=hand, more1=["Intellect 7", *NONE]).next_battle(hand, ["Intellect 7", *NONE[:7]])
    assert t.decision == phases.PLACE
    assert t.to_move == 0
    assert "place Fighting 7 on Robin" not in t.legal()  # rated 6
    t.do("place Fighting 7 on Batman")
    assert t.to_move == 1
    t.do("place Intellect 7 on Joker")
    assert "place Fighting 6 on Batman" not in t.legal()  # the Power place is taken
    t.do("place Flying Kick: 7 Fighting +2 on Batman")
    t.do("done")  # player_1
    assert "place Training: ES +4 on Batman" not in t.legal()  # one Universe card of any sort
    t.do("place Batman: Batarang on Batman", "done")
    assert t.placed(0, "Batman") == ["Batman: Batarang", "Fighting 7", "Flying Kick: 7 Fighting +2"]
    assert t.decision == phases.VENTURE


def test_rule_37_what_only_the_reserve_could_use_is_placed_on_it_or_discarded():
    hand = ["Fighting 8", "Azrael: Flaming Sword", *NONE[:6]]
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    t.do("place Fighting 8 on Azrael")
    while t.decision == phases.PLACE:
        t.do("done")
    assert t.placed(0, "Azrael") == ["Fighting 8"]
    assert "Azrael: Flaming Sword" in t.dead(0)


def test_ruling_74_a_power_card_that_only_the_reserve_could_use_is_discarded_as_unusable():
    """It goes to the Dead Pile, though he may come to the front; duplicates still go to the Power Pack."""
    hand = ["Fighting 8", *NONE[:7]]
    t = Table(more0=hand, more1=NONE).next_battle(hand, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    assert "Fighting 8" in t.dead(0)
    assert "Fighting 8" not in t.pack(0)


def start_venture(**rules):
    t = Table(
        more0=[*NONE, "Intellect 7", "Intellect 6", "Fighting 5"], more1=[*NONE, "Intellect 7", "Intellect 6"], **rules
    )
    t.next_battle(NONE, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    return t


def test_rule_38_at_least_one_mission_never_from_defeated():
    t = Table(more0=NONE, more1=NONE)
    p = t.s.players[0]
    p.reserve, p.completed, p.defeated = 1, 2, 4
    t.next_battle(NONE, NONE)
    while t.decision == phases.PLACE:
        t.do("done")
    assert "venture 0 from Reserve, 0 from Completed" not in t.legal()
    assert len(t.legal()) == 2 * 3 - 1
    t.do("venture 1 from Reserve, 2 from Completed")
    assert t.missions(0) == (0, 0, 4)


@pytest.mark.parametrize(("missions", "cards"), [(1, 0), (2, 0), (3, 1), (4, 2), (7, 5)])
def test_rule_39_venturing_more_than_two_lets_the_opponent_draw(missions, cards):
    t = start_venture()
    before = int(t.s.players[1].draw_n)
    t.do(f"venture {missions} from Reserve, 0 from Completed")
    assert before - int(t.s.players[1].draw_n) == cards


def test_rule_39_cards_drawn_so_are_checked_for_duplicates():
    t = start_venture()
    t.stack(1, ["Intellect 7", "Fighting 1"])
    t.do("venture 4 from Reserve, 0 from Completed")
    assert sorted(t.hand(1)) == ["Fighting 1", "Intellect 7"]  # the second Fighting 1 is gone


def test_rule_40_both_may_concede_before_the_first_turn():
    t = start_venture()
    t.do("venture 2 from Reserve, 0 from Completed", "venture 1 from Reserve, 0 from Completed")
    assert t.legal() == ["concede", "fight"]
    t.do("fight")
    assert t.to_move == 1
    t.do("concede")
    assert t.missions(1) == (6, 0, 1)
    assert t.missions(0) == (5, 2, 0)  # the other one wins the battle


def test_rule_41_the_first_player_takes_the_first_turn():
    t = start_venture()
    t.do("venture 1 from Reserve, 0 from Completed", "venture 1 from Reserve, 0 from Completed", "fight", "fight")
    assert t.decision == phases.TURN
    assert t.to_move == t.s.first


def win_battle(t, **piles):
    """player_0 hits once and both pass."""
    for name, n in piles.items():
        setattr(t.s.players[0], name, n)
    t.do("play Fighting 7", "at Joker", "pass", "pass")
    return t


def test_rule_64_ladder_up_and_down():
    t = Table(["Fighting 7"])
    q = t.s.players[1]
    q.reserve, q.completed, q.defeated, q.risk_reserve, q.risk_completed = 2, 1, 0, 2, 2
    win_battle(t, reserve=4, completed=1, defeated=0, risk_reserve=2, risk_completed=0)
    assert t.missions(0) == (4, 3, 0)
    assert t.missions(1) == (4, 1, 2)


@pytest.mark.parametrize(
    ("ladder", "choice", "after"),
    [("also", 0, (4, 2, 1)), ("also", 1, (4, 3, 0)), ("instead", 0, (4, 2, 1)), ("instead", 1, (2, 3, 2))],
)
def test_rule_64_missions_won_from_completed_bring_others_back(ladder, choice, after):
    t = win_battle(
        Table(["Fighting 7"], ladder=ladder), reserve=2, completed=0, defeated=3, risk_reserve=0, risk_completed=2
    )
    assert t.legal() == ["choose 0", "choose 1"]
    t.do(f"choose {choice}")
    assert t.missions(0) == after


def test_rule_1_and_65_seven_completed_missions_win():
    t = win_battle(Table(["Fighting 7"]), reserve=0, completed=5, defeated=0, risk_reserve=2, risk_completed=0)
    assert t.winner == 0


def test_rule_2_seven_defeated_missions_lose():
    t = Table(["Fighting 7"])
    q = t.s.players[1]
    q.reserve, q.completed, q.defeated, q.risk_reserve = 0, 0, 5, 2
    win_battle(t, reserve=6, risk_reserve=1)
    assert t.winner == 0


def test_rule_71_an_empty_draw_pile_takes_in_the_power_pack_and_goes_on_drawing():
    t = Table(more1=NONE)
    p = t.s.players[0]
    while p.draw_n > 3:
        p.draw_n -= 1
        p.pack[p.draw[p.draw_n]] += 1
    t.stack(1, NONE)
    t.do("pass", "pass")
    assert p.draw_n == 56 - 8  # 3 cards, then 5 of the reshuffled 53


def test_rule_20_power_cards_nobody_can_use_any_more_go_to_the_dead_pile():
    t = Table(["Strength 7", "Fighting 5"])
    t.s.players[0].alive[1] = t.s.players[0].front[1] = 0  # Superman is out
    t.do("concede")
    assert "Strength 7" in t.dead(0)
    assert "Fighting 5" in t.pack(0)


def event_game(events0, events1=(), **rules):
    """A battle whose hands hold Events of Race Against Crime."""
    fill = ["Fighting 1"] * 5
    hand0, hand1 = [*events0, *NONE[: 8 - len(events0)]], [*events1, *NONE[: 8 - len(events1)]]
    t = Table(more0=[*hand0, *NONE, *fill], more1=[*hand1, *NONE, *fill], events=True, **rules)
    return t.next_battle(hand0, hand1)


def test_rule_14_23_an_event_is_played_and_replaced_and_binds_both_players():
    t = event_game(["Event: 661216.01"])  # no Intellect Power cards in this battle
    assert t.removed(0) == ["Event: 661216.01"]
    effects = [(int(e.op), int(e.side)) for e in t.s.effects[: t.s.effects_n]]
    assert len(effects) == 2
    assert {side for _, side in effects} == {0, 1}


def test_rule_23_only_one_event_a_battle_the_other_is_discarded():
    t = event_game(["Event: 661216.01", "Event: 661216.04"])
    assert t.legal() == ["play Event: 661216.01", "play Event: 661216.04"]
    t.do("play Event: 661216.04")
    assert sorted(t.removed(0)) == ["Event: 661216.01", "Event: 661216.04"]
    assert t.s.effects_n == 0


def test_rule_23_the_same_event_of_both_players_happens_once():
    t = event_game(["Event: 661216.01"], ["Event: 661216.01"])
    assert t.removed(1) == ["Event: 661216.01"]
    assert t.s.effects_n == 2


def test_battle_limit_truncates():
    t = Table(battle_limit=1, more0=NONE, more1=NONE)
    t.do("pass", "pass")
    assert t.winner == "nobody"
    assert t.s.head.truncated


def test_a_game_without_a_battle_limit_goes_on_after_any_number_of_battles():
    t = Table(battle_limit=0, more0=NONE, more1=NONE)
    for battle in (31_998, 31_999, 32_000):
        t.s.battle, t.s.passes = battle, 0
        t.ask(0)
        t.do("pass", "pass")
        assert t.winner is None
        assert t.s.battle == min(battle + 1, 32_000)  # the state counts in 16 bits, and stops in time
        assert observed(t.variant, t.state, 0)["time"][0] == 127


def test_the_game_is_picklable_by_its_values():
    variant = Variant(GAME, 2, {"deck0": "random:5", "deck1": "gotham_justice"})
    again = Variant(GAME, 2, variant.values)
    assert again.digest == variant.digest
    assert Variant(GAME, 2, {"deck0": "random:6", "deck1": "gotham_justice"}).digest != variant.digest
