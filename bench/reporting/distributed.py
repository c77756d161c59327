# SPDX-License-Identifier: BSL-1.0
"""Products of several GPUs beside cuBLAS and then NCCL: what gemm_distributed has measured."""

import csv

from reporting.results import ReportError
from reporting.tables import markdown_table, number

NAMES = {"all_gather_product": "all-gather, product", "product_reduce_scatter": "product, reduce-scatter",
         "product_all_reduce": "product, all-reduce"}


def load(path):
    try:
        with path.open() as file:
            said, rows = [], []
            for line in file:
                (said if line.startswith("#") else rows).append(line)
        found = list(csv.DictReader(rows))
        if not found:
            raise ValueError("no row")
        return " ".join(line.lstrip("# ").strip() for line in said), found
    except (OSError, ValueError) as reason:
        raise ReportError(f"{path}: {reason}") from reason


def table(path, where):
    said, rows = load(path)
    lines = []
    for row in rows:
        exposed = float(row["exposed"])
        lines.append([NAMES[row["product"]], row["ranks"], f"{row['m']}x{row['n']}x{row['k']}",
                      number(float(row["automatic_us"]), 4), number(float(row["libraries_us"]), 4),
                      number(float(row["ratio"])), number(float(row["linear"])), f"{100 * exposed:.0f} %",
                      number(float(row["torch_async_us"]), 4) if row["torch_async_us"] else ""])
    return (markdown_table(["product", "GPUs", "m, n, k of all ranks", "us", "cuBLAS, NCCL: us", "times", "of linear",
                            "exposed", "torch: us"], lines) +
            f"\n\nOf bfloat16. *Exposed*: the part of NCCL's time that a product takes longer than without an exchange. "
            f"{said} [All paths]({where}).")
