"""The language of the cards' programs, as the referee of OverPower reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from overpower_referee_cards import Card


TYPE_NAMES = {"E": "Energy", "F": "Fighting", "S": "Strength", "I": "Intellect", "A": "Any-Power"}
EVERY_TYPE = "EFSIA"
CLASSES = {1: "power", 2: "basic", 4: "training", 8: "teamwork", 16: "ally", 32: "special", 64: "event"}
"""Classes of cards as the data number them."""
HELPERS = ("basic", "training")
UNIVERSE = (*HELPERS, "teamwork", "ally")
ANYBODY = "Any Character"
MISSIONS = 7
MANY = 99


class Clause(NamedTuple):
    """A verb of a card's program, with the words that follow it."""

    verb: str
    words: tuple[str, ...]

    def number(self) -> int:
        """The amount: 0 if there is none."""
        return next((int(word) for word in self.words if word.lstrip("+-").isdigit()), 0)

    def types(self) -> str:
        """Power types that stand alone."""
        return next((word for word in self.words if word.isupper()), "")

    def times(self) -> int:
        """How often; ``all`` is as often as possible."""
        return MANY if "all" in self.words else next((int(w[1:]) for w in self.words if w[0] == "x"), 1)

    def of(self, key: str) -> str:
        """What follows ``key:``."""
        return next((word.partition(":")[2] for word in self.words if word.startswith(f"{key}:")), "")

    def named(self) -> tuple[str, str]:
        """Whose Specials are meant, or which ones: ``owned`` or ``named``, and the name as the deck has it."""
        word = next((word for word in self.words if word.startswith(("named:", "owned:"))), ":")
        return word.partition(":")[0], word.partition(":")[2].replace("_", " ")

    def scope(self) -> str:
        """Whom it is about."""
        return next((word for word in self.words if word in SCOPES), "self")

    def fits(self, cards: Sequence[Card], type: str, value: int | None) -> bool:
        """Is it about an action with these cards, declared as this type, of this value?"""
        classes, most = self.of("class"), self.of("value")
        kinds = {kind for card in cards for kind in (card.kind, card.sort)}
        icons = {icon for card in cards for icon in card.icons}
        if classes and not kinds & set(classes.split(",")):
            return False
        if self.of("trait") and not any(card.has_trait(self.of("trait")) for card in cards):
            return False
        if self.of("type") and type not in tuple(self.of("type")):
            return False
        if self.of("icon") and not icons & set(self.of("icon")):
            return False
        if "numeric" in self.words and value is None:
            return False
        if "multi" in self.words and not any(card.has_several_icons for card in cards):
            return False
        low, _, high = most.partition("-")
        return not most or int(low) <= (value or 0) <= int(high)


SCOPES = ("self", "mate", "self_or_mate", "team", "target", "foe", "foe_team", "both")
FILTER = ("class", "type", "icon", "value")


def _knows(words: str = "", *keys: str, alone: str = EVERY_TYPE) -> Callable[[str], bool]:
    """A test: is this one of these words, a number, types, or one with such a key?"""

    def knows(word: str) -> bool:
        if word.lstrip("+-").isdigit() or (word[0] == "x" and word[1:].isdigit()):
            return True
        if word.isupper():
            return set(word) <= set(alone)
        return word in words.split() or (":" in word and word.partition(":")[0] in keys)

    return knows


