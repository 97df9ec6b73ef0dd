"""What lasting effects of Specials mean for play, function by function."""

import numpy as np
import pytest
from overpower_scenario import HEROES, VILLAINS, Table, heroes, villains

from overworlds.envs.overpower import GAME, layout, phases


def attacks(t, card, by, at):
    """Attack alone, answering what is asked; undefended unless somebody can defend."""
    return t.do(f"play {card}").may(f"by {by}", "alone", f"at {at}")


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("card", "owner", "power", "value"),
    [
        ("Cyborg: Doom From Above", "Cyborg (BS)", "Energy 5", 7),  # AM1
        ("Metropolis S.C.U.: Paramilitary Training", "Metropolis S.C.U. (BS)", "Energy 5", 6),  # AM3
        ("Professor X: Telepathic Coordination", "Professor X (IQ)", "Energy 5", 7),  # BG
        ("Henry Pym: Goliath", "Henry Pym (IQ)", "Fighting 4", 7),  # EQ: two types better …
        ("Henry Pym: Goliath", "Henry Pym (IQ)", "Intellect 4", 2),  # … and one worse
        ("Batman: Magnesium Flare", "Batman (BS)", "Energy 2", 4),  # DM: one type
        ("Batman: Magnesium Flare", "Batman (BS)", "Fighting 5", 5),
    ],
)
def test_own_attacks_and_defences_change(card, owner, power, value):
    me = owner.rpartition(" (")[0]
    team = heroes(owner) if me != "Batman" else HEROES
    t = Table([card, power], team0=team, code_rule=False)
    attacks(t.do(f"play {card}").may("done").do("pass"), power, me, "Joker")
    assert t.s.attack.value == value
    t = Table([card, power], [f"Intellect {min(value, 7)}"], team0=team, code_rule=False)
    attacks(t.do(f"play {card}").may("done"), f"Intellect {min(value, 7)}", "Joker", me)
    assert t.decision == phases.DEFEND  # as much as is attacked can be blocked, too
    assert f"play {power}" in t.legal()


def test_am_eq_a_special_for_the_own_values_together_with_an_attack():
    for card, owner, power, value in (
        ("Cyborg: Doom From Above", "Cyborg (BS)", "Energy 5", 7),
        ("Wolverine: Savage Regression", "Wolverine (IQ)", "Strength 5", 7),
    ):
        me = owner.rpartition(" (")[0]
        t = Table([card, power, "Nerve Pinch", "Fighting 7"], team0=heroes(owner), code_rule=False)
        t.do(f"play {card}")
        assert t.decision == phases.FOLLOW  # the user's attack, without Universe cards
        t.do(f"play {power}", "at Joker")
        assert t.s.play.user == t.who(0, me)
        assert t.s.attack.value == value
        assert t.to_move == 1


def test_am_a_special_for_the_own_values_as_part_of_a_defence():
    t = Table(["Azrael: Divine Inspiration", "Fighting 5", "Fighting 4"], ["Intellect 7", "Intellect 6"],
              team0=heroes("Azrael (BS)"), turn=1)  # fmt: skip
    t.do("play Intellect 7", "at Azrael")
    assert t.legal() == ["take it", "play Azrael: Divine Inspiration"]
    t.do("play Azrael: Divine Inspiration")
    assert t.pack(0) == ["Fighting 5"]  # 5 + 2
    assert t.hits(0, "Azrael") == []
    t.do("pass", "play Intellect 6", "by Joker", "at Azrael")
    assert t.legal() == ["take it", "play Fighting 4"]  # it lasts
    t = Table(["Doc Samson: Cautious Advisor", "Fighting 5"], ["Intellect 7"], team0=heroes("Doc Samson (MC)"), turn=1)
    t.do("play Intellect 7", "at Batman", "play Doc Samson: Cautious Advisor")
    assert t.hits(0, "Batman") == []


