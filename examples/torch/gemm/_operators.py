# SPDX-License-Identifier: BSL-1.0
"""The kernels of torch.ops.gemm, and their fake kernels, which gemm.torch registers."""

import math

import torch

from . import _library as lib
from . import _tensors as tensors
from ._tensors import Epilogue, operand

FLOATS = {torch.float, torch.double, torch.half, torch.bfloat16}
FP8 = {torch.float8_e4m3fn, torch.float8_e5m2}
_BIASES = {torch.float, torch.half, torch.bfloat16}  # of scaled_mm
_SCALED = FP8 | _BIASES  # the results of scaled_mm
_ACTIVATIONS = {name or "none": value for name, value in lib.ACTIVATIONS.items()}

# The functions named ..._result() check operands and make the result. They are the fake kernels, and the first part of
# the real ones: they read no values, and take lengths as symbols. What is right is found out without a further call,
# whose time would count.


def _refuse(sentence):
    raise RuntimeError(f"gemm: {sentence}")


def _require(kept, say):
    """Raises the sentence unless the condition on lengths holds. Of symbols it becomes a guard."""
    torch._check(kept, lambda: f"gemm: {say()}")


def _name(dtype):
    return str(dtype).removeprefix("torch.")


def _refuse_dtype(t, name, dtypes):
    _refuse(f"{name} is of {_name(t.dtype)}, needs {' or '.join(sorted(map(_name, dtypes)))}")


def _refuse_dimensions(t, name, dimensions):
    _refuse(f"{name} has {t.dim()} dimensions, needs {dimensions}")


def _require_like(t, name, first, first_name, dtype):
    """On the device of another operand, and of this type."""
    if t.device != first.device:
        _refuse(f"{name} is on {t.device}, needs to be on {first.device} like {first_name}")
    if t.dtype is not dtype:
        like = f" like {first_name}" if dtype is first.dtype else ""
        _refuse(f"{name} is of {_name(t.dtype)}, needs {_name(dtype)}{like}")


def _product_result(a, a_name, b, b_name, dimensions=2, dtypes=FLOATS, b_dtype=None, dtype=None):
    """The result of the product of matrices (of 2 dimensions) or of batches of them (of 3)."""
    shape, shape_b, kind = a.shape, b.shape, a.dtype
    if len(shape) != dimensions:
        _refuse_dimensions(a, a_name, dimensions)
    if len(shape_b) != dimensions:
        _refuse_dimensions(b, b_name, dimensions)
    if kind not in dtypes:
        _refuse_dtype(a, a_name, dtypes)
    _require_like(b, b_name, a, a_name, b_dtype or kind)
    if (kept := shape_b[-2] == shape[-1]) is not True:
        _require(kept, lambda: f"{b_name} has {shape_b[-2]} rows, needs {shape[-1]}, the columns of {a_name}")
    if dimensions == 2:
        return a.new_empty((shape[0], shape_b[1]), dtype=dtype or kind)
    if (kept := shape_b[0] == shape[0]) is not True:
        _require(kept, lambda: f"{b_name} has {shape_b[0]} matrices, needs {shape[0]} like {a_name}")
    return a.new_empty((shape[0], shape[1], shape_b[2]), dtype=dtype or kind)


def _sum_result(input, a, a_name, b, b_name, dimensions, beta, alpha):
    """The result of alpha a b + beta input, whose input may be one row, one column or one number."""
    if isinstance(alpha, complex) or isinstance(beta, complex):
        _refuse("beta or alpha is complex, both need to be real")
    c = _product_result(a, a_name, b, b_name, dimensions)
    _require_like(input, "self", a, a_name, a.dtype)
    shape, sizes = input.shape, c.shape
    if len(shape) > dimensions:
        _refuse(f"self has {len(shape)} dimensions, needs at most {dimensions}")
    for length, size in zip(reversed(shape), reversed(sizes)):
        if length is not size and length != 1 and (kept := length == size) is not True:
            _require(kept, lambda: f"self has the shape {[*shape]}, needs one that expands to {[*sizes]}")
    return c


def mm_result(self, mat2):
    return _product_result(self, "self", mat2, "mat2")


def bmm_result(self, mat2):
    return _product_result(self, "self", mat2, "mat2", 3)


def addmm_result(self, mat1, mat2, *, beta=1, alpha=1):
    return _sum_result(self, mat1, "mat1", mat2, "mat2", 2, beta, alpha)


