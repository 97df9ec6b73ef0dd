"""Function codes that need a table of their own, continued: piles, hits, Missions, the Specials of others, negation."""

import numpy as np
import pytest
from overpower_scenario import HEROES, VILLAINS, Table, heroes, villains
from test_overpower_functions import plays

from overworlds.envs.overpower import layout, phases
from overworlds.envs.overpower.state import KNOWN_TOP, hitter

# ---------------------------------------------------------------- cards of hands and piles


@plays("AJ1")
def test_two_cards_of_the_hand_are_seen():
    t = Table(["Deadpool: Super Spy"], ["Intellect 7", "Intellect 6", "Fighting 5"], team0=heroes("Deadpool (IQ)"))
    t.do("play Deadpool: Super Spy")
    assert t.s.players[1].known.sum() == 2


@plays("AU3")
def test_universe_cards_are_lost_where_there_are_more_of_them():
    for placed, hand in ((["Blackout"], []), (["Blackout"], ["Flying Kick", "Nerve Pinch"])):
        team = ("Joker (BS)", "Sabretooth (IQ)", "Hulk (IQ)", "Catwoman (BS)")
        t = Table(["Juggernaut: Raze"], ["Intellect 7", *hand], placed1={"Joker": placed}, team1=team,
                  team0=heroes("Juggernaut (IQ)"))  # fmt: skip
        t.do("play Juggernaut: Raze")
        assert len(t.dead(1)) == max(len(placed), len(hand))
        assert (t.placed(1, "Joker") == []) == (not hand)
        assert "Intellect 7" in t.hand(1)


@plays("BQ1")
def test_a_card_of_the_dead_pile_comes_back():
    card = "Any Character: Wizard In Top Hat & Tails"
    t = Table([card], more0=["Superman: Heat Vision", "Flying Kick"])
    for name in ("Superman: Heat Vision", "Flying Kick"):
        t.draw_out(0, t.kind(0, name))
        t.s.players[0].dead[t.kind(0, name)] += 1
    t.do(f"play {card}")
    if t.decision == phases.USER:
        t.do(t.legal()[0])
    assert t.legal() == ["fetch Flying Kick: 7 Fighting +2", "fetch Superman: Heat Vision"]
    t.do("fetch Superman: Heat Vision")
    assert t.hand(0) == ["Superman: Heat Vision"]
    assert t.dead(0) == [card, "Flying Kick: 7 Fighting +2"]


@plays("BQ2")
def test_a_card_of_the_dead_pile_is_played_at_once():
    """One that the player of the card could play now, and it has to be played (BQ2)."""
    card = "Wonder Woman: Blessed By The Gods"
    for dead in (["Wonder Woman: Amazon Might"], ["Wonder Woman: Bullets & Bracelets"], ["Batman: Batarang"]):
        t = Table([card, "Fighting 6"], team0=heroes("Wonder Woman (JL)"), more0=dead)
        for name in dead:
            kind = t.kind(0, name)
            t.draw_out(0, kind)
            t.s.players[0].dead[kind] += 1
        if dead == ["Batman: Batarang"]:
            assert f"play {card}" not in t.legal()  # nothing there is hers
            continue
        t.do(f"play {card}")
        if dead == ["Wonder Woman: Amazon Might"]:
            assert t.decision == phases.TARGET  # nobody asks whether she plays it
            t.do("at Joker")
            assert t.hits(1, "Joker") == [("Wonder Woman: Amazon Might", 5, True)]
        else:  # what is only an answer she cannot play now: there is nothing to fetch
            assert t.dead(0) == sorted([card, *dead])
        assert t.hand(0) == ["Fighting 6"]


@plays("HT1", "HT2", "HT3")
def test_searching_piles_for_power_cards_and_specials():
    t = Table(["Nightcrawler: Power 'Port", "Fighting 7"], team0=heroes("Nightcrawler (IQ)"), more0=["Fighting 7"])
    t.do("play Nightcrawler: Power 'Port")
    assert "fetch Fighting 7" in t.legal()  # a duplicate
    t.do("fetch Fighting 7")
    assert t.hand(0) == ["Fighting 7", "Fighting 7"]
    t = Table(["Booster Gold: Skeets"], team0=heroes("Booster Gold (JL)"), more0=["Energy 6", "Energy 5"])
    for name in ("Energy 6", "Energy 5"):
        t.draw_out(0, t.kind(0, name))
        t.s.players[0].pack[t.kind(0, name)] += 1
    t.do("play Booster Gold: Skeets")
    assert t.legal() == ["fetch Energy 5", "fetch Energy 6"]
    t.do("fetch Energy 6")
    assert (t.hand(0), t.pack(0)) == (["Energy 6"], ["Energy 5"])
    t = Table(
        ["Neron: Your Heart's Desire"], team0=villains("Neron (JL)"), more0=["Joker: Acid Spray Flower"], team1=HEROES
    )
    t.do("play Neron: Your Heart's Desire")
    assert t.hand(0) == ["Joker: Acid Spray Flower"]  # the only Special there is