def test_bh_the_whole_team_defends_better():
    t = Table(["Invisible Woman: Bubble Shield", "Fighting 5"], ["Intellect 7"], team0=heroes("Invisible Woman (IQ)"))
    t.do("play Invisible Woman: Bubble Shield", "done", "play Intellect 7", "at Batman", "play Fighting 5")
    assert t.hits(0, "Batman") == []


@pytest.mark.parametrize(
    ("card", "owner", "target", "value"),
    [
        ("Comm. Gordon & G.C.P.D.: Tear Gas Guns", "Comm. Gordon And The G.C.P.D. (BS)", "Batman", 5),  # CM1
        ("Black Cat: Feline Fortune", "Black Cat (IQ)", "Black Cat", 4),  # CM2
        ("Black Cat: Feline Fortune", "Black Cat (IQ)", "Batman", 6),  # only attacks on the user
        ("Juggernaut: Magic Helm", "Juggernaut (IQ)", "Juggernaut", 3),  # CM3
    ],
)
def test_enemy_attacks_are_weaker(card, owner, target, value):
    t = Table([card], ["Intellect 6"], team0=heroes(owner), code_rule=False)
    attacks(t.do(f"play {card}"), "Intellect 6", "Joker", target)
    assert t.s.attack.value == value


def test_am5_and_jh_a_target_defends_worse():
    t = Table(["Any Character: Unlucky At Love", "Fighting 5"], ["Intellect 6", "Intellect 7"])
    t.do("play Any Character: Unlucky At Love").may("by Batman").do("at Joker", "pass")
    attacks(t, "Fighting 5", "Batman", "Joker")
    assert t.legal() == ["take it", "play Intellect 7"]  # 7 - 2
    t = Table(
        ["Black Canary: Opening Flower Discipline", "Fighting 5"], ["Intellect 6"], team0=heroes("Black Canary (JL)")
    )
    t.do("play Black Canary: Opening Flower Discipline", "at Joker", "take it", "pass")
    attacks(t, "Fighting 5", "Batman", "Joker")
    assert ("Fighting 5", 5, True) in t.hits(1, "Joker")


# ---------------------------------------------------------------- who may attack whom, with what


@pytest.mark.parametrize(
    ("card", "owner", "open_", "closed"),
    [
        ("Beast: Acrobatics", "Beast (IQ)", None, "Energy 6"),  # CD1: Universe cards only
        ("Black Cat: Feline Fury", "Black Cat (IQ)", "Fighting 6", "Energy 6"),  # CD2: one type only
        ("Doctor Doom: Energy Dampening Field", "Doctor Doom (IQ)", "Fighting 6", "Energy 6"),  # AH1
        ("Ray: Energy Shield", "The Ray (JL)", "Fighting 6", "Energy 6"),  # AH3
        ("Comm. Gordon & G.C.P.D.: Riot Gear", "Comm. Gordon And The G.C.P.D. (BS)", "Fighting 6", "Energy 6"),  # AH4
        ("Mister Miracle: Super-Escape Artist", "Mister Miracle (JL)", "Fighting 6", "Magneto: Power Flux"),  # AH5
        ("Brood: Insectoid Incursion", "Brood (IQ)", "Energy 6", "Fighting 6"),  # CN1
        ("Sentinels: Reaction Program", "Sentinels (IQ)", "Magneto: Power Flux", "Fighting 6"),  # CN3
        ("Gambit: Charm", "Gambit (IQ)", None, "Fighting 6"),  # BJ1
    ],
)
def test_some_attacks_do_not_reach_a_character(card, owner, open_, closed):
    me = owner.rpartition(" (")[0]
    enemies = ("Magneto (IQ)", "Sabretooth (IQ)", "Hulk (IQ)", "Catwoman (BS)")
    for attack, reaches in ((open_, True), (closed, False)):
        if attack:
            t = Table([card], [attack], team0=heroes(owner), team1=enemies, code_rule=False)
            t.do(f"play {card}", f"play {attack}").may("by Magneto", "by Sabretooth", "alone")
            assert t.decision == phases.TARGET
            assert (f"at {me}" in t.legal()) == reaches


