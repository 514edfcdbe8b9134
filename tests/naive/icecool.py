"""ICECOOL's rules, written as plainly as the rule sheet reads.

This is an oracle for differential tests: it is slow on purpose, uses the standard
library only, and follows the numbered rules (R1 to R43, A1 to A22) one by one. It
shares no code with the implementation it checks, only the floor plan as data. What
happens while penguins slide is another oracle's business: it is given from outside.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from icecool_env.school import STANDARD, Room, School

from .dice import Dice

# What has to be decided.
PLACE, FLICK, SKATES = 0, 1, 2

# A1: what happens in a flick.
TOUCH, PASS, EXIT = 0, 1, 2

# How a round ends, and what is not there.
BY_FISH, BY_CATCH, BY_CAP = 0, 1, 2
NONE = -1

# R3: how many cards there are of the values 0 (A19), 1, 2 and 3.
DECKS = {"45": [0, 15, 15, 15], "42": [0, 14, 14, 14], "tournament": [0, 45, 0, 0]}

FISH = 3
REFLICKS = 20  # R14

# R2 and R27, in millimetres.
RED_INSET = 43.0
HALF_DOOR = 30.0
HALF_OPENING = 33.0  # A wall ends 3 mm beside a door: it has a round end.
TOUCHING = 30.0 - 1e-9  # Penguins at rest may be that much closer than 30 mm.
FREE = 30.01
CLEAR_OF_WALL = 18.0
SEEN_ON_BOTH_SIDES = 12.0
CIRCLE = 20.0

# Distances this close are the same distance, and this is no overlap yet.
SAME = 1e-9
ROUNDING = 1e-11

SHORTEST_STEP = 0.001  # With which lines are searched, in millimetres.

DEFAULTS = {
    "deck": "45",
    "max_flicks": None,
    "first_catcher": "random",
    "catcher_start": "chosen",
    "reflick": True,
    "stuck_move": "may",
    "stuck_room": "choose",
    "stuck_strict": True,
    "finish_flick": False,
    "void_on_exit": False,
    "self_catch_next": "runner",
    "blank_cards": False,
    "reward": "win",
}

Point = tuple[float, float]
Clearances = Callable[[Point], list[float]]
Event = tuple[int, int, int, int]  # step, kind, seat, the other seat or the door
Slide = Callable[..., tuple[Sequence[float], Sequence[float], Sequence[Event]]]


class Opening(NamedTuple):
    """A door, with all that the rules ask of it.

    Attributes:
        upright: Whether its wall runs along y.
        wall: The x of an upright wall, the y of a level one.
        at: Its middle along the wall.
        low: The room on the side of lower x or y.
        high: The room on the other side.
        fish: Which fish hang on it, or `NONE`.
    """

    upright: bool
    wall: float
    at: float
    low: Room
    high: Room
    fish: int

    def depth(self, x: float, y: float) -> float:
        """Measures how far a centre is from the wall, negative on the low side."""
        return x - self.wall if self.upright else y - self.wall

    def holds(self, x: float, y: float) -> bool:
        """R29: whether a penguin with this centre is stuck in the door."""
        along = y - self.at if self.upright else x - self.at
        return abs(along) <= HALF_DOOR and abs(self.depth(x, y)) < CLEAR_OF_WALL


class Line(NamedTuple):
    """A straight line from one point to another."""

    start: Point
    end: Point

    def length(self) -> float:
        """Measures the line."""
        return math.dist(self.start, self.end)

    def at(self, t: float) -> Point:
        """Finds the point after a part t of the way, 0 to 1."""
        (x0, y0), (x1, y1) = self
        return x0 + t * (x1 - x0), y0 + t * (y1 - y0)

    def foot(self, x: float, y: float) -> Point:
        """Finds the point of the line that is nearest to a point."""
        (x0, y0), (x1, y1) = self
        if x0 == x1:
            return x0, min(max(y, min(y0, y1)), max(y0, y1))
        assert y0 == y1, "all lines are level or upright"
        return min(max(x, min(x0, x1)), max(x0, x1)), y0


class Ring(NamedTuple):
    """A circle."""

    middle: Point
    radius: float

    def length(self) -> float:
        """Measures the circle."""
        return 2 * math.pi * self.radius

    def at(self, t: float) -> Point:
        """Finds the point after a part t of the way round, 0 to 1."""
        x, y = self.middle
        angle = 2 * math.pi * t
        return x + self.radius * math.cos(angle), y + self.radius * math.sin(angle)

    def foot(self, x: float, y: float) -> Point:
        """Finds the point of the circle that is nearest to a point."""
        away = math.dist(self.middle, (x, y))
        if away <= SAME:
            # All points are equally near: that of the lowest x.
            return self.middle[0] - self.radius, self.middle[1]
        return (
            self.middle[0] + (x - self.middle[0]) / away * self.radius,
            self.middle[1] + (y - self.middle[1]) / away * self.radius,
        )


class Icecool:
    """One game of ICECOOL.

    Most attributes are called as the fields of the game's record; those by seat are
    lists with an entry for each player.

    Attributes:
        num_players: How many players there are.
        school: The floor plan.
        slide: How penguins slide: from x, y and on_board by seat, the seat that is
            flicked, its velocity and its spin to the final x and y and the events,
            each of them a step, a kind, a seat, and the other seat or the door.
        options: What was chosen of the options, by name.
        random: The stream from which everything random is drawn.
        player: The seat to decide; at the end, the seat that moved last.
        phase: `PLACE`, `FLICK` or `SKATES`.
        round_number: From 0.
        catcher: The Catcher's seat.
        deck: How many cards of each value are left.
        face_down: For each seat, how many face-down cards of each value.
        face_up: For each seat, how many revealed cards.
        endings: How many rounds ended by fish, by catches and at the cap.
        flicks: How many flicks there were this round.
        fish_taken: For each seat and fish, 1 if its Runner has it.
        caught: For each seat, how often it was caught this round.
        first_flick: For each seat, 1 if its first flick is still to come.
        reflicks: How many flicks in a row ended on the circle.
        on_board: For each seat, 1 if its penguin is in the school.
        x: For each seat, where its penguin is.
        y: For each seat, where its penguin is.
        flicked: The seat flicked last, `NONE` before the first flick of the game.
        velocity: That of the last flick: to x, to y and up.
        spin: That of the last flick.
        was_on_board: `on_board` before the last flick.
        was_x: `x` before the last flick.
        was_y: `y` before the last flick.
        terminated: Whether the game is over.
    """

    def __init__(
        self,
        num_players: int,
        *,
        seed: int,
        slide: Slide,
        school: School = STANDARD,
        **options: Any,
    ) -> None:
        """R4: finds the first Catcher and sets up the first round.

        Args:
            num_players: How many players, 2 to 4.
            seed: Seed of the random stream, from 0 to 2**64 - 1.
            slide: How penguins slide; see the attribute.
            school: The floor plan.
            options: As the rule sheet names them; left out, as `DEFAULTS` has them.

        Raises:
            ValueError: If there is no such number of players or option.
        """
        if num_players not in (2, 3, 4) or not set(options) <= set(DEFAULTS):
            raise ValueError(f"no such game: {num_players} players, {options}")
        self.num_players = num_players
        self.school = school
        self.slide = slide
        self.options: dict[str, Any] = DEFAULTS | options
        self.random = Dice.from_seed(seed)
        self.deck = list(DECKS[self.options["deck"]])
        self.face_down = [[0] * 4 for _ in range(num_players)]
        self.face_up = [0] * num_players
        self.endings = [0, 0, 0]
        self.round_number = 0
        self.catcher = self.options["first_catcher"]
        if self.catcher == "random":
            self.catcher = self.random.below(num_players)
        self.terminated = False
        self.flicked = NONE
        self.velocity = [0.0, 0.0, 0.0]
        self.spin = 0.0
        self.was_on_board = [0] * num_players
        self.was_x = [0.0] * num_players
        self.was_y = [0.0] * num_players
        self._doors = openings(school)
        self._walls = walls(school)
        self._start_round()

    # What an outsider asks.

    @property
    def stream(self) -> int:
        """The state of the random stream."""
        return self.random.stream

    def step(self, action: Sequence[float]) -> None:
        """Decides for the player to move.

        Args:
            action: Six numbers from -1 to 1; what the decision does not need is
                ignored.

        Raises:
            ValueError: If the game is over.
        """
        if self.terminated:
            raise ValueError("the game is over")
        if self.phase == PLACE:
            self._place(action)
        elif self.phase == FLICK:
            self._flick(action)
        else:
            self._decide_on_skates(action)

    def scores(self) -> list[int]:
        """R37: counts the points of all cards of each seat."""
        return [
            sum(value * count for value, count in enumerate(self.face_down[seat]))
            + self.face_up[seat]
            for seat in self._seats()
        ]

    def winners(self) -> list[int]:
        """R38: lists the seats with the most points, among them the most cards."""
        scores = self.scores()
        results = [
            (scores[seat], sum(self.face_down[seat]) + self.face_up[seat])
            for seat in self._seats()
        ]
        return [seat for seat in self._seats() if results[seat] == max(results)]

    def rewards(self, kind: str) -> list[float]:
        """Pays the players.

        Args:
            kind: "win" or "margin".

        Returns:
            One number per seat, all 0 unless the game has terminated.

        Raises:
            ValueError: If the kind is unknown.
        """
        if kind not in ("win", "margin"):
            raise ValueError(f"unknown kind of reward: {kind!r}")
        n = self.num_players
        if not self.terminated:
            return [0.0] * n
        if kind == "win":
            winners = self.winners()
            share = (n / len(winners) - 1) / (n - 1)
            return [share if s in winners else -1 / (n - 1) for s in self._seats()]
        scores = self.scores()
        cards = DECKS[self.options["deck"]]
        all_points = sum(value * count for value, count in enumerate(cards))
        others = [(sum(scores) - scores[seat]) / (n - 1) for seat in self._seats()]
        return [(scores[seat] - others[seat]) / all_points for seat in self._seats()]

    def red_line_room(self, x: float, y: float, wish: float) -> Room | None:
        """R27: finds the room whose red line a penguin is put on before its flick.

        Args:
            x: Where the penguin is.
            y: Where the penguin is.
            wish: The red-line component of the action.

        Returns:
            The room; None if the penguin is flicked from where it stands.
        """
        doors = [door for door in self._doors if door.holds(x, y)]
        if not doors:
            room = self._room_of(x, y)
            return room if wish > 0 and not in_red_line(room, x, y) else None
        # R33: it may move, or has to.
        if wish <= 0 and self.options["stuck_move"] == "may":
            return None
        # R32: either room if it is seen on both sides, else that of its centre.
        door = doors[0]
        depth = door.depth(x, y)
        choice = self.options["stuck_room"] == "choose"
        choice = choice and abs(depth) < SEEN_ON_BOTH_SIDES
        here, there = (door.high, door.low) if depth >= 0 else (door.low, door.high)
        return there if choice and wish > 0.5 else here

    # The start of a round and of a turn.

    def _seats(self) -> range:
        return range(self.num_players)

    def _clockwise(self, first: int) -> list[int]:
        """R10: lists all seats, clockwise from one of them."""
        return [(first + k) % self.num_players for k in self._seats()]

    def _start_round(self) -> None:
        """R8 and R9: clears the board; the Catcher is to be placed."""
        n = self.num_players
        self.flicks = 0
        self.fish_taken = [[0] * FISH for _ in self._seats()]
        self.caught = [0] * n
        self.first_flick = [0] * n
        self.reflicks = 0
        self.on_board = [0] * n
        self.x = [0.0] * n
        self.y = [0.0] * n
        self.phase = PLACE
        self.player = self.catcher
        if self.options["catcher_start"] == "centre":
            self._put_catcher(*middle_of(self._room(self.school.kitchen)))

    def _place(self, action: Sequence[float]) -> None:
        """R9: the Catcher puts its penguin inside the red line of the Kitchen."""
        left, bottom, right, top = red_line(self._room(self.school.kitchen))
        self._put_catcher(
            left + (action[0] + 1) / 2 * (right - left),
            bottom + (action[1] + 1) / 2 * (top - bottom),
        )

    def _put_catcher(self, x: float, y: float) -> None:
        self._put(self.catcher, x, y)
        self._next_turn()

    def _next_turn(self) -> None:
        """R10: the player left of the player that moved is next."""
        self._start_turn((self.player + 1) % self.num_players)

    def _start_turn(self, seat: int) -> None:
        """R12: a Runner starts on the red circle."""
        self.player = seat
        self.phase = FLICK
        self.reflicks = 0
        if not self.on_board[seat]:
            self._put_on_circle(seat)

    def _put_on_circle(self, seat: int) -> None:
        self._put(seat, *self._free_spot(*self._circle(), self._others(seat)))
        self.first_flick[seat] = 1

    def _put(self, seat: int, x: float, y: float) -> None:
        self.on_board[seat] = 1
        self.x[seat] = x
        self.y[seat] = y

    # A flick.

    def _flick(self, action: Sequence[float]) -> None:
        """R11: one flick, and what it leads to."""
        seat = self.player
        room = self.red_line_room(self.x[seat], self.y[seat], action[5])
        if room is not None:
            self._put_on_red_line(seat, room)
        self.was_on_board = list(self.on_board)
        self.was_x = list(self.x)
        self.was_y = list(self.y)
        self.flicked = seat
        self.velocity, self.spin = velocity_and_spin(action)
        x, y, events = self.slide(
            list(self.x),
            list(self.y),
            list(self.on_board),
            seat,
            list(self.velocity),
            self.spin,
        )
        self.x, self.y = list(x), list(y)
        self.flicks += 1
        gone = [who for _, kind, who, _ in events if kind == EXIT]
        caught_before = list(self.caught)
        self._judge(events, gone)
        if self._restarts(self.caught != caught_before):
            # R41: it goes to the circle, and does not stand in the Catcher's way back.
            self.on_board[1 - self.catcher] = 0
            gone = [who for who in gone if who == self.catcher]
        self._put_back(gone)
        self._forget_first_flicks(gone)
        self._go_on(gone, self.caught != caught_before)

    def _judge(self, events: Sequence[Event], gone: list[int]) -> None:
        """R24 and A1: judges the events one by one, until the round is over."""
        last_step = math.inf
        caught_before = list(self.caught)
        for step, kind, who, other in events:
            if step > last_step:
                break
            # R35: events of a penguin that left the school may not count.
            involved = [who, other] if kind == TOUCH else [who]
            if self.options["void_on_exit"] and set(involved) & set(gone):
                continue
            if kind == TOUCH:
                # R41: one catch in a flick at most, of two players.
                if self.num_players > 2 or self.caught == caught_before:
                    self._touch(who, other)
            elif kind == PASS:
                self._pass(who, other)
            if not self.options["finish_flick"] and self._how_it_ended() is not None:
                last_step = min(last_step, step)

    def _touch(self, one: int, other: int) -> None:
        """R19, R20 and R40: the Catcher catches a Runner that it touches."""
        if self.catcher in (one, other):
            runner = other if one == self.catcher else one
            most = 2 if self.num_players == 2 else 1
            self.caught[runner] = min(self.caught[runner] + 1, most)

    def _pass(self, who: int, number: int) -> None:
        """R15: a Runner takes its fish of a door that it passed, and draws a card."""
        door = self._doors[number]
        if who == self.catcher or door.fish == NONE:
            return
        # R33: none of a door in which it was stuck at the start of the flick.
        stuck = door.holds(self.was_x[who], self.was_y[who])
        if stuck and self.options["stuck_strict"]:
            return
        if not self.fish_taken[who][door.fish]:
            self.fish_taken[who][door.fish] = 1
            self._draw(who)

    def _draw(self, seat: int) -> None:
        """R3 and A19: draws a card as if the deck lay there sorted by value."""
        cards = [value for value in range(4) for _ in range(self.deck[value])]
        if cards:
            value = cards[self.random.below(len(cards))]
            self.deck[value] -= 1
            self.face_down[seat][value] += 1
        elif self.options["blank_cards"]:
            self.face_down[seat][0] += 1

    def _put_back(self, gone: list[int]) -> None:
        """R34 and R35: who left the school goes back to the spot it had."""
        waiting = [seat for seat in self._clockwise(self.flicked) if seat in gone]
        while waiting:
            seat = waiting.pop(0)
            others = self._others(seat, *waiting)
            spot = self._free_spot(self.was_x[seat], self.was_y[seat], others)
            self._put(seat, *spot)

    def _forget_first_flicks(self, gone: list[int]) -> None:
        """R14: who was pushed off the circle by another has no first flick any more."""
        for seat in self._seats():
            was = (self.was_x[seat], self.was_y[seat])
            moved = (self.x[seat], self.y[seat]) != was and seat not in gone
            if seat != self.flicked and moved and not self._is_on_circle(seat):
                self.first_flick[seat] = 0

    # After a flick.

    def _go_on(self, gone: list[int], caught: bool) -> None:
        """Ends the round or the turn, or asks for the flick once more."""
        seat = self.player
        ending = self._how_it_ended_or_is_cut_off()
        if ending is not None:
            self._end_round(ending)
        elif self._restarts(caught):
            self._restart()
        elif self.first_flick[seat] and seat not in gone:
            self._after_first_flick(seat)
        else:
            self._end_turn()

    def _how_it_ended(self) -> int | None:
        """R24: says what ended the round, None if it goes on."""
        if any(sum(fish) == FISH for fish in self.fish_taken):
            return BY_FISH
        runners = [seat for seat in self._seats() if seat != self.catcher]
        times = 2 if self.num_players == 2 else 1
        if all(self.caught[seat] == times for seat in runners):
            return BY_CATCH
        return None

    def _how_it_ended_or_is_cut_off(self) -> int | None:
        """R24 and A21: says what ended the round, the cap included."""
        ending = self._how_it_ended()
        if ending is None and self.flicks >= self._most_flicks():
            return BY_CAP
        return ending

    def _restarts(self, caught: bool) -> bool:
        """R41: says whether a first catch of two players sends the Runner back."""
        goes_on = self._how_it_ended_or_is_cut_off() is None
        return caught and self.num_players == 2 and goes_on

    def _most_flicks(self) -> int:
        """A21: says after how many flicks a round is cut off."""
        if self.options["max_flicks"] is None:
            return 100 * self.num_players
        return self.options["max_flicks"]

    def _restart(self) -> None:
        """R41: the Runner that was caught once starts again, and is next."""
        runner = 1 - self.catcher
        self.on_board[runner] = 0
        self._put_on_circle(runner)
        own = self.flicked == runner and self.options["self_catch_next"] == "catcher"
        self._start_turn(self.catcher if own else runner)

    def _after_first_flick(self, seat: int) -> None:
        """R14: whoever is still on the circle flicks again."""
        if self.options["reflick"] and self._is_on_circle(seat):
            self.reflicks += 1
            if self.reflicks < REFLICKS:
                return
            self._put_on_red_line(seat, self._room(self.school.classroom))
        self.first_flick[seat] = 0
        self._end_turn()

    def _end_turn(self) -> None:
        """R22: asks for skates if the player has the cards; else the next one plays."""
        self.reflicks = 0
        ones = self.face_down[self.player][1]
        if ones >= 2 and self.options["deck"] != "tournament":
            self.phase = SKATES
        else:
            self._next_turn()

    def _decide_on_skates(self, action: Sequence[float]) -> None:
        """R22 and R23: reveals two cards for another turn, or does not."""
        if action[0] > 0:
            self.face_down[self.player][1] -= 2
            self.face_up[self.player] += 2
            self._start_turn(self.player)
        else:
            self._next_turn()

    def _end_round(self, ending: int) -> None:
        """R25, R26 and R37: draws for the ID cards, then the next round or the end."""
        self.endings[ending] += 1
        taken = sum(times > 0 for times in self.caught)
        for seat in self._clockwise(self.catcher):
            cards = 1 + taken if seat == self.catcher else int(self.caught[seat] == 0)
            for _ in range(cards):
                self._draw(seat)
        # R43: two players are Catcher twice each.
        rounds = 4 if self.num_players == 2 else self.num_players
        if self.round_number + 1 == rounds:
            self.terminated = True
            return
        self.round_number += 1
        self.catcher = (self.catcher + 1) % self.num_players
        self._start_round()

    # Where penguins may be.

    def _others(self, seat: int, *waiting: int) -> list[Point]:
        """Lists where all other penguins on the board are, but for those that wait."""
        return [
            (self.x[other], self.y[other])
            for other in self._seats()
            if self.on_board[other] and other != seat and other not in waiting
        ]

    def _room(self, name: str) -> Room:
        return next(room for room in self.school.rooms if room.name == name)

    def _room_of(self, x: float, y: float) -> Room:
        """R32: finds the room of a centre; on a wall, that of higher x or y."""
        inside = [r for r in self.school.rooms if is_in(r, x, y)]
        clearly = [r for r in inside if x < r.right and y < r.top]
        return (clearly or inside)[0]

    def _circle(self) -> Point:
        """R12: finds the middle of the red circle, that of the Classroom."""
        return middle_of(self._room(self.school.classroom))

    def _is_on_circle(self, seat: int) -> bool:
        """R14: whether a penguin is on the red circle."""
        x, y = self._circle()
        dx, dy = self.x[seat] - x, self.y[seat] - y
        return dx * dx + dy * dy < CIRCLE * CIRCLE

    def _put_on_red_line(self, seat: int, room: Room) -> None:
        """R27: puts a penguin on the nearest free point of a red line, if any is."""
        others = self._others(seat)
        spot = best_of(
            outline(*red_line(room)),
            self.x[seat],
            self.y[seat],
            lambda point: clear_of_penguins(point, others),
        )
        if spot is not None:
            self._put(seat, *spot)

    def _free_spot(self, x: float, y: float, others: list[Point]) -> Point:
        """A12: finds the nearest free spot.

        A spot that is not free itself is nearest to one on the edge of what is free:
        30.01 mm from a penguin, 18 mm from a wall, or in a doorway where the room ends.
        """
        if all(math.dist((x, y), other) >= TOUCHING for other in others):
            return x, y
        room = self._room_of(x, y)
        edges: list[Line | Ring] = [Ring(other, FREE) for other in others]
        edges += outline(room.left, room.bottom, room.right, room.top)
        for wall in self._walls:
            edges += edges_of(wall)
        spot = best_of(
            edges,
            x,
            y,
            lambda point: [
                *clear_of_penguins(point, others),
                *self._clear_of_walls(point),
                inside_of(room, point),
            ],
        )
        return (x, y) if spot is None else spot

    def _clear_of_walls(self, point: Point) -> list[float]:
        """A12: measures by how much no wall is too close to a point."""
        return [
            math.dist(point, wall.foot(*point)) - CLEAR_OF_WALL for wall in self._walls
        ]


def velocity_and_spin(action: Sequence[float]) -> tuple[list[float], float]:
    """R6: reads the flick from an action.

    Args:
        action: The action.

    Returns:
        The velocity to x, to y and up, and the spin.
    """
    a0, a1, strength, side, height, _ = action
    length = math.sqrt(a0 * a0 + a1 * a1)
    dx, dy = (1.0, 0.0) if length == 0 else (a0 / length, a1 / length)
    v = 150.0 + (strength + 1.0) / 2.0 * 2050.0
    side = 0.0 if abs(side) < 0.05 else side
    spin = -110.0 * side * v / 2200.0
    if height <= 0:
        return [v * dx, v * dy, 0.0], spin
    elevation = (75.0 * math.pi / 180.0) * height
    forward = v * math.cos(elevation)
    return [forward * dx, forward * dy, v * math.sin(elevation)], spin


# The floor plan.


def is_in(room: Room, x: float, y: float) -> bool:
    """A10: whether a point is in a room, its edges included."""
    return room.left <= x <= room.right and room.bottom <= y <= room.top


def middle_of(room: Room) -> Point:
    """Finds the middle of a room."""
    return (room.left + room.right) / 2, (room.bottom + room.top) / 2


def red_line(room: Room) -> tuple[float, float, float, float]:
    """R28: finds the sides of a room's red rectangle: left, bottom, right, top."""
    return (
        room.left + RED_INSET,
        room.bottom + RED_INSET,
        room.right - RED_INSET,
        room.top - RED_INSET,
    )