@plays("BY2", "HY")
def test_the_loser_chooses_among_hand_and_placed_cards():
    t = Table(["Neron: Your Soul Is Mine!"], ["Fighting 5", "Energy 3"], placed1={"Superman": ["Strength 7"]},
              team0=villains("Neron (JL)"), team1=HEROES)  # fmt: skip
    t.do("play Neron: Your Soul Is Mine!", "at Superman", "take it")
    assert t.to_move == 1
    assert t.legal() == ["discard Energy 3", "discard Fighting 5", "discard Strength 7, placed on Superman"]
    t.do("discard Strength 7, placed on Superman", "discard Energy 3")
    assert t.pack(1) == ["Energy 3", "Strength 7"]
    assert t.hand(1) == ["Fighting 5"]
    card = "Any Character: Power Leech"
    t = Table([card], ["Intellect 5", "Intellect 7", "Fighting 5"], placed1={"Joker": ["Intellect 6"]})
    t.do(f"play {card}").may("by Batman").do("at Joker", "as Intellect")
    assert t.legal() == ["discard Intellect 5", "discard Intellect 7", "discard Intellect 6, placed on Joker"]
    t.do("discard Intellect 5", "discard Intellect 7")
    assert t.hand(1) == ["Fighting 5"]
    assert t.placed(1, "Joker") == []


@plays("DR")
def test_a_drawn_card_goes_with_all_its_duplicates():
    t = Table(["Brainiac: Mental Illusions"], ["Fighting 5", "Intellect 7"], placed1={"Batman": ["Intellect 5"]},
              more1=["Energy 5"], team0=villains("Brainiac (BS)"), team1=HEROES)  # fmt: skip
    t.stack(1, ["Energy 5"])
    t.do("play Brainiac: Mental Illusions")
    assert t.hand(1) == ["Intellect 7"]
    assert t.placed(1, "Batman") == []
    assert t.pack(1) == ["Energy 5", "Fighting 5", "Intellect 5"]


@plays("EF")
def test_what_the_user_cannot_use_is_replaced():
    t = Table(
        ["Hawkeye: Combat Ready", "Fighting 7", "Strength 7", "Superman: Heat Vision"], team0=heroes("Hawkeye (IQ)")
    )
    t.stack(0, ["Fighting 1", "Fighting 1"])
    t.do("play Hawkeye: Combat Ready")
    assert t.hand(0) == ["Fighting 1", "Fighting 1", "Fighting 7"]


@plays("EP")
def test_the_card_cut_to_is_lost():
    t = Table(["Huntress: Expert Tracker"], team0=heroes("Huntress (BS)"))
    before = int(t.s.players[1].draw_n)
    t.do("play Huntress: Expert Tracker")
    assert (len(t.dead(1)), before - int(t.s.players[1].draw_n)) == (1, 1)


@plays("GG", "HB", "HW", "HZ", "GL")
def test_piles_of_the_enemy():
    def table(card, owner, pile, names=("Intellect 7", "Intellect 6", "Intellect 5", "Blackout")):
        t = Table([card], team0=heroes(owner), more1=names)
        for name in names if pile else ():
            t.draw_out(1, t.kind(1, name))
            t.s.players[1][pile][t.kind(1, name)] += 1
        return t.do(f"play {card}")

    t = table("White Queen: Cold-Hearted Enemy", "White Queen (IQ)", "dead")
    assert (len(t.removed(1)), t.dead(1)) == (4, [])
    t = table(
        "Beast: Brilliant Deduction", "Beast (IQ)", "pack", ("Intellect 7", "Intellect 6", "Intellect 5", "Energy 4")
    )
    t.do("his Intellect 7", "his Intellect 6", "his Intellect 5")
    assert (t.dead(1), t.pack(1)) == (["Intellect 5", "Intellect 6", "Intellect 7"], ["Energy 4"])
    for card, owner in (
        ("Super Skrull: Alien Methods", "Super Skrull (IQ)"),
        ("Red Skull: Depraved Evil", "Red Skull (IQ)"),
    ):
        t = table(card, owner, "dead")
        before = int(t.s.players[1].draw_n)
        t.do("his Intellect 7", "his Intellect 6")
        assert int(t.s.players[1].draw_n) == before + 2
        assert len(t.dead(1)) == 2
    t = table("Huntress: Thrill Of The Hunt", "Huntress (BS)", "")
    assert t.s.players[1].known.tolist() == t.s.players[1].hand.tolist()  # who sees the Draw Pile knows the hand
    t.do("his Intellect 7")
    assert t.removed(1) == ["Intellect 7"]


