"""How much of the card pool the rules know: printed with ``overworlds show overpower_v0 --coverage``."""

from typing import Any

from overworlds.envs.overpower import icons
from overworlds.envs.overpower.cards import ANY_CHARACTER, cards, characters, rows


def coverage() -> dict[str, dict[str, Any]]:
    """For Specials, inherent abilities and Events: how many are implemented, of how many, and which are not.

    Reprints count, as they do in the pool's own numbers. A Special whose character is in none of the six sets can be
    in no deck, so it counts as missing.
    """
    specials = [(_special_name(row), row["effect"] if _has_owner(row["character"]) else "") for row in rows("specials")]
    gifted = [c for c in characters().values() if c.has_inherent]
    inherents = [(c.name, c.inherent if _names_known(c.inherent) else "") for c in gifted]
    events = [(f"{row['mission']}: {row['name']}", row["effect"]) for row in rows("events")]
    return {"specials": _count(specials), "inherents": _count(inherents), "events": _count(events)}


def _special_name(row: dict[str, str]) -> str:
    return f"{row['character']}: {row['name']} ({row['code']}{row['variant']})"


def _names_known(inherent: str) -> bool:
    """An inherent ability about a Special counts if that Special does."""
    title = inherent.partition(" named:")[2].lower()
    return not title or any(card.effect and card.name.lower().endswith(f": {title}") for card in cards().values())


def _has_owner(name: str) -> bool:
    return name == ANY_CHARACTER or any(c.character == name for c in characters().values())


def _count(found: list[tuple[str, str]]) -> dict[str, Any]:
    missing = sorted(name for name, effect in found if not effect)
    return {"implemented": len(found) - len(missing), "total": len(found), "missing": missing}


def functions() -> dict[str, int]:
    """The function codes that are implemented, each with its number of cards."""
    found: dict[str, int] = {}
    for card in cards().values():
        if card.card_class == icons.SPECIAL and card.effect and _has_owner(card.owner):
            found[card.function] = found.get(card.function, 0) + 1
    return found


REASONS = {
    "AP1": "of Rhino Charge, which icon may not defend is not known",
    "BA3": "of Kiss Of Death, characters of which gender may defend is not known, nor do the data have genders",
    "DY1": "copies a Special of either deck, while an attack, an effect or a hit is a card of its player's deck",
}
"""Why functions are missing."""


def readme_section() -> str:
    """What the README says about cards that are missing."""
    found = coverage()
    lines = []
    for part, title in (("specials", "Specials"), ("inherents", "Inherent abilities"), ("events", "Events")):
        missing = "; ".join(found[part]["missing"])
        count = f"**{title}**: {found[part]['implemented']} of {found[part]['total']} are implemented"
        lines += [f"{count}; missing are {missing}." if missing else f"{count}.", ""]
    lines += ["Missing functions, and why:", ""]
    wanted = {card.function for card in cards().values() if card.function and not card.effect}
    lines += [f"- {function}: {REASONS[function]}" for function in sorted(wanted)]
    owners = sorted({row["character"] for row in rows("specials") if not _has_owner(row["character"])})
    lines += [f"- Specials of characters who are in none of the six sets: {', '.join(owners)}"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(readme_section())
