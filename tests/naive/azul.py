"""Azul, written as plainly as the rule sheet reads.

This is an oracle for differential tests: it is slow on purpose, uses the standard
library only, and follows the numbered rules (AZ1 to AZ13 and the variant AZ-V1) one
by one. It shares no code with the implementation it checks.
"""

from .dice import Dice

# AZ1 and AZ8: the five colours; everywhere else a colour is its place in this list.
COLOURS = ("blue", "yellow", "red", "black", "white")

# AZ1: so many tiles of each colour.
TILES_OF_A_COLOUR = 20

# AZ1: factory displays by number of players, and tiles put on each.
DISPLAYS = {2: 5, 3: 7, 4: 9}
TILES_ON_A_DISPLAY = 4

# AZ10: what each space of the floor line costs, from left to right.
PENALTIES = (1, 1, 2, 2, 2, 3, 3)

# AZ12: what a complete row, column and colour are worth at the end.
ROW_BONUS = 2
COLUMN_BONUS = 7
COLOUR_BONUS = 10

WALLS = ("colored", "grey")

# The starting-player marker, where it lies on a floor line among tiles.
MARKER = "marker"

Line = tuple[int | None, int]
Wall = list[list[int | None]]
Floor = list[int | str]


class Azul:
    """One game of Azul.

    Attributes:
        num_players: How many players there are.
        wall: "colored", or "grey" for the variant AZ-V1.
        max_rounds: After how many rounds the game is truncated, or None.
        random: The stream from which everything random is drawn.
        player: The seat to decide.
        phase: "offer" when tiles are to be taken, "tiling" when a wall column is to be
            chosen.
        tiling_line: The line (0 to 4) for whose tile a column is to be chosen, or None.
        round: The number of the round, from 1.
        starting_player: The seat that started this round.
        marker_owner: The seat that took the marker this round, None while it lies in
            the centre.
        bag: How many tiles of each colour the bag holds.
        lid: How many tiles of each colour the box lid holds.
        displays: For each display, how many tiles of each colour.
        centre: How many tiles of each colour lie in the centre.
        lines: For each seat and pattern line, the colour (None if empty) and number of
            its tiles.
        walls: For each seat, five rows of five spaces: a colour, or None if free.
        floors: For each seat, what lies on the floor line from left to right: colours
            and at most once the marker.
        scores: The points of each seat.
        terminated: Whether the game ended by its rules.
        truncated: Whether the game was cut off after `max_rounds`.
        winners: The seats that won, empty until the game terminates.
    """

    def __init__(
        self,
        seed: int,
        num_players: int = 2,
        wall: str = "colored",
        starting_player: str | int = "random",
        max_rounds: int | None = 100,
    ) -> None:
        """AZ1: sets the game up and fills the displays of the first round.

        Args:
            seed: Seed of the random stream, from 0 to 2**64 - 1.
            num_players: How many players, 2 to 4.
            wall: "colored" or "grey".
            starting_player: "random" to draw a seat, or the starting seat.
            max_rounds: Truncate after this many rounds; None for never.

        Raises:
            ValueError: If there is no such number of players, wall or starting player.
        """
        if num_players not in DISPLAYS:
            raise ValueError(f"no such number of players: {num_players!r}")
        if wall not in WALLS:
            raise ValueError(f"no such wall: {wall!r}")
        self.num_players = num_players
        self.wall = wall
        self.max_rounds = max_rounds
        self.random = Dice.from_seed(seed)
        self.round = 1
        self.bag = [TILES_OF_A_COLOUR for _ in COLOURS]
        self.lid = no_tiles()
        self.displays = [no_tiles() for _ in range(DISPLAYS[num_players])]
        self.centre = no_tiles()
        self.lines: list[list[Line]] = [no_lines() for _ in range(num_players)]
        self.walls: list[Wall] = [empty_wall() for _ in range(num_players)]
        self.floors: list[Floor] = [[] for _ in range(num_players)]
        self.scores = [0] * num_players
        self.terminated = False
        self.truncated = False
        self.winners: list[int] = []
        if starting_player == "random":
            self.starting_player = self.random.below(num_players)
        elif isinstance(starting_player, int) and 0 <= starting_player < num_players:
            self.starting_player = starting_player
        else:
            raise ValueError(f"no such starting player: {starting_player!r}")
        self._start_round()

    # What an outsider asks.

    def legal(self) -> set[str]:
        """Lists the actions open to the player to decide.

        Returns:
            Takings such as "display 3, red, line 2" and "centre, blue, floor" in the
            offer, "column 4" and the like while tiling; nothing when the game is over.
        """
        if self.terminated or self.truncated:
            return set()
        if self.phase == "tiling":
            assert self.tiling_line is not None
            columns = self._open_columns(self.player, self.tiling_line)
            return {f"column {column + 1}" for column in columns}
        # AZ2: all tiles of one colour, from one display or from the centre.
        sources = {"centre": self.centre}
        for number, display in enumerate(self.displays, start=1):
            sources[f"display {number}"] = display
        actions = set()
        for source, tiles in sources.items():
            for colour, name in enumerate(COLOURS):
                if tiles[colour] == 0:
                    continue
                # AZ5: taking straight to the floor is always legal.
                actions.add(f"{source}, {name}, floor")
                for line in range(5):
                    if self._may_go_to(line, colour):
                        actions.add(f"{source}, {name}, line {line + 1}")
        return actions

    def play(self, action: str) -> None:
        """Plays one action, and all that follows from it without a choice.

        Args:
            action: One of `legal()`.

        Raises:
            ValueError: If the action is not legal now.
        """
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal now: {sorted(self.legal())}")
        if self.phase == "tiling":
            assert self.tiling_line is not None
            line = self.tiling_line
            column = int(action.removeprefix("column ")) - 1
            self._move_to_wall(self.player, line, column)
            self._go_on_tiling(line + 1)
            return
        source, name, target = action.split(", ")
        colour = COLOURS.index(name)
        count = self._take(source, colour)
        if target == "floor":
            self._drop(self.player, colour, count)
        else:
            line = int(target.removeprefix("line ")) - 1
            self._add_to_line(line, colour, count)
        # AZ6: the offer is over when all displays and the centre are empty.
        if sum(self.centre) == 0 and all(sum(d) == 0 for d in self.displays):
            self.tile_walls()
        else:
            self.player = self._next_seat(self.player)

    def rewards(self, kind: str) -> list[float]:
        """Scores the game for every seat.

        Args:
            kind: "win" for an equal share of the win, scaled to sum to 0; "margin"
                for the lead in points over the others' mean, in hundreds.

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
        rewards = []
        for seat in range(n):
            if kind == "win":
                share = 1 / len(self.winners) if seat in self.winners else 0.0
                rewards.append((n * share - 1) / (n - 1))
            else:
                others = [self.scores[s] for s in range(n) if s != seat]
                mean = sum(others) / len(others)
                rewards.append((self.scores[seat] - mean) / 100)
        return rewards

    def tiles(self) -> list[int]:
        """Counts the tiles of the whole game.

        Returns:
            For each colour, the tiles in bag and lid, on displays and in the centre,
            on lines, floors and walls.
        """
        found = no_tiles()
        for counts in [self.bag, self.lid, self.centre, *self.displays]:
            for colour in range(5):
                found[colour] += counts[colour]
        for seat in range(self.num_players):
            for colour, count in self.lines[seat]:
                if colour is not None:
                    found[colour] += count
            spaces = [space for row in self.walls[seat] for space in row]
            for thing in [*self.floors[seat], *spaces]:
                # Neither a free space nor the marker.
                if isinstance(thing, int):
                    found[thing] += 1
        return found

    # What a test sets by hand.

    def set_up(
        self,
        *,
        player: int = 0,
        tiling_line: int | None = None,
        round: int = 1,
        starting_player: int = 0,
        marker_owner: int | None = None,
        bag: list[int] | None = None,
        lid: list[int] | None = None,
        displays: list[list[int]] | None = None,
        centre: list[int] | None = None,
        lines: list[list[Line]] | None = None,
        walls: list[Wall] | None = None,
        floors: list[Floor] | None = None,
        scores: list[int] | None = None,
    ) -> None:
        """Puts a position on the table, in place of whatever is there.

        The random stream goes on from where it is.

        Args:
            player: The seat to decide.
            tiling_line: The line for whose tile that seat is to choose a column; the
                seats from there round to the starting player still have to tile. None
                for the offer.
            round: The number of the round.
            starting_player: The seat that started the round.
            marker_owner: The seat that has the marker, None for the centre.
            bag: Tiles in the bag; all that are nowhere else if left out.
            lid: Tiles in the lid; none if left out.
            displays: Tiles of the first displays; those left out are empty.
            centre: Tiles in the centre; none if left out.
            lines: For each seat its five lines; all empty if left out.
            walls: For each seat its wall; all empty if left out.
            floors: For each seat its floor line; all empty if left out.
            scores: For each seat its points; 0 if left out.
        """
        seats = range(self.num_players)
        self.player = player
        self.tiling_line = tiling_line
        self.phase = "offer" if tiling_line is None else "tiling"
        self.round = round
        self.starting_player = starting_player
        self.marker_owner = marker_owner
        self.lid = list(lid or no_tiles())
        self.displays = [list(display) for display in displays or []]
        while len(self.displays) < DISPLAYS[self.num_players]:
            self.displays.append(no_tiles())
        self.centre = list(centre or no_tiles())
        self.lines = [list(lines[s]) if lines else no_lines() for s in seats]
        self.walls = [
            [list(row) for row in walls[s]] if walls else empty_wall() for s in seats
        ]
        self.floors = [list(floors[s]) if floors else [] for s in seats]
        self.scores = list(scores or [0 for _ in seats])
        self.terminated = False
        self.truncated = False
        self.winners = []
        self.bag = no_tiles()
        if bag is None:
            self.bag = [TILES_OF_A_COLOUR - count for count in self.tiles()]
        else:
            self.bag = list(bag)

    def tile_walls(self) -> None:
        """Ends the offer: all tile their walls, beginning with the starting player."""
        self.player = self.starting_player
        self._go_on_tiling(0)

    # The start of a round.

    def _start_round(self) -> None:
        """AZ2 and AZ11: fills the displays; the marker goes into the centre."""
        self.phase = "offer"
        self.tiling_line: int | None = None
        self.marker_owner: int | None = None
        self.player = self.starting_player
        for display in self.displays:
            for _ in range(TILES_ON_A_DISPLAY):
                # AZ11: when the bag is empty, all tiles in the lid go into it.
                if sum(self.bag) == 0:
                    self.bag = self.lid
                    self.lid = no_tiles()
                # AZ11: the round starts with what there is.
                if sum(self.bag) == 0:
                    return
                display[self._draw()] += 1

    def _draw(self) -> int:
        """Draws a tile from the bag as if its tiles lay there sorted by colour."""
        k = self.random.below(sum(self.bag))
        colour = 0
        while k >= self.bag[colour]:
            k -= self.bag[colour]
            colour += 1
        self.bag[colour] -= 1
        return colour

    # The factory offer.

    def _may_go_to(self, line: int, colour: int) -> bool:
        """AZ4: whether the player to decide may add tiles of the colour to the line."""
        there, count = self.lines[self.player][line]
        # A complete line has no space for a tile.
        if count == line + 1:
            return False
        # A line holds one colour only.
        if there is not None and there != colour:
            return False
        # Its wall row must not hold the colour yet.
        return colour not in self.walls[self.player][line]

    def _take(self, source: str, colour: int) -> int:
        """AZ2: takes all tiles of a colour from a display or the centre."""
        if source == "centre":
            # AZ3: the first to take from the centre takes the marker as well. It goes
            # to the floor before any tile does, and nowhere if the floor is full.
            if self.marker_owner is None:
                self.marker_owner = self.player
                floor = self.floors[self.player]
                if len(floor) < len(PENALTIES):
                    floor.append(MARKER)
            count = self.centre[colour]
            self.centre[colour] = 0
            return count
        number = int(source.removeprefix("display "))
        display = self.displays[number - 1]
        count = display[colour]
        # The rest of the display moves to the centre.
        for other in range(5):
            if other != colour:
                self.centre[other] += display[other]
        self.displays[number - 1] = no_tiles()
        return count

    def _add_to_line(self, line: int, colour: int, count: int) -> None:
        """AZ4 and AZ5: adds tiles to a line of the player; the excess is dropped."""
        _, before = self.lines[self.player][line]
        after = min(before + count, line + 1)
        self.lines[self.player][line] = (colour, after)
        self._drop(self.player, colour, before + count - after)

    def _drop(self, seat: int, colour: int, count: int) -> None:
        """AZ5: drops tiles on the floor line, or into the lid when that is full."""
        for _ in range(count):
            if len(self.floors[seat]) < len(PENALTIES):
                self.floors[seat].append(colour)
            else:
                self.lid[colour] += 1

    # The wall tiling.

    def _go_on_tiling(self, line: int) -> None:
        """Tiles from a line of `player` on, until a column is to be chosen or all have.

        Args:
            line: The first line of that player not looked at yet; 5 when all are done.
        """
        self.phase = "offer"
        self.tiling_line = None
        while True:
            # AZ7: from top to bottom, each complete line.
            while line < 5:
                if self._is_complete(self.player, line):
                    self._tile_line(self.player, line)
                    if self.tiling_line is not None:
                        return
                line += 1
            self._pay_for_floor(self.player)
            if self._next_seat(self.player) == self.starting_player:
                break
            self.player = self._next_seat(self.player)
            line = 0
        self._end_round()

    def _tile_line(self, seat: int, line: int) -> None:
        """Moves a complete line to the wall, or asks for the column."""
        colour, count = self.lines[seat][line]
        assert colour is not None
        if self.wall == "colored":
            # AZ8: the wall says where the colour goes.
            self._move_to_wall(seat, line, (line + colour) % 5)
        elif self._open_columns(seat, line):
            # AZ-V1: the player chooses.
            self.phase = "tiling"
            self.tiling_line = line
        else:
            # AZ-V1: no space is legal, so all tiles of the line are dropped.
            self.lines[seat][line] = (None, 0)
            self._drop(seat, colour, count)

    def _open_columns(self, seat: int, line: int) -> list[int]:
        """AZ-V1: the columns where the tile of the line may go.

        A space must be free, and no colour may stand twice in a column or a row.
        """
        wall = self.walls[seat]
        colour, _ = self.lines[seat][line]
        if colour in wall[line]:
            return []
        found = []
        for column in range(5):
            free = wall[line][column] is None
            if free and all(row[column] != colour for row in wall):
                found.append(column)
        return found

    def _move_to_wall(self, seat: int, line: int, column: int) -> None:
        """AZ7: a tile of the line goes to the wall and scores, the rest to the lid."""
        colour, count = self.lines[seat][line]
        assert colour is not None
        self.walls[seat][line][column] = colour
        self.scores[seat] += tile_score(self.walls[seat], line, column)
        self.lid[colour] += count - 1
        self.lines[seat][line] = (None, 0)

    def _pay_for_floor(self, seat: int) -> None:
        """AZ10: the penalties of a seat, after which its floor line is cleared."""
        floor = self.floors[seat]
        for penalty, _ in zip(PENALTIES, floor, strict=False):
            # Never below 0.
            self.scores[seat] = max(0, self.scores[seat] - penalty)
        for thing in floor:
            # The marker stays with its owner.
            if isinstance(thing, int):
                self.lid[thing] += 1
        self.floors[seat] = []

    # The end of a round and of the game.

    def _end_round(self) -> None:
        """Ends the game, cuts it off or starts the next round, after all have tiled."""
        # AZ12: somebody has completed a horizontal row.
        if any(complete_rows(wall) > 0 for wall in self.walls) or (
            sum(self.bag) == 0 and sum(self.lid) == 0
        ):
            self._end_game()
        elif self.max_rounds is not None and self.round >= self.max_rounds:
            self.truncated = True
        else:
            # AZ6: if nobody took the marker, the same player starts again.
            if self.marker_owner is not None:
                self.starting_player = self.marker_owner
            self.round += 1
            self._start_round()

    def _end_game(self) -> None:
        """AZ12 and AZ13: adds the bonuses and finds the winners."""
        self.terminated = True
        for seat, wall in enumerate(self.walls):
            self.scores[seat] += ROW_BONUS * complete_rows(wall)
            self.scores[seat] += COLUMN_BONUS * complete_columns(wall)
            self.scores[seat] += COLOUR_BONUS * complete_colours(wall)
        # AZ13: most points, then most complete rows, then they share.
        seats = range(self.num_players)
        results = [(self.scores[s], complete_rows(self.walls[s])) for s in seats]
        self.winners = [s for s in seats if results[s] == max(results)]

    def _is_complete(self, seat: int, line: int) -> bool:
        """AZ7: whether all spaces of the line are filled."""
        _, count = self.lines[seat][line]
        return count == line + 1

    def _next_seat(self, seat: int) -> int:
        """AZ2: play is clockwise."""
        return (seat + 1) % self.num_players


def no_tiles() -> list[int]:
    """Counts nothing: a 0 for each colour."""
    return [0 for _ in COLOURS]


def no_lines() -> list[Line]:
    """Makes the five empty pattern lines of a player."""
    return [(None, 0) for _ in range(5)]


def empty_wall() -> Wall:
    """Makes a wall without tiles."""
    return [[None for _ in range(5)] for _ in range(5)]


def tile_score(wall: Wall, row: int, column: int) -> int:
    """AZ9: what the tile just placed on a space scores.

    Args:
        wall: The wall, the tile on it.
        row: The row of the tile.
        column: The column of the tile.

    Returns:
        The points for it.
    """
    # A run is what connects the tile to both sides, the tile included.
    horizontal = 1
    left = column - 1
    while left >= 0 and wall[row][left] is not None:
        horizontal += 1
        left -= 1
    right = column + 1
    while right < 5 and wall[row][right] is not None:
        horizontal += 1
        right += 1
    vertical = 1
    up = row - 1
    while up >= 0 and wall[up][column] is not None:
        vertical += 1
        up -= 1
    down = row + 1
    while down < 5 and wall[down][column] is not None:
        vertical += 1
        down += 1
    if horizontal == 1 and vertical == 1:
        return 1
    points = 0
    if horizontal > 1:
        points += horizontal
    if vertical > 1:
        points += vertical
    return points


def complete_rows(wall: Wall) -> int:
    """AZ12: how many horizontal rows are full."""
    return sum(None not in row for row in wall)


def complete_columns(wall: Wall) -> int:
    """AZ12: how many vertical columns are full."""
    return sum(all(row[column] is not None for row in wall) for column in range(5))


def complete_colours(wall: Wall) -> int:
    """AZ12: how many colours have all five tiles on the wall."""
    tiles = [colour for row in wall for colour in row]
    return sum(tiles.count(colour) == 5 for colour in range(5))
