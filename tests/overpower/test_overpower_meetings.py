"""Where two cards meet that seldom do: combinations that a hunt for faults has tried."""

import pytest
from overpower_scenario import HEROES, Table, heroes, villains
from test_overpower_events import event, fight

from overworlds.envs.overpower import phases

METALLO, EYE_BEAMS = ("Metallo (BS)", "Apocalypse (IQ)", "Joker (BS)", "Bane (BS)"), "Metallo: Eye Beams"

# ---------------------------------------------------------------- Power cards that are summed (DW, ES, EU)


@pytest.mark.parametrize("cards", [("Energy 5", "Fighting 1"), ("Fighting 1", "Energy 5")])
@pytest.mark.parametrize("by_event", [False, True])
def test_ruling_79_of_two_power_cards_that_are_summed_either_may_be_the_small_one(cards, by_event):
    """HA and an Event: in which order they are named makes no difference."""
    if by_event:
        hand = [EYE_BEAMS, *cards]
        t = fight(event("Cosmic Sneak Attack!", hand, ["Fighting 7"], team0=METALLO, team1=HEROES, code_rule=False))
    else:
        virus = "Apocalypse: Techno-Virus"
        t = Table([virus, EYE_BEAMS, *cards], ["Fighting 7"], team0=METALLO, team1=HEROES, code_rule=False)
        t.do(f"play {virus}", "at Batman").may("take it")
        t.ask(0)
    t.do(f"play {EYE_BEAMS}").may("take it", "done")
    t.ask(0)
    t.do(f"play {cards[0]}").may("by Metallo").do(f"play {cards[1]}").may("as Energy", "as Fighting").do("at Batman")
    assert t.hits(1, "Batman") == [("Energy 5", 5, True), ("Fighting 1", 1, True)]  # he was not asked


@pytest.mark.parametrize("cards", [("Energy 4", "Fighting 2"), ("Fighting 2", "Energy 4")])
def test_bs_two_power_cards_that_are_summed_are_not_returned(cards):
    """Domino blocks 6 with an Energy 4, for she defends better; no card equals two."""
    trap = "Domino: Tripwire"
    t = Table([trap], [EYE_BEAMS, *cards], team0=heroes("Domino (IQ)"), team1=villains("Metallo (BS)"),
              placed0={"Domino": ["Energy 4"]}, code_rule=False)  # fmt: skip
    t.do(f"play {trap}").may("take it").do(f"play {EYE_BEAMS}").may("take it", "done")
    t.ask(1)
    t.do(f"play {cards[0]}").may("by Metallo").do(f"play {cards[1]}").may("as Energy", "as Fighting").do("at Domino")
    t.do("play Energy 4, placed on Domino").may("alone")
    assert t.hits(1, "Metallo") == t.hits(0, "Domino") == []


# ---------------------------------------------------------------- the last hit of a battle


@pytest.mark.parametrize("is_last", [False, True])
def test_ruling_97_what_a_special_does_with_its_hit_is_done_though_the_battle_ends_with_it(is_last):
    """GB2 brings a Mission back."""
    card = "Captain America: Sentinel Of Liberty"
    t = Table([card], ["Fighting 6"], team0=heroes("Captain America (IQ)"), more0=["Energy 4"] * 4, code_rule=False)
    for _ in range(4):
        t.hit(1, "Joker", "Energy 4")
    t.s.players[0].reserve, t.s.players[0].defeated = 4, 3
    if is_last:
        t.s.players[1].alive[1:3] = 0
    t.do(f"play {card}").may("at Joker", "take it")
    assert t.s.battle == 1 + is_last
    assert t.missions(0) == (5, 0, 2)
    t.check()


def test_ruling_97_it_counts_for_the_venture():
    """HO: the total of the other is 4 less."""
    card = "Blue Beetle: Bwah-Ha-Ha-Ha!"
    t = Table([card], team0=heroes("Blue Beetle (JL)"), more0=["Energy 4"] * 4, more1=["Fighting 6"], turn=0)
    for _ in range(4):
        t.hit(1, "Joker", "Energy 4")
    t.hit(0, "Batman", "Fighting 6", current=True)
    t.s.players[1].alive[1:3] = 0
    t.do(f"play {card}").may("at Joker", "take it")
    assert t.s.battle == 2
    assert [int(p.total) for p in t.s.players] == [8, 2]


def test_ruling_97_placed_cards_of_others_than_the_target_stay():
    """CZ takes all placed cards from its target, who has none any more."""
    card = "Super Skrull: Invisible Invasion"
    t = Table([card], team0=heroes("Super Skrull (IQ)"), more0=["Energy 6"] * 3, placed1={"Catwoman": ["Strength 2"]},
              code_rule=False)  # fmt: skip
    for _ in range(3):
        t.hit(1, "Joker", "Energy 6")
    t.s.players[1].alive[1:3] = 0
    t.do(f"play {card}").may("at Joker", "take it")
    assert t.s.battle == 2
    assert t.placed(1, "Catwoman") == ["Strength 2"]


# ---------------------------------------------------------------- cards that come back


