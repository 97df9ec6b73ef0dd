"""What a player knows of the other's hand and Draw Pile, and redrawing the rest."""

import random

import numpy as np
from overpower_scenario import HEROES, VILLAINS, Table, check_cards, deck_file
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, actions, decks_of, icons, phases
from overworlds.envs.overpower.piles import shuffle
from overworlds.envs.overpower.redealing import bring_back_concealed
from overworlds.envs.overpower.sight import join_unseen, show
from overworlds.envs.overpower.state import KINDS, RULES, STATE


def resampled(t, seat, seed):
    """The state as this seat may imagine it."""
    other = t.state.copy()
    t.k.resample(t.variant.rules, other, seat, seed)
    check_cards(t.variant, other)
    return other.view(STATE)[0]


def hand(t, s, side):
    """The names of the cards in a hand."""
    return sorted(c.name for k, c in enumerate(t.decks[side].kinds) for _ in range(s.players[side].hand[k]))


def test_a_reserve_that_is_not_chosen_yet_is_not_drawn():
    variant = variant_for(1)
    state = np.zeros(variant.state_bytes, np.uint8)
    GAME.kernels.reset(variant.rules, state, 1)
    s = state.view(STATE)[0]
    for seat in range(2):
        GAME.kernels.resample(variant.rules, state, seat, 3)
        assert s.players[0].front.tolist() == [1, 1, 1, 1]
    ids = np.zeros(variant.num_actions, np.int32)
    GAME.kernels.legal(variant.rules, state, ids)
    GAME.kernels.step(variant.rules, state, ids[0])
    found = set()
    for seed in range(30):
        GAME.kernels.resample(variant.rules, state, 1, seed)
        assert s.players[0].front.sum() == 3
        found.add(s.players[0].front.tolist().index(0))
    assert found == {0, 1, 2, 3}


def test_games_go_on_after_redrawing_for_either_seat():
    """Whoever is to move, and in the middle of whatever play: the table that is imagined can be played on."""
    for seed in range(10 if COMPILED else 2):
        variant = variant_for(seed)
        rng = random.Random(seed)
        ids = np.zeros(variant.num_actions, np.int32)
        k = GAME.kernels

        def look(state, legal, action, variant=variant, rng=rng, ids=ids, k=k):
            if rng.random() > 0.2:
                return
            for seat in range(2):
                other = state.copy()
                s = other.view(STATE)[0]
                k.resample(variant.rules, other, seat, rng.randrange(1000))
                for _ in range(4):
                    if s.head.to_move == OVER:
                        break
                    n = k.legal(variant.rules, other, ids)
                    assert n > 0, phases.NAMES[s.frames[s.depth - 1].what]
                    k.step(variant.rules, other, ids[rng.randrange(n)])
                    check_cards(variant, other)

        random_game(variant, seed, look)


def test_whoever_is_asked_has_a_choice_however_few_cards_give_one():
    """Of the cards that the Draw Pile could have given him, one alone stops the attack."""
    t = Table(["Strength 7"], ["Fighting 8"], team1=("Azrael (BS)", "Bane (BS)", "Two-Face (BS)", "Catwoman (BS)"),
              code_rule=False)  # fmt: skip
    t.do("play Strength 7").may("by Superman").do("at Azrael")
    assert t.legal() == ["take it", "play Fighting 8"]
    for seed in range(100):
        other = t.state.copy()
        t.k.resample(t.variant.rules, other, 0, seed)
        assert t.k.legal(t.variant.rules, other, np.zeros(9, np.int32)) == 2
        check_cards(t.variant, other)


def test_an_open_hand_is_not_redrawn():
    lasso = "Wonder Woman: Lasso Of Truth"
    t = Table([lasso], ["Intellect 7", "Fighting 5"], team0=("Wonder Woman (JL)", *HEROES[:3]))
    assert any(hand(t, resampled(t, 0, seed), 1) != t.hand(1) for seed in range(5))
    t.do(f"play {lasso}")
    for seed in range(5):
        assert hand(t, resampled(t, 0, seed), 1) == t.hand(1)


