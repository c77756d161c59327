// SPDX-License-Identifier: BSL-1.0
//! @file
//! The library's operators for PyTorch, torch.ops.gemm: mm, addmm, bmm, baddbmm and linear, as PyTorch defines them.

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "products.hpp"

namespace gemm_torch {
namespace {

using at::Tensor;
using gemm::order;

/// The leading dimension of matrices, the last two dimensions of a tensor, if they are stored in this order.
std::optional<std::int64_t> leading_dimension(Tensor const& t, order storage) {
  int const along = storage == order::row ? -1 : -2, across = storage == order::row ? -2 : -1;
  std::int64_t const least = std::max<std::int64_t>(t.size(along), 1);
  if (t.size(along) > 1 && t.stride(along) != 1) {
    return {};
  }
  if (t.size(across) <= 1) {  // a stride that is never taken says nothing
    return least;
  }
  return t.stride(across) >= least ? std::optional(t.stride(across)) : std::nullopt;
}

operand operand_of(Tensor const& t, std::int64_t ld) {
  bool const batch = t.dim() == 3;
  return {const_cast<void*>(t.const_data_ptr()),   t.size(-2), t.size(-1), ld, batch ? t.size(0) : 1,
          batch && t.size(0) > 1 ? t.stride(0) : 0};
}

/// An operand with the memory that it lies in: the tensor's own, or a copy's where no view can say its strides.
struct viewed {
  Tensor memory;
  order storage = order::row;
  operand view;

