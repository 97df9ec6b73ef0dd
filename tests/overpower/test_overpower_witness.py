"""What a player is told of the other's decisions: what he sees, when he sees it, and nothing else."""

from itertools import islice

import pytest
from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME, actions
from overworlds.envs.overpower.state import KINDS, STATE
from overworlds.training.demo import play
from overworlds.training.telling import SECRET, Account


def told(t, viewer, *names):
    """What this player is told of these decisions, leaving out what nobody is asked."""
    account, words = Account(t.variant, viewer), []
    for name in names:
        if name not in t.legal():
            continue
        before, action = t.state.copy(), t.variant.action_id(name, t.to_move)
        t.do(name)
        words += account.of(before, action, t.state)
    return words


def test_a_reserve_is_not_told_before_both_have_chosen():
    variant = Variant(GAME, 2, {"deck0": "avengers"})
    for viewer, secret in ((0, False), (1, True), (None, False)):
        turns = islice(play(variant, GAME.policy("scripted"), 5, viewer), 2)
        mine, theirs = (turn.actions[0] for turn in turns)
        assert (mine == SECRET) == secret
        assert theirs.startswith("by ")


def test_which_duplicate_is_kept_is_not_told():
    for viewer, words in ((0, "keep Fighting 5"), (1, SECRET)):
        hand = ["Fighting 5", "Strength 5", *["Fighting 1"] * 6]
        t = Table(more0=hand, more1=["Fighting 1"] * 8).next_battle(hand, ["Fighting 1"] * 8)
        assert told(t, viewer, "keep Fighting 5") == [words]


def test_a_play_is_told_when_it_is_declared():
    t = Table(["Fighting 6", "Flying Kick"], ["Intellect 7"])
    assert told(t, 1, "play Fighting 6", "by Batman", "play Flying Kick: 7 Fighting +2") == []
    t = Table(["Fighting 6", "Flying Kick"], ["Intellect 7"])
    words = told(t, 1, "play Fighting 6", "by Batman", "play Flying Kick: 7 Fighting +2", "at Joker")
    assert words == ["play Fighting 6", "by Batman", "play Flying Kick: 7 Fighting +2", "at Joker"]


def test_an_attack_that_lies_face_down_is_not_told_until_it_is_turned_up():
    bluff = "Daredevil: Blind Man's Bluff"
    t = Table([bluff, "Fighting 6"], ["Intellect 7"], team0=("Daredevil (IQ)", *HEROES[:3]), code_rule=False)
    assert told(t, 1, f"play {bluff}", "play Fighting 6", "at Joker") == [f"play {bluff}", SECRET]
    assert told(t, 1, "play Intellect 7") == ["play Intellect 7"]


def test_a_card_that_was_searched_for_is_told_only_if_it_comes_from_an_open_pile():
    angel = "Azrael: Avenging Angel"
    t = Table([angel], more0=["Flying Kick", "Advance Warning"], team0=("Azrael (BS)", *HEROES[:3]))
    assert told(t, 1, f"play {angel}", "fetch Flying Kick: 7 Fighting +2") == [f"play {angel}", SECRET]
    maker = "Forge: The Maker"
    t = Table([], [maker, "Fighting 7", "Fighting 6"], team0=VILLAINS, team1=("Forge (IQ)", *HEROES[:3]))
    assert told(t, 0, "concede", f"play {maker}", "fetch Fighting 6")[1:] == [f"play {maker}", SECRET]


@pytest.mark.parametrize("seed", range(20 if COMPILED else 1))
def test_whatever_card_of_a_hand_is_named_has_been_shown(seed):
    """Once a card that is played, discarded, placed or kept has been named, fewer like it are hidden."""
    variant = variant_for(seed)
    accounts = [Account(variant, viewer) for viewer in range(2)]
    last, waiting, named = None, {}, 0

    def tell(before, action, after):
        nonlocal named
        side = int(before.view(STATE)[0].head.to_move)
        p, q = (state.view(STATE)[0].players[side] for state in (before, after))
        kind = kind_in_hand(action)
        if kind is not None:
            waiting[side, variant.action_names(side)[action]] = kind, in_hand_or_pile(p, kind)
        for words in accounts[1 - side].of(before, action, after):
            if (side, words) in waiting:
                kind, there = waiting.pop((side, words))
                if q.draw_n <= p.draw_n:  # else it may be in the Draw Pile again
                    named += 1
                    assert in_hand_or_pile(q, kind) < there, words

    def look(state, legal, action):
        nonlocal last
        if last is not None:
            tell(*last, state)
        last = state.copy(), action

    random_game(variant, seed, look)
    assert named > 5


def in_hand_or_pile(p, kind):
    return int(p.hand[kind]) + sum(int(p.draw[i]) == kind for i in range(int(p.draw_n)))


def kind_in_hand(action):
    """The kind of card of the own hand that an id names."""
    for first, last in ((actions.PLAY, actions.PLAY_PLACED), (actions.KEEP, actions.FETCH)):
        if first <= action < last:
            return (action - first) % KINDS
    return (action - actions.PLACE) % KINDS if actions.PLACE <= action < actions.TAKE_PLACED else None
