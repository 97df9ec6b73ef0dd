"""Every implemented function of Specials is played, and the table is looked at.

One card of each function goes through `test_every_function`, which checks clause by clause what the card's program
promises, unless a scenario of `test_overpower_functions.py` plays it.
"""

from importlib import resources

import pytest
import test_overpower_more_functions  # noqa: F401  fills PLAYED
import test_overpower_rare_functions  # noqa: F401
from overpower_scenario import Table
from test_overpower_functions import PLAYED

from overworlds.envs.overpower import icons, ops, phases
from overworlds.envs.overpower.cards import ANY_CHARACTER, cards, characters
from overworlds.envs.overpower.compiling import program_of, timing_of
from overworlds.envs.overpower.coverage import coverage, functions, readme_section
from overworlds.envs.overpower.state import NOBODY, ON_TURN, side_hit
from overworlds.envs.overpower.words import ALL, DEFEATED_TO_RESERVE, TO_MATE

ENEMIES = ("Magneto (IQ)", "Sabretooth (IQ)", "Hulk (IQ)", "Catwoman (BS)")
ENEMY_HAND = ["Energy 8", "Fighting 8", "Strength 8", "Intellect 6", "Magneto: Power Flux", "Sabretooth: Bloodlust"]
ENEMY_PLACED = {
    "Magneto": ["Energy 3", "Alien Technology", "Magneto: Repel Object"],
    "Hulk": ["Strength 5", "Ally: Rick Jones", "Hulk: Shrug Off"],
}
SMALL = ["Energy 1", "Fighting 1", "Strength 1", "Intellect 1"]
LASTING = range(ops.FIRST_LASTING, ops.LAST_LASTING + 1)


def examples():
    """One card of every implemented function."""
    found = {}
    people = {c.character for c in characters().values() if c.is_implemented}
    for card in cards().values():
        if card.card_class == icons.SPECIAL and card.effect and card.owner in people | {ANY_CHARACTER}:
            found.setdefault(card.function, card)
    return found


def team_with(owner):
    """The owner, two teammates in front, one in Reserve."""
    versions = [c for c in characters().values() if c.character == owner and c.is_implemented]
    versions = [c.name for c in sorted(versions, key=lambda c: c.ranks)]
    mates = [
        n for n in ("Batman (BS)", "Superman (BS)", "Spider-Man (IQ)", "Robin (BS)") if not n.startswith(f"{owner} (")
    ]
    return (versions[-1:] or ["Supergirl (BS)"]) + mates[:3]


def table_for(card, hand1=tuple(ENEMY_HAND), reserve=False, **more):
    """The card in hand, cards of all types around it, hits on everybody, Missions lost."""
    team = team_with(card.owner)
    if reserve:
        team = [*team[1:], team[0]]
    others = [name for name in (*SMALL, "MultiPower 2") if name != card.name]
    extra = ["Batman: Batarang", "Superman: Heat Vision"] if card.owner not in ("Batman", "Superman") else []
    own = [c for c in cards().values() if c.owner == card.owner and c.value and c.effect and c.name != card.name]
    extra += [own[0].name] if own and card.owner not in ("Batman", "Superman", ANY_CHARACTER) else []
    t = Table([card.name, *others, *extra], list(hand1), team0=team, team1=ENEMIES, placed1=ENEMY_PLACED,
              more0=[*SMALL, "Fighting 4", "Flying Kick", *spare(card)], more1=[*SMALL * 3, "Fighting 1"],
              code_rule=False, **more)  # fmt: skip
    for name in SMALL:
        for on in range(2):
            t.hit(0, own_name(t, on), name)
    t.hit(0, own_name(t, 0), "Fighting 1", current=True)
    for p in t.s.players:
        p.reserve, p.completed, p.defeated = 3, 2, 2
    return t


def spare(card):
    """More copies for the Draw Pile, and another Special of the owner."""
    if card.owner == ANY_CHARACTER:
        return []
    return [c.name for c in cards().values() if c.owner == card.owner and c.effect and not c.one_per_deck]


def own_name(t, i):
    return t.decks[0].team[i].name.rpartition(" (")[0]


