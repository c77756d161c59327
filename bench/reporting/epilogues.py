# SPDX-License-Identifier: BSL-1.0
"""What fused epilogues cost over none."""

from reporting import figures
from reporting.tables import machine, markdown_table, number, shape_name, signed_percent

NONE, CUBLAS_NONE = "none", "cublaslt_none"
POLICIES = {"f32": "pipelined_128x128x16", "bf16": "sm90_wgmma_ping_pong_128x128x64"}  # see policies/epilogues.cu
NOTES = {
    "bias": "one number a column", "row_bias": "one number a row", "relu": "",
    "gelu": "by the normal distribution", "gelu_tanh": "by tanh",
    "amax": "the greatest magnitude", "clamp": "between two numbers", "scale": "by one number",
    "column_scale": "one number a column", "row_scale": "one number a row", "functor": "a functor of the user's own",
    "bias_relu": "bias, then relu", "bias_gelu": "bias, then gelu", "residual": "adds a matrix",
    "bias_residual_relu": "bias, then residual, then relu", "store_gelu": "a second output, then gelu",
    "cublaslt_bias": "cuBLAS, over cuBLAS without", "cublaslt_bias_relu": "cuBLAS, over cuBLAS without",
}


def fused_into(problem):
    return POLICIES.get(problem.dtype, "")


def measured(results):
    """All epilogues but none, ours first."""
    names = [name for name in results.contenders() if name not in (NONE, CUBLAS_NONE)]
    return sorted(names, key=lambda name: name.startswith("cublaslt"))


def summary(results, folder):
    kinds = dict.fromkeys((problem.dtype, problem.storage, fused_into(problem)) for problem in results.problems())
    into = "; ".join(f"{dtype} {storage}, fused into `{policy}`" for dtype, storage, policy in kinds)
    return (f"![Cost of each epilogue over none]({folder}/epilogues.svg)\n\n"
            f"{into}. Measured on {machine(results)}. The cost is the median over pairs of neighbouring samples with "
            f"and without the epilogue, in one process. Whiskers go from the least to the most of the repetitions.")


def details(results):
    header = ["epilogue", ""]
    for problem in results.problems():
        header += [f"{problem.dtype} {shape_name(problem.shape)}: ms", "cost", "least", "most"]
    lines = []
    for name in [NONE, *measured(results), CUBLAS_NONE]:
        line = [f"`{name}`", NOTES.get(name, "")]
        for problem in results.problems():
            row = results.row(name, problem)
            if row is None:
                line += [""] * 4
                continue
            costs = row.values("cost")
            line += [number(row.median("median_us") * 1e-3), signed_percent(row.median("cost")),
                     signed_percent(min(costs, default=None)), signed_percent(max(costs, default=None))]
        if any(line[2:]):
            lines.append(line)
    return markdown_table(header, lines)


def figure(results, path):
    """Horizontal bars, one panel for each problem, the epilogues from top to bottom. All panels have one scale."""
    pyplot = figures.pyplot()
    names, problems = measured(results), results.problems()
    picture, panels = pyplot.subplots(1, len(problems), figsize=(figures.WIDTH, 1.6 + 0.4 * len(names)),
                                      sharey=True, squeeze=False, layout="constrained")
    costs = [100 * cost for row in results.rows if row.contender in names for cost in row.values("cost")]
    low, high = min([0, *costs]), max([1, *costs])
    reach = high - low
    for axes, problem in zip(panels[0], problems):
        for place, name in enumerate(names):
            row = results.row(name, problem)
            if row is None or not row.values("cost"):
                axes.text(0.02 * reach, place, "not measured", va="center", ha="left", fontsize=8.5, color=figures.GREY)
                continue
            median, values = 100 * row.median("cost"), [100 * cost for cost in row.values("cost")]
            axes.barh(place, median, height=0.62,
                      color=figures.CUBLAS if name.startswith("cublaslt") else figures.OURS,
                      xerr=[[median - min(values)], [max(values) - median]], error_kw=figures.WHISKERS, zorder=2)
            axes.text(max(0, *values) + 0.02 * reach, place, signed_percent(median / 100), va="center", ha="left",
                      fontsize=9, zorder=4)
        axes.axvline(0, color="#222222", linewidth=1, zorder=3)
        axes.set_xlim(low - 0.05 * reach, high + 0.4 * reach)
        axes.set_ylim(len(names) - 0.4, -0.6)
        none = results.row(NONE, problem)
        axes.set_title(f"{problem.dtype} " + figures.shape(problem.shape)
                       + (f"\nwithout: {number(none.median('median_us') * 1e-3)} ms" if none else ""), fontsize=10)
        axes.set_xlabel("% of the time without")
        figures.tidy(axes, "x")
    figures.name_rows(panels[0][0], names, NOTES)
    picture.suptitle(f"What fused epilogues cost on one {results.context['gpu']}", fontsize=12)
    figures.save(picture, results, path)
