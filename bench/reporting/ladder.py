# SPDX-License-Identifier: BSL-1.0
"""The ladder: what each rung is worth beside cuBLAS, as a table and a figure."""

import re

from reporting.results import BEST, DEFAULT
from reporting.tables import machine, markdown_table, number, percent, shape_name

# The rungs of the ladder by family, and what each adds. A rung is the first policy of its family in the results.
RUNGS = {
    "naive": "a thread for each element, neighbours down a column",
    "coalesced": "neighbouring threads along a row: coalesced accesses",
    "shared_tile": "tiles of A and B in shared memory",
    "block_tile_1d": "a column of elements for each thread",
    "block_tile_2d": "a tile of elements for each thread, in registers",
    "vectorized": "128-bit accesses, A transposed on its way",
    "warp_tile": "a tile for each warp, between block and thread",
    "pipelined": "the next tiles copied while this one is multiplied",
    "automatic": "the library's own choice: run() without a policy",
}
WORDS = {"f32": "float", "f64": "double", "nn": "row-major", "nt": "B transposed", "tn": "A transposed",
         "tt": "both transposed"}


def family(contender):
    matches = [name for name in RUNGS if contender == name or contender.startswith(name + "_")]
    return max(matches, key=len) if matches else re.split(r"[_<]\d", contender)[0]


def rungs(results):
    """The first contender of each family but cuBLAS's, in their order."""
    first = {}
    for contender in results.contenders():
        if contender not in (DEFAULT, BEST):
            first.setdefault(family(contender), contender)
    return list(first.values())


def summary(results, folder):
    """The README's table: a line for each rung, and what cuBLAS does."""
    problems = results.problems()
    header = ["rung", "what it adds"]
    for _, _, shape in problems:
        header += [f"{shape_name(shape)}: ms", "TFLOP/s", "of cuBLAS"]
    cublas = {DEFAULT: ["**cuBLAS, default**", "cublasGemmEx"],
              BEST: ["**cuBLAS, best**", "the fastest of 16 algorithms of cublasLt"]}
    lines = []
    for contender in [*rungs(results), *cublas]:
        line = list(cublas.get(contender, [f"`{contender}`", RUNGS.get(family(contender), "")]))
        for problem in problems:
            row = results.row(contender, problem)
            if row is None:
                line += ["", "", ""]
            else:
                line += [number(row.median("median_us") * 1e-3), number(row.median("tflops")),
                         percent(row.median("vs_cublas"))]
        lines.append(line)
    dtype, storage, _ = problems[0]
    return (f"![TFLOP/s of each rung beside cuBLAS]({folder}/ladder.svg)\n\n{markdown_table(header, lines)}\n\n"
            f"{WORDS.get(dtype, dtype).capitalize()}, {WORDS.get(storage, storage)}, on {machine(results)}. Times are "
            f"medians; *of cuBLAS* is the time of cuBLAS's best algorithm over the rung's, both sampled in turns in "
            f"one process. [All columns]({folder}/ladder.md), [method](bench/README.md).")


def figure(results, path):
    """Horizontal bars, one panel for each problem, the rungs from top to bottom."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "gemm", "font.family": "DejaVu Sans", "font.size": 10})
    from matplotlib import pyplot

    names, problems = rungs(results), results.problems()
    picture, panels = pyplot.subplots(1, len(problems), figsize=(3.6 + 4.2 * len(problems), 1.9 + 0.52 * len(names)),
                                      sharey=True, squeeze=False, layout="constrained")
    for axes, problem in zip(panels[0], problems):
        dtype, storage, shape = problem
        best, peak = results.row(BEST, problem), results.context.get(f"peak_tflops_{dtype}")
        limit = max(float(peak or 0), max(max(row.values("tflops")) for row in results.rows))
        for place, name in enumerate(names):
            row = results.row(name, problem)
            if row is None:
                continue
            median, values = row.median("tflops"), row.values("tflops")
            color = "#4c8c2b" if family(name) == "automatic" else "#3b75af"
            axes.barh(place, median, height=0.62, color=color, xerr=[[median - min(values)], [max(values) - median]],
                      error_kw={"capsize": 3, "linewidth": 1, "ecolor": "#222222"}, zorder=2)
            ratio = row.median("vs_cublas")
            text = number(median) + (f"  ({percent(ratio)})" if ratio is not None else "")
            if min(values) > 0.4 * limit:  # inside the bar, clear of the lines of cuBLAS and the peak
                axes.text(min(values) - 0.015 * limit, place, text, va="center", ha="right", color="white", zorder=4)
            else:
                axes.text(max(values) + 0.015 * limit, place, text, va="center", ha="left", zorder=4)
        if best is not None:
            axes.axvline(best.median("tflops"), color="#c8102e", linewidth=1.5, zorder=3)
            axes.text(best.median("tflops"), -0.62, f"cuBLAS {number(best.median('tflops'))} ", color="#c8102e",
                      ha="right", va="bottom", fontsize=9)
        if peak is not None:
            axes.axvline(float(peak), color="#777777", linewidth=1, linestyle=":", zorder=1)
            axes.text(float(peak), -0.62, f" peak {number(float(peak))}", color="#777777", ha="left", va="bottom",
                      fontsize=9)
        axes.set_xlim(0, 1.2 * limit)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_title(f"{shape_name(shape).replace('^3', '$^3$')}, {WORDS.get(dtype, dtype)}, "
                       f"{WORDS.get(storage, storage)}", pad=20, fontsize=11)
        axes.set_xlabel("TFLOP/s")
        axes.grid(axis="x", color="#dddddd", zorder=0)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_yticks([])
    for place, name in enumerate(names):
        beside = {"xy": (0, place), "xycoords": ("axes fraction", "data"), "textcoords": "offset points", "ha": "right"}
        panels[0][0].annotate(name, xytext=(-8, 1), va="bottom", weight="bold", fontsize=9.5, **beside)
        panels[0][0].annotate(RUNGS.get(family(name), ""), xytext=(-8, -1), va="top", color="#555555", fontsize=8.5,
                              **beside)
    picture.suptitle(f"What each rung is worth on one {results.context['gpu']} (in brackets: part of cuBLAS's best)",
                    fontsize=12)
    # The digest lets --check see what the figure was made from. No date and no version: the same file each time.
    picture.savefig(path, format="svg", metadata={"Date": None, "Creator": None, "Source": results.source()})
    pyplot.close(picture)