def resolve(t, stop=(phases.TURN, phases.FOLLOW)):
    """Go on with the first option, undefended, until the play is over."""
    while t.to_move >= 0 and (t.decision not in stop or (t.to_move == 0 and t.decision == phases.TURN)):
        if t.to_move == 0 and t.decision == phases.TURN:
            return
        t.do(t.legal()[0])


@pytest.mark.parametrize("function", sorted(set(functions()) - PLAYED))
def test_every_function(function):
    card = examples()[function]
    rows = program_of(card)
    verbs = {row["op"] for row in rows}
    if function == "DB":
        check_against_teamwork(card)
    elif function == "BE1":
        check_only_after_concession(card)
    elif verbs & {ops.AVOID, ops.SHIFT, ops.NEGATE}:
        check_reaction(card, rows)
    elif ops.WITH_POWER in verbs:
        check_with_power(card)
    elif ops.AS_POWER in verbs:
        check_as_power(card)
    else:
        if timing_of(rows) & ON_TURN:
            check_on_turn(card, rows)
        else:
            assert f"play {card.name}" not in table_for(card).legal()
        if any(row["marks"] & 1 and row["op"] in (ops.NO_ATTACK_ON, ops.ONLY_ATTACK_ON, ops.GRID) for row in rows):
            check_stops_an_attack(card, rows)
        if ops.RESERVE_PLAYS in verbs:
            assert f"play {card.name}" in table_for(card, reserve=True).legal()
        if ops.AFTER_CONCESSION in verbs:
            t = table_for(card, turn=1).do("concede")
            assert f"play {card.name}" in t.legal()


def check_on_turn(card, rows):
    t = table_for(card)
    before = snapshot(t)
    t.do(f"play {card.name}")
    resolve(t)
    user = t.who(0, own_name(t, 0)) if card.owner != ANY_CHARACTER else None
    for row in rows:
        check_clause(t, card, row, rows, before, user)


def snapshot(t):
    """What is compared before and after."""
    return {
        "hits": int(t.s.hits_n),
        "hand0": len(t.hand(0)),
        "hand1": t.hand(1),
        "placed1": sum(len(t.placed(1, name)) for name in ("Magneto", "Sabretooth", "Hulk", "Catwoman")),
        "draw": [int(p.draw_n) for p in t.s.players],
        "missions": t.missions(0),
        "total": (t.total(0), t.total(1)),
        "dead1": len(t.dead(1)),
    }