def in_red_line(room: Room, x: float, y: float) -> bool:
    """R27: whether a centre is inside the red line of its room, or on it."""
    left, bottom, right, top = red_line(room)
    return left <= x <= right and bottom <= y <= top


def openings(school: School) -> list[Opening]:
    """R2: describes the doors of a school, in its order."""
    doors = []
    fish = 0
    for door in school.doors:
        one, other = (r for r in school.rooms if r.name in door.rooms)
        # The rooms lie side by side, or one above the other.
        upright = one.right == other.left or other.right == one.left
        low, high = one, other
        if (one.left > other.left) if upright else (one.bottom > other.bottom):
            low, high = other, one
        wall = low.right if upright else low.top
        number = fish if door.fish else NONE
        fish += int(door.fish)
        doors.append(Opening(upright, wall, door.at, low, high, number))
    return doors


def walls(school: School) -> list[Line]:
    """R2: lists the sides of all rooms, without the doors, as their middle lines."""
    doors = openings(school)
    found: list[Line] = []
    for room in school.rooms:
        for x in (room.left, room.right):
            gaps = [door.at for door in doors if door.upright and door.wall == x]
            for low, high in without(gaps, room.bottom, room.top):
                found.append(Line((x, low), (x, high)))
        for y in (room.bottom, room.top):
            gaps = [door.at for door in doors if not door.upright and door.wall == y]
            for low, high in without(gaps, room.left, room.right):
                found.append(Line((low, y), (high, y)))
    return found


