# SPDX-License-Identifier: BSL-1.0
"""The sweep: how speed depends on the size of a square."""

from reporting import figures
from reporting.ladder import WORDS, family
from reporting.results import BEST, DEFAULT
from reporting.tables import BEST_IS, CUBLAS, machine, markdown_table, number, percent


def name_of(contender):
    return CUBLAS.get(contender, contender)


def ours_first(results):
    """automatic, then the other policies, then cuBLAS's two."""
    return sorted(results.contenders(), key=lambda c: (c in CUBLAS, family(c) != "automatic", c == DEFAULT))


def summary(results, folder):
    problem = results.problems()[0]
    return (f"![TFLOP/s over sizes, ours and cuBLAS's]({folder}/sweep.svg)\n\n"
            f"{WORDS.get(problem.dtype, problem.dtype).capitalize()}, {WORDS.get(problem.storage, problem.storage)}, "
            f"on {machine(results)}. Odd sizes are next to even ones: no access can be wide. {BEST_IS}")


def details(results):
    names = ours_first(results)
    header = ["n"]
    for name in names:
        header += [f"{name_of(name)}: TFLOP/s", "of cuBLAS's best"]
    lines = []
    for problem in results.problems():
        line = [str(problem.shape[0])]
        for name in names:
            row = results.row(name, problem)
            line += [number(row.median("tflops")), percent(row.median("of_cublas"))] if row else ["", ""]
        lines.append(line)
    return markdown_table(header, lines)


LOOKS = {BEST: (figures.CUBLAS, "-", "s"), DEFAULT: ("#e59aa5", "--", "s"), "automatic": (figures.AUTOMATIC, "-", "o")}


def looks(names):
    """Colour, line and mark of each contender; policies that have no look of their own differ in colour."""
    others = iter(color for color in figures.OTHERS if color != figures.AUTOMATIC)
    return {name: LOOKS[name] if name in LOOKS else (next(others), "-", "o") for name in names}


def figure(results, path):
    """Of row-major squares: the policies, and cuBLAS's best and its default."""
    ours = [name for name in ours_first(results) if name not in CUBLAS]
    draw_sizes(results, path, [(name, "nn") for name in [*ours, BEST, DEFAULT]],
               f"Squares from small to large on one {results.context['gpu']}, "
               f"{WORDS.get(results.problems()[0].dtype, results.problems()[0].dtype)}")


