# SPDX-License-Identifier: BSL-1.0
"""PyTorch's own operator samples, a transformer layer and more with the library's products, against float64 on the CPU.

Prints one sentence that begins with "skipped:" where PyTorch, a GPU or the extension is missing.
"""

import collections
import copy
import importlib.util
import itertools
import sys
import types
import unittest


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


if importlib.util.find_spec("torch") is None:
    skip("PyTorch is not installed")

import torch

DEVICE = "cuda"
if not torch.cuda.is_available():
    skip("PyTorch sees no GPU")
try:
    import gemm_torch
except ImportError as error:
    skip(error)

if importlib.util.find_spec("expecttest") is None:  # its samples' module wants it, the samples do not
    sys.modules["expecttest"] = types.SimpleNamespace(TestCase=unittest.TestCase)

from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import gelu, relu
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

TYPES = [torch.float, torch.double, torch.half, torch.bfloat16]

# Operators that are sums of products of their tensors, and how often a result may be rounded to its type on its way.
ROUNDINGS = collections.defaultdict(lambda: 3)
ROUNDINGS.update({"addbmm": 12, "einsum": 6, "linalg.multi_dot": 6, "nn.functional.bilinear": 6})
OPERATORS = ["mm", "addmm", "bmm", "baddbmm", "addbmm", "mv", "addmv", "matmul", "__rmatmul__", "einsum", "tensordot"]
OPERATORS += ["nn.functional.linear", "nn.functional.bilinear", "linalg.multi_dot"]


def random(*shape, dtype=torch.float):
    return torch.randn(shape, dtype=torch.double).to(dtype).to(DEVICE)


def exact(t):
    """On the CPU, in float64, to be differentiated like the tensor."""
    return t.detach().cpu().double().requires_grad_(t.requires_grad)


