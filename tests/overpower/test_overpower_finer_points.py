"""Finer points of functions: whom, when and together with what, as a second look at the cards has it."""

import pytest
from overpower_scenario import HEROES, VILLAINS, Table, heroes, villains
from test_overpower_corners import KICK, bury
from test_overpower_events import event, fight

from overworlds.envs.overpower import phases

GUARD = "Any Character: Guardian Angel"

# ---------------------------------------------------------------- what is an attack


@pytest.mark.parametrize(
    ("card", "owner"),
    [("Ghost Rider: Bat Out Of Hell", "Ghost Rider (IQ)"), ("Juggernaut: Raze", "Juggernaut (IQ)"),
     ("Green Goblin: Murderous Ploy", "Green Goblin (IQ)")],
)  # fmt: skip
def test_ruling_59_taking_placed_cards_away_is_an_attack(card, owner):
    """AI, AU, IB: who may not attack does not play it, and it may be an extra attack (AA)."""
    hand = [card, "Wolverine: Berserk Attack"]
    placed = {"Joker": ["Training: SI +4"], "Bane": ["Ally: Scarecrow"]}
    for barred in (False, True):
        t = Table(hand, ["Spider-Man: Web"], team0=heroes(owner, "Wolverine (IQ)"), placed1=placed, turn=1,
                  team1=("Spider-Man (IQ)", *VILLAINS[:3]), code_rule=False)  # fmt: skip
        t.do("play Spider-Man: Web", f"at {owner.partition(' (')[0]}").may("take it") if barred else t.do("pass")
        assert (f"play {card}" in t.legal()) != barred


def test_ax_the_player_of_the_card_does_not_attack_even_if_it_was_avoided():
    for answer, barred in ((GUARD, True), ("Beast: Analyze", False)):
        t = Table(["Blob: Immovable Object", "Strength 5"], [answer], team0=villains("Blob (PS)"),
                  team1=("Beast (IQ)", *HEROES[:3]))  # fmt: skip
        t.do("play Blob: Immovable Object", "at Beast", f"play {answer}", "pass")
        blob_attacks = "play Strength 5" in t.legal() and "by Blob" in t.do("play Strength 5").legal()
        assert blob_attacks != barred
        assert (t.dead(0) == ["Blob: Immovable Object"]) != barred  # else it lies there


# ---------------------------------------------------------------- together with an attack, or with a defence


@pytest.mark.parametrize(
    ("card", "owner", "power"),
    [
        ("Spider-Man: Science Whiz", "Spider-Man (IQ)", "Intellect 5"),  # DM
        ("Professor X: Telepathic Coordination", "Professor X (IQ)", "Intellect 5"),  # BG
        ("Sabretooth: Rabid Beast", "Sabretooth (IQ)", "Fighting 6"),  # DK
        ("Comm. Gordon & G.C.P.D.: Reinforcements", "Comm. Gordon And The G.C.P.D. (BS)", "Intellect 6"),  # DE
    ],
)
def test_ruling_34_what_makes_its_player_better_goes_with_an_attack_without_universe_cards(card, owner, power):
    t = Table([card, power, "Advance Warning", KICK], team0=heroes(owner), code_rule=False)
    t.do(f"play {card}")
    assert t.legal()[:2] == ["done", f"play {power}"]
    t.do(f"play {power}").may(f"by {owner.partition(' (')[0]}")
    assert t.decision == phases.TARGET  # and not: with which second card?


def test_dd_the_attack_that_goes_with_it_is_at_the_same_enemy():
    t = Table(["Bane: Vengeance Of Bane", "Strength 5"], team0=("Bane (BS)", "Joker (BS)", *VILLAINS[2:]), team1=HEROES)
    t.do("play Bane: Vengeance Of Bane", "at Superman", "play Strength 5")
    assert t.s.attack.target == t.who(1, "Superman")
    assert t.s.attack.value == 7


