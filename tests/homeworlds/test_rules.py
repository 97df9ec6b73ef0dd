"""Homeworlds, rule by rule: setting up, systems and connections, free actions, sacrifices, leaving home."""

import pytest

from .tabletop import TWO, choices, choices_with, mover, play, table, take_turn

PIECES = [colour + size for colour in "bgry" for size in "123"]

# ---------------------------------------------------------------- setting up a homeworld


def test_the_first_turn_sets_up_two_markers_and_a_ship():
    env = table(players=2)
    assert choices(env) == [f"star {piece}" for piece in PIECES], "no passing, no other action on the first turn"
    play(env, "star r1")
    assert choices(env) == [f"star {piece}" for piece in PIECES]
    play(env, "star b3")
    assert choices(env) == [f"ship {piece}" for piece in PIECES]
    play(env, "ship g3")
    assert env.position() == "H0:b3+r1|0g3"
    assert (mover(env), env.turn) == (1, 1)


def test_everybody_sets_up_before_anybody_acts():
    env = table(players=4)
    for seat in range(4):
        assert mover(env) == seat
        assert choices_with(env, "star ")
        play(env, "star y3", "star b2", "ship g1")
    assert mover(env) == 0
    assert "pass" in choices(env)
    assert env.position() == " ".join(f"H{seat}:b2+y3|{seat}g1" for seat in range(4))


def test_markers_and_ship_may_all_be_of_one_kind_until_it_runs_out():
    env = play(table(players=2), "star b1", "star b1", "ship b1")
    assert env.position() == "H0:b1+b1|0b1"
    assert "b1" not in choices_with(env, "star "), "two players have three of each kind"
    env = play(table(players=2, pieces_per_kind=2), "star b1", "star b1")
    assert choices_with(env, "ship ") == set(PIECES) - {"b1"}


@pytest.mark.parametrize(("players", "of_each"), [(2, 3), (3, 5), (4, 5), (5, 5), (6, 5)])
def test_two_players_use_three_of_each_kind_and_more_use_the_whole_set(players, of_each):
    env = table(players=players)
    taken = 0
    while "star b1" in choices(env) or "ship b1" in choices(env):
        play(env, "star b1" if "star b1" in choices(env) else "ship b1")
        taken += 1
    assert taken == of_each


# ---------------------------------------------------------------- systems and their connections

BY_SIZES = {
    "b1": "S:g2 S:g3",
    "b2": "S:g1 S:g3",
    "b3": "S:g1 S:g2",
    "b1+r1": "S:g2 S:g3",
    "b1+r2": "S:g3",
    "b1+r3": "S:g2",
    "b2+r3": "S:g1",
}


@pytest.mark.parametrize(("home", "connected"), BY_SIZES.items())
def test_systems_are_connected_if_they_share_no_marker_size(home, connected):
    systems = {"S:g1": "S2", "S:g2": "S3", "S:g3": "S4"}
    env = table(f"H0:{home}|0y1,0y2 H1:b1+r2|1y3 " + " ".join(f"{system}|1r{system[-1]}" for system in systems))
    play(env, "move y1 from H0")
    assert choices_with(env, "go to S") == {systems[system][1:] for system in connected.split()}
    sizes = {system[-1] for system in connected.split()}
    assert {piece[1] for piece in choices_with(env, "discover ")} == sizes, "a new system must be connected, too"


@pytest.mark.parametrize(
    ("other_home", "connected"),
    [("b3+g3", True), ("b1+g3", False), ("b2+g3", False), ("b1+g2", False), ("b3", True), ("b1", False)],
)
def test_binary_systems_are_connected_if_no_size_is_in_both(other_home, connected):
    env = table(f"H0:r1+r2|0y1,0y2 H1:{other_home}|1y3")
    play(env, "move y1 from H0")
    assert ("go to H1" in choices(env)) == connected


