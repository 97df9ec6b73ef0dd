"""A second, slow reading of the rules of OverPower: plain Python that shares nothing with the compiled game.

Written from the rule text; numbers in brackets are those of the rules and rulings in the game's README. The referee
knows all cards that decks may hold. Its parts, each of which knows those before:

- `overpower_referee_words`: the language of the cards' programs
- `overpower_referee_cards`: what lies on the table, and what is being played
- `overpower_referee_table`: who may use which card, and where cards go
- `overpower_referee_hits`: what lasts, hits, knock-outs
- `overpower_referee_plays`: what may be played, with all details
- `overpower_referee_defence`: answers to attacks
- `overpower_referee_attacks`: carrying out plays, and what follows them
- `overpower_referee_piles`, `overpower_referee_specials`: what programs do
- `overpower_referee_events`: Events
- `overpower_referee_preparation`: before a battle

A game is one generator, `Referee.game`, in which the players' decisions are `yield`ed as `Question`s and answered by
`send`. As at the table of the compiled game nobody is asked where there is only one answer. A play is found by brute
force: all complete plays are listed, and its details are then asked for one after the other until one is left.

Chance is not the referee's: `Chance` tells how a pile was shuffled, who cut the higher card, what was drawn blindly.

Where neither text nor rulings say anything, the referee has learnt from the compiled game:

- in which order duplicates are asked for, and that hits are filed before the winner chooses how Missions climb, and
  that what lasts for the battle ends after that;
- Power cards that only the Reserve could use go to the Power Pack when they are discarded (the text calls such cards
  unusable, but those that the team can still use belong there);
- where hits of the whole team may be removed, those of the Reserve may be, too;
- an attack without a number counts as 0 for Specials that avoid attacks up to a value;
- Specials that search a pile, move a Mission or allow an attack may be played even if that comes to nothing, and a
  choice between two effects is offered even if one of them does;
- nobody asks who plays a Power card in defence that the attacked character could play: he does, unless he would need a
  Universe card with it, and an effect lets it stop the attack without;
- a further attack of one type may be summed with a Power card of that type, whatever its own type;
- the enemy's choice of cards to lose is asked for one by one, even if all have to go;
- a card of which several things last lies with the first of them, and is discarded when that is over;
- what lasts of a Special that has become a hit can be negated alone: then the hit stays;
- the value of a defence is not below 0; a Special says that a block strikes back only where that has stopped the
  attack, and where both are Power cards alone;
- with Power cards the Reserve may defend for others while an Event says so, not with Specials that count as such, and
  who is in Reserve does not shift an attack to himself.
"""

from __future__ import annotations

from dataclasses import replace

from overpower_referee_cards import card_from
from overpower_referee_plays import Permit
from overpower_referee_preparation import Preparation
from overpower_referee_table import Asking, BattleOver, Question
from overpower_referee_words import MISSIONS, Clause

__all__ = ["Question", "Referee", "card_from"]