@plays("HD")
def test_an_event_comes_back_into_the_draw_pile():
    t = Table(["Bishop: Temporal Anomaly"], team0=heroes("Bishop (IQ)"), events=True, more0=["Event: 661216.01"])
    kind = t.kind(0, "Event: 661216.01")
    t.draw_out(0, kind)
    t.s.players[0].removed[kind] += 1
    t.do("play Bishop: Temporal Anomaly")
    assert t.removed(0) == []
    assert kind in t.s.players[0].draw[: t.s.players[0].draw_n]


@plays("IG")
def test_any_cards_of_the_own_draw_pile_are_thrown_away():
    t = Table(["Lex Luthor: Art Of The Deal"], team0=villains("Lex Luthor (BS)"), team1=HEROES)
    before = int(t.s.players[0].draw_n)
    t.do("play Lex Luthor: Art Of The Deal", "fetch Fighting 1", "fetch Fighting 1", "fetch MultiPower 1", "done")
    assert t.dead(0) == ["Fighting 1", "Fighting 1", "Lex Luthor: Art Of The Deal", "MultiPower 1"]
    assert int(t.s.players[0].draw_n) == before - 3


@plays("JA")
def test_a_power_card_is_the_price_of_four():
    t = Table(["Robin: Surfing The Net", "Fighting 5"])
    assert "play Robin: Surfing The Net" not in t.legal()  # no Intellect card to pay with
    t = Table(["Robin: Surfing The Net", "Fighting 5", "Intellect 4", "Intellect 6"])
    t.stack(0, ["Fighting 1"] * 4)
    t.do("play Robin: Surfing The Net")
    assert t.legal() == ["discard Intellect 4", "discard Intellect 6"]
    t.do("discard Intellect 4")
    assert t.hand(0) == ["Fighting 1"] * 4 + ["Fighting 5", "Intellect 6"]
    assert t.pack(0) == ["Intellect 4"]


@plays("HS")
def test_no_duplicates_are_discarded_next_battle():
    hand = ["Fighting 5", "Fighting 5", *["Fighting 1"] * 6]
    t = Table(
        ["Mr. Sinister: Cloning Process"], team0=heroes("Mr. Sinister (IQ)"), more0=hand, more1=["Fighting 1"] * 8
    )
    t.do("play Mr. Sinister: Cloning Process")
    t.next_battle(hand, ["Fighting 1"] * 8)
    assert t.hand(0) == sorted(hand)
    assert t.hand(1) == ["Fighting 1"]


@plays("CB")
def test_a_universe_card_of_the_enemy_is_used_up():
    t = Table(["Black Cat: Cat Burglar", "Fighting 5", "Energy 3"], placed1={"Batman": ["Flying Kick"]},
              team0=villains("Black Cat (PS)"), team1=HEROES)  # fmt: skip
    t.do("play Black Cat: Cat Burglar")
    assert t.legal() == ["done", "play Fighting 5"]  # Flying Kick is for Fighting
    t.do("play Fighting 5").may("by Black Cat").do("at Superman")
    assert t.s.attack.value == 7
    assert t.dead(1) == ["Flying Kick: 7 Fighting +2"]
    assert t.hits(1, "Superman") == [("Fighting 5", 5, True)]


@plays("CO")
def test_universe_cards_of_the_hand_are_not_played():
    t = Table(["Invisible Woman: Invisible Saboteur", "Energy 5"], ["Fighting 6", "Flying Kick"],
              placed1={"Robin": ["Blackout"]}, team0=villains("Invisible Woman (IQ)"), team1=HEROES)  # fmt: skip
    t.do("play Invisible Woman: Invisible Saboteur", "play Fighting 6", "by Batman")
    assert t.decision == phases.TARGET  # Flying Kick stays in hand
    t.do("at Joker")
    assert t.hand(1) == ["Flying Kick: 7 Fighting +2"]
    t = Table(["Invisible Woman: Invisible Saboteur"], ["Intellect 6"], placed1={"Robin": ["Blackout"]},
              team0=villains("Invisible Woman (IQ)"), team1=HEROES)  # fmt: skip
    t.do("play Invisible Woman: Invisible Saboteur", "play Intellect 6", "by Robin")
    assert "play Blackout: 6 Intellect +3, placed on Robin" in t.legal()  # a placed one may be