def test_who_has_seen_the_top_of_a_pile_knows_what_was_drawn():
    t = Table(
        ["Doctor Doom: Time Machine"], more1=["Intellect 7", "Fighting 5"], team0=("Doctor Doom (IQ)", *HEROES[:3])
    )
    names = ["Intellect 7", "Fighting 5", *["Fighting 1"] * 6]
    t.stack(1, names)
    t.do("play Doctor Doom: Time Machine")
    t.do("pass", "pass")
    p = t.s.players[1]
    assert [int(p.known[t.kind(1, name)]) for name in names[:2]] == [1, 1]
    assert p.known.sum() == 2
    for seed in range(5):
        assert {"Intellect 7", "Fighting 5"} <= set(hand(t, resampled(t, 0, seed), 1))


def test_cards_of_the_fallen_may_be_in_the_hand_and_those_of_the_reserve_may_not():
    """Rules 59 and 37: what was discarded before the battle is not imagined, what could not be discarded since is."""
    more = ["Joker: Joker Venom", "Catwoman: Cat-Like Reflexes"]
    t = Table([], ["Fighting 5"], more1=more)
    found = set()
    for seed in range(60):
        found |= set(hand(t, resampled(t, 0, seed), 1))
    assert "Joker: Joker Venom" in found
    assert "Catwoman: Cat-Like Reflexes" not in found  # she is the Reserve
    t.s.players[1].alive[0] = 0
    found = set()
    for seed in range(60):
        found |= set(hand(t, resampled(t, 0, seed), 1))
    assert "Joker: Joker Venom" in found


def test_an_event_that_was_seen_coming_leaves_no_trace_in_the_hand():
    machine, event = "Doctor Doom: Time Machine", "Event: 661216.01"
    t = Table([machine], more1=[event], team0=("Doctor Doom (IQ)", *HEROES[:3]), events=True)
    t.stack(1, [event, *["Fighting 1"] * 7])
    t.do(f"play {machine}", "pass", "pass")
    assert t.removed(1) == [event]
    assert t.s.players[1].known.sum() == 1  # the other card that was seen


def test_what_is_asked_about_a_play_is_seen_by_its_player_only():
    """Which details are open tells what card it is; the other sees that an attack, or a defence, is being chosen."""

    def asked(t, seat):
        out = np.zeros(t.variant.observation_size, np.int8)
        t.k.observe(t.variant.rules, t.state, seat, out)
        return phases.NAMES[out[: phases.COUNT].argmax()]

    t = Table(["Fighting 5", "Flying Kick"], ["Intellect 6", "Advance Warning"])
    for move, mine, his in (
        ("play Fighting 5", phases.USER, phases.TURN),
        ("by Batman", phases.PARTNER, phases.TURN),
        ("alone", phases.TARGET, phases.TURN),
    ):
        t.do(move)
        assert (asked(t, 0), asked(t, 1)) == (phases.NAMES[mine], phases.NAMES[his])
    t.do("at Joker")
    assert asked(t, 0) == asked(t, 1) == phases.NAMES[phases.DEFEND]
    t.do("play Intellect 6")
    assert (asked(t, 1), asked(t, 0)) == (phases.NAMES[phases.DEFEND_PARTNER], phases.NAMES[phases.DEFEND])


