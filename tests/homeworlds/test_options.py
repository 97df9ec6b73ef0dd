"""What can be chosen in Homeworlds: rules, table talk, the turn limit, and positions to start from."""

import numpy as np
import pytest

from overworlds.envs import homeworlds_v0

from .tabletop import TWO, choices, choices_with, known_alignments, mover, play, results, seen, table, take_turn

THREE = "H0:b3+r1|0g3 H1:b2+y1|1g3,0r3 H2:g1+y3|2b3"

# ---------------------------------------------------------------- rules


@pytest.mark.parametrize("pieces", [2, 3, 4, 5])
def test_pieces_per_kind_can_be_chosen(pieces):
    env = table(TWO, pieces_per_kind=pieces)
    stash = seen(env, 0, "stash")
    assert stash.sum() == 12 * pieces - 6
    assert stash[0] == pieces, "b1"
    with pytest.raises(ValueError, match=f"{pieces + 1} pieces b1; there are only {pieces}"):
        table("H0:b3+r1|" + ",".join(["0b1"] * (pieces + 1)) + " H1:b2+y1|1g3", pieces_per_kind=pieces)


def test_a_shared_win_can_be_divided():
    four = THREE + " H3:g1+y3|3b3"
    five = four.replace("3b3", "3b3,0r3")
    env = play(table(THREE, alignments="GEG", shared_win="divided"), "attack g3 at H1")
    assert results(env) == [0.5, -1, 0.5]
    env = play(table(THREE, alignments="EGG", shared_win="divided"), "attack g3 at H1")
    assert results(env) == [1, -1, -1], "Evil shares with nobody"
    env = table(five, alignments="GEGE", shared_win="divided")
    play(env, "attack g3 at H1", "pass", "pass", "attack b3 at H3")
    assert results(env) == [0.5, -1, 0.5, -1]


def test_the_turn_limit_counts_turns_a_player_and_ends_with_nothing_for_the_living():
    env = table(players=3, turn_limit=2)
    for _ in range(3):
        play(env, "star b1", "star r2", "ship g3")
    play(env, "pass", "pass")
    assert (results(env), env.turn) == (None, 5)
    play(env, "pass")
    assert (results(env), env.turn) == ([0, 0, 0], 6)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_the_eliminated_keep_their_loss_at_the_turn_limit():
    env = table(THREE, alignments="GGE", turn_limit=2)
    play(env, "attack g3 at H1", "pass", "pass")
    assert results(env) == [0, -1, 0]


def test_an_elimination_in_the_last_turn_is_a_termination_and_not_a_truncation():
    """Player 1 loses by the rules, in the very turn after which the limit stops the others."""
    env = table(THREE, alignments="GGE", turn_limit=1)
    env.step(env.action_id("attack g3 at H1"))
    assert results(env) == [0, -1, 0]
    assert env.terminations == {"player_0": False, "player_1": True, "player_2": False}
    assert env.truncations == {"player_0": True, "player_1": False, "player_2": True}


def test_a_win_in_the_last_turn_counts():
    env = play(table(THREE, alignments="EGG", turn_limit=1), "attack g3 at H1")
    assert results(env) == [1, -1, -1]
    assert all(env.terminations.values())


def test_without_a_turn_limit_the_game_goes_on():
    env = table(TWO, turn_limit=0)
    for _ in range(1000):
        play(env, "pass")
    assert (results(env), env.turn) == (None, 1002)
    assert seen(env, 0, "time") == 0


def test_the_observation_tells_how_much_of_the_time_is_over():
    env = table(TWO, turn_limit=10)
    assert seen(env, 0, "time") == 10, "two of twenty turns were the set-ups"
    assert seen(play(env, "pass"), 0, "time") == 15


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"pieces_per_kind": 1}, "from 2 to 5, not 1"),
        ({"pieces_per_kind": 6}, "from 2 to 5, not 6"),
        ({"pieces_per_kind": 3.0}, "a whole number"),
        ({"pieces_per_kind": True}, "a whole number"),
        ({"turn_limit": -1}, "from 0 to 10000"),
        ({"abandoned_home": "goes"}, "'stays' or 'vanishes', not 'goes'"),
        ({"shared_win": None}, "'whole' or 'divided'"),
        ({"talk": 1}, "False or True, not 1"),
        ({"talks": True}, "has no rule 'talks'; did you mean 'talk'"),
    ],
)
def test_bad_rules_are_refused_with_what_is_allowed(rules, message):
    with pytest.raises(ValueError, match=message):
        homeworlds_v0.env(rules=rules)
    with pytest.raises(ValueError, match=message):
        homeworlds_v0.env(**rules)


