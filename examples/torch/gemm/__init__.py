# SPDX-License-Identifier: BSL-1.0
"""Matrix products of the compiled library, on arrays of CuPy, JAX, Numba, NumPy and PyTorch.

A library for GPUs takes arrays in device memory; one for the CPU device takes those of NumPy, for tests.
"""

import itertools
import math
import os
from ctypes import byref, pointer
from typing import NamedTuple

from . import _arrays as arrays
from . import _library as lib
from ._library import CudaFailure, Error, FileFailure, InvalidArgument, UnsupportedDevice

__all__ = [
    "Choice",
    "CudaFailure",
    "Error",
    "FileFailure",
    "InvalidArgument",
    "UnsupportedDevice",
    "chosen",
    "forget_tuning",
    "load_tuning",
    "matmul",
    "products",
    "version",
]


for _error in CudaFailure, Error, FileFailure, InvalidArgument, UnsupportedDevice:
    _error.__module__ = __name__


class Choice(NamedTuple):
    """The plan that matmul() follows: the members of gemm_choice in gemm/gemm.h."""

    policy: str
    seconds: float
    waves: float
    slices: int
    in_cluster: bool
    tail: bool
    packs_a: bool
    packs_b: bool
    is_tuned: bool
    note: str


def version():
    """The version of the compiled library, such as "0.3.0"."""
    return lib.library.gemm_version_string().decode()


def products():
    """What is compiled, a string each: "float x float -> float, row x row". C may have either order."""
    return lib.library.gemm_compiled_products().decode().splitlines()


def matmul(
    a,
    b,
    out=None,
    *,
    alpha=1,
    beta=0,
    bias=None,
    activation=None,
    residual=None,
    residual_factor=1,
    scale=1,
    scale_a=None,
    scale_b=None,
    tf32=False,
    stream=None,
):
    """Computes scale * (activation(alpha a b + beta out + bias) + residual_factor * residual), enqueued on the stream.

    Args:
        a: m x k, or batches of that in dimensions before these two; each has contiguous rows or columns.
        b: k x n, likewise. Where one of a and b is a single matrix, it serves all products of the batch.
        out: m x n, or batches of that; the result is written here. None: an array of a's package is made.
        alpha, beta: with a beta, out is given and read.
        bias: of n elements (or 1 x n), one a column; of m x 1, one a row. Of out's type, for int and fp8 of float32.
        activation: "relu", "gelu", "gelu_tanh", "silu", "sigmoid" or None.
        residual: of out's shape and type; it may be out.
        residual_factor, scale: numbers.
        scale_a: of one element, or of m x 1, one a row of a. Of float32, for float64 of float64. Beside a scale_b of
            blocks m x ceil(k / 128) or ceil(m / 128) x ceil(k / 128), one for 1 x 128 or 128 x 128 of a.
        scale_b: of one element, or of 1 x n, one a column of b. Likewise. Or of blocks, ceil(k / 128) x n or
            ceil(k / 128) x ceil(n / 128): of 128 x 128 is at most one of scale_a and scale_b.
        tf32: multiplies float32 as TF32.
        stream: a cudaStream_t as an integer, or a stream of CuPy, Numba or PyTorch. None: the default stream.

    Returns:
        out, or the new array. All arrays must live until the stream has done the work.

    Raises:
        ValueError: an argument is wrong; it is an InvalidArgument where the library says so.
        Error: the library failed.
    """
    call, result, _owners = _call(
        a, b, out, alpha, beta, bias, activation, residual, residual_factor, scale, scale_a, scale_b, tf32, stream
    )
    lib.call(lib.library.gemm_run, byref(call))
    if arrays.is_immutable(result):
        arrays.synchronize(call.stream)
    return result


def chosen(
    a,
    b,
    out=None,
    *,
    alpha=1,
    beta=0,
    bias=None,
    activation=None,
    residual=None,
    residual_factor=1,
    scale=1,
    scale_a=None,
    scale_b=None,
    tf32=False,
    stream=None,
):
    """The plan that matmul() would follow with these arguments, as a Choice."""
    call, _, _owners = _call(
        a, b, out, alpha, beta, bias, activation, residual, residual_factor, scale, scale_a, scale_b, tf32, stream
    )
    choice = lib.Choice()
    lib.call(lib.library.gemm_chosen, byref(call), byref(choice))
    flags = {name: bool(getattr(choice, name)) for name in ("in_cluster", "tail", "packs_a", "packs_b", "is_tuned")}
    return Choice(
        policy=choice.policy.decode(),
        seconds=choice.seconds,
        waves=choice.waves,
        slices=choice.slices,
        note=choice.note.decode(),
        **flags,
    )


def load_tuning(path=None):
    """Loads the plans of a tuning cache, by default that of GEMM_TUNING_CACHE, and returns how many there are."""
    report = lib.TuningReport()
    lib.call(lib.library.gemm_load_tuning, None if path is None else os.fsencode(path), byref(report))
    return report.plans


def forget_tuning():
    """Forgets all plans that were loaded."""
    lib.library.gemm_forget_tuning()


def _batch_shape(a, b):
    """The shape of the dimensions before the last two, of the product."""
    shapes = [array.shape[:-2] for array in (a, b)]
    batches = [shape for shape in shapes if any(n != 1 for n in shape)]
    if len(batches) == 2 and batches[0] != batches[1]:
        raise ValueError(f"a has batches of {shapes[0]}, b of {shapes[1]}, needs the same or a single matrix")
    return batches[0] if batches else max(shapes, key=len)