def map_tensors(f, tree):
    return tree_map(lambda x: f(x) if isinstance(x, torch.Tensor) else x, tree)


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, got, want, magnitude, roundings=1, terms=64):
        """got is a sum of `terms` products, whose magnitudes add up to `magnitude`, rounded so often to its type."""
        self.assertEqual(got.shape, want.shape)
        kind = torch.finfo(got.dtype)
        sums = torch.finfo(torch.double if got.dtype == torch.double else torch.float)
        bound = magnitude * (kind.eps * roundings / 2 + sums.eps * terms) + roundings * kind.smallest_normal * kind.eps
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
        with gemm_torch.replace_products() as count:
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
            self.check(result, value.detach(), magnitude.detach(), ROUNDINGS[op.name])
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
        print(f"{total['samples']} samples of {total['operators']} operators, {total['products']} products by the "
              f"library; {total['too_large']} samples left out, beyond their type's range")

    def test_complex_products_stay_pytorchs(self):
        a, b = random(5, 4).to(torch.cfloat), random(4, 3).to(torch.cfloat)
        want = a @ b
        with gemm_torch.replace_products() as count:
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

    def check_product(self, product, a, b, **magnitudes):
        self.check(product(a, b), exact(a) @ exact(b), exact(a).abs() @ exact(b).abs(), terms=a.shape[-1] + 1)

    def test_storages(self):
        sizes = [(33, 65, 17), (1, 70, 40), (40, 70, 1), (70, 1, 40), (1, 1, 1), (96, 256, 64), (0, 3, 4), (3, 0, 4)]
        for dtype, (m, k, n) in itertools.product(TYPES, [*sizes, (3, 4, 0)]):
            for (x, a), (y, b) in itertools.product(self.storages(m, k, dtype), self.storages(k, n, dtype)):
                with self.subTest(dtype=dtype, sizes=(m, n, k), a=x, b=y):
                    self.check_product(gemm_torch.ops.mm, a, b)

    def test_batches(self):
        for dtype, (count, m, k, n) in itertools.product(TYPES, [(3, 9, 33, 20), (1, 4, 5, 6), (0, 4, 5, 6)]):
            for (x, a), (y, b) in itertools.product(self.batches(count, m, k, dtype), self.batches(count, k, n, dtype)):
                with self.subTest(dtype=dtype, sizes=(count, m, n, k), a=x, b=y):
                    self.check_product(gemm_torch.ops.bmm, a, b)

    def test_large_products(self):
        for dtype, (m, k, n) in itertools.product(TYPES, [(512, 1000, 777), (64, 16384, 48)]):
            with self.subTest(dtype=dtype, sizes=(m, n, k)):
                self.check_product(gemm_torch.ops.mm, random(m, k, dtype=dtype), random(n, k, dtype=dtype).t())

    def test_input_alpha_and_beta(self):
        m, k, n = 20, 30, 40
        shapes = [(), (n,), (1, n), (m, 1), (m, n)]
        for dtype, shape, alpha, beta in itertools.product(TYPES, shapes, (1, -0.5, 0), (1, 2, 0)):
            a, b, c = random(2, m, k, dtype=dtype), random(2, n, k, dtype=dtype).mT, random(*shape, dtype=dtype)
            if beta == 0:
                c.fill_(torch.nan)  # must not be read
            if alpha == 0:
                a.fill_(torch.nan)
            product, magnitude = exact(a).nan_to_num() @ exact(b), exact(a).nan_to_num().abs() @ exact(b).abs()
            want = alpha * product + beta * exact(c).nan_to_num()
            magnitude = abs(alpha) * magnitude + beta * exact(c).nan_to_num().abs()
            with self.subTest(dtype=dtype, input=shape, alpha=alpha, beta=beta):
                got = gemm_torch.ops.baddbmm(c, a, b, beta=beta, alpha=alpha)
                self.check(got, want, magnitude)
                got = gemm_torch.ops.addmm(c, a[0], b[0], beta=beta, alpha=alpha)
                self.check(got, want[0], magnitude[0])

    def test_linear(self):
        activations = {"none": lambda x: x, "relu": relu, "gelu": gelu}
        inputs = [(30,), (20, 30), (2, 5, 30), (2, 0, 30), (4, 0)]
        for dtype, shape, name, biased in itertools.product(TYPES, inputs, activations, (False, True)):
            x, bias = random(*shape, dtype=dtype), random(40, dtype=dtype) if biased else None
            for weight in random(40, shape[-1], dtype=dtype), random(shape[-1], 40, dtype=dtype).t():
                with self.subTest(dtype=dtype, input=shape, activation=name, biased=biased, weight=weight.stride()):
                    exact_bias = exact(bias) if biased else torch.zeros(40, dtype=torch.double)
                    want = activations[name](exact(x) @ exact(weight).t() + exact_bias)
                    magnitude = exact(x).abs() @ exact(weight).abs().t() + exact_bias.abs()
                    self.check(gemm_torch.ops.linear(x, weight, bias, name), want, magnitude, roundings=2)

    def test_what_is_wrong_is_said(self):
        a, b, ops = random(5, 4), random(6, 3), gemm_torch.ops
        for call, sentence in [
            (lambda: ops.mm(a, b), "gemm: B has 6 rows, needs k = 4, the columns of A"),
            (lambda: ops.mm(a, b[0]), "gemm: mat2 has 1 dimensions, needs 2"),
            (lambda: ops.mm(a, b.half()), "gemm: mat2 has elements of Half, needs those of Float"),
            (lambda: ops.mm(a.int(), b.int()), "gemm: elements of Int, need to be of Float, Double, Half or BFloat16"),
            (lambda: ops.bmm(random(2, 5, 4), random(3, 4, 6)), "gemm: the first batch has 2 matrices, the second 3"),
            (lambda: ops.linear(a, random(7, 4), random(6)), "gemm: bias has 6 values, needs 7"),
            (lambda: ops.linear(a, random(7, 4), None, "tanh"), "gemm: activation is tanh"),
        ]:
            with self.subTest(sentence=sentence), self.assertRaisesRegex(RuntimeError, sentence):
                call()

    def test_graph(self):
        """A capture takes only what is enqueued on its own stream; k is split, in a workspace of the graph's."""
        for dtype in TYPES:
            with self.subTest(dtype=dtype):
                a, b = random(64, 8192, dtype=dtype), random(8192, 48, dtype=dtype)
                gemm_torch.ops.mm(a, b)
                torch.cuda.synchronize()
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    got = gemm_torch.ops.mm(a, b)
                a.copy_(random(64, 8192, dtype=dtype))
                graph.replay()
                self.check(got, exact(a) @ exact(b), exact(a).abs() @ exact(b).abs(), terms=8192)


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
                with gemm_torch.replace_products() as count:
                    ours = self.results(layer, x, gradients)
                # In double the reference is no more exact than they are.
                slack = torch.finfo(dtype).eps * (16 if dtype == torch.double else 0.25)
                for one, other, right in zip(ours, theirs, want, strict=True):
                    self.assertEqual(one.dtype, dtype)
                    distance, allowed = (exact(t).sub(right).norm() for t in (one, other))
                    self.assertLessEqual(distance, 2 * allowed + slack * right.norm())
                self.assertGreaterEqual(count["addmm"], 3)  # linear layers whose inputs are contiguous
                self.assertGreaterEqual(count["addmm"] + count["mm"], 12)  # four linear layers and their gradients
                self.assertGreaterEqual(count["bmm"] + count["baddbmm"], 6)  # attention and its gradients
                print(f"transformer layer, {dtype}: {dict(count)}")


if __name__ == "__main__":
    unittest.main()
