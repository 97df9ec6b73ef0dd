"""Events that need a table of their own: each comes up before a battle, and the table is looked at."""

from overpower_scenario import HEROES, Table, heroes

from overworlds.envs.overpower import phases
from overworlds.envs.overpower.cards import ANY_MISSION, cards

PLAYED = set()
"""The Events that the scenarios of this module play."""
SMALL = ["Fighting 1"] * 8


def plays(*events):
    """Say which Events a scenario is about."""
    PLAYED.update(f"Event: {name}" for name in events)
    return lambda test: test


def event(name, hand0=(), hand1=(), prepare=None, more0=(), more1=(), **table):
    """The Event is in player_0's hand when the next battle begins."""
    card = f"Event: {name}"
    hand0, hand1 = [card, *hand0, *SMALL][:8], [*hand1, *SMALL][:8]
    mission = cards()[card].mission.replace(ANY_MISSION, "Race Against Crime")
    t = Table(more0=[*hand0, *SMALL, *more0], more1=[*hand1, *SMALL, *more1], events=True, mission=mission, **table)
    if prepare is not None:
        prepare(t)
    return t.next_battle(hand0, hand1)


def fight(t, *stop):
    """On to the first turn, or to one of these decisions, placing nothing and venturing one Mission each."""
    while t.decision not in (phases.TURN, *stop):
        t.do(
            next(
                n
                for n in t.legal()
                if n in ("done", "fight") or "venture 1 from Reserve, 0" in n or n.startswith("keep")
            )
        )
    return t


def test_what_an_event_forbids_for_a_battle_may_be_placed_for_a_later_one():
    """Ruling 9: a Teamwork card is not unusable while nobody may use it in this battle only."""
    teamwork = "Teamwork: 6F then EI +1 +2"
    t = event("Infinite Army Scatters!", [teamwork, "Intellect 3"], more0=["Intellect 3"])
    assert teamwork in t.hand(0)
    t.do(f"place {teamwork} on Batman")
    assert f"play {teamwork}, placed on Batman" not in fight(t).legal()
    t.next_battle(["Intellect 3", *SMALL[:7]], SMALL)
    assert f"play {teamwork}, placed on Batman" in fight(t).legal()


@plays("Martyr For The Cause")
def test_martyr_for_the_cause_one_takes_all_hits_of_the_front_line():
    def prepare(t):
        t.hit(0, "Batman", "Fighting 2")
        t.hit(0, "Superman", "MultiPower 1")
        t.hit(0, "Azrael", "Fighting 1")

    t = event("Martyr For The Cause", prepare=prepare)
    t.do("by Robin")  # player_0, then player_1 who has no hits
    assert len(t.hits(0, "Robin")) == 2
    assert t.hits(0, "Azrael") == [("Fighting 1", 1, False)]  # in Reserve
    assert t.to_move == 1


@plays("Martyr For The Cause")
def test_the_martyr_falls_if_it_is_too_much_and_the_battle_goes_on_without():
    def prepare(t):
        for on, name in (("Batman", "Intellect 7"), ("Superman", "Intellect 7"), ("Robin", "Intellect 6")):
            t.hit(0, on, name)

    t = event("Martyr For The Cause", prepare=prepare, more1=["Intellect 7", "Intellect 7", "Intellect 6"])
    t.do("by Robin").may("by Joker")
    assert t.alive(0) == ["Batman", "Superman", "Azrael"]
    assert t.front(0) == ["Batman", "Superman"]  # the Reserve moves up with the next battle
    assert t.pack(1).count("Intellect 7") == 2
    assert fight(t).s.battle == 2


@plays("Heroic Standoff!")
def test_heroic_standoff_two_cards_of_the_power_pack():
    def prepare(t):
        for name in ("Fighting 7", "Intellect 6", "Intellect 5"):
            t.draw_out(0, t.kind(0, name))
            t.s.players[0].pack[t.kind(0, name)] += 1

    t = event("Heroic Standoff!", prepare=prepare, more0=["Fighting 7", "Intellect 6", "Intellect 5"])
    t.do("fetch Fighting 7", "fetch Intellect 6")
    assert {"Fighting 7", "Intellect 6"} <= set(t.hand(0))


