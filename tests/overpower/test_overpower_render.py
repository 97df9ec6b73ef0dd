"""What an OverPower table looks like, in words and as a picture: all that a player wants to see, and nothing hidden."""

import dataclasses

import numpy as np
import pytest
from overpower_scenario import HEROES, Table
from test_overpower_kernels import random_game, variant_for

from overworlds.envs import overpower_v0
from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME, decks_of, phases
from overworlds.envs.overpower.cards import cards, characters
from overworlds.envs.overpower.pictures import Canvas
from overworlds.envs.overpower.render import HEIGHT, WIDTH, ansi, draw
from overworlds.envs.overpower.state import NOBODY, STATE
from overworlds.envs.overpower.table import FRONT, KNOCKED_OUT, RESERVE, UNDECIDED, Effect
from overworlds.envs.overpower.view import table

HAND = ["Fighting 7", "Batman: Batarang"]


def battle(**more):
    return Table(hand0=HAND, hand1=["Intellect 7", "MultiPower 3"], placed0={"Batman": ["Fighting 6"]}, **more)


def seen(t, viewer):
    return table(t.variant, t.decks, t.state, viewer)


def words(t, viewer=None):
    return GAME.ansi(t.variant, t.state, viewer)


def test_only_the_viewer_sees_the_cards_of_a_hand():
    t = battle()
    mine, others, nobodys = (seen(t, viewer) for viewer in (0, 1, None))
    assert sorted(face.name for face in mine.players[0].hand) == sorted(HAND)
    assert (mine.players[0].hidden, mine.players[1].hidden) == (0, 2)
    assert others.players[0].hand == nobodys.players[0].hand == ()
    assert "Batarang" in words(t, 0)
    assert "Batarang" not in words(t, 1)
    assert "2 hidden" in words(t)


def test_cards_that_were_shown_are_seen_by_everybody():
    t = battle()
    t.s.players[0].known[t.kind(0, "Fighting 7")] = 1
    assert [face.name for face in seen(t, 1).players[0].hand] == ["Fighting 7"]
    assert seen(t, 1).players[0].hidden == 1


def test_characters_with_grids_hits_and_placed_cards():
    t = battle()
    t.s.players[1].alive[t.who(1, "Bane")] = 0
    t.s.players[0].grid[t.who(0, "Robin"), 0] = 8
    batman, _, robin, azrael = seen(t, None).players[0].team
    assert (batman.name, batman.grid, batman.place) == ("Batman", (2, 7, 4, 7), FRONT)
    assert [face.name for face in batman.placed] == ["Fighting 6"]
    assert (robin.grid[0], robin.printed[0]) == (8, 3)
    assert azrael.place == RESERVE
    assert seen(t, None).players[1].team[1].place == KNOCKED_OUT
    assert (batman.damage, batman.limit, batman.hits) == (0, 20, ())


def test_the_attack_is_shown_with_its_value_and_target():
    t = battle()
    t.do("play Fighting 7", "at Joker")
    attack = seen(t, None).attack
    assert (attack.seat, attack.user, attack.target, attack.value) == (0, "Batman", "Joker", 7)
    assert "Batman plays Fighting 7 on Joker for 7 F" in words(t)
    t.do("take it")
    joker = seen(t, None).players[1].team[0]
    assert [(hit.value, hit.is_current) for hit in joker.hits] == [(7, True)]
    assert joker.damage == 7
    assert seen(t, None).players[0].total == 7
    assert "hits 7 of 20 (7F in this battle)" in words(t)


def test_what_is_being_put_together_is_seen_by_its_player_only():
    t = battle()
    t.do("play Fighting 7")
    assert t.s.frames[t.s.depth - 1].what == phases.TARGET
    assert seen(t, 0).play.cards[0].name == "Fighting 7"
    assert seen(t, 1).play is seen(t, None).play is None
    assert "about to play Fighting 7" in words(t, 0)
    assert "Fighting 7" not in words(t, 1)


