# SPDX-License-Identifier: BSL-1.0
"""Numbers and tables in Markdown."""

import re
import statistics

from reporting.results import BEST, DEFAULT, LT, PYTORCH, TRITON


# How pages and plots name the contenders of cuBLAS, and what they mean by its best.
CUBLAS = {DEFAULT: "cuBLAS, default", LT: "cublasLt, best", BEST: "cuBLAS, best"}
BEST_IS = "cuBLAS's best is the faster of cublasGemmEx and the fastest of up to 16 algorithms of cublasLt."


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


def signed_percent(value):
    """With its sign and one decimal, but two digits at most where it is large: +0.4 %, -1.2 %, +23 %."""
    if value is None:
        return ""
    text = f"{100 * value:+.0f} %" if abs(value) >= 0.0995 else f"{100 * value:+.1f} %"
    return "0.0 %" if text in ("+0.0 %", "-0.0 %") else text


def shape_name(shape):
    return f"{shape[0]}^3" if len(set(shape)) == 1 else "x".join(str(extent) for extent in shape)


def markdown_table(header, rows):
    """Text left, numbers right."""
    lines = ["| " + " | ".join(header) + " |"]
    numeric = [all(re.match(r"([-+]?[\d.]+( %)?)?$", row[i]) for row in rows) for i in range(len(header))]
    lines.append("|" + "|".join("---:" if is_number else "---" for is_number in numeric) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def machine(results):
    context = results.context
    clocks = [clock for row in results.rows for clock in row.values("sm_mhz")]
    clock = f" at {statistics.median(clocks):.0f} MHz" if clocks else ""
    return (f"{context['gpu']}{clock}, driver {context['driver']}, CUDA {context['cuda_runtime']}, "
            f"cuBLAS {context['cublas']}, {context['date'][:10]}")


def peer_lines(results, columns):
    """Lines of a table for PyTorch and Triton, where they were measured. `columns` makes the line's numbers of a
    function from a problem to the row."""
    lines = []
    if results.peers is None:
        return lines
    context = results.peers.context
    for contender, words in ((PYTORCH, ["**PyTorch**", f"torch.matmul of {context.get('torch', '?')}"]),
                             (TRITON, ["**Triton**", f"tl.dot, autotuned, of {context.get('triton', '?')}"])):
        if contender in results.peers.contenders():
            lines.append(words + columns(lambda problem, name=contender: results.peers.row(name, problem)))
    return lines


# Counter, title, how it is written. Those that no row has are left out of a page.
COLUMNS = [
    ("median_us", "median us", lambda row: number(row.median("median_us"), 4)),
    ("tflops", "TFLOP/s", lambda row: number(row.median("tflops"))),
    ("of_cublas", "of cuBLAS's best", lambda row: percent(row.median("of_cublas"))),
    ("vs_pytorch", "of PyTorch", lambda row: percent(row.median("vs_pytorch"))),
    ("cost", "cost over none", lambda row: signed_percent(row.median("cost"))),
    ("error_max", "max error", lambda row: number(row.median("error_max"), 2)),
    ("error_median", "median error", lambda row: number(row.median("error_median"), 2)),
    ("sm_mhz", "MHz", lambda row: number(row.median("sm_mhz"), 4)),
    ("watts", "W", lambda row: number(row.median("watts"))),
]


def table_of_rows(rows):
    columns = [column for column in COLUMNS if any(row.values(column[0]) for row in rows)]
    header = ["contender", "problem", "kind", *(title for _, title, _ in columns)]
    return markdown_table(header, [[row.contender, row.problem.text(), row.kind,
                                    *(write(row) if row.values(counter) else "" for counter, _, write in columns)]
                                   for row in rows])


def all_columns(results, suite, top="", rows=True):
    """The page with every contender, problem and column, unless `top` has a table of them, below what the README says of
    the suite."""
    repetitions = results.context.get("repetitions") or max(len(row.repetitions) for row in results.rows)
    parts = [f"# {suite}", f"Made by bench/report.py from {suite}.json; [what the columns mean](../../README.md).",
             f"{machine(results)}; medians of {repetitions} repetitions. All passed verification."
             + (f" cuBLAS's best is the faster of {DEFAULT} and {LT}." if {DEFAULT, LT} <= set(results.contenders()) and
                any(row.values("of_cublas") for row in results.rows) else "")]
    if top:
        parts += [top, "## All columns"] if rows else [top]
    if rows:
        parts.append(table_of_rows(results.rows))
    if results.left_out:
        reasons = dict.fromkeys(reason for _, reason in results.left_out)
        parts.append("Left out:\n\n" + "\n".join(
            f"- {reason}: " + ", ".join(name.replace("/manual_time", "") for name, why in results.left_out
                                        if why == reason) for reason in reasons))
    if results.peers:
        context = results.peers.context
        parts += ["## PyTorch and Triton",
                  f"PyTorch {context.get('torch', '?')}, Triton {context.get('triton', '?')}, cuBLAS "
                  f"{context.get('cublas', '?')}, in a process of their own (bench/peers.py), on {context['gpu']}, "
                  f"{context['date'][:10]}. Ratios are to PyTorch, sampled in turns.",
                  table_of_rows(results.peers.rows)]
    return "\n\n".join(parts) + "\n"
