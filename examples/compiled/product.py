# SPDX-License-Identifier: BSL-1.0
"""The compiled library from Python, by ctypes alone: relu(A B + bias) of floats.

    python3 product.py LIBRARY [RUNTIME]

LIBRARY is the shared gemm_compiled; RUNTIME has cudaMalloc, by default libcudart.so.13. The structs are those of
gemm/gemm.h.
"""

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char, c_double, c_int32, c_int64, c_size_t, c_void_p

FLOAT, ROW_MAJOR, BIAS_PER_COLUMN, RELU = 1, 1, 1, 1


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
        ("reserved", c_int32),
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
    ]


def row_major(data, rows, columns):
    return Matrix(data=data, type=FLOAT, order=ROW_MAJOR, rows=rows, columns=columns, ld=columns, batch_count=1)


def main():
    gemm = ctypes.CDLL(sys.argv[1])
    cuda = ctypes.CDLL(sys.argv[2] if len(sys.argv) > 2 else "libcudart.so.13")
    cuda.cudaMalloc.argtypes = [POINTER(c_void_p), c_size_t]
    cuda.cudaMemcpy.argtypes = [c_void_p, c_void_p, c_size_t, ctypes.c_int]
    to_device, to_host = 1, 2

    def copied(*values):
        host = (ctypes.c_float * len(values))(*values)
        device = c_void_p()
        if cuda.cudaMalloc(byref(device), ctypes.sizeof(host)) or cuda.cudaMemcpy(
            device, host, ctypes.sizeof(host), to_device
        ):
            sys.exit("no device memory")
        return device

    c = copied(0, 0, 0, 0)
    call = Call(
        a=ctypes.pointer(row_major(copied(1, 2, 3, 4, 5, 6), 2, 3)),
        b=ctypes.pointer(row_major(copied(7, 8, 9, 10, 11, 12), 3, 2)),
        c=ctypes.pointer(row_major(c, 2, 2)),
        alpha=1,
        epilogue=ctypes.pointer(
            Epilogue(
                bias=copied(-60, 1),
                bias_count=2,
                bias_kind=BIAS_PER_COLUMN,
                bias_type=FLOAT,
                activation=RELU,
                residual_factor=1,
                scale=1,
            )
        ),
    )
    status = Status()
    if gemm.gemm_run(byref(call), byref(status)):
        sys.exit(status.message.decode())
    result = (ctypes.c_float * 4)()
    if cuda.cudaMemcpy(result, c, ctypes.sizeof(result), to_host):
        sys.exit("no result")
    print(list(result))
    return 0 if list(result) == [0, 65, 79, 155] else 1


if __name__ == "__main__":
    sys.exit(main())