def baddbmm_result(self, batch1, batch2, *, beta=1, alpha=1):
    return _sum_result(self, batch1, "batch1", batch2, "batch2", 3, beta, alpha)


def _refuse_activation(activation):
    _refuse(f"activation is {activation}, needs one of {', '.join(_ACTIVATIONS)}")


def _require_bias(bias, length, of):
    if bias.dim() != 1:
        _refuse_dimensions(bias, "bias", 1)
    if (kept := bias.shape[0] == length) is not True:
        _require(kept, lambda: f"bias has {bias.shape[0]} values, needs {length}, one for each {of}")


def linear_result(input, weight, bias=None, activation="none", constant_weight=False):
    shape, shape_w, dtype = input.shape, weight.shape, input.dtype
    if not shape:
        _refuse("input has 0 dimensions, needs 1 or more")
    if len(shape_w) != 2:
        _refuse_dimensions(weight, "weight", 2)
    if dtype not in FLOATS:
        _refuse_dtype(input, "input", FLOATS)
    _require_like(weight, "weight", input, "input", dtype)
    if (kept := shape_w[1] == shape[-1]) is not True:
        _require(kept, lambda: f"weight has {shape_w[1]} columns, needs {shape[-1]} like input")
    if bias is not None:
        _require_like(bias, "bias", input, "input", dtype)
        _require_bias(bias, shape_w[0], "row of weight")
    if activation not in _ACTIVATIONS:
        _refuse_activation(activation)
    return input.new_empty((*shape[:-1], shape_w[0]))


def int_mm_result(self, mat2):
    return _product_result(self, "self", mat2, "mat2", dtypes=(torch.int8,), dtype=torch.int32)


def _scale_kinds(scale_a, scale_b, self, m, n, k):
    for name, scale in ("scale_a", scale_a), ("scale_b", scale_b):
        _require_like(scale, name, self, "self", torch.float)
    kinds = lib.scale_kinds(*((scale.numel(), tuple(scale.shape)) for scale in (scale_a, scale_b)), m, n, k)
    if kinds is None:
        _refuse(
            f"scale_a and scale_b have the shapes {[*scale_a.shape]} and {[*scale_b.shape]}, need "
            f"{lib.needed_scales(m, n, k)}"
        )
    return kinds


def scaled_mm_result(
    self, mat2, scale_a, scale_b, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False, activation="none"
):
    if mat2.dtype not in FP8:
        _refuse_dtype(mat2, "mat2", FP8)
    c = _product_result(self, "self", mat2, "mat2", 2, FP8, mat2.dtype, out_dtype)
    if c.dtype not in _SCALED:
        _refuse_dtype(c, "the result", _SCALED)
    m, n = c.shape
    _scale_kinds(scale_a, scale_b, self, m, n, self.shape[1])
    if bias is not None:
        if bias.dtype not in _BIASES:
            _refuse_dtype(bias, "bias", _BIASES)
        _require_like(bias, "bias", self, "self", bias.dtype)
        _require_bias(bias, n, "column of mat2")
    if scale_result is not None:
        _require_like(scale_result, "scale_result", self, "self", torch.float)
        if scale_result.numel() != 1:
            _refuse(f"scale_result has {scale_result.numel()} elements, needs 1")
    if activation not in _ACTIVATIONS:
        _refuse_activation(activation)
    return c


def _grouped_result(a, a_name, b, b_name, offs, dtypes, b_dtype, dtype):
    """The result of products in groups. Of a matrix and a batch offs cuts rows or columns of the matrix and the result,
    of two matrices k."""
    shape_a, shape_b = a.shape, b.shape
    for t, name in (a, a_name), (b, b_name):
        if t.dim() not in (2, 3):
            _refuse_dimensions(t, name, "2 or 3")
    if a.dtype not in dtypes:
        _refuse_dtype(a, a_name, dtypes)
    _require_like(b, b_name, a, a_name, b_dtype or a.dtype)
    _require(
        shape_b[-2] == shape_a[-1],
        lambda: f"{b_name} has {shape_b[-2]} rows, needs {shape_a[-1]}, the columns of {a_name}",
    )
    batches = [(shape[0], name) for shape, name in ((shape_a, a_name), (shape_b, b_name)) if len(shape) == 3]
    if len(batches) == 2:
        if offs is not None:
            _refuse(f"offs is given, needs None where {a_name} and {b_name} are batches")
        _require(
            shape_b[0] == shape_a[0], lambda: f"{b_name} has {shape_b[0]} matrices, needs {shape_a[0]} like {a_name}"
        )
    else:
        if offs is None:
            _refuse(f"offs is None, needs the ends of groups where {a_name} or {b_name} is a matrix")
        _require_like(offs, "offs", a, a_name, torch.int32)
        if offs.dim() != 1:
            _refuse_dimensions(offs, "offs", 1)
        for count, name in batches:
            _require(
                offs.shape[0] == count, lambda: f"offs has {offs.shape[0]} ends, needs {count}, the matrices of {name}"
            )
    batch = [count for count, _ in batches[:1]] if len(batches) == 2 else [offs.shape[0]] if not batches else []
    return a.new_empty((*batch, shape_a[-2], shape_b[-1]), dtype=dtype or a.dtype)