def draw_sizes(results, path, series, title, keep=lambda size: True):
    """TFLOP/s over the size of squares, and what part of cuBLAS's best that is, for each (contender, storage). Even
    sizes are lines; odd ones, where there are any, have two panels of their own below, since their ratios have another
    scale. B transposed is dotted, its marks open. Of the sizes those that keep() has."""
    pyplot = figures.pyplot()
    from matplotlib.lines import Line2D

    squares = [problem for problem in results.problems()
               if len(set(problem.shape)) == 1 and problem.batch == 1 and keep(problem.shape[0])]
    odd_sizes = sorted({problem.shape[0] for problem in squares if problem.shape[0] % 2})
    picture, panels = pyplot.subplots(2 if odd_sizes else 1, 2, squeeze=False, layout="constrained",
                                      figsize=(figures.WIDTH, 7.6 if odd_sizes else 4.6),
                                      height_ratios=[3, 2] if odd_sizes else [1])
    look_of, several = looks(dict.fromkeys(name for name, _ in series)), len({storage for _, storage in series}) > 1
    handles, ratios, fastest = [], {False: [], True: []}, 0

    def rows_of(name, storage, odd):
        rows = [results.row(name, problem) for problem in sorted(squares)
                if problem.storage == storage and problem.shape[0] % 2 == odd]
        return [row for row in rows if row is not None]

    # Odd sizes have a column each, in which the series of a panel stand side by side.
    shown = [one for one in series if rows_of(*one, odd=True)]
    beside = {"tflops": shown, "of_cublas": [one for one in shown if one[0] not in CUBLAS]}
    for name, storage in reversed(series):  # ours on top
        color, line, mark = look_of[name]
        other = storage != "nn" and several
        look = {"color": color, "marker": mark, "markersize": 4.5, "markerfacecolor": "white" if other else color}
        line = ":" if other else line
        for odd in (False, True):
            some = rows_of(name, storage, odd)
            for axes, counter, scale in zip(panels[int(odd)] if some else (), ("tflops", "of_cublas"), (1, 100)):
                if counter == "of_cublas" and name in CUBLAS:
                    continue
                sizes = [row.problem.shape[0] for row in some]
                values = [[scale * value for value in row.values(counter)] for row in some]
                medians = [scale * row.median(counter) for row in some]
                if odd:
                    count = len(beside[counter])
                    shift = 0.7 * ((beside[counter].index((name, storage)) + 0.5) / count - 0.5)
                    sizes = [odd_sizes.index(size) + shift for size in sizes]
                    axes.vlines(sizes, [min(v) for v in values], [max(v) for v in values], color=color, linewidth=1)
                else:
                    axes.fill_between(sizes, [min(v) for v in values], [max(v) for v in values], color=color, alpha=0.2,
                                      linewidth=0)
                axes.plot(sizes, medians, linestyle="none" if odd else line, linewidth=1.5, **look)
                reached = [value for of_one in values for value in of_one]
                if counter == "of_cublas":
                    ratios[odd] += reached
                elif not odd:
                    fastest = max([fastest, *reached])
        words = f", {WORDS.get(storage, storage)}" if several else ""
        handles.insert(0, Line2D([], [], linestyle=line, linewidth=1.5, label=name_of(name) + words, **look))

    speed, ratio = panels[0]
    dtype = results.problems()[0].dtype
    peak = results.context.get(f"peak_tflops_{dtype}")
    if peak is not None and fastest < float(peak):  # of multiply-adds: tensor cores are above it
        speed.axhline(float(peak), color=figures.GREY, linewidth=1, linestyle=":")
        speed.text(0.01, float(peak), f"peak {number(float(peak))}", color=figures.GREY, fontsize=9, va="bottom",
                   transform=speed.get_yaxis_transform())
    powers = sorted({problem.shape[0] for problem in squares if problem.shape[0] & (problem.shape[0] - 1) == 0})
    for axes in panels[0]:
        axes.set_xscale("log", base=2)
        axes.set_xticks(powers, [str(n) for n in powers])
        axes.minorticks_off()
        axes.set_xlabel("m = n = k" + (", even" if odd_sizes else ""))
    for axes in panels[1] if odd_sizes else ():
        axes.set_xticks(range(len(odd_sizes)), [str(n) for n in odd_sizes], **(
            {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if len(odd_sizes) > 6 else {}))
        axes.set_xlim(-0.5, len(odd_sizes) - 0.5)
        for place in range(0, len(odd_sizes), 2):
            axes.axvspan(place - 0.5, place + 0.5, color="#f3f3f3", zorder=0)
        axes.set_xlabel("m = n = k, odd")
    for odd, (speed, ratio) in enumerate(panels):
        speed.set_ylabel("TFLOP/s")
        speed.set_ylim(bottom=0)
        ratio.set_ylabel("% of cuBLAS's best")
        ratio.axhline(100, color=figures.CUBLAS, linewidth=1.5, zorder=1)
        figures.limit_ratio(ratio, ratios[bool(odd)])
        for axes in (speed, ratio):
            figures.tidy(axes, "y" if odd else "both")
    picture.get_layout_engine().set(wspace=0.04, hspace=0.04)
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
                f"{WORDS.get(dtype, dtype).capitalize()}, squares, on {machine(results)}. Left: each side's own "
                f"samples. Right: pairs of samples taken alternately, which see the same clock. Odd sizes are below, "
                f"since their ratios need another scale. {BEST_IS}{single}")
    return summary_of