@plays("AJ4", "AJ5")
def test_the_top_of_the_enemys_draw_pile_is_seen_until_it_is_shuffled():
    for card, owner, number in (
        ("Doctor Doom: Time Machine", "Doctor Doom (IQ)", 2),
        ("Black Canary: Street Smarts", "Black Canary (JL)", 6),
    ):
        t = Table([card], ["Intellect 5"], team0=heroes(owner), more1=["Intellect 7", "Intellect 6"])
        t.stack(1, ["Intellect 7", "Intellect 6"])
        t.do(f"play {card}")
        seen = tops(t, 0)[KNOWN_TOP:]
        assert seen[:2] == [1 + t.kind(1, "Intellect 7"), 1 + t.kind(1, "Intellect 6")]
        assert sum(kind > 0 for kind in seen) == number
        assert tops(t, 1) == [0] * (2 * KNOWN_TOP)  # their owner does not know them
        other = t.state.copy()
        t.k.resample(t.variant.rules, other, 0, 9)
        assert tops(t, 0, other)[KNOWN_TOP:] == seen


def tops(t, seat, state=None):
    """What a seat knows about the tops of both Draw Piles."""
    out = np.zeros(t.variant.observation_size, np.int8)
    t.k.observe(t.variant.rules, t.state if state is None else state, seat, out)
    names = [part.name for part in layout.observation_parts()]
    at = sum(part.size for part in layout.observation_parts()[: names.index("tops")])
    return out[at : at + 2 * KNOWN_TOP].tolist()


@plays("CJ")
def test_a_blocked_power_card_returns_to_the_draw_pile():
    for block, top in (("play Intellect 6", True), ("take it", False)):
        t = Table(["Longshot: Lucky Bounce", "Fighting 5"], ["Intellect 6"], team0=heroes("Longshot (IQ)"))
        t.do("play Fighting 5", "by Longshot", "play Longshot: Lucky Bounce", "at Joker", block)
        p = t.s.players[0]
        assert (t.decks[0].kinds[p.draw[p.draw_n - 1]].name == "Fighting 5") == top
        assert (tops(t, 0)[0] == tops(t, 1)[KNOWN_TOP] == 1 + t.kind(0, "Fighting 5")) == top
        assert t.dead(0) == ["Longshot: Lucky Bounce"]


def test_a_negated_special_brings_no_power_card_back():
    """CJ: negation stops all that the Special does (ruling 36)."""
    t = Table(["Longshot: Lucky Bounce", "Fighting 5"], ["Beast: Analyze"], team0=heroes("Longshot (IQ)"),
              team1=("Beast (IQ)", *HEROES[:3]))  # fmt: skip
    t.do("play Fighting 5", "by Longshot", "play Longshot: Lucky Bounce", "at Beast", "play Beast: Analyze")
    assert t.pack(0) == ["Fighting 5"]
    assert t.dead(0) == ["Longshot: Lucky Bounce"]


@plays("CK")
def test_a_fallen_teammate_fights_in_the_next_battle_only():
    small = ["Fighting 1"] * 16
    t = Table(["Dr. Strange: Necromancy"], team0=("Dr. Strange (IQ)", *HEROES[:3]), more0=small, more1=small)
    t.s.players[0].alive[1] = 0  # Batman
    t.do("play Dr. Strange: Necromancy")
    assert "Batman" not in t.alive(0)
    t.next_battle(small[:8], small[:8])
    assert t.alive(0) == ["Dr. Strange", "Batman", "Superman", "Robin"]
    assert t.front(0) == ["Dr. Strange", "Batman", "Superman", "Robin"]  # four of them
    while t.s.battle == 2:
        t.do(next(n for n in t.legal() if n in ("done", "fight", "pass") or "venture 1 from Reserve, 0" in n))
    assert t.alive(0) == t.front(0) == ["Dr. Strange", "Superman", "Robin"]


@pytest.mark.parametrize(("completed", "winner"), [(5, 1), (6, 0)])
def test_ruling_83_a_team_of_which_only_a_guest_is_left_has_lost_unless_its_mission_is_completed(completed, winner):
    small = ["Fighting 1"] * 16
    t = Table(["Dr. Strange: Necromancy"], team0=("Dr. Strange (IQ)", *HEROES[:3]), more0=small, more1=small)
    t.s.players[0].alive[1:] = 0
    t.do("play Dr. Strange: Necromancy", "by Batman").next_battle(small[:8], small[:8])
    assert t.front(0) == ["Dr. Strange", "Batman"]
    while t.decision != phases.TURN:
        t.do(next(n for n in t.legal() if n in ("done", "fight") or "venture 1 from Reserve, 0" in n))
    t.s.players[0].alive[0] = t.s.players[0].front[0] = 0
    t.s.players[0].reserve, t.s.players[0].completed = 6 - completed, completed  # and one is ventured
    t.hit(1, "Joker", "Fighting 1", current=True)
    t.hit(0, "Batman", "MultiPower 1", current=False)
    t.do("pass", "pass")
    assert t.winner == winner


# ---------------------------------------------------------------- hits


