"""Players by name."""

import pytest

from overworlds.agents import PolicyAgent, SearchAgent, Spec, make_agent, make_policy
from overworlds.agents.specs import search_settings
from overworlds.envs import Variant, find_game

VARIANT = Variant(find_game("homeworlds_v0"), 2)


@pytest.mark.parametrize(
    "text", ["random", "scripted", "search", "search:sims=400", "search:ms=200,rollout=random", "trained:a/b,c=1.npz"]
)
def test_specs_round_trip(text):
    assert str(Spec.parse(text)) == text
    assert Spec.parse(f" {text} ") == Spec.parse(text)


@pytest.mark.parametrize("text", ["", ":", "search:", ":sims=3"])
def test_half_a_spec_is_refused(text):
    with pytest.raises(ValueError, match="names no player"):
        Spec.parse(text)


def test_a_spec_is_text():
    with pytest.raises(TypeError, match="named by text"):
        Spec.parse(None)  # type: ignore[arg-type]


def test_compiled_players_have_a_policy_and_search_has_none():
    agent = make_agent("random", VARIANT)
    assert isinstance(agent, PolicyAgent)
    assert agent.policy.kernel is make_policy("random", VARIANT).kernel
    assert agent.name == "random"
    assert make_agent("search:sims=5", VARIANT).policy is None


def test_search_options_arrive():
    agent = make_agent("search:sims=7,rollout=random,cut=3,explore=0.5,first=0.25,nodes=99,value=none", VARIANT)
    assert isinstance(agent, SearchAgent)
    settings = agent.search.settings
    assert (settings.sims, settings.ms, settings.rollout, settings.cut) == (7, 0, "random", 3)
    assert (settings.explore, settings.first, settings.nodes, settings.value) == (0.5, 0.25, 99, "none")


def test_a_time_alone_is_the_whole_budget():
    assert search_settings("ms=20").sims == 0
    assert (search_settings("ms=20,sims=9").sims, search_settings("ms=20,sims=9").ms) == (9, 20)
    assert (search_settings("").sims, search_settings("").ms) == (400, 0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("serch", r"no player 'serch'; did you mean 'search'"),
        ("nobody", r"no player 'nobody'; there are .*'random'.*'search', 'trained'"),
        ("random:fast", r"'random' has no options"),
        ("search:sim=4", r"no option 'sim'; did you mean 'sims'"),
        ("search:sims", r"write the option 'sims' of search as sims=VALUE"),
        ("search:sims=", r"write the option 'sims' of search as sims=VALUE"),
        ("search:sims=many", r"'sims' of search must be a whole number, not 'many'"),
        ("search:explore=much", r"'explore' of search must be a number, not 'much'"),
        ("search:sims=3,sims=4", r"'sims' of search is given twice"),
        ("search:sims=-1", r"sims must be 0 or more, not -1"),
        ("search:nodes=0", r"nodes must be 1 or more, not 0"),
        ("search:explore=nan", r"explore must be 0 or more, not nan"),
        ("search:sims=0", r"needs a budget"),
        ("search:rollout=search", r"not a compiled player"),
        ("search:rollout=someone", r"no player 'someone'"),
        ("search:value=luck", r"must be none, game, trained or trained:FILE, not 'luck'"),
        ("trained:no/such/file.npz", r"no/such/file.npz"),
    ],
)
def test_errors_say_what_there_is(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, VARIANT)


def test_search_is_no_policy():
    with pytest.raises(ValueError, match="not a compiled player"):
        make_policy("search", VARIANT)
