# SPDX-License-Identifier: BSL-1.0
"""The compiled library by ctypes: the structs of gemm/gemm.h, its functions, and its statuses as exceptions."""

import ctypes
import os
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path

FLOAT, TF32, DOUBLE, HALF, BFLOAT16, E4M3, E5M2, INT8, INT32 = range(1, 10)
ROW_MAJOR, COLUMN_MAJOR = 1, 2
SCALE_PER_MATRIX, SCALE_PER_ROW, SCALE_PER_COLUMN = 1, 2, 3
SCALE_PER_1_X_128, SCALE_PER_128_X_1, SCALE_PER_128_X_128 = 4, 5, 6
NO_GROUPS, RAGGED_ROWS, MASKED_ROWS, RAGGED_COLUMNS, RAGGED_K = range(5)
BIAS_PER_COLUMN, BIAS_PER_ROW = 1, 2
ACTIVATIONS = {None: 0, "relu": 1, "gelu": 2, "gelu_tanh": 3, "silu": 4, "sigmoid": 5}


def bias_type(type):
    """The type of a bias of a C of this type."""
    return FLOAT if type in (INT8, INT32, E4M3, E5M2) else type


def scale_kinds(scale_a, scale_b, m, n, k):
    """The kinds of the scales of A and B, by their numbers of elements and shapes; None where the shapes are wrong.

    Scales of blocks are matrices, and those of A and B go together: of 128 x 128 is at most one of them.
    """
    (count_a, shape_a), (count_b, shape_b) = scale_a, scale_b
    of_a = SCALE_PER_MATRIX if count_a == 1 else SCALE_PER_ROW if shape_a == (m, 1) else None
    of_b = SCALE_PER_MATRIX if count_b == 1 else SCALE_PER_COLUMN if shape_b == (1, n) else None
    if of_a and of_b:
        return of_a, of_b
    in_m, in_n, in_k = (-(-size // 128) for size in (m, n, k))
    of_a = SCALE_PER_1_X_128 if shape_a == (m, in_k) else SCALE_PER_128_X_128 if shape_a == (in_m, in_k) else None
    of_b = SCALE_PER_128_X_1 if shape_b == (in_k, n) else SCALE_PER_128_X_128 if shape_b == (in_k, in_n) else None
    return (of_a, of_b) if of_a and of_b and (of_a, of_b) != (SCALE_PER_128_X_128,) * 2 else None


def needed_scales(m, n, k):
    """What scale_kinds() takes, in words."""
    in_m, in_n, in_k = (-(-size // 128) for size in (m, n, k))
    return (
        f"one element or {[m, 1]}, and one element or {[1, n]}; or of blocks {[m, in_k]} or {[in_m, in_k]}, and "
        f"{[in_k, n]} or {[in_k, in_n]}, not both of 128 x 128"
    )


class Error(RuntimeError):
    """A call that the library refused, or that failed. `code` is its gemm_code, `cuda_error` that of CUDA or 0."""

    def __init__(self, message, code=0, cuda_error=0):
        super().__init__(message)
        self.code, self.cuda_error = code, cuda_error


class InvalidArgument(Error, ValueError):
    """An argument breaks a rule, or its types are not compiled."""


class UnsupportedDevice(Error):
    """The device lacks what the product needs."""


class CudaFailure(Error):
    """CUDA refused a call."""


class FileFailure(Error, OSError):
    """A tuning cache cannot be read."""


_ERRORS = {1: InvalidArgument, 2: UnsupportedDevice, 3: CudaFailure, 4: FileFailure}


class Sized(Structure):
    """A struct whose first member is its size."""

    def __init__(self, **values):
        super().__init__(struct_size=ctypes.sizeof(self), **values)


class Status(Sized):
    _fields_ = [("struct_size", c_size_t), ("code", c_int32), ("cuda_error", c_int32), ("message", c_char * 256)]


class Matrix(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("data", c_void_p),
        ("type", c_int32),
        ("order", c_int32),
        ("rows", c_int64),
        ("columns", c_int64),
        ("ld", c_int64),
        ("batch_count", c_int64),
        ("batch_stride", c_int64),
        ("scales", c_void_p),
        ("scale_count", c_int64),
        ("scale_batch_stride", c_int64),
        ("scale_kind", c_int32),
        ("scale_order", c_int32),
        ("scale_rows", c_int64),
        ("scale_columns", c_int64),
        ("scale_ld", c_int64),
    ]


class Epilogue(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("bias", c_void_p),
        ("bias_count", c_int64),
        ("bias_kind", c_int32),
        ("bias_type", c_int32),
        ("activation", c_int32),
        ("reserved", c_int32),
        ("residual", POINTER(Matrix)),
        ("residual_factor", c_double),
        ("scale", c_double),
        ("scale_at", c_void_p),
        ("amax", c_void_p),
    ]


class Call(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("a", POINTER(Matrix)),
        ("b", POINTER(Matrix)),
        ("c", POINTER(Matrix)),
        ("alpha", c_double),
        ("beta", c_double),
        ("epilogue", POINTER(Epilogue)),
        ("stream", c_void_p),
        ("workspace", c_void_p),
        ("workspace_bytes", c_size_t),
        ("constant_a", c_int32),
        ("constant_b", c_int32),
        ("group_kind", c_int32),
        ("group_bytes", c_int32),
        ("group_count", c_int64),
        ("group_ends", c_void_p),
        ("zero_rest", c_int32),
        ("reserved", c_int32),
    ]


class Choice(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("seconds", c_double),
        ("waves", c_double),
        ("slices", c_int32),
        ("in_cluster", c_int32),
        ("tail", c_int32),
        ("packs_a", c_int32),
        ("packs_b", c_int32),
        ("is_tuned", c_int32),
        ("policy", c_char * 128),
        ("note", c_char * 256),
    ]


class TuningReport(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("plans", c_int32),
        ("foreign", c_int32),
        ("ignored", c_int32),
        ("reserved", c_int32),
        ("first_wrong", c_char * 96),
    ]


def _load():
    path = os.environ.get("GEMM_LIBRARY") or str(Path(__file__).resolve().parent / "libgemm_compiled.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"gemm: the compiled library cannot be loaded: {error}") from error
    for name, arguments in {
        "gemm_run": [POINTER(Call), POINTER(Status)],
        "gemm_can_run": [POINTER(Call), POINTER(Status)],
        "gemm_chosen": [POINTER(Call), POINTER(Choice), POINTER(Status)],
        "gemm_load_tuning": [c_char_p, POINTER(TuningReport), POINTER(Status)],
    }.items():
        getattr(library, name).argtypes = arguments
        getattr(library, name).restype = c_int
    library.gemm_version_string.restype = c_char_p
    library.gemm_compiled_products.restype = c_char_p
    library.gemm_forget_tuning.restype = None
    return library


library = _load()

# The CPU device is visible in a library for it; that for GPUs hides CUDA's runtime.
on_cpu = hasattr(library, "cudaMalloc")


def error(status):
    """The exception of a status."""
    return _ERRORS.get(status.code, Error)(status.message.decode(), status.code, status.cuda_error)


def call(function, *arguments):
    """Calls a function that fills a status, and raises what that says."""
    status = Status()
    if function(*arguments, byref(status)):
        raise error(status)