  /// Stored in either order, or in the only one.
  explicit viewed(Tensor const& t, std::optional<order> only = {}) : memory(t) {
    // A contiguous column is one of a column-major matrix, whose leading dimension is free.
    order const first = only.value_or(t.size(-1) > 1 ? order::row : order::column);
    order const second = only.value_or(first == order::row ? order::column : order::row);
    for (order const one : {first, second}) {
      if (auto const ld = leading_dimension(t, one)) {
        storage = one, view = operand_of(t, *ld);
        return;
      }
    }
    memory = t.contiguous();
    view = operand_of(memory, std::max<std::int64_t>(t.size(-1), 1));
  }
};

/// Raises the sentence unless the condition holds. A condition on symbolic sizes becomes a guard.
template <class... Values>
void require(c10::SymBool const& kept, Values const&... values) {
  TORCH_SYM_CHECK(kept, "gemm: ", values...);
}

/// Calls `what` with a value of the element type.
template <class What>
auto with_element(at::ScalarType type, What what) {
  switch (type) {
    case at::kFloat:
      return what(float{});
    case at::kDouble:
      return what(double{});
    case at::kHalf:
      return what(__half{});
    case at::kBFloat16:
      return what(__nv_bfloat16{});
    default:
      TORCH_CHECK(false, "gemm: elements of ", type, ", need to be of Float, Double, Half or BFloat16");
  }
}

/// A tensor, and what the operator's schema calls it.
struct named {
  char const* name;
  Tensor const& tensor;
};

void check_like(named t, named first) {
  require(t.tensor.device() == first.tensor.device(), t.name, " is on ", t.tensor.device(), ", needs to be on ",
          first.tensor.device(), " like ", first.name);
  require(t.tensor.scalar_type() == first.tensor.scalar_type(), t.name, " has elements of ", t.tensor.scalar_type(),
          ", needs those of ", first.tensor.scalar_type(), " like ", first.name);
}

void check_dimensions(named t, std::int64_t dimensions) {
  require(t.tensor.dim() == dimensions, t.name, " has ", t.tensor.dim(), " dimensions, needs ", dimensions);
}

// These functions check operands and allocate results. They are the fake kernels, and the first part of the real ones:
// they read no values, and take sizes as symbols.

/// The result of the product of matrices (of 2 dimensions) or of batches of them (of 3), not yet computed.
Tensor product_result(named a, named b, std::int64_t dimensions) {
  check_dimensions(a, dimensions);
  check_dimensions(b, dimensions);
  with_element(a.tensor.scalar_type(), [](auto) {});
  check_like(b, a);
  std::vector<c10::SymInt> sizes = a.tensor.sym_sizes().vec();
  if (dimensions == 3) {
    c10::SymInt const count = b.tensor.sym_size(0);
    require(count.sym_eq(sizes[0]), b.name, " has ", count, " matrices, needs ", sizes[0], " like ", a.name);
  }
  c10::SymInt const k = sizes.back(), rows = b.tensor.sym_size(-2);
  require(rows.sym_eq(k), b.name, " has ", rows, " rows, needs ", k, ", the columns of ", a.name);
  sizes.back() = b.tensor.sym_size(-1);
  return at::empty_symint(sizes, a.tensor.options());
}

/// The result of alpha a b + beta input, whose input may be one row, one column or one number.
Tensor sum_result(named input, named a, named b, std::int64_t dimensions, at::Scalar const& beta,
                  at::Scalar const& alpha) {
  require(!beta.isComplex() && !alpha.isComplex(), "beta or alpha is complex, both need to be real");
  Tensor const c = product_result(a, b, dimensions);
  check_like(input, a);
  c10::SymIntArrayRef const from = input.tensor.sym_sizes(), to = c.sym_sizes();
  bool const fits = from.size() <= to.size();
  require(fits, input.name, " has ", from.size(), " dimensions, needs at most ", to.size());
  for (std::size_t i = from.size(), j = to.size(); i-- > 0;) {
    require(from[i].sym_eq(to[--j]).sym_or(from[i].sym_eq(1)), input.name, " has sizes ", from,
            ", needs those that expand to ", to);
  }
  return c;
}

Tensor mm_result(Tensor const& self, Tensor const& mat2) { return product_result({"self", self}, {"mat2", mat2}, 2); }

Tensor bmm_result(Tensor const& self, Tensor const& mat2) { return product_result({"self", self}, {"mat2", mat2}, 3); }

Tensor addmm_result(Tensor const& self, Tensor const& mat1, Tensor const& mat2, at::Scalar const& beta,
                    at::Scalar const& alpha) {
  return sum_result({"self", self}, {"mat1", mat1}, {"mat2", mat2}, 2, beta, alpha);
}

Tensor baddbmm_result(Tensor const& self, Tensor const& batch1, Tensor const& batch2, at::Scalar const& beta,
                      at::Scalar const& alpha) {
  return sum_result({"self", self}, {"batch1", batch1}, {"batch2", batch2}, 3, beta, alpha);
}

Tensor linear_result(Tensor const& input, Tensor const& weight, std::optional<Tensor> const& bias,
                     std::string_view activation, bool /*constant_weight*/) {
  require(input.dim() >= 1, "input has 0 dimensions, needs 1 or more");
  check_dimensions({"weight", weight}, 2);
  with_element(input.scalar_type(), [](auto) {});
  check_like({"weight", weight}, {"input", input});
  std::vector<c10::SymInt> sizes = input.sym_sizes().vec();
  c10::SymInt const features = weight.sym_size(1), columns = weight.sym_size(0);
  require(features.sym_eq(sizes.back()), "weight has ", features, " columns, needs ", sizes.back(), " like input");
  if (bias) {
    check_dimensions({"bias", *bias}, 1);
    check_like({"bias", *bias}, {"input", input});
    c10::SymInt const values = bias->sym_size(0);
    require(values.sym_eq(columns), "bias has ", values, " values, needs ", columns, ", one for each row of weight");
  }
  require(activation == "none" || activation == "relu" || activation == "gelu", "activation is ", activation,
          ", needs to be none, relu or gelu");
  sizes.back() = columns;
  return at::empty_symint(sizes, input.options());
}

/// Fills in what all calls share, on the current stream with a workspace of PyTorch's, and raises what is refused.
template <class What>
void enqueue(call arguments, Tensor const& c, What what) {
  c10::cuda::CUDAGuard const guard(c.device());
  arguments.c = operand_of(c, std::max<std::int64_t>(c.size(-1), 1));
  arguments.stream = c10::cuda::getCurrentCUDAStream().stream();
  Tensor workspace;
  arguments.allocate = [&](std::size_t bytes) {
    workspace = at::empty({static_cast<std::int64_t>(bytes)}, c.options().dtype(at::kByte));
    return workspace.mutable_data_ptr();
  };
  gemm::status const status =
      with_element(c.scalar_type(), [&](auto element) { return what(element, std::as_const(arguments)); });
  TORCH_CHECK(status, "gemm: ", status.message());
}

/// c = alpha a b + beta input, of matrices or batches of them; c is contiguous and returned. With beta = 0 the input is
/// not read or copied. With alpha = 0 neither are a and b.
Tensor multiply(Tensor const& a, Tensor const& b, Tensor const& c, double alpha = 1, Tensor const& input = {},
                double beta = 0) {
  if (c.numel() == 0) {
    return c;
  }
  if (beta != 0) {
    c.copy_(input);
  }
  if (alpha == 0) {
    return beta == 0 ? c.zero_() : c.mul_(beta);
  }
  viewed const x(a), y(b);
  enqueue({.a = x.view, .b = y.view, .alpha = alpha, .beta = beta}, c, [&](auto element, call const& arguments) {
    using type = decltype(element);
    constexpr order row = order::row, column = order::column;
    if (x.storage == row) {
      return y.storage == row ? product<type, row, row>(arguments) : product<type, row, column>(arguments);
    }
    return y.storage == row ? product<type, column, row>(arguments) : product<type, column, column>(arguments);
  });
  return c;
}

/// result = activation(input weight^T + bias), and returns the result, which is contiguous. A weight that is copied is
/// not constant, whatever the caller promises.
Tensor apply_linear(Tensor const& input, Tensor const& weight, std::optional<Tensor> const& bias,
                    std::string_view activation, bool constant_weight, Tensor const& result) {
  if (result.numel() == 0) {
    return result;
  }
  Tensor const c = result.view({result.numel() / weight.size(0), weight.size(0)});
  Tensor const values = bias ? bias->contiguous() : Tensor();
  viewed const x(input.reshape({c.size(0), weight.size(1)}), order::row), w(weight, order::row);
  call arguments{.a = x.view, .b = w.view, .bias = bias ? values.const_data_ptr() : nullptr};
  arguments.constant_b = constant_weight && w.memory.is_same(weight);
  std::swap(arguments.b.rows, arguments.b.columns);  // the transpose, column-major
  enqueue(std::move(arguments), c, [&](auto element, call const& complete) {
    using type = decltype(element);
    if (activation == "relu") {
      return linear<type, gemm::relu>(complete);
    } else if (activation == "gelu") {
      return linear<type, gemm::gelu>(complete);
    }
    return linear<type, gemm::identity>(complete);
  });
  return result;
}

Tensor linear(Tensor const& input, Tensor const& weight, std::optional<Tensor> const& bias, std::string_view activation,
              bool constant_weight) {
  return apply_linear(input, weight, bias, activation, constant_weight,
                      linear_result(input, weight, bias, activation, constant_weight));
}

Tensor mm(Tensor const& self, Tensor const& mat2) { return multiply(self, mat2, mm_result(self, mat2)); }

Tensor bmm(Tensor const& self, Tensor const& mat2) { return multiply(self, mat2, bmm_result(self, mat2)); }

Tensor addmm(Tensor const& self, Tensor const& mat1, Tensor const& mat2, at::Scalar const& beta,
             at::Scalar const& alpha) {
  Tensor const c = addmm_result(self, mat1, mat2, beta, alpha);
  bool const layer = self.dim() == 1 && self.size(0) == mat2.size(1) && beta.toDouble() == 1 && alpha.toDouble() == 1;
  if (layer && leading_dimension(mat1, order::row) && leading_dimension(mat2, order::column)) {
    return apply_linear(mat1, mat2.t(), self, "none", false, c);
  }
  return multiply(mat1, mat2, c, alpha.toDouble(), self, beta.toDouble());
}

Tensor baddbmm(Tensor const& self, Tensor const& batch1, Tensor const& batch2, at::Scalar const& beta,
               at::Scalar const& alpha) {
  Tensor const c = baddbmm_result(self, batch1, batch2, beta, alpha);
  return multiply(batch1, batch2, c, alpha.toDouble(), self, beta.toDouble());
}

TORCH_LIBRARY(gemm, m) {
  m.def("mm(Tensor self, Tensor mat2) -> Tensor", {at::Tag::pt2_compliant_tag});
  m.def("bmm(Tensor self, Tensor mat2) -> Tensor", {at::Tag::pt2_compliant_tag});
  m.def("addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        {at::Tag::pt2_compliant_tag});
  m.def("baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        {at::Tag::pt2_compliant_tag});
  m.def(
      "linear(Tensor input, Tensor weight, Tensor? bias=None, str activation=\"none\", *, "
      "bool constant_weight=False) -> Tensor",
      {at::Tag::pt2_compliant_tag});
}

TORCH_LIBRARY_IMPL(gemm, CUDA, m) {
  m.impl("mm", mm);
  m.impl("bmm", bmm);
  m.impl("addmm", addmm);
  m.impl("baddbmm", baddbmm);
  m.impl("linear", linear);
}

// The kernels of fake tensors, for torch.compile and torch.export.
TORCH_LIBRARY_IMPL(gemm, Meta, m) {
  m.impl("mm", mm_result);
  m.impl("bmm", bmm_result);
  m.impl("addmm", addmm_result);
  m.impl("baddbmm", baddbmm_result);
  m.impl("linear", linear_result);
}

}  // namespace
}  // namespace gemm_torch
