"""Every inherent ability is played with, and the table is looked at (rule 73)."""

import pytest
from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_effects import named

from overworlds.envs.overpower import icons, ops, phases
from overworlds.envs.overpower.cards import cards, characters
from overworlds.envs.overpower.words import compile_program

PURE = {icons.ENERGY: "Energy", icons.FIGHTING: "Fighting", icons.STRENGTH: "Strength", icons.INTELLECT: "Intellect"}
ENEMIES = ("Magneto (IQ)", "Sabretooth (IQ)", "Hulk (IQ)", "Doctor Doom (IQ)")  # rated 8 in something each
SMALL = ["Fighting 1"] * 8


def with_ability(op, **filters):
    """The characters whose ability is of this sort."""
    found = []
    for character in characters().values():
        if character.inherent:
            row = compile_program(character.inherent.partition(" named:")[0], "")[0]
            if row["op"] == op and all(row[key] == value for key, value in filters.items()):
                found.append(character)
    return found


def ability(character):
    """The clause of the ability."""
    return compile_program(character.inherent.partition(" named:")[0], "")[0]


def who(character):
    return character.name.rpartition(" (")[0]


def team(character, reserve=False):
    """He and three heroes; he first, or in Reserve."""
    mates = [name for name in HEROES if not name.startswith(f"{who(character)} (")][:3]
    return (*mates, character.name) if reserve else (character.name, *mates)


def table(character, *args, reserve=False, **more):
    return Table(*args, team0=team(character, reserve), code_rule=False, **more)


def for_each(found):
    return pytest.mark.parametrize("character", found, ids=lambda c: c.name)


def power(types, multi, value):
    """A Power card of these types."""
    return f"MultiPower {value}" if multi else f"{PURE[types]} {value}"


ABILITIES = {
    "from_reserve self class:special named:Android Endurance": ["Vision (IQ)"],
    "from_reserve self class:special named:Dynamite Delivery": ["Hawkeye (IQ)"],
    "from_reserve self class:special named:Fearless Leader": ["Cyclops (IQ)"],
    "from_reserve self class:special named:Pile It On": ["Strong Guy (IQ)"],
    "from_reserve self class:special named:Reap the Whirlwind": ["The Flash (JL)"],
    "from_reserve self class:special named:Speed of Mercury": ["Captain Marvel (JL)"],
    "from_reserve self class:special named:Telepathic Unity": ["Jean Grey (IQ)"],
    "from_reserve self class:teamwork": ["Kingpin (IQ)"],
    "from_reserve self class:teamwork type:F": ["Captain Atom (JL)", "Silver Sable (IQ)"],
    "ignore_grid self class:ally icon:I code:H": ["Black Canary (JL)"],
    "keep_duplicates self class:special named:Allies From The Deep": ["Aquaman (JL)"],
    "keep_duplicates self class:special named:Blinding Flare": ["Jubilee (IQ)"],
    "keep_duplicates self class:special named:Brood Spawn": ["Brood (IQ)"],
    "keep_duplicates self class:special named:Charge Object": ["Gambit (IQ)"],
    "keep_duplicates self class:special named:Ghostly Phase": ["Shadowcat (IQ)"],
    "keep_duplicates self class:special named:Public Defender": ["She Hulk (IQ)"],
    "keep_duplicates self class:special named:Snow Blind": ["Iceman (IQ)"],
    "ko_exclude self stat:cumulative class:power type:E": ["Human Torch (IQ)"],
    "ko_exclude self stat:cumulative class:power type:F": ["Punisher (IQ)"],
    "ko_exclude self stat:cumulative class:power type:I": ["Red Skull (IQ)"],
    "ko_exclude self stat:cumulative class:power type:S": ["Colossus (IQ)"],
    "ko_exclude self stat:spectrum class:power multi": ["Deadpool (IQ)"],
    "ko_exclude self stat:spectrum class:power type:E": ["Green Lantern (JL)", "Mysterio (IQ)"],
    "ko_exclude self stat:spectrum class:power type:F": ["Elektra (IQ)"],
    "ko_exclude self stat:spectrum class:power type:I": ["Morph (IQ)"],
    "ko_exclude self stat:spectrum class:power type:S": ["Blob (IQ)"],
    "ko_exclude self stat:spectrum class:special": ["Rogue (IQ)"],
    "ko_limit self 30": ["Morbius (IQ)"],
    "modify foe stat:attack -1 code:H versus_user": ["Parallax (JL)"],
    "modify self stat:attack 1 class:power multi": ["Mojo (IQ)"],
    "modify self stat:attack 1 class:power type:E": ["Spider-Woman (IQ)"],
    "modify self stat:attack 1 class:power type:F": ["Mystique (IQ)"],
    "modify self stat:attack 1 class:power type:I": ["Green Goblin (IQ)"],
    "modify self stat:attack 1 class:power type:S": ["Hobgoblin (IQ)"],
    "modify self stat:defence 1 class:power": ["Black Cat (IQ)", "Doctor Polaris (JL)"],
    "modify self stat:defence 2 class:power multi": ["Henry Pym (IQ)"],
    "modify self stat:defence 2 class:power type:E": ["Domino (IQ)"],
    "modify self stat:defence 2 class:power type:F": ["Mandarin (IQ)"],
    "modify self stat:defence 2 class:power type:I": ["Storm (IQ)"],
    "modify self stat:defence 3 class:power type:I": ["Booster Gold (JL)"],
    "on_ko_venture foe -5": ["Scarlet Witch (IQ)"],
    "on_ko_venture self 5": ["Carnage (IQ)"],
    "reach_reserve self class:power type:E": ["Green Arrow (JL)"],
    "spectrum_need self 4": ["Ghost Rider (IQ)", "Mister Miracle (JL)"],
    "universe_bonus mate class:training 1": ["Banshee (IQ)", "Martian Manhunter (JL)"],
    "universe_bonus self class:basic 2": ["Hawkman (JL)"],
    "universe_bonus team class:basic 1": ["Forge (IQ)"],
    "venture foe -2": ["Longshot (IQ)"],
    "venture self 2": ["Blue Beetle (JL)", "Invisible Woman (IQ)"],
}
"""Who has which ability, compared card by card: the scenarios below take their figures from the programs."""


