"""What each word of the language of effects is called in plain English; `wording.py` makes sentences of it.

Names in braces are properties of `wording._Clause`. A phrase that ends with a colon is about all that follows it.
"""

from overworlds.envs.overpower import icons

SAID: dict[str, str] = {
    # how a Special is declared
    "declare": "on your turn:",
    "attack": "attack an enemy for {amount} {types}{hit}",
    "aim": "attack an enemy without a number",
    # what an attack carries
    "follow": "{then}{further}{with_cards}{bonus}",
    "combine": "{joined}",
    "barred": "it may not be defended with {cards}",
    "only_defence": "it may be defended only",
    "twice": "it has to be defended twice",
    "comes_back": "if it is blocked, the Power card returns to the top of its Draw Pile",
    "on_hit": "if it hits:",
    "scale": "{signed} in value for each",
    "damage": "the hit counts {amount} more towards a KO",
    # answers
    "avoid": "{instead}answer {attack} on {who}: it is avoided",
    "shift": "answer an attack",
    "negate": "negate a Special of the enemy, in effect or a hit, or answer one and stop it",
    # the course of a program
    "each": "each player:",
    "either": "either",
    "only_if": "only if",
    "pick": "choose {whom}",
    "choose_type": "choose a power type",
    # effects that last
    "modify": "{stat} of {who} {signed}{with_cards}{by}",
    "no_attack": "{who} may not attack",
    "no_attack_on": "{who} may not be attacked{with_cards}",
    "only_attack_on": "{who} may be attacked only{with_cards}",
    "no_use": "{who} may not use {cards}{of_chosen}{to_do}",
    "grid": "the {ratings} of {who} becomes {amount}",
    "venture": "{whose} Venture Total {signed}",
    "ko_limit": "{amount} points are needed for a KO of {who}",
    "ko_limit_plus": "the KO limit of {who} {signed}",
    "ko_immune": "no KO of {who} by {ko}",
    "ko_exclude": "{hits_by} on {who} do not count for a KO by {ko}",
    "spectrum_need": "{amount} power types are needed for a KO of {who}",
    "venture_exclude": "{hits_by} do not count for {whose} Venture Total",
    "venture_double": "{hits_by}, made by this character, count twice for {whose} Venture Total",
    "universe_bonus": "the bonus of {cards} of {who} {signed}",
    "from_reserve": "{who} may play {cards} from Reserve",
    "keep_duplicates": "{who} may keep duplicates{of_cards}",
    "no_attack_pair": "{who} may not attack this character before being attacked by this character",
    "reach_reserve": "{who} may attack the enemy Reserve{with_cards}",
    "unblockable": "attacks of {who}{with_cards} may not be defended",
    "open_hand": "the hand of {who} lies open",
    "ignore_grid": "{who} may use {cards} whatever the ratings",
    "on_ko_venture": "when this character is knocked out, {whose} Venture Total {signed}",
    "reflect": "an attack with a Power card on {who} hits the attacker if a Power card of the same value blocks it",
    "retype": "{untyped_hits} on {who} count as {types}",
    "place_more": "{count_more} may be placed on {who}",
    "clear_hits": "this battle's hits on {team} are discarded at its end",
    "bodyguard": "the next attack on {who} is stopped, in whatever battle",
    "redirect": "attacks on {who} go to a teammate",
    "power_defends": "{who} may defend with {cards}{if_numeric}",
    "reserve_shields": "{who} may turn attacks on the Front Line to the own Reserve",
    "borrow": "{who} may play {lent}",
    "when_hit": "as soon as {victim} is hit, that one has {stat} {signed}",
    "combine_powers": "{who} may add a Power card with {an_icon} to one of {types}",
    "no_concede": "{who} may not concede",
    "no_venture": "{who} may not venture Missions",
    "mission_cap": "at most {missions} that {who} ventured may move",
    "no_ladder": "no Mission of {who} may leave the Defeated pile",
    "reserve_waits": "the Reserve of {who} may not move up yet",
    "ko_delay": "nobody is knocked out before the end of the battle",
    "must_place": "{who} must place whatever can be placed on the Front Line",
    "place_any": "{who} may place Specials of any character",
    "focus": "attacks of {who}{with_cards} must go to one target until it is knocked out",
    "inherent_bonus": "{stat} bonuses from inherent abilities of {who} {signed}",
    "no_defence": "{who} may not defend against {cards}",
    "bench": "{who} has to stand in Reserve",
    "teamwork_double": "for {who}, Teamwork bonuses count twice in attacks of {types}",
    "guest": "{who} fights again in the next battle, and leaves with its end",
    "combine_bonuses": "{who} may add several Universe cards to one Power card",
    "face_down": "attacks of {who} with a number lie face down until they have been answered",
    # effects at once
    "draw": "{must}draw {drawn}",
    "discard_placed": "remove {count} placed on {team}",
    "discard_hand": "{must}discard {count} from hand",
    "discard_any": "{must}discard {count} from hand or placed ones",
    "discard_most": "{must}discard all {cards} in hand, or all placed ones if those are more",
    "mill": "{must}put {count} of the Draw Pile into the Dead Pile",
    "heal": "remove {hits} from {record}{team}",
    "reveal": "{must}show {count} of the hand{at_random}",
    "peek": "look at the next {number} cards of {whose} Draw Pile",
    "flip": "turn over",
    "drop": "a card that was not played so is discarded",
    "mission": "move {moving} of {player}",
    "shuffle_pack": "shuffle {whose} Power Pack into the Draw Pile",
    "cycle_hand": "discard the hand and draw as many new cards, keeping duplicates",
    "fetch": "take {count} from {whose} {source} {destination}",
    "grid_copy": "this character has the ratings of {model} in this battle",
    "reserve_fights": "the Reserve of {who} joins the Front Line for this battle",
    "shuffle_all": "{who} shuffle Power Pack and Dead Pile into the Draw Pile",
    "find_first": "search the Draw Pile for the first of its {cards}, and take it into the hand",
    "switch": "{mover} changes places with the Reserve",
    "ko_own": "{mover} is knocked out, and the Reserve steps forward",
    "revive": "{mover} returns",
    "gather": "{hits_by} in the records of the Front Line move to {mover}",
    "pick_hit": "choose {hits} on {who}",
    "swap_hits": "these hits change places",
    "move_hit": "this hit moves to {mover}",
    "swap_record": "this character and a teammate exchange their Permanent Records",
    "cost": "discard {count} from hand as the price",
    "draw_doomed": "{must}draw a card, and discard it and all its duplicates, placed ones too",
    "steal": "take {count} placed on {team}",
    "force": "{who} has to make as many attacks as possible, at once",
    "substitute": "when a teammate has been knocked out, this character falls instead",
    # marks on a card
    "as_power": "use it as a Power card of {amount} {types}{defending}",
    "with_power": "play it with a Power card of {types}",
    "reserve_plays": "even from Reserve,",
    "placeable": "to be placed like other Specials;",
    "after_concession": "{concession}",
}
"""A phrase for every verb."""