def test_ah6_some_attacks_do_not_reach_the_team():
    """On the turn or in answer to an attack, also one on a teammate."""
    card, attackers = "Booster Gold: Energy Absorption Field", ("Magneto (IQ)", *VILLAINS[:3])
    t = Table([card], ["Energy 6", "Energy 5", "Magneto: Power Flux", "Intellect 6"], team0=heroes("Booster Gold (JL)"),
              team1=attackers)  # fmt: skip
    t.do(f"play {card}")
    assert "play Energy 6" not in t.legal()
    assert {"play Magneto: Power Flux", "play Intellect 6"} <= set(t.legal())  # Power cards only, of Energy only
    t = Table(
        [card], ["Energy 6", "Intellect 6", "Energy 5"], team0=heroes("Booster Gold (JL)"), turn=1, team1=attackers
    )
    t.do("play Intellect 6", "by Magneto", "at Batman")
    assert t.hits(0, "Batman") == [("Intellect 6", 6, True)]  # nobody was asked
    t.do("pass", "play Energy 6").may("by Magneto").do("at Batman", f"play {card}")
    assert t.hits(0, "Batman") == [("Intellect 6", 6, True)]
    assert "play Energy 5" not in t.legal()  # and for the rest of the battle
    assert t.dead(0) == []


def test_cw_who_has_avoided_an_attack_so_is_not_attacked_any_more():
    """Only in answer to an attack, never on the turn."""
    card, enemies = "Blob: Absorb Impact", ("Magneto (IQ)", "Sabretooth (IQ)", "Hulk (IQ)", "Catwoman (BS)")
    t = Table([card], ["Fighting 6", "Fighting 5"], team0=heroes("Blob (IQ)"), team1=enemies, code_rule=False)
    assert f"play {card}" not in t.legal()
    t.do("pass", "play Fighting 6").may("by Sabretooth").do("at Blob", f"play {card}")
    assert t.hits(0, "Blob") == []
    t.do("pass", "play Fighting 5").may("by Sabretooth")
    assert "at Blob" not in t.legal()


def test_fa_dz_eh_neither_attacks_nor_attacked():
    t = Table(["Mister Miracle: Oberon", "Intellect 7"], ["Intellect 5"], team0=heroes("Mister Miracle (JL)"))
    t.do("play Mister Miracle: Oberon", "play Intellect 5", "by Joker")
    assert "at Mister Miracle" not in t.legal()
    t.do("at Superman", "play Intellect 7")
    assert t.s.play.user == t.who(0, "Batman")  # though Mister Miracle is rated 7, too
    t = Table(["Nightcrawler: Trick Transport", "Fighting 7"], ["Intellect 7"], team0=heroes("Nightcrawler (IQ)"))
    t.do("play Nightcrawler: Trick Transport", "at Joker")
    assert "play Intellect 7" not in t.legal()
    t.do("pass", "play Fighting 7").may("by Batman")
    assert t.legal() == ["at Bane", "at Two-Face"]
    t = Table(["Quicksilver: Hit And Run", "Energy 6"], ["Intellect 5"], team0=heroes("Quicksilver (IQ)"))
    t.do("play Quicksilver: Hit And Run", "at Bane").may("take it").do("play Intellect 5", "by Joker")
    assert "at Quicksilver" not in t.legal()


def test_ax_bm_eo_as_who_may_not_attack():
    t = Table(
        ["Banshee: Vocal Hypnosis", "Energy 7"], ["Intellect 7"], team0=("Banshee (IQ)", *HEROES[2:], "Batman (BS)")
    )
    t.do("play Banshee: Vocal Hypnosis", "at Joker")
    assert "play Intellect 7" not in t.legal()
    assert "play Energy 7" not in t.do("pass").legal()  # only Banshee could
    t = Table(["Joker: Joker Venom"], ["Fighting 7"], team0=villains(), team1=HEROES)
    t.do("play Joker: Joker Venom", "at Batman", "take it")
    assert "play Fighting 7" not in t.legal()
    t = Table(["Hazard: Telekinetic Fist", "Energy 7"], ["Fighting 7"], team0=villains("Hazard (BS)"), team1=HEROES)
    t.do("play Hazard: Telekinetic Fist", "at Batman").may("take it")
    assert "play Fighting 7" not in t.legal()
    assert "play Energy 7" not in t.do("pass").legal()
    t = Table(
        ["Banshee: Super Scream", "Energy 7"], ["Intellect 7"], team0=("Banshee (IQ)", *HEROES[2:], "Batman (BS)")
    )
    t.do("play Banshee: Super Scream", "at Joker").may("take it")
    assert "play Energy 7" not in t.do("pass").legal()