@plays("Hostage Crisis!", "179603.04")
def test_a_front_liner_of_each_side_is_out_of_the_battle():
    for name in ("Hostage Crisis!", "179603.04"):
        t = event(name, ["Intellect 7"], ["Intellect 7"])
        t.do("by Batman", "by Joker")
        fight(t)
        assert "play Intellect 7" in t.legal()  # Robin can
        t.do("play Intellect 7")
        assert t.legal() == ["at Bane", "at Two-Face"]
        t.do("at Bane")
        assert "play Intellect 7" not in t.legal()  # only Joker could


@plays("Sovereign Seven")
def test_sovereign_seven_heals_one_hit_of_those_with_inherent_abilities():
    def prepare(t):
        for on in ("Hobgoblin", "Batman"):
            t.hit(0, on, "Fighting 2")
            t.hit(0, on, "Fighting 1")

    t = event("Sovereign Seven", prepare=prepare, team0=("Hobgoblin (IQ)", *HEROES[:3]))
    assert t.legal() == ["Fighting 1, a hit on my Hobgoblin", "Fighting 2, a hit on my Hobgoblin"]
    t.do("Fighting 2, a hit on my Hobgoblin")
    assert len(t.hits(0, "Hobgoblin")) == 1
    assert len(t.hits(0, "Batman")) == 2


@plays("Miracle Worker Alive!")
def test_miracle_worker_heals_one_hit_of_everybody():
    def prepare(t):
        for on in ("Batman", "Robin", "Azrael"):
            t.hit(0, on, "Fighting 2")
        t.hit(0, "Batman", "Fighting 1")
        t.hit(1, "Joker", "Fighting 2")

    t = event("Miracle Worker Alive!", prepare=prepare)
    t.do("Fighting 2, a hit on my Batman")
    assert t.s.hits_n == 1
    assert t.hits(0, "Batman") == [("Fighting 1", 1, False)]


@plays("Avengers Assemble!")
def test_avengers_assemble_heals_by_defeated_missions():
    def prepare(t):
        for on in ("Batman", "Robin"):
            t.hit(0, on, "Fighting 2")
            t.hit(0, on, "Fighting 1")
        t.s.players[0].reserve, t.s.players[0].defeated = 5, 2

    t = event("Avengers Assemble!", prepare=prepare)
    t.do("Fighting 2, a hit on my Batman", "Fighting 2, a hit on my Robin")
    assert t.s.hits_n == 2


@plays("Avengers Assemble!")
def test_avengers_assemble_heals_nobody_without_defeated_missions():
    def prepare(t):
        t.hit(0, "Batman", "Fighting 2")
        t.hit(0, "Robin", "Fighting 1")
        t.hit(1, "Joker", "Fighting 1")

    t = event("Avengers Assemble!", prepare=prepare)
    assert t.decision == phases.PLACE
    assert t.s.hits_n == 3


@plays("Hellfire Club Attacked!")
def test_hellfire_club_the_reserve_takes_an_attack_upon_himself():
    t = fight(event("Hellfire Club Attacked!", ["Fighting 7"], ["Fighting 5"], placed1={"Catwoman": ["Fighting 6"]}))
    t.do("play Fighting 7", "at Joker")
    assert t.legal() == ["take it", "by Catwoman"]
    t.do("by Catwoman")
    assert t.hits(1, "Joker") == []
    assert t.hits(1, "Catwoman") == [("Fighting 7", 7, True)]


@plays(
    "061906.05", "Gods Of Stone!", "Symbiotic Hero Captured!", "Assassination Attempt!", "Time Travellers Vanquished"
)
def test_events_forbid_cards_by_what_they_say():
    for name, gone, stays in (
        ("061906.05", "Batman: Olympic Level Athlete", None),
        ("Symbiotic Hero Captured!", "Superman: Last Son Of Krypton", "Superman: Heat Vision"),
        ("Gods Of Stone!", "Any Character: Death From Above", "Superman: Heat Vision"),
        ("Time Travellers Vanquished", "Robin: Loyal Partner", "Superman: Heat Vision"),
        ("Assassination Attempt!", "Any Character: Alien Symbiote", "Superman: Heat Vision"),
    ):
        hand = [gone, "Superman: Heat Vision", "Fighting 7"]
        t = event(name, hand, ["Intellect 3"], prepare=lambda t: t.hit(0, "Batman", "Fighting 2"))
        fight(t)
        if stays:
            assert f"play {gone}" not in t.legal(), name
            assert f"play {stays}" in t.legal(), name
        else:
            t.do("pass", "play Intellect 3").may("by Joker").do("at Batman")
            assert t.legal() == ["take it", "play Fighting 7"]


