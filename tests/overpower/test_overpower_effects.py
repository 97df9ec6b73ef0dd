"""What lasting effects, inherent abilities and Events mean for play."""

import pytest
from overpower_scenario import HEROES, VILLAINS, Table, heroes
from test_overpower_events import PLAYED

from overworlds.envs.overpower import icons, ops, phases
from overworlds.envs.overpower.cards import cards, characters
from overworlds.envs.overpower.state import PLACED
from overworlds.envs.overpower.words import compile_program

# ---------------------------------------------------------------- lasting effects of Specials


def test_a_character_who_may_not_attack_still_defends():
    t = Table(["Intellect 6"], ["Brainiac: Mental Control"], team1=("Brainiac (BS)", *VILLAINS[:3]), turn=1)
    t.do("play Brainiac: Mental Control", "at Batman", "play Intellect 6")
    assert t.s.play.user == t.who(0, "Robin")  # the only one left who can: Batman may not


def test_a_special_without_a_number_is_avoided_by_avoiding_specials_only():
    t = Table(["Fighting 7", "Spider-Man: Wall Crawl"], ["Brainiac: Mental Control"],
              team0=heroes("Spider-Man (IQ)"), team1=("Brainiac (BS)", *VILLAINS[:3]), turn=1)  # fmt: skip
    t.do("play Brainiac: Mental Control", "at Spider-Man")
    assert t.legal() == ["take it", "play Spider-Man: Wall Crawl"]
    t.do("play Spider-Man: Wall Crawl")
    assert t.s.effects_n == 0
    assert t.dead(1) == ["Brainiac: Mental Control"]


def test_battle_effects_end_with_the_battle_and_their_card_goes_to_the_dead_pile():
    t = Table([], ["Brainiac: Mental Control"], team1=("Brainiac (BS)", *VILLAINS[:3]), turn=1)
    t.do("play Brainiac: Mental Control", "at Batman")
    assert t.s.effects_n == 1
    assert t.dead(1) == []  # it lies on the table
    t.do("pass", "pass")
    assert t.s.effects_n == 0
    assert t.dead(1) == ["Brainiac: Mental Control"]


def test_defence_bonus():
    team = heroes("Azrael (BS)")
    t = Table(["Azrael: Divine Inspiration", "Fighting 5"], ["Intellect 7"], team0=team)
    t.do("play Azrael: Divine Inspiration", "play Intellect 7", "at Azrael", "play Fighting 5")  # 5 + 2
    assert t.hits(0, "Azrael") == []


def test_no_attacks_with_universe_cards_on_a_protected_character():
    t = Table(
        ["Fighting 5", "Flying Kick"], ["Catwoman: Cat-Like Reflexes"], team1=("Catwoman (BS)", *VILLAINS[:3]), turn=1
    )
    t.do("play Catwoman: Cat-Like Reflexes", "play Fighting 5", "by Batman", "play Flying Kick: 7 Fighting +2")
    assert t.legal() == ["at Joker", "at Bane"]


def test_power_cards_of_a_type_barred_from_attacking():
    t = Table(["Batman: The Dark Knight"], ["Intellect 7", "Intellect 5", "Fighting 6"])
    t.do("play Batman: The Dark Knight")
    legal = t.legal()
    barred = [name for name in ("play Intellect 7", "play Fighting 6") if name not in legal]
    assert len(barred) == 1  # only the high cards of one type
    assert "play Intellect 5" in legal


def test_a_rating_is_raised_for_the_battle():
    team = (*VILLAINS[:3], "Sabretooth (IQ)")  # who could use the 8, but is in Reserve
    t = Table([], ["Bane: Enhanced Physique", "Fighting 8"], team1=team, turn=1)
    assert "play Fighting 8" not in t.legal()
    t.do("play Bane: Enhanced Physique", "pass")
    assert "play Fighting 8" in t.legal()