@plays("CA1")
def test_records_are_exchanged():
    t = Table(["Mystique: Mistaken Identity"], team0=heroes("Mystique (IQ)"), more1=["Intellect 7", "Intellect 5"])
    t.hit(0, "Mystique", "Intellect 7")
    t.hit(0, "Batman", "Intellect 5")
    t.hit(0, "Mystique", "Fighting 1", current=True)
    t.do("play Mystique: Mistaken Identity", "by Batman")
    assert t.hits(0, "Batman") == [("Intellect 7", 7, False)]
    assert t.hits(0, "Mystique") == [("Fighting 1", 1, True), ("Intellect 5", 5, False)]


@plays("CR")
def test_equal_hits_of_two_enemies_are_exchanged():
    card = "Knockout: ...8...9...10! You're Out!"
    t = Table([card], team0=villains("Knockout (BS)"), team1=HEROES, more0=["Energy 1", "Strength 2", "Strength 1"])
    for name, on in (
        ("Energy 1", "Batman"),
        ("Fighting 1", "Batman"),
        ("Strength 2", "Superman"),
        ("Strength 1", "Superman"),
    ):
        t.hit(1, on, name)
    t.do(f"play {card}")
    assert "Strength 2, a hit on his Superman" in t.legal()
    t.do("Fighting 1, a hit on his Batman")
    assert t.hits(1, "Superman") == [
        ("Fighting 1", 1, False),
        ("Strength 2", 2, False),
    ]  # the only hit of value 1 there
    assert t.hits(1, "Batman") == [("Energy 1", 1, False), ("Strength 1", 1, False)]


@plays("HJ")
def test_intellect_hits_of_two_teammates_are_exchanged():
    t = Table(
        ["Hulk: Gamma Transfusion"], team0=heroes("Hulk (IQ)"), more1=["Intellect 7", "Intellect 3", "Fighting 5"]
    )
    t.hit(0, "Hulk", "Intellect 7")
    t.hit(0, "Batman", "Intellect 3")
    t.hit(0, "Batman", "Fighting 5")
    t.do("play Hulk: Gamma Transfusion", "Intellect 7, a hit on my Hulk")
    assert t.hits(0, "Hulk") == [("Intellect 3", 3, False)]
    assert t.hits(0, "Batman") == [("Fighting 5", 5, False), ("Intellect 7", 7, False)]


@plays("DJ")
def test_a_hit_of_this_battle_and_one_of_the_record_change_places():
    t = Table(["Carnage: Alien Healing"], team0=heroes("Carnage (IQ)"), more1=["Intellect 7", "Intellect 3"])
    t.hit(0, "Carnage", "Intellect 3")
    t.hit(0, "Carnage", "Intellect 7", current=True)
    assert t.total(1) == 7
    t.do("play Carnage: Alien Healing")
    assert t.total(1) == 3


@plays("ET1", "GC", "JJ1", "EE1")
def test_ways_of_healing():
    t = Table(
        ["Colossus: Organic Steel"], team0=heroes("Colossus (IQ)"), more1=["MultiPower 2", "MultiPower 1", "Energy 1"]
    )
    for name in ("MultiPower 2", "MultiPower 1", "Energy 1"):
        t.hit(0, "Colossus", name)
    t.do("play Colossus: Organic Steel")
    assert t.hits(0, "Colossus") == [("Energy 1", 1, False)]

    t = Table(
        ["Parasite: Doc Parasite"], team0=villains("Parasite (BS)"), team1=HEROES, more1=["Fighting 5", "Energy 3"]
    )
    t.hit(0, "Parasite", "Fighting 5")
    t.hit(0, "Joker", "Energy 3")
    t.hit(0, "Bane", "Fighting 1")
    t.s.players[0].reserve, t.s.players[0].defeated = 5, 2
    t.do("play Parasite: Doc Parasite", "Energy 3, a hit on my Joker", "Fighting 5, a hit on my Parasite")
    assert t.s.hits_n == 1
    assert t.pack(1) == ["Energy 3", "Fighting 5"]

    t = Table(
        ["Orion: Mother Box", "Fighting 5", "Strength 3"], team0=heroes("Orion (JL)"), more1=["Intellect 6", "Energy 3"]
    )
    for name in ("Intellect 6", "Energy 3", "Fighting 2"):
        t.hit(0, "Orion", name)
    t.do("play Orion: Mother Box", "discard Fighting 5")
    assert t.hits(0, "Orion") == [("Intellect 6", 6, False)]

    t = Table(["Sentinels: Master Mold"], ["Intellect 3"], team0=heroes("Sentinels (IQ)"), more1=["Energy 3"])
    t.hit(0, "Batman", "Energy 3")
    t.do("play Sentinels: Master Mold")
    assert t.hits(0, "Batman") == []
    t = Table(["Sentinels: Master Mold"], ["Intellect 3"], team0=heroes("Sentinels (IQ)"), turn=1)
    t.do("play Intellect 3", "by Joker", "at Batman", "play Sentinels: Master Mold")
    assert t.hits(0, "Batman") == []