def without(gaps: list[float], start: float, end: float) -> Iterator[Point]:
    """Cuts the openings of doors out of a stretch.

    Args:
        gaps: The middles of openings, some of them elsewhere.
        start: Where the stretch starts.
        end: Where the stretch ends.

    Yields:
        Start and end of each of its parts.
    """
    for gap in sorted(gaps):
        if start < gap < end:
            yield start, gap - HALF_OPENING
            start = gap + HALF_OPENING
    yield start, end


# The nearest free spot.


def outline(left: float, bottom: float, right: float, top: float) -> list[Line]:
    """Lists the sides of a rectangle."""
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return [Line(corners[k - 1], corners[k]) for k in range(4)]


def edges_of(wall: Line) -> list[Line | Ring]:
    """A12: lists where a centre can be 18 mm from a wall: beside it and at its ends."""
    (x0, y0), (x1, y1) = wall
    away = CLEAR_OF_WALL
    if x0 == x1:
        beside = [Line((x, y0), (x, y1)) for x in (x0 - away, x0 + away)]
    else:
        beside = [Line((x0, y), (x1, y)) for y in (y0 - away, y0 + away)]
    return [*beside, Ring(wall.start, away), Ring(wall.end, away)]


def clear_of_penguins(point: Point, others: list[Point]) -> list[float]:
    """R27: measures by how much no penguin is too close to a point."""
    return [math.dist(point, other) - FREE for other in others]