VERBS: dict[str, Callable[[str], bool]] = {
    # how a card is played
    "reserve_plays": _knows(),
    "placeable": _knows(),
    "after_concession": _knows("only own"),
    "only_if": _knows("foe_fell outnumbered was_hit"),
    "as_power": _knows("", "defends"),
    "with_power": _knows(),
    "substitute": _knows(),
    "attack": _knows("reserve", "hit"),
    "aim": _knows(),
    "declare": _knows("foe"),
    "avoid": _knows("self mate self_or_mate numeric whole", *FILTER),
    "shift": _knows("to_self to_mate"),
    "negate": _knows("own non_numeric"),
    # what belongs to an attack
    "combine": _knows("parts scores", "class", "type", "value"),
    "follow": _knows(
        "all other_target same_target by_any by_mates no_universe types_once doubled that_card attacks stolen last "
        "must",
        "type",
        "class",
    ),
    "barred": _knows("", "icon"),
    "only_defence": _knows("specials with_universe icons equal", "icon"),
    "damage": _knows(),
    "twice": _knows(),
    "comes_back": _knows(),
    "on_hit": _knows(),
    "scale": _knows("per_record_hit per_hand_card"),
    # what is asked for
    "each": _knows(),
    "either": _knows(),
    "pick": _knows("self foe both spare fallen hitter"),
    "choose_type": _knows(),
    "pick_hit": _knows("self team foe_team current equal elsewhere", "class", "icon"),
    "cost": _knows("", "class", "type"),
    # what happens once
    "draw": _knows("both keep per_defeated per_discard"),
    "heal": _knows(
        "self mate self_or_mate team both all multi current everywhere up_to each_of gifted per_defeated chosen",
        "icon",
        "class",
    ),
    "mill": _knows("foe both random"),
    "discard_placed": _knows("target foe both all multi", "class"),
    "discard_hand": _knows("foe both all random dead multi", "class", "icon"),
    "discard_any": _knows("foe chosen"),
    "discard_most": _knows("foe", "class"),
    "draw_doomed": _knows("foe"),
    "mission": _knows("self foe both all to_ventured defeated_to_reserve completed_to_reserve"),
    "reveal": _knows("foe all", "class"),
    "peek": _knows("foe"),
    "fetch": _knows("foe all any keep usable own playable", "class", "type", "from", "to"),
    "find_first": _knows("", "icon"),
    "cycle_hand": _knows("unusable"),
    "shuffle_pack": _knows(),
    "shuffle_all": _knows("both"),
    "flip": _knows("from_hand"),
    "drop": _knows(),
    "steal": _knows("foe", "class"),
    "force": _knows("target"),
    "grid_copy": _knows(),
    "gather": _knows("", "type"),
    "swap_hits": _knows(),
    "swap_record": _knows(),
    "move_hit": _knows(),
    "switch": _knows("self"),
    "ko_own": _knows(),
    "revive": _knows(),
    "reserve_fights": _knows("both"),
    # what lasts
    "no_attack": _knows("target self mate others battle anyway"),
    "no_attack_on": _knows("self team target mate others battle game react not_on_turn recorded", *FILTER),
    "only_attack_on": _knows("self battle react", *FILTER),
    "no_attack_pair": _knows("target battle"),
    "no_use": _knows(
        "self mate target foe_team both others battle game from_hand from_place versus_user chosen rated react",
        "stat",
        "trait",
        *FILTER,
    ),
    "no_defence": _knows("target game", "class", "value"),
    "unblockable": _knows("both battle", "class", "value"),
    "grid": _knows("self battle game next helps react"),
    "bodyguard": _knows("self game"),
    "redirect": _knows("self to_target game react"),
    "reflect": _knows("self battle"),
    "power_defends": _knows("self both avoids by_reserve numeric battle helps", "class", "type", "value"),
    "reserve_shields": _knows("both battle"),
    "reserve_waits": _knows("foe next"),
    "from_reserve": _knows("both battle", "class"),
    "bench": _knows("target battle"),
    "guest": _knows("mate next"),
    "focus": _knows("both battle", "icon"),
    "mission_cap": _knows("foe battle"),
    "no_ladder": _knows("foe battle"),
    "no_concede": _knows("foe both battle"),
    "no_venture": _knows("both battle"),
    "modify": _knows(
        "self mate self_or_mate team target foe_team battle react versus_user versus_target numeric", "stat", *FILTER
    ),
    "when_hit": _knows("self others battle", "stat"),
    "inherent_bonus": _knows("both battle", "stat"),
    "universe_bonus": _knows("both battle", "class"),
    "teamwork_double": _knows("team battle", "type"),
    "combine_powers": _knows("self battle", "type", "icon"),
    "combine_bonuses": _knows("self battle"),
    "venture": _knows("self foe battle"),
    "venture_double": _knows("self battle", "class"),
    "venture_exclude": _knows("foe both battle", "class", "type"),
    "clear_hits": _knows("team foe_team both battle"),
    "ko_limit": _knows("self game"),
    "ko_limit_plus": _knows("self target foe_team game battle"),
    "ko_immune": _knows("self game", "stat"),
    "ko_exclude": _knows("self target multi game", "stat", "class", "value"),
    "ko_delay": _knows("both battle"),
    "retype": _knows("self target multi game", "type"),
    "ignore_grid": _knows("self game", "class", "type"),
    "borrow": _knows("self team fallen next game", "named", "owned"),
    "keep_duplicates": _knows("team both found next battle"),
    "open_hand": _knows("foe battle"),
    "face_down": _knows("self battle"),
    "place_more": _knows("self all game", "class"),
    "place_any": _knows("both battle"),
    "must_place": _knows("both battle"),
}
"""The verbs that the referee knows, each with a test of the words that may follow it."""

