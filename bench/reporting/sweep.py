# SPDX-License-Identifier: BSL-1.0
"""The sweep: how speed depends on the size of a square."""

from reporting import figures
from reporting.ladder import WORDS, family
from reporting.results import BEST, DEFAULT
from reporting.tables import machine, markdown_table, number, percent

NAMES = {DEFAULT: "cuBLAS, default", BEST: "cuBLAS, best", "automatic": "automatic"}


def name_of(contender):
    return NAMES.get(contender, contender)


def ours_first(results):
    """automatic, then the other policies, then cuBLAS."""
    return sorted(results.contenders(), key=lambda c: (c in (BEST, DEFAULT), family(c) != "automatic", c == DEFAULT))


def summary(results, folder):
    problem = results.problems()[0]
    return (f"![TFLOP/s over sizes, ours and cuBLAS's]({folder}/sweep.svg)\n\n"
            f"{WORDS.get(problem.dtype, problem.dtype).capitalize()}, {WORDS.get(problem.storage, problem.storage)}, "
            f"on {machine(results)}. Odd sizes are the neighbours of even ones: no access can be wide.")


def details(results):
    names = ours_first(results)
    header = ["n"]
    for name in names:
        header += [f"{name_of(name)}: TFLOP/s"] + (["of cuBLAS's best"] if name != BEST else [])
    lines = []
    for problem in results.problems():
        line = [str(problem.shape[0])]
        for name in names:
            row = results.row(name, problem)
            line.append(number(row.median("tflops")) if row else "")
            if name != BEST:
                line.append(percent(row.median("vs_cublas")) if row else "")
        lines.append(line)
    return markdown_table(header, lines)


def figure(results, path):
    """Two panels over the size: TFLOP/s, and what part of cuBLAS's best that is. Lines through even sizes; odd ones
    are open marks."""
    pyplot = figures.pyplot()
    from matplotlib.lines import Line2D

    picture, (speed, ratio) = pyplot.subplots(1, 2, figsize=(12, 5), layout="constrained")
    looks = {BEST: (figures.CUBLAS, "-", "s"), DEFAULT: ("#e59aa5", "--", "s"),
             "automatic": (figures.AUTOMATIC, "-", "o")}
    handles = []
    for name in reversed(ours_first(results)):  # ours on top
        color, line, mark = looks.get(name, (figures.OURS, "-", "o"))
        for axes, counter, scale in ((speed, "tflops", 1), (ratio, "vs_cublas", 100)):
            if counter == "vs_cublas" and name in (BEST, DEFAULT):
                continue
            rows = [row for row in results.rows if row.contender == name and row.values(counter)]
            for odd in (False, True):
                some = sorted((row for row in rows if row.problem.shape[0] % 2 == odd), key=lambda r: r.problem.shape)
                sizes = [row.problem.shape[0] for row in some]
                medians = [scale * row.median(counter) for row in some]
                if not odd:
                    axes.fill_between(sizes, [scale * min(row.values(counter)) for row in some],
                                      [scale * max(row.values(counter)) for row in some], color=color, alpha=0.2,
                                      linewidth=0)
                axes.plot(sizes, medians, linestyle="none" if odd else line, marker=mark, markersize=4.5, color=color,
                          markerfacecolor="white" if odd else color, linewidth=1.5)
        handles.insert(0, Line2D([], [], color=color, linestyle=line, marker=mark, markersize=4.5,
                                 label=name_of(name)))
    handles.append(Line2D([], [], color="#555555", linestyle="none", marker="o", markersize=4.5,
                          markerfacecolor="white", label="odd sizes"))
    dtype = results.problems()[0].dtype
    peak = results.context.get(f"peak_tflops_{dtype}")
    if peak is not None:
        speed.axhline(float(peak), color=figures.GREY, linewidth=1, linestyle=":")
        speed.text(0.01, float(peak), f"peak {number(float(peak))}", color=figures.GREY, fontsize=9, va="bottom",
                   transform=speed.get_yaxis_transform())
    ratio.axhline(100, color=figures.CUBLAS, linewidth=1.5)
    ratio.text(0.99, 100, "cuBLAS, best", color=figures.CUBLAS, fontsize=9, va="bottom", ha="right",
               transform=ratio.get_yaxis_transform())
    for axes, label in ((speed, "TFLOP/s"), (ratio, "% of cuBLAS's best")):
        even = sorted({p.shape[0] for p in results.problems() if p.shape[0] & (p.shape[0] - 1) == 0})
        axes.set_xscale("log", base=2)
        axes.set_xticks(even, [str(n) for n in even])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        axes.set_xlabel("m = n = k")
        axes.set_ylabel(label)
        figures.tidy(axes)
    speed.legend(handles=handles, loc="lower right", frameon=False, fontsize=9)
    picture.suptitle(f"Squares from small to large on one {results.context['gpu']}, {WORDS.get(dtype, dtype)}",
                     fontsize=12)
    figures.save(picture, results, path)