def test_az_a_truce_until_it_is_broken():
    t = Table(["Martian Manhunter: Malleable Form", "Strength 7"], ["Intellect 7", "Intellect 5"],
              team0=heroes("Martian Manhunter (JL)"))  # fmt: skip
    t.do("play Martian Manhunter: Malleable Form", "at Joker", "play Intellect 7")
    assert t.legal() == ["at Batman", "at Superman"]
    t.do("at Batman").may("take it").do(
        "play Strength 7", "by Martian Manhunter", "at Joker", "play Intellect 5", "by Joker"
    )
    assert "at Martian Manhunter" in t.legal()


# ---------------------------------------------------------------- cards that may not be used


@pytest.mark.parametrize(
    ("card", "owner", "choices", "gone", "stays"),
    [
        (
            "Apocalypse: Genetic Engineering",
            "Apocalypse (IQ)",
            ("at Joker", "as Intellect"),
            "Intellect 7",
            "Fighting 5",
        ),
        ("Omega Red: Secrete Pheromones", "Omega Red (IQ)", ("at Joker", "as Intellect"), "Intellect 7", "Fighting 5"),
        ("Steel: Rivet Gun", "Steel (BS)", ("at Bane",), "Fighting 6", "Strength 6"),  # EX; Two-Face is in Reserve
        ("Superboy: Dubbilex", "Superboy (BS)", (), "Intellect 7", "Fighting 5"),  # EY
        ("Forge: The Neutralizer", "Forge (IQ)", ("at Joker",), "Joker: Acid Spray Flower", "Intellect 7"),  # GA
        ("Black Widow: Combat Gymnast", "Black Widow (IQ)", ("at Bane", "take it"), "Fighting 6", "Strength 6"),  # EL
        ("Blob: Flabby Fighter", "Blob (IQ)", (), None, "Fighting 6"),  # HE1: nobody is rated 7
    ],
)
def test_cards_that_may_not_be_used(card, owner, choices, gone, stays):
    team = ("Joker (BS)", "Bane (BS)", "Catwoman (BS)", "Two-Face (BS)") if gone != "Fighting 6" else (
        "Joker (BS)", "Bane (BS)", "Metallo (BS)", "Two-Face (BS)")  # fmt: skip
    t = Table([card], [name for name in (gone, stays) if name], team0=heroes(owner), team1=team, code_rule=False)
    t.do(f"play {card}").may(*choices)
    assert t.to_move == 1
    assert t.decision == phases.TURN
    assert gone is None or f"play {gone}" not in t.legal()
    assert f"play {stays}" in t.legal()


def test_he1_the_best_may_not_attack_with_that_icon():
    t = Table(["Blob: Flabby Fighter"], ["Fighting 7", "Fighting 6"], team0=heroes("Blob (IQ)"), team1=HEROES)
    t.do("play Blob: Flabby Fighter")
    assert "play Fighting 7" not in t.legal()
    t.do("play Fighting 6")
    assert t.s.play.user == t.who(1, "Robin")  # rated 6; Batman, rated 7, may not


def test_da_a_type_that_may_not_defend():
    t = Table(
        ["Dr. Strange: Mists Of Morpheus", "Energy 5"], ["Intellect 7", "Fighting 5"], team0=heroes("Dr. Strange (IQ)")
    )
    t.do("play Dr. Strange: Mists Of Morpheus", "at Joker", "as Intellect", "pass")
    attacks(t, "Energy 5", "Dr. Strange", "Joker")
    assert t.legal() == ["take it", "play Fighting 5"]


