// SPDX-License-Identifier: BSL-1.0
//! @file
//! The epilogues that are measured: fused into the last rung, float and row-major, and into one of the tensor cores'.

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "policies.hpp"

namespace bench {

namespace {

/// What epilogues are fused into: the last rung of a type's units, its products in one storage.
struct into_pipelined {
  using policy = gemm::pipelined_128x128x16;
  using element = f32;
  static constexpr bool transposed_b = false;
  static constexpr char const* storage = "nn";
};
struct into_sm90_wgmma {
  using policy = gemm::sm90_wgmma_ping_pong_128x128x64;
  using element = bf16;
  static constexpr bool transposed_b = true;
  static constexpr char const* storage = "nt";
};

template <class Into>
using value_of = typename Into::element::output;

template <class Into>
auto bias_of(product const& p) {
  return gemm::bias(static_cast<value_of<Into> const*>(p.sides.vector), p.n);
}
template <class Into>
auto residual_of(product const& p) {
  return gemm::residual(gemm::row_major(static_cast<value_of<Into> const*>(p.sides.residual), p.m, p.n));
}
float const* vector_of(product const& p) { return static_cast<float const*>(p.sides.vector); }
auto stored_of(product const& p) { return gemm::row_major(static_cast<float*>(p.sides.stored), p.m, p.n); }

/// A functor of the user's own, as the README has it.
struct near_diagonal {
  float width;

  __host__ __device__ float operator()(float value, std::int64_t row, std::int64_t column) const {
    float const distance = static_cast<float>(row < column ? column - row : row - column);
    return value * width / (width + distance);
  }
};

using x = epilogue_operands const&;

double logistic(double value) { return 1 / (1 + std::exp(-value)); }
double gelu_of(double value) { return 0.5 * value * (1 + std::erf(value * std::sqrt(0.5))); }
double gelu_tanh_of(double v) {
  return 0.5 * v * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (v + 0.044715 * v * v * v)));
}
double near_diagonal_of(x e) {
  return e.value * 100 / (100 + std::abs(static_cast<double>(e.i) - static_cast<double>(e.j)));
}

/// make(product) is the epilogue; `expected` is what it makes of an element.
template <class Into = into_pipelined, class Make>
contender fused(std::string name, Make make, double (*expected)(x), int side_matrices = 0, bool stores = false) {
  auto const run = [make](product const& p) -> gemm::status {
    if (p.transposed_a || p.transposed_b != Into::transposed_b || p.batch != 1) {
      return {gemm::status_code::unsupported_device, cudaSuccess, "epilogues are compiled for %s and single products",
              Into::storage};
    }
    using input = typename Into::element::input;
    constexpr gemm::order order_b = Into::transposed_b ? gemm::order::column : gemm::order::row;
    return gemm::run<typename Into::policy>(
        gemm::row_major(static_cast<input const*>(p.a), p.m, p.k),
        gemm::matrix<input const, order_b>{static_cast<input const*>(p.b), p.k, p.n, Into::transposed_b ? p.k : p.n},
        gemm::row_major(static_cast<value_of<Into>*>(p.c), p.m, p.n), {.stream = p.stream}, make(p));
  };
  return {.name = std::move(name),
          .dtype = std::string(std::get<typename Into::element>(elements).name),
          .run = run,
          .epilogue = expected,
          .side_matrices = side_matrices,
          .stores = stores};
}

/// Those that are fused into every type's rung.
template <class Into>
std::vector<contender> common_epilogues() {
  return {
      fused<Into>(
          "none", [](product const&) { return gemm::identity{}; }, [](x e) { return e.value; }),
      fused<Into>("bias", &bias_of<Into>, [](x e) { return e.value + e.column; }),
      fused<Into>(
          "relu", [](product const&) { return gemm::relu{}; }, [](x e) { return std::max(e.value, 0.0); }),
      fused<Into>(
          "gelu", [](product const&) { return gemm::gelu{}; }, [](x e) { return gelu_of(e.value); }),
      fused<Into>(
          "gelu_tanh", [](product const&) { return gemm::gelu_tanh{}; }, [](x e) { return gelu_tanh_of(e.value); }),
      fused<Into>(
          "silu", [](product const&) { return gemm::silu{}; }, [](x e) { return e.value * logistic(e.value); }),
      fused<Into>(
          "bias_relu", [](product const& p) { return bias_of<Into>(p) | gemm::relu{}; },
          [](x e) { return std::max(e.value + e.column, 0.0); }),
      fused<Into>(
          "bias_gelu", [](product const& p) { return bias_of<Into>(p) | gemm::gelu{}; },
          [](x e) { return gelu_of(e.value + e.column); }),
      fused<Into>(
          "amax", [](product const& p) { return gemm::amax(static_cast<float*>(p.sides.stored)); },
          [](x e) { return e.value; }),
      fused<Into>(
          "residual", &residual_of<Into>, [](x e) { return e.value + e.residual; }, 1),
  };
}

/// And those that are not.
std::vector<contender> other_epilogues() {
  return {
      fused(
          "row_bias", [](product const& p) { return gemm::row_bias(vector_of(p), p.m); },
          [](x e) { return e.value + e.row; }),
      fused(
          "sigmoid", [](product const&) { return gemm::sigmoid{}; }, [](x e) { return logistic(e.value); }),
      fused(
          "tanh", [](product const&) { return gemm::tanh_activation{}; }, [](x e) { return std::tanh(e.value); }),
      fused(
          "clamp", [](product const&) { return gemm::clamp(-6.0f, 6.0f); },
          [](x e) { return std::clamp(e.value, -6.0, 6.0); }),
      fused(
          "scale", [](product const&) { return gemm::scale(0.75f); }, [](x e) { return 0.75 * e.value; }),
      fused(
          "column_scale", [](product const& p) { return gemm::column_scale(vector_of(p), p.n); },
          [](x e) { return e.value * e.column; }),
      fused(
          "row_scale", [](product const& p) { return gemm::row_scale(vector_of(p), p.m); },
          [](x e) { return e.value * e.row; }),
      fused(
          "functor", [](product const&) { return near_diagonal{.width = 100}; }, &near_diagonal_of),
      fused(
          "bias_residual_relu",
          [](product const& p) { return bias_of<into_pipelined>(p) | residual_of<into_pipelined>(p) | gemm::relu{}; },
          [](x e) { return std::max(e.value + e.column + e.residual, 0.0); }, 1),
      fused(
          "store_gelu", [](product const& p) { return gemm::store(stored_of(p)) | gemm::gelu{}; },
          [](x e) { return gelu_of(e.value); }, 1, true),
  };
}

}  // namespace

std::vector<contender> epilogues() {
  std::vector<contender> result;
  for (auto const& part :
       {common_epilogues<into_pipelined>(), other_epilogues(), common_epilogues<into_sm90_wgmma>()}) {
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

}  // namespace bench