FLAGS: dict[str, dict[str, str]] = {
    "attack": {"reserve": ", even the Reserve"},
    "aim": {"reserve": ", even the Reserve"},
    "follow": {
        "other_target": ", at somebody else",
        "same_target": ", at the same target",
        "by_any": ", by any front-liner",
        "by_mates": ", by teammates, each once",
        "last": ", which lead to no further ones",
        "no_universe": ", without Universe cards",
        "types_once": ", each type once",
        "doubled": ", where a Universe card counts twice",
        "that_card": ", with that card",
        "stolen": ", with the bonus of the card that was taken",
        "attacks": ", which has to be made if that card is an attack",
        "must": ", which has to be made",
    },
    "combine": {"scores": ", whose bonus is part of the hit", "parts": ", which alone hit and may be blocked singly"},
    "only_defence": {
        "specials": " with Specials",
        "with_universe": " with a Power card and a Universe card",
        "icons": " with {cards}",
        "equal": " with a Power card of its own value, which then hits the attacker",
    },
    "scale": {"per_record_hit": " hit in the own Permanent Record", "per_hand_card": " card in hand"},
    "avoid": {"whole": ", with all that would follow"},
    "shift": {
        "to_self": " on a teammate: it goes to this character",
        "to_mate": " on this character: a teammate has it",
    },
    "negate": {"own": ", if it affects this character alone", "non_numeric": ", if it has no number"},
    "only_if": {
        "outnumbered": " the enemy has more front-liners",
        "foe_fell": " an enemy front-liner was knocked out in this battle",
        "was_hit": " this character was hit in this battle",
    },
    "pick": {
        "spare": ", unless it is the only one",
        "fallen": ", who has been knocked out",
        "hitter": ", who has hit this character in this battle",
    },
    "modify": {
        "react": "; also together with a defence",
        "versus_user": ", against this character",
        "versus_target": ", against {aim}",
    },
    "no_attack": {"react": "; also in answer to an attack, which it stops", "anyway": ", even if this was avoided"},
    "no_attack_on": {
        "react": "; also in answer to such an attack, which it stops",
        "not_on_turn": " (never on the own turn)",
        "recorded": " of a value in the own Permanent Record",
    },
    "only_attack_on": {"react": "; also in answer to any other attack, which it stops"},
    "no_use": {
        "react": "; also in answer to such an attack, which it stops",
        "chosen": "",
        "rated": ", if rated 7 or 8 in that type",
        "versus_user": ", against this character",
        "from_hand": ", from hand",
        "from_place": " that are placed",
    },
    "grid": {
        "react": "; also in answer to an attack of that type, which it stops",
        "helps": "; also together with a defence",
    },
    "keep_duplicates": {"found": " of the card that was found"},
    "redirect": {"react": "; also in answer to an attack, which goes there too", "to_target": " who is chosen now"},
    "power_defends": {
        "avoids": ", whatever the attack's value",
        "by_reserve": " played by the Reserve",
        "helps": "; also together with that defence",
    },
    "borrow": {"fallen": " of that one"},
    "draw": {
        "per_defeated": " for each own Defeated Mission",
        "per_discard": " for each one that was discarded from hand in this battle",
        "keep": ", keeping duplicates",
    },
    "discard_hand": {"random": ", at random", "dead": ", into the Dead Pile"},
    "discard_any": {"chosen": ", of that type"},
    "mill": {"random": ", at random"},
    "heal": {
        "current": ", of this battle",
        "everywhere": ", old and new",
        "up_to": ", of at most the value of the discarded card",
        "each_of": ", for each of them",
        "gifted": ", where there is an inherent ability",
        "per_defeated": " for each own Defeated Mission",
        "chosen": ", of that type",
    },
    "flip": {"from_hand": " a card of the hand that the enemy draws blindly"},
    "mission": {
        "defeated_to_reserve": " from Defeated to Reserve",
        "completed_to_reserve": " from Completed to Reserve",
        "to_ventured": " to those that are ventured",
    },
    "cycle_hand": {"unusable": ", as far as this character cannot use it"},
    "fetch": {
        "keep": ", even a duplicate",
        "usable": ", if somebody of the team can use it",
        "own": ", if it belongs to this character",
        "playable": ", if this character can play it now",
        "any": "",
    },
    "pick_hit": {"current": ", of this battle", "equal": ", of the same value", "elsewhere": ", of somebody else"},
    "after_concession": {"only": ", and only then", "own": ""},
}
"""What the flags of a verb add, in this order; where that is nothing, a part of the phrase itself is about the flag."""