def test_bg_bh_the_whole_team_is_helped_in_answer_to_an_attack_on_anybody():
    for card, owner in (("Professor X: Telepathic Coordination", "Professor X (IQ)"),
                        ("Invisible Woman: Bubble Shield", "Invisible Woman (IQ)")):  # fmt: skip
        t = Table(["Intellect 7"], [card, "Fighting 5"], team0=VILLAINS, team1=heroes(owner))
        t.do("play Intellect 7", "at Batman")
        assert t.legal() == ["take it", f"play {card}"]
        t.do(f"play {card}")
        assert t.hits(1, "Batman") == []  # 5 + 2
        assert t.dead(1) == []  # it lasts


def test_bh_helps_its_player_in_reserve_too_when_he_takes_an_attack_upon_himself():
    card = "Invisible Woman: Bubble Shield"
    t = fight(event("Hellfire Club Attacked!", ["Fighting 7"], team1=("Joker (BS)", "Bane (BS)", "Catwoman (BS)",
                    "Invisible Woman (IQ)"), placed1={"Invisible Woman": [card, "Energy 6"]}))  # fmt: skip
    t.do("pass", "play Fighting 7", "at Joker", "by Invisible Woman")
    assert f"play {card}, placed on Invisible Woman" in t.legal()
    t.do(f"play {card}, placed on Invisible Woman")
    assert t.hits(1, "Invisible Woman") == []  # 6 + 2


def test_bi_fe_no_universe_card_goes_with_what_a_teammate_is_allowed():
    for card, owner in (("Colossus: Fastball Special", "Colossus (OP)"), ("Superboy: The Ravers", "Superboy (BS)")):
        t = Table([card, "Fighting 5", KICK], team0=heroes(owner))
        t.do(f"play {card}").may("at Joker", "take it").do("play Fighting 5").may("by Batman")
        assert t.decision == phases.TARGET


def test_cj_goes_with_an_any_power_card():
    t = Table(["Longshot: Lucky Bounce", "Any-Power 6"], team0=heroes("Longshot (IQ)"))
    t.do("play Any-Power 6", "by Longshot")
    assert t.legal() == ["alone", "play Longshot: Lucky Bounce"]


# ---------------------------------------------------------------- answers


def test_jd_answers_an_attack_with_a_basic_universe_card():
    card = "Captain Atom: Anti-Gravity Field"
    for partner, asked in (("alone", False), (f"play {KICK}", True)):
        t = Table(
            ["Fighting 7", "Fighting 6", KICK], [card], team0=heroes(), team1=("Captain Atom (JL)", *VILLAINS[:3])
        )
        t.do("play Fighting 7", partner, "at Captain Atom")
        assert (t.decision == phases.DEFEND) == asked
        if asked:
            t.do(f"play {card}")
            assert t.hits(1, "Captain Atom") == []
            assert t.dead(1) == []


def test_ac_two_cards_shift_an_attack_on_a_teammate_to_their_player():
    for card, owner in (
        ("Iron Man: In The Line Of Fire", "Iron Man (IQ)"),
        ("Colossus: Metal Barrier", "Colossus (OP)"),
    ):
        t = Table(["Intellect 7"], [card], team0=VILLAINS, team1=heroes(owner))
        t.do("play Intellect 7", "at Batman", f"play {card}")
        assert t.hits(1, owner.partition(" (")[0]) == [("Intellect 7", 7, True)]


def test_ruling_35_an_attack_is_not_shifted_to_whom_it_would_not_concern():
    """AI6 takes a card from one character: nobody without placed cards can be its target, by a shift neither."""
    tactics, shift = "Iceman: Ice Tactics", "Apocalypse: Survival Of The Fittest"
    for placed, asked in ((["Fighting 1"], True), ([], False)):
        t = Table([tactics], [shift], team0=villains("Iceman (IQ)"), team1=("Apocalypse (IQ)", *HEROES[:3]),
                  placed1={"Batman": placed, "Apocalypse": ["Fighting 2"]}, code_rule=False)  # fmt: skip
        t.do(f"play {tactics}").may("at Apocalypse")
        assert (t.to_move == 1 and t.decision == phases.DEFEND) == asked


