// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of floats whose B was taken apart beforehand. For the one source that compiles fp32_emulated, whose kernels
//! they share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "../support/cuda.hpp"
#include "compile_policies.cuh"

namespace bench {

/// The parts of every B of a workload, each made when it is first multiplied: in the verification and the warming up.
class kept_parts {
 public:
  template <gemm::order Order>
  auto of(product const& p, gemm::matrix<float const, Order> const& b) {
    shape const now{p.m, p.n, p.k, p.transposed_a, p.transposed_b};
    if (now != shape_) {  // another workload, whose buffers may be where the last one's were
      memory_.clear();
      shape_ = now;
    }
    std::size_t const bytes = prepacked_size(gemm::prepacked_b(b));
    auto const [place, is_new] = memory_.try_emplace(p.b, nullptr);
    if (is_new) {
      place->second = std::make_unique<device_memory>(bytes);
      gemm::status const status = gemm::prepack(gemm::prepacked_b(b, {place->second->data(), bytes}), p.stream);
      if (!status) {
        throw failure(status.message());
      }
    }
    return gemm::prepacked_b(b, {place->second->data(), bytes});
  }

 private:
  using shape = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool, bool>;

  shape shape_{};
  std::map<void const*, std::unique_ptr<device_memory>> memory_;
};

inline contender with_prepacked_b() {
  auto const run = [parts = std::make_shared<kept_parts>()](product const& p) -> gemm::status {
    if (p.transposed_a || p.batch != 1) {
      return {gemm::status_code::unsupported_device, cudaSuccess,
              "prepacked is compiled for nn, nt and single products"};
    }
    auto const* const b = static_cast<float const*>(p.b);
    auto const with_b = [&](auto const& b_view) {
      return gemm::run<gemm::fp32_emulated>(gemm::row_major(static_cast<float const*>(p.a), p.m, p.k),
                                            parts->of(p, b_view), gemm::row_major(static_cast<float*>(p.c), p.m, p.n),
                                            {.stream = p.stream, .workspace = p.workspace});
    };
    if (!p.transposed_b) {
      return with_b(gemm::row_major(b, p.k, p.n));
    }
    if constexpr (compiled<pipelined_rungs_float> != storages::nn) {
      return with_b(gemm::col_major(b, p.k, p.n));
    }
    return {gemm::status_code::unsupported_device, cudaSuccess, "not compiled for this storage"};
  };
  return {.name = "fp32_emulated_b_prepacked", .dtype = "f32", .run = run};
}

}  // namespace bench