@plays("061906.05", "Time Travellers Vanquished")
def test_cards_are_about_teammates_or_avoiding_in_whatever_words():
    """Teammates who are hit (DE), who have fallen (CL), and Power cards that avoid attacks on them (HG)."""
    for name, card, owner in (
        ("Time Travellers Vanquished", "Comm. Gordon & G.C.P.D.: Reinforcements", "Comm. Gordon And The G.C.P.D. (BS)"),
        ("Time Travellers Vanquished", "Eradicator: A Lasting Impression", "Eradicator (BS)"),
        ("Time Travellers Vanquished", "Wolverine: Canucklehead", "Wolverine (IQ)"),
        ("061906.05", "Wolverine: Canucklehead", "Wolverine (IQ)"),
    ):
        for forbids, seen in ((name, False), ("Caught Off Guard!", True)):
            t = fight(event(forbids, [card, "Fighting 7"], team0=(owner, *HEROES[:3])))
            t.s.players[0].alive[1] = 0
            assert card in t.hand(0)
            assert (f"play {card}" in t.legal()) == seen, card


@plays("061906.08", "Breakout")
def test_the_reserve_defends_the_front_line_with_power_cards():
    for name in ("061906.08", "Breakout"):
        t = fight(event(name, ["Fighting 5", "Fighting 7"], ["Fighting 6"]))
        t.do("play Fighting 5", "by Batman", "at Joker")
        assert t.legal() == ["take it", "play Fighting 6"]  # Catwoman's: Joker is rated 5
        t.do("play Fighting 6")
        assert t.pack(1)[-1] == "Fighting 6"
        assert t.hits(1, "Joker") == []
        t.do("pass", "play Fighting 7", "at Joker")
        assert t.hits(1, "Joker") == [("Fighting 7", 7, True)]


@plays("The Best Laid Plans...")
def test_best_laid_plans_four_chosen_cards_are_drawn_next():
    chosen = ["Fighting 7", "Intellect 6", "Intellect 5", "Superman: Heat Vision"]
    t = event("The Best Laid Plans...", more0=chosen, more1=["Intellect 7"])
    t.do(*(f"fetch {name}" for name in chosen))
    p = t.s.players[0]
    assert [t.decks[0].kinds[k].name for k in p.draw[p.draw_n - 4 : p.draw_n]] == chosen
    other = t.state.copy()
    t.k.resample(t.variant.rules, other, 0, 5)
    q = other.view(t.state_type)[0].players[0]
    assert q.draw[p.draw_n - 4 : p.draw_n].tolist() == p.draw[p.draw_n - 4 : p.draw_n].tolist()


@plays("Alien Creature Rampages!")
def test_alien_creature_nobody_is_knocked_out_before_the_end_of_the_battle():
    hits = ["Fighting 7", "Fighting 6"]
    t = event(
        "Alien Creature Rampages!", ["Fighting 7"], prepare=lambda t: [t.hit(1, "Joker", h) for h in hits], more0=hits
    )
    fight(t)
    t.do("play Fighting 7", "at Joker")
    assert "Joker" in t.alive(1)
    while t.s.battle == 2:
        t.do("pass")
    assert "Joker" not in t.alive(1)
    assert t.front(1) == ["Bane", "Two-Face", "Catwoman"]


@plays("Mad God Raises Dead!")
def test_mad_god_a_fallen_character_returns_with_its_inherent_ability():
    def prepare(t):
        t.s.players[0].alive[0] = 0
        t.s.effects_n = 0

    t = event("Mad God Raises Dead!", ["Strength 5"], prepare=prepare, team0=("Hobgoblin (IQ)", *HEROES[:3]))
    assert t.front(0) == ["Batman", "Superman", "Robin"]
    assert t.alive(0) == ["Hobgoblin", "Batman", "Superman", "Robin"]  # in Reserve
    assert t.s.effects_n == 1