UNFLAGGED = {"flip": " the top card of the own Draw Pile", "mill": ", from the top"}
"""What is added where a verb has no flag."""
TIMELESS = ("bodyguard", "clear_hits", "guest", "ko_delay")
"""Verbs that say themselves how long they last."""

WHO = {
    icons.SELF: "this character",
    icons.MATE: "a teammate",
    icons.SELF_OR_MATE: "this character or a teammate",
    icons.TEAM: "your team",
    icons.TARGET: "the target",
    icons.FOE: "the enemy",
    icons.FOE_TEAM: "the enemy team",
    icons.BOTH: "both players",
}
TEAMS = {icons.FOE: "the enemy team", icons.BOTH: "both teams"}
PLAYERS = {icons.FOE: "the enemy", icons.BOTH: "both players"}
WHOSE = {icons.FOE: "the enemy's", icons.FOE_TEAM: "the enemy's", icons.BOTH: "both players'"}
MUST = {icons.FOE: "the enemy has to ", icons.FOE_TEAM: "the enemy has to ", icons.BOTH: "both players have to "}
CHOSEN_FROM = {
    icons.SELF: "one of your characters",
    icons.MATE: "a teammate",
    icons.FOE: "an enemy",
    icons.TARGET: "an enemy",
    icons.BOTH: "a front-liner of either side",
}
FOR_HOW_LONG = {
    0: "",
    icons.BATTLE: ", for this battle",
    icons.GAME: ", for good",
    icons.NEXT_BATTLE: ", in the next battle",
}
STATS = {0: "values", icons.ATTACK: "attack", icons.DEFENCE: "defence", icons.ACTIONS: "attack and defence"}
KO_BY = {0: "points or power types", 1: "points", 2: "power types", 3: "points or power types"}
CLASSES = ("Power", "Basic Universe", "Training", "Teamwork", "Ally", "Special", "Event")
SOURCES = ("Draw Pile", "Power Pack", "Dead Pile", "cards that are out of the game", "hand")
DESTINATIONS = (
    "into the hand",
    "into the Dead Pile",
    "out of the game",
    "into the Draw Pile",
    "to the top of the Draw Pile",
)
TRAITS = {2: " of any character", 4: " that avoid attacks", 8: " about teammates", 16: " about hits"}
CODES = {0: "", icons.HERO: "Heroes", icons.VILLAIN: "Villains"}
