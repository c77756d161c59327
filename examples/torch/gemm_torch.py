# SPDX-License-Identifier: BSL-1.0
"""Loads torch.ops.gemm, the library's products for PyTorch, and may put them in the place of PyTorch's own.

The extension lies beside this file (setup.py), or where GEMM_TORCH_LIBRARY says (CMake). It brings fake kernels for
torch.compile and torch.export; the gradients are registered here.
"""

import collections
import contextlib
import math
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


def _factor_gradients(ctx, gradient, a, b, alpha=1):
    """The gradients of alpha a b, if wanted. They are products by the transpose of the other factor.

    The factors are the operator's last tensors. With beta = 0 an input gives no more than its shape.
    """
    product = ops.addmm if a.dim() == 2 else ops.baddbmm
    by_a, by_b = ctx.needs_input_grad[-2:]
    return (
        product(a, gradient, b.mT, beta=0, alpha=alpha) if by_a else None,
        product(b, a.mT, gradient, beta=0, alpha=alpha) if by_b else None,
    )


def _save_factors(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _product_backward(ctx, gradient):
    return _factor_gradients(ctx, gradient, *ctx.saved_tensors)


def _save_sum(ctx, inputs, keyword_only_inputs, output):
    input, *factors = inputs
    ctx.save_for_backward(*factors)
    ctx.shape, ctx.scalars = input.shape, keyword_only_inputs


def _sum_backward(ctx, gradient):
    alpha, beta = ctx.scalars["alpha"], ctx.scalars["beta"]
    by_input = None
    if ctx.needs_input_grad[0]:
        by_input = beta * gradient.sum_to_size(ctx.shape) if beta else gradient.new_zeros(ctx.shape)
    return by_input, *_factor_gradients(ctx, gradient, *ctx.saved_tensors, alpha)


def _save_linear(ctx, inputs, keyword_only_inputs, output):
    input, weight, bias, ctx.activation = inputs
    ctx.save_for_backward(input, weight, bias, output if ctx.activation == "relu" else None)


def _linear_backward(ctx, gradient):
    input, weight, bias, output = ctx.saved_tensors
    if ctx.activation == "relu":
        gradient = torch.ops.aten.threshold_backward(gradient, output, 0)
    elif ctx.activation == "gelu":
        gradient = torch.ops.aten.gelu_backward(gradient, ops.linear(input, weight, bias))
    by_input, by_weight, *by_others = ctx.needs_input_grad  # bias and activation, if they were given
    rows = math.prod(input.shape[:-1])
    gradient, matrix = gradient.reshape(rows, weight.shape[0]), input.reshape(rows, weight.shape[1])
    return (
        ops.mm(gradient, weight).reshape(input.shape) if by_input else None,
        ops.mm(gradient.t(), matrix) if by_weight else None,
        gradient.sum(0) if any(by_others) else None,
        None,
    )


for _name, _backward, _save in [
    ("mm", _product_backward, _save_factors),
    ("bmm", _product_backward, _save_factors),
    ("addmm", _sum_backward, _save_sum),
    ("baddbmm", _sum_backward, _save_sum),
    ("linear", _linear_backward, _save_linear),
]:
    torch.library.register_autograd(f"gemm::{_name}", _backward, setup_context=_save)


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
