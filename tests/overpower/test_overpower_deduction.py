"""What a player can conclude about the other's hand from cards that were lost, kept, searched for or owed."""

import random

import numpy as np
from overpower_scenario import HEROES, VILLAINS, Table, check_cards
from test_overpower_hidden import JOKERS, SUPERMANS, imagined, is_power, specials, tops
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.overpower import GAME, actions, phases
from overworlds.envs.overpower.clearing import clear_hand
from overworlds.envs.overpower.piles import TOP, draw_cards, put_in, put_on_top
from overworlds.envs.overpower.sight import join_hand, peek, show, show_all
from overworlds.envs.overpower.state import KINDS, RULES, STATE

# ---------------------------------------------------------------- cards that make a hand lose what it has


def test_who_has_no_special_to_discard_has_none():
    """EC: one Special of his choice; who has more keeps the others, and nothing is known of them."""
    card = "Doc Samson: Analytical Assault"
    team0 = ("Doc Samson (MC)", *HEROES[:3])
    t = Table([card], ["Advance Warning", "Fighting 5"], team0=team0, more1=JOKERS * 4)
    t.do(f"play {card}")
    assert not any(specials(names) for names in imagined(t, 1))
    t = Table([card], ["Advance Warning", *JOKERS[:2]], team0=team0, more1=JOKERS * 4)
    t.do(f"play {card}", f"discard {JOKERS[0]}")
    assert {len(specials(names)) for names in imagined(t, 1)} > {0}


def test_who_was_hit_has_discarded_all_cards_of_the_icon():
    """EG: only if the attack lands."""
    card = "Morbius: Blood Hunger"
    for answer, known in (("take it", True), ("play Intellect 7", False)):
        t = Table([card], ["Intellect 7", "Fighting 5", "Energy 1"], team0=("Morbius (MC)", *HEROES[:3]),
                  more1=["Energy 1"] * 12)  # fmt: skip
        t.do(f"play {card}", "at Joker", answer)
        found = any(name.startswith(("Energy", "MultiPower")) for names in imagined(t, 1) for name in names)
        assert found != known


def test_who_discards_fewer_cards_than_he_should_has_no_more_of_them():
    """BY2: four with the chosen icon; HY: any two."""
    card = "Any Character: Power Leech"
    for held, known in ((["Intellect 7"], True), ([f"Intellect {value}" for value in range(2, 8)], False)):
        t = Table([card], [*held, "Fighting 5", "Strength 6"], more1=["Intellect 1"] * 12)
        t.do(f"play {card}").may("by Batman").do("at Joker", "as Intellect").may("take it")
        while t.decision == phases.PICK_DISCARD:
            t.do(t.legal()[0])
        found = any(name.startswith(("Intellect", "MultiPower")) for names in imagined(t, 1) for name in names)
        assert found != known
    card = "Red Skull: Dust Of Death"
    t = Table([card], ["Fighting 5"], team0=("Red Skull (IQ)", *VILLAINS[:3]), team1=HEROES)
    t.do(f"play {card}", "at Batman").may("take it", "discard Fighting 5")
    assert imagined(t, 1) == [[]] * 60
    t.draw_out(1, t.kind(1, "Fighting 1"))
    join_hand(t.s.players[1], t.kind(1, "Fighting 1"), False)  # a card that comes later may be any
    assert len({tuple(names) for names in imagined(t, 1)}) > 1


# ---------------------------------------------------------------- what follows from the rules


def test_who_discards_a_duplicate_has_kept_another():
    """A usable card that goes before the battle had a double: one of those is in the hand until it is shown."""
    t = Table(more0=["Fighting 5", "Energy 5", "Intellect 7", "Strength 6", "Energy 4", *["Intellect 2"] * 12])
    t.s.players[0].cleared = 0
    t.stack(0, ["Fighting 5", "Energy 5", "Intellect 7", "Strength 6", "Energy 4", "Fighting 1", "Fighting 2"])
    draw_cards(t.variant.rules.view(RULES)[0], t.s, 0, 7)
    clear_hand(t.variant.rules.view(RULES)[0], t.s, 0)
    t.s.stage = phases.DISCARD_FIRST
    t.s.head.to_move = 0
    t.do("keep Energy 5")
    assert all(any(name.endswith(" 5") for name in names) for names in imagined(t, 0))
    assert {"Energy 5"} == {name for names in imagined(t, 0) for name in names if name.endswith(" 5")}
    t.ask(0, phases.PLACE, phases.PLACING)
    t.do("place Energy 5 on Superman")
    assert not any(name.endswith(" 5") for names in imagined(t, 0) for name in names)