def test_missions_and_piles():
    t = battle()
    p = t.s.players[0]
    p.reserve, p.completed, p.defeated, p.risk_reserve = 3, 1, 1, 2
    player = seen(t, None).players[0]
    assert player.missions == (1, 3, 1)
    assert player.ventured == (0, 2)
    assert player.piles == (int(p.draw_n), 0, 0, 0)
    assert "1 Completed, 3 Reserve, 1 Defeated, ventured 2 from Reserve, 0 from Completed" in words(t)


def test_the_choice_of_a_reserve_is_secret_until_both_have_chosen():
    variant = Variant(GAME)
    state = variant.deal(0)
    GAME.kernels.step(variant.rules, state, variant.action_id("by Robin", 0))
    decks = decks_of(variant.values)
    places = {viewer: [c.place for c in table(variant, decks, state, viewer).players[0].team] for viewer in (0, 1)}
    assert places[0].count(RESERVE) == 1
    assert set(places[1]) == {UNDECIDED}
    said = GAME.ansi(variant, state, 1)
    assert "before the first battle" in said
    assert "'by Superman' puts Superman in Reserve" in said
    assert "front   Superman" not in said


def test_hits_of_this_battle_and_of_the_record_are_told_apart():
    t = battle(more1=["Fighting 2", "MultiPower 3"])
    t.hit(0, "Robin", "Fighting 2")
    t.hit(0, "Robin", "MultiPower 3", current=True)
    assert "hits 5 of 20 (3EFSI in this battle, 2F in the record)" in words(t)


def test_what_is_in_effect_says_on_whom_and_as_which_type():
    t = Table(hand0=["Batman: Magnesium Flare", "Superman: Man Of Steel"], hand1=["Intellect 7"])
    t.do("play Batman: Magnesium Flare").may("take it")
    (effect,) = seen(t, None).effects
    assert (effect.seat, effect.name) == (0, "Batman: Magnesium Flare")
    assert effect.words == ("attack and defence of Batman +2 with Power cards of Energy",)
    assert "player_0's Batman: Magnesium Flare: attack and defence of Batman +2 with Power cards of Energy" in words(t)


def test_a_type_that_was_chosen_is_named():
    card = next(
        card for card in cards().values() if card.effect == "choose_type; aim; no_use target stat:both chosen battle"
    )
    owner = next(name for name, each in characters().items() if each.character == card.owner)
    t = Table(team0=(owner, *HEROES[:3]), hand0=[card.name], hand1=["Intellect 7"])
    t.do(f"play {card.name}", "at Joker", "as Fighting").may("take it")
    assert seen(t, None).effects[0].words == ("Joker may not use cards with a Fighting icon",)


def test_specials_have_their_values_and_types():
    t = Table(hand0=HAND, placed0={"Batman": ["Ally: Oracle"]})
    assert "Batman: Batarang (4F)" in words(t, 0)
    assert "placed: Ally: Oracle (2I)" in words(t)


def test_discard_piles_are_open():
    t = battle(more0=["Flying Kick"])
    p = t.s.players[0]
    for name, pile, number in (("Fighting 2", p.pack, 2), ("Flying Kick", p.dead, 1), ("Batman: Batarang", p.dead, 2)):
        pile[t.kind(0, name)] += number
    said = words(t, 1)
    assert "    Power Pack: Fighting 2 2\n" in said
    assert "    Dead Pile: Flying Kick: 7 Fighting +2, Batman: Batarang (4F) x2\n" in said


def test_sets_and_inherent_abilities():
    t = Table(team0=("Longshot (IQ)", "Storm (IQ)", *HEROES[:2]))
    longshot, storm, batman, _ = seen(t, None).players[0].team
    assert (longshot.version, batman.version, batman.inherent) == ("IQ", "BS", "")
    assert longshot.inherent == "The enemy's Venture Total -2."
    assert "Storm (IQ)" in words(t)
    assert "inherent: Defence +2 with Power cards of Intellect." in words(t)
    assert storm.inherent == "Defence of this character +2 with Power cards of Intellect."


