"""Times scipy on the vectors that benches/compare.rs wrote, and checks that the values agree.

    WEBRANK_BENCH_VECTORS=DIR cargo bench --bench compare
    python benches/peers/compare_scipy.py DIR
"""

import csv
import pathlib
import sys
import time

import numpy as np
import scipy
from scipy import stats


def main(directory):
    print(f"scipy {scipy.__version__}, numpy {np.__version__}")
    with open(directory / "values.csv", newline="") as file:
        for row in csv.DictReader(file):
            x, y = (np.fromfile(directory / f"{row[k]}.f64") for k in "xy")
            start = time.perf_counter()
            value = float(getattr(stats, row["coefficient"])(x, y).statistic)
            seconds = time.perf_counter() - start
            difference = abs(value - float(row["value"]))
            print(
                f"{row['x']:>8} {row['y']:>8} {row['coefficient']:>12}"
                f" {seconds:8.3f} s  differs by {difference:.1e}",
                flush=True,
            )
            assert difference < 1e-12


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
