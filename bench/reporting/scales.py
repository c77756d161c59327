# SPDX-License-Identifier: BSL-1.0
"""Scaled products of fp8 beside cuBLAS's of the same scales, and what scales cost over one number each."""

from reporting.performance import geometric_mean
from reporting.results import PYTORCH
from reporting.tables import machine, markdown_table, number, shape_name, signed_percent

PER_TENSOR, CUBLAS = "per_tensor", "cublaslt_"
KINDS = {  # see policies/scales.cu
    PER_TENSOR: "one number each", "per_row": "rows of A, columns of B",
    "block_1x128_128x128": "1 x 128 of A, 128 x 128 of B", "block_1x128": "1 x 128 of A, 128 x 1 of B",
    "amax": "one number each, and amax of C",
}
RESULTS = {"e4m3": "bfloat16", "e4m3e4m3": "e4m3"}


def measured(results):
    """(kind, type of C, our rows), those of a type of C together."""
    for dtype, output in RESULTS.items():
        for kind in KINDS:
            rows = [row for row in results.rows if row.contender == kind and row.problem.dtype == dtype]
            if rows:
                yield kind, output, rows


def medians(rows, counter):
    return [value for value in (row.median(counter) for row in rows) if value is not None]


def summary(results, folder):
    lines = []
    for kind, output, rows in measured(results):
        ratios, costs = medians(rows, "vs_cublas"), medians(rows, "cost") if kind != PER_TENSOR else []
        lines.append([KINDS[kind], output, str(len(rows)), number(geometric_mean(ratios)) if ratios else "",
                      number(min(ratios, default=None)),
                      signed_percent(geometric_mean([1 + cost for cost in costs]) - 1) if costs else "",
                      signed_percent(max(costs, default=None))])
    table = markdown_table(["scales", "C", "shapes", "times cuBLAS", "least", "cost", "greatest cost"], lines)
    return (f"{table}\n\ne4m3 nt, scales in device memory, by `run`, on {machine(results)}. *Times cuBLAS*: as fast as "
            f"the best of cublasLt's algorithms for the same scales, geometric mean; empty where it has none. *Cost*: "
            f"over one number each. Both are medians over neighbouring samples, in one process.")


def details(results):
    lines = []
    for kind, output, rows in measured(results):
        for row in rows:
            cublas = results.row(CUBLAS + kind, row.problem)
            pytorch = results.peers and results.peers.row(f"{PYTORCH}_{kind}", row.problem)
            lines.append([KINDS[kind], output, shape_name(row.problem.shape), number(row.median("tflops")),
                          number(row.median("median_us"), 4), number(cublas.median("median_us"), 4) if cublas else "",
                          number(row.median("vs_cublas")), signed_percent(row.median("cost")),
                          signed_percent(cublas.median("cost")) if cublas else "",
                          number(pytorch.median("median_us"), 4) if pytorch else ""])
    return markdown_table(["scales", "C", "shape", "TFLOP/s", "us", "cuBLAS: us", "times cuBLAS", "cost",
                           "cuBLAS: cost", "PyTorch: us"], lines)
