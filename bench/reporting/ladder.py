# SPDX-License-Identifier: BSL-1.0
"""The ladder: what each rung is worth beside cuBLAS, as a table and a figure."""

import re

from reporting import figures
from reporting.results import BEST, DEFAULT, LT
from reporting.tables import BEST_IS, CUBLAS, machine, markdown_table, number, peer_lines, percent, shape_name

# The rungs of the ladder by family, and what each adds. A rung is the first policy of its family in the results.
RUNGS = {
    "naive": "a thread for each element, neighbours down a column",
    "coalesced": "neighbouring threads along a row: coalesced accesses",
    "shared_tile": "tiles of A and B in shared memory",
    "block_tile_1d": "a column of elements for each thread",
    "block_tile_2d": "a tile of elements for each thread, in registers",
    "vectorized": "128-bit accesses, A transposed while it is copied",
    "warp_tile": "a tile for each warp, between block and thread",
    "pipelined": "the next tiles copied while this one is multiplied",
    "sm90_simt_tma": "some warps load tiles by TMA, the others multiply",
    "sm90_wgmma": "the tensor cores multiply tiles that TMA loads",
    "automatic": "the library's own choice: run() without a policy",
}
WORDS = {"f32": "float", "tf32": "float as tf32", "f64": "double", "f16": "half", "bf16": "bfloat16", "i8": "int8",
         "e4m3": "e4m3", "nn": "row-major", "nt": "B transposed", "tn": "A transposed", "tt": "both transposed"}


def family(contender):
    matches = [name for name in RUNGS if contender == name or contender.startswith(name + "_")]
    return max(matches, key=len) if matches else re.split(r"[_<]\d", contender)[0]


def rungs(results):
    """The first contender of each family but cuBLAS's, in the order of RUNGS; those it lacks before the last."""
    first = {}
    for contender in results.contenders():
        if contender not in CUBLAS:
            first.setdefault(family(contender), contender)
    order = {name: place for place, name in enumerate(RUNGS)}
    return [first[name] for name in sorted(first, key=lambda name: order.get(name, len(order) - 1.5))]


def summary(results, folder):
    """The README's table: a line for each rung, and what cuBLAS does."""
    problems = results.problems()
    header = ["rung", "what it adds"]
    for problem in problems:
        header += [f"{shape_name(problem.shape)}: ms", "TFLOP/s", "of cuBLAS's best"]
    cublas = {DEFAULT: [f"**{CUBLAS[DEFAULT]}**", "cublasGemmEx"],
              LT: [f"**{CUBLAS[LT]}**", "the fastest of up to 16 algorithms"]}

    def columns(row):
        if row is None:
            return ["", "", ""]
        return [number(row.median("median_us") * 1e-3), number(row.median("tflops")), percent(row.median("of_cublas"))]

    lines = []
    for contender in [*rungs(results), *cublas]:
        line = list(cublas.get(contender, [f"`{contender}`", RUNGS.get(family(contender), "")]))
        lines.append(line + [text for problem in problems for text in columns(results.row(contender, problem))])
    lines += peer_lines(results, lambda row_of: [text for problem in problems for text in columns(row_of(problem))])
    first = problems[0]
    return (f"![TFLOP/s of each rung beside cuBLAS]({folder}/ladder.svg)\n\n{markdown_table(header, lines)}\n\n"
            f"{WORDS.get(first.dtype, first.dtype).capitalize()}, {WORDS.get(first.storage, first.storage)}, on "
            f"{machine(results)}. Times are medians. *Of cuBLAS's best*: its time over the rung's, sampled alternately "
            f"in one process. {BEST_IS}")


def figure(results, path):
    """Horizontal bars, one panel for each problem, the rungs from top to bottom."""
    pyplot = figures.pyplot()
    names, problems = rungs(results), results.problems()
    picture, panels = pyplot.subplots(1, len(problems), figsize=(figures.WIDTH, 1.7 + 0.46 * len(names)), sharey=True,
                                      squeeze=False, layout="constrained")
    for axes, problem in zip(panels[0], problems):
        best, peak = results.row(BEST, problem), results.context.get(f"peak_tflops_{problem.dtype}")
        limit = max(float(peak or 0), max(max(row.values("tflops")) for row in results.rows))
        for place, name in enumerate(names):
            row = results.row(name, problem)
            if row is None:
                continue
            median, values = row.median("tflops"), row.values("tflops")
            color = figures.AUTOMATIC if family(name) == "automatic" else figures.OURS
            axes.barh(place, median, height=0.62, color=color, xerr=[[median - min(values)], [max(values) - median]],
                      error_kw=figures.WHISKERS, zorder=2)
            ratio = row.median("of_cublas")
            # Beside the panel, clear of the lines of cuBLAS and the peak.
            axes.annotate(number(median) + (f", {percent(ratio)}" if ratio is not None else ""), xy=(1, place),
                          xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points", va="center",
                          annotation_clip=False)
        if best is not None:
            axes.axvline(best.median("tflops"), color=figures.CUBLAS, linewidth=1.5, zorder=3)
            axes.text(best.median("tflops"), -0.62, f"cuBLAS {number(best.median('tflops'))} ", color=figures.CUBLAS,
                      ha="right", va="bottom", fontsize=9)
        if peak is not None:
            axes.axvline(float(peak), color=figures.GREY, linewidth=1, linestyle=":", zorder=1)
            axes.text(float(peak), -0.62, f"peak {number(float(peak))}", color=figures.GREY, ha="center", va="bottom",
                      fontsize=9)
        axes.set_xlim(0, 1.04 * limit)
        axes.set_ylim(len(names) - 0.4, -0.6)
        words = [figures.shape(problem.shape),
                 *(WORDS.get(word, word) for word in (problem.dtype, problem.storage))]
        axes.set_title(", ".join(words), pad=20, fontsize=11)
        axes.set_xlabel("TFLOP/s")
        figures.tidy(axes, "x")
    figures.name_rows(panels[0][0], names, {name: RUNGS.get(family(name), "") for name in names})
    picture.suptitle(f"What each rung is worth on one {results.context['gpu']}: TFLOP/s, part of cuBLAS's best",
                     fontsize=12)
    figures.save(picture, results, path)