def test_a_play_of_many_cards_is_seen_by_nobody_else_before_it_is_declared():
    """BU and HC: hand sizes, placed cards and what is known of them stay as they were for the other player."""
    fury, hands = "Longshot: Four-Fingered Fury", "Beast: Ambidexterity"
    parts = Table([fury, "Fighting 1", "Fighting 2", "Fighting 3"], ["Intellect 7"],
                  team0=("Longshot (IQ)", *HEROES[:3]), placed0={"Longshot": ["Fighting 4"]})  # fmt: skip
    bonuses = Table([hands, "Intellect 6", "Blackout", "Advance Warning", "Diversion"], ["Intellect 7"],
                    team0=("Beast (IQ)", *HEROES[:3]), placed0={"Beast": ["Blindside"]})  # fmt: skip
    bonuses.do(f"play {hands}", "pass")
    for t, moves in (
        (parts, [f"play {fury}", "play Fighting 2", "play Fighting 4, placed on Longshot", "play Fighting 1"]),
        (bonuses, ["play Intellect 6", "by Beast", "play Blackout", "play Blindside", "play Advance Warning"]),
    ):
        before, seen = view_of(t, 1), int(t.s.players[0].hand.sum())
        for move in moves:
            t.do(next(name for name in t.legal() if name.startswith(move)))
            assert view_of(t, 1) == before, move
        t.may("alone").do("at Joker")
        assert view_of(t, 1) != before
        assert t.s.players[0].hand.sum() == seen - 3
        assert t.placed(0, t.decks[0].team[0].name.partition(" (")[0]) == []


def view_of(t, seat):
    """All that this seat sees: its observation and the table as text."""
    out = np.zeros(t.variant.observation_size, np.int8)
    t.k.observe(t.variant.rules, t.state, seat, out)
    return out.tolist(), GAME.ansi(t.variant, t.state, seat)


# ---------------------------------------------------------------- what was shown not to be in a hand


def imagined(t, side, seeds=60):
    """Many hands that the other player may imagine this one to be."""
    return [hand(t, resampled(t, 1 - side, seed), side) for seed in range(seeds)]


def specials(names):
    return [name for name in names if name.startswith(("Joker: ", "Mystique: ", "Superman: "))]


JOKERS = [
    f"Joker: {title}" for title in ("Acid Spray Flower", "Double Cross", "Keys To The Kingdom", "Maniacal Genius")
]
SUPERMANS = [f"Superman: {title}" for title in ("Heat Vision", "Man Of Steel", "Earth's Greatest Hero")]


def test_who_has_seen_all_specials_of_a_hand_imagines_no_others():
    """AJ2, and AJ3 for Power cards: what was not shown is not there."""
    for card, shown in (("Batman: Master Detective", specials), ("Nightwing: Expert Sleuth", None)):
        few = ["Advance Warning", "Training: EF +4", "Fighting 5", JOKERS[0]]
        t = Table(
            [card], few, team0=("Nightwing (BS)", *HEROES[:3]), more1=[*JOKERS * 4, "Intellect 7", *["Blackout"] * 4]
        )

        def seen(names, shown=shown):
            return shown(names) if shown else [name for name in names if name[-2:-1] == " "]

        assert any(seen(names) != seen(t.hand(1)) for names in imagined(t, 1))
        t.do(f"play {card}").may("by Batman")
        hands = imagined(t, 1)
        assert all(seen(names) == seen(t.hand(1)) for names in hands)
        assert any(names != t.hand(1) for names in hands)  # the others may be any


def test_a_card_drawn_later_may_be_of_those_kinds_again():
    hand1 = ["Joker: Joker Venom", "Intellect 7", "Intellect 6", "Mystique: Surprise Attack"]
    t = Table(["Batman: Master Detective"], hand1, team1=("Joker (BS)", "Mystique (IQ)", *VILLAINS[1:3]),
              more1=[*JOKERS * 4, "Intellect 5"])  # fmt: skip
    t.stack(1, ["Intellect 5"])
    t.do("play Batman: Master Detective", "play Mystique: Surprise Attack")
    numbers = {len(specials(names)) for names in imagined(t, 1)}
    assert numbers == {1, 2}  # the Joker's that was shown, and perhaps the card that was drawn
    t.do("pass", "play Joker: Joker Venom").may("at Batman", "take it")
    assert {len(specials(names)) for names in imagined(t, 1)} == {0, 1}


