# SPDX-License-Identifier: BSL-1.0
"""What remains of the speed when the power limit has set the clock."""

from reporting.tables import machine, markdown_table, number, shape_name


def lowest_and_highest(row, counter):
    values = row.values(counter)
    low, high = (number(value) for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def summary(results, folder):
    header = ["", "", "TFLOP/s", "times cuBLAS", "MHz", "W"]
    lines = []
    for problem in results.problems():
        for row in results.rows:
            if row.problem == problem and row.contender != "cublas_default":
                cublas = row.contender == "cublaslt_best"
                lines.append([f"{problem.dtype} {problem.storage} {shape_name(problem.shape)}",
                              "**cuBLAS, best**" if cublas else f"`{row.contender}`",
                              lowest_and_highest(row, "tflops"),
                              "" if cublas else lowest_and_highest(row, "vs_cublas"),
                              *(number(row.median(counter), 4) for counter in ("sm_mhz", "watts"))])
    repetitions = max(len(row.repetitions) for row in results.rows)
    return (f"{markdown_table(header, lines)}\n\n"
            f"Sustained, on {machine(results)}. Each repetition is half a second of unmeasured work and half a second of "
            f"samples, ours and then cuBLAS's. Least and most of {repetitions}.")
