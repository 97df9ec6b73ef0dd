"""Homeworlds, rule by rule: catastrophes, eliminations, alignments, and who wins."""

from itertools import combinations

import pytest

from .tabletop import (
    TWO,
    all_alignments,
    bury_the_dead,
    choices,
    choices_with,
    known_alignments,
    mover,
    play,
    results,
    table,
    take_turn,
)

# ---------------------------------------------------------------- overpopulation and catastrophes


def test_four_of_a_colour_can_become_a_catastrophe_markers_and_all_ships_counted():
    env = play(table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1,1y1,1y3,1b1"), "pass")
    assert choices(env) == ["end turn", "catastrophe yellow at S2"]
    env = play(table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1,1y1,1b1"), "pass")
    assert mover(env) == 1, "three are no overpopulation, and nothing is asked"


def test_catastrophes_are_optional():
    position = "H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1,1y1,1y3"
    env = play(table(position), "pass", "end turn")
    assert (env.position(), mover(env)) == (position, 1)
    assert "catastrophe yellow at S2" in choices(play(env, "pass")), "the next player may trigger it instead"


def test_catastrophes_come_only_after_the_action_and_nothing_comes_after_them():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1,1y1,1y3 S:b2|1b1,1b1,1b3")
    assert not choices_with(env, "catastrophe ")
    play(env, "construct green at H0")
    assert choices(env) == ["end turn", "catastrophe yellow at S2", "catastrophe blue at S3"]
    play(env, "catastrophe blue at S3")
    assert choices(env) == ["end turn", "catastrophe yellow at S2"]
    play(env, "catastrophe yellow at S2")
    assert (env.position(), mover(env)) == ("H0:b3+r1|0g1,0g3 H1:b2+y1|1g3", 1)


def test_no_catastrophe_between_the_actions_of_a_sacrifice():
    env = table("H0:b3+r1|0g3,0g2 H1:b2+y1|1g3 S:y2|0y1,1y1,1y3")
    play(env, "sacrifice g2 at H0", "construct green at H0")
    assert not choices_with(env, "catastrophe ")
    play(env, "stop")
    assert choices_with(env, "catastrophe ") == {"yellow at S2"}


def test_a_catastrophe_takes_all_pieces_of_its_colour_and_leaves_the_others():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:b2|0y1,0y2,1y1,1y2,1y3,1b1,0r3")
    play(env, "pass", "catastrophe yellow at S2")
    assert env.position() == "H0:b3+r1|0g3 H1:b2+y1|1g3 S:b2|0r3,1b1"


def test_a_single_star_that_loses_its_marker_is_destroyed_with_all_ships():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:y2|0y1,1y1,1y3,1b1,0r3")
    play(env, "pass", "catastrophe yellow at S2")
    assert env.position() == TWO


def test_a_star_without_ships_after_a_catastrophe_returns_its_marker():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:b2|0y1,1y1,1y3,1y2")
    play(env, "pass", "catastrophe yellow at S2")
    assert env.position() == TWO


def test_one_system_can_have_two_catastrophes():
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0y1,0y2,1y1,1y2,1b1,1b1,1b3,0b3,0r1")
    play(env, "pass", "catastrophe blue at S2", "catastrophe yellow at S2")
    assert env.position() == "H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0r1"


def test_a_binary_star_becomes_a_single_one_and_has_more_connections():
    env = table("H0:b1+r2|0g3,0b1,0b2,0b2 H1:b3+y2|1y3,1y1", to_move=1)
    play(env, "move y1 from H1")
    assert "go to H0" not in choices(env), "medium and large against small and medium"
    take_turn(env, "discover g1")
    play(env, "pass", "catastrophe blue at H0")
    assert env.position() == "H0:r2|0g3 H1:b3+y2|1y3 S:g1|1y1"
    assert choices_with(play(env, "move y1 from S2"), "go to ") == {"H0", "H1"}


def test_a_homeworld_with_one_marker_left_is_still_a_homeworld():
    env = table("H0:r2|0g3 H1:b3+y2|1y3")
    play(env, "pass")
    assert (mover(env), results(env)) == (1, None)
    take_turn(env, "pass")
    assert "sacrifice g3 at H0" not in choices(env)


@pytest.mark.parametrize(
    "home",
    [
        "H0:b1+b2|0b1,0b3,0g3",  # both markers are blue
        "H0:b1+r2|0b1,0b3,0b3",  # all ships are blue
        "H0:b1|0b1,0b3,0b3,0g3",  # the only marker is blue
    ],
)
def test_nobody_may_lose_their_own_homeworld_by_a_catastrophe(home):
    env = play(table(f"{home} H1:y3+y2|1y3"), "pass")
    assert mover(env) == 1, "the only overpopulation is one that must not be triggered: nothing is asked"
    play(env, "pass", "catastrophe blue at H0")
    assert results(env) == [-1, 1], "but the opponent may"


def test_catastrophes_at_the_own_homeworld_are_allowed_while_a_ship_and_a_marker_remain():
    env = play(table("H0:b1+r2|0b1,0b3,0b3,0g3 H1:y3+y2|1y3"), "pass", "catastrophe blue at H0")
    assert env.position() == "H0:r2|0g3 H1:y2+y3|1y3"


def test_the_second_catastrophe_must_leave_something_too():
    """Blue and red are overpopulated at home; either may go, not both."""
    env = play(table("H0:b1+r2|0b1,0b3,0b3,0r1,0r1,0r3,0g3 H1:y3+y2|1y3"), "pass")
    assert choices(env) == ["end turn", "catastrophe blue at H0", "catastrophe red at H0"]
    play(env, "catastrophe red at H0")
    assert env.position() == "H0:b1|0b1,0b3,0b3,0g3 H1:y2+y3|1y3"
    assert mover(env) == 1


# ---------------------------------------------------------------- alignments


@pytest.mark.parametrize(("players", "evil"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_half_of_the_players_rounded_down_are_evil(players, evil):
    env = table(players=players)
    for seed in range(50):
        env.reset(seed)
        dealt = "".join(known_alignments(env, seat)[seat] for seat in range(players))
        assert dealt.count("E") == evil
        assert dealt.count("G") == players - evil


@pytest.mark.parametrize("players", [3, 4, 6])
def test_every_deal_is_equally_likely(players):
    deals = dict.fromkeys(all_alignments(players), 0)
    env = table(players=players)
    for seed in range(100 * len(deals)):
        env.reset(seed)
        deals["".join(known_alignments(env, seat)[seat] for seat in range(players))] += 1
    surprise = sum((count - 100) ** 2 / 100 for count in deals.values())
    assert surprise < 2.5 * len(deals), deals


def test_everybody_knows_only_their_own_alignment():
    env = table(players=4, alignments="GEEG")
    assert [known_alignments(env, seat) for seat in range(4)] == ["G???", "?E??", "??E?", "???G"]


# ---------------------------------------------------------------- eliminations

CAPTURE = "H0:b3+r1|0g3 H1:b2+y1|1g3,0r3 H2:g1+y3|2b3"
"""Player 0 can capture player 1's last ship at home."""


def test_capturing_the_last_ship_at_home_eliminates():
    env = play(table("H0:b3+r1|0g3 H1:b2+y1|1g3,0r3", alignments="GE"), "attack g3 at H1")
    assert results(env) == [1, -1]


def test_capturing_another_ship_does_not_eliminate():
    env = play(table("H0:b3+r1|0g3 H1:b2+y1|1g3,1y1,0r3", alignments="GE"), "attack g3 at H1")
    assert (results(env), mover(env)) == (None, 1)


def test_destroying_all_ships_at_home_eliminates():
    env = table("H0:b3+r1|0g3 H1:b2+r1|1y3,1y2,1y1,1y1", alignments="GE")
    assert results(play(env, "pass", "catastrophe yellow at H1")) == [1, -1]


def test_destroying_both_markers_at_once_eliminates():
    env = table("H0:b3+r1|0g3 H1:y2+y1|1y3,1y2,1g3", alignments="EG")
    play(env, "pass", "catastrophe yellow at H1")
    assert (results(env), env.position()) == ([1, -1], "H0:b3+r1|0g3")


def test_destroying_both_markers_by_two_catastrophes_eliminates():
    env = table("H0:b3+r1|0g3 H1:y2+b1|1y3,1y2,1y1,1b1,1b2,1b2,1g3,0g1", alignments="EG")
    play(env, "pass", "catastrophe yellow at H1")
    assert env.position() == "H0:b3+r1|0g3 H1:b1|0g1,1b1,1b2,1b2,1g3"
    play(env, "catastrophe blue at H1")
    assert (results(env), env.position()) == ([1, -1], "H0:b3+r1|0g3")


def test_a_player_with_ships_elsewhere_only_is_eliminated_all_the_same():
    env = play(table("H0:b3+r1|0g3 H1:b2+y1|1g3,0r3 S:g2|1y3,1y3"), "attack g3 at H1")
    assert results(env) == [1, -1]
    assert env.position() == "H0:b3+r1|0g3 S:b2+y1|0g3,0r3 S:g2|1y3,1y3"


def test_eliminations_are_settled_at_the_end_of_the_turn():
    """After the deadly capture the rest of the sacrifice and the catastrophes can still be used."""
    env = table(
        "H0:b3+r1|0g3 H1:b2+y1|1g3,0b3,0r3 H2:g1+y3|2b3,0b3 H3:y1+y2|3y1,3y2,3b1 S:y2|0y1,1y3,1y3,0y3",
        alignments="GEGE",
    )
    play(env, "sacrifice r3 at H1", "attack g3 at H1")
    assert known_alignments(env, 2) == "??G?"
    assert mover(env) == 0
    play(env, "attack b3 at H2", "stop")
    assert choices_with(env, "catastrophe ") == {"yellow at H3", "yellow at S4"}
    play(env, "catastrophe yellow at H3")
    assert results(env) is None
    play(env, "end turn")
    assert results(env) == [1, -1, -1, -1], "all three were eliminated in one turn, both Evil among them"


def test_the_mover_and_the_victim_reveal_their_alignments():
    env = play(table(CAPTURE, alignments="GGE"), "attack g3 at H1")
    assert [known_alignments(env, seat) for seat in range(3)] == ["GG?", "GG?", "GGE"]
    env = play(table(CAPTURE + " H3:g1+y3|3b3", alignments="GEEG"), "attack g3 at H1")
    assert [known_alignments(env, seat) for seat in range(4)] == ["GE??", "GE??", "GEE?", "GE?G"]


def test_everything_is_revealed_at_the_end():
    env = play(table(CAPTURE + " H3:g1+y3|3b3", alignments="EGEG"), "attack g3 at H1")
    assert [known_alignments(env, seat) for seat in range(4)] == ["EGEG"] * 4


def test_evil_wins_alone_by_eliminating_a_good_player():
    assert results(play(table(CAPTURE, alignments="EGG"), "attack g3 at H1")) == [1, -1, -1]


def test_evil_wins_alone_by_eliminating_an_evil_player():
    env = play(table(CAPTURE + " H3:g1+y3|3b3", alignments="EEGG"), "attack g3 at H1")
    assert results(env) == [1, -1, -1, -1]


def test_the_living_good_win_together_when_no_evil_is_left():
    assert results(play(table(CAPTURE, alignments="GEG"), "attack g3 at H1")) == [1, -1, 1]


def test_good_eliminating_good_has_no_penalty_and_the_game_goes_on():
    env = play(table(CAPTURE, alignments="GGE"), "attack g3 at H1")
    assert (results(env), mover(env)) == (None, 2)
    assert env.agents == ["player_0", "player_2"]


def test_good_eliminating_one_of_two_evil_does_not_win_yet():
    env = play(table(CAPTURE + " H3:g1+y3|3b3", alignments="GEGE"), "attack g3 at H1")
    assert (results(env), mover(env)) == (None, 2)


def test_an_eliminated_good_player_does_not_share_the_win():
    """Player 1, Good, is eliminated first; the win that comes later is for the remaining Good players."""
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3,0r3 H2:g1+y3|2b3,0r3 H3:r2+r3|3y3 H4:g2+r3|4y3", alignments="GGEGE")
    play(env, "attack g3 at H1", "pass", "pass", "pass", "attack b3 at H2")
    assert results(env) is None, "player 4 is Evil and lives"
    env = table("H0:b3+r1|0g3 H1:b2+y1|1g3,0r3 H2:g1+y3|2b3,0r3 H3:r2+r3|3y3", players=5, alignments="GGEGE")
    play(env, "attack g3 at H1", "pass", "pass", "attack b3 at H2")
    assert results(env) == [1, -1, -1, 1, -1]


def doomed_homes(players):
    """A table where player 0 may destroy any of the other homeworlds by a catastrophe each."""
    colours = "bgrybg"
    homes = [f"H{p}:{colours[p]}1+{colours[p]}2|{p}{colours[p]}1,{p}{colours[p]}3" for p in range(1, players)]
    return " ".join(["H0:r3+y3|0g3", *homes])


COLOURS = {"b": "blue", "g": "green", "r": "red", "y": "yellow"}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_all_eliminations_under_all_alignments_end_as_the_text_says(players):
    for alignments in all_alignments(players):
        for number in range(1, players):
            for victims in combinations(range(1, players), number):
                env = play(table(doomed_homes(players), alignments=alignments), "pass")
                for victim in victims:
                    play(env, f"catastrophe {COLOURS['bgrybg'[victim]]} at H{victim}")
                if "end turn" in choices(env):
                    play(env, "end turn")
                living = [seat for seat in range(players) if seat not in victims]
                if alignments[0] == "E":
                    expected = [1 if seat == 0 else -1 for seat in range(players)]
                elif all(alignments[seat] == "G" for seat in living):
                    expected = [1 if seat in living else -1 for seat in range(players)]
                else:
                    expected = None
                assert results(env) == expected, (alignments, victims)
                if expected is None:
                    assert env.agents == [f"player_{seat}" for seat in living]
                    assert mover(env) == next(seat for seat in living if seat)


# ---------------------------------------------------------------- after an elimination


def after_the_death_of_player_1():
    """Player 0, Good, has eliminated player 1, Good; player 2, Evil, is to move."""
    position = "H0:b3+r1|0g3 H1:b2+y1|1g3,0r3 H2:g1+y3|2b3,2r2 S:g2|1y3,2r3 S:b1|1y1,1y2"
    return play(table(position, alignments="GGE"), "attack g3 at H1")


def test_the_dead_players_ships_stay_and_turns_are_skipped():
    env = after_the_death_of_player_1()
    assert env.position() == ("H0:b3+r1|0g3 H2:g1+y3|2b3,2r2 S:b1|1y1,1y2 S:b2+y1|0g3,0r3 S:g2|1y3,2r3"), (
        "systems with only a dead player's ships stay as well"
    )
    assert mover(env) == 2
    assert mover(play(env, "pass")) == 0
    assert mover(play(env, "pass")) == 2


def test_a_dead_players_ships_can_be_captured():
    env = after_the_death_of_player_1()
    assert "attack y3 at S3" in choices(env)
    play(env, "attack y3 at S3")
    assert "S:g2|2r3,2y3" in env.position()


def test_a_dead_players_ships_count_for_overpopulation():
    env = table("H0:b3+r1|0g3 H2:g1+y3|2b3,2r2 S:g2|1y3,1y2,1y1,2y3", to_move=2, players=3, alignments="GGE")
    play(env, "pass", "catastrophe yellow at S3")
    assert env.position() == "H0:b3+r1|0g3 H2:g1+y3|2b3,2r2"


def test_a_former_homeworld_is_an_ordinary_system_with_two_markers():
    env = after_the_death_of_player_1()
    play(env, "pass")
    assert "trade g3 at H1" in choices(env), "its markers still give their technologies"
    assert {"move g3 from H1", "move r3 from H1"} <= set(choices(env))
    play(env, "sacrifice g3 at H1", "stop")
    play(env, "pass")
    play(env, "move r3 from H1", "discover b3")
    assert env.position() == "H0:b3+r1|0g3 H2:g1+y3|2b3,2r2 S:b1|1y1,1y2 S:b3|0r3 S:g2|1y3,2r3", "left empty: gone"


def test_a_former_homeworld_is_connected_by_both_markers():
    env = table("H0:b3+r1|0g3 H2:g1+y3|2b3,2r2 S:b2+y1|0g3,0y3", players=3, alignments="GGE")
    play(env, "move y3 from S3")
    assert {name[-1] for name in choices_with(env, "discover ")} == {"3"}
    assert choices_with(env, "go to ") == set(), "every homeworld shares a size with it"


def test_nobody_can_be_eliminated_twice():
    """Player 2 takes what player 0 has in the dead player's homeworld: no elimination."""
    env = table("H0:b3+r1|0g3 H2:g1+y3|2b3,2r2 S:b2+y1|0g1,2r3", to_move=2, players=3, alignments="GGE")
    play(env, "attack g1 at S3")
    assert (results(env), mover(env)) == (None, 0)


def test_with_one_good_and_one_evil_left_whoever_eliminates_wins():
    position = "H0:b3+r1|0g3,2r3 H2:g1+y3|2b3,0r3"
    for to_move, attack in ((0, "attack b3 at H2"), (2, "attack g3 at H0")):
        env = play(table(position, to_move=to_move, players=3, alignments="GGE"), attack)
        assert results(env) == [1 if seat == to_move else -1 for seat in range(3)]


def test_a_win_may_leave_an_overpopulation_at_home():
    env = table("H0:b3+r1|0b1,0b3,0b3,0r3,0g3 H1:g2+y1|1g3,0r3", pieces_per_kind=5, alignments="EG")
    play(env, "attack g3 at H1", "end turn")
    assert results(env) == [1, -1]


def test_an_eliminated_agent_terminates_at_once():
    """PettingZoo: the dead agent is selected next, with its result, takes the step None and is gone."""
    env = table(CAPTURE, alignments="GGE")
    env.step(env.action_id("attack g3 at H1"))
    assert env.agent_selection == "player_1"
    _, reward, terminated, truncated, _ = env.last()
    assert (reward, terminated, truncated) == (-1, True, False)
    assert env.rewards == {"player_0": 0, "player_1": -1, "player_2": 0}
    bury_the_dead(env)
    assert env.agents == ["player_0", "player_2"]
    assert env.agent_selection == "player_2"
    assert env.last()[1:4] == (0, False, False)
