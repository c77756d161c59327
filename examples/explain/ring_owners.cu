// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which thread computes what on the rungs with rings, by their kernels.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "note_owner.cuh"
#include "probe.cuh"
#include "record_kernel.cuh"
#include "ring.hpp"
#include "ring_policies.cuh"
#include "time_line.hpp"

namespace explain {

namespace {

/// A product of `tiles` tiles for each block of a cluster, which lie along m. TMA can load its operands, which is a
/// kernel of its own.
template <class Policy>
std::vector<int> owners(int tiles, std::int64_t k) {
  using T = element_of<Policy>;
  std::int64_t const m = std::int64_t{Policy::info.cluster_m} * Policy::block_m * tiles,
                     n = std::int64_t{Policy::info.cluster_n} * Policy::block_n;
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

#if !defined(__CUDACC__)
/// Where the barriers of the stages are.
std::vector<std::int64_t> barriers_of(room const& r) {
  std::vector<std::int64_t> at;
  for (int i = 0; i < r.count; ++i) {
    at.push_back(r.begin + i * r.each);
  }
  return at;
}
#endif

}  // namespace

std::vector<int> owners_by_ring(std::string const& policy) {
  return of_policy<std::vector<int>>(all_ring_policies{}, policy,
                                     []<class Policy>() { return owners<Policy>(1, Policy::block_k); });
}

time_line recorded_ring([[maybe_unused]] ring_study const& s) {
#if defined(__CUDACC__)
  return {};
#else
  return of_policy<time_line>(all_ring_policies{}, s.tile.policy, [&]<class Policy>() {
    // Whole clusters fill one multiprocessor for each of their blocks; then a block has one tile, or three.
    bool const has_one = !s.persistent && s.wgmma_n == 0;
    int const k_tiles = has_one ? 8 : 4, tiles = s.resident * (has_one ? 1 : 3);
    cpu_device::recording recorded;
    {
      recording_on_few_multiprocessors const recording(recorded, s.blocks_of_cluster());
      owners<Policy>(tiles, std::int64_t{k_tiles} * s.tile.block_k);
    }
    int const stages_of_group = s.wgmma_n == 0 ? 1 : s.group_k / s.tile.block_k;
    return time_line_of(recorded.events, {.threads = s.threads,
                                          .producer_threads = s.producer_threads,
                                          .first_consumer = s.first_consumer,
                                          .k_tiles = k_tiles,
                                          .block_m = s.tile.block_m,
                                          .block_n = s.tile.block_n,
                                          .columns = std::int64_t{s.cluster_n} * s.tile.block_n,
                                          .full = barriers_of(s.full),
                                          .empty = barriers_of(s.empty),
                                          .stage_bytes = s.stage_bytes(),
                                          .multiplications = static_cast<int>(s.wgmmas.size()) / stages_of_group,
                                          .warpgroups_of_tile = s.in_turns ? 1 : s.tile.threads / 128});
  });
#endif
}

}  // namespace explain
