# SPDX-License-Identifier: BSL-1.0
"""The operators of gemm.torch against float64: PyTorch's own samples, a transformer layer and more.

Also the operators' gradients, and that they can be compiled and exported.

The library is that of the installed package, or the one that GEMM_LIBRARY names. With one for the CPU device the
tensors are the CPU's, and fewer. Types that it lacks are left out. Prints one sentence that begins with "skipped:"
where PyTorch, a GPU or the library is missing.
"""

import collections
import copy
import faulthandler
import importlib.util
import io
import itertools
import logging
import os
import sys
import types
import unittest
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


if importlib.util.find_spec("torch") is None:
    skip("PyTorch is not installed")

import torch

if not os.environ.get("GEMM_LIBRARY"):  # the installed package, not the sources beside this file
    here = Path(__file__).resolve().parent
    sys.path = [path for path in sys.path if Path(path or ".").resolve() != here]
    if importlib.util.find_spec("gemm") is None:
        skip("gemm is not installed, and GEMM_LIBRARY names no library")

import gemm
from gemm import _library

ON_CPU = _library.on_cpu
DEVICE = "cpu" if ON_CPU else "cuda"
if not ON_CPU and not torch.cuda.is_available():
    skip("PyTorch sees no GPU")
if not hasattr(torch.library, "get_kernel"):
    skip(f"PyTorch is {torch.__version__}, needs to be 2.9 or later")

import gemm.torch

if importlib.util.find_spec("expecttest") is None:  # its samples' module wants it, the samples do not
    sys.modules["expecttest"] = types.SimpleNamespace(TestCase=unittest.TestCase)

from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import gradcheck, gradgradcheck
from torch.export import Dim
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import gelu, relu, silu
from torch.profiler import ProfilerActivity, profile
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

PRODUCTS = set(gemm.products())
STORAGES = ["row x row", "row x column", "column x row", "column x column"]


def has(a, c, storages=STORAGES, form=""):
    """Whether the library has the product of these types, as it calls them, in these storages and a form."""
    return all(f"{a} x {a} -> {c}, {storage}{form}" in PRODUCTS for storage in storages)


NAMES = {torch.float: "float", torch.double: "double", torch.half: "half", torch.bfloat16: "bfloat16"}
TYPES = [dtype for dtype, name in NAMES.items() if has(name, name)]
if torch.float not in TYPES:
    skip("the library has no product of floats in all storages")
SOME_TYPES = TYPES[:1] if ON_CPU else TYPES  # where the types change nothing for the operators

# Operators that are sums of products of their tensors, and how often a result may be rounded to its type on its way.
ROUNDINGS = collections.defaultdict(lambda: 3)
ROUNDINGS.update({"addbmm": 12, "einsum": 6, "linalg.multi_dot": 6, "nn.functional.bilinear": 6})
OPERATORS = ["mm", "addmm", "bmm", "baddbmm", "addbmm", "mv", "addmv", "matmul", "__rmatmul__", "einsum", "tensordot"]
OPERATORS += ["nn.functional.linear", "nn.functional.bilinear", "linalg.multi_dot"]


def random(*shape, dtype=torch.float):
    return torch.randn(shape, dtype=torch.double).to(dtype).to(DEVICE)


def units_off(k):
    """How many units of float the errors of a sum of k products may add up to: they are of either sign."""
    return 8 * (1 + k**0.5)


def exact(t):
    """On the CPU, in float64, to be differentiated like the tensor."""
    return t.detach().cpu().double().requires_grad_(t.requires_grad)


def map_tensors(f, tree):
    return tree_map(lambda x: f(x) if isinstance(x, torch.Tensor) else x, tree)


def about(op, args, scalars):
    return {"op": str(op), "args": [getattr(x, "shape", x) for x in args], **scalars}


def compile(f, backend="aot_eager", **options):
    """In one graph."""
    torch.compiler.reset()
    return torch.compile(f, fullgraph=True, backend=backend, **options)


def fake(tree):
    mode = FakeTensorMode()
    return map_tensors(mode.from_tensor, tree)


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, got, want, magnitude, units=units_off(64), roundings=1):
        """got is a sum of products whose magnitudes add up to `magnitude`.

        It is off by so many units of the sums' type, and rounded so often to its own.
        """
        self.assertEqual(got.shape, want.shape)
        kind = torch.finfo(got.dtype)
        sums = torch.finfo(torch.double if got.dtype == torch.double else torch.float)
        bound = magnitude * (kind.eps * roundings / 2 + sums.eps * units) + roundings * kind.smallest_normal * kind.eps
        right = (exact(got) - want).abs() <= bound  # a NaN is not
        worst = ((exact(got) - want).abs() / bound).nan_to_num(nan=torch.inf).max() if right.numel() else 0
        self.assertTrue(right.all(), f"{(~right).sum()} of {right.numel()} elements are wrong, by {worst} of the bound")


class Operators(Case):
    """PyTorch's samples, forwards and backwards."""

    @staticmethod
    def results(op, inputs, gradients=None):
        """What the operator gives, and its gradients; those of the result are `gradients` or, first, random."""
        first, args, scalars = inputs
        out = op(first, *args, **scalars)
        leaves = [t for t in tree_leaves(inputs) if isinstance(t, torch.Tensor) and t.requires_grad]
        if not leaves:
            return [out], gradients
        if gradients is None:
            gradients = random(*out.shape, dtype=out.dtype)
        return [out, *torch.autograd.grad(out, leaves, gradients)], gradients

    def check_sample(self, op, sample):
        """Returns the number of products by the library, or None where the type may not hold the result."""
        inputs = sample.input, tuple(sample.args), sample.kwargs
        with gemm.torch.replace_products() as count:
            got, gradients = self.results(op, inputs)
        dtype = got[0].dtype
        exact_gradients = None if gradients is None else exact(gradients)
        want, _ = self.results(op, map_tensors(exact, inputs), exact_gradients)
        scalars = {name: abs(value) if name in ("alpha", "beta") else value for name, value in sample.kwargs.items()}
        positive = (*inputs[:2], scalars)
        absolute = map_tensors(lambda t: exact(t.detach().abs().requires_grad_(t.requires_grad)), positive)
        magnitudes, _ = self.results(op, absolute, None if gradients is None else exact_gradients.abs())
        if any(m.numel() and m.max() > torch.finfo(dtype).max / 2 for m in magnitudes):
            return None
        for result, value, magnitude in zip(got, want, magnitudes, strict=True):
            self.assertEqual(result.dtype, dtype)
            self.check(result, value.detach(), magnitude.detach(), roundings=ROUNDINGS[op.name])
        return count.total()

    def test_samples(self):
        total = collections.Counter()
        chosen = [op for op in op_db if op.name in OPERATORS]
        self.assertEqual({op.name for op in chosen}, set(OPERATORS))
        for op in chosen:
            seen = collections.Counter()
            for dtype in TYPES:
                if dtype not in op.supported_dtypes(DEVICE):
                    continue
                backward = dtype in op.supported_backward_dtypes(DEVICE)
                with self.subTest(op=op.full_name, dtype=dtype):
                    products = 0
                    for sample in op.sample_inputs(DEVICE, dtype, requires_grad=backward):
                        for variant in (sample, sample.noncontiguous()):
                            called = self.check_sample(op, variant)
                            products += called or 0
                            seen.update(samples=called is not None, too_large=called is None)
                    self.assertGreater(products, 0)
                    seen.update(products=products, types=1)
            total.update(seen, operators=1)
            print(f"{op.full_name}: {seen['samples']} samples of {seen['types']} types, {seen['products']} products")
        print(
            f"{total['samples']} samples of {total['operators']} operators, {total['products']} products by the "
            f"library; {total['too_large']} samples left out, beyond their type's range"
        )

    def test_complex_products_stay_pytorchs(self):
        a, b = random(5, 4).to(torch.cfloat), random(4, 3).to(torch.cfloat)
        want = a @ b
        with gemm.torch.replace_products() as count:
            got = a @ b
        self.assertTrue(torch.equal(got, want))
        self.assertEqual(count.total(), 0)


