"""Answers to an attack and to a concession: what counts as one, and which Specials are played at that moment."""

from overpower_scenario import HEROES, VILLAINS, Table

from overworlds.envs.overpower import phases


def heroes(*names):
    """These first, Batman, Superman and Robin behind them."""
    return (*names, *HEROES)[:4]


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