def test_barred_icons_may_not_defend():
    team = ("Two-Face (BS)", "Joker (BS)", "Bane (BS)", "Catwoman (BS)")
    t = Table(["Strength 7", "Energy 7"], ["Two-Face: .45 Automatic"], team1=team, turn=1)
    row = next(r for r in compile_program(cards()["Two-Face: .45 Automatic"].effect, "") if r["op"] == ops.BARRED)
    t.do("play Two-Face: .45 Automatic", "at Superman")
    for icon, name in ((icons.STRENGTH, "play Strength 7"), (icons.ENERGY, "play Energy 7")):
        assert (name in t.legal()) == (not row["icons"] & icon)


def test_only_specials_defend_against_a_martial_arts_expert():
    t = Table(["Batman: Martial Arts Expert"], ["Intellect 7", "Joker: Keys To The Kingdom"])
    t.do("play Batman: Martial Arts Expert", "at Joker")
    assert t.legal() == ["take it", "play Joker: Keys To The Kingdom"]


def test_shifting_moves_the_attack_and_the_new_target_may_defend():
    t = Table(["Intellect 7"], ["Joker: Double Cross", "Strength 6"])
    t.do("play Intellect 7", "by Batman", "at Joker", "play Joker: Double Cross")
    t.do("by Bane")
    assert t.decision == phases.TURN  # Strength 6 is not enough for Bane
    assert t.hits(1, "Joker") == []
    assert t.hits(1, "Bane") == [("Intellect 7", 7, True)]


def test_negating_a_special_stops_its_extra_attacks():
    team = ("Scarlet Witch (IQ)", *VILLAINS[:3])
    t = Table(["Batman: Batarang", "Fighting 7"], ["Scarlet Witch: Change Outcome"], team1=team)
    t.do("play Batman: Batarang", "at Joker", "play Scarlet Witch: Change Outcome")
    assert t.to_move == 1
    assert t.decision == phases.TURN
    assert t.dead(0) == ["Batman: Batarang"]


def test_a_defended_attack_may_still_be_followed_up():
    t = Table(["Batman: Batarang", "Fighting 7"], ["Intellect 7"])
    t.do("play Batman: Batarang", "at Joker", "play Intellect 7")
    assert t.decision == phases.FOLLOW


def test_a_power_attack_is_returned():
    name = next(c.name for c in cards().values() if c.function == "BS" and c.effect)
    owner = next(c for c in characters().values() if c.character == cards()[name].owner and c.grid[1] >= 5)
    t = Table(["Fighting 5"], [name, "Fighting 5"], team1=(owner.name, *VILLAINS[:3]), turn=1, code_rule=False)
    me = owner.name.rpartition(" (")[0]
    t.do(f"play {name}", "play Fighting 5", "by Batman", f"at {me}", "play Fighting 5")
    assert t.hits(0, "Batman") == [("Fighting 5", 5, True)]
    assert t.hits(1, me) == []


def test_more_places():
    name = next(c.name for c in cards().values() if c.function == "HH" and c.effect)
    owner = next(c for c in characters().values() if c.character == cards()[name].owner and c.is_implemented)
    me = owner.name.rpartition(" (")[0]
    specials = [c.name for c in cards().values() if c.owner == owner.character and c.effect and c.name != name][:2]
    hand = [*specials, *["Fighting 1"] * 6]
    t = Table([name], team0=heroes(owner.name), more0=hand, more1=["Fighting 1"] * 8, code_rule=False)
    t.do(f"play {name}")
    t.stack(0, hand)
    t.stack(1, ["Fighting 1"] * 8)
    t.do("pass", "pass")
    t.do(f"place {specials[0]} on {me}")
    while t.to_move == 1:
        t.do("done")
    assert f"place {specials[1]} on {me}" in t.legal()


