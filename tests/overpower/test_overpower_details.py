"""Details of rules and functions: where two of them meet."""

from overpower_scenario import HEROES, VILLAINS, Table

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
    t.do("play Poison Ivy: Master Manipulator", "at Batman", "play Fighting 7", "by Batman")
    assert "at Poison Ivy" not in t.legal()
    t.do("at Joker", "play Poison Ivy: Poison Kiss", "at Batman", "as Intellect", "play Fighting 6", "by Batman")
    assert "at Poison Ivy" in t.legal()


def test_who_could_not_concede_does_not_play_what_goes_with_a_concession():
    """BL1 refuses the concession, so there is none to put cards on top of the Draw Pile at (IF)."""
    t = Table(["Orion: Boom Tube", "Fighting 5", "Fighting 4"], ["Knockout: Picking A Fight"],
              team0=("Orion (JL)", *HEROES[:3]), team1=("Knockout (BS)", *VILLAINS[:3]))  # fmt: skip
    t.do("concede", "play Knockout: Picking A Fight")
    assert t.decision == phases.TURN
    assert t.to_move == 0
    assert "concede" not in t.legal()
    assert "play Orion: Boom Tube" not in t.legal()
