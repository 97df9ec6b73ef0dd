"""Cards of one name between which a player has to choose, and several knock-outs at once (rulings 95, 63)."""

import numpy as np
import pytest
from overpower_scenario import Table, heroes, villains

from overworlds.envs.overpower import layout, phases
from overworlds.envs.overpower.names import team_names
from overworlds.envs.overpower.render import ansi
from overworlds.envs.overpower.state import KINDS, NOBODY
from overworlds.envs.overpower.view import observed, table

PROBE, CUT = "Martian Manhunter: Telepathic Probe", "Mojo: Director's Cut"  # which negates Specials


def numbers(t):
    """What the open question offers by number, as it is written out."""
    assert t.decision == phases.WHICH
    seen = table(t.variant, t.decks, t.state, t.to_move)
    assert seen.decision == "which of several cards of one name"
    assert t.legal() == [f"choose {number}" for number in range(len(seen.choices))]
    lines = ansi(seen).splitlines()
    for number, said in enumerate(seen.choices):
        assert any(f"choose {number}: {said}" in line for line in lines)
    return list(seen.choices)


MOLD = "Sentinels: Master Mold"  # removes any Power card that has hit somebody
IN_RECORD = "3 points on Sentinels, in the Permanent Record"


def healing(*hits):
    """The Sentinels, whom these cards have hit, (name, in this battle, by), play their card for themselves."""
    t = Table([MOLD], team0=villains("Sentinels (MC)"), more1=[name for name, *_ in hits])
    for name, current, by in hits:
        t.hit(0, "Sentinels", name, current=current, by=by)
    return t.do(f"play {MOLD}").may("by Sentinels")


@pytest.mark.parametrize(("number", "total"), [(0, 3), (1, 0)])
def test_a_player_says_whether_the_hit_of_the_record_or_that_of_this_battle_goes(number, total):
    t = healing(("Fighting 3", False, 0), ("Fighting 3", True, 1))
    assert t.total(1) == 3
    assert numbers(t) == [
        "3 points on Sentinels, in the Permanent Record",
        "3 points on Sentinels, in this battle, by Bane",
    ]
    t.do(f"choose {number}")
    assert t.hits(0, "Sentinels") == [("Fighting 3", 3, number == 0)]
    assert t.total(1) == total
    assert t.pack(1) == ["Fighting 3"]
    t.check()


def test_hits_between_which_there_is_no_difference_are_one():
    """Two of the record by different enemies, and two of this battle by the same one."""
    t = healing(("Fighting 3", True, 1), ("Fighting 3", False, 0), ("Fighting 3", True, 1), ("Fighting 3", False, 2))
    assert numbers(t) == [
        "3 points on Sentinels, in the Permanent Record",
        "3 points on Sentinels, in this battle, by Bane",
    ]
    t = healing(("Fighting 3", False, 0), ("Fighting 3", False, 2))
    assert t.decision == phases.TURN  # nobody was asked
    assert t.hits(0, "Sentinels") == [("Fighting 3", 3, False)]


def test_hits_of_one_battle_by_two_enemies_are_two():
    t = healing(("Fighting 3", True, 2), ("Fighting 3", True, 0))
    assert numbers(t) == [
        "3 points on Sentinels, in this battle, by Joker",
        "3 points on Sentinels, in this battle, by Two-Face",
    ]


@pytest.mark.parametrize("viewer", [0, 1])
def test_everybody_observes_which_card_is_carried_out_and_which_is_asked_about(viewer):
    t = healing(("Fighting 3", False, 0), ("Fighting 3", True, 0), ("Energy 1", True, 0))
    for asked_about in ([], ["Fighting 3"]):
        seen = observed(t.variant, t.state, viewer)
        for side, wanted in ((0, ([MOLD], [])), (1, ([], asked_about))):
            cards = seen["my_cards" if side == viewer else "foe_cards"].reshape(KINDS, layout.CARD)
            for more in range(2):
                kinds = cards[:, layout.IN_PLAY + more].nonzero()[0]
                assert [t.decks[side].kinds[kind].name for kind in kinds] == wanted[more]
        t.may("Fighting 3, a hit on my Sentinels")


