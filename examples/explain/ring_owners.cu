// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which thread computes what on the rungs with rings, by their kernels.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "note_owner.cuh"
#include "probe.cuh"
#include "ring.hpp"
#include "ring_policies.cuh"

namespace explain {

namespace {

/// A product of one tile for each block of a cluster, and of one tile of k: TMA can bring it, which is a kernel of its
/// own.
template <class Policy>
std::vector<int> owners() {
  using T = element_of<Policy>;
  constexpr std::int64_t m = std::int64_t{Policy::info.cluster_m} * Policy::block_m,
                         n = std::int64_t{Policy::info.cluster_n} * Policy::block_n, k = Policy::block_k;
  record<int> const owner(static_cast<std::size_t>(m * n));
  record<T> const a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)),
      c(static_cast<std::size_t>(m * n));
  auto const of_a = gemm::row_major(static_cast<T const*>(a.data()), m, k);
  auto const of_c = gemm::row_major(c.data(), m, n);
  note_owner const noting{owner.data(), n};
  gemm::status const status = [&] {
    if constexpr (on_tensor_cores<Policy>) {
      auto const of_b = gemm::col_major(static_cast<T const*>(b.data()), k, n);
      return gemm::run<Policy>(of_a, of_b, of_c, {}, noting);
    } else {
      return gemm::run<Policy>(of_a, gemm::row_major(static_cast<T const*>(b.data()), k, n), of_c, {}, noting);
    }
  }();
  if (!status) {
    std::fprintf(stderr, "%s\n", status.message());
    std::exit(1);
  }
  std::vector<int> const all = owner.values();
  std::vector<int> result;
  for (std::int64_t row = 0; row < Policy::block_m; ++row) {
    auto const line = all.begin() + row * n;
    result.insert(result.end(), line, line + Policy::block_n);
  }
  return result;
}

}  // namespace

std::vector<int> owners_by_ring(std::string const& policy) {
  return of_policy<std::vector<int>>(all_ring_policies{}, policy, []<class Policy>() { return owners<Policy>(); });
}

}  // namespace explain
