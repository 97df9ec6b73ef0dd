"""What goes on and what ends when somebody is knocked out: effects about others, and who fights for one battle only."""

import pytest
from overpower_scenario import HEROES, Table, heroes, villains

from overworlds.envs.overpower import phases

SMALL = ["Fighting 1"] * 16
NECROMANCY, OUTCOME = "Dr. Strange: Necromancy", "Scarlet Witch: Change Outcome"


def to_first_turn(t):
    """Through the preparations of a battle."""
    while t.decision != phases.TURN:
        t.do(next(n for n in t.legal() if n in ("done", "fight") or "venture 1 from Reserve, 0" in n))
    return t


def to_next_battle(t):
    """Everybody passes."""
    battle = t.s.battle
    while t.s.battle == battle:
        t.do("pass")
    return t


def with_guest(team0=("Dr. Strange (IQ)", "Batman (BS)", "Superman (BS)", "Robin (BS)"), hand1=SMALL[:8], **cards):
    """The first turn of a battle in which Batman, who had fallen, fights by a card of Dr. Strange."""
    t = Table([NECROMANCY], team0=team0, team1=villains("Scarlet Witch (IQ)"), more0=SMALL,
              more1=[*SMALL, *hand1], **cards)  # fmt: skip
    t.s.players[0].alive[t.who(0, "Batman")] = 0
    t.do(f"play {NECROMANCY}").may("take it").next_battle(SMALL[:8], list(hand1))
    return to_first_turn(t)


def test_ck_a_guest_whose_card_is_negated_falls_at_once():
    """Ruling 36: whoever was on his feet only by that Special. With four in front before, no place is left empty."""
    t = with_guest(placed1={"Scarlet Witch": [OUTCOME]})
    assert t.front(0) == ["Dr. Strange", "Batman", "Superman", "Robin"]
    t.do("pass", f"play {OUTCOME}, placed on Scarlet Witch")
    assert t.alive(0) == t.front(0) == ["Dr. Strange", "Superman", "Robin"]
    assert NECROMANCY in t.dead(0)
    assert t.legal() == ["pass", "concede"]  # the battle goes on; player_0 has passed
    t.do("pass", "pass")
    assert t.s.battle == 3
    assert t.alive(0) == t.front(0) == ["Dr. Strange", "Superman", "Robin"]


def test_ck_a_card_that_is_negated_before_the_guest_has_come_brings_nobody():
    t = Table([NECROMANCY], [OUTCOME], team0=("Dr. Strange (IQ)", *HEROES[:3]), team1=villains("Scarlet Witch (IQ)"),
              more0=SMALL, more1=SMALL)  # fmt: skip
    t.s.players[0].alive[t.who(0, "Batman")] = 0
    t.do(f"play {NECROMANCY}", "take it", f"play {OUTCOME}")
    t.next_battle(SMALL[:8], SMALL[:8])
    assert t.alive(0) == ["Dr. Strange", "Superman", "Robin"]


def test_ck_the_battle_ends_when_the_guest_whose_card_is_negated_was_the_last_in_front():
    t = with_guest(placed1={"Scarlet Witch": [OUTCOME]})
    for who in (0, 2, 3):
        t.s.players[0].front[who] = 0
    assert t.front(0) == ["Batman"]
    t.do("pass", f"play {OUTCOME}, placed on Scarlet Witch")
    assert t.s.battle == 3
    assert t.alive(0) == t.front(0) == ["Dr. Strange", "Superman", "Robin"]


@pytest.mark.parametrize("is_saved", [False, True])
def test_ck_a_guest_for_whom_somebody_else_falls_leaves_all_the_same(is_saved):
    saver = "Morph: Substitute Death"
    team = ("Dr. Strange (IQ)", "Batman (BS)", "Morph (IQ)", "Robin (BS)")
    t = with_guest(team, ["Fighting 2", *SMALL[:7]], placed0={"Morph": [saver]})
    for value in (7, 7, 4):
        t.hit(0, "Batman", "Fighting 1")
        t.s.hits[t.s.hits_n - 1].value = value
    t.do("pass", "play Fighting 2").may("by Scarlet Witch").do("at Batman").may("take it")
    assert t.legal() == ["done", f"play {saver}, placed on Morph"]
    t.do(f"play {saver}, placed on Morph" if is_saved else "done")
    left = ["Dr. Strange", *(["Batman"] if is_saved else ["Morph"]), "Robin"]
    assert t.alive(0) == left
    assert NECROMANCY not in t.dead(0)  # it lies there as long as its battle lasts
    to_next_battle(t)
    left.remove("Batman") if is_saved else None
    assert t.alive(0) == left
    assert NECROMANCY in t.dead(0)


def test_ruling_96_reinforcements_go_on_when_their_player_falls():
    """DE is about the teammates of its player."""
    card = "Comm. Gordon & G.C.P.D.: Reinforcements"
    t = Table([card, "Fighting 6"], ["Fighting 4", "Intellect 3"], team0=heroes("Comm. Gordon And The G.C.P.D. (BS)"),
              more1=["Strength 6"] * 3)  # fmt: skip
    gordon = t.alive(0)[0]
    t.do(f"play {card}").may("done")
    for _ in range(3):
        t.hit(0, gordon, "Strength 6")
    t.do("play Fighting 4").may("by Bane", "alone").do(f"at {gordon}").may("take it")
    assert gordon not in t.alive(0)
    assert card not in t.dead(0)
    t.ask(1)
    t.do("play Intellect 3").may("by Joker").do("at Batman").may("take it")
    assert t.hits(0, "Batman") == [("Intellect 3", 3, True)]
    t.ask(0)
    t.do("play Fighting 6").may("by Batman").do("at Joker")
    assert t.s.attack.value == 8


@pytest.mark.parametrize("side", [0, 1])
def test_ruling_96_a_duel_binds_all_others_whoever_of_the_two_falls(side):
    card = "Hawkman: The Winged Warrior"
    t = Table([card, "Fighting 6"], ["Fighting 5", "Strength 6"], team0=heroes("Hawkman (JL)"),
              more0=["Energy 6"] * 3, more1=["Strength 6"] * 3, code_rule=False)  # fmt: skip
    t.do(f"play {card}", "at Bane")
    name = ("Hawkman", "Bane")[side]
    for _ in range(3):
        t.hit(side, name, ("Strength 6", "Energy 6")[side])
    t.ask(1 - side)
    t.do(("play Fighting 6", "play Fighting 5")[1 - side]).may("by Bane", "by Hawkman", f"at {name}", "take it")
    assert name not in t.alive(side)
    for seat in (0, 1):
        t.ask(seat)
        assert t.legal() == ["pass", "concede"]  # nobody is left who could attack or be attacked