def test_who_has_discarded_all_cards_of_an_icon_has_no_others():
    """BY1; and DR: duplicates of a card that was drawn and discarded."""
    card = "Banshee: Shatter Shriek"
    t = Table([card], ["Fighting 5", "Intellect 7", "Energy 4"], team0=("Banshee (IQ)", *HEROES[:3]),
              more1=["Fighting 3", "Fighting 4", "Intellect 6"])  # fmt: skip
    t.do(f"play {card}")
    assert not any(name.startswith(("Fighting", "MultiPower")) for names in imagined(t, 1) for name in names)
    card = "Scarlet Witch: Spell Of Destruction"
    t = Table([card], ["Fighting 5", "Intellect 7"], team0=("Scarlet Witch (IQ)", *HEROES[:3]),
              more1=["Energy 4", "Fighting 4", "Intellect 4", "Intellect 6"])  # fmt: skip
    t.stack(1, ["Intellect 4"])
    t.do(f"play {card}")
    assert not any(name.endswith(" 4") for names in imagined(t, 1) for name in names)


def test_what_the_user_cannot_use_has_been_replaced():
    """EF: the cards that were kept are all of use to him."""
    card = "Hawkeye: Combat Ready"
    t = Table([card, "Fighting 7", "Superman: Heat Vision"], team0=("Hawkeye (IQ)", *HEROES[:3]),
              more0=["Fighting 4", *SUPERMANS * 4])  # fmt: skip
    t.stack(0, ["Fighting 4"])
    t.do(f"play {card}")
    assert t.hand(0) == ["Fighting 4", "Fighting 7"]
    assert {len(specials(names)) for names in imagined(t, 0)} == {0, 1}  # only the new one may be Superman's


def test_an_open_hand_is_remembered_when_it_is_hidden_again():
    lasso = "Wonder Woman: Lasso Of Truth"
    t = Table([lasso], ["Intellect 7", "Fighting 5", "Beast: Analyze"], team0=("Wonder Woman (JL)", *HEROES[:3]),
              team1=("Beast (IQ)", *VILLAINS[:3]))  # fmt: skip
    t.do(f"play {lasso}").may("take it").do("play Beast: Analyze")
    assert all(names == t.hand(1) for names in imagined(t, 1, 8))


def test_a_card_that_was_seen_in_the_pile_is_not_in_the_hand():
    t = Table(["Doctor Doom: Time Machine"], ["Intellect 6", "Fighting 5"], more1=["Intellect 7", "Intellect 5"],
              team0=("Doctor Doom (IQ)", *HEROES[:3]))  # fmt: skip
    t.stack(1, ["Intellect 7", "Intellect 5"])
    t.do("play Doctor Doom: Time Machine")
    shuffle(t.s.players[1], t.s.head.rng)
    assert not any({"Intellect 7", "Intellect 5"} & set(names) for names in imagined(t, 1))


# ---------------------------------------------------------------- what was searched for, and what lies in the pile


def is_power(name):
    return name[-2:-1] == " "


def test_a_card_that_was_searched_for_is_imagined_as_one_of_its_sort():
    """HT1, CS and DS: nobody sees the card, but all know what it was searched for."""
    for card, owner, found, fits in (
        ("Nightcrawler: Power 'Port", "Nightcrawler (IQ)", "Fighting 6", is_power),
        ("Azrael: Avenging Angel", "Azrael (BS)", "Flying Kick: 7 Fighting +2", lambda name: "+" in name),
        ("Banshee: Luck O' The Irish", "Banshee (IQ)", "Banshee: Sonic Glide", lambda name: "Banshee" in name),
    ):
        t = Table([card, "Superman: Heat Vision"], team0=(owner, *HEROES[:3]), more0=[found, *SUPERMANS * 8])
        hands = imagined(t.do(f"play {card}").may(f"fetch {found}"), 0)
        assert all(any(fits(name) for name in names) for names in hands), card
        assert any(names != t.hand(0) for names in hands)
        t.s.players[0].known[t.kind(0, found)] = 0
        d = t.variant.rules.view(RULES)[0].decks[0]
        show(d, t.s.players[0], t.kind(0, found))  # it is seen: of the other card nothing is known
        assert len({tuple(names) for names in imagined(t, 0)}) > 1


