"""Function codes that need a table of their own, continued: attacks nobody sees, attacks in parts, and the like."""

from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_functions import heroes, plays

from overworlds.envs.overpower import phases

# ---------------------------------------------------------------- cards of the hand


@plays("HM")
def test_a_card_is_drawn_for_each_one_discarded_in_this_battle():
    card = "Longshot: Purity Of Thought"
    hand = [card, "Energy 4", "Fighting 4", "Strength 4", "Fighting 5", "Energy 5", "Fighting 6", "Energy 6"]
    small = ["Fighting 1"] * 8
    team = ("Longshot (IQ)", "Superman (BS)", "Batman (BS)", "Robin (BS)")
    t = Table(more0=[*hand, *small], more1=small, team0=team)
    t.next_battle(hand, small)
    t.do("keep Fighting 4", "keep Fighting 5", "keep Fighting 6")  # two, one and one are discarded
    while t.decision != phases.TURN:
        t.may("done", "fight", "venture 1 from Reserve, 0 from Completed")
    t.stack(0, small[:5])
    t.do("play Fighting 4").may("by Superman").do("at Joker").may("take it", "pass")  # what is played does not count
    t.do(f"play {card}")
    assert t.hand(0) == ["Fighting 1"] * 4 + ["Fighting 5", "Fighting 6"]  # duplicates are kept


@plays("FB2")
def test_a_card_drawn_blindly_from_the_hand_is_an_attack_or_it_is_discarded():
    card, team = "Trickster: The Shell Game", ("The Trickster (JL)", "Joker (BS)", "Superman (BS)", "Catwoman (BS)")
    for drawn in ("Energy 3", "Strength 7", "Superman: Heat Vision"):
        t = Table([card, drawn], team0=team, team1=HEROES, code_rule=False)
        t.do(f"play {card}").may("at Batman", "take it")
        if drawn == "Energy 3":
            assert t.hits(1, "Batman") == [("Energy 3", 3, True)]
        else:
            assert drawn in t.dead(0) + t.pack(0)  # Trickster cannot attack with it
        assert t.hand(0) == []
    seen = set()
    for seed in range(12):
        t = Table([card, "Strength 7", "Strength 6", "Superman: Heat Vision"], team0=team, team1=HEROES, code_rule=False)
        t.k.resample(t.variant.rules, t.state, 0, seed)
        t.do(f"play {card}")
        assert len(t.hand(0)) == 2
        assert not t.s.players[0].known.any()  # the others have not been seen
        seen.update(set(t.dead(0) + t.pack(0)) - {card})
    assert seen == {"Strength 7", "Strength 6", "Superman: Heat Vision"}