# ---------------------------------------------------------------- knock-outs and the Venture


@pytest.mark.parametrize(
    ("card", "owner", "hits", "attack", "falls"),
    [
        ("Brood: Pestilent Horde", "Brood (IQ)", ["Intellect 7", "Intellect 7"], "Intellect 7", False),  # BF: 30
        (
            "Eradicator: Self Healing",
            "Eradicator (BS)",
            ["Intellect 7", "Intellect 7"],
            "Intellect 7",
            False,
        ),  # DQ1: 22
        (
            "Eradicator: Self Healing",
            "Eradicator (BS)",
            ["Intellect 7", "Intellect 7", "Intellect 1"],
            "Intellect 7",
            True,
        ),
        ("Strong Guy: Pile It On", "Strong Guy (IQ)", ["Energy 1", "Fighting 1"], "Intellect 1", False),  # CG
        ("Vision: Android Endurance", "Vision (IQ)", ["Intellect 7", "Intellect 7"], "Intellect 7", False),  # EK
        ("Vision: Android Endurance", "Vision (IQ)", ["Energy 1", "Fighting 1"], "Intellect 1", True),  # the other KO
    ],
)
def test_knock_out_limits_of_the_user(card, owner, hits, attack, falls):
    me = owner.rpartition(" (")[0]
    t = Table([card], [attack], team0=heroes(owner), more1=hits, code_rule=False)
    for name in hits:
        t.hit(0, me, name)
    attacks(t.do(f"play {card}"), attack, "Joker", me).may("take it")
    assert (me not in t.alive(0)) == falls


def test_dq_lower_limits_for_enemies_knock_out_at_once():
    t = Table(["Doctor Polaris: Black Hole Force Beam"], team0=villains("Doctor Polaris (JL)"), team1=HEROES,
              more0=["Intellect 7", "Energy 6", "Energy 5"], code_rule=False)  # fmt: skip
    t.hit(1, "Batman", "Intellect 7")
    t.hit(1, "Batman", "Energy 6")
    t.hit(1, "Batman", "Energy 5")
    t.do("play Doctor Polaris: Black Hole Force Beam", "at Batman").may("take it")
    assert "Batman" not in t.alive(1)  # 18, and his limit is 15
    t = Table(["Ra's Al Ghul: The Clench"], team0=villains("Ra's Al Ghul (BS)"), team1=HEROES,
              more0=["Intellect 7", "Intellect 5", "Intellect 5"])  # fmt: skip
    for name in ("Intellect 7", "Intellect 5", "Intellect 5"):
        t.hit(1, "Robin", name)
    t.do("play Ra's Al Ghul: The Clench")
    assert "Robin" not in t.alive(1)  # 17


def test_jf_any_power_hits_become_of_a_type():
    t = Table(
        ["Green Lantern: Let's Get Medieval!"], team0=heroes("Green Lantern (JL)"), more0=["Any-Power 6", "Energy 1"]
    )
    for name in ("Any-Power 6", "Energy 1", "Fighting 1"):
        t.hit(1, "Joker", name)
    assert "Joker" in t.alive(1)
    t.do("play Green Lantern: Let's Get Medieval!", "at Joker")
    assert "Joker" not in t.alive(1)


def test_jl_no_hit_of_this_battle_stays():
    t = Table(["Parallax: Zero Hour", "Energy 7"], ["Fighting 6"], team0=villains("Parallax (JL)"), team1=HEROES)
    t.do("play Parallax: Zero Hour", "pass", "play Energy 7", "at Batman", "pass", "pass")
    assert t.s.hits_n == 0
    assert t.s.first == 0  # it counted for the battle