def test_fb1_a_card_that_was_played_is_not_discarded_when_it_has_come_back():
    flip, desaad, wizard = "Two-Face: Flip Of The Coin", "Darkseid: Desaad", "Any Character: Web-Headed Wizard"
    t = Table([flip, wizard], ["Fighting 6"], team0=("Two-Face (BS)", "Darkseid (JL)", "Joker (BS)", "Catwoman (BS)"),
              team1=HEROES, more0=[desaad], code_rule=False)  # fmt: skip
    t.stack(0, [desaad])
    t.do(f"play {flip}").may("at Batman").do("play Fighting 6").may("by Batman", "alone")
    assert t.dead(0) == [desaad]
    t.do(f"play {wizard}").may("by Two-Face", "take it", f"fetch {desaad}")
    assert t.hand(0) == [desaad]
    assert t.dead(0) == [wizard, flip]


def test_ax_a_card_lies_on_the_table_until_all_of_it_has_ended():
    """Its target has fallen, its player still may not attack."""
    card = "Banshee: Vocal Hypnosis"
    t = Table([card, "Fighting 5"], team0=("Banshee (PS)", *HEROES[:3]), more0=["Fighting 6"] * 3, code_rule=False)
    for _ in range(3):
        t.hit(1, "Joker", "Fighting 6")
    t.do(f"play {card}", "at Joker").may("take it")
    t.ask(0)
    t.do("play Fighting 5").may("by Batman", "alone").do("at Joker").may("take it")
    assert "Joker" not in t.alive(1)
    assert t.dead(0) == []
    t.check()
    t.may("pass").may("pass")
    assert t.s.battle == 2
    assert card in t.dead(0)


# ---------------------------------------------------------------- negation, and the Reserve


@pytest.mark.parametrize(("card", "owner"), [
    ("Hawkman: The Winged Warrior", "Hawkman (JL)"), ("Banshee: Vocal Hypnosis", "Banshee (PS)"),
])  # fmt: skip
def test_do_answers_no_special_that_is_about_anybody_else_as_well(card, owner):
    """FD binds all others, AX its own player too; AO answers both."""
    for negation, me, answered in (
        ("Captain Marvel: Power Of Zeus", "Captain Marvel (JL)", False),
        ("Scarlet Witch: Change Outcome", "Scarlet Witch (IQ)", True),
    ):
        t = Table([negation], [card], team0=heroes(me), team1=villains(owner), turn=1, code_rule=False)
        t.do(f"play {card}", f"at {me.partition(' (')[0]}")
        assert (t.decision == phases.DEFEND and f"play {negation}" in t.legal()) is answered


def test_ruling_84_the_reserve_adds_no_power_card_to_its_special():
    """AE combines with one; an Event lets the Reserve play Specials only."""
    card = "Azrael: Flaming Sword"
    t = fight(event("Special Delivery", placed0={"Azrael": [card, "Strength 3"]}))
    t.do(f"play {card}, placed on Azrael")
    assert "play Strength 3, placed on Azrael" not in t.legal()
    t.may("alone").do("at Joker").may("take it")
    assert t.hits(1, "Joker") == [(card, 4, True)]


def test_ruling_75_nobody_in_reserve_changes_places_with_the_reserve():
    card = "Captain Atom: Quantum Jump"
    t = fight(event("Special Delivery", team0=("Batman (BS)", "Superman (BS)", "Robin (BS)", "Captain Atom (JL)"),
              placed0={"Captain Atom": [card]}))  # fmt: skip
    assert f"play {card}, placed on Captain Atom" not in t.legal()


def test_ruling_85_nobody_takes_upon_himself_what_would_come_to_nothing():
    """Ice Tactics takes placed cards away, and Catwoman has none."""
    card = "Iceman: Ice Tactics"
    for there in ([], ["Energy 3"]):
        t = fight(event("Hellfire Club Attacked!", [card], ["Fighting 5"], team0=heroes("Iceman (IQ)"),
                  placed1={"Joker": ["Energy 4"], "Catwoman": there}, code_rule=False))  # fmt: skip
        t.do(f"play {card}").may("at Joker")
        assert (t.decision == phases.DEFEND and "by Catwoman" in t.legal()) is bool(there)


def test_ck_a_guest_who_is_brought_back_for_good_stays(monkeypatch):
    """He falls by the Event of one player and returns by that of the other."""
    import overpower_scenario as scenario

    small, card = ["Fighting 1"] * 16, "Dr. Strange: Necromancy"
    events = ["Event: Heroes Avenge Murder", "Event: Mad God Raises Dead!"]
    plain = scenario.deck_file
    missions = {True: "The Crossing", False: "Infinity Gauntlet"}
    monkeypatch.setattr(scenario, "deck_file", lambda team, names, _: plain(team, names, missions[card in names]))
    t = Table([card], team0=("Dr. Strange (IQ)", *HEROES[:3]), more0=[events[0], *small], more1=[events[1], *small],
              events=True)  # fmt: skip
    t.s.players[0].alive[1] = 0
    t.do(f"play {card}").may("take it").next_battle([events[0], *small[:7]], [events[1], *small[:7]])
    assert "Batman" in t.alive(0)
    t.do("by Batman").may("by Joker")
    t.may("by Batman")
    assert "Batman" in t.alive(0)
    fight(t)
    battle = t.s.battle
    while t.s.battle == battle:
        t.do("pass")
    assert "Batman" in t.alive(0)
