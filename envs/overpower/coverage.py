"""How much of the card pool the rules know: printed with ``python -m overworlds.envs.overpower.coverage``."""

import json
import sys
from typing import Any

from overworlds.envs.overpower import icons
from overworlds.envs.overpower.cards import cards, characters, rows


def coverage() -> dict[str, dict[str, Any]]:
    """For Specials, inherent abilities and Events: how many are implemented, of how many, and which are not.

    Reprints count, as they do in the pool's own numbers.
    """
    specials = rows("specials")
    events = rows("events")
    gifted = [c for c in characters().values() if c.has_inherent]
    return {
        "specials": _count(
            [(f"{r['character']}: {r['name']} ({r['code']}{r['variant']})", r["effect"]) for r in specials]
        ),
        "inherents": _count([(c.name, c.inherent) for c in gifted]),
        "events": _count([(f"{r['mission']}: {r['name']}", r["effect"]) for r in events]),
    }


def _count(found: list[tuple[str, str]]) -> dict[str, Any]:
    missing = sorted(name for name, effect in found if not effect)
    return {"implemented": len(found) - len(missing), "total": len(found), "missing": missing}


def functions() -> dict[str, int]:
    """The function codes that are implemented, each with its number of cards."""
    found: dict[str, int] = {}
    for card in cards().values():
        if card.card_class == icons.SPECIAL and card.effect:
            found[card.function] = found.get(card.function, 0) + 1
    return found


if __name__ == "__main__":
    json.dump(coverage(), sys.stdout, indent=1)