@pytest.mark.parametrize("players", [1, 7, 0, -1, 2.0, "4", True])
def test_the_number_of_players_is_checked(players):
    with pytest.raises(ValueError, match="2 to 6 players"):
        homeworlds_v0.env(players=players)


# ---------------------------------------------------------------- table talk


def test_talk_is_off_by_default():
    env = play(table(TWO), "pass")
    assert mover(env) == 1
    assert "statements" not in [part.name for part in env.variant.parts]


def test_every_turn_ends_with_a_statement():
    env = play(table(THREE, to_move=2, talk=True), "pass")
    assert choices(env) == [
        "say nothing",
        "say: I am good",
        "say: I am evil",
        "say: player_0 is evil",
        "say: player_1 is evil",
        "say: player_0 is good",
        "say: player_1 is good",
    ]
    play(env, "say: player_0 is evil")
    assert mover(env) == 0


def test_setting_up_ends_with_a_statement_too():
    env = play(table(players=2, talk=True), "star b1", "star b2", "ship g3")
    assert "say nothing" in choices(env)
    assert mover(play(env, "say: I am good")) == 1


def statements(env, seat):
    """What the seat remembers: for every player, counted from itself, the last two statements in words."""
    players = env.variant.players
    others = [f"player_{(seat + left) % players}" for left in range(players)]
    words = ["I am good", "I am evil", *(f"{p} is evil" for p in others), *(f"{p} is good" for p in others)]
    rows = seen(env, seat, "statements").reshape(players, 2, len(words))
    assert rows.sum(axis=2).max() <= 1
    return [[words[int(row.argmax())] if row.any() else None for row in player] for player in rows]


def test_statements_are_public_and_remembered_for_a_while():
    env = table(THREE, talk=True)
    for said in ("player_1 is evil", "I am good", "player_0 is good"):
        play(env, "pass", f"say: {said}")
    by_0, by_1, by_2 = ["player_1 is evil", None], ["I am good", None], ["player_0 is good", None]
    assert statements(env, 0) == [by_0, by_1, by_2]
    assert statements(env, 1) == [by_1, by_2, by_0]
    assert statements(env, 2) == [by_2, by_0, by_1]
    play(env, "pass", "say: I am evil")
    assert statements(env, 0)[0] == ["I am evil", "player_1 is evil"]
    play(env, "pass", "say nothing", "pass", "say nothing", "pass", "say: player_2 is evil")
    assert statements(env, 0)[0] == ["player_2 is evil", "I am evil"]
    assert statements(env, 1)[0] == [None, "I am good"]


def test_statements_do_not_bind_and_show_nothing():
    for alignments in ("GEG", "EGG"):
        env = play(table(THREE, alignments=alignments, talk=True), "pass", "say: I am good")
        assert known_alignments(env, 1)[0] == "?"


def test_nobody_speaks_of_the_dead():
    env = table("H0:b3+r1|0g3 H2:g1+y3|2b3", players=3, alignments="GGE", talk=True)
    play(env, "pass")
    assert not any("player_1" in name for name in choices(env))


def test_a_statement_comes_after_the_catastrophes_and_before_the_end():
    env = table("H0:b3+r1|0g3 H1:y2+y1|1y3,1y2,1g3", alignments="EG", talk=True)
    play(env, "pass", "catastrophe yellow at H1")
    assert (results(env), "say nothing" in choices(env)) == (None, True)
    assert results(play(env, "say nothing")) == [1, -1]


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize(
    "position",
    [
        TWO,
        "H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0g1,1y2",
        "H0:b3|0g3 H1:b2+y1|1g3 S:g2|0g1 S:g2|0g1",
        "H0:b3+b3|0b1,0b1,0b1,1b2 H1:b2+y1|1g3",
    ],
)
def test_positions_are_read_back_as_they_were_set_up(position):
    assert table(position).position() == position


def test_positions_need_not_be_sorted():
    env = table("S:g2|1y2,0g1 H1:y1+b2|1g3 H0:r1+b3|0g3")
    assert env.position() == "H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0g1,1y2"


def test_the_seat_to_move_and_the_alignments_can_be_given():
    env = table(THREE, to_move=2, alignments="GEG")
    assert mover(env) == 2
    assert [known_alignments(env, seat)[seat] for seat in range(3)] == list("GEG")


def test_players_without_a_homeworld_in_the_position_are_out():
    env = table("H0:b3+r1|0g3 H2:g1+y3|2b3 S:b2|1g3", players=3, alignments="GGE", to_move=2)
    assert env.agents == ["player_0", "player_2"]
    assert known_alignments(env, 0) == "GG?", "their cards are on the table"
    assert mover(play(env, "pass")) == 0
    env.reset(seed=1)
    assert env.agents == ["player_0", "player_1", "player_2"]
    with pytest.raises(ValueError, match="player 1 cannot be to move: it has no homeworld"):
        table("H0:b3+r1|0g3 H2:g1+y3|2b3", players=3, to_move=1)


