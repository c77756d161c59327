# SPDX-License-Identifier: BSL-1.0
"""Reads what gemm_bench has written."""

import dataclasses
import hashlib
import json
import statistics

DEFAULT, BEST = "cublas_default", "cublaslt_best"  # the rows of cuBLAS


class ReportError(Exception):
    """The results or the README are not what they should be."""


@dataclasses.dataclass
class Row:
    """A contender on a problem: the repetitions' counters by name."""

    contender: str
    dtype: str
    storage: str
    shape: tuple
    kind: str
    repetitions: list

    def values(self, counter):
        return [repetition[counter] for repetition in self.repetitions if counter in repetition]

    def median(self, counter):
        values = self.values(counter)
        return statistics.median(values) if values else None


@dataclasses.dataclass
class Results:
    context: dict
    rows: list
    digest: str  # of the file

    def source(self):
        """As written into a figure, so that --check sees what it was made from."""
        return "sha256 " + self.digest

    def problems(self):
        """(dtype, storage, shape) of all rows, each once, in their order."""
        return list(dict.fromkeys((row.dtype, row.storage, row.shape) for row in self.rows))

    def row(self, contender, problem):
        for row in self.rows:
            if row.contender == contender and (row.dtype, row.storage, row.shape) == problem:
                return row
        return None

    def contenders(self):
        return list(dict.fromkeys(row.contender for row in self.rows))


def load(path):
    """Google Benchmark's JSON. Refuses results with failed benchmarks."""
    text = path.read_bytes()
    try:
        data = json.loads(text)
        rows = {}
        for entry in data["benchmarks"]:
            if entry.get("error_occurred"):
                raise ReportError(f"{path}: {entry['name']} failed: {entry['error_message']}")
            if entry["run_type"] != "iteration":
                continue  # the repetitions' mean and median are formed here
            contender, dtype, storage, shape = entry["run_name"].split("/")[:4]
            shape = tuple(int(extent) for extent in shape.split("x"))
            row = rows.setdefault(entry["run_name"], Row(contender, dtype, storage, shape, entry.get("label", ""), []))
            row.repetitions.append(entry)
        if not rows:
            raise ReportError(f"{path}: has no measurements")
        return Results(data["context"], list(rows.values()), hashlib.sha256(text).hexdigest())
    except (KeyError, ValueError) as error:
        raise ReportError(f"{path}: is no output of gemm_bench ({error!r})") from error
