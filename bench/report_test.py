#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests the scripts on made-up results. Figures need matplotlib; without it their tests are skipped."""

import contextlib
import html
import importlib.util
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import peers
import profile_policies
import report
from reporting import (accuracy, batch_invariant, batches, by_type, epilogues, few_rows, figures, ladder, performance,
                       results, roofline, sustained, sweep, tables, verification)
from reporting.results import Problem
from reporting import accuracy_cells, beside_torch, compile_cost, named_policies, other_gpus

MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
CONTENDERS = {"cublas_default": 50, "cublaslt_best": 52, "naive_32x4": 0.5, "pipelined_128x128x16": 47,
              "pipelined_64x64x16": 45, "novel_7x7": 60, "automatic": 48}
SQUARE = Problem("f32", "nn", (4096, 4096, 4096))


def entry(contender, tflops, repetition, problem=SQUARE, **others):
    m, n, k = problem.shape
    batch = f"/batch:{problem.batch}" if problem.batch > 1 else ""
    name = f"{contender}/{problem.dtype}/{problem.storage}/{m}x{n}x{k}{batch}/manual_time"
    microseconds = 2 * problem.batch * m * n * k / tflops / 1e6
    return {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": repetition, "label": "square",
            "tflops": tflops, "gbps": 70.0, "bound_fraction": tflops / 65.2, "min_us": microseconds * 0.99,
            "median_us": microseconds, "max_us": microseconds * 1.01, "error_ratio": 0.01, "vs_cublas": tflops / 52,
            "sm_mhz": 1950.0, "watts": 500.0} | others


def repeated(contender, tflops, problem=SQUARE, **others):
    return [entry(contender, tflops * factor, i, problem, **others) for i, factor in enumerate((0.98, 1.0, 1.01))]


def left_out(contender, problem, message="left out: cublasLt has no algorithm for this problem"):
    return [entry(contender, 1, i, problem) | {"error_occurred": True, "error_message": message} for i in range(3)]


def output():
    """What gemm_bench writes: three repetitions of each, and their aggregates."""
    entries = []
    for contender, tflops in CONTENDERS.items():
        entries += repeated(contender, tflops)
        entries.append(entry(contender, 999.0, 0) | {"run_type": "aggregate", "aggregate_name": "median"})
    return {"context": context(), "benchmarks": entries}


def context():
    return {"date": "2026-01-02T03:04:05+00:00", "gpu": "Made-up GPU", "driver": "1.2", "cuda_runtime": "13.0",
            "cublas": "13.1.0", "commit": "0123abc", "peak_tflops_f32": "65.2", "bandwidth_tbps": "4.27",
            "multiprocessors": "132"}


def types_output():
    entries = []
    for dtype, part, cublas in (("f32", 1, 52), ("f16", 0.96, 700), ("bf16", 0.98, 710), ("i8", 0.5, None)):
        problem = SQUARE._replace(dtype=dtype)
        entries += repeated("cublaslt_best", cublas, problem) if cublas else left_out("cublaslt_best", problem)
        for contender in ("naive_32x4", "pipelined_128x128x16", "automatic"):
            entries += repeated(contender, CONTENDERS[contender] * part, problem)
    entries += repeated("cublaslt_best", 1250, Problem("i8", "nt", SQUARE.shape))
    entries += repeated("pipelined_128x128x16", 46, SQUARE._replace(dtype="f16f32"))
    return {"context": context(), "benchmarks": entries}


def sweep_output():
    entries = []
    for n in (256, 1024, 1025, 4096):
        for contender in ("cublas_default", "cublaslt_best", "pipelined_128x128x16", "automatic"):
            entries += repeated(contender, CONTENDERS[contender] * n / 4096, SQUARE._replace(shape=(n, n, n)))
    return {"context": context(), "benchmarks": entries}


def epilogues_output():
    entries = []
    for problem in (SQUARE, SQUARE._replace(shape=(4096, 4096, 512)), SQUARE._replace(dtype="bf16", storage="nt")):
        for contender, cost in (("cublaslt_none", 0.0), ("cublaslt_bias_relu", 0.002), ("none", 0.0001),
                                ("bias", 0.011), ("gelu", 0.15), ("scale", -0.004)):
            entries += repeated(contender, 49 / (1 + cost), problem, cost=cost)
    return {"context": context(), "benchmarks": entries}


def scales_output():
    """Of the blocks cuBLAS has no algorithm, and of amax only with a C of fp8."""
    entries = []
    for dtype, kinds in (("e4m3", ("per_tensor", "per_row", "block_1x128", "amax")),
                         ("e4m3e4m3", ("per_tensor", "amax"))):
        problem = SQUARE._replace(dtype=dtype, storage="nt")
        for kind in kinds:
            if kind == "block_1x128" or (kind == "amax" and dtype == "e4m3"):
                entries += left_out("cublaslt_" + kind, problem)
                continue
            entries += repeated("cublaslt_" + kind, 1200, problem, cost=0.001)
        for kind, cost in zip(kinds, (0.0001, 0.021, 0.2, 0.004)):
            made = repeated(kind, 1300 / (1 + cost), problem, cost=cost)
            for one in made:
                one["vs_cublas"] = 1.25 / (1 + cost)
                if kind == "block_1x128" or (kind == "amax" and dtype == "e4m3"):
                    del one["vs_cublas"]
            entries += made
    return {"context": context(), "benchmarks": entries}


def few_rows_output():
    """Products whose floor was measured, and one of a GPU that has none."""
    entries = []
    for dtype, rows in (("bf16", (1, 64, 192)), ("e4m3", (16,))):
        for m in rows:
            problem = Problem(dtype, "nt", (m, 8192, 8192))
            entries += repeated("cublaslt_best", 50, problem)
            entries += repeated("floor", 60, problem) + repeated("floor_early", 65, problem)
            entries += repeated("automatic", 52, problem, cost=0.12, vs_cublas=1.04)
            entries += repeated("automatic_constant", 60, problem, cost=0.05)
    entries += left_out("floor", SQUARE) + repeated("automatic", 50)
    return {"context": context(), "benchmarks": entries}


def batch_invariant_output():
    """Products of both, and one of run() alone."""
    entries = repeated("automatic", 50)
    for m, tflops in ((1, 40), (64, 45), (512, 49)):
        problem = Problem("bf16", "nt", (m, 4096, 4096))
        entries += repeated("automatic", 50, problem) + repeated("batch_invariant", tflops, problem)
    return {"context": context(), "benchmarks": entries}