def test_every_character_has_the_ability_of_the_card():
    found = {}
    for character in characters().values():
        if character.has_inherent:
            found.setdefault(character.inherent, []).append(character.name)
    assert found == ABILITIES


def test_every_ability_is_of_a_sort_that_is_played_here():
    sorts = {
        ops.KEEP_DUPLICATES, ops.FROM_RESERVE, ops.MODIFY, ops.KO_EXCLUDE, ops.SPECTRUM_NEED, ops.KO_LIMIT,
        ops.ON_KO_VENTURE, ops.VENTURE, ops.UNIVERSE_BONUS, ops.REACH_RESERVE, ops.IGNORE_GRID,
    }  # fmt: skip
    found = [c for c in characters().values() if c.has_inherent]
    assert len(found) == 55
    assert {ability(c)["op"] for c in found} == sorts


@for_each(with_ability(ops.KEEP_DUPLICATES))
def test_duplicates_of_one_special_are_kept(character):
    card = named(character)
    other = next(c for c in cards().values() if c.owner == card.owner and c != card and c.effect and not c.one_per_deck)
    hand = [card.name, card.name, other.name, other.name, *SMALL[:4]]
    t = table(character, more0=[*hand, *SMALL], more1=SMALL).next_battle(hand, SMALL)
    assert t.hand(0).count(card.name) == 2
    assert t.hand(0).count(other.name) == 1
    t = table(character, more0=[*hand, *SMALL], more1=SMALL)
    t.s.players[0].alive[0] = 0
    t.next_battle(hand, SMALL)
    assert t.hand(0).count(card.name) == 0  # nobody is left to play it


@for_each([c for c in with_ability(ops.FROM_RESERVE) if "named:" in c.inherent])
def test_one_special_is_played_from_reserve(character):
    card = named(character)
    others = [c.name for c in cards().values() if c.owner == card.owner and c != card and c.value and c.effect]
    t = table(character, [card.name, others[0]], placed1={"Joker": ["Intellect 7"]}, reserve=True)
    t.do(f"play {card.name}").may("at Joker")
    assert t.s.players[0].front[3] == 0
    assert card.name not in t.hand(0)
    t = table(character, others[:1], reserve=True)
    assert f"play {others[0]}" not in t.legal()