def test_ten_cards_that_were_searched_for_are_all_remembered():
    """Nobody sees any of them, until four are shown: that any of the others is another is not known."""
    helpers = ["Flying Kick", "Advance Warning", "Back Flip", "Bluff"]
    t = Table([], more0=[*helpers * 3, *SUPERMANS * 8])
    d, p = t.variant.rules.view(RULES)[0].decks[0], t.s.players[0]
    kinds = sum(1 << t.kind(0, name) for name in helpers)
    for number in range(1, 11):
        kind = t.kind(0, helpers[number % 4])
        t.draw_out(0, kind)
        join_unseen(p, kind, kinds)
        assert all(sum("+" in name for name in names) == number for names in imagined(t, 0))
    for _ in range(4):
        show(d, p, t.kind(0, "Flying Kick" if p.known[t.kind(0, "Flying Kick")] == 0 else "Advance Warning"))
        assert all(sum("+" in name for name in names) == 10 for names in imagined(t, 0))


def test_a_search_brings_no_card_of_another_sort():
    """Who has seen all Specials of a hand knows that a Power card that was searched for is none."""
    port = "Nightcrawler: Power 'Port"
    t = Table(["Batman: Master Detective"], [port, "Fighting 5", "Flying Kick"], more1=["Fighting 6", *JOKERS * 4],
              team1=("Nightcrawler (IQ)", *VILLAINS[:3]), code_rule=False)  # fmt: skip
    t.do("play Batman: Master Detective", f"play {port}", "fetch Fighting 6")
    assert not any(specials(names) for names in imagined(t, 1))
    t.do("pass", "play Fighting 6").may("by Nightcrawler", "at Batman", "alone", "take it")
    assert not any(specials(names) for names in imagined(t, 1))


def test_tops_that_are_known_stay_known_below_new_ones():
    """AJ4, then IF1: cards of the hand come on top of those that were seen, face down."""
    known, others = ["Strength 5", "Energy 3"], ["Fighting 7", "Fighting 6", "Fighting 4", "Fighting 3", "Fighting 1"]
    t = Table(["Doctor Doom: Time Machine"], ["Forge: The Maker", *others], team0=("Doctor Doom (IQ)", *VILLAINS[:3]),
              team1=("Forge (IQ)", *HEROES[:3]), more1=known, hand_size=4)  # fmt: skip
    t.stack(1, known)
    t.do("play Doctor Doom: Time Machine", "pass", "concede", "play Forge: The Maker")
    t.do(*(f"fetch {name}" for name in others))
    assert t.s.battle == 2
    assert t.s.players[1].known.sum() == 0  # of the four cards drawn; one lies above those that were seen
    kinds = [t.kind(1, name) for name in known]
    assert tops(t, t.state, 0) == [0, *(kind + 1 for kind in kinds), 0, 0, 0, 0, 0]
    found = set()
    for seed in range(20):
        other = t.state.copy()
        t.k.resample(t.variant.rules, other, 0, seed)
        check_cards(t.variant, other)
        assert tops(t, other, 0) == tops(t, t.state, 0)
        p = other.view(STATE)[0].players[1]
        assert [int(kind) for kind in p.draw[p.draw_n - 3 : p.draw_n - 1]] == kinds[::-1]
        assert p.stacked == t.s.players[1].stacked  # he knows what he has put there
        found.add(int(p.draw[p.draw_n - 1]))
    assert len(found) > 1