def check_clause(t, card, row, rows, before, user):
    """What one clause of a program promises, undefended."""
    op, number = row["op"], row["number"]
    target_hits = [h for h in t.s.hits[: t.s.hits_n] if side_hit(h) == 1]
    if op == ops.ATTACK:
        value = row["hit_value"] if row["hit_value"] >= 0 else row["amount"]
        hit = next(h for h in target_hits if t.decks[0].kinds[h.kind] == card)
        assert hit.value == value
        assert hit.icons == (row["hit_types"] if row["hit_value"] >= 0 else row["types"])
        damage = [other["amount"] for other in rows if other["op"] == ops.DAMAGE]
        assert hit.damage == (damage[0] if damage else 0)
    elif op == ops.FOLLOW:
        assert t.decision == phases.FOLLOW
        f = t.s.frames[t.s.depth - 1]
        assert f.left >= 1
        assert f.types == row["types"]
        assert f.bonus == row["amount"]
        assert t.legal()[0] == "done"
        assert len(t.legal()) > 1
    elif op == ops.COMBINE:
        u = table_for(card).do(f"play {card.name}")
        while u.decision != phases.PARTNER:
            u.do(u.legal()[0])
        partners = u.legal()[1:]
        assert partners
        u.do(partners[0])
        resolve(u)
        assert int(u.s.hits_n) == before["hits"] + 2
    elif op in LASTING and op != ops.VENTURE:
        effects = [e for e in t.s.effects[: t.s.effects_n] if e.op == op and e.kind != NOBODY]
        assert effects
        enemy = row["scope"] in (icons.TARGET, icons.FOE, icons.FOE_TEAM)
        assert int(enemy) in [int(e.side) for e in effects]
    elif op == ops.VENTURE:
        side = 1 if row["scope"] == icons.FOE else 0
        effects = [e for e in t.s.effects[: t.s.effects_n] if e.op == op and e.kind != NOBODY]
        assert [(int(e.side), int(e.amount)) for e in effects] == [(side, row["amount"])]
    elif op == ops.DRAW:
        kept = bool(row["marks"] & 1)
        assert before["draw"][0] - int(t.s.players[0].draw_n) == number
        assert len(t.hand(0)) == before["hand0"] - 1 + number or not kept
    elif op == ops.DISCARD_PLACED:
        now = sum(len(t.placed(1, name)) for name in ("Magneto", "Sabretooth", "Hulk", "Catwoman"))
        assert now < before["placed1"]
        if number < ALL:
            assert before["placed1"] - now == number
    elif op == ops.DISCARD_HAND:
        gone = len(before["hand1"]) - len(t.hand(1))
        assert gone == number if number < ALL else gone > 0
    elif op == ops.MILL:
        assert before["draw"][1] - int(t.s.players[1].draw_n) == number
    elif op == ops.HEAL:
        healed = before["hits"] - sum(side_hit(h) == 0 for h in t.s.hits[: t.s.hits_n])
        assert healed == min(number, 1 if row["icons"] or row["marks"] & 64 else 8) or 0 < healed <= number
    elif op == ops.REVEAL:
        assert 0 < t.s.players[1].known.sum() <= number
    elif op == ops.MISSION:
        assert row["marks"] & DEFEATED_TO_RESERVE
        assert t.missions(0) == (4, 2, 1)
    elif op == ops.CYCLE_HAND:
        assert before["draw"][0] - int(t.s.players[0].draw_n) == before["hand0"] - 1
    elif op == ops.SHUFFLE_PACK:
        assert t.pack(0) == []
    elif op == ops.GRID_COPY:
        assert t.s.players[0].grid[0].tolist() == list(t.decks[1].team[0].grid)
    elif op == ops.FETCH:
        assert before["draw"][0] - int(t.s.players[0].draw_n) == 1
    else:
        assert op in (ops.DECLARE, ops.AIM, ops.ON_HIT, ops.BARRED, ops.ONLY_DEFENCE, ops.SCALE, ops.DAMAGE,
                      ops.CHOOSE_TYPE, ops.RESERVE_PLAYS, ops.AFTER_CONCESSION), op  # fmt: skip


def attack_on(t, owner, mate, row):
    """The enemy attacks so that the clause can answer: its owner, or a teammate."""
    on = mate if row["scope"] == icons.MATE or (row["op"] == ops.SHIFT and not row["marks"] & TO_MATE) else owner
    wanted = row["types"] or row["icons"]
    if row["op"] == ops.NEGATE or row["classes"] == icons.SPECIAL:
        t.do("play Magneto: Power Flux")
    elif row["classes"] & icons.UNIVERSE:
        t.do("play Energy 8", "play Alien Technology: 8 Energy +2, placed on Magneto")
    elif not wanted or wanted & icons.ENERGY:
        t.do("play Energy 3, placed on Magneto")
    elif wanted & icons.FIGHTING:
        t.do("play Fighting 8")
    elif wanted & icons.STRENGTH:
        t.do("play Strength 5, placed on Hulk")
    else:
        t.do("play Intellect 6")
    while t.to_move == 1 and t.decision != phases.TARGET:
        t.do("alone" if "alone" in t.legal() else t.legal()[0])
    t.do(f"at {on}")
    return on


def check_reaction(card, rows):
    row = next(row for row in rows if row["op"] in (ops.AVOID, ops.SHIFT, ops.NEGATE))
    t = table_for(card, turn=1)
    owner, mate = own_name(t, 0), own_name(t, 1)
    before = int(t.s.hits_n)
    if row["marks"] & 2 and row["op"] == ops.NEGATE:
        t.s.players[1].reserve = 3
        t = table_for(card, [*ENEMY_HAND, "Magneto: Paralyze Opponent"], turn=1)
        t.do("play Magneto: Paralyze Opponent", f"at {owner}")
    else:
        on = attack_on(t, owner, mate, row)
    assert f"play {card.name}" in t.legal()
    t.do(f"play {card.name}")
    if row["op"] == ops.SHIFT:
        while t.to_move == 0 and t.decision in (phases.SHIFT, phases.DEFENDER):
            t.do(t.legal()[0])
        assert t.s.attack.target != t.who(0, on)
        return
    while t.to_move == 0 and t.decision == phases.DEFENDER:
        t.do(t.legal()[0])
    assert int(t.s.hits_n) == before  # nothing landed
    assert card.name in t.dead(0)