class Referee(Preparation):
    """A game between two decks."""

    def game(self) -> Asking:
        """From the choice of a Reserve to the end."""
        for side in (0, 1):
            self.players[side].draw_pile = self.chance.shuffled(side, self.players[side].draw_pile)
        self.first = self.chance.first_player()
        for side in (0, 1):
            team = self.players[side].team
            reserve = yield from self.ask(side, {f"by {c.name}": i for i, c in enumerate(team)})
            team[reserve].front = False
        while self.returns is None:
            yield from self.battle()

    def battle(self) -> Asking:
        """One battle with its preparations and what comes after."""
        self.battle_number += 1
        self.happened["battle"] += 1
        order = (self.first, 1 - self.first)
        self.conceded = None
        self.fill_front_line()
        for effect in self.effects:
            if effect.clause.verb == "guest" and "next" in effect.clause.words:
                self.come_back(effect.by_side, effect.who)
                guest = self.players[effect.by_side].team[effect.who]
                guest.is_guest = guest.front = True  # as a fourth front-liner, if there are three
            words = tuple("battle" if word == "next" else word for word in effect.clause.words)
            effect.clause = Clause(effect.clause.verb, words)
        for player in self.players:
            player.fresh, player.passed, player.fallen, player.discarded = [], False, False, 0
        for side in order:
            self.draw(side, self.rules["hand_size"])
        yield from self.play_events(order)
        for side in order:
            self.discard_unusable(side, self.players[side].survivors())
            yield from self.discard_duplicates(side)
        yield from self.place_cards(order)
        for side in order:
            yield from self.venture(side)
        try:
            yield from self.before_the_battle(order)
            for player in self.players:
                player.fallen = False
            self.is_fighting = True
            yield from self.turns(self.first)
        except BattleOver:
            pass
        yield from self.end_of_battle()

    # ---------------------------------------------------------------- turns

    def turns(self, side: int) -> Asking:
        """One action each in turn, until two pass in a row (41, 51, 52)."""
        passes = 0
        while passes < 2:
            player = self.players[side]
            plays = [] if player.passed else self.plays(side, Permit(tuple(player.survivors())))
            ways_out = {"pass": "pass"} if self.in_force("no_concede", side) else {"pass": "pass", "concede": "concede"}
            choice = yield from self.ask(side, self.cards_of(side, plays) | ways_out)
            passes = passes + 1 if choice == "pass" else 0
            if choice == "pass":
                player.passed = True
            elif choice == "concede":
                self.happened["concession"] += 1
                yield from self.at_concession(side)
            else:
                yield from self.carry_out(side, (yield from self.details(side, choice)), Permit(()))
            side = 1 - side

    def at_concession(self, side: int) -> Asking:
        """Each player may play a Special when somebody concedes on his turn (rulings 51, 52 and 70)."""
        self.conceded = side
        for other, whose in ((1 - side, "foe"), (side, "own")):
            permit = Permit(tuple(self.players[other].survivors()), ("special",), conceded=whose)
            options = self.cards_of(other, self.plays(other, permit))
            chosen = yield from self.ask(other, options | {"done": None} if options else {})
            if chosen is not None:
                self.happened["special at a concession"] += 1
                yield from self.carry_out(other, (yield from self.details(other, chosen)), Permit((), last=True))
            if self.in_force("no_concede", side):
                self.happened["concession refused"] += 1
                self.conceded = None
                return
        self.concede(side)

    # ---------------------------------------------------------------- after a battle

    def end_of_battle(self) -> Asking:
        """Hands, totals, hits, Missions (60 to 67)."""
        self.is_fighting = False
        yield from self.knock_out_late()
        for side, player in enumerate(self.players):
            player.last_total = self.venture_total(side)
        if not all(player.survivors() for player in self.players):
            self.end_by_knock_out()
            return
        for side, player in enumerate(self.players):
            for card in player.hand:
                self.put_away(side, card)
            player.hand = []
        self.caps = [next((e.clause.number() for e in self.in_force("mission_cap", i)), None) for i in (0, 1)]
        self.stuck = [bool(self.in_force("no_ladder", i)) for i in (0, 1)]
        winner = self.battle_winner()
        self.file_hits()
        if winner is not None:
            self.first = winner
            yield from self.move_missions(winner)
            self.check_missions(winner)
        else:
            self.happened["drawn battle"] += 1
        if self.returns is not None:
            return
        self.guests_leave()
        if not all(player.survivors() for player in self.players):
            self.end_by_knock_out()
            return
        self.end_effects(lambda effect: "battle" in effect.clause.words)
        if self.battle_number == self.rules["battle_limit"]:
            self.happened["truncated"] += 1
            self.truncated, self.returns = True, (0, 0)

    def knock_out_late(self) -> Asking:
        """Knock-outs that an Event has put off."""
        if not any(effect.clause.verb == "ko_delay" for effect in self.effects):
            return
        self.end_effects(lambda effect: effect.clause.verb == "ko_delay")
        for side in (0, 1):
            for i in self.players[side].survivors():
                if self.is_knocked_out(side, i):
                    self.happened["late KO"] += 1
                    self.knock_out(side, i)
        yield from ()

    def guests_leave(self) -> None:
        """Those who have come back for this battle only are gone again (ruling 83)."""
        for side, player in enumerate(self.players):
            for i, character in enumerate(player.team):
                if character.is_guest and character.alive:
                    self.happened["guest leaves"] += 1
                    self.leave(side, i)
                    for hit in character.hits:
                        self.put_away(1 - side, hit.card)
                    character.hits = []
                character.is_guest = False

    def end_by_knock_out(self) -> None:
        """Whoever has characters left has won; if nobody has, who has won the battle (rulings 21 and 66)."""
        left = [bool(player.survivors()) for player in self.players]
        winner = left.index(True) if any(left) else self.battle_winner()
        if winner is None:
            winner = self.first
        self.returns = (1, -1) if winner == 0 else (-1, 1)
        self.happened["victory by KO"] += 1

    def battle_winner(self) -> int | None:
        """The higher total, or who did not concede (63, rulings 3, 4 and 28)."""
        if self.conceded is not None:
            return 1 - self.conceded
        one, two = (player.last_total for player in self.players)
        return None if one == two else int(two > one)

    def move_missions(self, winner: int) -> Asking:
        """The ladder (64, ruling 1)."""
        loser, player = self.players[1 - winner], self.players[winner]
        for side in (0, 1):
            self.hold_missions_back(side)
        loser.defeated += loser.ventured_reserve
        loser.reserve += loser.ventured_completed
        loser.ventured_reserve = loser.ventured_completed = 0
        number = player.ventured_completed
        player.completed += player.ventured_reserve + number
        player.ventured_reserve = player.ventured_completed = 0
        if self.stuck[winner]:
            return
        pairs = yield from self.ask(winner, {f"choose {n}": n for n in range(min(number // 2, player.defeated) + 1)})
        self.happened["ladder by pairs"] += pairs > 0
        player.defeated -= pairs
        player.completed += pairs
        singles = min(number - (2 * pairs if self.rules["ladder"] == "instead" else 0), player.defeated)
        self.happened["ladder"] += singles > 0
        player.defeated -= singles
        player.reserve += singles

    def hold_missions_back(self, side: int) -> None:
        """Only so many ventured Missions may move; those of Completed go back first (ruling 49)."""
        player, cap = self.players[side], self.caps[side]
        while cap is not None and player.ventured_completed + player.ventured_reserve > cap:
            if player.ventured_completed:
                player.ventured_completed -= 1
                player.completed += 1
            else:
                player.ventured_reserve -= 1
                player.reserve += 1

    def check_missions(self, winner: int) -> None:
        """Is a Mission completed, or abandoned (1, 2, 65)?"""
        won = self.players[winner].completed == MISSIONS
        lost = self.players[1 - winner].defeated == MISSIONS
        self.happened["victory by Mission"] += won
        self.happened["forfeit"] += lost
        if won or lost:
            self.returns = (1, -1) if winner == 0 else (-1, 1)

    def file_hits(self) -> None:
        """Hits join the record, or return from the fallen (58, 67)."""
        cleared = [bool(self.in_force("clear_hits", side)) for side in (0, 1)]
        for side, player in enumerate(self.players):
            for character in player.team:
                kept = [hit for hit in character.hits if character.alive and not (hit.current and cleared[side])]
                for hit in character.hits:
                    if hit not in kept:
                        self.put_away(1 - side, hit.card)
                character.hits = [replace(hit, current=False) for hit in kept]

    def fill_front_line(self) -> None:
        """Where a front-liner has fallen, the Reserve moves up (69)."""
        for side, player in enumerate(self.players):
            for character in player.team:
                if character.visiting:
                    character.front = character.visiting = False
            waiting = any(e.clause.verb == "reserve_waits" and e.side == side for e in self.effects)
            if len(player.front_line()) < (1 if waiting else 3):
                for i in player.survivors():
                    if not player.team[i].front and len(player.front_line()) < (1 if waiting else 3):
                        self.happened["Reserve moves up"] += 1
                        player.team[i].front = True