def tops(t, state, seat):
    """What this seat knows of the top of the other's Draw Pile, as it is observed."""
    out = np.zeros(t.variant.observation_size, np.int8)
    t.k.observe(t.variant.rules, state, seat, out)
    at = sum(part.size for part in t.variant.parts[: [part.name for part in t.variant.parts].index("tops")])
    return out[at + 8 : at + 16].tolist()


def test_a_card_that_is_drawn_from_below_unknown_ones_is_known():
    t = Table(["Doctor Doom: Time Machine"], ["Orion: Boom Tube", "Fighting 7", "Fighting 6"],
              team0=("Doctor Doom (IQ)", *VILLAINS[:3]), team1=("Orion (JL)", *HEROES[:3]),
              more1=["Strength 5", "Energy 3"], hand_size=4)  # fmt: skip
    t.stack(1, ["Strength 5", "Energy 3"])
    t.do("play Doctor Doom: Time Machine", "concede", "play Orion: Boom Tube", "fetch Fighting 6", "fetch Fighting 7")
    t.may("done")
    assert {"Fighting 6", "Fighting 7"} <= set(t.hand(1))
    assert [int(t.s.players[1].known[t.kind(1, name)]) for name in ("Strength 5", "Energy 3")] == [1, 1]
    assert t.s.players[1].known.sum() == 2


def test_the_attack_that_lies_face_down_comes_back_for_a_card_that_may_go():
    """The last resort of redrawing keeps to what was seen not to be in the hand."""
    card, other = "Riddler: Colt Revolver", "Riddler: Death Trap"
    t = Table(["Riddler: Master Of Misdirection", card, "Fighting 2"], ["Fighting 5"], more0=[other],
              team0=("Riddler (BS)", *VILLAINS[:3]), team1=HEROES)  # fmt: skip
    t.do("play Riddler: Master Of Misdirection", f"play {card}", "at Batman")
    p = t.s.players[0]
    p.hand[t.kind(0, card)] -= 1  # another hand has been dealt
    p.draw[p.draw_n] = t.kind(0, card)
    p.draw_n += 1
    t.deal(0, other)
    for kind, c in enumerate(t.decks[0].kinds):
        if c.card_class == icons.SPECIAL:
            p.since[kind] = p.came - 1
    bring_back_concealed(t.variant.rules.view(RULES)[0], t.s, 0)
    check_cards(t.variant, t.state)
    assert t.hand(0) == ["Fighting 2", card]  # at most one Special


def can_be(cards, owners):
    """Can each of these cards be one of these, each of which is known not to be of certain kinds?"""
    taken = {}

    def place(card, tried):
        for i, ruled_out in enumerate(owners):
            if i not in tried and cards[card] not in ruled_out:
                tried.add(i)
                if i not in taken or place(taken[i], tried):
                    taken[i] = card
                    return True
        return False

    return all(place(card, set()) for card in range(len(cards)))


