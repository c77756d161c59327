// SPDX-License-Identifier: BSL-1.0
// The launch that is part of a plan: grids, spread, schedules and what is loaded by TMA.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <catch2/catch_test_macros.hpp>

#include <gemm/gemm.cuh>

namespace {

using gemm::col_major;
using gemm::row_major;

/// A's row-major problem with a column-major B; addresses that no kernel sees, aligned, or of A by `misaligned` bytes.
template <class T>
auto problem_of_sizes(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1, int misaligned = 0) {
  auto* const any = reinterpret_cast<T*>(4096);
  auto const a = row_major(reinterpret_cast<T*>(4096 + misaligned), m, k);
  auto const in_batch = [&](auto const& view) { return gemm::batched(view, batch, view.rows * view.columns); };
  return gemm::detail::problem_of(in_batch(a), in_batch(col_major(any, k, n)), in_batch(row_major(any, m, n)), 1.0F,
                                  0.0F, gemm::identity{});
}

template <class Policy, class Problem>
gemm::detail::launch_plan launch_of(Problem const& p, gemm::detail::slicing const& slices = {}) {
  auto const& of = gemm::detail::compiled_kernel_of<Policy, Problem>;
  auto const packing = of.repacks ? gemm::detail::plan_repack(of, p) : gemm::detail::repack_plan{};
  return gemm::detail::plan_launch(of, p, gemm::detail::plan_split(of, p, slices), packing);
}

}  // namespace

TEST_CASE("persistent blocks are as many as works, or as the device holds", "[launch_plan]") {
  using policy = gemm::sm90_wgmma_ping_pong_128x128x64;
  int const multiprocessors = gemm::detail::multiprocessors_of_call();
  REQUIRE(multiprocessors > 1);
  auto const few = launch_of<policy>(problem_of_sizes<__nv_bfloat16>(256, 384, 512));
  CHECK(few.grid.x == 6);
  CHECK(few.order.order == gemm::detail::tile_order::persistent);
  CHECK(few.order.tiles_m == 2);
  CHECK(few.order.tiles_n == 3);
  CHECK(few.order.k_tiles == 8);
  auto const many = launch_of<policy>(problem_of_sizes<__nv_bfloat16>(1 << 14, 1 << 14, 512));
  CHECK(many.grid.x % static_cast<unsigned>(multiprocessors) == 0);
  CHECK(many.grid.x < (1u << 14));
  auto const cut = launch_of<gemm::sm90_wgmma_64x64x64>(problem_of_sizes<__nv_bfloat16>(256, 384, 512), {2});
  CHECK(cut.grid.x == 48);
  CHECK(cut.order.order == gemm::detail::tile_order::split_k);
  CHECK(cut.order.depth == 4);
}

TEST_CASE("few blocks have so much shared memory that no two share a multiprocessor", "[launch_plan]") {
  using policy = gemm::sm90_wgmma_64x64x64;
  auto const& of = gemm::detail::compiled_kernel_of<policy, decltype(problem_of_sizes<__nv_bfloat16>(1, 1, 1))>;
  REQUIRE(of.min_blocks > 1);
  auto const few = launch_of<policy>(problem_of_sizes<__nv_bfloat16>(640, 640, 512));
  CHECK(2 * few.shared_bytes >= gemm::detail::shared_of_multiprocessor);
  auto const full = launch_of<policy>(problem_of_sizes<__nv_bfloat16>(1 << 13, 1 << 13, 512));
  CHECK(2 * full.shared_bytes < gemm::detail::shared_of_multiprocessor);
  CHECK(full.shared_bytes >= of.shared_bytes);
}

TEST_CASE("what TMA cannot load goes to the other kernel, or is packed", "[launch_plan]") {
  using policy = gemm::persistent_64x64x32;
  using packs = gemm::repacked<policy>;
  auto const aligned = problem_of_sizes<float>(256, 256, 512),
             misaligned = problem_of_sizes<float>(256, 256, 512, 1, 4), empty = problem_of_sizes<float>(256, 256, 0);
  CHECK(launch_of<policy>(aligned).maps_ab);
  CHECK(launch_of<policy>(aligned).better);
  CHECK_FALSE(launch_of<policy>(misaligned).maps_ab);
  CHECK_FALSE(launch_of<policy>(misaligned).better);
  CHECK(launch_of<policy>(misaligned).order.order == gemm::detail::tile_order::single_tile);
  CHECK(launch_of<packs>(misaligned).maps_ab);
  CHECK_FALSE(launch_of<packs>(empty).maps_ab);
  CHECK(launch_of<packs>(empty).better);
}

TEST_CASE("a batch goes over y, and z where y ends", "[launch_plan]") {
  using policy = gemm::pipelined_128x128x16;
  dim3 const one = launch_of<policy>(problem_of_sizes<float>(256, 128, 64, 65535)).grid,
             two = launch_of<policy>(problem_of_sizes<float>(256, 128, 64, 65536)).grid;
  CHECK(one.x == 2);
  CHECK(one.y == 65535);
  CHECK(one.z == 1);
  CHECK(two.y == 32768);
  CHECK(two.z == 2);
}

TEST_CASE("the blocks of a cluster share the slices of a tile", "[launch_plan]") {
  auto const how = launch_of<gemm::sm90_simt_tma_64x64x32>(problem_of_sizes<float>(128, 128, 512),
                                                           {4, gemm::detail::reduction::cluster});
  CHECK(how.grid.x == 4);
  CHECK(how.grid.z == 4);
  CHECK(how.kind.cluster == 4);
  CHECK(how.kind.dependent);
  CHECK(how.order.slices == 4);
}