@plays("271266.02")
def test_intellect_ones_avoid_attacks_with_a_number():
    t = fight(event("271266.02", ["Fighting 7"], ["Intellect 1", "Fighting 2"]).do("keep Intellect 1"))
    t.do("play Fighting 7", "at Joker")
    assert t.legal() == ["take it", "play Intellect 1"]
    t.do("play Intellect 1")
    assert t.hits(1, "Joker") == []


@plays("271266.02")
def test_rule_68_a_reserve_who_is_attacked_may_defend_as_an_event_allows():
    """With cards of the hand and with his own; a teammate in front does not do it for him."""
    card = "Punisher: Sniper"
    t = fight(event("271266.02", [card], ["Intellect 1", "Fighting 2"], team0=heroes("Punisher (OP)")).do(
        "keep Intellect 1"))  # fmt: skip
    t.do(f"play {card}", "at Catwoman")
    assert t.legal() == ["take it", "play Intellect 1"]
    t.do("play Intellect 1")
    assert t.hits(1, "Catwoman") == []
    assert "Intellect 1" in t.pack(1)


@plays("271266.09")
def test_whatever_can_be_placed_on_the_front_line_must_be():
    t = event("271266.09", ["Fighting 7", "Flying Kick"])
    assert t.decision == phases.PLACE
    assert "done" not in t.legal()
    t.do("place Fighting 7 on Batman")
    while t.to_move == 1:
        t.do(t.legal()[0])
    assert "done" not in t.legal()


@plays("271266.10")
def test_one_hit_moves_to_a_teammate():
    t = event("271266.10", prepare=lambda t: [t.hit(0, "Batman", n) for n in ("Fighting 1", "Fighting 2")])
    t.do("Fighting 2, a hit on my Batman", "by Robin")
    assert t.hits(0, "Robin") == [("Fighting 2", 2, False)]


@plays("Lambs To The Slaughter")
def test_lambs_to_the_slaughter_no_venture_no_concession():
    t = fight(event("Lambs To The Slaughter", ["Fighting 7"]))
    assert [int(p.risk_reserve) for p in t.s.players] == [0, 0]
    assert t.legal() == ["pass", "play Fighting 1", "play Fighting 7"]
    t.do("play Fighting 7", "at Joker")
    while t.s.battle == 2:
        t.do("pass")
    assert t.missions(0) == (7, 0, 0)


@plays("179603.01")
def test_no_specials_for_an_enemy_of_choice():
    t = event("179603.01", ["Superman: Heat Vision", "Batman: Batarang"])
    t.do("at Joker", "at Batman")
    fight(t)
    assert "play Batman: Batarang" not in t.legal()
    assert "play Superman: Heat Vision" in t.legal()


@plays("661216.06")
def test_any_character_specials_may_be_placed_except_those_that_search_the_dead_pile():
    hand = ["Any Character: Death From Above", "Any Character: Wizard In Top Hat & Tails"]
    t = event("661216.06", hand)
    assert "place Any Character: Death From Above on Batman" in t.legal()
    assert not any("Wizard" in name for name in t.legal())


@plays("661216.09", "Mutants In Hiding!")
def test_a_front_liner_and_the_reserve_change_places():
    for name in ("661216.09", "Mutants In Hiding!"):
        t = event(name)
        t.do("by Batman", "by Bane")
        assert t.front(0) == ["Superman", "Robin", "Azrael"]
        assert t.front(1) == ["Joker", "Two-Face", "Catwoman"]


@plays("661216.10")
def test_energy_attacks_go_on_against_the_same_target():
    t = fight(event("661216.10", ["Energy 7", "Energy 5", "Fighting 6"], ["Fighting 2"]))
    t.do("play Energy 7", "at Bane", "pass", "play Energy 5")
    assert t.hits(1, "Bane") == [("Energy 5", 5, True), ("Energy 7", 7, True)]  # no other choice
    t.may("pass").do("play Fighting 6", "by Batman")
    assert t.legal() == ["at Joker", "at Bane", "at Two-Face"]