def test_bd_the_type_is_named_before_the_enemy_answers():
    t = Table(["Apocalypse: Genetic Engineering"], [GUARD], team0=villains("Apocalypse (IQ)"), team1=HEROES)
    t.do("play Apocalypse: Genetic Engineering", "at Batman")
    assert (t.to_move, t.decision) == (0, phases.CHOOSE_TYPE)
    t.do("as Fighting")
    assert (t.to_move, t.decision) == (1, phases.DEFEND)


def test_fb2_its_target_may_answer_and_is_the_one_who_is_attacked():
    card, team = "Trickster: The Shell Game", ("The Trickster (JL)", *VILLAINS[:3])
    t = Table([card, "Energy 3"], [GUARD], team0=team, team1=HEROES).do(f"play {card}", "at Batman", f"play {GUARD}")
    assert t.hand(0) == ["Energy 3"]
    t = Table([card, "Energy 3"], team0=team, team1=HEROES).do(f"play {card}", "at Batman")
    assert t.hits(1, "Batman") == [("Energy 3", 3, True)]


def test_fd_nobody_but_the_two_plays_any_card():
    t = Table(["Red Skull: Cosmic Cube", "Joker: Maniacal Genius"], ["Superman: Man Of Steel"], code_rule=False,
              team0=villains("Red Skull (IQ)"), team1=HEROES)  # fmt: skip
    assert "play Joker: Maniacal Genius" in t.legal()
    t.do("play Red Skull: Cosmic Cube", "at Batman")
    assert "play Superman: Man Of Steel" not in t.legal()
    t.do("pass")
    assert "play Joker: Maniacal Genius" not in t.legal()


# ---------------------------------------------------------------- whom


def test_ruling_76_one_teammate_stands_on_the_front_line():
    """AL2 and ET3 do not reach the Reserve, and EE reaches hits of this battle."""
    for card, owner in (("Silver Surfer: Cosmic Healing", "Silver Surfer (OP)"), ("Venom: Healing Bond", "Venom (IQ)")):
        t = Table([card], team0=heroes(owner), more1=["Energy 2", "Fighting 2"])
        t.hit(0, "Robin", "Energy 2")  # in Reserve
        assert f"play {card}" not in t.legal()
    t = Table(["Sentinels: Master Mold"], team0=heroes("Sentinels (IQ)"), more1=["Fighting 2"])
    t.hit(0, "Batman", "Fighting 2", current=True)
    t.do("play Sentinels: Master Mold")
    assert t.hits(0, "Batman") == []


def test_cl_one_fallen_teammate_is_named():
    card = "Morph: Copy Teammate"
    hand = ["Batman: Batarang", "Superman: Heat Vision"]
    t = Table([card], team0=heroes("Morph (IQ)"), more0=[*hand, *["Fighting 1"] * 8], more1=["Fighting 1"] * 8)
    assert f"play {card}" not in t.legal()  # nobody has fallen
    for who in (1, 2):
        t.s.players[0].alive[who] = 0
    t.do(f"play {card}", "by Batman").next_battle([*hand, *["Fighting 1"] * 6], ["Fighting 1"] * 8)
    assert "Batman: Batarang" in t.hand(0)
    assert "Superman: Heat Vision" in t.dead(0)


def test_ic_the_two_specials_are_of_any_character():
    """As such they are no extra attacks, follow no Ally, and can neither be placed nor fetched."""
    card, bomb = "Green Goblin: Goblin Legacy", "Green Goblin: Explosive Pumpkins"
    team = ("Green Goblin (IQ)", "Wolverine (IQ)", *HEROES[:2])
    hand = [card, bomb, "Wolverine: Berserk Attack", "Ally: Oracle"]
    t = Table(hand, team0=team, code_rule=False)
    assert "play Ally: Oracle" in t.legal()
    t.do(f"play {card}", "pass")
    t.s.players[0].hand[t.kind(0, "Wolverine: Berserk Attack")] = 0
    assert "play Ally: Oracle" not in t.legal()
    t.s.players[0].hand[t.kind(0, "Wolverine: Berserk Attack")] = 1
    t.do(f"play {bomb}")
    assert "by Wolverine" in t.legal()