@pytest.mark.parametrize("viewer", [0, 1])
def test_everybody_observes_which_hits_are_of_this_battle_and_whose_are_asked_about(viewer):
    """Two states that differ in nothing but the character on whom the hit is."""
    t = Table([CUT], team0=villains("Mojo (IQ)"), team1=villains("Martian Manhunter (JL)"), code_rule=False,
              more1=[PROBE] * 4)  # fmt: skip
    for on in ("Mojo", "Joker"):
        t.hit(0, on, PROBE)
        t.hit(0, on, PROBE, current=True)
    t.do(f"play {CUT}").may("by Mojo")
    before = t.state.copy()
    rows = []
    for on in ("Mojo", "Joker"):
        t.state[:] = before
        t.do(f"{PROBE}, a hit on my {on}")
        said = [f"5 points on {on}, in the Permanent Record", f"5 points on {on}, in this battle, by Martian Manhunter"]
        assert numbers(t) == said
        seen = observed(t.variant, t.state, viewer)
        characters = seen["characters"].reshape(2, 4, layout.CHARACTER)[viewer, :, -1]
        assert characters.nonzero()[0].tolist() == [t.who(0, on)]
        card = seen["foe_cards" if viewer == 0 else "my_cards"].reshape(KINDS, layout.CARD)[t.kind(1, PROBE)]
        assert card[layout.HITS_ON : layout.HITS_ON + 4].tolist() == [2, 2, 0, 0]
        assert card[layout.NEW_HITS_ON : layout.NEW_HITS_ON + 4].tolist() == [1, 1, 0, 0]
        rows.append(np.concatenate([*seen.values()]))
    assert (rows[0] != rows[1]).any()


def test_which_of_two_hits_changes_places_is_chosen_as_well():
    """DJ: a hit of this battle and one of the record; only those of the battle are of two enemies."""
    card = "Carnage: Alien Healing"
    t = Table([card], team0=villains("Carnage (IQ)"), more1=["Fighting 2", "Fighting 2", "Energy 1"])
    t.hit(0, "Carnage", "Energy 1")
    for by in (0, 1):
        t.hit(0, "Carnage", "Fighting 2", current=True, by=by)
    t.do(f"play {card}")
    assert numbers(t) == [
        "2 points on Carnage, in this battle, by Joker",
        "2 points on Carnage, in this battle, by Bane",
    ]
    t.do("choose 1")
    assert t.hits(0, "Carnage") == [("Energy 1", 1, True), ("Fighting 2", 2, False), ("Fighting 2", 2, True)]
    assert t.total(1) == 3


def test_a_negated_hit_takes_along_what_it_has_left_itself_and_nothing_else():
    """Two hits of the same card by the same enemy on two teammates: each has left something with its target."""
    t = Table([CUT], [PROBE, PROBE], team0=villains("Mojo (IQ)"), team1=villains("Martian Manhunter (JL)"),
              turn=1, code_rule=False)  # fmt: skip
    for target in ("Mojo", "Joker"):
        t.ask(1)
        t.do(f"play {PROBE}", f"at {target}").may("take it")
    left = t.s.effects_n
    t.do(f"play {CUT}", f"{PROBE}, a hit on my Joker")
    assert t.hits(0, "Joker") == []
    assert t.hits(0, "Mojo") != []
    assert t.s.effects_n == left - 1
    (serial,) = {int(h.serial) for h in t.s.hits[: t.s.hits_n]}
    assert serial in {int(e.serial) for e in t.s.effects[: t.s.effects_n]}


