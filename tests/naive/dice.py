"""The documented random stream, as every oracle draws from it."""

WORD = 2**64
HALF_WORD = 2**32

Roll = tuple[int, int, int, int]


class Dice:
    """The documented random stream, in plain Python integers.

    Attributes:
        stream: The 64-bit state of the splitmix64 generator, as in the game record.
    """

    def __init__(self, stream: int) -> None:
        """Starts from a generator state.

        Args:
            stream: The 64-bit state of the generator.
        """
        self.stream = stream

    @classmethod
    def from_seed(cls, seed: int) -> "Dice":
        """Starts from an integer seed.

        Args:
            seed: A number from 0 to 2**64 - 1.

        Returns:
            Dice whose stream is the first output of a generator in state `seed`.
        """
        return cls(cls(seed).next_bits())

    def next_bits(self) -> int:
        """Advances the generator one step.

        Returns:
            The next 64-bit output of splitmix64.
        """
        self.stream = (self.stream + 0x9E3779B97F4A7C15) % WORD
        z = self.stream
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Draws an unbiased number by Lemire's method on the upper 32 bits.

        Args:
            n: How many numbers there are to draw from.

        Returns:
            A number from 0 to n - 1.
        """
        while True:
            x = self.next_bits() >> 32
            m = x * n
            low = m % HALF_WORD
            if low >= HALF_WORD % n:
                return m >> 32

    def roll_four(self) -> Roll:
        """Rolls the four dice of a turn.

        Returns:
            The four dice, each 1 to 6.
        """
        k = self.below(1296)
        return (k // 216 + 1, k // 36 % 6 + 1, k // 6 % 6 + 1, k % 6 + 1)

    def roll_two(self) -> tuple[int, int]:
        """Rolls two dice, as each player does to see who starts.

        Returns:
            The two dice, each 1 to 6.
        """
        k = self.below(36)
        return (k // 6 + 1, k % 6 + 1)