class Products(Case):
    """torch.ops.gemm itself."""

    @staticmethod
    def storages(rows, columns, dtype):
        """Matrices of one shape in memory of all kinds."""
        yield "contiguous", random(rows, columns, dtype=dtype)
        yield "transposed", random(columns, rows, dtype=dtype).t()
        yield "part", random(rows + 2, columns + 3, dtype=dtype)[1:-1, 1:-2]
        yield "part of transposed", random(columns + 2, rows + 3, dtype=dtype).t()[1:-2, 1:-1]
        yield "every second column", random(rows, 2 * columns, dtype=dtype)[:, ::2]
        yield "one row", random(columns, dtype=dtype).expand(rows, columns)
        yield "windows of a row", random(rows + columns, dtype=dtype).as_strided((rows, columns), (1, 1))
        yield "one column", random(rows, 1, dtype=dtype).expand(rows, columns)

    @staticmethod
    def batches(count, rows, columns, dtype):
        yield "contiguous", random(count, rows, columns, dtype=dtype)
        yield "transposed", random(count, columns, rows, dtype=dtype).mT
        yield "rows between", random(rows, count, columns, dtype=dtype).transpose(0, 1)
        yield "one matrix", random(rows, columns, dtype=dtype).expand(count, rows, columns)
        yield "every second column", random(count, rows, 2 * columns, dtype=dtype)[..., ::2]

    def call(self, op, *args, **scalars):
        """What the operator gives; for fake tensors it gives one of the same shape, strides, type and device."""
        got = op(*args, **scalars)
        expected, *kinds = [(t.shape, t.stride(), t.dtype, t.device) for t in (got, op(*fake(args), **scalars))]
        self.assertEqual(kinds, [expected])
        return got

    def check_product(self, product, a, b):
        got = self.call(product, a, b)
        self.check(got, exact(a) @ exact(b), exact(a).abs() @ exact(b).abs(), units_off(a.shape[-1]))

    def test_storages(self):
        sizes = [(9, 33, 17), (1, 20, 10), (10, 20, 1), (20, 1, 10), (1, 1, 1), (0, 3, 4), (3, 0, 4), (3, 4, 0)]
        sizes += [] if ON_CPU else [(33, 65, 17), (96, 256, 64)]
        for dtype, (m, k, n) in itertools.product(SOME_TYPES, sizes):
            for (x, a), (y, b) in itertools.product(self.storages(m, k, dtype), self.storages(k, n, dtype)):
                with self.subTest(dtype=dtype, sizes=(m, n, k), a=x, b=y):
                    self.check_product(gemm.torch.ops.mm, a, b)

    def test_batches(self):
        for dtype, (count, m, k, n) in itertools.product(SOME_TYPES, [(3, 9, 33, 20), (1, 4, 5, 6), (0, 4, 5, 6)]):
            for (x, a), (y, b) in itertools.product(self.batches(count, m, k, dtype), self.batches(count, k, n, dtype)):
                with self.subTest(dtype=dtype, sizes=(count, m, n, k), a=x, b=y):
                    self.check_product(gemm.torch.ops.bmm, a, b)

    def test_large_products(self):
        sizes = [(70, 100, 77), (8, 1024, 16)] if ON_CPU else [(512, 1000, 777), (64, 16384, 48)]
        for dtype, (m, k, n) in itertools.product(TYPES, sizes):
            with self.subTest(dtype=dtype, sizes=(m, n, k)):
                self.check_product(gemm.torch.ops.mm, random(m, k, dtype=dtype), random(n, k, dtype=dtype).t())

    def test_input_alpha_and_beta(self):
        m, k, n = 20, 30, 40
        inputs = {
            "one number": lambda dtype: random(dtype=dtype),
            "row": lambda dtype: random(n, dtype=dtype),
            "matrix of a row": lambda dtype: random(1, n, dtype=dtype),
            "every second value": lambda dtype: random(2 * n, dtype=dtype)[::2],
            "column": lambda dtype: random(m, 1, dtype=dtype),
            "matrix": lambda dtype: random(m, n, dtype=dtype),
            "transposed matrix": lambda dtype: random(n, m, dtype=dtype).t(),
            "expanded matrix": lambda dtype: random(n, dtype=dtype).expand(m, n),
        }
        for dtype, shape, alpha, beta in itertools.product(SOME_TYPES, inputs, (1, -0.5, 0), (1, 2, 0)):
            a, b, c = random(2, m, k, dtype=dtype), random(2, n, k, dtype=dtype).mT, inputs[shape](dtype)
            if beta == 0:
                c = torch.full_like(c, torch.nan)  # must not be read
            if alpha == 0:
                a.fill_(torch.nan)
            product, magnitude = exact(a).nan_to_num() @ exact(b), exact(a).nan_to_num().abs() @ exact(b).abs()
            want = alpha * product + beta * exact(c).nan_to_num()
            magnitude = abs(alpha) * magnitude + beta * exact(c).nan_to_num().abs()
            with self.subTest(dtype=dtype, input=shape, alpha=alpha, beta=beta):
                got = self.call(gemm.torch.ops.baddbmm, c, a, b, beta=beta, alpha=alpha)
                self.check(got, want, magnitude)
                got = self.call(gemm.torch.ops.addmm, c, a[0], b[0], beta=beta, alpha=alpha)
                self.check(got, want[0], magnitude[0])

    def test_batches_of_input(self):
        for dtype, beta in itertools.product(SOME_TYPES, (1, -2)):
            a, b = random(3, 5, 6, dtype=dtype), random(3, 6, 7, dtype=dtype)
            for shape in (3, 5, 7), (1, 5, 7), (5, 7), (3, 1, 7), (3, 5, 1), (1, 1, 7):
                c = random(*shape, dtype=dtype)
                for input in c, c[:1].expand(c.shape):
                    with self.subTest(dtype=dtype, shape=shape, strides=input.stride()):
                        want = exact(a) @ exact(b) + beta * exact(input)
                        magnitude = exact(a).abs() @ exact(b).abs() + abs(beta) * exact(input).abs()
                        self.check(self.call(gemm.torch.ops.baddbmm, input, a, b, beta=beta), want, magnitude)

    def test_linear(self):
        activations = {
            "none": lambda x: x,
            "relu": relu,
            "gelu": gelu,
            "gelu_tanh": lambda x: gelu(x, approximate="tanh"),
            "silu": silu,
            "sigmoid": torch.sigmoid,
        }
        inputs = [(30,), (20, 30), (2, 5, 30), (2, 0, 30), (4, 0)]
        for dtype, shape, name, biased in itertools.product(SOME_TYPES, inputs, activations, (False, True)):
            x, bias = random(*shape, dtype=dtype), random(40, dtype=dtype) if biased else None
            for weight in random(40, shape[-1], dtype=dtype), random(shape[-1], 40, dtype=dtype).t():
                with self.subTest(dtype=dtype, input=shape, activation=name, biased=biased, weight=weight.stride()):
                    exact_bias = exact(bias) if biased else torch.zeros(40, dtype=torch.double)
                    want = activations[name](exact(x) @ exact(weight).t() + exact_bias)
                    magnitude = exact(x).abs() @ exact(weight).abs().t() + exact_bias.abs()
                    got = self.call(gemm.torch.ops.linear, x, weight, bias, name)
                    # Of a sum near 0, sigmoid errs by units of its own value.
                    self.check(got, want, magnitude + want.abs(), roundings=2)
                    promised = gemm.torch.ops.linear(x, weight, bias, name, True)
                    self.assertTrue(torch.equal(promised, got))

    def test_what_is_not_needed_is_not_looked_at(self):
        """Nor is it copied or expanded: the operator itself calls no operator that takes it."""
        ops, windows = gemm.torch.ops, random(100).as_strided((6, 5), (1, 1))  # a product would copy it
        a, column, rows = random(6, 5), random(6, 1), random(5, 2, 6).transpose(0, 1)[..., ::2]
        for op, args, scalars in [
            (ops.addmm, (column, a, a.t()), {"beta": 0}),
            (ops.addmm, (column, windows, windows.t()), {"beta": 0, "alpha": 0}),
            (ops.baddbmm, (column, a[None], a.t()[None]), {"beta": 0}),
            (ops.baddbmm, (column, windows[None], windows.t()[None]), {"beta": 0, "alpha": 0}),
            (ops.addmm, (column, windows, random(5, 0)), {}),
            (ops.mm, (windows, random(5, 0)), {}),
            (ops.mm, (random(0, 6), windows), {}),
            (ops.mm, (random(6, 0), random(0, 5)), {}),
            (ops.bmm, (windows.expand(3, 6, 5), random(3, 5, 0)), {}),
            (ops.bmm, (windows.expand(0, 6, 5), windows.t().expand(0, 5, 6)), {}),
            (ops.linear, (rows, random(0, 3), None), {}),
            (ops.linear, (random(2, 0, 5), windows, random(12)[::2]), {}),
        ]:
            with self.subTest(**about(op, args, scalars)):
                with torch.inference_mode(), profile(activities=[ProfilerActivity.CPU], acc_events=True) as trace:
                    op(*args, **scalars)
                called = {event.name for event in trace.events() if event.name.startswith("aten::")}
                self.assertIn("aten::empty", called)
                self.assertLessEqual(called, {"aten::new_empty", "aten::empty", "aten::zero_", "aten::fill_"})

    def test_what_is_wrong_is_said(self):
        """Of fake tensors too, of those without memory, and by what is compiled."""
        logging.disable(logging.ERROR)  # PyTorch logs what an operator raises for fake tensors
        self.addCleanup(logging.disable, logging.NOTSET)
        ops, a, b, batch, fits = gemm.torch.ops, random(5, 4), random(6, 3), random(2, 5, 4), random(4, 3)
        for op, args, scalars, sentence in [
            (ops.mm, (a, b), {}, "mat2 has 6 rows, needs 4, the columns of self"),
            (ops.mm, (a, b[0]), {}, "mat2 has 1 dimensions, needs 2"),
            (ops.mm, (a[0], b), {}, "self has 1 dimensions, needs 2"),
            (ops.mm, (a, b.half()), {}, "mat2 is of float16, needs float32 like self"),
            (ops.mm, (a.int(), b.int()), {}, "self is of int32, needs bfloat16 or float16 or float32"),
            (ops.bmm, (batch, random(3, 4, 6)), {}, "mat2 has 3 matrices, needs 2 like self"),
            (ops.bmm, (batch, random(2, 5, 6)), {}, "mat2 has 5 rows, needs 4, the columns of self"),
            (ops.addmm, (random(4), a, fits), {}, r"self has the shape \[4\], needs one that expands to \[5, 3\]"),
            (ops.addmm, (random(4), a, fits), {"beta": 0}, r"self has the shape \[4\], needs one that expands to"),
            (ops.addmm, (random(1, 5, 3), a, fits), {"beta": 0}, "self has 3 dimensions, needs at most 2"),
            (ops.addmm, (random(3).half(), a, fits), {"beta": 0}, "self is of float16, needs float32"),
            (ops.addmm, (random(3), a, b), {}, "mat2 has 6 rows, needs 4, the columns of mat1"),
            (ops.addmm, (random(3), a, fits), {"beta": 1j}, "beta or alpha is complex, both need to be real"),
            (ops.baddbmm, (random(3, 5, 6), batch, random(2, 4, 6)), {}, r"self has the shape \[3, 5, 6\]"),
            (ops.baddbmm, (random(6), batch, random(4, 6)), {"beta": 0}, "batch2 has 2 dimensions, needs 3"),
            (ops.linear, (a, random(7, 5)), {}, "weight has 5 columns, needs 4 like input"),
            (ops.linear, (a, random(7, 4), random(6)), {}, "bias has 6 values, needs 7, one for each row of weight"),
            (ops.linear, (a, random(7, 4), random(7, 1)), {}, "bias has 2 dimensions, needs 1"),
            (ops.linear, (random(), random(7, 4)), {}, "input has 0 dimensions, needs 1 or more"),
            (ops.linear, (a, random(7, 4), None, "tanh"), {}, "activation is tanh, needs one of none, relu"),
        ]:
            without_memory = map_tensors(lambda t: t.to("meta"), args)
            for kind, operands in ("real", args), ("fake", fake(args)), ("without memory", without_memory):
                with self.subTest(kind, sentence=sentence), self.assertRaisesRegex(RuntimeError, f"gemm: {sentence}"):
                    op(*operands, **scalars)
            with self.subTest("compiled", sentence=sentence), self.assertRaisesRegex(RuntimeError, sentence):
                torch.compile(lambda *x: op(*x, **scalars), fullgraph=True, backend="aot_eager")(*args)
            torch.compiler.reset()

    def test_another_device_is_refused(self):
        sentence = "gemm: mat2 is on cpu, needs to be on cuda:0 like self"
        with FakeTensorMode(), self.assertRaisesRegex(RuntimeError, sentence):
            gemm.torch.ops.mm(torch.empty(5, 4, device="cuda"), torch.empty(4, 3))
        if not ON_CPU:
            with self.assertRaisesRegex(RuntimeError, sentence):
                gemm.torch.ops.mm(random(5, 4), random(4, 3).cpu())

    @unittest.skipIf(ON_CPU, "there are no graphs")
    def test_graph(self):
        """A capture takes only what is enqueued on its own stream; k is split, in a workspace of the graph's."""
        for dtype in TYPES:
            with self.subTest(dtype=dtype):
                a, b = random(64, 8192, dtype=dtype), random(8192, 48, dtype=dtype)
                gemm.torch.ops.mm(a, b)
                torch.cuda.synchronize()
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    got = gemm.torch.ops.mm(a, b)
                a.copy_(random(64, 8192, dtype=dtype))
                graph.replay()
                self.check(got, exact(a) @ exact(b), exact(a).abs() @ exact(b).abs(), units_off(8192))

    @unittest.skipIf(ON_CPU, "there are no streams")
    def test_stream(self):
        """On PyTorch's current stream: behind what that still has to do, which makes the operand."""
        for dtype in TYPES:
            source, b = random(64, 64, dtype=dtype), random(64, 64, dtype=dtype)
            a = torch.zeros_like(source)
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                torch.cuda._sleep(20_000_000)
                a.copy_(source)
                got = gemm.torch.ops.mm(a, b)
            stream.synchronize()
            with self.subTest(dtype=dtype):
                self.check(got, exact(source) @ exact(b), exact(source).abs() @ exact(b).abs())

    def test_threads(self):
        """Each thread has its own call."""
        sizes = [(1 + i, 5 + i % 3, 2 + i % 7) for i in range(24)]
        operands = [(random(m, k), random(k, n), random(n)) for m, k, n in sizes]

        def results(i):
            a, b, bias = operands[i % len(operands)]
            return gemm.torch.ops.mm(a, b), gemm.torch.ops.addmm(bias, a, b)

        with ThreadPoolExecutor(4) as pool:
            for i, (product, total) in enumerate(pool.map(results, range(4 * len(operands)))):
                a, b, bias = map(exact, operands[i % len(operands)])
                self.check(product, a @ b, a.abs() @ b.abs())
                self.check(total, a @ b + bias, a.abs() @ b.abs() + bias.abs())