def test_a_negated_hit_that_has_left_nothing_takes_nothing_along():
    """Neither what other cards have left nor an inherent ability."""
    t = Table([CUT], ["Joker: Acid Spray Flower"], team0=villains("Mojo (IQ)"), turn=1)
    t.do("play Joker: Acid Spray Flower").may("by Joker").do("at Mojo").may("take it")
    assert len(t.hits(0, "Mojo")) == 1
    there = [int(e.op) for e in t.s.effects[: t.s.effects_n]]
    assert there  # Mojo attacks better with MultiPower cards
    t.do(f"play {CUT}").may("by Mojo")
    assert t.hits(0, "Mojo") == []
    assert [int(e.op) for e in t.s.effects[: t.s.effects_n]] == there


@pytest.mark.parametrize(("negation", "owner", "is_negated"), [
    (CUT, "Mojo (IQ)", True), ("Captain Marvel: Power Of Zeus", "Captain Marvel (JL)", False),
])  # fmt: skip
def test_do_negates_no_special_that_is_about_anybody_else_as_well(negation, owner, is_negated):
    """FD: a duel is about all others."""
    duel = "Hawkman: The Winged Warrior"
    t = Table([negation], [duel], team0=heroes(owner), team1=villains("Hawkman (JL)"), turn=1, code_rule=False)
    t.do(f"play {duel}", f"at {owner.partition(' (')[0]}").may("take it")
    assert (f"play {negation}" in t.legal()) is is_negated


AGENDA = "Mr. Sinister: Hidden Agenda"


def weakened(*targets, negate=True):
    """Mr. Sinister weakens the attacks of these characters of Mojo's team, who then plays a negation."""
    t = Table([CUT], [AGENDA] * len(targets), team0=villains("Mojo (IQ)"), team1=villains("Mr. Sinister (IQ)"), turn=1)
    for target in targets:
        t.ask(1)
        t.do(f"play {AGENDA}", f"at {target}").may("take it")
    return t.do(f"play {CUT}") if negate else t


def weak(t):
    """Who attacks less well."""
    modified = [e.who for e in t.s.effects[: t.s.effects_n] if e.kind != NOBODY and e.amount < 0]
    return [team_names(t.decks[0])[who] for who in modified]


@pytest.mark.parametrize("number", [0, 1])
def test_of_two_specials_in_effect_the_player_says_which_is_negated(number):
    targets = ["Mojo", "Bane"]
    t = weakened(*targets)
    said = numbers(t)
    assert [target in words for target, words in zip(targets, said, strict=True)] == [True, True]
    assert all(words.startswith("by Mr. Sinister: ") for words in said)
    t.do(f"choose {number}")
    assert weak(t) == [targets[1 - number]]
    assert t.dead(1) == [AGENDA]
    t.check()


def test_of_two_specials_in_effect_without_a_difference_one_is_negated():
    t = weakened("Bane", "Bane")
    assert weak(t) == ["Bane"]
    assert t.dead(1) == [AGENDA]


@pytest.mark.parametrize("first", [0, 1])
def test_specials_in_effect_that_differ_in_what_was_chosen_are_two(first):
    """AF3: the own Venture Total or the enemy's. They are in the order in which they were played."""
    card = "Black Widow: Espionage"
    t = Table([card], [CUT], team0=heroes("Black Widow (MC)"), team1=villains("Mojo (IQ)"),
              placed0={"Black Widow": [card]})  # fmt: skip
    t.do(f"play {card}").may("take it").do(f"choose {first}")
    t.ask(0)
    t.do(f"play {card}, placed on Black Widow").may("take it").do(f"choose {1 - first}")
    t.ask(1)
    t.do(f"play {CUT}").may("by Mojo")
    changes = ["player_0's Venture Total +3", "player_1's Venture Total -3"]
    assert [words.partition(": ")[2] for words in numbers(t)] == [changes[first], changes[1 - first]]
    t.do(f"choose {first}")  # the one for the own total
    assert t.total(0) == 0
    assert [int(e.amount) for e in t.s.effects[: t.s.effects_n] if e.kind != NOBODY] == [-3]


