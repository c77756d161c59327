# SPDX-License-Identifier: BSL-1.0
"""The compiled library from Python, without a package for arrays: relu(A B + bias) of floats.

    python3 product.py [RUNTIME]

The package gemm is installed, or on PYTHONPATH with GEMM_LIBRARY (docs/python.md). RUNTIME has cudaMalloc, by default
libcudart.so.13.
"""

import ctypes
import sys
from ctypes import POINTER, byref, c_float, c_size_t, c_void_p

import gemm

cuda = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libcudart.so.13")
cuda.cudaMalloc.argtypes = [POINTER(c_void_p), c_size_t]
cuda.cudaMemcpy.argtypes = [c_void_p, c_void_p, c_size_t, ctypes.c_int]
TO_DEVICE, TO_HOST = 1, 2


class Floats:
    """Floats in device memory, as the package reads arrays; on the CPU device this is the host's."""

    def __init__(self, values, *shape):
        self.host, self.device, self.shape = (c_float * len(values))(*values), c_void_p(), shape
        size = ctypes.sizeof(self.host)
        if cuda.cudaMalloc(byref(self.device), size) or cuda.cudaMemcpy(self.device, self.host, size, TO_DEVICE):
            sys.exit("no device memory")

    def values(self):
        if cuda.cudaMemcpy(self.host, self.device, ctypes.sizeof(self.host), TO_HOST):
            sys.exit("no result")
        return list(self.host)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": "<f4", "data": (self.device.value, False), "version": 3}

    __array_interface__ = __cuda_array_interface__


def main():
    a = Floats([1, 2, 3, 4, 5, 6], 2, 3)
    b = Floats([7, 8, 9, 10, 11, 12], 3, 2)
    c = gemm.matmul(a, b, out=Floats([0] * 4, 2, 2), bias=Floats([-60, 1], 2), activation="relu")
    print(c.values())
    return 0 if c.values() == [0, 65, 79, 155] else 1


if __name__ == "__main__":
    sys.exit(main())