class Quantised(Case):
    """int_mm and scaled_mm."""

    @staticmethod
    def integers(*shape, dtype=torch.int8):
        return torch.randint(-4, 5, shape).to(dtype).to(DEVICE)

    def test_int_mm(self):
        if not has("int8", "int32"):
            self.skipTest("int8 is not compiled")
        for m, k, n in [(17, 33, 9), (1, 600, 5), (20, 0, 3), (0, 4, 4)]:
            for a, b in itertools.product(
                (self.integers(m, k), self.integers(k, m).t()), (self.integers(k, n), self.integers(n, k).t())
            ):
                got = gemm.torch.ops.int_mm(a, b)
                self.assertIs(got.dtype, torch.int32)
                self.assertTrue(torch.equal(exact(got), exact(a) @ exact(b)))
                torch.library.opcheck(gemm.torch.ops.int_mm.default, (a, b))
        with self.assertRaisesRegex(RuntimeError, "gemm: self is of float32, needs int8"):
            gemm.torch.ops.int_mm(random(4, 4), random(4, 4))

    def operands(self, m=20, k=32, n=16):
        if not has("e4m3", "bfloat16", ["row x column"]):
            self.skipTest("e4m3 is not compiled")
        kind = torch.float8_e4m3fn
        return self.integers(m, k, dtype=kind), self.integers(n, k, dtype=kind).t()

    def test_scales(self):
        """Numbers, and those of rows and columns, as powers of two: the results are exact before they are rounded."""
        (a, b), (m, n) = self.operands(), (20, 16)
        powers = lambda *shape: torch.exp2(torch.randint(-3, 4, shape)).float().to(DEVICE)
        kinds = [(1,), (m, 1)], [(1, 1), (1, n)]
        for of_a, of_b in itertools.product(*kinds):
            scale_a, scale_b = powers(*of_a), powers(*of_b)
            arguments = a, b, scale_a, scale_b
            with self.subTest(scale_a=of_a, scale_b=of_b):
                got = gemm.torch.ops.scaled_mm(*arguments, out_dtype=torch.bfloat16)
                want = (exact(a) * exact(scale_a)) @ (exact(b) * exact(scale_b))
                self.assertTrue(torch.equal(got, want.to(torch.bfloat16).to(DEVICE)))
                # PyTorch's other tests lack fp8.
                utils = "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic"
                named = {"out_dtype": torch.bfloat16}
                torch.library.opcheck(gemm.torch.ops.scaled_mm.default, arguments, named, test_utils=utils)

    def test_scales_of_blocks(self):
        """As torch._scaled_mm has them in memory, and contiguous; sizes that end within a block."""
        forms = "1 x 128 and 128 x 1", "1 x 128 and 128 x 128", "128 x 128 and 128 x 1"
        if not all(has("e4m3", "bfloat16", ["row x column"], f", scales of {form}") for form in forms):
            self.skipTest("scales of blocks are not compiled")
        (m, k, n), kb, mb, nb = (150, 300, 140), 3, 2, 2
        a, b = self.operands(m, k, n)
        powers = lambda *shape: torch.exp2(torch.randint(-1, 2, shape)).float().to(DEVICE)
        spread = lambda scale, rows, columns: exact(scale).repeat_interleave(rows, 0).repeat_interleave(columns, 1)
        of_rows, of_columns = powers(kb, m).t(), powers(kb, n)
        # Leading dimensions of 4, as for cublasLt.
        tiles_a, tiles_b = powers(mb, 4)[:, :kb], powers(nb, 4)[:, :kb].t()
        for scale_a, scale_b in [(of_rows, of_columns), (of_rows, tiles_b), (tiles_a, of_columns)]:
            rows, columns = 1 if scale_a is of_rows else 128, 1 if scale_b is of_columns else 128
            wide_a = exact(a) * spread(scale_a, rows, 128)[:m, :k]
            want = wide_a @ (exact(b) * spread(scale_b, 128, columns)[:k, :n])
            for given in (scale_a, scale_b), (scale_a.contiguous(), scale_b.contiguous()):
                arguments, named = (a, b, *given), {"out_dtype": torch.bfloat16}
                with self.subTest(scale_a=[*scale_a.shape], scale_b=[*scale_b.shape], strides=given[0].stride()):
                    got = gemm.torch.ops.scaled_mm(*arguments, **named)
                    self.assertTrue(torch.equal(got, want.to(torch.bfloat16).to(DEVICE)))
                    utils = "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic"
                    torch.library.opcheck(gemm.torch.ops.scaled_mm.default, arguments, named, test_utils=utils)
                    self.assertTrue(torch.equal(gemm.matmul(a, b, scale_a=given[0], scale_b=given[1]), got))
        for pair in (tiles_a, tiles_b), (of_rows, of_columns[:, :1]), (of_rows[:, :2], of_columns):
            words = r"scale_a and scale_b have the shapes .*, not both of 128 x 128"
            with self.assertRaisesRegex(RuntimeError, words):
                gemm.torch.ops.scaled_mm(a, b, *pair)
            with self.assertRaisesRegex(ValueError, words):
                gemm.matmul(a, b, scale_a=pair[0], scale_b=pair[1])

    def test_scaled_epilogue(self):
        a, b = self.operands()
        one, bias, factor = torch.full((1,), 0.125, device=DEVICE), random(16), torch.full((), 4.0, device=DEVICE)
        product = exact(a) @ exact(b) / 64
        activations = {"none": lambda x: x, "relu": relu, "silu": silu}
        for name, dtype in itertools.product(activations, (torch.bfloat16, torch.float)):
            got = gemm.torch.ops.scaled_mm(
                a, b, one, one, bias.to(dtype), factor, torch.bfloat16, use_fast_accum=True, activation=name
            )
            want = 4 * activations[name](product + exact(bias.to(torch.bfloat16)))
            self.check(got, want, 4 * (product.abs() + exact(bias).abs()), roundings=2)

    def test_what_is_wrong_is_said(self):
        a, b = self.operands()
        one, bias = torch.ones(1, device=DEVICE), random(16)
        for arguments, sentence in [
            ((a, b, random(20, 2), one), r"scale_a and scale_b have the shapes \[20, 2\] and \[1\], need one element"),
            (
                (a, b, one, random(16, 1)),
                r"scale_a and scale_b have the shapes \[1\] and \[16, 1\], .* or \[1, 16\]; or",
            ),
            ((a, b, one.double(), one), "scale_a is of float64, needs float32"),
            ((a, b.to(torch.bfloat16), one, one), "mat2 is of bfloat16, needs float8_e4m3fn or float8_e5m2"),
            ((a, b[1:], one, one), "mat2 has 31 rows, needs 32, the columns of self"),
            ((a, b, one, one, bias[1:]), "bias has 15 values, needs 16, one for each column of mat2"),
            ((a, b, one, one, bias, torch.ones(2, device=DEVICE)), "scale_result has 2 elements, needs 1"),
            ((a, b, one, one, bias, None, torch.int8), "the result is of int8, needs"),
            ((a, b, one, one, bias, None, torch.bfloat16, False, "tanh"), "activation is tanh, needs one of none"),
        ]:
            for kind, operands in ("real", arguments), ("fake", fake(arguments)):
                with self.subTest(kind, sentence=sentence), self.assertRaisesRegex(RuntimeError, f"gemm: {sentence}"):
                    gemm.torch.ops.scaled_mm(*operands)

    def test_what_is_not_compiled_is_said_by_the_library(self):
        a, b = self.operands()
        one = torch.ones(1, device=DEVICE)
        if has("e4m3", "half", ["row x column"]):
            self.skipTest("all is compiled")
        with self.assertRaisesRegex(gemm.InvalidArgument, "e4m3 x e4m3 -> half, .* not compiled into this library"):
            gemm.torch.ops.scaled_mm(a, b, one, one, out_dtype=torch.half)

    def test_no_gradients(self):
        a, b = self.operands()
        one, bias = torch.ones(1, device=DEVICE), random(16, dtype=torch.bfloat16).requires_grad_()
        got = gemm.torch.ops.scaled_mm(a, b, one, one, bias, out_dtype=torch.bfloat16)
        with self.assertRaisesRegex(NotImplementedError, "scaled_mm has no gradients"):
            got.sum().backward()