def inside_of(room: Room, point: Point) -> float:
    """A12: measures by how much a point is inside a room."""
    x, y = point
    return min(x - room.left, room.right - x, y - room.bottom, room.top - y)


def best_of(
    lines: Sequence[Line | Ring], x: float, y: float, clearances: Clearances
) -> Point | None:
    """Finds the free point of lines that is nearest to a point.

    Args:
        lines: Straight lines and circles.
        x: The point.
        y: The point.
        clearances: What makes a point free: by how much it is clear of each obstacle,
            less than 0 if it is too close.

    Returns:
        The nearest one; of several, that of the lowest x, then y; None if none is free.
    """
    best: Point | None = None
    for line in lines:
        foot = line.foot(x, y)
        if best is not None and not is_better(foot, best, x, y):
            continue
        points: Iterable[Point] = [foot]
        if not is_free(clearances(foot)):
            reach = math.inf if best is None else math.dist((x, y), best) + SAME
            points = ends_of_free_parts(line, clearances, Ring((x, y), reach))
        for point in points:
            if is_better(point, best, x, y):
                best = point
    return best


def is_free(clearances: list[float]) -> bool:
    """R27: whether no obstacle is too close."""
    return all(clearance >= -ROUNDING for clearance in clearances)


def is_better(point: Point, best: Point | None, x: float, y: float) -> bool:
    """R27: whether a point is nearer than the best, or as near with lower x, then y."""
    if best is None:
        return True
    here = (math.dist((x, y), point), *point)
    there = (math.dist((x, y), best), *best)
    for a, b in zip(here, there, strict=True):
        if abs(a - b) > SAME:
            return a < b
    return False