def test_a_ship_may_move_into_another_homeworld_but_not_to_where_it_is():
    env = play(table("H0:b1+b2|0y1,0y2 H1:b3+r3|1g1 S:g3|0g1"), "move y1 from H0")
    assert choices_with(env, "go to ") == {"H1", "S2"}
    play(env, "go to H1")
    assert env.position() == "H0:b1+b2|0y2 H1:b3+r3|0y1,1g1 S:g3|0g1"


def test_where_things_lie_does_not_matter_and_equal_systems_may_coexist():
    env = play(table("H0:b1+b2|0y1,0y2 H1:b3+r3|1g1 S:g3|0g1"), "move y1 from H0", "discover g3")
    assert env.position() == "H0:b1+b2|0y2 H1:b3+r3|1g1 S:g3|0g1 S:g3|0y1"


def test_a_system_left_empty_returns_its_markers():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1")
    play(env, "move y1 from S2", "discover r3")
    assert env.position() == "H0:b3+r1|0g3 H1:b2+y1|1g3 S:r3|0y1"
    assert "y2" not in env.position()


def test_a_system_with_anybodys_ship_stays():
    env = play(table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1,1b1"), "move y1 from S2", "discover r3")
    assert env.position() == "H0:b3+r1|0g3 H1:b2+y1|1g3 S:r3|0y1 S:y2|1b1"


def test_returned_markers_can_be_used_again_at_once():
    """All large yellows are on the board; leaving one system gives its marker back for the next discovery."""
    env = table("H0:b1+r1|0y2,0g3 H1:b1+y2|1y3 S:y3|0y1 S:y3|1g1", to_move=0)
    play(env, "sacrifice y2 at H0", "move y1 from S2")
    assert "y3" not in choices_with(env, "discover ")
    play(env, "discover g2", "move y1 from S4")
    assert "y3" in choices_with(env, "discover ")


# ---------------------------------------------------------------- which technologies are available


def test_own_ships_and_markers_give_their_technology():
    env = table("H0:b3+r1|0g3,1y1 H1:b2+y1|1g3")
    assert choices_with(env, "construct ") == {"green at H0"}, "green: own ship"
    assert choices_with(env, "trade ") == {"g3 at H0"}, "blue: marker"
    assert choices_with(env, "attack ") == {"y1 at H0"}, "red: marker"
    assert not choices_with(env, "move "), "yellow is only on a ship of another player"


def test_markers_give_nothing_where_one_has_no_ship():
    env = table("H0:b3+b1|0b3 H1:g2+y1|1g3 S:g2|1g1")
    assert not choices_with(env, "construct ")
    assert not choices_with(env, "move ")


def test_a_technology_works_on_ships_of_any_colour():
    env = table("H0:b3+r1|0y1,0g3,0r2 H1:b2+y1|1g3")
    assert choices_with(env, "move ") == {"y1 from H0", "g3 from H0", "r2 from H0"}
    env = table("H0:b3+y1|0g3,0r2 H1:b2+y1|1g3")
    assert choices_with(env, "move ") == {"g3 from H0", "r2 from H0"}, "or the marker is yellow"


def test_one_agent_makes_all_decisions_of_its_turn():
    """PettingZoo: the same agent is selected again and again, without a step of anybody between."""
    env = table("H0:b3+b1|0y3,0g3,0b1 H1:r1+y1|1g3")
    for name in ("sacrifice y3 at H0", "move b1 from H0", "discover g2", "move b1 from S2", "discover g3", "stop"):
        assert env.agent_selection == "player_0"
        env.step(env.action_id(name))
    assert env.agent_selection == "player_1"


def test_one_free_action_ends_the_turn():
    env = play(table("H0:b3+r1|0y1,0g3 H1:b2+y1|1g3"), "construct green at H0")
    assert mover(env) == 1


def test_taking_no_action_is_allowed():
    env = play(table(TWO), "pass")
    assert (env.position(), mover(env)) == (TWO, 1)
    play(env, "pass")
    assert (env.position(), mover(env), env.turn) == (TWO, 0, 4)


# ---------------------------------------------------------------- construct


def test_construction_takes_the_smallest_piece_available():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1b3")
    for built in ("0g1,0g3", "0g1,0g1,0g3", "0g1,0g1,0g1,0g3", "0g1,0g1,0g1,0g2,0g3"):
        take_turn(env, "construct green at H0")
        assert env.position() == f"H0:b3+r1|{built} H1:b2+y1|1b3"
        take_turn(env, "pass")


def test_construction_needs_a_piece_of_that_colour_in_the_stash():
    env = table("H0:g1+g1|0g1,0g2,0y1 H1:b2+y1|1g2,1g2,1g3 S:g3|1g3")
    assert choices_with(env, "construct ") == {"yellow at H0"}


def test_construction_copies_the_colour_of_an_own_ship_there():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:r2|0g1,0y1,1b1")
    assert choices_with(env, "construct ") == {"green at H0", "green at S2", "yellow at S2"}
    play(env, "construct yellow at S2")
    assert env.position() == "H0:b3+r1|0g3 H1:b2+y1|1g3 S:r2|0g1,0y1,0y1,1b1"


# ---------------------------------------------------------------- trade


def test_trading_swaps_for_the_same_size_and_another_colour():
    env = play(table("H0:b3+r1|0g2 H1:b2+y1|1g3"), "trade g2 at H0")
    assert choices(env) == ["for blue", "for red", "for yellow"]
    play(env, "for red")
    assert env.position() == "H0:b3+r1|0r2 H1:b2+y1|1g3"


def test_trading_needs_the_other_piece_in_the_stash():
    env = play(table("H0:b3+r1|0g3 H1:b3+y1|1b3 S:y2|1y3,1y3,1y3"), "trade g3 at H0")
    assert env.position().startswith("H0:b3+r1|0r3 "), "only red is left, so nothing is asked"
    env = table("H0:b3+r1|0g3 H1:b3+y1|1b3,1r3 S:y2|1y3,1y3,1y3,1r3,1r3")
    assert not choices_with(env, "trade ")


# ---------------------------------------------------------------- move


def test_moving_needs_no_question_if_there_is_one_way():
    """From a large-and-small system ships go to medium ones; here all medium pieces are on the table."""
    rest = "1b2,1b2,1g2,1g2,1g2,1r2,1r2,1y2,1y2"
    env = play(table(f"H0:b3+r1|0y3,0g3 H1:b2|{rest} S:r2|1g1 S:y2|1g1"), "move y3 from H0")
    assert choices(env) == ["go to H1", "go to S2", "go to S3"]
    env = take_turn(table(f"H0:b3+r1|0y3,0g3 H1:b2|{rest},1r2,1y2"), "move y3 from H0")
    assert env.position() == f"H0:b3+r1|0g3 H1:b2|0y3,{rest.replace(',1y2', ',1r2,1y2', 1)},1y2", "the only way"


# ---------------------------------------------------------------- attack


@pytest.mark.parametrize(("largest", "taken"), [("1", "1"), ("2", "12"), ("3", "123")])
def test_attacks_take_ships_no_larger_than_the_own_largest_there(largest, taken):
    env = table(f"H0:b3+r1|0y3 H1:b2+y1|1g3 S:r2|0b{largest},1b1,1g2,1y3")
    assert choices_with(env, "attack ") == {f"{piece} at S2" for piece in ("b1", "g2", "y3") if piece[1] in taken}


def test_an_attacked_ship_changes_its_owner_and_stays():
    env = play(table("H0:b3+r1|0y3 H1:b2+y1|1g3 S:r2|0b3,1b1,1y3"), "attack y3 at S2")
    assert env.position() == "H0:b3+r1|0y3 H1:b2+y1|1g3 S:r2|0b3,0y3,1b1"
    play(env, "pass")
    assert "sacrifice y3 at S2" in choices(env), "it is mine now"


def test_where_several_players_have_such_a_ship_the_attacker_chooses_whose():
    homes = "H0:b3+r1|0y3 H1:b2+y1|1g3 H2:b2+y1|2g3 H3:b2+y1|3g3"
    env = play(table(f"{homes} S:r2|0b3,1b1,2y1,3b1"), "attack b1 at S4")
    assert choices(env) == ["the one of player_1", "the one of player_3"]
    play(env, "the one of player_3")
    assert env.position() == f"{homes} S:r2|0b1,0b3,1b1,2y1"
    env = play(table(f"{homes} S:r2|0b3,1b1,2y1,3b1"), "attack y1 at S4")
    assert env.position() == f"{homes} S:r2|0b3,0y1,1b1,3b1", "only player 2 has one, so nothing is asked"


def test_red_on_another_players_ship_is_no_use():
    env = table("H0:b3+y1|0g3,1r1 H1:b2+y1|1g3")
    assert not choices_with(env, "attack ")


# ---------------------------------------------------------------- sacrifice


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_sacrifice_gives_as_many_actions_as_the_ship_is_large(size):
    """One, two or three constructions, in systems without green."""
    env = table(f"H0:b3+r1|0y3,0g{size} H1:b2+y1|1b3 S:r3|0r1 S:b2|0b1")
    play(env, f"sacrifice g{size} at H0")
    for system in ["yellow at H0", "red at S2", "blue at S3"][:size]:
        assert choices_with(env, "construct ") >= {"yellow at H0", "red at S2", "blue at S3"}
        assert mover(env) == 0
        play(env, f"construct {system}")
    assert mover(env) == 1


@pytest.mark.parametrize(("ship", "verb"), [("g2", "construct"), ("b2", "trade"), ("y2", "move"), ("r2", "attack")])
def test_a_sacrifice_gives_only_its_colour_and_that_everywhere_one_has_a_ship(ship, verb):
    env = table(f"H0:b1+g2|0g3,0{ship},1b1 H1:b2+y1|1g3 S:r3|0y1,1r1 S:b2|1b1")
    play(env, f"sacrifice {ship} at H0")
    assert {name.split()[0] for name in choices(env)} == {"stop", verb}
    assert {name.split()[-1] for name in choices(env)} == {"stop", "H0", "S2"}, "not in S3, where I am not"


def test_sacrifice_actions_are_optional():
    env = play(table("H0:b3+r1|0g3,0y3 H1:b2+y1|1g3"), "sacrifice y3 at H0", "stop")
    assert (env.position(), mover(env)) == (TWO, 1)
    env = play(table("H0:b3+r1|0g3,0g2 H1:b2+y1|1g3"), "sacrifice g2 at H0", "construct green at H0", "stop")
    assert (env.position(), mover(env)) == ("H0:b3+r1|0g1,0g3 H1:b2+y1|1g3", 1)


def test_no_second_sacrifice_in_a_turn():
    env = play(table("H0:b3+r1|0g3,0y3,0y2 H1:b2+y1|1g3"), "sacrifice y3 at H0")
    assert not choices_with(env, "sacrifice ")


def test_the_sacrificed_ship_is_in_the_stash_before_the_actions():
    """All small greens are out; the sacrificed one is built again at once."""
    env = table("H0:b3+r1|0g1,0g3 H1:b2+y1|1g1,1b3 S:g1|1y1")
    play(env, "sacrifice g1 at H0", "construct green at H0")
    assert env.position() == "H0:b3+r1|0g1,0g3 H1:b2+y1|1b3,1g1 S:g1|1y1"


def test_a_sacrifice_that_empties_a_system_returns_its_marker_first():
    """The only ship at S2 and the system itself go back, and the next construction finds the marker in the stash."""
    env = table("H0:b3+r1|0y3,0r3 H1:r1+y1|1b3 S:r1|0g1")
    play(env, "sacrifice g1 at S2")
    assert choices_with(env, "construct ") == {"yellow at H0", "red at H0"}
    play(env, "construct red at H0")
    assert env.position() == "H0:b3+r1|0r1,0r3,0y3 H1:r1+y1|1b3"


def test_the_sacrificed_ship_is_no_pattern_for_construction():
    env = play(table("H0:b3+r1|0y3,0g1 H1:b2+y1|1b3"), "sacrifice g1 at H0")
    assert choices_with(env, "construct ") == {"yellow at H0"}


def test_the_sacrificed_ship_is_no_attacker():
    env = table("H0:b3+r1|0y3 H1:b2+y1|1g3 S:b2|0r3,0b1,1g2,1y1")
    play(env, "sacrifice r3 at S2")
    assert choices_with(env, "attack ") == {"y1 at S2"}


def test_red_sacrifices_attack_in_several_systems():
    env = table("H0:b3+b1|0r2,0y3,1g1 H1:b2+y1|1g3 S:b2|0b1,1y1")
    play(env, "sacrifice r2 at H0", "attack g1 at H0", "attack y1 at S2")
    assert env.position() == "H0:b1+b3|0g1,0y3 H1:b2+y1|1g3 S:b2|0b1,0y1"


def test_yellow_sacrifices_move_one_ship_on_and_on_or_several():
    start = "H0:b3+b1|0y3,0g3,0b1 H1:r1+y1|1g3"
    env = play(table(start), "sacrifice y3 at H0", "move b1 from H0", "discover g2", "move b1 from S2", "discover g3")
    assert env.position() == "H0:b1+b3|0g3 H1:r1+y1|1g3 S:g3|0b1"
    play(env, "move b1 from S3", "go to H1")
    assert env.position() == "H0:b1+b3|0g3 H1:r1+y1|0b1,1g3"
    env = play(table("H0:b3+b1|0y2,0g3,0b1,0b2 H1:r1+y1|1g3"), "sacrifice y2 at H0")
    play(env, "move b1 from H0", "discover g2", "move b2 from H0", "discover r2")
    assert env.position() == "H0:b1+b3|0g3 H1:r1+y1|1g3 S:g2|0b1 S:r2|0b2"


def test_blue_sacrifices_may_trade_one_ship_twice():
    env = table("H0:r3+r1|0g3,0b2 H1:r1+y1|1g3")
    play(env, "sacrifice b2 at H0", "trade g3 at H0", "for yellow", "trade y3 at H0", "for blue")
    assert env.position() == "H0:r1+r3|0b3 H1:r1+y1|1g3"


def test_a_sacrifice_without_any_use_ends_at_once():
    """Nobody to attack: after the red sacrifice there is nothing to choose."""
    env = play(table("H0:b3+b1|0r3,0y3 H1:b2+y1|1g3"), "sacrifice r3 at H0")
    assert (env.position(), mover(env)) == ("H0:b1+b3|0y3 H1:b2+y1|1g3", 1)


# ---------------------------------------------------------------- leaving home


def test_the_last_ship_at_home_cannot_leave_for_good():
    env = table("H0:b3+y1|0g3 H1:b2+r1|1g3 S:g2|0y1")
    assert not any("from H0" in name for name in choices(env))
    assert "sacrifice g3 at H0" not in choices(env)


@pytest.mark.parametrize("abandoned_home", ["stays", "vanishes"])
def test_home_may_be_left_within_the_turn_while_anothers_ship_is_there(abandoned_home):
    env = table("H0:b3+b1|0y2,1b1 H1:r1+y1|1g3 S:g2|0b1,0b2", abandoned_home=abandoned_home)
    assert "sacrifice y2 at H0" in choices(env)
    play(env, "sacrifice y2 at H0")
    assert "stop" not in choices(env), "the turn cannot end before somebody is home again"
    play(env, "move b2 from S2", "go to H0")
    assert "stop" in choices(env)
    play(env, "move b1 from S2", "go to H0")
    assert env.position() == "H0:b1+b3|0b1,0b2,1b1 H1:r1+y1|1g3"


def test_home_left_by_all_ships_stays_until_the_turn_ends():
    env = table("H0:b3+b1|0y2 H1:r1+y1|1g3 S:g2|0b1,0b2", abandoned_home="stays")
    play(env, "sacrifice y2 at H0")
    assert "H0:b1+b3|" in env.position().split()
    play(env, "move b2 from S2", "go to H0", "stop")
    assert env.position() == "H0:b1+b3|0b2 H1:r1+y1|1g3 S:g2|0b1"


def test_home_left_by_all_ships_vanishes_under_the_other_reading():
    env = table("H0:b3+b1|0y2 H1:r1+y1|1g3 S:g2|0b2", abandoned_home="vanishes")
    assert "sacrifice y2 at H0" not in choices(env)
    assert "sacrifice b2 at S2" in choices(env)


@pytest.mark.parametrize(
    ("ship_away", "possible"),
    [("S:g2|0b2", (1, 2, 3)), ("S:g1|0b2", (2, 3)), ("S:g1+g2|0b2", (3,))],
)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_last_ship_at_home_may_be_sacrificed_if_another_can_return_in_time(ship_away, possible, size):
    """From a medium system home (large and small) is one move away, from a small one two, …

    From a small-and-medium system (a dead player's) it is three: to a large, then a medium, then home.
    """
    env = table(f"H0:b3+b1|0y{size} H1:r1+y1|1g3 {ship_away}")
    assert (f"sacrifice y{size} at H0" in choices(env)) == (size in possible)


def test_only_steps_after_which_somebody_can_still_come_home_are_offered():
    """Two moves are left after the sacrifice, and home is two moves away: the first must be the right one."""
    env = play(table("H0:b3+b1|0y2 H1:r1+y1|1g3 S:g1|0b2,0b3 S:g3|1r1"), "sacrifice y2 at H0")
    assert choices(env) == ["move b2 from S2", "move b3 from S2"]
    play(env, "move b3 from S2")
    assert {name for name in choices(env) if "2" not in name} == set(), "only to a medium star, which is next to home"
    play(env, "discover r2")
    assert choices(env) == ["move b3 from S4"]
    play(env, "move b3 from S4")
    assert env.position() == "H0:b1+b3|0b3 H1:r1+y1|1g3 S:g1|0b2 S:g3|1r1", "the way home was forced"


def test_a_ship_may_leave_home_and_come_back_in_one_turn():
    env = play(table("H0:b3+b1|0y2,0g1 H1:r1+y1|1g3"), "sacrifice y2 at H0", "move g1 from H0", "discover r2")
    assert choices(env) == ["move g1 from S2"]
    play(env, "move g1 from S2")
    assert env.position() == "H0:b1+b3|0g1 H1:r1+y1|1g3"
    env = table("H0:b3+b1|0y2,0g1 H1:r1+y1|1g3", abandoned_home="vanishes")
    assert not choices_with(play(env, "sacrifice y2 at H0"), "move "), "there would be no home to come back to"


def test_discovery_is_possible_even_if_every_place_for_systems_is_taken():
    """Every piece is on the table, in as many systems as there can be; the sacrificed ship is the next star."""
    others = "S:g1|0g1 S:r1|0r1 S:y1|0y1 S:b2|0b2 S:g2|0g2 S:r2|0r2 S:y2|0y2 S:b3|0b3 S:g3|0g3 S:r3|0r3"
    env = table(f"H0:b1|0y3 H1:b1|1y3 {others}", pieces_per_kind=2)
    play(env, "sacrifice y3 at H0", "move g1 from S2")
    assert choices_with(env, "discover ") == {"y3"}