def _refuse_given(given, name):
    if given is not None:
        _refuse(f"{name} is given, needs None")


def grouped_mm_result(self, mat2, offs=None, bias=None, out_dtype=None):
    _refuse_given(bias, "bias")
    if out_dtype is not None and out_dtype is not self.dtype:
        _refuse(f"out_dtype is {_name(out_dtype)}, needs None or {_name(self.dtype)} like self")
    return _grouped_result(self, "self", mat2, "mat2", offs, FLOATS, None, None)


def _require_group_scales(scale, name, self, t, length):
    """One for each row of self or column of mat2, and of groups that share a k for each group's."""
    _require_like(scale, name, self, "self", torch.float)
    groups = (t.shape[0],) if t.dim() == 3 else ()
    shape = (*groups, length)
    fits = scale.dim() == len(shape) and all(a == b for a, b in zip(scale.shape, shape))
    if fits is not True:
        _require(fits, lambda: f"{name} has the shape {[*scale.shape]}, needs {[*shape]}")


def scaled_grouped_mm_result(
    self, mat2, scale_a, scale_b, offs=None, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False
):
    _refuse_given(bias, "bias")
    _refuse_given(scale_result, "scale_result")
    if mat2.dtype not in FP8:
        _refuse_dtype(mat2, "mat2", FP8)
    c = _grouped_result(self, "self", mat2, "mat2", offs, FP8, mat2.dtype, out_dtype or torch.bfloat16)
    if c.dtype not in _SCALED:
        _refuse_dtype(c, "the result", _SCALED)
    times = offs.shape[0] if self.dim() == mat2.dim() == 2 else 1
    _require_group_scales(scale_a, "scale_a", self, self, times * self.shape[-2])
    _require_group_scales(scale_b, "scale_b", self, mat2, times * mat2.shape[-1])
    return c


# The kernels. What does not matter is neither copied nor read: empty results, the input where beta is 0, and the
# factors where alpha is 0.


def _multiply(a, b, c, *arguments):
    """c = alpha a b and so on; see tensors.enqueue()."""
    (view_a, a), (view_b, b) = operand(a), operand(b)  # a and b live until the call is enqueued
    tensors.enqueue(view_a, view_b, c, *arguments)
    return c


def mm(self, mat2):
    c = _product_result(self, "self", mat2, "mat2")
    return _multiply(self, mat2, c) if c.numel() else c


def bmm(self, mat2):
    c = _product_result(self, "self", mat2, "mat2", 3)
    return _multiply(self, mat2, c) if c.numel() else c


def _addend(input, c, beta):
    """The epilogue that adds beta * input, or None where a copy in C is needed."""
    shape, strides, size = input.shape, input.stride(), c.shape
    if beta == 1 and shape and math.prod(shape[:-1]) == 1 and shape[-1] == size[-1] and strides[-1] == 1:
        return Epilogue(bias=input)
    if shape[-2:] != size[-2:] or (len(shape) == 3 and shape[0] not in (1, size[0])):
        return None
    residual = tensors.view(input)
    return residual and Epilogue(residual=residual, factor=beta)


def _add(input, a, b, c, beta, alpha):
    """c = alpha a b + beta input."""
    if not c.numel():
        return c
    if alpha == 0:
        return c.copy_(input).mul_(beta) if beta != 0 else c.zero_()
    if beta == 0:
        return _multiply(a, b, c, alpha)
    epilogue = _addend(input, c, beta)
    if epilogue is not None:
        return _multiply(a, b, c, alpha, 0, epilogue)
    return _multiply(a, b, c.copy_(input), alpha, beta)


def addmm(self, mat1, mat2, *, beta=1, alpha=1):
    return _add(self, mat1, mat2, addmm_result(self, mat1, mat2, beta=beta, alpha=alpha), beta, alpha)