@for_each([c for c in with_ability(ops.FROM_RESERVE) if "named:" not in c.inherent])
def test_teamwork_is_played_from_reserve(character):
    row = ability(character)
    found = []
    for card in cards().values():
        if card.card_class == icons.TEAMWORK and card.requires <= character.grid[card.icons.bit_length() - 1]:
            t = table(character, [card.name, "Fighting 4", "Energy 4", "Strength 3", "Intellect 2"], reserve=True)
            t.may(f"play {card.name}")
            asked = t.decision == phases.USER and f"by {who(character)}" in t.legal()
            allowed = asked or (t.decision == phases.TARGET and t.s.play.user == 3)
            assert allowed == (row["types"] == 0 or row["types"] == card.icons), card.name
            found.append(allowed)
    assert any(found)


@for_each(with_ability(ops.MODIFY, scope=icons.SELF, stat=icons.ATTACK))
def test_some_power_cards_attack_better(character):
    row = ability(character)
    for card in (power(row["types"], row["multi"], 2), "Energy 2" if row["types"] != icons.ENERGY else "Strength 2"):
        t = table(character, [card])
        t.do(f"play {card}", f"by {who(character)}")
        while t.decision == phases.TYPE:
            t.do(t.legal()[0])
        t.do("at Joker")
        better = card == power(row["types"], row["multi"], 2)
        assert t.s.attack.value == 2 + (row["amount"] if better else 0)
        assert t.hits(1, "Joker") == [(card, 2, True)]


@for_each(with_ability(ops.MODIFY, scope=icons.SELF, stat=icons.DEFENCE))
def test_some_power_cards_defend_better(character):
    row = ability(character)
    card = power(row["types"] or icons.ENERGY, row["multi"], 2)
    others = ["Energy 2", "Fighting 2", "Strength 2", "Intellect 2"]
    for more in (0, 1):
        attack = f"Energy {2 + row['amount'] + more}"
        t = Table([*{card, *others}], [attack], team0=team(character), team1=ENEMIES, code_rule=False, turn=1)
        t.do(f"play {attack}").may("by Magneto").do(f"at {who(character)}")
        blocks = t.legal()[1:] if t.decision == phases.DEFEND else []
        if more:
            assert blocks == []
        else:
            usable = {f"play {name}" for name in (others if row["types"] == 0 and not row["multi"] else [card])}
            assert set(blocks) == usable


@for_each(with_ability(ops.KO_EXCLUDE))
def test_some_hits_do_not_count(character):
    row = ability(character)
    if row["stat"] == 1:
        card = f"{PURE[row['types']]} 6"
        hits, attack = [card] * 3, card
    elif row["classes"] & icons.SPECIAL:
        hits, attack = ["Fighting 1", "Strength 1"], "Magneto: Power Flux"
    else:
        pure = [f"{name} 1" for types, name in PURE.items() if types != row["types"]]
        hits, attack = pure[:2], power(row["types"], row["multi"], 1)
    mate = team(character)[1].rpartition(" (")[0]
    for on, falls in ((who(character), False), (mate, True)):
        t = Table([], [attack], team0=team(character), team1=ENEMIES, code_rule=False, turn=1, more1=hits)
        for name in hits:
            t.hit(0, on, name)
        t.do(f"play {attack}")
        while t.decision != phases.TARGET:
            t.do(t.legal()[-1] if t.decision == phases.TYPE else t.legal()[0])
        t.do(f"at {on}").may("take it")
        assert (on not in t.alive(0)) == falls


@for_each(with_ability(ops.SPECTRUM_NEED))
def test_a_spectrum_of_four_types(character):
    t = table(character, [], ["Intellect 1", "Strength 1"], more1=["Energy 1", "Fighting 1"], turn=1)
    t.hit(0, who(character), "Energy 1")
    t.hit(0, who(character), "Fighting 1")
    t.do("play Intellect 1").may("by Joker").do(f"at {who(character)}")
    assert who(character) in t.alive(0)
    t.do("pass", "play Strength 1").may("by Joker").do(f"at {who(character)}")
    assert who(character) not in t.alive(0)