@plays("JB")
def test_healed_and_off_to_the_reserve():
    t = Table(
        ["Metallo: I'll Be Back!"], team0=villains("Metallo (BS)"), team1=HEROES, more1=["Fighting 5", "Energy 3"]
    )
    t.hit(0, "Metallo", "Fighting 5")
    t.hit(0, "Metallo", "Energy 3", current=True)
    t.do("play Metallo: I'll Be Back!")
    assert t.hits(0, "Metallo") == []
    assert t.front(0) == ["Joker", "Bane", "Two-Face"]


@plays("JK1", "JK2")
def test_all_hits_of_a_type_move_to_one_character():
    for card, owner, one in (
        ("Parallax: Heroic Redemption", "Parallax (JL)", "Energy 3"),
        ("Trickster: Bait And Switch", "The Trickster (JL)", "Intellect 3"),
    ):
        t = Table([card], team0=villains(owner), team1=HEROES, more1=[one, one, "MultiPower 2"])
        t.hit(0, "Joker", one)
        t.hit(0, "Bane", one)
        t.hit(0, "Bane", "MultiPower 2")
        t.do(f"play {card}", "by Joker")
        assert t.hits(0, "Joker") == [(one, 3, False), (one, 3, False)]
        assert t.hits(0, "Bane") == [("MultiPower 2", 2, False)]  # only pure ones


@plays("JE")
def test_multipower_hits_leave_no_spectrum_on_captain_marvel():
    t = Table(["Captain Marvel: Stamina Of Atlas"], ["Energy 1"], team0=villains("Captain Marvel (JL)"), team1=HEROES,
              more1=["MultiPower 2", "Fighting 1"], code_rule=False)  # fmt: skip
    t.hit(0, "Captain Marvel", "MultiPower 2")
    t.hit(0, "Captain Marvel", "Fighting 1")
    t.do("play Captain Marvel: Stamina Of Atlas", "play Energy 1", "by Batman", "at Captain Marvel")
    assert "Captain Marvel" in t.alive(0)


@plays("JE", "JF")
def test_multipower_hits_that_have_become_any_power_hits_get_a_type_like_those():
    glove = "Hawkman: Cestus Glove"
    t = Table(["Captain Marvel: Stamina Of Atlas"], [glove], team0=heroes("Captain Marvel (JL)"),
              team1=heroes("Hawkman (JL)"), more1=["MultiPower 2", "Energy 1", "Strength 1"],
              more0=["Fighting 1"])  # fmt: skip
    for name in ("MultiPower 2", "Energy 1", "Strength 1"):
        t.hit(0, "Captain Marvel", name)
    t.do("play Captain Marvel: Stamina Of Atlas")
    assert "Captain Marvel" in t.alive(0)
    t.do(f"play {glove}", "at Captain Marvel").may("take it")
    assert "Captain Marvel" not in t.alive(0)


@plays("FE1")
def test_further_attacks_of_teammates_lead_to_no_others():
    """Batman's Batarang allows a further attack, but not as one that his teammate's Special allowed him."""
    hand = ["Superboy: The Ravers", "Batman: Batarang", "Fighting 3"]
    t = Table(hand, team0=heroes("Superboy (BS)"), team1=VILLAINS)
    t.do("play Batman: Batarang", "at Bane")
    assert "play Fighting 3" in t.legal()
    assert t.decision == phases.FOLLOW
    t = Table(hand, team0=heroes("Superboy (BS)"), team1=VILLAINS)
    t.do("play Superboy: The Ravers", "at Joker", "play Batman: Batarang", "at Bane")
    assert t.legal() == ["done", "play Fighting 3"]
    t.do("play Fighting 3", "at Two-Face")  # by Superman, the only one who is left
    assert hitter(t.s.hits[2]) == t.who(0, "Superman")
    assert t.to_move == 1


# ---------------------------------------------------------------- Missions, concessions, the Reserve


@plays("JM2")
def test_a_defeated_mission_returns():
    t = Table(["Trickster: Smooth Talker"], team0=villains("The Trickster (JL)"), team1=HEROES)
    t.s.players[0].reserve, t.s.players[0].defeated = 4, 3
    t.do("play Trickster: Smooth Talker")
    assert t.missions(0) == (5, 0, 2)