def test_ic_an_event_that_forbids_specials_of_any_character_forbids_them():
    card, bomb = "Green Goblin: Goblin Legacy", "Green Goblin: Explosive Pumpkins"
    t = fight(event("Gods Of Stone!", [card, bomb], team0=("Green Goblin (IQ)", *HEROES[:3]), code_rule=False))
    assert f"play {bomb}" in t.legal()
    t.do(f"play {card}", "pass")
    assert f"play {bomb}" not in t.legal()


def test_ruling_32_specials_of_any_character_do_not_follow_an_ally():
    t = Table(["Ally: Oracle", "Any Character: God Of Mischief"])
    assert "play Ally: Oracle" not in t.legal()
    t = Table(["Ally: Oracle", "Any Character: God Of Mischief", "Superman: Heat Vision"])
    t.do("play Ally: Oracle").may("by Batman").do("at Joker").may("take it")
    assert t.s.play.kind == t.kind(0, "Superman: Heat Vision")  # nobody asks which


def test_cb_the_thief_needs_the_rating():
    for version, offered in (("Black Cat (PS)", True), ("Black Cat (IQ)", False)):  # 7 and 6 in Fighting
        t = Table(["Black Cat: Cat Burglar", "Fighting 5"], placed1={"Batman": ["Flying Kick"]},
                  team0=villains(version), team1=HEROES)  # fmt: skip
        assert ("play Black Cat: Cat Burglar" in t.legal()) == offered


def test_cb_events_that_raise_universe_bonuses_raise_that_of_a_stolen_card():
    for name, value in (("Otherworldly Plot", 8), ("Chaos At Gamma Base", 7)):
        t = fight(event(name, ["Black Cat: Cat Burglar", "Fighting 5"], team0=villains("Black Cat (PS)"), team1=HEROES,
                        placed1={"Batman": ["Flying Kick"]}))  # fmt: skip
        t.do("play Black Cat: Cat Burglar", "play Fighting 5").may("by Black Cat").do("at Superman")
        assert t.s.attack.value == value


def test_er_any_power_is_not_intellect():
    t = Table(
        ["Lex Luthor: Power Hungry"],
        team0=villains("Lex Luthor (BS)"),
        team1=HEROES,
        more0=["Any-Power 6", "Intellect 6"],
    )
    t.do("play Lex Luthor: Power Hungry")
    assert "fetch Any-Power 6" in t.legal()
    assert "fetch Intellect 6" not in t.legal()


def test_bq2_brings_nothing_that_its_player_could_not_play():
    card = "Two-Face: Law And Disorder"
    t = Table([card, "Fighting 5"], team0=("Two-Face (BS)", "Joker (BS)", "Bane (BS)", "Catwoman (BS)"), team1=HEROES,
              more0=["Joker: Joker Venom", "Two-Face: .45 Automatic", "Two-Face: Tommy Gun"])  # fmt: skip
    for name in ("Joker: Joker Venom", "Two-Face: .45 Automatic", "Two-Face: Tommy Gun"):
        bury(t, 0, name)
    t.do(f"play {card}")
    assert set(t.legal()) == {"fetch Two-Face: .45 Automatic", "fetch Two-Face: Tommy Gun"}
    t.do("fetch Two-Face: .45 Automatic")
    assert t.decision == phases.TARGET


