"""What spaces and conquered columns count; see ``_values.py``.

Written by:
python -m baselines.cant_stop._tuning --games 3000 --rounds 3 --seed 0 --workers 2
"""

import numpy as np

NEXT = 0.214

# By columns still needed; with none the game is won.
OF_CONQUESTS = np.array([0.0, 2.283, 0.921, 0.000])

# The spaces below the top of the columns 2 to 7, which are those of 12 to 8 too; first
# for a player who needs one column, then two, then three.
ROWS = (
    "0.12 0.62",
    "-0.05 -0.10 0.01 0.43",
    "-0.00 -0.18 -0.05 0.07 0.38 0.86",
    "-0.08 -0.14 -0.17 -0.07 0.04 0.20 0.34 0.63",
    "-0.26 -0.16 -0.25 -0.21 -0.13 -0.10 -0.07 0.19 0.48 0.90",
    "-0.13 -0.16 -0.21 -0.22 -0.36 -0.45 -0.26 0.00 0.17 0.36 0.67 1.09",
    "0.12 0.31",
    "-0.03 -0.00 0.18 0.44",
    "-0.06 -0.01 0.08 0.19 0.37 0.72",
    "0.02 0.03 -0.01 0.03 0.21 0.23 0.41 0.77",
    "0.01 0.04 -0.16 0.04 0.10 0.09 0.15 0.43 0.55 0.39",
    "-0.16 -0.15 -0.14 -0.14 -0.29 -0.10 0.14 0.20 0.16 0.29 0.52 0.57",
    "0.07 0.25",
    "0.05 -0.09 0.10 0.50",
    "0.03 0.04 0.08 0.13 0.24 0.40",
    "0.02 -0.05 -0.03 0.04 0.12 0.12 0.14 0.19",
    "-0.00 0.03 0.04 0.16 0.26 0.31 0.34 0.34 0.24 0.11",
    "0.03 0.20 0.08 0.05 0.20 0.45 0.27 0.21 0.22 0.41 0.72 1.07",
)

OF_SPACE = np.zeros((4, 13, 14))
"""By columns still needed, column and space; no piece counts 0."""

for _row, _text in enumerate(ROWS):
    _left, _kind = divmod(_row, 6)
    _values = [float(value) for value in _text.split()]
    for _column in (2 + _kind, 12 - _kind):
        OF_SPACE[1 + _left, _column, 1 : 1 + len(_values)] = _values