def test_the_parts_of_a_venture_total_that_is_not_just_hits():
    t = Table(team0=("Longshot (IQ)", *HEROES[:3]), more0=["Fighting 4"], more1=["Fighting 6"])
    assert seen(t, None).players[1].total_parts == ("hits 0", "-2 Longshot", "never below 0")
    t.hit(0, "Batman", "Fighting 6", current=True)
    mine, his = seen(t, None).players
    assert (mine.total_parts, his.total, his.total_parts) == ((), 4, ("hits 6", "-2 Longshot"))
    assert "Venture Total 4 (hits 6, -2 Longshot)" in words(t)


def test_hits_that_count_twice_are_part_of_the_venture_total():
    t = Table(hand0=["Superman: Earth's Greatest Hero", "Superman: Heat Vision"])
    t.do("play Superman: Earth's Greatest Hero").may("take it", "pass")
    t.do("play Superman: Heat Vision", "at Joker").may("take it")
    mine = seen(t, None).players[0]
    value = mine.total // 2
    assert mine.total_parts == (f"hits {value}", f"+{value} as hits count otherwise")


def test_what_a_card_offers_to_choose_from_is_said():
    card = next(card for card in cards().values() if card.effect.startswith("declare; either x2; venture"))
    owner = next(name for name, each in characters().items() if each.character == card.owner)
    t = Table(team0=(owner, *HEROES[:3]), hand0=[card.name])
    t.do(f"play {card.name}").may("take it")
    assert "choose 1: the enemy's Venture Total -3" in words(t)


def test_an_event_says_what_it_does():
    t = battle(more0=["Event: 661216.01"], events=True)
    t.s.players[0].event = t.kind(0, "Event: 661216.01")
    assert "661216.01: Neither player may use Power cards of Intellect" in words(t)


def test_pictures_show_what_words_show():
    t = battle()
    before = {viewer: draw(seen(t, viewer)) for viewer in (None, 0, 1)}
    assert all(frame.shape == (HEIGHT, WIDTH, 3) and frame.dtype == np.uint8 for frame in before.values())
    assert (draw(seen(t, 0)) == before[0]).all()
    assert (before[0] != before[1]).any()
    other = Table(hand0=["Fighting 6", "Batman: Batarang"], hand1=["Intellect 7", "MultiPower 3"], more0=HAND)
    assert (draw(seen(other, 0)) != before[0]).any()
    t.do("play Fighting 7", "at Joker")
    assert (draw(seen(t, None)) != before[None]).any()


def test_hidden_cards_change_nothing_in_an_onlookers_picture():
    t = battle(more0=["Fighting 5"])
    before = draw(seen(t, None))
    p = t.s.players[0]
    hand, other = t.kind(0, "Fighting 7"), t.kind(0, "Fighting 5")
    p.hand[hand], p.hand[other] = 0, 1
    assert (draw(seen(t, None)) == before).all()


def test_every_table_of_some_games_can_be_drawn():
    for seed in range(2):
        variant = variant_for(seed)
        decks = decks_of(variant.values)
        frames = []

        def look(state, legal, action, variant=variant, decks=decks, frames=frames):
            ply = int(state.view(STATE)[0].head.ply)
            if ply % 11 == 0:
                for viewer in (None, 0, 1):
                    sight = table(variant, decks, state, viewer)
                    assert "player_1" in ansi(sight)
                    frames.append(draw(sight).std())

        final = random_game(variant, seed, look)
        assert min(frames) > 10
        assert "wins" in GAME.ansi(variant, final, None) or "limit" in GAME.ansi(variant, final, None)


@pytest.mark.parametrize("owner", ["Hawkeye (MC)", "Hawkeye (IQ)"])  # one has an inherent ability, in words
def test_a_line_of_hits_is_seen_above_as_many_placed_cards_as_there_can_be(owner):
    pictures = []
    for hit in ("Energy 4", "Fighting 4"):
        t = Table(team0=(owner, *HEROES[1:]), more1=["Energy 4", "Fighting 4"])
        t.s.players[0].placed[0] = 0
        t.hit(0, "Hawkeye", hit)
        pictures.append(draw(seen(t, None)))
    assert (pictures[0] != pictures[1]).sum() > 100  # as many points of damage, but of another colour