def test_duplicates_are_imagined_only_where_they_may_be_kept():
    """The later Gambit keeps all copies of one of his Specials, in hand and beside placed ones."""
    card = "Gambit: Charge Object"
    for gambit, may_keep in (("Gambit (IQ)", True), ("Gambit (OP)", False)):
        t = Table([], [card, "Fighting 5", "Intellect 6"], team1=(gambit, *VILLAINS[:3]), more1=[card] * 20)
        assert (max(names.count(card) for names in imagined(t, 1)) > 1) == may_keep
        t.place(1, "Gambit", card)
        assert any(card in names for names in imagined(t, 1)) == may_keep


def test_with_an_empty_draw_pile_the_hand_is_known():
    """Deck lists are open: all that is not to be seen elsewhere is in the hand, and that is not forgotten later."""
    card = "Mystique: Surprise Attack"
    t = Table([card, "Intellect 6", "Fighting 5"], team0=("Mystique (IQ)", *VILLAINS[:3]), team1=HEROES)
    p = t.s.players[0]
    for kind in p.draw[: p.draw_n]:
        p.pack[kind] += 1
    p.draw_n = 0
    t.do(f"play {card}")
    assert len(t.hand(0)) > 2
    assert all({"Intellect 6", "Fighting 5"} <= set(names) for names in imagined(t, 0))
    assert len({tuple(names) for names in imagined(t, 0)}) > 1  # but the cards drawn since then are not known


def test_a_card_that_goes_back_into_the_draw_pile_is_not_in_the_hand():
    """HZ: the only copy lay open in the Dead Pile, and nobody has drawn since."""
    card, gone = "Red Skull: Depraved Evil", "Batman: Batarang"
    t = Table([card], ["Fighting 5", "Superman: Heat Vision"], team0=("Red Skull (IQ)", *VILLAINS[:3]), team1=HEROES,
              more1=[gone, "Fighting 7"])  # fmt: skip
    for name in (gone, "Fighting 7"):
        t.draw_out(1, t.kind(1, name))
        t.s.players[1].dead[t.kind(1, name)] += 1
    t.do(f"play {card}").may(f"his {gone}", "his Fighting 7")
    assert t.dead(1) == []
    assert not any({gone, "Fighting 7"} & set(names) for names in imagined(t, 1))


def test_who_has_played_an_ally_holds_a_special_of_a_teammate():
    """Or a Power card after Teamwork: the attack is answered before it is seen which."""
    team = ("Superman (BS)", "Batman (BS)", "Robin (BS)", "Azrael (BS)")
    powers = [f"Energy {value}" for value in (3, 5, 6, 7)] * 4
    for first, follows, fits in (
        ("Ally: Oracle", "Robin: Bo Staff", lambda name: name.startswith(("Robin", "Superman"))),
        ("Teamwork: 6F then EI +1 +2", "Intellect 6", lambda name: name.startswith(("Energy", "Intellect", "Multi"))),
    ):
        t = Table([first, follows, "Strength 7"], ["Intellect 7"], team0=team, more0=powers)
        t.do(f"play {first}").may("by Batman").do("at Joker")
        assert (t.to_move, t.decision) == (1, phases.DEFEND)
        hands = imagined(t, 0)
        assert all(any(fits(name) for name in names) for names in hands)
        assert len({tuple(names) for names in hands}) > 1


def test_many_cards_drawn_since_a_look_make_nobody_forget_it():
    """Eight cards have come; more than so many Specials cannot be there."""
    t = Table(["Batman: Master Detective"], ["Fighting 4", "Fighting 5", "Fighting 6"], more1=JOKERS * 10)
    t.do("play Batman: Master Detective")
    for name in ["Fighting 1"] * 4 + ["Fighting 2"] * 4:
        t.draw_out(1, t.kind(1, name))
        join_hand(t.s.players[1], t.kind(1, name), False)
    t.s.players[1].cleared = 0
    assert max(len(specials(names)) for names in imagined(t, 1, 200)) == 8  # of eleven cards


