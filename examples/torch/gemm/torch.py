# SPDX-License-Identifier: BSL-1.0
"""The products as operators of PyTorch, torch.ops.gemm, and in the place of PyTorch's own.

mm, addmm, bmm and baddbmm are defined as PyTorch's of these names, scaled_mm, int_mm, grouped_mm and scaled_grouped_mm
as torch._scaled_mm and so on, linear as torch.nn.functional.linear with an activation. They have fake kernels, for
torch.compile and torch.export. Those of floats have gradients, and work under autocast and torch.vmap.
"""

import collections
import contextlib
import math
import warnings

import torch

from . import _library as lib
from . import _operators as kernels

__all__ = ["ops", "replace_products"]

ops = torch.ops.gemm
"""The operators."""

_KEY = "CPU" if lib.on_cpu else "CUDA"
_library = torch.library.Library("gemm", "DEF")

for _schema in [
    "mm(Tensor self, Tensor mat2) -> Tensor",
    "bmm(Tensor self, Tensor mat2) -> Tensor",
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    'linear(Tensor input, Tensor weight, Tensor? bias=None, str activation="none", bool constant_weight=False)'
    " -> Tensor",
    "int_mm(Tensor self, Tensor mat2) -> Tensor",
    "scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None,"
    ' ScalarType? out_dtype=None, bool use_fast_accum=False, str activation="none") -> Tensor',
    "grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor",
    "scaled_grouped_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? offs=None, Tensor? bias=None,"
    " Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
]:
    _name = _schema.partition("(")[0]
    _library.define(_schema, tags=torch.Tag.pt2_compliant_tag)
    _library.impl(_name, getattr(kernels, _name), _KEY)
    torch.library.register_fake(f"gemm::{_name}", getattr(kernels, f"{_name}_result"), lib=_library)


# Gradients. They are products by the operators again.


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


def _silu_backward(gradient, product):
    if not torch.is_grad_enabled():
        return torch.ops.aten.silu_backward(gradient, product)
    sigmoid = product.sigmoid()  # PyTorch's cannot be differentiated again
    return gradient * sigmoid * (1 + product * (1 - sigmoid))


# What the activations' derivatives are computed from: the result, or the product again.
_BY_RESULT = {
    "relu": lambda gradient, result: torch.ops.aten.threshold_backward(gradient, result, 0),
    "sigmoid": torch.ops.aten.sigmoid_backward,
}
_BY_PRODUCT = {
    "gelu": torch.ops.aten.gelu_backward,
    "gelu_tanh": lambda gradient, product: torch.ops.aten.gelu_backward(gradient, product, approximate="tanh"),
    "silu": _silu_backward,
}


def _save_linear(ctx, inputs, output):
    input, weight, bias, ctx.activation, _ = inputs
    ctx.save_for_backward(input, weight, bias, output if ctx.activation in _BY_RESULT else None)


def _linear_backward(ctx, gradient):
    input, weight, bias, output = ctx.saved_tensors
    if ctx.activation in _BY_RESULT:
        gradient = _BY_RESULT[ctx.activation](gradient, output)
    elif ctx.activation in _BY_PRODUCT:
        gradient = _BY_PRODUCT[ctx.activation](gradient, ops.linear(input, weight, bias))
    by_input, by_weight, *by_others = ctx.needs_input_grad  # bias and what follows, if they were given
    rows = math.prod(input.shape[:-1])
    gradient, matrix = gradient.reshape(rows, weight.shape[0]), input.reshape(rows, weight.shape[1])
    return (
        ops.mm(gradient, weight).reshape(input.shape) if by_input else None,
        ops.mm(gradient.t(), matrix) if by_weight else None,
        gradient.sum(0) if any(by_others) else None,
        None,
        None,
    )


def _save_grouped(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:3])


def _grouped_backward(ctx, gradient):
    """A gradient's groups are those of the product: ragged k becomes ragged rows or columns, and these ragged k."""
    a, b, offs = ctx.saved_tensors
    by_a, by_b, *others = ctx.needs_input_grad
    return (
        ops.grouped_mm(gradient, b.mT, offs) if by_a else None,
        ops.grouped_mm(a.mT, gradient, offs) if by_b else None,
        *[None] * len(others),
    )


def _no_backward(name):
    def backward(ctx, gradient):
        raise NotImplementedError(f"gemm: {name} has no gradients, like torch._{name}")

    return backward


for _name, _backward, _save in [
    ("mm", _product_backward, _save_factors),
    ("bmm", _product_backward, _save_factors),
    ("addmm", _sum_backward, _save_sum),
    ("baddbmm", _sum_backward, _save_sum),
    ("linear", _linear_backward, _save_linear),
    ("grouped_mm", _grouped_backward, _save_grouped),
    ("scaled_mm", _no_backward("scaled_mm"), None),
    ("scaled_grouped_mm", _no_backward("scaled_grouped_mm"), None),
]:
    torch.library.register_autograd(f"gemm::{_name}", _backward, setup_context=_save, lib=_library)


