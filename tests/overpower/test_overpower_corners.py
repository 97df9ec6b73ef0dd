"""Where functions of cards meet each other, or a limit: cases that games hardly reach, each of which has been wrong."""

import numpy as np
import pytest
from overpower_scenario import FILLER, HEROES, VILLAINS, Table, heroes, villains
from test_overpower_events import SMALL, event, fight

from overworlds.envs.overpower import actions, icons, ops, phases
from overworlds.envs.overpower.cards import cards, find_character
from overworlds.envs.overpower.decks import may_use
from overworlds.envs.overpower.kernels import POLICIES
from overworlds.envs.overpower.state import EFFECTS, KINDS, ROOM, RULES
from overworlds.envs.overpower.view import observed
from overworlds.envs.overpower.words import compile_program

BENCHES = "White Queen: Telepathic Manipulator"
KICK = "Flying Kick: 7 Fighting +2"


def bury(t, side, name):
    """A card of the Draw Pile is in the Dead Pile."""
    kind = t.kind(side, name)
    t.draw_out(side, kind)
    t.s.players[side].dead[kind] += 1


def on_to_battle(t, number):
    """Play on without doing much."""
    while t.s.battle < number:
        t.do(
            next(n for n in t.legal() if n in ("done", "fight", "pass", "take it") or "venture 1 from Reserve, 0" in n)
        )
    return t


# ---------------------------------------------------------------- who stands where


def test_jb_changes_places_with_the_reserve_not_with_somebody_who_has_been_sent_there():
    t = Table(["Captain Atom: Quantum Jump"], [BENCHES], team0=("Batman (BS)", "Captain Atom (JL)", *HEROES[2:]),
              team1=villains("White Queen (IQ)"), turn=1, more0=SMALL * 2, more1=SMALL * 2)  # fmt: skip
    t.do(f"play {BENCHES}", "at Batman").may("take it").do("play Captain Atom: Quantum Jump")
    assert t.front(0) == ["Robin", "Azrael"]
    t.stack(0, SMALL)
    t.stack(1, SMALL)
    on_to_battle(t, 2)
    assert t.front(0) == ["Batman", "Robin", "Azrael"]  # never four


def test_a_reserve_who_takes_a_card_upon_himself_that_sends_him_there_stays_the_reserve():
    t = fight(event("Hellfire Club Attacked!", ["Fighting 7"], [BENCHES], team1=villains("White Queen (IQ)")))
    t.may("pass").do(f"play {BENCHES}", "at Batman", "by Azrael").may("take it")
    t.stack(0, SMALL)
    t.stack(1, SMALL)
    on_to_battle(t, 3)
    assert t.front(0) == ["Batman", "Superman", "Robin"]


def test_ruling_53_who_falls_when_hits_move_before_the_battle_has_not_fallen_in_it():
    def prepare(t):
        for on, name in (
            ("Joker", "Intellect 7"),
            ("Joker", "Intellect 6"),
            ("Bane", "Intellect 5"),
            ("Bane", "Intellect 4"),
        ):
            t.hit(1, on, name)

    t = event("Martyr For The Cause", ["Hulk: Intimidate"], team0=heroes("Hulk (IQ)"), prepare=prepare,
              more0=["Intellect 7", "Intellect 6", "Intellect 5", "Intellect 4"])  # fmt: skip
    t.may("by Hulk", "by Joker")
    assert "Joker" not in t.alive(1)
    fight(t)
    assert "play Hulk: Intimidate" not in t.legal()


# ---------------------------------------------------------------- room on the table


def effects_at_most(card):
    """So many effects may begin when this card is played."""
    rows = compile_program(card.effect, card.name)
    lasting = [row for row in rows if ops.FIRST_LASTING <= row["op"] <= ops.LAST_LASTING]
    return (
        len(lasting)
        + sum(row["scope"] == icons.BOTH for row in lasting)
        + 4 * any(row["op"] == ops.GRID_COPY for row in rows)
    )


def test_there_is_room_for_what_one_special_does_and_for_an_answer_to_it():
    specials = [card for card in cards().values() if card.card_class == icons.SPECIAL and card.effect]
    most = max(map(effects_at_most, specials))
    answers = max(effects_at_most(card) for card in specials if "react" in card.effect or "helps" in card.effect)
    assert most + answers <= ROOM


@pytest.mark.parametrize(("free", "offered"), [(ROOM, True), (ROOM - 1, False)])
def test_no_special_is_offered_of_which_clauses_would_be_lost(free, offered):
    card = "Red Skull: Cosmic Cube"
    t = Table([card], team0=villains("Red Skull (IQ)"), team1=HEROES)
    for i in range(int(t.s.effects_n), EFFECTS - free):
        e = t.s.effects[i]
        e.op, e.side, e.who, e.by, e.kind, e.until = ops.VENTURE, 0, -1, -1, -1, 2
    t.s.effects_n = EFFECTS - free
    assert (f"play {card}" in t.legal()) == offered
    if offered:
        t.do(f"play {card}", "at Batman").may("take it")
        assert t.s.effects_n == EFFECTS - free + 6


