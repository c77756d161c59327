# SPDX-License-Identifier: BSL-1.0
"""Numbers and tables in Markdown."""

import re
import statistics


def number(value, digits=3):
    """With that many digits, and without an exponent: 0.502, 51.6, 2187."""
    if value is None:
        return ""
    if value >= 10 ** (digits - 1):
        return f"{value:.0f}"
    text = f"{value:#.{digits}g}"
    return text.rstrip(".") if "e" not in text else f"{value:.{digits}g}"


def percent(value):
    if value is None:
        return ""
    return f"{100 * value:.0f} %" if value >= 0.0995 else f"{100 * value:.1f} %"


def shape_name(shape):
    return f"{shape[0]}^3" if len(set(shape)) == 1 else "x".join(str(extent) for extent in shape)


def markdown_table(header, rows):
    """Text left, numbers right."""
    lines = ["| " + " | ".join(header) + " |"]
    numeric = [all(re.match(r"[\d.]*( %)?$", row[i]) for row in rows) for i in range(len(header))]
    lines.append("|" + "|".join("---:" if is_number else "---" for is_number in numeric) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def machine(results):
    context = results.context
    clocks = [clock for row in results.rows for clock in row.values("sm_mhz")]
    clock = f" at {statistics.median(clocks):.0f} MHz" if clocks else ""
    return (f"{context['gpu']}{clock}, driver {context['driver']}, CUDA {context['cuda_runtime']}, "
            f"cuBLAS {context['cublas']}, commit {context['commit']}, {context['date'][:10]}")


def all_columns(results, suite):
    """The page with every contender, problem and column."""
    header = ["contender", "problem", "kind", "median us", "min us", "max us", "TFLOP/s", "GB/s", "of bound",
              "of cuBLAS's best", "error", "MHz", "W"]
    rows = []
    for row in results.rows:
        rows.append([
            row.contender, f"{row.dtype} {row.storage} {'x'.join(map(str, row.shape))}", row.kind,
            number(row.median("median_us"), 4), number(min(row.values("min_us")), 4),
            number(max(row.values("max_us")), 4), number(row.median("tflops")), number(row.median("gbps")),
            percent(row.median("bound_fraction")), percent(row.median("vs_cublas")),
            number(row.median("error_ratio"), 2), number(row.median("sm_mhz"), 4), number(row.median("watts"))])
    repetitions = max(len(row.repetitions) for row in results.rows)
    return (f"# {suite}\n\nMade by bench/report.py from {suite}.json; [what the columns mean](../../README.md).\n\n"
            f"{machine(results)}; medians of {repetitions} repetitions. All passed verification.\n\n"
            f"{markdown_table(header, rows)}\n")
