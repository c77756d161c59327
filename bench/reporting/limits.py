# SPDX-License-Identifier: BSL-1.0
"""What the front page says of run() beside cuBLAS on each GPU: the least and the greatest ratio of each suite."""

from reporting import performance
from reporting.tables import markdown_table

SUITES = {"f32": "float", "bf16": "bf16", "f16": "half", "tf32": "tf32", "f64": "double", "i8": "int8", "e4m3": "fp8"}


def table(gpus):
    """Of {name of the GPU: {suite: results}}; a suite that a GPU lacks was not measured there."""
    lines = []
    for suite, words in SUITES.items():
        line = [words]
        for results_of in gpus.values():
            if suite not in results_of:
                line.append("not measured")
                continue
            values = [value for _, value in performance.ratios(results_of[suite], performance.SUITES[suite][1])]
            line.append(f"{min(values):.2f} to {max(values):.2f}")
        lines.append(line)
    return markdown_table(["", *gpus], lines)
