"""Can't Stop, written as plainly as the rule sheet reads.

This is an oracle for differential tests: it is slow on purpose, uses the standard
library only, and follows the numbered rules (CS1 to CS14 and the variants CS-V1 to
CS-V3) one by one. It shares no code with the implementation it checks.
"""

from .dice import Dice, Roll

# CS1: the columns and how many spaces each has.
SPACES = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}

# CS1: the neutral runners.
RUNNERS = 3

OCCUPIED_RULES = ("share", "jump", "no_rest")

# The three ways to split dice 0, 1, 2, 3 into two pairs.
SPLITS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


class CantStop:
    """One game of Can't Stop.

    Attributes:
        num_players: How many players there are.
        columns_to_win: How many columns a player must conquer to win.
        occupied: What happens on a space with an opponent's piece: "share" (CS13),
            "jump" (CS-V2) or "no_rest" (CS-V3).
        max_turns: After how many completed turns the game is truncated, or None.
        random: The dice stream.
        player: The seat to decide.
        phase: "choose" after a roll, "decide" when to roll or stop is asked.
        dice: The four dice of the last roll.
        pieces: For each seat, the space of its piece in each column it is in. The
            first space is 1; the piece that conquered a column stays on its last.
        runners: The space of the runner in each column that has one.
        owner: The seat that conquered each conquered column.
        turns: How many turns are completed, all players together.
        terminated: Whether the game ended by its rules.
        truncated: Whether the game was cut off at `max_turns`.
        winners: The seats that won, empty until the game terminates.
    """

    def __init__(
        self,
        seed: int,
        num_players: int = 2,
        columns_to_win: int = 3,
        occupied: str = "share",
        starting_player: str | int = "roll",
        max_turns: int | None = 1000,
    ) -> None:
        """Sets the game up, finds who starts, and begins the first turn.

        Args:
            seed: Seed of the dice, from 0 to 2**64 - 1.
            num_players: How many players, 1 to 4.
            columns_to_win: How many columns win the game.
            occupied: "share", "jump" or "no_rest".
            starting_player: "roll" to roll for it (CS2), or the starting seat.
            max_turns: Truncate after this many completed turns; None for never.

        Raises:
            ValueError: If `occupied` or `starting_player` is not one of these.
        """
        if occupied not in OCCUPIED_RULES:
            raise ValueError(f"unknown rule for occupied spaces: {occupied!r}")
        self.num_players = num_players
        self.columns_to_win = columns_to_win
        self.occupied = occupied
        self.max_turns = max_turns
        self.random = Dice.from_seed(seed)
        self.phase = "choose"
        self.dice: Roll = (0, 0, 0, 0)
        self.pieces: list[dict[int, int]] = [{} for _ in range(num_players)]
        self.runners: dict[int, int] = {}
        self.owner: dict[int, int] = {}
        self.turns = 0
        self.terminated = False
        self.truncated = False
        self.winners: list[int] = []
        if starting_player == "roll":
            self.player = self._roll_for_start()
        elif isinstance(starting_player, int) and 0 <= starting_player < num_players:
            self.player = starting_player
        else:
            raise ValueError(f"no such starting player: {starting_player!r}")
        self.take_roll(self.random.roll_four())

    # What an outsider asks.

    def legal(self) -> set[str]:
        """Lists the actions open to the player to decide.

        Returns:
            Column choices such as "6 and 10", "7 and 7" or "5" after a roll; "roll"
            and "stop" after a choice; nothing when the game is over.
        """
        if self.terminated or self.truncated:
            return set()
        if self.phase == "choose":
            return set(self.choices(self.dice))
        # CS7: roll again or stop, freely.
        actions = {"roll", "stop"}
        # CS-V3: no stopping while a runner shares a space with an opponent's piece.
        if self.occupied == "no_rest":
            for column, space in self.runners.items():
                if self._opponent_is_on(column, space):
                    actions.discard("stop")
        return actions

    def play(self, action: str) -> None:
        """Plays one action, and every automatic roll that follows from it.

        Args:
            action: One of `legal()`.

        Raises:
            ValueError: If the action is not legal now.
        """
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal now: {sorted(self.legal())}")
        if action == "roll":
            self.take_roll(self.random.roll_four())
        elif action == "stop":
            self._stop()
        else:
            for column in self.choices(self.dice)[action]:
                self._advance(column)
            self.phase = "decide"

    def rewards(self, kind: str) -> list[float]:
        """Scores the game for every seat.

        Args:
            kind: "win" for an equal share of the win, scaled to sum to 0; "margin"
                for the lead in conquered columns. Alone, a player gets 1 ("win") or
                1 / turns ("margin") for finishing.

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
        if n == 1:
            return [1.0] if kind == "win" else [1 / self.turns]
        rewards = []
        for seat in range(n):
            if kind == "win":
                share = 1 / len(self.winners) if seat in self.winners else 0.0
                rewards.append((n * share - 1) / (n - 1))
            else:
                own = self._conquered_by(seat)
                others = [self._conquered_by(s) for s in range(n) if s != seat]
                mean = sum(others) / len(others)
                rewards.append((own - mean) / self.columns_to_win)
        return rewards

    # What a test sets by hand.

    def set_up(
        self,
        *,
        player: int = 0,
        dice: Roll | None = None,
        pieces: list[dict[int, int]] | None = None,
        runners: dict[int, int] | None = None,
        owner: dict[int, int] | None = None,
    ) -> None:
        """Puts a position on the board, in place of whatever is there.

        Args:
            player: The seat to decide.
            dice: A roll to choose columns from, used as it is: `legal()` is empty
                when it is a bust. None to ask the player to roll or stop instead.
            pieces: For each seat, column to space; no pieces if left out.
            runners: Column to space; no runners if left out.
            owner: Column to seat; no conquered columns if left out.
        """
        self.player = player
        self.pieces = [dict(p) for p in pieces or [{}] * self.num_players]
        self.runners = dict(runners or {})
        self.owner = dict(owner or {})
        self.terminated = False
        self.truncated = False
        self.winners = []
        if dice is None:
            self.phase = "decide"
        else:
            self.phase = "choose"
            self.dice = dice

    def choices(self, dice: Roll) -> dict[str, list[int]]:
        """Works out what the player to decide may do with a roll.

        Args:
            dice: The four dice.

        Returns:
            For each choice by name, the columns in which a runner is to be placed or
            moved, one after the other. Empty if the roll is a bust.
        """
        found: dict[str, list[int]] = {}
        for first, second in SPLITS:
            # CS3: the sums of the two pairs name columns.
            a = dice[first[0]] + dice[first[1]]
            b = dice[second[0]] + dice[second[1]]
            a, b = min(a, b), max(a, b)
            if a == b:
                # CS5: doubles.
                if self._can_play(a):
                    found[f"{a} and {b}"] = [a, b]
            elif self._can_play(a) and self._can_play(b):
                both_enter = a not in self.runners and b not in self.runners
                if both_enter and self._free_runners() == 1:
                    # CS6: one runner for two columns, the player chooses which.
                    found[f"{a}"] = [a]
                    found[f"{b}"] = [b]
                else:
                    # CS6: both can be played, so both are played.
                    found[f"{a} and {b}"] = [a, b]
            # CS6: only one can be played, the other is ignored.
            elif self._can_play(a):
                found[f"{a}"] = [a]
            elif self._can_play(b):
                found[f"{b}"] = [b]
        return found

    def take_roll(self, dice: Roll) -> None:
        """Takes a roll of the player to decide.

        On a bust the turn ends and the next player rolls, and so on until somebody
        has a choice or the game is cut off.

        Args:
            dice: The four dice.
        """
        while True:
            self.dice = dice
            self.phase = "choose"
            if self.choices(dice):
                return
            self._bust()
            if self.truncated:
                return
            self._pass_on()
            dice = self.random.roll_four()

    # The course of a turn.

    def _roll_for_start(self) -> int:
        """CS2: the highest sum of two dice starts; ties roll again."""
        still_in = list(range(self.num_players))
        while len(still_in) > 1:
            sums = {seat: sum(self.random.roll_two()) for seat in still_in}
            highest = max(sums.values())
            still_in = [seat for seat in still_in if sums[seat] == highest]
        return still_in[0]

    def _bust(self) -> None:
        """CS8: the runners come off, the pieces stay where they were."""
        self.runners = {}
        self._complete_turn()

    def _stop(self) -> None:
        """CS9, CS10 and CS14: pieces replace runners, columns fall, somebody wins."""
        for column, space in self.runners.items():
            self.pieces[self.player][column] = space
            if space == SPACES[column]:
                self.owner[column] = self.player
                for seat in range(self.num_players):
                    if seat != self.player:
                        self.pieces[seat].pop(column, None)
        self.runners = {}
        counts = [self._conquered_by(seat) for seat in range(self.num_players)]
        if counts[self.player] >= self.columns_to_win:
            self.terminated = True
            self.winners = [self.player]
        elif len(self.owner) == len(SPACES):
            # Nothing is left to conquer: those with most columns share the win.
            self.terminated = True
            self.winners = [s for s, c in enumerate(counts) if c == max(counts)]
        self._complete_turn()
        if not self.terminated and not self.truncated:
            self._pass_on()
            self.take_roll(self.random.roll_four())

    def _complete_turn(self) -> None:
        """Counts a turn, and cuts the game off when the last one allowed is over."""
        self.turns += 1
        if self.max_turns is not None and self.turns >= self.max_turns:
            # Winning goes before truncation.
            self.truncated = not self.terminated

    def _pass_on(self) -> None:
        """CS2: play goes in seat order."""
        self.player = (self.player + 1) % self.num_players

    # Runners and pieces.

    def _free_runners(self) -> int:
        """How many runners are off the board."""
        return RUNNERS - len(self.runners)

    def _can_play(self, column: int) -> bool:
        """Whether a runner can be moved or placed in the column."""
        # CS12: nobody may use a conquered column.
        if column in self.owner:
            return False
        # CS11: a runner on the last space cannot move further.
        if column in self.runners:
            return self.runners[column] < SPACES[column]
        # CS4: otherwise a free runner enters, if there is one.
        return self._free_runners() > 0

    def _advance(self, column: int) -> None:
        """CS4: moves the runner in the column one space up, or enters a free one."""
        if column in self.runners:
            here = self.runners[column]
        else:
            here = self.pieces[self.player].get(column, 0)
        # CS5: the second move of a double is lost on the last space.
        if here == SPACES[column]:
            return
        space = here + 1
        # CS-V2: go on past every space that holds an opponent's piece.
        if self.occupied == "jump":
            while self._opponent_is_on(column, space):
                space += 1
        self.runners[column] = space

    def _opponent_is_on(self, column: int, space: int) -> bool:
        """Whether an opponent of the player to decide has a piece on the space."""
        for seat in range(self.num_players):
            if seat != self.player and self.pieces[seat].get(column, 0) == space:
                return True
        return False

    def _conquered_by(self, seat: int) -> int:
        """How many columns the seat has conquered."""
        return list(self.owner.values()).count(seat)