def test_a_search_among_sixty_four_kinds_finds_the_last_one():
    """Sets of kinds are signed numbers: in plain Python this search once went on for ever."""
    search, team = "Neron: Your Heart's Desire", ("Neron (JL)", "Bane (BS)", "Two-Face (BS)", "Joker (BS)")
    people = [find_character(name, "test") for name in team]
    usable = [card for card in cards().values() if card.is_implemented and card.name not in (search, *FILLER)]
    usable = [card for card in usable if card.mission == "" and any(may_use(person, card, True) for person in people)]
    specials = [card.name for card in usable if card.card_class == icons.SPECIAL]
    others = [card.name for card in usable if card.card_class != icons.SPECIAL]
    t = Table([search], team0=team, more0=[*specials[:30], *others][:63])
    assert len(t.decks[0].kinds) == KINDS
    t.do(f"play {search}")
    assert f"fetch {t.decks[0].kinds[-1].name}" in t.legal()


# ---------------------------------------------------------------- attacks


def test_hc_all_universe_cards_are_of_the_type_as_which_a_multipower_card_is_declared():
    hand = ["Beast: Ambidexterity", "MultiPower 4", "Combination Maneuver", "Bluff"]
    t = (
        Table(hand, team0=heroes("Beast (IQ)"))
        .do("play Beast: Ambidexterity", "pass", "play MultiPower 4")
        .may("by Beast")
    )
    t.do("play Combination Maneuver: 6 Strength +3")
    assert "play Bluff: 7 Intellect +3" not in t.legal()
    t.may("alone").do("at Joker")
    assert t.s.attack.value == 7


def test_an_ally_may_be_followed_by_a_special_as_the_type_that_is_not_forbidden():
    ally, shield = "Ally: Alfred Pennyworth", "Doctor Doom: Energy Dampening Field"
    t = Table([ally, "Daredevil: Radar Combat"], [shield], team0=("Daredevil (IQ)", *HEROES[:3]), turn=1,
              team1=villains("Doctor Doom (IQ)"), code_rule=False)  # fmt: skip
    for i in (1, 2):
        t.s.players[1].alive[i] = 0
    t.do(f"play {shield}")
    assert f"play {ally}" in t.legal()
    assert "play Daredevil: Radar Combat" in t.legal()


def test_an_ally_is_not_followed_by_power_cards_that_an_event_keeps_where_they_lie():
    """BU attacks with Power cards; the only ones are placed, and nobody may use placed cards in this battle."""
    for name, offered in (
        ("Caught By Surprise", False),
        ("Down But Not Out!", False),
        ("Mutant Rebels Held Captive!", True),
    ):
        t = fight(event(name, ["Ally: Edwin Jarvis", "Longshot: Four-Fingered Fury"], team0=heroes("Longshot (IQ)"),
                        placed0={"Longshot": ["Fighting 2"]}))  # fmt: skip
        t.s.players[0].hand[t.kind(0, "Fighting 1")] = 0
        assert ("play Ally: Edwin Jarvis" in t.legal()) == offered


def test_who_falls_twice_costs_the_enemy_points_twice():
    """Scarlet Witch's ability, and Morph who falls in her place the first time (HP)."""
    team = ("Scarlet Witch (IQ)", "Morph (IQ)", "Batman (BS)", "Superman (BS)")
    t = Table(
        ["Morph: Substitute Death"], ["Intellect 7", "Intellect 6", "Intellect 5"], team0=team, turn=1, ko_limit=5
    )
    t.do("play Intellect 5").may("by Joker").do("at Scarlet Witch").may("take it")
    t.do("play Morph: Substitute Death").may("by Morph")
    assert t.alive(0) == ["Scarlet Witch", "Batman", "Superman"]
    assert t.total(1) == 0  # 5 - 5
    t.do("pass", "play Intellect 7").may("by Joker", "at Scarlet Witch", "take it")
    assert "Scarlet Witch" not in t.alive(0)
    assert t.total(1) == 5 + 7 - 5 - 5


def test_a_special_without_a_number_threatens_no_points():
    t = Table(["Intellect 7", "Any Character: Guardian Angel"], [BENCHES], team1=villains("White Queen (IQ)"))
    t.do("play Intellect 7", "by Batman", "at Joker").may("take it").do(f"play {BENCHES}", "at Batman")
    attack = observed(t.variant, t.state, 0)["attack"]
    assert attack[0] == attack[-1] == 0


def test_a_truce_that_was_lifted_is_over():
    """AZ: nobody can negate it any more, and its card is discarded."""
    card = "Martian Manhunter: Malleable Form"
    t = Table([card, "Strength 7"], ["Intellect 7"], team0=heroes("Martian Manhunter (JL)"))
    t.do(f"play {card}", "at Joker", "play Intellect 7").may("by Joker").do("at Batman").may("take it")
    t.do("play Strength 7", "by Martian Manhunter", "at Joker")
    assert t.dead(0) == [card]


# ---------------------------------------------------------------- what is counted


