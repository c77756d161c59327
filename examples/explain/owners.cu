// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which thread computes what, by the policies' kernels for float: it does not depend on the type.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "note_owner.cuh"
#include "page_policies.cuh"
#include "probe.cuh"
#include "record_kernel.cuh"
#include "time_line.hpp"

namespace explain {

namespace {

/// The owners of the elements of one block's tile, by a product of that size and depth k with the policy's kernel.
template <class Policy>
std::vector<int> owners(std::int64_t k = 0) {
  constexpr std::int64_t m = Policy::block_m, n = Policy::block_n;
  record<int> const owner(static_cast<std::size_t>(m * n));
  record<float> const a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)),
      c(static_cast<std::size_t>(m * n));
  gemm::status const status = gemm::run<Policy>(gemm::row_major(static_cast<float const*>(a.data()), m, k),
                                                gemm::row_major(static_cast<float const*>(b.data()), k, n),
                                                gemm::row_major(c.data(), m, n), {}, note_owner{owner.data(), n});
  if (!status) {
    std::fprintf(stderr, "%s\n", status.message());
    std::exit(1);
  }
  return owner.values();
}

}  // namespace

std::vector<int> owners_of(std::string const& policy) {
  return of_policy<std::vector<int>>(page_policies{}, policy, []<class Policy>() { return owners<Policy>(); });
}

time_line recorded_copies([[maybe_unused]] std::string const& policy) {
#if defined(__CUDACC__)
  return {};
#else
  return of_policy<time_line>(page_policies{}, policy, []<class Policy>() {
    constexpr int k_tiles = 8;
    cpu_device::recording recorded;
    {
      recording_on_few_multiprocessors const recording(recorded, 1);
      owners<Policy>(k_tiles * Policy::block_k);
    }
    return time_line_of(recorded.events, {.threads = Policy::threads,
                                          .k_tiles = k_tiles,
                                          .block_m = Policy::block_m,
                                          .block_n = Policy::block_n,
                                          .columns = Policy::block_n});
  });
#endif
}

}  // namespace explain