def batches_output():
    entries = []
    for n, counts in ((16, (16, 100000)), (64, (16, 1000))):
        for count in counts:
            problem = SQUARE._replace(shape=(n, n, n), batch=count)
            for contender in ("cublas_default", "cublaslt_best", "pipelined_64x64x16", "automatic"):
                entries += repeated(contender, CONTENDERS[contender] * n / 64, problem)
    return {"context": context(), "benchmarks": entries}


def peers_output():
    said = context() | {"torch": "9.8", "triton": "7.6"}
    entries = repeated("pytorch", 51, vs_pytorch=1.0) + repeated("triton", 40, vs_pytorch=0.78)
    for measured in entries:
        del measured["vs_cublas"]
    return {"context": said, "benchmarks": entries}


def accuracy_output():
    entries = []
    for kind in ("uniform", "wide"):
        for k, speed in ((4096, 1), (256, None)):
            problem = SQUARE._replace(storage="nt", shape=(4096, 4096, 4096) if speed else (1024, 2048, k))
            for contender, tflops, most in (("fp32_emulated", 180, 0.8), ("bf16x6_128x128x64_2x1", 100, 0.2),
                                            ("cublas_sgemm", 50, 6.5)):
                made = entry(contender, tflops, 0, problem, label=kind, error_max=most, error_median=most / 20)
                for absent in ("vs_cublas", "bound_fraction") + (() if speed else ("tflops",)):
                    made.pop(absent, None)
                made["run_name"] = made["run_name"].replace("/manual_time", f"/elements:{kind}/manual_time")
                entries.append(made)
    return {"context": context(), "benchmarks": entries}


def sustained_output():
    entries = []
    for problem in (SQUARE._replace(storage="nt"), SQUARE._replace(dtype="bf16")):
        for contender, tflops in (("cublas_default", 49), ("cublaslt_best", 50), ("fp32_emulated", 195)):
            entries += repeated(contender, tflops, problem)
    return {"context": context(), "benchmarks": entries}


SUITES = {"accuracy": accuracy_output, "types": types_output, "sweep": sweep_output, "epilogues": epilogues_output,
          "batches": batches_output, "few_rows": few_rows_output}


