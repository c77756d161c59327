# SPDX-License-Identifier: BSL-1.0
"""run<batch_invariant>() beside run(): what results cost that do not depend on the batch."""

from reporting.few_rows import WORDS as TYPES
from reporting.performance import geometric_mean
from reporting.results import ReportError
from reporting.tables import machine, markdown_table, number, shape_name

OURS, INVARIANT = "automatic", "batch_invariant"
WORDS = {**TYPES, "tf32": "tf32", "f64": "double"}
CLASSES = {"1 to 64": (1, 64), "65 to 511": (65, 511), "512 and more": (512, float("inf"))}  # rows


def speeds(results):
    """(problem, run()'s row, the invariant row, times run() that it reaches)"""
    found = []
    for problem in results.problems():
        ours, invariant = results.row(OURS, problem), results.row(INVARIANT, problem)
        if ours and invariant and ours.values("median_us") and invariant.values("median_us"):
            found.append((problem, ours, invariant, ours.median("median_us") / invariant.median("median_us")))
    return found


def summary(results, folder):
    lines = []
    for dtype, words in WORDS.items():
        for rows, (least, most) in CLASSES.items():
            of_class = [times for problem, _, _, times in speeds(results)
                        if problem.dtype == dtype and least <= problem.shape[0] <= most]
            if of_class:
                lines.append([words, rows, str(len(of_class)), number(geometric_mean(of_class)), number(min(of_class))])
    if not lines:
        raise ReportError("batch_invariant has no product beside run()")
    return (f"{markdown_table(['type', 'rows', 'products', 'times run', 'least'], lines)}\n\n"
            f"*Times run*: as fast as `run`, geometric means, on {machine(results)}.")


def details(results):
    return markdown_table(["type", "storage", "product", "us", "run: us", "times run"], [
        [WORDS.get(problem.dtype, problem.dtype), problem.storage, shape_name(problem.shape),
         number(invariant.median("median_us"), 4), number(ours.median("median_us"), 4), number(times)]
        for problem, ours, invariant, times in speeds(results)])