class Grouped(Case):
    """grouped_mm and scaled_grouped_mm, of matrices and batches."""

    SHAPES = {"rows": (2, 3), "columns": (3, 2), "k": (2, 2), "none": (3, 3)}
    ENDS, LENGTH, M, N, K = [5, 5, 21, 30], 33, 12, 10, 16  # one group is empty, and what is behind 30 of none

    @staticmethod
    def reference(a, b, ends):
        starts = [0, *ends[:-1]]
        if a.dim() == b.dim() == 3:
            return a @ b
        if a.dim() == b.dim() == 2:
            return torch.stack([a[:, i:j] @ b[i:j] for i, j in zip(starts, ends)])
        if a.dim() == 2:
            parts = [a[i:j] @ b[g] for g, (i, j) in enumerate(zip(starts, ends))]
            return torch.cat([*parts, a.new_zeros(len(a) - ends[-1], b.shape[2])])
        parts = [a[g] @ b[:, i:j] for g, (i, j) in enumerate(zip(starts, ends))]
        return torch.cat([*parts, a.new_zeros(a.shape[1], b.shape[1] - ends[-1])], 1)

    def sizes(self, kind):
        g, length = len(self.ENDS), self.LENGTH
        m, n, k = (
            length if kind == name else size for name, size in zip(["rows", "columns", "k"], (self.M, self.N, self.K))
        )
        of_a, of_b = self.SHAPES[kind]
        return (m, k) if of_a == 2 else (g, m, k), (k, n) if of_b == 2 else (g, k, n)

    def operands(self, kind, dtype, is_transposed=(False, False)):
        """Small integers, whose products are exact."""
        each = []
        for shape, flips in zip(self.sizes(kind), is_transposed):
            stored = (*shape[:-2], shape[-1], shape[-2]) if flips else shape
            t = torch.randint(-3, 4, stored).to(dtype).to(DEVICE)
            each.append(t.mT if flips else t)
        ends = None if kind == "none" else torch.tensor(self.ENDS, dtype=torch.int32, device=DEVICE)
        return *each, ends

    def types(self):
        forms = ", ragged rows", ", ragged columns", ", ragged k"
        found = [dtype for dtype, name in NAMES.items() if all(has(name, name, form=form) for form in forms)]
        if not found:
            self.skipTest("products in groups are not compiled")
        return found

    def test_products(self):
        for dtype, kind, *flips in itertools.product(self.types(), self.SHAPES, (False, True), (False, True)):
            a, b, ends = self.operands(kind, dtype, flips)
            with self.subTest(dtype=dtype, kind=kind, flips=flips):
                got = gemm.torch.ops.grouped_mm(a, b, ends)
                want = self.reference(exact(a), exact(b), self.ENDS)
                self.assertTrue(torch.equal(got, want.to(dtype).to(DEVICE)))

    def test_as_pytorch(self):
        """The same of torch._grouped_mm, where all belongs to a group."""
        a, b, _ = self.operands("rows", torch.bfloat16, (False, True))
        self.types()
        ends = torch.tensor([5, 5, 21, self.LENGTH], dtype=torch.int32, device=DEVICE)
        self.assertTrue(torch.equal(gemm.torch.ops.grouped_mm(a, b, ends), torch._grouped_mm(a, b, ends)))

    def test_gradients(self):
        for dtype, kind in itertools.product(self.types(), self.SHAPES):
            a, b, ends = self.operands(kind, dtype)
            leaves = [t.requires_grad_() for t in (a, b)]
            wide = [exact(t) for t in leaves]
            got, want = gemm.torch.ops.grouped_mm(*leaves, ends), self.reference(*wide, self.ENDS)
            gradient = torch.randint(-3, 4, want.shape).double()
            results = torch.autograd.grad(got, leaves, gradient.to(dtype).to(DEVICE))
            expected = torch.autograd.grad(want, wide, gradient)
            for got, want in zip(results, expected):
                with self.subTest(dtype=dtype, kind=kind):
                    self.assertTrue(torch.equal(got, want.to(dtype).to(DEVICE)))

    def test_scales(self):
        forms = {"rows": ", ragged rows", "columns": ", ragged columns", "k": ", ragged k", "none": ""}
        if not all(has("e4m3", "bfloat16", ["row x column"], form) for form in forms.values()):
            self.skipTest("products in groups of e4m3 are not compiled")
        powers = lambda *shape: torch.exp2(torch.randint(-1, 2, shape)).float().to(DEVICE)
        for kind in self.SHAPES:
            a, b, ends = self.operands(kind, torch.float8_e4m3fn, (False, True))
            groups, m, n = len(self.ENDS), a.shape[-2], b.shape[-1]
            of_k = kind == "k"
            scale_a = powers(*a.shape[:-1]) if not of_k else powers(groups * m)
            scale_b = powers(*b.shape[:-2], n) if not of_k else powers(groups * n)
            got = gemm.torch.ops.scaled_grouped_mm(a, b, scale_a, scale_b, ends, use_fast_accum=True)
            if of_k:
                want = self.reference(exact(a), exact(b), self.ENDS)
                want = want * exact(scale_a).view(groups, m, 1) * exact(scale_b).view(groups, 1, n)
            else:
                want = self.reference(
                    exact(a) * exact(scale_a)[..., None], exact(b) * exact(scale_b).unsqueeze(-2), self.ENDS
                )
            with self.subTest(kind=kind):
                self.assertIs(got.dtype, torch.bfloat16)
                self.assertTrue(torch.equal(got, want.to(torch.bfloat16).to(DEVICE)))
                utils = "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic"
                op = gemm.torch.ops.scaled_grouped_mm.default
                torch.library.opcheck(op, (a, b, scale_a, scale_b, ends), test_utils=utils)
        with self.assertRaisesRegex(NotImplementedError, "scaled_grouped_mm has no gradients"):
            gemm.torch.ops.scaled_grouped_mm(a, b, scale_a.requires_grad_(), scale_b, ends).sum().backward()

    def test_opcheck_and_compile(self):
        dtype = self.types()[0]
        for kind in self.SHAPES:
            a, b, ends = self.operands(kind, dtype)
            with self.subTest(kind=kind):
                leaves = [t.requires_grad_() for t in (a, b)]
                torch.library.opcheck(gemm.torch.ops.grouped_mm.default, (*leaves, ends))
                f = lambda a, b: gemm.torch.ops.grouped_mm(a, b, ends).relu()
                self.assertTrue(torch.equal(compile(f)(a, b), f(a, b)))
        with torch.autocast(DEVICE, dtype=dtype):
            got = gemm.torch.ops.grouped_mm(a.float(), b.float(), ends)
        self.assertTrue(torch.equal(got, gemm.torch.ops.grouped_mm(a, b, ends)))

    def test_graph(self):
        """Other ends at a replay."""
        if ON_CPU:
            self.skipTest("there are no graphs on the CPU")
        a, b, ends = self.operands("rows", self.types()[0])
        gemm.torch.ops.grouped_mm(a, b, ends)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            c = gemm.torch.ops.grouped_mm(a, b, ends)
        for others in [1, 9, 9, 33], [0, 0, 0, 0]:
            ends.copy_(torch.tensor(others, dtype=torch.int32))
            graph.replay()
            self.assertTrue(torch.equal(exact(c), self.reference(exact(a), exact(b), others).to(a.dtype).double()))

    def test_what_is_wrong_is_said(self):
        dtype = self.types()[0]
        a, b, ends = self.operands("rows", dtype)
        op, scaled = gemm.torch.ops.grouped_mm, gemm.torch.ops.scaled_grouped_mm
        f8 = [t.to(torch.float8_e4m3fn) for t in (a, b)]
        one, other = torch.ones(self.LENGTH, device=DEVICE), torch.ones(len(self.ENDS), self.N, device=DEVICE)
        for f, arguments, sentence in [
            (op, (a, b), "offs is None, needs the ends of groups where self or mat2 is a matrix"),
            (op, (a, b, ends[1:]), "offs has 3 ends, needs 4, the matrices of mat2"),
            (op, (a, b, ends.long()), "offs is of int64, needs int32"),
            (op, (a, b, ends[None]), "offs has 2 dimensions, needs 1"),
            (op, (b, b.mT, ends), "offs is given, needs None where self and mat2 are batches"),
            (op, (b, b), "mat2 has 16 rows, needs 10, the columns of self"),
            (op, (a, b[:, 1:], ends), "mat2 has 15 rows, needs 16, the columns of self"),
            (op, (a[0], b, ends), "self has 1 dimensions, needs 2 or 3"),
            (op, (a, b.double(), ends), "mat2 is of float64, needs"),
            (op, (a, b, ends, one), "bias is given, needs None"),
            (op, (a, b, ends, None, torch.double), "out_dtype is float64, needs None or"),
            (scaled, (*f8, one[1:], other, ends), r"scale_a has the shape \[32\], needs \[33\]"),
            (scaled, (*f8, one, other[0], ends), r"scale_b has the shape \[10\], needs \[4, 10\]"),
        ]:
            for kind, operands in ("real", arguments), ("fake", fake(arguments)):
                with self.subTest(kind, sentence=sentence), self.assertRaisesRegex(RuntimeError, f"gemm: {sentence}"):
                    f(*operands)


