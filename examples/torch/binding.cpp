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
using wide = long long;  // printf's type for std::int64_t

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

/// Raises the sentence of a status that is a failure. All sentences are formatted by the library's status.
void check(gemm::status const& status) { TORCH_CHECK(status, "gemm: ", status.message()); }

template <class... Values>
void require(bool kept, char const* format, Values... values) {
  if (!kept) {
    check({gemm::status_code::invalid_argument, cudaSuccess, format, values...});
  }
}

void check_like(char const* name, Tensor const& t, std::int64_t dimensions, Tensor const& first) {
  require(t.dim() == dimensions, "%s has %lld dimensions, needs %lld", name, wide{t.dim()}, wide{dimensions});
  if (t.device() != first.device()) {  // whose names are not made otherwise
    require(false, "%s is on %s, needs to be on %s", name, t.device().str().c_str(), first.device().str().c_str());
  }
  require(t.scalar_type() == first.scalar_type(), "%s has elements of %s, needs those of %s", name,
          c10::toString(t.scalar_type()), c10::toString(first.scalar_type()));
}

void check_batches(Tensor const& a, Tensor const& b, Tensor const& first) {
  check_like("the first batch", a, 3, first);
  check_like("the second batch", b, 3, first);
  require(a.size(0) == b.size(0), "the first batch has %lld matrices, the second %lld, needs as many", wide{a.size(0)},
          wide{b.size(0)});
}

/// Calls `what` with a value of the element type.
template <class What>
gemm::status with_element(at::ScalarType type, What what) {
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
      return {gemm::status_code::invalid_argument, cudaSuccess,
              "elements of %s, need to be of Float, Double, Half or BFloat16", c10::toString(type)};
  }
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
  check(with_element(c.scalar_type(), [&](auto element) { return what(element, std::as_const(arguments)); }));
}

/// c = alpha a b + beta c, of matrices or batches of them; c is contiguous.
Tensor multiply(Tensor const& a, Tensor const& b, Tensor c, double alpha, double beta) {
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

Tensor linear(Tensor const& input, Tensor const& weight, std::optional<Tensor> const& bias,
              std::string_view activation) {
  require(input.dim() >= 1, "input has %d dimensions, needs 1 or more", 0);
  check_like("weight", weight, 2, input);
  std::vector<std::int64_t> sizes = input.sizes().vec();
  std::int64_t const features = sizes.back(), columns = weight.size(0);
  sizes.pop_back();
  std::int64_t const rows = c10::multiply_integers(sizes);
  sizes.push_back(columns);
  Tensor const values = bias ? bias->contiguous() : Tensor();
  if (bias) {
    check_like("bias", values, 1, input);
    require(values.size(0) == columns, "bias has %lld values, needs %lld, one for each row of weight",
            wide{values.size(0)}, wide{columns});
  }
  Tensor const c = at::empty({rows, columns}, input.options());
  viewed const x(input.reshape({rows, features}), order::row), w(weight, order::row);
  call arguments{.a = x.view, .b = w.view, .bias = bias ? values.const_data_ptr() : nullptr};
  std::swap(arguments.b.rows, arguments.b.columns);  // the transpose, column-major
  enqueue(std::move(arguments), c, [&](auto element, call const& complete) {
    using type = decltype(element);
    if (activation == "relu") {
      return gemm_torch::linear<type, gemm::relu>(complete);
    } else if (activation == "gelu") {
      return gemm_torch::linear<type, gemm::gelu>(complete);
    }
    require(activation == "none", "activation is %.*s, needs to be none, relu or gelu",
            static_cast<int>(activation.size()), activation.data());
    return gemm_torch::linear<type, gemm::identity>(complete);
  });
  return c.view(sizes);
}

Tensor mm(Tensor const& self, Tensor const& mat2) {
  check_like("self", self, 2, self);
  check_like("mat2", mat2, 2, self);
  return multiply(self, mat2, at::empty({self.size(0), mat2.size(1)}, self.options()), 1, 0);
}

Tensor bmm(Tensor const& self, Tensor const& mat2) {
  check_batches(self, mat2, self);
  return multiply(self, mat2, at::empty({self.size(0), self.size(1), mat2.size(2)}, self.options()), 1, 0);
}

/// What C is before the product: the input, which may be one row, one column or one number. With beta = 0 nothing of
/// it.
Tensor expanded(Tensor const& input, at::IntArrayRef sizes, at::Scalar const& beta) {
  Tensor const c = at::empty(sizes, input.options()), from = input.expand(sizes);
  return beta.toDouble() == 0 ? c : c.copy_(from);
}

Tensor addmm(Tensor const& self, Tensor const& mat1, Tensor const& mat2, at::Scalar const& beta,
             at::Scalar const& alpha) {
  check_like("mat1", mat1, 2, self);
  check_like("mat2", mat2, 2, self);
  bool const layer = self.dim() == 1 && self.size(0) == mat2.size(1) && beta.toDouble() == 1 && alpha.toDouble() == 1;
  if (layer && leading_dimension(mat1, order::row) && leading_dimension(mat2, order::column)) {
    return linear(mat1, mat2.t(), self, "none");
  }
  Tensor const c = expanded(self, {mat1.size(0), mat2.size(1)}, beta);
  return multiply(mat1, mat2, c, alpha.toDouble(), beta.toDouble());
}

Tensor baddbmm(Tensor const& self, Tensor const& batch1, Tensor const& batch2, at::Scalar const& beta,
               at::Scalar const& alpha) {
  check_batches(batch1, batch2, self);
  Tensor const c = expanded(self, {batch1.size(0), batch1.size(1), batch2.size(2)}, beta);
  return multiply(batch1, batch2, c, alpha.toDouble(), beta.toDouble());
}

TORCH_LIBRARY(gemm, m) {
  m.def("mm(Tensor self, Tensor mat2) -> Tensor");
  m.def("bmm(Tensor self, Tensor mat2) -> Tensor");
  m.def("addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
  m.def("baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor");
  m.def("linear(Tensor input, Tensor weight, Tensor? bias=None, str activation=\"none\") -> Tensor");
}

TORCH_LIBRARY_IMPL(gemm, CUDA, m) {
  m.impl("mm", mm);
  m.impl("bmm", bmm);
  m.impl("addmm", addmm);
  m.impl("baddbmm", baddbmm);
  m.impl("linear", linear);
}

}  // namespace
}  // namespace gemm_torch
