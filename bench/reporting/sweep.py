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


LOOKS = {BEST: (figures.CUBLAS, "-", "s"), DEFAULT: ("#e59aa5", "--", "s"), "automatic": (figures.AUTOMATIC, "-", "o")}


def looks(names):
    """Colour, line and mark of each contender; policies that have no look of their own differ in colour."""
    others = iter(color for color in figures.OTHERS if color != figures.AUTOMATIC)
    return {name: LOOKS[name] if name in LOOKS else (next(others), "-", "o") for name in names}


def figure(results, path):
    """Two panels over the size of row-major squares."""
    draw_sizes(results, path, [(name, "nn") for name in ours_first(results)],
               f"Squares from small to large on one {results.context['gpu']}, "
               f"{WORDS.get(results.problems()[0].dtype, results.problems()[0].dtype)}")


def draw_sizes(results, path, series, title, keep=lambda size: True):
    """TFLOP/s over the size of squares, and what part of cuBLAS's best that is, for each (contender, storage). Lines
    through even sizes; odd ones are open marks, B transposed is a dotted line. Of the sizes those that keep() has."""
    pyplot = figures.pyplot()
    from matplotlib.lines import Line2D

    picture, (speed, ratio) = pyplot.subplots(1, 2, figsize=(figures.WIDTH, 4.6), layout="constrained")
    look_of, several = looks(dict.fromkeys(name for name, _ in series)), len({storage for _, storage in series}) > 1
    squares = [row for row in results.rows if len(set(row.problem.shape)) == 1 and row.problem.batch == 1]
    squares = [row for row in squares if keep(row.problem.shape[0])]
    handles, sizes_shown, odd_shown = [], set(), False
    for name, storage in reversed(series):  # ours on top
        color, line, mark = look_of[name]
        line = ":" if storage != "nn" and several else line
        for axes, counter, scale in ((speed, "tflops", 1), (ratio, "vs_cublas", 100)):
            if counter == "vs_cublas" and name in (BEST, DEFAULT):
                continue
            rows = [row for row in squares
                    if (row.contender, row.problem.storage) == (name, storage) and row.values(counter)]
            for odd in (False, True):
                some = sorted((row for row in rows if row.problem.shape[0] % 2 == odd), key=lambda r: r.problem.shape)
                sizes = [row.problem.shape[0] for row in some]
                medians = [scale * row.median(counter) for row in some]
                sizes_shown.update(sizes)
                odd_shown = odd_shown or (odd and bool(some))
                if not odd:
                    axes.fill_between(sizes, [scale * min(row.values(counter)) for row in some],
                                      [scale * max(row.values(counter)) for row in some], color=color, alpha=0.2,
                                      linewidth=0)
                axes.plot(sizes, medians, linestyle="none" if odd else line, marker=mark, markersize=4.5, color=color,
                          markerfacecolor="white" if odd else color, linewidth=1.5)
        words = f", {WORDS.get(storage, storage)}" if several else ""
        handles.insert(0, Line2D([], [], color=color, linestyle=line, marker=mark, markersize=4.5,
                                 label=name_of(name) + words))
    if odd_shown:
        handles.append(Line2D([], [], color="#555555", linestyle="none", marker="o", markersize=4.5,
                              markerfacecolor="white", label="odd sizes"))
    dtype = results.problems()[0].dtype
    peak = results.context.get(f"peak_tflops_{dtype}")
    fastest = max((max(row.values("tflops")) for row in squares), default=0)
    if peak is not None and fastest < float(peak):  # of multiply-adds: tensor cores are above it
        speed.axhline(float(peak), color=figures.GREY, linewidth=1, linestyle=":")
        speed.text(0.01, float(peak), f"peak {number(float(peak))}", color=figures.GREY, fontsize=9, va="bottom",
                   transform=speed.get_yaxis_transform())
    ratio.axhline(100, color=figures.CUBLAS, linewidth=1.5)
    for axes, label in ((speed, "TFLOP/s"), (ratio, "% of cuBLAS's best")):
        even = sorted(size for size in sizes_shown if size & (size - 1) == 0)
        axes.set_xscale("log", base=2)
        axes.set_xticks(even, [str(n) for n in even])
        axes.minorticks_off()
        axes.set_xlabel("m = n = k")
        axes.set_ylabel(label)
        figures.tidy(axes)
    speed.set_ylim(bottom=0)
    figures.limit_ratio(ratio, [100 * value for row in squares for value in row.values("vs_cublas")
                                if (row.contender, row.problem.storage) in series])
    figures.legend_below(picture, handles, 2 if several else 3)
    picture.suptitle(title, fontsize=12)
    figures.save(picture, results, path)


def sizes_figure(contenders):
    """Of a suite with other problems, too: a figure of its squares, in both storages of B."""
    def draw(results, path):
        storages = [storage for storage in ("nn", "nt") if any(p.storage == storage for p in results.problems())]
        dtype = results.problems()[0].dtype
        draw_sizes(results, path, [(name, storage) for name in contenders for storage in storages],
                   f"Squares on one {results.context['gpu']}, {WORDS.get(dtype, dtype)}",
                   keep=lambda size: size % 128 == 0 or size % 2)
    return draw


def sizes_summary(name):
    def summary_of(results, folder):
        dtype = results.problems()[0].dtype
        single = " cuBLAS multiplies in single precision, without TF32." if dtype == "f32" else ""
        return (f"![TFLOP/s over sizes, ours and cuBLAS's]({folder}/{name}.svg)\n\n"
                f"{WORDS.get(dtype, dtype).capitalize()}, squares, on {machine(results)}. Left: each side's own samples. "
                f"Right: pairs of samples taken alternately, which see the same clock.{single}")
    return summary_of
