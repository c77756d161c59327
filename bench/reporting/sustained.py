# SPDX-License-Identifier: BSL-1.0
"""What remains of the speed when the power limit has set the clock."""

from reporting.results import BEST, DEFAULT, LT
from reporting.tables import BEST_IS, CUBLAS, machine, markdown_table, number, shape_name


def lowest_and_highest(row, counter):
    values = row.values(counter)
    low, high = (number(value) for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def summary(results, folder):
    header = ["", "", "TFLOP/s", "times cuBLAS", "MHz", "W"]
    lines = []
    for problem in results.problems():
        best = results.row(BEST, problem)
        others = [row for row in results.rows if row.problem == problem and row.contender not in (DEFAULT, LT)]
        for row in [best, *others] if best else others:
            lines.append([f"{problem.dtype} {problem.storage} {shape_name(problem.shape)}",
                          f"**{CUBLAS[BEST]}**" if row is best else f"`{row.contender}`",
                          lowest_and_highest(row, "tflops"),
                          "" if row is best else lowest_and_highest(row, "of_cublas"),
                          *(number(row.median(counter), 4) for counter in ("sm_mhz", "watts"))])
    repetitions = max(len(row.repetitions) for row in results.rows)
    return (f"{markdown_table(header, lines)}\n\n"
            f"Sustained, on {machine(results)}. Each repetition is half a second of unmeasured work and half a second "
            f"of samples, ours and then cuBLAS's. Least and most of {repetitions}. {BEST_IS}")