def test_a_crowded_table_fits():
    """More hits, placed cards and hand cards than there is room for."""
    t = battle()
    p, s = t.s.players[0], t.s
    for kind in range(len(t.decks[0].kinds)):
        p.hand[kind] = 3
    p.placed[0] = 0
    for i in range(40):
        s.hits[i].who = s.hits[i].kind = 0
        s.hits[i].value, s.hits[i].icons = 1, 2
    s.hits_n = 40
    sight = seen(t, 0)
    assert len(sight.players[0].team[0].hits) == 40
    assert draw(sight).shape == (HEIGHT, WIDTH, 3)


@pytest.fixture
def strokes(monkeypatch):
    """What is written, painted as a figure or laid as a card, each with its box."""
    found = {"text": [], "number": [], "card": [], "plate": []}
    for name, boxes in found.items():
        plain = getattr(Canvas, name)

        def record(self, what, *more, name=name, plain=plain, boxes=boxes, **also):
            done = plain(self, what, *more, **also)
            if name == "text":
                width, align = done, more[4] if len(more) > 4 else also.get("align", "left")
                left = more[0] - {"left": 0, "centre": width / 2, "right": width}[align]
                boxes.append((what, (left, more[1], width, 0)))
            else:
                boxes.append((what, next(each for each in (what, *more) if isinstance(each, tuple) and len(each) == 4)))
            return done

        monkeypatch.setattr(Canvas, name, record)
    return found


def apart(one, other):
    """Do two boxes not overlap?"""
    return (
        one[0] + one[2] <= other[0]
        or other[0] + other[2] <= one[0]
        or one[1] + one[3] <= other[1]
        or other[1] + other[3] <= one[1]
    )


def test_no_text_leaves_the_picture_however_much_is_in_effect(strokes):
    t = battle()
    many = Effect(0, "Superman: Earth's Greatest Hero", ("hits by Special cards count twice " * 5,))
    for number in (1, 3, 6, 7, 20):
        strokes["text"].clear()
        draw(dataclasses.replace(seen(t, 0), effects=(many,) * number))
        assert all(left >= 0 and left + width <= WIDTH - 12 for _, (left, _, width, _) in strokes["text"])


@pytest.mark.parametrize("number", range(9))
def test_all_placed_cards_are_shown_and_cover_no_hit(strokes, number):
    t = Table(team0=("Storm (IQ)", *HEROES[:3]), hand0=["Fighting 7"], more1=["Fighting 2"] * 11, ko_limit=60)
    for _ in range(11):
        t.hit(0, "Storm", "Fighting 2", current=True)
    t.s.players[0].placed[0, :] = NOBODY
    t.s.players[0].placed[0, :number] = t.kind(0, "Fighting 7")
    draw(seen(t, None))
    hits = [box for what, box in strokes["number"] if what == "2" and box[2] == box[3]]
    placed = [box for what, box in strokes["number"] if what == "7" and box[2] == 24]
    assert (len(hits), len(placed)) == (11, number)
    assert all(apart(hit, card) for hit in hits for card in placed)


@pytest.mark.parametrize("number", [8, 15, 20])
def test_cards_of_a_large_hand_lie_side_by_side(strokes, number):
    t = battle()
    t.s.players[0].hand[:] = 0
    t.s.players[0].hand[t.kind(0, "Batman: Batarang")] = number
    draw(seen(t, 0))
    boxes = [box for _, box in strokes["card"]]
    assert len(boxes) == number
    assert all(apart(one, other) for at, one in enumerate(boxes) for other in boxes[:at])


def test_figures_of_the_record_are_as_bright_as_others():
    canvas = Canvas(40, 40)
    canvas.number("8", 1, (0, 0, 40, 40), 30, dull=True)
    assert (canvas.frame() == 248).any()
    assert (canvas.frame()[2, 2] < 160).all()


def test_the_environment_renders_in_all_modes(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = overpower_v0.env(render_mode=mode, viewer=1)
        env.reset(seed=3)
        assert isinstance(env.render(), kind)
        env.close()