def test_specials_in_effect_that_differ_in_the_type_chosen_are_two():
    card = "Dr. Strange: Mists Of Morpheus"
    t = Table([card], [CUT], team0=heroes("Dr. Strange (IQ)"), team1=villains("Mojo (IQ)"),
              placed0={"Dr. Strange": [card]})  # fmt: skip
    t.do(f"play {card}").may("by Dr. Strange").do("at Mojo", "as Energy").may("take it")
    t.ask(0)
    t.do(f"play {card}, placed on Dr. Strange", "at Mojo", "as Strength").may("take it")
    t.ask(1)
    t.do(f"play {CUT}").may("by Mojo")
    said = numbers(t)
    assert ["Energy" in words for words in said] == [True, False]
    assert ["Strength" in words for words in said] == [False, True]


def test_specials_in_effect_of_two_players_of_the_card_are_two():
    t = weakened("Bane", "Bane", negate=False)
    for e in t.s.effects[: t.s.effects_n]:
        e.by = t.who(1, "Joker") if e.serial == t.s.serial else e.by  # as if a card had let him play the second one
    t.do(f"play {CUT}").may("by Mojo")
    assert [words.partition(":")[0] for words in numbers(t)] == ["by Mr. Sinister", "by Joker"]


def test_all_plays_whose_effects_last_have_numbers_of_their_own():
    """Numbers go round; one that is still in use is left out."""
    t = Table([], [AGENDA] * 2, team1=villains("Mr. Sinister (IQ)"), turn=1, more1=["Fighting 1"])
    t.hit(0, "Robin", "Fighting 1")
    t.s.hits[0].serial = 1
    t.s.serial = 254
    for target in ("Batman", "Superman"):
        t.do(f"play {AGENDA}", f"at {target}").may("take it", "pass")
    assert [int(e.serial) for e in t.s.effects[: t.s.effects_n] if e.kind != NOBODY] == [255, 255, 2, 2]


# ---------------------------------------------------------------- several knock-outs at once

SUBSTITUTE, CLENCH = "Morph: Substitute Death", "Ra's Al Ghul: The Clench"


def clenched(hand=()):
    """Batman and Robin, with 18 points each, fall when 17 are enough."""
    team = ("Batman (BS)", "Robin (BS)", "Morph (IQ)", "Superman (BS)")
    t = Table([*hand], [CLENCH], team0=team, team1=villains("Ra's Al Ghul (BS)"), turn=1,
              more1=["Intellect 7"] * 4 + ["Intellect 4"] * 2)  # fmt: skip
    for name in ("Batman", "Robin"):
        for card in ("Intellect 7", "Intellect 7", "Intellect 4"):
            t.hit(0, name, card)
    return t.do(f"play {CLENCH}").may("take it")


def test_several_who_fall_at_once_do_so_one_after_the_other():
    assert clenched().alive(0) == ["Morph", "Superman"]
    t = clenched([SUBSTITUTE])
    assert t.alive(0) == ["Robin", "Morph", "Superman"]  # Batman is the first, and somebody may fall for him
    assert t.legal() == ["done", f"play {SUBSTITUTE}"]
    t.do("done")
    assert t.alive(0) == ["Morph", "Superman"]  # then Robin
    assert t.legal() == ["done", f"play {SUBSTITUTE}"]
    t.do(f"play {SUBSTITUTE}")
    assert t.alive(0) == ["Robin", "Superman"]
    assert t.to_move == 0  # his turn
    assert t.decision == phases.TURN
    t.check()


def test_who_has_fallen_for_the_first_is_not_there_for_the_second():
    t = clenched([SUBSTITUTE])
    t.do(f"play {SUBSTITUTE}")
    assert t.alive(0) == ["Batman", "Superman"]  # with Morph's hits; Robin has fallen, too
    assert t.front(0) == ["Batman"]
    assert t.decision == phases.TURN
    t.check()