def test_a_quiver_holds_all_arrows():
    """A Power card, a Universe card, and every Special that may be placed on Hawkeye at all: nothing else is left."""
    quiver, last = "Hawkeye: Quiver Of Arrows", ["Any Character: Savage Land", "Hawkeye: Quiver Of Arrows"]
    arrows = [c.name for c in cards().values() if c.owner == "Hawkeye" and c.name != quiver]
    t = Table([quiver], team0=heroes("Hawkeye (MC)"), placed0={"Hawkeye": ["Fighting 7", "Flying Kick", *arrows]},
              more0=[*last, *["Fighting 1"] * 6], more1=["Fighting 1"] * 8, code_rule=False)  # fmt: skip
    t.do(f"play {quiver}").next_battle([*last, *["Fighting 1"] * 6], ["Fighting 1"] * 8)
    for name in last:
        t.do(f"place {name} on Hawkeye")
        while t.to_move == 1:
            t.do("done")
    assert len(t.placed(0, "Hawkeye")) == len(arrows) + 4 == PLACED


# ---------------------------------------------------------------- inherent abilities (rule 73)


def named(character):
    """The Special that an inherent ability names, if it names one."""
    title = character.inherent.partition(" named:")[2].lower()
    own = (card for card in cards().values() if card.owner == character.character)
    return next(card for card in own if card.name.lower().endswith(title))


def gifted():
    """Those with an inherent ability, but for those that concern a Special not implemented yet."""
    return [c for c in characters().values() if c.inherent and ("named:" not in c.inherent or named(c).effect)]


@pytest.mark.parametrize("character", gifted(), ids=lambda c: c.name)
def test_rule_7_73_every_inherent_ability_is_in_play(character):
    clause, _, title = character.inherent.partition(" named:")
    row = compile_program(clause, "")[0]
    if title:
        card = named(character)
        t = Table([card.name], team0=(*heroes()[:3], character.name), code_rule=False)
        kind = t.kind(0, card.name)
        d = rules_of(t).decks[0]
        if row["op"] == ops.KEEP_DUPLICATES:
            assert d.keep[kind] == 8
        else:
            assert d.timing[kind] & 16
        return
    t = Table(team0=heroes(character.name), code_rule=False)
    effects = [e for e in t.s.effects[: t.s.effects_n] if e.op == row["op"] and e.by_side == 0 and e.by == 0]
    assert len(effects) == 1
    assert effects[0].amount == row["amount"]


def rules_of(t):
    from overworlds.envs.overpower.state import RULES

    return t.variant.rules.view(RULES)[0]


def test_inherent_attack_bonus_counts_in_the_attack_only():
    t = Table(["Strength 5"], ["Strength 5", "Strength 6"], team0=heroes("Hobgoblin (IQ)"))
    t.do("play Strength 5", "by Hobgoblin", "at Bane")
    assert t.legal() == ["take it", "play Strength 6"]  # 5 + 1
    t.do("take it")
    assert t.total(0) == 5


def test_inherent_defence_bonus():
    t = Table(["Energy 4"], ["Intellect 6"], team0=heroes("Domino (IQ)"), turn=1)
    t.do("play Intellect 6", "by Joker", "at Domino")
    assert "play Energy 4" in t.legal()  # 4 + 2


def test_inherent_ko_at_thirty():
    t = Table(
        [], ["Intellect 7"], team0=heroes("Morbius (IQ)"), more1=["Intellect 7", "Intellect 6", "Intellect 5"], turn=1
    )
    for card in ("Intellect 7", "Intellect 6", "Intellect 5"):
        t.hit(0, "Morbius", card)
    t.do("play Intellect 7", "at Morbius")
    assert "Morbius" in t.alive(0)  # 25


def test_inherent_hits_left_out_of_the_count():
    t = Table([], ["Strength 6"], team0=heroes("Colossus (IQ)"), more1=["Strength 6"] * 3, turn=1)
    for _ in range(3):
        t.hit(0, "Colossus", "Strength 6")
    t.do("play Strength 6", "at Colossus")
    assert "Colossus" in t.alive(0)  # Strength Power cards do not count for his cumulative KO


