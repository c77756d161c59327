# SPDX-License-Identifier: BSL-1.0
"""Strided batches: many small products in one launch."""

import math

from reporting import figures
from reporting.results import BEST
from reporting.sweep import name_of, ours_first
from reporting.tables import machine, markdown_table, number, percent, shape_name


def shapes(results):
    return list(dict.fromkeys(problem.shape for problem in results.problems()))


def summary(results, folder):
    return (f"![TFLOP/s of strided batches, ours and cuBLAS's]({folder}/batches.svg)\n\n"
            f"Float, row-major, each product behind the one before it, on {machine(results)}. cuBLAS's best is the "
            f"faster of cublasGemmStridedBatchedEx and the fastest of cublasLt's algorithms for strided batches.")


def details(results):
    names = ours_first(results)
    header = ["product", "batch"]
    for name in names:
        header += [f"{name_of(name)}: us", "TFLOP/s", "of cuBLAS's best"]
    lines = []
    for problem in results.problems():
        line = [shape_name(problem.shape), str(problem.batch)]
        for name in names:
            row = results.row(name, problem)
            line += [number(row.median("median_us")), number(row.median("tflops")),
                     percent(row.median("of_cublas"))] if row else [""] * 3
        lines.append(line)
    return markdown_table(header, lines)


def figure(results, path):
    """Two panels over the batch: TFLOP/s of ours and cuBLAS, and the ratio. A colour for each size."""
    pyplot = figures.pyplot()
    from matplotlib.lines import Line2D

    ours = "automatic" if "automatic" in results.contenders() else ours_first(results)[0]
    picture, (speed, ratio) = pyplot.subplots(1, 2, figsize=(figures.WIDTH, 4.8), layout="constrained")
    by_size = sorted(shapes(results), key=math.prod)
    colors = dict(zip(by_size, figures.in_order(len(by_size))))
    for shape, color in colors.items():
        problems = sorted(problem for problem in results.problems() if problem.shape == shape)
        for name, line in ((ours, "-"), (BEST, "--")):
            rows = [row for row in (results.row(name, problem) for problem in problems) if row is not None]
            speed.plot([row.problem.batch for row in rows], [row.median("tflops") for row in rows], color=color,
                       linestyle=line, marker="o" if line == "-" else "s", markersize=4.5,
                       markerfacecolor=color if line == "-" else "white")
        rows = [row for row in (results.row(ours, problem) for problem in problems) if row and row.values("of_cublas")]
        medians = [100 * row.median("of_cublas") for row in rows]
        ratio.errorbar([row.problem.batch for row in rows], medians,
                       yerr=[[m - 100 * min(row.values("of_cublas")) for m, row in zip(medians, rows)],
                             [100 * max(row.values("of_cublas")) - m for m, row in zip(medians, rows)]],
                       color=color, marker="o", markersize=4.5, capsize=3, linewidth=1.5)
        if len(rows) == 1:  # no curve leads to it
            last = rows[0].problem.batch == max(problem.batch for problem in results.problems())
            place = {"xytext": (-6, 0), "ha": "right", "va": "center"} if last else \
                {"xytext": (0, -15 if medians[0] < 110 else 6), "ha": "center"}
            ratio.annotate(figures.shape(shape), xy=(rows[0].problem.batch, medians[0]), textcoords="offset points",
                           color=color, fontsize=9, **place)
    handles = [Line2D([], [], color=color, marker="o", markersize=4.5, label=figures.shape(shape))
               for shape, color in colors.items()]
    handles += [Line2D([], [], color="#555555", marker="o", markersize=4.5, label=f"{ours}: full"),
                Line2D([], [], color="#555555", linestyle="--", marker="s", markersize=4.5, markerfacecolor="white",
                       label="cuBLAS, best: open")]
    for axes, label in ((speed, "TFLOP/s"), (ratio, "% of cuBLAS's best")):
        axes.set_xscale("log")
        figures.plain(axes.xaxis)
        axes.set_xlabel("products in the batch")
        axes.set_ylabel(label)
        figures.tidy(axes)
    speed.set_yscale("log")
    figures.plain(speed.yaxis)
    ratio.axhline(100, color=figures.CUBLAS, linewidth=1.5)
    ratio.set_ylim(bottom=0)
    figures.legend_below(picture, handles, 6)
    picture.suptitle(f"Strided batches on one {results.context['gpu']}, float", fontsize=12)
    figures.save(picture, results, path)