# Autocast, as for PyTorch's products: floats but double are cast to its type.


def _autocast(name, device):
    op = getattr(ops, name)
    keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, f"Autocast{_KEY}"))

    def cast(x, dtype):
        eligible = isinstance(x, torch.Tensor) and x.is_floating_point() and x.dtype != torch.double
        return x.to(dtype) if eligible and x.device.type == device else x

    def kernel(_, *args, **scalars):
        dtype = torch.get_autocast_dtype(device)
        given = [cast(x, dtype) for x in args]
        if name == "linear" and given[1] is not args[1]:
            given[4:] = []  # a weight that is cast here is not constant
        with torch._C._ExcludeDispatchKeyGuard(keys):
            return op(*given, **scalars)

    return kernel


for _name in "mm", "bmm", "addmm", "baddbmm", "linear", "grouped_mm":
    _library.impl(_name, _autocast(_name, _KEY.lower()), f"Autocast{_KEY}", with_keyset=True)


# torch.vmap, where a product of a batch is one call. PyTorch calls the others for each element of the dimension.


def _in_front(t, dimension, size):
    """The tensor with its mapped dimension in front, expanded where there is none."""
    return t.expand(size, *t.shape) if dimension is None else t.movedim(dimension, 0)


def _map_mm(info, dimensions, self, mat2):
    factors = [_in_front(t, at, info.batch_size) for t, at in zip((self, mat2), dimensions)]
    return ops.bmm(*factors), 0


def _map_bmm(info, dimensions, self, mat2):
    factors = [_in_front(t, at, info.batch_size) for t, at in zip((self, mat2), dimensions)]
    return ops.bmm(*(t.flatten(0, 1) for t in factors)).unflatten(0, factors[0].shape[:2]), 0


def _map_addmm(info, dimensions, self, mat1, mat2, *, beta=1, alpha=1):
    input, *factors = [_in_front(t, at, info.batch_size) for t, at in zip((self, mat1, mat2), dimensions)]
    input = input.reshape(len(input), *[1] * (3 - input.dim()), *input.shape[1:])
    return ops.baddbmm(input, *factors, beta=beta, alpha=alpha), 0


def _map_linear(info, dimensions, input, weight, bias=None, activation="none", constant_weight=False):
    by_input, by_weight, by_bias = (*dimensions, None)[:3]  # a bias of None may be left out
    if by_weight is None and by_bias is None:
        return ops.linear(input.movedim(by_input, 0), weight, bias, activation, constant_weight), 0
    given = [(input, by_input), (weight, by_weight), (bias, by_bias)]
    each = [[t if at is None else t.select(at, i) for t, at in given] for i in range(info.batch_size)]
    return torch.stack([ops.linear(*operands, activation) for operands in each]), 0


for _name, _map in ("mm", _map_mm), ("bmm", _map_bmm), ("addmm", _map_addmm), ("linear", _map_linear):
    torch.library.register_vmap(f"gemm::{_name}", _map, lib=_library)


# In the place of PyTorch's products.


def _addmv(self, mat, vec, **scalars):
    return ops.addmm(self.unsqueeze(-1) if self.dim() else self, mat, vec.unsqueeze(-1), **scalars).squeeze(-1)


_PRODUCTS = {"mm": ops.mm, "bmm": ops.bmm, "addmm": ops.addmm, "baddbmm": ops.baddbmm, "addmv": _addmv}


def _replacement(name, variant, count):
    """PyTorch's operator in one of its variants: name, name_ (in place) or name.out."""
    product, original = _PRODUCTS[name], torch.library.get_kernel(f"aten::{variant}", _KEY)

    def kernel(keys, *args, out=None, **scalars):
        given = args if out is None else (*args, out)
        if {t.dtype for t in given} - kernels.FLOATS or len({t.dtype for t in given}) > 1:
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
    """Within it PyTorch multiplies by the library, forwards and, in backward() within it, backwards.

    Gives a Counter of the operators that were called: mm, bmm, addmm, baddbmm and addmv, out of place, in place and
    with out=. Complex products, and those of integers, stay PyTorch's. Holds for all threads, and must not be entered
    twice.
    """
    count = collections.Counter()
    library = torch.library.Library("aten", "IMPL")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that kernels are overridden
            for name in _PRODUCTS:
                variants = [name, f"{name}.out"] + ([f"{name}_"] if name not in ("mm", "bmm") else [])
                for variant in variants:
                    library.impl(variant, _replacement(name, variant, count), _KEY, with_keyset=True)
        yield count
    finally:
        library._destroy()
