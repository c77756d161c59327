# SPDX-License-Identifier: BSL-1.0
"""The package gemm on arrays of NumPy, with a library for the CPU device; with one for GPUs, on those of CuPy, JAX,
Numba and PyTorch.

The library is that of the installed package, or the one that GEMM_LIBRARY names. Types and storages that it lacks are
skipped. Prints one sentence that begins with "skipped:" where NumPy or the library is missing.
"""

import ctypes
import importlib.util
import itertools
import os
import sys
import unittest
from pathlib import Path


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


if importlib.util.find_spec("numpy") is None:
    skip("NumPy is not installed")

import numpy as np

if not os.environ.get("GEMM_LIBRARY"):  # the installed package, not the sources beside this file
    here = Path(__file__).resolve().parent
    sys.path = [path for path in sys.path if Path(path or ".").resolve() != here]
    if importlib.util.find_spec("gemm") is None:
        skip("gemm is not installed, and GEMM_LIBRARY names no library")

import gemm
from gemm import _arrays, _library

PRODUCTS = set(gemm.products())
NAMES = {"float32": "float", "float64": "double", "float16": "half", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2"}
ERRORS = {"float32": 1e-5, "float64": 1e-13, "float16": 2e-3, "bfloat16": 2e-2, "int32": 0}

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


def has(a, c, storages=("row x row", "row x column"), b=None):
    """Whether the library has the product of these types in one of the storages."""
    a, b, c = (NAMES.get(name, name) for name in (a, b or a, c))
    return any(f"{a} x {b} -> {c}, {storage}" in PRODUCTS for storage in storages)


def has_storage(a, b, c):
    """Whether the library has the storages of a float product, that of the transposes for a column-major C."""
    other = {"row": "column", "column": "row"}
    return has("float32", "float32", [f"{a} x {b}" if c == "row" else f"{other[b]} x {other[a]}"])


def random(*shape, dtype="float32", seed=1):
    numbers = np.random.default_rng(seed).integers(-4, 5, shape)
    return numbers.astype(getattr(ml_dtypes, dtype, dtype))


def wide(array):
    return np.asarray(array).astype("float64")


def row_major(array):
    return np.ascontiguousarray(array)


def column_major(array):
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def padded(array):
    """A part of an array with longer rows."""
    whole = np.zeros((*array.shape[:-1], array.shape[-1] + 3), array.dtype)
    whole[..., : array.shape[-1]] = array
    return whole[..., : array.shape[-1]]


class Exported:
    """An array that has DLPack alone."""

    def __init__(self, array, device=None, is_old=False):
        self.array, self.device, self.is_old, self.dtype = array, device, is_old, None

    def __dlpack_device__(self):
        return (self.device, 0) if self.device else self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        if self.is_old and "max_version" in arguments:
            raise TypeError("max_version")
        return self.array.__dlpack__(**arguments)


@unittest.skipUnless(_library.on_cpu, "the library is for GPUs")
class Products(unittest.TestCase):
    def setUp(self):
        if not has("float32", "float32", ["row x row"]):
            self.skipTest("float, row x row is not compiled")

    def compare(self, result, expected, dtype="float32"):
        self.assertEqual(str(result.dtype), dtype)
        self.assertEqual(result.shape, expected.shape)
        largest = np.abs(expected).max() if expected.size else 0
        np.testing.assert_allclose(wide(result), expected, rtol=0, atol=ERRORS[dtype] * max(largest, 1))

    def refused(self, error, words, *arguments, **named):
        with self.assertRaisesRegex(error, words) as caught:
            gemm.matmul(*arguments, **named)
        return caught.exception

    def test_types(self):
        results = {"float32": "float32", "float64": "float64", "float16": "float16", "bfloat16": "bfloat16"}
        results |= {"int8": "int32", "float8_e4m3fn": "bfloat16", "float8_e5m2": "bfloat16"}
        for a, c in results.items():
            with self.subTest(type=a):
                if not has(a, c, ["row x row"]):
                    self.skipTest(f"{a} is not compiled")
                if (a + c).find("b") >= 0 and ml_dtypes is None:
                    self.skipTest("ml_dtypes is not installed")
                x, y = random(19, 35, dtype=a), random(35, 21, dtype=a, seed=2)
                self.compare(gemm.matmul(x, y), wide(x) @ wide(y), c)

    def test_storages(self):
        storages = {"row": [row_major, padded], "column": [column_major, lambda x: padded(x.T).T]}
        x, y = random(17, 9), random(9, 13, seed=2)
        for (order_a, as_a), (order_b, as_b), (order_c, as_c) in itertools.product(storages.items(), repeat=3):
            for store_a, store_b, store_c in itertools.product(as_a, as_b, as_c):
                if not has_storage(order_a, order_b, order_c):
                    continue
                out = store_c(np.zeros((17, 13), "float32"))
                self.assertIs(gemm.matmul(store_a(x), store_b(y), out), out)
                self.compare(out, wide(x) @ wide(y))

    def test_vectors_are_of_either_order(self):
        for m, n, k in itertools.product((1, 6), (1, 7), (1, 8)):
            x, y = random(m, k), random(k, n, seed=2)
            for a, b in itertools.product((x, padded(x)), (y, padded(y))):
                self.compare(gemm.matmul(a, b), wide(x) @ wide(y))
        column = random(4, 9)[:, :1]
        self.compare(gemm.matmul(column, random(1, 5)), wide(column) @ wide(random(1, 5)))

    def test_batches(self):
        x, y = random(4, 5, 6), random(4, 6, 7, seed=2)
        self.compare(gemm.matmul(x, y), wide(x) @ wide(y))
        self.compare(gemm.matmul(x, y[0]), wide(x) @ wide(y[0]))
        self.compare(gemm.matmul(x[1], y), wide(x[1]) @ wide(y))
        self.compare(gemm.matmul(x[:1], y), wide(x[:1]) @ wide(y))
        self.compare(gemm.matmul(x[::2], y[1::2]), wide(x[::2]) @ wide(y[1::2]))
        self.compare(gemm.matmul(np.broadcast_to(x[0], (4, 5, 6)), y), wide(x[0]) @ wide(y))
        self.compare(gemm.matmul(x.reshape(2, 2, 5, 6), y.reshape(2, 2, 6, 7)), (wide(x) @ wide(y)).reshape(2, 2, 5, 7))
        rows = random(5, 4, 6).swapaxes(0, 1)  # rows of the batch lie between each other
        self.compare(gemm.matmul(rows, y), wide(rows) @ wide(y))
        out = np.zeros((8, 5, 7), "float32")
        self.compare(gemm.matmul(x, y, out[::2]), wide(x) @ wide(y))
        self.assertFalse(out[1::2].any())

    def test_nothing_to_compute(self):
        self.compare(gemm.matmul(random(0, 3), random(3, 2)), np.zeros((0, 2)))
        self.compare(gemm.matmul(random(4, 0), random(0, 2)), np.zeros((4, 2)))
        self.compare(gemm.matmul(random(0, 4, 3), random(0, 3, 2)), np.zeros((0, 4, 2)))

    def test_alpha_and_beta(self):
        x, y, z = random(5, 6), random(6, 7, seed=2), random(5, 7, seed=3)
        self.compare(gemm.matmul(x, y, z.copy(), alpha=-2, beta=0.5), -2 * wide(x) @ wide(y) + 0.5 * wide(z))
        self.compare(gemm.matmul(x, y, np.full((5, 7), np.nan, "float32")), wide(x) @ wide(y))
        self.refused(ValueError, "beta is 1, needs out", x, y, beta=1)

    def test_epilogue(self):
        x, y, z = random(5, 6), random(6, 7, seed=2), random(5, 7, seed=3)
        product, columns, rows = wide(x) @ wide(y), random(7, seed=4), random(5, 1, seed=5)
        self.compare(gemm.matmul(x, y, bias=columns), product + columns)
        self.compare(gemm.matmul(x, y, bias=columns[None]), product + columns)
        self.compare(gemm.matmul(x, y, bias=rows), product + rows)
        v = product / 8 + columns
        self.compare(gemm.matmul(x, y, alpha=0.125, bias=columns, activation="relu"), np.maximum(v, 0))
        sigmoid = 1 / (1 + np.exp(-v))
        self.compare(gemm.matmul(x, y, alpha=0.125, bias=columns, activation="sigmoid"), sigmoid)
        self.compare(gemm.matmul(x, y, alpha=0.125, bias=columns, activation="silu"), v * sigmoid)
        whole = gemm.matmul(x, y, bias=rows, activation="relu", residual=z, residual_factor=3, scale=0.5)
        self.compare(whole, 0.5 * (np.maximum(product + rows, 0) + 3 * wide(z)))
        self.compare(gemm.matmul(x, y, z, residual=z), product + wide(random(5, 7, seed=3)))
        batch = np.stack([x, x + 1])
        self.compare(gemm.matmul(batch, y, bias=columns), wide(batch) @ wide(y) + columns)

    def test_scales(self):
        x, y = random(5, 6), random(6, 7, seed=2)
        one, rows, columns = np.array([0.5], "float32"), random(5, 1, seed=4), random(1, 7, seed=5)
        self.compare(gemm.matmul(x, y, scale_a=one), 0.5 * wide(x) @ wide(y))
        self.compare(gemm.matmul(x, y, scale_a=rows, scale_b=columns), wide(x) @ wide(y) * rows * columns)
        self.compare(gemm.matmul(x, y, scale_a=one, scale_b=columns), 0.5 * wide(x) @ wide(y) * columns)
        words = r"scale_a and scale_b have the shapes \(7, 1\) and None, need one element or \[5, 1\]"
        self.refused(ValueError, words, x, y, scale_a=columns.T)

    def test_int8(self):
        if not has("int8", "int32", ["row x row"]):
            self.skipTest("int8 is not compiled")
        x, y = random(5, 600, dtype="int8"), random(600, 7, dtype="int8", seed=2)
        self.compare(gemm.matmul(x, y), wide(x) @ wide(y), "int32")
        bias = np.arange(7, dtype="float32")
        self.compare(gemm.matmul(x, y, bias=bias), wide(x) @ wide(y) + bias, "int32")
        self.refused(gemm.InvalidArgument, "alpha", x, y, alpha=0.5)

    def test_dlpack(self):
        x, y = random(5, 6), random(6, 7, seed=2)
        for is_old in False, True:
            out = padded(np.zeros((5, 7), "float32"))
            strided = [Exported(padded(array), is_old=is_old) for array in (x, y)]
            gemm.matmul(*strided, Exported(out, is_old=is_old))
            self.compare(out, wide(x) @ wide(y))
        self.refused(ValueError, "a is of test_gemm|a is of __main__", Exported(x), y)
        self.refused(ValueError, "a is in memory of a device", Exported(x, device=2), y)
        out.flags.writeable = False
        self.refused((ValueError, BufferError), "out is read-only|readonly array", x, y, Exported(out))  # NumPy 2.0

    def test_dlpack_frees_what_it_exports(self):
        x, y = random(5, 6), random(6, 7)
        before = sys.getrefcount(x)
        gemm.matmul(Exported(x), y, np.zeros((5, 7), "float32"))
        self.assertEqual(sys.getrefcount(x), before)

    def test_pytorch(self):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("PyTorch is not installed")
        import torch

        for type in torch.float, torch.bfloat16, torch.int8, torch.float8_e4m3fn:
            with self.subTest(type=type):
                name = str(type).removeprefix("torch.")
                result = {"int8": "int32", "float8_e4m3fn": "bfloat16"}.get(name, name)
                if not has(name, result, ["row x column"]):
                    self.skipTest(f"{name}, row x column is not compiled")
                x, y = torch.tensor(random(2, 5, 6)).to(type), torch.tensor(random(7, 6, seed=2)).to(type)
                product = gemm.matmul(x, y.T)
                self.assertIs(product.dtype, getattr(torch, result))
                torch.testing.assert_close(product.double(), x.double() @ y.double().T, rtol=ERRORS[result], atol=0)

    def test_jax(self):
        if importlib.util.find_spec("jax") is None:
            self.skipTest("JAX is not installed")
        import jax

        x, y = random(5, 6), random(6, 7, seed=2)
        a, b = (jax.device_put(array, jax.devices("cpu")[0]) for array in (x, y))
        result = gemm.matmul(a, b)
        self.assertIsInstance(result, jax.Array)
        self.compare(np.asarray(result), wide(x) @ wide(y))
        self.refused(ValueError, "out is read-only", a, b, result)

    def test_wrong_shapes(self):
        x, y = random(5, 6), random(6, 7)
        self.refused(ValueError, r"a has the shape \(6,\), needs 2 dimensions or more", x[0], y)
        self.refused(ValueError, r"a has the shape \(5, 6\), b \(7, 6\), needs 6 rows of b", x, y.T)
        self.refused(ValueError, r"out has the shape \(7, 5\), needs \(5, 7\)", x, y, np.zeros((7, 5), "float32"))
        batches = np.zeros((2, 5, 6), "float32"), np.zeros((3, 6, 7), "float32")
        self.refused(ValueError, r"a has batches of \(2,\), b of \(3,\)", *batches)
        words = r"bias has the shape \(5,\), needs \(7,\), one a column, or \(5, 1\)"
        self.refused(ValueError, words, x, y, bias=x[:, 0].copy())
        self.refused(ValueError, r"residual has the shape \(6, 7\)", x, y, residual=y)

    def test_wrong_strides(self):
        x, y = random(5, 6), random(6, 7)
        self.refused(ValueError, "a has strides .* needs contiguous rows or columns", random(10, 12)[::2, ::2], y)
        self.refused(ValueError, "a has strides .* needs contiguous rows or columns", x[::-1, ::-1], y)
        self.refused(ValueError, "b has strides .* do not overlap", x, np.broadcast_to(y[0], (6, 7)))
        self.refused(ValueError, "bias has strides .* without gaps", x, y, bias=random(14)[::2])
        batch = np.zeros((4, 3, 5, 6), "float32")[:, ::2]
        self.refused(ValueError, "a has strides .* needs batches of one stride", batch, y)
        self.refused(ValueError, "a has a batch stride of -30", random(2, 5, 6)[::-1], y)
        apart = np.ndarray((5, 6), "float32", bytes(200), 0, (33, 4))
        self.refused(ValueError, r"a has strides of \(33, 4\) bytes, needs multiples of 4", apart, y)

    def test_wrong_types(self):
        x, y = random(5, 6), random(6, 7)
        self.refused(ValueError, "a has elements of another type, needs one of float32", x.astype("complex64"), y)
        self.refused(ValueError, "a has elements of another type", x.astype(">f4"), y)
        self.refused(ValueError, "a has elements of another type", Exported(x.astype("uint16")), y)
        self.refused(TypeError, "b is a list, needs __dlpack__", x, [[1.0]])
        self.refused(ValueError, "activation is 'tanh', needs to be None or one of relu", x, y, activation="tanh")
        self.refused(ValueError, "bias is of float64, needs float32 beside out", x, y, bias=np.zeros(7))
        error = self.refused(gemm.InvalidArgument, "float x double", x, y.astype("float64"))
        self.assertEqual(error.code, 1)
        self.assertIsInstance(error, gemm.Error)
        out = np.zeros((5, 7), "float32")
        out.flags.writeable = False
        self.refused(ValueError, "out is read-only", x, y, out)
        self.refused(TypeError, "stream is a str", x, y, stream="0")

    def test_chosen(self):
        choice = gemm.chosen(random(64, 64), random(64, 64))
        self.assertTrue(choice.policy)
        self.assertGreaterEqual(choice.slices, 1)
        self.assertFalse(choice.is_tuned)
        self.assertEqual(gemm.chosen(random(0, 4), random(4, 4)).policy, "")

    def test_tuning(self):
        with self.assertRaisesRegex(gemm.FileFailure, "missing.tuning") as caught:
            gemm.load_tuning("missing.tuning")
        self.assertIsInstance(caught.exception, OSError)
        gemm.forget_tuning()

    def test_version(self):
        project = (Path(__file__).resolve().parent / "pyproject.toml").read_text()
        self.assertIn(f'version = "{gemm.version()}"', project)

    def test_streams(self):
        class Stream:
            def __cuda_stream__(self):
                return 0, 7

        class OfPyTorch:
            cuda_stream = 7

        class OfCupy:
            ptr = 7

        class OfNumba:
            def __init__(self, handle):
                self.handle = ctypes.c_void_p(handle)

        self.assertEqual(_arrays.handle(None), 0)
        self.assertEqual(_arrays.handle(OfNumba(0)), 0)
        for stream in 7, Stream(), OfPyTorch(), OfCupy(), OfNumba(7):
            self.assertEqual(_arrays.handle(stream), 7)


@unittest.skipIf(_library.on_cpu, "the library is for the CPU device")
class OnGpu(unittest.TestCase):
    """Arrays in the memory of a GPU, on the stream that their package has as its current one."""

    def setUp(self):
        if not has("float32", "float32", ["row x row", "row x column"]):
            self.skipTest("float, row x row and row x column are not compiled")

    def module(self, name):
        if importlib.util.find_spec(name.partition(".")[0]) is None:
            self.skipTest(f"{name} is not installed")
        return importlib.import_module(name)

    def check(self, to_gpu, to_host, stream=None, is_written=True, column_major=None):
        """Products of arrays that to_gpu() makes of NumPy's, for which to_host() gives one of NumPy's again."""
        column_major = column_major or (lambda x: to_gpu(row_major(x.T)).T)
        x, y, bias = random(70, 96), random(96, 40, seed=2), random(40, seed=3)
        want = wide(x) @ wide(y)
        a, b, columns = map(to_gpu, (x, y, bias))
        result = gemm.matmul(a, b, stream=stream)
        self.assertIs(type(result), type(a))
        np.testing.assert_array_equal(to_host(result), want)
        result = gemm.matmul(a, b, bias=columns, activation="relu", stream=stream)
        np.testing.assert_array_equal(to_host(result), np.maximum(want + bias, 0))
        np.testing.assert_array_equal(to_host(gemm.matmul(a, column_major(y), stream=stream)), want)
        if is_written:
            out = to_gpu(np.full((70, 40), 2, "float32"))
            self.assertIs(gemm.matmul(a, b, out, beta=-1, stream=stream), out)
            np.testing.assert_array_equal(to_host(out), want - 2)

    def test_pytorch(self):
        torch = self.module("torch")
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            self.check(lambda x: torch.tensor(x, device="cuda"), lambda x: x.cpu().numpy(), stream)

    def test_cupy(self):
        cupy = self.module("cupy")
        with cupy.cuda.Stream(non_blocking=True) as stream:
            self.check(cupy.asarray, cupy.asnumpy, stream)

    def test_numba(self):
        cuda = self.module("numba.cuda")
        # Numba's own transposition needs a NumPy that has row_stack.
        self.check(cuda.to_device, lambda x: x.copy_to_host(),
                   column_major=lambda x: cuda.to_device(np.asfortranarray(x)))

    def test_jax(self):
        jax = self.module("jax")
        gpu = jax.devices("gpu")[0]
        self.check(lambda x: jax.device_put(x, gpu), np.asarray, is_written=False)

    def test_memory_of_the_cpu_is_refused(self):
        with self.assertRaisesRegex(ValueError, "a is not in memory of a CUDA device"):
            gemm.matmul(random(5, 6), random(6, 7))


if __name__ == "__main__":
    unittest.main()
