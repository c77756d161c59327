# SPDX-License-Identifier: BSL-1.0
"""What the figures have in common: the look, and how they are written."""

import html
import io
import itertools
import math
import re

from reporting.results import ReportError
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
    """Writes it. Refuses a picture whose texts overlap or leave it, measured in DejaVu, the widest of their fonts."""
    # The digest lets --check see what the figure was made from. No date and no version: the same file each time.
    written = io.StringIO()
    picture.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Source": results.source()})
    pyplot().close(picture)
    svg = short(written.getvalue())
    if faults := misfits(svg):
        raise ReportError(f"{path}: " + "; ".join(faults))
    path.write_text(svg)


def extents(text, size, bold=False):
    """(width, ascent, descent) of a text in DejaVu Sans."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal", size=size)
    width, height, descent = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return width, height - descent, descent


def corners(attributes, text):
    """Of the text's box, as the SVG places it."""
    def style(name, default):
        found = re.search(rf"(?:^|;){name}: *([^;]*)", attributes.get("style", ""))
        return found[1] if found else default

    size, anchor = float(style("font-size", "10px").removesuffix("px")), style("text-anchor", "start")
    width, ascent, descent = extents(text, size, style("font-weight", "400") in ("bold", "700"))
    x = float(attributes.get("x", 0)) - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    y = float(attributes.get("y", 0))
    points = [(x, y - ascent), (x + width, y - ascent), (x + width, y + descent), (x, y + descent)]
    for name, numbers in reversed(re.findall(r"(\w+)\(([^)]*)\)", attributes.get("transform", ""))):
        values = [float(number) for number in re.split(r"[ ,]+", numbers.strip())]
        if name == "translate":
            points = [(x + values[0], y + values[1]) for x, y in points]
        elif name == "rotate":
            turn, (u, v) = math.radians(values[0]), values[1:] or (0, 0)
            points = [(u + (x - u) * math.cos(turn) - (y - v) * math.sin(turn),
                       v + (x - u) * math.sin(turn) + (y - v) * math.cos(turn)) for x, y in points]
        else:
            raise ReportError(f"the text \"{text}\" has a transform that is not known here, {name}")
    return points


def overlap(one, other, least=0.5):
    """Whether two rectangles, of any angle, share more than `least` along every side."""
    def sides(box):
        return [(box[1][0] - box[0][0], box[1][1] - box[0][1]), (box[2][0] - box[1][0], box[2][1] - box[1][1])]

    for u, v in sides(one) + sides(other):
        length = math.hypot(u, v)
        first, second = ([(x * u + y * v) / length for x, y in box] for box in (one, other)) if length else ([0], [0])
        if min(max(first), max(second)) - max(min(first), min(second)) <= least:
            return False
    return True


def misfits(svg):
    """What is wrong with the texts of an SVG that short() wrote: those that leave it, and those that overlap."""
    if "<tspan" in svg:
        return ["a text in parts, whose width is not known"]
    width, height = (float(number) for number in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    boxes = []
    for tag, text in re.findall(r"<text([^>]*)>([^<]*)</text>", svg):
        text = html.unescape(text)
        boxes.append((text, corners(dict(re.findall(r'([\w-]+)="([^"]*)"', tag)), text)))
    return [f'"{text}" leaves the picture' for text, box in boxes
            if not all(-0.5 <= x <= width + 0.5 and -0.5 <= y <= height + 0.5 for x, y in box)] + [
        f'"{text}" and "{other}" overlap' for (text, one), (other, two) in itertools.combinations(boxes, 2)
        if overlap(one, two)]


def short(svg):
    """The same picture in a third of the bytes: two decimals, no groups' names, one font for all texts."""
    def rounded(tag):
        return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag[0])

    svg = re.sub(r"<[^>]*>", rounded, svg)
    svg = re.sub(r"<!--.*?-->|<!DOCTYPE.*?>| transform=\"rotate\(-?0 [^)]*\)\"", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<g id=\"[^\"]*\"", "<g", svg)
    # Measured in a wide font, so that a viewer's own fits as well. Older versions of matplotlib
    # name weight, size and font in one.
    svg = re.sub(r"font: (?:(\d+|bold) )?([\d.]+px) 'DejaVu Sans'",
                 lambda font: (f"font-weight: {font[1]}; " if font[1] else "") + f"font-size: {font[2]}", svg)
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
    """Limits of an axis of % of cuBLAS: from 0, or from 90 or less where all are near 100; clear of the line at 100."""
    low, high = min(percents, default=0), max(percents, default=100)
    near = low >= 75 and high <= 130
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_ylim(min(90, low - 3) if near else 0, max(110, high + 3) if near else max(110, 1.06 * high))


def shape(sizes):
    """As titles have it: 4096 with a raised 3, or the three sizes."""
    return shape_name(sizes).replace("^3", "\u00b3")


def tidy(axes, grid="both"):
    axes.grid(axis=grid, color="#dddddd", zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def plain(*axes):
    """Numbers of logarithmic axes as they are spoken: 0.1, 10, 1000. Between powers of ten there are none."""
    for axis in axes:
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter("")


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