def test_the_seed_deals_alignments_that_fit_the_position():
    env = table("H0:b3+r1|0g3 H4:g1+y3|4b3", players=5)
    for seed in range(40):
        env.reset(seed, {"position": "H0:b3+r1|0g3 H4:g1+y3|4b3", "to_move": 4})
        cards = [known_alignments(env, seat)[seat] for seat in range(5)]
        assert cards.count("E") == 2
        assert {cards[0], cards[4]} == {"G", "E"}, "otherwise the game would be over"


BAD_OPTIONS = {
    "too many pieces": ({"position": "H0:b3+r1|0g3,0g3,0g3 H1:b2+y1|1g3"}, "4 pieces g3; there are only 3"),
    "no ship at home": ({"position": "H0:b3+r1|1g3 H1:b2+y1|1g3"}, "player 0 has no ship in its homeworld"),
    "empty system": ({"position": TWO + " S:b1|"}, "the system 'S:b1|' of the position has no ships"),
    "no marker": ({"position": TWO + " S:|0b1"}, "cannot read the system"),
    "three markers": ({"position": TWO + " S:b1+b2+b3|0b1"}, "cannot read the system"),
    "unknown piece": ({"position": TWO + " S:b4|0b1"}, "cannot read the system 'S:b4|0b1'"),
    "unknown owner": ({"position": TWO + " S:b1|2b1"}, "ship of player 2, but there are 2 players"),
    "unknown home": ({"position": TWO + " H2:b1|1b1"}, "homeworld of player 2, but there are 2 players"),
    "two homes": ({"position": TWO + " H1:b1|1b1"}, "two homeworlds of player 1"),
    "one player": ({"position": "H0:b3+r1|0g3"}, "fewer than two living"),
    "nobody": ({"position": ""}, "fewer than two living"),
    "garbage": ({"position": "hello"}, "cannot read the system 'hello'"),
    "no text": ({"position": 7}, "a position is text, not 7"),
    "to_move too large": ({"position": TWO, "to_move": 2}, "to_move must be a seat from 0 to 1, not 2"),
    "to_move no number": ({"position": TWO, "to_move": "0"}, "to_move must be a seat"),
    "to_move negative": ({"position": TWO, "to_move": -1}, "to_move must be a seat"),
    "to_move alone": ({"to_move": 1}, "'to_move' needs a 'position'"),
    "too few letters": ({"alignments": "G"}, "a letter for each of 2 players, 1 of them E"),
    "wrong number": ({"alignments": "EE"}, "1 of them E"),
    "wrong letters": ({"alignments": "ge"}, "a letter for each"),
}


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_impossible_positions_are_refused_with_the_reason_and_nothing_is_lost(options, message):
    env = take_turn(table(TWO, alignments="GE"), "construct green at H0")
    before = env.state_bytes()
    with pytest.raises(ValueError, match=message):
        env.reset(seed=5, options=options)
    assert env.state_bytes() == before
    assert take_turn(env, "construct green at H1").position() == "H0:b3+r1|0g1,0g3 H1:b2+y1|1g1,1g3"


def test_living_players_on_one_side_only_are_no_game():
    with pytest.raises(ValueError, match="all on one side"):
        table("H0:b3+r1|0g3 H2:g1+y3|2b3", players=3, alignments="GEG")


def test_a_position_does_not_depend_on_the_seed_except_for_alignments():
    one, other = (table(THREE, alignments="GEG", seed=seed) for seed in (1, 2))
    assert choices(one) == choices(other)
    for agent in one.agents:
        assert np.array_equal(one.observe(agent)["observation"], other.observe(agent)["observation"])


def test_names_say_who_and_where_as_everybody_sees_it():
    """The same id is one thing for each seat: its own homeworld is always the first system."""
    env = table(THREE)
    action = env.action_id("sacrifice g3 at H0", "player_0")
    assert env.action_name(action, "player_1") == "sacrifice g3 at H1"
    assert env.action_name(action, 2) == "sacrifice g3 at H2"
    names = env.variant.action_names(1)
    assert len(set(names)) == len(names) == env.action_space("player_1").n
    assert [env.action_id(name, 1) for name in names] == list(range(len(names)))


def test_at_most_about_four_thousand_action_ids():
    assert max(homeworlds_v0.env(players=players).variant.num_actions for players in range(2, 7)) <= 4000


def test_choices_are_words():
    assert choices_with(table(TWO), "sac") == set()
    assert choices(table(TWO)) == ["pass", "construct green at H0", "trade g3 at H0"]