def test_looks_at_different_times_are_all_remembered():
    """Two looks with a draw between them: of the old cards both are known, of the new one only the later look."""
    t = Table(["Batman: Master Detective", "Nightwing: Expert Sleuth"], ["Advance Warning"] * 2,
              team0=("Batman (BS)", "Nightwing (BS)", "Superman (BS)", "Azrael (BS)"),
              more1=[*JOKERS * 6, "Advance Warning", "Fighting 6"])  # fmt: skip
    t.do("play Batman: Master Detective")
    t.draw_out(1, t.kind(1, "Advance Warning"))
    join_hand(t.s.players[1], t.kind(1, "Advance Warning"), False)
    t.s.players[1].cleared = 0
    t.ask(0)
    t.do("play Nightwing: Expert Sleuth")
    hands = imagined(t, 1, 200)
    assert not any(is_power(name) for names in hands for name in names)
    assert max(len(specials(names)) for names in hands) == 1


def test_a_look_that_does_not_reach_down_forgets_nothing():
    """AJ5, a card put on top for all to see, cards put there face down, and AJ4: all known tops stay known."""
    deck = [f"Strength {value}" for value in (5, 4, 3, 2)]
    t = Table((), ["Fighting 7", "Fighting 6", "Fighting 2"], more1=deck, team1=HEROES, team0=VILLAINS)
    p = t.s.players[1]
    t.stack(1, deck)
    peek(p, 4)
    for name in ("Fighting 7", "Fighting 6"):
        p.hand[t.kind(1, name)] -= 1
        put_in(p, t.s.head.rng, TOP, t.kind(1, name), False)
    expected = [t.kind(1, name) + 1 for name in deck]
    assert tops(t, t.state, 0) == [0, 0, *expected, 0, 0]
    peek(p, 1)
    assert tops(t, t.state, 0) == [t.kind(1, "Fighting 6") + 1, 0, *expected, 0, 0]
    p.hand[t.kind(1, "Fighting 2")] -= 1
    put_on_top(p, t.kind(1, "Fighting 2"))
    seen = [t.kind(1, "Fighting 2") + 1, t.kind(1, "Fighting 6") + 1, 0, *expected, 0]
    assert tops(t, t.state, 0) == seen
    found = set()
    for seed in range(20):
        other = t.state.copy()
        t.k.resample(t.variant.rules, other, 0, seed)
        check_cards(t.variant, other)
        assert tops(t, other, 0) == seen
        q = other.view(STATE)[0].players[1]
        found.add(int(q.draw[q.draw_n - 3]))
    assert len(found) > 1


def test_cards_that_leave_the_hand_face_down_do_not_betray_which_they_are():
    """IF1: whether a card that had been shown goes on top of the Draw Pile is not seen by the other player."""
    views = []
    for name in ("Fighting 7", "Fighting 6"):
        t = Table(["Fighting 2"], ["Forge: The Maker", "Fighting 7", "Fighting 6", "Fighting 5"],
                  team0=VILLAINS, team1=("Forge (IQ)", *HEROES[:3]))  # fmt: skip
        t.s.players[1].known[t.kind(1, "Fighting 7")] = 1
        t.do("concede", "play Forge: The Maker", f"fetch {name}")
        assert (t.to_move, t.decision) == (1, phases.FETCH)
        out = np.zeros(t.variant.observation_size, np.int8)
        t.k.observe(t.variant.rules, t.state, 0, out)
        views.append(out)
    assert (views[0] == views[1]).all()


def forge(look, *hand, team0=("Batman (BS)", *VILLAINS[:3]), more=("Energy 1",)):
    """player_1 has The Maker (IF), and player_0 this card; hands have four cards."""
    return Table([look], ["Forge: The Maker", *hand], team0=team0, team1=("Forge (IQ)", *HEROES[1:]),
                 more1=more * 4, hand_size=4, code_rule=False)  # fmt: skip


def test_what_is_not_shown_when_the_hand_is_discarded_was_put_on_top():
    """IF: a card that had been seen and is not discarded with the others is drawn for the next battle."""
    for put, there in (("Fighting 7", True), ("Fighting 6", False)):
        t = forge("Fighting 2", "Fighting 7", "Fighting 6", "Fighting 5")
        show(t.variant.rules.view(RULES)[0].decks[1], t.s.players[1], t.kind(1, "Fighting 7"))
        t.do("concede", "play Forge: The Maker", f"fetch {put}", "fetch Fighting 5").may("done")
        assert t.s.battle == 2
        assert {("Fighting 7" in names) for names in imagined(t, 1)} == {there}