@for_each(with_ability(ops.KO_LIMIT))
def test_a_higher_limit(character):
    t = table(
        character, [], ["Intellect 7", "Intellect 5"], more1=["Intellect 7", "Intellect 6", "Intellect 5"], turn=1
    )
    for name in ("Intellect 7", "Intellect 6", "Intellect 5"):
        t.hit(0, who(character), name)
    t.do("play Intellect 7").may("by Joker").do(f"at {who(character)}")
    assert who(character) in t.alive(0)  # 25
    t.do("pass", "play Intellect 5").may("by Joker").do(f"at {who(character)}")
    assert who(character) not in t.alive(0)  # 30


@for_each(with_ability(ops.ON_KO_VENTURE))
def test_a_fall_changes_a_venture_total(character):
    row = ability(character)
    t = table(character, [], ["Intellect 7"], more1=["Intellect 7", "Intellect 6"], turn=1)
    t.hit(0, who(character), "Intellect 7")
    t.hit(0, who(character), "Intellect 6")
    t.do("play Intellect 7").may("by Joker").do(f"at {who(character)}")
    assert who(character) not in t.alive(0)
    assert (t.total(0), t.total(1)) == ((row["amount"], 7) if row["amount"] > 0 else (0, 7 + row["amount"]))
    t.do("pass", "pass")
    assert t.total(1) == 0  # only in that battle


@for_each(with_ability(ops.VENTURE))
def test_a_venture_total_in_every_battle(character):
    row = ability(character)
    t = table(character, more1=["Fighting 5"])
    for _ in range(2):
        t.hit(0, "Batman", "Fighting 5" if t.s.battle == 1 else "Fighting 2", current=True)
        hit = 5 if t.s.battle == 1 else 2
        own = row["scope"] == icons.SELF
        assert (t.total(0), t.total(1)) == ((row["amount"], hit) if own else (0, hit + row["amount"]))
        while t.s.battle == 1:
            t.do("pass")


@for_each(with_ability(ops.UNIVERSE_BONUS))
def test_universe_cards_add_more(character):
    row = ability(character)
    training = row["classes"] == icons.TRAINING
    universe, bonus = ("Training: EF +4", 4) if training else ("Hand Grenade: 6 Fighting +2", 2)
    values = {}
    for user in (who(character), "Batman"):
        card = "Energy 2" if training and user == "Batman" else "Fighting 2"
        t = table(character, [card, universe])
        t.do(f"play {card}", f"by {user}")
        if f"play {universe}" in t.legal():
            t.do(f"play {universe}", "at Joker")
            values[user] = t.s.attack.value - 2 - bonus
    mine = row["amount"] if row["scope"] != icons.MATE else 0
    his = row["amount"] if row["scope"] != icons.SELF else 0
    assert values == {"Batman": his} | ({} if who(character) == "Forge" else {who(character): mine})  # Forge is rated 5


@for_each(with_ability(ops.REACH_RESERVE))
def test_attacks_that_reach_the_reserve(character):
    row = ability(character)
    for name in PURE.values():
        t = table(character, [f"{name} 3"])
        t.do(f"play {name} 3", f"by {who(character)}")
        assert ("at Catwoman" in t.legal()) == (name == PURE[row["types"]])


def test_the_other_two():
    """Black Canary's Allies, and Parallax, whom heroes attack worse."""
    t = Table(["Ally: Oracle", "Superman: Heat Vision"],
              team0=("Black Canary (JL)", "Superman (BS)", "Steel (BS)", "Robin (BS)"))  # fmt: skip
    t.do("play Ally: Oracle")
    assert t.s.play.user == 0  # rated 5, for a card that needs 7
    for attackers, value in ((HEROES, 4), (("Wolverine (IQ)", *HEROES[1:]), 5)):
        t = Table(["Fighting 5"], ["Fighting 4"], team0=attackers, team1=("Parallax (JL)", *VILLAINS[:3]))
        t.do("play Fighting 5", f"by {attackers[0].rpartition(' (')[0]}", "at Parallax")
        assert t.s.attack.value == value  # Wolverine has no code