def check_stops_an_attack(card, rows):
    row = next(r for r in rows if r["marks"] & 1 and r["op"] in (ops.NO_ATTACK_ON, ops.ONLY_ATTACK_ON, ops.GRID))
    t = table_for(card, turn=1)
    before = int(t.s.hits_n)
    if row["op"] == ops.ONLY_ATTACK_ON:
        row = dict(row, types=icons.STRENGTH if row["types"] & icons.ENERGY else icons.ENERGY, classes=0)
    attack_on(t, own_name(t, 0), own_name(t, 1), row)
    t.do(f"play {card.name}")
    assert int(t.s.hits_n) == before
    assert any(e.op in (ops.NO_ATTACK_ON, ops.ONLY_ATTACK_ON, ops.GRID) for e in t.s.effects[: t.s.effects_n])


TEAMWORK = "Teamwork: 8E then FI +2 +3"


def check_against_teamwork(card):
    """Avoids a whole Teamwork play, or takes a placed Teamwork card away."""
    teams = {"team0": team_with(card.owner), "team1": ENEMIES, "code_rule": False}
    t = Table([card.name], [TEAMWORK, "Fighting 8"], turn=1, **teams)
    t.do(f"play {TEAMWORK}", f"at {own_name(t, 0)}", f"play {card.name}")
    while t.decision == phases.DEFENDER:
        t.do(t.legal()[0])
    assert t.s.hits_n == 0
    assert t.to_move == 0  # no follow-up
    assert t.hand(1) == ["Fighting 8"]
    t = Table([card.name], placed1={"Magneto": [TEAMWORK]}, **teams)
    t.do(f"play {card.name}")
    resolve(t)
    assert t.dead(1) == [TEAMWORK]
    assert f"play {card.name}" not in Table([card.name], **teams).legal()  # nothing to take away


def check_only_after_concession(card):
    """One attack more when the opponent gives up."""
    t = table_for(card)
    assert f"play {card.name}" not in t.legal()
    t = table_for(card, turn=1).do("concede", f"play {card.name}")
    assert t.decision == phases.FOLLOW
    t.do("play Fighting 1", "at Hulk")
    assert t.s.battle == 1
    t.do("take it")
    assert t.s.battle == 2
    assert t.hits(1, "Hulk") == [("Fighting 1", 1, False)]


def check_with_power(card):
    t = table_for(card)
    wanted = program_of(card)[0]["types"]
    power = SMALL[[1, 2, 4, 8].index(wanted)]
    t.do(f"play {power}", f"by {own_name(t, 0)}", f"play {card.name}", "at Hulk")
    resolve(t)
    hit = next(h for h in t.s.hits[: t.s.hits_n] if side_hit(h) == 1)
    assert (hit.value, hit.damage) == (1, 2)
    assert t.total(0) == 1  # damage, not points for the Venture
    assert card.name in t.dead(0)


def check_as_power(card):
    t = table_for(card)
    t.do(f"play {card.name}")
    resolve(t)
    assert any(t.decks[0].kinds[h.kind] == card for h in t.s.hits[: t.s.hits_n] if side_hit(h) == 1)
    t = table_for(card, turn=1)
    t.do("play Energy 3, placed on Magneto", "alone", f"at {own_name(t, 0)}", f"play {card.name}")
    assert card.name in t.dead(0)


def test_every_implemented_function_has_an_example():
    assert set(examples()) == set(functions())
    assert set(functions()) >= PLAYED


def test_coverage_counts():
    found = coverage()
    assert found["specials"]["total"] == 884
    assert found["inherents"]["total"] == 55
    assert found["events"]["total"] == 76
    for part in found.values():
        assert part["implemented"] + len(part["missing"]) == part["total"]


def test_the_readme_names_everything_that_is_missing():
    text = resources.files("overworlds.envs.overpower").joinpath("README.md").read_text("utf-8")
    assert readme_section() in text, "print it with: python -m overworlds.envs.overpower.coverage"