@pytest.mark.parametrize("is_barred", [False, True])
def test_bq2_brings_no_universe_card_where_none_may_be_played_from_the_hand(is_barred):
    """CO, whose player has brought that about before."""
    card, bar = "Scarlet Spider: Arachnid Gizmos", "Invisible Woman: Invisible Saboteur"
    t = Table([card, "Strength 3"], [bar], team0=heroes("Scarlet Spider (IQ)"), team1=villains("Invisible Woman (IQ)"),
              more0=[TEAMWORK], turn=1)  # fmt: skip
    bury(t, 0, TEAMWORK)
    t.do(f"play {bar}" if is_barred else "pass").may("take it")
    t.do(f"play {card}").may("take it", "at Joker")
    assert (TEAMWORK in t.dead(0)) is is_barred
    assert TEAMWORK not in t.hand(0)  # played, or not brought


# ---------------------------------------------------------------- Teamwork cards and what follows them

TEAMWORK = "Teamwork: 7F then SI +2 +2"


def led(hand1=(), team1=VILLAINS, **table):
    """Batman may lead, and Superman follow with Strength 7."""
    return Table([TEAMWORK, "Strength 7"], hand1, team1=team1, **table)


def test_ruling_93_what_follows_a_teamwork_card_belongs_to_its_attack():
    """AH2 and CD1 are about Universe cards: what follows one is kept off, or let through, with it."""
    for card, owner, at_whom in (
        ("Storm: Hurricane Winds", "Storm (OP)", False),
        ("Beast: Acrobatics", "Beast (OP)", True),
    ):
        t = led([card], (owner, *VILLAINS[:3]), turn=1)
        me = owner.partition(" (")[0]
        t.do(f"play {card}", f"play {TEAMWORK}").may("by Batman")
        assert (f"at {me}" in t.legal()) == at_whom
        t.do(next(name for name in t.legal() if name == "at Joker")).may("take it")
        t.may("play Strength 7")
        assert (f"at {me}" in t.legal()) == at_whom


def test_ruling_93_an_answer_to_universe_cards_is_one_to_what_follows_them():
    """AD13; it answers the Power card alone only where that does not follow a Teamwork card."""
    card = "Gambit: Intercept Object"
    t = (
        led([card], ("Gambit (IQ)", *VILLAINS[:3]))
        .do(f"play {TEAMWORK}")
        .may("by Batman")
        .do("at Joker")
        .may("take it")
    )
    t.do("at Gambit")
    assert t.legal() == ["take it", f"play {card}"]
    t = led([card], ("Gambit (IQ)", *VILLAINS[:3])).do("play Strength 7").may("by Superman").do("at Gambit")
    assert t.hits(1, "Gambit") == [("Strength 7", 7, True)]  # nobody was asked


def test_ruling_93_db_answers_the_teamwork_card_itself():
    card = "Catwoman: Prowling By Night"
    t = led([card], ("Catwoman (BS)", *VILLAINS[:3])).do(f"play {TEAMWORK}").may("by Batman").do("at Joker")
    assert f"play {card}" in t.legal()
    t.do("take it", "at Catwoman")
    assert t.hits(1, "Catwoman") == [("Strength 7", 7, True)]  # nobody was asked


def test_ruling_93_icons_of_what_follows_are_printed_on_a_teamwork_card():
    """BY discards it by any of them; and whom EX keeps from an icon does not follow a card that has it."""
    for card, owner, gone in (
        ("Comm. Gordon & G.C.P.D.: Sting Operation", "Comm. Gordon And The G.C.P.D. (BS)", True),  # Intellect
        ("Banshee: Shatter Shriek", "Banshee (PS)", True),  # Fighting
        ("Brood: Power Hungry Monsters", "Brood (IQ)", False),  # Energy
    ):
        t = Table([card], [TEAMWORK, "Strength 1"], team0=(owner, *VILLAINS[:3]), team1=HEROES, code_rule=False)
        t.do(f"play {card}").may("take it")
        assert (t.dead(1) == [TEAMWORK]) == gone
    t = Table(["Steel: Rivet Gun"], [TEAMWORK, "Strength 7"], team0=("Steel (BS)", *VILLAINS[:3]), team1=HEROES,
              code_rule=False)  # fmt: skip
    t.do("play Steel: Rivet Gun", "at Superman")
    assert f"play {TEAMWORK}" not in t.legal()  # nobody but Superman could follow