class Witness:
    """Remembers, without the rules' help, what the unseen cards of a hand were shown not to be.

    When one of them leaves, it may have been any that could be such a card: so there are several possibilities, each a
    list with the kinds that are ruled out for every unseen card.
    """

    def __init__(self, variant):
        self.decks = decks_of(variant.values)
        self.before = [[], []]
        self.possible = [{()}, {()}]
        self.searched = [0, 0]  # the classes that each player is searching for
        self.battle = 0

    def unseen(self, s, side):
        p = s.players[side]
        return [kind for kind in range(KINDS) for _ in range(int(p.hand[kind]) - int(p.known[kind]))]

    def shown(self, s, action):
        """Whose hand this action shows, and which classes of cards of it."""
        side, kind = int(s.head.to_move), (action - actions.PLAY) % KINDS
        if not actions.PLAY <= action < actions.PLAY_PLACED + 4 * KINDS or kind >= len(self.decks[side].kinds):
            return 1 - side, 0
        name = self.decks[side].kinds[kind].name
        self.searched[side] = {"Nightcrawler: Power 'Port": icons.POWER}.get(name, 0)
        classes = {"Batman: Master Detective": icons.SPECIAL, "Nightwing: Expert Sleuth": icons.POWER}
        return 1 - side, classes.get(name, 0)

    def follow(self, s, shown, classes):
        """After a step in which these classes of the hand of a side were shown."""
        for side in range(2):
            now, before = self.unseen(s, side), self.before[side]
            self.before[side] = now
            if s.battle != self.battle:
                self.possible[side] = {(frozenset(),) * len(now)}
                continue
            for kind in set(before):
                for _ in range(before.count(kind) - now.count(kind)):
                    self.possible[side] = {
                        cards[:i] + cards[i + 1 :]
                        for cards in self.possible[side]
                        for i, ruled_out in enumerate(cards)
                        if kind not in ruled_out
                    }
            new = sum(max(0, now.count(kind) - before.count(kind)) for kind in set(now))
            ruled_out = frozenset()
            if new and self.searched[side]:
                cards = enumerate(self.decks[side].kinds)
                ruled_out = frozenset(kind for kind, card in cards if not card.card_class & self.searched[side])
                self.searched[side] = 0
            self.possible[side] = {(*cards, *[ruled_out] * new) for cards in self.possible[side]}
        self.battle = int(s.battle)
        kinds = {kind for kind, card in enumerate(self.decks[shown].kinds) if card.card_class & classes}
        self.possible[shown] = {tuple(ruled_out | kinds for ruled_out in cards) for cards in self.possible[shown]}


def test_no_imagined_hand_contradicts_what_was_shown():
    """Over whole games in which hands are shown, and cards drawn and searched for."""
    team = ("Batman (BS)", "Nightwing (BS)", "Mystique (IQ)", "Nightcrawler (IQ)")
    seers = ["Batman: Master Detective", "Nightwing: Expert Sleuth"] * 6
    drawing = ["Mystique: Surprise Attack", "Nightcrawler: Power 'Port"]
    others = [
        "Batman: Batarang",
        "Nightwing: Escrima Sticks",
        "Mystique: Infiltration",
        "Nightcrawler: Bamf!",
        "Flying Kick",
    ]
    powers = [f"Fighting {value}" for value in range(3, 8)] + [f"Intellect {value}" for value in range(1, 7)]
    deck = deck_file(team, seers + drawing + others * 3 + powers * 2, "Race Against Crime")
    variant = Variant(GAME, 2, {"deck0": deck, "deck1": deck, "events": False, "sum_rule": False, "battle_limit": 6})
    facts = []
    for seed in range(40 if COMPILED else 4):
        watch(variant, seed, facts)
    assert any(facts)


def watch(variant, seed, facts):
    """A game, with a look at an imagined hand now and then: was it another than the real one?"""
    witness, rng, last = Witness(variant), random.Random(seed), []

    def look(state, legal, action):
        s = state.view(STATE)[0]
        witness.follow(s, *(last.pop() if last else (0, 0)))
        f = s.frames[s.depth - 1]
        for side in range(2):
            possible = witness.possible[side]
            if not any(any(cards) for cards in possible) or rng.random() < 0.5:
                continue
            other = state.copy()
            GAME.kernels.resample(variant.rules, other, 1 - side, rng.randrange(1000))
            check_cards(variant, other)
            found = witness.unseen(other.view(STATE)[0], side)
            assert len(found) == len(witness.unseen(s, side))
            assert any(can_be(found, cards) for cards in possible), phases.NAMES[f.what]
            facts.append(found != witness.unseen(s, side))
        last.append(witness.shown(s, action) if f.what in (phases.TURN, phases.FOLLOW) else (0, 0))

    random_game(variant, seed, look, patience=1.0)