def texts(path):
    """All texts of an SVG."""
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text())]


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
            code = report.main(["--results", str(self.folder), "--page", str(self.readme), *arguments])
        return code, said.getvalue()

    def load(self, suite="ladder"):
        return results.load(self.folder / f"{suite}.json")

    def made_up(self, suite):
        self.write(suite, SUITES[suite]())
        return self.load(suite)

    def test_medians_are_of_the_repetitions_alone(self):
        row = self.load().row("naive_32x4", SQUARE)
        self.assertEqual(row.median("tflops"), 0.5)
        self.assertEqual(row.values("tflops"), [0.49, 0.5, 0.505])

    def test_rungs_are_the_first_of_each_family(self):
        self.assertEqual(ladder.rungs(self.load()), ["naive_32x4", "pipelined_128x128x16", "novel_7x7", "automatic"])

    def test_numbers(self):
        self.assertEqual([tables.number(x) for x in (0.01234, 0.5, 4.999, 51.57, 99.97, 999.6, 2187.4, None)],
                         ["0.0123", "0.500", "5.00", "51.6", "100", "1000", "2187", ""])
        self.assertEqual([tables.percent(x) for x in (0.00961, 0.0996, 0.25, 1.034)],
                         ["1.0 %", "10 %", "25 %", "103 %"])
        self.assertEqual([tables.signed_percent(x) for x in (0.0296, -0.004, -0.0001, 0.154, None)],
                         ["+3.0 %", "-0.4 %", "0.0 %", "+15 %", ""])

    def test_summary(self):
        text = ladder.summary(self.load(), "bench/results/made_up")
        self.assertIn("| rung | what it adds | 4096^3: ms | TFLOP/s | of cuBLAS's best |\n|---|---|---:|---:|---:|\n", text)
        self.assertIn(f"| `naive_32x4` | {ladder.RUNGS['naive']} | 275 | 0.500 | 1.0 % |", text)
        self.assertIn("| **cublasLt, best** | the fastest of up to 16 algorithms | 2.64 | 52.0 | 100 % |", text)
        self.assertNotIn("pipelined_64x64x16", text)
        self.assertIn("Made-up GPU at 1950 MHz", text)

    def test_page_has_every_contender(self):
        text = tables.all_columns(self.load(), "ladder")
        for contender in CONTENDERS:
            self.assertIn(f"| {contender} | f32 nn 4096x4096x4096 | square |", text)

    def test_columns_that_were_not_measured_are_left_out(self):
        data = output()
        for measured in data["benchmarks"]:
            for counter in ("sm_mhz", "watts", "vs_cublas"):
                del measured[counter]
        self.write("ladder", data)
        self.assertIn("| contender | problem | kind | median us | TFLOP/s |\n",
                      tables.all_columns(self.load(), "ladder"))

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

    def test_compact_results_say_the_same(self):
        for suite, made_up in SUITES.items():
            self.write(suite, made_up())
            found, path = self.load(suite), self.folder / f"{suite}.json"
            size = path.stat().st_size
            results.compact(path)
            short, text = self.load(suite), path.read_text()
            self.assertLess(path.stat().st_size, 0.5 * size)
            self.assertEqual(short.left_out, found.left_out)
            self.assertEqual(len(found.rows), len(short.rows))
            for one, other in zip(found.rows, short.rows):
                self.assertEqual((one.contender, one.problem, one.kind), (other.contender, other.problem, other.kind))
                for counter, _, _ in tables.COLUMNS:
                    if counter == "median_us" and not one.values("tflops"):
                        self.assertEqual(other.values(counter), [])
                        continue
                    self.assertEqual(bool(one.values(counter)), bool(other.values(counter)))
                    if one.values(counter):
                        self.assertAlmostEqual(one.median(counter), other.median(counter),
                                               delta=1e-3 * abs(one.median(counter)))
                self.assertEqual(len(one.values("tflops")), len(other.values("tflops")))
            results.compact(path)
            self.assertEqual(path.read_text(), text)  # what is compact stays as it is

    def test_compact_results_keep_the_contenders_that_reports_show(self):
        self.write("f32", output())
        path = self.folder / "f32.json"
        results.compact(path, report.Suite().keep)
        self.assertEqual(results.load(path).contenders(), ["cublas_default", "cublaslt_best", "automatic"])

    def test_what_is_left_out_is_no_failure(self):
        found = self.made_up("types")
        self.assertIsNone(found.row("cublaslt_best", SQUARE._replace(dtype="i8")))
        self.assertIn("Left out:\n\n- cublasLt has no algorithm for this problem: cublaslt_best/i8/nn/4096x4096x4096\n",
                      tables.all_columns(found, "types"))

    def test_types(self):
        found = self.made_up("types")
        text = by_type.summary(found, "folder")
        self.assertIn("| rung | float: TFLOP/s | half: TFLOP/s | of float | bfloat16: TFLOP/s | of float | "
                      "int8: TFLOP/s | of float |", text)
        self.assertIn("| `pipelined_128x128x16` | 47.0 | 45.1 | 96 % | 46.1 | 98 % | 23.5 | 50 % |", text)
        self.assertIn("| **cublasLt, best** | 52.0 | 700 |  | 710 |  |  |  |", text)

    def test_types_stand_beside_cublas_in_the_same_storage(self):
        found = self.made_up("types")
        self.assertNotIn("1250", by_type.table(found))  # of B transposed, where no row of ours was measured
        data = types_output()
        data["benchmarks"] += repeated("automatic", 1300, Problem("i8", "nt", SQUARE.shape))
        self.write("types", data)
        text = by_type.summary(self.load("types"), "folder")
        self.assertIn("int8: TFLOP/s | of float | int8, B transposed: TFLOP/s |", text)
        self.assertIn("| `automatic` | 48.0 | 46.1 | 96 % | 47.0 | 98 % | 24.0 | 50 % | 1300 |", text)
        self.assertIn("| **cublasLt, best** | 52.0 | 700 |  | 710 |  |  |  | 1250 |", text)
        self.assertIn(" int8 is there with B transposed, too.", text)

    def test_best_of_cublas_is_the_faster_of_both(self):
        other = SQUARE._replace(shape=(512, 512, 512))
        alone = SQUARE._replace(shape=(256, 256, 256))
        data = output()
        data["benchmarks"] = (
            repeated("cublas_default", 60, vs_cublas=1.2) + repeated("cublaslt_best", 50, vs_cublas=0.99)
            + repeated("automatic", 54, vs_cublas=1.08)
            # At a higher clock than its rival, to which pairs compare it.
            + repeated("cublas_default", 60, other, vs_cublas=0.8) + repeated("cublaslt_best", 50, other, vs_cublas=1.0)
            + repeated("automatic", 54, other, vs_cublas=1.08)
            + repeated("cublas_default", 40, alone, vs_cublas=1.01) + repeated("automatic", 54, alone, vs_cublas=1.35))
        self.write("f32", data)
        found = self.load("f32")
        ratio = {problem: found.row("automatic", problem).median("of_cublas") for problem in (SQUARE, other, alone)}
        self.assertAlmostEqual(ratio[SQUARE], 0.9)  # 1.08 of cublaslt_best, over 1.2
        self.assertEqual((ratio[other], ratio[alone]), (1.08, 1.35))  # the lesser of both, or the only one
        self.assertEqual([found.row(results.BEST, problem).contender for problem in (SQUARE, other, alone)],
                         ["cublas_default", "cublaslt_best", "cublas_default"])
        self.assertIn("| automatic | f32 nn 4096x4096x4096 | square | 2545 | 54.0 | 90 % |",
                      tables.all_columns(found, "f32"))
        self.assertIn("f32 nn 4096x4096x4096 0.90 |", performance.overview({"f32": found}, "folder"))
        text = performance.means({"f32": found})
        self.assertIn("| float, `run` | 3 | 1.09 | 0.90 | 1.35 |", text)
        self.assertIn("All passed verification. cuBLAS's best is the faster of cublas_default and cublaslt_best.",
                      tables.all_columns(found, "f32"))
        for said in (text, performance.overview({"f32": found}, "folder"), ladder.summary(self.load(), "folder"),
                     by_type.summary(self.made_up("types"), "folder"), sweep.summary(self.made_up("sweep"), "folder")):
            self.assertIn("cuBLAS's best is the faster of cublasGemmEx and the fastest of up to 16 algorithms of "
                          "cublasLt.", said)
        self.write("sustained", data)
        text = sustained.summary(self.load("sustained"), "folder")
        self.assertIn("| f32 nn 4096^3 | **cuBLAS, best** | 58.8 to 60.6 |", text)
        self.assertIn("| f32 nn 4096^3 | `automatic` | 52.9 to 54.5 | 0.900 |", text)

    def test_sweep(self):
        text = sweep.details(self.made_up("sweep"))
        self.assertIn("| n | automatic: TFLOP/s | of cuBLAS's best | pipelined_128x128x16: TFLOP/s |", text)
        self.assertIn("| 1025 | 12.0 | 23 % | 11.8 | 23 % | 13.0 | 25 % | 12.5 | 24 % |", text)

    def test_epilogues(self):
        found = self.made_up("epilogues")
        self.assertEqual(epilogues.measured(found), ["bias", "gelu", "scale", "cublaslt_bias_relu"])
        text = epilogues.details(found)
        self.assertIn("| epilogue |  | f32 4096^3: ms | cost | least | most | f32 4096x4096x512: ms |", text)
        self.assertIn("| `gelu` | by the normal distribution | 3.23 | +15 % | +15 % | +15 % | 0.403 | +15 % |", text)
        self.assertIn("| `scale` | by one number | 2.79 | -0.4 % |", text)
        self.assertIn("| cost over none |", tables.all_columns(found, "epilogues"))
        self.assertIn("f32 nn, fused into `pipelined_128x128x16`; bf16 nt, fused into `sm90_wgmma_ping_pong_128x128x64`.",
                      epilogues.summary(found, "folder"))

    def test_few_rows_are_over_their_floor(self):
        found = self.made_up("few_rows")
        summary = few_rows.summary(found, "folder")
        self.assertIn("| bfloat16 | 1 to 64 | 2 | 1.12 | 1.12 | 1.05 | 1.04 | 1.04 |", summary)
        self.assertIn("| bfloat16 | 65 to 256 | 1 | 1.12 |", summary)
        self.assertIn("| e4m3 | 1 to 64 | 1 |", summary)
        self.assertNotIn("float |", summary.replace("bfloat16", ""))  # of which no floor was measured
        details = few_rows.details(found)
        self.assertIn("| bfloat16 | nt | 192x8192x8192 |", details)
        self.assertIn("| float | nn | 4096^3 | 2749 |  |  |", details)

    def test_few_rows_without_a_floor_are_refused(self):
        made = few_rows_output()
        made["benchmarks"] = [one for one in made["benchmarks"] if "cost" not in one]
        with self.assertRaisesRegex(results.ReportError, "no row beside its floor"):
            self.write("few_rows", made)
            few_rows.summary(self.load("few_rows"), "folder")

    def test_batch_invariant_is_beside_run(self):
        self.write("batch_invariant", batch_invariant_output())
        found = self.load("batch_invariant")
        summary = batch_invariant.summary(found, "folder")
        self.assertIn("| bfloat16 | 1 to 64 | 2 | 0.849 | 0.800 |", summary)
        self.assertIn("| bfloat16 | 512 and more | 1 | 0.980 | 0.980 |", summary)
        self.assertNotIn("float | 512", summary.replace("bfloat16", ""))
        self.assertIn("| bfloat16 | nt | 1x4096x4096 |", batch_invariant.details(found))
        self.write("batch_invariant", {"context": context(), "benchmarks": repeated("automatic", 50)})
        with self.assertRaisesRegex(results.ReportError, "no product beside run"):
            batch_invariant.summary(self.load("batch_invariant"), "folder")

    def test_sustained(self):
        self.write("sustained", sustained_output())
        text = sustained.summary(self.load("sustained"), "folder")
        self.assertIn("| f32 nt 4096^3 | **cuBLAS, best** | 49.0 to 50.5 |  | 1950 | 500.0 |", text)
        self.assertIn("| bf16 nn 4096^3 | `fp32_emulated` | 191 to 197 | 3.67 to 3.79 | 1950 | 500.0 |", text)
        self.assertNotIn("cublas_default", text)

    def test_accuracy(self):
        found = self.made_up("accuracy")
        text = accuracy.summary(found, "folder")
        self.assertIn("|  | uniform: TFLOP/s | max | median | wide: TFLOP/s | max | median |", text)
        self.assertIn("| **cublasSgemm** | 50.0 | 6.5 | 0.33 | 50.0 | 6.5 | 0.33 |", text)
        self.assertIn("| uniform | 1024x2048x256 | 0.80, 0.040 | 0.20, 0.010 | 6.5, 0.33 |", accuracy.details(found))
        self.assertIn("| max error | median error |", tables.all_columns(found, "accuracy"))

    def test_accuracy_of_fp8_and_of_long_k(self):
        found = self.made_up("accuracy")
        self.assertNotIn("##", accuracy.details(found))
        header = "max,median,of_bound\n"
        (self.folder / "accuracy_fp8.csv").write_text(
            "# said of it\noutput,m,n,k,inputs,contender,chosen," + header + "".join(
                f'f32,16,32,{k},wide,{name},"",{most * k},{most},0.5\n' for k in (128, 256) for name, most in (
                    ("automatic", 2), ("sm90_wgmma_fp8_fast_128x256x128_2x1", 9), ("cublaslt", 4), ("cublaslt_fast", 9))))
        (self.folder / "accuracy_deep.csv").write_text(
            "dtype,m,n,k,inputs,contender,chosen,slices," + header.replace("\n", ",us\n") +
            'bf16,16,32,64,positive,automatic,"some_policy",2,30,20,0.5,7\n'
            'bf16,16,32,64,positive,cublas_default,"",1,,,,\n')
        (self.folder / "accuracy_mma.csv").write_text(
            "m,n,k,inputs,contender," + header.replace("\n", ",us\n") + "".join(
                f'16,32,{k},wide,"{name}",{most},{most / 4},0.5,7\n' for k in (128, 1024) for name, most in (
                    ("with_fallback<bf16x6_mma_128x128x64>", 26), ("bf16x6_mma_128x128x64", 26), ("cublas_sgemm", 5))))
        text = accuracy.details(found)
        self.assertIn("| wide | 26 | 6.5 | 0.20 | 26 | 6.5 | 0.25 | 5.0 | 1.2 |", text)
        self.assertIn("| f32 | wide | 512 | 1024 | 0.500 | 0.500 | 0.500 | 2304 | 2304 | 1.00 | 1.00 | 1.00 | 0.50 |", text)
        self.assertIn("| bf16 | positive | 16x32x64 | 30.0, 20.0, 7.00 | , ,  | `some_policy` | 2 |", text)

    def test_batches(self):
        found = self.made_up("batches")
        self.assertEqual(found.problems()[1], Problem("f32", "nn", (16, 16, 16), 100000))
        self.assertIn("| 16^3 | 100000 | 68.3 | 12.0 | 23 % |", batches.details(found))
        self.assertIn("| f32 nn 16x16x16, batch of 100000 |", tables.all_columns(found, "batches"))

    def test_roofline_counts_what_blocks_request(self):
        self.assertAlmostEqual(roofline.requested_bytes("warp_tile_128x128x16", SQUARE),
                               4 * (4096**3 * 2 / 128 + 4096**2))
        self.assertAlmostEqual(roofline.requested_bytes("naive_32x4", SQUARE), 4096**3 * 33 + 4 * 4096**2)
        self.assertAlmostEqual(roofline.requested_bytes("coalesced_32x32", SQUARE), 4096**3 * 5 + 4 * 4096**2)
        self.assertIsNone(roofline.requested_bytes("automatic", SQUARE))

    def test_peers_stand_beside_cublas(self):
        self.write("ladder_peers", peers_output())
        text = ladder.summary(self.load(), "folder")
        self.assertIn("| **PyTorch** | torch.matmul of 9.8 | 2.69 | 51.0 |  |", text)
        self.assertIn("| **Triton** | tl.dot, autotuned, of 7.6 | 3.44 | 40.0 |  |", text)
        self.assertIn("| of PyTorch |", tables.all_columns(self.load(), "ladder"))
        self.assertEqual(report.suites_in(self.folder), ["ladder", "roofline"])

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_every_suite_has_its_page_its_figure_and_its_place_in_the_readme(self):
        for suite, made_up in SUITES.items():
            self.write(suite, made_up())
        names = ["ladder", "roofline", *SUITES]
        self.readme.write_text("".join(f"<!-- {name}:begin -->\n<!-- {name}:end -->\n" for name in names))
        self.assertEqual(self.call(), (0, ""))
        text = self.readme.read_text()
        for name in names:
            self.assertTrue((self.folder / f"{name}.svg").read_bytes().startswith(b"<?xml"))
            self.assertIn(f"](bench/results/made_up/{name}.svg)\n\n", text)
            self.assertEqual((self.folder / f"{name}.md").exists(), name != "roofline")
        self.assertIn("](./sweep.svg)", (self.folder / "sweep.md").read_text())
        self.assertEqual(self.call("--check"), (0, ""))

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_squares_of_a_suite_in_both_storages(self):
        problems = [Problem("bf16", storage, (size, size, size)) for storage in ("nn", "nt") for size in (1000, 1024)]
        entries = [one for name in ("cublaslt_best", "automatic") for problem in problems
                   for one in repeated(name, 700, problem)]
        self.write("sweep_bf16", {"context": context(), "benchmarks": entries})
        self.assertEqual(self.call("sweep_bf16"), (0, ""))
        self.assertIn("](./sweep_bf16.svg)", (self.folder / "sweep_bf16.md").read_text())
        text = (self.folder / "sweep_bf16.svg").read_text()
        self.assertIn(">automatic, B transposed</text>", text)
        self.assertIn(">1024</text>", text)
        self.assertNotIn("DejaVu Sans';", text)  # alone, where a viewer may not have it

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_odd_sizes_have_panels_of_their_own(self):
        def drawn(sizes):
            entries = [one for size in sizes for name, tflops in (("cublaslt_best", 700), ("automatic", 710)) for one in
                       repeated(name, tflops, Problem("bf16", "nn", (size, size, size)),
                                vs_cublas=(9 if size % 2 else 1.02) if name == "automatic" else 1.0)]
            self.write("sweep_bf16", {"context": context(), "benchmarks": entries})
            self.assertEqual(self.call("sweep_bf16"), (0, ""))
            return texts(self.folder / "sweep_bf16.svg")

        both = drawn((1024, 1025, 2048, 2049))
        self.assertEqual([both.count(text) for text in ("m = n = k, even", "m = n = k, odd", "% of cuBLAS's best")],
                         [2, 2, 2])
        self.assertEqual((both.count("1024"), both.count("1025"), both.count("2049")), (2, 2, 2))
        self.assertIn("105", both)  # a mark of the axis of even sizes, which odd ones do not stretch
        self.assertIn("800", both)
        even = drawn((1024, 2048))
        self.assertEqual([even.count(text) for text in ("m = n = k", "m = n = k, odd", "800")], [2, 0, 0])

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_all_panels_of_epilogues_have_one_scale(self):
        self.made_up("epilogues")
        self.assertEqual(self.call("epilogues"), (0, ""))
        at = {mark: texts(self.folder / "epilogues.svg").count(mark) for mark in ("0", "10", "20")}
        self.assertEqual(at, {"0": 3, "10": 3, "20": 3})
        data = epilogues_output()
        data["benchmarks"] = [one for one in data["benchmarks"] if not one["name"].startswith("gelu/bf16/")]
        self.write("epilogues", data)
        self.assertEqual(self.call("epilogues"), (0, ""))
        found = texts(self.folder / "epilogues.svg")
        self.assertEqual([found.count(text) for text in ("0", "10", "20", "not measured")], [3, 3, 3, 1])

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_texts_that_overlap_or_leave_the_picture_are_found(self):
        def faults(*parts):
            return figures.misfits('<svg viewBox="0 0 200 100">' + "".join(parts) + "</svg>")

        def text(words, x, y, style="font-size:10px", transform=""):
            return f'<text style="{style}" x="{x}" y="{y}" transform="{transform}">{words}</text>'

        self.assertEqual(faults(text("one", 10, 50), text("other", 40, 50), text("third", 10, 62)), [])
        self.assertEqual(faults(text("one", 10, 50), text("other", 20, 52)), ['"one" and "other" overlap'])
        self.assertEqual(faults(text("far too long to end within it", 100, 50)),
                         ['"far too long to end within it" leaves the picture'])
        self.assertEqual(faults(text("far to the left of it", 80, 50, "font-size:10px;text-anchor:end")),
                         ['"far to the left of it" leaves the picture'])
        # A text may fit as it is, and not in bold.
        self.assertEqual(faults(text("MMMMMMMMMM", 110, 50)), [])
        self.assertEqual(faults(text("MMMMMMMMMM", 110, 50, "font-weight:700;font-size:10px")),
                         ['"MMMMMMMMMM" leaves the picture'])
        # A steep one reaches across the corner of its upright box, in which another may stand.
        steep = text("along the roof", 20, 90, transform="rotate(-45 20 90)")
        self.assertEqual(faults(steep, text("free", 22, 40)), [])
        self.assertEqual(faults(steep, text("struck", 40, 70)), ['"along the roof" and "struck" overlap'])
        self.assertEqual(faults(text("<tspan>10</tspan>", 1, 9)), ["a text in parts, whose width is not known"])

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_a_figure_whose_texts_do_not_fit_is_refused(self):
        data = output()
        data["context"]["gpu"] = "GPU of a very long name" * 5
        self.write("ladder", data)
        code, said = self.call("ladder")
        self.assertEqual(code, 1)
        self.assertIn('part of cuBLAS\'s best" leaves the picture', said)
        self.assertFalse((self.folder / "ladder.svg").exists())

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_texts_of_committed_figures_fit(self):
        paths = sorted((report.HERE / "results").glob("*/*.svg"))
        self.assertGreater(len(paths), 9)
        for path in paths:
            self.assertEqual(figures.misfits(path.read_text()), [], path)

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_a_readme_without_markers_stays_as_it_is(self):
        self.readme.write_text("nothing of ours\n")
        self.assertEqual(self.call(), (0, ""))
        self.assertEqual(self.readme.read_text(), "nothing of ours\n")

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_what_is_written_is_up_to_date_until_something_changes(self):
        code, said = self.call("--check")
        self.assertEqual((code, said.count("is out of date")), (1, 4))  # the roofline's figure, too
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

    def test_overview_names_what_is_slower(self):
        self.write("f32", output())
        text = performance.overview({"f32": self.load("f32")}, "folder")
        self.assertIn("| [f32](folder/f32.md) | float | 1 | 0.923 | 0.923 | 1 | 1 | 2026-01-02 |", text)
        self.assertIn("| f32 | f32 nn 4096x4096x4096 0.92 |", text)
        self.assertIn("| float, `run` | 1 | 0.92 | 0.92 | 0.92 |", performance.means({"f32": self.load("f32")}))

    def test_overview_and_means_have_8_bits(self):
        for name, dtype, words in (("i8", "i8", "int8"), ("e4m3", "e4m3", "e4m3 to bfloat16"),
                                   ("storages", "e4m3", "int8 and e4m3 in all storages, odd sizes")):
            self.write(name, {"context": context(),
                              "benchmarks": repeated("automatic", 1300, Problem(dtype, "nt", SQUARE.shape))})
            text = performance.overview({name: self.load(name)}, "folder")
            self.assertIn(f"| [{name}](folder/{name}.md) | {words} | 1 | 25.0 | 25.0 | 0 | 0 | 2026-01-02 |", text)
        self.assertIn("| e4m3 | 1 | 25.00 |", performance.means({"e4m3": self.load("e4m3")}))

    def test_scales_are_beside_cublas_and_one_number_each(self):
        self.write("scales", scales_output())
        made = repeated("pytorch_per_row", 1000, SQUARE._replace(dtype="e4m3", storage="nt"), vs_pytorch=0.98)
        self.write("scales_peers", {"context": context() | {"torch": "9.8"}, "benchmarks": made})
        self.readme.write_text("<!-- scales:begin -->\n<!-- scales:end -->\n")
        self.assertEqual(self.call("scales"), (0, ""))
        text = self.readme.read_text()
        self.assertIn("| one number each | bfloat16 | 1 | 1.25 | 1.25 |  |  |\n", text)
        self.assertIn("| rows of A, columns of B | bfloat16 | 1 | 1.22 | 1.22 | +2.1 % | +2.1 % |\n", text)
        self.assertIn("| 1 x 128 of A, 128 x 1 of B | bfloat16 | 1 |  |  | +20 % | +20 % |\n", text)
        page = (self.folder / "scales.md").read_text()
        self.assertIn("| one number each, and amax of C | e4m3 | 4096^3 |", page)
        self.assertIn("| rows of A, columns of B | bfloat16 | 4096^3 | 1273 | 107.9 | 114.5 | 1.22 | +2.1 % | +0.1 % | "
                      "137.4 |\n", page)
        self.assertIn("cublasLt has no algorithm for this problem: cublaslt_block_1x128/e4m3/nt/4096x4096x4096", page)
        self.assertEqual(self.call("scales", "--check"), (0, ""))

    RUNS = "# of made-up tests\ndate,version,commit,driver,tool,over,cases,passed,failed,errors,note\n"

    def verified(self, *lines):
        (self.folder / "verification.csv").write_text(self.RUNS + "".join(line + "\n" for line in lines))
        return verification.verification(self.folder.parent)

    def test_the_newest_complete_runs_come_first(self):
        text = self.verified("2026-01-01,0.1.0,aaaaaaa,1.2,tests,all,7,7,0,,",
                             "2026-01-02,0.2.0,bbbbbbb,1.2,memcheck,[sanitizer],5,5,0,0,",
                             "2026-01-03,0.2.0,0123abc,1.2,tests,all,9,8,1,,the ninth",
                             "2026-01-03,0.2.0,0123abc,1.2,racecheck,[sanitizer],6,6,0,0,",
                             "2026-01-04,0.2.0,ccccccc,1.2,tests,all,9,3,2,,four were not finished",
                             '2026-01-04,0.2.0,ccccccc,1.2,tests,"a, b",2,2,0,,',
                             "2026-01-04,0.2.0,ccccccc,1.2,synccheck,[sanitizer],,6,0,0,",
                             '2026-01-05,0.2.0,ccccccc,1.2,bench,"c, d",,40,0,,products')
        self.assertTrue(text.startswith("## MADE_UP\n\n| tool | over | date |"))
        top, history = text.split("<details>")
        self.assertIn("| tests | all | 2026-01-03 | 0.2.0 | 1.2 | 9 | 8 | 1 |  | the ninth |", top)
        self.assertIn("| memcheck | [sanitizer] | 2026-01-02 | 0.2.0 | 1.2 | 5 | 5 | 0 | 0 | "
                      "of other sources than the tests |", top)
        self.assertIn("| racecheck | [sanitizer] | 2026-01-03 | 0.2.0 | 1.2 | 6 | 6 | 0 | 0 |  |", top)
        for tool in ("synccheck", "initcheck"):  # without a count of the cases, and without a run
            self.assertIn(f"| {tool} | [sanitizer] |  |  |  |  |  |  |  | no complete run of this version |", top)
        self.assertIn("Partial runs since the complete tests: 3; cases that failed in them: 2.", top)
        self.assertNotIn("0.1.0", top)
        self.assertIn("<summary>Earlier and partial runs: 5</summary>\n\n| date |", history)
        self.assertIn("| 2026-01-04 | 0.2.0 | tests | 2 | 3 | 2 | a, b; all | four were not finished |", history)
        self.assertIn("| 2026-01-05 | 0.2.0 | bench | 1 | 40 | 0 | c, d | products |", history)
        self.assertIn("| 2026-01-01 | 0.1.0 | tests | 1 | 7 | 0 | all |  |", history)
        self.assertNotIn("0123abc", text)

    def test_of_versions_the_number_counts(self):
        text = self.verified("2026-01-01,0.10.0,aaaaaaa,1.2,tests,all,7,7,0,,",
                             "2026-01-02,0.9.1,aaaaaaa,1.2,tests,all,8,8,0,,")
        self.assertIn("| tests | all | 2026-01-01 | 0.10.0 |", text.split("<details>")[0])

    def test_runs_that_say_too_little_or_too_much_are_refused(self):
        for line, said in (("2026-01-02,0.1.0", "too many or too few fields"),
                           ("2026-01-02,0.1.0,a,1.2,tests,all,7,7,0,,,", "too many or too few fields"),
                           ("2026-01-02,,a,1.2,tests,all,7,7,0,,", "is no version"),
                           ("2026-01-02,0.1.0,a,1.2,tests,all,7,all,0,,", "needs numbers")):
            with self.assertRaisesRegex(results.ReportError, said):
                self.verified(line)
        self.RUNS = self.RUNS.replace("cases,", "")
        with self.assertRaisesRegex(results.ReportError, "its columns are"):
            self.verified("2026-01-02,0.1.0,a,1.2,tests,all,7,0,,")

    def test_pages_name_the_policies_of_the_headers(self):
        include = self.folder / "include"
        (include / "choose").mkdir(parents=True)
        (include / "policies.cuh").write_text("struct tile_8x8 : tile<block<8, 8>> {};\n"
                                              "struct ring_8x8x8_2x1\n    : ring<block<8, 8, 8>> {};\n")
        rows = include / "choose" / "kernel_table.hpp"
        table = ("using of_half = type_list<__half, __nv_bfloat16>;\n"
                 "using of_fp8 = type_list<__nv_fp8_e4m3,\n    __nv_fp8_e5m2>;\n"
                 "kernel_row<tile_8x8, of_half>, kernel_row<ring_8x8x8_2x1, of_fp8, chosen_by::run>")
        rows.write_text(table)
        self.assertEqual(named_policies.table(include).splitlines()[2:],
                         ["| `tile` | half, bf16 | `tile_8x8` |", "| `ring` | fp8 | **`ring_8x8x8_2x1`** |"])
        rows.write_text(table.replace("tile_8x8", "tile_9x9"))
        with self.assertRaisesRegex(results.ReportError, "tile_8x8, tile_9x9"):
            named_policies.table(include)

    def test_errors_of_cells_are_over_cublas(self):
        path = self.folder / "accuracy_cells.csv"
        path.write_text("# made up\nm,n,k,inputs,max,median,cublas_max,cublas_median\n"
                        "8,8,256,uniform,1,9,2,3\n8,8,1024,wide,3,1,4,8\n16,8,1024,wide,1,3,4,8\n")
        text = accuracy_cells.paragraph(path, "cells.csv")
        self.assertIn("[3 products](cells.csv) have 2 classes of inputs, 2 sizes of C, and 2 values of k from 256 to 1024.", text)
        self.assertIn("at most 0.75 of", text)
        self.assertIn("at most 0.38 of", text)

    def test_compile_costs_are_a_table(self):
        path = self.folder / "compile_cost.csv"
        head = "unit,command,seconds,bytes,kernels,nvcc,cpu,date\n"
        path.write_text(head + "run of float nn,-gencode,12.34,1480000,34,13.0,Made-up,2026-01-02\n"
                        "run of float nn,-arch,20.1,2900,34,13.0,Made-up,2026-01-02\n")
        text = compile_cost.table(path)
        self.assertIn("| `run` of float nn | 12.3 | 1.48 MB | 34 |", text)
        self.assertIn("| `run` of float nn, by `-arch=sm_90a` | 20.1 | 3 kB | 34 |", text)
        self.assertEqual(text.count("nvcc 13.0 on one core of a machine with Made-up, 2026-01-02"), 1)
        path.write_text(head)
        with self.assertRaises(results.ReportError):
            compile_cost.table(path)

    def test_other_gpus_have_the_least_and_the_greatest(self):
        class Made:
            rows = [type("Row", (), {"contender": "automatic", "problem": SQUARE,
                                     "median": lambda self, _, value=value: value})() for value in (1.5, 0.5, 1.0)]

        self.assertEqual(other_gpus.paragraph({"X1": {}, "X2": {"f32": Made, "i8": Made}}),
                         "The least and the greatest on the X2: float 0.50 to 1.50, int8 0.50 to 1.50. Not measured "
                         "there: bf16, half, tf32, double, fp8.")
        self.assertNotIn("Not", other_gpus.sentences("X2", dict.fromkeys(other_gpus.SUITES, Made)))

    def test_tables_alone_leave_the_figures(self):
        figure = self.folder / "ladder.svg"
        self.assertEqual(self.call("--tables")[0], 0)
        self.assertFalse(figure.exists())
        self.assertTrue((self.folder / "ladder.md").exists())

    def test_committed_pages_are_up_to_date(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(report.main(["--check"]), 0, said.getvalue())

    @unittest.skipUnless(MATPLOTLIB, "needs matplotlib")
    def test_the_figure_is_the_same_each_time(self):
        figures = []
        for _ in range(2):
            self.call()
            figures.append((self.folder / "ladder.svg").read_bytes())
        self.assertEqual(*figures)
        self.assertTrue(figures[0].startswith(b"<?xml"))


class BesideTorchTest(unittest.TestCase):
    CONTEXT = {"gpu": "NVIDIA H300", "torch": "2.11.0+cu130", "date": "2026-12-01"}

    def file(self, rows, name="groups"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / f"{name}.json"
        path.write_text(json.dumps({"context": self.CONTEXT, "results": rows}))
        return path

    @staticmethod
    def group(rows, vs_torch, routing="equal"):
        return {"groups": 4, "rows": 4 * rows, "n": 8, "k": 16, "routing": routing, "policy": "ring_8x8x8", "tflops": 3.5,
                "us": {"ragged": 10.0, "torch": 10 * vs_torch, "dense": 9.0}, "vs_torch": vs_torch, "of_dense": 0.9,
                "over_floor": 1.5}

    def test_groups(self):
        path = self.file([self.group(16, 2.0), self.group(64, 0.5), self.group(65, 1.25), {"problem": "x", "error": "no"}])
        said = beside_torch.groups_summary(path, "groups.md")
        self.assertIn("| equal | 1 to 64 | 2 | 1.00 | 0.500 |  |  | 1.50 | 1.50 | 3.50 |", said)
        self.assertIn("| equal | 65 to 512 | 1 | 1.25 | 1.25 | 0.900 | 0.900 |  |  | 3.50 |", said)
        self.assertIn("on NVIDIA H300, PyTorch 2.11.0, 2026-12-01.", said)
        self.assertIn("| 4 | 64 | 8 | 16 | equal | `ring_8x8x8` | 10.00 | 20.00 | 9.000 | 3.50 | 2.00 |",
                      beside_torch.groups_details(path))

    def test_groups_beside_nothing(self):
        alone = {**self.group(16, 2.0), "us": {"ragged": 10.0, "dense": 9.0}, "vs_torch": None}
        path = self.file([alone], "blocks")
        said = beside_torch.groups_summary(path, "blocks.md")
        self.assertIn("| equal | 1 to 64 | 1 |  |  | 1.50 | 1.50 | 3.50 |", said)
        self.assertIn("Of e4m3 with results in bfloat16, on NVIDIA H300", said)
        self.assertNotIn("torch._", said)
        self.assertIn("| equal | `ring_8x8x8` | 10.00 | 9.000 | 3.50 | 0.900 | 1.50 |", beside_torch.groups_details(path))
        mixed = self.file([alone, self.group(16, 2.0)], "along")
        self.assertIn("| equal | 1 to 64 | 2 | 2.00 | 2.00 |", beside_torch.groups_summary(mixed, ""))
        self.assertIn("| 10.00 |  | 9.000 | 3.50 |  | 0.900 |", beside_torch.groups_details(mixed))

    def test_experts(self):
        path = self.file([{"layer": "a", "tokens": 64, "us": {"gemm": 30.0, "torch": 45.0}, "tflops": 2.0,
                           "vs_torch": 1.5}])
        self.assertIn("| a | 64 | 30.00 | 45.00 | 2.00 | 1.50 |", beside_torch.experts_summary(path))

    def test_transformers(self):
        layer = {"width": 8, "sequences": 2, "length": 16, "dtype": "bf16", "us": {"gemm": 30.0, "torch": 45.0},
                 "vs_torch": 1.5}
        path = self.file([{**layer, "pass": "forward", "mode": "eager"}, {**layer, "pass": "forward", "mode": "graph"},
                          {**layer, "pass": "host", "mode": "eager"}, {**layer, "pass": "train", "mode": "eager"}])
        said = beside_torch.transformer_summary(path, "t.json")
        self.assertIn("| 8, 2 x 16 | bf16 | forward | 30.00 | 1.50 |  |  | 30.00 | 1.50 |", said)
        self.assertIn("| 8, 2 x 16 | bf16 | train | 30.00 | 1.50 |  |  |  |  |", said)
        self.assertNotIn("host", said)

    def test_no_results_are_an_error(self):
        path = self.file([])
        path.write_text("{}")
        with self.assertRaisesRegex(results.ReportError, "groups.json"):
            beside_torch.groups_summary(path, "")


class PeersTest(unittest.TestCase):
    def test_lists_of_shapes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "shapes.txt"
            path.write_text("# a comment\nf32 nn 2 3 4 square\n\ni8 nn 2 3 4\nbf16 nt 5 6 7 batch=8\n"
                            "f32 nn 2 3 4 square\n")
            self.assertEqual(peers.read_shapes(path),
                             [("f32", "nn", (2, 3, 4), 1, "square"), ("bf16", "nt", (5, 6, 7), 8, "")])
            path.write_text("f32 nn 2 3\n")
            with self.assertRaises(SystemExit):
                peers.read_shapes(path)


class ProfileTest(unittest.TestCase):
    TABLE = ('==PROF== Connected to process 1\nlaunched some/f32\n'
             '"ID","Kernel Name","gpu__time_duration.sum","sm__cycles_elapsed.max","launch__registers_per_thread",'
             '"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"\n'
             '"","","ns","cycle","register/thread","inst"\n'
             '"0","void sum<int, 2>(int)","12,000","20,000","32","n/a"\n'
             '"1","void product(float)","2,800,000.5","5,000,000","128","1.5"\n'
             '==PROF== Disconnected\n')

    def test_the_raw_page(self):
        kernels = profile_policies.parse_raw_page(self.TABLE)
        self.assertEqual([kernel["Kernel Name"] for kernel in kernels],
                         ["void sum<int, 2>(int)", "void product(float)"])
        self.assertEqual(profile_policies.longest(kernels)["gpu__time_duration.sum"], 2800000.5)
        self.assertNotIn("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", kernels[0])

    def test_no_table_is_an_error(self):
        for text in ("", "==PROF== nothing\n", self.TABLE.split('"0"')[0]):
            with self.assertRaises(profile_policies.ProfileError):
                profile_policies.parse_raw_page(text)

    def test_side_by_side(self):
        _, product = profile_policies.parse_raw_page(self.TABLE)
        slower = product | {"gpu__time_duration.sum": 5600001.0}
        text = profile_policies.table(["one", "two"], [product, slower])
        self.assertIn("|  | `one` | `two` | second over first |\n", text)
        self.assertIn("| time, us | 2800 | 5600 | 2.00 |\n", text)
        self.assertIn("| registers a thread | 128 | 128 | 1.00 |\n", text)
        self.assertTrue(text.endswith("| stall: long scoreboard | 1.50 | 1.50 | 1.00 |"))

    def call(self, script):
        """(exit code, stdout, stderr) with a program that behaves like this in place of ncu."""
        with tempfile.TemporaryDirectory() as folder:
            ncu = pathlib.Path(folder) / "ncu"
            ncu.write_text(f"#!/bin/sh\n{script}\n")
            ncu.chmod(0o755)
            said, complained = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
                code = profile_policies.main(["--ncu", str(ncu), "gemm_bench", "one", "two"])
        return code, said.getvalue(), complained.getvalue()

    def test_refused_counters_are_no_failure(self):
        code, said, _ = self.call("echo '==ERROR== ERR_NVGPUCTRPERM - no permission'; exit 1")
        self.assertEqual(code, 0)
        self.assertIn("performance counters are not available (ERR_NVGPUCTRPERM)", said)

    def test_other_errors_are(self):
        code, _, complained = self.call("echo 'no such policy'; exit 3")
        self.assertEqual(code, 1)
        self.assertIn("exit code 3:\nno such policy", complained)

    def test_a_whole_comparison(self):
        code, said, _ = self.call(f"cat <<'END'\n{self.TABLE}END")
        self.assertEqual(code, 0)
        self.assertIn("f32 nn 4096 4096 4096\n\n|  | `one` | `two` | second over first |", said)


if __name__ == "__main__":
    unittest.main()