def test_what_was_not_in_a_hand_was_not_put_on_top_of_the_pile():
    """AJ2 showed one Special, which was discarded: what has been put on top are no Specials, nor is it that one."""
    powers = ["Fighting 7", "Fighting 6", "Fighting 5", "Energy 4"]
    t = forge("Batman: Master Detective", *powers, SUPERMANS[0], more=SUPERMANS[1:])
    t.do("play Batman: Master Detective", "pass", "concede", "play Forge: The Maker")
    t.do(*(f"fetch {name}" for name in powers)).may("done")
    assert t.s.battle == 2
    assert t.hand(1) == sorted(powers)
    assert len({tuple(names) for names in imagined(t, 1)}) > 1
    assert not any(specials(names) for names in imagined(t, 1))


def test_whoever_sees_the_hand_sees_what_is_put_on_top_of_the_pile():
    lasso = "Wonder Woman: Lasso Of Truth"
    t = forge(lasso, "Fighting 7", "Fighting 6", "Fighting 5", team0=("Wonder Woman (JL)", *VILLAINS[:3]),
              more=("Energy 1", "Energy 3"))  # fmt: skip
    t.stack(1, ["Energy 1", "Fighting 2", "Energy 3"])
    t.do(f"play {lasso}", "pass", "concede", "play Forge: The Maker", "fetch Fighting 6", "done")
    assert t.s.battle == 2
    assert all("Fighting 6" in names for names in imagined(t, 1))
    assert len({tuple(names) for names in imagined(t, 1)}) > 1


def test_which_cards_are_put_on_top_is_imagined_before_the_others_are_shown():
    """IF, with a question of the other player's before the battle is over: any card of the hand may have gone."""
    names = {"Fighting 7", "Fighting 6", "Fighting 5"}
    t = forge("Orion: Boom Tube", *names, team0=("Orion (JL)", *VILLAINS[:3]))
    t.deal(0, "Fighting 1")
    show_all(t.variant.rules.view(RULES)[0].decks[1], t.s.players[1])
    t.do("concede", "play Forge: The Maker", "fetch Fighting 7", "done")
    assert t.to_move == 0
    assert {tuple(hand) for hand in imagined(t, 1)} == {tuple(sorted(names - {name})) for name in names}


def test_who_has_to_block_after_a_special_keeps_his_hand():
    """AM: the Special was played with a block that has to follow, so another hand could not have been there."""
    t = Table(["Intellect 6"], ["Invisible Woman: Invisibility", "Fighting 4", "Energy 5"],
              team1=("Invisible Woman (IQ)", *VILLAINS[:3]), more1=["Fighting 1"] * 12)  # fmt: skip
    t.do("play Intellect 6").may("by Batman").do("at Invisible Woman", "play Invisible Woman: Invisibility")
    assert t.decision == phases.DEFEND
    assert len(t.legal()) > 1
    assert all(names == t.hand(1) for names in imagined(t, 1, 10))


def test_no_imagined_hand_lacks_the_card_whose_duplicate_was_discarded():
    """Over whole games of random decks, with a memory of its own of what each player has kept."""
    checked = 0
    for seed in range(30 if COMPILED else 2):
        checked += watch_duplicates(variant_for(seed), seed)
    assert checked


def watch_duplicates(variant, seed):
    """A game, with a look at an imagined hand now and then: in how many was another card in the place of the kept?"""
    r, rng = variant.rules.view(RULES)[0], random.Random(seed)
    kept, before, other, battle = [{}, {}], [None, None], 0, 0

    def look(state, legal, action):
        nonlocal other, battle
        s = state.view(STATE)[0]
        for side in range(2):
            if s.battle != battle:
                kept[side].clear()
            p = s.players[side]
            unseen = p.hand + np.bincount(p.draw[: p.draw_n], minlength=KINDS)
            for kind in [] if before[side] is None else np.flatnonzero(unseen < before[side]):  # it is shown
                kept[side].pop(int(r.decks[side].twins[kind]), None)
            before[side] = unseen
        battle = int(s.battle)
        for side, kind in keeping:
            if s.players[side].hand[kind]:
                kept[side][int(r.decks[side].twins[kind])] = kind
        keeping.clear()
        if s.frames[s.depth - 1].what == phases.KEEP:
            keeping.append((int(s.head.to_move), action - actions.KEEP))
            return
        for side in range(2):
            if kept[side] and rng.random() < 0.3:
                copy = state.copy()
                GAME.kernels.resample(variant.rules, copy, 1 - side, rng.randrange(1000))
                hand = copy.view(STATE)[0].players[side].hand
                for same, kind in kept[side].items():
                    assert any(hand[k] for k in range(KINDS) if r.decks[side].twins[k] == same and hand[k])
                    other += hand[kind] == 0

    keeping = []
    random_game(variant, seed, look, patience=1.0)
    return other