def test_ruling_61_cards_that_an_event_took_from_the_hand_were_discarded():
    t = event("Monsters Attack!", ["Longshot: Purity Of Thought", *(f"Fighting {value}" for value in range(2, 8))],
              team0=heroes("Longshot (IQ)"))  # fmt: skip
    assert t.s.players[0].discarded == 2


def test_rule_34_an_event_that_is_milled_is_out_of_the_game():
    t = Table(["Iron Man: Industrial Waste"], more1=["Event: 661216.01"], team0=heroes("Iron Man (OP)"), events=True)
    t.stack(1, ["Event: 661216.01"])
    t.do("play Iron Man: Industrial Waste").may("take it")
    assert t.removed(1) == ["Event: 661216.01"]
    assert len(t.dead(1)) == 4


def test_rule_71_an_empty_draw_pile_is_made_anew_for_a_card_that_goes_to_the_dead_pile():
    t = Table(["Blob: Bottomless Belly"], team0=("Blob (IQ)", *VILLAINS[:3]), team1=HEROES)
    p = t.s.players[1]
    for kind in p.draw[: p.draw_n]:
        p.pack[kind] += 1
    p.draw_n = 0
    t.do("play Blob: Bottomless Belly").may("take it")
    assert len(t.dead(1)) == 1
    assert not t.pack(1)


def test_cq_a_hit_that_counts_twice_does_so_once():
    card = "Black Widow: Champion"
    t = Table([card, card, "Black Widow: Kgb Intelligence"], team0=heroes("Black Widow (IQ)"))
    t.do(f"play {card}", "pass", f"play {card}", "pass", "play Black Widow: Kgb Intelligence", "at Joker")
    assert t.total(0) == 12


def test_two_cards_that_copy_ratings_are_negated_one_by_one():
    card, cut = "Morph: Changeling", "Mojo: Director's Cut"
    t = Table([card], [cut, "Fighting 1"], team0=heroes("Morph (IQ)"), team1=villains("Mojo (IQ)"),
              placed0={"Morph": [card]})  # fmt: skip
    t.do(f"play {card}", "take it", "at Mojo", "play Fighting 1").may("by Mojo", "by Joker").do("at Batman").may(
        "take it"
    )
    first = t.s.players[0].grid[0].tolist()
    t.do(f"play {card}, placed on Morph", "take it", "by Batman", f"play {cut}").may("by Mojo")
    assert t.decision == phases.WHICH  # they differ in what was copied
    assert t.dead(0) == []
    t.do("choose 1")  # the second one
    assert t.dead(0) == [card]
    assert t.s.players[0].grid[0].tolist() == first


def test_ruling_36_a_hit_that_is_negated_leaves_what_another_one_has_brought():
    """The record has an old one of the same card, by the same enemy, on somebody else."""
    hold, card = "Brood: Overwhelm", "Longshot: Roll With The Punches"
    t = Table([card], [hold], team0=heroes("Longshot (IQ)"), team1=villains("Brood (IQ)"), turn=1, more1=[hold])
    t.hit(0, "Longshot", hold)
    t.do(f"play {hold}", "at Superman").may("take it")
    grid = t.s.players[1].grid[0].tolist()
    t.do(f"play {card}")
    assert t.hits(0, "Longshot") == []
    assert t.s.players[1].grid[0].tolist() == grid


# ---------------------------------------------------------------- the scripted player


def scripted(t, rules=None):
    """What he would choose, by name."""
    rules = t.variant.rules if rules is None else rules
    ids = np.zeros(t.variant.num_actions, np.int32)
    n = t.k.legal(t.variant.rules, t.state, ids)
    action = POLICIES["scripted"][0](np.zeros(4, np.float32), rules, t.state, ids, n, 0)
    return t.variant.action_names(t.to_move)[action]


def test_the_scripted_player_attacks_whom_no_points_are_needed_for():
    """EK and DF together leave somebody on his feet for whose KO no points are needed."""
    t = Table(["Doctor Polaris: Black Hole Force Beam", "Intellect 4"], ["Vision: Android Endurance"], ko_limit=5,
              team0=villains("Doctor Polaris (JL)"), team1=heroes("Vision (IQ)"), turn=1)  # fmt: skip
    t.do("play Vision: Android Endurance", "play Doctor Polaris: Black Hole Force Beam", "at Vision").may(
        "take it", "pass"
    )
    t.do("play Intellect 4").may("by Doctor Polaris")
    assert scripted(t).startswith("at ")


def test_the_scripted_player_does_not_take_the_reserve_for_a_card():
    """His choice does not depend on the card that has the number of "by Azrael" in another group of ids."""
    choices = set()
    for value in (-100, 100):
        t = fight(event("Hellfire Club Attacked!", ["Fighting 2"], ["Intellect 7"]))
        t.do("pass", "play Intellect 7").may("by Joker").do("at Batman")
        kind = (t.variant.action_id("by Azrael", 0) - actions.PLAY) % KINDS
        rules = t.variant.rules.copy()
        rules.view(RULES)[0].decks[0].value[kind] = value
        choices.add(scripted(t, rules))
    assert len(choices) == 1
