#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests report.py on made-up results. Needs matplotlib for the figure; without it those tests are skipped."""

import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import report
from reporting import ladder, results, tables

MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
CONTENDERS = {"cublas_default": 50, "cublaslt_best": 52, "naive_32x4": 0.5, "pipelined_128x128x16": 47,
              "pipelined_64x64x16": 45, "novel_7x7": 60, "automatic": 48}


def entry(contender, tflops, repetition):
    name = f"{contender}/f32/nn/4096x4096x4096/manual_time"
    microseconds = 2 * 4096**3 / tflops / 1e6
    return {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": repetition, "label": "square",
            "tflops": tflops, "gbps": 70.0, "bound_fraction": tflops / 65.2, "min_us": microseconds * 0.99,
            "median_us": microseconds, "max_us": microseconds * 1.01, "error_ratio": 0.01, "vs_cublas": tflops / 52,
            "sm_mhz": 1950.0, "watts": 500.0}


def output():
    """What gemm_bench writes: three repetitions of each, and their aggregates."""
    entries = []
    for contender, tflops in CONTENDERS.items():
        entries += [entry(contender, tflops * factor, i) for i, factor in enumerate((0.98, 1.0, 1.01))]
        entries.append(entry(contender, 999.0, 0) | {"run_type": "aggregate", "aggregate_name": "median"})
    context = {"date": "2026-01-02T03:04:05+00:00", "gpu": "Made-up GPU", "driver": "1.2", "cuda_runtime": "13.0",
               "cublas": "13.1.0", "commit": "0123abc", "peak_tflops_f32": "65.2"}
    return {"context": context, "benchmarks": entries}


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.folder = self.root / "bench" / "results" / "made_up"
        self.folder.mkdir(parents=True)
        self.readme = self.root / "README.md"
        self.readme.write_text("before\n<!-- ladder:begin -->\nold\n<!-- ladder:end -->\nafter\n")
        self.write("ladder", output())

    def write(self, suite, data):
        (self.folder / f"{suite}.json").write_text(json.dumps(data))

    def call(self, *arguments):
        """(exit code, what was said)"""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = report.main(["--results", str(self.folder), "--readme", str(self.readme), *arguments])
        return code, said.getvalue()

    def load(self):
        return results.load(self.folder / "ladder.json")

    def test_medians_are_of_the_repetitions_alone(self):
        row = self.load().row("naive_32x4", ("f32", "nn", (4096, 4096, 4096)))
        self.assertEqual(row.median("tflops"), 0.5)
        self.assertEqual(row.values("tflops"), [0.49, 0.5, 0.505])

    def test_rungs_are_the_first_of_each_family(self):
        self.assertEqual(ladder.rungs(self.load()), ["naive_32x4", "pipelined_128x128x16", "novel_7x7", "automatic"])

    def test_numbers(self):
        self.assertEqual([tables.number(x) for x in (0.01234, 0.5, 4.999, 51.57, 99.97, 999.6, 2187.4, None)],
                         ["0.0123", "0.500", "5.00", "51.6", "100", "1000", "2187", ""])
        self.assertEqual([tables.percent(x) for x in (0.00961, 0.0996, 0.25, 1.034)],
                         ["1.0 %", "10 %", "25 %", "103 %"])

    def test_summary(self):
        text = ladder.summary(self.load(), "bench/results/made_up")
        self.assertIn("| rung | what it adds | 4096^3: ms | TFLOP/s | of cuBLAS |\n|---|---|---:|---:|---:|\n", text)
        self.assertIn(f"| `naive_32x4` | {ladder.RUNGS['naive']} | 275 | 0.500 | 1.0 % |", text)
        self.assertIn("| **cuBLAS, best** | the fastest of 16 algorithms of cublasLt | 2.64 | 52.0 | 100 % |", text)
        self.assertNotIn("pipelined_64x64x16", text)
        self.assertIn("Made-up GPU at 1950 MHz", text)

    def test_page_has_every_contender(self):
        text = tables.all_columns(self.load(), "ladder")
        for contender in CONTENDERS:
            self.assertIn(f"| {contender} | f32 nn 4096x4096x4096 | square |", text)

    def test_columns_that_were_not_measured_are_empty(self):
        data = output()
        for measured in data["benchmarks"]:
            for counter in ("sm_mhz", "watts", "vs_cublas"):
                del measured[counter]
        self.write("ladder", data)
        self.assertIn("| 77 % |  | 0.010 |  |  |", tables.all_columns(self.load(), "ladder"))

    def test_failed_benchmarks_are_refused(self):
        data = output()
        data["benchmarks"][0] |= {"error_occurred": True, "error_message": "wrong result"}
        self.write("ladder", data)
        code, said = self.call()
        self.assertEqual(code, 1)
        self.assertIn("cublas_default/f32/nn/4096x4096x4096/manual_time failed: wrong result", said)

    def test_other_json_is_refused(self):
        for text in ("{}", "[", '{"context": {}, "benchmarks": []}'):
            (self.folder / "ladder.json").write_text(text)
            self.assertEqual(self.call("--check")[0], 1)

    def test_readme_needs_its_markers(self):
        self.readme.write_text("<!-- ladder:end --> <!-- ladder:begin -->")
        code, said = self.call("--check")
        self.assertEqual(code, 1)
        self.assertIn("README.md: needs one <!-- ladder:begin --> and, after it, one <!-- ladder:end -->", said)

    def test_a_suite_of_its_own_kind_gets_its_page(self):
        self.write("f32", output())
        self.assertEqual(self.call("f32"), (0, ""))
        self.assertTrue((self.folder / "f32.md").exists())
        self.assertEqual(self.call("--check", "f32"), (0, ""))

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_what_is_written_is_up_to_date_until_something_changes(self):
        code, said = self.call("--check")
        self.assertEqual((code, said.count("is out of date")), (1, 3))
        self.assertEqual(self.call(), (0, ""))
        text = self.readme.read_text()
        self.assertTrue(text.startswith("before\n<!-- ladder:begin -->\n!["))
        self.assertTrue(text.endswith("ladder:end -->\nafter\n"))
        self.assertNotIn("old", text)
        self.assertEqual(self.call("--check"), (0, ""))
        self.readme.write_text(text.replace("0.500", "0.900"))
        self.assertIn("README.md is out of date", self.call("--check")[1])
        self.readme.write_text(text)
        data = output()
        data["benchmarks"][0]["watts"] = 501.0  # in the median of no table
        self.write("ladder", data)
        self.assertIn("ladder.svg is out of date", self.call("--check")[1])

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_the_figure_is_the_same_each_time(self):
        figures = []
        for _ in range(2):
            self.call()
            figures.append((self.folder / "ladder.svg").read_bytes())
        self.assertEqual(*figures)
        self.assertTrue(figures[0].startswith(b"<?xml"))


if __name__ == "__main__":
    unittest.main()