class Modes(Case):
    """Autocast and vmap."""

    @unittest.skipIf(torch.bfloat16 not in TYPES, "bfloat16 is not compiled")
    def test_autocast(self):
        ops, a, b, bias = gemm.torch.ops, random(5, 4), random(4, 3), random(3)
        whole = a.requires_grad_(), b, bias
        calls = {
            "mm": lambda a, b, bias: ops.mm(a, b),
            "bmm": lambda a, b, bias: ops.bmm(a[None], b[None]),
            "addmm": lambda a, b, bias: ops.addmm(bias, a, b, beta=0.5, alpha=2),
            "baddbmm": lambda a, b, bias: ops.baddbmm(bias, a[None], b[None], alpha=2),
            "linear": lambda a, b, bias: ops.linear(a, b.t(), bias, activation="gelu"),
        }
        for name, call in calls.items():
            want = call(*(t.to(torch.bfloat16) for t in whole))
            by_a = torch.autograd.grad(want.sum(), a)[0]
            for kind, compiled in ("eager", call), ("compiled", compile(call)):
                with self.subTest(name, kind=kind):
                    with torch.autocast(DEVICE, torch.bfloat16):
                        got = compiled(*whole)
                    self.assertTrue(torch.equal(got, want))
                    self.assertTrue(torch.equal(torch.autograd.grad(got.sum(), a)[0], by_a))
        # What is cast is made by the kernel before, and so no constant.
        for weight, is_constant in (b.t(), False), (b.t().to(torch.bfloat16), True):
            with unittest.mock.patch("gemm._tensors.enqueue", wraps=gemm._tensors.enqueue) as enqueue:
                with torch.autocast(DEVICE, torch.bfloat16):
                    ops.linear(a, weight, None, "none", True)
            self.assertEqual(enqueue.call_args.kwargs, {"constant_b": is_constant})
        with torch.autocast(DEVICE, torch.bfloat16), self.assertRaisesRegex(RuntimeError, "mat2 is of bfloat16"):
            ops.mm(a.double(), b)

    def test_vmap(self):
        ops, count = gemm.torch.ops, 3
        a, b, bias, weight = random(count, 5, 4), random(4, 6), random(count, 6), random(6, count, 4)
        batch = random(2, 5, 4), random(2, 4, count, 6)
        for op, dimensions, args in [
            (ops.mm, (0, None), (a, b)),
            (ops.mm, (None, 1), (random(5, 4), random(4, count, 6))),
            (ops.bmm, (None, 2), batch),
            (lambda *t: ops.addmm(*t, beta=2, alpha=-1), (0, 0, None), (bias, a, b)),
            (ops.addmm, (None, 0, None), (random(5, 1), a, b)),
            (ops.baddbmm, (0, None, 2), (bias, *batch)),
            (lambda *t: ops.linear(*t, "relu"), (1, None, None), (a, random(6, 4), random(6))),
            (ops.linear, (0, 1, None), (a, weight, None)),
            (lambda *t: ops.linear(*t, "gelu"), (None, 1, 0), (a, weight, bias)),
        ]:
            size = next(t.shape[at] for t, at in zip(args, dimensions) if at is not None)
            each = [[t if at is None else t.select(at, i) for t, at in zip(args, dimensions)] for i in range(size)]
            with self.subTest(dimensions=dimensions, shapes=[getattr(t, "shape", None) for t in args]):
                torch.testing.assert_close(torch.vmap(op, dimensions)(*args), torch.stack([op(*t) for t in each]))


