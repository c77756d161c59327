# SPDX-License-Identifier: BSL-1.0
"""The named policies of the headers, with the element types that each is for, and those that run() chooses from."""

import re

from reporting.results import ReportError
from reporting.tables import markdown_table

WORDS = {"__half": "half", "__nv_bfloat16": "bf16", "std::int8_t": "int8", "__nv_fp8_e4m3": "fp8",
         "__nv_fp8_e5m2": "fp8"}


def templates_of(include):
    """The template that each named policy derives from: m x n, or m x n x k, ends its name or stands before a cluster."""
    found = {}
    for header in sorted([*include.glob("*policies.cuh"), *include.glob("emulation/policies.cuh"),
                          *include.glob("kernel/*.cuh")]):
        for name, template in re.findall(r"^struct (\w+\d+x\d\w*)\s*: (\w+)<", header.read_text(), re.MULTILINE):
            found[name] = template
    return found


def rows_of(include):
    """Of the kernel table (policy, words of its element types, whether run() may choose it)."""
    text = (include / "choose" / "kernel_table.hpp").read_text()
    types = {}
    for alias, listed in re.findall(r"using (of_\w+) = type_list<(.*?)>;", text, re.DOTALL):
        scalars = re.findall(r"[\w:]+", listed)
        types[alias] = ", ".join(dict.fromkeys(WORDS.get(scalar, scalar) for scalar in scalars))
    rows = re.findall(r"kernel_row<(\w+), (of_\w+)(?:, chosen_by::(\w+))?", text)
    return [(policy, types[alias], by not in ("", "nobody")) for policy, alias, by in rows]


def table(include):
    """A line for each template and list of element types; what run() chooses from is bold."""
    templates, rows = templates_of(include), rows_of(include)
    lacking = sorted(templates.keys() ^ {policy for policy, _, _ in rows})
    if lacking:
        raise ReportError(f"not both in the headers of policies and in kernel_table.hpp: {', '.join(lacking)}")
    lines = {}
    for policy, types, chosen in rows:
        of_types = lines.setdefault(templates[policy], {})
        of_types.setdefault(types, []).append(f"**`{policy}`**" if chosen else f"`{policy}`")
    return markdown_table(["template", "A and B", "names"],
                          [[f"`{template}`", types, ", ".join(names)]
                           for template, of_types in lines.items() for types, names in of_types.items()])