@pytest.mark.parametrize(
    ("card", "owner", "attack", "totals"),
    [
        ("Black Widow: Champion", "Black Widow (IQ)", "Black Widow: Widow's Bite", (8, 0)),  # CQ
        ("Mr. Sinister: Power Scheme", "Mr. Sinister (IQ)", None, (0, 0)),  # BT
        ("Doctor Doom: Villainous Plot", "Doctor Doom (IQ)", None, (0, 1)),  # AW1
        ("Any Character: God Of Mischief", "Batman (BS)", None, (0, 4)),  # AF2
    ],
)
def test_venture_totals_change(card, owner, attack, totals):
    me = owner.rpartition(" (")[0]
    t = Table([card, *([attack] if attack else [])], team0=heroes(owner) if me != "Batman" else HEROES,
              more1=["Energy 4", "Energy 3"], team1=("Magneto (IQ)", "Bane (BS)", "Two-Face (BS)", "Catwoman (BS)"),
              code_rule=False)  # fmt: skip
    for name in ("Energy 4", "Energy 3"):
        t.hit(0, "Batman", name, current=True) if not attack else None
    t.do(f"play {card}").may("by Batman")
    if attack:
        t.do("pass")
        attacks(t, attack, me, "Bane").may("done", "take it")
    assert (t.total(0), t.total(1)) == totals


def test_bt_a_multipower_hit_is_of_no_single_type_and_still_counts():
    t = Table(["Mr. Sinister: Power Scheme"], team0=heroes("Mr. Sinister (IQ)"), more1=["Energy 4", "MultiPower 3"],
              team1=("Magneto (IQ)", "Bane (BS)", "Two-Face (BS)", "Catwoman (BS)"))  # fmt: skip
    for name in ("Energy 4", "MultiPower 3"):
        t.hit(0, "Batman", name, current=True)
    t.do("play Mr. Sinister: Power Scheme")
    assert t.total(1) == 3


def test_ho_a_hit_that_costs_the_enemy_points():
    t = Table(["Blue Beetle: Bwah-Ha-Ha-Ha!"], team0=heroes("Blue Beetle (JL)"), more1=["Intellect 7"])
    t.hit(0, "Batman", "Intellect 7", current=True)
    t.do("play Blue Beetle: Bwah-Ha-Ha-Ha!", "at Joker").may("take it")
    assert (t.total(0), t.total(1)) == (6 + 2, 7 - 4)  # his inherent ability adds 2


# ---------------------------------------------------------------- ratings, places, information


def test_ez_ratings_of_the_next_battle_and_ay3_of_the_game():
    t = Table(["Hawkman: Katar Blade"], team0=heroes("Hawkman (JL)"))
    t.do("play Hawkman: Katar Blade")
    assert t.s.players[0].grid[0].tolist() == [4, 6, 6, 4]
    t.do("pass", "pass")
    assert t.s.players[0].grid[0].tolist() == [7, 7, 6, 4]
    while t.s.battle == 2:
        t.do(
            next(
                n
                for n in t.legal()
                if n in ("done", "fight", "pass") or "venture 1 from Reserve, 0" in n or "keep" in n
            )
        )
    assert t.s.players[0].grid[0].tolist() == [4, 6, 6, 4]
    t = Table(["Captain Marvel: Speed Of Mercury"], team0=heroes("Captain Marvel (JL)"))
    t.do("play Captain Marvel: Speed Of Mercury", "pass", "pass")
    assert t.s.players[0].grid[0].tolist() == [5, 7, 7, 2]


def test_bz_the_enemys_hand_is_seen():
    t = Table(["Doc Samson: Psychoanalyze"], ["Intellect 7"], team0=heroes("Doc Samson (MC)"))
    out = np.zeros(t.variant.observation_size, np.int8)

    def seen():
        GAME.kernels.observe(t.variant.rules, t.state, 0, out)
        names = [part.name for part in layout.observation_parts()]
        at = sum(part.size for part in layout.observation_parts()[: names.index("foe_cards")])
        return out[at + t.kind(1, "Intellect 7") * layout.CARD]

    assert seen() == 0
    t.do("play Doc Samson: Psychoanalyze")
    assert seen() == 1