@plays("IE")
def test_only_one_ventured_mission_moves():
    t = Table(["Green Arrow: The Emerald Archer", "Fighting 7"], team0=heroes("Green Arrow (JL)"))
    for p in t.s.players:
        p.reserve, p.risk_reserve = 4, 3
    t.do("play Green Arrow: The Emerald Archer", "pass", "play Fighting 7").may("by Batman").do(
        "at Joker", "pass", "pass"
    )
    assert t.missions(0) == (4, 3, 0)
    assert t.missions(1) == (6, 0, 1)


@plays("JI")
def test_no_mission_leaves_the_defeated_pile():
    t = Table(["Doctor Polaris: Force Of Nature"], ["Fighting 7"], team0=villains("Doctor Polaris (JL)"), team1=HEROES)
    p = t.s.players[1]
    p.reserve, p.completed, p.defeated, p.risk_completed = 2, 0, 3, 2
    t.do("play Doctor Polaris: Force Of Nature", "play Fighting 7", "at Joker", "pass", "pass")
    assert t.missions(1) == (2, 2, 3)


@plays("BL1", "BL2")
def test_no_way_out_of_the_battle():
    t = Table(["Spider-Man: Taunt", "Fighting 6"], ["Intellect 7"], team0=heroes("Spider-Man (IQ)"), turn=1)
    t.do("concede", "play Spider-Man: Taunt")
    assert t.s.battle == 1
    assert t.to_move == 0
    t.do("pass")
    assert t.legal() == ["pass", "play Intellect 7"]
    t = Table(["Any Character: Savage Land"], ["Intellect 7"])
    t.do("play Any Character: Savage Land").may("by Batman")
    assert t.legal() == ["pass", "play Intellect 7"]
    assert "concede" in t.do("pass").legal()


@plays("IF1", "IF2")
def test_hand_cards_go_on_top_of_the_draw_pile_at_a_concession():
    t = Table(["Orion: Boom Tube", "Fighting 7", "Fighting 6", "Superman: Heat Vision"], team0=heroes("Orion (JL)"))
    assert "play Orion: Boom Tube" not in t.legal()
    t.do("concede", "play Orion: Boom Tube", "fetch Fighting 6", "fetch Superman: Heat Vision", "done")
    assert t.s.battle == 2
    assert {"Fighting 6", "Superman: Heat Vision"} <= set(t.hand(0))
    assert "Fighting 7" in t.pack(0)
    t = Table(["Forge: The Maker", "Fighting 7", "Fighting 6", "Fighting 5", "Energy 4"], team0=heroes("Forge (IQ)"),
              turn=1)  # fmt: skip
    t.do("concede", "play Forge: The Maker")
    t.do("fetch Energy 4", "fetch Fighting 5", "fetch Fighting 6", "fetch Fighting 7")
    assert {"Fighting 7", "Fighting 6", "Fighting 5", "Energy 4"} <= set(t.hand(0))


@plays("BC1", "BC2")
def test_the_reserve_waits_one_more_battle():
    for card, owner in (("Hulk: Intimidate", "Hulk (IQ)"), ("Venom: Panic Attack", "Venom (IQ)")):
        small = ["Fighting 1"] * 16
        t = Table([card], team0=heroes(owner), more0=small, more1=small)
        assert f"play {card}" not in t.legal()
        t.s.players[1].alive[0] = 0  # Joker has just fallen
        t.do(f"play {card}").next_battle(small[:8], small[:8])
        assert t.front(1) == ["Bane", "Two-Face"]
        while t.s.battle == 2:
            t.do(next(n for n in t.legal() if n in ("done", "fight", "pass") or "venture 1 from Reserve, 0" in n))
        assert t.front(1) == ["Bane", "Two-Face", "Catwoman"]


# ---------------------------------------------------------------- Specials of others


@plays("HU2", "HI", "IC")
def test_specials_of_others_may_be_played():
    for card, owner, lent, others in (
        ("Nightwing: Ties That Bind", "Nightwing (BS)", "Batman: The Dark Knight", ("Batman (BS)",)),
        ("Comm. Gordon & G.C.P.D.: The Bat Signal", "Comm. Gordon And The G.C.P.D. (BS)", "Batman: Master Detective",
         ("Batman (BS)",)),
        ("Scarlet Spider: Clonal Confusion", "Scarlet Spider (IQ)", "Spider-Man: Spider Sense", ("Spider-Man (IQ)",)),
        ("Hobgoblin: Goblin Cache", "Hobgoblin (IQ)", "Green Goblin: Explosive Pumpkins", ("Green Goblin (IQ)",)),
    ):  # fmt: skip
        team = (owner, "Superman (BS)", "Robin (BS)", *others)  # whose Special it is, is in Reserve
        t = Table([card, lent], team0=team)
        assert f"play {lent}" not in t.legal()
        t.do(f"play {card}", "pass", f"play {lent}")
        assert t.s.play.user == 0
    t = Table(["Green Goblin: Goblin Legacy", "Green Goblin: Explosive Pumpkins"], team0=heroes("Green Goblin (IQ)"))
    t.do("play Green Goblin: Goblin Legacy", "pass", "play Green Goblin: Explosive Pumpkins")
    assert t.legal() == ["by Green Goblin", "by Batman", "by Superman"]


