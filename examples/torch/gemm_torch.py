# SPDX-License-Identifier: BSL-1.0
"""Loads torch.ops.gemm, the library's products for PyTorch, and may put them in the place of PyTorch's own.

The extension lies beside this file (setup.py), or where GEMM_TORCH_LIBRARY says (CMake).
"""

import collections
import contextlib
import os
import warnings
from pathlib import Path

import torch


def extension():
    """The extension's path, or None where it is not built."""
    beside = sorted(Path(__file__).resolve().parent.glob("_gemm_torch*.so"))
    return os.environ.get("GEMM_TORCH_LIBRARY") or next(map(str, beside), None)


if extension() is None:
    raise ImportError("gemm_torch: the extension is not built: python3 setup.py build_ext --inplace")
torch.ops.load_library(extension())
ops = torch.ops.gemm

_DEVICE = "CUDA"
_TYPES = {torch.float, torch.double, torch.half, torch.bfloat16}


def _addmv(self, mat, vec, **scalars):
    return ops.addmm(self.unsqueeze(-1) if self.dim() else self, mat, vec.unsqueeze(-1), **scalars).squeeze(-1)


_PRODUCTS = {"mm": ops.mm, "bmm": ops.bmm, "addmm": ops.addmm, "baddbmm": ops.baddbmm, "addmv": _addmv}


def _kernel(name, variant, count):
    """PyTorch's operator in one of its variants: name, name_ (in place) or name.out."""
    product, original = _PRODUCTS[name], torch.library.get_kernel(f"aten::{variant}", _DEVICE)

    def kernel(keys, *args, out=None, **scalars):
        given = args if out is None else (*args, out)
        if {t.dtype for t in given} - _TYPES or len({t.dtype for t in given}) > 1:
            return original.call_boxed(keys, *args, **scalars, **({} if out is None else {"out": out}))
        count[name] += 1
        result = product(*args, **scalars)
        if variant == name:
            return result
        target = args[0] if out is None else out
        if out is not None:
            out.resize_(result.shape)
        return target.copy_(result)

    return kernel


@contextlib.contextmanager
def replace_products():
    """Within it PyTorch multiplies CUDA tensors by the library, forwards and, in backward() within it, backwards.

    Gives a Counter of the operators that were called. Complex products, and those of integers, stay PyTorch's. Holds
    for all threads, and must not be entered twice.
    """
    count = collections.Counter()
    library = torch.library.Library("aten", "IMPL")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that kernels are overridden
            for name in _PRODUCTS:
                variants = [name, f"{name}.out"] + ([f"{name}_"] if name not in ("mm", "bmm") else [])
                for variant in variants:
                    library.impl(variant, _kernel(name, variant, count), _DEVICE, with_keyset=True)
        yield count
    finally:
        library._destroy()