@plays("Caught By Surprise")
def test_placed_cards_are_not_played():
    t = fight(
        event(
            "Caught By Surprise", ["Fighting 7"], placed0={"Robin": ["Intellect 6"]}, placed1={"Joker": ["Intellect 7"]}
        )
    )
    assert not any("placed on" in name for name in t.legal())
    t.do("play Fighting 7", "at Joker")
    assert t.hits(1, "Joker") == [("Fighting 7", 7, True)]  # no defence either


@plays("Aquaman Vs. Deep Six", "Darkseid's Elite")
def test_inherent_bonuses_grow():
    t = fight(event("Darkseid's Elite", ["Strength 5"], team0=("Hobgoblin (IQ)", *HEROES[:3])))
    t.do("play Strength 5", "by Hobgoblin", "at Joker")
    assert t.s.attack.value == 7  # 5 + 1 + 1
    t = fight(
        event("Aquaman Vs. Deep Six", ["Energy 4", "Energy 3"], ["Intellect 7"], team0=("Domino (IQ)", *HEROES[:3]))
    )
    t.do("pass", "play Intellect 7", "at Domino")
    assert t.legal() == ["take it", "play Energy 4"]  # 4 + 2 + 1


@plays("Batman Vs. Kanto", "Heroes Avenge Murder")
def test_one_own_front_liner_falls_and_the_reserve_takes_its_place():
    for name in ("Batman Vs. Kanto", "Heroes Avenge Murder"):
        t = event(name, placed0={"Robin": ["Intellect 6"]})
        t.do("by Robin", "by Joker")
        assert t.front(0) == ["Batman", "Superman", "Azrael"]
        assert t.front(1) == ["Bane", "Two-Face", "Catwoman"]
        assert "Intellect 6" in t.pack(0)


@plays("Batman Vs. Kanto")
def test_the_last_character_does_not_fall():
    def prepare(t):
        for i in (0, 1, 3):
            t.s.players[0].alive[i] = 0

    t = event("Batman Vs. Kanto", prepare=prepare)
    assert t.alive(0) == ["Robin"]


@plays("Batman Vs. Kanto")
def test_who_falls_before_the_battle_has_not_fallen_in_it():
    """BC, for which an enemy front-liner has to have fallen, whether a Reserve took his place or not."""
    card = "Hulk: Intimidate"
    for reserve in (1, 0):
        t = event("Batman Vs. Kanto", [card], team0=("Hulk (IQ)", *HEROES[:3]), prepare=lambda t, alive=reserve:
                  t.s.players[1].alive.__setitem__(3, alive))  # fmt: skip
        fight(t.do("by Batman", "by Joker"))
        assert "Joker" not in t.alive(1)
        assert card in t.hand(0)
        assert f"play {card}" not in t.legal()


@plays("Blue Beetle Vs. Glorious Godfrey")
def test_attacks_on_an_enemy_of_choice_are_better():
    t = event("Blue Beetle Vs. Glorious Godfrey", ["Fighting 7", "Fighting 6"])
    t.do("at Joker", "at Batman")
    fight(t)
    t.do("play Fighting 7", "at Joker")
    assert t.s.attack.value == 8
    t.do("pass", "play Fighting 6", "by Batman", "at Bane")
    assert t.s.attack.value == 6


@plays("Symbiotic Achilles Heel", "One Step Closer")
def test_a_card_that_was_found_is_kept_beside_its_duplicates():
    for name, found in (("Symbiotic Achilles Heel", "Energy 5"), ("One Step Closer", "Strength 5")):
        card = f"Event: {name}"
        hand = [card, "Fighting 5", "Intellect 5", "Fighting 2", "Fighting 2", *SMALL[:3]]
        pile = [*hand, "Fighting 1", "Fighting 3", found]  # one is drawn for the Event
        t = Table(more0=[*pile, *SMALL], more1=SMALL, events=True, mission=cards()[card].mission)
        t.next_battle(pile, SMALL)
        assert t.legal() == ["keep Fighting 5", "keep Intellect 5"]  # of those that were drawn
        t.do("keep Fighting 5")
        assert t.hand(0) == sorted([found, "Fighting 1", "Fighting 2", "Fighting 5"])
        assert sorted(t.hand(1)) == ["Fighting 1", "MultiPower 1"]  # his, too
