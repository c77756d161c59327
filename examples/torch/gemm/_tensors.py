# SPDX-License-Identifier: BSL-1.0
"""Tensors of PyTorch as operands of gemm_run(), for the operators of gemm.torch.

All structs of a call are written at once, into memory that each thread keeps.
"""

import struct
import threading
from ctypes import Structure, addressof, byref, c_double, c_int32, c_int64, c_size_t, sizeof

import torch

from . import _library as lib

TYPES = {
    torch.float: lib.FLOAT,
    torch.double: lib.DOUBLE,
    torch.half: lib.HALF,
    torch.bfloat16: lib.BFLOAT16,
    torch.float8_e4m3fn: lib.E4M3,
    torch.float8_e5m2: lib.E5M2,
    torch.int8: lib.INT8,
    torch.int32: lib.INT32,
}

NO_SCALES = 0, -1, 0, 0, 0, 0, 0, 0  # members of gemm_matrix, scales to scale_ld
NO_GROUPS = lib.NO_GROUPS, 4, 0, 0, 0, 0  # members of gemm_call, group_kind to reserved


def _order_and_ld(rows, columns, by_row, by_column):
    """Those of a matrix with these strides, or None where no view has them."""
    if not rows or not columns:
        return lib.ROW_MAJOR, max(columns, 1)
    if columns > 1:
        if by_column == 1 and (rows == 1 or by_row >= columns):
            return lib.ROW_MAJOR, by_row if rows > 1 else columns
        if (by_row == 1 or rows == 1) and by_column >= rows:
            return lib.COLUMN_MAJOR, by_column
        return None
    # A contiguous column is one of a column-major matrix, whose leading dimension is free.
    if by_row == 1 or rows == 1:
        return lib.COLUMN_MAJOR, rows
    return (lib.ROW_MAJOR, by_row) if by_row >= 1 else None


def view(t, is_transposed=False):
    """A matrix or a batch of them as members of gemm_matrix, data to batch_stride; None where strides forbid it."""
    shape, strides = t.shape, t.stride()
    if is_transposed:
        columns, rows, by_column, by_row = *shape[-2:], *strides[-2:]
    else:
        rows, columns, by_row, by_column = *shape[-2:], *strides[-2:]
    found = _order_and_ld(rows, columns, by_row, by_column)
    if found is None:
        return None
    batch = (shape[0], strides[0]) if len(shape) == 3 and shape[0] != 1 else (1, 0)
    return (t.data_ptr(), TYPES[t.dtype], found[0], rows, columns, found[1], *batch)


def operand(t, is_transposed=False):
    """The view of a tensor, or of a copy where it has none, and the tensor whose memory that is."""
    found = view(t, is_transposed)
    if found is None:
        t = t.clone(memory_format=torch.contiguous_format)
        found = view(t, is_transposed)
    return found, t


def _packer(*structs):
    """Packs all members of these structs, one after the other."""
    letters = {c_size_t: "N", c_int32: "i", c_int64: "q", c_double: "d"}
    return struct.Struct("".join(letters.get(type, "P") for each in structs for _, type in each._fields_))


class _Product(Structure):
    _fields_ = [("call", lib.Call), ("a", lib.Matrix), ("b", lib.Matrix), ("c", lib.Matrix)]


class _Addends(Structure):
    _fields_ = [("epilogue", lib.Epilogue), ("residual", lib.Matrix)]


_pack_product = _packer(lib.Call, lib.Matrix, lib.Matrix, lib.Matrix).pack_into
_pack_epilogue = _packer(lib.Epilogue).pack_into
_pack_matrix = _packer(lib.Matrix).pack_into
_CALL, _MATRIX, _EPILOGUE = sizeof(lib.Call), sizeof(lib.Matrix), sizeof(lib.Epilogue)


class _Memory(threading.local):
    """The structs of a thread's calls, which the library copies."""

    def __init__(self):
        self.product, self.addends, self.status = _Product(), _Addends(), lib.Status()
        self.operands = [addressof(self.product) + getattr(_Product, name).offset for name in "abc"]
        self.epilogue = addressof(self.addends)
        self.residual = self.epilogue + _Addends.residual.offset
        self.arguments = byref(self.product.call), byref(self.status)


_memory = _Memory()
_run = lib.library.gemm_run


class Epilogue:
    """The steps behind a product, members of gemm_epilogue: one bias a column, and a view as a residual."""

    __slots__ = "activation", "bias", "bias_count", "bias_kind", "factor", "residual", "scale_at"

    def __init__(self, activation=0, bias=None, residual=None, factor=1, scale_at=None):
        self.activation, self.residual, self.factor = activation, residual, factor
        self.bias, self.bias_count, self.bias_kind = 0, -1, 0
        if bias is not None:
            self.bias, self.bias_count, self.bias_kind = bias.data_ptr(), bias.numel(), lib.BIAS_PER_COLUMN
        self.scale_at = 0 if scale_at is None else scale_at.data_ptr()


def enqueue(
    a,
    b,
    c,
    alpha=1,
    beta=0,
    epilogue=None,
    scales_a=NO_SCALES,
    scales_b=NO_SCALES,
    constant_b=False,
    groups=NO_GROUPS,
):
    """C = epilogue(alpha A B + beta C) on PyTorch's current stream, of views and a contiguous tensor c."""
    if c.is_cuda:
        index = c.get_device()
        if index != torch._C._cuda_getDevice():
            with torch.cuda.device(index):
                enqueue(a, b, c, alpha, beta, epilogue, scales_a, scales_b, constant_b, groups)
            return
        stream = torch._C._cuda_getCurrentRawStream(index)
    else:
        stream = 0
    memory = _memory
    type, shape = TYPES[c.dtype], c.shape
    m, n = shape[-2:]
    batch = (shape[0], m * n) if len(shape) == 3 and shape[0] != 1 else (1, 0)
    if epilogue is not None:
        e, residual = epilogue, 0
        if e.residual is not None:
            residual = memory.residual
            _pack_matrix(memory.addends, _EPILOGUE, _MATRIX, *e.residual, *NO_SCALES)
        _pack_epilogue(
            memory.addends, 0,
            _EPILOGUE, e.bias, e.bias_count, e.bias_kind, lib.bias_type(type), e.activation, 0,
            residual, e.factor, 1, e.scale_at, 0,
        )  # fmt: skip
    _pack_product(
        memory.product, 0,
        _CALL, *memory.operands, alpha, beta, memory.epilogue if epilogue is not None else 0, stream, 0, 0,
        0, constant_b, *groups,
        _MATRIX, *a, *scales_a,
        _MATRIX, *b, *scales_b,
        _MATRIX, c.data_ptr(), type, lib.ROW_MAJOR, m, n, n, *batch, *NO_SCALES,
    )  # fmt: skip
    if _run(*memory.arguments):
        raise lib.error(memory.status)