def test_inherent_four_types_for_a_spectrum():
    t = Table([], ["Intellect 1"], team0=heroes("Ghost Rider (IQ)"), more1=["Energy 1", "Fighting 1"], turn=1)
    t.hit(0, "Ghost Rider", "Energy 1")
    t.hit(0, "Ghost Rider", "Fighting 1")
    t.do("play Intellect 1", "by Joker", "at Ghost Rider")
    assert "Ghost Rider" in t.alive(0)


def test_inherent_venture_bonus_and_its_end():
    t = Table(team0=heroes("Invisible Woman (IQ)"))
    assert t.total(0) == 2


def test_inherent_venture_at_a_ko():
    t = Table([], ["Intellect 7"], team0=heroes("Carnage (IQ)"), more1=["Intellect 7", "Intellect 6"], turn=1)
    t.hit(0, "Carnage", "Intellect 7")
    t.hit(0, "Carnage", "Intellect 6")
    t.do("play Intellect 7", "at Carnage")
    assert "Carnage" not in t.alive(0)
    assert t.total(0) == 5


def test_inherent_universe_bonus_of_the_team():
    t = Table(["Fighting 5", "Flying Kick"], ["Fighting 6"], team0=heroes("Forge (IQ)"))
    t.do("play Fighting 5", "by Batman", "play Flying Kick: 7 Fighting +2", "at Joker")
    assert t.s.attack.value == 8


def test_inherent_reach_to_the_reserve():
    t = Table(["Energy 3"], team0=heroes("Green Arrow (JL)"))
    t.do("play Energy 3", "by Green Arrow")
    assert "at Catwoman" in t.legal()


def test_inherent_teamwork_from_the_reserve():
    team = (*HEROES[:3], "Kingpin (IQ)")
    requirement = next(c for c in characters().values() if c.name == "Kingpin (IQ)").grid
    teamwork = "Teamwork: 6S then FI +1 +2" if requirement[2] >= 6 else "Teamwork: 6I then FS +1 +2"
    t = Table([teamwork, "Fighting 7"], team0=team)
    t.do(f"play {teamwork}")
    assert "by Kingpin" in t.legal() or t.s.play.user == 3


def test_inherent_allies_whatever_the_grid():
    t = Table(
        ["Ally: Oracle", "Superman: Heat Vision"],
        team0=("Black Canary (JL)", "Superman (BS)", "Steel (BS)", "Robin (BS)"),
    )
    t.do("play Ally: Oracle")
    assert t.s.play.user == 0  # Intellect 5, for a card that needs 7


def test_inherent_weakens_attacks_of_heroes():
    t = Table([], ["Fighting 4"], team1=("Parallax (JL)", *VILLAINS[:3]))
    assert [int(e.amount) for e in t.s.effects[: t.s.effects_n] if e.side == 0] == [-1]
    t = Table(["Fighting 5"], ["Fighting 4", "Intellect 4"], team1=("Parallax (JL)", *VILLAINS[:3]))
    t.do("play Fighting 5", "by Batman", "at Parallax")
    assert t.s.attack.value == 4


# ---------------------------------------------------------------- Events

EVENTS = [card for card in cards().values() if card.card_class == icons.EVENT and card.effect]
HAND = ["Energy 1", "Fighting 1", "Strength 1", "Intellect 1", "MultiPower 2", "Batman: Batarang", "Flying Kick"]


def test_the_scenarios_are_about_events_there_are():
    assert {card.name for card in EVENTS} >= PLAYED