class Net(torch.nn.Module):
    """All operators, with parameters for rows of 12 values."""

    def __init__(self):
        super().__init__()
        shapes = {"weight": (20, 12), "bias": (20,), "second": (20, 16), "row": (16,), "square": (3, 16, 16)}
        self.values = torch.nn.ParameterDict({name: random(*shape) for name, shape in shapes.items()})

    def forward(self, x):
        ops, values = gemm.torch.ops, self.values
        hidden = ops.linear(x, values["weight"], values["bias"], "gelu")
        flat = ops.addmm(values["row"], hidden.flatten(0, 1), values["second"], beta=0.5, alpha=2)
        batch = ops.bmm(flat.relu().unflatten(0, hidden.shape[:2]), values["square"])
        sums = ops.baddbmm(values["row"], batch, values["square"], beta=0)
        return ops.mm(sums.flatten(0, 1), values["second"].t()).relu()


class Tracing(Case):
    """What torch.compile, torch.export and autograd need of the operators."""

    @staticmethod
    def calls(dtype, sizes):
        """Operators with their arguments, all of whose tensors want gradients, and the number of these tensors."""

        def leaf(*shape):
            return random(*shape, dtype=dtype).requires_grad_()

        def leaf_in_columns(*shape):
            return random(*shape[:-2], shape[-1], shape[-2], dtype=dtype).mT.requires_grad_()

        ops, count = gemm.torch.ops, 2
        for (m, k, n), operand in itertools.product(sizes, (leaf, leaf_in_columns)):
            matrices, batches = (operand(m, k), operand(k, n)), (operand(count, m, k), operand(count, k, n))
            yield ops.mm, matrices, {}, 2
            yield ops.bmm, batches, {}, 2
            for shape, scalars in [
                ((n,), {}),
                ((m, 1), {"beta": 0}),
                ((m, n), {"beta": 2, "alpha": -0.5}),
                ((), {"beta": 0.5, "alpha": 0}),
            ]:
                yield ops.addmm, (leaf(*shape), *matrices), scalars, 3
                yield ops.baddbmm, (leaf(*shape), *batches), scalars, 3
            yield ops.linear, (operand(m, k), operand(n, k)), {}, 2
            yield ops.linear, (leaf(k), operand(n, k), leaf(n)), {}, 3
            for activation in "none", "gelu", "relu", "gelu_tanh", "silu", "sigmoid":
                yield ops.linear, (operand(count, m, k), operand(n, k), leaf(n), activation), {}, 3

    SIZES = [(5, 4, 3), (1, 4, 1), (0, 4, 3), (5, 0, 3), (5, 4, 0)]

    def test_opcheck(self):
        seen = collections.Counter()
        for dtype in SOME_TYPES:
            for op, args, scalars, _ in self.calls(
                dtype, self.SIZES if dtype == torch.float and not ON_CPU else self.SIZES[:1]
            ):
                with self.subTest(dtype=dtype, **about(op, args, scalars)):
                    torch.library.opcheck(op.default, args, scalars)
                    seen[str(op)] += 1
        print(f"opcheck: {dict(seen)}")
        self.assertEqual(len(seen), 5)

    def test_gradients(self):
        """First and second ones, in double against differences."""
        if torch.double not in TYPES:
            self.skipTest("double is not compiled")
        for op, args, scalars, tensors in self.calls(torch.double, [(3, 2, 3)] if ON_CPU else self.SIZES):
            with self.subTest(**about(op, args, scalars)):
                leaves, others = args[:tensors], args[tensors:]
                self.assertTrue(gradcheck(lambda *x: op(*x, *others, **scalars), leaves))
                self.assertTrue(gradgradcheck(lambda *x: op(*x, *others, **scalars), leaves))

    def check_near(self, got, want):
        self.assertEqual(got.shape, want.shape)
        self.assertLessEqual((got - want).norm(), 1e-5 * want.norm())

    @staticmethod
    def results(net, x):
        out = net(x)
        return [out.detach(), *torch.autograd.grad(out.square().sum(), [x, *net.parameters()])]

    def test_compile(self):
        """In one graph, forwards and backwards, for a number of rows that is known when it runs."""
        net = Net()
        compiled = compile(net, "aot_eager" if ON_CPU else "inductor", dynamic=True)
        for run, rows in enumerate([5, 9, 70]):
            x = random(3, rows, 12).requires_grad_()
            with self.subTest(rows=rows), torch.compiler.set_stance("fail_on_recompile" if run else "default"):
                got = self.results(compiled, x)
                for one, other in zip(got, self.results(net, x), strict=True):
                    self.check_near(one, other)

    def test_export(self):
        net, rows = Net(), Dim("rows")
        program = torch.export.export(net, (random(3, 5, 12),), dynamic_shapes={"x": {1: rows}})
        stored = io.BytesIO()
        torch.export.save(program, stored)
        stored.seek(0)
        loaded = torch.export.load(stored)
        called = [node.target for node in loaded.graph.nodes if "gemm" in str(node.target)]
        ops = gemm.torch.ops
        self.assertEqual(called, [op.default for op in (ops.linear, ops.addmm, ops.bmm, ops.baddbmm, ops.mm)])
        for rows in 5, 2, 33:
            x = random(3, rows, 12)
            self.check_near(loaded.module()(x), net(x))

    def test_export_of_sizes_that_values_decide(self):
        class Chosen(torch.nn.Module):
            def forward(self, x, weight):
                return gemm.torch.ops.linear(x[x[:, 0] > 0], weight, None, "relu")

        x, weight = random(30, 12), random(20, 12)
        program = torch.export.export(Chosen(), (x, weight))
        for operand in x, random(30, 12), -random(30, 12).abs():
            self.check_near(program.module()(operand, weight), Chosen()(operand, weight))