def baddbmm(self, batch1, batch2, *, beta=1, alpha=1):
    return _add(self, batch1, batch2, baddbmm_result(self, batch1, batch2, beta=beta, alpha=alpha), beta, alpha)


def linear(input, weight, bias=None, activation="none", constant_weight=False):
    result = linear_result(input, weight, bias, activation)
    if not result.numel():
        return result
    n, k = weight.shape
    matrix = input if input.dim() == 2 else input.reshape(-1, k) if k else input.new_empty(result.numel() // n, 0)
    c = result if result.dim() == 2 else result.view(-1, n)
    epilogue = None
    if bias is not None or activation != "none":
        bias = bias if bias is None or bias.stride(0) == 1 else bias.contiguous()
        epilogue = Epilogue(_ACTIVATIONS[activation], bias)
    (view_a, matrix), (view_b, kept) = operand(matrix), operand(weight, is_transposed=True)
    is_constant = constant_weight and kept is weight  # a copy is made by the kernel before
    tensors.enqueue(view_a, view_b, c, 1, 0, epilogue, constant_b=is_constant)
    return result


def int_mm(self, mat2):
    c = int_mm_result(self, mat2)
    return _multiply(self, mat2, c) if c.numel() else c


def _scales(scale, kind):
    """Members of gemm_matrix of scales, and the tensor whose memory that is."""
    if kind < lib.SCALE_PER_1_X_128:
        scale = scale.contiguous()
        return (scale.data_ptr(), scale.numel(), 0, kind, 0, 0, 0, 0), scale
    (data, _, order, rows, columns, ld, _, _), scale = operand(scale)
    return (data, -1, 0, kind, order, rows, columns, ld), scale


def scaled_mm(
    self, mat2, scale_a, scale_b, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False, activation="none"
):
    c = scaled_mm_result(self, mat2, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum, activation)
    if not c.numel():
        return c
    kinds = _scale_kinds(scale_a, scale_b, self, *c.shape, self.shape[1])
    (scales_a, scale_a), (scales_b, scale_b) = map(_scales, (scale_a, scale_b), kinds)
    epilogue = None
    if bias is not None or scale_result is not None or activation != "none":
        if bias is not None:
            bias = bias.to(torch.float if c.dtype in FP8 else c.dtype).contiguous()
        epilogue = Epilogue(_ACTIVATIONS[activation], bias, scale_at=scale_result)
    return _multiply(self, mat2, c, 1, 0, epilogue, scales_a, scales_b)


def _multiply_groups(a, b, c, offs, scales_a=tensors.NO_SCALES, scales_b=tensors.NO_SCALES):
    """c = a b in groups. What of c belongs to no group is zeroed."""
    groups = tensors.NO_GROUPS
    if offs is not None:
        if not offs.shape[0]:
            return c.zero_()
        kinds = {(2, 3): lib.RAGGED_ROWS, (3, 2): lib.RAGGED_COLUMNS, (2, 2): lib.RAGGED_K}
        kind = kinds[a.dim(), b.dim()]
        offs = offs.contiguous()
        groups = kind, 4, offs.shape[0], offs.data_ptr(), kind != lib.RAGGED_K, 0
    return _multiply(a, b, c, 1, 0, None, scales_a, scales_b, False, groups)


def grouped_mm(self, mat2, offs=None, bias=None, out_dtype=None):
    c = grouped_mm_result(self, mat2, offs, bias, out_dtype)
    return _multiply_groups(self, mat2, c, offs) if c.numel() else c


def scaled_grouped_mm(
    self, mat2, scale_a, scale_b, offs=None, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False
):
    c = scaled_grouped_mm_result(self, mat2, scale_a, scale_b, offs, bias, scale_result, out_dtype, use_fast_accum)
    if not c.numel():
        return c
    scale_a, scale_b = scale_a.contiguous(), scale_b.contiguous()
    ragged_k = self.dim() == mat2.dim() == 2
    scales = [
        (scale.data_ptr(), length, length if ragged_k or t.dim() == 3 else 0, kind, 0, 0, 0, 0)
        for scale, t, length, kind in (
            (scale_a, self, self.shape[-2], lib.SCALE_PER_ROW),
            (scale_b, mat2, mat2.shape[-1], lib.SCALE_PER_COLUMN),
        )
    ]
    return _multiply_groups(self, mat2, c, offs, *scales)