def _scales(matrix, array, name, kind):
    """Sets the scales of a matrix."""
    if kind >= lib.SCALE_PER_1_X_128:
        arrays.require_type(array, lib.FLOAT, "for scales of blocks")
        of_blocks = arrays.matrices(array)[0]
        matrix.scales, matrix.scale_order = array.data, of_blocks.order
        matrix.scale_rows, matrix.scale_columns, matrix.scale_ld = of_blocks.rows, of_blocks.columns, of_blocks.ld
    else:
        type = lib.DOUBLE if matrix.type == lib.DOUBLE else lib.FLOAT
        matrix.scales, matrix.scale_count = array.data, arrays.vector(array, type, f"beside {name}")
    matrix.scale_kind = kind


def _set_scales(as_a, as_b, scale_a, scale_b, m, n, k):
    """Sets the scales of A and B, of which either may have none."""
    # What has none is as one number.
    given = [(1, ()) if scale is None else (math.prod(scale.shape), scale.shape) for scale in (scale_a, scale_b)]
    kinds = lib.scale_kinds(*given, m, n, k)
    if kinds is None:
        shapes = " and ".join(str(None if scale is None else scale.shape) for scale in (scale_a, scale_b))
        raise ValueError(f"scale_a and scale_b have the shapes {shapes}, need {lib.needed_scales(m, n, k)}")
    for name, matrices, scale, kind in ("a", as_a, scale_a, kinds[0]), ("b", as_b, scale_b, kinds[1]):
        for matrix in matrices:
            if scale is not None:
                _scales(matrix, scale, name, kind)


def _epilogue(c, m, n, bias, activation, residual, residual_factor, scale):
    """The epilogue, or None where it changes nothing."""
    if activation not in lib.ACTIVATIONS:
        names = ", ".join(name for name in lib.ACTIVATIONS if name)
        raise ValueError(f"activation is {activation!r}, needs to be None or one of {names}")
    if bias is None and residual is None and not lib.ACTIVATIONS[activation] and scale == 1:
        return None
    epilogue = lib.Epilogue(
        bias_count=-1,
        bias_type=lib.bias_type(c.type),
        activation=lib.ACTIVATIONS[activation],
        residual_factor=residual_factor,
        scale=scale,
    )
    if bias is not None:
        count = arrays.vector(bias, epilogue.bias_type, "beside out")
        if bias.shape not in ((n,), (1, n), (m, 1)):
            raise ValueError(f"bias has the shape {bias.shape}, needs {(n,)}, one a column, or {(m, 1)}, one a row")
        epilogue.bias, epilogue.bias_count = bias.data, count
        epilogue.bias_kind = lib.BIAS_PER_COLUMN if bias.shape in ((n,), (1, n)) else lib.BIAS_PER_ROW
    return epilogue


def _call(a, b, out, alpha, beta, bias, activation, residual, residual_factor, scale, scale_a, scale_b, tf32, stream):
    """The call, the array of its result, and what must live until it has been enqueued."""
    stream = arrays.handle(stream)
    a_array, b_array = arrays.read("a", a, stream), arrays.read("b", b, stream)
    as_a, as_b = arrays.matrices(a_array, tf32), arrays.matrices(b_array, tf32)
    m, k, n = as_a[0].rows, as_a[0].columns, as_b[0].columns
    if as_b[0].rows != k:
        raise ValueError(f"a has the shape {a_array.shape}, b {b_array.shape}, needs {k} rows of b")
    shape = (*_batch_shape(a_array, b_array), m, n)
    if out is None:
        if beta != 0:
            raise ValueError(f"beta is {beta}, needs out, which it is a factor of")
        out = arrays.empty(a, arrays.result_type(a_array.type), shape)
        c_array = arrays.read("out", out, stream)
    else:
        c_array = arrays.read("out", out, stream)
        if c_array.read_only or arrays.is_immutable(out):
            raise ValueError("out is read-only, needs to be writable")
    if c_array.shape != shape:
        raise ValueError(f"out has the shape {c_array.shape}, needs {shape}")
    as_c = arrays.matrices(c_array, writes=True)

    extras = {"bias": bias, "residual": residual, "scale_a": scale_a, "scale_b": scale_b}
    extras = {name: None if array is None else arrays.read(name, array, stream) for name, array in extras.items()}
    if scale_a is not None or scale_b is not None:
        _set_scales(as_a, as_b, extras["scale_a"], extras["scale_b"], m, n, k)
    epilogue = _epilogue(as_c[0], m, n, extras["bias"], activation, residual, residual_factor, scale)
    as_residual = [None]
    if residual is not None:
        if extras["residual"].shape != shape:
            raise ValueError(f"residual has the shape {extras['residual'].shape}, needs {shape}")
        as_residual = arrays.matrices(extras["residual"])

    # One row or column is of both orders, of which one may be compiled.
    first = None
    orders = list(itertools.product(as_a, as_b, as_c, as_residual))
    for matrix_a, matrix_b, matrix_c, matrix_residual in orders:
        if matrix_residual is not None:
            epilogue.residual = pointer(matrix_residual)
        call = lib.Call(
            a=pointer(matrix_a),
            b=pointer(matrix_b),
            c=pointer(matrix_c),
            alpha=alpha,
            beta=beta,
            stream=stream or None,
        )
        if epilogue is not None:
            call.epilogue = pointer(epilogue)
        first = first or call
        if len(orders) == 1 or not lib.library.gemm_can_run(byref(call), None):
            break
    else:
        call = first
    return call, out, (a_array, b_array, c_array, extras, epilogue)
