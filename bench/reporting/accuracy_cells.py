# SPDX-License-Identifier: BSL-1.0
"""The errors of fp32_emulated over cublasSgemm's, in all products of accuracy_cells.csv."""

import math

from reporting.performance import csv_rows

LONG_K = 1024  # from here on medians are compared


def at_most(values):
    """Two digits that none of them exceeds."""
    return f"{math.ceil(100 * max(values)) / 100:.2f}"


def paragraph(path, link):
    rows = csv_rows(path)
    counts = [len({tuple(row[name] for name in names) for row in rows}) for names in (["inputs"], ["m", "n"], ["k"])]
    k = sorted({int(row["k"]) for row in rows})
    largest = at_most(float(row["max"]) / float(row["cublas_max"]) for row in rows if float(row["cublas_max"]))
    median = at_most(float(row["median"]) / float(row["cublas_median"]) for row in rows
                     if int(row["k"]) >= LONG_K and float(row["cublas_median"]))
    return (f"[{len(rows)} products]({link}) have {counts[0]} classes of inputs, {counts[1]} sizes of C, and {counts[2]} values of k "
            f"from {k[0]} to {k[-1]}.\nThe largest error of `fp32_emulated` was at most {largest} of cublasSgemm's in each. "
            f"From k = {LONG_K} on, its median\nwas at most {median} of cublasSgemm's. `gemm_accuracy --cells=FILE` measures "
            "them.")
