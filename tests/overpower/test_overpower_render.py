"""What an OverPower table looks like, in words and as a picture: all that a player wants to see, and nothing hidden."""

import numpy as np
from overpower_scenario import Table
from test_overpower_kernels import random_game, variant_for

from overworlds.envs import overpower_v0
from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME, decks_of, phases
from overworlds.envs.overpower.render import HEIGHT, WIDTH, ansi, draw
from overworlds.envs.overpower.state import STATE
from overworlds.envs.overpower.table import FRONT, KNOCKED_OUT, RESERVE
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
    assert "hits 7 of 20 (7F!)" in words(t)


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
    assert places[1].count(RESERVE) == 0


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


def test_a_crowded_table_fits():
    """More hits, placed cards and hand cards than there is room for."""
    t = battle()
    p, s = t.s.players[0], t.s
    for kind in range(len(t.decks[0].kinds)):
        p.hand[kind] = 3
    p.placed[0, :8] = 0
    for i in range(40):
        s.hits[i].side, s.hits[i].on, s.hits[i].kind, s.hits[i].value, s.hits[i].icons = 0, 0, 0, 1, 2
    s.hits_n = 40
    sight = seen(t, 0)
    assert len(sight.players[0].team[0].hits) == 40
    assert draw(sight).shape == (HEIGHT, WIDTH, 3)


def test_the_environment_renders_in_all_modes(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = overpower_v0.env(render_mode=mode, viewer=1)
        env.reset(seed=3)
        assert isinstance(env.render(), kind)
        env.close()