class Transformer(Case):
    """A layer, forwards and backwards: at most twice as far from float64 as with PyTorch's products."""

    @staticmethod
    def results(layer, x, gradients):
        x = x.detach().requires_grad_()
        with sdpa_kernel(SDPBackend.MATH):  # attention by bmm or matmul
            out = layer(x)
        return [out.detach(), *torch.autograd.grad(out, [x, *layer.parameters()], gradients)]

    def test_layer(self):
        for dtype in TYPES:
            with self.subTest(dtype=dtype):
                layer = torch.nn.TransformerEncoderLayer(96, 4, 200, dropout=0, activation="gelu", batch_first=True)
                layer = layer.to(DEVICE, dtype)
                x, gradients = random(3, 37, 96, dtype=dtype), random(3, 37, 96, dtype=dtype)
                want = self.results(copy.deepcopy(layer).cpu().double(), exact(x), exact(gradients))
                theirs = self.results(layer, x, gradients)
                with gemm.torch.replace_products() as count:
                    ours = self.results(layer, x, gradients)
                # In double the reference is no more exact than they are.
                slack = torch.finfo(dtype).eps * (16 if dtype == torch.double else 0.5)
                for one, other, right in zip(ours, theirs, want, strict=True):
                    self.assertEqual(one.dtype, dtype)
                    distance, allowed = (exact(t).sub(right).norm() for t in (one, other))
                    self.assertLessEqual(distance, 2 * allowed + slack * right.norm())
                self.assertGreaterEqual(count["addmm"], 3)  # linear layers whose inputs are contiguous
                self.assertGreaterEqual(count["addmm"] + count["mm"], 12)  # four linear layers and their gradients
                self.assertGreaterEqual(count["bmm"] + count["baddbmm"], 6)  # attention and its gradients
                print(f"transformer layer, {dtype}: {dict(count)}")


if __name__ == "__main__":
    faulthandler.enable()  # a crash says where
    unittest.main()