@pytest.mark.parametrize("event", [card for card in EVENTS if card.name not in PLAYED], ids=lambda c: c.name)
def test_every_event(event):
    """The Event comes up, is carried out for both players, and leaves the game."""
    hand0, hand1 = [event.name, *HAND], ["Energy 1", "Fighting 1", "Strength 1", "Intellect 1", *["MultiPower 2"] * 4]
    t = Table(more0=hand0, more1=hand1, placed0={"Superman": ["Energy 7", "Nerve Pinch", "Superman: Heat Vision"]},
              placed1={"Joker": ["Intellect 7", "Blackout", "Joker: Double Cross"]},
              mission=event.mission, events=True)  # fmt: skip
    for side, on in ((0, "Batman"), (1, "Joker")):
        for name in ("Fighting 1", "Fighting 2"):
            t.hit(side, on, name)
        p = t.s.players[side]
        p.reserve, p.completed, p.defeated = 3, 2, 2
    placed, hits = (len(t.placed(0, "Superman")), len(t.placed(1, "Joker"))), int(t.s.hits_n)
    draw = [int(p.draw_n) for p in t.s.players]
    t.next_battle(hand0, hand1)
    assert event.name in t.removed(0)
    drawn = [draw[side] - int(t.s.players[side].draw_n) - (9 if side == 0 else 8) for side in range(2)]
    for row in compile_program(event.effect, ""):
        check_event(t, row, placed, hits, drawn)


def check_event(t, row, placed, hits, drawn):
    op = row["op"]
    if ops.FIRST_LASTING <= op <= ops.LAST_LASTING:
        assert sorted(int(e.side) for e in t.s.effects[: t.s.effects_n] if e.op == op) == [0, 1]
    elif op == ops.DISCARD_PLACED:
        left = (len(t.placed(0, "Superman")), len(t.placed(1, "Joker")))
        assert left == placed if row["multi"] else left[0] < placed[0] and left[1] < placed[1]
    elif op == ops.HEAL:
        assert (t.s.hits_n < hits) == bool(row["icons"] & icons.FIGHTING)
    elif op == ops.MISSION:
        assert t.missions(0) == ((5, 2, 0) if row["marks"] & 1 else (5, 0, 2))
    elif op in (ops.MILL, ops.DRAW):
        assert drawn == [2 if row["marks"] & 32 else 3] * 2
    elif op == ops.DISCARD_HAND:
        assert "MultiPower 2" not in t.hand(0) or not row["multi"]
    elif op == ops.RESERVE_FIGHTS:
        assert len(t.front(0)) == len(t.front(1)) == 4
    else:
        assert op == ops.SHUFFLE_ALL
        assert drawn[0] <= 0


def test_an_event_forbids_cards_in_this_battle():
    t = Table(["Intellect 6", "Fighting 6"], events=True, more0=["Event: 661216.01"])
    kind = t.kind(0, "Event: 661216.01")
    row = compile_program(t.decks[0].kinds[kind].effect, "")[0]
    assert row["types"] == icons.INTELLECT
    hand = ["Event: 661216.01", "Intellect 6", *["Fighting 1"] * 6]
    t = Table(more0=hand, more1=["Fighting 1"] * 8, events=True).next_battle(hand, ["Fighting 1"] * 8)
    while t.decision != phases.TURN or t.to_move != 0:
        t.do(next(n for n in t.legal() if n in ("done", "fight", "pass") or n.startswith("venture 1 from Reserve, 0")))
    assert "play Intellect 6" not in t.legal()


def test_the_visiting_reserve_goes_back():
    events = [c for c in EVENTS if c.effect == "reserve_fights both"]
    hand = [events[0].name, *["Fighting 1"] * 7]
    t = Table(more0=hand, more1=["Fighting 1"] * 8, events=True, mission=events[0].mission)
    t.next_battle(hand, ["Fighting 1"] * 8)
    assert len(t.front(0)) == 4
    while t.s.battle == 2:
        t.do(next(n for n in t.legal() if n in ("done", "fight", "pass") or n.startswith("venture 1 from Reserve, 0")))
    assert len(t.front(0)) == len(t.front(1)) == 3
