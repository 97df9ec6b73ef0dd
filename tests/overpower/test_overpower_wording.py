"""What cards do, in words made from their programs."""

import re

import pytest

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME, ops, phrases, wording, words
from overworlds.envs.overpower.cards import cards, characters, find_card, find_character
from overworlds.envs.overpower.words import VERBS, compile_program

TOKENS = re.compile(r"[a-z]_[a-z]|[a-z]:[A-Za-z0-9]|\bx\d|[{}|]|\bfoe\b|\bmates?\b|\bicon:|\bstat\b|\b[EFSIAM]{2,}\b")
"""What only programs are written in."""


def programs():
    """All programs of the data, with who has them."""
    found = {}
    for card in cards().values():
        if card.effect:
            found.setdefault(card.effect, card.name)
    for character in characters().values():
        if character.inherent:
            found.setdefault(character.inherent, character.name)
    return found


def meaning(program):
    """A program without the freedoms of writing it: words in any order, defaults said or not."""
    found = []
    for clause in program.split(";"):
        plain, _, title = (clause, "", "") if "borrow" in clause else clause.partition(" named:")
        found.append((compile_program(plain, "test"), title))
    return found


def test_every_verb_and_every_flag_has_words_of_its_own():
    assert set(phrases.SAID) == set(VERBS)
    for name, verb in VERBS.items():
        assert set(phrases.FLAGS.get(name, {})) == set(verb.flags), name
        more = " 1 x1" if name != "borrow" else ""
        bare = wording.program_words(f"{name}{more}")
        said = {bare} | {wording.program_words(f"{name}{more} {flag}") for flag in verb.flags}
        assert len(said) == 1 + len(verb.flags), f"two flags of {name} read the same: {said}"
        if ops.FIRST_LASTING <= verb.op <= ops.LAST_LASTING and "{who}" in phrases.SAID[name]:
            assert wording.program_words(f"{name} others") != wording.program_words(name)


def test_flags_of_a_verb_are_bits_that_mean_nothing_else():
    """Some are read whatever the verb: at once, or of whatever lasts."""
    for name, verb in VERBS.items():
        bits = list(verb.flags.values())
        assert all(bit & (bit - 1) == 0 for bit in bits), name
        assert len(set(bits)) == len(bits), name
        lasts, is_at_once = ops.FIRST_LASTING <= verb.op <= ops.LAST_LASTING, ops.DRAW <= verb.op < ops.AS_POWER
        for flag, bit in verb.flags.items():
            assert not lasts or bit != words.OTHERS, (name, flag)
            assert not lasts or bit != words.TO_TARGET or flag in ("to_target", "versus_target"), (name, flag)
            assert not is_at_once or bit != words.PER_DEFEATED or flag == "per_defeated", (name, flag)


def test_all_programs_are_worded_without_a_raw_token():
    assert len(programs()) > 500
    for program, name in programs().items():
        said = wording.program_words(program)
        assert re.fullmatch(r"[A-Z0-9+].*\.", said), f"{name}: {said}"
        assert not TOKENS.search(said), f"{name}: {said}"
        assert "  " not in said, f"{name}: {said}"


def test_two_different_programs_never_read_the_same():
    said = {}
    for program, name in programs().items():
        other, who = said.setdefault(wording.program_words(program), (program, name))
        assert meaning(other) == meaning(program), f"{name} reads like {who}: {wording.program_words(program)}"


def test_effects_on_the_table_say_whom_they_concern():
    names = {"who": "Robin", "whose": "player_0's", "user": "Batman", "target": "Joker"}
    for program in programs():
        for row in compile_program(program.partition(" named:")[0] if "borrow" not in program else program, "test"):
            if ops.FIRST_LASTING <= row["op"] <= ops.LAST_LASTING and row["op"] != ops.KO_DELAY:
                said = wording.effect_words(row, program, **names)
                assert any(name in said for name in names.values()), said
                assert not TOKENS.search(said.replace("player_0", "")), said
                assert not re.search("this character|the target|your|the enemy(.s| may)", said), said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("attack 4 E; follow x1 type:E other_target",
         "Attack an enemy for 4 Energy; then one more attack with cards of Energy, at somebody else."),
        ("avoid self type:EF", "Answer an attack of Energy or Fighting on this character: it is avoided."),
        ("declare; either x2; venture self battle 3; venture foe battle -3",
         "On your turn: either your Venture Total +3, for this battle, or the enemy's Venture Total -3, "
         "for this battle."),
        ("aim; choose_type; no_use target stat:defence class:power,basic,training chosen battle",
         "Attack an enemy without a number; choose a power type; the target may not use Power, Basic Universe or "
         "Training cards of that type to defend, for this battle."),
        ("each; pick self spare; no_attack mate battle",
         "Each player: choose one of the own characters, unless it is the only one; that character may not attack, "
         "for this battle."),
        ("no_use both stat:both class:power type:S battle",
         "Neither player may use Power cards of Strength, for this battle."),
        ("after_concession only own; declare; fetch x3 any from:hand to:top",
         "When you concede, and only then: take up to 3 cards from your hand to the top of the Draw Pile."),
        ("keep_duplicates self class:special named:Snow Blind",
         "This character may keep duplicates of the Special Snow Blind."),
    ],
)  # fmt: skip
def test_how_programs_read(program, said):
    assert wording.program_words(program) == said


def test_every_sort_of_card_is_explained():
    explained = {name: wording.card_words(find_card(name, "test")) for name in (
        "Energy 5", "Any-Power 6", "Flying Kick", "Training: EF +4", "Ally: Oracle", "Batman: Batarang",
        "Teamwork: 6F then EI +1 +2", "Event: 661216.01",
    )}  # fmt: skip
    assert "rated 5 or more in Energy" in explained["Energy 5"]
    assert "in any type" in explained["Any-Power 6"]
    assert explained["Flying Kick"].startswith("Adds 2 to a Power card of Fighting")
    assert "rated 5 or less" in explained["Training: EF +4"]
    assert "a teammate plays a Special" in explained["Ally: Oracle"]
    assert "Energy or Intellect" in explained["Teamwork: 6F then EI +1 +2"]
    assert explained["Batman: Batarang"] == wording.program_words(find_card("Batman: Batarang", "test").effect)
    assert "Neither player may use Power cards of Intellect" in explained["Event: 661216.01"]


def test_a_special_that_is_played_on_the_turn_says_so_whether_its_program_does_or_not():
    card = next(card for card in cards().values() if card.effect == "no_attack_on self battle react")
    assert wording.card_words(card).startswith("One Per Deck. On your turn: this character may not be attacked")


def test_characters_with_and_without_an_inherent_ability():
    assert wording.character_words(find_character("Longshot (IQ)", "test")).endswith(
        "Inherent ability: The enemy's Venture Total -2."
    )
    assert "No inherent ability" in wording.character_words(find_character("Batman (BS)", "test"))
    assert wording.inherent_words(find_character("Banshee (IQ)", "test")) == (
        "The bonus of Training cards of teammates +1."
    )


def test_the_glossary_has_all_cards_and_characters_of_both_decks():
    variant = Variant(GAME, 2, {"deck0": "gotham_justice", "deck1": "avengers"})
    glossary = GAME.glossary(variant)
    assert {"Batman: Batarang", "Batman (BS)", "Event: 661216.01"} <= set(glossary)
    assert any(name.startswith("Captain America: ") for name in glossary)
    assert all(glossary.values())