GIFTS: dict[str, Callable[[str], bool]] = {
    "modify": _knows("self foe versus_user multi", "stat", "class", "type", "code"),
    "ko_exclude": _knows("self multi", "stat", "class", "type"),
    "ko_limit": _knows("self"),
    "spectrum_need": _knows("self"),
    "venture": _knows("self foe"),
    "on_ko_venture": _knows("self foe"),
    "universe_bonus": _knows("self mate team", "class"),
    "keep_duplicates": _knows("self", "class", "named"),
    "from_reserve": _knows("self", "class", "type", "named"),
    "reach_reserve": _knows("self", "class", "type"),
    "ignore_grid": _knows("self", "class", "icon", "code"),
}
"""The same for inherent abilities (73)."""

LASTING = (
    "no_attack", "no_attack_on", "only_attack_on", "no_attack_pair", "no_use", "no_defence", "unblockable", "grid",
    "bodyguard", "redirect", "reflect", "power_defends", "reserve_shields", "reserve_waits", "from_reserve", "bench",
    "guest", "focus", "mission_cap", "no_ladder", "no_concede", "no_venture", "modify", "when_hit", "inherent_bonus",
    "universe_bonus", "teamwork_double", "combine_powers", "combine_bonuses", "venture", "venture_double",
    "venture_exclude", "clear_hits", "ko_limit", "ko_limit_plus", "ko_immune", "ko_exclude", "ko_delay", "retype",
    "ignore_grid", "borrow", "keep_duplicates", "open_hand", "face_down", "place_more", "place_any",
    "must_place",
)  # fmt: skip
OPENERS = ("attack", "as_power", "aim", "declare", "avoid", "shift", "with_power", "substitute")
CONDITIONS = ("reserve_plays", "placeable", "after_concession", "only_if", "scale")
SHIELDS = ("no_attack_on", "only_attack_on", "grid")
"""Without an opener: to be played on the turn, or as an answer to an attack that they forbid, or that they match."""


def clauses_of(effect: str) -> tuple[Clause, ...]:
    """A program, taken to pieces. The name that an inherent ability ends with is one word."""
    program, name = effect, ""
    if effect.startswith(("keep_duplicates", "from_reserve")):
        program, _, name = effect.partition(" named:")
    parts = [part.split() for part in program.split(";")]
    if name:
        parts[-1].append("named:" + name)
    return tuple(Clause(part[0], tuple(part[1:])) for part in parts if part)


def understands(effect: str) -> bool:
    """Does the referee know all words of this program of a Special, or of an Event?"""
    clauses = clauses_of(effect)
    return bool(clauses) and all(c.verb in VERBS and all(map(VERBS[c.verb], c.words)) for c in clauses)


def understands_gift(effect: str) -> bool:
    """Does the referee know all words of this inherent ability?"""
    return all(c.verb in GIFTS and all(map(GIFTS[c.verb], c.words)) for c in clauses_of(effect))
