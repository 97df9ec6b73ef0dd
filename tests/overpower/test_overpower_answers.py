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
