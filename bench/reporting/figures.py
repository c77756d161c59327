# SPDX-License-Identifier: BSL-1.0
"""What the figures have in common: the look, and how they are written."""

import io
import math
import re

from reporting.tables import shape_name

WIDTH = 9.2  # inches of every figure: shown 830 pixels wide, 10 points are 12 pixels
OURS, AUTOMATIC, CUBLAS, GREY = "#3b75af", "#4c8c2b", "#c8102e", "#777777"
OTHERS = ["#3b75af", "#e08a1e", "#8059a8", "#4c8c2b", "#8c6d4f"]  # of types and the like
WHISKERS = {"capsize": 3, "linewidth": 1, "ecolor": "#222222"}


def pyplot():
    """matplotlib's, set so that the same results make the same file each time."""
    import matplotlib
    matplotlib.use("svg")
    # Texts stay texts, which are a fifth of the bytes of their outlines.
    matplotlib.rcParams.update({"svg.hashsalt": "gemm", "svg.fonttype": "none", "font.family": "DejaVu Sans",
                                "font.size": 10})
    from matplotlib import pyplot as plot
    return plot


def save(picture, results, path):
    # The digest lets --check see what the figure was made from. No date and no version: the same file each time.
    written = io.StringIO()
    picture.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Source": results.source()})
    pyplot().close(picture)
    path.write_text(short(written.getvalue()))


def short(svg):
    """The same picture in a third of the bytes: two decimals, no groups' names, one font for all texts."""
    def rounded(tag):
        return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag[0])

    svg = re.sub(r"<[^>]*>", rounded, svg)
    svg = re.sub(r"<!--.*?-->|<!DOCTYPE.*?>| transform=\"rotate\(-?0 [^)]*\)\"", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<g id=\"[^\"]*\"", "<g", svg)
    # Measured in a wide font, so that a viewer's own fits as well.
    svg = svg.replace("font-family: 'DejaVu Sans'; ", "").replace("; font-family: 'DejaVu Sans'", "")
    svg = svg.replace("</style>", "text{font-family: Helvetica, Arial, 'DejaVu Sans', sans-serif}</style>", 1)
    svg = re.sub(r"(?<=[;:]) (?=[^<>]*\")", "", svg)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"(?<=[\dz])\s*\n(?=[MLCQz])", "", svg)).replace('\n"', '"')


def in_order(count):
    """As many colours, from dark to light, for what is small to large."""
    return [pyplot().get_cmap("viridis")(0.92 * i / max(count - 1, 1)) for i in range(count)]


def legend_below(picture, handles, columns):
    """A legend under all panels, which give way to it."""
    height = (0.1 + 0.22 * math.ceil(len(handles) / columns)) / picture.get_size_inches()[1]
    picture.get_layout_engine().set(rect=(0, height, 1, 1 - height))
    picture.legend(handles=handles, loc="lower center", ncols=columns, frameon=False, fontsize=9.5, borderaxespad=0.2)


def limit_ratio(axes, percents):
    """Limits of an axis of % of cuBLAS: from 0, or from 70 where all are near 100, and clear of the line at 100."""
    low, high = min(percents, default=0), max(percents, default=100)
    near = low >= 75 and high <= 130
    axes.set_ylim(70 if near else 0, max(130 if near else 110, 1.06 * high))


def shape(sizes):
    """As titles have it: 4096 with a raised 3, or the three sizes."""
    return shape_name(sizes).replace("^3", "\u00b3")


def tidy(axes, grid="both"):
    axes.grid(axis=grid, color="#dddddd", zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def name_rows(axes, names, notes):
    """Names of horizontal bars at their left, bold, each with a note below it."""
    axes.set_yticks([])
    for place, name in enumerate(names):
        beside = {"xy": (0, place), "xycoords": ("axes fraction", "data"), "textcoords": "offset points", "ha": "right"}
        note = notes.get(name, "")
        axes.annotate(name, xytext=(-8, 1 if note else 0), va="bottom" if note else "center", weight="bold",
                      fontsize=9.5, **beside)
        if note:
            axes.annotate(note, xytext=(-8, -1), va="top", color="#555555", fontsize=8.5, **beside)
