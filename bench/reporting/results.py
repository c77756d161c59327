# SPDX-License-Identifier: BSL-1.0
"""Reads what gemm_bench and peers.py have written."""

import dataclasses
import hashlib
import itertools
import json
import math
import pathlib
import re
import statistics
import typing

DEFAULT, LT = "cublas_default", "cublaslt_best"  # the rows of cuBLAS
BEST = "cublas_best"  # no row of its own: stands for the faster of these two
NOISE = 0.01  # of a ratio of pairs
PYTORCH, TRITON = "pytorch", "triton"  # the rows of peers.py
LEFT_OUT = "left out: "  # how the message of a benchmark begins that was not to be measured, and did not fail


class ReportError(Exception):
    """The results or the README are not what they should be."""


class Problem(typing.NamedTuple):
    dtype: str
    storage: str
    shape: tuple
    batch: int = 1

    def text(self):
        """As pages name it: f32 nn 64x64x64, batch of 1000."""
        batch = f", batch of {self.batch}" if self.batch > 1 else ""
        return f"{self.dtype} {self.storage} {'x'.join(map(str, self.shape))}{batch}"


@dataclasses.dataclass
class Row:
    """A contender on a problem: the repetitions' counters by name."""

    contender: str
    problem: Problem
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
    left_out: list  # (benchmark, reason)
    digest: str  # of the file
    path: pathlib.Path
    peers: object = None  # the Results of PyTorch and Triton, where there are any

    def source(self):
        """As written into a figure, so that --check sees what it was made from."""
        return "sha256 " + self.digest + (" " + self.peers.digest if self.peers else "")

    def problems(self):
        """Those of all rows, each once, in their order."""
        return list(dict.fromkeys(row.problem for row in self.rows))

    def row(self, contender, problem):
        if contender == BEST:
            default, lt = self.row(DEFAULT, problem), self.row(LT, problem)
            # Their times were not measured at the same clock: in pairs they were.
            ahead = default is not None and (lt is None or (default.median("vs_cublas") or 1) > 1 + NOISE)
            return default if ahead else lt
        for row in self.rows:
            if row.contender == contender and row.problem == problem:
                return row
        return None

    def contenders(self):
        return list(dict.fromkeys(row.contender for row in self.rows))


def parse_name(name):
    """(contender, problem) of a benchmark: contender/dtype/storage/MxNxK[/batch:N]/manual_time."""
    contender, dtype, storage, shape, *others = name.split("/")
    batch = next((int(word[len("batch:"):]) for word in others if word.startswith("batch:")), 1)
    return contender, Problem(dtype, storage, tuple(int(extent) for extent in shape.split("x")), batch)


# Of a repetition's counters reports use these, to so many digits. Of the second kind they use the median alone.
EACH = {"median_us": 6, "vs_cublas": 5, "vs_pytorch": 5, "cost": 5}
MEDIAN = {"error_max": 5, "error_median": 5, "sm_mhz": 5, "watts": 5}
# What of a context says nothing about the measurement.
IDLE = ("caches", "load_avg", "host_name", "executable", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled",
        "library_build_type")


def load_one(path):
    text = path.read_bytes()
    try:
        data = json.loads(text)
        digest = hashlib.sha256(text).hexdigest()
        if "rows" in data:
            return Results(data["context"], compact_rows(data), [tuple(pair) for pair in data["left_out"]], digest, path)
        rows, left_out = {}, {}
        for entry in data["benchmarks"]:
            if entry.get("error_occurred"):
                message = entry["error_message"]
                if not message.startswith(LEFT_OUT):
                    raise ReportError(f"{path}: {entry['name']} failed: {message}")
                left_out[entry["run_name"]] = message[len(LEFT_OUT):]
                continue
            if entry["run_type"] != "iteration":
                continue  # the repetitions' mean and median are formed here
            contender, problem = parse_name(entry["run_name"])
            row = rows.setdefault(entry["run_name"], Row(contender, problem, entry.get("label", ""), []))
            row.repetitions.append(entry)
        if not rows:
            raise ReportError(f"{path}: has no measurements")
        return Results(data["context"], list(rows.values()), list(left_out.items()), digest, path)
    except (KeyError, ValueError) as error:
        raise ReportError(f"{path}: is no output of gemm_bench ({error!r})") from error


def compact_rows(data):
    """The rows that compact() wrote: a name, a kind, and of each counter its values."""
    rows = []
    for name, kind, columns in data["rows"]:
        contender, problem = parse_name(name)
        repetitions = []
        for values in itertools.zip_longest(*columns):
            repetition = {counter: value for counter, value in zip(data["counters"], values) if value is not None}
            if "median_us" in repetition:
                products = 2 * problem.batch * math.prod(problem.shape)
                repetition["tflops"] = products / repetition["median_us"] * 1e-6
            repetitions.append(repetition)
        rows.append(Row(contender, problem, kind, repetitions))
    return rows


def compact(path, keep=""):
    """Rewrites gemm_bench's output as what reports are made of, a line for each row: the contenders in whose name
    `keep`, a regular expression, is found."""
    results = load_one(path)
    rows = [row for row in results.rows if re.search(keep, row.contender)]
    counters = [counter for counter in (*EACH, *MEDIAN) if any(row.values(counter) for row in rows)]

    def short(value, counter):
        rounded = float(f"{value:.{(EACH | MEDIAN)[counter]}g}")
        return rounded if rounded % 1 else int(rounded)

    lines = []
    for row in rows:
        problem = row.problem
        batch = f"/batch:{problem.batch}" if problem.batch > 1 else ""
        name = f"{row.contender}/{problem.dtype}/{problem.storage}/{'x'.join(map(str, problem.shape))}{batch}"
        # A time without a rate is not one of the product alone.
        kept = [row.values(counter) if counter != "median_us" or row.values("tflops") else [] for counter in counters]
        kept = [values if counter in EACH else [statistics.median(values)] if values else []
                for counter, values in zip(counters, kept)]
        values = [[short(value, counter) for value in of_one] for counter, of_one in zip(counters, kept)]
        lines.append(json.dumps([name, row.kind, values], separators=(",", ":")))
    context = {name: value for name, value in results.context.items() if name not in IDLE}
    left_out = [pair for pair in results.left_out if re.search(keep, pair[0].split("/")[0])]
    path.write_text(f'{{"context": {json.dumps(context)},\n"counters": {json.dumps(counters)},\n'
                    f'"left_out": {json.dumps(left_out)},\n"rows": [\n' + ",\n".join(lines) + "\n]}\n")


def relate_to_the_faster(results):
    """Gives rows of_cublas, the time of cuBLAS's best over theirs. vs_cublas is formed beside cublaslt_best, also in
    cublas_default's row. Where cublas_default is the faster of the two, all ratios of a problem are over its own."""
    lead = {row.problem: max(1, row.median("vs_cublas")) for row in results.rows
            if row.contender == DEFAULT and row.values("vs_cublas") and results.row(LT, row.problem) is not None}
    for row in results.rows:
        for repetition in row.repetitions:
            if "vs_cublas" in repetition:
                repetition["of_cublas"] = repetition["vs_cublas"] / lead.get(row.problem, 1)


def load(path):
    """Google Benchmark's JSON, or what compact() made of it, with that of peers.py beside it (<suite>_peers.json) where
    there is one. Refuses results with failed benchmarks."""
    results = load_one(path)
    relate_to_the_faster(results)
    peers = path.with_name(path.stem + "_peers.json")
    if peers.exists():
        results.peers = load_one(peers)
    return results