@plays("CL")
def test_specials_of_the_fallen_in_the_next_battle():
    hand = ["Batman: Batarang", "Fighting 1"]
    t = Table(["Eradicator: A Lasting Impression"], team0=heroes("Eradicator (BS)"), more0=[*hand, *["Fighting 1"] * 6],
              more1=["Fighting 1"] * 8)  # fmt: skip
    t.s.players[0].alive[1] = 0  # Batman
    t.do("play Eradicator: A Lasting Impression")
    t.next_battle([*hand, *["Fighting 1"] * 6], ["Fighting 1"] * 8)
    assert "Batman: Batarang" in t.hand(0)
    while t.decision != phases.TURN or t.to_move != 0:
        t.do(next(n for n in t.legal() if n in ("done", "fight", "pass") or "venture 1 from Reserve, 0" in n))
    t.do("play Batman: Batarang")
    assert t.s.play.user == 0


@plays("JG")
def test_teamwork_cards_whatever_the_grid():
    card = "Teamwork: 8S then EF +2 +3"
    t = Table(["Booster Gold: Midas Mode", card, "Fighting 5"], team0=("Booster Gold (JL)", *HEROES[:2], "Hulk (IQ)"))
    assert f"play {card}" not in t.legal()
    t.do("play Booster Gold: Midas Mode", "pass", f"play {card}")
    assert t.s.play.user == 0


@plays("CC3")
def test_a_special_that_attacks_as_fighting_and_defends_as_intellect():
    t = Table(["Riddler: Query And Echo"], team0=villains("Riddler (BS)"), team1=HEROES)
    t.do("play Riddler: Query And Echo", "at Batman")
    assert t.s.attack.types == 2
    assert t.hits(1, "Batman") == [("Riddler: Query And Echo", 5, True)]
    t = Table(
        ["Riddler: Query And Echo"], ["Robin: Insignia Dart"], team0=villains("Riddler (BS)"), team1=HEROES, turn=1
    )
    t.do("play Robin: Insignia Dart", "at Riddler", "play Riddler: Query And Echo")  # it takes an Intellect icon
    assert t.hits(0, "Riddler") == []


# ---------------------------------------------------------------- negating on the own turn


@plays("AO", "DO", "ED")
def test_a_special_in_effect_or_a_special_hit_is_negated_on_the_own_turn():
    team = villains("Magneto (IQ)")
    for card, owner in (
        ("Scarlet Witch: Change Outcome", "Scarlet Witch (IQ)"),
        ("Captain Marvel: Power Of Zeus", "Captain Marvel (JL)"),
    ):
        me = owner.rpartition(" (")[0]
        t = Table(
            [card],
            ["Magneto: Paralyze Opponent"],
            team0=heroes(owner),
            team1=team,
            turn=1,
            more1=["Magneto: Power Flux"],
        )
        t.hit(0, me, "Magneto: Power Flux")
        t.do("play Magneto: Paralyze Opponent", f"at {me}", "take it", f"play {card}")
        assert t.legal() == [f"Magneto: Power Flux, a hit on my {me}", "his Magneto: Paralyze Opponent"]
        t.do("his Magneto: Paralyze Opponent")
        assert t.dead(1) == ["Magneto: Paralyze Opponent"]
        assert not [e for e in t.s.effects[: t.s.effects_n] if e.kind >= 0]
    t = Table(["Scarlet Witch: Change Outcome"], team0=heroes("Scarlet Witch (IQ)"))
    assert "play Scarlet Witch: Change Outcome" not in t.legal()  # nothing to negate
    t = Table(
        ["Captain Marvel: Power Of Zeus"],
        team0=heroes("Captain Marvel (JL)"),
        team1=team,
        more1=["Magneto: Power Flux"],
    )
    t.hit(0, "Batman", "Magneto: Power Flux")
    assert "play Captain Marvel: Power Of Zeus" not in t.legal()  # it is about himself only
    t = Table(["Morbius: Undead Stamina"], ["Magneto: Paralyze Opponent"], team0=heroes("Morbius (IQ)"), team1=team,
              more1=["Magneto: Power Flux"], turn=1)  # fmt: skip
    t.hit(0, "Morbius", "Magneto: Power Flux")
    t.do("play Magneto: Paralyze Opponent", "at Batman", "take it", "play Morbius: Undead Stamina")
    assert t.dead(1) == ["Magneto: Paralyze Opponent"]  # not the hit: it has a number