def ends_of_free_parts(
    line: Line | Ring, clearances: Clearances, within: Ring
) -> Iterator[Point]:
    """Walks along a line, to see where it is free and where not.

    A step is as long as the nearest obstacle is away, or as deep as the walker is in
    one: it cannot jump over anything. An obstacle along whose edge the line runs is
    none.

    Args:
        line: The line.
        clearances: As for `best_of`.
        within: Only points in this circle matter.

    Yields:
        The first and last point of each part of the line that is free.
    """
    length = line.length()
    walked = 0.0
    while walked < length:
        away = math.dist(line.at(walked / length), within.middle) - within.radius
        if away > 0:
            walked += max(SHORTEST_STEP, away)
            continue
        here = clearances(line.at(walked / length))
        soon = clearances(line.at((walked + SHORTEST_STEP) / length))
        free = is_free(here)
        step = -min(here)
        if free:
            pairs = zip(here, soon, strict=True)
            ahead_of = [a for a, b in pairs if max(abs(a), abs(b)) > SAME]
            step = min(ahead_of, default=length)
        ahead = min(length, walked + max(SHORTEST_STEP, step))
        free_ahead = is_free(clearances(line.at(ahead / length)))
        if free and not free_ahead:
            yield last_free(line, clearances, walked, ahead)
        elif free_ahead and not free:
            yield last_free(line, clearances, ahead, walked)
        walked = ahead


def last_free(
    line: Line | Ring, clearances: Clearances, inside: float, outside: float
) -> Point:
    """Halves a step until its ends agree.

    Args:
        line: The line.
        clearances: As for `best_of`.
        inside: How far along the line it is free.
        outside: How far along the line it is not.

    Returns:
        The last point that is free.
    """
    for _ in range(60):
        middle = (inside + outside) / 2
        if is_free(clearances(line.at(middle / line.length()))):
            inside = middle
        else:
            outside = middle
    return line.at(inside / line.length())
