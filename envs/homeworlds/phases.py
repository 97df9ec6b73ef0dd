"""What is to be decided next, in the order in which a game and a turn can come to it."""

SET_UP_STAR = 0
SET_UP_SECOND_STAR = 1
SET_UP_SHIP = 2
FREE = 3  # a free action, a sacrifice, or pass
SACRIFICED = 4  # actions of the sacrificed ship's colour, or stop
TRADE_FOR = 5
MOVE_TO = 6
ATTACK_WHOSE = 7
CATASTROPHES = 8
TALK = 9

COUNT = 10
